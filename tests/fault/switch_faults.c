/* SPDX-License-Identifier: Apache-2.0 */
/* What can go wrong at a switch: sliding, grazing, conditions that contradict themselves, functions that fail. */
#include "support/switch_decay.h"
#include "support/switch_runs.h"
#include "test.h"

#include <string.h>

static const double rtol = 1e-6;

/* y' = -1 where y >= c, else 1: both sides drive y to c.  p = (c). */
static int squeeze(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[1] != 0 ? -1 : 1;
    return 0;
}

static int above(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)context;
    g[0] = y[0] - p[0];
    return 0;
}

TEST(sliding_is_found_and_named)
{
    static const double c = 0.5, start[] = {1, 0};
    for (int x = 0; x < 2 * SWITCH_RUNS; x++) {
        tansy_problem const problem = {.n = 1,
                                       .np = 1,
                                       .y0 = &start[x % 2],
                                       .p = &c,
                                       .rhs = squeeze,
                                       .switches = 1,
                                       .switch_function = above};
        tansy_options const o = switch_options(x / 2, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y = 0, sens = 0;
        CHECK_EQUAL(tansy_solve(s, 2, &y, &sens), TANSY_SLIDING);
        CHECK_TEXT_CONTAINS(tansy_message(s), "switch 0");
        CHECK_TEXT_CONTAINS(tansy_message(s), "t = 0.5");
        CHECK_TEXT_CONTAINS(tansy_message(s), "hysteresis");
        CHECK_CLOSE(tansy_time(s), 0.5, 1e-9);
        CHECK_CLOSE(y, 0.5, 1e-9); /* the last point reached */
        CHECK_EQUAL(tansy_error(s), TANSY_SLIDING);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, -1, &y, &sens), TANSY_OK); /* backward it leaves the surface */
        CHECK_CLOSE(y, start[x % 2] + (x % 2 ? -1 : 1), 1e-9);
        tansy_free(s);
    }
}

TEST(sliding_from_the_start_is_found)
{
    static const double c = 0.5;
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .y0 = &c,
                                   .p = &c,
                                   .rhs = squeeze,
                                   .switches = 1,
                                   .switch_function = above};
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_SLIDING);
    CHECK_TEXT_CONTAINS(tansy_message(s), "switch 0 stands at its surface");
    CHECK_CLOSE(tansy_time(s), 0, 0);
    tansy_free(s);
}

/* y' = p where (t - 1)^3 >= 0, else -p. */
static int jumps(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[1] != 0 ? p[0] : -p[0];
    return 0;
}

static int cubic(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)p, (void)context;
    g[0] = (t - 1) * (t - 1) * (t - 1);
    return 0;
}

TEST(sensitivities_at_a_surface_that_is_only_touched_are_refused)
{
    static const double one = 1, zero = 0;
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .y0 = &zero,
                                   .p = &one,
                                   .rhs = jumps,
                                   .switches = 1,
                                   .switch_function = cubic};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_options o = switch_options(x, rtol);
        tansy_solver *s = tansy_create(&problem, &o);
        double y = 0;
        CHECK_EQUAL(tansy_solve(s, 2, &y, NULL), TANSY_GRAZING);
        CHECK_TEXT_CONTAINS(tansy_message(s), "switch 0 is only touched at t = 1 ");
        CHECK_TEXT_CONTAINS(tansy_message(s), "do not exist");
        CHECK_CLOSE(y, -1, 1e-9);
        tansy_free(s);
        o.sensitivities = TANSY_NONE; /* the state does not mind */
        s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, 2, &y, NULL), TANSY_OK);
        CHECK_CLOSE(y, 0, 1e-9);
        tansy_free(s);
    }
}

/* Condition 1 contradicts itself once condition 0, t >= p, holds. */
static int contrary(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)context;
    g[0] = t - p[0];
    g[1] = p[1] != 0 ? (p[2] != 0 ? -1 : 1) : -1;
    return 0;
}

static int still(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[0];
    return 0;
}

/* Condition 0 denies itself as soon as it holds. */
static int fickle(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)context;
    g[0] = p[1] != 0 ? -5 : t > p[0] ? 5 : t - p[0];
    return 0;
}

static int flat(double t, const double *y, const double *p, size_t columns, size_t ld,
                const double *V, const double *U, double *gt, double *G, void *context)
{
    (void)t, (void)y, (void)p, (void)columns, (void)ld, (void)V, (void)U, (void)G, (void)context;
    gt[0] = 0;
    return 0;
}

TEST(a_condition_that_denies_itself_is_refused)
{
    static const double one = 1;
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .y0 = &one,
                                   .p = &one,
                                   .rhs = still,
                                   .switches = 1,
                                   .switch_function = fickle,
                                   .switch_tangent = flat};
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 3, NULL, NULL), TANSY_SLIDING);
    CHECK_TEXT_CONTAINS(tansy_message(s), "over and over at t = 1");
    tansy_free(s);
}

TEST(conditions_that_contradict_themselves_are_refused)
{
    static const double one = 1;
    tansy_problem problem = {.n = 1,
                             .np = 1,
                             .y0 = &one,
                             .p = &one,
                             .rhs = still,
                             .switches = 2,
                             .switch_function = contrary};
    tansy_solver *s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 3, NULL, NULL), TANSY_SLIDING);
    CHECK_TEXT_CONTAINS(tansy_message(s), "over and over at t = 1");
    tansy_free(s);
    problem.t0 = 2;
    s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), "contradict");
    tansy_free(s);
}

TEST(a_switch_function_that_gives_nan_is_named_where_it_begins)
{
    for (int x = 0; x < SWITCH_RUNS; x++) {
        struct decay_user user = decay_user();
        tansy_problem const problem = decay_problem(&user, true, DECAY_GIVES_TANGENT);
        tansy_options const o = switch_options(x, rtol);
        double y = 0, sens[DECAY_COLUMNS];
        user.nan_from = 1.25;
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, 2, &y, sens), TANSY_NOT_FINITE);
        CHECK_TEXT_CONTAINS(tansy_message(s), "switch_function gave NaN in component 0");
        CHECK_TEXT_CONTAINS(tansy_message(s), "smaller step did not help");
        CHECK(tansy_time(s) < 1.25);
        CHECK_CLOSE(tansy_time(s), 1.25, 1e-6);
        CHECK_AT_MOST(decay_error(true, tansy_time(s), &y, sens), 100 * rtol);
        user.nan_from = (double)NAN;
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 2, &y, sens), TANSY_OK);
        CHECK_AT_MOST(decay_error(true, 2, &y, sens), 100 * rtol);
        tansy_free(s);
    }
}

TEST(codes_of_a_switch_function_are_obeyed)
{
    static const struct {
        int code;
        tansy_status status;
        const char *words;
    } cases[] = {{1, TANSY_USER_FAILED, "switch_function could not be evaluated"},
                 {-5, TANSY_USER_STOPPED, "switch_function asked to stop"}};
    for (size_t x = 0; x < 2; x++) {
        struct decay_user user = decay_user();
        tansy_problem const problem = decay_problem(&user, true, DECAY_GIVES_F);
        user.nan_from = 1.25;
        user.fails = cases[x].code;
        tansy_solver *s = tansy_create(&problem, NULL);
        CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), cases[x].status);
        CHECK_TEXT_CONTAINS(tansy_message(s), cases[x].words);
        tansy_free(s);
        user.nan_from = 0;
        s = tansy_create(&problem, NULL);
        CHECK_EQUAL(tansy_error(s), cases[x].status);
        CHECK_TEXT_CONTAINS(tansy_message(s), "at the initial point: switch_function");
        tansy_free(s);
    }
}

/* A switch function, its tangent or f that fails in its k-th call, for every k: a clean end, or none at all. */
struct failing {
    struct decay_user inner; /* first: the decay's functions take it as theirs */
    tansy_problem plain;
    size_t calls, first, last;
    int kind; /* 0: NaN, else what is returned */
};

static int fault(struct failing *it, double *v)
{
    it->calls++;
    if (it->calls < it->first || it->calls > it->last) return 0;
    if (it->kind == 0) *v = (double)NAN;
    return it->kind;
}

static int failing_rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct failing *const it = context;
    (void)it->plain.rhs(t, y, p, f, it);
    return fault(it, f);
}

static int failing_switch(double t, const double *y, const double *p, double *g, void *context)
{
    struct failing *const it = context;
    (void)it->plain.switch_function(t, y, p, g, it);
    return fault(it, g);
}

static int failing_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                           const double *V, const double *U, double *gt, double *G, void *context)
{
    struct failing *const it = context;
    (void)it->plain.switch_tangent(t, y, p, columns, ld, V, U, gt, G, it);
    return fault(it, it->calls % 2 ? G : gt);
}

/* After an error y and sens are those at tansy_time(); at the switch either limit will do. */
static void check_last_point(double t, double y, const double *sens)
{
    double const T = decay_switch_time(true);
    double error = decay_error(true, t, &y, sens);
    if (fabs(t - T) < 1e-3)
        error = fmin(error, fmin(decay_error(true, T, &y, sens),
                                 decay_error(true, nextafter(T, 9), &y, sens)));
    CHECK_AT_MOST(error, 100 * 1e-4);
}

/* One run; the status, and the number of calls. */
static tansy_status run_failing(struct failing *it, int gives, size_t first, size_t last, int kind)
{
    *it = (struct failing){.inner = decay_user(), .first = first, .last = last, .kind = kind};
    it->plain = decay_problem(&it->inner, true, gives);
    tansy_problem problem = it->plain;
    problem.context = it;
    problem.rhs = failing_rhs;
    problem.switch_function = failing_switch;
    if (problem.switch_tangent) problem.switch_tangent = failing_tangent;
    tansy_options const o = switch_options(4, 1e-4);
    tansy_solver *const s = tansy_create(&problem, &o);
    double y = 0, sens[DECAY_COLUMNS];
    memset(sens, 0, sizeof sens);
    bool const created = tansy_error(s) == TANSY_OK;
    tansy_status const status = tansy_solve(s, 2, &y, sens);
    if (status == TANSY_OK)
        CHECK_AT_MOST(decay_error(true, 2, &y, sens), 100 * 1e-4);
    else {
        CHECK(tansy_message(s)[0] != '\0');
        if (created) check_last_point(tansy_time(s), y, sens);
    }
    tansy_free(s);
    return status;
}

TEST(every_call_may_fail_once_or_for_good)
{
    static const int kinds[] = {0, 2, -3},
                     gives[] = {DECAY_GIVES_MATRICES, DECAY_GIVES_MATRICES | DECAY_GIVES_SWITCH};
    struct failing it;
    for (size_t w = 0; w < 2; w++) {
        CHECK_EQUAL(run_failing(&it, gives[w], 0, 0, 0), TANSY_OK);
        size_t const calls = it.calls;
        size_t survived = 0, reached = 0;
        for (size_t k = 1; k <= calls; k++)
            for (size_t x = 0; x < 3; x++) {
                tansy_status const once = run_failing(&it, gives[w], k, k, kinds[x]);
                survived += once == TANSY_OK;
                CHECK(once == TANSY_OK || once == TANSY_NOT_FINITE || once == TANSY_USER_FAILED ||
                      once == TANSY_USER_STOPPED);
                if (kinds[x] < 0) CHECK_EQUAL(once, TANSY_USER_STOPPED);
                tansy_status const always = run_failing(&it, gives[w], k, (size_t)-1, kinds[x]);
                reached += always == TANSY_OK; /* it failed beyond the last output */
                CHECK(always == TANSY_OK || always == (kinds[x] == 0  ? TANSY_NOT_FINITE
                                                       : kinds[x] > 0 ? TANSY_USER_FAILED
                                                                      : TANSY_USER_STOPPED));
                if (kinds[x] < 0) CHECK(always < 0);
            }
        CHECK(reached <= 2 * 6); /* points of the last step, samples and probes */
        CHECK(survived > calls); /* of 2 calls in 3 that may be survived, more than half are */
    }
}
