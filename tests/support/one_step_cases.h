/* SPDX-License-Identifier: Apache-2.0 */
/* The formulas of the one-step methods, and limex, as options. */
#ifndef TEST_ONE_STEP_CASES_H
#define TEST_ONE_STEP_CASES_H

#include <stdbool.h>
#include <tansy/options.h>

enum { ONE_STEP_FORMULAS = 7 };

struct one_step_case {
    const char *name;
    tansy_method method;
    tansy_formula formula;
    bool explicit;
    bool stiffly_accurate; /* keeps its order in algebraic equations */
};
extern const struct one_step_case one_step_cases[ONE_STEP_FORMULAS];

/* Options with exact tangents at these tolerances. */
tansy_options one_step_options(const struct one_step_case *it, double rtol, double atol);

#endif
