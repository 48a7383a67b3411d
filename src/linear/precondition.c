/* SPDX-License-Identifier: Apache-2.0 */
/* What preconditioners share, and those that keep no entries: none, and the user's. */
#include "linear/precondition.h"

#include <math.h>

/* w += a times the part of the row between the columns. */
static void add_row(const struct matrix *A, double a, size_t i, size_t first, size_t end, double *w)
{
    struct matrix_row const row = matrix_row(A, i);
    size_t m = 0, stop = row.count;
    if (!row.column) {
        m = first > row.first ? first - row.first : 0;
        if (row.first + stop > end) stop = end > row.first ? end - row.first : 0;
    }
    for (; m < stop; m++) {
        size_t const j = matrix_row_column(&row, m);
        if (j >= first && j < end) w[j - first] += a * row.value[m];
    }
}

bool precondition_gather(const struct linear *l, size_t slot, double re, size_t i, size_t first,
                         size_t end, double *w)
{
    const size_t *const order = precondition_order(l, slot);
    size_t const row = order ? order[i] : i;
    double waste = 0;
    for (size_t j = first; j < end; j++) w[j - first] = 0;
    add_row(l->A, -1, row, first, end, w);
    if (l->M)
        add_row(l->M, re, row, first, end, w);
    else if (row >= first && row < end)
        w[row - first] += re;
    w[i - first] = precondition_shift(l, end - first, w, w[i - first]);
    for (size_t j = first; j < end; j++) waste += 0 * w[j - first];
    return waste == 0;
}

static ptrdiff_t prepare_nothing(struct linear *l, size_t slot, double re)
{
    (void)l;
    (void)slot;
    return isfinite(re) ? 0 : 1;
}

static double costs_nothing(const struct linear *l)
{
    (void)l;
    return 0;
}

const struct preconditioner precondition_none = {
    .name = "none",
    .prepare = prepare_nothing,
    .prepare_cost = costs_nothing,
    .solve_cost = costs_nothing,
};

static ptrdiff_t prepare_user(struct linear *l, size_t slot, double re)
{
    const struct krylov_user *const user = &l->krylov->user;
    (void)slot;
    if (!isfinite(re)) return 1;
    int const code = user->prepare(user->context, re);
    return code < 0 ? LINEAR_STOPPED : code > 0;
}

static int solve_user(const struct linear *l, size_t slot, const struct linear_task *task,
                      double *X)
{
    const struct krylov_user *const user = &l->krylov->user;
    (void)slot;
    int const code = user->solve(user->context, task->worker, task->lanes, task->columns, X);
    return (code > 0) - (code < 0);
}

/* Unknown; that of a band of three is a guess. */
static double user_cost(const struct linear *l)
{
    return 5 * (double)l->A->n;
}

const struct preconditioner precondition_user = {
    .name = "user",
    .prepare = prepare_user,
    .solve = solve_user,
    .prepare_cost = user_cost,
    .solve_cost = user_cost,
};

const struct preconditioner *const preconditioners[] = {&precondition_none,  &precondition_user,
                                                        &precondition_band,  &precondition_ilu,
                                                        &precondition_block, NULL};
