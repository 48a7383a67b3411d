/* SPDX-License-Identifier: Apache-2.0 */
/* Output inside the steps of limex in stiff and algebraic components: by closed forms it is right, and it does not cost many times the steps,
   as these components need more rows inside a step than at its end. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TIMES = 201, MOST = 2 };
static const double end = 3, floor_share = 1e-2, /* atol/rtol */
    size = 0.1; /* z is 0 inside steps at whose ends it is 1, by which it is tested */

/* x' = -L (x - cos(w t)), x(0) = 1, w = 1: with c = L^2/(L^2 + w^2)
     x = c cos(w t) + c (w/L) sin(w t) + (1 - c) exp(-L t), and dx/dw. */
static void relaxation(double L, double t, double *x, double *s)
{
    double const square = L * L + 1, c = L * L / square, dc = -2 * c / square, decay = exp(-L * t);
    *x = c * cos(t) + c / L * sin(t) + (1 - c) * decay;
    *s = dc * cos(t) - c * t * sin(t) + (dc + c) / L * sin(t) + c / L * t * cos(t) - dc * decay;
}

static const char ode[] = "parameter w = 1, L = %g\nstate x = 1\nx' = -L*(x - cos(w*time))\n",
                  dae[] = "parameter w = 1, L = %g\nstate x = 1\nalgebraic z = 1\n"
                          "x' = -L*(x - cos(w*time))\n0 = z - x*cos(3*time)\n";

struct result {
    double error; /* of y and dy/dw over all times, relative to |value| + size, in units of rtol */
    tansy_stats stats;
};

static double apart(double value, double right)
{
    return isfinite(value) ? fabs(value - right) / (fabs(right) + size) : HUGE_VAL;
}

static double error_at(double t, double L, size_t n, const double *y, const double *S)
{
    double x, s, largest = 0;
    relaxation(L, t, &x, &s);
    double const follows[MOST] = {1, cos(3 * t)};
    for (size_t i = 0; i < n && i < MOST; i++) {
        largest = fmax(largest, apart(y[i], x * follows[i]));
        if (S) largest = fmax(largest, apart(S[i], s * follows[i]));
    }
    return largest;
}

static struct result run(const char *form, double L, double rtol, bool columns)
{
    char text[256];
    tansy_problem problem;
    struct result r = {.error = 0};
    (void)snprintf(text, sizeof text, form, L);
    tansy_model *const model = model_of_text(text, &problem);
    tansy_options options = {.method = TANSY_LIMEX, .rtol = rtol, .atol = rtol * floor_share};
    if (!columns) options.sensitivities = TANSY_NONE;
    tansy_solver *const s = tansy_create(&problem, &options);
    for (int m = 1; m < TIMES; m++) {
        double const t = end * m / (TIMES - 1);
        double y[MOST] = {0}, S[2 * MOST] = {0};
        CHECK_EQUAL(tansy_solve(s, t, y, columns ? S : NULL), TANSY_OK);
        r.error = fmax(r.error, error_at(t, L, problem.n, y, columns ? S : NULL) / rtol);
    }
    tansy_get_stats(s, &r.stats);
    tansy_free(s);
    tansy_model_free(model);
    return r;
}

TEST(output_inside_steps_is_right_however_stiff)
{
    static const double stiffness[] = {10, 100, 1e3, 1e4, 1e6, 1e8}, rtols[] = {1e-4, 1e-6, 1e-8};
    for (size_t k = 0; k < sizeof stiffness / sizeof *stiffness; k++)
        for (size_t m = 0; m < 12; m++) {
            bool const columns = m % 2, algebraic = m / 2 % 2;
            double const rtol = rtols[m / 4];
            struct result const r = run(algebraic ? dae : ode, stiffness[k], rtol, columns);
            printf("L = %g, %s, rtol %g, columns %d: error/rtol %.2g, %zu steps, %zu f\n",
                   stiffness[k], algebraic ? "index 1" : "ODE", rtol, columns, r.error,
                   r.stats.steps, r.stats.rhs_evals);
            CHECK_AT_MOST(r.error, 100);
        }
}

/* Steps by tansy_step(), which knows of no output time, and tansy_at() in the middle of each. */
static double run_steps(const char *form, double L, double rtol)
{
    char text[256];
    tansy_problem problem;
    double largest = 0;
    (void)snprintf(text, sizeof text, form, L);
    tansy_model *const model = model_of_text(text, &problem);
    tansy_options const options = {.method = TANSY_LIMEX, .rtol = rtol, .atol = rtol * floor_share};
    tansy_solver *const s = tansy_create(&problem, &options);
    while (tansy_time(s) < end && tansy_error(s) == TANSY_OK) {
        double const t = tansy_time(s);
        double y[MOST] = {0}, S[2 * MOST] = {0};
        CHECK_EQUAL(tansy_step(s, end, NULL, NULL), TANSY_OK);
        for (int share = 1; share < 4; share++) {
            double const at = t + 0.25 * share * (tansy_time(s) - t);
            CHECK_EQUAL(tansy_at(s, at, y, NULL, S, NULL), TANSY_OK);
            largest = fmax(largest, error_at(at, L, problem.n, y, S) / rtol);
        }
    }
    tansy_free(s);
    tansy_model_free(model);
    return largest;
}

/* Without a test inside steps errors were above 100 rtol for L = 10 already. */
TEST(output_inside_steps_of_ones_own_is_right)
{
    static const double stiffness[] = {10, 1e3, 1e6};
    for (size_t k = 0; k < sizeof stiffness / sizeof *stiffness; k++) {
        CHECK_AT_MOST(run_steps(ode, stiffness[k], 1e-5), 100);
        CHECK_AT_MOST(run_steps(dae, stiffness[k], 1e-5), 100);
    }
}

/* Without output the first takes 14 steps; with it it took 734, of two to five rows, and the last 1441: less than half of these. */
TEST(output_inside_steps_does_not_multiply_them)
{
    struct result const slow = run(ode, 1e3, 1e-8, false), fast = run(ode, 1e8, 1e-8, false);
    CHECK(slow.stats.steps <= 150);
    CHECK(slow.stats.rhs_evals <= 4000);
    CHECK(fast.stats.steps <= 60);
    CHECK(run(ode, 1e4, 1e-8, true).stats.steps <= 720);
}
