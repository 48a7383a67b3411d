/* SPDX-License-Identifier: Apache-2.0 */
/* What a final time T that is a parameter adds to its column where outputs use derivatives, or the equations make too much of errors of y. */
#ifndef CLI_FINAL_TIME_H
#define CLI_FINAL_TIME_H

#include "study.h"

/* A second run can be a thousand times as exact. */
bool final_is_tighter(const struct study *s);

/* y'[n] and y''[n] at t of an implicit problem, limits from where the run comes, by a second run that is a thousand times as exact:
   y'' is the derivative of the polynomial that the solver has for y' there, and two orders of the step worse than y.  Where that run
   does not come to its end: from `solver`, which has reached t, and false. */
bool final_rates(const struct study *s, const tansy_problem *problem, tansy_solver *solver,
                 double t, double *yp, double *ypp);

#endif
