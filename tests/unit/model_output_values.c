/* SPDX-License-Identifier: Apache-2.0 */
/* An output that has no value has no columns, though the formula of its derivative has one there: d log(x) = dx/x. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

static const char text[] = "parameter k = 1\nstate x = 1\nx' = -k*x\n"
                           "output a = log(x - 0.5)\noutput b = log10(x - 0.5)\n"
                           "output c = sqrt(x - 0.5)\noutput d = (x - 0.5)^1.5\n"
                           "output e = acos(x + 0.6)\noutput f = k*log(x - 0.5) + x^2\n"
                           "output g = log(x + 0.5)\n";
enum { OUTPUTS = 7 };

static void check_at(const tansy_model *model, double x, bool has_value)
{
    static const double p[] = {1}, s[] = {-0.4}, direction[] = {1};
    tansy_point const at = {.t = 0, .y = &x, .p = p};
    tansy_columns const columns = {.ns = 1, .sens = s, .direction_p = direction};
    double q[OUTPUTS], dq[OUTPUTS];
    CHECK_EQUAL(tansy_model_outputs_at(model, &at, q), TANSY_OK);
    CHECK_EQUAL(tansy_model_output_columns_at(model, &at, &columns, dq), TANSY_OK);
    for (int o = 0; o < OUTPUTS; o++) {
        bool const expected = o == OUTPUTS - 1 || (o == 4) != has_value;
        CHECK_EQUAL(!isnan(q[o]), expected);
        CHECK_EQUAL(!isnan(dq[o]), expected);
    }
}

TEST(outputs_without_a_value_have_no_columns)
{
    tansy_model *const model = tansy_model_parse(text, strlen(text), "test");
    CHECK_EQUAL(tansy_model_error(model), TANSY_OK);
    check_at(model, 0.7, true);
    check_at(model, 0.3, false);
    tansy_model_free(model);
}
