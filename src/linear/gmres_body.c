/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of GMRES for one instruction set, KERNELS_NAME (linear/gmres_kernels.h).  They run over a panel as one array
   in chunks of MAX_LANES doubles, whatever its lanes, and collect sums in x mod MAX_LANES: so a lane's sums do not
   depend on what stands in the other lanes. */
#include "linear/gmres_kernels.h"
#include "matrix/vector_types.h"

enum { CHUNK = MAX_LANES / VECTOR, GROUP = LANE_GROUP / VECTOR }; /* in vectors */

/* STEP(number, g) does `number` vectors, a constant, from element x on, which are number g and following of a chunk. */
#define EACH_CHUNK(count, STEP)                                                                    \
    size_t x = 0;                                                                                  \
    for (; x + MAX_LANES <= (count); x += MAX_LANES) STEP(CHUNK, (size_t)0);                       \
    for (size_t g = 0; x < (count); x += LANE_GROUP, g += GROUP) STEP(GROUP, g);

/* Adds up what belongs to the same lane. */
ALWAYS_INLINE void store_sums(size_t lanes, const vector part[CHUNK], double *sums)
{
    double all[MAX_LANES];
    UNROLL
    for (size_t c = 0; c < CHUNK; c++) VECTOR_AT(all + c * VECTOR) = part[c];
    for (size_t half = MAX_LANES / 2; half >= lanes; half /= 2)
        for (size_t k = 0; k < half; k++) all[k] += all[k + half];
    for (size_t k = 0; k < lanes; k++) sums[k] = all[k];
}

static bool reciprocals(size_t count, const double *d, double *r)
{
    vector_bits some = {0};
    for (size_t x = 0; x < count; x += VECTOR) {
        vector const v = VECTOR_OF(d + x);
        vector_bits const positive = v > 0;
        some |= ~positive;
        VECTOR_AT(r + x) = vector_choose(positive, 1 / v, (vector){0});
    }
    long long any = 0;
    UNROLL
    for (size_t c = 0; c < VECTOR; c++) any |= some[c];
    return any != 0;
}

ALWAYS_INLINE void receive_chunk(size_t number, const double *y, const double *d, double *v,
                                 const double *next, vector *product, vector *square)
{
    UNROLL
    for (size_t c = 0; c < number; c++) {
        vector const value = VECTOR_OF(d + c * VECTOR) * VECTOR_OF(y + c * VECTOR);
        VECTOR_AT(v + c * VECTOR) = value;
        product[c] += value * VECTOR_OF(next + c * VECTOR);
        square[c] += value * value;
    }
}

static void receive(size_t count, size_t lanes, const double *y, const double *d, double *v,
                    const double *next, double *sums)
{
    vector product[CHUNK] = {{0}}, square[CHUNK] = {{0}};
#define STEP(number, g)                                                                            \
    receive_chunk(number, y + x, d + x, v + x, next + x, product + (g), square + (g))
    EACH_CHUNK(count, STEP)
#undef STEP
    store_sums(lanes, product, sums);
    store_sums(lanes, square, sums + MAX_LANES);
}

ALWAYS_INLINE void project_chunk(size_t number, const double *h, const double *V, double *v,
                                 const double *next, vector *sum)
{
    UNROLL
    for (size_t c = 0; c < number; c++) {
        vector const value =
            VECTOR_OF(v + c * VECTOR) - VECTOR_OF(h + c * VECTOR) * VECTOR_OF(V + c * VECTOR);
        VECTOR_AT(v + c * VECTOR) = value;
        sum[c] += value * VECTOR_OF(next + c * VECTOR);
    }
}

static void project(size_t count, size_t lanes, const double *h, const double *V, double *v,
                    const double *next, double *sums)
{
    vector sum[CHUNK] = {{0}};
#define STEP(number, g) project_chunk(number, h + (g)*VECTOR, V + x, v + x, next + x, sum + (g))
    EACH_CHUNK(count, STEP)
#undef STEP
    store_sums(lanes, sum, sums);
}

ALWAYS_INLINE void start_chunk(size_t number, const double *factor, double *V,
                               const double *unscale, double *z)
{
    UNROLL
    for (size_t c = 0; c < number; c++) {
        vector const f = VECTOR_OF(factor + c * VECTOR);
        vector const value = vector_choose(f != 0, f * VECTOR_OF(V + c * VECTOR), (vector){0});
        VECTOR_AT(V + c * VECTOR) = value;
        VECTOR_AT(z + c * VECTOR) = value * VECTOR_OF(unscale + c * VECTOR);
    }
}

static void start(size_t count, const double *factor, double *V, const double *unscale, double *z){
#define STEP(number, g) start_chunk(number, factor + (g)*VECTOR, V + x, unscale + x, z + x)
    EACH_CHUNK(count, STEP)
#undef STEP
}

ALWAYS_INLINE void combine_chunk(size_t number, size_t rows, size_t count, const double *c,
                                 const double *V, vector *sum)
{
    for (size_t j = 0; j < rows; j++) {
        UNROLL
        for (size_t p = 0; p < number; p++)
            sum[p] +=
                VECTOR_OF(c + j * MAX_LANES + p * VECTOR) * VECTOR_OF(V + j * count + p * VECTOR);
    }
}

ALWAYS_INLINE void store_chunk(size_t number, const vector *sum, const double *unscale, double *z)
{
    UNROLL
    for (size_t p = 0; p < number; p++)
        VECTOR_AT(z + p * VECTOR) = unscale ? sum[p] * VECTOR_OF(unscale + p * VECTOR) : sum[p];
}

static void combine(size_t count, size_t rows, const double *c, const double *V,
                    const double *unscale, double *z)
{
#define STEP(number, g)                                                                            \
    do {                                                                                           \
        vector sum[number] = {{0}};                                                                \
        combine_chunk(number, rows, count, c + (g)*VECTOR, V + x, sum);                            \
        store_chunk(number, sum, unscale ? unscale + x : NULL, z + x);                             \
    } while (0)
    EACH_CHUNK(count, STEP)
#undef STEP
}

ALWAYS_INLINE void blend_chunk(size_t number, const double *s, const double *c, const double *v,
                               double *x)
{
    UNROLL
    for (size_t p = 0; p < number; p++) {
        vector const a = VECTOR_OF(c + p * VECTOR);
        vector const kept = VECTOR_OF(s + p * VECTOR) * VECTOR_OF(x + p * VECTOR);
        VECTOR_AT(x + p * VECTOR) =
            vector_choose(a != 0, kept + a * VECTOR_OF(v + p * VECTOR), kept);
    }
}

static void blend(size_t count, const double *s, const double *c, const double *v, double *to){
#define STEP(number, g) blend_chunk(number, s + (g)*VECTOR, c + (g)*VECTOR, v + x, to + x)
    EACH_CHUNK(count, STEP)
#undef STEP
}

ALWAYS_INLINE void dots_chunk(size_t number, const double *u, const double *v, vector *sum)
{
    UNROLL
    for (size_t c = 0; c < number; c++)
        sum[c] += VECTOR_OF(u + c * VECTOR) * VECTOR_OF(v + c * VECTOR);
}

static void dots(size_t count, size_t lanes, const double *u, const double *v, double *sums)
{
    vector sum[CHUNK] = {{0}};
#define STEP(number, g) dots_chunk(number, u + x, v + x, sum + (g))
    EACH_CHUNK(count, STEP)
#undef STEP
    store_sums(lanes, sum, sums);
}

extern const struct gmres_kernels PASTE(gmres_kernels, KERNELS_NAME);

const struct gmres_kernels PASTE(gmres_kernels, KERNELS_NAME) = {
    .reciprocals = reciprocals,
    .receive = receive,
    .project = project,
    .start = start,
    .combine = combine,
    .blend = blend,
    .dots = dots,
};
