/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with columns, and those with outputs that are small rests of large terms, are computed once
   more at a tolerance ten times smaller, by the method that is expected to cost the least, and
   compared at all times of output: where S is large for a while, as within a pulse or a relaxation,
   errors that were small beside it stay behind, over many periods errors add up, and no error test
   of a step sees them; nor does one see what becomes of errors of y in outputs, as in rates of what
   is stiff.  What is less exact than promised is told. */
#ifndef CLI_SECOND_LOOK_H
#define CLI_SECOND_LOOK_H

#include "verify.h"

struct second_look {
    bool wanted;
    struct series rows;           /* of the run at work */
    size_t looks, missed, failed; /* runs looked at, less exact than promised, not repeated */
    size_t long_ones;             /* runs that are too long to be repeated without being asked */
    struct difference most;       /* of all runs, */
    size_t run;                   /* in this one; 0: there is one alone, */
    size_t columns, quantities;   /* where so many are less exact, */
    char *how;                    /* by this comparison */
    char *failure;                /* of the first run that could not be repeated: why, */
    size_t failed_run;
};

void second_look_make(struct second_look *l, const struct study *s);
void second_look_row(struct second_look *l, const struct row *row);
/* After a run, number `run` of a scan or 0. */
void second_look_judge(struct second_look *l, const struct study *s, size_t run,
                       const struct outcome *outcome);
/* A line each for what is less exact than promised, and for what is not known. */
void second_look_tell(struct text *text, const struct study *s, const struct second_look *l);
void second_look_free(struct second_look *l);

#endif
