/* SPDX-License-Identifier: Apache-2.0 */
/* A solver driven by hand: exact history, one order, one h, no controller. */
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

/* A solver for the problem by the public interface. */
tansy_solver *order_solver(const struct order_problem *it, const struct order_setting *setting);

/* Puts it at t with the history that exact values at t, t - h, t - 2h ... give: the polynomial through q + 1
   values for BDF; through the value and q derivatives for Adams.  The next steps are of order q and size h. */
void order_place(tansy_solver *s, const struct order_problem *it, double t, double h, int q);

/* All parts over the step at work, with new factors when asked for; nothing is accepted. */
enum verdict order_attempt(tansy_solver *s, bool new_factors);

/* Accepts the step; its end becomes t. */
void order_accept(tansy_solver *s, double t);

/* `steps` steps from t to t + steps h, new factors at each. */
enum verdict order_march(tansy_solver *s, size_t steps);

/* errors[0] of y and errors[1 + k] of column k at t within the last step: the 2-norm over the components. */
void order_errors(tansy_solver *s, const struct order_problem *it, double t, int derivative,
                  double errors[1 + ORDER_MOST_COLUMNS]);

/* The part of number m: 0 the state, then the panels. */
struct part *order_part(tansy_solver *s, size_t m);

#endif
