/* SPDX-License-Identifier: Apache-2.0 */
/* The decay with a switch against its closed form: all methods, correctors, sources of derivatives, both directions. */
#include "support/switch_decay.h"
#include "support/switch_runs.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

static const int gives[] = {DECAY_GIVES_F, DECAY_GIVES_MATRICES,
                            DECAY_GIVES_TANGENT | DECAY_GIVES_SWITCH,
                            DECAY_GIVES_MATRICES | DECAY_GIVES_SWITCH};

/* The largest error at ten times of the run, over rtol. */
static double run(const tansy_options *o, bool forward, int what)
{
    struct decay_user user = decay_user();
    tansy_problem const problem = decay_problem(&user, forward, what);
    tansy_solver *const s = tansy_create(&problem, o);
    double worst = 0;
    for (int x = 1; x <= 10; x++) {
        double const t = forward ? 0.2 * x : 2 - 0.2 * x;
        double y = 0, sens[DECAY_COLUMNS];
        tansy_status const status = tansy_solve(s, t, &y, sens);
        if (status < 0) printf("%s\n", tansy_message(s));
        CHECK_EQUAL(status, TANSY_OK);
        worst = fmax(worst, decay_error(forward, t, &y, sens));
    }
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    CHECK_EQUAL(stats.switches, 1);
    CHECK_EQUAL(stats.restarts, 1);
    CHECK(!user.strayed);
    tansy_free(s);
    return worst / o->rtol;
}

static void check_all(bool forward)
{
    for (int x = 0; x < SWITCH_RUNS; x++)
        for (size_t w = 0; w < 4; w++)
            for (int digits = 4; digits <= 8; digits += 2) {
                tansy_options const o = switch_options(x, pow(10, -digits));
                double const ratio = run(&o, forward, gives[w]);
                if (!(ratio <= 100)) printf("run %d, gives %d, rtol %g\n", x, gives[w], o.rtol);
                CHECK_AT_MOST(ratio, 100); /* the promise */
            }
}

TEST(columns_jump_as_the_closed_form_does_forward)
{
    check_all(true);
}

TEST(columns_jump_as_the_closed_form_does_backward)
{
    check_all(false);
}

/* The same with the rates as sums of 35 parameters each: several panels, whose columns are alike. */
enum { TERMS = 35, MANY = 2 * TERMS + 1 };

static int sums(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    const double *const first = p[MANY] != 0 ? p : p + TERMS;
    double k = 0;
    for (size_t x = 0; x < TERMS; x++) k += first[x];
    f[0] = -k * y[0];
    return 0;
}

static int sums_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)context;
    g[0] = y[0] - p[MANY - 1];
    return 0;
}

TEST(columns_of_all_panels_jump)
{
    static const double two = 2;
    double p[MANY], exact = 0, s_exact[DECAY_COLUMNS];
    for (size_t x = 0; x < TERMS; x++) {
        p[x] = decay_p[0] / TERMS;
        p[TERMS + x] = decay_p[1] / TERMS;
    }
    p[MANY - 1] = decay_p[2];
    decay_exact(true, 2, &exact, s_exact);
    for (int threads = 1; threads <= 3; threads += 2) {
        tansy_problem const problem = {.n = 1,
                                       .np = MANY,
                                       .y0 = &two,
                                       .p = p,
                                       .rhs = sums,
                                       .concurrent = 1,
                                       .switches = 1,
                                       .switch_function = sums_switch};
        tansy_options const o = {.rtol = 1e-7, .atol = 1e-10, .threads = threads};
        tansy_solver *const s = tansy_create(&problem, &o);
        double y = 0, sens[MANY], floor = 2e-3;
        CHECK_EQUAL(tansy_solve(s, 2, &y, sens), TANSY_OK);
        CHECK_AT_MOST(fabs(y - exact) / exact, 100 * o.rtol);
        for (size_t k = 0; k < MANY; k++) {
            double const d = s_exact[k == MANY - 1 ? 2 : k / TERMS];
            CHECK_AT_MOST(fabs(sens[k] - d) * p[k], 100 * o.rtol * (fabs(d) * p[k] + floor));
        }
        tansy_free(s);
    }
}
