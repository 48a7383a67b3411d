/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: made by the scheduler, run by the engine. */
#include "model/program.h"

#include "base/heap.h"
#include "model/engine.h"
#include "model/schedule.h"

static bool build(struct schedule *s, struct program *p)
{
    return schedule_fuse(s) && schedule_order(s) && schedule_emit(s, p);
}

/* No list stays NULL: the engine adds offsets to them, if only 0. */
static bool has_lists(struct program *p)
{
    return LIST_ROOM(&p->instruction, 1) && LIST_ROOM(&p->index, 1) && LIST_ROOM(&p->place, 1) &&
           LIST_ROOM(&p->weight, 1) && LIST_ROOM(&p->constant, 1) && LIST_ROOM(&p->stream, 1);
}

/* The schedule s knows its roots and where they go. */
static tansy_status create(const struct graph *g, const struct hoist *plan, struct schedule s,
                           struct program **program)
{
    s.node = graph_nodes(g);
    if (plan) {
        s.hoisted = plan->slot;
        s.hoisted_nodes = plan->nodes;
    }
    for (size_t i = 0; i < s.roots; i++)
        if (s.root[i] >= s.nodes) s.nodes = (size_t)s.root[i] + 1;
    if (s.nodes < 2) s.nodes = 2; /* the constants 0 and 1 may be wanted */
    struct program *p = heap_take(sizeof *p);
    if (p && !(build(&s, p) && has_lists(p))) {
        program_free(p);
        p = NULL;
    }
    schedule_free(&s);
    if (p) p->engine = engine_choose();
    *program = p;
    return p ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

tansy_status program_create_scattered(const struct graph *g, const struct hoist *plan,
                                      const uint32_t *root, const size_t *place, size_t roots,
                                      struct program **program)
{
    return create(g, plan, (struct schedule){.root = root, .place = place, .roots = roots},
                  program);
}

tansy_status program_create_kept(const struct graph *g, const struct hoist *plan,
                                 const uint32_t *root, size_t roots, uint32_t *slot,
                                 struct program **program)
{
    return create(g, plan, (struct schedule){.root = root, .roots = roots, .kept = slot}, program);
}

tansy_status program_create(const struct graph *g, const struct hoist *plan, const uint32_t *root,
                            size_t roots, struct program **program)
{
    return program_create_scattered(g, plan, root, NULL, roots, program);
}

void program_free(struct program *p)
{
    if (!p) return;
    LIST_FREE(&p->instruction);
    LIST_FREE(&p->index);
    LIST_FREE(&p->place);
    LIST_FREE(&p->weight);
    LIST_FREE(&p->constant);
    LIST_FREE(&p->stream);
    heap_return(p);
}

size_t program_work(const struct program *p)
{
    return p->slots + 1;
}

void program_run(const struct program *p, const struct leaves *at, double *work, double *out)
{
    p->engine->run(&(struct run){.program = p,
                                 .at = at,
                                 .work = work,
                                 .out = out,
                                 .space = {[SPACE_WORK] = work,
                                           [SPACE_STATE] = at->y,
                                           [SPACE_RATE] = at->rate,
                                           [SPACE_VECTOR] = at->vector,
                                           [SPACE_PARAMETER] = at->p,
                                           [SPACE_HOISTED] = at->hoisted,
                                           [SPACE_CONSTANT] = p->constant.item}});
}
