/* SPDX-License-Identifier: Apache-2.0 */
/* The graph anew: what is used alone, in its order, with the final numbers of switches in place of those of binding, which
   nobody shall meet.  Initial values are functions of p alone: there a switch is g >= 0 itself; once more they are made with
   switches, so that both sides of a corner can be looked at. */
#include "base/heap.h"
#include "model/bind.h"
#include "model/simplify.h"

struct rebuilding {
    struct graph *to;
    const struct switching *switching;
    const struct final_switch *final;
    enum { INITIAL, FROZEN_INITIAL, OTHERS } what;
    uint32_t *image; /* image[nodes of the old graph] */
};

static uint32_t copy_switch(const struct rebuilding *r, uint32_t number)
{
    const struct final_switch *const final = &r->final[number];
    if (r->what == FROZEN_INITIAL) return graph_leaf(r->to, OP_SWITCH, final->start);
    if (r->what == INITIAL)
        return graph_binary(r->to, OP_AT_LEAST, r->image[r->switching[number].node], ZERO);
    if (!final->is_time) return graph_leaf(r->to, OP_SWITCH, final->number);
    return graph_binary(r->to, OP_AT_LEAST, graph_leaf(r->to, OP_PIECE, 0),
                        graph_constant(r->to, final->number));
}

/* Node n in the new graph; image[] has its arguments. */
static uint32_t copy(const struct rebuilding *r, const struct node *n)
{
    const uint32_t *const a = n->argument, *const image = r->image;
    switch (operation_arguments(n->operation)) {
    case 0:
        if (n->operation == OP_CONSTANT) return graph_constant(r->to, node_value(n));
        return n->operation == OP_SWITCH ? copy_switch(r, n->index)
                                         : graph_leaf(r->to, n->operation, n->index);
    case 1:
        return graph_unary(r->to, n->operation, image[a[0]]);
    case 2:
        return graph_binary(r->to, n->operation, image[a[0]], image[a[1]]);
    default:
        return graph_select(r->to, image[a[0]], image[a[1]], image[a[2]]);
    }
}

/* What has one of the marks. */
static void copy_marked(const struct binder *b, const struct rebuilding *r, const uint8_t *mark,
                        unsigned marks)
{
    for (size_t i = 0; i < graph_count(b->graph); i++)
        if (mark[i] & marks) r->image[i] = copy(r, &graph_nodes(b->graph)[i]);
}

static void move_initial(struct system *s, const uint32_t *image)
{
    for (size_t i = 0; i < s->state.count; i++) {
        s->state.item[i].frozen = s->state.item[i].initial; /* moves last */
        s->state.item[i].initial = image[s->state.item[i].initial];
    }
}

static void move_frozen(struct system *s, const uint32_t *image)
{
    for (size_t i = 0; i < s->state.count; i++)
        s->state.item[i].frozen = image[s->state.item[i].frozen];
    for (size_t k = 0; k < s->start_condition.count; k++)
        s->start_condition.item[k].node = image[s->start_condition.item[k].node];
}

static void move_others(struct system *s, const uint32_t *image)
{
    for (size_t i = 0; i < s->state.count; i++) {
        uint32_t *const root = s->rhs ? &s->rhs[i] : &s->residual[i];
        *root = image[*root];
    }
    for (size_t k = 0; k < s->output.count; k++)
        s->output.item[k].node = image[s->output.item[k].node];
    for (size_t k = 0; k < s->condition.count; k++)
        s->condition.item[k].node = image[s->condition.item[k].node];
}

tansy_status bind_rebuild(struct binder *b, const uint8_t *mark, const struct final_switch *final)
{
    struct rebuilding r = {.to = graph_create(),
                           .switching = b->switching.item,
                           .final = final,
                           .what = INITIAL,
                           .image = heap_take(graph_count(b->graph) * sizeof *r.image)};
    bool good = r.to && r.image;
    if (good) {
        copy_marked(b, &r, mark, IN_INITIAL);
        move_initial(b->system, r.image);
        r.what = OTHERS;
        copy_marked(b, &r, mark, IN_EQUATIONS | IN_OUTPUTS);
        move_others(b->system, r.image);
        r.what = FROZEN_INITIAL;
        if (b->system->start_condition.count > 0) copy_marked(b, &r, mark, IN_INITIAL);
        move_frozen(b->system, r.image);
        good = !graph_failed(r.to);
        graph_free(b->graph);
        b->graph = b->system->graph = r.to;
    } else {
        graph_free(r.to);
    }
    heap_return(r.image);
    return good ? TANSY_OK : BIND_NO_MEMORY(b);
}
