/* SPDX-License-Identifier: Apache-2.0 */
/* exp, log, pow, sin and cos of vectors: reduction to a short interval and a minimax polynomial, without tables and
   branches.  The sums of two words follow Dekker 1971; where a product could be contracted into a sum the result is the
   same or nearer. */
#include "model/vector_math.h"

#include <string.h>

#include "model/vector_exact.h"

#define LN2_HIGH 0x1.62e42fefp-1 /* 32 bits: k*LN2_HIGH is exact */
#define LN2_LOW  0x1.473de6af278edp-34
#define ROUNDER                                                                                    \
    0x1.8p52 /* x + ROUNDER - ROUNDER is x rounded; the low bits of x + ROUNDER hold it */

/* Integers that may overflow. */
typedef unsigned long long vector_word __attribute__((vector_size(8 * VECTOR)));

ALWAYS_INLINE vector all(double value)
{
    return value - (vector){0};
}

ALWAYS_INLINE vector_bits bits_of(vector v)
{
    return (vector_bits)v;
}

/* 2^k for -1022 <= k <= 1023. */
ALWAYS_INLINE vector power_of_two(vector_bits k)
{
    return (vector)((vector_word)(k + 1023) << 52);
}

/* exp(x + low), |low| far below |x|, |x| <= 800 or NaN:  x = k ln 2 + r,  2^k (1 + r + r^2 P(r)) with |P's error| < 2^-56.
   2^k in two factors, so that subnormal results are rounded once more only. */
ALWAYS_INLINE vector exp_of_sum(vector x, vector low)
{
    vector const shifted = x * 0x1.71547652b82fep+0 + ROUNDER;
    vector_bits const k = (vector_bits)((vector_word)shifted - (vector_word)all(ROUNDER));
    vector_bits const half = k >> 1;
    vector const turns = shifted - ROUNDER;
    vector const high = x - turns * LN2_HIGH;
    vector const rest = low - turns * LN2_LOW;
    vector const r = high + rest, z = r * r;
    vector const error = (high - r) + rest;
    vector const p0 = 0x1.0000000000001p-1 + r * 0x1.5555555555556p-3;
    vector const p1 = 0x1.5555555553d63p-5 + r * 0x1.11111111109b3p-7;
    vector const p2 = 0x1.6c16c1788bd90p-10 + r * 0x1.a01a01a7c41d5p-13;
    vector const p3 = 0x1.a019b90d2ae7ap-16 + r * 0x1.71de0dae63bb3p-19;
    vector const p4 = 0x1.289185613a3d6p-22 + r * 0x1.af38a9b0ec855p-26;
    vector const p = p0 + z * (p1 + z * (p2 + z * (p3 + z * p4)));
    vector const e = 1 + (r + (z * p + error));
    return e * power_of_two(half) * power_of_two(k - half);
}

ALWAYS_INLINE vector exp_of(vector x)
{
    return exp_of_sum(clamp(x, all(-800), all(800)), all(0));
}

/* x = 2^k m with m from sqrt(1/2) to sqrt(2), for x > 0; subnormals are scaled first. */
ALWAYS_INLINE vector mantissa_of(vector x, vector *k)
{
    vector_bits const small = x < 0x1p-1022;
    x = vector_choose(small, x * 0x1p54, x);
    vector_bits const bits = (vector_bits)((vector_word)x - 0x3fe6a09e667f3bcdULL); /* sqrt(1/2) */
    vector_bits const e = bits >> 52;
    *k = (vector)(e + bits_of(all(ROUNDER))) - ROUNDER -
         vector_choose(small, all(54),
                       all(0)); /* no conversion of 64-bit integers without AVX-512 */
    return (vector)((vector_word)x - ((vector_word)e << 52));
}

/* What log gives outside of 0 < x < inf. */
ALWAYS_INLINE vector log_at_ends(vector x, vector inside)
{
    inside = vector_choose(x == 0, all(-(double)INFINITY), inside);
    inside = vector_choose((vector_bits)(x < 0), all((double)NAN), inside);
    return vector_choose((x < (double)INFINITY), inside, x); /* inf and NaN are their own */
}

/* log x = k ln 2 + log m,  log m = log(1 + f) = f - s (f - z R(z)) ... with s = f/(2 + f), z = s^2:
   log m = 2 s + s^3 R(z) = f - (f^2/2 - s (f^2/2 + z R)), the form of fdlibm's e_log.c (Sun 1993). */
ALWAYS_INLINE vector log_of(vector x)
{
    vector k;
    vector const f = mantissa_of(x, &k) - 1;
    vector const s = f / (2 + f), z = s * s, w = z * z;
    vector const even =
        0x1.5555555555558p-1 +
        w * (0x1.2492492df281ap-2 + w * (0x1.7462b51cb66b1p-3 + w * 0x1.2b5900de53b32p-3));
    vector const odd = 0x1.99999999952d7p-2 + w * (0x1.c71c62e3f11e6p-3 + w * 0x1.39fe51a7c18f9p-3);
    vector const R = z * (even + z * odd), half_square = 0.5 * f * f;
    vector const small = half_square - (s * (half_square + R) + k * LN2_LOW);
    return log_at_ends(x, k * LN2_HIGH - (small - f));
}

/* high + low = log x to about 2^-66 of itself, 0 < x < inf: 2 s + 2/3 s^3 + s^5 T(s^2), all but T in two words. */
ALWAYS_INLINE vector log_in_two_words(vector x, vector *low)
{
    vector k;
    vector const m = mantissa_of(x, &k);
    vector const f = m - 1, g = m + 1, g_low = m - (g - 1);
    vector const s = f / g, s_g = s * g;
    vector const s_low = (((f - s_g) - product_rest(s, g, s_g)) - s * g_low) / g;
    vector const z = s * s, z_low = product_rest(s, s, z) + 2 * s * s_low;
    vector const c = s * z, c_low = product_rest(s, z, c) + (s * z_low + s_low * z);
    vector const third = all(0x1.5555555555555p-1), t = c * third;
    vector const t_low = product_rest(c, third, t) + (c * 0x1.5555555555555p-55 + c_low * third);
    vector const w = z * z;
    vector const even =
        0x1.999999999999ap-2 +
        w * (0x1.c71c71c6eaa10p-3 + w * (0x1.3b1395d2190c1p-3 + w * 0x1.df7cc8e5fa539p-4));
    vector const odd =
        0x1.2492492492521p-2 +
        w * (0x1.745d177a96056p-3 + w * (0x1.1118c7e4b0917p-3 + w * 0x1.e02e6fff27908p-4));
    vector const tail = c * z * (even + z * odd);
    vector const a = k * LN2_HIGH, b = 2 * s;
    vector const sum = a + b, a_part = sum - b; /* a + b in two words, whichever is larger */
    vector const sum_low = (a - a_part) + (b - (sum - a_part));
    vector const high = sum + t; /* |t| < |sum|/50, or sum = 0 = t */
    vector const rest =
        ((sum - high) + t) + (tail + (t_low + (sum_low + (2 * s_low + k * LN2_LOW))));
    vector const total = high + rest;
    *low = (high - total) + rest;
    return total;
}

/* Is b an integer, and an odd one? */
ALWAYS_INLINE vector_bits is_integer(vector size, vector_bits *odd)
{
    vector const half = 0.5 * size;
    vector_bits const whole = (size >= 0x1p52) | ((size + 0x1p52) - 0x1p52 == size);
    *odd = whole & (size < 0x1p53) & ((half + 0x1p52) - 0x1p52 != half);
    return whole;
}

/* a^b = exp(b log |a|) with the sign of a where b is odd. */
ALWAYS_INLINE vector pow_of(vector a, vector b)
{
    vector const size = vector_size_of(a);
    vector_bits odd;
    vector_bits const whole = is_integer(vector_size_of(b), &odd);
    vector low;
    vector const high = log_at_ends(size, log_in_two_words(size, &low));
    vector const x = b * high;
    vector const rest = product_rest(b, high, x) + b * low;
    vector_bits const inside = vector_size_of(x) <= 800; /* else rest may be NaN */
    vector r = exp_of_sum(clamp(x, all(-800), all(800)), vector_choose(inside, rest, all(0)));
    r = (vector)(bits_of(r) | (odd & bits_of(a) & bits_of(all(-0.0))));
    r = vector_choose((a < 0) & (a > -(double)INFINITY) & ~whole, all((double)NAN), r);
    vector_bits const one = (b == 0) | (a == 1) | ((a == -1) & (vector_size_of(b) >= 0x1p53));
    return vector_choose(one, all(1), r);
}

#define WIDEST_TURN 0x1p20 /* beyond, libm reduces */

/* sin(x + quarter pi/2):  x = q pi/2 + r with pi/2 in three parts of 33 bits, so that q times the first two is exact;
   r + r^3 S(r^2) or 1 - r^2/2 + r^4 C(r^2), with the rounding of r carried along. */
ALWAYS_INLINE vector turn_of(vector x, long long quarter)
{
    vector const shifted = x * 0x1.45f306dc9c883p-1 + ROUNDER, q = shifted - ROUNDER;
    vector_word const quadrant = (vector_word)shifted + (unsigned long long)quarter;
    vector const first = x - q * 0x1.921fb544p+0, second = q * 0x1.0b4611a6p-34;
    vector const near = first - second;
    vector const tail = q * 0x1.3198a2e037073p-69 - ((first - near) - second);
    vector const r = near - tail, low = (near - r) - tail, z = r * r;
    vector const S = -0x1.5555555555555p-3 +
                     z * (0x1.1111111110babp-7 +
                          z * (-0x1.a01a019e820aep-13 +
                               z * (0x1.71de37946ed6dp-19 +
                                    z * (-0x1.ae6008d114485p-26 + z * 0x1.5e0a4fc16be59p-33))));
    vector const C = 0x1.5555555555555p-5 +
                     z * (-0x1.6c16c16c16963p-10 +
                          z * (0x1.a01a019f4ddfdp-16 +
                               z * (-0x1.27e4fa16cc2d1p-22 +
                                    z * (0x1.1eeb67d026ec6p-29 + z * -0x1.907cd8ff5ede7p-37))));
    vector const half = 0.5 * z, most = 1 - half;
    vector const sine = r + (r * z * S + low * most);
    vector const cosine = most + (((1 - most) - half) + (z * z * C - r * low));
    vector const v = vector_choose((vector_bits)((quadrant & 1) != 0), cosine, sine);
    return (vector)((vector_word)v ^ ((quadrant & 2) << 62));
}

ALWAYS_INLINE vector beyond(vector x, vector r, double (*function)(double))
{
    vector_bits const far = ~(vector_size_of(x) <= WIDEST_TURN);
    for (int k = 0; k < VECTOR; k++)
        if (far[k]) r[k] = function(x[k]);
    return r;
}

ALWAYS_INLINE vector sin_of(vector x)
{
    vector const r = beyond(x, turn_of(x, 0), sin);
    return vector_choose(x == 0, x, r); /* the sign of -0 */
}

ALWAYS_INLINE vector cos_of(vector x)
{
    return beyond(x, turn_of(x, 1), cos);
}

/* Fewer than a vector, filled up with ones; a single value, on which others may wait, without a way through memory. */
ALWAYS_INLINE vector few_of(size_t n, const double *a)
{
    if (n == 1) return all(*a);
    vector few = all(1);
    for (size_t k = 0; k < n; k++) few[k] = a[k];
    return few;
}

ALWAYS_INLINE void put_few(size_t n, vector few, double *r)
{
    r[0] = few[0];
    for (size_t k = 1; k < n; k++) r[k] = few[k];
}

/* Whole vectors; the last one, which overlaps with that before it, is read first, as r may be a. */
#define EACH_VECTOR(name, value)                                                                   \
    static vector PASTE(name, last)(vector x)                                                      \
    {                                                                                              \
        return value(x);                                                                           \
    }                                                                                              \
    static void name(size_t n, const double *a, double *r)                                         \
    {                                                                                              \
        if (n < VECTOR) {                                                                          \
            if (n > 0) put_few(n, PASTE(name, last)(few_of(n, a)), r);                             \
            return;                                                                                \
        }                                                                                          \
        vector const last = VECTOR_OF(a + n - VECTOR);                                             \
        size_t i = 0;                                                                              \
        for (; i + VECTOR <= n; i += VECTOR) VECTOR_AT(r + i) = value(VECTOR_OF(a + i));           \
        if (i < n) VECTOR_AT(r + n - VECTOR) = PASTE(name, last)(last);                            \
    }

EACH_VECTOR(exp_each, exp_of)
EACH_VECTOR(log_each, log_of)
EACH_VECTOR(sin_each, sin_of)
EACH_VECTOR(cos_each, cos_of)

static vector pow_last(vector a, vector b)
{
    return pow_of(a, b);
}

static void pow_each(size_t n, const double *a, const double *b, double *r)
{
    if (n < VECTOR) {
        if (n > 0) put_few(n, pow_last(few_of(n, a), few_of(n, b)), r);
        return;
    }
    vector const x = VECTOR_OF(a + n - VECTOR), y = VECTOR_OF(b + n - VECTOR);
    size_t i = 0;
    for (; i + VECTOR <= n; i += VECTOR)
        VECTOR_AT(r + i) = pow_of(VECTOR_OF(a + i), VECTOR_OF(b + i));
    if (i < n) VECTOR_AT(r + n - VECTOR) = pow_last(x, y);
}

#define TEXT_EXPANDED(name) #name
#define TEXT(name)          TEXT_EXPANDED(name)

const struct vector_math PASTE(vector_math, KERNELS_NAME) = {
    .name = TEXT(KERNELS_NAME),
    .exp = exp_each,
    .log = log_each,
    .sin = sin_each,
    .cos = cos_each,
    .pow = pow_each,
};
