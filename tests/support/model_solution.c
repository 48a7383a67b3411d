/* SPDX-License-Identifier: Apache-2.0 */
#include "model_solution.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

tansy_model *model_of_text(const char *text, tansy_problem *problem)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    CHECK_EQUAL(tansy_model_problem(m, problem), TANSY_OK);
    return m;
}

void model_solution_columns(const tansy_problem *problem, const double *sens,
                            double columns[SOLUTION_MOST][SOLUTION_MOST])
{
    CHECK(problem->n <= SOLUTION_MOST && problem->np <= SOLUTION_MOST);
    for (size_t k = 0; k < problem->np; k++)
        memcpy(columns[k], sens + k * problem->n, problem->n * sizeof *sens);
}

struct model_solution model_solve(const char *text, const tansy_options *options, double t)
{
    struct model_solution s = {.y = {0}};
    double sens[SOLUTION_MOST * SOLUTION_MOST] = {0};
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    tansy_solver *const solver = tansy_create(&problem, options);
    tansy_status const status = tansy_solve(solver, t, s.y, sens);
    if (status < 0) printf("%s: %s\n", text, tansy_message(solver));
    CHECK_EQUAL(status, TANSY_OK);
    CHECK_EQUAL(tansy_at(solver, t, NULL, s.yp, NULL, NULL), TANSY_OK);
    model_solution_columns(&problem, sens, s.sens);
    tansy_free(solver);
    tansy_model_free(m);
    return s;
}
