/* SPDX-License-Identifier: Apache-2.0 */
/* Controls: sums of levels u[k] times functions of time that are exactly 0 or 1 (constant) or a hat (linear),
     constant  u = sum_k u[k] (a_{k-1} - a_k),  a_k = 1 from t_k on, a_0 = 1, a_N = 0,
     linear    u = sum_k u[k] hat_k,  hat_k = (a_{k-2} - a_{k-1}) (t - t_{k-2})/h_{k-1} + (a_{k-1} - a_k) (t_k - t)/h_k,
   so that a level that is not in force has a derivative of exactly 0 and no other level is rounded away. */
#include <assert.h>
#include <math.h>

#include "base/heap.h"
#include "model/bind.h"

struct grid {
    LIST(double) t;
};

static tansy_status listed_grid(struct binder *b, const struct statement *st, struct grid *grid)
{
    struct value v;
    for (uint32_t k = 0; k < st->grid.count; k++) {
        TRY(bind_number(b, b->syntax->item.item[st->grid.first + k], &v));
        TRY(value_same_unit(b, v.place, v.unit, b->time_unit, "the grid has"));
        if (k > 0 && !(v.number > grid->t.item[k - 1]))
            return BIND_ERROR(b, v.place, "the times of the grid must rise, but %g follows %g",
                              v.number, grid->t.item[k - 1]);
        if (!LIST_ADD(&grid->t, v.number)) return BIND_NO_MEMORY(b);
    }
    if (st->grid.count < 2) return BIND_ERROR(b, st->place, "a grid has at least two times");
    if (st->grid.count > MAX_LEVELS + 1)
        return BIND_ERROR(b, st->place, "a grid has at most %d intervals, not %u", MAX_LEVELS,
                          (unsigned)st->grid.count - 1);
    return TANSY_OK;
}

/* t_k = from + k (to - from)/N. */
static tansy_status regular_grid(struct binder *b, const struct statement *st, struct grid *grid)
{
    struct value from, to, by;
    TRY(bind_number(b, st->from, &from));
    TRY(bind_number(b, st->to, &to));
    TRY(bind_number(b, st->by, &by));
    TRY(value_same_unit(b, from.place, from.unit, b->time_unit, "the grid has"));
    TRY(value_same_unit(b, to.place, to.unit, b->time_unit, "the grid has"));
    if (!(to.number > from.number))
        return BIND_ERROR(b, from.place, "the times of the grid must rise, not go from %g to %g",
                          from.number, to.number);
    if (!(by.number >= 1 && by.number <= MAX_LEVELS) || by.number != floor(by.number))
        return BIND_ERROR(b, by.place,
                          "the number of intervals is a whole number from 1 to %d, not %g",
                          MAX_LEVELS, by.number);
    size_t const intervals = (size_t)by.number;
    for (size_t k = 0; k <= intervals; k++) {
        double const t = from.number + (double)k * (to.number - from.number) / by.number;
        if (!LIST_ADD(&grid->t, k == intervals ? to.number : t)) return BIND_NO_MEMORY(b);
    }
    return TANSY_OK;
}

/* The levels are parameters; level k of a control that is constant acts from t_{k-1} on, of one that is linear from
   t_{k-2} on. */
static tansy_status add_levels(struct binder *b, uint32_t symbol, uint32_t control,
                               const struct grid *grid)
{
    struct symbol *const s = &b->symbol.item[symbol];
    const struct statement *const st = bind_statement(b, s);
    assert(grid->t.item && grid->t.count >= 2);
    size_t const levels = grid->t.count - (st->is_linear ? 0 : 1);
    if (st->list.given && st->list.count != levels)
        return BIND_ERROR(b, s->place, "%s has %zu levels on this grid, but the list has %u values",
                          bind_name(b, s->name), levels, (unsigned)st->list.count);
    s->first = (uint32_t)b->system->parameter.count;
    s->indices = (struct indices){
        .count = 1, .name = {NO_NAME}, .lower = {1}, .size = {(uint32_t)levels}, .entries = levels};
    for (size_t k = 0; k < levels; k++) {
        size_t const interval = st->is_linear && k > 0 ? k - 1 : k;
        struct parameter const p = {
            .name = text_entry(b->system, bind_name(b, s->name), &s->indices, k),
            .active_from = interval == 0 ? (double)-INFINITY : grid->t.item[interval],
            .control = control,
        };
        if (!p.name) return BIND_NO_MEMORY(b);
        TRY(bind_parameter_add(
            b, s, st->list.given ? b->syntax->item.item[st->list.first + k] : st->value, p));
    }
    return TANSY_OK;
}

/* (t - from)/(to - from). */
static uint32_t ramp(struct binder *b, double from, double to)
{
    struct graph *const g = b->graph;
    uint32_t const t = graph_leaf(g, OP_TIME, 0);
    return graph_binary(g, OP_MULTIPLY, graph_constant(g, 1 / (to - from)),
                        graph_binary(g, OP_SUBTRACT, t, graph_constant(g, from)));
}

/* What level k (from 0) is multiplied by; after[i] = a_i. */
static uint32_t weight_constant(struct binder *b, const uint32_t *after, size_t k, size_t levels)
{
    uint32_t const from = k == 0 ? 1 : after[k], to = k + 1 == levels ? 0 : after[k + 1];
    return graph_binary(b->graph, OP_SUBTRACT, from, to);
}

static uint32_t weight_linear(struct binder *b, const uint32_t *after, const double *t, size_t k,
                              size_t levels)
{
    struct graph *const g = b->graph;
    bool const is_first = k == 0, is_last = k + 1 == levels;
    uint32_t rising, falling;
    if (is_first)
        rising = graph_binary(g, OP_SUBTRACT, 1, after[0]); /* before the grid */
    else
        rising = graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_SUBTRACT, after[k - 1], after[k]),
                              ramp(b, t[k - 1], t[k]));
    if (is_last)
        falling = after[k]; /* after the grid */
    else
        falling = graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_SUBTRACT, after[k], after[k + 1]),
                               ramp(b, t[k + 1], t[k]));
    return graph_binary(g, OP_ADD, rising, falling);
}

static tansy_status build(struct binder *b, uint32_t symbol, const struct grid *grid)
{
    struct symbol *const s = &b->symbol.item[symbol];
    const struct statement *const st = bind_statement(b, s);
    size_t const levels = s->indices.entries;
    assert(grid->t.item);
    b->scratch.count = 0;
    if (!LIST_ROOM(&b->scratch, grid->t.count + levels)) return BIND_NO_MEMORY(b);
    uint32_t *const after = b->scratch.item, *const term = after + grid->t.count;
    for (size_t k = 0; k < grid->t.count; k++)
        after[k] = bind_time_switch(b, grid->t.item[k], s->place);
    for (size_t k = 0; k < levels; k++) {
        uint32_t const weight = st->is_linear ? weight_linear(b, after, grid->t.item, k, levels)
                                              : weight_constant(b, after, k, levels);
        uint32_t const level = graph_leaf(b->graph, OP_PARAMETER, s->first + (uint32_t)k);
        term[k] = graph_binary(b->graph, OP_MULTIPLY, level, weight);
    }
    s->node = value_sum(b, term, levels);
    return b->no_memory || graph_failed(b->graph) ? BIND_NO_MEMORY(b) : TANSY_OK;
}

tansy_status bind_controls(struct binder *b)
{
    uint32_t controls = 0;
    for (uint32_t k = 0; k < b->symbol.count; k++) {
        if (b->symbol.item[k].kind != SYMBOL_CONTROL) continue;
        const struct statement *const st = bind_statement(b, &b->symbol.item[k]);
        struct grid grid = {0};
        tansy_status status =
            st->grid.given ? listed_grid(b, st, &grid) : regular_grid(b, st, &grid);
        if (status == TANSY_OK) status = add_levels(b, k, controls++, &grid);
        if (status == TANSY_OK) status = build(b, k, &grid);
        LIST_FREE(&grid.t);
        TRY(status);
    }
    return TANSY_OK;
}
