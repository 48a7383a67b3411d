/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of derive_check share. */
#ifndef DERIVE_CHECK_H
#define DERIVE_CHECK_H

#include <stdint.h>

#include "derive/derive.h"
#include "derive/line.h"

/* Where vectors of check_second stand in d->check, in units of check_rows(): those of a column and of a motion, moved y and f
   there; without .second it ends before the motion. */
enum { CHECK_COLUMN = 5, CHECK_MOTION, CHECK_MOVED_Y, CHECK_MOVED_F, CHECK_VECTORS };

enum { CHECK_LARGEST = 4 }; /* multiple of the increment */

/* What was called wrong: row and column of a function, by how much, relative; upheld: nothing has said otherwise since. */
struct accused {
    const char *function;
    size_t row, column;
    double apart;
    bool upheld;
};

struct check {
    struct derive *d;
    double t, Delta;
    double
        span; /* a length of time within which, and to the side of which, f may be looked at; 0: any, |t|, or 1 at 0 */
    double most; /* sizes of y by tolerances count up to this, */
    bool alone;  /* and, so, not at all where y is not 0 */
    struct accused accused;
    const double *y, *yp;
    double *f; /* the value whose derivatives are compared: f of y' = f and B y' = f, else r = -F */
    double *given;          /* the column of the given derivative at work */
    double *value, *error;  /* the same by differences, and its estimated error */
    double *size;           /* size[i]: the largest term known of f_i */
    double *v, *u;          /* direction of a tangent */
    double *motion;         /* of y, in which tangents are differenced */
    double *V, *R, *V_rate; /* panels */
    const char *function;
    const char *of; /* "df" or "dF" */
    double sign;    /* of what the user gives against the value: -1 for F */
    struct message *message;
    struct message open; /* what could not be decided; its text is empty where there is nothing */
};

/* Places d->check if a derivative is given; lanes is that of the widest panel. */
void check_layout(struct derive *d, struct arena *arena, size_t lanes);

/* The longest vector that is compared. */
size_t check_rows(const struct derive *d);

/* Compares given[count] with differences along the line, whose increment is h; of and by name the entry, "df" and "dy", column
   SIZE_MAX: a vector. */
tansy_status check_compare(struct check *c, struct line *line, double h, const char *of,
                           const char *by, size_t column);

/* check_rough.c: row i of f is but rounding at the point, or jumps there, as seen along the line, whose steps are for m = 1. */
bool check_is_rough(struct check *c, const struct line *along, size_t i);
/* Says so, of the first such entry; h: the increment. */
struct name;
void check_leave_open(struct check *c, size_t i, const struct name *entry, double h);

/* All steps of a line times a power of two; of no meaning where y, or y', stays. */
void check_scale_steps(const struct derive *d, struct line *line, double by);

/* The line through the point, moving nothing yet; then its t by Delta of the unit of time below, inside the span: false where t cannot tell
   points of it apart. */
struct line check_line(const struct check *c);
bool check_along_time(const struct check *c, struct line *line);

/* The unit of time, |span|. */
double check_unit(const struct check *c);

/* Column j of a matrix, zero outside the pattern, or the band; into given[n]. */
void check_column(const struct check *c, const struct matrix *A, double sign, size_t j);

/* The sentence of a function that failed. */
tansy_status check_failure(const struct check *c);

/* The size of y_j, or y'_j, that increments are relative to, never 0; and that increment, away from 0, exactly representable. */
double check_size(const struct check *c, size_t j, double y);
double check_increment(const struct check *c, size_t j, double y);
/* The largest |y_i|, or 1; and whether sizes by tolerances go beyond `most`. */
double check_largest(const struct check *c);
bool check_goes_far(const struct check *c, double most);

/* Numbers between 1/2 and 1 with either sign, the same in every run. */
double check_scramble(uint32_t *state);
/* The same times the size of y_i, and the scale of p_k; but away from 0 where differences might pass it.  0: no direction touches p_k. */
double check_along_state(const struct check *c, uint32_t *state, size_t i);
double check_along_parameter(const struct check *c, uint32_t *state, size_t k);

/* dF/dy', and d(B y')/dy v + d(B y')/dp u. */
tansy_status check_rate(struct check *c);
tansy_status check_mass_tangent(struct check *c);
/* That B, or dF/dy', stays where t and y move, and F is linear in y'. */
tansy_status check_mass_constant(struct check *c);
tansy_status check_rate_linear(struct check *c);

/* d(J v + tau f_t), and df/dt, or that there is none; those that are given. */
tansy_status check_second(struct check *c);

#endif
