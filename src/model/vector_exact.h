/* SPDX-License-Identifier: Apache-2.0 */
/* What the vector extensions do not say exactly, for the *_body.c files.  product_rest: a*b - p without rounding, where
   p = a*b rounded.  clamp: x within [least, most]; NaN stays. */
#ifndef MODEL_VECTOR_EXACT_H
#define MODEL_VECTOR_EXACT_H

#include "matrix/vector_types.h"

#if defined(__AVX512F__)
#include <immintrin.h>
ALWAYS_INLINE vector product_rest(vector a, vector b, vector p)
{
    return _mm512_fmsub_pd(a, b, p);
}

ALWAYS_INLINE vector clamp(vector x, vector least, vector most)
{
    return _mm512_min_pd(most, _mm512_max_pd(least, x));
}
#elif defined(__FMA__)
#include <immintrin.h>
ALWAYS_INLINE vector product_rest(vector a, vector b, vector p)
{
    return _mm256_fmsub_pd(a, b, p);
}

ALWAYS_INLINE vector clamp(vector x, vector least, vector most)
{
    return _mm256_min_pd(most, _mm256_max_pd(least, x));
}
#else
/* The upper 26 bits of a: Dekker 1971. */
ALWAYS_INLINE vector upper_half(vector a)
{
    vector const c = a * 0x1.0000002p27;
    return c - (c - a);
}

ALWAYS_INLINE vector product_rest(vector a, vector b, vector p)
{
    vector const ah = upper_half(a), al = a - ah, bh = upper_half(b), bl = b - bh;
    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

ALWAYS_INLINE vector clamp(vector x, vector least, vector most)
{
    x = vector_choose(x < least, least, x);
    return vector_choose(x > most, most, x);
}
#endif

#endif
