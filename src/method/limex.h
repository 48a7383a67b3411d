/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolated linearly implicit Euler (LIMEX; Deuflhard 1983, Schlegel et al. 2002) for B y' = f(t, y, p); where B is not
   constant see limex_mass.c.  Row j makes
   the step H in j steps of h = H/j,
     (B/h - A) D_k = f(t + (k + 1) h, y_k),   y_(k+1) = y_k + D_k,   A = df/dy at the beginning,
   and T_jk = T_(j,k-1) + (T_(j,k-1) - T_(j-1,k-1))/(j/(j - k + 1) - 1) has order k (8).  The difference of the last two of a row
   estimates its error.  Columns go through the derivative of the same rows,
     (B/h - A) D_k' = f_y(y_k) s_k + f_p U - (B_p U) D_k/h + d/dy(A D_k) s_0 + d/dp(A D_k) U,
   so that they have the orders of y: k, in algebraic equations 4 at most.  Without the last two terms (the block-diagonal form (16)) they
   have them too for regular B, as the error has an expansion in h whatever A is, but order 2 in algebraic equations.  f is taken at the end of
   the short step, where stiff and algebraic components then belong. */
#ifndef METHOD_LIMEX_H
#define METHOD_LIMEX_H

#include "method/one_step.h"

enum {
    LIMEX_ROWS = 8,
    DAE_ORDER =
        4, /* rows beyond the fifth make the error of algebraic equations smaller, but its order stays (docs/limex.md) */
    LIMEX_LOW_ROW = 3, /* the row whose estimate stiff components may spoil, see limex_end.c */
    POINTS = LIMEX_ROWS * (LIMEX_ROWS + 1) / 2,
    ROW_SLOPE = ROW_STAGES,          /* y' at the beginning of the step */
    ROW_T,                           /* T_j1 .. T_jj of the last row */
    ROW_INSIDE = ROW_T + LIMEX_ROWS, /* D_0 .. D_(j-1) of all rows, for dense output */
    ROW_SPARE = ROW_INSIDE + POINTS,
    ROW_DERIVATIVE, /* H^k y^(k) at the end of the last step, k = 1 ..: the first when part->knows_end, all when knows_dense */
    LIMEX_DERIVATIVES = LIMEX_ROWS - 2,
    HISTORY = ROW_DERIVATIVE + LIMEX_DERIVATIVES
};

/* The number of the point from which step k < j of row j starts, and the slot of the row's factors: every row has its own if all
   are kept, else they take the place of those of the row before. */
static inline int limex_point(const struct stepper *s, int j, int k)
{
    return s->stages.keeps_rows ? j * (j - 1) / 2 + k : k;
}

static inline size_t limex_slot(const struct stepper *s, int j)
{
    return s->stages.keeps_rows ? (size_t)(j - 1) : 0;
}

/* D_k of row j of a part: every part leaves it there, k < j <= part->order + 1. */
static inline double *limex_inside(const struct part *part, int j, int k)
{
    return one_step_row(part, ROW_INSIDE + j * (j - 1) / 2 + k);
}

static inline int limex_points(const struct stepper *s)
{
    return s->stages.keeps_rows ? POINTS : LIMEX_ROWS;
}

static inline double *limex_delta(const struct stepper *s, int p)
{
    return s->stages.delta + (size_t)p * s->stages.stride;
}

/* One row more of a tableau whose rows of history begin at `first`: in the spare row stands its first entry. */
void limex_extrapolate(struct part *part, int first, int j);

/* The error estimate of row j, T_jj - T_(j,j-1), which is left in part->e[0], its squares in part->squares: sets row_error[j] and
   row_sum[j] of the part and, where dense output is tested and the end of the step meets its tolerance, row_inside[j].  Row 1: the change
   T_11 - y_0.  Every part calls this after every row, with its order. */
void limex_measure(struct stepper *s, struct part *part, struct work *w, int j);

/* The ratio of the errors of row j + 1, not yet made, and row j >= 2: that of the last rows, on average. */
double limex_shrinks(const struct part *part, int j);

/* The same of the error of dense output. */
double limex_shrinks_inside(const struct part *part, int j);

/* What T_jj, j = rows, makes of the noise of an evaluation in the step of row 1: with weights w_i of T_i1, whose short steps are i times as many of
   the i-th part, the root of the sum of w_i^2/i, if all are independent (2: 1.7, 8: 705); and a sixteenth of that, 1 at least, as observed. */
double limex_multiple(int rows);

/* Brings a part to the beginning of the step at work. */
void limex_take_over(struct stepper *s, struct part *part);

/* After row j >= 2 of the state, or of everything: whether it is the last of the rows planned for the step, one less where that will do
   (`alone`: nothing but the errors of this part are tested), one more where it promises to, and as many as there are where dense output needs
   them: stiff components meet their tolerance at the end of the step with two rows, and inside it not.  A step that will fail ends early. */
bool limex_ends(const struct stepper *s, const struct part *part, int j, int planned, bool alone);

/* limex_mass.c: B depends on t or y, stages->mass_varies.  Then the matrix of a row is that of B at the beginning of the step, and the increment of a short step
   comes of an iteration with its factors, D_k into limex_inside(part, j, k).  Before: y_k in stages->at[] or w->y of the panel, for
   panels D_k/h in stages->rate[].  fixed: what is added to the right-hand side of panels, or NULL; it must be neither of w->y0, w->d0, w->r, w->yp. */
int limex_solve_varying(struct stepper *s, struct part *part, size_t worker, int j, int k,
                        double *fixed);

/* limex_state.c: one row of the state; all its rows.  Codes as in derive.h. */
int limex_state_row(struct stepper *s, int j);
int limex_advance_state(struct stepper *s);

/* What comes before all rows, f and A at the beginning of the step; the steps of row j, once it has its factors. */
int limex_prepare(struct stepper *s);
int limex_row_steps(struct stepper *s, size_t worker, int j);

/* limex_ahead.c: rows made by several threads before they are asked for, where that pays, or the code of limex_prepare(); then the code of
   row j, whose failure, counts and factors are noted as if it had been made now. */
void limex_ahead_layout(struct stepper *s, struct arena *arena);
int limex_make_rows(struct stepper *s, int planned);
int limex_take_row(struct stepper *s, int j);

/* limex_end.c: places f at the end of the step.  limex_plan(): the rows of the step that begins.  limex_confirm(): row j would end it, *ends; if
   it has passed its test f at its end is looked at, and may make it go on, or fail.  Codes as in derive.h. */
void limex_end_layout(struct stepper *s, struct arena *arena, const struct derive *derive);
int limex_plan(struct stepper *s);
int limex_confirm(struct stepper *s, int j, int planned, bool *ends);

/* Row 4 has been made, in the spare row stands T_44 - T_33, in w the weights of the test: sets is_twisted of the part, and its error of row 3. */
void limex_compare_rows(struct stepper *s, struct part *part, struct work *w);

/* The step is accepted. */
void limex_note_accepted(struct stepper *s);

/* No part may end with j rows. */
static inline bool limex_are_few(const struct stepper *s, int j)
{
    return j < s->stages.at_end.least || j < s->stages.at_end.trial;
}

/* limex_sparsing.c: places the matrix; chooses the entries that are left out of A, from J at the beginning of the step. */
void limex_thin_layout(struct stepper *s, struct arena *arena, const struct derive *derive);
void limex_thin(struct stepper *s);

/* limex_break.c: the last step, which was accepted, ends at a break: algebraic components of y and S there are put where their equations say.
   Codes as in derive.h. */
int limex_end_piece(struct stepper *s);

/* Dense output has been what limits steps more than once: it gets rows of its own, and the best of several polynomials.  For a single output, at the
   end of a run as a rule, a shorter step is more exact. */
static inline bool limex_is_pressed(const struct stepper *s)
{
    return s->stages.pressed >= 2;
}

/* limex_dense.c: interpolate of the method table.  Order: part->order, one below that of the row that the part ended with, less part->drops, but 3 at least. */
void limex_interpolate(struct stepper *s, struct part *part, double t, int derivative, double *out);

/* y' at the end of the step at work. */
void limex_end_slope(const struct stepper *s, struct part *part, double *out);

/* Squares of the error of dense output in the step at work, in units of the tolerance: square[columns], not yet times the norm's
   share.  It is that of the polynomial with a derivative less.  Chooses the polynomial, once for a row, and sets row_inside[] of the part. */
void limex_measure_inside(struct stepper *s, struct part *part, struct work *w, double *square);

#endif
