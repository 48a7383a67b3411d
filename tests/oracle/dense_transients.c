/* SPDX-License-Identifier: Apache-2.0 */
/* Output inside the first step of a Rosenbrock formula after a start or a switch.  With stiff decay a step over the whole transient of
   a fast component has a right end, and a polynomial that is wrong by as much as the transient. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TIMES = 200 };

static double L; /* how fast */

/* y' = -L (y - 1) p, y(0) = 1; z' = -z y.  dy/dy(0) = e^-Lt, and y itself does not move: nothing but columns has a transient. */
static int fast(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -L * (y[0] - 1) * p[0];
    f[1] = -y[1] * y[0];
    return 0;
}

/* The same as B y' = f. */
static int twice(double t, const double *y, const double *p, double *f, void *context)
{
    int const code = fast(t, y, p, f, context);
    f[0] *= 2;
    f[1] *= 3;
    return code;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    B[0] = 2;
    B[1] = B[2] = 0;
    B[3] = 3;
    return 0;
}

/* The largest error of dy/dy(0), at times inside every step, or at those of a grid. */
static double worst_inside(tansy_solver *s)
{
    double worst = 0, sens[4], y[2];
    while (tansy_time(s) < 3) {
        double const from = tansy_time(s);
        CHECK_EQUAL(tansy_step(s, 3, y, sens), TANSY_OK);
        double const to = tansy_time(s);
        for (int k = 1; k < 8; k++) {
            double const t = from + (to - from) * k / 8;
            CHECK_EQUAL(tansy_at(s, t, NULL, NULL, sens, NULL), TANSY_OK);
            worst = fmax(worst, fabs(sens[0] - exp(-L * t)));
        }
    }
    return worst;
}

static double worst_on_grid(tansy_solver *s, double spacing)
{
    double worst = 0, sens[4], y[2];
    for (int k = 1; k <= TIMES; k++) {
        CHECK_EQUAL(tansy_solve(s, k * spacing, y, sens), TANSY_OK);
        worst = fmax(worst, fabs(sens[0] - exp(-L * k * spacing)));
    }
    return worst;
}

static void check_starts(const tansy_problem *problem, tansy_formula formula, double rtol)
{
    for (int way = 0; way < 3; way++) {
        tansy_options const o = {.method = TANSY_ROSENBROCK,
                                 .formula = formula,
                                 .rtol = rtol,
                                 .atol = 1e-2 * rtol,
                                 .first_step = way == 2 ? 0.1 : 0};
        tansy_solver *const s = tansy_create(problem, &o);
        double const error = way == 0 ? worst_inside(s) : worst_on_grid(s, 3.0 / TIMES);
        if (!(error <= 100 * rtol))
            printf("L %g, formula %d, rtol %g, way %d\n", L, (int)formula, rtol, way);
        CHECK_AT_MOST(error, 100 * rtol);
        tansy_free(s);
    }
}

TEST(output_inside_the_first_step_is_right_where_it_passes_over_a_transient)
{
    static const double y0[] = {1, 0.5}, p = 1;
    static const int columns[] = {TANSY_INITIAL(0), 0};
    tansy_problem const plain = {
        .n = 2, .np = 1, .y0 = y0, .p = &p, .rhs = fast, .ns = 2, .columns = columns};
    tansy_problem with_mass = plain;
    with_mass.rhs = twice;
    with_mass.mass = mass;
    for (int power = 4; power <= 10; power++)
        for (int formula = TANSY_RODAS5P; formula <= TANSY_RODAS4; formula++)
            for (int digits = 2; digits <= 5; digits++) {
                L = pow(10, power);
                check_starts(&plain, (tansy_formula)formula, pow(10, -digits));
                check_starts(&with_mass, (tansy_formula)formula, pow(10, -digits));
            }
}

/* x = r t up to c at T = c/r, then c + 2 r (t - T); y follows x.  dy/dc -> -1 behind T, within e^-L(t - T). */
static void check_relay(const char *text, tansy_formula formula, double rtol)
{
    tansy_problem problem;
    tansy_options const o = {
        .method = TANSY_ROSENBROCK, .formula = formula, .rtol = rtol, .atol = 1e-2 * rtol};
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, &o);
    double worst = 0, y[2], sens[4];
    for (int k = 1; k <= TIMES; k++) {
        double const t = 1.0 * k / TIMES;
        CHECK_EQUAL(tansy_solve(s, t, y, sens), TANSY_OK);
        double const T = 0.5, right = t > T ? exp(-L * (t - T)) - 1 : 0;
        if (t != T) worst = fmax(worst, fabs(sens[1] - right));
    }
    if (!(worst <= 100 * rtol)) printf("L %g, formula %d, rtol %g\n", L, (int)formula, rtol);
    CHECK_AT_MOST(worst, 100 * rtol);
    tansy_free(s);
    tansy_model_free(model);
}

TEST(output_behind_a_switch_is_right_where_a_fast_component_follows)
{
    for (int power = 4; power <= 10; power++)
        for (int formula = TANSY_RODAS5P; formula <= TANSY_RODAS4; formula++)
            for (int digits = 3; digits <= 6; digits++) {
                char text[200];
                L = pow(10, power);
                (void)snprintf(text, sizeof text,
                               "parameter c = 0.5, r = 1\nlet L = %g\nstate x = 0, y = 0\n"
                               "x' = if x < c then r else 2*r\ny' = L*(x - y)\n",
                               L);
                check_relay(text, (tansy_formula)formula, pow(10, -digits));
            }
}
