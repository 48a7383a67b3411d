/* SPDX-License-Identifier: Apache-2.0 */
/* All rows of a lane program for STRIP lanes; a template, see matrix/strip_types.h. */
#include "matrix/strip_types.h"
#include "model/engine.h"

/* sum += coefficient * source over the terms; two sums a lane, as the additions of one would wait for each other. */
ALWAYS_INLINE void STRIP_NAME(add_terms)(uint32_t count, const struct lane_term *term,
                                         const double *coefficient, const double *from, size_t step,
                                         PIECE sum[2][PIECES])
{
    uint32_t e = 0;
    for (; e + 2 <= count; e += 2) {
        UNROLL
        for (uint32_t m = 0; m < 2; m++) {
            const double *const v = from + term[e + m].source * step;
            double const a = coefficient[term[e + m].coefficient];
            UNROLL
            for (size_t c = 0; c < PIECES; c++) sum[m][c] += a * PIECE_OF(v, c);
        }
    }
    if (e == count) return;
    const double *const v = from + term[e].source * step;
    double const a = coefficient[term[e].coefficient];
    UNROLL
    for (size_t c = 0; c < PIECES; c++) sum[0][c] += a * PIECE_OF(v, c);
}

/* has_rates is a constant at each call, so that rows without rates ask nothing. */
ALWAYS_INLINE void STRIP_NAME(run_all)(const struct lane_rows *rows,
                                       const struct lane_panels *panels, double *strip,
                                       bool has_rates)
{
    const struct lane_term *term = rows->term;
    const double *const coefficient = rows->coefficient;
    for (size_t r = 0; r < rows->rows; r++) {
        struct lane_count const count = rows->count[r];
        PIECE sum[2][PIECES] = {{{0}}};
        STRIP_NAME(add_terms)(count.of_y, term, coefficient, panels->V, panels->ld, sum);
        term += count.of_y;
        STRIP_NAME(add_terms)(count.of_rows, term, coefficient, strip, STRIP, sum);
        term += count.of_rows;
        if (has_rates) {
            if (panels->V_rate) STRIP_NAME(add_terms)
            (count.of_rates, term, coefficient, panels->V_rate, panels->ld, sum);
            term += count.of_rates;
        }
        if (panels->U)
            STRIP_NAME(add_terms)(count.of_p, term, coefficient, panels->U, panels->ld, sum);
        term += count.of_p;
        double *const to = r < rows->inner ? strip + r * STRIP
                                           : panels->R + rows->root[r - rows->inner] * panels->ld;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(to, c) = sum[0][c] + sum[1][c];
    }
}

static void STRIP_NAME(run_rows)(const struct lane_rows *rows, const struct lane_panels *panels,
                                 double *strip)
{
    STRIP_NAME(run_all)(rows, panels, strip, false);
}

static void STRIP_NAME(run_rate_rows)(const struct lane_rows *rows,
                                      const struct lane_panels *panels, double *strip)
{
    STRIP_NAME(run_all)(rows, panels, strip, true);
}
