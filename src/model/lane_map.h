/* SPDX-License-Identifier: Apache-2.0 */
/* A tangent as rows of lanes and a program for their coefficients. */
#ifndef MODEL_LANE_MAP_H
#define MODEL_LANE_MAP_H

#include "model/engine.h"

/* One map of lanes: see struct lane_rows. */
struct lane_map {
    size_t rows, inner; /* inner: those that are no roots */
    uint32_t *root;
    struct lane_count *count;
    lane_term *term;
    bool has_rates;          /* y' moves too */
    bool of_y_alone;         /* all terms are of V */
    struct program *program; /* the coefficients, which stay in its work space */
};

/* The expressions behind a map. */
struct lane_frame {
    const struct graph *graph;
    const struct hoist *plan;
};

/* Coefficients that the program of a map computes besides its own: node[count], which get slot[count]. */
struct lane_extra {
    size_t count;
    const uint32_t *node;
    uint32_t *slot;
};

tansy_status lane_map_create(struct lane_map *m, const struct lane_frame *from,
                             const struct tangent *t, bool with_p, const struct lane_extra *extra);
void lane_map_free(struct lane_map *m);

/* A source of a term is of p, not of y, y' or an earlier row. */
static inline bool lane_is_of_p(const struct tangent *t, uint32_t source)
{
    return source >= t->n + t->rates && source < t->n + t->rates + t->np;
}

static inline bool lane_is_of_row(const struct tangent *t, uint32_t source)
{
    return source >= t->n + t->rates + t->np;
}

#endif
