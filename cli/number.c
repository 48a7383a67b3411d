/* SPDX-License-Identifier: Apache-2.0 */
/* x = m 2^e with 64 bits m; N = x 10^(16 - E), E = floor(log10 x), has 17 digits before its point.  m times a power of ten
   known to 120 bits gives N and its fraction; the digits are N rounded, unless the fraction is so close to one half that the
   missing bits decide: then printf, which calculates exactly, is asked.  That is rare but for ties. */
#include "number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 350, DIGITS = 17 };

struct power {
    uint64_t high, low; /* the top bit of high is set */
    int exponent;
};

struct number_powers {
    struct power ten[2 * LARGEST + 1];
};

__extension__ typedef unsigned __int128 wide;

static struct power normal(wide value, int exponent)
{
    while (!(value >> 127)) {
        value <<= 1;
        exponent--;
    }
    return (struct power){(uint64_t)(value >> 64), (uint64_t)value, exponent};
}

/* a/10 and 10 a, each rounded down in the last of 128 bits: after 350 of them 119 bits are right. */
static struct power times_ten(struct power a)
{
    wide const value = (wide)a.high << 64 | a.low;
    return normal((value >> 3) + (value >> 1), a.exponent + 4); /* 10 = 16 (1/8 + 1/2) */
}

static struct power tenth(struct power a)
{
    wide const value = (wide)a.high << 64 | a.low;
    wide const quotient = value / 10, rest = value % 10;
    return normal(quotient << 3 | (rest << 3) / 10, a.exponent - 3);
}

struct number_powers *number_powers_make(void)
{
    struct number_powers *const p = malloc(sizeof *p);
    if (!p) return NULL;
    p->ten[LARGEST] = normal(1, 0);
    for (int k = 1; k <= LARGEST; k++) {
        p->ten[LARGEST + k] = times_ten(p->ten[LARGEST + k - 1]);
        p->ten[LARGEST - k] = tenth(p->ten[LARGEST - k + 1]);
    }
    return p;
}

void number_powers_free(struct number_powers *powers)
{
    free(powers);
}

/* N rounded; false when its fraction is too close to one half to tell, or N is out of the range in which 64 bits of the
   fraction are known. */
static bool scale(const struct number_powers *powers, uint64_t m, int e, int exponent,
                  uint64_t *digits)
{
    struct power const p = powers->ten[LARGEST + DIGITS - 1 - exponent];
    wide const low = (wide)m * p.low, high = (wide)m * p.high + (uint64_t)(low >> 64);
    int const shift = -(e + p.exponent + 64); /* high 2^(e + exponent + 64) = N */
    if (shift < 64 || shift > 127) return false;
    wide const scaled = high >> (shift - 64);
    uint64_t const whole = (uint64_t)(scaled >> 64), fraction = (uint64_t)scaled;
    uint64_t const half = UINT64_C(1) << 63;
    if (fraction - half + 16 < 32) return false;
    *digits = whole + (fraction > half);
    return true;
}

/* Eight digits, two at a time. */
static void spell_eight(uint32_t value, char *out)
{
    static const char pairs[] = /* 00, 01, .. 99 */
        "00010203040506070809"
        "10111213141516171819"
        "20212223242526272829"
        "30313233343536373839"
        "40414243444546474849"
        "50515253545556575859"
        "60616263646566676869"
        "70717273747576777879"
        "80818283848586878889"
        "90919293949596979899";
    uint32_t const upper = value / 10000, lower = value % 10000;
    memcpy(out, pairs + (size_t)2 * (upper / 100), 2);
    memcpy(out + 2, pairs + (size_t)2 * (upper % 100), 2);
    memcpy(out + 4, pairs + (size_t)2 * (lower / 100), 2);
    memcpy(out + 6, pairs + (size_t)2 * (lower % 100), 2);
}

/* The digits of N, most significant first; how many are left without zeros at the end.  In parts, because a division of 32
   bits is fast. */
static int spell(uint64_t digits, char *out)
{
    uint32_t const upper = (uint32_t)(digits / 100000000), lower = (uint32_t)(digits % 100000000);
    int last = DIGITS;
    out[0] = (char)('0' + upper / 100000000);
    spell_eight(upper % 100000000, out + 1);
    spell_eight(lower, out + 9);
    while (out[last - 1] == '0') last--;
    return last;
}

/* "e-07", "e+123"; the length. */
static size_t write_exponent(int exponent, char *out)
{
    char *at = out;
    unsigned const size = (unsigned)abs(exponent);
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    if (size >= 100) *at++ = (char)('0' + size / 100);
    *at++ = (char)('0' + size / 10 % 10);
    *at++ = (char)('0' + size % 10);
    return (size_t)(at - out);
}

/* d.ddd with `exponent` digits shifted, as %g lays it out; the length.  All digits are copied, whatever their number: a copy
   of known length is a few instructions, and what comes next is written over those that were too many. */
static size_t lay_out(const char *digit, int count, int exponent, char *out)
{
    size_t const before = exponent < -4 || exponent >= DIGITS ? 1 : (size_t)(exponent + 1);
    size_t length = (size_t)count;
    if (exponent < 0 && exponent >= -4) { /* 0.00ddd */
        size_t const zeros = (size_t)(1 - exponent);
        static const char leading[] = "0.000";
        memcpy(out, leading, sizeof leading);
        memcpy(out + zeros, digit, DIGITS);
        return zeros + length;
    }
    memcpy(out, digit, DIGITS);
    if (length > before) {
        memcpy(out + before + 1, digit + before, DIGITS);
        out[before] = '.';
        length++;
    } else {
        length = before; /* zeros of 1000 are digits */
    }
    return exponent < -4 || exponent >= DIGITS ? length + write_exponent(exponent, out + length)
                                               : length;
}

/* floor(e log10(2)): 1292913986/2^32 is close enough to it for every exponent of a double. */
static int floor_log10(int e)
{
    int const above = 400; /* a shift wants no sign */
    return (int)((INT64_C(1292913986) * e + ((int64_t)above << 32)) >> 32) - above;
}

/* A positive normal number; 0 when it must be left to printf. */
static size_t write_fast(const struct number_powers *powers, uint64_t bits, char *out)
{
    char digit[2 * DIGITS] = {0}; /* lay_out reads beyond those that there are */
    uint64_t digits = 0;
    uint64_t const m = (bits << 11) | UINT64_C(1) << 63; /* the top bit is implied; */
    int const e = (int)(bits >> 52) - 1022;              /* x = m 2^(e - 64) */
    int exponent = floor_log10(e - 1); /* of 2^(e-1) <= x: right or one too small */
    if (!scale(powers, m, e - 64, exponent, &digits)) return 0;
    if (digits >= UINT64_C(100000000000000000) && !scale(powers, m, e - 64, ++exponent, &digits))
        return 0;
    if (digits >= UINT64_C(100000000000000000)) return 0; /* rounded up to the next power of ten */
    return lay_out(digit, spell(digits, digit), exponent, out);
}

size_t number_write(const struct number_powers *powers, double x, char *out)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    uint64_t const size = bits & ~(UINT64_C(1) << 63), exponent = size >> 52;
    if (powers && exponent > 0 && exponent < 0x7ff) {
        out[0] = '-';
        size_t const sign = bits != size;
        size_t const length = write_fast(powers, size, out + sign);
        if (length > 0) {
            out[sign + length] = '\0';
            return sign + length;
        }
    }
    if (size == 0) {
        memcpy(out, bits == 0 ? "0\0" : "-0", 3);
        return 1 + (bits != 0);
    }
    /* a NaN may have a sign */
    return (size_t)snprintf(out, NUMBER_LENGTH, "%.17g", isnan(x) ? fabs((double)NAN) : x);
}
