/* SPDX-License-Identifier: Apache-2.0 */
/* The table tests/reference/error_table.csv of e/rtol for every problem, method, corrector and tolerance may only
   fall, see support/error_rows.h. */
#include "support/error_rows.h"
#include "support/promise.h"
#include "test.h"

#include <stdio.h>

static void measure_problem(const struct test_problem *problem, struct error_rows *rows)
{
    struct oracle o;
    oracle_open(problem->name, &o);
    for (int method = problem->stiff ? TANSY_BDF : TANSY_ADAMS; method <= TANSY_BDF; method++)
        for (size_t c = 0; c < CORRECTORS; c++) {
            char way[48];
            tansy_options const options = {.method = (tansy_method)method,
                                           .sensitivities = all_correctors[c]};
            snprintf(way, sizeof way, "%s,%s", method_name(options.method),
                     sensitivities_name(options.sensitivities));
            error_rows_measure(rows, &o, way, options, 0);
        }
    oracle_close(&o);
}

/* Roundoff, which differs between compilers, moves the steps and with them the errors: between gcc, clang and
   a debug build single values by up to 1.5, means by up to 1.1. */
TEST(errors_have_not_grown)
{
    static struct error_rows measured = {.file = "error_table.csv",
                                         .maker = "tests/oracle/error_table.c",
                                         .first = 4,
                                         .tolerances = 7,
                                         .mean_growth = 1.3,
                                         .single_growth = 3};
    const struct test_problem *problem = NULL;
    for (size_t k = 0; (problem = problem_number(k)); k += TEST_STRIDE)
        if (problem->reference) measure_problem(problem, &measured);
    CHECK_EQUAL(error_rows_grown(&measured), 0);
}
