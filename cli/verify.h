/* SPDX-License-Identifier: Apache-2.0 */
/* How good a solution is: solved again by another method at a tighter tolerance and, where that cannot be or the model has
   conditions, by differences of whole runs. */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include "series.h"

/* Errors in the norm of DESIGN 12, relative: state[n]; column[ns] and the worst state of each; by_difference[ns], NaN when not
   done, and doubt[ns], what the difference itself may be off by. */
struct verification {
    bool done, passed;
    size_t n, ns, missed;
    double promise; /* 100 rtol */
    double *state, *column, *by_difference, *doubt;
    size_t *worst;
    char *how; /* a sentence */
};

/* DONE; NOT_VERIFIED, also when no second run can be made; STOPPED when interrupted. */
int verify_run(struct study *s, const struct series *series, const struct outcome *outcome,
               struct verification *v);
/* A table for people; of very many states the worst ones. */
void verify_table(struct text *text, const struct study *s, const struct verification *v);
/* -log10(e) in [0, 16]; 0 for NaN. */
double digits_of(double e);
bool verify_column_passed(const struct verification *v, size_t k);
void verify_free(struct verification *v);

#endif
