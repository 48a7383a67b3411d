/* SPDX-License-Identifier: Apache-2.0 */
/* Tolerances of the state and of the columns, and the scales of parameters they follow from (DESIGN 6):
   the default absolute tolerance of dy/dp_k is that of y divided by the scale of p_k. */
#ifndef DRIVE_TOLERANCES_H
#define DRIVE_TOLERANCES_H

#include <tansy/options.h>
#include <tansy/problem.h>

#include <math.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"
#include "equations/part.h"

struct tolerances {
    size_t n, np, ns;
    const size_t *order; /* order[ns]: what messages call column k; NULL: k */
    double *rtol, *atol; /* rtol[n], atol[n] of the state */
    double *size;        /* size[n]: the largest |y_i| so far, or expected (drive/sizes.h) */
    bool *follows;       /* follows[n]: atol_i is automatic, a share of rtol_i size_i */
    double *left;        /* left[n]: when a component last was 0; -infinity: never */
    bool *assumed;       /* assumed[n]: the size is that of a component that has been 0 so far */
    signed char *rough;  /* rough[n]: 1: see sizes_rounding.c; -1: to be found; 0: no */
    double *rounding;    /* rounding[n]: by so much in a step: an automatic atol is not below */
    double *zero;        /* zero[n]: atol of a column of scale 1 */
    double *room;        /* room[2*n] of sizes.c */
    double *own;         /* own[n]: what the user's error_weights last allowed; NULL: no function */
    double *start;       /* start[n] = y(t0), for the scales of initial values */
    double *parameter_scale;           /* parameter_scale[np], never 0 */
    double *scale;                     /* scale[ns] of the columns */
    double *rho, *a;                   /* of panel m at m*MAX_LANES: factors of rtol and atol */
    double *rtol_matrix, *atol_matrix; /* literal, panel after panel; NULL: not given */
    double tightest;                   /* smallest rtol of any column that counts */
    size_t unscaled,
        first_unscaled; /* columns' parameters that are 0 and have no scale: warned of */
    bool checked;       /* those of the columns, which do not change */
};

/* Places the arrays for the panels; weighs: the user has a function of error weights. */
void tolerances_layout(struct tolerances *t, struct arena *arena, const tansy_options *options,
                       const struct panel *panel, size_t panels, bool weighs);

/* Fills rtol, atol, checks them. */
tansy_status tolerances_state(struct tolerances *t, const tansy_options *options,
                              struct message *message);

/* Fills the scales from p, y(t0) and what the user gave, then the tolerances of all columns.  y0 == NULL: y(t0) is as it was, though the
   run may have gone on since. */
tansy_status tolerances_columns(struct tolerances *t, const tansy_problem *problem,
                                const tansy_options *options, const double *y0,
                                struct message *message);

/* Component i has been, or is expected to become, as large as this: an automatic atol_i follows.  What is
   below 1e-100 is the tail of an exponential function, not a quantity in any unit. */
void tolerances_size(struct tolerances *t, size_t i, double size);

/* It has been more than that. */
bool tolerances_has_size(const struct tolerances *t, size_t i);

/* The automatic atol_i of that size. */
double tolerances_of_size(const struct tolerances *t, size_t i);

/* So large a share of rtol times something is nothing beside it. */
extern const double tolerances_negligible;

/* How exact is what is made of terms of this size, by some dozen operations and with what they were made of: y of its equation, f of y, both of t. */
double tolerances_rounding(double size);

/* zero[i] as the user wants it; algebraic_zero.h raises it. */
double tolerances_zero(const struct tolerances *t, size_t i);

/* Typical size of p_k: as given, |p_k|, or the range of its bounds; 0: nothing tells it. */
double tolerances_parameter_scale(const tansy_problem *problem, size_t k);

/* The error that component i may have at the value y_i, or where the user's weights were last asked for. */
static inline double tolerances_allow(const struct tolerances *t, size_t i, double y)
{
    return t->own ? t->own[i] : t->rtol[i] * fabs(y) + t->atol[i];
}

void tolerances_panels(struct tolerances *t, const tansy_options *options,
                       const struct panel *panel, size_t panels);

#endif
