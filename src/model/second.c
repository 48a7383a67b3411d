/* SPDX-License-Identifier: Apache-2.0 */
/* Directional second derivatives: the expressions (J v)_i with a given vector v, and f_t, differentiated once more in
   lanes,  (d/dy)(J v) V + (d/dp)(J v) U  and  f_ty V + f_tp U;  of implicit models B v too, B = dF/dy'. */
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

enum { ALONG, TIME, MASS, KINDS };

/* The tangents of J v, f_t and B v, one after the other through the same roots. */
static tansy_status find_tangents(struct tansy_model *m, struct tangent *tangent)
{
    struct system *const system = &m->system;
    struct graph *const g = system->graph;
    const uint32_t *const f = model_function(m);
    size_t const n = system->state.count, np = system->parameter.count;
    uint32_t *const root = heap_take(n * sizeof *root);
    if (!root) return TANSY_OUT_OF_MEMORY;
    tansy_status status = differentiate_along(g, f, n, OP_STATE, n, root);
    if (status == TANSY_OK) status = differentiate_tangent(g, root, n, n, np, &tangent[ALONG]);
    if (status == TANSY_OK) status = time_roots(g, f, n, root);
    if (status == TANSY_OK) status = differentiate_tangent(g, root, n, n, np, &tangent[TIME]);
    if (status == TANSY_OK && !model_is_explicit(m)) {
        status = differentiate_along(g, f, n, OP_RATE, n, root);
        if (status == TANSY_OK) status = differentiate_tangent(g, root, n, n, np, &tangent[MASS]);
    }
    heap_return(root);
    return status;
}

/* The plan and the lane programs of the tangents. */
static tansy_status make(const struct tansy_model *m, const struct tangent *tangent,
                         struct second_derivatives *s)
{
    const struct graph *const g = m->system.graph;
    struct lane_program **const program[KINDS] = {&s->along, &s->time, &s->mass};
    size_t const kinds = model_is_explicit(m) ? MASS : KINDS;
    size_t count = 0;
    for (size_t k = 0; k < kinds; k++) count += tangent[k].terms;
    uint32_t *const all = heap_take((count + 1) * sizeof *all);
    if (!all) return TANSY_OUT_OF_MEMORY;
    count = 0;
    for (size_t k = 0; k < kinds; k++)
        for (size_t e = 0; e < tangent[k].terms; e++) all[count++] = tangent[k].coefficient[e];
    tansy_status status = hoist_plan(g, all, count, &s->plan);
    for (size_t k = 0; k < kinds && status == TANSY_OK; k++)
        status = lane_program_create(g, &s->plan, &tangent[k], program[k]);
    heap_return(all);
    return status;
}

static void measure(struct second_derivatives *s)
{
    struct lane_program *const lanes[] = {s->along, s->time, s->mass};
    s->work = s->plan.count > 0 ? program_work(s->plan.program) : 0;
    for (size_t k = 0; k < KINDS && lanes[k]; k++) {
        size_t const work = lane_program_work(lanes[k], WIDEST_PANEL);
        if (work > s->work) s->work = work;
    }
}

tansy_status model_compile_second(struct tansy_model *m, struct second_derivatives *s)
{
    struct tangent tangent[KINDS] = {{0}};
    tansy_status status = find_tangents(m, tangent);
    if (status == TANSY_OK) status = make(m, tangent, s);
    for (size_t k = 0; k < KINDS; k++) tangent_free(&tangent[k]);
    if (status == TANSY_OK) measure(s);
    return status;
}

void second_derivatives_free(struct second_derivatives *s)
{
    lane_program_free(s->along);
    lane_program_free(s->time);
    lane_program_free(s->mass);
    hoist_free(&s->plan);
    *s = (struct second_derivatives){.work = 0};
}
