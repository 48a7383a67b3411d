/* SPDX-License-Identifier: Apache-2.0 */
/* Error weights by a function of the user's (tansy_error_weights).  A column comes to it times the scale u_k of its parameter, in the units of
   y, as CVODES does for its estimated tolerances: w_ik = w_i(u_k s_k)/u_k. */
#ifndef EQUATIONS_OWN_WEIGHTS_H
#define EQUATIONS_OWN_WEIGHTS_H

#include <tansy/functions.h>

#include "base/arena.h"
#include "equations/part.h"

struct own_weights {
    tansy_error_weights *function;
    void *context;
    const double *scale; /* scale[ns] of the columns */
    size_t parts;        /* panels + 1 */
    struct failure
        *fault; /* fault[parts] since own_weights_clear(): the state's, then those of the panels */
};

void own_weights_layout(struct own_weights *o, struct arena *arena, size_t panels);

/* winv[n*lanes] of a part at the value v; NaN, and a fault, where the function fails or gives no weight. */
void own_weights_find(const struct own_weights *o, const struct part *part, size_t n,
                      const double *v, double *winv);

void own_weights_clear(const struct own_weights *o);

/* The first fault of the state and of the first so many panels; NULL: none. */
const struct failure *own_weights_fault(const struct own_weights *o, size_t panels);

#endif
