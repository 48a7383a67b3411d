/* SPDX-License-Identifier: Apache-2.0 */
/* M = dF/dy' by differences that tell their error, for decisions on its rank.  Central differences D_k with steps h, h/2, h/4, ... from
   steps that make M h as large as the other terms of F: where F is linear in y' the first two agree up to rounding, and with one of the
   size of y', and that is all.  Else A_k = (4 D_k - D_(k-1))/3, of order four, of the k for which A_k, A_(k-1) and A_(k-2) are nearest to
   each other, unless shorter steps say otherwise: y' + sin y' is a line with the wrong slope to long ones. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

enum { RUNGS = 26, MOST_RUNGS = 60, ENOUGH = 4 /* differences for an error */ };

#define ALL_COLUMNS SIZE_MAX /* for a group */

static const double longest = 0x1p10; /* first step, in units of y' or of the other terms over M */
static const double lucky = 32; /* the least of many estimates is too small, by up to so much */
enum { WITHIN = 4 }; /* halvings below the size of y': a step there tells lines from curves */

/* A group of columns that share no row, and what is known of each row of them, in units of r over the first steps. */
struct ladder {
    size_t group, groups;
    double *terms;        /* terms[n]: sum of the terms of r */
    double *first;        /* first[n]: the first step of each component */
    bool bends;           /* r(y' + h) - 2 r(y') + r(y' - h) is more than rounding */
    int rungs;            /* halvings that lead from it to steps below the size of y' */
    double *D, *D_before; /* D[n]: the last two differences */
    double *size;         /* size[n]: how large the values are that they are made of */
    double *A, *A_before; /* A[n]: the last two of order four */
    double *best, *error; /* best[n], error[n] of this group */
};

/* The column of the group that row i has; SIZE_MAX: none. */
static size_t column_in_row(const struct derive *d, const struct ladder *l, size_t i)
{
    const tansy_problem *const q = d->problem;
    const struct sparse_rows *const rows = &d->M->rows;
    if (d->M->kind == MATRIX_SPARSE) {
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
            if (d->color[rows->column[e]] == l->group) return rows->column[e];
        return SIZE_MAX;
    }
    if (q->structure != TANSY_BANDED) return l->group;
    size_t const from = i > q->lower ? i - q->lower : 0;
    size_t const j = from + (l->group + l->groups - from % l->groups) % l->groups;
    return j <= i + q->upper && j < d->n ? j : SIZE_MAX;
}

static bool is_in_group(const struct derive *d, const struct ladder *l, size_t j)
{
    if (l->group == ALL_COLUMNS) return true;
    return d->M->kind == MATRIX_SPARSE ? d->color[j] == l->group : j % l->groups == l->group;
}

/* |r| + |J| |y| + |M| |y'|, and steps after M as it is; both are compressed. */
static void find_first_steps(const struct derive *d, const struct point *at, struct ladder *l)
{
    const struct sparse_rows *const J = &d->J->rows, *const M = &d->M->rows;
    for (size_t i = 0; i < d->n; i++) {
        l->terms[i] = fabs(at->f[i]);
        for (size_t e = J->start[i]; e < J->start[i + 1]; e++)
            l->terms[i] += fabs(J->value[e] * at->y[J->column[e]]);
        for (size_t e = M->start[i]; e < M->start[i + 1]; e++)
            l->terms[i] += fabs(M->value[e] * at->yp[M->column[e]]);
    }
    for (size_t j = 0; j < d->n; j++) l->first[j] = size_of_rate(d, j, at->yp[j]);
    for (size_t i = 0; i < d->n; i++)
        for (size_t e = M->start[i]; e < M->start[i + 1]; e++) {
            double const step = l->terms[i] / fabs(M->value[e]), *const now =
                                                                     &l->first[M->column[e]];
            if (isfinite(step) && step > *now) l->first[M->column[e]] = step;
        }
    for (size_t j = 0; j < d->n; j++)
        l->first[j] =
            ldexp(1, ilogb(longest * l->first[j])); /* sums with it are exact more often */
}

/* D and the size of its terms, by steps of the first over `scale`. */
static int difference(struct derive *d, struct line *line, struct ladder *l, double scale)
{
    struct derive_worker *const w = &d->worker[0];
    int code = 0;
    memcpy(l->D_before, l->D, d->n * sizeof *l->D);
    for (int side = 1; side >= -1 && code == 0; side -= 2) {
        for (size_t j = 0; j < d->n; j++)
            w->rate_step[j] = is_in_group(d, l, j) ? side * l->first[j] / scale : 0;
        code = line_difference(d, 0, line, w->f);
        for (size_t i = 0; i < d->n; i++) {
            double const half = 0.5 * scale * w->f[i], other = l->D[i];
            l->D[i] = side > 0 ? half : l->D[i] - half;
            l->size[i] = (side > 0 ? scale * l->terms[i] : l->size[i]) + 2 * fabs(half);
            if (side < 0 && fabs(other + half) > 2 * lucky * DBL_EPSILON * l->size[i] && code == 0)
                l->bends = true;
        }
    }
    return code;
}

/* How many halvings lead from the first steps of the group to steps within the sizes of y'. */
static void count_rungs(const struct derive *d, const struct point *at, struct ladder *l)
{
    int most = 0;
    for (size_t j = 0; j < d->n; j++) {
        if (!is_in_group(d, l, j)) continue;
        int const halvings = ilogb(l->first[j] / size_within_rate(d, j, at->yp[j]));
        most = halvings > most ? halvings : most;
    }
    l->rungs = most + WITHIN < MOST_RUNGS ? most + WITHIN : MOST_RUNGS - 1;
}

/* The last two differences agree in all rows but for rounding. */
static bool is_linear(const struct derive *d, const struct ladder *l)
{
    for (size_t i = 0; i < d->n; i++)
        if (!(fabs(l->D[i] - l->D_before[i]) <= 16 * DBL_EPSILON * l->size[i])) return false;
    return true;
}

/* Of two that agree the one by longer steps is better. */
static void accept_linear(const struct derive *d, struct ladder *l)
{
    for (size_t i = 0; i < d->n; i++) {
        l->best[i] = l->D_before[i];
        l->error[i] = 8 * DBL_EPSILON * l->size[i];
    }
}

/* And a difference by a step below the size of y' agrees with it; where F fails there the long ones must do. */
static int confirm_at(struct derive *d, struct line *line, struct ladder *l, int rungs,
                      bool *confirmed)
{
    int const code = difference(d, line, l, ldexp(1, rungs));
    for (size_t i = 0; i < d->n && code == 0; i++) {
        double const rounding = 2 * lucky * DBL_EPSILON * l->size[i];
        *confirmed = *confirmed && fabs(l->D[i] - l->best[i]) <= rounding;
    }
    d->worker[0].failure.kind = code > 0 ? FAILURE_NONE : d->worker[0].failure.kind;
    return code < 0 ? code : 0;
}

/* Components of unlike sizes, where all are moved at once, need steps between, too: the shortest may tell nothing of the others. */
static int confirm_linear(struct derive *d, struct line *line, struct ladder *l, bool *confirmed)
{
    enum { APART = 8 };
    int const first = l->group == ALL_COLUMNS ? l->rungs % APART : l->rungs;
    int code = 0;
    *confirmed = true;
    for (int k = first; k <= l->rungs && code == 0 && *confirmed; k += APART)
        code = confirm_at(d, line, l, k, confirmed);
    return code;
}

/* A_k from the last two differences; compared with those before it, when `known` differences are. */
static void compare(const struct derive *d, struct ladder *l, int known)
{
    for (size_t i = 0; i < d->n; i++) {
        double const A = (4 * l->D[i] - l->D_before[i]) / 3;
        double const apart = fmax(fabs(A - l->A[i]), fabs(l->A[i] - l->A_before[i]));
        double const rounding = 2 * lucky * DBL_EPSILON * l->size[i];
        double const error = fmax(lucky * apart, rounding), off = fabs(A - l->best[i]);
        if (known >= ENOUGH && off > l->error[i] + rounding && off > 4 * apart)
            l->error[i] = HUGE_VAL;
        if (known >= ENOUGH && error < l->error[i]) {
            l->best[i] = A;
            l->error[i] = error;
        }
        l->A_before[i] = l->A[i];
        l->A[i] = A;
    }
}

/* best and error of the group at work, of a curve. */
static int climb(struct derive *d, struct line *line, struct ladder *l)
{
    int known = 0, longest_known = 0, done = 0, code = 0; /* differences in succession, and all */
    for (size_t i = 0; i < d->n; i++) l->error[i] = HUGE_VAL;
    for (int k = 0; k < MOST_RUNGS && (done < RUNGS || k < l->rungs + WITHIN); k++) {
        code = difference(d, line, l, ldexp(1, k));
        if (code < 0) return code;
        known = code > 0 ? 0 : known + 1;
        longest_known = known > longest_known ? known : longest_known;
        done += code == 0;
        if (known > 1) compare(d, l, known);
    }
    if (longest_known < ENOUGH) return code > 0 ? code : 1; /* F fails next to y' */
    d->worker[0].failure.kind = FAILURE_NONE;
    return 0;
}

/* The same of a line, if it is one; a positive code: F fails there. */
static int follow(struct derive *d, struct line *line, struct ladder *l, bool *is_line)
{
    int code = 0;
    *is_line = false;
    for (int k = 0; k < 2 && code == 0; k++) code = difference(d, line, l, ldexp(1, k));
    d->worker[0].failure.kind = code > 0 ? FAILURE_NONE : d->worker[0].failure.kind;
    if (code != 0 || !is_linear(d, l)) return code;
    accept_linear(d, l);
    return confirm_linear(d, line, l, is_line);
}

static void store(const struct derive *d, const struct ladder *l, double *error)
{
    for (size_t i = 0; i < d->n; i++) {
        size_t const j = column_in_row(d, l, i);
        if (j == SIZE_MAX) continue;
        *matrix_entry(d->M, i, j) = -l->best[i] / l->first[j];
        if (l->best[i] != 0) error[j * d->n + i] = l->error[i] / l->first[j];
    }
}

/* F is not linear in y' of the components of the group. */
static void note_bends(struct derive *d, const struct ladder *l)
{
    d->rate_is_curved = true;
    for (size_t j = 0; j < d->n; j++)
        if (is_in_group(d, l, j)) d->rates.bends[j] = true;
}

static struct line line_of_rates(const struct derive *d, const struct point *at)
{
    struct line line = line_of_values(d, at);
    line.difference = TANSY_FORWARD;
    line.rate_step = d->worker[0].rate_step;
    return line;
}

static size_t count_groups(const struct derive *d)
{
    const tansy_problem *const q = d->problem;
    size_t const width = q->structure == TANSY_BANDED ? q->lower + q->upper + 1 : d->n;
    return d->M->kind == MATRIX_SPARSE ? d->colors : width < d->n ? width : d->n;
}

static int make_matrix(struct derive *d, const struct point *at, struct ladder *l, double *error)
{
    struct line line = line_of_rates(d, at);
    l->groups = count_groups(d);
    find_first_steps(d, at, l);
    if (d->M->kind != MATRIX_SPARSE) memset(d->M->value, 0, d->n * d->M->width * sizeof(double));
    for (l->group = 0; l->group < l->groups; l->group++) {
        bool is_line = false;
        l->bends = false;
        count_rungs(d, at, l);
        int code = follow(d, &line, l, &is_line);
        if (code >= 0 && (!is_line || l->bends)) note_bends(d, l);
        if (code >= 0 && !is_line) code = climb(d, &line, l);
        if (code != 0) return code;
        store(d, l, error);
    }
    d->rates.knows_bends = true;
    return 0;
}

static struct ladder ladder_in(double *room, size_t n)
{
    return (struct ladder){.terms = room,
                           .first = room + n,
                           .D = room + 2 * n,
                           .D_before = room + 3 * n,
                           .size = room + 4 * n,
                           .A = room + 5 * n,
                           .A_before = room + 6 * n,
                           .best = room + 7 * n,
                           .error = room + 8 * n};
}

int derive_rate_matrix(struct derive *d, const struct point *at, double *room, double *error)
{
    struct ladder l = ladder_in(room, d->n);
    int const code = make_matrix(d, at, &l, error);
    if (code == 0) matrix_compress(d->M);
    return code;
}

/* The same group by group, where it is not a line along all of y'. */
static int find_bends(struct derive *d, const struct point *at, struct ladder *l)
{
    struct line line = line_of_rates(d, at);
    l->groups = count_groups(d);
    for (l->group = 0; l->group < l->groups; l->group++) {
        bool is_line = false;
        l->bends = false;
        count_rungs(d, at, l);
        int const code = follow(d, &line, l, &is_line);
        if (code < 0) return code;
        if (!is_line || l->bends) note_bends(d, l);
    }
    return 0;
}

int derive_rate_curved(struct derive *d, const struct point *at, double *room)
{
    struct ladder l = ladder_in(room, d->n);
    struct line line = line_of_rates(d, at);
    bool is_line = false;
    l.group = ALL_COLUMNS;
    find_first_steps(d, at, &l);
    count_rungs(d, at, &l);
    int code = follow(d, &line, &l, &is_line);
    if (code == 0 && (!is_line || l.bends)) {
        d->rate_is_curved = true;
        code = find_bends(d, at, &l);
    }
    if (code == 0) d->rates.knows_bends = true;
    return code;
}
