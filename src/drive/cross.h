/* SPDX-License-Identifier: Apache-2.0 */
/* Switching points: what turns there, jumps of S, corners, branches without a value.  The functions of cross*.c. */
#ifndef DRIVE_CROSS_H
#define DRIVE_CROSS_H

#include "drive/events.h"

/* cross.c: turns what crosses at e->at, adds the jumps to S and starts anew there. */
tansy_status events_cross(struct tansy_solver *s);

/* cross_order.c: the next that crosses, `sure` or one that f drives across, in the order in which they lie along the solution; the number
   of switches: none. */
size_t events_next_crossing(struct tansy_solver *s, size_t sure);

/* g_j has been turned at t, and the new f drives it to another part of its surface, a little ahead: in no sliding. */
bool events_returns_elsewhere(const struct tansy_solver *s, double t, size_t j);

/* After all that crosses has been turned, rates in e->rate_after: early[]. */
void events_find_early(struct tansy_solver *s);

/* g_y s + g_p of all conditions and the columns of a panel at (t, y0), with f in e->f and g in e->value, into e->G. */
int events_columns_of_g(struct tansy_solver *s, double t, const struct panel *q);

/* dT/dp of the root of g_j for all columns into e->delay, and how far those of the others are from it; *size: the largest. */
int events_find_delays(struct tansy_solver *s, double t, size_t j, double *size);

/* s+ = s- + (f- - f+) dT/dp, if it moves; then f+ is the f- of what comes next. */
void events_jump(struct tansy_solver *s, bool moves);

/* cross_rounding.c: how well the rate of g_j, in e->rate, is known, before it is turned; then, with f- in e->f, f+ in e->f_after and dT/dp in e->delay, whether the jump of S is. */
void events_doubt_rate(struct tansy_solver *s, double t, size_t j);
void events_judge_jump(struct tansy_solver *s, double t, size_t j);

/* What e->slope_error is worth in the rate of g_j, which is that of slopes f in e->rate; g in e->value. */
double events_error_of_rate(struct tansy_solver *s, double t, size_t j, const double *f);

/* cross_corner.c: notes points where S is one-sided.  At t0. */
void events_corner_at_start(struct tansy_solver *s);

/* cross_break.c: the same at a break, before it and after it. */
void events_corner_before_break(struct tansy_solver *s, double t);
void events_corner_at_break(struct tansy_solver *s, double t);
void events_layout_break(struct tansy_solver *s, struct arena *arena);

/* side->jump, from its modes and its piece: f with the condition of j not holding less f with it holding, and with what jumps with it;
   false: it is not known. */
bool events_find_jump(struct tansy_solver *s, double t, size_t j, struct break_side *side);

/* At a switching point: before all; when a surface led by j, with the others of its group, is turned, f before it in f, after it
   in f_after, its dT/dp in delay (NULL: none of its own); when j stands at its surface too and its own dT/dp, in e->delay, may not be this one. */
void events_corner_begin(struct tansy_solver *s, double t);
void events_corner_stage(struct tansy_solver *s, double t, size_t j, const bool *group);
void events_corner_dropped(struct tansy_solver *s, double t, size_t j, const double *delay);
void events_corner_overtaken(struct tansy_solver *s, double t, size_t j);
void events_corner_evaded(struct tansy_solver *s, double t, size_t j, size_t leader);
void events_layout_corner(struct tansy_solver *s, struct arena *arena);

/* What cross_flat.c and cross_break.c use of it: false for a code other than 0, which is kept if the run is to stop; notes a corner;
   modes with j turned and what jumps with it, false: that is not known; the same from these modes on this piece; moves[]; g_j stays
   at zero, as far as bounds at (t, y0), or g itself, can tell. */
bool events_is_known(struct events *e, int code);
void events_note(struct events *e, double t, size_t j, ptrdiff_t other);
bool events_flip(struct tansy_solver *s, double t, size_t j, double *mode);
bool events_flip_on(struct tansy_solver *s, double t, size_t j, const double *from, size_t piece,
                    double *mode);
int events_find_moves(struct tansy_solver *s, double t);
int events_find_moves_either_way(struct tansy_solver *s, double t, const double *rate);
bool events_point_bounds(struct tansy_solver *s, double t);
bool events_stays(const struct events *e, size_t j, const double *rate, bool bounded);

/* g_j is on its way across its surface, which it reaches or has left in no time; how many stand at theirs at (t, y0), where the bounds
   are known; f with these modes and this piece, false: it has no value there, or wants to stop. */
bool events_passes(const struct events *e, size_t j, const double *rate);
size_t events_count_standing(const struct events *e, const double *rate, bool bounded);
bool events_slope_with(struct tansy_solver *s, double t, const double *mode, size_t piece,
                       double *f);

/* The same on the piece at hand, with the values of algebraic components in their places. */
bool events_solution_with(struct tansy_solver *s, double t, const double *mode, double *f);

/* How near the point nearby is, in shares of the scales of columns. */
extern const double events_nearness;

/* cross_flat.c: y', or the values of algebraic components, and g at a point nearby, (y + d s, p + d u) with a little of every column, with
   these modes.  Returns 0, or a code. */
int events_look_nearby(struct tansy_solver *s, double t, const double *mode, double *f, double *g);

/* By how much component i may differ there, or its f in many steps: ten tolerances of a column whose size is that share of y/p. */
double events_bearable_nearby(const struct tansy_solver *s, size_t i, double of_y);

/* cross_flat.c: finds the switches that stay at their surface from t on, with these rates, and tells those on which S depends.
   Before and after a switching point: also those on which something that crosses depends, if f jumps. */
void events_corner_stays(struct tansy_solver *s, double t, const double *rate, ptrdiff_t why);
void events_corner_flat_before(struct tansy_solver *s, double t);
void events_corner_flat_after(struct tansy_solver *s, double t);

/* After a step: the same once more for those on which S did not depend where they began to stay. */
void events_corner_flat_later(struct tansy_solver *s);

/* watch_tie.c: after a step, conditions that errors of algebraic variables decide. */
void events_layout_tie(struct tansy_solver *s, struct arena *arena);
void events_forget_ties(struct events *e);
void events_look_for_ties(struct tansy_solver *s);
void events_layout_flat(struct tansy_solver *s, struct arena *arena);

/* cross_refuse.c: the errors, as messages, of g_j that is touched only, has no slope, or is driven back. */
tansy_status events_refuse_grazing(struct tansy_solver *s, double t, size_t j);
tansy_status events_refuse_noise(struct tansy_solver *s, double t, size_t j);
tansy_status events_refuse_sliding(struct tansy_solver *s, double t, size_t j);

/* cross_noise.c: g_j, which has just crossed, is but rounding errors, or jumps. */
bool events_is_noise(const struct tansy_solver *s, size_t j);

/* g_j is but rounding, or was turned so, or has left the band it was held in, f- in e->f: f with these modes is that with the others at the surface. */
bool events_jump_vanishes(struct tansy_solver *s, double t, size_t j, const double *other);

/* It depends on algebraic variables, by which a branch may hold it at 0. */
bool events_has_algebraic(struct tansy_solver *s, double t, size_t j);

/* Where the leader is that, and another that crosses is not, that one leads: the time is that of its root. */
void events_lead_smoothly(struct tansy_solver *s);

/* Switch j has turned: the one that does so by noise over and over gets a band. */
void events_hold(struct tansy_solver *s, double t, size_t j, bool noise);

/* cross_hidden.c: all over the step g_j is below, or `far` below, what errors of y as large as atol are worth in it, and nothing hangs on its sign: it is held until it is beyond that, or something does;
   false: it is not so, or holding it was in vain.  At the event, g in e->value. */
bool events_hide(struct tansy_solver *s, double t, size_t j, bool far);

/* The leader, with rates in e->rate, is that, or crosses in the dense output alone: it is held, and is not to be turned. */
bool events_stay_behind(struct tansy_solver *s, double t);

/* After a step: those of which that is so no more count again. */
void events_look_at_hidden(struct tansy_solver *s);
void events_forget_hidden(struct events *e);
void events_layout_hidden(struct tansy_solver *s, struct arena *arena);

/* It counts as on the side of its mode up to so much beyond zero. */
void events_hold_still(struct tansy_solver *s, double t, size_t j, double size);

/* cross_limit.c: at an event, before all; f at the surface is made its limit where it is but rounding: f- at (t, y0), of dense output; f+ in
   e->f_after after j has been turned, with f- in e->f.  A negative code of f. */
void events_layout_limit(struct tansy_solver *s, struct arena *arena);
void events_begin_limits(struct tansy_solver *s);
int events_limit_before(struct tansy_solver *s, double t, double *f);

/* cross_consistent.c: of an implicit problem there are no limits; but y' that is not at all that of dense output is no y': dense output counts, and S is
   not known behind t. */
int events_check_before(struct tansy_solver *s, double t);
int events_limit_after(struct tansy_solver *s, double t, size_t j);

/* At a root at t, y there in y0: how far before it f is but rounding, so that no step should end there; 0: not at all. */
double events_rough_before(struct tansy_solver *s, double t);

/* S is not known behind the surface of j, at t. */
void events_note_loss(struct events *e, double t, size_t j);

/* cross_leap.c: where f+ was that: y0, sens0 and *t go on to where it is known again, if nothing turns in between; else S is lost. */
tansy_status events_leap(struct tansy_solver *s, double *t);

/* t lies within the last leap, before the last step, whose polynomial says nothing of it; and y, or y', there. */
bool events_is_in_leap(const struct tansy_solver *s, double t);
void events_output_leap(const struct tansy_solver *s, double t, int derivative, double *y);

/* cross_passage.c: output where an event leads y and S on to a later time: at the event, before all, y in y0; dT/dp in e->delay; and
   the next step begins at t. */
void events_layout_passage(struct tansy_solver *s, struct arena *arena);
void events_begin_passage(struct tansy_solver *s);
void events_note_delays(struct events *e, size_t ns);
void events_end_passage(struct tansy_solver *s, double t);
bool events_is_in_passage(const struct tansy_solver *s, double t);
void events_output_passage(struct tansy_solver *s, double t, int derivative, double *y,
                           double *sens);

/* edge.c: a length of time such as steps have that have shrunk as far as they can; the user's min_step, at which they stop far
   from any root, is none. */
double events_shrunk(const struct tansy_solver *s);

/* True when steps fail because a frozen branch ends at its condition's root, just ahead: the switch is to be turned
   here. */
bool events_at_edge(struct tansy_solver *s);

/* cross_edge.c: after starting at (t, y0) in this direction has failed because a derivative is infinite where a condition is
   crossed with a speed: y0 and S go on by a few roundings of `unit`, a size of times, and the failure is forgotten.  False: that was not it. */
bool events_step_aside(struct tansy_solver *s, double t, double direction, double unit);

/* The rates at (e->at, y0) along f into e->rate, g there in e->value.  Slopes that are infinite there, and not beside it, of g that are
   far from zero are 0 from now on. */
int events_rates_at_root(struct tansy_solver *s);
/* f- there; a code, above 0 also where a g has no value there: that of an implicit problem may have a branch of an algebraic variable in it, which F has not. */
int events_slope_at_root(struct tansy_solver *s);

/* At a root, with y' in e->f: where it is not quite reached, by consistent values or as a step begins there, and conditions that it
   guards have no value yet, e->at, y0 and sens0 go on to where they have. */
int events_go_across(struct tansy_solver *s);

/* cross_apex.c: the leader stands at its root, g in e->value and y' in e->f, and f beyond it has no value there, but has one in every
   direction; then e->at and y0 go on a little, along the direction that f itself has there, e->f is that of the old modes.  0, or
   a code.  Once S has jumped, and before histories begin at t, its columns follow, if y0 has done so. */
bool events_is_apex(struct tansy_solver *s);
int events_leave_apex(struct tansy_solver *s);
int events_settle_columns(struct tansy_solver *s, double t);

/* y0 that is e->y_start + time f(t, y0), with these modes; or goes along e->f, where none is found. */
void events_settle_direction(struct tansy_solver *s, double t, double time, const double *mode);

/* After steps have become too small for the error test: true when a condition's root is just ahead, or behind, where S' may be
   infinite; events_cross() is then to turn it, if it is ahead, and to go on beyond it. */
bool events_pass_edge(struct tansy_solver *s);
tansy_status events_go_beyond(struct tansy_solver *s, double *t);

/* cross_bridge.c: after a step without an event: one is due where a condition is so near to a root with an infinite slope that steps no longer lead there. */
void events_look_for_bridge(struct tansy_solver *s);

/* After steps have become too small: one is due where a condition is but rounding at its root, and may rest there. */
bool events_rest_at_edge(struct tansy_solver *s);

/* A way of g_j to its root, or from it. */
struct bridge {
    size_t j;
    double t, time;       /* where it begins; how long it is, with the sign of the run */
    double rounding;      /* of g_j */
    double *from, *to;    /* f where it begins and ends */
    const double *at, *f; /* y off the surface, and f there */
    double t_at;
};

/* cross_bridge_columns.c: all columns of sens0 over it, dT/dp in e->delay; *off: their error, in units of bridge_negligible error weights.  Above `most` they stay
   as they are.  0, or a code; 1: S has no value then. */
static const double bridge_negligible = 0.1;
int events_bridge_columns(struct tansy_solver *s, const struct bridge *b, double most, double *off);

/* At such an event, e->at, y0 and sens0, in that order, go on to the root; or come to rest there: then nothing is turned, e->leader is SIZE_MAX. */
int events_arrive(struct tansy_solver *s);

/* cross_rest.c: at (t, y0) those of infinite slope that are within so many roundings of their roots, and e->leader, stay there, *rests, and are held, if they are no fewer than `least`; y0 and S lose
   their part across the surfaces, e->leader is SIZE_MAX.  Where steps creep, a small flow that goes on does not count. */
int events_rest_together(struct tansy_solver *s, double t, double roundings, size_t least,
                         bool creeps, bool *rests);
void events_layout_rest(struct tansy_solver *s, struct arena *arena);

/* cross_rest_start.c: after a start at (t0, y0) has failed because a derivative is infinite: those at their roots rest there, if no column moves them, and the
   failure is forgotten. */
bool events_rest_at_start(struct tansy_solver *s, double direction);

/* Where starting anew at (t, y0) has failed so, behind steps as long as `stride`: once more with those within rounding of their roots at rest, or a little aside. */
tansy_status events_start_beside(struct tansy_solver *s, double t, double stride);

/* At a root of the leader, f before it in e->f: where f before it and behind it leave g there, it is held as it is, and e->leader is SIZE_MAX. */
int events_stop_at_rest(struct tansy_solver *s);

/* Roundings beyond which g stands then, as a time. */
double events_time_across(const struct events *e);

/* y0 and sens0 at *t, after all has been turned, go on beyond the root that was reached so, or of one that was held at rest, to where S' is finite. */
int events_leave(struct tansy_solver *s, double *t);

/* The condition at whose root a derivative is not finite; false: there is none. */
struct name;
bool events_name_edge(struct tansy_solver *s, double t, struct name *name);

/* Of f that has no value at (t, y0): a condition at its root on whose other side it has one. */
bool events_name_branch(struct tansy_solver *s, double t, struct name *name);

#endif
