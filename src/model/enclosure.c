/* SPDX-License-Identifier: Apache-2.0 */
/* Interval arithmetic over the nodes that the roots need, in their order: what nodes depend on stands before them. */
#include "model/enclosure.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/heap.h"
#include "model/engine.h"
#include "model/interval.h"
#include "model/simplify.h"

/* A node with places in the work space as arguments. */
struct enclosure {
    size_t count, roots;
    struct node *step; /* step[count] */
    uint32_t *root;    /* root[roots]: places */
};

/* place[x] = 1 for nodes that the roots need; how many there are. */
static size_t mark(const struct graph *g, const uint32_t *root, size_t roots, uint32_t *place)
{
    const struct node *const node = graph_nodes(g);
    size_t count = 0;
    for (size_t i = 0; i < roots; i++) place[root[i]] = 1;
    for (size_t x = graph_count(g); x-- > 0;) {
        if (!place[x]) continue;
        count++;
        for (unsigned a = 0; a < operation_arguments(node[x].operation); a++)
            place[node[x].argument[a]] = 1;
    }
    return count;
}

/* The next step, whose arguments have their places. */
static void copy_node(const struct graph *g, uint32_t x, uint32_t *place, struct enclosure *e)
{
    const struct node *const n = graph_nodes(g) + x;
    struct node *const step = &e->step[e->count];
    *step = *n;
    for (unsigned a = 0; a < operation_arguments(n->operation); a++)
        step->argument[a] = place[n->argument[a]];
    place[x] = (uint32_t)e->count++;
}

/* Copies the marked nodes; place[x] is then the place of node x. */
static void copy_marked(const struct graph *g, uint32_t *place, struct enclosure *e)
{
    for (size_t x = 0; x < graph_count(g); x++)
        if (place[x]) copy_node(g, (uint32_t)x, place, e);
}

tansy_status enclosure_create(const struct graph *g, const uint32_t *root, size_t roots,
                              struct enclosure **enclosure)
{
    uint32_t *const place = heap_take(graph_count(g) * sizeof *place);
    struct enclosure *const e = *enclosure = heap_take(sizeof *e);
    if (place && e) {
        size_t const count = mark(g, root, roots, place);
        e->roots = roots;
        e->step = heap_take(count * sizeof *e->step);
        e->root = heap_take(roots * sizeof *e->root);
        if (e->step) copy_marked(g, place, e);
        for (size_t i = 0; i < roots && e->root; i++) e->root[i] = place[root[i]];
    }
    heap_return(place);
    return place && e && e->step && e->root ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

/* The nodes that one root needs; place[x] = 1 for these. */
typedef LIST(uint32_t) node_list;

static bool collect(const struct graph *g, uint32_t root, uint32_t *place, node_list *needed)
{
    const struct node *const node = graph_nodes(g);
    needed->count = 0;
    place[root] = 1;
    if (!LIST_ADD(needed, root)) return false;
    for (size_t i = 0; i < needed->count; i++) {
        const struct node *const n = &node[needed->item[i]];
        for (unsigned a = 0; a < operation_arguments(n->operation); a++) {
            uint32_t const x = n->argument[a];
            if (place[x]) continue;
            place[x] = 1;
            if (!LIST_ADD(needed, x)) return false;
        }
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    uint32_t const x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of the nodes collected, which rise; place[] is all 0 again. */
static struct enclosure *create_from(const struct graph *g, node_list *needed, uint32_t *place)
{
    struct enclosure *const e = heap_take(sizeof *e);
    if (!e) return NULL;
    qsort(needed->item, needed->count, sizeof *needed->item, by_number);
    e->roots = 1;
    e->step = heap_take(needed->count * sizeof *e->step);
    e->root = heap_take(sizeof *e->root);
    for (size_t i = 0; i < needed->count && e->step; i++) copy_node(g, needed->item[i], place, e);
    if (e->root) *e->root = (uint32_t)(needed->count - 1); /* nothing needs it */
    for (size_t i = 0; i < needed->count; i++) place[needed->item[i]] = 0;
    if (e->step && e->root) return e;
    enclosure_free(e);
    return NULL;
}

tansy_status enclosure_create_each(const struct graph *g, const uint32_t *root, size_t roots,
                                   struct enclosure **each)
{
    uint32_t *const place = heap_take(graph_count(g) * sizeof *place);
    node_list needed = {0};
    bool made = place != NULL;
    for (size_t i = 0; i < roots && made; i++) {
        made = collect(g, root[i], place, &needed);
        if (made) each[i] = create_from(g, &needed, place);
        made = made && each[i];
    }
    heap_return(place);
    LIST_FREE(&needed);
    return made ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

void enclosure_free(struct enclosure *e)
{
    if (!e) return;
    heap_return(e->step);
    heap_return(e->root);
    heap_return(e);
}

size_t enclosure_work(const struct enclosure *e)
{
    return e->count * sizeof(struct enclosed) / sizeof(double);
}

/* A table is a straight line on a piece. */
static struct enclosed table_of(const struct leaves *at, const tansy_box *box, size_t index)
{
    struct leaves low = *at, high = *at;
    low.t = box->t_low;
    high.t = box->t_high;
    return (struct enclosed){interval_hull(interval_of(leaf_value(&low, OP_INPUT, index)),
                                           interval_of(leaf_value(&high, OP_INPUT, index))),
                             interval_of(leaf_value(at, OP_INPUT_SLOPE, index))};
}

static struct enclosed leaf_of(const struct leaves *at, const tansy_box *box, const struct node *n)
{
    size_t const i = n->index;
    switch (n->operation) {
    case OP_CONSTANT:
        return (struct enclosed){interval_of(node_value(n)), {0, 0}};
    case OP_TIME:
        return (struct enclosed){{box->t_low, box->t_high}, {1, 1}};
    case OP_STATE:
        return (struct enclosed){{box->y_low[i], box->y_high[i]},
                                 {box->slope_low[i], box->slope_high[i]}};
    case OP_PARAMETER:
        return (struct enclosed){interval_of(at->p[i]), {0, 0}};
    case OP_INPUT:
        return table_of(at, box, i);
    default: /* switches, the piece: constant between switching points */
        return (struct enclosed){interval_of(leaf_value(at, n->operation, i)), {0, 0}};
    }
}

void enclosure_run(const struct enclosure *e, const struct leaves *at, const tansy_box *box,
                   double *work, const tansy_bounds *bounds)
{
    struct enclosed *const v = (struct enclosed *)work;
    for (size_t x = 0; x < e->count; x++) {
        const struct node *const n = &e->step[x];
        const uint32_t *const a = n->argument;
        if (n->operation < OP_NEGATE)
            v[x] = leaf_of(at, box, n);
        else if (n->operation == OP_SELECT)
            v[x] = enclosed_select(&v[a[0]], &v[a[1]], &v[a[2]]);
        else
            v[x] = enclosed_operation(n->operation, &v[a[0]],
                                      n->operation < OP_ADD ? &v[a[0]] : &v[a[1]]);
    }
    for (size_t i = 0; i < e->roots; i++) {
        bounds->low[i] = v[e->root[i]].value.low;
        bounds->high[i] = v[e->root[i]].value.high;
        bounds->rate_low[i] = v[e->root[i]].slope.low;
        bounds->rate_high[i] = v[e->root[i]].slope.high;
    }
}
