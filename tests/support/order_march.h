/* SPDX-License-Identifier: Apache-2.0 */
/* A solver driven by hand: exact history, one order, given steps, no controller. */
#ifndef SUPPORT_ORDER_MARCH_H
#define SUPPORT_ORDER_MARCH_H

#include "drive/solver.h"
#include "support/order_problem.h"

/* What to march with. */
struct order_setting {
    const struct method *method;
    const struct corrector *corrector;
    tansy_linear_solver linear; /* dense or diagonal */
    double tolerance;           /* rtol and atol: what the iterations aim at */
};

/* Sizes of steps around the start of a march; equal to h where the function is NULL.  k = 0 is the first step,
   -1 the one before it. */
typedef double order_size(double h, long k);

/* By which the public interface asks for the method. */
tansy_method order_option(const struct method *method);

/* A solver for the problem by the public interface. */
tansy_solver *order_solver(const struct order_problem *it, const struct order_setting *setting);

/* Puts it at t with the history that exact values at the ends of the steps before give: the polynomial through
   q + 1 values for BDF; through the value and q derivatives for Adams.  The next step is of order q. */
void order_place(tansy_solver *s, const struct order_problem *it, double t, double h, int q);
void order_place_uneven(tansy_solver *s, const struct order_problem *it, double t, double h, int q,
                        order_size *size);

/* All parts over the step at work, with new factors when asked for; nothing is accepted. */
enum verdict order_attempt(tansy_solver *s, bool new_factors);

/* Accepts the step; its end becomes t. */
void order_accept(tansy_solver *s, double t);

/* `steps` steps, new factors at each. */
enum verdict order_march(tansy_solver *s, size_t steps);
enum verdict order_march_uneven(tansy_solver *s, size_t steps, double h, order_size *size);

/* errors[0] of y and errors[1 + k] of column k at t within the last step: the 2-norm over the components. */
void order_errors(tansy_solver *s, const struct order_problem *it, double t, int derivative,
                  double errors[1 + ORDER_MOST_COLUMNS]);

/* The part of number m: 0 the state, then the panels. */
struct part *order_part(tansy_solver *s, size_t m);

#endif
