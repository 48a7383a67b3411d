/* SPDX-License-Identifier: Apache-2.0 */
/* All rows of a lane program for STRIP lanes; a template, see matrix/strip_types.h. */
#include "matrix/strip_types.h"
#include "model/engine.h"

static void STRIP_NAME(run_rows)(const struct lane_rows *rows, const struct lane_panels *panels)
{
    const double *const base[LANE_SOURCES] = {panels->V, panels->U, panels->row, panels->R};
    size_t const stride[LANE_SOURCES] = {panels->ld, panels->ld, STRIP, panels->ld};
    const struct lane_term *term = rows->term;
    const double *const coefficient = rows->coefficient;
    for (size_t r = 0; r < rows->rows; r++) {
        PIECE sum[PIECES] = {{0}};
        for (int from = 0; from < LANE_SOURCES; from++) {
            uint32_t const count = rows->count[LANE_SOURCES * r + from];
            if (base[from]) {
                const double *const first = base[from];
                size_t const step = stride[from];
                for (uint32_t e = 0; e < count; e++) {
                    const double *const v = first + term[e].source * step;
                    double const a = coefficient[term[e].coefficient];
                    UNROLL
                    for (size_t c = 0; c < PIECES; c++) sum[c] += a * PIECE_OF(v, c);
                }
            }
            term += count;
        }
        double *const to =
            r < rows->inner ? panels->row + r * STRIP : panels->R + (r - rows->inner) * panels->ld;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(to, c) = sum[c];
    }
}
