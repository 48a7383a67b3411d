/* SPDX-License-Identifier: Apache-2.0 */
/* Order conditions of one-step formulas (Butcher; Hairer, Norsett and Wanner, Solving ODEs I, II.2): for every rooted tree tau of
   order q, sum_i b_i Phi_i(tau) = 1/gamma(tau), where Phi_i of a node is the product over its children of sum_j a_ij Phi_j(child).
   In Rosenbrock formulas an only child takes beta instead of a (Solving ODEs II, IV.7). */
#ifndef TEST_ROOTED_TREES_H
#define TEST_ROOTED_TREES_H

#include <stdbool.h>

enum { TREE_STAGES = 16, TREE_ORDER = 8 };

/* A formula: stages, a[i][j], and for an only child `single`; the same matrix for Runge-Kutta. */
struct tree_formula {
    int stages;
    long double a[TREE_STAGES][TREE_STAGES], single[TREE_STAGES][TREE_STAGES];
};

/* A tree as its level sequence: level[0] = 1, and the parent of a node is the last node before it that is one level lower. */
struct tree {
    int order;
    int level[TREE_ORDER];
};

/* The first tree of that order, the tall one; the next of the same order, or false after the last, the bush. */
struct tree tree_first(int order);
bool tree_next(struct tree *tree);

/* gamma(tau). */
double tree_density(const struct tree *tree);

/* sum_i b_i Phi_i(tau); size: the same of the moduli, that roundings are to be measured by. */
long double tree_weight(const struct tree *tree, const struct tree_formula *f, const long double *b,
                        long double *size);

/* The largest |sum b_i Phi_i - s^q/gamma| over all trees of that order, in units of the sum of moduli. */
double tree_defect(const struct tree_formula *f, const long double *b, int order, long double s);

#endif
