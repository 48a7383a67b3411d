/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of GMRES over panels, one table for each instruction set (gmres_body.c).  Vectors have `count` doubles, a
   multiple of LANE_GROUP, zero beyond the panel; element x belongs to lane x mod lanes.  Numbers of lanes are spread over
   MAX_LANES places: h[x mod MAX_LANES] belongs to element x.  Sums are stored for the first `lanes` places. */
#ifndef LINEAR_GMRES_KERNELS_H
#define LINEAR_GMRES_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/kernels.h"

struct gmres_kernels {
    /* r = 1/d, or 0 where d is not positive; whether there was such a place. */
    bool (*reciprocals)(size_t count, const double *d, double *r);

    /* v = d y;  sums[k] = next.v, sums[MAX_LANES + k] = v.v for every lane. */
    void (*receive)(size_t count, size_t lanes, const double *y, const double *d, double *v,
                    const double *next, double *sums);

    /* v -= h V;  sums[k] = next.v;  next may be v itself. */
    void (*project)(size_t count, size_t lanes, const double *h, const double *V, double *v,
                    const double *next, double *sums);

    /* V = factor V, zero where factor is;  z = unscale V. */
    void (*start)(size_t count, const double *factor, double *V, const double *unscale, double *z);

    /* z = sum_{j < rows} c[j*MAX_LANES] V[j*count], times unscale if it is not NULL; z may be one of V. */
    void (*combine)(size_t count, size_t rows, const double *c, const double *V,
                    const double *unscale, double *z);

    /* x = s x + c v, without the second term where c is zero. */
    void (*blend)(size_t count, const double *s, const double *c, const double *v, double *x);

    /* sums[k] = u.v */
    void (*dots)(size_t count, size_t lanes, const double *u, const double *v, double *sums);
};

/* The table that belongs to these kernels. */
const struct gmres_kernels *gmres_kernels_for(const struct kernels *kernels);

#endif
