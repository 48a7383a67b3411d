/* SPDX-License-Identifier: Apache-2.0 */
/* A generated kinetic model, k = A T^b exp(-E/(R T)), as text in the language and as the C that one would write by hand.
   T is a parameter or the last state; the parameters are [T,] A_1, E_1, A_2, E_2, .. */
#ifndef BENCH_MODEL_HAND_H
#define BENCH_MODEL_HAND_H

#include <stddef.h>
#include <stdio.h>
#include <tansy/tansy.h>

enum { HAND_SIDE = 2 }; /* reactants or products of a reaction, at most */

struct hand_reaction {
    int reactants, products, reactant[HAND_SIDE], product[HAND_SIDE];
    double A, b, E, heat;
};

struct hand_model {
    int n, species, reactions, hot; /* hot: T is state n - 1 */
    struct hand_reaction *reaction;
};

void hand_model_make(struct hand_model *m, int n, int reactions, int hot);
void hand_model_free(struct hand_model *m);

/* The model in the language. */
void hand_model_write_text(const struct hand_model *m, FILE *file);

/* hand_f(y, p, f), hand_J(y, p, J) with J[i*n + j] as tansy_jacobian has it, hand_fp(y, p, F) in the order of the pattern:
   all rates or their derivatives, one statement each, then the sums, one statement each. */
void hand_model_write_c(const struct hand_model *m, const tansy_pattern *fp, FILE *file);

#endif
