/* SPDX-License-Identifier: Apache-2.0 */
/* What of f depends on time alone.  Through sums, f = e(t) + g(t, y), and exponentials, exp(e(t) + g(t, y)) = exp(e) exp(g), the part e is
   split off; elsewhere a term is an argument of an operation that also has y.  A pulse is a term by itself, or what two edges
   make by a sum or a product (on and off), where each edge is a function or a quotient inside the term.  So the terms are: the
   functions, quotients and powers that sums and products are made of, which are not looked into; and e itself, where it is made of several.
   Sums and products of t alone are smooth on the scale of the run. */
#include "model/time_terms.h"

#include <stdlib.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/simplify.h"

enum { NONE = 0 }; /* node 0 is the constant 0 */

static const uint32_t moving = 1u << OP_TIME | 1u << OP_INPUT | 1u << OP_INPUT_SLOPE;
static const uint32_t modes =
    1u << OP_SWITCH | 1u << OP_PIECE | 1u << OP_INPUT | 1u << OP_INPUT_SLOPE;
static const uint32_t of_time = 1u << OP_TIME | 1u << OP_INPUT | 1u << OP_INPUT_SLOPE |
                                1u << OP_SWITCH | 1u << OP_PIECE | 1u << OP_CONSTANT |
                                1u << OP_PARAMETER;

typedef LIST(uint32_t) node_list;

struct search {
    struct graph *g;
    size_t count;        /* nodes of the model */
    unsigned char *used; /* used[count]: the roots need it */
    uint32_t *part;      /* part[count]: what of a sum depends on time alone, or NONE */
    uint32_t *seen; /* of the graph as it has grown: number of the sum that last met the node */
    node_list sum, term, stack;
    bool failed;
};

static bool moves(const struct graph *g, uint32_t x)
{
    return (graph_leaves(g, x) & moving) != 0;
}

static bool is_term(const struct graph *g, uint32_t x)
{
    return moves(g, x) && !(graph_leaves(g, x) & ~of_time);
}

static void add(struct search *s, node_list *list, uint32_t x)
{
    s->failed = s->failed || !LIST_ADD(list, x);
}

/* Without factors that do not move, and signs. */
static uint32_t strip(const struct graph *g, uint32_t x)
{
    for (;;) {
        const struct node *const n = graph_nodes(g) + x;
        bool const first = n->operation == OP_MULTIPLY && !moves(g, n->argument[0]);
        bool const second =
            (n->operation == OP_MULTIPLY || n->operation == OP_DIVIDE) && !moves(g, n->argument[1]);
        if (!first && !second && n->operation != OP_NEGATE) return x;
        x = n->argument[first ? 1 : 0];
    }
}

static void add_sum(struct search *s, uint32_t x)
{
    if (x != NONE && moves(s->g, x)) add(s, &s->sum, strip(s->g, x));
}

/* The parts of the arguments of a node that is no sum, if it has y in it. */
static void look_at_arguments(struct search *s, const struct node *n)
{
    for (unsigned a = 0; a < operation_arguments(n->operation); a++) {
        uint32_t const e = s->part[n->argument[a]];
        bool const splits = n->operation == OP_EXP && e != NONE;
        add_sum(s, splits ? graph_unary(s->g, OP_EXP, e) : e);
    }
}

static void find_part(struct search *s, uint32_t x)
{
    struct node const n = graph_nodes(s->g)[x]; /* the graph may move */
    uint32_t const *const part = s->part;
    s->part[x] = NONE;
    if (n.operation < OP_NEGATE || !(graph_leaves(s->g, x) & ~of_time)) {
        s->part[x] = is_term(s->g, x) ? x : NONE;
    } else if (n.operation == OP_NEGATE) {
        s->part[x] = graph_unary(s->g, OP_NEGATE, part[n.argument[0]]);
    } else if (n.operation == OP_ADD || n.operation == OP_SUBTRACT) {
        s->part[x] = graph_binary(s->g, n.operation, part[n.argument[0]], part[n.argument[1]]);
    } else {
        look_at_arguments(s, &n);
    }
}

static void mark_used(struct search *s, const uint32_t *root, size_t roots)
{
    const struct node *const node = graph_nodes(s->g);
    for (size_t i = 0; i < roots; i++) s->used[root[i]] = 1;
    for (size_t x = s->count; x-- > 0;)
        for (unsigned a = 0; s->used[x] && a < operation_arguments(node[x].operation); a++)
            s->used[node[x].argument[a]] = 1;
}

static int by_number(const void *a, const void *b)
{
    uint32_t const x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_once(node_list *list)
{
    size_t kept = 0;
    if (list->count == 0) return;
    qsort(list->item, list->count, sizeof *list->item, by_number);
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || list->item[i] != list->item[kept - 1]) list->item[kept++] = list->item[i];
    list->count = kept;
}

static void push(struct search *s, uint32_t x, uint32_t number)
{
    if (s->seen[x] == number || !moves(s->g, x)) return;
    s->seen[x] = number;
    add(s, &s->stack, x);
}

/* The functions, quotients and powers that e is made of, and e. */
static void take_apart(struct search *s, uint32_t e, uint32_t number)
{
    size_t const before = s->term.count;
    s->stack.count = 0;
    push(s, e, number);
    while (s->stack.count > 0 && !s->failed) {
        uint32_t const x = s->stack.item[--s->stack.count];
        const struct node *const n = graph_nodes(s->g) + x;
        bool const line = n->operation < OP_NEGATE;
        bool const apart = n->operation == OP_NEGATE || n->operation == OP_ADD ||
                           n->operation == OP_SUBTRACT || n->operation == OP_MULTIPLY ||
                           (n->operation == OP_DIVIDE && !moves(s->g, n->argument[1]));
        for (unsigned a = 0; apart && a < operation_arguments(n->operation); a++)
            push(s, n->argument[a], number);
        if (!line && !apart) add(s, &s->term, x);
    }
    if (s->term.count > before + 1) add(s, &s->term, e);
}

static void search(struct search *s, const uint32_t *root, size_t roots)
{
    mark_used(s, root, roots);
    for (size_t x = 0; x < s->count; x++)
        if (s->used[x]) find_part(s, (uint32_t)x);
    for (size_t i = 0; i < roots; i++) add_sum(s, s->part[root[i]]);
    sort_once(&s->sum);
    s->seen = heap_take(graph_count(s->g) * sizeof *s->seen);
    s->failed = s->failed || !s->seen || graph_failed(s->g);
    for (size_t i = 0; i < s->sum.count && !s->failed; i++)
        take_apart(s, s->sum.item[i], (uint32_t)i + 1);
    sort_once(&s->term);
}

static tansy_status make(const struct search *s, struct time_terms *t)
{
    size_t const count = s->term.count;
    if (count == 0) return TANSY_OK;
    t->term = heap_take(count * sizeof(struct enclosure *));
    if (!t->term) return TANSY_OUT_OF_MEMORY;
    t->count = count;
    for (size_t k = 0; k < count; k++)
        t->has_modes = t->has_modes || (graph_leaves(s->g, s->term.item[k]) & modes);
    TRY(enclosure_create_each(s->g, s->term.item, count, t->term));
    for (size_t k = 0; k < count; k++)
        if (enclosure_work(t->term[k]) > t->work) t->work = enclosure_work(t->term[k]);
    return TANSY_OK;
}

tansy_status time_terms_find(const struct graph *g, const uint32_t *root, size_t roots,
                             struct time_terms *t)
{
    bool any = false;
    for (size_t i = 0; i < roots; i++) any = any || moves(g, root[i]);
    if (!any) return TANSY_OK;
    struct search s = {.g = graph_copy(g), .count = graph_count(g)};
    s.used = heap_take(s.count);
    s.part = heap_take(s.count * sizeof *s.part);
    bool const room = s.g && s.used && s.part;
    if (room) search(&s, root, roots);
    tansy_status const status = room && !s.failed ? make(&s, t) : TANSY_OUT_OF_MEMORY;
    graph_free(s.g);
    heap_return(s.used);
    heap_return(s.part);
    heap_return(s.seen);
    LIST_FREE(&s.sum);
    LIST_FREE(&s.term);
    LIST_FREE(&s.stack);
    return status;
}

void time_terms_free(struct time_terms *t)
{
    for (size_t k = 0; k < t->count; k++) enclosure_free(t->term[k]);
    heap_return(t->term);
    *t = (struct time_terms){0};
}
