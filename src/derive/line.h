/* SPDX-License-Identifier: Apache-2.0 */
/* Differences along a line through (y, p), by formulas of order 1, 2 and 4, and the increments for them. */
#ifndef DERIVE_LINE_H
#define DERIVE_LINE_H

#include "derive/derive.h"

/* What can be had by a formula; see line.c for the model these numbers come from. */
struct difference_formula {
    const char *name;
    double increment; /* relative: the best for functions that vary as fast as their arguments */
    double reach;     /* relative error of a derivative that can be relied on: not for S to less */
    double from;      /* chosen for S to this rtol and above, if nothing else is said */
};
const struct difference_formula *formula_of(tansy_difference difference);

/* The line t + m t_step, y + m step, y' + m rate_step, p + m factor value[e] at row[e], m = ..., -1, 0, 1, ... */
enum { /* no derivatives: f(8) - 8 f(7) + ... and f(4) - 4 f(3) + ..., the last point last */
       LINE_EIGHTH_DIFFERENCE = TANSY_FOURTH_ORDER + 1,
       LINE_FOURTH_DIFFERENCE
};

struct line {
    tansy_difference difference;
    int (*evaluate)(struct derive *d, size_t worker, const struct point *at, double *value);
    int first;    /* of the formulas that are tried: 1 stays on the side of the steps, if it can, */
    bool only;    /* and fails if it cannot */
    double Delta; /* the relative increment of that formula */
    size_t count; /* of values */
    double t, t_step;        /* t + m t_step */
    const double *y, *f;     /* the point m = 0 and the value there */
    const double *step;      /* step[n]; NULL: y stays */
    const double *yp;        /* y' of an implicit problem, */
    const double *rate_step; /* and its increments; NULL: y' stays */
    size_t entries;          /* of p that move */
    const size_t *row;       /* row[entries]; NULL: 0, 1, ... */
    const double *value;     /* value[entries] */
    double factor;
};

/* Through the point, of the problem's r, by the formula chosen; nothing moves yet. */
struct line line_of_values(const struct derive *d, const struct point *at);

/* N[count] = d/dm of the value at m = 0.  Where a point cannot be evaluated one-sided formulas of the same order
   are tried before a failure is reported.  N is not worker's y or g.  The worker's p is left as it was. */
int line_difference(struct derive *d, size_t worker, const struct line *line, double *N);

/* x + h - x: the increment that really happens. */
double increment_exact(double x, double h);

/* The size of y_j that its increments are relative to, never 0. */
double size_of_state(const struct derive *d, size_t j, double y);

/* Increments of y_j and p_k by the relative increment Delta, away from 0, exactly representable. */
double increment_of_state(const struct derive *d, size_t j, double y, double Delta);
double increment_of_parameter(const struct derive *d, size_t k, double Delta);

/* What |y_j| is compared with in increments by Delta: atol/rtol, but where that is far above all of y, of which the largest is
   `share` times its atol, no more than what moves y_j by many times atol; and the increment of y_j with that. */
double largest_share(const struct derive *d, const double *y);
double level_of_state(const struct derive *d, size_t j, double share, double Delta);
double increment_beside(const struct derive *d, size_t j, double y, double share, double Delta);

/* 1/(|y_j| + level_j) of rows `first` on, that share being known; 1 where that is 0. */
void reciprocal_sizes(const struct derive *d, size_t first, size_t count, const double *y,
                      double share, double Delta, double *reciprocal);

/* The same of y'_j, in units of its own (rates.c). */
double size_of_rate(const struct derive *d, size_t j, double yp);
double size_within_rate(const struct derive *d, size_t j, double yp); /* F may bend over it */
double increment_of_rate(const struct derive *d, size_t j, double yp, double Delta);
double increment_along_rates(const struct derive *d, const double *yp, size_t ld, const double *sp,
                             double Delta);

/* F may not be linear in y'_j. */
bool rate_may_bend(const struct derive *d, size_t j);

/* An increment of t relative to the span (0: to |t|), in its direction, so that t and multiples of it add up exactly, four
   of them within the span; 0: t cannot tell points within the span apart. */
double increment_of_time(double t, double span, double Delta);

/* The increment for the p part of direction k; 0: there is none. */
double increment_of_direction(const struct derive *d, size_t k, double Delta);

/* delta, made exact where direction k is a single parameter. */
double increment_in_direction(const struct derive *d, size_t k, double delta);

/* The increment for s[i*ld], i < n, along y; 0: s is zero. */
double increment_along(const struct derive *d, const double *y, size_t ld, const double *s,
                       double Delta);

#endif
