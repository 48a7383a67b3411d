/* SPDX-License-Identifier: Apache-2.0 */
/* Equal steps of limex. */
#include "equal_steps.h"

#include <stdio.h>

#include "support/limex_rows.h"
#include "support/step_dense.h"

double equal_steps_error(enum step_form form, int j, int steps, tansy_second_derivatives second)
{
    double y[STEP_N], sens[STEP_NP * STEP_N], errors[1 + STEP_NP];
    double const time = 1.5;
    struct step_problem it;
    step_problem_set(&it, form, STEP_ALL, STEP_NP);
    tansy_options const options = {.second_derivatives = second, .rtol = 0.1, .atol = 0.1};
    struct method fixed;
    tansy_solver *const s = limex_rows_create(&it.problem, j - 1, time / steps, options, &fixed);
    for (int k = 0; k < steps; k++)
        if (limex_rows_step(s, time, y, sens) != TANSY_OK) printf("%s\n", tansy_message(s));
    step_errors(&it, time, y, sens, errors);
    tansy_free(s);
    return step_largest(errors);
}
