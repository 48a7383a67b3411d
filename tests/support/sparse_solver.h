/* SPDX-License-Identifier: Apache-2.0 */
/* The sparse direct solver, which a library built without SuiteSparse's KLU lacks: a test says what it does not check there. */
#ifndef SUPPORT_SPARSE_SOLVER_H
#define SUPPORT_SPARSE_SOLVER_H

#include <stdbool.h>

/* All of the test is about that solver: without it the test ends here, as skipped. */
void sparse_solver_needed(void);

/* It is there; if not, prints that this part of the test is not run. */
bool sparse_solver_is_there(const char *part);

/* Problems with TANSY_SPARSE are solved all the same: prints, without it, that this was by dense factors. */
void sparse_solver_or_dense(void);

#endif
