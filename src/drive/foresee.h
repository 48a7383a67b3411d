/* SPDX-License-Identifier: Apache-2.0 */
/* method = auto: the state alone is taken ahead by both methods, so that columns go with the cheaper one. */
#ifndef DRIVE_FORESEE_H
#define DRIVE_FORESEE_H

#include <stdbool.h>

struct arena;
struct tansy_solver;

void foresee_layout(struct tansy_solver *s, struct arena *arena);

/* A run begins. */
void foresee_begin(struct tansy_solver *s);

/* Before a step of rk8 with columns: bdf takes the time ahead at less cost, or stiffness is seen there. */
bool foresee_stiffness(struct tansy_solver *s);

#endif
