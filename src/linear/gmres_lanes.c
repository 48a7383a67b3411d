/* SPDX-License-Identifier: Apache-2.0 */
/* The small least-squares problems of GMRES, one for each lane. */
#include <float.h>
#include <math.h>

#include "linear/gmres_work.h"

void gmres_lanes_layout(struct gmres_lanes *g, struct arena *arena, size_t m, size_t stride)
{
    *g = (struct gmres_lanes){.m = m, .stride = stride};
    g->R = arena_matrix(arena, (m + 1) * m, stride);
    g->c = arena_matrix(arena, m, stride);
    g->s = arena_matrix(arena, m, stride);
    g->coefficient = arena_matrix(arena, m + 1, MAX_LANES);
}

/* Column j of one lane; the entries above came in with the lanes, the one below is `next`. */
static double rotate(struct gmres_lanes *g, size_t k, size_t j)
{
    for (size_t i = 0; i < j; i++) {
        double *const upper = gmres_entry(g, i, j) + k, *const lower = gmres_entry(g, i + 1, j) + k;
        double const c = g->c[i * g->stride + k], s = g->s[i * g->stride + k];
        double const a = *upper, b = *lower;
        *upper = c * a - s * b;
        *lower = s * a + c * b;
    }
    double *const diagonal = gmres_entry(g, j, j) + k;
    double const size = hypot(*diagonal, g->next[k]);
    g->c[j * g->stride + k] = *diagonal / size;
    g->s[j * g->stride + k] = -g->next[k] / size;
    *diagonal = size;
    return size;
}

bool gmres_lanes_rotate(struct gmres_lanes *g, size_t lanes, size_t j, const double *before)
{
    enum { ROUNDINGS = 10 }; /* what is left of a column that depends on those before it */
    for (size_t k = 0; k < lanes; k++) {
        if (!g->active[k]) continue;
        double const size = rotate(g, k, j);
        if (!(size > ROUNDINGS * DBL_EPSILON * before[k])) return false;
        g->product[k] *= g->s[j * g->stride + k];
        g->rho[k] = fabs(g->product[k]) * g->norm[k];
        g->length[k] = j + 1;
    }
    return true;
}

/* Back-substitution in lane k: R y = norm (c_0, s_0 c_1, s_0 s_1 c_2, ...). */
static bool solve_lane(struct gmres_lanes *g, size_t k)
{
    size_t const length = g->length[k];
    double right = g->norm[k], waste = 0;
    for (size_t i = 0; i < length; i++) {
        g->coefficient[i * MAX_LANES + k] = right * g->c[i * g->stride + k];
        right *= g->s[i * g->stride + k];
    }
    for (size_t j = length; j-- > 0;) {
        double const y = g->coefficient[j * MAX_LANES + k] / gmres_entry(g, j, j)[k];
        g->coefficient[j * MAX_LANES + k] = y;
        for (size_t i = 0; i < j; i++)
            g->coefficient[i * MAX_LANES + k] -= gmres_entry(g, i, j)[k] * y;
        waste += 0 * y;
    }
    for (size_t j = length; j <= g->m; j++) g->coefficient[j * MAX_LANES + k] = 0;
    return waste == 0;
}

/* coefficient[j*MAX_LANES + k] of all places of a row from those of the lanes. */
static void spread_rows(struct gmres_lanes *g, size_t lanes, size_t rows)
{
    for (size_t j = 0; j < rows; j++)
        for (size_t k = lanes; k < MAX_LANES; k++)
            g->coefficient[j * MAX_LANES + k] = g->coefficient[j * MAX_LANES + k - lanes];
}

size_t gmres_lanes_solve(struct gmres_lanes *g, size_t lanes)
{
    size_t rows = 1;
    for (size_t k = 0; k < lanes; k++) {
        if (!solve_lane(g, k)) return 0;
        if (g->length[k] > rows) rows = g->length[k];
    }
    spread_rows(g, lanes, rows);
    return rows;
}

void gmres_lanes_residual(struct gmres_lanes *g, size_t lanes, size_t rows, bool scaled,
                          const double *last)
{
    for (size_t k = 0; k < lanes; k++) {
        double rest = g->active[k] ? (scaled ? g->product[k] * g->norm[k] : 1) : 0;
        for (size_t i = rows; i-- > 1;) {
            double const c = g->c[(i - 1) * g->stride + k];
            g->coefficient[i * MAX_LANES + k] = rest == 0 ? 0 : rest * c;
            if (rest != 0) rest *= g->s[(i - 1) * g->stride + k];
        }
        g->coefficient[k] = rest;
        if (last && g->active[k]) g->coefficient[(rows - 1) * MAX_LANES + k] /= last[k];
    }
    spread_rows(g, lanes, rows);
}
