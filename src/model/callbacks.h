/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions of tansy_problem need to run a program.  Each thread has a block of its own (tansy_local): the values
   that depend on p alone, computed again when the version of p has changed, then work space. */
#ifndef MODEL_CALLBACKS_H
#define MODEL_CALLBACKS_H

#include "base/arena.h"
#include "model/lane_asked.h"
#include "model/model.h"

/* The front of a thread's block. */
struct scratch {
    size_t version;   /* of the hoisted values; 0: none */
    size_t is_broken; /* not 0: one of them is not finite */
    size_t is_wrong;  /* not 0: the times of a control's grid do not rise with this p */
};

enum { SCRATCH_FRONT = CACHE_LINE / sizeof(double) };

static inline size_t scratch_rounded(size_t doubles)
{
    return (doubles + SCRATCH_FRONT - 1) / SCRATCH_FRONT * SCRATCH_FRONT;
}

struct setting {
    const struct tansy_model *m;
    struct leaves at;
    double *work;
    bool is_broken; /* some value that depends on p alone is not finite */
    bool is_wrong;
};

static inline struct setting setting_prepare(void *context, double t, const double *y,
                                             const double *p)
{
    struct tansy_local *const local = context;
    struct scratch *const front = local->scratch;
    const struct tansy_model *const m = local->context;
    double *const hoisted = (double *)local->scratch + SCRATCH_FRONT;
    struct setting s = {.m = m,
                        .at = {.t = t,
                               .y = y,
                               .p = p,
                               .table = m->system.table.item,
                               .np = m->system.parameter.count,
                               .switches = m->system.watched},
                        .work = hoisted + scratch_rounded(m->code.plan.count)};
    if (front->version != local->version) {
        if (m->code.plan.count > 0) program_run(m->code.plan.program, &s.at, s.work, hoisted);
        front->version = local->version;
        front->is_broken = !lane_asked_all_finite(1, m->code.plan.count, 0, hoisted);
        front->is_wrong = m->code.grid && !model_grid_rises(m, &s.at, s.work);
    }
    s.at.hoisted = hoisted;
    s.is_broken = front->is_broken != 0;
    s.is_wrong = front->is_wrong != 0;
    return s;
}

/* The tangent of f or F. */
static inline void setting_run_tangent(const struct setting *s, const tansy_local *local,
                                       struct lane_panels panels)
{
    bool const may_fail = s->m->code.tangent_may_fail || s->is_broken;
    if (panels.U && panels.U == local->U) {
        panels.moving = local->moving;
        panels.moving_row = local->moving_row;
    }
    (may_fail ? lane_asked_run : lane_program_run)(s->m->code.tangent, &s->at, &panels, s->work);
}

#endif
