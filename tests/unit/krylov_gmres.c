/* SPDX-License-Identifier: Apache-2.0 */
/* GMRES against dense LU on random systems: every preconditioner, side and kind of matrix, all lanes. */
#include "krylov_setting.h"

enum { SLOT = 1 };

/* What a case is made of. */
struct variant {
    const struct kernels *kernels;
    const struct preconditioner *preconditioner;
    enum matrix_kind kind;
    size_t n, dimension, orthogonal, restarts;
    bool right, mass;
};

/* A user preconditioner: the diagonal of W. */
struct diagonal {
    const struct setting *s;
    double inverse[64];
};

static int prepare_diagonal(void *context, double re)
{
    struct diagonal *const d = context;
    size_t const n = d->s->A.n;
    CHECK(re == d->s->re);
    for (size_t i = 0; i < n; i++) d->inverse[i] = 1 / d->s->W.value[i * (n + 1)];
    return 0;
}

static int solve_diagonal(void *context, size_t worker, size_t lanes, size_t columns, double *X)
{
    const struct diagonal *const d = context;
    CHECK_EQUAL(worker, 0);
    for (size_t i = 0; i < d->s->A.n; i++)
        for (size_t k = 0; k < columns; k++) X[i * lanes + k] *= d->inverse[i];
    return 0;
}

/* Tridiagonal and some entries elsewhere, of a band of 4 for a band matrix; |w_ii| is twice the sum of the other entries
   of its row, for any re M that makes the diagonal larger. */
static void fill(const struct variant *v, double *A, double *M)
{
    size_t const n = v->n;
    struct random_source source = {n};
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            size_t const distance = i > j ? i - j : j - i;
            bool const in = distance <= 1 || (distance <= 4 && (i * 7 + j) % 3 == 0) ||
                            (v->kind != MATRIX_BAND && (i * 5 + j * 3) % 11 == 0);
            A[i * n + j] = in ? random_next(&source) : 0;
            if (i != j) sum += fabs(A[i * n + j]);
            M[i * n + j] = i == j ? 0.75 + 0.25 * random_next(&source) : 0;
        }
        A[i * (n + 1)] = -2 * sum - (double)(i % 3);
    }
}

static struct setting *open_variant(const struct variant *v, double *A, double *M)
{
    struct setting *const s = calloc(1, sizeof *s);
    struct diagonal *const d = calloc(1, sizeof *d);
    d->s = s;
    s->l.kernels = v->kernels;
    s->A = (struct matrix){.kind = v->kind, .n = v->n, .lower = v->n < 5 ? v->n - 1 : 4};
    s->A.upper = s->A.lower;
    s->k = (struct krylov){.preconditioner = v->preconditioner,
                           .right = v->right,
                           .dimension = v->dimension,
                           .orthogonal = v->orthogonal,
                           .restarts = v->restarts,
                           .lower = 1,
                           .upper = 2,
                           .block = v->n % 2 ? 3 : 1,
                           .user = {d, prepare_diagonal, solve_diagonal}};
    fill(v, A, M);
    setting_open(s, 1.5, A, v->mass ? M : NULL);
    CHECK_EQUAL(s->l.table->factor(&s->l, SLOT, s->re, 0), 0);
    return s;
}

static void close_variant(struct setting *s)
{
    free(s->k.user.context);
    setting_close(s);
    free(s);
}

/* The norm in which the residual R of krylov.h is promised, for lane k. */
static double promised_norm(const struct setting *s, size_t lanes, size_t k, const double *winv,
                            const double *R)
{
    double sum = 0;
    bool const left = !s->k.right && s->k.preconditioner->solve;
    for (size_t i = 0; i < s->A.n; i++) {
        double const r = winv[i * lanes + k] * R[i * lanes + k] / (left ? 1 : fabs(s->re));
        sum += r * r;
    }
    return sqrt(sum / (double)s->A.n);
}

static double largest(size_t n, size_t lanes, const double *V)
{
    double top = 0;
    for (size_t i = 0; i < n; i++) top = fmax(top, fabs(V[i * lanes]));
    return top;
}

/* The solution by dense LU into X. */
static void solve_directly(const struct setting *s, size_t lanes, double *X)
{
    size_t const n = s->A.n;
    struct matrix A = {.kind = MATRIX_DENSE, .n = n};
    struct linear l = {.table = &linear_dense_lu, .kernels = s->l.kernels, .A = &A, .slots = 1};
    struct arena arena = {0};
    void *block = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) arena = (struct arena){.block = block = heap_take(arena.used)};
        matrix_layout(&A, &arena);
        l.table->layout(&l, &arena);
    }
    for (size_t x = 0; x < n * n; x++) A.value[x] = -s->W.value[x];
    CHECK_EQUAL(l.table->factor(&l, 0, 0, 0), 0);
    l.table->solve_panel(&l, 0, lanes, X);
    heap_return(block);
}

/* Rounding errors of some hundred products and sums of n numbers whose sizes, times the weights, reach `size`. */
static double roundings(size_t n, double size)
{
    return 500 * (double)n * DBL_EPSILON * size;
}

/* Diagonal dominance gives |W^-1| <= 1/gap in the maximum norm, gap = min_i (|w_ii| - sum_j |w_ij|) >= re/2 here. */
static void compare(struct setting *s, size_t lanes, size_t columns, const double *winv,
                    const double *B, const double *X)
{
    size_t const n = s->A.n;
    double const tolerance = 1e-9, gap = 0.5 * s->re;
    double *const R = setting_panel(n, lanes), *const Y = setting_panel(n, lanes);
    struct linear_task const task = {.lanes = lanes, .columns = columns};
    memcpy(Y, B, n * lanes * sizeof(double));
    solve_directly(s, lanes, Y);
    setting_residual(s, lanes, B, X, R);
    for (size_t k = 0; k < columns; k++) {
        double const limit =
            largest(n, lanes, R + k) / gap + roundings(n, largest(n, lanes, Y + k));
        for (size_t i = 0; i < n; i++) CHECK_CLOSE(X[i * lanes + k], Y[i * lanes + k], limit);
    }
    if (!s->k.right && s->k.preconditioner->solve)
        CHECK_EQUAL(s->k.preconditioner->solve(&s->l, SLOT, &task, R), 0);
    for (size_t k = 0; k < columns; k++) {
        double const size = largest(n, lanes, Y + k) * 30; /* the largest winv, entries up to 30 */
        CHECK_AT_MOST(promised_norm(s, lanes, k, winv, R), tolerance + roundings(n, size));
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = columns; k < lanes; k++) CHECK(X[i * lanes + k] == 0);
    heap_return(Y);
    heap_return(R);
}

static void solves(const struct variant *v, size_t lanes)
{
    size_t const n = v->n, columns = lanes > 2 ? lanes - 1 : lanes;
    double *const A = setting_panel(n, n), *const M = setting_panel(n, n);
    double *const B = setting_panel(n, lanes), *const X = setting_panel(n, lanes);
    double *const winv = setting_panel(n, lanes);
    struct setting *const s = open_variant(v, A, M);
    struct random_source source = {lanes};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < columns; k++) {
            B[i * lanes + k] = random_next(&source) * pow(10, -(double)(k % 5));
            winv[i * lanes + k] = 1 + (double)((i + k) % 10);
        }
    memcpy(X, B, lane_round(n * lanes) * sizeof(double));
    CHECK_EQUAL(setting_solve(s, SLOT, lanes, columns, winv, 1e-9, X), 0);
    compare(s, lanes, columns, winv, B, X);
    struct krylov_counts const counts = krylov_total(&s->k);
    CHECK_EQUAL(counts.solves, columns);
    CHECK_EQUAL(counts.iterations, s->iterations);
    CHECK_EQUAL(counts.failures, 0);
    CHECK(s->iterations <= columns * s->applied);
    CHECK(!v->preconditioner->solve || counts.preconditioned >= counts.iterations);
    close_variant(s);
    heap_return(winv);
    heap_return(X);
    heap_return(B);
    heap_return(M);
    heap_return(A);
}

/* Over the kinds of matrices a preconditioner takes, sides and mass matrices. */
static void for_all_forms(struct variant v)
{
    static const enum matrix_kind kinds[] = {MATRIX_NONE, MATRIX_DENSE, MATRIX_BAND, MATRIX_SPARSE};
    for (size_t p = 0; preconditioners[p]; p++)
        for (size_t c = preconditioners[p]->entries; c < 4; c++)
            for (int form = 0; form < 4; form++) {
                v.preconditioner = preconditioners[p];
                v.kind = kinds[c];
                v.right = form % 2;
                v.mass = form / 2;
                solves(&v, (size_t)1 << (c + 2 * p + (size_t)form) % 6);
            }
}

TEST(every_preconditioner_and_side_gives_the_solution_of_dense_lu)
{
    static const size_t sizes[] = {1, 2, 3, 9, 16, 41};
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
            for_all_forms((struct variant){
                .kernels = list[m], .n = sizes[a], .dimension = sizes[a], .restarts = 3});
}

TEST(every_number_of_lanes_gives_the_solution_of_dense_lu)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2) {
            struct variant v = {.kernels = list[m], .n = 23, .dimension = 23};
            v.kind = MATRIX_SPARSE;
            v.preconditioner = &precondition_ilu;
            solves(&v, lanes);
            v.preconditioner = &precondition_none;
            solves(&v, lanes);
        }
}

/* The residual falls by more than half in a cycle here, so that 1e-9 is reached. */
TEST(restarts_and_incomplete_orthogonalisation_reach_the_same_solution)
{
    for (size_t dimension = 2; dimension <= 8; dimension += 3)
        for (size_t orthogonal = 1; orthogonal <= dimension; orthogonal += 2)
            for_all_forms((struct variant){.kernels = kernels_choose(),
                                           .n = 29,
                                           .dimension = dimension,
                                           .orthogonal = orthogonal,
                                           .restarts = 60});
}
