/* SPDX-License-Identifier: Apache-2.0 */
/* Models as text, solved from their beginning to one time. */
#ifndef SUPPORT_MODEL_SOLUTION_H
#define SUPPORT_MODEL_SOLUTION_H

#include <tansy/tansy.h>

enum { SOLUTION_MOST = 8 }; /* states, parameters */

struct model_solution {
    double y[SOLUTION_MOST], yp[SOLUTION_MOST], sens[SOLUTION_MOST][SOLUTION_MOST]; /* sens[k][i] */
};

/* The model and its problem, which lives as long; ends the test with the model's message where it has an error. */
tansy_model *model_of_text(const char *text, tansy_problem *problem);

/* The entries of sens[np*n] as sens[k][i]; zero where there is none. */
void model_solution_columns(const tansy_problem *problem, const double *sens,
                            double columns[SOLUTION_MOST][SOLUTION_MOST]);

/* At t; ends the test with the solver's message where it does not get there. */
struct model_solution model_solve(const char *text, const tansy_options *options, double t);

#endif
