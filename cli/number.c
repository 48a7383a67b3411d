/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as %.17g writes them, several times faster: v 10^(16-e) in extended precision is off by less than 0.03 units of the
   17th digit, so rounding is certain unless the rest is that close to a half; then, and for extreme sizes, printf does it. */
#include "text.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { EXACT = 27, DIGITS = 17 }; /* 10^27 = 5^27 2^27 has 63 bits in 5^27 */

/* v 10^power for abs(power) <= 2 EXACT. */
static long double scale(double v, int power)
{
    static const long double tens[EXACT + 1] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                                1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                                1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                                1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    int const size = power < 0 ? -power : power;
    int const first = size > EXACT ? EXACT : size;
    long double const x = v;
    if (power < 0) return x / tens[first] / tens[size - first];
    return x * tens[first] * tens[size - first];
}

/* The 17 digits and the decimal exponent of v > 0; false when rounding is not certain. */
static bool find_digits(double v, uint64_t *digits, int *exponent)
{
    int binary = 0;
    (void)frexp(v, &binary);
    int e = (int)floor((binary - 1) * 0.30102999566398120); /* log10(2): e or one less */
    if (LDBL_MANT_DIG < 64 || e < 18 - 2 * EXACT || e > 14 + 2 * EXACT) return false;
    long double scaled = scale(v, DIGITS - 1 - e);
    if (scaled >= 1e17L) scaled = scale(v, DIGITS - 1 - ++e);
    uint64_t const whole = (uint64_t)scaled;
    double const rest = (double)(scaled - (long double)whole);
    if (fabs(rest - 0.5) < 0.03) return false;
    *digits = whole + (rest > 0.5);
    *exponent = e;
    return *digits >= 10000000000000000U && *digits < 100000000000000000U;
}

/* Digits d.ddd with the point after `before` of them, zeros at the end left out. */
static char *put_digits(char *to, const char *digits, int count, int before)
{
    for (int k = 0; k < count || k < before; k++) {
        if (k == before) *to++ = '.';
        *to++ = k < count ? digits[k] : '0';
    }
    return to;
}

void text_number(struct text *text, double value)
{
    char digits[DIGITS + 1], line[48], *to = line;
    uint64_t number = 0;
    int e = 0, count = DIGITS;
    if (isnan(value) || value == 0) {
        text_put(text, isnan(value) ? "nan" : "0"); /* never -nan, never -0 */
        return;
    }
    if (!isfinite(value) || !find_digits(fabs(value), &number, &e)) {
        text_add(text, "%.17g", value);
        return;
    }
    for (int k = DIGITS - 1; k >= 0; k--, number /= 10) digits[k] = (char)('0' + number % 10);
    while (count > 1 && digits[count - 1] == '0') count--;
    if (value < 0) *to++ = '-';
    if (e < -4 || e >= DIGITS) {
        to = put_digits(to, digits, count, 1);
        to += snprintf(to, 8, "e%c%02d", e < 0 ? '-' : '+', e < 0 ? -e : e);
    } else if (e < 0) {
        memcpy(to, "0.0000", 6);
        to = put_digits(to + 1 - e, digits, count, count);
    } else {
        to = put_digits(to, digits, count, e + 1);
    }
    text_bytes(text, (size_t)(to - line), line);
}
