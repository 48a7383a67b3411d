/* SPDX-License-Identifier: Apache-2.0 */
/* Inside compilation: what its files ask of each other. */
#ifndef MODEL_COMPILE_H
#define MODEL_COMPILE_H

#include "model/model.h"

/* compile_storage.c: the pattern, band and storage of df/dy, and the programs that write it; after the plan is made. */
tansy_status storage_find(struct tansy_model *m);
tansy_status storage_make(struct tansy_model *m);

/* How a matrix with so many entries in such a band is stored.  Banded: the factors, lower + (lower + upper) + 1 wide, are
   well below n wide, and the band is not nearly empty (a grid of points in two dimensions, where sparse factors fill in
   less from about 60 points each way on).  Sparse: large, and less than a fifth full. */
tansy_structure storage_choose(size_t n, size_t entries, size_t lower, size_t upper);

/* compile_constraints.c: dg/dt = g_t + g_y y' of the constraints of an index 2 model, root[n], 0 elsewhere. */
tansy_status constraint_rates(struct tansy_model *m, uint32_t *root);

#endif
