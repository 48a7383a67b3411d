/* SPDX-License-Identifier: Apache-2.0 */
/* Every call of every user function fails once, and for ever, in every way: the solver goes on with a smaller
   step or says which function failed, where and in which component; it never accepts NaN and never loses p. */
#include "drive/solver.h"
#include "support/fault_cases.h"
#include "test.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double t_end = 1, rtol = 1e-4;

/* The promise of docs/design.md section 12 with atol/rtol = 1e-3 as floor. */
static bool right(const struct fault_result *r, double t)
{
    return fault_error(t, 1e-3, r->y, r->sens) <= 100 * rtol;
}

static tansy_solver *create(const struct fault_case *it, struct fault_user *user)
{
    tansy_problem const problem = fault_problem(user, it->gives, fault_p);
    return tansy_create(&problem, &it->options);
}

/* The parameters that f sees, in the workers' copies, are the user's, bit for bit. */
static bool parameters_untouched(const tansy_solver *s)
{
    for (size_t w = 0; s->usable && w < s->derive.workers; w++)
        if (memcmp(s->derive.worker[w].p, fault_p, sizeof fault_p) != 0) return false;
    return !s->usable || memcmp(s->p, fault_p, sizeof fault_p) == 0;
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

/* Runs the clean case once more on the handle that failed. */
static size_t replay_differs(tansy_solver *s, const struct fault_case *it, struct fault_user *user,
                             const struct fault_result *clean)
{
    user->plan.first = 0;
    user->plan.last = 0;
    struct fault_result r = {.status = tansy_restart(s, 0, NULL, NULL, NULL)};
    if (r.status == TANSY_OK) r = fault_integrate(s, t_end);
    return fault_told(r.status == TANSY_OK && memcmp(r.y, clean->y, sizeof r.y) == 0 &&
                          memcmp(r.sens, clean->sens, sizeof r.sens) == 0,
                      "the replay", it, user, &r);
}

/* What must hold of a run with one failing call. */
static size_t once_breaks(const struct fault_case *it, struct fault_user *user,
                          const struct fault_result *clean)
{
    tansy_solver *const s = create(it, user);
    bool const created = s->usable;
    struct fault_result const r = fault_integrate(s, t_end);
    bool const at_start = r.stats.steps == 0 && r.t == 0 && strstr(r.message, "initial point");
    size_t broken = fault_told(r.status == TANSY_OK || (at_start && told(&r, &user->plan)),
                               "success", it, user, &r);
    if (r.status < 0)
        broken += fault_told(r.status == expected(user->plan.kind), "the status", it, user, &r);
    else
        broken += fault_told(right(&r, t_end), "accuracy", it, user, &r);
    broken += fault_told(r.finite, "finite", it, user, &r);
    broken += fault_told(parameters_untouched(s), "p", it, user, &r);
    if (created) broken += replay_differs(s, it, user, clean);
    tansy_free(s);
    return broken;
}

/* An error stays as it is: no call does anything. */
static bool sticks(tansy_solver *s, struct fault_user *user, const struct fault_result *r)
{
    struct fault_user const before = *user;
    double y[FAULT_N], sens[FAULT_SENS];
    tansy_status const again = tansy_solve(s, t_end, y, sens);
    tansy_status const step = tansy_step(s, t_end, y, sens);
    return again == r->status && step == r->status && tansy_error(s) == r->status &&
           strcmp(tansy_message(s), r->message) == 0 &&
           memcmp(before.calls, user->calls, sizeof before.calls) == 0;
}

/* What must hold of a run whose function fails from one call on. */
static size_t for_ever_breaks(const struct fault_case *it, struct fault_user *user,
                              const struct fault_result *clean)
{
    tansy_solver *const s = create(it, user);
    bool const created = s->usable, ran = tansy_error(s) == TANSY_OK;
    struct fault_result const r = fault_integrate(s, t_end);
    size_t broken = 0;
    broken += fault_told(r.status == expected(user->plan.kind), "the status", it, user, &r);
    broken += fault_told(told(&r, &user->plan), "the message", it, user, &r);
    broken += fault_told(r.finite, "finite", it, user, &r);
    if (ran) broken += fault_told(right(&r, r.t), "accuracy at the end", it, user, &r);
    broken += fault_told(user->calls_after_stop == 0, "no call after stop", it, user, &r);
    broken += fault_told(sticks(s, user, &r), "the error sticks", it, user, &r);
    broken += fault_told(parameters_untouched(s), "p", it, user, &r);
    user->stopped = false;
    if (created) broken += replay_differs(s, it, user, clean);
    tansy_free(s);
    return broken;
}

/* Lets the k-th call of a function fail, or all from there on, for all k: up to it the run is the clean one. */
static size_t breaks(const struct fault_case *it, const struct fault_result *clean, size_t calls,
                     struct fault_plan plan, bool once)
{
    size_t broken = 0;
    for (size_t k = 1; k <= calls; k += TEST_STRIDE > 1 ? 7 : 1) {
        struct fault_user user = fault_user();
        plan.first = k;
        plan.last = once ? k : SIZE_MAX;
        user.plan = plan;
        broken += once ? once_breaks(it, &user, clean) : for_ever_breaks(it, &user, clean);
    }
    return broken;
}

static size_t all_breaks(enum fault_kind kind, bool once)
{
    size_t broken = 0;
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        struct fault_result const clean = fault_run(&it, &user, t_end);
        broken += fault_told(clean.status == TANSY_OK && right(&clean, t_end), "a clean run", &it,
                             &user, &clean);
        for (enum fault_function f = IN_RHS; f < FAULT_FUNCTIONS; f++)
            broken += breaks(&it, &clean, user.calls[f], (struct fault_plan){f, kind, 0, 0}, once);
    }
    return broken;
}

TEST(a_function_that_gives_nan_once_is_survived)
{
    CHECK_EQUAL(all_breaks(GIVES_NAN, true), 0);
}

TEST(a_function_that_gives_inf_once_is_survived)
{
    CHECK_EQUAL(all_breaks(GIVES_INF, true), 0);
}

TEST(a_function_that_says_not_here_once_is_survived)
{
    CHECK_EQUAL(all_breaks(RETURNS_POSITIVE, true), 0);
}

TEST(a_function_that_gives_nan_for_ever_is_named)
{
    CHECK_EQUAL(all_breaks(GIVES_NAN, false), 0);
}

TEST(a_function_that_gives_inf_for_ever_is_named)
{
    CHECK_EQUAL(all_breaks(GIVES_INF, false), 0);
}

TEST(a_function_that_says_not_here_for_ever_is_named)
{
    CHECK_EQUAL(all_breaks(RETURNS_POSITIVE, false), 0);
}

TEST(a_function_that_says_stop_is_obeyed_at_once)
{
    CHECK_EQUAL(all_breaks(RETURNS_NEGATIVE, false), 0);
}
