/* SPDX-License-Identifier: Apache-2.0 */
/* Traps for difference quotients in which other codes return success with a wrong S: a function that fails in
   the middle of a quotient, a border of its domain, a tolerance that no difference can reach. */
#include "support/fault_cases.h"
#include "support/problems.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

static const double t_end = 1;

/* Forward differences, or backward where they fail, by one increment of 2^-26 of |p|, rounded. */
static const double reach = 1.01 * 0x1p-26;

static struct fault_user watching(void)
{
    struct fault_user user = fault_user();
    user.home = fault_p;
    user.reach = reach;
    return user;
}

/* With p left moved by one quotient the next would move a second parameter, and the state would see it. */
TEST(a_failure_inside_a_quotient_leaves_p_where_it_was)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case it = fault_case(number);
        struct fault_user clean = watching();
        it.options.difference = TANSY_FORWARD;
        (void)fault_run(&it, &clean, t_end);
        CHECK_EQUAL(clean.strayed, 0);
        CHECK(it.differences ? clean.moved > 0 : clean.moved == 0);
        for (size_t k = 1 + number % TEST_STRIDE; k <= clean.calls[IN_RHS]; k += TEST_STRIDE)
            for (size_t length = 1; length <= 3;
                 length++) { /* the quotient and those tried instead */
                struct fault_user user = watching();
                user.plan = (struct fault_plan){IN_RHS, RETURNS_POSITIVE, k, k + length - 1};
                struct fault_result const r = fault_run(&it, &user, t_end);
                CHECK_EQUAL(fault_told(user.strayed == 0, "p in its place", &it, &user, &r), 0);
                if (r.status == TANSY_OK)
                    CHECK_AT_MOST(fault_error(t_end, 1e-3, r.y, r.sens), 100 * it.options.rtol);
            }
    }
}

/* f exists on one side of p_0 only: quotients on the other side are as good. */
TEST(a_border_of_the_domain_at_p_is_no_obstacle)
{
    for (size_t number = 0; number < FAULT_CASES; number++)
        for (int fence = -1; fence <= 1; fence += 2)
            for (int digits = 4; digits <= 9; digits++) {
                struct fault_case it = fault_case(number);
                struct fault_user user = fault_user();
                user.fence = fence;
                it.options.rtol = pow(10, -digits);
                it.options.atol = it.options.rtol * 1e-3;
                struct fault_result const r = fault_run(&it, &user, t_end);
                CHECK_EQUAL(fault_told(r.status == TANSY_OK, "success", &it, &user, &r), 0);
                CHECK_AT_MOST(fault_error(t_end, 1e-3, r.y, r.sens), 100 * it.options.rtol);
            }
}

/* The error of dy/dk = -t y and dy/dy(0) = y/y(0) of y' = -k y, as docs/design.md section 12 measures it. */
static double decay_error(const tansy_problem *problem, double t, const double *sens)
{
    double const k = problem->p[0], a = problem->y0[0], decay = exp(-k * t);
    double const floor = 1e-3 * a, by_k = -t * a * decay;
    return fmax(fabs(sens[0] - by_k) * k / (fabs(by_k) * k + floor),
                fabs(sens[1] - decay) * a / (decay * a + floor));
}

/* Either S is right or the solver says that it cannot be had. */
static void check_honest(tansy_options options)
{
    tansy_problem problem = problem_find("decay")->problem;
    problem.jacobian = NULL;
    problem.parameter_jacobian = NULL;
    problem.tangent = NULL;
    options.atol = options.rtol * 2e-3;
    double y[1], sens[2];
    tansy_solver *const s = tansy_create(&problem, &options);
    tansy_status const status = tansy_solve(s, 2, y, sens);
    if (status != TANSY_OK) {
        CHECK_EQUAL(status, TANSY_BAD_OPTION);
        CHECK_TEXT_CONTAINS(tansy_message(s), "rtol = ");
        CHECK_TEXT_CONTAINS(tansy_message(s), "differences reach");
        CHECK(options.rtol < 1e-6); /* which is the default, and must work */
    } else
        CHECK_AT_MOST(decay_error(&problem, 2, sens), 100 * options.rtol);
    tansy_free(s);
}

TEST(differences_give_the_right_columns_or_say_that_they_cannot)
{
    for (size_t number = 0; number < FAULT_CASES; number++)
        for (int digits = 3; digits <= 13; digits++) {
            struct fault_case it = fault_case(number);
            if (!it.differences) continue;
            it.options.rtol = pow(10, -digits);
            check_honest(it.options);
        }
}

TEST(a_formula_that_is_too_coarse_for_the_tolerance_is_refused)
{
    static const tansy_difference formulas[] = {TANSY_FORWARD, TANSY_CENTRAL, TANSY_FOURTH_ORDER};
    for (size_t x = 0; x < 3; x++)
        for (int digits = 3; digits <= 13; digits++) {
            tansy_options options = {.difference = formulas[x]};
            options.rtol = pow(10, -digits);
            check_honest(options);
        }
    tansy_problem problem = problem_find("decay")->problem;
    problem.jacobian = NULL;
    problem.parameter_jacobian = NULL;
    problem.tangent = NULL;
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-12, .atol = 1e-14});
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), "1e-12");
    tansy_free(s);
}
