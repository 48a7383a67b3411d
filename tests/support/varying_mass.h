/* SPDX-License-Identifier: Apache-2.0 */
/* B(t, y, p) y' = f with B that depends on everything, in closed form.  Let
     x' = g_1 = -a x^2,   u' = g_2 = c x cos(c t) - a x u,   0 = 1 + x^2 + u^2 - z^2,
     x = 1/(b + a t),   u = x sin(c t),   z = sqrt(1 + x^2 + u^2),   p = (a, b, c), b in the initial values alone,
   and Q = (z^2, r u sin t; a x u, 2 + cos t + c u^2): the problem is B = Q, f = Q g of (x, u) with z^2 = 1 + x^2 + u^2 (regular), or
   B = (Q, 0; 0, 0), f = (Q g, 1 + x^2 + u^2 - z^2) of (x, u, z) (singular).  r is the context: how strongly B varies. */
#ifndef TEST_VARYING_MASS_H
#define TEST_VARYING_MASS_H

#include <stdbool.h>
#include <tansy/tansy.h>

enum { VARYING_N = 3, VARYING_NP = 3 };

/* What is given besides f and B. */
enum varying_gives { VARYING_NOTHING, VARYING_TANGENTS };

/* r must live as long as the problem. */
tansy_problem varying_problem(bool singular, enum varying_gives gives, double *r);

/* The largest error of y, and of the columns, absolute. */
void varying_errors(bool singular, double t, const double *y, const double *sens, double *state,
                    double *columns);

/* The largest error of y and of S at ten times up to 2, over rtol; *stats of the run, unless NULL. */
double varying_solve(const tansy_problem *problem, bool singular, const tansy_options *options,
                     tansy_stats *stats);

#endif
