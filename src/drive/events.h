/* SPDX-License-Identifier: Apache-2.0 */
/* Discontinuities (docs/switches.md): switches g_j(t, y, p), whose conditions are frozen between two switching points,
   and break times.  A step that passes a root ends there; before the next step the conditions are turned over, S gets
   its jump and the method starts anew.  Until then everything is as it was on the near side. */
#ifndef DRIVE_EVENTS_H
#define DRIVE_EVENTS_H

#include <tansy/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "drive/remains.h"

struct tansy_solver;

enum {
    SAMPLES = 5, /* points of a step at which g is looked at, both ends included, */
    PROBES = 2,  /* and more to see whether these tell all */
    LOOKS = SAMPLES + PROBES,
    SLOPES = 3,     /* directions in which gradients of g are compared */
    SEEN = 4,       /* rows of what is known of the size of g */
    REMEMBERED = 8, /* switching points for the report */
    BERNSTEIN = 13  /* coefficients of a polynomial at most */
};

/* Why S is one-sided: it starts there, a break time is there, it stays there, it only touches; else the number of another switch. */
enum { CORNER_START = -1, CORNER_BREAK = -2, CORNER_FLAT = -3, CORNER_TOUCH = -4 };

/* The gradient of one g in (t, y): g_t + g_y v for SLOPES directions v, the last of them f-. */
struct slopes {
    double v[SLOPES];
    bool known, grazing; /* grazing: hardly a slope along f- */
};

/* One side of a break. */
struct break_side {
    double *mode; /* mode[switches] */
    double *rate; /* rate[switches]: dg/dt */
    double *G;    /* G[switches*ns] = (dg/dy) s + (dg/dp) u, 0 where that is but rounding */
    double *jump; /* jump[n]: f before a switch less f after it */
    bool *here;   /* here[switches]: g passes its surface there */
    size_t piece;
    bool any, known; /* some do; what is above is known */
};

/* From the end of a step, with y, f and the modes there, over a root to the beginning of the next (cross_passage.c), and the root's dT/dp. */
struct passage {
    double from, root, to;
    size_t piece;
    double *y, *f, *delay, *mode;
};

struct events {
    bool any;    /* the problem has switches or breaks */
    bool within; /* a root is sought before `settled`, */
    int degree;  /* watch_range.c: for which `inverse` is known */
    size_t switches, breaks;
    const double *break_times;
    size_t piece;   /* break times at or below the piece at work */
    double *mode;   /* mode[switches], then the piece as a number: the end of the solver's p */
    double *sample; /* sample[LOOKS*switches]: g along the last step, row 0 where it began */
    double *begin;  /* begin[switches]: its row 0 as it was before the look at the last step */
    size_t rows;    /* rows of it that are known */
    double *value;  /* value[switches]: g at the far end of a bracket, or at the switching point */
    double *low;    /* low[switches]: at its near end */
    double *trial;  /* trial[switches]: at the point being tried, or after turning */
    double *rate, *rate_after; /* rate[switches]: dg/dt along the solution, before and after */
    double *rate_probe;        /* rate_probe[switches]: along something else */
    double *G;                 /* G[switches*lanes] = (dg/dy) s + (dg/dp) u of a panel */
    double *delay;             /* delay[ns] = dT/dp of the switching point at work */
    double *apart;             /* apart[switches]: how much its own dT/dp differs from that */
    double *f, *f_after;       /* f[n] on the near and far side */
    double *y_start;           /* modes.c, cross_apex.c: y0[n] where it steps off an edge */
    double apex,
        share; /* cross_apex.c: by how much time y0 has, S has not yet; shares of the way there */
    bool *crossing, *turned; /* of the switching point at work: yet to be turned; turned */

    /* surface.c: switches of one surface, and what depends on them */
    double *probe;               /* probe[n]: a direction in the space of y */
    double *slope, *slope_after; /* slope[SLOPES*switches], before and after turning */
    double *mode_before;         /* mode_before[switches]: before the surface at work, */
    double *mode_final;          /* and after it */
    bool *member, *wanted;       /* of the group at work; may join it */
    bool *together;              /* turned at one surface, not because another was */
    bool *stage, *kept, *alike;  /* cross.c: the same of a part of it; kept[2*switches]; to be it */
    bool *bent; /* bent[switches]: since it was last turned another has turned its slope over; */
    bool *was_bent;  /* the same when it was last turned */
    bool *sent_back; /* sent_back[switches]: watch_touch.c: since then what it set going has */
    bool *early;     /* early[switches]: turned a little before its surface, where it is not yet */
    bool *blocked, *changed; /* depends on the group at work; is yet to be decided anew */
    double ahead;            /* direction of the run, +1 or -1 */
    double *drift;           /* drift[n], see events_find_drift(); NULL: of an implicit problem */
    double
        *slope_error; /* slope_error[n]: what the slopes with it may be wrong by (cross_slope.c) */
    double reach;     /* how far the run is to go; 0: not known */
    double soon;      /* a time that is none: what crosses within it crosses now */

    /* cross_consistent.c: of an implicit problem, else NULL */
    double
        *y_from; /* y_from[n]: y that sens0 belongs to; consistent values are sought from there */
    double *y_given;         /* y_given[n]: y_from before modes were looked for */
    double *y_last, *y_kept; /* y0 before the last search, and while other modes are tried */
    double *f_here;          /* f_here[n]: y' that nobody asked for */
    bool *
        soft; /* soft[switches]: g_j depends on a multiplier of index 2, whose dense output is rough */
    size_t softs; /* how many do */

    /* watch_tie.c: of an implicit problem */
    double
        *worth; /* worth[switches]: what the error weights of algebraic variables are worth in g */
    size_t *tied;     /* tied[switches]: steps in a row that ended with |g| below that */
    size_t looks;     /* steps so far, */
    size_t next_look; /* and before a closer look */
    size_t ties;      /* how many were told; the first: */
    double tie_at;
    size_t tie;

    /* watch_scan.c, watch_range.c: stretches of a step */
    double *scan;   /* scan[LOOKS*switches]: g at the samples and probes of one */
    double *nodes;  /* nodes[(max_order + 3)*n]: y at Chebyshev points, two rows of coefficients */
    double *box_y;  /* box_y[4*n]: bounds of y and y' */
    double *bounds; /* bounds[4*switches] of g and its rate; NULL: the problem has none */
    double inverse[BERNSTEIN][BERNSTEIN], amplify; /* from values to coefficients, and its norm */
    bool *loose; /* loose[switches]: the last bounds do not tell about it */
    unsigned *
        vague; /* vague[switches]: for so many steps more its values count, as its bounds are too wide */
    unsigned *in_vain; /* in_vain[switches]: how many times in a row that was found */
    size_t vagues;     /* how many are vague; without bounds none */

    /* watch_blind.c */
    bool *unseen;  /* unseen[switches]: g has no value at the point at work */
    size_t blinds; /* how many have none where the last step ended, and nothing depends on them */

    size_t unsure; /* steps whose g was not looked at closely enough to be certain of it */
    double *band;  /* band[switches]: g above -band is on the side of its mode; 0 but for noise */
    double *
        seen; /* seen[SEEN*switches]: the largest |g| at the ends of steps so far, but no pole; how it is found, see watch.c */
    double *noise; /* noise[switches]: how wide the bounds of g are over the shortest stretch */

    /* cross_noise.c */
    bool missed;  /* watch_blind.c: some had no value in the last step */
    bool blurred; /* watch_range.c: a stretch counts as certain as bounds are no wider than noise */
    bool resolved;      /* the root was located where g is certain to have only one */
    bool suspect;       /* cross_limit.c: something was seen at this event */
    double left;        /* |g| at the ends of the bracket it was located in */
    bool *from_zero;    /* from_zero[switches]: g was exactly 0 where the run began */
    double *y_set_out;  /* room for y_from, of an implicit problem */
    double *mode_alone; /* the modes, while others are tried with others */
    bool *hidden;       /* hidden[switches]: cross_hidden.c: held with nothing to tell; */
    size_t hiddens;     /* how many are */
    size_t *noisy;      /* noisy[switches]: turns of noise in a row */
    double *shaky;      /* shaky[switches]: the largest size of g in a step with one of them */
    size_t held;        /* how many times a band was made or widened; the first time: */
    double held_from;
    size_t held_switch;

    /* cross_limit.c: of y' = f, else NULL */
    double *beside; /* beside[DISTANCES*n]: f beside the surface */
    double *doubt; /* doubt[n]: f at the surface is but rounding, its limit may be off by so much */
    double span;   /* the longest step of late */
    double leap;   /* > 0: so much later f is known again, and it goes on from there */
    double leap_from, leap_to;
    struct passage passage;
    size_t leap_switch; /* whose surface that is, */
    double leap_unit;   /* and a step behind it */
    double *leap_y, *leap_f,
        *leap_middle; /* [n], of the last one: y and f+ at leap_from, f in the middle */
    size_t *calm;     /* calm[switches]: crossings in a row where nothing was */
    size_t losses;    /* how many times S was not known behind that; the first time: */
    double lost_at;
    size_t lost_switch;

    /* cross_rounding.c */
    double rate_error; /* of the rate at the surface at work, relative to it, */
    double vagueness;  /* and by errors of y as large as atol */
    struct {
        double t, wrong,
            size; /* relative errors of S behind it, where that jumped by `size` times what is left */
        size_t number, row, column;
        bool by_atol;
    } rounded; /* the largest of those above the tolerance; wrong = 0: there was none */

    struct remains remains;

    /* cross_corner.c: is S one-sided? */
    double *f_first, *f_last, *f_probe; /* f before the first surface, and with other modes */
    double *mode_first, *mode_last, *mode_kept; /* modes before it, and after the last one */
    double *mode_probe;                         /* other modes, to be tried */
    double *delay_first, *delay_last;           /* dT/dp of the first, and of the last */
    double *g_from;                             /* g with the modes to start from */
    bool *asked;                                /* turned by request */
    double *moves;                              /* moves[switches]: a column moves g */
    double *G_alone;                            /* as G, with s = 0 */
    bool *flat,
        *told; /* [switches]: stays at its surface, where columns move it; S was found to depend on it */
    size_t standing;  /* how many stand at their surface, at t0 or at a break */
    size_t untold;    /* flat ones on which S does not depend, as far as seen */
    size_t since;     /* steps since they were found */
    bool *leaning;    /* of those, at a switching point: something that crosses depends on it */
    double *f_before; /* f before the switching point */
    double *y_near, *f_near, *f_other, *g_near, *g_other; /* cross_flat.c: at a point nearby */
    double *p_kept;                                       /* p, modes and piece while it is there */
    size_t stages, first; /* surfaces of this point; the first one */
    size_t corners;
    double *touched_at, *turned_at; /* [switches]: watch_touch.c: where last, or NaN */
    size_t *driven_by; /* driven_by[switches]: the switch that has set it going, or itself */
    double several_at; /* the last of them where surfaces met */
    struct break_side near_side, far_side; /* cross_break.c */
    int refused; /* the code of a function that wants to stop while corners are looked for */
    struct {
        double t;
        size_t number;
        ptrdiff_t other;  /* a switch, or CORNER_... */
        bool mixed;       /* S may be neither limit */
    } corner[REMEMBERED]; /* the first of them */

    bool drifts;      /* the drift counts */
    bool due;         /* the last step ends at `at`, and the next one has to start anew there */
    double at, near;  /* near: the other end of the bracket of a root, before it */
    size_t leader;    /* the switch that crosses there, or SIZE_MAX */
    double gap;       /* > 0: a switch function failed, the next step must be shorter */
    double failed_at; /* where it failed, */
    int failures;     /* and how many times in a row */
    size_t idle;      /* switching points since time last really moved */
    double stride;    /* longest step since the last start */
    double pace;      /* longest step of late, starts or not */
    size_t steps;     /* made before it */
    bool cold;        /* starts of higher order have failed: the problem is stiff, or f jumps on */
    size_t *bridged;  /* bridged[switches]: cross_bridge.c: looks since the last start */
    double *across;   /* across[MOST*n]: cross_rest.c; NULL: of an implicit problem */
    size_t *crawls;   /* crawls[switches]: steps in a row that hardly came nearer to the root */
    bool *rests;      /* rests[switches]: it has its band as it came to rest there */
    double *rounding; /* rounding[switches] of g, known where bridged[] > 0 */
    size_t bridge;    /* the switch whose root is yet to be reached at the event; or SIZE_MAX */
    size_t edge;      /* cross_edge.c: the switch to go beyond, */
    double pass;      /* by so much time, > 0 */
    double settled;   /* from here on signs count: what was turned has left its surface */
    size_t sought;    /* before that: the switch whose root it is, or another that is apart */
    struct {
        double t;
        size_t number;
    } last[REMEMBERED]; /* the last ones turned, stats.switches of them in all */
};

/* Places the arrays; lanes is that of the widest panel. */
void events_layout(struct tansy_solver *s, struct arena *arena, size_t lanes);
void events_layout_surface(struct tansy_solver *s, struct arena *arena);

/* modes.c: modes and piece at t0 for a run in this direction, as far as `reach`; 0: they are not yet known, signs must do. */
tansy_status events_begin(struct tansy_solver *s, double direction, double reach);

/* The same where a solver is created or restarted: by signs, unless kinds follow from modes: a y0 that modes of no duration make algebraic would be lost.  Then for a run
   to the stop time, or forward, if that can be. */
tansy_status events_begin_unasked(struct tansy_solver *s);

/* The same before a direction is known: forward, or backward where there is no way forward. */
tansy_status events_begin_either_way(struct tansy_solver *s);

/* modes_search.c: of an implicit problem y0 at t is made consistent with the modes; where there is no such y, modes are looked for
   that have one, if there are any.  A code below 0: the user wants to stop. */
int events_search(struct tansy_solver *s, double t);

/* Counts and remembers the modes that are not those of mode_before. */
void events_count(struct tansy_solver *s, double t);

/* surface.c: g_t + g_y v of all switches at (t, y0) with the modes as they are; g there is in `g`. */
int events_rates(struct tansy_solver *s, double t, const double *v, const double *g, double *rate);

/* The largest |g_j| of the samples of the last step. */
double events_size(const struct events *e, size_t j);

/* With this rate g_j has hardly a slope along the solution, and the time of the root no derivative. */
bool events_is_grazing(const struct tansy_solver *s, size_t j, double rate);

/* Turns j, those of `crossing` that stand at the same surface and do not depend on one of the others (together[] says
   which), and then all that follows from it.  f- is in f; value is g before and after. */
tansy_status events_turn_surface(struct tansy_solver *s, double t, size_t j, bool *together);

/* After a change of piece at (t, y0): g_j that jumped with it to the other side are turned, and what follows from it, as
   far as g_j does not depend on modes above j.  value is g before and after. */
tansy_status events_follow(struct tansy_solver *s, double t);

/* The sentence about a switch that finds no mode. */
tansy_status events_contradict(struct tansy_solver *s, size_t j, double t);

/* The next break time in the direction of travel into *limit; false: there is none. */
bool events_next_break(const struct tansy_solver *s, double *limit);

/* The same where the run has not begun and has no direction yet. */
bool events_break_towards(const struct tansy_solver *s, double direction, double *limit);

/* The number of break times at or below the piece as seen from t, travelling in this direction. */
size_t events_piece_at(const struct events *e, double t, double direction);

/* watch.c: looks for roots in the step just accepted; due and at are set when there is one, or a break. */
tansy_status events_look(struct tansy_solver *s);

/* The last step is undone, and what was seen in it: a root or a break comes again. */
void events_look_back(struct tansy_solver *s);

/* g at time t of the last step. */
int events_evaluate(struct tansy_solver *s, double t, double *g);

/* The first switch that is on the wrong side, or their number. */
size_t events_first_wrong(const struct events *e, const double *g);

/* g_j has nothing to do with what has not settled yet: it is well beyond its root, or was not turned there and well on its side when the step began. */
bool events_is_apart(const struct events *e, size_t j, double g);

/* At t, where the values are g, one that counts is on the wrong side; e->within is set then. */
bool events_have_root(struct tansy_solver *s, double t, const double *g);

/* watch_scan.c: the first change of sign between *lo and *hi; *found: g is wrong at *hi already, and e->value is g there.
   Narrows the two to a stretch where it happens, with e->value at its end; *found is false when there is none.  A code
   other than 0: g failed at *hi, and up to *lo nothing happens. */
int events_scan(struct tansy_solver *s, double *lo, double *hi, bool *found);

/* rows[LOOKS*switches] of g over a stretch that begins at `from`, the probes at these shares of it: every g is sure to have at
   most one root there, as far as values can tell; with bounds, every vague g. */
extern const double events_probe[PROBES];
bool events_plain(const struct tansy_solver *s, double from, const double *rows);

/* After a step: fewer steps more for those that are vague. */
void events_sharpen(struct events *e);

/* watch_blind.c: g_j is looked at by its values only (else by its bounds again), for as long as that is said. */
void events_by_values(struct events *e, size_t j, bool only);

/* The last derive_switch() found values of all that are not blind. */
bool events_all_have_values(const struct tansy_solver *s);

/* At (t, y0), where the modes are what they will be: those that have no value are blind from now on, if nothing depends on them; a
   code other than 0: something does. */
int events_find_blind(struct tansy_solver *s, double t);

/* After a lenient derive_switch(): g that have no value at (t, y) of the last step, and had one before, are on no side.  A code: they
   need one, as nothing else turns up to there and f depends on them. */
int events_pass_missing(struct tansy_solver *s, double t, const double *y, double *g);

/* watch_touch.c: after a step without a root, g at its five points in e->sample, or, if it is certain by its bounds, at both ends:
   tells of conditions that are only touched. */
void events_corner_touched(struct tansy_solver *s, bool certain);

/* The same up to a root. */
void events_corner_touched_before(struct tansy_solver *s);

/* g_j has crossed at t, f before and after it in f and f_after, and back again: tells if it came no farther than the tolerance of y,
   rate * time/4 = g'' time^2/8, so that it may only have touched; not if another has turned its slope over in between, abs(x) - 1e-9. */
void events_corner_grazed(struct tansy_solver *s, double t, size_t j);

/* What was told to touch, of g_j at t or up to so much earlier, has more to it: it is not told. */
void events_withdraw_touch(struct events *e, double t, size_t j, double earlier);

/* After a step: events_find_blind() at its end, if there is reason to. */
tansy_status events_look_again(struct tansy_solver *s);

/* At a root, g there in e->value: those that were blind, and have a value, take the side they are on; nothing depends on them
   yet.  False: then nothing crosses here. */
bool events_open_eyes(struct tansy_solver *s);

/* watch_range.c: *certain, the bounds of every g that is not vague say that; false where there are none.  A code below 0: the user
   wants to stop. */
int events_enclosed(struct tansy_solver *s, double a, double b, bool *certain);
double events_node(int q, int m); /* Chebyshev point m of q + 1 in [0, 1] */
void events_layout_range(struct tansy_solver *s, struct arena *arena);

/* cross_consistent.c: y0, which goes with sens0, is where consistent values are sought from. */
void events_set_out(struct tansy_solver *s);

/* y' with the modes as they are, as solver_slope; y0 is made consistent, and stays to the bit if that changes nothing. */
int events_slope(struct tansy_solver *s, double t, double *f);

/* watch_touch.c: what errors of y may be worth in g_j at t, in all: the sum of |dg/dy_i| w_i, times what they add up to.  Stretches of components that g_j does
   not depend on are passed over as a whole. */
double events_tolerance_of(struct tansy_solver *s, double t, size_t j);

/* The same of the roundings of y, eps |y_i|, once: what is left of g_j by them, as of a difference of two levels.  g there is in e->value. */
double events_rounding_of(struct tansy_solver *s, double t, size_t j);

/* The same of atol_i, once. */
double events_atol_of(struct tansy_solver *s, double t, size_t j);

/* cross_vague.c: the relative error of the rate of g_j at t, in e->rate, by errors of y as large as atol; 0: none to speak of. */
double events_vagueness(struct tansy_solver *s, double t, size_t j);

/* cross_stiff.c: of a stiff y' = f the slope at t is that of the dense output: f(t, y) has the error of y times its large derivative, as far as h |J| times more.
   What it is off by, P' - f with the modes before, is added to every f until e->drifts is false again: the jump f+ - f- has no such error.  A negative code of f. */
int events_find_drift(struct tansy_solver *s, double t);

/* cross_slope.c: better slopes of stiff components, with f in e->f_after and what is known of the drift; e->slope_error. */
int events_refine_drift(struct tansy_solver *s, double t);

/* Where y is off by such an error it returns at once to where it ought to be, perhaps across the surface, if that is faster than it leaves: signs of what
   was turned, of g_j, count from where g has gone, by its slow rate, as far as y may be off. */
void events_wait_for_transient(struct tansy_solver *s, double t, size_t j);

/* The same for g; where no y is consistent with the modes, at y0 as it is. */
int events_values(struct tansy_solver *s, double t, double *g);

/* y0 and sens0 are made consistent with the modes as they are, and it goes on from there. */
tansy_status events_renew(struct tansy_solver *s, double t);

/* Around all that tries other modes: y0 is kept, and put back. */
void events_keep(struct tansy_solver *s);
void events_put_back(struct tansy_solver *s);

/* v, a direction in the space of y, with its algebraic part such that y + d v at t + d is consistent. */
int events_tangent(struct tansy_solver *s, double t, double *v);

/* Two slopes of g differ; of an implicit problem by more than rounding. */
bool events_differ(const struct tansy_solver *s, double a, double b);

/* Finds the g at (t, y0) that depend on multipliers of index 2.  Along a step they are looked at by values, not by bounds, at
   multipliers that are consistent with the rest of the dense output. */
int events_find_soft(struct tansy_solver *s, double t);

/* Row i of y' tells how y goes on: not that of an algebraic component, whose S follows from the others. */
bool events_counts(const struct tansy_solver *s, size_t i);
void events_layout_consistent(struct tansy_solver *s, struct arena *arena);

/* v: g_j counted from the side its condition is frozen on; below 0 it is on the other. */
static inline double events_side(const struct events *e, size_t j, double g)
{
    return e->mode[j] != 0 ? g : -g;
}

/* A length of time that is lost in t, or in a step of size h. */
double events_roundoff(double t, double h);

#endif
