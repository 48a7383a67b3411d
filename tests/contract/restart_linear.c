/* SPDX-License-Identifier: Apache-2.0 */
/* A solver that was restarted runs as a new one, to the bit, whatever it did before: no linear solver keeps pivots, an analysis, a preconditioner or a
   pattern of the run before. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/sparse_solver.h"
#include "test.h"

enum { MOST = 16, MOST_COLUMNS = 3 };

struct subject {
    tansy_problem problem;
    double p[2][MOST_COLUMNS]; /* of the run before, and of the one that is compared */
    double first, end;         /* where they end */
};

struct outcome {
    tansy_status status;
    double y[MOST], S[MOST * MOST_COLUMNS];
};

static struct outcome run(tansy_solver *s, double end)
{
    struct outcome o;
    memset(&o, 0, sizeof o);
    o.status = tansy_solve(s, end, o.y, o.S);
    if (o.status < 0) CHECK_TEXT_CONTAINS(tansy_message(s), "no error");
    return o;
}

/* With the parameters of the first run and with others before; and where both have the same pattern, against a solver created with those of the second. */
static void compare(struct subject *it, const tansy_options *options, const char *name)
{
    for (int before = 0; before < 2; before++) {
        it->problem.p = it->p[before];
        tansy_solver *const old = tansy_create(&it->problem, options);
        (void)run(old, it->first);
        CHECK_EQUAL(tansy_restart(old, 0, NULL, it->p[1], NULL), TANSY_OK);
        struct outcome const again = run(old, it->end);
        tansy_free(old);
        it->problem.p = it->p[1];
        tansy_solver *const new = tansy_create(&it->problem, options);
        struct outcome const fresh = run(new, it->end);
        tansy_free(new);
        if (memcmp(&again, &fresh, sizeof fresh) != 0)
            printf("%s, %s parameters, method %d, solver %d\n", name, before ? "the same" : "other",
                   (int)options->method, (int)options->linear_solver);
        CHECK_EQUAL(memcmp(&again, &fresh, sizeof fresh), 0);
    }
}

/* The pendulum of index 2 with friction, l = p_0, let go at the angle p_1. */
static int pendulum(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = yp[0] - y[2];
    F[1] = yp[1] - y[3];
    F[2] = yp[2] + y[0] * y[4] + 0.2 * y[2];
    F[3] = yp[3] + y[1] * y[4] + 9.81 + 0.2 * y[3];
    F[4] = y[0] * y[2] + y[1] * y[3];
    return 0;
}

static int let_go(double t, const double *p, double *y, void *context)
{
    (void)t, (void)context;
    memset(y, 0, 5 * sizeof *y);
    y[0] = p[0] * sin(p[1]);
    y[1] = -p[0] * cos(p[1]);
    return 0;
}

TEST(pivots_of_a_pendulum_are_forgotten)
{
    sparse_solver_or_dense();
    static const tansy_kind kind[] = {0, 0, 0, 0, TANSY_INDEX_2};
    static const tansy_structure structures[] = {TANSY_DENSE, TANSY_SPARSE};
    size_t row[25], column[25];
    for (size_t e = 0; e < 25; e++) row[e] = e / 5, column[e] = e % 5;
    for (int k = 0; k < 2; k++)
        for (double angle = 0.1; angle < 1.6; angle += 0.3) {
            struct subject it = {.problem = {.n = 5,
                                             .np = 2,
                                             .residual = pendulum,
                                             .initial = let_go,
                                             .kind = kind,
                                             .structure = structures[k]},
                                 .p = {{1, angle}, {1, 1.9}},
                                 .first = 1,
                                 .end = 3};
            if (k == 1) it.problem.jacobian_pattern = (tansy_pattern){25, row, column};
            tansy_options const options = {.rtol = 1e-6};
            compare(&it, &options, "pendulum");
        }
}

enum { N = 12 };

/* Three species at four places: stiff reactions with p_0, diffusion, a source p_2 in a window of time that probing does not see where it is a pulse;
   the third species is algebraic in residual(). */
static int rates(double t, const double *y, const double *p, double *f, void *context)
{
    double const inside = fmax((t - 1) * (3 - t), 0), pulse = context ? inside * inside : 1;
    for (int i = 0; i < N; i += 3) {
        double const *const left = y + (i > 0 ? i - 3 : i), *const right =
                                                                y + (i < N - 3 ? i + 3 : i);
        f[i] = -p[0] * y[i] * y[i + 2] + 0.1 * (left[0] - 2 * y[i] + right[0]) + p[2];
        f[i + 1] = p[0] * y[i] * y[i + 2] - p[1] * y[i + 1] + pulse * left[0] * p[2];
        f[i + 2] = y[i + 1] * y[i + 1] + 1 - 100 * y[i + 2];
    }
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)rates(t, y, p, F, context);
    for (int i = 0; i < N; i++) F[i] = (i % 3 == 2 ? 0 : yp[i]) - F[i];
    return 0;
}

static int start(double t, const double *p, double *y, void *context)
{
    (void)t, (void)context, (void)p;
    for (int i = 0; i < N; i++) y[i] = i % 3 == 2 ? 0.0101 : i % 3 == 1 ? 0.1 : 1 + 0.1 * i;
    for (int i = 2; i < N; i += 3) y[i] = (1 + y[i - 1] * y[i - 1]) / 100;
    return 0;
}

static struct subject reactions(bool implicit, tansy_structure structure, void *pulse)
{
    struct subject it = {.problem = {.n = N,
                                     .np = 3,
                                     .initial = start,
                                     .structure = structure,
                                     .lower = 4,
                                     .upper = 3,
                                     .context = pulse},
                         .p = {{50, 1, 0.3}, {4, 20, 2}},
                         .first = 2.5,
                         .end = 2.5};
    if (structure != TANSY_BANDED) it.problem.lower = it.problem.upper = 0;
    static const tansy_kind kind[N] = {0, 0, TANSY_ALGEBRAIC, 0, 0, TANSY_ALGEBRAIC,
                                       0, 0, TANSY_ALGEBRAIC, 0, 0, TANSY_ALGEBRAIC};
    if (!implicit) it.problem.rhs = rates;
    if (!implicit) return it;
    it.problem.residual = residual;
    it.problem.rate_linear = it.problem.mass_constant = 1;
    it.problem.kind = kind;
    return it;
}

TEST(factors_of_every_structure_are_forgotten)
{
    static const tansy_structure structures[] = {TANSY_DENSE, TANSY_BANDED, TANSY_SPARSE};
    static const tansy_method methods[] = {TANSY_BDF, TANSY_DASSL, TANSY_LIMEX, TANSY_ROSENBROCK};
    for (int implicit = 0; implicit < 2; implicit++)
        for (int k = 0; k < 3; k++)
            for (int m = implicit; m < 4; m++) {
                struct subject it = reactions(implicit, structures[k], NULL);
                tansy_options const options = {.method = methods[m]};
                compare(&it, &options, implicit ? "residual" : "rhs");
            }
    if (!sparse_solver_is_there("limex with sparsing; sparse factors are dense ones")) return;
    struct subject it = reactions(false, TANSY_SPARSE, NULL);
    tansy_options const thin = {.method = TANSY_LIMEX, .sparsing = 0.01};
    compare(&it, &thin, "sparsing");
}

TEST(preconditioners_are_forgotten)
{
    static const tansy_preconditioner preconditioners[] = {
        TANSY_NO_PRECONDITIONER, TANSY_PRECONDITIONER_AUTO, TANSY_BLOCK_PRECONDITIONER,
        TANSY_BAND_PRECONDITIONER, TANSY_ILU_PRECONDITIONER};
    for (int implicit = 0; implicit < 2; implicit++)
        for (int side = TANSY_SIDE_AUTO; side <= TANSY_RIGHT; side++)
            for (int k = implicit; k < 5; k++) {
                struct subject it = reactions(implicit, 0, NULL);
                tansy_options const options = {.method = TANSY_DASSL,
                                               .linear_solver = TANSY_GMRES,
                                               .preconditioner = preconditioners[k],
                                               .precondition_side = (tansy_side)side,
                                               .krylov_dimension = 12};
                compare(&it, &options, "gmres");
            }
}

TEST(what_was_added_to_a_probed_pattern_is_forgotten)
{
    sparse_solver_needed();
    static const tansy_method methods[] = {TANSY_BDF, TANSY_DASSL};
    static int pulse;
    for (int implicit = 0; implicit < 2; implicit++)
        for (int m = implicit; m < 2; m++) {
            struct subject it = reactions(implicit, TANSY_SPARSE, &pulse);
            tansy_options const options = {.method = methods[m], .max_step = 0.1};
            compare(&it, &options, "probed");
        }
}

TEST(methods_that_find_out_themselves_forget_it)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_ADAMS, TANSY_RK8};
    for (int m = 0; m < 3; m++) {
        struct subject it = reactions(false, 0, NULL);
        tansy_options const options = {.method = methods[m]};
        compare(&it, &options, "method");
    }
}
