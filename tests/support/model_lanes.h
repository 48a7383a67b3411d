/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents in lanes of a model at a point, compared lane by lane with complex steps. */
#ifndef TEST_MODEL_LANES_H
#define TEST_MODEL_LANES_H

#include "support/model_point.h"

/* Directions V[n*LANES_LD] and U[np*LANES_LD] of which the first `columns` are compared, and what the engine made of them, R. */
enum { LANES_LD = 16 };
struct model_lanes {
    size_t columns;
    double *V, *U, *R;
};

/* Random ones; those in p relative to p.  columns < LANES_LD. */
struct model_lanes model_lanes_make(const struct model_point *at, size_t columns);
void model_lanes_free(struct model_lanes *lanes);

/* R_i = d root_i along the directions, to 1e-10 |R_i|, but for what rounding can leave of the sum of which it is made:
   1e-14 times the sum of |d root_i/dy_j| |V_j| and |d root_i/dp_k| |U_k|.  That costs n + np complex steps. */
void model_lanes_check(struct model_point *at, const struct model_lanes *lanes,
                       const uint32_t *root);

/* The same for large models: 1e-14 times the largest |R_i| of the lane stands for the sum. */
void model_lanes_check_evenly(struct model_point *at, const struct model_lanes *lanes,
                              const uint32_t *root);

/* The second derivatives of the model along a random vector v: those of J v and f_t, and of an implicit model B v.  `check`
   is one of the two above. */
typedef void lanes_check(struct model_point *at, const struct model_lanes *lanes,
                         const uint32_t *root);
void model_lanes_check_second(struct model_point *at, size_t columns, lanes_check *check);

#endif
