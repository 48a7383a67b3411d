/* SPDX-License-Identifier: Apache-2.0 */
/* dQ/dt of the outputs at fixed y, y', p, conditions and piece.  Compiled when it is first asked for, once for all threads, from a
   copy of the graph: reading a model spends nothing on it. */
#include "base/heap.h"
#include "base/message.h"
#include "model/model.h"

/* root[outputs], and what they become. */
static tansy_status derive(struct graph *g, uint32_t *root, size_t outputs)
{
    struct derivative d = {0};
    tansy_status const status = differentiate(g, root, outputs, OP_TIME, 1, &d);
    for (size_t o = 0; status == TANSY_OK && o < outputs; o++)
        root[o] = d.start[o] < d.start[o + 1] ? d.node[d.start[o]] : 0;
    derivative_free(&d);
    return status;
}

static tansy_status compile(const struct tansy_model *m, struct program **code)
{
    const struct system *const system = &m->system;
    size_t const outputs = system->output.count;
    struct graph *const g = graph_copy(system->graph);
    uint32_t *const root = heap_take(outputs * sizeof *root);
    tansy_status status = g && root ? TANSY_OK : TANSY_OUT_OF_MEMORY;
    for (size_t o = 0; status == TANSY_OK && o < outputs; o++)
        root[o] = system->output.item[o].node;
    if (status == TANSY_OK) status = derive(g, root, outputs);
    if (status == TANSY_OK) status = program_create(g, NULL, root, outputs, code);
    heap_return(root);
    graph_free(g);
    return status;
}

const struct program *model_output_times(const struct tansy_model *m)
{
    struct lazy_times *const lazy = (struct lazy_times *)&m->output_times; /* under its lock */
    (void)pthread_mutex_lock(&lazy->lock);
    if (!lazy->code) (void)compile(m, &lazy->code);
    const struct program *const code = lazy->code;
    (void)pthread_mutex_unlock(&lazy->lock);
    return code;
}
