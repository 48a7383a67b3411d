/* SPDX-License-Identifier: Apache-2.0 */
/* What a lane program is made of. */
#ifndef MODEL_LANE_PROGRAM_H
#define MODEL_LANE_PROGRAM_H

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

struct lane_program {
    struct lane_map all;    /* with U */
    struct lane_map states; /* without; its program is NULL where `all` is as good */
    const struct engine *engine;
};

/* The rows of a run with U that has left its coefficients in work. */
struct lane_rows lane_program_rows(const struct lane_program *p, const double *work);

#endif
