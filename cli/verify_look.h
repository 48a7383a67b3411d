/* SPDX-License-Identifier: Apache-2.0 */
/* What five runs with a parameter moved by -2d, -d, 0, d, 2d say of a column. */
#ifndef CLI_VERIFY_LOOK_H
#define CLI_VERIFY_LOOK_H

#include "verify_parts.h"

enum { MOVED = 5 };

struct look {
    const struct series *moved[MOVED];
    double d, rtol, scale; /* rtol of the runs; the typical size of the parameter */
    size_t count;          /* the times that all runs have reached */
    size_t all;            /* times there are */
    size_t before_end;     /* of these, but for the last one, those before the end of all runs */
    const struct numbers *turned[MOVED]; /* when conditions turn in each; NULL: not known */
};

enum decision { UNDECIDED = 0, AGREES, DIFFERS };

/* Of one value s_i(t_j): how it was decided by all looks so far, its error and what that may be off by, relative. */
struct decided {
    float error, doubt;
    float jump, d;     /* between the limits from both sides, times the scale; the increment */
    unsigned char how; /* enum decision */
    bool noisy;        /* undecided, and the noise of the runs explains the scatter */
    bool one_sided;    /* undecided: one of two limits, and there is no switching point near */
};

/* decided[j*nx + i] after one more look at column k; of the looks each has smaller increments than the first, or is the second. */
void look_decide(const struct look *of, const struct series *series, size_t k,
                 const struct verification *v, struct decided *decided);
/* Is another look, with larger or with smaller increments, of use? */
bool look_is_wanted(size_t count, const struct verification *v, const struct decided *decided,
                    bool larger);
/* The verdict on column k. */
void look_sum_up(size_t count, size_t k, struct verification *v, const struct decided *decided);

#endif
