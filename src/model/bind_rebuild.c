/* SPDX-License-Identifier: Apache-2.0 */
/* The graph anew: what is used alone, in its order, with the final numbers of switches in place of those of binding, which
   nobody shall meet.  Initial values are functions of p alone: there a switch is g >= 0 itself, and they are not a number where a
   condition that counts is not; once more they are made with switches, so that both sides of a corner can be looked at. */
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "model/bind_guard.h"
#include "model/simplify.h"

struct rebuilding {
    struct graph *to;
    const struct graph *from;
    const struct switching *switching;
    size_t switches;
    const struct final_switch *final;
    enum { INITIAL, FROZEN_INITIAL, OTHERS } what;
    uint32_t *image
        [UNDERS]; /* image[][nodes of the old graph]; those under roots only where there are guards */
    struct guards guards;
    struct guard_room room;
    struct knowing knowing;
};

static uint32_t copy_switch(const struct rebuilding *r, uint32_t number)
{
    const struct final_switch *const final = &r->final[number];
    if (r->what == FROZEN_INITIAL) return graph_leaf(r->to, OP_SWITCH, final->start);
    if (r->what == INITIAL)
        return graph_binary(r->to, OP_AT_LEAST, r->image[0][r->switching[number].node], ZERO);
    if (!final->is_time) return graph_leaf(r->to, OP_SWITCH, final->number);
    return graph_binary(r->to, OP_AT_LEAST, graph_leaf(r->to, OP_PIECE, 0),
                        graph_constant(r->to, final->number));
}

/* What a condition says where a branch is taken; `below`: of roots in the branch alone. */
static struct promises promises_of(const struct rebuilding *r, uint32_t condition, bool holds,
                                   bool below)
{
    struct promises promises = {0};
    struct literal literal[MAX_LITERALS];
    size_t const count = guard_literals(r->from, condition, holds, literal);
    for (size_t k = 0; k < count; k++) {
        uint32_t const g = r->switching[literal[k].number].node;
        uint32_t const first = r->guards.first[literal[k].number];
        if (node_is_constant(r->from, g) || (below && first == UINT32_MAX)) continue; /* a time */
        promises.item[promises.count++] =
            (struct promise){r->image[0][g], first, literal[k].holds ? 1 : -1};
    }
    return promises;
}

/* A branch: guarded if it is the base of a root, and the roots in it. */
static uint32_t copy_branch(struct rebuilding *r, const struct node *n, unsigned k,
                            enum under under)
{
    uint32_t branch = r->image[under][n->argument[k]];
    if (!r->guards.any) return branch;
    struct promises promises;
    if (under != UNDER_NOTHING) {
        promises = promises_of(r, n->argument[0], k == 1, false);
        /* all of it, as the condition has it, with choices inside as they are; or a factor */
        uint32_t const plain = r->image[UNDER_NOTHING][n->argument[k]];
        branch = guard_base(r->to, guard_is_whole(r->to, plain, &promises) ? plain : branch,
                            &promises, under);
    }
    promises = promises_of(r, n->argument[0], k == 1, true);
    return guard_branch(r->to, branch, &promises, &r->room);
}

/* Node n in the new graph; image[] has its arguments. */
static uint32_t copy(struct rebuilding *r, const struct node *n, enum under under)
{
    const uint32_t *const a = n->argument;
    const uint32_t *const image = r->image[r->guards.any ? under : UNDER_NOTHING];
    enum under const inside = r->guards.any ? guard_kind(r->from, n) : UNDER_NOTHING;
    uint32_t const *const base = inside != UNDER_NOTHING ? r->image[inside] : image;
    switch (operation_arguments(n->operation)) {
    case 0:
        if (n->operation == OP_CONSTANT) return graph_constant(r->to, node_value(n));
        return n->operation == OP_SWITCH ? copy_switch(r, n->index)
                                         : graph_leaf(r->to, n->operation, n->index);
    case 1:
        return graph_unary(r->to, n->operation, base[a[0]]);
    case 2:
        return graph_binary(r->to, n->operation, base[a[0]],
                            inside != UNDER_NOTHING ? r->image[0][a[1]] : image[a[1]]);
    default:
        if (r->what == INITIAL) return graph_select(r->to, image[a[0]], image[a[1]], image[a[2]]);
        return graph_select(r->to, r->image[0][a[0]], copy_branch(r, n, 1, under),
                            copy_branch(r, n, 2, under));
    }
}

/* Node i as it is below roots: only choices, and products that lead to them, are different there. */
static void copy_under(struct rebuilding *r, uint32_t i)
{
    const struct node *const n = node_at(r->from, i);
    for (enum under under = UNDER_POWER; under < UNDERS; under++) {
        bool const differs = r->guards.under[i] & 1u << under && r->what != INITIAL &&
                             r->from->leaves[i] & 1u << OP_SWITCH &&
                             (n->operation == OP_MULTIPLY || n->operation == OP_DIVIDE ||
                              n->operation == OP_NEGATE || n->operation == OP_SELECT);
        r->image[under][i] = differs ? copy(r, n, under) : r->image[0][i];
    }
}

/* What has one of the marks. */
static void copy_marked(struct rebuilding *r, const uint8_t *mark, unsigned marks)
{
    size_t pair = 0;
    if (r->guards.any) memset(r->guards.first, 0xff, r->switches * sizeof *r->guards.first);
    for (uint32_t i = 0; i < graph_count(r->from); i++) {
        if (!(mark[i] & marks)) continue;
        r->image[0][i] = copy(r, node_at(r->from, i), UNDER_NOTHING);
        if (!r->guards.any) continue;
        copy_under(r, i);
        while (pair < r->guards.pair.count && r->guards.pair.item[pair].root < i) pair++;
        for (; pair < r->guards.pair.count && r->guards.pair.item[pair].root == i; pair++) {
            uint32_t *const first = &r->guards.first[r->guards.pair.item[pair].number];
            if (r->image[0][i] < *first) *first = r->image[0][i];
        }
    }
}

static void move_initial(struct system *s, const struct rebuilding *r)
{
    for (size_t i = 0; i < s->state.count; i++) {
        uint32_t const node = s->state.item[i].initial;
        uint32_t const missing = graph_constant(r->to, (double)NAN);
        s->state.item[i].frozen = node; /* moves last */
        s->state.item[i].initial =
            graph_select(r->to, r->knowing.known[node], r->image[0][node], missing);
    }
}

static void move_frozen(struct system *s, const uint32_t *image)
{
    for (size_t i = 0; i < s->state.count; i++)
        s->state.item[i].frozen = image[s->state.item[i].frozen];
    for (size_t k = 0; k < s->start_condition.count; k++)
        s->start_condition.item[k].node = image[s->start_condition.item[k].node];
}

static void move_others(struct system *s, const struct rebuilding *r)
{
    const uint32_t *const image = r->image[0];
    for (size_t i = 0; i < s->state.count; i++) {
        uint32_t *const root = s->rhs ? &s->rhs[i] : &s->residual[i];
        *root = image[*root];
    }
    for (size_t k = 0; k < s->output.count; k++) {
        struct output *const output = &s->output.item[k];
        uint32_t const known = r->knowing.known[output->node];
        output->known = known == ONE ? ZERO : known;
        output->node = image[output->node];
    }
    for (size_t k = 0; k < s->condition.count; k++)
        s->condition.item[k].node = image[s->condition.item[k].node];
}

/* All passes over the old graph. */
static void rebuild(struct binder *b, struct rebuilding *r, const uint8_t *mark)
{
    copy_marked(r, mark, IN_INITIAL);
    bind_find_known(&r->knowing, mark, IN_INITIAL);
    move_initial(b->system, r);
    r->what = OTHERS;
    copy_marked(r, mark, IN_EQUATIONS | IN_OUTPUTS);
    bind_find_known(&r->knowing, mark, IN_OUTPUTS);
    move_others(b->system, r);
    r->what = FROZEN_INITIAL;
    if (b->system->start_condition.count > 0) copy_marked(r, mark, IN_INITIAL);
    move_frozen(b->system, r->image[0]);
}

tansy_status bind_rebuild(struct binder *b, const uint8_t *mark, const struct final_switch *final)
{
    size_t const count = graph_count(b->graph);
    struct rebuilding r = {.to = graph_create(),
                           .from = b->graph,
                           .switching = b->switching.item,
                           .switches = b->switching.count,
                           .final = final,
                           .what = INITIAL};
    bool good = r.to && guards_find(b, mark, &r.guards) == TANSY_OK;
    r.image[0] = good ? heap_take((r.guards.any ? UNDERS : 1) * count * sizeof *r.image[0]) : NULL;
    uint32_t *const known = heap_take(count * sizeof *known);
    uint8_t *const truth = heap_take(count);
    r.knowing = (struct knowing){.to = r.to,
                                 .from = r.from,
                                 .switching = r.switching,
                                 .final = final,
                                 .image = r.image[0],
                                 .known = known,
                                 .truth = truth};
    good = good && r.image[0] && known && truth;
    if (r.to) graph_keep_poles(r.to, true);
    if (good) {
        for (int k = 1; k < UNDERS; k++) r.image[k] = r.image[0] + (r.guards.any ? k * count : 0);
        rebuild(b, &r, mark);
        good = !graph_failed(r.to);
        graph_free(b->graph);
        b->graph = b->system->graph = r.to;
    } else {
        graph_free(r.to);
    }
    heap_return(r.image[0]);
    heap_return(known);
    heap_return(truth);
    guards_free(&r.guards);
    guard_room_free(&r.room);
    return good ? TANSY_OK : BIND_NO_MEMORY(b);
}
