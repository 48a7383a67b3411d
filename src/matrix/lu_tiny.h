/* SPDX-License-Identifier: Apache-2.0 */
/* Systems of so few equations that they are solved as a whole in registers: code of its own for each number. */
#ifndef MATRIX_LU_TINY_H
#define MATRIX_LU_TINY_H

#include "matrix/kernels.h"

enum { TINY = 12 };
#define EACH_TINY(use)                                                                             \
    use(1) use(2) use(3) use(4) use(5) use(6) use(7) use(8) use(9) use(10) use(11) use(12)

/* Columns of the factors of so many rows. */
#define TINY_COLUMNS(rows) (((size_t)(rows) + LANE_GROUP - 1) / LANE_GROUP * LANE_GROUP)

#endif
