/* SPDX-License-Identifier: Apache-2.0 */
/* The order limit of limex for algebraic equations: it is set where B is singular and nowhere else, the report tells, and it saves work. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "drive/solver.h"
#include "support/problems.h"
#include "support/step_problem.h"
#include "test.h"

static tansy_solver *create(const tansy_problem *problem, double rtol)
{
    tansy_options const options = {.method = TANSY_LIMEX, .rtol = rtol, .atol = 1e-3 * rtol};
    return tansy_create(problem, &options);
}

static void check_limit(const tansy_problem *problem, bool limited)
{
    char text[4000];
    tansy_solver *const s = create(problem, 1e-6);
    CHECK_EQUAL(tansy_step(s, 1, NULL, NULL), TANSY_OK);
    for (int slot = LOWER; slot <= HIGHER; slot++)
        if (s->candidate[slot].order > 0) CHECK_EQUAL(s->candidate[slot].limit, limited ? 4 : 0);
    (void)tansy_report(s, text, sizeof text);
    CHECK_EQUAL(strstr(text, "order limit    4") != NULL, limited);
    tansy_free(s);
}

TEST(the_order_is_limited_where_b_is_singular)
{
    struct step_problem it;
    step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
    check_limit(&it.problem, false);
    step_problem_set(&it, STEP_MASS_OF_P, STEP_ALL, STEP_NP);
    check_limit(&it.problem, false);
    step_problem_set(&it, STEP_SEMI, STEP_ALL, STEP_NP);
    check_limit(&it.problem, true);
    step_problem_set(&it, STEP_DAE_OF_P, STEP_ALL, STEP_NP);
    check_limit(&it.problem, true);
    check_limit(&problem_find("transistor")->problem, true); /* no component of it is algebraic */
}

/* Evaluations of f of the batch reactor, with the limit or without. */
static size_t count(double rtol, bool limited)
{
    enum { N = 10 };
    const struct test_problem *const it = problem_find("batch_reactor_mass");
    double atol[N];
    tansy_stats stats;
    CHECK_EQUAL(it->problem.n, N);
    for (int i = 0; i < N; i++) atol[i] = rtol * it->atol[i];
    tansy_options const options = {.method = TANSY_LIMEX, .rtol = rtol, .atol_state = atol};
    tansy_solver *const s = tansy_create(&it->problem, &options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    s->stepper.stages.has_algebraic = limited; /* initial values have been made consistent */
    CHECK_EQUAL(tansy_solve(s, it->t_end, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats.rhs_evals;
}

TEST(the_limit_saves_work_at_tight_tolerances)
{
    size_t with = 0, without = 0;
    for (double rtol = 1e-7; rtol > 3e-9; rtol /= 2) {
        with += count(rtol, true);
        without += count(rtol, false);
    }
    printf("batch reactor, rtol 1e-7 to 3e-9: %zu evaluations, without the limit %zu\n", with,
           without);
    CHECK(with < without);
}
