/* SPDX-License-Identifier: Apache-2.0 */
/* Consistent initial values of an implicit problem (docs/dae.md).  With the differential components of y kept, the equations
     r(t, y, y') = 0, and d/dt of the constraints of index 2,
   are solved for y' of the differential components and y of the algebraic ones; the matrix of that system is
     K = M - J restricted to (algebraic columns or constraint rows),
   which is singular when the index is higher.  The same K gives S' and the algebraic rows of S, and the derivatives of the
   algebraic components, which the first predictor needs. */
#ifndef DRIVE_CONSISTENT_H
#define DRIVE_CONSISTENT_H

#include <stdbool.h>
#include <tansy/problem.h>
#include <tansy/status.h>

#include "base/arena.h"
#include "base/message.h"
#include "drive/coupled.h"
#include "linear/linear.h"
#include "matrix/panels.h"

struct tansy_solver;

struct consistent {
    double *yp;                /* yp[n] = y'(t) where the histories begin */
    double *ypp;               /* ypp[n]: y'' of the differential components there */
    tansy_kind *kind;          /* kind[n] of the components */
    bool *flat;                /* flat[n]: equation i has no derivative in it */
    bool *constraint;          /* constraint[n]: equation i is a constraint of index 2 */
    double *iterated, *tested; /* masks for norms, see struct norms */
    struct lever *lever;       /* of the multipliers, for the corrector's norm */
    double *delta, *dy, *dyp;  /* the solution of K delta = r, and what it changes in y and y' */
    double *given;             /* y before it was made consistent */
    double *moved, *slope, *other; /* room for vectors */
    double *panel;                 /* room for three panels */
    double *room;                  /* room for derive_rate_matrix */
    const double *rate_error;      /* rate_error[n*n]: what differences leave in M; NULL: nothing */
    double *allowed;               /* allowed[n]: what may be left in F, see consistent_allow */
    double *reach;                 /* reach[n]: y' that counts as the weights of y do; 0: unknown */
    double swing;                  /* the largest change of y' so far */
    double *terms;                 /* terms[n]: how large the terms of F with y in them are */
    double *weights;               /* reciprocal error weights of a panel, for Krylov iteration */
    double *dense, *dense_row; /* factors of K beside gmres, and scales; NULL: too many equations */
    int *dense_pivot;
    struct linear direct;   /* of K beside gmres, if its preconditioner fails; .table NULL: none */
    bool dense_is_made;     /* since consistent_factor */
    bool is_direct;         /* since consistent_factor: it has the factors of K */
    bool rates_missing;     /* y' of algebraic components or S' were not found by gmres */
    struct coupled coupled; /* K, when M is coupled: then .n > 0 */
    double came;            /* direction of the run before the restart; 0: none was */
    bool has_guess;         /* yp is a first guess of y' where the run begins */
    bool is_of_run;         /* y0 is a point of another solver's run */
    double *tried;  /* tried[3*n]: other guesses of y', and the y and y' one of them led to */
    bool *shows;    /* shows[n]: room */
    bool *rated;    /* rated[n]: y' of the component is in F somewhere; known once is_probed */
    bool is_probed; /* once in a run */
    bool is_coarse; /* algebraic components were found whose size was not known */
    bool is_judged; /* sizes were, where this run begins */
    bool
        is_unsized; /* sizes of components are to be expected once it is known how long the run is */
    bool is_kept;   /* until then start_kept.h has what the user gave */
    bool is_doubtful; /* differences in time were not known to the tolerance at the start, */
    bool is_refused;  /* nor well enough to go on */
    bool is_strict;   /* what is found is to be given out: it must be known to the tolerance */
    bool is_begun;    /* histories have begun at t0, and |y'| there is */
    double size;
    double first_slope; /* |y'| of the state where histories last began, in units of its weights */
    double rate_span;   /* the step of t in differences along the solution */
    double run;         /* how far the run is asked to go from t0; 0: not known yet */
    double
        pace; /* a time in which y moves by its size, as J and M have it at the start; 0: none known */
    double unit; /* of time that differences have confirmed to be no shorter; 0: none */
    size_t algebraic, multipliers, constraints;
    bool was_moved;   /* the initial values were inconsistent: this component went so far */
    bool was_dropped; /* it is a state whose derivative has no coefficient there */
    size_t component; /* (not one of a later start) */
    double from, to;
    size_t replacements; /* so were, of a coupled M, components that have a derivative: */
    size_t replaced;     /* the one that was moved farthest */
    double replaced_from, replaced_to;
    size_t shifted;   /* the algebraic component that was moved farthest from its given value, */
    double distance;  /* in units of its error weight; 0: none was */
    bool *held;       /* held[ns]: columns of index 2 kind (consistent_held.c), */
    size_t helds;     /* how many, */
    size_t held_row;  /* and an equation that makes the first one so */
    size_t looked_at; /* how many components were algebraic when it was last looked for them */
    struct message
        reason; /* why the last solver_slope() found no consistent values, if it did not */
};

void consistent_layout(struct tansy_solver *s, struct arena *arena, size_t widest);

/* Finds y' and the algebraic components of s->y0 at time t; K is left factored in slot 0. */
tansy_status consistent_state(struct tansy_solver *s, double t);
tansy_status consistent_find(struct tansy_solver *s, double t); /* its part in consistent.c */

/* The change of y' that d/dt F = 0 asks for, of algebraic components or along the null space of M, into dy, and ypp: 0; 1: it cannot be had,
   both are 0; negative: stop.  After consistent_factor. */
int consistent_rates(struct tansy_solver *s, double t);
/* ypp where histories have begun; that of a regular dF/dy' is found only now, 0 where it cannot be had.  A negative code of a function. */
int consistent_bend(struct tansy_solver *s, double t);

/* A length of time for differences along a solution that moves with v: this share, eps^(1/3), of that in which it does. */
extern const double consistent_share;
double consistent_span(const struct tansy_solver *s, double t, const double *v);

/* A unit of time for it where y says nothing, and the length of the run, or max_step; where that is not known yet, the pace, or what is left: |t|, or 1. */
double consistent_unit(const struct tansy_solver *s, double t);
double consistent_length(const struct tansy_solver *s);
double consistent_time_scale(const struct tansy_solver *s, double t);

/* r_t of the constraints of index 2 into slope, by differences that agree best, or TANSY_INCONSISTENT where that is not well enough at the start; rate_span is what served. */
tansy_status consistent_time_slope(struct tansy_solver *s, double t);

/* That of second differences, and where their middle lies, so that all of it may be looked at. */
double consistent_wider(const struct tansy_solver *s);
double consistent_shift(const struct tansy_solver *s, double t, double span);

/* F = 0 and, of a panel, F_y s + F_y' s' + F_p u = 0 hold at what was found, as far as the tolerances can tell; else
   TANSY_INCONSISTENT. */
tansy_status consistent_check_state(struct tansy_solver *s, double t);
tansy_status consistent_check_panel(struct tansy_solver *s, const struct panel *panel,
                                    const double *V, const double *V_rate, const double *R);

/* Notes what may be left in the equations, from J and M, which are compressed. */
void consistent_allow(struct tansy_solver *s);
void consistent_note_reach(struct tansy_solver *s);

/* dy and dyp in units of what may be left of them; and a change of y' relative to the largest, of which so much is rounding: 0 where it
   does not count. */
double consistent_change(struct tansy_solver *s);
double consistent_rate_change(const struct tansy_solver *s, const double *change_of_rate);
extern const double consistent_settled;

/* Of a direction v in which y moves with t: its algebraic part such that equations of index 1 go on to hold.  After
   consistent_state.  Codes as in derive.h; above 0 v is as it was. */
int consistent_tangent(struct tansy_solver *s, double t, double *v);

/* consistent_held.c: looks which columns of a panel need derivatives of algebraic components, where a run or a piece begins; after consistent_panel.  A negative code
   of a function, or 0. */
int consistent_note_held(struct tansy_solver *s, const struct panel *panel);
void consistent_forget_held(struct tansy_solver *s);

/* Finds kinds and constraints at (t, y0, yp) and factors K. */
tansy_status consistent_factor(struct tansy_solver *s, double t);

/* The factors of K where the preconditioner of gmres found a zero pivot, which need not be one of K's: as .factor of linear.h; that
   pivot if there is no other linear solver. */
ptrdiff_t consistent_factor_directly(struct tansy_solver *s, ptrdiff_t pivot);

/* Moves y0, and columns V with R = J V + r_p u, onto the constraints of index 2 (consistent_project.c), if they are off by what counts and may be
   moved.  After consistent_factor, with r in equations.f.  Codes as in derive.h. */
int consistent_project(struct tansy_solver *s, double t);
int consistent_project_panel(struct tansy_solver *s, const struct panel *panel, double *V,
                             const double *R, bool *moved);

/* Where K is singular at y' = 0: y' was not given, and F shows some of it elsewhere; then Newton's method from other y'. */
typedef tansy_status consistent_iteration(struct tansy_solver *s, double t);
bool consistent_may_guess(const struct tansy_solver *s, double t);
tansy_status consistent_guess(struct tansy_solver *s, double t, consistent_iteration *iterate);

/* F may be evaluated at t + by: not beyond the stop time, nor, at the stop time itself, ahead. */
bool consistent_may_look(const struct tansy_solver *s, double t, double by);

/* The error weight of component i at y0, or at another value; of one without a size nothing says yet
   which share of it may be neglected. */
double consistent_weight(const struct tansy_solver *s, size_t i);
double consistent_weight_at(const struct tansy_solver *s, size_t i, double value);

/* Solves K X = R in place for a panel (NULL: a vector) and adds what it means to values (y or S) and rates (y' or S'); either may be NULL.
   0; or Krylov iteration fails: 1, negative: stop, and worker 0 has a failure if it was a function. */
int consistent_solve(struct tansy_solver *s, const struct panel *panel, double *R, double *values,
                     double *rates);

/* The same as well as can be, for what is not looked at again; rates_missing is noted where it fails. */
int consistent_solve_finely(struct tansy_solver *s, const struct panel *panel, double *R,
                            double *values, double *rates);
/* More iterations for y' and the algebraic y0 by that, until they settle, beside gmres, whose tolerance knows no units of time. */
int consistent_polish(struct tansy_solver *s, double t);
void consistent_layout_dense(struct tansy_solver *s, struct arena *arena);

/* S' and the algebraic rows of S of one panel: V in and out, V_rate out.  After consistent_state; the panels must be linearised
   at the state (equations_linearise). */
tansy_status consistent_panel(struct tansy_solver *s, const struct panel *panel, double *V,
                              double *V_rate);

#endif
