/* SPDX-License-Identifier: Apache-2.0 */
/* Break times: a control that is constant on pieces, y' = -k y + u_i, against its closed form; f is never evaluated
   beyond a break time with the number of the wrong piece. */
#include "support/switch_runs.h"
#include "test.h"

#include <stdbool.h>
#include <stdlib.h>

static const double rtol = 1e-6;

enum { PIECES = 5, NP = 1 + PIECES };
static const double breaks[PIECES - 1] = {0.5, 1, 2.25, 3};
static const double p0[NP] = {0.8, 1, -2, 3, 0, 1.5};

struct control {
    size_t breaks;
    const double *times;
    bool strayed; /* f was evaluated outside the piece it was told */
};

static int level(double t, const double *y, const double *p, double *f, void *context)
{
    struct control *const c = context;
    size_t const piece = (size_t)p[NP];
    if (piece > 0 && t < c->times[piece - 1]) c->strayed = true;
    if (piece < c->breaks && t > c->times[piece]) c->strayed = true;
    f[0] = -p[0] * y[0] + p[1 + piece % PIECES];
    return 0;
}

/* From (a, y) to b on the piece with this level, with the columns. */
static void advance(double a, double b, size_t piece, double *y, double *sens)
{
    double const k = p0[0], d = b - a, e = exp(-k * d), u = p0[1 + piece];
    for (int x = 0; x < NP; x++) sens[x] *= e;
    sens[0] += -d * e * *y + u * (d * e / k - (1 - e) / (k * k));
    sens[1 + piece] += (1 - e) / k;
    *y = *y * e + u * (1 - e) / k;
}

/* The closed form at t from (t0, 1). */
static void exact_at(double t0, double t, double *y, double *sens)
{
    bool const forward = t > t0;
    double at = t0;
    *y = 1;
    for (int x = 0; x < NP; x++) sens[x] = 0;
    while (at != t) {
        size_t piece = 0;
        while (piece < PIECES - 1 && (forward ? breaks[piece] <= at : breaks[piece] < at)) piece++;
        double end = t;
        if (forward && piece < PIECES - 1) end = fmin(t, breaks[piece]);
        if (!forward && piece > 0) end = fmax(t, breaks[piece - 1]);
        advance(at, end, piece, y, sens);
        at = end;
    }
}

static void check_run(int x, double t0, const double *times, int count)
{
    struct control c = {.breaks = PIECES - 1, .times = breaks};
    double const one = 1;
    tansy_problem const problem = {.n = 1,
                                   .np = NP,
                                   .t0 = t0,
                                   .y0 = &one,
                                   .p = p0,
                                   .context = &c,
                                   .rhs = level,
                                   .breaks = PIECES - 1,
                                   .break_times = breaks};
    tansy_options const o = switch_options(x, rtol);
    tansy_solver *const s = tansy_create(&problem, &o);
    for (int m = 0; m < count; m++) {
        double y = 0, sens[NP], exact = 0, s_exact[NP];
        CHECK_EQUAL(tansy_solve(s, times[m], &y, sens), TANSY_OK);
        exact_at(t0, times[m], &exact, s_exact);
        CHECK_AT_MOST(switch_error(y, exact, 1e-2), 100 * rtol);
        for (int k = 0; k < NP; k++)
            CHECK_AT_MOST(switch_error(sens[k], s_exact[k], 1e-2), 100 * rtol);
    }
    CHECK(!c.strayed);
    tansy_free(s);
}

TEST(a_piecewise_control_is_as_its_closed_form)
{
    static const double forth[] = {0.3, 0.5, 0.7, 1, 2.25, 2.6, 3, 4},
                        back[] = {3.2, 3, 2, 1, 0.2, -1};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        check_run(x, 0, forth, 8);
        check_run(x, 0.5, forth + 2, 6); /* t0 at a break time: the piece that is entered */
        check_run(x, 3.5, back, 6);
        check_run(x, 3, back + 2, 4);
        check_run(x, 10, (double[]){11}, 1); /* all behind */
        check_run(x, -3, (double[]){-2}, 1); /* all ahead */
    }
}

TEST(columns_of_later_levels_are_exactly_zero)
{
    struct control c = {.breaks = PIECES - 1, .times = breaks};
    double const one = 1;
    tansy_problem const problem = {.n = 1,
                                   .np = NP,
                                   .y0 = &one,
                                   .p = p0,
                                   .context = &c,
                                   .rhs = level,
                                   .breaks = PIECES - 1,
                                   .break_times = breaks};
    tansy_solver *const s = tansy_create(&problem, NULL);
    double y = 0, sens[NP];
    CHECK_EQUAL(tansy_solve(s, 1, &y, sens), TANSY_OK); /* left limit: level 2 is not on yet */
    for (int k = 3; k < NP; k++) CHECK_CLOSE(sens[k], 0, 0);
    tansy_free(s);
}

/* Every piece costs the same however many there are: steps and calls of f for each stay bounded. */
TEST(ten_thousand_breaks_cost_as_much_each_as_ten)
{
    size_t const most = 10000;
    double *const times = malloc(most * sizeof *times), one = 1;
    CHECK(times != NULL);
    for (size_t i = 0; i < most; i++) times[i] = 0.1 * (double)(i + 1);
    double each[2];
    for (int x = 0; x < 2; x++) {
        size_t const count = x ? most : 10;
        struct control c = {.breaks = count, .times = times};
        tansy_problem const problem = {.n = 1,
                                       .np = NP,
                                       .y0 = &one,
                                       .p = p0,
                                       .context = &c,
                                       .rhs = level,
                                       .breaks = count,
                                       .break_times = times};
        tansy_options const o = {.sensitivities = TANSY_NONE, .max_steps = 1000000};
        tansy_solver *const s = tansy_create(&problem, &o);
        tansy_stats stats;
        double y = 0;
        CHECK_EQUAL(tansy_solve(s, 0.1 * (double)count + 0.05, &y, NULL), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.restarts, count);
        CHECK(!c.strayed);
        each[x] = (double)stats.rhs_evals / (double)count;
        tansy_free(s);
    }
    CHECK_AT_MOST(each[1], 2 * each[0]);
    free(times);
}
