/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic sparsing (Nowak 1993): the error of linearly implicit Euler has its expansion in powers of h whatever A is, so that entries
   of A whose part in a step is small may be left out of the matrix that is factored.  With D = diag of the reciprocal error weights,
     sum over the entries left out of row i of |H| |A_ij| D_i/D_j <= sigma |B_ic| D_i/D_c,
   each of the r_i entries of a row having an equal share, B_ic being the only entry of B in its row and column: what is left out is not
   stiff, however stiff A is.  Rows and columns of A in which B has no such entry stay as they are: without f_z of an
   algebraic z the order was 2 (tests/order/limex_variants.c).  f and its tangents stay as they are, and d(A D_k) in the tangents
   of the rows stays that of the whole A: S is then not quite the derivative of the discrete y, but has its order for the same reason. */
#include <math.h>
#include <string.h>

#include "method/limex.h"

/* A new pattern leaves out what has this share of what may be left out, so that it lasts; it pays when so much of the old one is not
   needed. */
static const double lasting = 0.25, worth_it = 0.25;

void limex_thin_layout(struct stepper *s, struct arena *arena, const struct derive *derive)
{
    struct thin *const thin = &s->stages.thin;
    struct matrix A = *derive->J;
    A.like = derive->J;
    matrix_layout(&A, arena);
    ARENA_TAKE(arena, thin->kept, A.entries);
    ARENA_TAKE(arena, thin->in_column, A.n);
    if (arena->block) thin->A = A;
}

/* The only entry of B in row i, or the end of the row. */
static size_t only_entry(const struct derive *d, size_t i)
{
    const struct sparse_rows *const A = &d->J->rows;
    size_t only = A->start[i + 1], found = 0;
    for (size_t m = A->start[i]; m < A->start[i + 1]; m++)
        if (d->M ? d->M->value[m] != 0 : A->column[m] == i) {
            only = m;
            found++;
        }
    return found == 1 ? only : A->start[i + 1];
}

/* Counts the entries of B in every column, those of rows with several twice. */
static void count_columns(struct thin *thin, const struct derive *d)
{
    const struct sparse_rows *const A = &d->J->rows;
    memset(thin->in_column, 0, d->n * sizeof *thin->in_column);
    for (size_t i = 0; i < d->n; i++) {
        size_t const only = only_entry(d, i), weight = only < A->start[i + 1] ? 1 : 2;
        for (size_t m = A->start[i]; m < A->start[i + 1]; m++)
            if (d->M ? d->M->value[m] != 0 : m == only) thin->in_column[A->column[m]] += weight;
    }
}

/* What row i may leave out of each entry, as |A_ij|/D_j; negative: nothing. */
static double most_left_out(const struct stepper *s, size_t i, const double *winv)
{
    const struct derive *const d = s->equations->derive;
    const struct sparse_rows *const A = &d->J->rows;
    size_t const only = only_entry(d, i);
    if (only == A->start[i + 1] || s->stages.thin.in_column[A->column[only]] != 1) return -1;
    double const size = (d->M ? fabs(d->M->value[only]) : 1) / winv[A->column[only]];
    return s->stages.thin.sigma * size / ((double)(A->start[i + 1] - A->start[i]) * fabs(s->h));
}

/* The diagonal and B stay, and columns without an entry of B that is alone. */
static bool must_stay(const struct stepper *s, size_t i, size_t m)
{
    const struct derive *const d = s->equations->derive;
    size_t const j = d->J->rows.column[m];
    return j == i || (d->M && d->M->value[m] != 0) || s->stages.thin.in_column[j] != 1;
}

struct look {
    size_t missed,
        spare; /* entries that are left out and should not be; that are kept and need not be */
};

static struct look look_at(const struct stepper *s, const double *winv)
{
    const struct derive *const d = s->equations->derive;
    const struct sparse_rows *const A = &d->J->rows;
    const bool *const kept = s->stages.thin.kept;
    struct look look = {0, 0};
    for (size_t i = 0; i < d->n; i++) {
        double const most = most_left_out(s, i, winv);
        for (size_t m = A->start[i]; m < A->start[i + 1]; m++) {
            double const size = fabs(A->value[m]) / winv[A->column[m]];
            look.missed += !kept[m] && (size > most || must_stay(s, i, m));
            look.spare += kept[m] && size <= lasting * most && !must_stay(s, i, m);
        }
    }
    return look;
}

static void choose(struct stepper *s, const double *winv)
{
    const struct derive *const d = s->equations->derive;
    const struct sparse_rows *const A = &d->J->rows;
    struct thin *const thin = &s->stages.thin;
    thin->entries = 0;
    thin->patterns++;
    for (size_t i = 0; i < d->n; i++) {
        double const most = lasting * most_left_out(s, i, winv);
        for (size_t m = A->start[i]; m < A->start[i + 1]; m++) {
            double const size = fabs(A->value[m]) / winv[A->column[m]];
            thin->kept[m] = !(size <= most) || must_stay(s, i, m);
            thin->entries += thin->kept[m];
        }
    }
}

void limex_thin(struct stepper *s)
{
    struct thin *const thin = &s->stages.thin;
    struct equations *const q = s->equations;
    const double *const value = q->derive->J->value;
    double *const winv = s->state_work.winv;
    norms_weigh(q->norms, &s->state, one_step_row(&s->state, ROW_BEGIN), winv);
    count_columns(thin, q->derive);
    struct look const look = look_at(s, winv);
    if (thin->entries == 0 || look.missed > 0 ||
        (double)look.spare > worth_it * (double)thin->entries) {
        choose(s, winv);
        q->linear->table->release(q->linear); /* a new analysis */
    }
    for (size_t m = 0; m < q->derive->J->entries; m++)
        thin->A.value[m] = thin->kept[m] ? value[m] : 0;
}
