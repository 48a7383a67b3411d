/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of components, which automatic absolute tolerances follow (docs/sensitivities.md): size_i is
   the largest |y_i| of the run so far.  A component that begins at 0 has the size that it is seen to
   take in the first moment, in which no rate changes by more than itself. */
#ifndef DRIVE_SIZES_H
#define DRIVE_SIZES_H

#include <stdbool.h>
#include <tansy/status.h>

struct tansy_solver;

/* The size of a component while all that is known of it is 0. */
extern const double sizes_nothing_known;

/* A run begins at y0: what was known of another is forgotten. */
void sizes_begin(struct tansy_solver *s);

/* Those of another solver's run, of which y0 is a point. */
void sizes_take(struct tansy_solver *s, const struct tansy_solver *run);

/* Histories begin at t with y0, whose derivative is rate[n]: components without a size are given one. */
tansy_status sizes_expect(struct tansy_solver *s, double t, const double *rate);

/* On the way to consistent values, with J and M at hand: a component without a size has for the time
   being what balances the largest term of an equation, y' being y divided by the length of the run. */
void sizes_balance(struct tansy_solver *s, double t);

/* An attempt to make a step has passed its error test.  *any: in it components that were 0 so far are no
   longer, and the test did not know their size: it is to be made again.  A code of f below 0, or 0. */
int sizes_leave_zero(struct tansy_solver *s, bool *any);

/* A step that is hardly seen in t has failed its error test.  Of a component that has just left 0, as
   (t - c)^1.5 does, errors relative to itself are the same in a step of any length; but rounding of t
   moves it as far as this step, and its automatic tolerance need not be below that while rounding of t is
   nothing beside the run.  True: one was. */
bool sizes_allow_rounding(struct tansy_solver *s);

/* Components have got a size that were 0 so far: what roundings make of them in a step of length H, from J at (t, y); rate[n] is y' there, or NULL, of
   y' = f: f.  A negative code of a function, or 0. */
int sizes_find_rounding(struct tansy_solver *s, double t, const double *y, const double *rate,
                        double H);

/* The same in the steps to come. */
void sizes_follow_rounding(struct tansy_solver *s, const double *y, double h);

/* The run has come to y. */
void sizes_follow(struct tansy_solver *s, const double *y);

#endif
