/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions of many arguments at once, our own, for every instruction set from one source.
   Largest errors in units in the last place, measured by tests/unit/model_vector_math.c against long double:
   exp, log 1, sin, cos 1.1, pow 2 (below 1 where |b log a| < 100); subnormal results round twice: half a unit more.
   NaN, infinities, signed zeros, overflow and underflow are those of C's Annex F; no floating-point traps. */
#ifndef MODEL_VECTOR_MATH_H
#define MODEL_VECTOR_MATH_H

#include <stddef.h>

/* r[i] = f(a[i]) or a[i]^b[i], i < n.  r may be a or b; nothing else may overlap, nothing needs to be aligned. */
typedef void vector_function(size_t n, const double *a, double *r);

struct vector_math {
    const char *name; /* of the instruction set */
    vector_function *exp, *log, *sin, *cos;
    void (*pow)(size_t n, const double *a, const double *b, double *r);
};

extern const struct vector_math vector_math_plain, vector_math_avx2, vector_math_avx512;

#endif
