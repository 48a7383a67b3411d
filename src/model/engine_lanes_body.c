/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of lane programs, strip after strip of lanes whose sums fit into registers. */
#include "matrix/vector_types.h"
#include "model/engine.h"

#define STRIP_FILE  "model/engine_lanes_strip.h"
#define WIDEST      LANE_WIDEST
#define LANE_WIDEST 32
#include "matrix/each_strip.h"

void PASTE(engine_lanes, KERNELS_NAME)(const struct lane_rows *rows,
                                       const struct lane_panels *panels);

/* One lane. */
static void run_rows_1(const struct lane_rows *rows, const struct lane_panels *panels)
{
    const double *const base[LANE_SOURCES] = {panels->V, panels->U, panels->row, panels->R};
    size_t const stride[LANE_SOURCES] = {panels->ld, panels->ld, 1, panels->ld};
    const struct lane_term *term = rows->term;
    for (size_t r = 0; r < rows->rows; r++) {
        double sum = 0;
        for (int from = 0; from < LANE_SOURCES; from++) {
            uint32_t const count = rows->count[LANE_SOURCES * r + from];
            for (uint32_t e = 0; e < count && base[from]; e++)
                sum += rows->coefficient[term[e].coefficient] *
                       base[from][term[e].source * stride[from]];
            term += count;
        }
        *(r < rows->inner ? panels->row + r : panels->R + (r - rows->inner) * panels->ld) = sum;
    }
}

/* The widest strips first, then halves of them for the rest. */
void PASTE(engine_lanes, KERNELS_NAME)(const struct lane_rows *rows,
                                       const struct lane_panels *panels)
{
    struct lane_panels at = *panels;
    for (size_t k = 0, strip = LANE_WIDEST; k < panels->columns; k += strip) {
        while (strip > panels->columns - k) strip /= 2;
        at.V = panels->V + k;
        at.U = panels->U ? panels->U + k : NULL;
        at.R = panels->R + k;
#define STRIP_CASE(s)                                                                              \
    case s:                                                                                        \
        run_rows_##s(rows, &at);                                                                   \
        break;
        switch (strip) {
            STRIP_CASE(1) STRIP_CASE(2) STRIP_CASE(4) STRIP_CASE(8) STRIP_CASE(16) STRIP_CASE(32)
        }
    }
}
