/* SPDX-License-Identifier: Apache-2.0 */
/* The index of a linear system M y' + A y = ... with constant matrices. */
#ifndef MODEL_STRUCTURE_RANK_H
#define MODEL_STRUCTURE_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <tansy/status.h>

struct pencil_index {
    bool found; /* false: the singular values did not come out */
    size_t rank, index;
    bool is_at_least; /* the index is this or higher */
};

/* M[n*n] and A[n*n], row by row, finite.  TANSY_OK or TANSY_OUT_OF_MEMORY. */
tansy_status pencil_find_index(size_t n, const double *M, const double *A,
                               struct pencil_index *index);

#endif
