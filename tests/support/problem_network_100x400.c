/* SPDX-License-Identifier: Apache-2.0 */
/* A random network of 100 species and 400 reactions A -> C and A + B -> C + D, with rate constants over six
   decades and the columns of all of them; with dense and with sparse matrices.  Its file has lines "init SPECIES VALUE", "1 A C k" and
   "2 A B C D k", species counted from 0.  There is no reference. */
#include "mass_action.h"
#include "problem_list.h"
#include "reference_file.h"

#include <string.h>

static const char name[] = "network_100x400.txt";

static size_t species(const struct mass_action *m, const struct line *line, size_t w)
{
    double const i = line_number(name, line, w);
    if (!(i >= 0 && i < (double)m->n)) line_fail(name, line, "no such species");
    return (size_t)i;
}

static void read_reaction(struct mass_action *m, const struct line *line)
{
    double left[MASS_ACTION_SPECIES] = {0}, right[MASS_ACTION_SPECIES] = {0};
    size_t const molecules = line->word[0][0] == '1' ? 1 : 2;
    for (size_t w = 1; w <= molecules; w++) {
        left[species(m, line, w)] += 1;
        right[species(m, line, w + molecules)] += 1;
    }
    if (mass_action_add(m, line_number(name, line, 2 * molecules + 1), left, right) != 0)
        line_fail(name, line, "too many reactions");
}

static void read_network(struct mass_action *m)
{
    struct line line = {.number = 0};
    FILE *file = reference_open(name, "r");
    while (line_read(file, " \t", &line)) {
        const char *kind = line.word[0];
        if (strcmp(kind, "species") == 0) {
            m->n = (size_t)line_number(name, &line, 1);
            if (m->n > MASS_ACTION_SPECIES) line_fail(name, &line, "too many species");
        } else if (strcmp(kind, "init") == 0) {
            m->y0[species(m, &line, 1)] = line_number(name, &line, 2);
        } else if (strcmp(kind, "reactions") != 0) {
            read_reaction(m, &line);
        }
    }
    fclose(file);
    mass_action_finish(m);
}

const struct test_problem *problem_network_100x400(void)
{
    static double atol[MASS_ACTION_SPECIES];
    static struct mass_action network;
    static struct test_problem it = {
        .name = "network_100x400", .atol = atol, .t_end = 10, .stiff = 1};
    if (network.n == 0) {
        read_network(&network);
        it.problem = mass_action_problem(&network);
        for (size_t i = 0; i < network.n; i++) atol[i] = 1e-4; /* 1e-10 at rtol = 1e-6 */
    }
    return &it;
}

const struct test_problem *problem_network_100x400_sparse(void)
{
    static struct mass_action network;
    static struct test_problem it = {.name = "network_100x400_sparse", .t_end = 10, .stiff = 1};
    if (network.n == 0) {
        read_network(&network);
        mass_action_make_sparse(&network);
        it.problem = mass_action_problem(&network);
        it.atol = problem_network_100x400()->atol;
    }
    return &it;
}
