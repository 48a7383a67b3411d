/* SPDX-License-Identifier: Apache-2.0 */
/* What depends on p alone and is used by something that does not, or is asked for: computed once per p.  Parameters that
   something moving uses are copied along, so that those used alike, which stand apart in p, become an array. */
#include "model/program.h"

#include "base/heap.h"
#include "model/schedule.h"
#include "model/simplify.h"

enum { IS_ROOT = 1 }; /* a use; 0: none */

/* Neither a leaf nor dependent on t, y, y' or the vector. */
static bool is_hoistable(const struct graph *g, uint32_t v)
{
    return node_at(g, v)->operation >= OP_NEGATE && node_is_fixed(g, v);
}

/* How the first of all users, in the order they were made, uses argument k: what is used alike stands together.  The
   arguments of sums and products have no order. */
static uint32_t use_of(const struct graph *g, const struct node *user, unsigned k)
{
    uint32_t const other = user->operation >= OP_ADD ? user->argument[k == 0 ? 1 : 0] : ZERO;
    unsigned const at = user->operation == OP_ADD || user->operation == OP_MULTIPLY ? 0 : k;
    return IS_ROOT + 1 + (user->operation * 3 + at) * OPERATIONS + node_at(g, other)->operation;
}

/* use[]: of all nodes below the roots; those of the ones to hoist go into keyed[]; how many. */
static size_t find(const struct graph *g, const uint32_t *root, size_t roots, uint32_t *use,
                   struct keyed *keyed)
{
    size_t count = 0;
    for (size_t i = 0; i < roots; i++) use[root[i]] = IS_ROOT;
    for (size_t v = graph_count(g); v-- > 0;) {
        const struct node *const n = node_at(g, (uint32_t)v);
        if (!use[v] || is_hoistable(g, (uint32_t)v)) continue;
        for (unsigned k = 0; k < operation_arguments(n->operation); k++)
            use[n->argument[k]] = use_of(g, n, k);
    }
    for (uint32_t v = 0; v < graph_count(g); v++) {
        bool const is_parameter = node_is(g, v, OP_PARAMETER) && use[v] > IS_ROOT;
        if (use[v] && (is_hoistable(g, v) || is_parameter))
            keyed[count++] =
                (struct keyed){(uint64_t)use[v] * OPERATIONS + node_at(g, v)->operation, v};
    }
    return count;
}

static bool plan_all(const struct graph *g, const uint32_t *root, size_t roots, struct hoist *plan)
{
    plan->nodes = graph_count(g);
    uint32_t *const use = heap_take(plan->nodes * sizeof *use);
    struct keyed *const keyed = heap_take(plan->nodes * sizeof *keyed);
    plan->slot = heap_take(plan->nodes * sizeof *plan->slot);
    bool done = use && keyed && plan->slot;
    if (done) {
        for (size_t v = 0; v < plan->nodes; v++) plan->slot[v] = NOTHING;
        plan->count = find(g, root, roots, use, keyed);
        plan->node = heap_take((plan->count + 1) * sizeof *plan->node);
        done = plan->node && schedule_sort(keyed, plan->count);
    }
    for (size_t k = 0; k < plan->count && done; k++) {
        plan->node[k] = keyed[k].value;
        plan->slot[keyed[k].value] = (uint32_t)k;
    }
    heap_return(use);
    heap_return(keyed);
    return done;
}

tansy_status hoist_plan(const struct graph *g, const uint32_t *root, size_t roots,
                        struct hoist *plan)
{
    *plan = (struct hoist){0};
    if (plan_all(g, root, roots, plan) &&
        program_create(g, NULL, plan->node, plan->count, &plan->program) == TANSY_OK)
        return TANSY_OK;
    hoist_free(plan);
    return TANSY_OUT_OF_MEMORY;
}

void hoist_free(struct hoist *plan)
{
    program_free(plan->program);
    heap_return(plan->node);
    heap_return(plan->slot);
    *plan = (struct hoist){0};
}
