/* SPDX-License-Identifier: Apache-2.0 */
/* Takes or finds the pattern of df/dy (or of dF/dy and dF/dy' together).  Probing: every component of y and y' is moved in turn, at two
   points near the initial one, and what changes depends on it. */
#include "drive/pattern.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/grow.h"
#include "base/heap.h"
#include "matrix/sparse_coloring.h"

enum { POINTS = 2 };

/* What probing works with. */
struct probe {
    const tansy_problem *q;
    void *context;
    tansy_local local;
    double *y, *yp, *before, *after; /* vectors of n */
    bool *moves;                     /* moves[i]: equation i depends on the component at work */
    LIST(size_t) row, column;
};

static int evaluate(struct probe *p, double *value)
{
    const tansy_problem *const q = p->q;
    if (q->residual) return q->residual(q->t0, p->y, p->yp, q->p, value, p->context);
    return q->rhs(q->t0, p->y, q->p, value, p->context);
}

/* Numbers between 1/2 and 1, the same in every run. */
static double scramble(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return 0.5 + (double)(*state >> 9) * 0x1p-24;
}

/* A point near the initial one where no component of y or y' is zero by chance. */
static void place_point(struct probe *p, int point)
{
    uint32_t state = (uint32_t)point + 1;
    for (size_t j = 0; j < p->q->n; j++) {
        double const y = p->q->y0 ? p->q->y0[j] : 0, yp = p->q->yp0 ? p->q->yp0[j] : 0;
        p->y[j] = y * (1 + 1e-3 * scramble(&state)) + 1e-3 * scramble(&state);
        p->yp[j] = yp * (1 + 1e-3 * scramble(&state)) + 1e-3 * scramble(&state);
    }
}

/* Which equations change with component *v of y or y'. */
static int move(struct probe *p, double *v)
{
    double const kept = *v;
    *v = kept + 1e-3 * (fabs(kept) + 1e-3);
    int const code = evaluate(p, p->after);
    for (size_t i = 0; i < p->q->n && code == 0; i++)
        p->moves[i] = p->moves[i] || p->after[i] != p->before[i];
    *v = kept;
    return code;
}

static bool keep_column(struct probe *p, size_t j)
{
    for (size_t i = 0; i < p->q->n; i++) {
        if (!p->moves[i]) continue;
        if (!LIST_ROOM(&p->row, 1) || !LIST_ROOM(&p->column, 1)) return false;
        p->row.item[p->row.count++] = i;
        p->column.item[p->column.count++] = j;
    }
    return true;
}

/* 0; a code of the user's function; or INT32_MIN when there is no memory. */
static int probe_all(struct probe *p)
{
    size_t const n = p->q->n;
    bool *const all = heap_take(n * n);
    if (!all) return INT32_MIN;
    int code = 0;
    for (int point = 0; point < POINTS && code == 0; point++) {
        place_point(p, point);
        code = evaluate(p, p->before);
        for (size_t j = 0; j < n && code == 0; j++) {
            p->moves = all + j * n;
            code = move(p, &p->y[j]);
            if (code == 0 && p->q->residual) code = move(p, &p->yp[j]);
        }
    }
    for (size_t j = 0; j < n && code == 0; j++) {
        p->moves = all + j * n;
        if (!keep_column(p, j)) code = INT32_MIN;
    }
    heap_return(all);
    return code;
}

static tansy_status make(struct tansy_solver *s, size_t listed, const size_t *row,
                         const size_t *column)
{
    size_t which[2] = {0, 0};
    switch (sparse_pattern_create(&s->pattern, s->n, listed, row, column, which)) {
    case PATTERN_FINE:
        return TANSY_OK;
    case PATTERN_OUTSIDE:
        assert(row && column);
        return message_set(&s->message, TANSY_BAD_PROBLEM,
                           "entry %zu of .jacobian_pattern is (%zu, %zu), outside %zu x %zu",
                           which[0], row[which[0]], column[which[0]], s->n, s->n);
    case PATTERN_TWICE:
        assert(row && column);
        return message_set(&s->message, TANSY_BAD_PROBLEM,
                           "entries %zu and %zu of .jacobian_pattern are both (%zu, %zu)", which[0],
                           which[1], row[which[0]], column[which[0]]);
    case PATTERN_NO_MEMORY:
        break;
    }
    return message_set(&s->message, TANSY_OUT_OF_MEMORY, "no memory for a pattern of %zu entries",
                       listed);
}

static tansy_status probe_pattern(struct tansy_solver *s)
{
    const tansy_problem *const q = &s->problem;
    struct probe p = {
        .q = q, .context = q->context, .local = {.context = q->context, .version = 1}};
    double *const room = heap_take((4 * s->n + 1) * sizeof *room + q->scratch);
    if (!room)
        return message_set(&s->message, TANSY_OUT_OF_MEMORY, "no memory to find the pattern");
    p.y = room;
    p.yp = room + s->n;
    p.before = room + 2 * s->n;
    p.after = room + 3 * s->n;
    int const code = q->scratch > 0 || q->switches > 0 ? 1 : probe_all(&p);
    tansy_status status = TANSY_OK;
    if (code == INT32_MIN)
        status = message_set(&s->message, TANSY_OUT_OF_MEMORY, "no memory to find the pattern");
    else if (code != 0)
        status = message_set(
            &s->message, TANSY_BAD_PROBLEM,
            "the pattern of df/dy could not be found by probing near the initial values: "
            "give .jacobian_pattern");
    else
        status = make(s, p.row.count, p.row.item, p.column.item);
    LIST_FREE(&p.row);
    LIST_FREE(&p.column);
    heap_return(room);
    return status;
}

tansy_status pattern_find(struct tansy_solver *s)
{
    const tansy_pattern *const given = &s->problem.jacobian_pattern;
    if (s->problem.structure != TANSY_SPARSE) return TANSY_OK;
    if (given->row && given->column) return make(s, given->entries, given->row, given->column);
    if (s->problem.jacobian || s->problem.residual_jacobian || s->problem.mass)
        return message_set(&s->message, TANSY_BAD_PROBLEM,
                           ".structure = TANSY_SPARSE with given matrices needs .jacobian_pattern");
    return probe_pattern(s);
}

tansy_status pattern_place(struct tansy_solver *s)
{
    struct derive *const d = &s->derive;
    const tansy_pattern *const given = &s->problem.jacobian_pattern;
    if (s->problem.structure != TANSY_SPARSE || s->J.kind == MATRIX_NONE) return TANSY_OK;
    for (size_t e = 0; e < given->entries; e++)
        d->place[e] = s->J.kind == MATRIX_SPARSE ? s->pattern.place[e]
                                                 : given->row[e] * s->n + given->column[e];
    if (s->J.kind != MATRIX_SPARSE) return TANSY_OK;
    d->colors = sparse_coloring(s->n, s->pattern.start, s->pattern.column, d->color);
    return d->colors > 0
               ? TANSY_OK
               : message_set(&s->message, TANSY_OUT_OF_MEMORY, "no memory to colour the pattern");
}

void pattern_free(struct tansy_solver *s)
{
    sparse_pattern_free(&s->pattern);
}
