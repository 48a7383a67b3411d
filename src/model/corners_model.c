/* SPDX-License-Identifier: Apache-2.0 */
/* Corners of a model's outputs at a point, and of its initial values at p. */
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/callbacks.h"
#include "model/corners.h"

static tansy_status make_enclosure(const struct tansy_model *m, const struct condition *condition,
                                   struct corner_programs *c)
{
    uint32_t *const root = heap_take(c->conditions * sizeof *root);
    if (!root) return TANSY_OUT_OF_MEMORY;
    for (size_t j = 0; j < c->conditions; j++) root[j] = condition[j].node;
    tansy_status status = enclosure_create(m->system.graph, root, c->conditions, &c->enclosure);
    if (status == TANSY_OK && !c->condition)
        status = program_create(m->system.graph, NULL, root, c->conditions, &c->condition);
    heap_return(root);
    return status;
}

/* y0 with frozen conditions, and its tangent. */
static tansy_status make_initial(struct tansy_model *m, const uint32_t *root)
{
    struct system *const system = &m->system;
    struct corner_programs *const c = &m->initial_corners;
    size_t const n = system->state.count;
    struct tangent tangent = {0};
    tansy_status status = program_create(system->graph, NULL, root, n, &c->value);
    if (status == TANSY_OK)
        status =
            differentiate_tangent(system->graph, root, n, n, system->parameter.count, &tangent);
    if (status == TANSY_OK)
        status = lane_program_create(system->graph, NULL, &tangent, &c->tangent);
    tangent_free(&tangent);
    return status;
}

static tansy_status compile_initial(struct tansy_model *m)
{
    struct system *const system = &m->system;
    struct corner_programs *const c = &m->initial_corners;
    c->rows = system->state.count;
    c->conditions = system->start_condition.count;
    if (c->conditions == 0) return TANSY_OK;
    uint32_t *const root = heap_take(c->rows * sizeof *root);
    if (!root) return TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < c->rows; i++) root[i] = system->state.item[i].frozen;
    tansy_status status = make_initial(m, root);
    if (status == TANSY_OK) status = make_enclosure(m, system->start_condition.item, c);
    heap_return(root);
    return status;
}

tansy_status model_compile_corners(struct tansy_model *m)
{
    struct corner_programs *const c = &m->output_corners;
    TRY(compile_initial(m));
    c->rows = m->system.output.count;
    c->conditions = c->rows > 0 ? m->system.condition.count : 0;
    if (c->conditions == 0) return TANSY_OK;
    c->value = m->outputs.value;
    c->tangent = m->outputs.tangent;
    c->condition = m->outputs.conditions;
    return make_enclosure(m, m->system.condition.item, c);
}

void model_corners_free(struct tansy_model *m)
{
    program_free(m->initial_corners.value);
    program_free(m->initial_corners.condition);
    lane_program_free(m->initial_corners.tangent);
    enclosure_free(m->initial_corners.enclosure);
    enclosure_free(m->output_corners.enclosure);
}

/* What a look needs beside its room: a direction, and what it finds. */
static size_t initial_room(const struct tansy_model *m)
{
    size_t const n = m->system.state.count, np = m->system.parameter.count;
    return scratch_rounded(corners_room(&m->initial_corners, n, np)) + scratch_rounded(np) +
           (n * sizeof(struct bend) + sizeof(double) - 1) / sizeof(double);
}

/* The initial value of an algebraic variable is a guess, which S does not depend on. */
static bool is_kept(const struct tansy_model *m, size_t i)
{
    return !m->structure.kind || m->structure.kind[i] == TANSY_DIFFERENTIAL;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int find_initial(double t0, const double *p, size_t entries, const size_t *index,
                        const double *value, tansy_corner *corner, double *column, void *context)
{
    const struct tansy_local *const local = context;
    const struct tansy_model *const m = local->context;
    const struct system *const system = &m->system;
    const struct corner_programs *const c = &m->initial_corners;
    size_t const n = system->state.count, np = system->parameter.count;
    double *const room = (double *)local->scratch + SCRATCH_FRONT +
                         scratch_rounded(m->code.plan.count) + scratch_rounded(m->code.work);
    double *const u = room + scratch_rounded(corners_room(c, n, np));
    struct bend *const bend = (struct bend *)(u + scratch_rounded(np));
    struct corner_look const look = {
        .at = {.t = t0, .p = p, .np = np, .switches = c->conditions}, .beside = t0, .n = n, .u = u};
    memset(u, 0, np * sizeof *u);
    for (size_t e = 0; e < entries; e++) u[index[e]] = value[e];
    if (!corners_stand(c, &look, room) || !corners_find(c, &look, room, bend, column)) return 0;
    corner->stands = 1;
    for (size_t i = 0; i < n; i++) {
        if (bend[i].kind == BEND_NONE || !is_kept(m, i)) continue;
        if (corner->condition)
            corner->more++;
        else
            *corner = (tansy_corner){
                .condition = m->condition_name[system->condition.count + bend[i].condition],
                .row = i,
                .jumps = bend[i].kind == BEND_JUMP,
                .stands = 1};
    }
    return 0;
}

void model_fill_corners(const struct tansy_model *m, tansy_problem *problem)
{
    if (m->initial_corners.conditions == 0) return;
    size_t const before =
        SCRATCH_FRONT + scratch_rounded(m->code.plan.count) + scratch_rounded(m->code.work);
    size_t const bytes = (before + initial_room(m)) * sizeof(double);
    if (problem->scratch < bytes) problem->scratch = bytes;
    problem->initial_corner = find_initial;
}

/* What is found of the outputs, slope[rows] besides, and where it goes. */
struct findings {
    struct bend *bend;
    double *slope;
    tansy_corner *corner;
    double *dq;
};

static void note_column(const struct tansy_model *m, size_t k, const struct findings *f)
{
    size_t const outputs = m->output_corners.rows;
    if (f->dq) memcpy(f->dq + k * outputs, f->slope, outputs * sizeof *f->dq);
    for (size_t o = 0; o < outputs && f->corner; o++)
        if (f->bend[o].kind != BEND_NONE && !f->corner[o].condition)
            f->corner[o] = (tansy_corner){.condition = m->condition_name[f->bend[o].condition],
                                          .row = o,
                                          .column = k,
                                          .jumps = f->bend[o].kind == BEND_JUMP,
                                          .stands = 1};
}

/* All columns of the outputs at a point; u of the look is zero.  An output keeps the first corner found. */
static void look_along(const struct tansy_model *m, struct corner_look *look,
                       const tansy_columns *columns, double *room, const struct findings *f)
{
    const double *const none = look->u;
    size_t const n = look->n, np = look->at.np;
    bool const stands = corners_stand(&m->output_corners, look, room);
    for (size_t k = 0; k < columns->ns && stands; k++) {
        look->s = columns->sens + k * n;
        look->s_rate = m->outputs.has_rates ? columns->sensp + k * n : NULL;
        look->u = columns->direction_p ? columns->direction_p + k * np : none;
        look->tau = look->time ? columns->direction_t[k] : 0;
        if (corners_find(&m->output_corners, look, room, f->bend, f->slope)) note_column(m, k, f);
    }
}

/* As corners_of_outputs, of a model with conditions; `time` where the time of some column moves. */
static tansy_status find_corners(const struct tansy_model *m, const tansy_point *at,
                                 const tansy_columns *columns, const struct program *time,
                                 struct findings f)
{
    const struct system *const system = &m->system;
    const struct corner_programs *const c = &m->output_corners;
    size_t const n = system->state.count, np = system->parameter.count;
    size_t const own = corners_room(c, n, np);
    size_t const of_time = time ? scratch_rounded(program_work(time) + c->rows) : 0;
    double *const room = heap_take((of_time + own + np + c->rows) * sizeof *room);
    f.bend = heap_take(c->rows * sizeof *f.bend);
    if (room && f.bend) {
        double *const rest = room + of_time;
        struct corner_look look = {.at = {.t = at->t,
                                          .y = at->y,
                                          .rate = at->yp,
                                          .p = at->p,
                                          .table = system->table.item,
                                          .np = np,
                                          .switches = c->conditions},
                                   .beside = model_beside(m, at),
                                   .piece = model_piece(m, at),
                                   .n = n,
                                   .u = rest + own,
                                   .time = time,
                                   .time_room = room};
        f.slope = rest + own + np;
        look_along(m, &look, columns, rest, &f);
    }
    heap_return(room);
    heap_return(f.bend);
    return room && f.bend ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

tansy_status corners_of_outputs(const struct tansy_model *m, const tansy_point *at,
                                const tansy_columns *columns, tansy_corner *corner, double *dq)
{
    if (m->output_corners.conditions == 0) return TANSY_OK;
    const struct program *const time = columns->direction_t ? model_output_times(m) : NULL;
    if (columns->direction_t && !time) return TANSY_OUT_OF_MEMORY;
    return find_corners(m, at, columns, time, (struct findings){.corner = corner, .dq = dq});
}

tansy_status tansy_model_output_corners(const tansy_model *m, const tansy_point *at,
                                        const tansy_columns *columns, tansy_corner *corner)
{
    if (!m || m->diagnosis.status < 0) return TANSY_BAD_CALL;
    for (size_t o = 0; o < m->system.output.count; o++) corner[o] = (tansy_corner){.row = o};
    if (m->output_corners.conditions == 0) return TANSY_OK;
    if (m->outputs.has_rates && (!at->yp || !columns->sensp)) return TANSY_BAD_CALL;
    return corners_of_outputs(m, at, columns, corner, NULL);
}
