/* SPDX-License-Identifier: Apache-2.0 */
/* Inside lane programs: the order of rows. */
#ifndef MODEL_LANE_PROGRAM_ORDER_H
#define MODEL_LANE_PROGRAM_ORDER_H

#include "model/differentiate.h"
#include "model/schedule.h"

/* Rearranges order[count], rows of which none is a source of another, so that sources are used again while they are in
   the first cache.  False: no memory. */
bool lane_order_for_cache(const struct tangent *t, struct keyed *order, size_t count);

#endif
