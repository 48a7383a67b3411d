/* SPDX-License-Identifier: Apache-2.0 */
#include "support/nested_model.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/random.h"

enum { DEEPEST = 3, LONGEST = 2000 };

/* A pattern in which every % stands for an expression that is one level deeper. */
static const char *const patterns[] = {"abs(%)",
                                       "max(%, %)",
                                       "min(%, %)",
                                       "(% + %)",
                                       "(% - %)",
                                       "sin(%)",
                                       "0.7*%*cos(%)",
                                       "(if % > % then % else %)",
                                       "abs(% - %)",
                                       "max(%, 0)",
                                       "min(%, 1)",
                                       "(if % >= 0.5 then % else 0)",
                                       "max(% - %, 0)",
                                       "abs(abs(%))",
                                       "(if % < % then 1 else %)"};
static const char *const leaves[] = {"x",       "y",       "a",         "b",       "c",
                                     "0.5",     "1",       "0.5*time",  "(x - a)", "(y - b)",
                                     "(x - y)", "(a - b)", "(time - c)"};
static const char *const values[] = {"0.5", "0.8", "1", "1.3", "0.63", "0.91", "1.17"};
static const char *const starts[] = {"0", "0.5", "1", "a", "0.37", "0.21"};

static const char *pick(struct random_source *r, const char *const *from, size_t count)
{
    size_t const k = (size_t)((random_next(r) + 1) / 2 * (double)count);
    return from[k < count ? k : count - 1];
}
#define PICK(r, list) pick(r, list, sizeof(list) / sizeof *(list))

/* Replaces each % of the text, level after level. */
static void grow(struct random_source *r, char *text)
{
    for (int level = 0; level <= DEEPEST; level++) {
        char old[LONGEST];
        size_t used = 0;
        memcpy(old, text, strlen(text) + 1);
        for (const char *c = old; *c; c++) {
            bool const leaf = level == DEEPEST || used > LONGEST / 8 || random_next(r) > 0.4;
            char const one[] = {*c, '\0'};
            const char *const with = *c != '%' ? one : leaf ? PICK(r, leaves) : PICK(r, patterns);
            used += (size_t)snprintf(text + used, LONGEST - used, "%s", with);
        }
    }
}

static const char *expression(struct random_source *r, char *text)
{
    snprintf(text, LONGEST, "%s", PICK(r, patterns));
    grow(r, text);
    return text;
}

void nested_model(uint64_t seed, char *text, size_t size)
{
    struct random_source r = {.state = seed * 7919};
    char f[NESTED_STATES][LONGEST];
    const char *p[NESTED_PARAMETERS], *y0[NESTED_STATES];
    for (int k = 0; k < NESTED_PARAMETERS; k++) p[k] = PICK(&r, values);
    for (int i = 0; i < NESTED_STATES; i++) y0[i] = PICK(&r, starts);
    for (int i = 0; i < NESTED_STATES; i++) expression(&r, f[i]);
    snprintf(text, size,
             "parameter a = %s, b = %s, c = %s\nstate x = %s, y = %s, z = %s\n"
             "x' = a + 0.5*sin(%s) - 0.3*x\ny' = sin(%s) - 0.4*y\nz' = %s - 0.5*z\n",
             p[0], p[1], p[2], y0[0], y0[1], y0[2], f[0], f[1], f[2]);
}
