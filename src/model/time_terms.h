/* SPDX-License-Identifier: Apache-2.0 */
/* The terms of f or F that depend on time and not on y, with bounds of each over a stretch of time. */
#ifndef MODEL_TIME_TERMS_H
#define MODEL_TIME_TERMS_H

#include "model/enclosure.h"

struct time_terms {
    size_t count;
    struct enclosure **term; /* term[count] */
    bool has_modes;          /* some depend on conditions, on the piece or on inputs */
    size_t work;             /* doubles of work space for a run of any */
};

/* Those of roots[count], with y and y' free; the graph is not changed. */
tansy_status time_terms_find(const struct graph *g, const uint32_t *root, size_t roots,
                             struct time_terms *t);
void time_terms_free(struct time_terms *t);

#endif
