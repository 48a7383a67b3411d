/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with sparse factors for one vector. */
#ifndef MATRIX_SPARSE_SOLVE_VECTOR_H
#define MATRIX_SPARSE_SOLVE_VECTOR_H

#include <stddef.h>

#include "matrix/lu_solve_vector.h"
#include "matrix/sparse_factors.h"

static void solve_steps_1(const struct sparse_factors *F, size_t from, size_t end, size_t lanes,
                          double *restrict x)
{
    const double *restrict const value = F->value;
    const uint32_t *restrict const column = F->column;
    size_t m = from ? F->step[from - 1].end : 0;
    (void)lanes;
    for (size_t s = from; s < end; s++) {
        const struct sparse_step *const step = &F->step[s];
        double sum = x[step->at], other = 0;
        for (; m + 2 <= step->end; m += 2) {
            sum -= value[m] * x[column[m]];
            other -= value[m + 1] * x[column[m + 1]];
        }
        if (m < step->end) {
            sum -= value[m] * x[column[m]];
            m++;
        }
        x[step->at] = (sum + other) * step->scale;
    }
}

static void move_rows_1(const struct sparse_factors *F, size_t lanes, double *x)
{
    size_t e = 0;
    (void)lanes;
    for (size_t k = 0; k < F->cycles; k++) {
        double const first = x[F->cycle[e]];
        for (; e + 1 < F->cycle_end[k]; e++) x[F->cycle[e]] = x[F->cycle[e + 1]];
        x[F->cycle[e++]] = first;
    }
}

/* The tail of one vector is gathered and solved in one piece. */
static void solve_tail_1(const struct dense_factors *F, const uint32_t *at, size_t lanes, double *x)
{
    double part[TAIL_ROWS + DOT_ROWS];
    for (size_t i = 0; i < F->n; i++) part[i] = x[at[i]];
    solve_dense_1(F, lanes, part);
    for (size_t i = 0; i < F->n; i++) x[at[i]] = part[i];
}

#endif
