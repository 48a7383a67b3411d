/* SPDX-License-Identifier: Apache-2.0 */
/* The outputs of a model as derived quantities of its problem.  Conditions of the equations stand as the solver has them;
   those that only outputs use are taken as they stand at the point, those on time on the side from which the run comes: values
   at a grid time of the outputs alone are limits like all others. */
#include <math.h>
#include <string.h>

#include "model/callbacks.h"

/* A thread's block goes on after the work space: p with all conditions and the piece, then g, then Q. */
static struct setting prepare(void *context, double t, const double *y, const double *yp,
                              const double *p)
{
    struct tansy_local *const local = context;
    const struct tansy_model *const m = local->context;
    const struct system *const system = &m->system;
    size_t const np = system->parameter.count, conditions = system->condition.count;
    double *const hoisted = (double *)local->scratch + SCRATCH_FRONT;
    double *const work = hoisted + scratch_rounded(m->code.plan.count);
    double *const own = work + scratch_rounded(m->code.work), *const hold = own + np;
    bool const has_modes = system->watched > 0 || system->break_time.count > 0;
    struct setting s = {
        .m = m,
        .at = {.t = model_beside(m, &(tansy_point){.t = t, .side = model_side(m, t)}),
               .y = y,
               .rate = yp,
               .p = own,
               .table = system->table.item,
               .np = np,
               .switches = conditions},
        .work = work};
    if (np > 0) memcpy(own, p, np * sizeof *own);
    memset(hold, 0, (conditions + 1) * sizeof *hold);
    if (has_modes) {
        memcpy(hold, p + np, system->watched * sizeof *hold);
        hold[conditions] = p[np + system->watched];
    }
    model_settle(m, system->watched, &s.at, hold, hold + conditions + 1, work);
    s.at.t = t;
    return s;
}

static int run_derived(double t, const double *y, const double *yp, const double *p, double *Q,
                       void *context)
{
    struct setting const s = prepare(context, t, y, yp, p);
    program_run(s.m->outputs.value, &s.at, s.work, Q);
    return 0;
}

/* Where an output has no value, since that of a condition is missing, it has no columns. */
static void leave_out(const struct setting *s, size_t columns, size_t ld, double *R)
{
    const struct system *const system = &s->m->system;
    size_t const np = system->parameter.count, conditions = system->condition.count;
    if (conditions == 0) return;
    double *const Q = (double *)s->at.p + np + 2 * conditions + 1; /* of the thread's block */
    program_run(s->m->outputs.value, &s->at, s->work, Q);
    for (size_t o = 0; o < system->output.count; o++)
        for (size_t k = 0; k < columns && isnan(Q[o]); k++) R[o * ld + k] = (double)NAN;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int run_derived_tangent(double t, const double *y, const double *yp, const double *p,
                               size_t columns, size_t ld, const double *V, const double *V_rate,
                               const double *U, double *R, void *context)
{
    struct setting const s = prepare(context, t, y, yp, p);
    lane_asked_run(s.m->outputs.tangent, &s.at,
                   &(struct lane_panels){
                       .columns = columns, .ld = ld, .V = V, .U = U, .R = R, .V_rate = V_rate},
                   s.work);
    leave_out(&s, columns, ld, R);
    return 0;
}

void model_fill_derived(const struct tansy_model *m, tansy_problem *problem)
{
    const struct system *const system = &m->system;
    size_t const own =
        system->parameter.count + 2 * system->condition.count + 1 + system->output.count;
    if (system->output.count == 0) return;
    problem->nq = system->output.count;
    problem->derived = run_derived;
    problem->derived_tangent = run_derived_tangent;
    problem->scratch += (own + SCRATCH_FRONT) * sizeof(double);
}
