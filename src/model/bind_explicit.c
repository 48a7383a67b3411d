/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on algebraic variables that an equation gives explicitly: of 0 = c w - r, c a number, w = r/c is put into the
   condition.  In g = x - w with w = min(x, h) the two are then equal to the bit where x is below h, as with `let w`, while a w that
   Newton's method has found is on either side of x by chance.  The equations keep w.  All variables in r must be given in the same way, down to
   states that are not algebraic: r of others, C = K A B with A + C = a and B + C = b, makes K times more of what Newton's method and dense
   output leave in them, while C itself is well known. */
#include <string.h>

#include "base/heap.h"
#include "model/bind.h"
#include "model/simplify.h"

enum {
    MAX_REACH = 500, /* nodes that a condition may need with all it depends on; others stay */
    MAX_PARTS = 24,  /* of an equation that are looked at */
    PASSES = 4       /* over the equations, to find in which of them a single variable is open */
};

#define NO_NODE UINT32_MAX
#define BUSY    (UINT32_MAX - 1) /* a variable whose expression is being built: in a cycle it stays */

struct explicit_variables {
    size_t nodes;      /* of the graph before conditions are made anew */
    uint32_t *value;   /* value[n]: what variable i is equal to; NO_NODE: nothing that is known */
    uint32_t *image;   /* image[nodes]: with variables replaced; NO_NODE: not yet */
    uint32_t *visited; /* visited[nodes]: by which visit, from 1, */
    uint32_t visit;    /* the last */
    bool *is_grounded; /* is_grounded[n]: value[i] is made of what is known */
    LIST(uint32_t) stack;
};

static bool is_algebraic(const struct binder *b, const struct node *n)
{
    return n->operation == OP_STATE && b->system->state.item[n->index].kind == STATE_ALGEBRAIC;
}

/* Is an algebraic variable in any condition? */
static bool are_needed(const struct binder *b, const uint8_t *mark, uint32_t *in_condition)
{
    bool needed = false;
    for (size_t i = graph_count(b->graph); i-- > 0 && !needed;) {
        const struct node *const n = node_at(b->graph, (uint32_t)i);
        if (mark[i] && n->operation == OP_SWITCH)
            in_condition[b->switching.item[n->index].node] = 1;
        if (!in_condition[i]) continue;
        needed = is_algebraic(b, n);
        for (unsigned k = 0; k < operation_arguments(n->operation); k++)
            in_condition[n->argument[k]] = 1;
    }
    return needed;
}

/* A residual and what it is the sum of, at every depth: part k is an argument of part from[k], with coefficient c[k] in all. */
struct parts {
    size_t count;
    uint32_t node[MAX_PARTS];
    size_t from[MAX_PARTS];
    double c[MAX_PARTS];
};

static void take_apart(const struct graph *g, uint32_t residual, struct parts *p)
{
    *p = (struct parts){.count = 1, .node = {residual}, .from = {SIZE_MAX}, .c = {1}};
    for (size_t k = 0; k < p->count; k++) {
        const struct node *const n = node_at(g, p->node[k]);
        double factor = 1;
        uint32_t const inner = split_coefficient(g, p->node[k], &factor);
        bool const is_sum = n->operation == OP_ADD || n->operation == OP_SUBTRACT;
        bool const is_scaled = inner != p->node[k] && inner != ONE;
        if ((!is_sum && !is_scaled) || p->count + 2 > MAX_PARTS) continue;
        for (unsigned a = 0; a < (is_sum ? 2 : 1); a++) {
            p->node[p->count] = is_sum ? n->argument[a] : inner;
            p->from[p->count] = k;
            p->c[p->count++] = p->c[k] * (is_scaled                          ? factor
                                          : a && n->operation == OP_SUBTRACT ? -1
                                                                             : 1);
        }
    }
}

/* The parts that are variables of which no value is known: the first, and how many. */
static size_t find_open(const struct binder *b, const struct explicit_variables *v,
                        const struct parts *p, size_t *first)
{
    size_t found = 0;
    for (size_t k = p->count; k-- > 0;) {
        const struct node *const n = node_at(b->graph, p->node[k]);
        if (!is_algebraic(b, n) || v->value[n->index] != NO_NODE) continue;
        *first = k;
        found++;
    }
    return found;
}

/* 0 = F with w as part k: w = -F(w = 0)/c, built along the way from w to F. */
static uint32_t solve_for(struct graph *g, const struct parts *p, size_t k)
{
    uint32_t rest = ZERO;
    for (size_t at = k; p->from[at] != SIZE_MAX; at = p->from[at]) {
        struct node const n = *node_at(g, p->node[p->from[at]]);
        bool const is_second = at > 1 && p->from[at - 1] == p->from[at];
        if (n.operation != OP_ADD && n.operation != OP_SUBTRACT)
            rest = simplify_scale(g, p->c[at] / p->c[p->from[at]], rest);
        else
            rest = graph_binary(g, n.operation, is_second ? n.argument[0] : rest,
                                is_second ? rest : n.argument[1]);
    }
    return graph_binary(g, OP_DIVIDE, graph_unary(g, OP_NEGATE, rest), graph_constant(g, p->c[k]));
}

/* Equations in which one variable is open first: with w1 = w2 and w2 = x that leaves w1 to the first. */
static void find_values(struct binder *b, struct explicit_variables *v)
{
    const struct system *const s = b->system;
    bool go_on = true;
    uint8_t *const is_used = heap_take(s->state.count + 1);
    if (!is_used) b->no_memory = true;
    for (int pass = 0; pass <= PASSES && is_used; pass++) {
        bool const is_last = pass == PASSES;
        if (!go_on && !is_last) continue;
        go_on = false;
        for (size_t i = 0; i < s->state.count; i++) {
            struct parts p;
            size_t first = 0;
            if (is_used[i] || graph_leaves(b->graph, s->residual[i]) & 1u << OP_RATE) continue;
            take_apart(b->graph, s->residual[i], &p);
            size_t const open = find_open(b, v, &p, &first);
            if (open == 0 || (open > 1 && !is_last)) continue;
            v->value[node_at(b->graph, p.node[first])->index] = solve_for(b->graph, &p, first);
            is_used[i] = go_on = true;
        }
    }
    heap_return(is_used);
}

static void push(struct binder *b, struct explicit_variables *v, uint32_t node)
{
    b->no_memory |= !LIST_ADD(&v->stack, node);
}

static uint32_t value_of_state(const struct explicit_variables *v, const struct node *n)
{
    return n->operation == OP_STATE && v->is_grounded[n->index] ? v->value[n->index] : NO_NODE;
}

/* Are all variables in the value of variable i grounded? */
static bool stands_on_ground(struct binder *b, struct explicit_variables *v, size_t i)
{
    size_t reached = 0;
    bool stands = true;
    v->visit++;
    v->stack.count = 0;
    push(b, v, v->value[i]);
    while (v->stack.count > 0 && stands && !b->no_memory) {
        uint32_t const at = v->stack.item[--v->stack.count];
        const struct node *const n = node_at(b->graph, at);
        if (v->visited[at] == v->visit) continue;
        v->visited[at] = v->visit;
        stands = ++reached <= MAX_REACH && (!is_algebraic(b, n) || v->is_grounded[n->index]);
        for (unsigned k = 0; k < operation_arguments(n->operation); k++) push(b, v, n->argument[k]);
    }
    return stands;
}

/* A few passes: variables that others stand on are mostly declared before them. */
static void find_ground(struct binder *b, struct explicit_variables *v)
{
    bool go_on = true;
    for (int pass = 0; pass < PASSES && go_on; pass++) {
        go_on = false;
        for (size_t i = 0; i < b->system->state.count && !b->no_memory; i++) {
            if (v->value[i] == NO_NODE || v->is_grounded[i] || !stands_on_ground(b, v, i)) continue;
            v->is_grounded[i] = go_on = true;
        }
    }
}

/* May condition j be made anew?  Not if it would depend on itself, by way of variables and of other conditions made anew; then
   none could come before the other. */
static bool can_replace(struct binder *b, struct explicit_variables *v, uint32_t j)
{
    size_t reached = 0;
    bool can = true, has_value = false;
    v->visit++;
    v->stack.count = 0;
    push(b, v, b->switching.item[j].node);
    while (v->stack.count > 0 && can && !b->no_memory) {
        uint32_t const at = v->stack.item[--v->stack.count];
        const struct node *const n = node_at(b->graph, at);
        if (v->visited[at] == v->visit) continue;
        v->visited[at] = v->visit;
        uint32_t const value = value_of_state(v, n);
        has_value = has_value || value != NO_NODE;
        can = ++reached <= MAX_REACH && !(n->operation == OP_SWITCH && n->index == j);
        if (value != NO_NODE) push(b, v, value);
        if (n->operation == OP_SWITCH) push(b, v, b->switching.item[n->index].node);
        for (unsigned k = 0; k < operation_arguments(n->operation); k++) push(b, v, n->argument[k]);
    }
    return can && has_value;
}

static uint32_t image_of(const struct explicit_variables *v, uint32_t node)
{
    return v->image[node] == BUSY ? node : v->image[node];
}

static uint32_t build(struct graph *g, const struct explicit_variables *v, uint32_t at)
{
    struct node const n = *node_at(g, at);
    uint32_t a[3] = {ZERO, ZERO, ZERO};
    bool changed = false;
    unsigned const arguments = operation_arguments(n.operation);
    for (unsigned k = 0; k < arguments; k++) {
        a[k] = image_of(v, n.argument[k]);
        changed = changed || a[k] != n.argument[k];
    }
    if (!changed) return at;
    if (arguments == 1) return graph_unary(g, n.operation, a[0]);
    if (arguments == 2) return graph_binary(g, n.operation, a[0], a[1]);
    return graph_select(g, a[0], a[1], a[2]);
}

/* What stands on the stack, arguments and values of variables first. */
static uint32_t replace(struct binder *b, struct explicit_variables *v, uint32_t root)
{
    v->stack.count = 0;
    push(b, v, root);
    while (v->stack.count > 0 && !b->no_memory && !graph_failed(b->graph)) {
        uint32_t const at = v->stack.item[v->stack.count - 1];
        const struct node *const n = node_at(b->graph, at);
        size_t const before = v->stack.count;
        uint32_t const value = value_of_state(v, n);
        if (v->image[at] == NO_NODE && value != NO_NODE) {
            v->image[at] = BUSY;
            if (v->image[value] == NO_NODE) push(b, v, value);
        }
        for (unsigned k = 0; v->image[at] == NO_NODE && k < operation_arguments(n->operation); k++)
            if (v->image[n->argument[k]] == NO_NODE) push(b, v, n->argument[k]);
        if (v->stack.count > before) continue;
        v->stack.count--;
        if (v->image[at] == BUSY)
            v->image[at] = image_of(v, value);
        else if (v->image[at] == NO_NODE)
            v->image[at] = build(b->graph, v, at);
    }
    return b->no_memory || graph_failed(b->graph) ? ZERO : image_of(v, root);
}

static void replace_all(struct binder *b, const uint8_t *mark, size_t marked,
                        struct explicit_variables *v, struct final_switch *final)
{
    v->nodes = graph_count(b->graph);
    v->image = heap_take(v->nodes * sizeof *v->image);
    v->visited = heap_take(v->nodes * sizeof *v->visited);
    b->no_memory |= !v->image || !v->visited;
    if (b->no_memory || graph_failed(b->graph)) return;
    memset(v->image, 0xff, v->nodes * sizeof *v->image);
    find_ground(b, v);
    for (uint32_t i = 0; i < marked && !b->no_memory; i++) {
        const struct node *const n = node_at(b->graph, i);
        if (!mark[i] || n->operation != OP_SWITCH) continue;
        uint32_t const j = n->index;
        if (can_replace(b, v, j)) final[j].g = replace(b, v, final[j].g);
    }
}

tansy_status bind_explicit(struct binder *b, const uint8_t *mark, struct final_switch *final)
{
    struct explicit_variables v = {0};
    size_t const marked = graph_count(b->graph), n = b->system->state.count;
    uint32_t *const in_condition = heap_take(marked * sizeof *in_condition);
    v.value = heap_take((n + 1) * sizeof *v.value);
    v.is_grounded = heap_take((n + 1) * sizeof *v.is_grounded);
    b->no_memory |= !in_condition || !v.value || !v.is_grounded;
    if (!b->no_memory && are_needed(b, mark, in_condition)) {
        memset(v.value, 0xff, n * sizeof *v.value);
        find_values(b, &v);
        if (!b->no_memory) replace_all(b, mark, marked, &v, final);
    }
    heap_return(in_condition);
    heap_return(v.value);
    heap_return(v.is_grounded);
    heap_return(v.image);
    heap_return(v.visited);
    LIST_FREE(&v.stack);
    return b->no_memory || graph_failed(b->graph) ? BIND_NO_MEMORY(b) : TANSY_OK;
}
