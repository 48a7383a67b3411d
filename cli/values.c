/* SPDX-License-Identifier: Apache-2.0 */
/* Reads numbers, grids, lists and assignments. */
#include "values.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void words_add(struct words *words, const char *word)
{
    words->word = take_more(words->word, words->count + 1, sizeof *words->word);
    words->word[words->count++] = word;
}

void numbers_add(struct numbers *numbers, double value)
{
    if (numbers->count == numbers->room) {
        numbers->room = 2 * numbers->room + 16;
        numbers->at = take_more(numbers->at, numbers->room, sizeof *numbers->at);
    }
    numbers->at[numbers->count++] = value;
}

bool read_number(const char *text, double *value)
{
    size_t const length = strlen(text);
    if (length == 0 || strspn(text, "0123456789+-.eE") != length) return false;
    char *end = NULL;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

bool read_count(const char *text, size_t least, size_t most, size_t *value)
{
    double number = 0;
    if (!read_number(text, &number) || number != floor(number)) return false;
    if (!(number >= (double)least && number <= (double)most)) return false;
    *value = (size_t)number;
    return true;
}

/* a (b/a)^x, also where b/a is no double. */
static double between(double a, double b, double x)
{
    double const ratio = b / a;
    return isnormal(ratio) ? a * pow(ratio, x) : copysign(pow(fabs(a), 1 - x) * pow(fabs(b), x), a);
}

/* The double next to the decimal number of 12 digits, beside the larger of |a| and |b|, that x is within its and their rounding of: 5 of 7 parts of what 0.7
   is as a double lie nearer to 0.49999999999999994 than to 0.5.  Other x stay: one in 1000 is so near to a decimal number by chance.  Points a `distance` apart stay apart. */
static double decimal(double x, double a, double b, double distance)
{
    double const largest = fmax(fabs(a), fabs(b));
    double scale = 1; /* powers of ten up to 10^22 are doubles */
    while (scale < 1e22 && scale * largest < 1e11) scale *= 10;
    double const near = rint(x * scale) / scale + 0.0; /* of zeros the one without a sign */
    double const rounding = fmin(DBL_EPSILON * largest, distance / 4);
    return largest < 1e12 && fabs(near - x) <= rounding ? near : x;
}

/* (a (parts - j) + b j)/parts.  The products and their sum are kept with what is lost by rounding them, rest, and the quotient q is
   corrected by the remainder: one rounding is left. */
double grid_point(double a, double b, size_t j, size_t parts)
{
    if (j == 0) return a; /* as it is, with the sign of a zero */
    double const n = (double)parts, right = (double)j, left = (double)(parts - j);
    double const u = a * left, v = b * right, sum = u + v;
    if (!isfinite(sum)) return a * (left / n) + b * (right / n);
    double const part = sum - u, lost = (u - (sum - part)) + (v - part);
    double const rest = fma(a, left, -u) + fma(b, right, -v) + lost;
    double const q = sum / n;
    return decimal(q + (fma(-q, n, sum) + rest) / n, a, b, fabs(b - a) / n);
}

/* n points from a to b, both exact, with equal distances or ratios. */
static void add_grid(struct numbers *numbers, double a, double b, size_t n, bool logarithmic)
{
    numbers->room = numbers->count + n;
    numbers->at = take_more(numbers->at, numbers->room, sizeof *numbers->at);
    for (size_t j = 0; j < n; j++) {
        double const x = n > 1 ? (double)j / (double)(n - 1) : 0;
        double value = logarithmic ? between(a, b, x) : grid_point(a, b, j, n > 1 ? n - 1 : 1);
        if (j == n - 1) value = n > 1 ? b : a;
        numbers_add(numbers, value);
    }
}

bool read_grid(const char *text, struct numbers *numbers)
{
    char *const copy = copy_of(text);
    char *piece[4] = {copy};
    size_t pieces = 1;
    bool good = true;
    for (char *at = copy; *at; at++) {
        if (*at != ':') continue;
        *at = '\0';
        if (pieces < 4)
            piece[pieces++] = at + 1;
        else
            good = false;
    }
    double a = 0, b = 0;
    size_t n = 0;
    good = good && read_number(piece[0], &a);
    if (pieces == 1) {
        if (good) numbers_add(numbers, a);
    } else {
        good = good && pieces >= 3 && read_number(piece[1], &b) &&
               read_count(piece[2], 1, MOST_POINTS, &n);
        bool const logarithmic = pieces == 4;
        if (logarithmic)
            good = good && strcmp(piece[3], "log") == 0 && ((a > 0 && b > 0) || (a < 0 && b < 0));
        if (good) add_grid(numbers, a, b, n, logarithmic);
    }
    free(copy);
    return good;
}

char *trim(char *text)
{
    while (*text == ' ' || *text == '\t') text++;
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1])) length--;
    text[length] = '\0';
    return text;
}

void split_list(char *text, struct words *items)
{
    char *start = text;
    int depth = 0;
    for (char *at = text;; at++) {
        if (*at == '[' || *at == '(') depth++;
        if (*at == ']' || *at == ')') depth--;
        bool const end = *at == '\0';
        if (!end && (*at != ',' || depth > 0)) continue;
        *at = '\0';
        words_add(items, trim(start));
        start = at + 1;
        if (end) break;
    }
}

bool split_assignment(char *text, char **name, char **value)
{
    char *const sign = strrchr(text, '=');
    if (!sign) return false;
    *sign = '\0';
    *name = trim(text);
    *value = trim(sign + 1);
    return **name && **value;
}

char field_separator(const char *line)
{
    for (const char *known = ";\t,"; *known; known++) {
        bool quoted = false;
        for (const char *at = line; *at; at++) {
            if (*at == '"') quoted = !quoted;
            if (*at == *known && !quoted) return *known;
        }
    }
    return ',';
}

char *next_field(char **at, char separator)
{
    char *const start = *at;
    if (!start) return NULL;
    char *read = start, *write = start;
    if (*read == '"') {
        for (read++; *read; read++) {
            if (*read == '"' && read[1] != '"') break;
            if (*read == '"') read++;
            *write++ = *read;
        }
        if (*read == '"') read++;
    }
    while (*read && *read != separator) *write++ = *read++;
    *at = *read == separator ? read + 1 : NULL;
    *write = '\0';
    return trim(start);
}
