/* SPDX-License-Identifier: Apache-2.0 */
/* Error weights and weighted norms of the columns of a panel. */
#ifndef MATRIX_KERNELS_NORMS_H
#define MATRIX_KERNELS_NORMS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "matrix/kernels.h"
#include "matrix/vector_types.h"

/* 1/(r |v| + a); a denominator that is zero or denormal counts as DBL_MIN, NaN stays NaN. */
ALWAYS_INLINE vector weigh(vector r, vector v, vector a)
{
    vector const w = r * vector_size_of(v) + a;
    return 1 / vector_choose(w < DBL_MIN, (vector){0} + DBL_MIN, w);
}

/* One lane: the vectors run along the rows, into the padding too. */
static void weigh_column(size_t n, const struct tolerance *t, const double *v, double *winv)
{
    for (size_t i = 0; i < n; i += VECTOR)
        VECTOR_AT(winv + i) = weigh(t->rho[0] * VECTOR_OF(t->rtol + i), VECTOR_OF(v + i),
                                    t->a[0] * VECTOR_OF(t->atol + i));
}

/* Lanes that do not fill a vector. */
ALWAYS_INLINE void weigh_narrow(size_t n, size_t lanes, const struct tolerance *t,
                                const double *restrict v, double *restrict winv)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lanes; k++) {
            size_t const x = i * lanes + k;
            double const w = t->rtol[i] * t->rho[k] * fabs(v[x]) + t->atol[i] * t->a[k];
            winv[x] = 1 / (w < DBL_MIN ? DBL_MIN : w);
        }
}

static void weigh_wide(size_t n, size_t lanes, const struct tolerance *t, const double *v,
                       double *winv)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lanes; k += VECTOR) {
            size_t const x = i * lanes + k;
            VECTOR_AT(winv + x) = weigh(t->rtol[i] * VECTOR_OF(t->rho + k), VECTOR_OF(v + x),
                                        t->atol[i] * VECTOR_OF(t->a + k));
        }
}

static void weights(size_t n, size_t lanes, const struct tolerance *t, const double *v,
                    double *winv)
{
    if (lanes == 1)
        weigh_column(n, t, v, winv);
    else if (lanes >= VECTOR)
        weigh_wide(n, lanes, t, v, winv);
    else if (lanes == 4)
        weigh_narrow(n, 4, t, v, winv);
    else
        weigh_narrow(n, 2, t, v, winv);
}

/* The norms run over the panel as one array in chunks of MAX_LANES doubles, whatever its lanes: element x belongs to
   lane x mod lanes, so it may be collected in x mod MAX_LANES and folded at the end. */
enum { CHUNK = MAX_LANES / VECTOR, GROUP = LANE_GROUP / VECTOR }; /* in vectors */

/* sum + q^2, or the larger of sum and |q|, NaN if one of them is. */
ALWAYS_INLINE vector collect(bool squares, vector sum, vector q)
{
    if (squares) return sum + q * q;
    vector const size = vector_size_of(q);
    return vector_choose((size > sum) | vector_is_nan(size), size, sum);
}

/* Elements x + c*VECTOR on of v winv, for c < number, a constant, into part[c]. */
ALWAYS_INLINE void collect_group(bool squares, size_t number, const double *v, const double *winv,
                                 vector *part)
{
    UNROLL
    for (size_t c = 0; c < number; c++)
        part[c] =
            collect(squares, part[c], VECTOR_OF(v + c * VECTOR) * VECTOR_OF(winv + c * VECTOR));
}

/* part[] of `width` elements into its first half until `lanes` are left. */
ALWAYS_INLINE void fold(bool squares, size_t width, size_t lanes, double *part)
{
    UNROLL
    for (size_t half = MAX_LANES / 2; half > 0; half /= 2) {
        if (half >= width) continue;
        if (half < lanes) break;
        for (size_t k = 0; k < half; k++) {
            double const other = part[k + half];
            if (squares)
                part[k] += other;
            else if (other > part[k] || other != other)
                part[k] = other;
        }
    }
}

/* Folds the parts of `used` vectors into lanes and stores them; all three are constants once inlined. */
ALWAYS_INLINE void store_lanes(bool squares, size_t used, size_t lanes, const vector *part,
                               double *result)
{
    double all[MAX_LANES];
    UNROLL
    for (size_t c = 0; c < used; c++) VECTOR_AT(all + c * VECTOR) = part[c];
    fold(squares, used * VECTOR, lanes, all);
    UNROLL
    for (size_t k = 0; k < lanes; k++) result[k] = all[k];
}

/* The same with lanes as a variable; `few` says that the panel is one group, so that lanes <= LANE_GROUP. */
ALWAYS_INLINE void store_parts(bool squares, bool few, size_t lanes, const vector *part,
                               double *result)
{
    size_t const used = few ? GROUP : CHUNK;
    switch (lanes) {
    case 1:
        store_lanes(squares, used, 1, part, result);
        return;
    case 2:
        store_lanes(squares, used, 2, part, result);
        return;
    case 4:
        store_lanes(squares, used, 4, part, result);
        return;
    case 8:
        store_lanes(squares, used, 8, part, result);
        return;
    default:
        break;
    }
    if (few) return;
    if (lanes == 16)
        store_lanes(squares, CHUNK, 16, part, result);
    else
        store_lanes(squares, CHUNK, 32, part, result);
}

ALWAYS_INLINE void norms(bool squares, size_t count, size_t lanes, const double *v,
                         const double *winv, double *result)
{
    if (count == LANE_GROUP) {
        vector few[GROUP] = {{0}};
        collect_group(squares, GROUP, v, winv, few);
        store_parts(squares, true, lanes, few, result);
        return;
    }
    vector part[CHUNK] = {{0}};
    size_t x = 0;
    for (; x + MAX_LANES <= count; x += MAX_LANES)
        collect_group(squares, CHUNK, v + x, winv + x, part);
    for (size_t g = 0; x < count; x += LANE_GROUP, g += GROUP)
        collect_group(squares, GROUP, v + x, winv + x, part + g);
    store_parts(squares, false, lanes, part, result);
}

/* The exponent of NaN and Inf is all ones: adding one to it carries into the sign bit. */
static bool all_finite(size_t count, const double *v)
{
    typedef unsigned long long carries __attribute__((vector_size(8 * VECTOR)));
    unsigned long long const exponent = 0x7ffULL << 52, one = 1ULL << 52;
    carries carry = {0};
    unsigned long long any = 0;
    size_t x = 0;
    for (; x + VECTOR <= count; x += VECTOR) carry |= ((carries)VECTOR_OF(v + x) & exponent) + one;
    for (; x < count; x++) {
        unsigned long long bits = 0;
        memcpy(&bits, v + x, sizeof bits);
        any |= (bits & exponent) + one;
    }
    UNROLL
    for (size_t k = 0; k < VECTOR; k++) any |= carry[k];
    return any >> 63 == 0;
}

static void square_sums(size_t n, size_t lanes, const double *v, const double *winv, double *sum)
{
    norms(true, lane_round(n * lanes), lanes, v, winv, sum);
}

static void largest(size_t n, size_t lanes, const double *v, const double *winv, double *result)
{
    norms(false, lane_round(n * lanes), lanes, v, winv, result);
}

#endif
