/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives by differences of r: J and M column by column, or by groups of columns j, j + w, j + 2w, ... that
   share no row when the band width is w; r_p; and R = J s - M s' + r_p u of each column of a panel by directional
   differences, r(t, y + delta s, y' + delta s', p + delta u) - r over delta (Maly and Petzold 1996, eq. (4)),
   y and p apart where their increments differ much. */
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

/* Beyond this ratio of the increments y and p are moved apart.  A common increment is too small for one of
   the two by at most this factor, so that the noise in its part grows by as much. */
static const double far_apart = 10;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Column j of A from the differences N. */
static void store_column(const struct derive *d, struct matrix *A, size_t j, const double *N,
                         double h)
{
    bool const banded = d->problem->structure == TANSY_BANDED;
    size_t const lower = banded ? d->problem->lower : d->n,
                 upper = banded ? d->problem->upper : d->n;
    size_t const from = j > upper ? j - upper : 0, end = smaller(d->n, j + lower + 1);
    size_t const stride = A->kind == MATRIX_BAND ? A->width - 1 : A->width;
    double *const first = matrix_entry(A, from, j);
    for (size_t i = from; i < end; i++) first[(i - from) * stride] = N[i] / h;
}

/* The columns of one colour of a sparse matrix: every row has at most one of them. */
static void store_color(const struct derive *d, struct matrix *A, size_t color, const double *N,
                        const double *step, double sign)
{
    const struct sparse_rows *const rows = &A->rows;
    for (size_t i = 0; i < d->n; i++)
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
            if (d->color[rows->column[e]] == color)
                A->value[e] = N[i] / (sign * step[rows->column[e]]);
}

/* The columns of J by steps of y, or of M by steps of y', each in units of its own; sign is -1 for M. */
static int difference_matrix(struct derive *d, struct line line, struct matrix *A, double *step,
                             const double *at, double sign)
{
    struct derive_worker *const w = &d->worker[0];
    const tansy_problem *const problem = d->problem;
    bool const banded = problem->structure == TANSY_BANDED, sparse = A->kind == MATRIX_SPARSE;
    size_t const groups = sparse   ? d->colors
                          : banded ? smaller(d->n, problem->lower + problem->upper + 1)
                                   : d->n;
    double const share = sign > 0 ? largest_share(d, at) : 0;
    if (!sparse) memset(A->value, 0, d->n * A->width * sizeof(double));
    for (size_t g = 0; g < groups; g++) {
        memset(step, 0, d->n * sizeof(double));
        for (size_t j = sparse ? 0 : g; j < d->n; j += sparse ? 1 : groups)
            if (!sparse || d->color[j] == g)
                step[j] = sign > 0 ? increment_beside(d, j, at[j], share, d->increment)
                                   : increment_of_rate(d, j, at[j], d->increment);
        int const code = line_difference(d, 0, &line, w->f);
        if (code != 0) return code;
        if (sparse)
            store_color(d, A, g, w->f, step, sign);
        else
            for (size_t j = g; j < d->n; j += groups) store_column(d, A, j, w->f, sign * step[j]);
    }
    return 0;
}

int differences_jacobian(struct derive *d, const struct point *at)
{
    struct derive_worker *const w = &d->worker[0];
    struct line line = line_of_values(d, at);
    line.step = w->step;
    w->counts.jacobian++;
    return difference_matrix(d, line, d->J, w->step, at->y, 1);
}

int differences_rate(struct derive *d, const struct point *at)
{
    struct derive_worker *const w = &d->worker[0];
    struct line line = line_of_values(d, at);
    line.rate_step = w->rate_step;
    return difference_matrix(d, line, d->M, w->rate_step, at->yp, -1);
}

/* Column k of df/dp from the differences N. */
static void store_parameter(struct derive *d, size_t k, const double *N, double h)
{
    if (!d->fp_pattern.row) {
        for (size_t i = 0; i < d->n; i++) d->fp[i * d->np + k] = N[i] / h;
        return;
    }
    for (size_t x = d->fp_start[k]; x < d->fp_start[k + 1]; x++)
        d->fp[d->fp_entry[x]] = N[d->fp_pattern.row[d->fp_entry[x]]] / h;
}

int differences_parameter(struct derive *d, const struct point *at)
{
    struct derive_worker *const w = &d->worker[0];
    double const one = 1;
    struct line line = line_of_values(d, at);
    line.entries = 1;
    line.value = &one;
    w->counts.parameter++;
    for (size_t k = 0; k < d->np; k++) {
        if (!d->acts[k]) continue;
        line.row = &k;
        line.factor = increment_of_parameter(d, k, d->increment);
        int const code = line_difference(d, 0, &line, w->f);
        if (code != 0) return code;
        store_parameter(d, k, w->f, line.factor);
    }
    return 0;
}

/* r += difference by delta along s (if along_y) and along the direction of the column (if along_p). */
static int add_difference(struct derive *d, size_t worker, struct line line,
                          const struct column *column, double delta, bool along_y, bool along_p)
{
    struct derive_worker *const w = &d->worker[worker];
    size_t const lanes = column->lanes;
    if (along_p) {
        size_t const start = d->direction_start[column->number];
        line.entries = d->direction_start[column->number + 1] - start;
        line.row = d->direction_row + start;
        line.value = d->direction_value + start;
        line.factor = delta;
    }
    if (along_y) {
        for (size_t i = 0; i < d->n; i++) w->step[i] = delta * column->s[i * lanes];
        line.step = w->step;
    }
    if (along_y && column->sp) {
        for (size_t i = 0; i < d->n; i++) w->rate_step[i] = delta * column->sp[i * lanes];
        line.rate_step = w->rate_step;
    }
    int const code = line_difference(d, worker, &line, w->f);
    for (size_t i = 0; i < line.count && code == 0; i++) column->r[i * lanes] += w->f[i] / delta;
    return code;
}

/* How far y'_j may be moved: by a share of itself, here or a little before, for it may pass 0, but by so much that rounding of the other terms of F
   does not count; or of what these are worth, where nothing else is known of it, or where F is linear in it. */
static double most_of_rate(const struct derive *d, const struct line *line, size_t j)
{
    static const double rounding = 1e-8;
    double const own = fmax(fabs(line->yp[j]), d->rates.seen[j]), worth = d->rates.worth[j];
    if (own == 0 || !rate_may_bend(d, j)) {
        double const size = fmax(own, worth);
        return size > 0 ? d->rate_share * size : HUGE_VAL;
    }
    return fmax(d->rate_share * own, rounding * worth);
}

/* The increment along s, which s' of an implicit problem shares (Maly and Petzold 1996, (9)-(11)).  y' has no say: F is hardly ever nonlinear
   in it, and an increment small enough for a y' near zero drowns the difference along s in roundoff.  Those in which F is nonlinear have, and
   all at the start, where s may be next to nothing. */
static double increment_of_column(const struct derive *d, const struct line *line,
                                  const struct column *column)
{
    double along = increment_along(d, line->y, column->lanes, column->s, line->Delta);
    if (!column->sp) return along;
    if (along == 0)
        along = increment_along_rates(d, line->yp, column->lanes, column->sp, line->Delta);
    if (d->rate_share == 0 || (!d->rates.begins && !d->rate_is_curved)) return along;
    for (size_t j = 0; j < d->n; j++) {
        double const by = fabs(column->sp[j * column->lanes]);
        if (by == 0 || !(d->rates.begins || rate_may_bend(d, j))) continue;
        double const most = most_of_rate(d, line, j);
        if (along * by > most) along = most / by;
    }
    return along;
}

int differences_column(struct derive *d, size_t worker, const struct line *line,
                       const struct column *column)
{
    size_t const k = column->number;
    double const delta_y = increment_of_column(d, line, column);
    double const delta_p = increment_of_direction(d, k, line->Delta);
    double const least = fmin(delta_y, delta_p), most = fmax(delta_y, delta_p);
    if (least > 0 && most <= far_apart * least) {
        double const delta = increment_in_direction(d, k, least);
        return add_difference(d, worker, *line, column, delta, true, true);
    }
    int code = 0;
    if (delta_p > 0) code = add_difference(d, worker, *line, column, delta_p, false, true);
    if (delta_y > 0 && code == 0)
        code = add_difference(d, worker, *line, column, delta_y, true, false);
    return code;
}

int differences_by(struct derive *d, size_t worker, const struct line *line,
                   const struct column *column, double delta, double delta_p)
{
    bool const along_p =
        d->direction_start[column->number] < d->direction_start[column->number + 1];
    int code = add_difference(d, worker, *line, column, delta, true, along_p && delta_p == 0);
    if (code == 0 && delta_p > 0)
        code = add_difference(d, worker, *line, column, delta_p, false, true);
    return code;
}

int differences_of_y(struct derive *d, size_t worker, const struct line *line,
                     const struct column *column, double delta)
{
    return add_difference(d, worker, *line, column, delta, true, false);
}

int differences_parameters(struct derive *d, size_t worker, const struct line *line,
                           const struct column *column)
{
    double const delta = increment_of_direction(d, column->number, line->Delta);
    return delta > 0 ? add_difference(d, worker, *line, column, delta, false, true) : 0;
}

int differences_along(struct derive *d, size_t worker, const struct line *line,
                      const struct column *column)
{
    double const delta = increment_of_column(d, line, column);
    return delta > 0 ? add_difference(d, worker, *line, column, delta, true, false) : 0;
}

/* NOLINTBEGIN(readability-non-const-parameter): the type is that of all tangents */
int differences_tangent(struct derive *d, size_t worker, const struct point *at,
                        const struct panel *panel, const double *V, double *V_rate, double *R)
/* NOLINTEND(readability-non-const-parameter) */
{
    struct line const line = line_of_values(d, at);
    d->worker[worker].counts.tangent += panel->columns;
    memset(R, 0, panel->count * sizeof(double));
    for (size_t k = 0; k < panel->columns; k++) {
        struct column const column = {panel->first + k, panel->lanes, V + k, R + k,
                                      d->M ? V_rate + k : NULL};
        int const code = differences_column(d, worker, &line, &column);
        if (code != 0) return code;
    }
    return 0;
}
