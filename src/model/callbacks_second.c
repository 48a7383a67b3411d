/* SPDX-License-Identifier: Apache-2.0 */
/* Second derivatives and df/dt of a compiled model, of F where it is implicit, as functions of tansy_problem.  They are compiled when a solver first asks for
   them, once for all solvers on all threads: others spend nothing on them. */
#include "model/callbacks.h"

#include <string.h>

static size_t rates_room(const struct tansy_model *m)
{
    return model_is_explicit(m) ? 0 : scratch_rounded(m->system.state.count);
}

/* What they need of a thread's block, after all else: a front of its own, the values that depend on p alone, v and tau, zeros for y'
   of an implicit model, which does not matter, work space. */
static size_t own_scratch(const struct tansy_model *m)
{
    const struct second_derivatives *const s = &m->second.code;
    return SCRATCH_FRONT + scratch_rounded(s->plan.count) +
           scratch_rounded(m->system.state.count + 1) + rates_room(m) + s->work;
}

/* The vector (v, tau) is to be filled. */
static struct setting prepare(void *context, double t, const double *y, const double *p,
                              double **vector)
{
    struct tansy_local *const local = context;
    const struct tansy_model *const m = local->context;
    const struct second_derivatives *const code = &m->second.code;
    struct scratch *const front = (void *)((char *)local->scratch + m->second.offset);
    double *const hoisted = (double *)(void *)front + SCRATCH_FRONT;
    *vector = hoisted + scratch_rounded(code->plan.count);
    double *const rate = *vector + scratch_rounded(m->system.state.count + 1);
    struct setting s = {.m = m,
                        .at = {.t = t,
                               .y = y,
                               .rate = rate,
                               .vector = *vector,
                               .p = p,
                               .table = m->system.table.item,
                               .np = m->system.parameter.count,
                               .switches = m->system.watched},
                        .work = rate + rates_room(m)};
    if (front->version != local->version) {
        if (code->plan.count > 0) program_run(code->plan.program, &s.at, s.work, hoisted);
        front->version = local->version;
        front->is_broken = !lane_asked_all_finite(1, code->plan.count, 0, hoisted);
    }
    s.at.hoisted = hoisted;
    s.is_broken = front->is_broken != 0;
    return s;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int run_second(double t, const double *y, const double *p, const double *v, double tau,
                      size_t columns, size_t ld, const double *V, const double *U, double *R,
                      void *context)
{
    double *vector = NULL;
    struct setting const s = prepare(context, t, y, p, &vector);
    const struct second_derivatives *const code = &s.m->second.code;
    size_t const n = s.m->system.state.count;
    memcpy(vector, v, n * sizeof *v);
    vector[n] = tau;
    (code->may_fail || s.is_broken ? lane_asked_run : lane_program_run)(
        code->along, &s.at,
        &(struct lane_panels){.columns = columns, .ld = ld, .V = V, .U = U, .R = R}, s.work);
    return 0;
}

static int run_time(double t, const double *y, const double *p, double *ft, void *context)
{
    double *vector = NULL;
    struct setting const s = prepare(context, t, y, p, &vector);
    program_run(s.m->second.code.time, &s.at, s.work, ft);
    return 0;
}

static tansy_status compile_once(struct tansy_model *m)
{
    struct lazy_second *const lazy = &m->second;
    tansy_problem whole;
    (void)pthread_mutex_lock(&lazy->lock);
    tansy_status const status = lazy->is_there ? TANSY_OK : model_compile_second(m, &lazy->code);
    if (status != TANSY_OK) {
        second_derivatives_free(&lazy->code);
    } else if (!lazy->is_there) {
        (void)tansy_model_problem(m, &whole);
        lazy->offset = (whole.scratch + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
        lazy->is_there = true;
    }
    (void)pthread_mutex_unlock(&lazy->lock);
    return status;
}

int model_complete(tansy_problem *problem)
{
    struct tansy_model *const m = problem->context;
    if (compile_once(m) != TANSY_OK) return -1;
    size_t const scratch = m->second.offset + own_scratch(m) * sizeof(double);
    if (problem->scratch < scratch) problem->scratch = scratch;
    problem->second = run_second;
    problem->time_derivative = run_time;
    return 0;
}

void model_fill_time(const struct tansy_model *m, tansy_problem *problem)
{
    uint32_t const moving = 1u << OP_TIME | 1u << OP_INPUT | 1u << OP_INPUT_SLOPE;
    problem->autonomous = m->system.break_time.count == 0;
    for (size_t i = 0; i < m->system.state.count; i++)
        if (graph_leaves(m->system.graph, model_function(m)[i]) & moving) problem->autonomous = 0;
}
