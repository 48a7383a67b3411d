/* SPDX-License-Identifier: Apache-2.0 */
/* The hot loops over panels, from one source (kernels_body.c) for several instruction sets, chosen at run
   time.  A panel is n rows of `lanes` doubles, V[i*lanes + k]; lanes is 1, 2, 4, 8, 16 or 32, and 1 is a
   plain vector.  Every vector starts on a cache line and its length is rounded up to LANE_GROUP doubles,
   zero in the tail, so that loops have no remainder.  No two arguments overlap unless it says so. */
#ifndef MATRIX_KERNELS_H
#define MATRIX_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

enum { LANE_GROUP = 8, MAX_LANES = 32, HISTORY_ROWS = 14 };

/* count rounded up to whole groups. */
static inline size_t lane_round(size_t count)
{
    return (count + LANE_GROUP - 1) / LANE_GROUP * LANE_GROUP;
}

/* Sparse rows of a matrix times a panel. */
struct sparse_rows {
    size_t n;
    size_t *start;  /* start[n + 1] */
    size_t *column; /* column[nz] */
    double *value;  /* value[nz] */
};

/* What to do with the history z[j], j <= order, of one part, in one pass (docs/multistep.md):
     correct   z <- P z + l e        with Pascal's triangle P, when e is not NULL
     grow      z[order+1] <- grow e  when grow is not 0
     scale     z[j] <- scale[j] z[j] for j <= new_order, when scale is not NULL
     predict   y0 = sum_j z[j],  d0 = sum_j j z[j],  over j <= new_order, when y0 is not NULL. */
struct history_task {
    double *z;     /* row j starts at z + j*stride */
    size_t stride; /* multiple of LANE_GROUP */
    size_t count;  /* doubles in a row, multiple of LANE_GROUP */
    int order, new_order;
    const double *l; /* l[order + 1], l[0] = 1 */
    const double *e;
    double grow;
    const double *scale; /* scale[new_order + 1] */
    double *y0, *d0;
};

/* What error weights are made of: rtol[n] and atol[n] of the rows, rho[lanes] and a[lanes] of the columns. */
struct tolerance {
    const double *rtol, *rho, *atol, *a;
};

/* One iteration of a corrector in one pass over count doubles (docs/multistep.md):
     residual  r <- r + a d0 + b e     when d0 is not NULL
     scale     r <- scale r
     add       e <- e + r, or e = r when first;  y = y0 + e
     norms     r_squares[k] = sum_i (r winv)^2, e_squares[k] = sum_i (e winv)^2 of every lane. */
struct correction_task {
    size_t count, lanes;
    double *r;
    const double *d0;
    double a, b, scale;
    bool first; /* e is zero so far and not read */
    double *e;
    const double *y0;
    double *y;
    const double *winv;
    double *r_squares, *e_squares;
};

/* The vectors behind the error candidates of the orders below, x + a y, and above, y + b z. */
struct order_task {
    size_t count, lanes;
    const double *x, *y, *z, *winv;
    double a, b;
};

/* A weighted sum of rows, base + factor sum_j weight[j] row[j], j < terms: the stages of a one-step method. */
struct row_task {
    size_t count, stride;
    const double *rows; /* `stride` doubles apart */
    const double *base; /* NULL: zero */
    double factor;
    int terms; /* >= 1 */
    const unsigned char *row;
    const double *weight;
};

/* Columns of panels V and R with n rows, the first of four side by side. */
enum { FOUR = 4 };
struct four_columns {
    size_t n, lanes;
    const double *V;
    double *R;
};

/* The passes of a step over a part. */
struct step_kernels {
    void (*history)(const struct history_task *task);
    void (*correct)(const struct correction_task *task);

    /* r <- r + a d0 + b e; e may be NULL. */
    void (*residual)(size_t count, double a, const double *d0, double b, const double *e,
                     double *r);

    /* out = the sum; it is none of the rows, but may be the base.  The last row may just have been stored element by element. */
    void (*sum_rows)(const struct row_task *task, double *out);

    /* z = max(|x|, |y|), elementwise; NaN in x or y gives NaN or the other. */
    void (*larger)(size_t count, const double *x, const double *y, double *z);

    /* Per lane, of factor_i |V_ik|: adds the sum of the squares over the rows to squares[k], and makes largest[k] the largest, but for NaN. */
    void (*row_sizes)(size_t n, size_t lanes, const double *factor, const double *V,
                      double *largest, double *squares);

    /* Per lane, over count doubles: sum of ((x + a y) winv)^2 and of ((y + b z) winv)^2. */
    void (*order_squares)(const struct order_task *task, double *lower, double *higher);
};

struct kernels {
    const char *name; /* "plain", "avx2", "avx512" */

    /* winv = 1/(rtol_i rho_k |v| + atol_i a_k); a denominator below DBL_MIN counts as that, NaN stays NaN. */
    void (*weights)(size_t n, size_t lanes, const struct tolerance *t, const double *v,
                    double *winv);

    /* to_ik = factor_i from_ik; it may be the same panel. */
    void (*scale_rows)(size_t n, size_t lanes, const double *factor, const double *from,
                       double *to);

    /* sum[k] = sum_i (v_ik winv_ik)^2 over the n rows, in a fixed order. */
    void (*square_sums)(size_t n, size_t lanes, const double *v, const double *winv, double *sum);

    /* largest[k] = max_i |v_ik winv_ik|; NaN gives NaN. */
    void (*largest)(size_t n, size_t lanes, const double *v, const double *winv, double *largest);

    /* True when none of count values is infinite or NaN. */
    bool (*all_finite)(size_t count, const double *v);

    /* R = A V + R with sparse rows. */
    void (*multiply_sparse)(const struct sparse_rows *A, size_t lanes, const double *V, double *R);

    /* R = A V + R, A[i*n + j] dense. */
    void (*multiply_dense)(size_t n, const double *A, size_t lanes, const double *V, double *R);

    /* z = a x + b y, elementwise over count doubles; z may be x or y. */
    void (*combine)(size_t count, double a, const double *x, double b, const double *y, double *z);

    /* moved[c*n + i] = y_i + eps[c] V_ic, and R_ic = (g[c*n + i] - f_i)/eps[c], by the reciprocal of eps; false: some of them are not finite. */
    void (*take_four)(const struct four_columns *columns, const double *y, const double *eps,
                      double *moved);
    bool (*put_four)(const struct four_columns *columns, const double *g, const double *f,
                     const double *eps);

    const struct step_kernels *step;
    const struct lu_kernels *lu; /* factors and triangular solves, matrix/lu_kernels.h */
};

/* The best table for this machine. */
const struct kernels *kernels_choose(void);

/* All tables that run on this machine, the plain one first; returns their number (at most 3). */
size_t kernels_list(const struct kernels *list[3]);

#endif
