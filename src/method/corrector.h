/* SPDX-License-Identifier: Apache-2.0 */
/* The three ways to solve for the columns of S after (or with) the state, shared by all implicit multistep
   methods.  They see the predictor (y0, d0 = h y0'), the leading coefficient c and W = c M - J only. */
#ifndef METHOD_CORRECTOR_H
#define METHOD_CORRECTOR_H

#include "method/method.h"

struct corrector {
    const char *name, *title;
    tansy_sensitivities option; /* by which the user asks for it */
    bool together; /* state and panels share one iteration: prepare and panel are not called */

    /* After the state has passed its test: derivatives at (t + h, y) and, for direct, factors there. */
    enum verdict (*prepare)(struct stepper *s);

    /* Solves for e[now] of a panel whose predictor is in w. */
    enum verdict (*panel)(struct stepper *s, struct part *panel, struct work *w, size_t worker);
};

extern const struct corrector corrector_direct, corrector_staggered, corrector_simultaneous;
extern const struct corrector *const corrector_tables[]; /* of multistep methods; NULL at the end */
extern const struct corrector corrector_tangent, corrector_difference; /* of one-step methods, */
extern const struct corrector corrector_rows_staggered, corrector_rows_simultaneous,
    corrector_rows_difference; /* and of extrapolation */

/* One iteration for a part, from the value y: e[now] and w->y = y0 + e; *square is that of the norm of the change
   in units of the error test.  first: e is zero so far. */
enum verdict corrector_improve(struct stepper *s, struct part *part, struct work *w, size_t worker,
                               bool first, double *square);

/* The state at a point of the step at work, once f or its derivatives had no value at one (a root, a power, log x in d(x^n)/dn): a
   component that is negative by less than a rounding of its atol is 0.  Formulas with weights of both signs take
   what leaves 0 flatter than their order, x = c t^25, to -1e-190, at every h, and roundings of f what is near 0 to -1e-33. */
void corrector_lift(const struct stepper *s, double *y);

/* The point of a part at work is ready: y, and of an implicit problem y' = y0' + c e in w->yp; `first`: e is zero so far. */
void corrector_fill_slope(const struct stepper *s, const struct part *part, struct work *w,
                          bool first);
static inline void corrector_slope(const struct stepper *s, const struct part *part, struct work *w,
                                   bool first)
{
    if (part->kind == PART_STATE) corrector_lift(s, first ? w->y0 : w->y);
    if (w->yp) corrector_fill_slope(s, part, w, first);
}

/* The state at the end of the step, predicted or as it is at work; w->yp must belong to it. */
struct point corrector_point(const struct stepper *s, bool predicted);

/* r = W^-1 times the residual of a part at its value at work, or at the predictor (first). */
enum verdict corrector_solve(struct stepper *s, struct part *part, struct work *w, size_t worker,
                             bool first, double *r);

/* Modified Newton iteration for one part with the factors at hand: e[now] and w->y = y0 + e. */
enum verdict corrector_iterate(struct stepper *s, struct part *part, struct work *w, size_t worker);

/* Evaluates J at the predictor and factors W there. */
enum verdict corrector_renew(struct stepper *s);

/* The state: iterates with old factors, renews them at the predictor when they are stale or fail. */
enum verdict corrector_state(struct stepper *s);

/* State and panels in one iteration (Maly and Petzold 2.1). */
enum verdict corrector_together(struct stepper *s);

/* What the return code of a user function or of a factorisation means for the attempt; the part remembers
   what the worker says of the failure. */
enum verdict corrector_verdict(struct stepper *s, struct part *part, size_t worker, int code);

/* The share of the error tolerance that is left to the iteration, LSODE's CONIT. */
double corrector_share(const struct stepper *s, const struct part *part);

/* Sizes and rates are squares throughout: a root would be waited for in every iteration. */

/* The convergence rate after an iteration that shrank the change by `now`, forgetting the old one slowly:
   max(now, 0.2 rate). */
static inline double corrector_rate(double rate, double now)
{
    return now > 0.04 * rate ? now : 0.04 * rate;
}

/* The error that an iteration with a change of this size leaves: size min(1, 1.5 rate). */
static inline double corrector_left(double size, double rate)
{
    return rate < 1 / 2.25 ? size * 2.25 * rate : size;
}

/* What it may leave. */
static inline double corrector_room(const struct stepper *s, const struct part *part)
{
    double const share = corrector_share(s, part);
    return share * share;
}

#endif
