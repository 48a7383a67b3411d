/* SPDX-License-Identifier: Apache-2.0 */
/* Observed orders: errors at several h, the slope of their logarithms, over all methods and correctors. */
#ifndef SUPPORT_ORDER_MEASURE_H
#define SUPPORT_ORDER_MEASURE_H

#include "support/order_march.h"

/* The problem is marched over this time, from 0 or back to 0. */
#define ORDER_TIME 10.0

enum { ORDER_REFINEMENTS = 4 };

/* Runs over method_tables x correctors x linear solvers that go together, and dassl also with the problem made implicit.  The problem's nonlinearity is such that the
   iteration converges to roundoff and Adams formulas are stable at the largest h: |h df/dy| < 0.02, and 1e-4
   for functional iteration, which has but four iterations of rate l0 |h df/dy|. */
typedef void order_property(const struct order_setting *setting, const struct order_problem *it);
void order_for_all(double tolerance, size_t pairs, size_t ns, order_property *holds);

/* The number of steps over ORDER_TIME at refinement r < ORDER_REFINEMENTS, h halved from first to last:
   h = 0.01 .. 0.005 for order 1, 0.04 .. 0.02 for 2, 0.1 .. 0.05 for 3 and 4, 0.2 .. 0.1 for 5 to 8,
   0.4 .. 0.2 for 9 to 12, where errors are below 1e-2 and above 1e-12. */
size_t order_steps(int q, int r);

/* The slope of log error over log h through all refinements, by least squares. */
double order_slope(const double h[ORDER_REFINEMENTS], const double error[ORDER_REFINEMENTS]);

#endif
