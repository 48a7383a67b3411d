/* SPDX-License-Identifier: Apache-2.0 */
/* In which units GMRES has residuals and unknowns (krylov.h). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "linear/gmres_work.h"

/* s of krylov.h in row i. */
static double row_scale(const struct gmres *g, size_t i)
{
    double const size = fabs(g->krylov->re[g->slot]);
    bool const whole = size == 0 || (g->krylov->algebraic && g->krylov->algebraic[i]);
    return whole ? 1 : 1 / size;
}

/* Infinite, it would make NaN of a zero; NaN stays. */
static double scale_of(double s, double winv)
{
    double const scaled = s * winv;
    return scaled > DBL_MAX ? DBL_MAX : scaled;
}

/* A component the error test leaves out has no weight but is an unknown: a multiplier of index 2, say, in y' = f + G z,
   0 = re g(y).  Its row gets the smallest weight of the column; itself that over |re|, as an error of z makes one of z/re
   in y. */
static void weigh_left_out(struct gmres *g)
{
    size_t const n = g->l->A->n, lanes = g->lanes;
    const double *const winv = g->task->winv;
    double *const scale = g->work->scale, *const unscale = g->work->unscale;
    double const size = fabs(g->krylov->re[g->slot]);
    if (!g->own_scale) memcpy(scale, winv, n * lanes * sizeof(double));
    for (size_t x = n * lanes; x < g->count; x++) scale[x] = 0;
    g->scale = scale;
    for (size_t k = 0; k < g->task->columns; k++) {
        double least = DBL_MAX;
        for (size_t x = k; x < n * lanes; x += lanes)
            if (winv[x] > 0 && winv[x] < least) least = winv[x];
        double const of_unknown = size > 0 ? least / size : least;
        for (size_t i = 0; i < n; i++) {
            size_t const x = i * lanes + k;
            if (winv[x] != 0) continue;
            scale[x] = g->own_scale ? scale_of(row_scale(g, i), least) : of_unknown;
            unscale[x] = 1 / (g->right ? scale[x] : of_unknown);
        }
    }
}

void gmres_find_scales(struct gmres *g)
{
    const double *const winv = g->task->winv;
    double *const scale = g->work->scale;
    g->scale = winv;
    if (g->own_scale) {
        size_t const n = g->l->A->n;
        for (size_t i = 0; i < n; i++) {
            double const s = row_scale(g, i);
            for (size_t x = i * g->lanes; x < (i + 1) * g->lanes; x++)
                scale[x] = scale_of(s, winv[x]);
        }
        for (size_t x = n * g->lanes; x < g->count; x++) scale[x] = 0;
        g->scale = scale;
    }
    const double *const of_unknowns = g->right ? scale : winv;
    if (g->kernels->reciprocals(g->count, of_unknowns, g->work->unscale)) weigh_left_out(g);
}
