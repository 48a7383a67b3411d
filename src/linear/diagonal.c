/* SPDX-License-Identifier: Apache-2.0 */
/* W = re I: functional iteration keeps no Jacobian. */
#include <math.h>

#include "linear/linear.h"

/* The factors are 1/re, one a slot. */
static void layout(struct linear *l, struct arena *arena)
{
    l->factors = arena_doubles(arena, l->slots);
}

static ptrdiff_t factor(struct linear *l, size_t slot, double re, double im)
{
    double *const inverse = l->factors;
    if (im != 0) return LINEAR_NOT_SUPPORTED;
    inverse[slot] = 1 / re;
    return isfinite(re) && isfinite(inverse[slot]) ? 0 : 1;
}

static void solve_panel(const struct linear *l, size_t slot, size_t lanes, double *X)
{
    const double *const inverse = l->factors;
    double const a = inverse[slot];
    for (size_t x = 0; x < l->A->n * lanes; x++) X[x] *= a;
}

static void solve(const struct linear *l, size_t slot, double *x)
{
    solve_panel(l, slot, 1, x);
}

static double factor_cost(const struct linear *l)
{
    (void)l;
    return 1;
}

static double solve_cost(const struct linear *l)
{
    return (double)l->A->n;
}

const struct linear_table linear_diagonal = {
    .name = "diagonal",
    .matrix = MATRIX_NONE,
    .layout = layout,
    .factor = factor,
    .solve = solve,
    .solve_panel = solve_panel,
    .solve_transposed = solve,
    .factor_cost = factor_cost,
    .solve_cost = solve_cost,
};
