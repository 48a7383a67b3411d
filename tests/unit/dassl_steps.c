/* SPDX-License-Identifier: Apache-2.0 */
/* How dassl with the direct corrector goes from step to step: single iterations of the state, growth of h, factors that fail. */
#include "drive/solver.h"
#include "support/problems.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_STEPS = 2000 };

struct step {
    double h;
    int order;
    size_t iterations, factorizations;
};

struct march {
    size_t steps;
    struct step step[MOST_STEPS];
};

/* The steps of a problem to its end, none of them repeated. */
static void make(const char *name, double rtol, int suppress, struct march *march)
{
    const struct test_problem *const problem = problem_find(name);
    size_t const n = problem->problem.n, ns = problem_columns(problem);
    double *const atol = calloc(n, sizeof *atol), *const y = calloc(n, sizeof *y);
    double *const sens = calloc(n * ns, sizeof *sens);
    for (size_t i = 0; i < n; i++) atol[i] = rtol * problem->atol[i];
    tansy_options const options = {.method = TANSY_DASSL,
                                   .sensitivities = TANSY_DIRECT,
                                   .linear_solver = TANSY_DENSE_LU,
                                   .suppress_algebraic = suppress,
                                   .rtol = rtol,
                                   .atol_state = atol};
    tansy_solver *const s = tansy_create(&problem->problem, &options);
    tansy_stats before = {.steps = 0}, now = {.steps = 0};
    march->steps = 0;
    tansy_get_stats(s, &before);
    while (tansy_time(s) < problem->t_end && march->steps < MOST_STEPS) {
        CHECK_EQUAL(tansy_step(s, problem->t_end, y, sens), TANSY_OK);
        tansy_get_stats(s, &now);
        march->step[march->steps++] =
            (struct step){.h = now.h_last,
                          .order = now.order_last,
                          .iterations = now.newton_state - before.newton_state,
                          .factorizations = now.factorizations - before.factorizations};
        before = now;
    }
    CHECK(march->steps < MOST_STEPS);
    tansy_free(s);
    free(atol);
    free(y);
    free(sens);
}

/* On gas oil no step is repeated: a single iteration must follow a step with two, and there are many. */
TEST(single_iterations_are_never_made_twice_in_succession)
{
    static struct march march;
    size_t single = 0;
    make("gas_oil", 1e-6, 0, &march);
    for (size_t k = 1; k < march.steps; k++) {
        single += march.step[k].iterations == 1;
        if (march.step[k].iterations == 1) CHECK_EQUAL(march.step[k - 1].iterations, 2);
    }
    CHECK(4 * single > march.steps);
}

/* Zero-stability: from step to step h grows by less than the limits of its order, by more only after order + 1 equal steps. */
TEST(h_grows_within_the_limits_of_stability)
{
    static const double most[] = {1, 1e4, 2.41, 1.53, 1.28, 1.12};
    static struct march march;
    size_t equal = 0, grown = 0;
    make("gas_oil", 1e-8, 0, &march);
    for (size_t k = 6; k < march.steps; k++) { /* the start raises order and h together */
        int const order = march.step[k - 1].order;
        double const ratio = march.step[k].h / march.step[k - 1].h;
        equal = march.step[k - 1].h == march.step[k - 2].h ? equal + 1 : 0;
        if (equal < (size_t)order) CHECK_AT_MOST(ratio, most[order]);
        grown += ratio > 1 && equal < (size_t)order;
    }
    CHECK(grown > 0);
}

/* Where the algebraic variables of the batch reactor are not tested they move so fast at the beginning that old factors fail at step after
   step: they are not tried at all of them, which a step of two iterations with two factorisations shows. */
TEST(factors_that_fail_again_and_again_are_not_tried)
{
    static struct march march;
    size_t distrusted = 0;
    make("batch_reactor", 1e-5, 1, &march);
    for (size_t k = 3; k < march.steps; k++) {
        bool const failed = march.step[k - 1].factorizations == 2;
        bool const stale = march.step[k].h > 1.6 * march.step[k - 1].h; /* renewed for its c */
        distrusted +=
            failed && !stale && march.step[k].factorizations == 2 && march.step[k].iterations == 2;
    }
    CHECK(distrusted > 0);
}
