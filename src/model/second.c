/* SPDX-License-Identifier: Apache-2.0 */
/* Directional second derivatives: the expressions (J v + tau f_t)_i with a given vector v and a given tau, differentiated once
   more in lanes,  (d/dy)(J v + tau f_t) V + (d/dp)(J v + tau f_t) U,  and f_t itself; of implicit models B v too, B = dF/dy'. */
#include "base/heap.h"
#include "base/message.h"
#include "model/lane_asked.h"
#include "model/model.h"

/* What a compilation works on: a graph of its own, so that the model stays as it is. */
enum { ALONG, MASS, KINDS };
struct sources {
    struct graph *graph;
    uint32_t *root, *time; /* root[n]; time[n]: f_t */
    struct tangent tangent[KINDS];
};

/* root += tau time, tau being entry n of the vector. */
static tansy_status add_time(struct sources *s, size_t n)
{
    struct graph *const g = s->graph;
    uint32_t const tau = graph_leaf(g, OP_VECTOR, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        s->root[i] =
            graph_binary(g, OP_ADD, s->root[i], graph_binary(g, OP_MULTIPLY, tau, s->time[i]));
    return graph_failed(g) ? TANSY_OUT_OF_MEMORY : TANSY_OK;
}

/* The tangents of J v + tau f_t and of B v, one after the other through the same roots. */
static tansy_status find_tangents(const struct tansy_model *m, struct sources *s)
{
    struct graph *const g = s->graph = graph_copy(m->system.graph);
    const uint32_t *const f = model_function(m);
    size_t const n = m->system.state.count, np = m->system.parameter.count;
    s->root = heap_take(n * sizeof *s->root);
    s->time = heap_take(n * sizeof *s->time);
    if (!g || !s->root || !s->time) return TANSY_OUT_OF_MEMORY;
    TRY(differentiate_along(g, f, n, OP_STATE, n, s->root));
    TRY(differentiate_in_time(g, f, n, s->time));
    TRY(add_time(s, n));
    TRY(differentiate_tangent(g, s->root, n, n, np, &s->tangent[ALONG]));
    if (model_is_explicit(m)) return TANSY_OK;
    TRY(differentiate_along(g, f, n, OP_RATE, n, s->root));
    return differentiate_tangent(g, s->root, n, n, np, &s->tangent[MASS]);
}

/* The plan and the programs. */
static tansy_status make(const struct tansy_model *m, const struct sources *from,
                         struct second_derivatives *s)
{
    const struct graph *const g = from->graph;
    struct lane_program **const program[KINDS] = {&s->along, &s->mass};
    size_t const n = m->system.state.count, kinds = model_is_explicit(m) ? MASS : KINDS;
    size_t count = n;
    for (size_t k = 0; k < kinds; k++) count += from->tangent[k].terms;
    uint32_t *const all = heap_take(count * sizeof *all);
    if (!all) return TANSY_OUT_OF_MEMORY;
    count = 0;
    for (size_t i = 0; i < n; i++) all[count++] = from->time[i];
    for (size_t k = 0; k < kinds; k++)
        for (size_t e = 0; e < from->tangent[k].terms; e++)
            all[count++] = from->tangent[k].coefficient[e];
    tansy_status status = hoist_plan(g, all, count, &s->plan);
    heap_return(all);
    for (size_t k = 0; k < kinds && status == TANSY_OK; k++)
        status = lane_program_create(g, &s->plan, &from->tangent[k], program[k]);
    if (status == TANSY_OK) status = program_create(g, &s->plan, from->time, n, &s->time);
    if (status != TANSY_OK) return status;
    return lane_asked_may_differ(g, model_function(m), n, &from->tangent[ALONG], &s->may_fail);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure(struct second_derivatives *s)
{
    s->work = larger(program_work(s->time), lane_asked_work(s->along));
    if (s->mass) s->work = larger(s->work, lane_asked_work(s->mass));
    if (s->plan.count > 0) s->work = larger(s->work, program_work(s->plan.program));
}

tansy_status model_compile_second(const struct tansy_model *m, struct second_derivatives *s)
{
    struct sources from = {.graph = NULL};
    tansy_status status = find_tangents(m, &from);
    if (status == TANSY_OK) status = make(m, &from, s);
    for (size_t k = 0; k < KINDS; k++) tangent_free(&from.tangent[k]);
    heap_return(from.root);
    heap_return(from.time);
    graph_free(from.graph);
    if (status == TANSY_OK) measure(s);
    return status;
}

void second_derivatives_free(struct second_derivatives *s)
{
    lane_program_free(s->along);
    lane_program_free(s->mass);
    program_free(s->time);
    hoist_free(&s->plan);
    *s = (struct second_derivatives){.work = 0};
}
