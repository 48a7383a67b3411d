/* SPDX-License-Identifier: Apache-2.0 */
/* f that has a derivative everywhere, but no second one at the start: x' = a y^1.5 - x, y' = k (1 - y) from 0, so that
   y = 1 - e^-kt and x = a int y^1.5 e^(s - t) ds. */
#include <math.h>
#include <string.h>

#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

static const double a = 1, k = 2, t_end = 1;
static char page[20000];

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[1] * sqrt(y[1]) - y[0];
    f[1] = p[1] * (1 - y[1]);
    return 0;
}

/* d/dk of x, by the midpoint rule in u with s = u^2, where the integrand is smooth; its error is of order 1e-9. */
static double exact_by_k(void)
{
    enum { INTERVALS = 20000 };
    double sum = 0;
    for (int j = 0; j < INTERVALS; j++) {
        double const u = (j + 0.5) / INTERVALS * sqrt(t_end), s = u * u, y = -expm1(-k * s);
        sum += 1.5 * a * sqrt(y) * s * exp(-k * s) * exp(s - t_end) * 2 * u;
    }
    return sum * sqrt(t_end) / INTERVALS;
}

static void check_run(const tansy_problem *problem, const tansy_options *o)
{
    double y[2], sens[4];
    tansy_solver *const s = tansy_create(problem, o);
    CHECK_EQUAL(tansy_solve(s, t_end, y, sens), TANSY_OK);
    CHECK_CLOSE(sens[0], y[0] / a, 100 * o->rtol);
    CHECK_CLOSE(sens[2], exact_by_k(), 100 * o->rtol);
    CHECK_CLOSE(sens[3], t_end * exp(-k * t_end), 100 * o->rtol);
    tansy_report(s, page, sizeof page);
    tansy_free(s);
}

TEST(second_derivatives_that_are_not_finite_are_left_out)
{
    tansy_problem model;
    tansy_model *const m = model_of_text("parameter a = 1, k = 2\nstate x = 0, y = 0\n"
                                         "y' = k*(1 - y)\nx' = a*y^1.5 - x\n",
                                         &model);
    double const y0[] = {0, 0}, p[] = {a, k};
    tansy_problem const by_hand = {.n = 2, .np = 2, .y0 = y0, .p = p, .rhs = rhs};
    for (int method = TANSY_ROSENBROCK; method <= TANSY_LIMEX; method++)
        for (int way = TANSY_SECOND_AUTO; way <= TANSY_SECOND_DIFFERENCES; way++)
            for (int internal = 0; internal < 2; internal++) {
                tansy_options const o = {.method = (tansy_method)method,
                                         .second_derivatives = (tansy_second_derivatives)way,
                                         .sensitivities =
                                             internal ? TANSY_DIFFERENCE : TANSY_TANGENT,
                                         .rtol = 1e-5,
                                         .atol = 1e-8};
                check_run(&model, &o);
                if (way == TANSY_SECOND_AUTO)
                    CHECK_TEXT_CONTAINS(page,
                                        "note: a second derivative of the equation of x along");
                check_run(&by_hand, &o);
            }
    tansy_model_free(m);
}

/* The report of another run does not tell of that. */
TEST(what_was_left_out_is_forgotten_at_a_restart)
{
    tansy_problem model;
    tansy_model *const m = model_of_text("parameter a = 1, k = 2\nstate x = 0, y = 0\n"
                                         "y' = k*(1 - y)\nx' = a*y^1.5 - x\n",
                                         &model);
    static const double later[] = {0, 0.5};
    double y[2], sens[4];
    tansy_options const o = {.method = TANSY_ROSENBROCK, .rtol = 1e-5, .atol = 1e-8};
    tansy_solver *const s = tansy_create(&model, &o);
    CHECK_EQUAL(tansy_solve(s, t_end, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_restart(s, 0, later, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, t_end, y, sens), TANSY_OK);
    tansy_report(s, page, sizeof page);
    CHECK(!strstr(page, "left out"));
    tansy_free(s);
    tansy_model_free(m);
}
