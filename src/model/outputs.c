/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs Q(t, y, y', p) and their columns dQ/dp = Q_y S + Q_y' S' + Q_p + Q_t dt/dp at a point.  Conditions are taken as they stand there; at a
   break time, and where conditions on time turn, the caller tells which side counts. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/corners.h"
#include "model/lane_asked.h"
#include "model/model.h"

enum { WIDEST = 32 }; /* columns at once */

/* The tangent of the outputs; of implicit models in y' too. */
static tansy_status compile_tangent(struct tansy_model *m, const uint32_t *root)
{
    struct system *const system = &m->system;
    size_t const n = system->state.count, np = system->parameter.count;
    size_t const outputs = system->output.count;
    struct tangent tangent = {0};
    for (size_t o = 0; o < outputs; o++)
        if (graph_leaves(system->graph, root[o]) & 1u << OP_RATE) m->outputs.has_rates = true;
    tansy_status status =
        m->outputs.has_rates
            ? differentiate_tangent_rates(system->graph, root, outputs, n, np, &tangent)
            : differentiate_tangent(system->graph, root, outputs, n, np, &tangent);
    if (status == TANSY_OK)
        status = lane_program_create(system->graph, NULL, &tangent, &m->outputs.tangent);
    tangent_free(&tangent);
    return status;
}

tansy_status model_compile_outputs(struct tansy_model *m)
{
    struct system *const system = &m->system;
    size_t const outputs = system->output.count, conditions = system->condition.count;
    uint32_t *const root = heap_take((outputs + conditions + 1) * sizeof *root);
    if (!root) return TANSY_OUT_OF_MEMORY;
    for (size_t o = 0; o < outputs; o++) root[o] = system->output.item[o].node;
    for (size_t j = 0; j < conditions; j++) root[outputs + j] = system->condition.item[j].node;
    tansy_status status = compile_tangent(m, root);
    for (size_t o = 0; o < outputs; o++)
        root[o] = output_value(system->graph, &system->output.item[o]);
    if (status == TANSY_OK)
        status = program_create(system->graph, NULL, root, outputs, &m->outputs.value);
    if (status == TANSY_OK)
        status =
            program_create(system->graph, NULL, root + outputs, conditions, &m->outputs.conditions);
    if (status == TANSY_OK && model_outputs_work(m) > m->code.work)
        m->code.work = model_outputs_work(m);
    heap_return(root);
    return status;
}

size_t model_outputs_work(const struct tansy_model *m)
{
    if (m->loaded.object) return 0;
    size_t work = program_work(m->outputs.value);
    if (program_work(m->outputs.conditions) > work) work = program_work(m->outputs.conditions);
    if (lane_asked_work(m->outputs.tangent) > work) work = lane_asked_work(m->outputs.tangent);
    return (work + 7) / 8 * 8;
}

/* A point with memory of its own: p and the conditions, work space. */
struct spot {
    struct leaves at;
    double *block, *p, *work, *g;
};

/* By halving, since an input may have many breaks. */
double model_piece(const struct tansy_model *m, const tansy_point *point)
{
    const struct system *const system = &m->system;
    double const t = point->t;
    size_t low = 0, high = system->break_time.count;
    while (low < high) {
        size_t const middle = low + (high - low) / 2;
        double const at = system->break_time.item[middle];
        if (at < t || (at == t && point->side > 0))
            low = middle + 1;
        else
            high = middle;
    }
    return (double)low;
}

/* The switching time of a condition time >= t_k(p) is known to a few roundings, those of t0 among them, and so is the output time that is
   meant to be the same one. */
double model_beside(const struct tansy_model *m, const tansy_point *point)
{
    static const double roundings = 64 * DBL_EPSILON; /* as a solver has them with conditions */
    static const double least = 1e16 * DBL_MIN;       /* where both are 0 */
    double const aside = fmax(roundings * fmax(fabs(point->t), fabs(m->system.t0)), least);
    return point->t + (point->side > 0 ? aside : point->side < 0 ? -aside : 0);
}

int model_side(const struct tansy_model *m, double t)
{
    double const t0 = isfinite(m->system.t0) ? m->system.t0 : 0;
    if (t != t0) return t > t0 ? -1 : 1;
    return m->system.t1 < t0 ? -1 : 1;
}

/* Conditions may depend on lower-numbered ones: as often as it takes to change nothing. */
void model_settle(const struct tansy_model *m, size_t first, const struct leaves *at, double *hold,
                  double *g, double *work)
{
    size_t const conditions = m->system.condition.count;
    for (size_t pass = first; pass <= conditions; pass++) {
        bool changed = false;
        program_run(m->outputs.conditions, at, work, g);
        for (size_t j = first; j < conditions; j++) {
            double const now = g[j] >= 0 ? 1 : 0;
            changed = changed || now != hold[j];
            hold[j] = now;
        }
        if (!changed) return;
    }
}

/* Exported C fails without memory only; whether it does is asked at the point itself. */
static tansy_status settle_loaded(const struct tansy_model *m, const tansy_point *point, double t,
                                  double *p)
{
    int code = m->loaded.about->settle(point->t, point->y, 0, p);
    if (code == 0 && t != point->t) code = m->loaded.about->settle(t, point->y, 0, p);
    return code == 0 ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

static tansy_status spot_open(const struct tansy_model *m, const tansy_point *point, struct spot *s)
{
    const struct system *const system = &m->system;
    size_t const np = system->parameter.count, conditions = system->condition.count;
    size_t const work = model_outputs_work(m);
    tansy_status status = TANSY_OK;
    if (m->outputs.has_rates && !point->yp) return TANSY_BAD_CALL;
    s->block = heap_take((work + np + 2 * conditions + 1) * sizeof *s->block);
    if (!s->block) return TANSY_OUT_OF_MEMORY;
    s->work = s->block;
    s->p = s->block + work;
    s->g = s->p + np + conditions + 1;
    if (np > 0) memcpy(s->p, point->p, np * sizeof *s->p);
    s->p[np + conditions] = model_piece(m, point);
    s->at = (struct leaves){.t = model_beside(m, point),
                            .y = point->y,
                            .rate = point->yp,
                            .p = s->p,
                            .table = system->table.item,
                            .np = np,
                            .switches = conditions};
    if (!m->loaded.object)
        model_settle(m, 0, &s->at, s->p + np, s->g, s->work);
    else if (m->loaded.about->settle)
        status = settle_loaded(m, point, s->at.t, s->p);
    s->at.t = point->t;
    return status;
}

static tansy_status run_values(const struct tansy_model *m, const struct spot *s, double *q)
{
    const struct leaves *const at = &s->at;
    if (m->loaded.object)
        return m->loaded.about->output_values(at->t, at->y, at->rate, at->p, q, NULL)
                   ? TANSY_OUT_OF_MEMORY
                   : TANSY_OK;
    program_run(m->outputs.value, at, s->work, q);
    return TANSY_OK;
}

/* Where an output has no value, log(x) with x < 0 or one whose condition has none, it has no columns, though 1/x has a value there: output o of column k at v[k*outputs + o]. */
static tansy_status leave_out(const struct tansy_model *m, const struct spot *s, size_t columns,
                              double *v)
{
    size_t const outputs = m->system.output.count;
    double *const q = heap_take(outputs * sizeof *q);
    tansy_status const status = q ? run_values(m, s, q) : TANSY_OUT_OF_MEMORY;
    for (size_t x = 0; x < columns * outputs && status == TANSY_OK; x++)
        if (isnan(q[x % outputs])) v[x] = (double)NAN;
    heap_return(q);
    return status;
}

static tansy_status run_tangent(const struct tansy_model *m, const struct spot *s,
                                const struct lane_panels *panels)
{
    const struct leaves *const at = &s->at;
    if (m->loaded.object)
        return m->loaded.about->output_tangent(at->t, at->y, at->rate, at->p, panels->columns,
                                               panels->ld, panels->V, panels->V_rate, panels->U,
                                               panels->R, NULL)
                   ? TANSY_OUT_OF_MEMORY
                   : TANSY_OK;
    lane_asked_run(m->outputs.tangent, at, panels, s->work);
    return TANSY_OK;
}

tansy_status model_modes(const struct tansy_model *m, const tansy_point *at, double *p)
{
    struct spot s = {.block = NULL};
    size_t const np = m->system.parameter.count, watched = m->system.watched;
    tansy_status const status = spot_open(m, at, &s);
    if (status == TANSY_OK) {
        memcpy(p, s.p, (np + watched) * sizeof *p);
        p[np + watched] = s.p[np + m->system.condition.count];
    }
    heap_return(s.block);
    return status;
}

tansy_status tansy_model_outputs_at(const tansy_model *m, const tansy_point *at, double *q)
{
    struct spot s = {.block = NULL};
    if (!m || m->diagnosis.status < 0) return TANSY_BAD_CALL;
    if (m->system.output.count == 0) return TANSY_OK;
    tansy_status status = spot_open(m, at, &s);
    if (status == TANSY_OK) status = run_values(m, &s, q);
    heap_return(s.block);
    return status;
}

tansy_status tansy_model_outputs(const tansy_model *m, double t, int side, const double *y,
                                 const double *p, double *q)
{
    return tansy_model_outputs_at(m, &(tansy_point){.t = t, .side = side, .y = y, .p = p}, q);
}

/* Columns first .. first + count, turned into lanes and back. */
struct lanes {
    double *V, *V_rate, *U, *R;
    size_t first, count;
};

static tansy_status run_lanes(const struct tansy_model *m, const struct spot *s, struct lanes *l,
                              const tansy_columns *columns, double *dq)
{
    size_t const n = m->system.state.count, np = m->system.parameter.count;
    size_t const outputs = m->system.output.count;
    for (size_t k = 0; k < l->count; k++) {
        for (size_t i = 0; i < n; i++) l->V[i * WIDEST + k] = columns->sens[(l->first + k) * n + i];
        for (size_t i = 0; l->V_rate && i < n; i++)
            l->V_rate[i * WIDEST + k] = columns->sensp[(l->first + k) * n + i];
        for (size_t j = 0; j < np; j++)
            l->U[j * WIDEST + k] =
                columns->direction_p ? columns->direction_p[(l->first + k) * np + j] : 0;
    }
    TRY(run_tangent(m, s,
                    &(struct lane_panels){.columns = l->count,
                                          .ld = WIDEST,
                                          .V = l->V,
                                          .U = l->U,
                                          .R = l->R,
                                          .V_rate = l->V_rate}));
    for (size_t k = 0; k < l->count; k++)
        for (size_t o = 0; o < outputs; o++)
            dq[(l->first + k) * outputs + o] = l->R[o * WIDEST + k];
    return TANSY_OK;
}

/* All columns, as many at once as the lanes hold. */
static tansy_status run_columns(const struct tansy_model *m, const struct spot *s,
                                const tansy_columns *columns, struct lanes *l, double *dq)
{
    for (; l->first < columns->ns; l->first += WIDEST) {
        size_t const rest = columns->ns - l->first;
        l->count = rest < WIDEST ? rest : WIDEST;
        TRY(run_lanes(m, s, l, columns, dq));
    }
    return TANSY_OK;
}

/* dQ/dt at the point; exported C leaves it out where it is zero. */
static tansy_status run_times(const struct tansy_model *m, const struct spot *s, double *dqdt)
{
    const struct leaves *const at = &s->at;
    const tansy_exported *const about = m->loaded.about;
    if (m->loaded.object)
        return about->output_times && about->output_times(at->t, at->y, at->rate, at->p, dqdt, NULL)
                   ? TANSY_OUT_OF_MEMORY
                   : TANSY_OK;
    const struct program *const code = model_output_times(m);
    double *const work = code ? heap_take(program_work(code) * sizeof *work) : NULL;
    if (!work) return TANSY_OUT_OF_MEMORY;
    program_run(code, at, work, dqdt);
    heap_return(work);
    return TANSY_OK;
}

static bool any_moves(const tansy_columns *columns)
{
    bool any = false;
    for (size_t k = 0; k < columns->ns && columns->direction_t; k++)
        any = any || columns->direction_t[k] != 0;
    return any;
}

/* dq += Q_t dt/dp of the columns whose time moves. */
static tansy_status add_times(const struct tansy_model *m, const struct spot *s,
                              const tansy_columns *columns, double *dq)
{
    size_t const outputs = m->system.output.count;
    if (!any_moves(columns)) return TANSY_OK;
    double *const dqdt = heap_take(outputs * sizeof *dqdt);
    tansy_status const status = dqdt ? run_times(m, s, dqdt) : TANSY_OUT_OF_MEMORY;
    for (size_t k = 0; k < columns->ns && status == TANSY_OK; k++)
        for (size_t o = 0; o < outputs && columns->direction_t[k] != 0; o++)
            dq[k * outputs + o] += dqdt[o] * columns->direction_t[k];
    heap_return(dqdt);
    return status;
}

tansy_status tansy_model_output_columns_at(const tansy_model *m, const tansy_point *at,
                                           const tansy_columns *columns, double *dq)
{
    struct spot s = {.block = NULL};
    if (!m || m->diagnosis.status < 0) return TANSY_BAD_CALL;
    size_t const n = m->system.state.count, np = m->system.parameter.count;
    size_t const outputs = m->system.output.count, rates = m->outputs.has_rates ? n : 0;
    if (outputs == 0) return TANSY_OK;
    if (rates && !columns->sensp) return TANSY_BAD_CALL;
    tansy_status status = spot_open(m, at, &s);
    double *const block = heap_take((n + np + outputs + rates) * WIDEST * sizeof *block);
    if (!block) status = TANSY_OUT_OF_MEMORY;
    if (status == TANSY_OK) {
        struct lanes l = {.V = block, .U = block + n * WIDEST, .R = block + (n + np) * WIDEST};
        if (rates) l.V_rate = l.R + outputs * WIDEST;
        status = run_columns(m, &s, columns, &l, dq);
    }
    if (status == TANSY_OK) status = add_times(m, &s, columns, dq);
    if (status == TANSY_OK) status = corners_of_outputs(m, at, columns, NULL, dq);
    if (status == TANSY_OK) status = leave_out(m, &s, columns->ns, dq);
    heap_return(block);
    heap_return(s.block);
    return status;
}

tansy_status tansy_model_output_columns(const tansy_model *m, double t, int side, const double *y,
                                        const double *p, const tansy_columns *columns, double *dq)
{
    return tansy_model_output_columns_at(m, &(tansy_point){.t = t, .side = side, .y = y, .p = p},
                                         columns, dq);
}
