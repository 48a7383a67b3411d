/* SPDX-License-Identifier: Apache-2.0 */
/* A condition on a component that has become small: x = exp(-k t) passes c at T = -log(c)/k, and y' = t - 10 begins, so that at t = 30 dy/dk = (T - 10) T/k.  Errors of x as large as atol move
   the rate -k c by atol/c of itself: S is right to 100 rtol, or the report says that atol is too large. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const char explicit_form[] =
    "parameter k = 1\nconstant c = %g\nstate x = 1, y = 0\nx' = -k*x\n"
    "y' = if x < c then time - 10 else 0\ntime 0 .. 30\n";
static const char implicit_form[] =
    "parameter k = 1\nconstant c = %g\nstate x = 1, y = 0\nalgebraic r = 0\nx' = -k*x\ny' = r\n"
    "0 = r - (if x < c then time - 10 else 0)\ntime 0 .. 30\n";

/* The error of dy/dk in units of rtol, and whether it is told. */
struct outcome {
    double error;
    bool told;
};

static struct outcome run(const char *form, double c, const tansy_options *o)
{
    char text[400], report[8000];
    tansy_problem problem;
    double sens[3] = {0};
    (void)snprintf(text, sizeof text, form, c);
    tansy_model *const m = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, o);
    CHECK_EQUAL(tansy_solve(s, 30, NULL, sens), TANSY_OK);
    (void)tansy_report(s, report, sizeof report);
    double const T = -log(c), exact = (T - 10) * T;
    struct outcome const r = {fabs(sens[1] - exact) / fabs(exact) / o->rtol,
                              strstr(report, "give a smaller atol") != NULL};
    tansy_free(s);
    tansy_model_free(m);
    return r;
}

static void check(const char *form, const tansy_method *methods, size_t count)
{
    static const double level[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
    for (size_t m = 0; m < count; m++)
        for (size_t k = 0; k < 5; k++)
            for (double rtol = 1e-4; rtol > 5e-9; rtol /= 100) {
                tansy_options o = {.method = methods[m], .rtol = rtol, .atol = 1e-9};
                struct outcome const usual = run(form, level[k], &o);
                CHECK(usual.error <= 100 || usual.told);
                /* it is told only where atol/c is above 100 rtol */
                if (usual.told) CHECK(1e-9 / level[k] > 50 * rtol);
                o.atol = 1e-3 * rtol * level[k];
                struct outcome const fine = run(form, level[k], &o);
                CHECK_AT_MOST(fine.error, 100);
                CHECK(!fine.told);
            }
}

TEST(S_behind_a_small_component_is_right_or_told)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF,   TANSY_DASSL, TANSY_RK8,
                                           TANSY_ROSENBROCK,  TANSY_LIMEX, TANSY_ADAMS};
    check(explicit_form, methods, sizeof methods / sizeof *methods);
}

TEST(so_it_is_in_implicit_problems)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_ROSENBROCK, TANSY_LIMEX};
    check(implicit_form, methods, sizeof methods / sizeof *methods);
}
