/* SPDX-License-Identifier: Apache-2.0 */
/* A nonlinear problem made for measuring orders.  With complex y_j, as pairs of real equations,
     y_j' = g_j' - p (y_j - g_j)^2,   g_j = a exp(i(b t + j)),
     y_j  = u/(1 + p u t) + g_j,      u = y_j(0) - g_j(0).
   Why this one: the error of a formula with steps h is, to leading order, that of its terms of frequency b, and
   because f is analytic in y_j the backward shift q h/2 of the principal error only turns it in the complex plane.
   So |error| = C h^q (1 + O((b h)^2)) instead of C h^q (1 + O(q b h)), and orders up to 12 can be seen above
   roundoff.  df/dy = -2 p u/(1 + p u t) is small enough for Adams formulas of order 12 to be stable. */
#ifndef SUPPORT_ORDER_PROBLEM_H
#define SUPPORT_ORDER_PROBLEM_H

#include <stddef.h>
#include <tansy/problem.h>

enum {
    ORDER_PAIRS = 32,  /* at most */
    ORDER_COLUMNS = 5, /* p, a, b and both parts of y_0(0); further columns repeat them */
    ORDER_MOST_COLUMNS = 80
};

struct order_problem {
    tansy_problem problem; /* points into the rest: do not copy */
    tansy_problem plain;   /* the same as y' = f, after order_problem_hide() */
    size_t pairs;
    double p[3], y0[2 * ORDER_PAIRS];
    int columns[ORDER_MOST_COLUMNS];
};

/* n = 2 pairs equations with ns columns; p is the strength of the nonlinearity. */
void order_problem_set(struct order_problem *it, size_t pairs, size_t ns, double p);

/* Makes the problem implicit: F_j = (1 + i/2 + y_j/1000) (y_j' - f_j) = 0, nonlinear in y and y' together, with its matrices given.  Formulas have the
   same errors there. */
void order_problem_hide(struct order_problem *it);

/* The value (derivative 0) or the time derivative (1) of y[n] and S, sens[k*n + i], at t. */
void order_exact(const struct order_problem *it, long double t, int derivative, long double *y,
                 long double *sens);

#endif
