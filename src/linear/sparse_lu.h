/* SPDX-License-Identifier: Apache-2.0 */
/* What the sparse solver keeps, for its tests and for reports. */
#ifndef LINEAR_SPARSE_LU_H
#define LINEAR_SPARSE_LU_H

#include "linear/linear.h"
#include "linear/sparse_klu.h"
#include "linear/sparse_order.h"

struct sparse_slot {
    struct sparse_factors F;
    void *memory;    /* of F; NULL: no pivots yet */
    bool is_fresh;   /* its pivots are of a run before */
    bool is_first;   /* they are those of the analysis */
    size_t analysis; /* the one they are from */
    double limit;    /* of the growth with which these pivots are good */
    struct sparse_costs costs;
};

struct sparse_lu {
    struct sparse_klu klu;
    struct sparse_slot *slot;
    size_t pivotings; /* how often pivots were chosen */
};

#endif
