/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of algebraic variables that bend like a root where a condition changes: behind z = k (h - c)^1.5 while h > c, dz/dc grows like sqrt(t - T), and there no step is short enough for a test
   of its error in units of its size.  Nothing depends on it: dz/dc solves its equation where a step ends, and its error is never carried on.  So where steps fail for an algebraic row of a
   column and are far shorter than usual, error tests of columns leave algebraic rows out until steps have grown (docs/dae.md).  The tests of z itself stay: where z^2 = T - t loses its
   solution they have to end the run. */
#ifndef DRIVE_BENDS_H
#define DRIVE_BENDS_H

#include <stdbool.h>

struct tansy_solver;

/* norms.bends tells whether it is on. */
struct bends {
    double pace; /* the longest step of the run */
    double from; /* where it was turned on last, */
    int vain;    /* and so many times in a row with no way made in between */
};

/* A run begins; an attempt has failed its error test, true: the next one has another; a step was accepted. */
void bends_forget(struct tansy_solver *s);
bool bends_failed(struct tansy_solver *s);
void bends_accepted(struct tansy_solver *s);

#endif
