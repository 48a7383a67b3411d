/* SPDX-License-Identifier: Apache-2.0 */
/* How fast are the kernels?  Triangular solves for panels against LAPACK's dgetrs with as many right-hand sides,
   factorisations against dgetrf, and products, history and norms by themselves.  An argument names other kernels than
   the best: plain, avx2, avx512. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/heap.h"
#include "linear/linear.h"
#include "support/random.h"

extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *transposed, const int *n, const int *columns, const double *a,
                    const int *lda, const int *ipiv, double *b, const int *ldb, int *info,
                    size_t length);

enum { REPEATS = 7, SHORTEST = 2000000 /* ns of a measurement */ };

struct bench {
    const struct kernels *kernels;
    size_t n, lanes;
    struct matrix A;
    struct linear l;
    double *B, *X, *W, *lu; /* panels n*MAX_LANES; matrices n*n, column by column for LAPACK */
    int *ipiv;
    struct history_task task;
    double *ones;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_once(void (*run)(struct bench *b), struct bench *b, size_t calls)
{
    double const start = seconds();
    for (size_t c = 0; c < calls; c++) run(b);
    return 1e9 * (seconds() - start) / (double)calls;
}

/* The least times of a call of two things in turn, ns. */
static void race(struct bench *b, void (*own)(struct bench *), void (*peer)(struct bench *),
                 double best[2])
{
    void (*const run[2])(struct bench *) = {own, peer};
    size_t calls[2];
    for (int k = 0; k < 2; k++) {
        double const once = fmin(time_once(run[k], b, 1), time_once(run[k], b, 3));
        calls[k] = 1 + (size_t)(SHORTEST / (once + 1));
        best[k] = time_once(run[k], b, calls[k]);
    }
    for (int r = 0; r < REPEATS; r++)
        for (int k = 0; k < 2; k++) best[k] = fmin(best[k], time_once(run[k], b, calls[k]));
}

static void layout(struct bench *b, struct arena *arena)
{
    size_t const n = b->n;
    matrix_layout(&b->A, arena);
    b->l.table->layout(&b->l, arena);
    b->B = arena_matrix(arena, n, MAX_LANES);
    b->X = arena_matrix(arena, n, MAX_LANES);
    b->W = arena_matrix(arena, n, n);
    b->lu = arena_matrix(arena, n, n);
    ARENA_TAKE(arena, b->ipiv, n);
}

/* W = 4 I - A, `share` of A's entries not zero. */
static void *create(struct bench *b, const struct kernels *kernels, size_t n, double share)
{
    struct arena arena = {0};
    struct random_source source = {n};
    *b = (struct bench){.kernels = kernels, .n = n};
    b->A = (struct matrix){.kind = MATRIX_DENSE, .n = n};
    b->l = (struct linear){.table = &linear_dense_lu, .kernels = kernels, .A = &b->A, .slots = 1};
    layout(b, &arena);
    void *const block = heap_take(arena.used);
    arena = (struct arena){.block = block};
    layout(b, &arena);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int const kept = (random_next(&source) + 1) / 2 < share;
            double const a = kept ? random_next(&source) : 0;
            *matrix_entry(&b->A, i, j) = a;
            b->W[j * n + i] = (i == j ? 4 : 0) - a;
        }
    matrix_compress(&b->A);
    for (size_t x = 0; x < n * MAX_LANES; x++) b->B[x] = random_next(&source);
    return block;
}

static void factor_own(struct bench *b)
{
    b->l.table->factor(&b->l, 0, 4, 0);
}

static void factor_peer(struct bench *b)
{
    int const n = (int)b->n;
    int info;
    memcpy(b->lu, b->W, b->n * b->n * sizeof(double));
    dgetrf_(&n, &n, b->lu, &n, b->ipiv, &info);
}

static void solve_own(struct bench *b)
{
    memcpy(b->X, b->B, b->n * b->lanes * sizeof(double));
    b->l.table->solve_panel(&b->l, 0, b->lanes, b->X);
}

static void solve_peer(struct bench *b)
{
    int const n = (int)b->n, columns = (int)b->lanes;
    int info;
    memcpy(b->X, b->B, b->n * b->lanes * sizeof(double));
    dgetrs_("N", &n, &columns, b->lu, &n, b->ipiv, b->X, &n, &info, 1);
}

/* Of all columns, max |W x - b|; step and next are the strides of rows and columns. */
static double residual(const struct bench *b, size_t step, size_t next)
{
    double top = 0;
    for (size_t k = 0; k < b->lanes; k++)
        for (size_t i = 0; i < b->n; i++) {
            double r = -b->B[i * step + k * next];
            for (size_t j = 0; j < b->n; j++) r += b->W[j * b->n + i] * b->X[j * step + k * next];
            top = fmax(top, fabs(r));
        }
    return top;
}

/* The logarithm of the mean speedup. */
static double bench_solves(const struct kernels *kernels)
{
    static const size_t sizes[] = {2, 3, 8, 20, 53, 100, 200};
    double sum = 0;
    int count = 0;
    printf("Solves: ns a column, ours / dgetrs with all columns at once (speedup, ratio of "
           "residuals)\n"
           "%6s",
           "n");
    for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2)
        if (lanes != 2) printf("%21zu lanes", lanes);
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++) {
        struct bench b;
        void *const block = create(&b, kernels, sizes[a], 1);
        factor_own(&b);
        factor_peer(&b);
        printf("\n%6zu", b.n);
        for (b.lanes = 1; b.lanes <= MAX_LANES; b.lanes *= 2) {
            double best[2];
            if (b.lanes == 2) continue;
            race(&b, solve_own, solve_peer, best);
            solve_own(&b);
            double const own = residual(&b, b.lanes, 1);
            solve_peer(&b);
            double const peer = residual(&b, 1, b.n);
            printf("  %7.1f/%7.1f(%4.1f,%3.1f)", best[0] / (double)b.lanes,
                   best[1] / (double)b.lanes, best[1] / best[0], own / peer);
            if (b.lanes == 1) continue;
            sum += log(best[1] / best[0]);
            count++;
        }
        heap_return(block);
    }
    printf("\n");
    return sum / count;
}

static void bench_factors(const struct kernels *kernels)
{
    static const size_t sizes[] = {2, 3, 5, 8, 12, 20, 32, 53, 100, 200, 300, 400, 500, 700, 1000};
    printf("\nFactorisations: us, ours / dgetrf\n");
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++) {
        struct bench b;
        double best[2];
        void *const block = create(&b, kernels, sizes[a], 1);
        double const n = (double)b.n;
        race(&b, factor_own, factor_peer, best);
        printf("%6zu %10.3f %10.3f  (%4.1f)  %6.1f GFlop/s\n", b.n, 1e-3 * best[0], 1e-3 * best[1],
               best[1] / best[0], 2.0 / 3.0 * n * n * n / best[0]);
        heap_return(block);
    }
}

static void multiply_dense(struct bench *b)
{
    b->kernels->multiply_dense(b->n, b->A.value, b->lanes, b->B, b->X);
}

static void multiply_sparse(struct bench *b)
{
    b->kernels->multiply_sparse(&b->A.rows, b->lanes, b->B, b->X);
}

static void compress(struct bench *b)
{
    matrix_compress(&b->A);
}

static void bench_products(const struct kernels *kernels)
{
    static const size_t sizes[] = {3, 8, 20, 53, 100, 200};
    static const double shares[] = {1, 0.7, 0.5, 0.3, 0.1};
    printf(
        "\nProducts R = A V + R: us (and GFlop/s) dense / us sparse at 100, 70, 50, 30, 10 %%\n");
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
        for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= lanes == 1 ? 8 : 2) {
            double best[2];
            printf("%6zu %3zu lanes", sizes[a], lanes);
            for (size_t c = 0; c < sizeof shares / sizeof *shares; c++) {
                struct bench b;
                void *const block = create(&b, kernels, sizes[a], shares[c]);
                double const n = (double)b.n;
                b.lanes = lanes;
                race(&b, multiply_dense, multiply_sparse, best);
                if (c == 0)
                    printf("%9.3f (%4.1f) /", 1e-3 * best[0], 2 * n * n * (double)lanes / best[0]);
                printf(" %8.3f", 1e-3 * best[1]);
                if (c + 1 == sizeof shares / sizeof *shares && lanes == 1) {
                    race(&b, compress, compress, best);
                    printf("   compress %8.3f", 1e-3 * best[0]);
                }
                heap_return(block);
            }
            printf("\n");
        }
}

static void run_history(struct bench *b)
{
    b->kernels->step->history(&b->task);
}

static void run_weights(struct bench *b)
{
    struct tolerance const t = {b->ones, b->ones, b->ones, b->ones};
    b->kernels->weights(b->n, b->lanes, &t, b->ones, b->X);
}

static void run_square_sums(struct bench *b)
{
    double sum[MAX_LANES];
    b->kernels->square_sums(b->n, b->lanes, b->ones, b->X, sum);
}

static void run_largest(struct bench *b)
{
    double top[MAX_LANES];
    b->kernels->largest(b->n, b->lanes, b->ones, b->X, top);
}

/* History all zero, so that it stays as it is. */
static void bench_history(struct bench *b, double *z)
{
    static const int orders[] = {1, 2, 5, 12};
    static const double l[HISTORY_ROWS] = {1};
    size_t const count = lane_round(b->n * b->lanes);
    for (size_t c = 0; c < sizeof orders / sizeof *orders; c++)
        for (int rescaled = 0; rescaled < 2; rescaled++) {
            double best[2];
            b->task = (struct history_task){.z = z,
                                            .stride = count,
                                            .count = count,
                                            .order = orders[c],
                                            .new_order = orders[c],
                                            .l = l,
                                            .e = z + HISTORY_ROWS * count,
                                            .scale = rescaled ? b->ones : NULL,
                                            .y0 = z + (HISTORY_ROWS + 1) * count,
                                            .d0 = z + (HISTORY_ROWS + 2) * count};
            race(b, run_history, run_history, best);
            printf(" %8.1f", fmin(best[0], best[1]));
        }
}

static void bench_passes(const struct kernels *kernels)
{
    static const size_t shapes[][2] = {{3, 1}, {8, 1}, {3, 8}, {20, 32}, {100, 1}, {100, 32}};
    printf(
        "\nPasses: ns; history at orders 1, 2, 5, 12 (correct and predict; rescale too), weights, "
        "square sums, largest\n");
    for (size_t a = 0; a < sizeof shapes / sizeof *shapes; a++) {
        struct bench b = {.kernels = kernels, .n = shapes[a][0], .lanes = shapes[a][1]};
        size_t const count = lane_round(b.n * b.lanes);
        double *const z = heap_take((HISTORY_ROWS + 5) * count * sizeof(double));
        double best[2], top[2];
        b.ones = z + (HISTORY_ROWS + 3) * count;
        b.X = z + (HISTORY_ROWS + 4) * count;
        for (size_t x = 0; x < count; x++) b.ones[x] = 1;
        printf("%6zu %3zu lanes", b.n, b.lanes);
        bench_history(&b, z);
        race(&b, run_weights, run_square_sums, best);
        race(&b, run_largest, run_largest, top);
        printf("  %8.1f %8.1f %8.1f\n", best[0], best[1], fmin(top[0], top[1]));
        heap_return(z);
    }
}

int main(int argc, char **argv)
{
    const struct kernels *list[3], *kernels = kernels_choose();
    size_t const number = kernels_list(list);
    for (size_t k = 0; k < number; k++)
        if (argc > 1 && strcmp(argv[1], list[k]->name) == 0) kernels = list[k];
    printf("kernels: %s\n\n", kernels->name);
    double const mean = bench_solves(kernels);
    bench_factors(kernels);
    bench_products(kernels);
    bench_passes(kernels);
    printf("\nkernels: speedup %.2f over LAPACK dgetrs at equal error\n", exp(mean));
    return 0;
}
