/* SPDX-License-Identifier: Apache-2.0 */
/* What runs programs: one for each instruction set, from one source. */
#ifndef MODEL_ENGINE_H
#define MODEL_ENGINE_H

#include "model/program_code.h"
#include "model/vector_math.h"

/* A run: where things are. */
struct run {
    const struct program *program;
    const double *space[SPACES];
    const struct leaves *at;
    double *work, *out;
};

/* A term of a row of a lane program, read by one load: which y, p or inner row in the lower half, the slot of its
   coefficient in the upper. */
typedef uint64_t lane_term;

static inline lane_term lane_term_of(uint32_t source, uint32_t slot)
{
    return (lane_term)slot << 32 | source;
}

static inline uint32_t lane_term_source(lane_term term)
{
    return (uint32_t)term;
}

static inline uint32_t lane_term_slot(lane_term term)
{
    return (uint32_t)(term >> 32);
}

/* How many terms of V, of earlier inner rows, of V_rate (only where lane_rows has rates) and of U a row has: they follow each
   other in this order.  shared: so many sources, the first of V, are also the first of the row after it, in the same order;
   the two may run together, with one load of what they share.  0: the row runs by itself, or with the one before it. */
struct lane_count {
    uint32_t of_y, of_rows, of_p, of_rates, shared;
};

/* row_r[k] = sum_e coefficient_e source_e[k].  The first `inner` rows are no roots; row r after them is root[r - inner]. */
struct lane_rows {
    size_t rows, inner;
    const uint32_t *root;
    const struct lane_count *count; /* count[rows] */
    const lane_term *term;
    const double *coefficient;
    bool has_rates;
    bool of_y_alone; /* all terms are of V; only then rows run two by two */
};

enum { LANE_STRIP = 32 };

struct engine {
    const char *name;
    void (*run)(const struct run *run);
    /* strip[inner*LANE_STRIP]: the inner rows, of the lanes at hand. */
    void (*lanes)(const struct lane_rows *rows, const struct lane_panels *panels, double *strip);
};

/* Those of this machine, the best last; how many. */
size_t engine_list(const struct engine *list[3]);
const struct engine *engine_choose(void);

/* The value of a leaf that is no entry of an array: time, switches, piece, tables. */
double leaf_value(const struct leaves *at, enum operation operation, size_t index);

#endif
