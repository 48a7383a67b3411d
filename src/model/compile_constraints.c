/* SPDX-License-Identifier: Apache-2.0 */
/* The constraints g(t, y, p) = 0 of an index 2 model differentiated in time,  dg/dt = g_t + g_y y',  which determines the
   multipliers at the start. */
#include "base/heap.h"
#include "base/message.h"
#include "model/compile.h"

/* g_y y' from (g_y v): v becomes y'. */
static tansy_status replace_vector(struct graph *g, size_t n, uint32_t *root, size_t roots)
{
    uint32_t *const rate = heap_take(n * sizeof *rate);
    if (!rate) return TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) rate[i] = graph_leaf(g, OP_RATE, (uint32_t)i);
    struct substitution const by = {.leaf = OP_VECTOR, .replacement = rate, .count = n};
    graph_substitute(g, &by, root, roots, root);
    heap_return(rate);
    return graph_failed(g) ? TANSY_OUT_OF_MEMORY : TANSY_OK;
}

tansy_status constraint_rates(struct tansy_model *m, uint32_t *root)
{
    struct graph *const g = m->system.graph;
    const struct structure *const structure = &m->structure;
    size_t const n = m->system.state.count;
    uint32_t *const time = heap_take(n * sizeof *time);
    tansy_status status = time ? TANSY_OK : TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++)
        root[i] = structure->is_constraint[i] ? m->system.residual[i] : 0;
    if (status == TANSY_OK) status = differentiate_in_time(g, root, n, time);
    if (status == TANSY_OK) status = differentiate_along(g, root, n, OP_STATE, n, root);
    if (status == TANSY_OK) status = replace_vector(g, n, root, n);
    for (size_t i = 0; i < n && status == TANSY_OK; i++)
        root[i] = graph_binary(g, OP_ADD, root[i], time[i]);
    heap_return(time);
    if (status == TANSY_OK && graph_failed(g)) status = TANSY_OUT_OF_MEMORY;
    return status;
}
