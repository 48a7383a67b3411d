/* SPDX-License-Identifier: Apache-2.0 */
/* Slopes of perturbed stages, [f(t, Y + eps V, p + eps u) - f(t, Y, p)]/eps, for a panel: forward differences of y' = f four columns at
   a time, as beside a cheap f half of the cost is to take columns out of the panel and to put slopes into it; other formulas
   one by one (line.c), and again what turned out not to be finite. */
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

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

/* How many of the columns k .. k + 3 the panel has, if it has lanes for four and those are simple; else 0. */
static size_t count_simple(const struct derive *d, const struct panel *panel, size_t k)
{
    size_t const left = panel->columns - k, count = left < FOUR ? left : FOUR;
    bool simple = k + FOUR <= panel->lanes;
    for (size_t c = 0; c < count && simple; c++) simple = is_simple(d, panel->first + k + c);
    return simple ? count : 0;
}

/* forward() of up to four columns, each with its code; those behind one that stops the run are not evaluated.  Lanes without a column get 0. */
static void forward_four(struct derive *d, size_t worker, const struct point *at, size_t number,
                         size_t count, const struct four_columns *columns, int *code)
{
    double *const y = d->worker[worker].four, *const g = y + FOUR * d->n;
    double eps[FOUR] = {0}, reciprocal[FOUR] = {0};
    bool goes_on = true;
    for (size_t c = 0; c < count; c++) {
        eps[c] = d->internal.eps[number + c];
        reciprocal[c] = 1 / eps[c];
    }
    d->kernels->take_four(columns, at->y, eps, y);
    for (size_t c = 0; c < count && goes_on; c++) {
        code[c] = evaluate_moved(d, worker, at->t, number + c, y + c * d->n, g + c * d->n);
        goes_on = code[c] >= 0;
    }
    for (size_t c = count; c < FOUR; c++) memcpy(g + c * d->n, at->f, d->n * sizeof *g);
    if (goes_on) d->kernels->put_four(columns, g, at->f, reciprocal);
}

/* Forward differences of up to four columns from k on, or of column k: how many, with the codes of f; 1 where column k asks for another formula. */
static size_t forward_group(struct derive *d, size_t worker, const struct point *at,
                            const struct panel *panel, size_t k, struct four_columns columns,
                            int *code)
{
    size_t const number = panel->first + k, count = count_simple(d, panel, k);
    columns.V += k;
    columns.R += k;
    if (count > 1) {
        forward_four(d, worker, at, number, count, &columns, code);
        return count;
    }
    struct column const one = {number, panel->lanes, columns.V, columns.R, NULL};
    code[0] = is_simple(d, number) ? forward(d, worker, at, &one) : 1;
    return 1;
}

/* Columns that are not finite, once more. */
static int repair(struct derive *d, size_t worker, struct line *line, const struct panel *panel,
                  const double *V, double *R)
{
    int code = 0;
    for (size_t k = 0; k < panel->columns && code == 0; k++) {
        struct column const column = {panel->first + k, panel->lanes, V + k, R + k, NULL};
        bool finite = true;
        for (size_t i = 0; i < d->n; i++) finite = finite && isfinite(R[i * panel->lanes + k]);
        if (!finite) code = difference(d, worker, line, &column);
    }
    return code;
}

/* NOLINTBEGIN(readability-non-const-parameter): the type is that of all tangents */
int internal_tangent(struct derive *d, size_t worker, const struct point *at,
                     const struct panel *panel, const double *V, double *V_rate, double *R)
/* NOLINTEND(readability-non-const-parameter) */
{
    struct line line = line_of_values(d, at);
    bool simple = false;
    d->worker[worker].counts.tangent += panel->columns;
    if (panel->columns < panel->lanes) given_clear(d->n, panel->columns, panel->lanes, R);
    for (size_t x = d->n * panel->lanes; x < panel->count; x++) R[x] = 0; /* of the last group */
    for (size_t k = 0, group = 1; k < panel->columns; k += group) {
        int code[FOUR] = {0};
        simple = simple || is_simple(d, panel->first + k);
        group = forward_group(d, worker, at, panel, k,
                              (struct four_columns){d->n, panel->lanes, V, R}, code);
        for (size_t c = 0; c < group; c++) {
            struct column const column = {panel->first + k + c, panel->lanes, V + k + c, R + k + c,
                                          d->M ? V_rate + k + c : NULL};
            if (code[c] < 0) return judge(&d->worker[worker], "rhs", at->t, code[c], d->n, R);
            if (code[c] > 0) code[c] = difference(d, worker, &line, &column);
            if (code[c] != 0) return code[c];
        }
    }
    if (!simple || d->kernels->all_finite(panel->count, R)) return 0;
    return repair(d, worker, &line, panel, V, R);
}
