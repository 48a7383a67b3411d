/* SPDX-License-Identifier: Apache-2.0 */
#include "one_step_cases.h"

const struct one_step_case one_step_cases[ONE_STEP_FORMULAS] = {
    {"dop853", TANSY_RK8, TANSY_DOP853, true, false},
    {"dopri8", TANSY_RK8, TANSY_DOPRI8, true, false},
    {"rodas5p", TANSY_ROSENBROCK, TANSY_RODAS5P, false, true},
    {"rodas4", TANSY_ROSENBROCK, TANSY_RODAS4, false, true},
    {"grk4a", TANSY_ROSENBROCK, TANSY_GRK4A, false, false},
    {"grk4t", TANSY_ROSENBROCK, TANSY_GRK4T, false, false},
    {"limex", TANSY_LIMEX, TANSY_FORMULA_AUTO, false, true},
};

tansy_options one_step_options(const struct one_step_case *it, double rtol, double atol)
{
    return (tansy_options){.method = it->method,
                           .formula = it->formula,
                           .sensitivities = TANSY_TANGENT,
                           .rtol = rtol,
                           .atol = atol};
}
