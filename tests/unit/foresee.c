/* SPDX-License-Identifier: Apache-2.0 */
/* method = auto looks ahead with the state alone before columns move. */
#include "drive/solver.h"
#include "support/problems.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { N = 2, NP = 40 };
static const double RTOL = 1e-6;

/* y1' = -k (y1 - P cos t) - P sin t, y2' = P sin t - y2 + P cos t, P the mean of all p. */
struct setting {
    double k;
    double latest; /* t that f was asked for */
};

static double mean(const double *p, size_t stride)
{
    double sum = 0;
    for (size_t j = 0; j < NP; j++) sum += p[j * stride];
    return sum / NP;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct setting *const setting = context;
    double const P = mean(p, 1);
    setting->latest = fmax(setting->latest, t);
    f[0] = -setting->k * (y[0] - P * cos(t)) - P * sin(t);
    f[1] = P * sin(t) - y[1] + P * cos(t);
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    const struct setting *const setting = context;
    (void)t, (void)y, (void)p;
    J[0] = -setting->k;
    J[3] = -1;
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    const struct setting *const setting = context;
    (void)y, (void)p;
    for (size_t j = 0; j < NP; j++) {
        F[j] = (setting->k * cos(t) - sin(t)) / NP;
        F[NP + j] = (sin(t) + cos(t)) / NP;
    }
    return 0;
}

static tansy_solver *create(struct setting *setting, const tansy_options *options)
{
    static double p[NP];
    static const double y0[N] = {1, 0.5};
    for (size_t j = 0; j < NP; j++) p[j] = 1;
    tansy_problem const problem = {.n = N,
                                   .np = NP,
                                   .y0 = y0,
                                   .p = p,
                                   .context = setting,
                                   .rhs = rhs,
                                   .jacobian = jacobian,
                                   .parameter_jacobian = parameter};
    return tansy_create(&problem, options);
}

static tansy_stats stats_of(tansy_solver *s)
{
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    return stats;
}

/* rk8 would evaluate the tangents of all columns twelve times in its first step, bdf once or twice; beside those where histories begin, of
   both. */
TEST(a_stiff_problem_begins_with_bdf)
{
    static const double to[] = {1e-6, 1, 100};
    for (size_t x = 0; x < sizeof to / sizeof *to; x++) { /* wherever output is wanted */
        struct setting setting = {.k = 1e6};
        tansy_solver *const s = create(&setting, &(tansy_options){.rtol = RTOL});
        CHECK_EQUAL(tansy_step(s, to[x], NULL, NULL), TANSY_OK);
        for (int step = 0; step < 3; step++) CHECK_EQUAL(tansy_step(s, 100, NULL, NULL), TANSY_OK);
        CHECK(s->stepper.method == &method_bdf);
        CHECK_EQUAL(s->automatic.since, 0);
        CHECK_EQUAL(s->automatic.changes, 1);
        CHECK(stats_of(s).tangent_evals < 12 * NP);
        tansy_free(s);
    }
}

/* Nothing is found: the same run as with rk8 by name, to the last bit, but for the evaluations. */
TEST(a_problem_that_is_not_stiff_stays_with_rk8)
{
    static double y[2][N], sens[2][N * NP];
    static const tansy_method method[] = {TANSY_METHOD_AUTO, TANSY_RK8};
    tansy_stats stats[2];
    for (int x = 0; x < 2; x++) {
        struct setting setting = {.k = 1.5};
        tansy_solver *const s =
            create(&setting, &(tansy_options){.rtol = RTOL, .method = method[x]});
        CHECK_EQUAL(tansy_solve(s, 50, y[x], sens[x]), TANSY_OK);
        CHECK(s->stepper.method == &method_dop853);
        CHECK_EQUAL(s->automatic.changes, 0);
        stats[x] = stats_of(s);
        tansy_free(s);
    }
    CHECK_EQUAL(memcmp(y[0], y[1], sizeof y[0]), 0);
    CHECK_EQUAL(memcmp(sens[0], sens[1], sizeof sens[0]), 0);
    CHECK_EQUAL(stats[0].steps, stats[1].steps);
    CHECK_EQUAL(stats[0].tangent_evals, stats[1].tangent_evals);
    CHECK(stats[0].rhs_evals > stats[1].rhs_evals); /* it has looked */
    CHECK(stats[0].rhs_evals < 2 * stats[1].rhs_evals);
}

/* Evaluations for output at the end of a run are counted with the next, so that the first run after the creation has fewer. */
TEST(what_is_looked_at_repeats)
{
    enum { RUNS = 3 };
    static double sens[RUNS][N * NP];
    static const double rate[] = {1.5, 300, 1e6};
    for (size_t x = 0; x < sizeof rate / sizeof *rate; x++) {
        struct setting setting = {.k = rate[x]};
        tansy_solver *const s = create(&setting, &(tansy_options){.rtol = RTOL});
        size_t count[RUNS] = {0};
        for (int run = 0; run < RUNS; run++) {
            CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
            size_t const begin = stats_of(s).rhs_evals;
            CHECK_EQUAL(tansy_solve(s, 20, NULL, sens[run]), TANSY_OK);
            count[run] = stats_of(s).rhs_evals - begin;
            CHECK_EQUAL(memcmp(sens[0], sens[run], sizeof sens[0]), 0);
            if (run > 1) CHECK_EQUAL(count[run], count[1]);
        }
        tansy_free(s);
    }
}

TEST(nothing_is_looked_at_behind_the_stop_time)
{
    static const double rate[] = {1.5, 300, 1e6};
    for (size_t x = 0; x < sizeof rate / sizeof *rate; x++) {
        struct setting setting = {.k = rate[x]};
        tansy_options const options = {.rtol = RTOL, .use_stop_time = 1, .stop_time = 2};
        tansy_solver *const s = create(&setting, &options);
        CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_OK);
        CHECK(setting.latest <= 2);
        tansy_free(s);
    }
}

/* The state alone has no columns to go with the wrong method. */
TEST(without_columns_there_is_no_look)
{
    struct setting setting = {.k = 1e6};
    tansy_solver *const s =
        create(&setting, &(tansy_options){.rtol = RTOL, .sensitivities = TANSY_NONE});
    CHECK_EQUAL(tansy_step(s, 1, NULL, NULL), TANSY_OK);
    CHECK(s->stepper.method == &method_dop853);
    CHECK(!s->automatic.foresight.is_on);
    tansy_free(s);
}
