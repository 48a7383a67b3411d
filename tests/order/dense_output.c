/* SPDX-License-Identifier: Apache-2.0 */
/* Dense output between the ends of a step: its order in y, y', S and S' on equal steps without a controller.
   The polynomial of a step of order q interpolates q + 1 values (BDF), or a value and q slopes (Adams), so that
     after one step from exact history   its value is wrong by O(h^(q+1)) and its slope by O(h^q);
     after a march over a fixed time     both are wrong by O(h^q): the global error is smooth. */
#include <float.h>
#include <math.h>

#include "support/order_measure.h"
#include "test.h"

/* As in fixed_steps.c: interpolation errors have the frequency b too, and the same second term (b h)^2. */
static const double SLACK = 0.25;

enum { POINTS = 5 };

/* The root mean square of the errors at x = 0.1, 0.3 ... 0.9 of the last step. */
static void inside(tansy_solver *s, const struct order_problem *it, int derivative,
                   double sum[1 + ORDER_COLUMNS])
{
    for (size_t k = 0; k <= ORDER_COLUMNS; k++) sum[k] = 0;
    for (int m = 0; m < POINTS; m++) {
        double error[1 + ORDER_MOST_COLUMNS];
        double const t = s->stepper.t - s->stepper.h * (0.1 + 0.2 * m);
        order_errors(s, it, t, derivative, error);
        for (size_t k = 0; k <= ORDER_COLUMNS; k++) sum[k] += error[k] * error[k] / POINTS;
    }
    for (size_t k = 0; k <= ORDER_COLUMNS; k++) sum[k] = sqrt(sum[k]);
}

/* The observed orders inside the last step of a march (0: of the first step). */
static void measure(tansy_solver *s, const struct order_problem *it, int q, int derivative,
                    bool whole, double order[1 + ORDER_COLUMNS])
{
    double error[1 + ORDER_COLUMNS][ORDER_REFINEMENTS], h[ORDER_REFINEMENTS];
    for (int r = 0; r < ORDER_REFINEMENTS; r++) {
        double sum[1 + ORDER_COLUMNS];
        size_t const steps = order_steps(q, r);
        h[r] = ORDER_TIME / (double)steps;
        order_place(s, it, 0, h[r], q);
        CHECK_EQUAL(order_march(s, whole ? steps : 1), VERDICT_OK);
        inside(s, it, derivative, sum);
        for (size_t k = 0; k <= ORDER_COLUMNS; k++) error[k][r] = sum[k];
    }
    for (size_t k = 0; k <= ORDER_COLUMNS; k++) order[k] = order_slope(h, error[k]);
}

/* y and all columns; but not dy/dy(0) where it is below roundoff, see fixed_steps.c. */
static size_t columns_to_check(const struct order_setting *setting)
{
    return setting->linear == TANSY_DIAGONAL ? 3 : ORDER_COLUMNS;
}

static void check_march(const struct order_setting *setting, const struct order_problem *it)
{
    tansy_solver *const s = order_solver(it, setting);
    for (int q = 1; q <= setting->method->max_order; q++)
        for (int derivative = 0; derivative < 2; derivative++) {
            double order[1 + ORDER_COLUMNS];
            measure(s, it, q, derivative, true, order);
            for (size_t k = 0; k <= columns_to_check(setting); k++) CHECK_CLOSE(order[k], q, SLACK);
        }
    tansy_free(s);
}

TEST(values_and_slopes_inside_a_step_have_the_order_of_the_formula)
{
    order_for_all(1e-14, 1, ORDER_COLUMNS, check_march);
}

/* Only y and the columns of a and b have errors of their own in a single step; the others take theirs from y. */
static void check_first_step(const struct order_setting *setting, const struct order_problem *it)
{
    static const size_t own[] = {0, 2, 3};
    tansy_solver *const s = order_solver(it, setting);
    for (int q = 1; q <= setting->method->max_order; q++)
        for (int derivative = 0; derivative < 2; derivative++) {
            double order[1 + ORDER_COLUMNS];
            measure(s, it, q, derivative, false, order);
            for (size_t k = 0; k < sizeof own / sizeof *own; k++)
                CHECK_CLOSE(order[own[k]], q + 1 - derivative, SLACK);
        }
    tansy_free(s);
}

TEST(values_of_one_step_gain_an_order_and_slopes_do_not)
{
    order_for_all(1e-14, 1, ORDER_COLUMNS, check_first_step);
}

/* At the end of a step y' = f(t, y) and S' = J S + f_p up to W times what the iteration leaves: with steps as short as
   here |W| <= 2 c.  It leaves share/same of the weights tolerance (|s| + 1/scale), in the root mean square, and the
   columns of the simultaneous corrector as much again by lagging behind the state; c e and h y' round. */
static double slope_error(const tansy_solver *s, const struct order_setting *setting, double size,
                          double scale)
{
    double const share = corrector_share(&s->stepper, &s->stepper.state);
    double const left = share / s->stepper.formula.same * setting->tolerance * (size + 1 / scale);
    return 2 * s->stepper.c * (2 * sqrt(2) * left + 8 * DBL_EPSILON * size);
}

static void check_slope(const struct order_setting *setting, const struct order_problem *it)
{
    tansy_solver *const s = order_solver(it, setting);
    const tansy_problem *const p = &it->plain;
    for (int q = 1; q <= setting->method->max_order; q++) {
        double y[2], yp[2], sens[ORDER_COLUMNS][2], sensp[ORDER_COLUMNS][2];
        double f[2], J[4] = {0}, F[2][3];
        order_place(s, it, 0, 0.1, q);
        CHECK_EQUAL(order_march(s, 10), VERDICT_OK);
        double const t = tansy_time(s);
        CHECK_EQUAL(tansy_at(s, t, y, yp, *sens, *sensp), TANSY_OK);
        (void)p->rhs(t, y, it->p, f, p->context);
        (void)p->jacobian(t, y, it->p, J, p->context);
        (void)p->parameter_jacobian(t, y, it->p, *F, p->context);
        for (size_t i = 0; i < 2; i++) {
            CHECK_CLOSE(yp[i], f[i], slope_error(s, setting, hypot(y[0], y[1]), 1));
            for (size_t k = 0; k < 3; k++) {
                double const slope = J[2 * i] * sens[k][0] + J[2 * i + 1] * sens[k][1] + F[i][k];
                double const size = hypot(sens[k][0], sens[k][1]);
                CHECK_CLOSE(sensp[k][i], slope, slope_error(s, setting, size, it->p[k]));
            }
        }
    }
    tansy_free(s);
}

TEST(slopes_at_the_end_of_a_step_satisfy_the_equations)
{
    order_for_all(1e-14, 1, ORDER_COLUMNS, check_slope);
    order_for_all(1e-8, 1, ORDER_COLUMNS, check_slope);
}
