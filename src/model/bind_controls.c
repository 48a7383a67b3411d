/* SPDX-License-Identifier: Apache-2.0 */
/* Controls: sums of levels u[k] times functions of time that are exactly 0 or 1 (constant) or a hat (linear),
     constant  u = sum_k u[k] (a_{k-1} - a_k),  a_k = 1 from t_k on, a_0 = 1, a_N = 0,
     linear    u = sum_k u[k] hat_k,  hat_k = (a_{k-2} - a_{k-1}) (t - t_{k-2})/h_{k-1} + (a_{k-1} - a_k) (t_k - t)/h_k,
   so that a level that is not in force has a derivative of exactly 0 and no other level is rounded away.  A time t_k of the grid that
   depends on parameters makes a_k the condition time >= t_k, whose switching gives S its jump; others are break times. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "model/bind.h"
#include "model/oracle.h"

/* A time of a grid: an expression of parameters, or a number, as which it does not move. */
struct grid_time {
    double number; /* with the model's own parameters */
    uint32_t node;
    bool moves;
    struct place place;
};

struct grid {
    LIST(struct grid_time) t;
};

/* The value of an expression of parameters alone, at those of the model. */
static tansy_status value_at_model(struct binder *b, uint32_t node, double *number)
{
    size_t const np = b->system->parameter.count, switches = b->switching.count;
    size_t const length = np + switches + 1; /* other controls have conditions and pieces */
    double *const room = heap_take((length + graph_count(b->graph)) * sizeof *room);
    if (!room) return BIND_NO_MEMORY(b);
    for (size_t k = 0; k < np; k++) room[k] = b->system->parameter.item[k].value;
    struct leaves const at = {.p = room, .np = np, .switches = switches};
    oracle_run(b->graph, &at, room + length);
    *number = room[length + node];
    heap_return(room);
    return TANSY_OK;
}

static tansy_status read_time(struct binder *b, struct expression e, struct value *v,
                              struct grid_time *time)
{
    TRY(bind_evaluate(b, e, MODE_TIME, v));
    TRY(bind_take_time_unit(b, v, "the grid has"));
    *time =
        (struct grid_time){.number = v->number, .moves = v->kind == VALUE_NODE, .place = v->place};
    time->node = value_node(b, v);
    if (graph_failed(b->graph)) return BIND_NO_MEMORY(b);
    if (!time->moves) return TANSY_OK;
    if (graph_leaves(b->graph, time->node) != 1u << OP_PARAMETER)
        return BIND_ERROR(b, v->place, "the times of a grid have no conditions");
    return value_at_model(b, time->node, &time->number);
}

static tansy_status listed_grid(struct binder *b, const struct statement *st, struct grid *grid)
{
    struct value v;
    for (uint32_t k = 0; k < st->grid.count; k++) {
        struct grid_time time;
        TRY(read_time(b, b->syntax->item.item[st->grid.first + k], &v, &time));
        if (k > 0 && !(time.number > grid->t.item[k - 1].number))
            return BIND_ERROR(b, v.place, "the times of the grid must rise, but %g follows %g",
                              time.number, grid->t.item[k - 1].number);
        if (!LIST_ADD(&grid->t, time)) return BIND_NO_MEMORY(b);
    }
    if (st->grid.count < 2) return BIND_ERROR(b, st->place, "a grid has at least two times");
    if (st->grid.count > MAX_LEVELS + 1)
        return BIND_ERROR(b, st->place, "a grid has at most %d intervals, not %u", MAX_LEVELS,
                          (unsigned)st->grid.count - 1);
    return TANSY_OK;
}

/* from + share (to - from). */
static struct grid_time between(struct binder *b, const struct grid_time *from,
                                const struct grid_time *to, double k, double intervals)
{
    struct graph *const g = b->graph;
    double const number = from->number + k * (to->number - from->number) / intervals;
    struct grid_time time = {
        .number = number, .moves = from->moves || to->moves, .place = to->place};
    if (!time.moves)
        time.node = graph_constant(g, number);
    else
        time.node = graph_binary(
            g, OP_ADD,
            graph_binary(g, OP_MULTIPLY, graph_constant(g, 1 - k / intervals), from->node),
            graph_binary(g, OP_MULTIPLY, graph_constant(g, k / intervals), to->node));
    return time;
}

/* t_k = from + k (to - from)/N. */
static tansy_status regular_grid(struct binder *b, const struct statement *st, struct grid *grid)
{
    struct value from_value, to_value, by;
    struct grid_time from, to;
    TRY(read_time(b, st->from, &from_value, &from));
    TRY(read_time(b, st->to, &to_value, &to));
    TRY(bind_number(b, st->by, &by));
    TRY(value_is_plain(b, &by, "the number of intervals has no dimension, but there are"));
    if (!(to.number > from.number))
        return BIND_ERROR(b, from_value.place,
                          "the times of the grid must rise, not go from %g to %g", from.number,
                          to.number);
    if (!(by.number >= 1 && by.number <= MAX_LEVELS) || by.number != floor(by.number))
        return BIND_ERROR(b, by.place,
                          "the number of intervals is a whole number from 1 to %d, not %g",
                          MAX_LEVELS, by.number);
    size_t const intervals = (size_t)by.number;
    for (size_t k = 0; k <= intervals; k++) {
        struct grid_time const time = k == 0 ? from
                                      : k == intervals
                                          ? to
                                          : between(b, &from, &to, (double)k, by.number);
        if (!LIST_ADD(&grid->t, time)) return BIND_NO_MEMORY(b);
    }
    return graph_failed(b->graph) ? BIND_NO_MEMORY(b) : TANSY_OK;
}

/* From when on what begins with time k of the grid acts, whatever the parameters are: that time, or the last before it that does not
   move; -infinity for the first. */
static double acts_from(const struct grid *grid, size_t k)
{
    while (k > 0 && grid->t.item[k].moves) k--;
    return k == 0 ? -HUGE_VAL : grid->t.item[k].number;
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
        return BIND_ERROR(b, s->place,
                          "%s has %zu level%s on this grid, but the list has %u value%s",
                          bind_name(b, s->name), levels, levels == 1 ? "" : "s",
                          (unsigned)st->list.count, st->list.count == 1 ? "" : "s");
    s->first = (uint32_t)b->system->parameter.count;
    s->indices = (struct indices){
        .count = 1, .name = {NO_NAME}, .lower = {1}, .size = {(uint32_t)levels}, .entries = levels};
    for (size_t k = 0; k < levels; k++) {
        size_t const interval = st->is_linear && k > 0 ? k - 1 : k;
        struct parameter const p = {
            .name = text_entry(b->system, bind_name(b, s->name), &s->indices, k),
            .active_from = acts_from(grid, interval),
            .control = control,
        };
        if (!p.name) return BIND_NO_MEMORY(b);
        TRY(bind_parameter_add(
            b, s, st->list.given ? b->syntax->item.item[st->list.first + k] : st->value, p));
    }
    bind_parameter_units(b, s);
    return TANSY_OK;
}

/* (t - from)/(to - from). */
static uint32_t ramp(struct binder *b, const struct grid_time *from, const struct grid_time *to)
{
    struct graph *const g = b->graph;
    uint32_t const past = graph_binary(g, OP_SUBTRACT, graph_leaf(g, OP_TIME, 0), from->node);
    if (from->moves || to->moves)
        return graph_binary(g, OP_DIVIDE, past, graph_binary(g, OP_SUBTRACT, to->node, from->node));
    return graph_binary(g, OP_MULTIPLY, graph_constant(g, 1 / (to->number - from->number)), past);
}

/* What level k (from 0) is multiplied by; after[i] = a_i. */
static uint32_t weight_constant(struct binder *b, const uint32_t *after, size_t k, size_t levels)
{
    uint32_t const from = k == 0 ? 1 : after[k], to = k + 1 == levels ? 0 : after[k + 1];
    return graph_binary(b->graph, OP_SUBTRACT, from, to);
}

static uint32_t weight_linear(struct binder *b, const uint32_t *after, const struct grid_time *t,
                              size_t k, size_t levels)
{
    struct graph *const g = b->graph;
    bool const is_first = k == 0, is_last = k + 1 == levels;
    uint32_t rising, falling;
    if (is_first)
        rising = graph_binary(g, OP_SUBTRACT, 1, after[0]); /* before the grid */
    else
        rising = graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_SUBTRACT, after[k - 1], after[k]),
                              ramp(b, &t[k - 1], &t[k]));
    if (is_last)
        falling = after[k]; /* after the grid */
    else
        falling = graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_SUBTRACT, after[k], after[k + 1]),
                               ramp(b, &t[k + 1], &t[k]));
    return graph_binary(g, OP_ADD, rising, falling);
}

/* a_k: 1 from t_k on. */
static uint32_t step_at(struct binder *b, const struct grid_time *time)
{
    if (!time->moves) return bind_time_switch(b, time->number, time->place);
    struct graph *const g = b->graph;
    return bind_switch(b, graph_binary(g, OP_SUBTRACT, graph_leaf(g, OP_TIME, 0), time->node),
                       time->place);
}

/* Notes the neighbours that other parameters may put out of order. */
static tansy_status add_pairs(struct binder *b, const struct symbol *s, const struct grid *grid)
{
    const char *const name = bind_name(b, s->name);
    for (size_t k = 1; k < grid->t.count; k++) {
        const struct grid_time *const before = &grid->t.item[k - 1], *const after = before + 1;
        if (!before->moves && !after->moves) continue;
        struct grid_pair const pair = {.control = text_keep(b->system, name, strlen(name)),
                                       .before = before->node,
                                       .after = after->node};
        if (!pair.control || !LIST_ADD(&b->system->grid_pair, pair)) return BIND_NO_MEMORY(b);
    }
    return TANSY_OK;
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
    for (size_t k = 0; k < grid->t.count; k++) after[k] = step_at(b, &grid->t.item[k]);
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
        if (status == TANSY_OK) status = add_pairs(b, &b->symbol.item[k], &grid);
        if (status == TANSY_OK) status = build(b, k, &grid);
        LIST_FREE(&grid.t);
        TRY(status);
    }
    if (b->system->grid_pair.count == 0) return TANSY_OK;
    b->system->grid = graph_copy(b->graph); /* which is small as yet, and is made anew later */
    return b->system->grid ? TANSY_OK : BIND_NO_MEMORY(b);
}
