/* SPDX-License-Identifier: Apache-2.0 */
/* The pattern of a sparse matrix from a list of its entries in any order, row by row, the columns of a row ascending.
   Every diagonal entry belongs to it, listed or not. */
#ifndef MATRIX_SPARSE_PATTERN_H
#define MATRIX_SPARSE_PATTERN_H

#include <stddef.h>

enum sparse_pattern_fault {
    PATTERN_FINE,
    PATTERN_NO_MEMORY,
    PATTERN_OUTSIDE, /* an entry lies outside the matrix: number which[0] of the list */
    PATTERN_TWICE    /* entries which[0] < which[1] of the list are at the same place */
};

struct sparse_pattern {
    size_t n, entries;
    size_t *start;  /* start[n + 1] */
    size_t *column; /* column[entries] */
    size_t *place;  /* place[listed]: entry e of the list is kept at place[e] */
};

/* Makes the pattern of the entries (row[e], column[e]), e < listed, in memory of its own; after a fault there is nothing to
   free. */
enum sparse_pattern_fault sparse_pattern_create(struct sparse_pattern *pattern, size_t n,
                                                size_t listed, const size_t *row,
                                                const size_t *column, size_t which[2]);

/* Returns its memory; twice is fine. */
void sparse_pattern_free(struct sparse_pattern *pattern);

#endif
