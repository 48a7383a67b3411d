/* SPDX-License-Identifier: Apache-2.0 */
/* A pattern found by probing lacks what vanished wherever it was looked for, and then J by differences of groups of columns is
   wrong.  So every new J is compared with one more difference along all components at once, r(y + h) - r(y) with J h, h_j by chance
   between a half and all of the increment of y_j; and M likewise.  Where they disagree every column is looked at on its own. */
#include "drive/pattern.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/heap.h"
#include "derive/line.h"
#include "derive/names.h"
#include "drive/probe.h"
#include "matrix/sparse_coloring.h"

/* Differences of either kind are right to 1e-7 of the sum of their terms, |J| |h|, unless r is not smooth there. */
static const double suspicious = 1e-5;
static const double rounding = 32 * DBL_EPSILON; /* of r, in the formula of the fourth order */

/* One of the two matrices and what it is differentiated by. */
struct side {
    const struct matrix *A;
    const struct point *at;
    bool is_rate; /* M and y', whose entries are -dr/dy' */
};

static struct tansy_solver *solver_of(struct derive *d)
{
    return (struct tansy_solver *)((char *)d - offsetof(struct tansy_solver, derive));
}

static double increment_of(const struct derive *d, const struct side *side, size_t j, double v,
                           double Delta)
{
    return side->is_rate ? increment_of_rate(d, j, v, Delta) : increment_of_state(d, j, v, Delta);
}

/* *found: some row disagrees.  A failure there says nothing, unless the user wants to stop. */
static int compare(struct derive *d, const struct side *side, bool *found)
{
    struct pattern_watch *const watch = &solver_of(d)->watch;
    struct derive_worker *const w = &d->worker[0];
    const struct sparse_rows *const A = &side->A->rows;
    double *const step = side->is_rate ? w->rate_step : w->step;
    const double *const v = side->is_rate ? side->at->yp : side->at->y;
    struct line line = line_of_values(d, side->at);
    *(side->is_rate ? &line.rate_step : &line.step) = step;
    for (size_t j = 0; j < d->n; j++)
        step[j] = increment_of(d, side, j, v[j], d->increment * probe_scramble(&watch->state));
    int const code = line_difference(d, 0, &line, w->f);
    for (size_t i = 0; i < d->n && code == 0; i++) {
        double sum = 0, size = 0;
        for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
            double const term = A->value[e] * step[A->column[e]];
            sum += side->is_rate ? -term : term;
            size += fabs(term);
        }
        double const bound = suspicious * size + rounding * fabs(side->at->f[i]);
        if (!(fabs(w->f[i] - sum) <= watch->level * bound)) *found = true;
    }
    w->failure.kind = code > 0 ? FAILURE_NONE : w->failure.kind;
    return code < 0 ? code : 0;
}

static bool has_entry(const struct sparse_rows *A, size_t i, size_t j)
{
    size_t e = A->start[i];
    while (e < A->start[i + 1] && A->column[e] < j) e++;
    return e < A->start[i + 1] && A->column[e] == j;
}

/* Moves component j of v, a copy of y or y' in `point`; rows that change without having an entry are listed.  -1: no memory. */
static int look_at_column(struct derive *d, const struct side *side, struct point point, double *v,
                          size_t j, struct probed *missing)
{
    struct derive_worker *const w = &d->worker[0];
    double const kept = v[j];
    v[j] += increment_of(d, side, j, kept, d->increment);
    int const code = derive_value(d, 0, &point, w->g);
    v[j] = kept;
    for (size_t i = 0; i < d->n && code == 0; i++)
        if (w->g[i] != w->step[i] && !has_entry(&side->A->rows, i, j) &&
            !(LIST_ADD(&missing->row, i) && LIST_ADD(&missing->column, j))) {
            w->failure = (struct failure){.kind = FAILURE_NO_MEMORY, .t = point.t};
            return -1;
        }
    w->failure.kind = code > 0 ? FAILURE_NONE : w->failure.kind;
    return code < 0 ? code : 0;
}

/* Every column on its own, against r as it is, in w->step. */
static int look_at_all(struct derive *d, const struct side *side, struct probed *missing)
{
    struct derive_worker *const w = &d->worker[0];
    double *const v = side->is_rate ? w->yp : w->y;
    struct point point = *side->at;
    memcpy(v, side->is_rate ? point.yp : point.y, d->n * sizeof *v);
    *(side->is_rate ? &point.yp : &point.y) = v;
    int code = derive_value(d, 0, &point, w->step);
    for (size_t j = 0; j < d->n && code == 0; j++)
        code = look_at_column(d, side, point, v, j, missing);
    return code;
}

static int look(struct derive *d, const struct side *side, struct probed *missing)
{
    struct pattern_watch *const watch = &solver_of(d)->watch;
    size_t const before = missing->row.count;
    bool found = false;
    int code = compare(d, side, &found);
    if (code != 0 || !found) return code;
    code = look_at_all(d, side, missing);
    if (missing->row.count == before) watch->level *= 10;
    return code;
}

static int no_memory(struct tansy_solver *s, const struct point *at)
{
    s->derive.worker[0].failure = (struct failure){.kind = FAILURE_NO_MEMORY, .t = at->t};
    return -1;
}

/* The entries there are and those that were missing. */
static bool join(const struct tansy_solver *s, struct probed *missing,
                 struct sparse_pattern *pattern)
{
    const struct sparse_rows *const A = &s->J.rows;
    size_t which[2];
    for (size_t i = 0; i < s->n; i++)
        for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
            if (!(LIST_ADD(&missing->row, i) && LIST_ADD(&missing->column, A->column[e])))
                return false;
    return sparse_pattern_create(pattern, s->n, missing->row.count, missing->row.item,
                                 missing->column.item, which) == PATTERN_FINE;
}

static void lay_out(struct tansy_solver *s, const struct sparse_pattern *pattern,
                    struct arena *arena)
{
    matrix_layout(&s->J, arena);
    if (s->derive.M) matrix_layout(&s->M, arena);
    if (arena->block) matrix_set_pattern(&s->J, pattern);
    s->linear.table->layout(&s->linear, arena);
    ARENA_TAKE(arena, s->derive.color, s->n);
}

static void keep_first(struct tansy_solver *s, const struct pattern_watch *before)
{
    struct pattern_watch *const watch = &s->watch;
    if (watch->block) return;
    watch->J = before->J;
    watch->M = before->M;
    watch->linear = before->linear;
    watch->color = before->color;
    watch->colors = before->colors;
}

static void put_back(struct tansy_solver *s, const struct pattern_watch *before)
{
    s->J = before->J;
    s->M = before->M;
    s->linear = before->linear;
    s->derive.color = before->color;
    s->derive.colors = before->colors;
}

/* Places matrices, factors and colours of the larger pattern in a block of their own; false: no memory, all is as it was. */
static bool place(struct tansy_solver *s, const struct sparse_pattern *pattern)
{
    struct derive *const d = &s->derive;
    struct pattern_watch before = {
        .J = s->J, .M = s->M, .linear = s->linear, .color = d->color, .colors = d->colors};
    struct arena count = {.block = NULL};
    s->J.entries = s->M.entries = pattern->entries;
    lay_out(s, pattern, &count);
    struct arena block = {.block = heap_take(count.used)};
    d->colors = 0;
    if (block.block) {
        lay_out(s, pattern, &block);
        d->colors = sparse_coloring(s->n, pattern->start, pattern->column, d->color);
    }
    if (d->colors == 0) {
        put_back(s, &before);
        heap_return(block.block);
        return false;
    }
    before.linear.table->release(&before.linear);
    keep_first(s, &before);
    heap_return(s->watch.block);
    s->watch.block = block.block;
    s->watch.added += pattern->entries - before.J.entries;
    d->has_mass = d->mass_is_ready = false;
    return true;
}

void pattern_forget(struct tansy_solver *s)
{
    struct pattern_watch *const watch = &s->watch;
    watch->is_stuck = false;
    watch->level = watch->state = 1;
    watch->added = 0;
    if (watch->block) {
        s->linear.table->release(&s->linear);
        put_back(s, watch);
        heap_return(watch->block);
        watch->block = NULL;
        s->derive.has_mass = s->derive.mass_is_ready = false;
    }
    if (s->linear.table->forget) s->linear.table->forget(&s->linear);
    struct linear *const direct = &s->consistent.direct;
    if (direct->table && direct->table->forget) direct->table->forget(direct);
}

/* Methods that keep several matrices or factors of a step have no place for larger ones. */
static bool may_grow(const struct tansy_solver *s)
{
    const struct method *const method = s->stepper.method;
    return s->linear.table == linear_sparse && !s->stepper.stages.J &&
           (!method_is_one_step(method) || method->tableau);
}

static int stop(struct tansy_solver *s, const struct probed *missing, const struct point *at)
{
    s->watch.is_stuck = true;
    s->watch.row = missing->row.item[0];
    s->watch.column = missing->column.item[0];
    s->watch.t = at->t;
    s->derive.worker[0].failure = (struct failure){
        .kind = FAILURE_NEGATIVE, .function = "the pattern", .code = -1, .t = at->t};
    return -1;
}

/* Adds what is missing. */
static int complete(struct tansy_solver *s, struct probed *missing, const struct point *at)
{
    struct sparse_pattern pattern = {.n = 0};
    if (!may_grow(s)) return stop(s, missing, at);
    bool const done = join(s, missing, &pattern) && place(s, &pattern);
    sparse_pattern_free(&pattern);
    return done ? 0 : no_memory(s, at);
}

/* J and M on a pattern that has all entries.  The factors, which went with the old one, are made again with their c, for whoever goes on
   with them. */
static int jacobian(struct derive *d, const struct point *at)
{
    struct tansy_solver *const s = solver_of(d);
    size_t const added = s->watch.added;
    for (;;) {
        struct probed missing = {.row.count = 0};
        bool const rates = d->M && !d->has_mass;
        int code = s->watch.jacobian(d, at);
        if (code == 0) code = look(d, &(struct side){d->J, at, false}, &missing);
        if (code == 0 && rates && missing.row.count == 0)
            code = look(d, &(struct side){d->M, at, true}, &missing);
        bool const complete_now = missing.row.count == 0;
        if (code == 0 && !complete_now) code = complete(s, &missing, at);
        probe_free(&missing);
        if (code != 0) return code;
        if (complete_now) break;
    }
    if (s->watch.added == added || s->equations.c == 0) return 0;
    return equations_factor_again(&s->equations, s->equations.c);
}

void pattern_watch(struct tansy_solver *s)
{
    struct derive *const d = &s->derive;
    bool const coarse = s->linear.table->iterate && !d->tangent_needs_matrices; /* preconditions */
    if (!s->watch.is_probed || s->J.kind != MATRIX_SPARSE || coarse) return;
    s->watch.level = s->watch.state = 1;
    s->watch.jacobian = d->jacobian;
    d->jacobian = jacobian;
}

bool pattern_explain(struct tansy_solver *s)
{
    struct name equation, variable;
    bool const implicit = derive_is_implicit(&s->derive);
    if (!s->watch.is_stuck) return false;
    s->error = message_set(
        &s->message, TANSY_BAD_PROBLEM,
        "at t = %.10g the equation of %s depends on %s, which probing for the pattern of df/dy "
        "did not find: give .jacobian_pattern with the entry (%zu, %zu), or choose dassl or bdf "
        "with the sparse linear solver, which add such entries",
        s->watch.t,
        implicit ? name_equation(&s->problem, s->watch.row, &equation)
                 : name_state(&s->problem, s->watch.row, &equation),
        name_state(&s->problem, s->watch.column, &variable), s->watch.row, s->watch.column);
    return true;
}
