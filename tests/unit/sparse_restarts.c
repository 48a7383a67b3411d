/* SPDX-License-Identifier: Apache-2.0 */
/* With sparse factors a restart, and the run that follows it, allocate nothing, ours or KLU's, and give what a new solver gives, to
   the bit: where the first pivots are good, where they are not, and where zeros of the beginning are none later. */
#include <SuiteSparse_config.h>
#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/allocations.h"
#include "test.h"

enum { CELLS = 24, STATES = 3 * CELLS, COLUMNS = 3 };

/* KLU gets our malloc and free, which are watched. */
static void watch_klu(void)
{
    SuiteSparse_config.malloc_func = malloc;
    SuiteSparse_config.calloc_func = calloc;
    SuiteSparse_config.realloc_func = realloc;
    SuiteSparse_config.free_func = free;
}

struct cells {
    const double *u, *v, *w;
    size_t left, right;
};

static struct cells neighbours(const double *y, size_t i)
{
    return (struct cells){.u = y,
                          .v = y + CELLS,
                          .w = y + (size_t)2 * CELLS,
                          .left = (i + CELLS - 1) % CELLS,
                          .right = (i + 5) % CELLS};
}

static double spread(const struct cells *c, const double *p, size_t i)
{
    return p[0] * (c->u[c->left] - 2 * c->u[i] + c->u[c->right]) - p[1] * c->u[i] * c->v[i];
}

/* Cells in a ring: u diffuses, and is used up with v, which w makes. */
static int rates(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    for (size_t i = 0; i < CELLS; i++) {
        struct cells const c = neighbours(y, i);
        f[i] = spread(&c, p, i);
        f[CELLS + i] = 30 * (1 + c.u[i] * c.w[i] - c.v[i]);
        f[(size_t)2 * CELLS + i] = c.u[i] - p[2] * c.w[i];
    }
    return 0;
}

/* v is algebraic; its equation stands opposite w: zeros on the diagonal are left out. */
static int exchanged(double t, const double *y, const double *yp, const double *p, double *F,
                     void *context)
{
    (void)t, (void)context;
    for (size_t i = 0; i < CELLS; i++) {
        struct cells const c = neighbours(y, i);
        F[i] = yp[i] - spread(&c, p, i);
        F[CELLS + i] = yp[(size_t)2 * CELLS + i] - c.u[i] + p[2] * c.w[i];
        F[(size_t)2 * CELLS + i] = c.v[i] - 1 - c.u[i] * c.w[i];
    }
    return 0;
}

/* v and w are algebraic, each with 1e-7 opposite its equation: pivots the pattern speaks for, and the values do not. */
static int weak(double t, const double *y, const double *yp, const double *p, double *F,
                void *context)
{
    (void)t, (void)context;
    for (size_t i = 0; i < CELLS; i++) {
        struct cells const c = neighbours(y, i);
        F[i] = yp[i] - spread(&c, p, i);
        F[CELLS + i] = c.w[i] - p[2] * c.u[i] + 1e-7 * c.v[i];
        F[(size_t)2 * CELLS + i] = c.v[i] - 1 - c.u[i] * c.u[c.left] + 1e-7 * c.w[i];
    }
    return 0;
}

/* The same with t instead of 1e-7: zero at the beginning, and then not. */
static int growing(double t, const double *y, const double *yp, const double *p, double *F,
                   void *context)
{
    (void)context;
    for (size_t i = 0; i < CELLS; i++) {
        struct cells const c = neighbours(y, i);
        F[i] = yp[i] - spread(&c, p, i);
        F[CELLS + i] = c.w[i] - p[2] * c.u[i] + 1e-3 * t * c.v[i];
        F[(size_t)2 * CELLS + i] = c.v[i] - 1 - c.u[i] * c.u[c.left] + 1e-3 * t * c.w[i];
    }
    return 0;
}

static int start(double t, const double *p, double *y, void *context)
{
    (void)t, (void)p, (void)context;
    for (size_t i = 0; i < CELLS; i++) {
        y[i] = 1 + 0.1 * (double)(i % 5);
        y[CELLS + i] = 1;
        y[(size_t)2 * CELLS + i] = 0;
    }
    return 0;
}

struct outcome {
    double y[STATES], S[COLUMNS * STATES];
};

static struct outcome solve(tansy_solver *s)
{
    struct outcome o;
    CHECK_EQUAL(tansy_solve(s, 1, o.y, o.S), TANSY_OK);
    return o;
}

static const double parameters[2][COLUMNS] = {{40, 2, 0.5}, {4, 7, 1}};

static void check(tansy_problem problem, tansy_method method)
{
    tansy_options const options = {.method = method};
    struct outcome fresh[2];
    tansy_solver *s = NULL;
    problem.n = STATES;
    problem.np = COLUMNS;
    problem.initial = start;
    problem.structure = TANSY_SPARSE;
    for (int k = 0; k < 2; k++) {
        tansy_free(s);
        problem.p = parameters[k];
        s = tansy_create(&problem, &options);
        fresh[k] = solve(s);
    }
    CHECK_EQUAL(tansy_restart(s, 0, NULL, parameters[0], NULL), TANSY_OK);
    (void)solve(s);
    allocations_fail(0);
    for (int k = 0; k < (TEST_STRIDE > 1 ? 2 : 6); k++) {
        CHECK_EQUAL(tansy_restart(s, 0, NULL, parameters[k % 2], NULL), TANSY_OK);
        struct outcome const again = solve(s);
        CHECK_EQUAL(memcmp(&again, &fresh[k % 2], sizeof again), 0);
    }
    CHECK_EQUAL(allocations.calls, 0);
    tansy_free(s);
}

TEST(restarts_of_an_ode_allocate_nothing)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX, TANSY_BDF};
    watch_klu();
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        check((tansy_problem){.rhs = rates}, methods[m]);
}

/* The last of the kinds is that of w. */
static void check_implicit(tansy_residual_value *residual, tansy_kind w)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};
    tansy_kind kind[STATES] = {0};
    for (size_t i = 0; i < CELLS; i++) {
        kind[CELLS + i] = TANSY_ALGEBRAIC;
        kind[(size_t)2 * CELLS + i] = w;
    }
    tansy_problem const problem = {
        .residual = residual, .rate_linear = 1, .mass_constant = 1, .kind = kind};
    watch_klu();
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) check(problem, methods[m]);
}

TEST(restarts_with_equations_exchanged_allocate_nothing)
{
    check_implicit(exchanged, TANSY_DIFFERENTIAL);
}

TEST(restarts_where_pivots_are_chosen_by_value_allocate_nothing)
{
    check_implicit(weak, TANSY_ALGEBRAIC);
}

TEST(restarts_whose_zeros_go_away_allocate_nothing)
{
    check_implicit(growing, TANSY_ALGEBRAIC);
}
