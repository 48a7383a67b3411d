/* SPDX-License-Identifier: Apache-2.0 */
/* Iteration counts of GMRES on the 2-D heat equation of Maly and Petzold, 5.1: (m + 2)^2 points, the boundary algebraic,
   at shifts re = 1/h from the first steps to the last ones. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/heap.h"
#include "linear/krylov.h"
#include "linear/linear.h"
#include "linear/precondition.h"
#include "test.h"

enum { LANES = 2 };

struct heat {
    size_t side, n; /* side = m + 2, n = side^2 */
    double re;
    void *block;
    struct matrix A, M;
    struct linear l;
    struct krylov k;
    bool *algebraic;
    double *B, *X, *winv;
    size_t iterations;
};

/* Y = re M X - A X */
static int apply(void *context, size_t worker, size_t lanes, size_t columns, const double *X,
                 double *Y)
{
    const struct heat *const h = context;
    (void)worker;
    (void)columns;
    memset(Y, 0, h->n * lanes * sizeof(double));
    h->l.kernels->multiply_sparse(&h->A.rows, lanes, X, Y);
    for (size_t i = 0; i < h->n; i++)
        for (size_t k = 0; k < lanes; k++)
            Y[i * lanes + k] = (h->algebraic[i] ? 0 : h->re * X[i * lanes + k]) - Y[i * lanes + k];
    return 0;
}

static bool on_boundary(const struct heat *h, size_t i)
{
    size_t const x = i % h->side, y = i / h->side;
    return x == 0 || y == 0 || x == h->side - 1 || y == h->side - 1;
}

/* A = Laplacian inside, -1 on the boundary, M = 1 inside: rows of 5 or 1, M in the pattern of A. */
static void fill(struct heat *h)
{
    double const per_square = (double)(h->side - 1) * (double)(h->side - 1);
    size_t entries = 0;
    for (size_t i = 0; i < h->n; i++) {
        size_t const column[] = {i - h->side, i - 1, i, i + 1, i + h->side};
        h->algebraic[i] = on_boundary(h, i);
        h->A.rows.start[i] = h->M.rows.start[i] = entries;
        for (size_t c = h->algebraic[i] ? 2 : 0; c < (h->algebraic[i] ? 3u : 5u); c++) {
            h->A.rows.column[entries] = h->M.rows.column[entries] = column[c];
            h->A.rows.value[entries] = h->algebraic[i] ? -1 : per_square * (c == 2 ? -4 : 1);
            h->M.rows.value[entries++] = c == 2 && !h->algebraic[i];
        }
        for (size_t k = 0; k < LANES; k++) {
            double const x = (double)(i % h->side) / (double)(h->side - 1);
            double const y = (double)(i / h->side) / (double)(h->side - 1);
            h->B[i * LANES + k] = h->algebraic[i] ? 0 : 16 * x * (1 - x) * y * (1 - y) * h->re;
            if (k == 1) h->B[i * LANES + k] *= x; /* the lanes take different times */
            h->winv[i * LANES + k] = 1;
        }
    }
    h->A.rows.start[h->n] = h->M.rows.start[h->n] = entries;
    h->A.entries = h->M.entries = entries;
}

static void take_pattern(struct matrix *A, size_t n, struct arena *arena)
{
    *A = (struct matrix){.kind = MATRIX_SPARSE, .n = n, .entries = 5 * n, .rows = {.n = n}};
    ARENA_TAKE(arena, A->rows.start, n + 1);
    ARENA_TAKE(arena, A->rows.column, 5 * n);
    A->value = A->rows.value = arena_doubles(arena, 5 * n);
}

static void layout(struct heat *h, struct arena *arena)
{
    take_pattern(&h->A, h->n, arena);
    take_pattern(&h->M, h->n, arena);
    ARENA_TAKE(arena, h->algebraic, h->n);
    h->B = arena_doubles(arena, lane_round(LANES * h->n));
    h->X = arena_doubles(arena, lane_round(LANES * h->n));
    h->winv = arena_doubles(arena, lane_round(LANES * h->n));
    h->k.algebraic = h->algebraic;
    h->l.table->layout(&h->l, arena);
}

static void open_heat(struct heat *h, size_t m, double re, const struct preconditioner *p,
                      bool right)
{
    struct arena arena = {0};
    *h = (struct heat){.side = m + 2, .n = (m + 2) * (m + 2), .re = re};
    h->k = (struct krylov){
        .preconditioner = p,
        .right = right,
        .restarts = 500, /* of 5 directions: without preconditioner W at re = 1 needs many */
        .workers = 1,
        .most_lanes = LANES,
        .lower = 1,
        .upper = 1,
        .block = m + 2};
    h->l = (struct linear){.table = &linear_gmres, .kernels = kernels_choose(), .slots = 1};
    h->l.A = &h->A;
    h->l.M = &h->M;
    h->l.krylov = &h->k;
    layout(h, &arena);
    h->block = heap_take(arena.used);
    arena = (struct arena){.block = h->block};
    layout(h, &arena);
    fill(h);
}

/* Solves and returns the iterations of the longer lane; checks the residual in the scale of right preconditioning. */
static double iterations(size_t m, double re, const struct preconditioner *p, bool right)
{
    struct heat h;
    struct timespec begin, end;
    open_heat(&h, m, re, p, right);
    struct linear_task const task = {.lanes = LANES,
                                     .columns = LANES,
                                     .winv = h.winv,
                                     .tolerance = 1e-4,
                                     .apply = apply,
                                     .context = &h,
                                     .iterations = &h.iterations};
    double const count = (double)lane_round(LANES * h.n);
    memcpy(h.X, h.B, (size_t)count * sizeof(double));
    CHECK_EQUAL(h.l.table->factor(&h.l, 0, re, 0), 0);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    CHECK_EQUAL(h.l.table->iterate(&h.l, 0, &task, h.X), 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double const seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    double *const R = heap_take((size_t)count * sizeof(double));
    apply(&h, 0, LANES, LANES, h.X, R);
    for (size_t k = 0; k < LANES && (right || !p->solve); k++) {
        double sum = 0;
        for (size_t i = 0; i < h.n; i++) {
            double const r = R[i * LANES + k] - h.B[i * LANES + k];
            sum += r * r * (h.algebraic[i] ? 1 : 1 / (re * re));
        }
        CHECK_AT_MOST(sqrt(sum / (double)h.n), 1e-4 * (1 + 1e-6));
    }
    heap_return(R);
    size_t const most = h.iterations;
    printf("  %-5s %5.1f %7.0f us", p->name, (double)most / LANES, 1e6 * seconds);
    heap_return(h.block);
    return (double)most / LANES;
}

/* The shifts 1/h of a run to t = 10: W is nearly the identity at first, nearly the Laplacian at last.  Preconditioners
   that know more of W need fewer iterations, up to one: one is always made, and stopping is no smooth matter. */
TEST(better_preconditioners_need_fewer_iterations_on_the_heat_equation)
{
    static const double shifts[] = {1e5, 1e4, 1e3, 1e2, 1};
    for (size_t m = 10; m <= 40; m += 30)
        for (size_t c = 0; c < sizeof shifts / sizeof *shifts; c++)
            for (int right = 0; right < 2; right++) {
                printf("m = %zu, re = %6.0f, %-5s:", m, shifts[c], right ? "right" : "left");
                double const none = iterations(m, shifts[c], &precondition_none, right);
                double const band = iterations(m, shifts[c], &precondition_band, right);
                double const block = iterations(m, shifts[c], &precondition_block, right);
                double const ilu = iterations(m, shifts[c], &precondition_ilu, right);
                printf("\n");
                CHECK_EQUAL(2 * band, 2 * block); /* a grid line is a block, and a band */
                if (!right) continue;             /* P^-1 r is another measure for every P */
                CHECK_AT_MOST(band, none + 1);
                CHECK_AT_MOST(ilu, band + 1);
            }
}

/* Maly and Petzold need 1.4 to 2.1 directions on the average with a tridiagonal preconditioner, at h that the accuracy
   of 1e-4 allows: some 1e-3 to 1 on this grid of 12 x 12 points. */
TEST(a_tridiagonal_preconditioner_needs_few_directions_on_a_coarse_grid)
{
    CHECK_AT_MOST(iterations(10, 1e4, &precondition_band, false), 3);
    CHECK_AT_MOST(iterations(10, 1e3, &precondition_band, false), 5);
    printf("\n");
}
