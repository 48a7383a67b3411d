/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of lane programs, strip after strip of lanes whose sums fit into registers. */
#include "matrix/vector_types.h"
#include "model/engine.h"

#define STRIP_FILE "model/engine_lanes_strip.h"
#define WIDEST     32
#include "matrix/each_strip.h"

void PASTE(engine_lanes, KERNELS_NAME)(const struct lane_rows *rows,
                                       const struct lane_panels *panels, double *strip);

static double add_terms_1(uint32_t count, const lane_term *term, const double *coefficient,
                          const double *from, size_t step)
{
    double sum = 0;
    for (uint32_t e = 0; e < count; e++)
        sum += coefficient[lane_term_slot(term[e])] * from[lane_term_source(term[e]) * step];
    return sum;
}

/* One lane. */
static void run_rows_1(const struct lane_rows *rows, const struct lane_panels *panels,
                       double *strip)
{
    const lane_term *term = rows->term;
    for (size_t r = 0; r < rows->rows; r++) {
        struct lane_count const count = rows->count[r];
        double sum = add_terms_1(count.of_y, term, rows->coefficient, panels->V, panels->ld);
        term += count.of_y;
        sum += add_terms_1(count.of_rows, term, rows->coefficient, strip, 1);
        term += count.of_rows;
        if (panels->V_rate)
            sum += add_terms_1(count.of_rates, term, rows->coefficient, panels->V_rate, panels->ld);
        term += count.of_rates;
        if (panels->U)
            sum += add_terms_1(count.of_p, term, rows->coefficient, panels->U, panels->ld);
        term += count.of_p;
        if (r < rows->inner)
            strip[r] = sum;
        else
            panels->R[rows->root[r - rows->inner] * panels->ld] = sum;
    }
}

/* A strip of `width` lanes, of whatever rows there are. */
static void run_strip(const struct lane_rows *rows, const struct lane_panels *at, double *strip,
                      size_t width)
{
#define STRIP_CASE(s)                                                                              \
    case s:                                                                                        \
        if (rows->has_rates)                                                                       \
            run_rate_rows_##s(rows, at, strip);                                                    \
        else                                                                                       \
            run_rows_##s(rows, at, strip);                                                         \
        break;
    switch (width) {
    case 1:
        run_rows_1(rows, at, strip);
        break;
        STRIP_CASE(2)
        STRIP_CASE(4)
        STRIP_CASE(8)
        STRIP_CASE(16)
        STRIP_CASE(32)
    }
}

/* The widest strips first, then halves of them for the rest. */
void PASTE(engine_lanes, KERNELS_NAME)(const struct lane_rows *rows,
                                       const struct lane_panels *panels, double *strip)
{
    struct lane_panels at = *panels;
    for (size_t k = 0, width = LANE_STRIP; k < panels->columns; k += width) {
        while (width > panels->columns - k) width /= 2;
        at.V = panels->V + k;
        at.U = panels->U ? panels->U + k : NULL;
        at.V_rate = panels->V_rate ? panels->V_rate + k : NULL;
        at.R = panels->R + k;
#if VECTOR == 8
        if (rows->of_y_alone && width == LANE_STRIP) {
            run_pairs_32(rows, &at);
            continue;
        }
#endif
        run_strip(rows, &at, strip, width);
    }
}
