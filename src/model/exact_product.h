/* SPDX-License-Identifier: Apache-2.0 */
/* a*b - p without rounding, where p = a*b rounded; for the *_body.c files. */
#ifndef MODEL_EXACT_PRODUCT_H
#define MODEL_EXACT_PRODUCT_H

#include "matrix/vector_types.h"

#if defined(__AVX512F__)
#include <immintrin.h>
ALWAYS_INLINE vector product_rest(vector a, vector b, vector p)
{
    return _mm512_fmsub_pd(a, b, p);
}
#elif defined(__FMA__)
#include <immintrin.h>
ALWAYS_INLINE vector product_rest(vector a, vector b, vector p)
{
    return _mm256_fmsub_pd(a, b, p);
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
#endif

#endif
