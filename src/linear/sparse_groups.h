/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of U that follow each other and look alike, in groups (matrix/sparse_factors.h).  A few zeros are added so that more of
   them do: they stay zero, and what is eliminated with them stays as it is. */
#ifndef LINEAR_SPARSE_GROUPS_H
#define LINEAR_SPARSE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linear/sparse_order.h"

struct sparse_groups {
    uint32_t *end;    /* end[k]: the first row behind row k's group */
    uint32_t *shared; /* shared[k] to shared_end[k]: where `column` has the columns they share */
    uint32_t *shared_end;
    uint32_t *column; /* rows and columns are numbers of pivots, ascending */
};

/* Groups the rows outside the tails, tail[k] being the first row of the tail in row k's block, in `memory`.  Whether there is
   enough. */
bool sparse_groups_create(struct sparse_groups *g, const struct sparse_order *order,
                          const uint32_t *tail, struct kept *memory);

#endif
