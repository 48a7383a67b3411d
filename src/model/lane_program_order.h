/* SPDX-License-Identifier: Apache-2.0 */
/* Inside lane programs: the order of rows. */
#ifndef MODEL_LANE_PROGRAM_ORDER_H
#define MODEL_LANE_PROGRAM_ORDER_H

#include "model/differentiate.h"
#include "model/schedule.h"

/* Rearranges order[count], rows of which none is a source of another, so that sources are used again while they are in
   the first cache.  False: no memory. */
bool lane_order_for_cache(const struct tangent *t, struct keyed *order, size_t count);

/* Rows, whose sources rise, run two by two where they share sources of y: each gets for its partner, among the `window` that
   follow, the one that shares most with it, which moves next to it.  shared[r]: how many sources row r shares with the row
   that follows it, 0: they run apart. */
void lane_order_pairs(const struct tangent *t, struct keyed *order, size_t count, size_t window,
                      uint32_t *shared);

/* Does row r, whose sources rise, have this one? */
bool lane_has_source(const struct tangent *t, size_t r, uint32_t source);

#endif
