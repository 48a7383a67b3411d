/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that a problem is made of (tansy/problem.h).  All return 0 (done), a positive value (not here: try a smaller
   step) or a negative value (stop).  They must not change y or p. */
#ifndef TANSY_FUNCTIONS_H
#define TANSY_FUNCTIONS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* f[n] = f(t, y, p). */
typedef int tansy_rhs(double t, const double *y, const double *p, double *f, void *context);

/* The Jacobian df/dy.  J comes zeroed; set the entries that are not zero.
   Dense:  J[i*n + j] = df_i/dy_j.
   Banded: J[i*(lower + upper + 1) + j - i + lower] = df_i/dy_j for i - lower <= j <= i + upper.
   Sparse: J[e] is the entry at (row[e], column[e]) of .jacobian_pattern. */
typedef int tansy_jacobian(double t, const double *y, const double *p, double *J, void *context);

/* F[n] = F(t, y, y', p), which is to be zero. */
typedef int tansy_residual_value(double t, const double *y, const double *yp, const double *p,
                                 double *F, void *context);

/* dF/dy, or dF/dy', laid out as tansy_jacobian says; both in the same structure and pattern. */
typedef int tansy_residual_jacobian(double t, const double *y, const double *yp, const double *p,
                                    double *J, void *context);

/* dF/dp, laid out as tansy_parameter_jacobian says. */
typedef int tansy_residual_parameter(double t, const double *y, const double *yp, const double *p,
                                     double *F, void *context);

/* R = (dF/dy) V + (dF/dy') V_rate + (dF/dp) U, laid out as tansy_tangent has it; V_rate as V. */
typedef int tansy_residual_tangent(double t, const double *y, const double *yp, const double *p,
                                   size_t columns, size_t ld, const double *V, const double *V_rate,
                                   const double *U, double *R, void *context);

/* B(t, y, p), laid out as tansy_jacobian says. */
typedef int tansy_mass(double t, const double *y, const double *p, double *B, void *context);

/* R = (d(B u)/dy) V + (d(B u)/dp) U for a given vector u[n], laid out as tansy_tangent has it. */
typedef int tansy_mass_tangent(double t, const double *y, const double *p, const double *u,
                               size_t columns, size_t ld, const double *V, const double *U,
                               double *R, void *context);

/* A preconditioner P near W = c dF/dy' + dF/dy (or c B - df/dy + ..., c I - df/dy): prepare() evaluates and factors it,
   solve() overwrites X[i*ld + k], k < columns, by P^-1 X.  solve() returns > 0 when it fails: the step is tried again
   with P prepared anew, then smaller.  It gets t, y, y' and c of the prepare() before it, not those of the step.  yp is NULL for y' = f. */
typedef int tansy_precondition_prepare(double t, const double *y, const double *yp, const double *p,
                                       double c, void *context);
typedef int tansy_precondition_solve(double t, const double *y, const double *yp, const double *p,
                                     double c, size_t columns, size_t ld, double *X, void *context);

/* Derived quantities Q[nq] at (t, y, y', p), and their tangents (dQ/dy) V + (dQ/dy') V_rate + (dQ/dp) U in R[q*ld + k]. */
typedef int tansy_derived(double t, const double *y, const double *yp, const double *p, double *Q,
                          void *context);

/* df/dp.  Without a pattern: F[i*np + k] = df_i/dp_k, n x np, zeroed on entry.
   With a pattern of nz entries: F[e] = df_i/dp_k for i = row[e], k = column[e]. */
typedef int tansy_parameter_jacobian(double t, const double *y, const double *p, double *F,
                                     void *context);

/* Tangents of many columns at once (the "seed matrix"):  R = (df/dy) V + (df/dp) U.
   V[i*ld + k], i < n; U[j*ld + k], j < np; R[i*ld + k], i < n; for the columns k < columns.
   Write R for k < columns only. */
typedef int tansy_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                          const double *V, const double *U, double *R, void *context);

/* Second derivatives along a given direction (tau, v[n]) of (t, y), for exact tangents of one-step methods that use df/dy:
   R = d/dy(J v + tau f_t) V + d/dp(J v + tau f_t) U  with J = df/dy and f_t = df/dt; V, U and R as tansy_tangent has them.
   Of F(t, y, y', p) = 0 with .mass_constant: of F itself, J = dF/dy and f_t = dF/dt, in which y' then has no part; with
   .rate_linear: of F at y' = 0. */
typedef int tansy_second(double t, const double *y, const double *p, const double *v, double tau,
                         size_t columns, size_t ld, const double *V, const double *U, double *R,
                         void *context);

/* Error weights of the user's own (EWSET of LSODE, WFtolerances of CVODE and IDA) instead of rtol |v| + atol: v[i*ld + k], i < n, k < columns,
   comes with values and leaves with the error that each of them may have, finite and above 0.  The values are those of y (one column), or
   of several columns of S, each times the scale of its parameter: in the units of y, so that one formula does for all.  They may be
   the larger of the absolute values at both ends of a step.  context is the problem's, also with .scratch. */
typedef int tansy_error_weights(size_t columns, size_t ld, double *v, void *context);

/* ft[n] = df/dt at fixed y and p; dF/dt of a residual problem with .mass_constant. */
typedef int tansy_time_derivative(double t, const double *y, const double *p, double *ft,
                                  void *context);

/* y0[n] = y(t0) as a function of p. */
typedef int tansy_initial(double t0, const double *p, double *y0, void *context);

/* D[i*np + k] = d y0_i/d p_k, n x np, zeroed on entry. */
typedef int tansy_initial_jacobian(double t0, const double *p, double *D, void *context);

/* Where a derivative exists from one side only. */
typedef struct tansy_corner {
    const char *condition; /* its text; NULL: there is none.  It stands at its edge */
    size_t row, column;    /* of what: a component or an output, and a column */
    int jumps; /* 1: the value itself jumps, and has no derivative from the other side */
    int stands; /* 1: some condition stands at its edge along the column, though there may be no corner */
    size_t more; /* of initial values: so many other components have one there as well */
} tansy_corner;

/* Does y0(p) have a corner at p along a direction in p, index[entries], value[entries]?  Fills condition (which must stay), row and
   jumps of the first one, and more; it comes zeroed.  Where a condition stands, column[n] = dy0 along the direction, all components from one
   side, which is the derivative of y0 if that has no corner, whatever its conditions are at p. */
typedef int tansy_initial_corner(double t0, const double *p, size_t entries, const size_t *index,
                                 const double *value, tansy_corner *corner, double *column,
                                 void *context);

/* The switch functions g[switches] at (t, y, p).  Condition j holds where g_j >= 0.  They are looked at along every step, more
   densely where g is not smooth; an excursion to the other side that is much shorter than the step may still be passed
   over, unless .switch_range is given: then set the option max_step to less than the shortest one that matters, or put a
   break time into it. */
typedef int tansy_switch(double t, const double *y, const double *p, double *g, void *context);

/* Their tangents: gt[switches] = dg/dt, and G[j*ld + k] = (dg/dy) V + (dg/dp) U, laid out as tansy_tangent has it. */
typedef int tansy_switch_tangent(double t, const double *y, const double *p, size_t columns,
                                 size_t ld, const double *V, const double *U, double *gt, double *G,
                                 void *context);

/* A stretch of the solution: t, y and y' are within these bounds (y_low[n] etc.). */
typedef struct tansy_box {
    double t_low, t_high;
    const double *y_low, *y_high, *slope_low, *slope_high;
} tansy_box;

/* Arrays of [switches] to be filled, infinite where nothing is known. */
typedef struct tansy_bounds {
    double *low, *high, *rate_low, *rate_high;
} tansy_bounds;

/* Bounds of the switch functions over a box, low <= g <= high, and of their rates, rate_low <= g_t + g_y y' <= rate_high,
   as interval arithmetic gives them.  With these no change of sign of g along the dense output is passed over. */
typedef int tansy_switch_range(const tansy_box *box, const double *p, const tansy_bounds *bounds,
                               void *context);

/* Bounds of a value and of its derivative in t over a stretch of time, infinite where nothing is known. */
typedef struct tansy_time_bounds {
    double low, high, rate_low, rate_high;
} tansy_time_bounds;

/* Bounds over [t_low, t_high] of number `term` of the .time_terms, functions of t and p of which f is made, exp(-(t/w)^2), with those modes
   and that piece that p has now.  No step then passes a stretch unseen in which one of them moves by most of its range. */
typedef int tansy_time_range(size_t term, double t_low, double t_high, const double *p,
                             tansy_time_bounds *bounds, void *context);

/* What the functions get as context when .scratch > 0: one for every thread of a solver. */
typedef struct tansy_local {
    void *context;  /* the problem's */
    void *scratch;  /* .scratch bytes on a cache line, zeroed at creation, of this thread alone */
    size_t version; /* of p: another number whenever an entry of p has changed, never 0 */
    /* Of a tangent with this very U: its rows that are not 0 are among moving_row[moving], rising or not, each once.  Any other U
       may have entries anywhere. */
    const double *U;
    size_t moving;
    const size_t *moving_row;
} tansy_local;

#ifdef __cplusplus
}
#endif
#endif
