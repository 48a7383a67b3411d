/* SPDX-License-Identifier: Apache-2.0 */
/* The end of binding: what is used where; break times sorted; the final numbers of switches (those of the equations first,
   each after the ones its own g contains, which is the order they were made in unless g was made anew) and pieces. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "model/bind.h"
#include "model/simplify.h"

static bool is_time(const struct binder *b, const struct switching *s)
{
    return graph_nodes(b->graph)[s->node].operation == OP_CONSTANT;
}

/* From the roots down; a switch needs its g, which is older than the switch. */
static void mark_all(struct binder *b, uint8_t *mark)
{
    const struct system *const s = b->system;
    const struct node *const node = graph_nodes(b->graph);
    for (size_t i = 0; i < s->state.count; i++) {
        mark[s->rhs ? s->rhs[i] : s->residual[i]] |= IN_EQUATIONS;
        mark[s->state.item[i].initial] |= IN_INITIAL;
    }
    for (size_t k = 0; k < s->output.count; k++) mark[s->output.item[k].node] |= IN_OUTPUTS;
    for (size_t i = graph_count(b->graph); i-- > 0;) {
        if (!mark[i]) continue;
        for (unsigned k = 0; k < operation_arguments(node[i].operation); k++)
            mark[node[i].argument[k]] |= mark[i];
        if (node[i].operation == OP_SWITCH) mark[b->switching.item[node[i].index].node] |= mark[i];
    }
}

/* below[] is 1 for all nodes that the marked ones are made of. */
static void mark_below(const struct graph *g, uint8_t *below)
{
    const struct node *const node = graph_nodes(g);
    for (size_t i = graph_count(g); i-- > 0;)
        for (unsigned k = 0; below[i] && k < operation_arguments(node[i].operation); k++)
            below[node[i].argument[k]] = 1;
}

/* The integral whose node `leaf` is stands in another one, or in an equation. */
static tansy_status refuse_integral(struct binder *b, uint32_t leaf)
{
    const struct system *const s = b->system;
    const struct state *const integral = &s->state.item[graph_nodes(b->graph)[leaf].index];
    uint8_t *const below = heap_take(graph_count(b->graph));
    if (!below) return BIND_NO_MEMORY(b);
    size_t i = b->first_integral;
    for (; i < s->state.count && !below[leaf]; i++) {
        memset(below, 0, graph_count(b->graph));
        below[s->rhs ? s->rhs[i] : s->residual[i]] = 1;
        mark_below(b->graph, below);
    }
    bool const is_inside = below[leaf];
    heap_return(below);
    if (is_inside)
        return BIND_ERROR(b, integral->place,
                          "the integral %s is used in the integral %s; make %s a state",
                          integral->name, s->state.item[i - 1].name, integral->name);
    return BIND_ERROR(b, integral->place, "the integral %s is used in an equation; make it a state",
                      integral->name);
}

/* Parameters in the times of controls' grids are used there: they may put them out of order. */
static tansy_status mark_grids(struct binder *b, uint8_t *used)
{
    const struct system *const s = b->system;
    if (!s->grid) return TANSY_OK;
    const struct node *const node = graph_nodes(s->grid);
    uint8_t *const below = heap_take(graph_count(s->grid));
    if (!below) return BIND_NO_MEMORY(b);
    for (size_t k = 0; k < s->grid_pair.count; k++)
        below[s->grid_pair.item[k].before] = below[s->grid_pair.item[k].after] = 1;
    mark_below(s->grid, below);
    for (size_t i = 0; i < graph_count(s->grid); i++)
        if (below[i] && node[i].operation == OP_PARAMETER) used[node[i].index] = 1;
    heap_return(below);
    return TANSY_OK;
}

/* written[name]: it stands in an expression. */
static void mark_written(const struct binder *b, uint8_t *written)
{
    for (size_t k = 0; k < b->syntax->term.count; k++) {
        const struct term *const term = &b->syntax->term.item[k];
        if (term->kind == TERM_NAME) written[term->name] = 1;
    }
}

/* What one warning says of many: the first of them, with its place, and the names of some others. */
struct alike {
    size_t count;
    struct place place;
    const char *kind, *name;
    char others[200]; /* "; so it is with 43 others: a, b, ..." */
    size_t used;
};

/* Another one, of this name, as long as the model lives. */
static void add_alike(struct alike *a, struct place place, const char *kind, const char *name)
{
    enum { NAMED = 3 };
    size_t const room = sizeof a->others - a->used;
    if (a->count++ == 0) {
        a->place = place;
        a->kind = kind;
        a->name = name;
    } else if (a->count <= NAMED + 1) {
        int const length =
            snprintf(a->others + a->used, room, "%s%s", a->count > 2 ? ", " : "", name);
        if (length > 0) a->used += (size_t)length < room ? (size_t)length : room - 1;
    } else if (a->count == NAMED + 2) {
        (void)snprintf(a->others + a->used, room, ", ...");
    }
}

/* What there is to say of the others, in words[size]. */
static const char *tell_others(const struct alike *a, char *words, size_t size)
{
    (void)snprintf(words, size, "%s", "");
    if (a->count > 1)
        (void)snprintf(words, size, "; so it is with %zu other%s: %s", a->count - 1,
                       a->count > 2 ? "s" : "", a->others);
    return words;
}

/* What nothing depends on is worth a warning: it is missing, or it cancels as in 0*k. */
static tansy_status warn_unused(struct binder *b, const uint8_t *used)
{
    uint8_t *const written = heap_take(b->syntax->name.count + 1);
    if (!written) return BIND_NO_MEMORY(b);
    struct alike nowhere = {0}, idle = {0};
    char others[300];
    mark_written(b, written);
    for (size_t k = 0; k < b->symbol.count; k++) {
        const struct symbol *const s = &b->symbol.item[k];
        bool const is_input = s->kind == SYMBOL_INPUT;
        bool is_used = !is_input && s->kind != SYMBOL_PARAMETER && s->kind != SYMBOL_CONTROL;
        size_t const first = s->first + (is_input ? b->system->parameter.count : 0);
        for (size_t i = 0; i < s->indices.entries && !is_used; i++) is_used = used[first + i];
        if (is_used) continue;
        add_alike(written[s->name] ? &idle : &nowhere, s->place, symbol_kind_text(s->kind),
                  bind_name(b, s->name));
    }
    if (nowhere.count > 0)
        BIND_WARN(b, nowhere.place, "the %s %s is used nowhere%s", nowhere.kind, nowhere.name,
                  tell_others(&nowhere, others, sizeof others));
    if (idle.count > 0)
        BIND_WARN(b, idle.place,
                  "nothing depends on the %s %s: where it stands it cancels or is not used%s",
                  idle.kind, idle.name, tell_others(&idle, others, sizeof others));
    heap_return(written);
    return TANSY_OK;
}

/* Marks of leaves: integrals are for outputs only, and what is nowhere is worth a warning. */
static tansy_status check_leaves(struct binder *b, const uint8_t *mark, uint8_t *used)
{
    const struct node *const node = graph_nodes(b->graph);
    for (size_t i = 0; i < graph_count(b->graph); i++) {
        if (!mark[i]) continue;
        if (node[i].operation == OP_STATE && node[i].index >= b->first_integral &&
            mark[i] & IN_EQUATIONS)
            return refuse_integral(b, (uint32_t)i);
        if (node[i].operation == OP_PARAMETER) used[node[i].index] = 1;
        if (node[i].operation == OP_INPUT) used[b->system->parameter.count + node[i].index] = 1;
    }
    TRY(mark_grids(b, used));
    if (b->system->end_parameter > 0) used[b->system->end_parameter - 1] = 1;
    return warn_unused(b, used);
}

/* Of a system that is not explicit: every algebraic variable is in some equation, and so is every derivative, or it is no
   differential state. */
static tansy_status check_variables(struct binder *b, const uint8_t *mark)
{
    enum { VALUE = 1, RATE = 2 };
    const struct node *const node = graph_nodes(b->graph);
    size_t const n = b->first_integral;
    tansy_status status = TANSY_OK;
    struct alike rateless = {0};
    char others[300];
    uint8_t *const seen = heap_take(n + 1);
    if (!seen) return BIND_NO_MEMORY(b);
    for (size_t i = 0; i < graph_count(b->graph); i++) {
        if (!(mark[i] & IN_EQUATIONS)) continue;
        if (node[i].operation == OP_STATE && node[i].index < n) seen[node[i].index] |= VALUE;
        if (node[i].operation == OP_RATE && node[i].index < n) seen[node[i].index] |= RATE;
    }
    for (size_t i = 0; i < n && status == TANSY_OK; i++) {
        const struct state *const s = &b->system->state.item[i];
        if (s->kind == STATE_ALGEBRAIC && !(seen[i] & VALUE))
            status =
                BIND_ERROR(b, s->place, "the algebraic variable %s is in no equation", s->name);
        if (s->kind == STATE_DIFFERENTIAL && !(seen[i] & RATE))
            add_alike(&rateless, s->place, "", s->name);
    }
    if (rateless.count > 0)
        BIND_WARN(b, rateless.place, "%s' is in no equation: %s is an algebraic variable%s",
                  rateless.name, rateless.name, tell_others(&rateless, others, sizeof others));
    heap_return(seen);
    return status;
}

static int rising(const void *a, const void *b)
{
    double const x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times that differ by rounding alone are one break: nobody means a step of 1e-16. */
static bool is_same_time(double a, double b)
{
    return fabs(a - b) <= 8 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

/* The number of the break at T, from 1. */
static size_t break_number(const struct system *s, double T)
{
    size_t from = 0, to = s->break_time.count;
    while (from < to) {
        size_t const middle = (from + to) / 2;
        if (s->break_time.item[middle] < T && !is_same_time(s->break_time.item[middle], T))
            from = middle + 1;
        else
            to = middle;
    }
    return from + 1;
}

static tansy_status collect_breaks(struct binder *b, const uint8_t *mark, const uint8_t *input_used)
{
    struct system *const s = b->system;
    bool good = true;
    const struct node *const node = graph_nodes(b->graph);
    for (size_t i = 0; i < graph_count(b->graph) && good; i++) {
        if (!mark[i] || node[i].operation != OP_SWITCH) continue;
        const struct switching *const w = &b->switching.item[node[i].index];
        if (is_time(b, w)) good = LIST_ADD(&s->break_time, node_value(&node[w->node]));
    }
    for (size_t k = 0; k < s->table.count; k++)
        for (size_t i = 0; input_used[k] && i < s->table.item[k].count && good; i++)
            good = LIST_ADD(&s->break_time, s->table.item[k].t[i]);
    if (!good) return BIND_NO_MEMORY(b);
    if (s->break_time.count > 1)
        qsort(s->break_time.item, s->break_time.count, sizeof(double), rising);
    size_t kept = 0;
    for (size_t i = 0; i < s->break_time.count; i++)
        if (kept == 0 || !is_same_time(s->break_time.item[kept - 1], s->break_time.item[i]))
            s->break_time.item[kept++] = s->break_time.item[i];
    s->break_time.count = kept;
    return TANSY_OK;
}

/* A table's times are breaks to the last bit; its memory is the system's own. */
static void snap_tables(struct system *s, const uint8_t *input_used)
{
    for (size_t k = 0; k < s->table.count; k++) {
        struct table *const table = &s->table.item[k];
        double *const t = (double *)table->t;
        for (size_t i = 0; input_used[k] && i < table->count; i++)
            t[i] = s->break_time.item[break_number(s, t[i]) - 1];
        table->break_time = s->break_time.item;
        table->breaks = s->break_time.count;
    }
}

/* The text of the initial value of state i. */
static struct place value_place(const struct binder *b, size_t i)
{
    const struct symbol *s = b->symbol.item;
    while ((s->kind != SYMBOL_STATE && s->kind != SYMBOL_ALGEBRAIC) ||
           i >= s->first + s->indices.entries || i < s->first)
        s++;
    return b->definition.item[s->slot + i - s->first].value.place;
}

/* An error about node x, which some initial value needs, by way of a `let`: at that value. */
static tansy_status initial_error(struct binder *b, size_t x, const char *what)
{
    const struct system *const s = b->system;
    const struct node *const node = graph_nodes(b->graph);
    size_t *const user =
        heap_take(graph_count(b->graph) * sizeof *user); /* a state, and one more */
    if (!user) return BIND_NO_MEMORY(b);
    for (size_t i = b->first_integral; i-- > 0;) user[s->state.item[i].initial] = i + 1;
    for (size_t i = graph_count(b->graph); i-- > x;) {
        if (user[i] == 0) continue;
        for (unsigned k = 0; k < operation_arguments(node[i].operation); k++)
            user[node[i].argument[k]] = user[i];
        if (node[i].operation == OP_SWITCH) user[b->switching.item[node[i].index].node] = user[i];
    }
    size_t const state = user[x] - 1;
    heap_return(user);
    return BIND_ERROR(b, value_place(b, state), "%s", what);
}

/* What the condition at node x may depend on; where it stands in the list of conditions. */
static tansy_status add_condition(struct binder *b, size_t x, uint8_t where,
                                  struct final_switch *final)
{
    const struct switching *const w = &b->switching.item[graph_nodes(b->graph)[x].index];
    uint32_t const leaves = graph_leaves(b->graph, w->node);
    if (leaves & 1u << OP_RATE)
        return BIND_ERROR(b, w->place,
                          "a condition cannot depend on a derivative (abs, sign, min and max are "
                          "conditions too): write what x' is equal to, in a let, or declare "
                          "`algebraic v` with the equation v = x' and use v");
    if (where & IN_INITIAL && leaves & ~(1u << OP_PARAMETER | 1u << OP_SWITCH))
        return initial_error(b, x,
                             "a condition in an initial value depends on parameters alone; "
                             "through a let this value has another");
    struct condition const condition = {.node = final->g,
                                        .place = w->place,
                                        .entry = w->entry,
                                        .in_equations = (where & IN_EQUATIONS) != 0};
    final->start = (uint32_t)b->system->start_condition.count;
    final->number = (uint32_t)b->system->condition.count;
    if (where & IN_INITIAL && !LIST_ADD(&b->system->start_condition, condition))
        return BIND_NO_MEMORY(b);
    if (where == IN_INITIAL) return TANSY_OK;
    return LIST_ADD(&b->system->condition, condition) ? TANSY_OK : BIND_NO_MEMORY(b);
}

/* Switch node x gets its number. */
static tansy_status place_switch(struct binder *b, uint8_t where, size_t x,
                                 struct final_switch *final)
{
    uint32_t const number = graph_nodes(b->graph)[x].index;
    const struct switching *const w = &b->switching.item[number];
    final[number].is_placed = true;
    final[number].is_time = is_time(b, w);
    if (!final[number].is_time) return add_condition(b, x, where, &final[number]);
    if (where & IN_INITIAL)
        return initial_error(b, x,
                             "an initial value cannot depend on time; through a let this one does");
    final[number].number =
        (uint32_t)break_number(b->system, node_value(&graph_nodes(b->graph)[w->node]));
    return TANSY_OK;
}

/* Pushes the switch nodes in g that have no number yet onto b->scratch. */
static void push_open(struct binder *b, uint32_t g, const struct final_switch *final,
                      uint32_t *visited, uint32_t visit)
{
    const struct node *const node = graph_nodes(b->graph);
    size_t const bottom = b->scratch.count;
    size_t kept = bottom;
    b->no_memory |= !LIST_ADD(&b->scratch, g);
    for (size_t at = bottom; at < b->scratch.count && !b->no_memory; at++) {
        uint32_t const x = b->scratch.item[at];
        if (visited[x] == visit) continue;
        visited[x] = visit;
        for (unsigned k = 0; k < operation_arguments(node[x].operation); k++)
            b->no_memory |= !LIST_ADD(&b->scratch, node[x].argument[k]);
        if (node[x].operation == OP_SWITCH && !final[node[x].index].is_placed)
            b->scratch.item[kept++] = x;
    }
    b->scratch.count = kept;
}

/* Switch node x after those that its g contains. */
static tansy_status place_after(struct binder *b, const uint8_t *mark, uint32_t x,
                                struct final_switch *final, uint32_t *visited, uint32_t *visit)
{
    b->scratch.count = 0;
    b->no_memory |= !LIST_ADD(&b->scratch, x);
    while (b->scratch.count > 0 && !b->no_memory) {
        size_t const before = b->scratch.count;
        uint32_t const top = b->scratch.item[before - 1];
        uint32_t const number = graph_nodes(b->graph)[top].index;
        if (!final[number].is_placed) push_open(b, final[number].g, final, visited, ++*visit);
        if (b->scratch.count > before) continue;
        b->scratch.count--;
        if (!final[number].is_placed) TRY(place_switch(b, mark[top], top, final));
    }
    return b->no_memory ? BIND_NO_MEMORY(b) : TANSY_OK;
}

/* Those of the equations, then those of outputs alone. */
static tansy_status number_switches(struct binder *b, const uint8_t *mark, size_t count,
                                    struct final_switch *final, uint32_t *visited)
{
    uint32_t visit = 0;
    for (int outputs = 0; outputs < 2; outputs++) {
        for (size_t i = 0; i < count; i++) {
            const struct node *const n = &graph_nodes(b->graph)[i];
            if (!mark[i] || n->operation != OP_SWITCH || outputs != !(mark[i] & IN_EQUATIONS) ||
                final[n->index].is_placed)
                continue;
            if (final[n->index].g == b->switching.item[n->index].node)
                TRY(place_switch(b, mark[i], i, final));
            else
                TRY(place_after(b, mark, (uint32_t)i, final, visited, &visit));
        }
        if (!outputs) b->system->watched = b->system->condition.count;
    }
    return TANSY_OK;
}

/* The marks of a graph that has grown: what new g are made of is where their switches are. */
static void mark_new(const struct binder *b, const uint8_t *mark, size_t count,
                     const struct final_switch *final, uint8_t *all)
{
    const struct node *const node = graph_nodes(b->graph);
    memcpy(all, mark, count);
    for (size_t i = 0; i < count; i++)
        if (mark[i] && node[i].operation == OP_SWITCH) all[final[node[i].index].g] |= mark[i];
    for (size_t i = graph_count(b->graph); i-- > 0;)
        for (unsigned k = 0; all[i] && k < operation_arguments(node[i].operation); k++)
            all[node[i].argument[k]] |= all[i];
}

/* The switches of a model, its conditions made anew where they are on explicit variables, and the graph anew. */
static tansy_status number_and_rebuild(struct binder *b, const uint8_t *mark,
                                       struct final_switch *final)
{
    size_t const count = graph_count(b->graph);
    for (size_t j = 0; j < b->switching.count; j++) final[j].g = b->switching.item[j].node;
    if (!b->system->rhs) TRY(bind_explicit(b, mark, final));
    uint8_t *const all = heap_take(graph_count(b->graph));
    uint32_t *const visited = heap_take(graph_count(b->graph) * sizeof *visited);
    tansy_status status;
    if (all && visited) {
        status = number_switches(b, mark, count, final, visited);
        mark_new(b, mark, count, final, all);
        if (status == TANSY_OK) status = bind_rebuild(b, all, final);
    } else {
        status = BIND_NO_MEMORY(b);
    }
    heap_return(visited);
    heap_return(all);
    return status;
}

/* Rates in outputs of an explicit system are its right-hand sides; of others they stay. */
static tansy_status replace_rates(struct binder *b)
{
    struct system *const s = b->system;
    struct substitution const by = {
        .leaf = OP_RATE, .replacement = s->rhs, .count = s->state.count};
    for (size_t k = 0; s->rhs && k < s->output.count; k++) {
        if (!(graph_leaves(b->graph, s->output.item[k].node) & 1u << OP_RATE)) continue;
        graph_substitute(b->graph, &by, &s->output.item[k].node, 1, &s->output.item[k].node);
    }
    return graph_failed(b->graph) ? BIND_NO_MEMORY(b) : TANSY_OK;
}

static tansy_status number_all(struct binder *b, uint8_t *mark, uint8_t *used,
                               struct final_switch *final)
{
    uint8_t *const input_used = used + b->system->parameter.count;
    mark_all(b, mark);
    TRY(check_leaves(b, mark, used));
    if (!b->system->rhs) TRY(check_variables(b, mark));
    TRY(collect_breaks(b, mark, input_used));
    snap_tables(b->system, input_used);
    return b->switching.count > 0 ? number_and_rebuild(b, mark, final) : TANSY_OK;
}

tansy_status bind_numbering(struct binder *b)
{
    TRY(replace_rates(b));
    uint8_t *const mark = heap_take(graph_count(b->graph));
    uint8_t *const used = heap_take(b->system->parameter.count + b->system->table.count + 1);
    struct final_switch *const final = heap_take((b->switching.count + 1) * sizeof *final);
    tansy_status const status =
        mark && used && final ? number_all(b, mark, used, final) : BIND_NO_MEMORY(b);
    heap_return(mark);
    heap_return(used);
    heap_return(final);
    return status;
}
