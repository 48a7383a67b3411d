/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit problems with a branch that is 0/0 at its surface, `if x > 0 then (1 - cos(x))/x^2 else 1/2`: y' before the surface, which the jump of S is found
   from, is but rounding there.  S is right, or the report says that it is not known, or the run stops. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const char *const forms[] = {
    "algebraic z = 0.4\nx' = -k\n0 = z - (if x > 0 then %s else %s)\ny' = z\n",
    "x' = -k\ny' + 0.3*x' = (if x > 0 then %s else %s) - 0.3*k\n"};

/* g and its limit at 0; the integral of g over 0 .. 1. */
static const struct {
    const char *text, *limit;
    double integral, value;
} quotients[] = {
    {"(exp(x) - 1)/x", "1", 1.3179021514544038, 1},
    {"(1 - cos(x))/x^2", "1/2", 0.48638537623532273, 0.5},
};

/* y = (integral + (k t - 1) value)/k at t > 1/k, so that dy/dk = (value - integral)/k^2: it was wrong by 38 times its size. */
static void run(int form, int q, tansy_method method, double rtol)
{
    char text[512] = "parameter k = 1\nstate x = 1, y = 0\n", report[8000];
    double y[3], sens[3];
    size_t const length = strlen(text);
    (void)snprintf(text + length, sizeof text - length, forms[form], quotients[q].text,
                   quotients[q].limit);
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_options const o = {
        .method = method, .rtol = rtol, .atol = 1e-3 * rtol, .max_step = 0.0125, .max_steps = 2000};
    tansy_solver *const s = tansy_create(&problem, &o);
    tansy_status const status = tansy_solve(s, 2.5, y, sens);
    CHECK(tansy_report(s, report, sizeof report) < sizeof report);
    double const right = quotients[q].value - quotients[q].integral;
    double const error = status < 0 ? 0 : fabs(sens[1] - right) / rtol;
    bool const told = status < 0 || strstr(report, "but rounding");
    printf("form %d, %s, method %d, rtol %g: status %d, error of S %.2g rtol%s\n", form,
           quotients[q].text, (int)method, rtol, (int)status, error, told ? ", told" : "");
    CHECK(told || error <= 100);
    tansy_free(s);
    tansy_model_free(model);
}

TEST(columns_behind_a_quotient_are_right_or_told)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};
    for (int q = 0; q < 2; q++)
        for (int digits = 4; digits <= 6; digits++) {
            for (int m = 0; m < 3; m++) run(0, q, methods[m], pow(10, -digits));
            run(1, q, TANSY_DASSL, pow(10, -digits));
        }
}
