/* SPDX-License-Identifier: Apache-2.0 */
/* Reaction networks with mass-action rates r = k y_a y_b or k y_a, y' = N r, one parameter a reaction, or a
   reaction of the first ones: f, df/dy, df/dp with its exact pattern, and tangents, all driven by tables made once. */
#ifndef TEST_MASS_ACTION_H
#define TEST_MASS_ACTION_H

#include <stddef.h>
#include <stdint.h>
#include <tansy/problem.h>

enum {
    MASS_ACTION_SPECIES = 640,
    MASS_ACTION_REACTIONS = 2560,
    MASS_ACTION_ENTRIES = 10240, /* of the net stoichiometric matrix N */
};

/* Start from zero: n set, everything else by the functions below. */
struct mass_action {
    size_t n, reactions;
    size_t parameters; /* the first so many rate constants are parameters; 0: all */
    double y0[MASS_ACTION_SPECIES];
    double k[MASS_ACTION_REACTIONS];
    uint16_t a[MASS_ACTION_REACTIONS]; /* first reactant */
    uint16_t b[MASS_ACTION_REACTIONS]; /* second reactant, may be a; n when there is none */

    /* N by rows: the entries first[i] .. first[i+1] - 1 are nu[e] at reaction[e]. */
    size_t entries;
    size_t first[MASS_ACTION_SPECIES + 1];
    double nu[MASS_ACTION_ENTRIES];
    uint16_t reaction[MASS_ACTION_ENTRIES];
    size_t row[MASS_ACTION_ENTRIES], column[MASS_ACTION_ENTRIES];

    /* Those of its entries that belong to parameters: df/dp. */
    size_t fp_entries;
    size_t fp_row[MASS_ACTION_ENTRIES], fp_column[MASS_ACTION_ENTRIES];
    double fp_nu[MASS_ACTION_ENTRIES];

    /* df/dy as a sum: J[place[e]] += weight[e] * (dr/dy_a of a reaction, or its dr/dy_b). */
    size_t terms;
    double weight[2 * MASS_ACTION_ENTRIES];
    uint32_t place[2 * MASS_ACTION_ENTRIES];
    uint16_t slope[2 * MASS_ACTION_ENTRIES]; /* 2 r for dr/dy_a, 2 r + 1 for dr/dy_b */

    /* The pattern of df/dy and the diagonal by rows, after mass_action_make_sparse(). */
    size_t pattern_entries;
    size_t pattern_row[2 * MASS_ACTION_ENTRIES], pattern_column[2 * MASS_ACTION_ENTRIES];
};

/* Adds a reaction: left[n] are one or two molecules, right[n] any; both are cleared.  0, or -1 when the
   reaction is not of that form or the tables are full. */
int mass_action_add(struct mass_action *m, double k, double *left, double *right);

/* Sorts the tables; after the last reaction. */
void mass_action_finish(struct mass_action *m);

/* The problem with all derivatives, t0 = 0 and the columns of all rate constants; it points into m. */
tansy_problem mass_action_problem(struct mass_action *m);

/* From now on df/dy is sparse, its pattern with the whole diagonal; after mass_action_finish(), once. */
void mass_action_make_sparse(struct mass_action *m);

#endif
