/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of explicit Runge-Kutta formulas: k_i = f(t + c_i h, y + h sum a_ij k_j), y1 = y + h sum b_i k_i. */
#ifndef METHOD_RUNGE_KUTTA_H
#define METHOD_RUNGE_KUTTA_H

#include "method/stage_sum.h"

enum { RUNGE_KUTTA_POINTS = 16 };

struct runge_kutta {
    int stages;      /* of the step */
    int points;      /* with those for dense output, the first of which is the end of the step */
    const double *c; /* c[points] */
    const struct stage_sum *a; /* a[points]; no terms: the first stage and the end of the step */
    struct stage_sum b;
    struct stage_sum error,
        error_low; /* of order 5 and 3 of DOP853; without error_low one estimate */
    /* con5 .. con8 of dense output: s^2 (1-s)^2 h sum_i (d4_i + s d5_i + s (1-s) d6_i + s^2 (1-s) d7_i) k_i is added to the
       cubic through the values and slopes at both ends. */
    int dense_terms; /* 0: the cubic alone */
    const unsigned char *dense_stage;
    const double *dense[4];
    double stiff_limit; /* h rho(J) at the border of stability on the negative axis */
};

extern const struct runge_kutta runge_kutta_dop853, runge_kutta_dopri8;

#endif
