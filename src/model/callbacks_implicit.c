/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of tansy_problem for a compiled implicit model, F(t, y, y', p) = 0. */
#include "model/callbacks.h"

static struct setting prepare(void *context, double t, const double *y, const double *yp,
                              const double *p)
{
    struct setting s = setting_prepare(context, t, y, p);
    s.at.rate = yp;
    return s;
}

static int run_residual(double t, const double *y, const double *yp, const double *p, double *F,
                        void *context)
{
    struct setting const s = prepare(context, t, y, yp, p);
    program_run(s.m->code.rhs, &s.at, s.work, F);
    return 0;
}

static int run_residual_jacobian(double t, const double *y, const double *yp, const double *p,
                                 double *J, void *context)
{
    struct setting const s = prepare(context, t, y, yp, p);
    program_run(s.m->code.jacobian, &s.at, s.work, J);
    return 0;
}

static int run_rate_jacobian(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    struct setting const s = prepare(context, t, y, yp, p);
    program_run(s.m->code.rate_jacobian, &s.at, s.work, J);
    return 0;
}

static int run_residual_parameter(double t, const double *y, const double *yp, const double *p,
                                  double *F, void *context)
{
    struct setting const s = prepare(context, t, y, yp, p);
    program_run(s.m->code.parameter, &s.at, s.work, F);
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int run_residual_tangent(double t, const double *y, const double *yp, const double *p,
                                size_t columns, size_t ld, const double *V, const double *V_rate,
                                const double *U, double *R, void *context)
{
    struct setting const s = prepare(context, t, y, yp, p);
    setting_run_tangent(
        &s, context,
        (struct lane_panels){
            .columns = columns, .ld = ld, .V = V, .U = U, .R = R, .V_rate = V_rate});
    return 0;
}

static int run_constraint(double t, const double *y, const double *yp, const double *p, double *R,
                          void *context)
{
    struct setting const s = prepare(context, t, y, yp, p);
    program_run(s.m->code.constraint, &s.at, s.work, R);
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int run_constraint_tangent(double t, const double *y, const double *yp, const double *p,
                                  size_t columns, size_t ld, const double *V, const double *V_rate,
                                  const double *U, double *R, void *context)
{
    struct setting const s = prepare(context, t, y, yp, p);
    lane_asked_run(s.m->code.constraint_tangent, &s.at,
                   &(struct lane_panels){
                       .columns = columns, .ld = ld, .V = V, .U = U, .R = R, .V_rate = V_rate},
                   s.work);
    return 0;
}

/* As in callbacks.c. */
static int complete(tansy_problem *problem)
{
    return problem->residual == run_residual ? model_complete(problem) : 0;
}

void model_fill_implicit(const struct tansy_model *m, tansy_problem *problem)
{
    const struct compiled *const c = &m->code;
    problem->residual = run_residual;
    if (c->jacobian) {
        problem->residual_jacobian = run_residual_jacobian;
        problem->rate_jacobian = run_rate_jacobian;
    }
    if (m->parameter.entries > 0) problem->residual_parameter = run_residual_parameter;
    problem->residual_tangent = run_residual_tangent;
    if (c->constraint) {
        problem->constraint_rate = run_constraint;
        problem->constraint_rate_tangent = run_constraint_tangent;
    }
    problem->kind = m->structure.kind;
    problem->vanishing = m->structure.vanishing;
    problem->rate_linear = m->system.form == FORM_LINEARLY_IMPLICIT;
    if (!m->has_constant_mass) return;
    problem->mass_constant = 1;
    problem->complete = complete;
    model_fill_time(m, problem);
}
