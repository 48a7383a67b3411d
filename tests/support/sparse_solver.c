/* SPDX-License-Identifier: Apache-2.0 */
#include "support/sparse_solver.h"
#include "linear/linear.h"
#include "test.h"

#include <stdio.h>

void sparse_solver_needed(void)
{
    if (!linear_sparse) SKIP("the library was built without KLU");
}

bool sparse_solver_is_there(const char *part)
{
    if (!linear_sparse) printf("not run for want of KLU: %s\n", part);
    return linear_sparse != NULL;
}

void sparse_solver_or_dense(void)
{
    (void)sparse_solver_is_there("sparse factors; dense ones take their place");
}
