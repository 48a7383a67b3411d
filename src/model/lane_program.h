/* SPDX-License-Identifier: Apache-2.0 */
/* What a lane program is made of. */
#ifndef MODEL_LANE_PROGRAM_H
#define MODEL_LANE_PROGRAM_H

#include "model/engine.h"

struct lane_program {
    size_t rows, inner;             /* inner: those that are no roots */
    size_t coefficients, without_p; /* how many, and how many without those that only U needs */
    uint32_t *root;                 /* see struct lane_rows */
    struct lane_count *count;
    struct lane_term *term;
    struct program *all, *states; /* the coefficients, all or without those of U */
    const struct engine *engine;
};

/* The rows of a run with U that has left its coefficients in work. */
struct lane_rows lane_program_rows(const struct lane_program *p, const double *work);

#endif
