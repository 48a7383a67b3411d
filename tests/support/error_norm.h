/* SPDX-License-Identifier: Apache-2.0 */
/* The one norm of errors, docs/design.md section 12: for column k
     e_k = max_i |s_ik - exact| scale_k / (|exact| scale_k + floor_i),
     floor_i = max(atol_i/rtol, 1e-3 max over t of |y_i|),  t being t0 and the reference times,
   and for the state the same with y and scale 1.  The promise is e <= 100 rtol. */
#ifndef TEST_ERROR_NORM_H
#define TEST_ERROR_NORM_H

#include "problems.h"
#include "reference.h"

#include <stddef.h>

struct error_norm {
    size_t n, ns;
    double *floor; /* floor[n] */
    double *scale; /* scale[ns]: abs(p_k); for an initial value max(abs(y0_i), atol_i/rtol) */
};

/* Takes the sizes of the solution from r, which may come from elsewhere than a file. */
void error_norm_make(const struct test_problem *problem, const struct reference *r,
                     struct error_norm *norm);

void error_norm_free(struct error_norm *norm);

/* e of y[n]; infinite when y is not finite. */
double error_norm_state(const struct error_norm *norm, const double *exact, const double *y);

/* e_k of one column sens[n]. */
double error_norm_column(const struct error_norm *norm, size_t k, const double *exact,
                         const double *sens);

/* The largest e_k of sens[ns*n]; *worst is its column if worst is not NULL. */
double error_norm_columns(const struct error_norm *norm, const double *exact, const double *sens,
                          size_t *worst);

#endif
