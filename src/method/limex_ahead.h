/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the state that several threads make at once. */
#ifndef METHOD_LIMEX_AHEAD_H
#define METHOD_LIMEX_AHEAD_H

#include "method/limex.h"

/* What became of a row; its points and factors are where they always are. */
struct row_made {
    int code;            /* as in derive.h */
    ptrdiff_t factoring; /* what linear->table->factor() said */
    struct derive_counts counts;
    struct failure failure;
};

struct ahead {
    int made; /* rows 1 .. made of the step at work */
    struct row_made row[1 + LIMEX_ROWS];
};

#endif
