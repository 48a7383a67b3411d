/* SPDX-License-Identifier: Apache-2.0 */
/* The pattern of a sparse problem, needed before a solver can be laid out. */
#ifndef DRIVE_PATTERN_H
#define DRIVE_PATTERN_H

#include "drive/solver.h"

/* Takes the problem's pattern, or finds it by probing where there is none; s->pattern is to be freed after the layout.  Does
   nothing for other structures. */
tansy_status pattern_find(struct tansy_solver *s);

/* Where the entries of the user's list are stored, and the colours of the columns.  After the layout. */
tansy_status pattern_place(struct tansy_solver *s);

void pattern_free(struct tansy_solver *s);

/* pattern_watch.c: from now on J and M by differences on a pattern that was probed are compared with one more difference along all
   components; entries that are missing are added, or the run stops.  After derive_complete().  Does nothing for others. */
void pattern_watch(struct tansy_solver *s);

/* Returns to the pattern of the creation, and to factors that know nothing of a run. */
void pattern_forget(struct tansy_solver *s);

/* The run stopped because of an entry that could not be added: says which and sets the error; false: it did not. */
bool pattern_explain(struct tansy_solver *s);

#endif
