/* SPDX-License-Identifier: Apache-2.0 */
/* Edit distance with swaps of neighbours (optimal string alignment), in bytes, in half steps: a change of case is a
   half, everything else a whole. */
#include "model/spelling.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MAX_WORD = 40, HALF = 1, WHOLE = 2 }; /* longer words are not compared */

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned cost(char a, char b)
{
    return a == b ? 0 : lower(a) == lower(b) ? HALF : WHOLE;
}

/* D[i][j], the distance of the first i letters of a and the first j of b, row by row. */
static unsigned distance(const char *a, size_t m, const char *b, size_t n)
{
    unsigned D[3][MAX_WORD + 1];
    for (size_t j = 0; j <= n; j++) D[0][j] = (unsigned)j * WHOLE;
    for (size_t i = 1; i <= m; i++) {
        unsigned *const row = D[i % 3];
        const unsigned *const above = D[(i - 1) % 3];
        const unsigned *const above2 = D[(i + 1) % 3];
        row[0] = (unsigned)i * WHOLE;
        for (size_t j = 1; j <= n; j++) {
            unsigned const change = above[j - 1] + cost(a[i - 1], b[j - 1]);
            row[j] = least(change, least(above[j], row[j - 1]) + WHOLE);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], above2[j - 2] + WHOLE);
        }
    }
    return D[m % 3][n];
}

static bool is_case_alone(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) a++, b++;
    return !*a && !*b;
}

/* A letter and the same letter with a digit, or twice: k, k1, kk. */
static bool is_numbered(const char *one, const char *two)
{
    bool const is_digit = two[1] >= '0' && two[1] <= '9';
    return lower(one[0]) == lower(two[0]) && (is_digit || lower(two[1]) == lower(two[0]));
}

/* At distance d so much is left that one may stand for the other: some letter stays, and of names of one letter and two
   not just any. */
static bool is_likely(const char *a, size_t m, const char *b, size_t n, unsigned d)
{
    if (m == 1 && n == 2) return is_numbered(a, b);
    if (m == 2 && n == 1) return is_numbered(b, a);
    return d < WHOLE * least((unsigned)m, (unsigned)n);
}

size_t spelling_nearest(const char *word, const char *const *names, size_t count)
{
    size_t const m = strlen(word);
    size_t best = SIZE_MAX;
    bool found = false;
    if (m > MAX_WORD) return best;
    unsigned limit = HALF + WHOLE * (m < 6 ? 1 : (unsigned)(m / 3));
    for (size_t i = 0; i < count; i++) {
        size_t const n = strlen(names[i]);
        size_t const longer = m > n ? m - n : n - m;
        bool const far = n > MAX_WORD || longer * WHOLE > limit;
        unsigned d = far ? UINT_MAX : distance(word, m, names[i], n);
        if (d > WHOLE && is_case_alone(word, names[i])) d = WHOLE;
        if ((d < limit || (d == limit && !found)) && is_likely(word, m, names[i], n, d)) {
            limit = d;
            best = i;
            found = true;
        } else if (best == SIZE_MAX && m >= 3 && m < n && strncmp(word, names[i], m) == 0)
            best = i; /* an abbreviation, unless another name is near */
    }
    return best;
}
