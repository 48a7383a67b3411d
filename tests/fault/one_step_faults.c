/* SPDX-License-Identifier: Apache-2.0 */
/* Every call of every user function, whatever stage of a one-step method makes it, fails once, and for ever, in every way: the solver
   goes on with a smaller step, or says which function failed and where; it accepts no NaN, and what it leaves is right. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "support/fault_cases.h"
#include "support/one_step_cases.h"
#include "test.h"

static const double t_end = 0.3, rtol = 1e-4; /* some steps of each formula */

static const struct source {
    const char *name;
    int gives;
    tansy_residual residual;
} sources[] = {{"matrices", WITH_MATRICES | WITH_INITIAL, TANSY_MATRIX},
               {"tangent", WITH_MATRICES | WITH_TANGENT | WITH_INITIAL, TANSY_SEED},
               {"differences", WITH_NOTHING, TANSY_DIFFERENCES},
               {"difference matrices", WITH_NOTHING, TANSY_MATRIX}};
enum { SOURCES = sizeof sources / sizeof *sources, CASES = ONE_STEP_FORMULAS * SOURCES };

static struct fault_case case_of(size_t number)
{
    const struct one_step_case *const formula = &one_step_cases[number / SOURCES];
    const struct source *const source = &sources[number % SOURCES];
    struct fault_case it = {.options = one_step_options(formula, rtol, 1e-7),
                            .gives = source->gives,
                            .differences = source->gives == WITH_NOTHING};
    it.options.residual = source->residual;
    it.options.use_stop_time = 1; /* or dense output calls the functions after the last step */
    it.options.stop_time = t_end;
    snprintf(it.name, sizeof it.name, "%s, %s", formula->name, source->name);
    return it;
}

/* The promise of docs/design.md section 12 with atol/rtol = 1e-3 as floor. */
static bool right(const struct fault_result *r, double t)
{
    return fault_error(t, 1e-3, r->y, r->sens) <= 100 * rtol;
}

static tansy_status expected(enum fault_kind kind)
{
    if (kind == RETURNS_NEGATIVE) return TANSY_USER_STOPPED;
    return kind == RETURNS_POSITIVE ? TANSY_USER_FAILED : TANSY_NOT_FINITE;
}

/* The message names the function, the time, and what it did. */
static bool told(const struct fault_result *r, const struct fault_plan *plan)
{
    static const char *const did[] = {"gave NaN in", "gave Inf in", "returned 3", "returned -7"};
    return strstr(r->message, fault_function_name[plan->function]) && strstr(r->message, "t = ") &&
           strstr(r->message, did[plan->kind]);
}

/* A run with one failing call succeeds, but at the initial point. */
static size_t once_breaks(const struct fault_case *it, struct fault_user *user)
{
    struct fault_result const r = fault_run(it, user, t_end);
    bool const at_start = r.stats.steps == 0 && r.t == 0 && strstr(r.message, "initial point");
    size_t broken = fault_told(r.status == TANSY_OK || (at_start && told(&r, &user->plan)),
                               "success", it, user, &r);
    if (r.status == TANSY_OK) broken += fault_told(right(&r, t_end), "accuracy", it, user, &r);
    return broken + fault_told(r.finite, "finite", it, user, &r);
}

/* The last call of f by limex is a look at the end of the run, on which nothing depends but whether the last step is accepted: f may end there. */
static bool only_looked(const struct fault_case *it, const struct fault_user *user, size_t calls,
                        const struct fault_result *r)
{
    return it->options.method == TANSY_LIMEX && user->plan.function == IN_RHS &&
           user->plan.first == calls && user->plan.kind != RETURNS_NEGATIVE &&
           r->status == TANSY_OK && r->finite && right(r, t_end);
}

/* A run whose function fails from one call on ends with what it has. */
static size_t for_ever_breaks(const struct fault_case *it, struct fault_user *user, size_t calls)
{
    struct fault_result const r = fault_run(it, user, t_end);
    if (only_looked(it, user, calls, &r)) return 0;
    size_t broken = fault_told(r.status == expected(user->plan.kind), "the status", it, user, &r);
    broken += fault_told(told(&r, &user->plan), "the message", it, user, &r);
    broken += fault_told(r.finite, "finite", it, user, &r);
    if (!strstr(r.message, "initial point"))
        broken += fault_told(right(&r, r.t), "accuracy at the end", it, user, &r);
    return broken + fault_told(user->calls_after_stop == 0, "no call after stop", it, user, &r);
}

/* Lets the k-th call of a function fail, or all from there on, for all k. */
static size_t breaks(const struct fault_case *it, size_t calls, struct fault_plan plan, bool once)
{
    size_t broken = 0;
    for (size_t k = 1; k <= calls; k += TEST_STRIDE > 1 ? 7 : 1) {
        struct fault_user user = fault_user();
        plan.first = k;
        plan.last = once ? k : SIZE_MAX;
        user.plan = plan;
        broken += once ? once_breaks(it, &user) : for_ever_breaks(it, &user, calls);
    }
    return broken;
}

static size_t all_breaks(enum fault_kind kind, bool once)
{
    size_t broken = 0;
    for (size_t number = 0; number < CASES; number++) {
        struct fault_case const it = case_of(number);
        struct fault_user user = fault_user();
        struct fault_result const clean = fault_run(&it, &user, t_end);
        broken += fault_told(clean.status == TANSY_OK && right(&clean, t_end), "a clean run", &it,
                             &user, &clean);
        for (enum fault_function f = IN_RHS; f < FAULT_FUNCTIONS; f++)
            broken += breaks(&it, user.calls[f], (struct fault_plan){f, kind, 0, 0}, once);
    }
    return broken;
}

TEST(nan_in_any_stage_is_survived)
{
    CHECK_EQUAL(all_breaks(GIVES_NAN, true), 0);
}

TEST(inf_in_any_stage_is_survived)
{
    CHECK_EQUAL(all_breaks(GIVES_INF, true), 0);
}

TEST(not_here_in_any_stage_is_survived)
{
    CHECK_EQUAL(all_breaks(RETURNS_POSITIVE, true), 0);
}

TEST(nan_for_ever_is_named)
{
    CHECK_EQUAL(all_breaks(GIVES_NAN, false), 0);
}

TEST(not_here_for_ever_is_named)
{
    CHECK_EQUAL(all_breaks(RETURNS_POSITIVE, false), 0);
}

TEST(stop_is_obeyed_at_once_and_the_solution_so_far_kept)
{
    CHECK_EQUAL(all_breaks(RETURNS_NEGATIVE, false), 0);
}

/* Output fails, not the run: dense output of DOP853 takes evaluations of its own. */
TEST(nan_in_a_stage_of_dense_output_costs_its_order_alone)
{
    for (size_t number = 0; number < SOURCES; number++) { /* dop853 */
        struct fault_case const it = case_of(number);
        for (size_t k = 1; k <= 4; k++) {
            struct fault_user user = fault_user();
            tansy_problem const problem = fault_problem(&user, it.gives, fault_p);
            tansy_solver *const s = tansy_create(&problem, &it.options);
            double y[FAULT_N], sens[FAULT_SENS], yp[FAULT_N], sensp[FAULT_SENS];
            CHECK_EQUAL(tansy_step(s, t_end, NULL, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_step(s, t_end, NULL, NULL), TANSY_OK);
            double const t = tansy_time(s) - 0.01;
            user.plan = (struct fault_plan){IN_RHS, GIVES_NAN, user.calls[IN_RHS] + k,
                                            user.calls[IN_RHS] + k};
            CHECK_EQUAL(tansy_at(s, t, y, yp, sens, sensp), TANSY_OK);
            CHECK_AT_MOST(fault_error(t, 1e-3, y, sens), 1e-2); /* a parabola, at worst */
            CHECK_CLOSE(yp[0], -fault_p[0] * y[0] * y[0], 0.1);
            CHECK_EQUAL(tansy_solve(s, t_end, y, sens), TANSY_OK);
            CHECK_AT_MOST(fault_error(t_end, 1e-3, y, sens), 100 * rtol);
            tansy_free(s);
        }
    }
}
