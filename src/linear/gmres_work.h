/* SPDX-License-Identifier: Apache-2.0 */
/* Room of a worker for GMRES, and the small problems of the lanes: each has its own Hessenberg matrix H, reduced to a
   triangle R by Givens rotations as its columns come in.  m is the Krylov dimension. */
#ifndef LINEAR_GMRES_WORK_H
#define LINEAR_GMRES_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "linear/gmres_kernels.h"
#include "linear/krylov.h"
#include "linear/linear.h"

/* Entry (i, j) of R in lane k is R[(j*(m + 1) + i)*stride + k]; rotation j is c[j*stride + k], s[j*stride + k], so that
   (R_jj, 0) = (c R_jj - s H, s R_jj + c H) with H = H_{j+1,j}. */
struct gmres_lanes {
    size_t m, stride;
    double *R, *c, *s;
    double *coefficient;       /* coefficient[(m + 1)*MAX_LANES], spread over the lanes */
    double norm[MAX_LANES];    /* 2-norm of the residual where the cycle began */
    double product[MAX_LANES]; /* of the s so far: the residual is |product| norm */
    double rho[MAX_LANES];     /* 2-norm of the residual now */
    double next[MAX_LANES];    /* 2-norm of the newest direction, H_{j+1,j} */
    size_t length[MAX_LANES];  /* directions the lane has used in this cycle */
    bool active[MAX_LANES];    /* the lane has not converged yet */
};

struct gmres_work {
    double *V;               /* m + 1 directions */
    double *z, *y;           /* a direction in units of x, or P^-1 times it; W times it */
    double *scale, *unscale; /* of residuals where they are not winv; reciprocals, of unknowns */
    double *exchanged;       /* room for rows in another order; NULL: P is not made from entries */
    double *
        change; /* residual over product and norm, when the directions are not orthogonal; else NULL */
    struct gmres_lanes lanes;
    struct krylov_counts counts;
};

/* A solve. */
struct gmres {
    const struct linear *l;
    const struct krylov *krylov;
    const struct gmres_kernels *kernels;
    const struct linear_task *task;
    struct gmres_work *work;
    size_t slot, count, lanes;
    bool right;
    bool own_scale;             /* residuals are scaled by s winv, not by winv */
    const double *scale;        /* of residuals */
    double tolerance;           /* of 2-norms */
    double smallest[MAX_LANES]; /* of |R_jj|, with preconditioning from the left: see krylov.h */
    double seen; /* the same of the first lane in this solve alone, at most 1; 0: none */
    double sums[2 * MAX_LANES];
    double spread[MAX_LANES]; /* numbers of the lanes for the kernels */
};

/* Fills scale, and unscale of its work. */
void gmres_find_scales(struct gmres *g);

void gmres_lanes_layout(struct gmres_lanes *g, struct arena *arena, size_t m, size_t stride);

/* The address of entry (i, j) of R in lane 0. */
static inline double *gmres_entry(const struct gmres_lanes *g, size_t i, size_t j)
{
    return g->R + (j * (g->m + 1) + i) * g->stride;
}

/* Takes column j of H, whose last entry is next, into the triangle of the active lanes; before[k] is the norm of the
   direction before it was made orthogonal.  False when R gets singular in a lane. */
bool gmres_lanes_rotate(struct gmres_lanes *g, size_t lanes, size_t j, const double *before);

/* The coefficients of the solution of the small problems, zero for lanes without directions; returns the number of
   directions that are used, 0 if a coefficient is not finite. */
size_t gmres_lanes_solve(struct gmres_lanes *g, size_t lanes);

/* The coefficients of the residual Q^T e_rows of every active lane after rows - 1 directions, times product and norm if
   scaled; the last direction has the norm `last`, or 1 if that is NULL. */
void gmres_lanes_residual(struct gmres_lanes *g, size_t lanes, size_t rows, bool scaled,
                          const double *last);

#endif
