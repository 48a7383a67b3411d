/* SPDX-License-Identifier: Apache-2.0 */
/* Colours for the columns of a sparse matrix: two columns of one colour have no row in common, so that one difference
   of f along their sum gives both (Curtis, Powell and Reid 1974). */
#ifndef MATRIX_SPARSE_COLORING_H
#define MATRIX_SPARSE_COLORING_H

#include <stddef.h>

/* Fills color[n], 0 to colors - 1, for the rows start[n + 1], column[] of a pattern and returns the number of
   colours; 0 when there is no memory (or no column).  Greedy, columns with many neighbours first; at least the longest row's
   entries, at most 1 + (the most columns a column shares rows with). */
size_t sparse_coloring(size_t n, const size_t *start, const size_t *column, size_t *color);

#endif
