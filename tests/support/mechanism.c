/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a mechanism, see mechanism.h.  Species are looked up by walking through the list: there are few. */
#include "mechanism.h"

#include "reference_file.h"

#include <ctype.h>
#include <string.h>

struct reader {
    const char *name;
    struct line line;
    struct line species; /* words 1..n */
    struct mass_action *m;
};

static size_t find_species(const struct reader *r, const char *word)
{
    for (size_t i = 0; i < r->m->n; i++)
        if (strcmp(r->species.word[i + 1], word) == 0) return i;
    line_fail(r->name, &r->line, "no such species");
}

static void add(struct reader *r, double k, const double *from, const double *to)
{
    double left[MASS_ACTION_SPECIES], right[MASS_ACTION_SPECIES];
    memcpy(left, from, sizeof left);
    memcpy(right, to, sizeof right);
    if (mass_action_add(r->m, k, left, right) != 0)
        line_fail(r->name, &r->line, "not one or two molecules, or too many reactions");
}

/* "reaction NUMBER left -> right NAME k" or "reaction NUMBER left = right kf k kr k". */
static void read_reaction(struct reader *r)
{
    double left[MASS_ACTION_SPECIES] = {0}, right[MASS_ACTION_SPECIES] = {0}, *side = left;
    double molecules = 1;
    int both_ways = 0;
    size_t const constants = r->line.count; /* they stand at the end */
    for (size_t w = 2; w + 2 + 2 * (size_t)both_ways < constants; w++) {
        const char *word = r->line.word[w];
        if (strcmp(word, "->") == 0 || strcmp(word, "=") == 0) {
            both_ways = word[0] == '=';
            side = right;
        } else if (isdigit((unsigned char)word[0])) {
            molecules = line_number(r->name, &r->line, w);
        } else if (strcmp(word, "+") != 0) {
            side[find_species(r, word)] += molecules;
            molecules = 1;
        }
    }
    if (both_ways) add(r, line_number(r->name, &r->line, constants - 3), left, right);
    if (both_ways) add(r, line_number(r->name, &r->line, constants - 1), right, left);
    if (!both_ways) add(r, line_number(r->name, &r->line, constants - 1), left, right);
}

static void read_species(struct reader *r)
{
    r->species = r->line;
    for (size_t w = 0; w < r->line.count; w++) /* the copy's words point into its own text */
        r->species.word[w] = r->species.text + (r->line.word[w] - r->line.text);
    r->m->n = r->line.count - 1;
}

void mechanism_read(const char *name, struct mass_action *m)
{
    struct reader r = {.name = name, .m = m};
    FILE *file = reference_open(name, "r");
    while (line_read(file, " \t", &r.line)) {
        const char *kind = r.line.word[0];
        if (strcmp(kind, "species") == 0) read_species(&r);
        if (strcmp(kind, "reaction") == 0) read_reaction(&r);
        if (strcmp(kind, "initial") == 0 && r.line.count > 1)
            m->y0[find_species(&r, r.line.word[1])] = line_number(name, &r.line, 2);
    }
    fclose(file);
    mass_action_finish(m);
}
