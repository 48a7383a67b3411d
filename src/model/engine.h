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

/* Where the terms of a row of a lane program come from: V, U, a row that is no root, a root. */
enum lane_source { LANE_V, LANE_U, LANE_ROW, LANE_ROOT, LANE_SOURCES };

struct lane_term {
    uint32_t source;      /* which row of V, of U, of the rows, of the roots */
    uint32_t coefficient; /* which of the coefficients */
};

/* row_r[k] = sum_e coefficient_e source_e[k].  The first `inner` rows are no roots. */
struct lane_rows {
    size_t rows, inner;
    const uint32_t
        *count; /* count[LANE_SOURCES*rows]: how many terms of each kind, in this order */
    const struct lane_term *term;
    const double *coefficient;
};

/* A strip of lanes: those of V, U, R that are at hand; row[inner*LANE_STRIP] for the rows that are no roots. */
struct lane_panels {
    size_t columns, ld;
    const double *V, *U; /* U may be NULL */
    double *R, *row;
};

enum { LANE_STRIP = 32 };

struct engine {
    const char *name;
    void (*run)(const struct run *run);
    void (*lanes)(const struct lane_rows *rows, const struct lane_panels *panels);
};

/* Those of this machine, the best last; how many. */
size_t engine_list(const struct engine *list[3]);
const struct engine *engine_choose(void);

/* The value of a leaf that is no entry of an array: time, switches, piece, tables. */
double leaf_value(const struct leaves *at, enum operation operation, size_t index);

#endif
