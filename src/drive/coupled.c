/* SPDX-License-Identifier: Apache-2.0 */
/* Rank and null space of a coupled M by QR with exchanges of columns. */
#include "drive/coupled.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"

extern void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau,
                    double *work, const int *lwork, int *info);
extern void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n,
                    const int *nrhs, const double *a, const int *lda, double *b, const int *ldb,
                    int *info);
extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
                    const int *lda, const int *ipiv, double *b, const int *ldb, int *info);

enum { SWEEPS = 12 }; /* of scaling: square roots of factors, 10^6 becomes 1 + 1e-3 */

static const double clear = 100;    /* times the errors: pivots beyond are no doubt pivots */
static const double in_doubt = 1e4; /* columns count by their entries or so many errors of them */

bool coupled_is_possible(const struct matrix *M)
{
    const struct sparse_rows *const rows = &M->rows;
    size_t last = SIZE_MAX;
    bool is_sorted = true;
    for (size_t i = 0; i < M->n; i++) {
        size_t entries = 0, column = 0;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
            if (rows->value[e] != 0) {
                entries++;
                column = rows->column[e];
            }
        if (entries > 1) return true;
        if (entries == 0) continue;
        is_sorted = is_sorted && (last == SIZE_MAX || column > last);
        last = column;
    }
    return !is_sorted; /* one entry a row: distinct columns are certain when they rise */
}

/* A dense, column by column. */
static void fill_dense(const struct matrix *A, double sign, double *dense)
{
    const struct sparse_rows *const rows = &A->rows;
    memset(dense, 0, A->n * A->n * sizeof *dense);
    for (size_t i = 0; i < A->n; i++)
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
            dense[rows->column[e] * A->n + i] = sign * rows->value[e];
}

/* The equation in which the derivative of component j counts most. */
static size_t find_equation(const struct matrix *M, const double *scale, size_t j)
{
    size_t where = 0;
    double largest = 0;
    for (size_t i = 0; i < M->n; i++)
        for (size_t e = M->rows.start[i]; e < M->rows.start[i + 1]; e++) {
            double const size = M->rows.column[e] == j ? fabs(M->rows.value[e]) * scale[i] : 0;
            if (size > largest) largest = size, where = i;
        }
    return where;
}

/* How much the entry at x of K counts where units are chosen. */
static double size_of_entry(const struct coupled *c, const double *error, size_t x)
{
    double const size = fmax(fabs(c->K[x]), error ? in_doubt * error[x] : 0);
    return isfinite(size) ? size : 0;
}

/* The power of two below x; 1 where there is none. */
static double power_below(double x)
{
    return x > 0 && isfinite(x) ? ldexp(1, ilogb(x)) : 1;
}

/* Where balancing begins, so that it sees the same numbers in any units: columns, which have their units, in these, and rows such that their
   largest entries are 1 to 2. */
static void begin_balance(struct coupled *c, const double *error)
{
    size_t const n = c->n;
    for (size_t i = 0; i < n; i++) {
        double largest = 0;
        for (size_t j = 0; j < n; j++)
            largest = fmax(largest, c->column[j] * size_of_entry(c, error, j * n + i));
        c->row[i] = 1 / power_below(largest);
    }
}

/* row and column for the dense matrix in K such that its rows and columns have largest entries near 1 (Ruiz 2001). */
static void balance(struct coupled *c, const double *error)
{
    size_t const n = c->n;
    double *const row = c->row, *const column = c->column, *const largest = c->work;
    begin_balance(c, error);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        memset(largest, 0, 2 * n * sizeof *largest);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) {
                double const size = row[i] * column[j] * size_of_entry(c, error, j * n + i);
                largest[i] = fmax(largest[i], size);
                largest[n + j] = fmax(largest[n + j], size);
            }
        for (size_t i = 0; i < n; i++) {
            if (largest[i] > 0) row[i] /= sqrt(largest[i]);
            if (largest[n + i] > 0) column[i] /= sqrt(largest[n + i]);
        }
    }
}

/* Columns that count less where y has these units, in rows of largest entry 1, are to be pivots later: Newton's method goes on in the others, which
   is the better way where M depends on y'.  Within bounds that do not touch the rank. */
static void prefer_large(struct coupled *c, const double *unit)
{
    static const double least = 0x1p-10;
    size_t const n = c->n;
    double *const largest = c->work;
    memset(largest, 0, n * sizeof *largest);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            largest[i] = fmax(largest[i], fabs(c->K[j * n + i]) * unit[j]);
    for (size_t j = 0; j < n; j++) {
        double share = 0;
        for (size_t i = 0; i < n; i++) {
            double const size = fabs(c->K[j * n + i]) * unit[j];
            if (size > 0) share = fmax(share, size / largest[i]);
        }
        c->column[j] *= fmax(share, least);
    }
}

/* The matrix in K in those units, exactly. */
static void use_units(struct coupled *c)
{
    size_t const n = c->n;
    for (size_t i = 0; i < n; i++) c->row[i] = power_below(c->row[i]);
    for (size_t j = 0; j < n; j++) {
        c->column[j] = power_below(c->column[j]);
        for (size_t i = 0; i < n; i++) c->K[j * n + i] *= c->row[i] * c->column[j];
    }
}

/* The square of the errors of column j in those units. */
static double error_of_column(const struct coupled *c, const double *error, size_t j)
{
    double squares = 0;
    for (size_t i = 0; i < c->n && error; i++)
        squares += pow(error[j * c->n + i] * c->row[i] * c->column[j], 2);
    return squares;
}

/* The rank by the pivots R_kk: they stand out from the errors of the columns up to theirs. */
static void judge_pivots(struct coupled *c, const double *error, bool *doubtful)
{
    double const rounding = fabs(c->K[0]) * (double)c->n * 8 * DBL_EPSILON;
    double squares = 0;
    *doubtful = false;
    for (c->rank = 0; c->rank < c->n; c->rank++) {
        double const pivot = fabs(c->K[c->rank * (c->n + 1)]);
        squares += error_of_column(c, error, c->component[c->rank]);
        *doubtful = *doubtful || !isfinite(squares); /* nothing is known of an entry */
        if (!(pivot > fmax(rounding, 4 * sqrt(squares)))) return;
        *doubtful = squares > 0 && pivot < clear * fmax(rounding, 4 * sqrt(squares));
    }
}

/* The factors R of M in K, the order of the components, and the rank. */
static void find_rank(struct coupled *c, const struct matrix *M,
                      const struct coupled_accuracy *accuracy, bool *doubtful)
{
    int const n = (int)c->n, room = (int)(8 * c->n + 64);
    double *const work = c->work;
    int info = 0;
    fill_dense(M, 1, c->K);
    for (size_t j = 0; j < c->n; j++) c->column[j] = power_below(accuracy->unit[j]);
    balance(c, accuracy->M);
    prefer_large(c, accuracy->unit);
    use_units(c);
    memset(c->pivot, 0, c->n * sizeof *c->pivot);
    dgeqp3_(&n, &n, c->K, &n, c->pivot, work + room, work, &room, &info);
    for (size_t k = 0; k < c->n; k++) c->component[k] = (size_t)c->pivot[k] - 1;
    judge_pivots(c, accuracy->M, doubtful);
    c->weak = c->component[c->rank > 0 ? c->rank - 1 : 0];
    c->in = find_equation(M, c->row, c->weak);
}

/* V = P [-R11^-1 R12; I], of the factors of M in its own units. */
static void find_null_space(struct coupled *c)
{
    int const n = (int)c->n, rank = (int)c->rank, rest = n - rank;
    double *const beside = c->K + c->rank * c->n; /* solved in place */
    int info = 0;
    if (rank > 0 && rest > 0) dtrtrs_("U", "N", "N", &rank, &rest, c->K, &n, beside, &n, &info);
    memset(c->V, 0, c->n * (c->n - c->rank) * sizeof *c->V);
    for (size_t k = 0; k < c->n - c->rank; k++) {
        size_t const free = c->component[c->rank + k];
        for (size_t i = 0; i < c->rank; i++) {
            size_t const j = c->component[i];
            c->V[k * c->n + j] = -beside[k * c->n + i] * c->column[j] / c->column[free];
        }
        c->V[k * c->n + free] = 1;
    }
}

/* K = [M P1, -J V]. */
static void fill_system(struct coupled *c, const struct matrix *M, const struct matrix *J)
{
    size_t const n = c->n;
    memset(c->K, 0, n * n * sizeof *c->K);
    size_t *const place = c->place;
    for (size_t k = 0; k < n; k++) place[c->component[k]] = k;
    for (size_t i = 0; i < n; i++) {
        for (size_t e = M->rows.start[i]; e < M->rows.start[i + 1]; e++)
            if (place[M->rows.column[e]] < c->rank)
                c->K[place[M->rows.column[e]] * n + i] = M->rows.value[e];
        for (size_t k = c->rank; k < n; k++)
            for (size_t e = J->rows.start[i]; e < J->rows.start[i + 1]; e++)
                c->K[k * n + i] -= J->rows.value[e] * c->V[(k - c->rank) * n + J->rows.column[e]];
    }
}

/* The factors of scaled K; without a pivot that stands out from rounding and the errors of J the component of its column is weak. */
static enum coupled_outcome eliminate(struct coupled *c, const struct coupled_accuracy *accuracy)
{
    int const n = (int)c->n;
    double const least = fmax((double)c->n * 8 * DBL_EPSILON, accuracy->J);
    int info = 0;
    for (size_t k = 0; k < c->n; k++)
        c->column[k] = power_below(accuracy->unit[c->component[k]]) /
                       (k < c->rank ? power_below(accuracy->time) : 1);
    balance(c, NULL);
    use_units(c);
    dgetrf_(&n, &n, c->K, &n, c->pivot, &info);
    for (size_t k = 0; k < c->n; k++) {
        double const pivot = fabs(c->K[k * (c->n + 1)]);
        c->weak = c->component[k];
        if (!(pivot > least) || !isfinite(pivot)) return COUPLED_SINGULAR;
    }
    return COUPLED_OK;
}

static size_t columns_in_use(const struct matrix *M, bool *used)
{
    size_t count = 0;
    memset(used, 0, M->n * sizeof *used);
    for (size_t e = 0; e < M->rows.start[M->n]; e++)
        if (M->rows.value[e] != 0) used[M->rows.column[e]] = true;
    for (size_t j = 0; j < M->n; j++) count += used[j];
    return count;
}

static enum coupled_outcome make(struct coupled *c, const struct matrix *M, const struct matrix *J,
                                 const struct coupled_accuracy *accuracy)
{
    bool doubtful = false;
    find_rank(c, M, accuracy, &doubtful);
    if (doubtful) return COUPLED_DOUBTFUL;
    if (c->rank == columns_in_use(M, c->used)) return COUPLED_REGULAR;
    find_null_space(c);
    fill_system(c, M, J);
    return eliminate(c, accuracy);
}

static void layout(struct coupled *c, struct arena *arena, size_t n)
{
    ARENA_TAKE(arena, c->component, n);
    ARENA_TAKE(arena, c->pivot, n);
    ARENA_TAKE(arena, c->place, n);
    ARENA_TAKE(arena, c->used, n);
    ARENA_TAKE(arena, c->V, n * n);
    ARENA_TAKE(arena, c->K, n * n);
    ARENA_TAKE(arena, c->error, n * n);
    ARENA_TAKE(arena, c->row, n);
    ARENA_TAKE(arena, c->column, n);
    ARENA_TAKE(arena, c->work, 9 * n + 64);
}

/* Room for n equations, asked for once. */
static bool take_room(struct coupled *c, size_t n)
{
    if (c->most >= n) return true;
    struct arena arena = {.block = NULL};
    coupled_free(c);
    layout(c, &arena, n);
    c->block = arena.overflow ? NULL : heap_take(arena.used);
    if (!c->block) return false;
    arena = (struct arena){.block = c->block};
    layout(c, &arena, n);
    c->most = n;
    return true;
}

double *coupled_errors(struct coupled *c, size_t n)
{
    if (!take_room(c, n)) return NULL;
    memset(c->error, 0, n * n * sizeof *c->error);
    return c->error;
}

enum coupled_outcome coupled_make(struct coupled *c, const struct matrix *M, const struct matrix *J,
                                  const struct coupled_accuracy *accuracy)
{
    if (!take_room(c, M->n)) return COUPLED_NO_MEMORY;
    c->n = M->n;
    enum coupled_outcome const outcome = make(c, M, J, accuracy);
    if (outcome != COUPLED_OK) coupled_forget(c);
    return outcome;
}

void coupled_forget(struct coupled *c)
{
    c->n = 0;
}

void coupled_free(struct coupled *c)
{
    heap_return(c->block);
    *c = (struct coupled){.n = 0};
}

void coupled_solve(const struct coupled *c, double *r)
{
    int const n = (int)c->n, one = 1;
    int info = 0;
    for (size_t i = 0; i < c->n; i++) r[i] *= c->row[i];
    dgetrs_("N", &n, &one, c->K, &n, c->pivot, r, &n, &info);
    for (size_t k = 0; k < c->n; k++) r[k] *= c->column[k];
}
