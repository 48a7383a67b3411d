/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolic derivatives of many expressions at once, by sparse forward accumulation over the graph; sparsity is exact:
   an entry that simplifies to 0 is not there. */
#ifndef MODEL_DIFFERENTIATE_H
#define MODEL_DIFFERENTIATE_H

#include <tansy/status.h>

#include "base/grow.h"
#include "model/expression.h"

/* A sparse matrix of expressions, row by row, columns rising: entries start[i] .. start[i+1] of row i. */
struct derivative {
    size_t rows, columns, entries;
    size_t *start;    /* start[rows + 1] */
    uint32_t *column; /* column[entries]: index of the leaf */
    uint32_t *node;   /* node[entries] */
};

/* d root_i / d leaf_j for all leaves j < columns of one kind (OP_STATE, OP_RATE, OP_PARAMETER, OP_VECTOR), and
   OP_TIME (one column; OP_INPUT counts as a function of time).  OP_SWITCH and OP_PIECE are constants. */
tansy_status differentiate(struct graph *g, const uint32_t *root, size_t roots, enum operation leaf,
                           size_t columns, struct derivative *result);
void derivative_free(struct derivative *d);

/* directional[i] = sum_j d root_i/d leaf_j v_j with v = OP_VECTOR leaves: the expression (J v)_i.  What is to be differentiated
   again comes from here: the entries of differentiate() are right by their values alone where a number that is 0 decides. */
tansy_status differentiate_along(struct graph *g, const uint32_t *root, size_t roots,
                                 enum operation leaf, size_t columns, uint32_t *directional);
/* slope[i] = d root_i/dt, to be differentiated again; slope may be root. */
tansy_status differentiate_in_time(struct graph *g, const uint32_t *root, size_t roots,
                                   uint32_t *slope);

/* The tangent map of the roots as a sequence of sparse rows,  row_r = sum_e coefficient_e * source_e,  where a source is
   a row of V (y_i: number i), of V_rate (y'_i: n + i; only when rates = n, else rates = 0), of U (p_k: n + rates + k), or an
   earlier row that is no root's (n + rates + np + r'), whichever order of elimination needs fewer terms: subexpressions that many roots share (reaction rates) keep a row of their own, others are
   eliminated.  The last `roots` rows are the roots'.  Coefficients are scalar expressions in t, y, y', p. */
struct tangent {
    size_t n, np, rows, terms, roots, rates;
    size_t *start;         /* start[rows + 1] */
    uint32_t *source;      /* source[terms] */
    uint32_t *coefficient; /* coefficient[terms]: nodes */
};

tansy_status differentiate_tangent(struct graph *g, const uint32_t *root, size_t roots, size_t n,
                                   size_t np, struct tangent *result);
/* The same with J = d root/dy and P = d root/dp at hand: where the roots share no subexpression their rows are taken over. */
tansy_status differentiate_tangent_with(struct graph *g, const uint32_t *root,
                                        const struct derivative *J, const struct derivative *P,
                                        struct tangent *result);
/* The same with y' moving too: of implicit models. */
tansy_status differentiate_tangent_rates(struct graph *g, const uint32_t *root, size_t roots,
                                         size_t n, size_t np, struct tangent *result);
/* The matrices J and P (NULL: none) as a tangent, one row a root; false: no memory.  tangent_free in any case. */
bool tangent_of_matrices(const struct derivative *J, const struct derivative *P, struct tangent *t);
void tangent_free(struct tangent *t);

#endif
