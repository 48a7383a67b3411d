/* SPDX-License-Identifier: Apache-2.0 */
/* GMRES on pairs of capacitors, where dF/dy' couples components and is singular: with g_i = y_i' - Y_i', h_i = y_i + y_i^3/10 - ...,
     a (g_i - g_j) + sum_k C_ik h_k = 0,   a (g_j - g_i) + sum_k C_jk h_k = 0   for every pair (i, j),
   which Y_i = sin(w_i t + i/3) + b_i p cos(v_i t) solves.  A preconditioner that leaves out the coupling (blocks of one row, a band
   without the pairs) is of size c where W is of size 1, so that solves ended with errors c times what was allowed; the error test
   then cut h, which made c larger: 20,000 steps and more to t = 0.05, where direct solvers take 90 to t = 3.  Now runs take at most twice
   the steps of the direct solver, and their errors are at most twice its or 100 rtol; on the right as well, which is left for. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

enum { N = 12 };

struct pairs {
    size_t apart; /* j = i + apart: outside of the band of a preconditioner */
    double C[N][N];
};

static size_t other(const struct pairs *q, size_t i)
{
    return i / q->apart % 2 == 0 ? i + q->apart : i - q->apart;
}

static double w(size_t i)
{
    return 1 + 0.07 * (double)(i * 5 % 11) - 0.3;
}

static double exact(size_t i, double t, double p)
{
    return sin(w(i) * t + (double)i / 3) + (0.2 + 0.1 * (double)(i % 3)) * p * cos(w(i + 3) * t);
}

static double slope(size_t i, double t, double p)
{
    return w(i) * cos(w(i) * t + (double)i / 3) -
           (0.2 + 0.1 * (double)(i % 3)) * p * w(i + 3) * sin(w(i + 3) * t);
}

static double by_p(size_t i, double t)
{
    return (0.2 + 0.1 * (double)(i % 3)) * cos(w(i + 3) * t);
}

static double slope_by_p(size_t i, double t)
{
    return -(0.2 + 0.1 * (double)(i % 3)) * w(i + 3) * sin(w(i + 3) * t);
}

static double bend(double y)
{
    return y + 0.1 * y * y * y;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct pairs *const q = context;
    for (size_t i = 0; i < N; i++) {
        size_t const j = other(q, i);
        F[i] = yp[i] - slope(i, t, *p) - yp[j] + slope(j, t, *p);
        for (size_t k = 0; k < N; k++) F[i] += q->C[i][k] * (bend(y[k]) - bend(exact(k, t, *p)));
    }
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                    void *context)
{
    const struct pairs *const q = context;
    (void)t, (void)yp, (void)p;
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++) J[i * N + k] = q->C[i][k] * (1 + 0.3 * y[k] * y[k]);
    return 0;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                         void *context)
{
    const struct pairs *const q = context;
    (void)t, (void)y, (void)yp, (void)p;
    for (size_t i = 0; i < N; i++) {
        J[i * N + i] = 1;
        J[i * N + other(q, i)] = -1;
    }
    return 0;
}

static int parameter(double t, const double *y, const double *yp, const double *p, double *D,
                     void *context)
{
    const struct pairs *const q = context;
    (void)y, (void)yp;
    for (size_t i = 0; i < N; i++) {
        D[i] = slope_by_p(other(q, i), t) - slope_by_p(i, t);
        for (size_t k = 0; k < N; k++) {
            double const Y = exact(k, t, *p);
            D[i] -= q->C[i][k] * (1 + 0.3 * Y * Y) * by_p(k, t);
        }
    }
    return 0;
}

static int initial(double t0, const double *p, double *y, void *context)
{
    (void)context;
    for (size_t i = 0; i < N; i++) y[i] = exact(i, t0, *p);
    return 0;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)p, (void)context;
    for (size_t i = 0; i < N; i++) D[i] = by_p(i, t0);
    return 0;
}

static void fill(struct pairs *q, size_t apart)
{
    q->apart = apart;
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++)
            q->C[i][k] = (i == k ? 2 : 0) + 0.04 * (double)((i * 7 + k * 5) % 9) - 0.16;
}

static tansy_problem problem_of(struct pairs *q)
{
    static const double p[] = {0.7};
    return (tansy_problem){.n = N,
                           .np = 1,
                           .p = p,
                           .residual = residual,
                           .residual_jacobian = jacobian,
                           .rate_jacobian = rate_jacobian,
                           .residual_parameter = parameter,
                           .initial = initial,
                           .initial_jacobian = initial_jacobian,
                           .context = q};
}

struct outcome {
    tansy_status status;
    size_t steps;
    double error; /* in units of rtol */
};

static struct outcome run(struct pairs *q, tansy_options o, double rtol)
{
    tansy_problem const problem = problem_of(q);
    double y[N], sens[N];
    struct outcome out = {.error = 0};
    o.method = TANSY_DASSL;
    o.rtol = rtol;
    o.atol = 1e-2 * rtol;
    o.max_steps = 2000;
    tansy_solver *const s = tansy_create(&problem, &o);
    for (int m = 1; m <= 6 && out.status == TANSY_OK; m++) {
        double const t = 0.5 * m;
        out.status = tansy_solve(s, t, y, sens);
        for (size_t i = 0; i < N; i++) {
            out.error = fmax(out.error, fabs(y[i] - exact(i, t, 0.7)) / rtol);
            out.error = fmax(out.error, fabs(sens[i] - by_p(i, t)) / rtol);
        }
    }
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    out.steps = stats.steps;
    if (out.status != TANSY_OK) fprintf(stderr, "%s\n", tansy_message(s));
    tansy_free(s);
    return out;
}

static void check_pairs(struct pairs *q, tansy_sensitivities way, double rtol)
{
    static const tansy_preconditioner all[] = {TANSY_BLOCK_PRECONDITIONER,
                                               TANSY_BAND_PRECONDITIONER, TANSY_ILU_PRECONDITIONER};
    struct outcome const direct = run(q, (tansy_options){.sensitivities = way}, rtol);
    CHECK_EQUAL(direct.status, TANSY_OK);
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 3; side++) {
            tansy_options const options = {.sensitivities = way,
                                           .linear_solver = TANSY_GMRES,
                                           .preconditioner = all[k],
                                           .preconditioner_lower = 1,
                                           .preconditioner_upper = 1,
                                           .precondition_side = (tansy_side)side};
            struct outcome const gmres = run(q, options, rtol);
            CHECK_EQUAL(gmres.status, TANSY_OK);
            CHECK_AT_MOST((double)gmres.steps, 2 * (double)direct.steps);
            CHECK_AT_MOST(gmres.error, fmax(100, 2 * direct.error));
        }
}

static void check_distance(size_t apart)
{
    struct pairs q;
    fill(&q, apart);
    for (double rtol = 1e-4; rtol > 5e-9; rtol /= 10) {
        check_pairs(&q, TANSY_SIMULTANEOUS, rtol);
        check_pairs(&q, TANSY_STAGGERED, rtol);
    }
}

TEST(blocks_of_one_row_do_on_pairs_of_neighbours)
{
    check_distance(1);
}

TEST(narrow_bands_do_on_pairs_that_are_apart)
{
    check_distance(3);
    check_distance(6);
}

/* A space of one direction, begun anew once, cannot solve for a pair: it is said what to do. */
TEST(a_preconditioner_that_does_not_do_is_named)
{
    struct pairs q;
    double y[N];
    fill(&q, 3);
    tansy_problem const problem = problem_of(&q);
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_DASSL,
                                                .sensitivities = TANSY_NONE,
                                                .linear_solver = TANSY_GMRES,
                                                .preconditioner = TANSY_BLOCK_PRECONDITIONER,
                                                .krylov_dimension = 1,
                                                .krylov_restarts = 1,
                                                .max_steps = 1000});
    CHECK(tansy_solve(s, 3, y, NULL) < 0);
    CHECK(strstr(tansy_message(s), "is the preconditioner near") != NULL);
    CHECK(strstr(tansy_message(s), "ilu") != NULL);
    tansy_free(s);
}

/* The report tells that the side was changed. */
TEST(the_report_tells_the_side)
{
    struct pairs q;
    char text[4000];
    double y[N];
    fill(&q, 1);
    tansy_problem const problem = problem_of(&q);
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_DASSL,
                                                .sensitivities = TANSY_NONE,
                                                .linear_solver = TANSY_GMRES,
                                                .preconditioner = TANSY_BLOCK_PRECONDITIONER,
                                                .precondition_side = TANSY_RIGHT,
                                                .max_steps = 10});
    CHECK_EQUAL(tansy_solve(s, 3, y, NULL), TANSY_TOO_MANY_STEPS);
    CHECK(strstr(tansy_message(s), "does the preconditioner leave out entries of dF/dy'") != NULL);
    (void)tansy_report(s, text, sizeof text);
    CHECK(strstr(text, "block on the left, for dF/dy' couples components") != NULL);
    tansy_free(s);
}

static int decay(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    f[0] = -y[0];
    return 0;
}

TEST(nothing_is_said_of_one_that_does)
{
    static const double y0[] = {1};
    double y[1];
    tansy_solver *const s = tansy_create(
        &(tansy_problem){.n = 1, .y0 = y0, .rhs = decay},
        &(tansy_options){.method = TANSY_BDF, .linear_solver = TANSY_GMRES, .max_steps = 2});
    CHECK_EQUAL(tansy_solve(s, 3, y, NULL), TANSY_TOO_MANY_STEPS);
    CHECK(strstr(tansy_message(s), "preconditioner") == NULL);
    CHECK(strstr(tansy_message(s), "is the tolerance too small?") != NULL);
    tansy_free(s);
}
