/* SPDX-License-Identifier: Apache-2.0 */
/* The graph anew: what is used alone, in its order, with the final numbers of switches in place of those of binding, which
   nobody shall meet. */
#include "base/heap.h"
#include "model/bind.h"
#include "model/simplify.h"

static uint32_t copy_switch(struct graph *to, const struct final_switch *final)
{
    if (!final->is_time) return graph_leaf(to, OP_SWITCH, final->number);
    return graph_binary(to, OP_AT_LEAST, graph_leaf(to, OP_PIECE, 0),
                        graph_constant(to, final->number));
}

/* Node n in the new graph; image[] has its arguments. */
static uint32_t copy(struct graph *to, const struct node *n, const uint32_t *image,
                     const struct final_switch *final)
{
    const uint32_t *const a = n->argument;
    switch (operation_arguments(n->operation)) {
    case 0:
        if (n->operation == OP_CONSTANT) return graph_constant(to, n->value);
        return n->operation == OP_SWITCH ? copy_switch(to, &final[n->index])
                                         : graph_leaf(to, n->operation, n->index);
    case 1:
        return graph_unary(to, n->operation, image[a[0]]);
    case 2:
        return graph_binary(to, n->operation, image[a[0]], image[a[1]]);
    default:
        return graph_select(to, image[a[0]], image[a[1]], image[a[2]]);
    }
}

static void move_roots(struct system *s, const uint32_t *image)
{
    for (size_t i = 0; i < s->state.count; i++) {
        uint32_t *const root = s->rhs ? &s->rhs[i] : &s->residual[i];
        *root = image[*root];
        s->state.item[i].initial = image[s->state.item[i].initial];
    }
    for (size_t k = 0; k < s->output.count; k++)
        s->output.item[k].node = image[s->output.item[k].node];
    for (size_t k = 0; k < s->condition.count; k++)
        s->condition.item[k].node = image[s->condition.item[k].node];
}

tansy_status bind_rebuild(struct binder *b, const uint8_t *mark, const struct final_switch *final)
{
    size_t const count = graph_count(b->graph);
    struct graph *const to = graph_create();
    uint32_t *const image = heap_take(count * sizeof *image);
    bool good = to && image;
    for (size_t i = 0; i < count && good; i++) {
        if (mark[i]) image[i] = copy(to, &graph_nodes(b->graph)[i], image, final);
        good = !graph_failed(to);
    }
    if (good) {
        move_roots(b->system, image);
        graph_free(b->graph);
        b->graph = b->system->graph = to;
    } else {
        graph_free(to);
    }
    heap_return(image);
    return good ? TANSY_OK : BIND_NO_MEMORY(b);
}
