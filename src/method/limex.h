/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolated linearly implicit Euler (LIMEX; Deuflhard 1983, Schlegel et al. 2002) for B y' = f(t, y, p), B constant.  Row j makes
   the step H in j steps of h = H/j,
     (B/h - A) D_k = f(t + (k + 1) h, y_k),   y_(k+1) = y_k + D_k,   A = df/dy at the beginning,
   and T_jk = T_(j,k-1) + (T_(j,k-1) - T_(j-1,k-1))/(j/(j - k + 1) - 1) has order k (8).  The difference of the last two of a row
   estimates its error.  Columns go through the derivative of the same rows,
     (B/h - A) D_k' = f_y(y_k) s_k + f_p U - (B_p U) D_k/h + d/dy(A D_k) s_0 + d/dp(A D_k) U,
   so that they have the orders of y: k, in algebraic equations 4 at most.  Without the last two terms (the block-diagonal form (16)) they
   have them too for regular B, as the error has an expansion in h whatever A is, but order 2 in algebraic equations.  f is taken at the end of
   the short step, where stiff and algebraic components then belong.  D_(j-1)/h of the rows, extrapolated, is y' at the end. */
#ifndef METHOD_LIMEX_H
#define METHOD_LIMEX_H

#include "method/one_step.h"

enum {
    LIMEX_ROWS = 8,
    POINTS = LIMEX_ROWS * (LIMEX_ROWS + 1) / 2,
    ROW_SLOPE = ROW_STAGES,     /* y' at the beginning of the step */
    ROW_T,                      /* T_j1 .. T_jj of the last row */
    ROW_D = ROW_T + LIMEX_ROWS, /* the same of the slopes at the end */
    ROW_SPARE = ROW_D + LIMEX_ROWS,
    ROW_DELTA, /* D_k at work */
    HISTORY
};

/* The number of the point from which step k < j of row j starts. */
static inline int limex_point(int j, int k)
{
    return j * (j - 1) / 2 + k;
}

static inline double *limex_delta(const struct stepper *s, int p)
{
    return s->stages.delta + (size_t)p * s->stages.stride;
}

/* One row more of a tableau whose rows of history begin at `first`: in the spare row stands its first entry. */
void limex_extrapolate(struct part *part, int first, int j);

/* Squares of the error estimate of row j in units of the tolerance, T_jj - T_(j,j-1), which is left in part->e[0]. */
void limex_measure(struct stepper *s, struct part *part, struct work *w, int j, double *square);

/* The error of a row in units of the tolerance, of the worst column. */
double limex_error(const struct stepper *s, const struct part *part, const double *square);

/* limex_state.c: the rows of the state.  Codes as in derive.h. */
int limex_advance_state(struct stepper *s);

/* limex_columns.c: the rows of a panel, once those of the state are known. */
int limex_advance_panel(struct stepper *s, struct part *part, size_t worker);

/* limex_dense.c: interpolate of the method table. */
void limex_interpolate(struct stepper *s, struct part *part, double t, int derivative, double *out);

#endif
