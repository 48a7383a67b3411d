/* SPDX-License-Identifier: Apache-2.0 */
/* limex on equal steps with a given number of rows, which the method does not offer, for its orders. */
#ifndef BENCH_EQUAL_STEPS_H
#define BENCH_EQUAL_STEPS_H

#include "support/step_problem.h"

#include <tansy/options.h>

/* The largest error of the columns of S at t = 1.5 of tests/support/step_problem.h after so many steps of j rows each. */
double equal_steps_error(enum step_form form, int j, int steps, tansy_second_derivatives second);

#endif
