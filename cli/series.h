/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a run kept for plots, tables, ranking and verification: all of them, or as many, evenly, as memory allows. */
#ifndef CLI_SERIES_H
#define CLI_SERIES_H

#include "run.h"

struct series {
    size_t nx, ns, count, room;
    size_t every, seen; /* only every so many rows are kept, and the last */
    double *t;          /* t[count] */
    size_t *switches;   /* switches[count]: conditions that had turned */
    double *data;       /* rows of x[nx], sens[ns*nx] */
    double *largest;    /* largest[nx]: max over all rows of abs(x_i), where it has a value */
    double *biggest,
        *squares;   /* [ns*nx], over all rows: max abs(dx_i/dp_k), sum of (dx_i/dp_k / biggest)^2 */
    size_t *valued; /* valued[ns*nx]: rows in which dx_i/dp_k has a value */
};

void series_make(struct series *series, const struct study *s);
void series_add(struct series *series, const struct row *row);
/* Makes the last of the rows the last of `count` rows, for which there is room; those between are left as they are. */
void series_move_last(struct series *series, size_t count);
/* Forgets its rows. */
void series_clear(struct series *series);
void series_free(struct series *series);

/* Row j: x[nx], then sens[ns*nx]. */
const double *series_row(const struct series *series, size_t j);
double series_x(const struct series *series, size_t j, size_t i);
double series_sens(const struct series *series, size_t j, size_t k, size_t i);
/* max over t of abs(x_i). */
double series_largest(const struct series *series, size_t i);

/* Root mean square over the times of output at which it has a value of size_k dx_i/dp_k / max|x_i|; NaN where there is none, or
   x_i is always 0 and dx_i/dp_k is not. */
double series_norm(const struct series *series, const struct study *s, size_t k, size_t i);

/* Parameters by importance: order[ns], norm[ns] = root mean square of series_norm over the quantities of[count] but for those that are
   always 0 while their columns are not; NaN where it is not known. */
struct ranking {
    size_t ns, count;
    const size_t *of; /* the caller's */
    size_t *order;
    double *norm; /* by column, not sorted */
};
/* The rankings of a call, of which its tables and its pictures are made: of all quantities of[count] together, then, of each of them alone. */
struct rankings {
    size_t count; /* 1, or with each 1 + the quantities; 0: there is nothing to rank */
    size_t *of;
    struct ranking *one;
};
/* of[count]; NULL: all states. */
void rankings_make(struct rankings *all, const struct series *series, const struct study *s,
                   size_t count, const size_t *of);
void rankings_free(struct rankings *all);
/* "all states", or the names, of which so many at most. */
void ranking_name(struct text *text, const struct study *s, const struct ranking *r, size_t most);
/* What is left out of it, in sentences of one line each. */
void ranking_notes(struct text *notes, const struct series *series, const struct study *s,
                   const struct ranking *r);

#endif
