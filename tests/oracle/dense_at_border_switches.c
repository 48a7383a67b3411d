/* SPDX-License-Identifier: Apache-2.0 */
/* Dense output of rk8 at the border of stability where there are conditions: steps that would give bad output, or a bad root, are made
   anew there too, to end at it. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

enum { RUNS = 41, OUTPUTS = 300 };

static const double fast = 60, edge = 0.3, t_end = 3, start[] = {1, 2, 0};

/* z' = -z, y' = -p (y - z), w' = 1 while y > edge, then 2. */
static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -y[0];
    f[1] = -p[0] * (y[1] - y[0]);
    f[2] = p[1] != 0 ? 1 : 2;
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y, (void)context;
    double const rows[9] = {-1, 0, 0, p[0], -p[0], 0, 0, 0, 0};
    memcpy(J, rows, sizeof rows);
    return 0;
}

static int by_parameter(double t, const double *y, const double *p, double *f_p, void *context)
{
    (void)t, (void)p, (void)context;
    f_p[0] = f_p[2] = 0;
    f_p[1] = y[0] - y[1];
    return 0;
}

static int condition(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)p, (void)context;
    g[0] = y[1] - edge;
    return 0;
}

static int condition_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                             const double *V, const double *U, double *g_t, double *G,
                             void *context)
{
    (void)t, (void)y, (void)p, (void)U, (void)context;
    g_t[0] = 0;
    memcpy(G, V + ld, columns * sizeof *G);
    return 0;
}

/* y = c exp(-t) + (2 - c) exp(-p t), c = p/(p - 1); *s = dy/dp, *rate = y'. */
static double solution(double p, double t, double *s, double *rate)
{
    double const c = p / (p - 1), slow = exp(-t), quick = exp(-p * t);
    *s = -(slow - quick) / ((p - 1) * (p - 1)) - (start[1] - c) * t * quick;
    *rate = -c * slow - p * (start[1] - c) * quick;
    return c * slow + (start[1] - c) * quick;
}

/* The errors of y, w and their columns at t in units of rtol, where the floor is atol/rtol = 1e-3, of dy/dp over p. */
static double error_at(double t, double root, const double *y, const double *sens)
{
    double s = 0, rate = 0, s_root = 0, rate_root = 0;
    double const x = solution(fast, t, &s, &rate);
    (void)solution(fast, root, &s_root, &rate_root);
    double const delay = -s_root / rate_root, w = t > root ? 2 * t - root : t,
                 s_w = t > root ? -delay : 0;
    double const of_y = fmax(fabs(y[1] - x) / (fabs(x) + 1e-3), fabs(y[2] - w) / (w + 1e-3));
    double const of_s = fmax(fabs(sens[1] - s) / (fabs(s) + 1e-3 / fast),
                             fabs(sens[2] - s_w) / (fabs(s_w) + 1e-3 / fast));
    return fmax(of_y, of_s);
}

static double find_root(void)
{
    double t = -log(edge), s = 0, rate = 0;
    for (int k = 0; k < 20; k++) t -= (solution(fast, t, &s, &rate) - edge) / rate;
    return t;
}

/* The largest error of a run in units of rtol. */
static double run(double rtol, size_t *steps)
{
    tansy_problem const problem = {.n = 3,
                                   .np = 1,
                                   .y0 = start,
                                   .p = &fast,
                                   .rhs = rhs,
                                   .jacobian = jacobian,
                                   .parameter_jacobian = by_parameter,
                                   .switches = 1,
                                   .switch_function = condition,
                                   .switch_tangent = condition_tangent};
    tansy_options const options = {.method = TANSY_RK8, .rtol = rtol, .atol = 1e-3 * rtol};
    tansy_solver *const s = tansy_create(&problem, &options);
    double const root = find_root();
    double largest = 0;
    for (int m = 1; m <= OUTPUTS; m++) {
        double const t = t_end * m / OUTPUTS;
        double y[3], sens[3];
        CHECK_EQUAL(tansy_solve(s, t, y, sens), TANSY_OK);
        largest = fmax(largest, error_at(t, root, y, sens) / rtol);
    }
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    CHECK_EQUAL(stats.switches, 1);
    *steps = stats.steps;
    tansy_free(s);
    return largest;
}

TEST(outputs_and_roots_at_the_border_keep_the_promise)
{
    for (double about = 1e-4; about > 0.9e-9; about /= 10) {
        double largest = 0;
        size_t most = 0;
        for (int x = 0; x < RUNS; x++) {
            double const rtol = about * pow(10, (x - RUNS / 2) / (double)RUNS);
            size_t steps = 0;
            largest = fmax(largest, run(rtol, &steps));
            most = steps > most ? steps : most;
        }
        if (largest > 20) printf("rtol about %.0e: e/rtol %.3g, %zu steps\n", about, largest, most);
        CHECK_AT_MOST(largest, 100);
    }
}
