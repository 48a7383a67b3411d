/* SPDX-License-Identifier: Apache-2.0 */
/* Observed orders of the rows of limex on equal steps (support/step_problem.h), in y and in every column of S: T_jj with j = q + 1. */
#include <math.h>
#include <stdio.h>

#include "drive/solver.h"
#include "support/step_problem.h"
#include "test.h"

static const double TIME = 1.5;
enum { LAST = 5 };

/* Of y, of the worst column, and of dense output: values of y and S, slopes of y and S. */
struct errors {
    double state, columns, dense[4];
};

static double largest(const double *errors)
{
    double worst = 0;
    for (int k = 1; k <= STEP_NP; k++) worst = fmax(worst, errors[k]);
    return worst;
}

/* Inside the last step, of y' = f. */
static void look_inside(tansy_solver *s, const struct step_problem *it, double h, double *dense)
{
    enum { PLACES = 5 };
    double y[STEP_N], yp[STEP_N], sens[STEP_NP * STEP_N], sensp[STEP_NP * STEP_N];
    double rate[STEP_N], rates[STEP_NP * STEP_N], errors[1 + STEP_NP];
    for (int x = 1; x <= PLACES; x++) {
        double const t = tansy_time(s) - h * x / (PLACES + 1);
        CHECK_EQUAL(tansy_at(s, t, y, yp, sens, sensp), TANSY_OK);
        step_errors(it, t, y, sens, errors);
        step_exact_slope(it, t, rate, rates);
        dense[0] = fmax(dense[0], errors[0]);
        dense[1] = fmax(dense[1], largest(errors));
        for (size_t i = 0; i < 2; i++) dense[2] = fmax(dense[2], fabs(yp[i] - rate[i]));
        for (size_t i = 0; i < (size_t)2 * STEP_NP; i++)
            dense[3] = fmax(dense[3], fabs(sensp[i] - rates[i]));
    }
}

/* q + 1 rows in every step: the method starts with them, and is told so again after each step. */
static struct errors run(const struct step_problem *it, int q, int steps,
                         tansy_second_derivatives second)
{
    struct errors e = {.state = 0};
    double y[STEP_N], sens[STEP_NP * STEP_N], errors[1 + STEP_NP];
    double const h = TIME / steps;
    tansy_options const options = {.method = TANSY_LIMEX,
                                   .max_order = q,
                                   .first_step = h,
                                   .min_step = h,
                                   .max_step = h,
                                   .second_derivatives = second,
                                   .rtol = 0.1, /* nothing fails its test */
                                   .atol = 0.1};
    struct method fixed = method_limex;
    tansy_stats stats;
    fixed.lowest_order = q;
    tansy_solver *const s = tansy_create(&it->problem, &options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    s->stepper.method = &fixed;
    for (int k = 0; k < steps; k++) {
        CHECK_EQUAL(tansy_step(s, TIME, y, sens), TANSY_OK);
        s->stepper.order = q;
        if (it->form == STEP_ODE) look_inside(s, it, h, e.dense);
    }
    CHECK(tansy_time(s) == TIME);
    tansy_get_stats(s, &stats);
    CHECK_EQUAL(stats.steps, steps);
    CHECK_EQUAL(stats.factorizations, steps * (q + 1));
    step_errors(it, TIME, y, sens, errors);
    e.state = errors[0];
    e.columns = largest(errors);
    tansy_free(s);
    return e;
}

static struct errors slopes(enum step_form form, int q, int steps, tansy_second_derivatives second)
{
    struct step_problem it;
    step_problem_set(&it, form, STEP_ALL, STEP_NP);
    struct errors const coarse = run(&it, q, steps, second), fine = run(&it, q, 2 * steps, second);
    struct errors slope = {.state = log2(coarse.state / fine.state),
                           .columns = log2(coarse.columns / fine.columns)};
    for (int k = 0; k < 4; k++) slope.dense[k] = log2(coarse.dense[k] / fine.dense[k]);
    printf("%-13s %d rows, %d steps%s: order of y %.2f, of S %.2f; errors %.1e, %.1e; dense %.2f %.2f %.2f %.2f\n", step_form_name(form), q + 1,
           steps, second == TANSY_SECOND_NEGLECTED ? ", neglected" : "", slope.state, slope.columns, fine.state, fine.columns,
           slope.dense[0], slope.dense[1], slope.dense[2], slope.dense[3]);
    return slope;
}

TEST(probe)
{
    for (int form = STEP_ODE; form <= STEP_RESIDUAL; form++)
        for (int q = 1; q <= 6; q++)
            for (int steps = 16; steps <= 128; steps *= 2) slopes((enum step_form)form, q, steps, TANSY_SECOND_AUTO);
    for (int form = STEP_ODE; form <= STEP_RESIDUAL; form++)
        for (int q = 1; q <= 6; q++)
            for (int steps = 32; steps <= 128; steps *= 2) slopes((enum step_form)form, q, steps, TANSY_SECOND_NEGLECTED);
}
