/* SPDX-License-Identifier: Apache-2.0 */
/* All direct linear solvers. */
#include "linear/linear.h"

#ifdef TANSY_HAVE_KLU
extern const struct linear_table linear_sparse_lu;
#define SPARSE_TABLE &linear_sparse_lu
#else
#define SPARSE_TABLE NULL
#endif

const struct linear_table *const linear_sparse = SPARSE_TABLE;

const struct linear_table *const linear_tables[] = {&linear_dense_lu, &linear_band_lu,
                                                    &linear_diagonal, SPARSE_TABLE, NULL};
