/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of --verify share. */
#ifndef CLI_VERIFY_PARTS_H
#define CLI_VERIFY_PARTS_H

#include "verify.h"

/* error/size; 0 without an error, infinite when it is not finite. */
double verify_relative(double error, double size);
/* Some number from 0.5 to 1.5 with either sign, the same in every run. */
double verify_mixed(size_t i, size_t m);
/* Is an output at time t within the uncertainty of a switching point? */
bool verify_at_switch(const struct verification *v, double t);
/* v->moved_state and ->moved_column, by two more runs. */
void verify_condition(const struct study *s, const struct series *series, struct verification *v);
/* A copy of the study with its own small arrays, the times of the kept rows and tolerances `tighter` times smaller. */
struct study verify_shadow(const struct study *s, const struct series *series, double tighter);
void verify_shadow_free(struct study *w);
/* The run itself at the tolerance of the differences, without columns, into v->base and v->turned. */
void verify_base(const struct study *s, const struct series *series, struct verification *v);
/* Columns against differences of whole runs, into v->by_difference and what goes with it; after verify_base. */
void verify_by_differences(const struct study *s, const struct series *series,
                           struct verification *v);

#endif
