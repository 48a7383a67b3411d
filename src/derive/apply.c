/* SPDX-License-Identifier: Apache-2.0 */
/* W times a panel, without W: W X = c M X - J X. */
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

static int by_tangent(struct derive *d, size_t worker, const struct point *at,
                      const struct panel *shape, const double *V, const double *V_rate, double *R)
{
    struct directions const along = {
        .columns = shape->columns, .ld = shape->lanes, .V = V, .V_rate = V_rate, .U = d->no_panel};
    d->worker[worker].counts.tangent += shape->columns;
    return given_along(d, worker, at, &along, R);
}

static int by_matrices(struct derive *d, const struct panel *shape, const double *V, double *V_rate,
                       double *R)
{
    memset(R, 0, shape->count * sizeof *R);
    matrix_multiply(d->J, d->kernels, shape->lanes, V, R);
    if (!d->M) return 0;
    d->kernels->combine(shape->count, -1, V_rate, 0, V_rate, V_rate);
    matrix_multiply(d->M, d->kernels, shape->lanes, V_rate, R);
    return 0;
}

static int by_differences(struct derive *d, size_t worker, const struct point *at,
                          const struct panel *shape, const double *V, const double *V_rate,
                          double *R)
{
    struct line const line = line_of_values(d, at);
    memset(R, 0, shape->count * sizeof *R);
    for (size_t k = 0; k < shape->columns; k++) {
        struct column const column = {
            .lanes = shape->lanes, .s = V + k, .r = R + k, .sp = d->M ? V_rate + k : NULL};
        int const code = differences_along(d, worker, &line, &column);
        if (code != 0) return code;
    }
    return 0;
}

static bool has_matrices(const struct derive *d)
{
    return d->J->kind != MATRIX_NONE && d->jacobian_source == SOURCE_GIVEN;
}

bool apply_needs_value(const struct derive *d)
{
    return d->has_apply && !derive_gives_tangent(d->problem) && !has_matrices(d);
}

int derive_along(struct derive *d, size_t worker, const struct point *at, const struct panel *shape,
                 const double *V, double *V_rate, double *R)
{
    if (derive_gives_tangent(d->problem)) return by_tangent(d, worker, at, shape, V, V_rate, R);
    if (has_matrices(d)) return by_matrices(d, shape, V, V_rate, R);
    return by_differences(d, worker, at, shape, V, V_rate, R);
}

int derive_apply(struct derive *d, size_t worker, const struct point *at, double c,
                 const struct panel *shape, const double *X, double *Y)
{
    double *const V_rate = d->worker[worker].V_rate;
    bool const implicit = derive_is_implicit(d);
    if (implicit) d->kernels->combine(shape->count, c, X, 0, X, V_rate);
    int const code = derive_along(d, worker, at, shape, X, V_rate, Y);
    if (code != 0) return code;
    if (implicit)
        d->kernels->combine(shape->count, -1, Y, 0, Y, Y);
    else
        d->kernels->combine(shape->count, c, X, -1, Y, Y);
    return 0;
}
