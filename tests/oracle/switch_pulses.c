/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that hold for a short while only, while f is at rest and steps grow without limit: none may be passed over.  With
   the bounds that a model has nothing is; by values alone what is not much shorter than a step. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-7;
static const double half_turn = 3.14159265358979323846;

enum { MOST = 4 };

struct solution {
    tansy_stats stats;
    double y[MOST], sens[MOST * MOST];
};

static struct solution run(const tansy_problem *problem, tansy_method method, double t)
{
    struct solution r = {.y = {0}};
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-9};
    tansy_solver *const s = tansy_create(problem, &o);
    tansy_status const status = tansy_solve(s, t, r.y, r.sens);
    if (status < 0) puts(tansy_message(s));
    CHECK_EQUAL(status, TANSY_OK);
    tansy_get_stats(s, &r.stats);
    tansy_free(s);
    return r;
}

/* bounded = 0: without the bounds of its conditions, as a problem in C would be. */
static struct solution solve(const char *text, tansy_method method, double t, int bounded)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    if (!bounded) problem.switch_range = NULL;
    struct solution const r = run(&problem, method, t);
    tansy_model_free(m);
    return r;
}

static void check(double actual, double expected)
{
    CHECK_CLOSE(actual, expected, 100 * rtol * fmax(1, fabs(expected)));
}

/* y' = k where sin(w t) > a, else 0: from arcsin(a)/w to (pi - arcsin(a))/w in every turn, so in m whole turns
   y = k m (pi - 2 arcsin a)/w. */
static void check_blinks(int turns, double w, int bounded)
{
    char text[200];
    double const a = 0.9, t = turns * 2 * half_turn / w, arc = half_turn - 2 * asin(a);
    snprintf(
        text, sizeof text,
        "parameter k = 1, a = 0.9, w = %g\nstate y = 0\ny' = if sin(w*time) > a then k else 0\n",
        w);
    for (int method = TANSY_ADAMS; method <= TANSY_BDF; method++)
        for (int way = -1; way <= 1; way += 2) {
            struct solution const r = solve(text, (tansy_method)method, way * t, bounded);
            CHECK_EQUAL(r.stats.switches, 2 * turns);
            check(r.y[0], way * turns * arc / w);
            check(r.sens[0], way * turns * arc / w);
            check(r.sens[1], way * turns * -2 / sqrt(1 - a * a) / w);
            /* dy/dw at the fixed t, not at whole turns: each root moves as -t/w, and t is in none of them */
            check(r.sens[2], -way * turns * arc / w / w);
        }
}

TEST(a_condition_that_blinks_while_f_is_at_rest_is_seen_every_time)
{
    for (int bounded = 0; bounded <= 1; bounded++) {
        check_blinks(40, 40, bounded);
        check_blinks(12, 0.5, bounded);
    }
}

/* g = exp(-((t - c)/w)^2) - 1/2 is at -1/2 but for 1.67 w around c = 1000; steps at rest double or more. */
TEST(bounds_find_a_pulse_however_narrow)
{
    static const double widths[] = {1, 1e-2, 1e-4, 1e-6};
    for (size_t x = 0; x < 4; x++)
        for (int method = TANSY_ADAMS; method <= TANSY_BDF; method++) {
            char text[200];
            double const w = widths[x], half = w * sqrt(log(2));
            snprintf(text, sizeof text,
                     "parameter c = 1000, w = %g\nstate y = 0\n"
                     "y' = if exp(-((time - c)/w)^2) > 0.5 then 1/w else 0\n",
                     w);
            struct solution const r = solve(text, (tansy_method)method, 3000, 1);
            CHECK_EQUAL(r.stats.switches, 2);
            CHECK_CLOSE(r.y[0], 2 * half / w, 1e-5 + 1e-12 / w); /* roots to 4 eps 3000 */
            CHECK_CLOSE(r.sens[0] * w, 0, 1e-4); /* both edges move alike: f jumps by 1/w */
        }
}

/* The same with a state in g, which stands still: x = 1000 p from the beginning. */
TEST(bounds_find_a_pulse_of_a_condition_with_states)
{
    struct solution const r = solve("parameter p = 1\nstate x = 1000*p, y = 0\nx' = 0\n"
                                    "y' = if exp(-(time - x)^2) > 0.5 then time else 0\n",
                                    TANSY_ADAMS, 1e5, 1);
    double const half = sqrt(log(2));
    CHECK_EQUAL(r.stats.switches, 2);
    check(r.y[1], 2000 * half);
    check(r.sens[1], 2000 * half);
}

/* x = sin t, y' = 1 while x > 0.9999: a cap of width 0.0283 in every turn, of steps that are longer than that. */
TEST(the_tip_of_a_wave_is_not_cut_off)
{
    for (int bounded = 0; bounded <= 1; bounded++) {
        struct solution const r = solve("parameter c = 0.9999\nstate x = 0, v = 1, y = 0\nx' = v\n"
                                        "v' = -x\ny' = if x > c then 1 else 0\n",
                                        TANSY_ADAMS, 20 * half_turn, bounded);
        double const width = 2 * acos(0.9999);
        CHECK_EQUAL(r.stats.switches, 20);
        /* x has an error of about 1e-6, which the slope 0.0141 of x at the root divides */
        CHECK_CLOSE(r.y[2], 10 * width, 10 * 2 * 1e-6 / 0.0141);
        CHECK_CLOSE(r.sens[2] / (-20 / sqrt(1 - 0.9999 * 0.9999)), 1, 1e-2);
    }
}

/* Equal samples of equal periods: with max_step = 4 and steps of that length all five fall on whole turns. */
static int still(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[1] != 0;
    return 0;
}

static int turns(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)context;
    g[0] = sin(2 * half_turn * t) - p[0];
    return 0;
}

TEST(samples_in_step_with_the_condition_are_not_believed)
{
    static const double p = 0.5, y0 = 0;
    tansy_problem const problem = {
        .n = 1, .np = 1, .p = &p, .y0 = &y0, .rhs = still, .switches = 1, .switch_function = turns};
    tansy_options const o = {.method = TANSY_ADAMS, .first_step = 4, .max_step = 4};
    tansy_solver *const s = tansy_create(&problem, &o);
    double y = 0, sens = 0;
    CHECK_EQUAL(tansy_solve(s, 8, &y, &sens), TANSY_OK);
    CHECK_CLOSE(y, 8 / 3.0, 1e-6); /* a third of every turn */
    CHECK_CLOSE(sens, -8 / (half_turn * sqrt(0.75)), 1e-5);
    tansy_free(s);
}

/* The k-th value of g fails, once or for good: no result is wrong.  max_step/7 is well below the third of a turn that counts. */
struct failing {
    size_t calls, first, last;
    int code;
};

static int failing_turns(double t, const double *y, const double *p, double *g, void *context)
{
    struct failing *const it = context;
    it->calls++;
    (void)turns(t, y, p, g, NULL);
    return it->calls >= it->first && it->calls <= it->last ? it->code : 0;
}

TEST(a_closer_look_may_fail_anywhere)
{
    static const double p = 0.5, y0 = 0;
    for (size_t k = 1; k <= 400; k++)
        for (int x = 0; x < 4; x++) {
            struct failing it = {
                .first = k, .last = x < 2 ? k : (size_t)-1, .code = x % 2 ? -1 : 1};
            tansy_problem const problem = {.n = 1,
                                           .np = 1,
                                           .p = &p,
                                           .y0 = &y0,
                                           .rhs = still,
                                           .switches = 1,
                                           .switch_function = failing_turns,
                                           .context = &it};
            tansy_options const o = {.method = TANSY_ADAMS, .first_step = 1, .max_step = 1};
            tansy_solver *const s = tansy_create(&problem, &o);
            double y = 0, sens = 0;
            tansy_status const status = tansy_solve(s, 2, &y, &sens);
            if (it.code < 0 && it.calls >= k) CHECK_EQUAL(status, TANSY_USER_STOPPED);
            if (status == TANSY_OK) CHECK_CLOSE(y, 2 / 3.0, 1e-6);
            if (status == TANSY_OK) CHECK_CLOSE(sens, -2 / (half_turn * sqrt(0.75)), 1e-5);
            tansy_free(s);
        }
}

/* An input in a condition: a straight line from (0, 0) to (10, 20), over b = 5 from t = 2.5 on. */
TEST(bounds_know_inputs)
{
    static const char path[] = "switch_pulses_input.csv";
    FILE *const file = fopen(path, "w");
    CHECK(file != NULL);
    CHECK(fputs("t,u\n0,0\n10,20\n", file) >= 0);
    CHECK_EQUAL(fclose(file), 0);
    struct solution const r = solve("parameter b = 5\ninput u from \"switch_pulses_input.csv\"\n"
                                    "state y = 0\ny' = if u > b then 1 else 0\n",
                                    TANSY_ADAMS, 8, 1);
    check(r.y[0], 5.5);
    check(r.sens[0], -0.5);
    CHECK_EQUAL(remove(path), 0);
}
