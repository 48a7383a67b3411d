/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients that are 0/0 of the second and third order where x passes zero, (x - sin(x))/x^3: f and df/dy are rounding around it, farther off than the limits at a
   surface reach.  x' = -k or k, y' = g(x), by series; either y and S are right after few steps, or the run ends soon and says why. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

enum { MOST_STEPS = 2000 }; /* were 100,000 */

/* g = sum_(j>=order) (-s)^.. x^(j-order)/j!: exp(x) - 1 - x, all j; 1 - cos(x), even ones; x - sin(x), odd ones. */
struct quotient {
    const char *text;
    int order, stride; /* the lowest power of the numerator; from one term to the next */
};

static const struct quotient quotients[] = {
    {"(exp(x) - 1 - x)/x^2", 2, 1}, {"(1 - cos(x))/x^2", 2, 2}, {"(x - sin(x))/x^3", 3, 2}};

/* g, or with `integral` its integral from 0. */
static double value(const struct quotient *q, double x, int integral)
{
    double sum = 0, sign = 1;
    for (int j = q->order; j < 40; j += q->stride) {
        int const power = j - q->order + integral;
        sum += sign * pow(x, power) / tgamma(j + 1.0) / (integral ? power : 1);
        if (q->stride == 2) sign = -sign;
    }
    return sum;
}

/* From x = 1 or -1 to the other side; k is rate and its own column. */
static size_t run(const struct quotient *q, tansy_method method, double rtol, double k, int falls,
                  const char *guard)
{
    char text[512], limit[32], report[8000];
    double y[2], sens[2];
    double const from = falls ? 1 : -1, t = 2.5 / k, to = falls ? from - 2.5 : from + 2.5;
    (void)snprintf(limit, sizeof limit, "%.17g", value(q, 0, 0));
    (void)snprintf(
        text, sizeof text, "parameter k = %.17g\nstate x = %g, y = 0\nx' = %sk\ny' = %s%s%s%s\n", k,
        from, falls ? "-" : "", guard, q->text, guard[0] ? " else " : "", guard[0] ? limit : "");
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    tansy_options const o = {
        .method = method, .rtol = rtol, .atol = 1e-3 * rtol, .max_steps = MOST_STEPS};
    tansy_solver *const s = tansy_create(&problem, &o);
    double all[4];
    tansy_status const status = tansy_solve(s, t, y, all);
    sens[1] = all[1];
    double const sign = falls ? -1 : 1;
    double const right = sign * (value(q, to, 1) - value(q, from, 1)) / k;
    double const column = (value(q, to, 0) * t - right) / k;
    CHECK(tansy_report(s, report, sizeof report) < sizeof report);
    int told = strstr(report, "but rounding") != NULL;
    if (status < 0) {
        told = status == TANSY_TOO_MANY_STEPS && strstr(tansy_message(s), "but rounding") != NULL;
        if (!told) printf("%smethod %d, rtol %g: %s\n", text, (int)method, rtol, tansy_message(s));
        CHECK(told);
    } else {
        CHECK_CLOSE(y[1], right, 100 * rtol * fabs(right));
        if (!told) CHECK_CLOSE(sens[1], column, 100 * rtol * (fabs(column) + 0.1 * right / k));
    }
    tansy_free(s);
    tansy_model_free(m);
    return told ? 0 : 1;
}

TEST(noise_of_a_quotient_is_passed_or_told)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF,        TANSY_DASSL,
                                           TANSY_RK8,         TANSY_ROSENBROCK, TANSY_LIMEX};
    static const char *const guards[] = {"", "if abs(x) > 0 then ", "if abs(x) > 1e-9 then "};
    static const double rates[] = {0.013, 1, 17}, rtols[] = {1e-4, 1e-6, 1e-8};
    size_t right = 0, all = 0;
    for (int i = 0; i < 3; i++)
        for (int m = 0; m < 6; m++)
            for (int k = 0; k < 3; k++)
                for (int r = 0; r < 3; r++, all++)
                    right += run(&quotients[i], methods[m], rtols[r], rates[k], (i + m + k + r) % 2,
                                 guards[(i + k + r) % 3]);
    printf("%zu of %zu are right\n", right, all);
    CHECK(10 * right >= 7 * all);
}

/* Terms of a stiff equation that cancel are rough everywhere, and so long as z is near u steps are short: that is no 0/0, in whatever order states stand. */
TEST(rounding_of_stiff_equations_is_none)
{
    static const char *const orders[] = {"u = 1, w = 0, z = 1", "u = 1, z = 1, w = 0"};
    for (int k = 0; k < 2; k++)
        for (int digits = 4; digits <= 8; digits += 2) {
            char text[400];
            (void)snprintf(text, sizeof text,
                           "parameter a = 1, L = 1e6\nstate %s\n"
                           "u' = 0.01*a*exp(-(time - 50)^2)*(1 + sin(30*time))\n"
                           "w' = -w\nz' = -L*(z - u)\ntime 0 .. 100\n",
                           orders[k]);
            tansy_problem problem;
            tansy_model *const m = model_of_text(text, &problem);
            tansy_options const o = {.method = TANSY_METHOD_AUTO, .rtol = pow(10, -digits)};
            double y[3];
            tansy_solver *const s = tansy_create(&problem, &o);
            CHECK_EQUAL(tansy_solve(s, 100, y, NULL), TANSY_OK);
            CHECK_CLOSE(y[0], y[k ? 1 : 2], 100 * o.rtol);
            tansy_free(s);
            tansy_model_free(m);
        }
}
