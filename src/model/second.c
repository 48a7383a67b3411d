/* SPDX-License-Identifier: Apache-2.0 */
/* Directional second derivatives: the expressions (J v)_i with a given vector v, and f_t, differentiated once more in
   lanes,  (d/dy)(J v) V + (d/dp)(J v) U  and  f_ty V + f_tp U. */
#include "base/heap.h"
#include "base/message.h"
#include "model/model.h"

enum { WIDEST_PANEL = 32 };

/* f_t as a full vector of nodes. */
static tansy_status time_roots(struct graph *g, const uint32_t *rhs, size_t n, uint32_t *root)
{
    struct derivative d = {0};
    tansy_status const status = differentiate(g, rhs, n, OP_TIME, 1, &d);
    for (size_t i = 0; status == TANSY_OK && i < n; i++)
        root[i] = d.start[i] < d.start[i + 1] ? d.node[d.start[i]] : 0;
    derivative_free(&d);
    return status;
}

/* J v and f_t, differentiated once more. */
static tansy_status find_tangents(struct tansy_model *m, struct tangent *along,
                                  struct tangent *time)
{
    struct system *const system = &m->system;
    struct graph *const g = system->graph;
    size_t const n = system->state.count, np = system->parameter.count;
    uint32_t *const root = heap_take(n * sizeof *root);
    if (!root) return TANSY_OUT_OF_MEMORY;
    tansy_status status = differentiate_along(g, system->rhs, n, OP_STATE, n, root);
    if (status == TANSY_OK) status = differentiate_tangent(g, root, n, n, np, along);
    if (status == TANSY_OK) status = time_roots(g, system->rhs, n, root);
    if (status == TANSY_OK) status = differentiate_tangent(g, root, n, n, np, time);
    heap_return(root);
    return status;
}

/* The plan and the lane programs of the two tangents. */
static tansy_status make(const struct graph *g, const struct tangent *along,
                         const struct tangent *time, struct second_derivatives *s)
{
    size_t const count = along->terms + time->terms;
    uint32_t *const all = heap_take((count + 1) * sizeof *all);
    if (!all) return TANSY_OUT_OF_MEMORY;
    for (size_t e = 0; e < along->terms; e++) all[e] = along->coefficient[e];
    for (size_t e = 0; e < time->terms; e++) all[along->terms + e] = time->coefficient[e];
    tansy_status status = hoist_plan(g, all, count, &s->plan);
    if (status == TANSY_OK) status = lane_program_create(g, &s->plan, along, &s->along);
    if (status == TANSY_OK) status = lane_program_create(g, &s->plan, time, &s->time);
    heap_return(all);
    return status;
}

tansy_status model_compile_second(struct tansy_model *m, struct second_derivatives *s)
{
    struct tangent along = {0}, time = {0};
    tansy_status status = find_tangents(m, &along, &time);
    if (status == TANSY_OK) status = make(m->system.graph, &along, &time, s);
    tangent_free(&along);
    tangent_free(&time);
    if (status < 0) return status;
    size_t const a = lane_program_work(s->along, WIDEST_PANEL);
    size_t const b = lane_program_work(s->time, WIDEST_PANEL);
    size_t const c = s->plan.count > 0 ? program_work(s->plan.program) : 0;
    s->work = a > b ? a : b;
    if (c > s->work) s->work = c;
    return TANSY_OK;
}

void second_derivatives_free(struct second_derivatives *s)
{
    lane_program_free(s->along);
    lane_program_free(s->time);
    hoist_free(&s->plan);
    *s = (struct second_derivatives){.work = 0};
}
