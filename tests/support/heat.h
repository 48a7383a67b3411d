/* SPDX-License-Identifier: Apache-2.0 */
/* The heat equation u_t = p1 u_xx + p2 u_yy on the unit square by central differences on M x M inner points, with
   u = 0 on the boundary and u = 16 x (1 - x) y (1 - y) at t = 0 (Maly and Petzold 1996, 5.1), and its exact solution. */
#ifndef TEST_HEAT_H
#define TEST_HEAT_H

#include "problems.h"

enum heat_form {
    HEAT_BAND, /* F = 0 with the (M + 2)^2 points of the whole grid; u = 0 is an algebraic equation of every
                    boundary point; as the paper has it.  Band matrices of half width M + 2 */
    HEAT_SPARSE, /* the same with sparse matrices */
    HEAT_MASS,   /* B u' = f on the same grid, band matrices */
    HEAT_ODE,    /* u' = f on the M^2 inner points, band matrices of half width M */
    HEAT_FORMS
};

/* The problem "heat_M" + "", "_sparse", "_mass", "_ode"; made when first asked for and kept. */
const struct test_problem *heat_problem(size_t M, enum heat_form form);

/* The same by its name; NULL if it is not such a name. */
const struct test_problem *heat_find(const char *name);

/* The exact u and S of the differences at t: y[n], sens[2*n], for a problem made above.  With lambda_m the
   eigenvalues of the second difference in one direction, a_j(s) = sum_m c_m exp(-lambda_m s) sin(m pi x_j),
   u_jk = a_j(p1 t) a_k(p2 t), du_jk/dp1 = t a_j'(p1 t) a_k(p2 t). */
void heat_exact(size_t M, enum heat_form form, double t, double *y, double *sens);

#endif
