/* SPDX-License-Identifier: Apache-2.0 */
/* A model as readable C: the functions and the patterns of a tansy_problem, compiled against <tansy/tansy.h>. */
#ifndef MODEL_EXPORT_C_H
#define MODEL_EXPORT_C_H

#include "model/system.h"

/* Writes the C text into text[size] as snprintf does: returns the length needed (without the NUL), 0 when there is no
   memory.  With NAME that of the model:
     NAME_rhs, NAME_jacobian, NAME_parameter_jacobian, NAME_tangent, NAME_initial, NAME_initial_jacobian, NAME_switches,
     NAME_switch_tangent and NAME_time_derivative are as <tansy/problem.h> wants them, and void NAME_problem(tansy_problem *) fills a problem;
     int NAME_outputs(double t, const double *y, const double *p, double *q) takes the conditions as they stand at the point;
     NAME_jacobian_row[] and NAME_jacobian_column[] are the pattern of df/dy.
   A model that is not explicit gets NAME_residual(t, y, rate, p, F, context) in place of the problem and what belongs to it.
   The system's graph is not changed. */
size_t export_c(const struct system *system, char *text, size_t size);

#endif
