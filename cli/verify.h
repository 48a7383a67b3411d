/* SPDX-License-Identifier: Apache-2.0 */
/* How good a solution is: solved again by another method at a tighter tolerance and, where that cannot be or the model has
   conditions, by differences of whole runs. */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include "series.h"

/* Errors in the norm of DESIGN 12, relative: state[nx] of states and outputs; column[ns] and the worst of each; by_difference[ns], NaN when not
   done, and doubt[ns], what the difference itself may be off by. */
struct verification {
    bool done, passed;
    size_t n, nx, ns, missed;
    size_t marked;  /* quantities that are not controlled and columns that atol hides */
    double promise; /* 100 rtol */
    double *floor;  /* floor[nx] */
    double *state, *column, *by_difference, *doubt;
    bool *uncontrolled; /* uncontrolled[nx]: never above its atol/rtol */
    double *
        of_largest; /* of_largest[nx]: of such ones the error relative to max over t of abs(x_i) alone */
    double *
        hidden; /* hidden[ns]: the largest error of such ones in the column, relative to max over t of abs(s_ik) */
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
/* Whether atol hides an error in column k that is worse than promised. */
bool verify_column_hidden(const struct verification *v, size_t k);
void verify_free(struct verification *v);

#endif
