/* SPDX-License-Identifier: Apache-2.0 */
/* Which one-step method is for which problem?  An orbit, which is not stiff, by rk8, and van der Pol's oscillator with mu = 100, which
   is, by rosenbrock; both with S, the exact derivative of every step to the parameter. */
#include <math.h>
#include <stdio.h>
#include <tansy/tansy.h>

/* A body around a mass p: x'' = -p x/r^3, with y = (x1, x2, x1', x2'). */
static int orbit(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    double const r = hypot(y[0], y[1]), pull = p[0] / (r * r * r);
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -pull * y[0];
    f[3] = -pull * y[1];
    return 0;
}

/* x'' = mu^2 ((1 - x^2) x' - x): slow but for jumps. */
static int van_der_pol(double t, const double *y, const double *mu, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = y[1];
    f[1] = mu[0] * mu[0] * ((1 - y[0] * y[0]) * y[1] - y[0]);
    return 0;
}

static void solve(const char *title, const tansy_problem *problem, const tansy_options *options)
{
    double y[4], s[4]; /* one parameter: S has one column */
    tansy_stats stats;
    tansy_solver *const solver = tansy_create(problem, options);
    printf("%s\n", title);
    for (int j = 1; j <= 4 && tansy_solve(solver, 0.5 * j, y, s) == TANSY_OK; j++)
        printf("t = %.1f  x = %9.5f  p dx/dp = %10.5f\n", 0.5 * j, y[0], problem->p[0] * s[0]);
    if (tansy_error(solver) < 0) fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_get_stats(solver, &stats);
    printf("%s\n", stats.steps < 200 ? "fewer than 200 steps" : "200 steps or more");
    tansy_free(solver);
}

int main(void)
{
    const double start[4] = {1, 0, 0, 6}, mass[1] = {39.4784176};
    tansy_problem const body = {.n = 4, .np = 1, .y0 = start, .p = mass, .rhs = orbit};
    solve("an orbit by rk8", &body, &(tansy_options){.method = TANSY_RK8, .rtol = 1e-9});

    const double rest[2] = {2, 0}, mu[1] = {100};
    tansy_problem const oscillator = {
        .n = 2, .np = 1, .y0 = rest, .p = mu, .rhs = van_der_pol, .autonomous = 1};
    solve("van der Pol's oscillator by rosenbrock", &oscillator,
          &(tansy_options){.method = TANSY_ROSENBROCK, .rtol = 1e-6});
    solve("the same by a formula of order 4", &oscillator,
          &(tansy_options){.method = TANSY_ROSENBROCK, .formula = TANSY_RODAS4, .rtol = 1e-6});
    return 0;
}
