/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a solver with columns of S, counted in bytes taken from the system and not yet returned, after creation, after a run, and at
   most.  What grows with the number of columns, which is what two runs of the same n differ by, is at most
     8 n ns (order + 5)    history order + 1, corrections 2, df/dp 1 if it is dense, or dy0/dp, for which there is no other room;
                           S(t0) 1 of problems with conditions or break times, which begin anew from it: of others it lies in corrections
   The last of these comes in addition to what is free of n: names, scales, directions, a share of the description of its panel and of a
   parameter's seeds U[np*32] in a tangent.  Without it that is less than the n doubles that are left.  Numbers of columns are multiples of 32, so that
   no lane is empty. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocations.h"
#include "test.h"

#include <tansy/tansy.h>

enum { N = 60, FEW = 64, MOST_NP = 256, SEED = 8 * 32, SMALL = 8 * 32, LESS = 4096 };

/* y_i' = -a_i p_k y_i + y_(i-1), k = i mod np; y_i(0) = 1 + p_k - 1 where initial values follow parameters. */
struct chain {
    size_t n, np;
    double p[MOST_NP], y0[N];
    size_t row[N], column[N];
    int columns[MOST_NP];
    double active_from[MOST_NP];
};

static double rate(size_t i)
{
    return 1 + 0.1 * (double)(i % 7);
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    const struct chain *const c = context;
    (void)t;
    for (size_t i = 0; i < c->n; i++)
        f[i] = -rate(i) * p[i % c->np] * y[i] + (i > 0 ? y[i - 1] : 0);
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct chain *const c = context;
    (void)rhs(t, y, p, F, context);
    for (size_t i = 0; i < c->n; i++) F[i] = yp[i] - F[i];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    const struct chain *const c = context;
    (void)t, (void)y;
    for (size_t i = 0; i < c->n; i++) {
        J[2 * i] = i > 0;
        J[2 * i + 1] = -rate(i) * p[i % c->np];
    }
    return 0;
}

static int residual_jacobian(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    const struct chain *const c = context;
    (void)yp;
    (void)jacobian(t, y, p, J, context);
    for (size_t i = 0; i < 2 * c->n; i++) J[i] = -J[i];
    return 0;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                         void *context)
{
    const struct chain *const c = context;
    (void)t, (void)y, (void)yp, (void)p;
    for (size_t i = 0; i < c->n; i++) J[2 * i + 1] = 1;
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    return rate_jacobian(t, y, NULL, p, B, context);
}

/* df/dp, by its pattern or in a full matrix of n x np. */
static int sparse_parameter(double t, const double *y, const double *p, double *D, void *context)
{
    const struct chain *const c = context;
    (void)t, (void)p;
    for (size_t i = 0; i < c->n; i++) D[i] = -rate(i) * y[i];
    return 0;
}

static int dense_parameter(double t, const double *y, const double *p, double *D, void *context)
{
    const struct chain *const c = context;
    (void)t, (void)p;
    for (size_t i = 0; i < c->n; i++) D[i * c->np + i % c->np] = -rate(i) * y[i];
    return 0;
}

static int sparse_residual_parameter(double t, const double *y, const double *yp, const double *p,
                                     double *D, void *context)
{
    const struct chain *const c = context;
    (void)yp;
    (void)sparse_parameter(t, y, p, D, context);
    for (size_t i = 0; i < c->n; i++) D[i] = -D[i];
    return 0;
}

static int dense_residual_parameter(double t, const double *y, const double *yp, const double *p,
                                    double *D, void *context)
{
    const struct chain *const c = context;
    (void)yp;
    (void)dense_parameter(t, y, p, D, context);
    for (size_t i = 0; i < c->n * c->np; i++) D[i] = -D[i];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    const struct chain *const c = context;
    (void)t;
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < columns; k++)
            R[i * ld + k] =
                -rate(i) * (p[i % c->np] * V[i * ld + k] + y[i] * U[i % c->np * ld + k]) +
                (i > 0 ? V[(i - 1) * ld + k] : 0);
    return 0;
}

static int residual_tangent(double t, const double *y, const double *yp, const double *p,
                            size_t columns, size_t ld, const double *V, const double *V_rate,
                            const double *U, double *R, void *context)
{
    const struct chain *const c = context;
    (void)yp;
    (void)tangent(t, y, p, columns, ld, V, U, R, context);
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < columns; k++) R[i * ld + k] = V_rate[i * ld + k] - R[i * ld + k];
    return 0;
}

static int initial(double t0, const double *p, double *y, void *context)
{
    const struct chain *const c = context;
    (void)t0;
    for (size_t i = 0; i < c->n; i++) y[i] = p[i % c->np];
    return 0;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    const struct chain *const c = context;
    (void)t0, (void)p;
    for (size_t i = 0; i < c->n; i++) D[i * c->np + i % c->np] = 1;
    return 0;
}

static int condition(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)p, (void)context;
    g[0] = t - 0.011;
    return 0;
}

enum form { EXPLICIT, MASS, RESIDUAL, FORMS };
enum parameter { BY_DIFFERENCE, BY_TANGENT, DENSE, SPARSE, PARAMETERS };

/* What is varied. */
struct setting {
    enum form form;
    enum parameter parameter;
    bool follows, switches, mixed,
        waits; /* initial values, conditions, order of columns, activation */
};

static tansy_problem problem_of(struct chain *c, const struct setting *u)
{
    static const double breaks[] = {0.004};
    tansy_problem q = {.n = c->n, .np = c->np, .p = c->p, .y0 = c->y0, .context = c};
    bool const implicit = u->form == RESIDUAL, sparse = u->parameter == SPARSE;
    q.structure = TANSY_BANDED;
    q.lower = 1;
    if (implicit) {
        q.residual = residual;
        q.residual_jacobian = residual_jacobian;
        q.rate_jacobian = rate_jacobian;
    } else {
        q.rhs = rhs;
        q.jacobian = jacobian;
        if (u->form == MASS) q.mass = mass;
    }
    if (u->parameter == BY_TANGENT && implicit) q.residual_tangent = residual_tangent;
    if (u->parameter == BY_TANGENT && !implicit) q.tangent = tangent;
    if (u->parameter >= DENSE && implicit)
        q.residual_parameter = sparse ? sparse_residual_parameter : dense_residual_parameter;
    if (u->parameter >= DENSE && !implicit)
        q.parameter_jacobian = sparse ? sparse_parameter : dense_parameter;
    if (sparse) q.parameter_pattern = (tansy_pattern){c->n, c->row, c->column};
    if (u->follows) q.initial = initial, q.initial_jacobian = initial_jacobian;
    if (u->switches) q.switches = 1, q.switch_function = condition;
    if (u->mixed) q.ns = c->np, q.columns = c->columns;
    if (u->waits) q.breaks = 1, q.break_times = breaks, q.active_from = c->active_from;
    return q;
}

static void fill(struct chain *c, size_t n, size_t np)
{
    *c = (struct chain){.n = n, .np = np};
    for (size_t i = 0; i < n; i++) c->y0[i] = 1, c->row[i] = i, c->column[i] = i % np;
    for (size_t k = 0; k < np; k++) {
        c->p[k] = 1;
        c->columns[k] = (int)(k * 37 % np); /* 37 and a multiple of 32 have no divisor in common */
        c->active_from[k] = k % 3 ? 0 : 0.004;
    }
}

/* Bytes after creation, after a run, and at most. */
struct bytes {
    double created, run, most;
};

static struct bytes measure(const struct setting *u, const tansy_options *options, size_t n,
                            size_t np)
{
    static struct chain c;
    struct bytes b;
    fill(&c, n, np);
    tansy_problem const problem = problem_of(&c, u);
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 25); /* no block is rounded to whole pages */
    allocations_begin(0, 0);
    tansy_solver *const s = tansy_create(&problem, options);
    b.created = (double)allocations.bytes;
    CHECK_EQUAL(tansy_initialise(s, NULL, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0.012, NULL, NULL), TANSY_OK);
    b.run = (double)allocations.bytes;
    b.most = (double)allocations.most;
    tansy_free(s);
    CHECK_EQUAL(allocations.live, 0);
    return b;
}

static void check_growth(const struct setting *u, const tansy_options *options, int order)
{
    struct bytes const a = measure(u, options, N, FEW), b = measure(u, options, N, MOST_NP);
    bool const anew = u->switches || u->waits;
    size_t const seeds = anew && u->parameter == BY_TANGENT ? SEED : 0, small = anew ? SMALL : 0;
    double const most = (double)((MOST_NP - FEW) * (8 * N * ((size_t)order + 5) + seeds + small) +
                                 LESS); /* what is there in creation only */
    CHECK_AT_MOST(b.created - a.created, most);
    CHECK_AT_MOST(b.run - a.run, most);
    CHECK_AT_MOST(b.most - a.most, most);
}

static const tansy_sensitivities ways[] = {TANSY_SIMULTANEOUS, TANSY_STAGGERED, TANSY_DIRECT};
static const tansy_error_control controls[] = {TANSY_EACH_COLUMN, TANSY_STATE_ONLY,
                                               TANSY_ALL_AS_ONE};

/* All correctors; `fully`: with every error control and another order. */
static void check_ways(const struct setting *u, tansy_method method, int order, bool fully)
{
    for (int x = 0; x<(fully ? 9 : 3); x += TEST_STRIDE> 1 ? 2 : 1)
        for (int less = 0; less <= fully; less++) {
            tansy_options const options = {.method = method,
                                           .sensitivities = ways[x % 3],
                                           .error_control = controls[fully ? x / 3 : x],
                                           .max_order = less ? 2 : 0,
                                           .rtol = 1e-2};
            check_growth(u, &options, less ? 2 : order);
        }
}

/* All forms and sources of df/dp. */
static void check_sources(struct setting u, bool fully)
{
    for (int form = 0; form<FORMS; form += TEST_STRIDE> 1 ? 2 : 1)
        for (int parameter = 0; parameter<PARAMETERS; parameter += TEST_STRIDE> 1 ? 2 : 1) {
            u.form = (enum form)form;
            u.parameter = (enum parameter)parameter;
            check_ways(&u, TANSY_DASSL, 5, fully);
            if (form == EXPLICIT) check_ways(&u, TANSY_BDF, 5, fully);
            if (form == EXPLICIT) check_ways(&u, TANSY_ADAMS, 12, fully);
        }
}

TEST(a_column_takes_n_times_the_order_and_five_doubles)
{
    check_sources((struct setting){.follows = false}, true);
}

TEST(where_initial_values_follow_parameters_too)
{
    check_sources((struct setting){.follows = true}, false);
}

TEST(with_conditions_too)
{
    check_sources((struct setting){.switches = true}, false);
    check_sources((struct setting){.follows = true, .switches = true}, false);
}

TEST(in_any_order_of_columns_too)
{
    check_sources((struct setting){.mixed = true}, false);
    check_sources((struct setting){.follows = true, .switches = true, .mixed = true}, false);
}

TEST(where_columns_wait_for_their_parameters_too)
{
    check_sources((struct setting){.follows = true, .waits = true}, false);
}
