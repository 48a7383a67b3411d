/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of the width the target has, through the compiler's vector extensions; for the *_body.c files, which
   are compiled once per instruction set. */
#ifndef MATRIX_VECTOR_TYPES_H
#define MATRIX_VECTOR_TYPES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#if defined(__AVX__)
#include <immintrin.h>
#endif

/* VECTOR: doubles in a register, divides LANE_GROUP.  Wide panels are worked through in strips of lanes whose sums fit
   into the registers (16, or 32 with AVX-512): those of one row, or those of a tile of rows that share the panel's
   values once they are loaded. */
#if defined(__AVX512F__)
#define VECTOR               8
#define ROW_STRIP            32
#define TILE_STRIP           32
#define EACH_ROW_STRIP(use)  use(1) use(2) use(4) use(8) use(16) use(32)
#define EACH_TILE_STRIP(use) use(1) use(2) use(4) use(8) use(16) use(32)
#elif defined(__AVX__)
#define VECTOR               4
#define ROW_STRIP            32
#define TILE_STRIP           8
#define EACH_ROW_STRIP(use)  use(1) use(2) use(4) use(8) use(16) use(32)
#define EACH_TILE_STRIP(use) use(1) use(2) use(4) use(8)
#else
#define VECTOR               2
#define ROW_STRIP            16
#define TILE_STRIP           4
#define EACH_ROW_STRIP(use)  use(1) use(2) use(4) use(8) use(16)
#define EACH_TILE_STRIP(use) use(1) use(2) use(4)
#endif

typedef double vector __attribute__((vector_size(8 * VECTOR)));
typedef double loose_vector __attribute__((vector_size(8 * VECTOR), aligned(8), may_alias));
typedef long long vector_bits __attribute__((vector_size(8 * VECTOR)));

/* A vector in memory; it need not be aligned. */
#define VECTOR_AT(p) (*(loose_vector *)(p))
#define VECTOR_OF(p) (*(const loose_vector *)(p))

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Before a loop of constant length whose array must live in registers.  Not under sanitizers: to compile the checks of
   every copy would take minutes. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(undefined_behavior_sanitizer)
#define UNROLL
#elif defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

#define PASTE_EXPANDED(a, b) a##_##b
#define PASTE(a, b)          PASTE_EXPANDED(a, b)

/* Elementwise: |v|; whether v is NaN, as a mask of bits; a where the mask is set, else b. */
ALWAYS_INLINE vector vector_size_of(vector v)
{
    return (vector)((vector_bits)v & 0x7fffffffffffffffLL);
}

ALWAYS_INLINE vector_bits vector_is_nan(vector v)
{
    return ~(v <= (double)INFINITY);
}

/* Whether any sign bit is set: of masks, whether any is set. */
ALWAYS_INLINE bool vector_any(vector_bits mask)
{
#if defined(__AVX512F__)
    return _mm512_cmplt_epi64_mask((__m512i)mask, _mm512_setzero_si512()) != 0;
#elif defined(__AVX__)
    return _mm256_movemask_pd((__m256d)mask) != 0;
#else
    long long any = 0;
    for (size_t k = 0; k < VECTOR; k++) any |= mask[k];
    return any < 0;
#endif
}

ALWAYS_INLINE vector vector_choose(vector_bits mask, vector a, vector b)
{
    return (vector)((mask & (vector_bits)a) | (~mask & (vector_bits)b));
}

#endif
