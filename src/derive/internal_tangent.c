/* SPDX-License-Identifier: Apache-2.0 */
/* Slopes of perturbed stages, [f(t, Y + eps V, p + eps u) - f(t, Y, p)]/eps, for a panel: forward differences of y' = f eight columns at
   a time, as beside a cheap f half of the cost is to take columns out of the panel and to put slopes into it; other formulas
   one by one (line.c), and again what turned out not to be finite. */
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

enum { MOST = INTERNAL_COLUMNS };

/* g = f(t, y, p + eps u). */
static int evaluate_moved(struct derive *d, size_t worker, double t, size_t number, const double *y,
                          double *g)
{
    struct derive_worker *const w = &d->worker[worker];
    size_t const start = d->direction_start[number], end = d->direction_start[number + 1];
    double const eps = d->internal.eps[number];
    if (start < end) worker_touch(w);
    for (size_t e = start; e < end; e++) w->p[d->direction_row[e]] += eps * d->direction_value[e];
    w->counts.rhs++;
    int const code = d->problem->rhs(t, y, w->p, g, w->context);
    if (start < end) worker_touch(w);
    for (size_t e = start; e < end; e++) w->p[d->direction_row[e]] = d->p[d->direction_row[e]];
    return code;
}

/* The forward difference with y and p moved together.  Whether it is finite is not looked at here. */
static int forward(struct derive *d, size_t worker, const struct point *at,
                   const struct column *column)
{
    struct derive_worker *const w = &d->worker[worker];
    size_t const lanes = column->lanes;
    double const eps = d->internal.eps[column->number], reciprocal = 1 / eps;
    for (size_t i = 0; i < d->n; i++) w->y[i] = at->y[i] + eps * column->s[i * lanes];
    int const code = evaluate_moved(d, worker, at->t, column->number, w->y, w->g);
    for (size_t i = 0; i < d->n; i++) column->r[i * lanes] = (w->g[i] - at->f[i]) * reciprocal;
    return code;
}

/* The difference of a column by its formula, and others where f fails. */
static int difference(struct derive *d, size_t worker, struct line *line,
                      const struct column *column)
{
    const struct internal *const in = &d->internal;
    size_t const k = column->number;
    line->difference = in->formula[k];
    for (size_t i = 0; i < d->n; i++) column->r[i * column->lanes] = 0;
    return differences_by(d, worker, line, column, in->eps[k], in->eps_p[k]);
}

static bool is_simple(const struct derive *d, size_t k)
{
    return d->internal.formula[k] == TANSY_FORWARD && d->internal.eps_p[k] == 0 &&
           d->form == FORM_ODE;
}

/* Lanes that columns fill which are found together. */
static size_t lanes_for(size_t columns)
{
    return (columns + FOUR - 1) / FOUR * FOUR;
}

/* How many of the columns k .. k + 7, or k .. k + 3, the panel has, if it has lanes for so many and those are simple; else 0. */
static size_t count_simple(const struct derive *d, const struct panel *panel, size_t k)
{
    size_t const most = panel->columns - k < MOST ? panel->columns - k : MOST;
    size_t simple = 0;
    while (simple < most && is_simple(d, panel->first + k + simple)) simple++;
    if (simple < most && simple >= FOUR) return FOUR;
    return simple == most && k + lanes_for(simple) <= panel->lanes ? simple : 0;
}

/* What became of a group of columns. */
struct group {
    size_t count;
    int code[MOST]; /* of f; above 0 another formula is asked for */
    bool succeeded; /* these are 0, */
    bool is_finite; /* and all differences are finite, or were looked at */
};

/* forward() of up to eight columns; those behind one that stops the run are not evaluated.  Lanes without a column get 0.  Values of f are read
   only when others have been found after them: a wide load would wait for narrow stores. */
static void forward_some(struct derive *d, size_t worker, const struct point *at, size_t number,
                         const struct four_columns *columns, struct group *group)
{
    static const double ones[MOST] = {1, 1, 1, 1, 1, 1, 1, 1};
    size_t const n = d->n, count = group->count;
    double *const y = d->worker[worker].some, *const g = y + MOST * n;
    double eps[MOST];
    struct four_columns c = *columns;
    memcpy(eps, ones, sizeof eps);
    memcpy(eps, d->internal.eps + number, count * sizeof *eps);
    for (size_t k = 0; k < count; k += FOUR, c.V += FOUR)
        d->kernels->take_four(&c, at->y, eps + k, y + k * n);
    for (size_t k = 0; k < count; k++) {
        int const code = evaluate_moved(d, worker, at->t, number + k, y + k * n, g + k * n);
        group->code[k] = code;
        group->succeeded = group->succeeded && code == 0;
        if (code < 0) return;
    }
    for (size_t k = count; k % FOUR > 0; k++) memcpy(g + k * n, at->f, n * sizeof *g);
    for (size_t k = 0; k < count; k += FOUR, c.R += FOUR)
        group->is_finite = d->kernels->put_four(&c, g + k * n, at->f, eps + k) && group->is_finite;
}

/* Forward differences of up to eight columns from k on, or of column k; code 1 where column k asks for another formula. */
static void forward_group(struct derive *d, size_t worker, const struct point *at,
                          const struct panel *panel, size_t k, struct four_columns columns,
                          struct group *group)
{
    size_t const number = panel->first + k;
    columns.V += k;
    columns.R += k;
    group->count = count_simple(d, panel, k);
    group->succeeded = group->is_finite = true;
    if (group->count > 1) {
        forward_some(d, worker, at, number, &columns, group);
        return;
    }
    struct column const one = {number, panel->lanes, columns.V, columns.R, NULL};
    bool const simple = is_simple(d, number);
    group->count = 1;
    group->code[0] = simple ? forward(d, worker, at, &one) : 1;
    group->succeeded = group->code[0] == 0;
    group->is_finite = !simple;
}

/* The columns of a group that failed, by other formulas. */
static int finish_group(struct derive *d, size_t worker, const struct point *at,
                        const struct group *group, struct column column)
{
    struct line line = line_of_values(d, at);
    int code = 0;
    for (size_t c = 0; c < group->count && code == 0; c++) {
        if (group->code[c] < 0)
            return judge(&d->worker[worker], "rhs", at->t, group->code[c], d->n, column.r);
        if (group->code[c] > 0) code = difference(d, worker, &line, &column);
        column.number++;
        column.s++;
        column.r++;
        if (column.sp) column.sp++;
    }
    return code;
}

/* Columns that are not finite, once more. */
static int repair(struct derive *d, size_t worker, const struct point *at,
                  const struct panel *panel, const double *V, double *R)
{
    struct line line = line_of_values(d, at);
    int code = 0;
    for (size_t k = 0; k < panel->columns && code == 0; k++) {
        struct column const column = {panel->first + k, panel->lanes, V + k, R + k, NULL};
        bool finite = true;
        for (size_t i = 0; i < d->n; i++) finite = finite && isfinite(R[i * panel->lanes + k]);
        if (!finite) code = difference(d, worker, &line, &column);
    }
    return code;
}

/* NOLINTBEGIN(readability-non-const-parameter): the type is that of all tangents */
int internal_tangent(struct derive *d, size_t worker, const struct point *at,
                     const struct panel *panel, const double *V, double *V_rate, double *R)
/* NOLINTEND(readability-non-const-parameter) */
{
    struct four_columns const columns = {d->n, panel->lanes, V, R};
    bool finite = true;
    d->worker[worker].counts.tangent += panel->columns;
    for (size_t x = d->n * panel->lanes; x < panel->count; x++) R[x] = 0; /* of the last group */
    size_t filled = 0;
    for (size_t k = 0; k < panel->columns;) {
        struct group group;
        forward_group(d, worker, at, panel, k, columns, &group);
        finite = finite && group.is_finite;
        if (!group.succeeded) {
            struct column const first = {panel->first + k, panel->lanes, V + k, R + k,
                                         d->M ? V_rate + k : NULL};
            int const code = finish_group(d, worker, at, &group, first);
            if (code != 0) return code;
        }
        filled = k + (group.count > 1 ? lanes_for(group.count) : 1);
        k += group.count;
    }
    if (filled < panel->lanes) given_clear(d->n, filled, panel->lanes, R);
    return finite || d->kernels->all_finite(panel->count, R) ? 0
                                                             : repair(d, worker, at, panel, V, R);
}
