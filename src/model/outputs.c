/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs Q(t, y, p) and their columns dQ/dp = Q_y S + Q_p at a point.  Conditions are taken as they stand there; at a
   break time the caller tells which side counts. */
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/lane_asked.h"
#include "model/model.h"

enum { WIDEST = 32 }; /* columns at once */

tansy_status model_compile_outputs(struct tansy_model *m)
{
    struct system *const system = &m->system;
    size_t const outputs = system->output.count, conditions = system->condition.count;
    size_t const n = system->state.count, np = system->parameter.count;
    struct tangent tangent = {0};
    uint32_t *const root = heap_take((outputs + conditions + 1) * sizeof *root);
    if (!root) return TANSY_OUT_OF_MEMORY;
    for (size_t o = 0; o < outputs; o++) root[o] = system->output.item[o].node;
    for (size_t j = 0; j < conditions; j++) root[outputs + j] = system->condition.item[j].node;
    tansy_status status = program_create(system->graph, NULL, root, outputs, &m->outputs.value);
    if (status == TANSY_OK)
        status =
            program_create(system->graph, NULL, root + outputs, conditions, &m->outputs.conditions);
    if (status == TANSY_OK)
        status = differentiate_tangent(system->graph, root, outputs, n, np, &tangent);
    if (status == TANSY_OK)
        status = lane_program_create(system->graph, NULL, &tangent, &m->outputs.tangent);
    tangent_free(&tangent);
    heap_return(root);
    return status;
}

/* A point with memory of its own: p and the conditions, work space. */
struct spot {
    struct leaves at;
    double *block, *p, *work, *g;
};

/* How many break times are passed: those below t, and on the right side t itself.  By halving, since an input may have
   many. */
static double piece_at(const struct system *system, double t, int side)
{
    size_t low = 0, high = system->break_time.count;
    while (low < high) {
        size_t const middle = low + (high - low) / 2;
        double const at = system->break_time.item[middle];
        if (at < t || (at == t && side > 0))
            low = middle + 1;
        else
            high = middle;
    }
    return (double)low;
}

/* Sets the conditions, which may depend on lower-numbered ones: as often as it takes to change nothing. */
static void settle(const struct tansy_model *m, struct spot *s)
{
    size_t const conditions = m->system.condition.count;
    double *const hold = s->p + s->at.np;
    for (size_t pass = 0; pass <= conditions; pass++) {
        bool changed = false;
        program_run(m->outputs.conditions, &s->at, s->work, s->g);
        for (size_t j = 0; j < conditions; j++) {
            double const now = s->g[j] >= 0 ? 1 : 0;
            changed = changed || now != hold[j];
            hold[j] = now;
        }
        if (!changed) return;
    }
}

static tansy_status spot_open(const struct tansy_model *m, double t, int side, const double *y,
                              const double *p, struct spot *s)
{
    const struct system *const system = &m->system;
    size_t const np = system->parameter.count, conditions = system->condition.count;
    size_t work = program_work(m->outputs.value);
    if (program_work(m->outputs.conditions) > work) work = program_work(m->outputs.conditions);
    if (lane_asked_work(m->outputs.tangent) > work) work = lane_asked_work(m->outputs.tangent);
    work = (work + 7) / 8 * 8;
    s->block = heap_take((work + np + 2 * conditions + 1) * sizeof *s->block);
    if (!s->block) return TANSY_OUT_OF_MEMORY;
    s->work = s->block;
    s->p = s->block + work;
    s->g = s->p + np + conditions + 1;
    if (np > 0) memcpy(s->p, p, np * sizeof *p);
    s->p[np + conditions] = piece_at(system, t, side);
    s->at = (struct leaves){
        .t = t, .y = y, .p = s->p, .table = system->table.item, .np = np, .switches = conditions};
    settle(m, s);
    return TANSY_OK;
}

tansy_status tansy_model_outputs(const tansy_model *m, double t, int side, const double *y,
                                 const double *p, double *q)
{
    struct spot s = {.block = NULL};
    if (!m || m->diagnosis.status < 0) return TANSY_BAD_CALL;
    if (m->system.output.count == 0) return TANSY_OK;
    TRY(spot_open(m, t, side, y, p, &s));
    program_run(m->outputs.value, &s.at, s.work, q);
    heap_return(s.block);
    return TANSY_OK;
}

/* Columns first .. first + count, turned into lanes and back. */
struct lanes {
    double *V, *U, *R;
    size_t first, count;
};

static void run_lanes(const struct tansy_model *m, const struct spot *s, struct lanes *l,
                      const tansy_columns *columns, double *dq)
{
    size_t const n = m->system.state.count, np = m->system.parameter.count;
    size_t const outputs = m->system.output.count;
    for (size_t k = 0; k < l->count; k++) {
        for (size_t i = 0; i < n; i++) l->V[i * WIDEST + k] = columns->sens[(l->first + k) * n + i];
        for (size_t j = 0; j < np; j++)
            l->U[j * WIDEST + k] =
                columns->direction_p ? columns->direction_p[(l->first + k) * np + j] : 0;
    }
    lane_asked_run(m->outputs.tangent, &s->at,
                   &(struct lane_panels){l->count, WIDEST, l->V, l->U, l->R}, s->work);
    for (size_t k = 0; k < l->count; k++)
        for (size_t o = 0; o < outputs; o++)
            dq[(l->first + k) * outputs + o] = l->R[o * WIDEST + k];
}

tansy_status tansy_model_output_columns(const tansy_model *m, double t, int side, const double *y,
                                        const double *p, const tansy_columns *columns, double *dq)
{
    struct spot s = {.block = NULL};
    if (!m || m->diagnosis.status < 0) return TANSY_BAD_CALL;
    size_t const n = m->system.state.count, np = m->system.parameter.count;
    size_t const outputs = m->system.output.count;
    if (outputs == 0) return TANSY_OK;
    TRY(spot_open(m, t, side, y, p, &s));
    double *const block = heap_take((n + np + outputs) * WIDEST * sizeof *block);
    if (block) {
        struct lanes l = {.V = block, .U = block + n * WIDEST, .R = block + (n + np) * WIDEST};
        for (; l.first < columns->ns; l.first += WIDEST) {
            size_t const rest = columns->ns - l.first;
            l.count = rest < WIDEST ? rest : WIDEST;
            run_lanes(m, &s, &l, columns, dq);
        }
    }
    heap_return(block);
    heap_return(s.block);
    return block ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}
