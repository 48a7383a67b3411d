/* SPDX-License-Identifier: Apache-2.0 */
/* Finds by trial which equations depend on which components. */
#ifndef DRIVE_PROBE_H
#define DRIVE_PROBE_H

#include "base/grow.h"
#include "drive/solver.h"

/* Entries (row, column) of a pattern. */
struct probed {
    LIST(size_t) row, column;
};

/* Moves every component of y and y' in turn at several points, from the initial one to some that are far from it in y, p and t: what
   changes anywhere depends on it.  A point where the functions fail says nothing, unless all do: TANSY_BAD_PROBLEM.
   TANSY_OUT_OF_MEMORY; or TANSY_OK.  `found` is to be freed in every case. */
tansy_status probe_pattern(struct tansy_solver *s, struct probed *found);

void probe_free(struct probed *found);

/* Numbers between 1/2 and 1, the same in every run. */
double probe_scramble(uint32_t *state);

#endif
