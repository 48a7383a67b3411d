/* SPDX-License-Identifier: Apache-2.0 */
/* Rooted trees in the order of Beyer and Hedetniemi (SIAM J. Comput. 9 (1980) 706), and their elementary weights. */
#include "rooted_trees.h"

#include <math.h>

struct tree tree_first(int order)
{
    struct tree tree = {.order = order};
    for (int i = 0; i < order; i++) tree.level[i] = i + 1;
    return tree;
}

bool tree_next(struct tree *tree)
{
    int last = tree->order - 1;
    while (last >= 0 && tree->level[last] <= 2) last--;
    if (last < 0) return false;
    int parent = last - 1;
    while (tree->level[parent] != tree->level[last] - 1) parent--;
    for (int i = last; i < tree->order; i++) tree->level[i] = tree->level[i - (last - parent)];
    return true;
}

static int parent_of(const struct tree *tree, int node)
{
    int parent = node - 1;
    while (tree->level[parent] != tree->level[node] - 1) parent--;
    return parent;
}

double tree_density(const struct tree *tree)
{
    int size[TREE_ORDER];
    double gamma = 1;
    for (int i = 0; i < tree->order; i++) size[i] = 1;
    for (int i = tree->order - 1; i > 0; i--) size[parent_of(tree, i)] += size[i];
    for (int i = 0; i < tree->order; i++) gamma *= size[i];
    return gamma;
}

/* Phi of the parent takes its factor from a child: phi of moduli where `moduli`. */
static void climb(const long double (*a)[TREE_STAGES], int stages, bool moduli,
                  const long double *child, long double *parent)
{
    for (int i = 0; i < stages; i++) {
        long double sum = 0;
        for (int j = 0; j < stages; j++) sum += (moduli ? fabsl(a[i][j]) : a[i][j]) * child[j];
        parent[i] *= sum;
    }
}

static long double weight(const struct tree *tree, const struct tree_formula *f,
                          const long double *b, bool moduli)
{
    long double phi[TREE_ORDER][TREE_STAGES], sum = 0;
    int children[TREE_ORDER] = {0};
    for (int i = 1; i < tree->order; i++) children[parent_of(tree, i)]++;
    for (int i = 0; i < tree->order; i++)
        for (int k = 0; k < f->stages; k++) phi[i][k] = 1;
    for (int i = tree->order - 1; i > 0; i--) {
        int const parent = parent_of(tree, i);
        climb(children[parent] == 1 ? f->single : f->a, f->stages, moduli, phi[i], phi[parent]);
    }
    for (int k = 0; k < f->stages; k++) sum += (moduli ? fabsl(b[k]) : b[k]) * phi[0][k];
    return sum;
}

long double tree_weight(const struct tree *tree, const struct tree_formula *f, const long double *b,
                        long double *size)
{
    *size = weight(tree, f, b, true);
    return weight(tree, f, b, false);
}

double tree_defect(const struct tree_formula *f, const long double *b, int order, long double s)
{
    struct tree tree = tree_first(order);
    long double worst = 0;
    do {
        long double size = 0;
        long double const found = tree_weight(&tree, f, b, &size);
        long double const wanted = powl(s, order) / (long double)tree_density(&tree);
        worst = fmaxl(worst, fabsl(found - wanted) / (size + wanted));
    } while (tree_next(&tree));
    return (double)worst;
}
