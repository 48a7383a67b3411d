/* SPDX-License-Identifier: Apache-2.0 */
/* States that are below their atol, at first or later, and grow: an epidemic from one case in 10^20, prey that all but dies out.  |error| <= rtol |x| + atol
   lets such a value be any other, and what grows from it with it.  Where it may be so, the state is computed once more, with an atol below it. */
#ifndef CLI_SMALL_START_H
#define CLI_SMALL_START_H

#include "run.h"

/* What is known of one state in this run. */
struct small_start {
    double most;          /* the largest so far */
    double least, beside; /* the smallest that was below its atol, infinite: none; that atol */
    double t, x,
        level; /* when it was first found grown after that, NaN: not yet; and what it was, beside atol/rtol */
};

struct small_starts {
    struct small_start *of; /* of[n] */
    bool any;               /* has grown so in this run */
    struct {
        double off; /* relative; 0: there is none */
        struct small_start of;
        double right, atol; /* what it is with that atol */
        bool at_first;      /* it began so */
        size_t state, run;
    } worst; /* of all runs */
};

void small_starts_make(struct small_starts *w, const struct study *s);
void small_starts_free(struct small_starts *w);
void small_starts_row(struct small_starts *w, const struct study *s, const struct row *row);
/* After a run, number `run` of a scan or 0, that made so many calls of f: the second look. */
void small_starts_judge(struct small_starts *w, const struct study *s, size_t run, size_t calls);
/* A line where a state is off by more than 100 rtol. */
void small_starts_tell(struct text *text, const struct study *s, const struct small_starts *w);

#endif
