/* SPDX-License-Identifier: Apache-2.0 */
/* What the sparse solver keeps, for its tests and for reports. */
#ifndef LINEAR_SPARSE_LU_H
#define LINEAR_SPARSE_LU_H

#include "linear/linear.h"
#include "linear/sparse_klu.h"
#include "linear/sparse_order.h"
#include "linear/sparse_pivots.h"

struct sparse_slot {
    struct sparse_factors F;
    struct kept memory; /* of F */
    bool has_pivots;
    bool is_fresh;  /* they are of a run before */
    size_t first;   /* they are those of the analysis of this number; 0: they are not */
    size_t changes; /* of the analysis when they were chosen */
    double limit;   /* of the growth with which these pivots are good */
    struct sparse_costs costs;
};

struct sparse_lu {
    struct sparse_klu klu;
    struct sparse_pivots pivots;
    struct sparse_scratch scratch;
    struct sparse_slot *slot;
    size_t pivotings; /* how often pivots were chosen */
};

#endif
