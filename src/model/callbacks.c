/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of tansy_problem for a compiled model. */
#include "model/callbacks.h"

static int run_rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct setting const s = setting_prepare(context, t, y, p);
    program_run(s.m->code.rhs, &s.at, s.work, f);
    return 0;
}

static int run_jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    struct setting const s = setting_prepare(context, t, y, p);
    program_run(s.m->code.jacobian, &s.at, s.work, J);
    return 0;
}

static int run_parameter(double t, const double *y, const double *p, double *F, void *context)
{
    struct setting const s = setting_prepare(context, t, y, p);
    program_run(s.m->code.parameter, &s.at, s.work, F);
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int run_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                       const double *V, const double *U, double *R, void *context)
{
    struct setting const s = setting_prepare(context, t, y, p);
    setting_run_tangent(&s, context,
                        (struct lane_panels){.columns = columns, .ld = ld, .V = V, .U = U, .R = R});
    return 0;
}

static int run_switches(double t, const double *y, const double *p, double *g, void *context)
{
    struct setting const s = setting_prepare(context, t, y, p);
    program_run(s.m->code.switches, &s.at, s.work, g);
    return s.is_wrong ? -1 : 0; /* tansy_model_check_times() tells why */
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int run_switch_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                              const double *V, const double *U, double *gt, double *G,
                              void *context)
{
    struct setting const s = setting_prepare(context, t, y, p);
    program_run(s.m->code.switches_t, &s.at, s.work, gt);
    lane_asked_run(s.m->code.switch_tangent, &s.at,
                   &(struct lane_panels){.columns = columns, .ld = ld, .V = V, .U = U, .R = G},
                   s.work);
    return 0;
}

static int run_switch_range(const tansy_box *box, const double *p, const tansy_bounds *bounds,
                            void *context)
{
    struct setting const s = setting_prepare(context, box->t_low, NULL, p);
    enclosure_run(s.m->code.enclosure, &s.at, box, s.work, bounds);
    return 0;
}

static int run_time_range(size_t term, double t_low, double t_high, const double *p,
                          tansy_time_bounds *bounds, void *context)
{
    struct setting const s = setting_prepare(context, t_low, NULL, p);
    tansy_box const box = {.t_low = t_low, .t_high = t_high};
    tansy_bounds const of_term = {&bounds->low, &bounds->high, &bounds->rate_low,
                                  &bounds->rate_high};
    enclosure_run(s.m->code.time_terms.term[term], &s.at, &box, s.work, &of_term);
    return 0;
}

static int run_initial(double t0, const double *p, double *y0, void *context)
{
    struct setting const s = setting_prepare(context, t0, NULL, p);
    program_run(s.m->code.initial, &s.at, s.work, y0);
    return s.is_wrong ? -1 : 0;
}

static int run_initial_jacobian(double t0, const double *p, double *D, void *context)
{
    struct setting const s = setting_prepare(context, t0, NULL, p);
    program_run(s.m->code.initial_jacobian, &s.at, s.work, D);
    return 0;
}

/* Someone may have put functions of his own around those of the model: then the context is his. */
static int complete(tansy_problem *problem)
{
    return problem->rhs == run_rhs ? model_complete(problem) : 0;
}

static void fill_explicit(const struct tansy_model *m, tansy_problem *problem)
{
    problem->rhs = run_rhs;
    if (m->code.jacobian) problem->jacobian = run_jacobian;
    problem->tangent = run_tangent;
    problem->complete = complete;
    model_fill_time(m, problem);
    if (m->parameter.entries > 0) problem->parameter_jacobian = run_parameter;
}

static void fill_storage(const struct tansy_model *m, tansy_problem *problem)
{
    const struct compiled *const c = &m->code;
    problem->structure = m->storage;
    problem->lower = m->storage == TANSY_BANDED ? m->lower : 0;
    problem->upper = m->storage == TANSY_BANDED ? m->upper : 0;
    if (m->storage == TANSY_SPARSE)
        problem->jacobian_pattern = (tansy_pattern){
            .entries = m->pattern_entries, .row = c->jacobian_row, .column = c->jacobian_column};
    if (m->parameter.entries > 0)
        problem->parameter_pattern =
            (tansy_pattern){.entries = m->parameter.entries, .row = c->row, .column = c->column};
}

void model_fill_functions(const struct tansy_model *m, tansy_problem *problem)
{
    const struct compiled *const c = &m->code;
    problem->context = (void *)m;
    problem->scratch = (SCRATCH_FRONT + scratch_rounded(c->plan.count) + c->work) * sizeof(double);
    if (model_is_explicit(m))
        fill_explicit(m, problem);
    else
        model_fill_implicit(m, problem);
    fill_storage(m, problem);
    problem->initial = run_initial;
    if (c->initial_jacobian) problem->initial_jacobian = run_initial_jacobian;
    problem->switches = m->system.watched;
    if (m->system.watched > 0) {
        problem->switch_function = run_switches;
        problem->switch_tangent = run_switch_tangent;
        problem->switch_range = run_switch_range;
    }
    problem->time_terms = c->time_terms.count;
    if (c->time_terms.count > 0) problem->time_range = run_time_range;
    problem->time_modes = c->time_terms.has_modes;
    problem->breaks = m->system.break_time.count;
    problem->break_times = m->system.break_time.item;
    model_fill_derived(m, problem);
    model_fill_corners(m, problem);
    problem->concurrent = 1;
    problem->from_model = 1;
    for (int k = 0; k < 3; k++) problem->operations[k] = (double)m->operations[k];
    problem->operations[3] = 2 * (double)m->tangent_terms;
    /* Measured costs of a term, an entry of df/dy and one of df/dp: bench/model_engine_bench.c. */
    problem->prefer_matrix =
        c->jacobian && 34 * m->tangent_terms >=
                           47 * (m->jacobian.entries + m->rates.entries) + 9 * m->parameter.entries;
}
