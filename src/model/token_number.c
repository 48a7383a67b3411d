/* SPDX-License-Identifier: Apache-2.0 */
/* A number is rewritten as a whole number and a power of ten, D*10^e, without a decimal point: so the locale cannot
   change it, and strtod() rounds it.  768 digits decide the rounding of any double; what is beyond only counts
   as "a little more". */
#include "model/token_number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIGITS = 780, EXPONENT_LIMIT = 1000000000 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits_from(const char *text, size_t at, size_t left)
{
    while (at < left && is_digit(text[at])) at++;
    return at;
}

size_t token_number_length(const char *text, size_t left)
{
    size_t at = digits_from(text, 0, left);
    bool some = at > 0;
    if (at < left && text[at] == '.' && !(at + 1 < left && text[at + 1] == '.')) {
        size_t const end = digits_from(text, at + 1, left);
        some = some || end > at + 1;
        at = end;
    }
    if (!some) return 0;
    if (at < left && (text[at] == 'e' || text[at] == 'E')) {
        size_t digits = at + 1;
        if (digits < left && (text[digits] == '+' || text[digits] == '-')) digits++;
        size_t const end = digits_from(text, digits, left);
        if (end > digits) at = end;
    }
    return at;
}

/* The exponent written at text[at .. length), after the e. */
static int64_t exponent_value(const char *text, size_t at, size_t length)
{
    bool const negative = text[at] == '-';
    if (!is_digit(text[at])) at++;
    int64_t e = 0;
    for (; at < length; at++)
        if (e < EXPONENT_LIMIT) e = 10 * e + (text[at] - '0');
    return negative ? -e : e;
}

double token_number_value(const char *text, size_t length)
{
    char digits[DIGITS + 40];
    size_t used = 0;
    int64_t exponent = 0; /* the number is digits * 10^exponent */
    bool after_point = false, more = false;
    size_t at = 0;
    for (; at < length && text[at] != 'e' && text[at] != 'E'; at++) {
        if (text[at] == '.') {
            after_point = true;
            continue;
        }
        bool const leading_zero = used == 0 && text[at] == '0';
        if (!leading_zero && used < DIGITS)
            digits[used++] = text[at];
        else if (!leading_zero) {
            more = more || text[at] != '0';
            exponent++;
        }
        exponent -= after_point;
    }
    if (used == 0) return 0;
    if (at < length) exponent += exponent_value(text, at + 1, length);
    if (more) {
        digits[used++] = '1';
        exponent--;
    }
    (void)snprintf(digits + used, sizeof digits - used, "e%lld", (long long)exponent);
    return strtod(digits, NULL);
}

bool token_number_read(const char *text, size_t length, double *number)
{
    bool const negative = length > 0 && text[0] == '-';
    size_t const sign = negative || (length > 0 && text[0] == '+');
    size_t const digits = token_number_length(text + sign, length - sign);
    if (digits == 0 || sign + digits != length) return false;
    *number = token_number_value(text + sign, digits);
    if (negative) *number = -*number;
    return isfinite(*number);
}
