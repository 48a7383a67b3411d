/* SPDX-License-Identifier: Apache-2.0 */
/* What `auto` chooses from counts: many columns ask for fresh factors, many equations for old ones. */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

#include "drive/solver.h"
#include "support/sparse_solver.h"

/* A ring of n tanks with np rates, y_i' = p_(i mod np) (y_(i-1) - y_i), in any form and structure. */
struct ring {
    size_t n, np;
    double *y0, *p;
    tansy_problem problem;
};

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    const struct ring *const r = context;
    (void)t;
    for (size_t i = 0; i < r->n; i++) f[i] = p[i % r->np] * (y[i > 0 ? i - 1 : 0] - y[i]);
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    const struct ring *const r = context;
    (void)t;
    (void)y;
    for (size_t i = 1; i < r->n; i++) {
        J[i * r->n + i] = -p[i % r->np];
        J[i * r->n + i - 1] = p[i % r->np];
    }
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    const struct ring *const r = context;
    (void)t;
    (void)p;
    for (size_t i = 1; i < r->n; i++) F[i * r->np + i % r->np] = y[i - 1] - y[i];
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    const struct ring *const r = context;
    (void)t;
    for (size_t i = 0; i < r->n; i++) {
        size_t const j = i > 0 ? i - 1 : 0, k = i % r->np;
        for (size_t c = 0; c < columns; c++)
            R[i * ld + c] = p[k] * (V[j * ld + c] - V[i * ld + c]) + U[k * ld + c] * (y[j] - y[i]);
    }
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct ring *const r = context;
    (void)rhs(t, y, p, F, context);
    for (size_t i = 0; i < r->n; i++) F[i] = yp[i] - F[i];
    return 0;
}

static void ring_make(struct ring *r, size_t n, size_t np)
{
    *r = (struct ring){.n = n, .np = np};
    r->y0 = calloc(n, sizeof *r->y0);
    r->p = calloc(np, sizeof *r->p);
    CHECK(r->y0 && r->p);
    r->y0[0] = 1;
    for (size_t k = 0; k < np; k++) r->p[k] = 1 + (double)k / (double)np;
    r->problem = (tansy_problem){.n = n,
                                 .np = np,
                                 .y0 = r->y0,
                                 .p = r->p,
                                 .context = r,
                                 .rhs = rhs,
                                 .jacobian = jacobian,
                                 .parameter_jacobian = parameter,
                                 .tangent = tangent};
}

static void ring_free(struct ring *r)
{
    free(r->y0);
    free(r->p);
}

/* The corrector that the options lead to, and what the report says. */
static const struct corrector *chosen(const struct ring *r, const tansy_options *options,
                                      const char *says)
{
    static char page[4096];
    tansy_solver *const s = tansy_create(&r->problem, options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    const struct corrector *const corrector = s->stepper.corrector;
    (void)tansy_report(s, page, sizeof page);
    if (says) CHECK_TEXT_CONTAINS(page, says);
    if (!says) CHECK(!strstr(page, "cost of a step"));
    tansy_free(s);
    return corrector;
}

TEST(many_columns_of_few_equations_are_solved_directly)
{
    struct ring r;
    ring_make(&r, 10, 50);
    CHECK(chosen(&r, &(tansy_options){.method = TANSY_BDF},
                 "by counts, cost of a step: direct 1.00, staggered 1.") == &corrector_direct);
    CHECK(chosen(&r, &(tansy_options){.method = TANSY_DASSL}, ", simultaneous ") ==
          &corrector_direct);
    ring_free(&r);
}

TEST(few_columns_of_many_equations_are_staggered)
{
    struct ring r;
    ring_make(&r, 300, 2);
    CHECK(chosen(&r, &(tansy_options){.method = TANSY_BDF},
                 "by counts, cost of a step: staggered 1.00") == &corrector_staggered);
    ring_free(&r);
}

/* Between the two cases above direct becomes cheaper than staggered, by little at first. */
TEST(a_cheaper_corrector_that_is_not_taken_is_explained)
{
    static const char says[] = "direct saves less than 5 %, which does not pay";
    static char page[4096];
    size_t explained = 0;
    for (size_t np = 1; np <= 20; np++) {
        struct ring r;
        ring_make(&r, 10, np);
        tansy_solver *const s = tansy_create(&r.problem, &(tansy_options){.method = TANSY_DASSL});
        (void)tansy_report(s, page, sizeof page);
        bool const cheaper = strstr(page, "step: direct 0.") || strstr(page, "step: direct 1.00");
        bool const taken = s->stepper.corrector == &corrector_direct;
        CHECK(taken || !strstr(page, "step: direct 0.") || strstr(page, says));
        CHECK(!strstr(page, says) || (cheaper && !taken));
        explained += strstr(page, says) != NULL;
        tansy_free(s);
        ring_free(&r);
    }
    CHECK(explained > 0);
}

TEST(what_is_asked_for_is_taken_without_a_word_about_costs)
{
    struct ring r;
    ring_make(&r, 10, 50);
    CHECK(chosen(&r, &(tansy_options){.sensitivities = TANSY_SIMULTANEOUS}, NULL) ==
          &corrector_simultaneous);
    CHECK(chosen(&r, &(tansy_options){.sensitivities = TANSY_STAGGERED}, NULL) ==
          &corrector_staggered);
    CHECK(chosen(&r, &(tansy_options){.method = TANSY_BDF, .sensitivities = TANSY_NONE}, NULL) ==
          &corrector_staggered);
    ring_free(&r);
}

/* There are no factors for fresh ones to be better than. */
TEST(direct_is_no_candidate_without_factors)
{
    struct ring r;
    ring_make(&r, 10, 50);
    CHECK(chosen(&r, &(tansy_options){.linear_solver = TANSY_GMRES}, "step: staggered 1.00, sim") ==
          &corrector_staggered);
    CHECK(chosen(&r, &(tansy_options){.method = TANSY_ADAMS}, "step: staggered 1.00, sim") ==
          &corrector_staggered);
    CHECK(chosen(&r, &(tansy_options){.method = TANSY_ADAMS, .linear_solver = TANSY_DENSE_LU},
                 "step: direct 1.00") == &corrector_direct);
    ring_free(&r);
}

TEST(adams_is_refused_for_an_implicit_problem)
{
    struct ring r;
    ring_make(&r, 4, 2);
    r.problem.rhs = NULL;
    r.problem.jacobian = NULL;
    r.problem.parameter_jacobian = NULL;
    r.problem.tangent = NULL;
    r.problem.residual = residual;
    tansy_solver *const s = tansy_create(&r.problem, &(tansy_options){.method = TANSY_ADAMS});
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), "choose dassl");
    tansy_free(s);
    ring_free(&r);
}

/* The same ring with the costs of its functions told: a tangent that costs next to nothing, or more than products. */
TEST(told_operations_decide_between_tangents_and_matrices)
{
    struct ring r;
    ring_make(&r, 30, 60);
    for (int dear = 0; dear < 2; dear++) {
        double const told[] = {60, 60, 30, dear ? 3000 : 30};
        memcpy(r.problem.operations, told, sizeof told);
        tansy_solver *const s = tansy_create(&r.problem, &(tansy_options){.method = TANSY_BDF});
        CHECK_EQUAL(s->derive.tangent_source, dear ? SOURCE_MATRIX : SOURCE_GIVEN);
        CHECK_EQUAL(variant_has_matrix(s->choice.taken), dear);
        tansy_free(s);
    }
    r.problem.operations[3] = 0; /* not known: by rule */
    r.problem.prefer_matrix = 1;
    tansy_solver *const s =
        tansy_create(&r.problem, &(tansy_options){.sensitivities = TANSY_STAGGERED});
    CHECK_EQUAL(s->derive.tangent_source, SOURCE_MATRIX);
    tansy_free(s);
    ring_free(&r);
}

/* What is missing is counted as calls of f: n of them for df/dy, one for each column of df/dp or of the tangent. */
TEST(missing_derivatives_are_counted_as_calls_of_the_function)
{
    struct ring r;
    ring_make(&r, 20, 8);
    r.problem.operations[0] = 1000;
    r.problem.jacobian = NULL;
    r.problem.parameter_jacobian = NULL;
    r.problem.tangent = NULL;
    tansy_solver *s = tansy_create(&r.problem, &(tansy_options){.rtol = 1e-4});
    struct costs const c = s->choice.costs;
    CHECK_CLOSE(c.seed, 8 * c.fun, 1e-9 * c.seed);
    CHECK_CLOSE(c.par, 8 * c.fun, 1e-9 * c.par);
    CHECK_CLOSE(c.eval, 20 * c.fun, 0.02 * c.eval); /* and a pass over 400 entries */
    tansy_free(s);
    r.problem.rhs = NULL;
    r.problem.residual = residual;
    s = tansy_create(&r.problem, &(tansy_options){.rtol = 1e-4});
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    CHECK_CLOSE(s->choice.costs.seed, 8 * c.fun, 1e-9 * c.seed);
    CHECK(s->choice.costs.mvp > c.mvp); /* two matrices */
    tansy_free(s);
    ring_free(&r);
}

/* Structure is told apart: factors of a band, or of a sparse matrix, cost a small part of dense ones. */
TEST(costs_follow_the_structure)
{
    struct ring r;
    ring_make(&r, 200, 4);
    tansy_options const options = {.method = TANSY_BDF, .residual = TANSY_SEED};
    tansy_solver *s = tansy_create(&r.problem, &options);
    double const dense = s->choice.costs.fac;
    tansy_free(s);
    r.problem.jacobian = NULL;
    static const tansy_structure structures[] = {TANSY_BANDED, TANSY_SPARSE};
    int const all = sparse_solver_is_there("costs of sparse factors") ? 2 : 1;
    for (int k = 0; k < all; k++) {
        r.problem.structure = structures[k];
        r.problem.lower = k == 0;
        s = tansy_create(&r.problem, &options);
        CHECK_EQUAL(tansy_error(s), TANSY_OK);
        CHECK_AT_MOST(s->choice.costs.fac, dense / 30);
        tansy_free(s);
    }
    ring_free(&r);
}

TEST(the_choice_is_the_same_every_time)
{
    struct ring r;
    ring_make(&r, 12, 5);
    struct choice first = {.due = 0};
    for (int k = 0; k < 3; k++) {
        tansy_solver *const s = tansy_create(&r.problem, &(tansy_options){.method = TANSY_BDF});
        if (k == 0) first = s->choice;
        for (int v = 0; v < VARIANTS; v++) CHECK_CLOSE(s->choice.cost[v], first.cost[v], 0);
        CHECK_EQUAL(s->choice.taken, first.taken);
        tansy_free(s);
    }
    ring_free(&r);
}
