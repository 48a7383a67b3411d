/* SPDX-License-Identifier: Apache-2.0 */
/* Dense output of Rosenbrock formulas, its test inside the steps that output or switches look into, and what it shares with the
   steps (rosenbrock.c). */
#ifndef METHOD_ROSENBROCK_DENSE_H
#define METHOD_ROSENBROCK_DENSE_H

#include "method/one_step.h"
#include "method/rosenbrock.h"

static inline const struct rosenbrock *rosenbrock_table(const struct stepper *s)
{
    return s->method->matrices;
}

/* Behind the stages: the slope at the beginning of the step. */
static inline double *rosenbrock_slope(const struct part *part)
{
    return one_step_stage(part, ROSENBROCK_STAGES);
}

/* Points behind the stages where the polynomial is looked at. */
static inline int rosenbrock_looks(const struct stepper *s)
{
    return s->method->ends_at_output ? 0 : ROSENBROCK_LOOKS;
}

/* out = base + factor sum of weight[j] u_j, j < terms. */
void rosenbrock_sum(const struct stepper *s, const struct part *part, const double *base,
                    double factor, int terms, const double *weight, double *out);

/* r becomes W^-1 r. */
int rosenbrock_solve(struct stepper *s, struct part *part, size_t worker, double *r);

/* The slope at the end of the last step. */
void rosenbrock_slope_at_end(const struct stepper *s, const struct part *part, double *out);

/* interpolate of the method table. */
void rosenbrock_interpolate(struct stepper *s, struct part *part, double t, int derivative,
                            double *out);

/* Measures the polynomial of a part whose step has just been made, where something looks inside: part->inside.  The state first: it finds
   the points.  Codes as in derive.h: where f cannot be evaluated the polynomial leaves its domain. */
int rosenbrock_look(struct stepper *s, struct part *part, size_t worker);

/* Makes a step fail whose polynomial is too bad, for the part with these weights of the error test. */
void rosenbrock_judge(struct stepper *s, struct part *part, size_t worker, const double *winv,
                      struct estimates *out);

#endif
