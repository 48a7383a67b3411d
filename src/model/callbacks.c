/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of tansy_problem for a compiled model.  Each thread has a block of its own (tansy_local): the values that
   depend on p alone, computed again when the version of p has changed, then work space. */
#include "base/arena.h"
#include "model/lane_asked.h"
#include "model/model.h"

/* The front of a thread's block. */
struct scratch {
    size_t version;   /* of the hoisted values; 0: none */
    size_t is_broken; /* not 0: one of them is not finite */
};

enum { FRONT = CACHE_LINE / sizeof(double) };

static size_t rounded(size_t doubles)
{
    return (doubles + FRONT - 1) / FRONT * FRONT;
}

/* What the functions need to run a program. */
struct setting {
    const struct tansy_model *m;
    struct leaves at;
    double *work;
    bool is_broken; /* some value that depends on p alone is not finite */
};

static struct setting prepare(void *context, double t, const double *y, const double *p)
{
    struct tansy_local *const local = context;
    struct scratch *const front = local->scratch;
    const struct tansy_model *const m = local->context;
    double *const hoisted = (double *)local->scratch + FRONT;
    struct setting s = {.m = m,
                        .at = {.t = t,
                               .y = y,
                               .p = p,
                               .table = m->system.table.item,
                               .np = m->system.parameter.count,
                               .switches = m->system.watched},
                        .work = hoisted + rounded(m->code.plan.count)};
    if (front->version != local->version) {
        if (m->code.plan.count > 0) program_run(m->code.plan.program, &s.at, s.work, hoisted);
        front->version = local->version;
        front->is_broken = !lane_asked_all_finite(1, m->code.plan.count, 0, hoisted);
    }
    s.at.hoisted = hoisted;
    s.is_broken = front->is_broken != 0;
    return s;
}

static int run_rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct setting const s = prepare(context, t, y, p);
    program_run(s.m->code.rhs, &s.at, s.work, f);
    return 0;
}

static int run_jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    struct setting const s = prepare(context, t, y, p);
    program_run(s.m->code.jacobian, &s.at, s.work, J);
    return 0;
}

static int run_parameter(double t, const double *y, const double *p, double *F, void *context)
{
    struct setting const s = prepare(context, t, y, p);
    program_run(s.m->code.parameter, &s.at, s.work, F);
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int run_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                       const double *V, const double *U, double *R, void *context)
{
    struct setting const s = prepare(context, t, y, p);
    bool const may_fail = s.m->code.tangent_may_fail || s.is_broken;
    (may_fail ? lane_asked_run : lane_program_run)(
        s.m->code.tangent, &s.at, &(struct lane_panels){columns, ld, V, U, R}, s.work);
    return 0;
}

static int run_switches(double t, const double *y, const double *p, double *g, void *context)
{
    struct setting const s = prepare(context, t, y, p);
    program_run(s.m->code.switches, &s.at, s.work, g);
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int run_switch_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                              const double *V, const double *U, double *gt, double *G,
                              void *context)
{
    struct setting const s = prepare(context, t, y, p);
    program_run(s.m->code.switches_t, &s.at, s.work, gt);
    lane_asked_run(s.m->code.switch_tangent, &s.at, &(struct lane_panels){columns, ld, V, U, G},
                   s.work);
    return 0;
}

static int run_switch_range(const tansy_box *box, const double *p, const tansy_bounds *bounds,
                            void *context)
{
    struct setting const s = prepare(context, box->t_low, NULL, p);
    enclosure_run(s.m->code.enclosure, &s.at, box, s.work, bounds);
    return 0;
}

static int run_initial(double t0, const double *p, double *y0, void *context)
{
    struct setting const s = prepare(context, t0, NULL, p);
    program_run(s.m->code.initial, &s.at, s.work, y0);
    return 0;
}

static int run_initial_jacobian(double t0, const double *p, double *D, void *context)
{
    struct setting const s = prepare(context, t0, NULL, p);
    program_run(s.m->code.initial_jacobian, &s.at, s.work, D);
    return 0;
}

void model_fill_functions(const struct tansy_model *m, tansy_problem *problem)
{
    const struct compiled *const c = &m->code;
    problem->context = (void *)m;
    problem->scratch = (FRONT + rounded(c->plan.count) + c->work) * sizeof(double);
    problem->rhs = run_rhs;
    if (c->jacobian) problem->jacobian = run_jacobian;
    problem->structure = m->banded ? TANSY_BANDED : TANSY_DENSE;
    problem->lower = m->banded ? m->lower : 0;
    problem->upper = m->banded ? m->upper : 0;
    problem->tangent = run_tangent;
    problem->initial = run_initial;
    if (c->initial_jacobian) problem->initial_jacobian = run_initial_jacobian;
    if (m->parameter.entries > 0) {
        problem->parameter_jacobian = run_parameter;
        problem->parameter_pattern =
            (tansy_pattern){.entries = m->parameter.entries, .row = c->row, .column = c->column};
    }
    problem->switches = m->system.watched;
    if (m->system.watched > 0) {
        problem->switch_function = run_switches;
        problem->switch_tangent = run_switch_tangent;
        problem->switch_range = run_switch_range;
    }
    problem->breaks = m->system.break_time.count;
    problem->break_times = m->system.break_time.item;
    problem->concurrent = 1;
    problem->from_model = 1;
    /* Measured costs of a term, an entry of df/dy and one of df/dp: bench/model_engine_bench.c. */
    problem->prefer_matrix =
        c->jacobian && 34 * m->tangent_terms >= 47 * m->jacobian.entries + 9 * m->parameter.entries;
}
