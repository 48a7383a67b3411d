/* SPDX-License-Identifier: Apache-2.0 */
/* All rows of a lane program for STRIP lanes; a template, see matrix/strip_types.h. */
#include "matrix/strip_types.h"
#include "model/engine.h"

/* Sums a lane: the additions of one would wait for each other where they fill few registers. */
#undef SUMS
#if STRIP >= 4 * VECTOR
#define SUMS 1
#else
#define SUMS 2
#endif

/* sum += coefficient * source over so many terms, known to the compiler. */
ALWAYS_INLINE const lane_term *STRIP_NAME(add_few)(uint32_t count, const lane_term *term,
                                                   const double *coefficient, const double *from,
                                                   size_t step, PIECE sum[SUMS][PIECES])
{
    UNROLL
    for (uint32_t m = 0; m < count; m++) {
        const double *const v = from + lane_term_source(term[m]) * step;
        double const a = coefficient[lane_term_slot(term[m])];
        UNROLL
        for (size_t c = 0; c < PIECES; c++) sum[m % SUMS][c] += a * PIECE_OF(v, c);
    }
    return term + count;
}

/* Four by four: a loop of few turns, whose end comes as no surprise. */
ALWAYS_INLINE const lane_term *STRIP_NAME(add_terms)(uint32_t count, const lane_term *term,
                                                     const double *coefficient, const double *from,
                                                     size_t step, PIECE sum[SUMS][PIECES])
{
    for (uint32_t e = count / 4; e > 0; e--)
        term = STRIP_NAME(add_few)(4, term, coefficient, from, step, sum);
    if (count & 2) term = STRIP_NAME(add_few)(2, term, coefficient, from, step, sum);
    if (count & 1) term = STRIP_NAME(add_few)(1, term, coefficient, from, step, sum);
    return term;
}

/* has_rates is a constant at each call, so that rows without rates ask nothing. */
ALWAYS_INLINE void STRIP_NAME(run_all)(const struct lane_rows *rows,
                                       const struct lane_panels *panels, double *strip,
                                       bool has_rates)
{
    const lane_term *term = rows->term;
    const double *const coefficient = rows->coefficient;
    for (size_t r = 0; r < rows->rows; r++) {
        struct lane_count const count = rows->count[r];
        PIECE sum[SUMS][PIECES] = {{{0}}};
        term = STRIP_NAME(add_terms)(count.of_y, term, coefficient, panels->V, panels->ld, sum);
        term = STRIP_NAME(add_terms)(count.of_rows, term, coefficient, strip, STRIP, sum);
        if (has_rates && panels->V_rate)
            term = STRIP_NAME(add_terms)(count.of_rates, term, coefficient, panels->V_rate,
                                         panels->ld, sum);
        else if (has_rates)
            term += count.of_rates;
        if (panels->U) /* else the map has no such terms */
            term = STRIP_NAME(add_terms)(count.of_p, term, coefficient, panels->U, panels->ld, sum);
        double *const to = r < rows->inner ? strip + r * STRIP
                                           : panels->R + rows->root[r - rows->inner] * panels->ld;
        UNROLL
        for (size_t c = 0; c < PIECES; c++)
            PIECE_AT(to, c) = SUMS == 1 ? sum[0][c] : sum[0][c] + sum[SUMS - 1][c];
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

/* Where the sums of two rows and a source fit into the registers; loads are what takes time there. */
#if STRIP == 4 * VECTOR && VECTOR == 8
/* sum += coefficient * source over `count` terms of V. */
ALWAYS_INLINE void STRIP_NAME(add_own)(uint32_t count, const lane_term *term,
                                       const double *coefficient, const double *from, size_t step,
                                       PIECE sum[SUMS][PIECES])
{
    for (; count >= 4; count -= 4)
        term = STRIP_NAME(add_few)(4, term, coefficient, from, step, sum);
    for (; count > 0; count--) term = STRIP_NAME(add_few)(1, term, coefficient, from, step, sum);
}

/* The same for two rows whose sources are the same: each is loaded once. */
ALWAYS_INLINE void STRIP_NAME(add_shared)(uint32_t count, const lane_term *one,
                                          const lane_term *two, const double *coefficient,
                                          const double *from, size_t step,
                                          PIECE sum[2][SUMS][PIECES])
{
    for (uint32_t m = 0; m < count; m++) {
        const double *const v = from + lane_term_source(one[m]) * step;
        double const a = coefficient[lane_term_slot(one[m])];
        double const b = coefficient[lane_term_slot(two[m])];
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            PIECE x = PIECE_OF(v, c);
            __asm__("" : "+v"(x)); /* no instruction; keeps the compiler from loading it twice */
            sum[0][0][c] += a * x;
            sum[1][0][c] += b * x;
        }
    }
}

/* Rows whose terms are all of V, two at a time where they share sources. */
static void STRIP_NAME(run_pairs)(const struct lane_rows *rows, const struct lane_panels *panels)
{
    const lane_term *term = rows->term;
    const double *const coefficient = rows->coefficient, *const V = panels->V;
    double *const R = panels->R;
    size_t const ld = panels->ld;
    const uint32_t *root = rows->root, *const end = root + rows->rows;
    for (const struct lane_count *count = rows->count; root < end;) {
        uint32_t const shared = count[0].shared, first = count[0].of_y;
        const lane_term *const next = term + first;
        PIECE sum[2][SUMS][PIECES] = {{{{0}}}};
        STRIP_NAME(add_shared)(shared, term, next, coefficient, V, ld, sum);
        STRIP_NAME(add_own)(first - shared, term + shared, coefficient, V, ld, sum[0]);
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(R + root[0] * ld, c) = sum[0][0][c];
        term = next;
        if (shared > 0) {
            uint32_t const second = count[1].of_y;
            STRIP_NAME(add_own)(second - shared, next + shared, coefficient, V, ld, sum[1]);
            UNROLL
            for (size_t c = 0; c < PIECES; c++) PIECE_AT(R + root[1] * ld, c) = sum[1][0][c];
            term = next + second;
        }
        count += 1 + (shared > 0);
        root += 1 + (shared > 0);
    }
}
#endif
