/* SPDX-License-Identifier: Apache-2.0 */
/* What the rows of one run or many tell of themselves: states that no tolerance holds, or that any error moves by their whole size; outputs that are not numbers. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "second_look.h"
#include "small_start.h"

/* What was first seen of an output, and in which run, from 1; 0: there is one alone. */
struct watched_output {
    double nan_at; /* when it, or one of its columns, was NaN; NaN: never */
    bool in_column;
    size_t nan_run;
    tansy_corner corner;
    double corner_at;
    size_t corners; /* how many rows have one */
    size_t corner_run;
};

/* Where a state answers most to a parameter, by a column that has grown: scale_k dx_i/dp_k rtol, in units of the largest abs(x_i) so far. */
struct shakiest {
    double share;
    size_t state, column, run;
    double t;
};

/* Sizes of the columns, their largest scale_k dx_i/dp_k in units of abs(x_i), of a row half as far and of one that will be so. */
struct growth {
    double *earlier, *later; /* [ns] */
    double t_earlier, t_later;
    size_t rows, run; /* rows of this run so far */
};

struct watch {
    double *largest;               /* largest[n]: max over t, and at t0, of abs(y_i) */
    struct watched_output *output; /* output[no] */
    struct shakiest shakiest;
    struct shakiest alone; /* of the last row, where none is half as far */
    struct growth growth;
    struct small_starts small;
    struct second_look look;
    size_t run;    /* the run at work, from 1; 0: there is one alone */
    size_t warned; /* runs whose report had warnings */
};

void watch_make(struct watch *w, const struct study *s);
void watch_row(struct watch *w, const struct study *s, const struct row *row);
void watch_free(struct watch *w);

/* Whether state i stays below atol_i/rtol at all output times: then |error| <= rtol |y_i| + atol_i says nothing about its digits.  A state
   that is always zero has none to lose. */
bool watch_uncontrolled(const struct study *s, size_t i, double largest);
/* One line about such states, by the largest[n] of each; nothing when there is none. */
void watch_tolerances(struct text *text, const struct study *s, const double *largest);
/* All warnings, a line each. */
void watch_warnings(struct text *text, const struct study *s, const struct watch *w);
/* The same on stderr, unless quiet. */
void watch_warn(const struct study *s, const struct watch *w);
/* After each run: what its report warns of, on stderr unless quiet, of the first three runs that have anything; and second looks at it. */
void watch_report(struct watch *w, const struct study *s, const struct outcome *outcome);

#endif
