/* SPDX-License-Identifier: Apache-2.0 */
#include "support/jump_model.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/random.h"

enum { DEEPEST = 2, LONGEST = 1200, PARTS = 7 };

/* A pattern in which every % stands for an expression that is one level deeper.  Its odd numbers keep the two sides of a condition
   apart, even if they are the same: one that is zero throughout is on either side by rounding. */
static const char *const patterns[] = {"(if % > % + 0.0137 then % else %)",
                                       "(if % > % + 0.0311 then 0.7 else %)",
                                       "(% + %)",
                                       "(% - 0.5*%)",
                                       "sin(%)",
                                       "max(%, % - 0.0171)",
                                       "min(%, % + 0.0193)",
                                       "abs(% + 0.0093)",
                                       "0.8*%*cos(%)",
                                       "(if % < % - 0.0247 then % else -0.4)",
                                       "(% + if % > % - 0.0159 then 0.6 else 0)"};
static const char *const leaves[] = {"a",    "b",     "c", "u", "l",       "0.9*time",
                                     "0.37", "-0.61", "x", "y", "z",       "z",
                                     "w",    "w",     "r", "v", "(z - w)", "(r - v)"};
/* Leaves that z, w, r - v and the equations may use. */
static const size_t known[] = {10, 12, 8, 18};

static size_t below(struct random_source *r, size_t count)
{
    size_t const k = (size_t)((random_next(r) + 1) / 2 * (double)count);
    return k < count ? k : count - 1;
}

/* An expression of the first `count` leaves. */
static void grow(struct random_source *r, size_t count, char *text)
{
    snprintf(text, LONGEST, "%s", patterns[below(r, sizeof patterns / sizeof *patterns)]);
    for (int level = 0; level <= DEEPEST; level++) {
        char old[LONGEST];
        size_t used = 0;
        memcpy(old, text, strlen(text) + 1);
        for (const char *c = old; *c; c++) {
            bool const leaf = level == DEEPEST || used > LONGEST / 8 || random_next(r) > 0.2;
            char const one[] = {*c, '\0'};
            const char *const with = *c != '%' ? one
                                     : leaf
                                         ? leaves[below(r, count)]
                                         : patterns[below(r, sizeof patterns / sizeof *patterns)];
            used += (size_t)snprintf(text + used, LONGEST - used, "%s", with);
        }
    }
}

/* Numbers of four digits: surfaces do not coincide. */
static double value(struct random_source *r, double least, double most)
{
    double const x = least + (most - least) * (random_next(r) + 1) / 2;
    return (double)(long)(x * 1e4) * 1e-4;
}

void jump_model(uint64_t seed, int is_implicit, char *text, size_t size)
{
    static const char *const second[] = {"0 = w - 0.13*x - (%s)\n",
                                         "0 = (w - 0.13*x - (%s))*(1 + x^2)\n",
                                         "0 = exp(0.3*(w - 0.13*x - (%s))) - 1\n"};
    struct random_source r = {.state = seed * 6151};
    char f[PARTS][LONGEST], z[2 * LONGEST], w[2 * LONGEST], rv[3 * LONGEST];
    double number[11];
    for (size_t k = 0; k < 11; k++) number[k] = value(&r, k < 3 ? 0.3 : -0.8, 1.4);
    for (size_t i = 0; i < PARTS; i++) grow(&r, known[i < 3 ? i : 3], f[i]);
    const char *const form = second[below(&r, 3)];
    snprintf(z, sizeof z, is_implicit ? "0 = z - 0.0419 - (%s)\n" : "let z = 0.0419 + (%s)\n",
             f[0]);
    snprintf(w, sizeof w, is_implicit ? form : "let w = 0.13*x + (%s)\n", f[1]);
    snprintf(rv, sizeof rv,
             is_implicit
                 ? "r' + v' = 0.5 - 0.4*(r + v) + 0.3*sin(%s)\n0 = r - v - 0.0713 - (%s)\n"
                 : "m' = 0.5 - 0.4*m + 0.3*sin(%s)\nlet d = 0.0713 + (%s)\nlet r = (m + d)/2\n"
                   "let v = (m - d)/2\n",
             f[6], f[2]);
    snprintf(text, size,
             "parameter a = %g, b = %g, c = %g\n"
             "control u = {%g, %g, %g} piecewise constant on 0..2 by 3\n"
             "control l = {%g, %g} piecewise linear on 0..2 by 1\n"
             "state x = %g, y = %g, q = a%s\n%s%s%s%s"
             "x' = 0.6*sin(%s) + 0.4 - 0.3*x\ny' = sin(%s) - 0.5*y\nq' = %s - 0.3*q\n"
             "time 0..2\n",
             number[0], number[1], number[2], number[3], number[4], number[5], number[6], number[7],
             number[8], number[9], is_implicit ? ", r = b, v = 0.3*a" : ", m = b + 0.3*a",
             is_implicit ? "algebraic z = 0, w = 0\n" : "", z, w, rv, f[3], f[4], f[5]);
}
