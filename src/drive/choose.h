/* SPDX-License-Identifier: Apache-2.0 */
/* What is chosen at creation, in this order: method and formula, linear solver, matrices, corrector. */
#ifndef DRIVE_CHOOSE_H
#define DRIVE_CHOOSE_H

#include "drive/solver.h"

/* The direct solver for the problem's structure. */
const struct linear_table *choose_factoring(const struct tansy_solver *s);

tansy_status choose_method(struct tansy_solver *s);
tansy_status choose_linear(struct tansy_solver *s);

/* choose_rows.c, of extrapolation: how columns go with the state; then, when the panels are known, whether all rows can be kept. */
tansy_status choose_rows(struct tansy_solver *s);
tansy_status choose_storage(struct tansy_solver *s, const struct panel *shape);

/* The storage of J and M that the linear solver takes, and without one what products with panels need. */
void choose_matrix(struct tansy_solver *s);

#endif
