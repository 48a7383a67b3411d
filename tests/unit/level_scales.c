/* SPDX-License-Identifier: Apache-2.0 */
/* Levels of a control have one scale: a level that happens to be small is no small parameter. */
#include <math.h>
#include <string.h>
#include <tansy/tansy.h>

#include "drive/tolerances.h"
#include "test.h"

enum { NP = 7 };

static void check_scales(const tansy_problem *problem, const double *right)
{
    for (size_t k = 0; k < NP; k++)
        CHECK_CLOSE(tolerances_parameter_scale(problem, k), right[k], 0);
}

TEST(levels_share_the_largest_or_the_widest_range)
{
    static const double p[NP] = {3, 1e-8, -2, 0, 0, 0, 0},
                        bound[2 * NP] = {0, 1, 0, 9, 0, 9, 0, 9, -1, 3, 0, 1, 0, HUGE_VAL};
    static const int control[NP] = {0, 1, 1, 1, 2, 2, 3};
    tansy_problem problem = {.np = NP, .p = p, .bound = bound, .control = control};
    check_scales(&problem, (const double[]){3, 2, 2, 2, 4, 4, 0});
    problem.control = NULL;
    check_scales(&problem, (const double[]){3, 1e-8, 2, 9, 4, 1, 0});
}

TEST(a_scale_that_is_given_stands)
{
    static const double p[NP] = {3, 1, 5, 7, 0, 0, 0}, scale[NP] = {0, 0, 0.5, 0, 0, 6, 0};
    static const int control[NP] = {0, 1, 1, 1, 2, 2, 2};
    tansy_problem const problem = {.np = NP, .p = p, .scale = scale, .control = control};
    check_scales(&problem, (const double[]){3, 1, 0.5, 7, 0, 6, 0});
}

static tansy_model *make(const char *text)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "levels");
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    return m;
}

TEST(models_say_which_parameters_are_levels)
{
    tansy_model *const m = make("parameter k = 2\ncontrol u = {1, 2} piecewise constant on 0 .. 2 "
                                "by 2\ncontrol v = {3, 4} piecewise linear on 0 .. 2 by 1\n"
                                "state x = 1\nx' = u + v - k*x\ntime 0 .. 2");
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    CHECK_EQUAL(problem.np, 5);
    for (size_t k = 0; k < 5; k++) CHECK_EQUAL(problem.control[k], (int)((k + 1) / 2));
    static char c[100000];
    CHECK(tansy_model_export_c(m, c, sizeof c) < sizeof c);
    CHECK_TEXT_CONTAINS(c, "_control[] = {\n    0, 1, 1, 2, 2,\n};");
    CHECK_TEXT_CONTAINS(c, ".control = ");
    tansy_model_free(m);
}

/* S to u[1] alone, in units of the promise with the scale of all levels, 1, beside a tight run of another method. */
TEST(the_column_of_a_small_level_is_as_good_as_others)
{
    static const tansy_method methods[] = {TANSY_LIMEX, TANSY_BDF, TANSY_DASSL};
    static const double rtol = 1e-6, atol = 1e-9;
    tansy_model *const m = make("parameter k = 2\ncontrol u = {1e-8, 1, 0.5} piecewise constant on "
                                "0 .. 3 by 3\nstate x = 1, y = 0\n"
                                "x' = -k*x*y + u*(1 + x*sin(3*time)) - x\n"
                                "y' = k*x*y + x - 2*y + u*x\ntime 0 .. 3");
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    int const first = 1;
    problem.columns = &first;
    problem.ns = 1;
    double y[2], S[2], right[2];
    tansy_options options = {.method = TANSY_RK8, .rtol = 1e-11, .atol = 1e-14};
    tansy_solver *s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 3, y, right), TANSY_OK);
    tansy_free(s);
    for (size_t x = 0; x < sizeof methods / sizeof *methods; x++) {
        options = (tansy_options){.method = methods[x], .rtol = rtol, .atol = atol};
        s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 3, y, S), TANSY_OK);
        tansy_free(s);
        for (size_t i = 0; i < 2; i++)
            CHECK_CLOSE(S[i], right[i], 100 * (rtol * fabs(right[i]) + atol));
    }
    tansy_model_free(m);
}
