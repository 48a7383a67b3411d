/* SPDX-License-Identifier: Apache-2.0 */
/* All linear solvers. */
#include "linear/linear.h"

const struct linear_table *const linear_tables[] = {&linear_dense_lu, &linear_band_lu,
                                                    &linear_diagonal, NULL};
