/* SPDX-License-Identifier: Apache-2.0 */
/* How fast is the sparse direct solver?  W = c I - J of random kinetic networks: solves with 400 right-hand sides against
   klu_solve, one and four at a time, and LAPACK's dgetrs; factorisations with known pivots against klu_refactor and dgetrf;
   the choice of pivots against klu_factor.  An argument names other kernels than the best: plain, avx2, avx512. */
#include <klu.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "linear/sparse_lu.h"
#include "support/problem_list.h"
#include "support/random.h"
#include "support/stopwatch.h"

extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *transposed, const int *n, const int *columns, const double *a,
                    const int *lda, const int *ipiv, double *b, const int *ldb, int *info,
                    size_t length);

enum { REPEATS = 9, COLUMNS = 400 };
static const double shift = 3;

/* A network of `reactions` of two species each, out of neighbours of each other or, with this probability, one of the
   `hubs`; window = 0: that of the tests. */
struct network {
    size_t n, reactions, window, hubs;
    double to_hub;
};

struct bench {
    size_t n, entries;
    void *block;
    struct matrix A;
    struct linear l;
    double *B, *X; /* COLUMNS right-hand sides: panels of MAX_LANES, or columns for the peers */
    double *W, *lu;
    int *ipiv, *Ap, *Ai;
    double *Ax;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

static size_t below(struct random_source *source, size_t count)
{
    return (size_t)((random_next(source) + 1) / 2 * (double)count);
}

static size_t neighbour(const struct network *w, size_t i, struct random_source *source)
{
    if ((random_next(source) + 1) / 2 < w->to_hub) return below(source, w->hubs);
    return (i + w->n + below(source, 2 * w->window + 1) - w->window) % w->n;
}

/* J of A + B -> C + D: rows A, B, C, D, columns A, B.  The matrix is kept dense here. */
static void add_reactions(const struct network *w, double *J)
{
    struct random_source source = {w->n};
    for (size_t r = 0; r < w->reactions; r++) {
        size_t s[4];
        double rate[2];
        s[0] = below(&source, w->n);
        for (int k = 1; k < 4; k++) s[k] = neighbour(w, s[0], &source);
        for (int k = 0; k < 2; k++) rate[k] = pow(10, 1.5 * random_next(&source));
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 2; j++) J[s[k] * w->n + s[j]] += k < 2 ? -rate[j] : rate[j];
    }
}

/* J of the tests' network of 100 species and 400 reactions, in which any species may react with any other. */
static void evaluate_jacobian(double *J)
{
    const tansy_problem *const problem = &problem_network_100x400()->problem;
    double y[100];
    for (size_t i = 0; i < 100; i++) y[i] = 0.1 + 0.001 * (double)i;
    problem->jacobian(0, y, problem->p, J, problem->context);
}

static void layout(struct bench *b, struct arena *arena)
{
    matrix_layout(&b->A, arena);
    b->l.table->layout(&b->l, arena);
    b->B = arena_matrix(arena, b->n, COLUMNS + MAX_LANES);
    b->X = arena_matrix(arena, b->n, COLUMNS + MAX_LANES);
    b->W = arena_matrix(arena, b->n, b->n);
    b->lu = arena_matrix(arena, b->n, b->n);
    ARENA_TAKE(arena, b->ipiv, b->n);
    ARENA_TAKE(arena, b->Ap, b->n + 1);
    ARENA_TAKE(arena, b->Ai, b->entries);
    ARENA_TAKE(arena, b->Ax, b->entries);
}

static struct sparse_pattern find_pattern(size_t n, const double *J)
{
    struct sparse_pattern pattern;
    size_t *const row = heap_take(2 * n * n * sizeof *row), *const column = row + n * n;
    size_t listed = 0, which[2];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (J[i * n + j] != 0) row[listed] = i, column[listed++] = j;
    sparse_pattern_create(&pattern, n, listed, row, column, which);
    heap_return(row);
    return pattern;
}

/* W by columns, dense and sparse, for the peers. */
static void fill(struct bench *b, const double *J)
{
    size_t const n = b->n;
    struct random_source source = {7};
    int m = 0;
    for (size_t j = 0; j < n; j++) {
        b->Ap[j] = m;
        for (size_t i = 0; i < n; i++) {
            double const w = (i == j ? shift : 0) - J[i * n + j];
            b->W[j * n + i] = w;
            if (i != j && J[i * n + j] == 0) continue;
            *matrix_entry(&b->A, i, j) = J[i * n + j];
            b->Ai[m] = (int)i;
            b->Ax[m++] = w;
        }
    }
    b->Ap[n] = m;
    for (size_t x = 0; x < n * (COLUMNS + MAX_LANES); x++) b->B[x] = random_next(&source);
}

static void create(struct bench *b, const struct kernels *kernels, const struct network *network)
{
    size_t const n = network->n;
    double *const J = heap_take(n * n * sizeof *J);
    struct arena arena = {0};
    if (network->window)
        add_reactions(network, J);
    else
        evaluate_jacobian(J);
    struct sparse_pattern pattern = find_pattern(n, J);
    *b = (struct bench){.n = n, .entries = pattern.entries};
    b->A = (struct matrix){.kind = MATRIX_SPARSE, .n = n, .entries = pattern.entries};
    b->l = (struct linear){.table = linear_sparse, .kernels = kernels, .A = &b->A, .slots = 1};
    layout(b, &arena);
    b->block = heap_take(arena.used);
    arena = (struct arena){.block = b->block};
    layout(b, &arena);
    matrix_set_pattern(&b->A, &pattern);
    sparse_pattern_free(&pattern);
    fill(b, J);
    heap_return(J);
    klu_defaults(&b->common);
    b->symbolic = klu_analyze((int)n, b->Ap, b->Ai, &b->common);
    b->numeric = klu_factor(b->Ap, b->Ai, b->Ax, b->symbolic, &b->common);
}

static void destroy(struct bench *b)
{
    klu_free_numeric(&b->numeric, &b->common);
    klu_free_symbolic(&b->symbolic, &b->common);
    b->l.table->release(&b->l);
    heap_return(b->block);
}

static void factor_own(struct bench *b)
{
    b->l.table->factor(&b->l, 0, shift, 0);
}

static void factor_klu(struct bench *b)
{
    klu_refactor(b->Ap, b->Ai, b->Ax, b->symbolic, b->numeric, &b->common);
}

static void factor_klu_anew(struct bench *b)
{
    klu_free_numeric(&b->numeric, &b->common);
    b->numeric = klu_factor(b->Ap, b->Ai, b->Ax, b->symbolic, &b->common);
}

static void find_first(struct bench *b)
{
    struct sparse_lu *const own = b->l.factors;
    sparse_pivots_of_analysis(&own->pivots, &own->klu);
}

static void find_by_values(struct bench *b)
{
    struct sparse_lu *const own = b->l.factors;
    sparse_pivots_choose(&own->pivots, &own->klu, b->common.tol);
}

static void factor_lapack(struct bench *b)
{
    int const n = (int)b->n;
    int info;
    memcpy(b->lu, b->W, b->n * b->n * sizeof(double));
    dgetrf_(&n, &n, b->lu, &n, b->ipiv, &info);
}

/* All right-hand sides, copied first, as they are for everyone. */
static void copy(struct bench *b)
{
    memcpy(b->X, b->B, b->n * COLUMNS * sizeof(double));
}

static void solve_panels(struct bench *b, size_t lanes)
{
    for (size_t k = 0; k < COLUMNS; k += lanes)
        b->l.table->solve_panel(&b->l, 0, lanes, b->X + k * b->n);
}

static void solve_own(struct bench *b)
{
    copy(b);
    solve_panels(b, 32);
}

static void solve_own_16(struct bench *b)
{
    copy(b);
    solve_panels(b, 16);
}

static void solve_own_8(struct bench *b)
{
    copy(b);
    solve_panels(b, 8);
}

static void solve_own_1(struct bench *b)
{
    copy(b);
    for (size_t k = 0; k < COLUMNS; k++) b->l.table->solve(&b->l, 0, b->X + k * b->n);
}

static void solve_klu_1(struct bench *b)
{
    copy(b);
    for (size_t k = 0; k < COLUMNS; k++)
        klu_solve(b->symbolic, b->numeric, (int)b->n, 1, b->X + k * b->n, &b->common);
}

static void solve_klu_all(struct bench *b)
{
    copy(b);
    klu_solve(b->symbolic, b->numeric, (int)b->n, COLUMNS, b->X, &b->common);
}

static void solve_lapack(struct bench *b, int columns)
{
    int const n = (int)b->n;
    int info;
    copy(b);
    for (int k = 0; k < COLUMNS; k += columns)
        dgetrs_("N", &n, &columns, b->lu, &n, b->ipiv, b->X + (size_t)k * b->n, &n, &info, 1);
}

static void solve_lapack_1(struct bench *b)
{
    solve_lapack(b, 1);
}

static void solve_lapack_all(struct bench *b)
{
    solve_lapack(b, COLUMNS);
}

/* max |W x - b| over 16 columns, `next` apart, whose elements are `step` apart. */
static double residual(const struct bench *b, size_t step, size_t next)
{
    double top = 0;
    for (size_t k = 0; k < 16; k++)
        for (size_t i = 0; i < b->n; i++) {
            double r = -b->B[i * step + k * next];
            for (size_t j = 0; j < b->n; j++) r += b->W[j * b->n + i] * b->X[j * step + k * next];
            top = fmax(top, fabs(r));
        }
    return top;
}

typedef void run(struct bench *b);

static double time_once(run *what, struct bench *b, size_t calls)
{
    struct stopwatch watch;
    stopwatch_start(&watch);
    for (size_t c = 0; c < calls; c++) what(b);
    return 1e6 * stopwatch_stop(&watch) / (double)calls;
}

/* The least times of a call of each, taken in turns, us. */
static void race(struct bench *b, size_t count, run *const what[], double best[])
{
    for (int r = 0; r <= REPEATS; r++)
        for (size_t k = 0; k < count; k++) {
            size_t const calls = r ? 1 + (size_t)(1500 / best[k]) : 1;
            double const time = time_once(what[k], b, calls);
            if (r < 2 || time < best[k]) best[k] = time;
        }
}

/* Prints a line of figures; the speedup over klu_solve one by one. */
static double bench_network(const struct kernels *kernels, const struct network *network)
{
    static run *const solves[] = {solve_own,   solve_own_16,  solve_own_8,    solve_own_1,
                                  solve_klu_1, solve_klu_all, solve_lapack_1, solve_lapack_all};
    static run *const factors[] = {factor_own,    factor_klu, factor_klu_anew,
                                   factor_lapack, find_first, find_by_values};
    double solve[8], factor[6];
    struct bench b;
    create(&b, kernels, network);
    race(&b, 6, factors, factor);
    race(&b, 8, solves, solve);
    solve_own(&b);
    double const own = residual(&b, MAX_LANES, 1);
    solve_klu_1(&b);
    double const peer = residual(&b, 1, b.n);
    const struct sparse_slot *const slot = &((const struct sparse_lu *)b.l.factors)->slot[0];
    size_t tail = 0;
    for (size_t s = 0; s < slot->F.stages; s++) tail += slot->F.stage[s].tail.n;
    printf("n = %zu, %zu reactions: %zu entries, L + U %d, blocks %d, rows in dense tails %zu, "
           "growth %.0f; residuals %.1e, KLU %.1e\n",
           b.n, network->reactions, b.entries, b.numeric->lnz + b.numeric->unz - (int)b.n,
           b.symbolic->nblocks, tail, slot->F.growth, own, peer);
    printf("  %d solves, us: panels of 32 lanes %.0f, 16 %.0f, 8 %.0f, one by one %.0f; klu_solve "
           "one by one %.0f, all %.0f; dgetrs one by one %.0f, all %.0f\n",
           COLUMNS, solve[0], solve[1], solve[2], solve[3], solve[4], solve[5], solve[6], solve[7]);
    printf("  factorisation, us: %.1f; klu_refactor %.1f (%.1fx), klu_factor %.1f, dgetrf %.1f\n",
           factor[0], factor[1], factor[1] / factor[0], factor[2], factor[3]);
    printf("  pivots, us: of the analysis %.1f (%.2f of klu_factor), by values %.1f (%.2f)\n",
           factor[4], factor[4] / factor[2], factor[5], factor[5] / factor[2]);
    destroy(&b);
    return solve[4] / fmin(solve[0], solve[1]);
}

int main(int argc, char **argv)
{
    static const struct network networks[] = {{53, 150, 6, 4, 0.1},    {100, 400, 0, 0, 0},
                                              {117, 300, 8, 5, 0.1},   {117, 450, 20, 5, 0.1},
                                              {600, 1200, 10, 8, 0.1}, {600, 2500, 12, 8, 0.1}};
    const struct kernels *list[3], *kernels = kernels_choose();
    size_t const number = kernels_list(list);
    double sum = 0;
    int count = 0;
    for (size_t k = 0; k < number; k++)
        if (argc > 1 && strcmp(argv[1], list[k]->name) == 0) kernels = list[k];
    printf("kernels: %s\n", kernels->name);
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++, count++)
        sum += log(bench_network(kernels, &networks[k]));
    printf("\nsparse: speedup %.2f over klu_solve one by one at equal error\n", exp(sum / count));
    return 0;
}
