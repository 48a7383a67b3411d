/* SPDX-License-Identifier: Apache-2.0 */
/* S behind a switching point that is what is left of jumps many times as large: right to 100 rtol, or told. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

enum { ROWS = 60, MOST = SOLUTION_MOST * SOLUTION_MOST };

static const tansy_method methods[] = {TANSY_RK8,   TANSY_ADAMS, TANSY_BDF,
                                       TANSY_DASSL, TANSY_LIMEX, TANSY_ROSENBROCK};
enum { METHODS = sizeof methods / sizeof *methods };

struct run {
    double y[ROWS][SOLUTION_MOST], sens[ROWS][MOST], scale[SOLUTION_MOST];
    size_t n, np;
    char report[8192];
};

static void solve(const char *text, double end, const tansy_options *options, struct run *r)
{
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, options);
    r->n = problem.n;
    r->np = problem.np;
    for (size_t k = 0; k < r->np; k++) r->scale[k] = fabs(problem.p[k]);
    for (int x = 0; x < ROWS; x++) {
        tansy_status const status = tansy_solve(s, end * (x + 1) / ROWS, r->y[x], r->sens[x]);
        if (status != TANSY_OK) puts(tansy_message(s));
        CHECK_EQUAL(status, TANSY_OK);
    }
    (void)tansy_report(s, r->report, sizeof r->report);
    tansy_free(s);
    tansy_model_free(model);
}

/* In the norm of docs/design.md, in units of rtol. */
static double worst_of(const struct run *r, const struct run *right, double rtol, double atol)
{
    double worst = 0;
    for (size_t i = 0; i < r->n; i++) {
        double largest = 0;
        for (int x = 0; x < ROWS; x++) largest = fmax(largest, fabs(right->y[x][i]));
        double const floor = fmax(atol / rtol, 1e-3 * largest);
        for (int x = 0; x < ROWS; x++)
            for (size_t k = 0; k < r->np; k++) {
                double const s = right->sens[x][k * r->n + i];
                double const off = fabs(r->sens[x][k * r->n + i] - s) * r->scale[k];
                worst = fmax(worst, off / (fabs(s) * r->scale[k] + floor) / rtol);
            }
    }
    return worst;
}

static bool is_told(const struct run *r)
{
    return strstr(r->report, "is what is left of jumps") != NULL;
}

/* A heater with a relay that moves while the temperature is outside of its limits: where it stops hardly depends on how fast it moves. */
static const char relay[] = "parameter k = 50, heat = 5, a = 0.1, Ta = 5\nstate T = 15, z = 1\n"
                            "z' = if T < 18 then k*(1 - z) else if T > 22 then -k*z else 0\n"
                            "T' = (if z > 0.5 then heat else 0) - a*(T - Ta)\n";

/* A pump that has its memory in z. */
static const char latch[] = "parameter r = 1.354, k = 19.73, g = 0.1005, c = 0.4643\n"
                            "state y = 0, z = 0, w = 1\n"
                            "y' = r*(if z < c then 1 else 0) - g*y\n"
                            "z' = if y > 0.5 then k*(1 - z) else if y < 0.2 then -k*z else 0\n"
                            "w' = -g*w*z\n";

TEST(what_is_left_of_jumps_is_right_or_told)
{
    static const char *const texts[] = {relay, latch};
    static struct run right, r;
    size_t misses = 0;
    for (int x = 0; x < 2; x++) {
        solve(texts[x], 20, &(tansy_options){.method = TANSY_RK8, .rtol = 1e-12, .atol = 1e-15},
              &right);
        for (int m = 0; m < METHODS; m++)
            for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100) {
                tansy_options const options = {
                    .method = methods[m], .rtol = rtol, .atol = 1e-9, .max_step = 0.1};
                solve(texts[x], 20, &options, &r);
                double const worst = worst_of(&r, &right, rtol, 1e-9);
                misses += worst > 100;
                if (worst > 100 && !is_told(&r))
                    printf("%s: %g rtol\n%s", texts[x], worst, r.report);
                CHECK(worst <= 100 || is_told(&r));
            }
    }
    CHECK(misses > 0); /* else there is nothing to tell */
}

/* s+ = 0 in a tank that has run empty, whatever s- was; and a thermostat's S is no smaller behind its switching points than before. */
TEST(nothing_is_told_where_the_jump_is_exact)
{
    static const char *const texts[] = {
        "parameter q = 0.5, c = 1, out = 0.2\nstate h = 1, v = 0\n"
        "h' = if h > 0 then -c else 0\nv' = q*h - out*v\n",
        "parameter heat = 3, a = 0.1, Ta = 5, low = 18, high = 22\nstate T = 15, u = 0\n"
        "let power = if T < low then 1 else if T > high then 0 else 0.5\n"
        "T' = heat*power - a*(T - Ta)\nu' = power - u\n"};
    static struct run r;
    for (int x = 0; x < 2; x++)
        for (int m = 0; m < METHODS; m++) {
            solve(texts[x], 20, &(tansy_options){.method = methods[m], .max_step = 0.1}, &r);
            if (is_told(&r)) puts(r.report);
            CHECK(!is_told(&r));
        }
}
