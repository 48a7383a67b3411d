/* SPDX-License-Identifier: Apache-2.0 */
/* Where f is not smooth in t on the scale of the run: see time_stretches.c.  Times u here are direction t, so that they rise. */
#ifndef DRIVE_STRETCHES_H
#define DRIVE_STRETCHES_H

#include <tansy/problem.h>

#include <stdbool.h>

#include "base/arena.h"
#include "derive/derive.h"

enum { STRETCH_KNOTS = 512, STRETCH_HALVINGS = 30 };

/* Between two neighbours among the times at which a step looks at f a term moves by no more than this of its range: inside an edge one of them is where it
   has made 1/8 to 7/8 of its way, and beside the top of a pulse one is higher than 5/8. */
#define STRETCH_MOST 0.75

/* In a stretch that is not looked at more closely it moves by no more than this. */
#define STRETCH_LITTLE (STRETCH_MOST / 8)

/* The values that a term, or a component of f, has had so far, from samples. */
struct time_range {
    double low, high;
    double width; /* of bounds at a point, the largest */
};

/* f(t, y) at fixed y on a grid. */
struct probes {
    size_t count;             /* of points; 0: none */
    struct time_range *range; /* range[n]: of each component */
    double *f, *next;         /* f at u, and at the end of the stretch at work */
    double u;                 /* NaN: not known */
    double longest;           /* between points of the grid */
};

struct stretches {
    size_t terms;             /* 0: nothing is known, and no step is bounded */
    struct time_range *range; /* range[terms] */
    size_t *active;           /* active[terms]: those at work first, in any order */
    /* How much of its range the term that moves fastest moves by, summed up from u[0] to u[i] and linear in between. */
    double *u, *moved;
    size_t knots;
    double slack;   /* by which `moved` may be off, as knots were left out */
    double longest; /* gaps of steps are known to be bounded as they should be up to this length */
    const struct method *method; /* whose gap, at this order, is known: */
    int order;
    double
        gap; /* the longest distance of neighbours among the times at which a step of length 1 looks at f */
    double *modes; /* modes[mode_count], as they were; NULL: they do not matter */
    size_t mode_count;
    struct probes probes; /* the last of the terms, if there are */
};

struct tansy_solver;
struct method;

void stretches_layout(struct tansy_solver *s, struct arena *arena);

/* A run begins: nothing is known. */
void stretches_forget(struct tansy_solver *s);

/* The longest step from where the run stands, up to *h > 0, that passes no stretch unseen; `target` is where output is wanted. */
tansy_status stretches_bound(struct tansy_solver *s, double target, double *h);

/* By what share of its range a term moves over a stretch at most, and in a unit of time anywhere in it: infinite where that is not known and a
   closer look may help. */
struct movement {
    double share, rate;
};

/* time_ranges.c: without a value; with one more; a movement as a share, 0 if it is but rounding. */
void ranges_forget(struct time_range *range, size_t count);
void range_include(struct time_range *range, double value);
double range_share(const struct time_range *range, double movement);

/* The ranges of all terms have those of (from, to) in them; movements there.  Codes. */
int ranges_widen(struct tansy_solver *s, double from, double to);
int ranges_move(struct tansy_solver *s, size_t term, double from, double to, struct movement *m);

/* time_probes.c: the same for f on a grid. */
void probes_layout(struct tansy_solver *s, struct arena *arena);
int probes_widen(struct tansy_solver *s, double from, double to);
int probes_move(struct tansy_solver *s, double from, double to, struct movement *m);

/* A stretch at work. */
struct cell {
    double from, to;
    size_t active;    /* of the terms: these need a closer look; 0: none, it is not halved */
    double rate;      /* of the fastest of the others, in shares of ranges */
    bool is_backward; /* its second half is looked at before the first */
};

/* A look at a cell, from which terms leave the active ones: all of them, if it is not to be halved.  A code, or a positive number: enough. */
typedef int stretch_look(struct tansy_solver *s, struct cell *cell, bool is_least);

/* Halves the window until no term is left, or cells are as short as steps may be; what `look` says. */
int stretches_halve(struct tansy_solver *s, struct cell window, stretch_look *look);

#endif
