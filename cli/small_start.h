/* SPDX-License-Identifier: Apache-2.0 */
/* States that begin below their atol and grow: an epidemic from one case in 10^20.  |error| <= rtol |x| + atol lets the first value be any other, and what
   grows from it with it.  Where it may be so, the state is computed once more, with an atol below its first value. */
#ifndef CLI_SMALL_START_H
#define CLI_SMALL_START_H

#include "run.h"

struct small_starts {
    double *t,
        *x; /* [n]: when a state that begins so was first found above atol/rtol, and what it was; NaN: not yet */
    bool any; /* has grown so in this run */
    struct {
        double off; /* relative; 0: there is none */
        double begin, t, x, right, atol;
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
