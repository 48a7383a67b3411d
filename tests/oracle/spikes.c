/* SPDX-License-Identifier: Apache-2.0 */
/* Van der Pol's equation in the time of its slow phases: x = 2 to 1 in a time of about 0.8, then a jump to -2 in a time of 1/mu^2.  In the jump S is some
   10^4 (mu = 100) times as large as before and after it, and behind it as exact as tolerances ask for all the same (drive/spike.c).  The reference is by rosenbrock at rtol = 1e-12
   and rk8 at 1e-13, which agree to 1e-9. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TEXT = 4000, METHODS = 5 };
static const tansy_method methods[METHODS] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_DASSL,
                                              TANSY_ROSENBROCK, TANSY_LIMEX};

#define MODEL(mu)                                                                                  \
    "parameter mu = " mu ", a = 1\nstate x = 2, v = 0\nx' = v\n"                                   \
    "v' = mu*mu*((1 - x^2)*v - a*x)\n"

static const double right[2][2] = {{3.29351232e-4, 6.03907232e-4}, {3.379228459, 7.296759878}};

TEST(S_behind_the_jumps_of_an_oscillation_is_right)
{
    for (int m = 0; m < METHODS; m++)
        for (int digits = TEST_STRIDE > 1 ? 5 : 4; digits <= 8; digits += TEST_STRIDE) {
            double const rtol = pow(10, -digits);
            tansy_options const o = {.method = methods[m], .rtol = rtol, .atol = 1e-3 * rtol};
            struct model_solution const s = model_solve(MODEL("100"), &o, 3);
            for (int k = 0; k < 2; k++)
                for (int i = 0; i < 2; i++)
                    CHECK_CLOSE(s.sens[k][i], right[k][i], 100 * rtol * right[k][i]);
        }
}

/* The report of a run to t. */
static void report(const char *model, const tansy_options *o, double t, char text[TEXT])
{
    tansy_problem problem;
    tansy_model *const it = model_of_text(model, &problem);
    tansy_solver *const s = tansy_create(&problem, o);
    CHECK_EQUAL(tansy_solve(s, t, NULL, NULL), TANSY_OK);
    (void)tansy_report(s, text, TEXT);
    tansy_free(s);
    tansy_model_free(it);
}

TEST(what_rounding_does_not_allow_is_told)
{
    char text[TEXT];
    tansy_options const o = {.method = TANSY_ROSENBROCK, .rtol = 1e-9, .atol = 1e-12};
    report(MODEL("1e4"), &o, 1, text);
    CHECK_TEXT_CONTAINS(text, "spikes         of S");
    CHECK_TEXT_CONTAINS(text, "warning: d/d(a) of x is ");
    CHECK_TEXT_CONTAINS(text, "times its usual size for a short time near t = 0.80");
}

/* S is 10^6 in the jumps of mu = 1000: at rtol = 1e-8 it is right, or it is told.  The reference is by rosenbrock at 1e-10 and 1e-9, which
   agree to 3e-8. */
TEST(S_behind_sharper_jumps_is_right_or_told)
{
    static const double sharp[2][2] = {{1.63474664e-6, 3.26839348e-6}, {3.53432267, 8.23670797}};
    for (int m = 0; m < METHODS; m++) {
        char text[TEXT];
        tansy_options const o = {.method = methods[m], .rtol = 1e-8, .atol = 1e-11};
        struct model_solution const s = model_solve(MODEL("1000"), &o, 3);
        double worst = 0;
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(s.sens[k][i] / sharp[k][i] - 1));
        report(MODEL("1000"), &o, 3, text);
        CHECK_AT_MOST(worst, 1e-5);
        CHECK(worst < 1e-6 || strstr(text, "warning: d/d(a) of x is "));
    }
}

/* A condition that turns in the midst of the jumps: what S was before them still counts.  The reference is by rosenbrock at 1e-10 and limex at 1e-9,
   which agree to 3e-7. */
TEST(S_behind_jumps_with_a_switching_point_in_them_is_right)
{
    static const char model[] = "parameter ep = 3.822e-5, a = 1\nstate y = 2, z = -0.66\ny' = z\n"
                                "z' = ((a - y^2)*z - y + 0.1*(if y > 0.5 then 1 else 0))/ep\n";
    static const double good[2] = {3.4835767, 6.4319966};
    for (int m = 0; m < METHODS; m++)
        for (int digits = 5; digits <= 6; digits += TEST_STRIDE) {
            double const rtol = pow(10, -digits);
            tansy_options const o = {.method = methods[m], .rtol = rtol, .atol = 1e-3 * rtol};
            struct model_solution const s = model_solve(model, &o, 4);
            for (int i = 0; i < 2; i++) CHECK_CLOSE(s.sens[1][i], good[i], 100 * rtol * good[i]);
        }
}

/* Fast phases whose S is forgotten, and S that grows with its state, cost nothing. */
TEST(other_fast_phases_are_passed_as_ever)
{
    static const char *const models[] = {
        "parameter k = 1e4\nstate x = 0\nx' = k*(tanh(100*(time - 1)) - x)\n",
        "parameter k = 20, T = 1\nstate x = 1e-9\nx' = k*(time - T)*x\n",
        ("parameter a = 0.04, b = 3e7, c = 1e4\nstate x = 1, y = 0, z = 0\n"
         "x' = -a*x + c*y*z\ny' = a*x - c*y*z - b*y^2\nz' = b*y^2\n")};
    static const tansy_method stiff[] = {TANSY_BDF, TANSY_ROSENBROCK, TANSY_LIMEX};
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 3; k++) {
            char text[TEXT];
            tansy_options const o = {.method = stiff[m]};
            report(models[k], &o, 2, text);
            CHECK(strstr(text, "spikes") == NULL);
        }
}
