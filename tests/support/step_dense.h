/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of dense output on the problem of step_problem.h. */
#ifndef SUPPORT_STEP_DENSE_H
#define SUPPORT_STEP_DENSE_H

#include "step_problem.h"

/* The largest error of any column, from errors[] of step_errors(). */
double step_largest(const double *errors);

/* Raises dense[4] to the errors at places inside the last step of size h, of y' = f: y, the worst column, y', S'. */
void step_look_inside(tansy_solver *s, const struct step_problem *it, double h, double *dense);

#endif
