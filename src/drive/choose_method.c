/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the method and its formula, and says what does not go together. */
#include "drive/choose.h"

#include <math.h>

static const struct method *const multistep[] = {
    [TANSY_ADAMS] = &method_adams, [TANSY_BDF] = &method_bdf, [TANSY_DASSL] = &method_dassl};

static const struct method *const one_step[] = {
    [TANSY_DOP853] = &method_dop853,   [TANSY_DOPRI8] = &method_dopri8,
    [TANSY_RODAS5P] = &method_rodas5p, [TANSY_RODAS4] = &method_rodas4,
    [TANSY_GRK4A] = &method_grk4a,     [TANSY_GRK4T] = &method_grk4t};

static bool is_one_step(tansy_method method)
{
    return method == TANSY_RK8 || method == TANSY_ROSENBROCK || method == TANSY_LIMEX;
}

static tansy_status refuse(struct tansy_solver *s, const char *why)
{
    return message_set(&s->message, TANSY_BAD_OPTION, "%s", why);
}

/* The form of the problem must be one that the method solves. */
static tansy_status check_form(struct tansy_solver *s, tansy_method method)
{
    bool const implicit = s->derive.form != FORM_ODE;
    if (implicit && method == TANSY_ADAMS)
        return refuse(s, "adams is for y' = f only: choose dassl for an implicit problem");
    if (implicit && method == TANSY_RK8)
        return refuse(s, "rk8 is for y' = f only: choose dassl or, for B y' = f, rosenbrock");
    const tansy_problem *const q = &s->problem;
    bool const varies = q->residual || q->mass_varies || q->mass_tangent;
    bool const linear = method == TANSY_ROSENBROCK || method == TANSY_LIMEX;
    if (method == TANSY_LIMEX && q->residual && !q->mass_constant && !q->rate_linear)
        return refuse(s,
                      "limex is for y' = f and for B(t, y, p) y' = f: given by .rhs and .mass, or "
                      "as F = 0 that is linear in y' (.rate_linear, which models find out): choose "
                      "dassl");
    if (method == TANSY_ROSENBROCK && implicit && varies && !q->mass_constant)
        return refuse(s,
                      "rosenbrock is for y' = f and for B y' = f with B that depends on p at most "
                      "(.mass_constant): choose limex, which takes B(t, y, p), or dassl");
    for (size_t i = 0; linear && q->kind && i < q->n; i++)
        if (q->kind[i] == TANSY_INDEX_2)
            return refuse(s, "rosenbrock and limex are for problems of index 1: choose dassl for "
                             "index 2");
    return TANSY_OK;
}

static tansy_status choose_formula(struct tansy_solver *s, tansy_method method)
{
    tansy_formula formula = s->options.formula;
    bool const explicit = method == TANSY_RK8;
    if (method == TANSY_LIMEX) {
        const tansy_problem *const q = &s->problem;
        bool const moves = q->residual || (q->mass && (q->mass_varies || q->mass_tangent));
        s->stepper.method = &method_limex;
        s->stepper.stages.mass_varies = moves && !q->mass_constant;
    }
    if (!is_one_step(method) || method == TANSY_LIMEX)
        return formula == TANSY_FORMULA_AUTO
                   ? TANSY_OK
                   : refuse(s, "the option formula is for the methods rk8 and rosenbrock");
    if (formula == TANSY_FORMULA_AUTO) formula = explicit ? TANSY_DOP853 : TANSY_RODAS5P;
    if (explicit != (formula <= TANSY_DOPRI8))
        return refuse(s, explicit ? "the formulas of rk8 are dop853 and dopri8"
                                  : "the formulas of rosenbrock are rodas5p, rodas4, grk4a, grk4t");
    s->stepper.method = one_step[formula];
    if (s->problem.switches > 0 && s->stepper.method->ends_at_output)
        return refuse(s, explicit ? "dopri8 has no dense output to find switching points on: "
                                    "choose the formula dop853"
                                  : "grk4a and grk4t have no dense output to find switching points "
                                    "on: choose the formula rodas5p or rodas4");
    return TANSY_OK;
}

/* How S is had must be a way of the method. */
static tansy_status check_sensitivities(struct tansy_solver *s, tansy_method method)
{
    tansy_sensitivities const way = s->options.sensitivities;
    bool const tangents = way == TANSY_TANGENT || way == TANSY_DIFFERENCE;
    bool const any = way == TANSY_SENSITIVITIES_AUTO || way == TANSY_NONE;
    if (method == TANSY_LIMEX && (way == TANSY_DIRECT || way == TANSY_MEASURED))
        return refuse(
            s, "limex iterates nothing, its columns are solved with the factors of its rows: it "
               "takes sensitivities staggered, simultaneous, tangent or difference");
    if (method == TANSY_LIMEX) return TANSY_OK;
    if (is_one_step(method) && !tangents && !any)
        return refuse(s, "sensitivities simultaneous, staggered, direct and measured are for "
                         "multistep methods (and the first two for limex): rk8 and rosenbrock "
                         "take tangent or difference");
    if (!is_one_step(method) && tangents)
        return refuse(s, "sensitivities tangent and difference are for rk8, rosenbrock and limex: "
                         "multistep methods take simultaneous, staggered, direct or measured");
    return TANSY_OK;
}

/* Steps of the state in one of the columns: as many as make their ratio of tolerances, k = (delta_S/delta)^(1/p) (Franz and Kiehl
   2.4), with the smallest tolerances of each. */
static int count_substeps(const struct tansy_solver *s)
{
    const tansy_options *const o = &s->options;
    const struct method *const method = s->stepper.method;
    double state = o->rtol_state ? HUGE_VAL : o->rtol > 0 ? o->rtol : 1e-6, columns = HUGE_VAL;
    if (s->ns == 0) return 1;
    if (o->substeps >= 0) return o->substeps;
    for (size_t x = 0; o->rtol_sens && x < s->ns * s->n; x++)
        if (o->rtol_sens[x] > 0 && o->rtol_sens[x] < columns) columns = o->rtol_sens[x];
    for (size_t i = 0; o->rtol_state && i < s->n; i++)
        if (o->rtol_state[i] > 0) state = fmin(state, o->rtol_state[i]);
    for (size_t k = 0; o->rtol_column && k < s->ns; k++)
        columns = fmin(columns, o->rtol_column[k] > 0 ? o->rtol_column[k] : state);
    if (isinf(columns) || columns <= state) return 1;
    return (int)fmin(ceil(pow(columns / state, 1.0 / (method->max_order + method->gain))), 100);
}

/* There may be columns of index 2 kind, for which dassl is the method (consistent_held.c): coefficients of a derivative depend on p, and a parameter is 0.  Where they vanish otherwise, a - b with
   a = b, the report tells. */
static bool rates_may_vanish(const tansy_problem *q)
{
    bool const varies = q->residual || q->mass_varies || q->mass_tangent;
    size_t j = 0, k = 0;
    if (!q->vanishing) return varies && !q->kind;
    while (j < q->n && !q->vanishing[j]) j++;
    while (k < q->np && q->p[k] != 0) k++;
    return j < q->n && k < q->np;
}

/* B y' = f with constant B, index 1 and few equations: at the same rtol errors of S are 1/4 to 1/32 of dassl's in the median, for twice its time (docs/dae.md, bench implicit_default).
   Second derivatives by differences of differences would not do. */
static bool suits_rosenbrock(const struct tansy_solver *s)
{
    enum {
        LARGE = 200
    }; /* networks and grids: steps that need no new factors are worth more there */
    const tansy_problem *const q = &s->problem;
    const tansy_options *const o = &s->options;
    bool const constant = q->mass_constant || !(q->residual || q->mass_varies || q->mass_tangent);
    bool const exact = s->ns == 0 || q->second || q->complete || derive_gives_tangent(q);
    bool const plain =
        o->sensitivities == TANSY_SENSITIVITIES_AUTO || o->sensitivities == TANSY_NONE;
    if (s->n >= LARGE || !constant || !exact || !plain || rates_may_vanish(q)) return false;
    for (size_t i = 0; q->kind && i < q->n; i++)
        if (q->kind[i] == TANSY_INDEX_2) return false;
    return o->max_order == 0 && o->linear_solver != TANSY_GMRES;
}

static tansy_method choose_for(const struct tansy_solver *s)
{
    if (s->options.method != TANSY_METHOD_AUTO) return s->options.method;
    if (s->derive.form == FORM_ODE) return TANSY_BDF;
    return suits_rosenbrock(s) ? TANSY_ROSENBROCK : TANSY_DASSL;
}

tansy_status choose_method(struct tansy_solver *s)
{
    tansy_method const method = choose_for(s);
    TRY(check_form(s, method));
    TRY(check_sensitivities(s, method));
    if (!is_one_step(method)) s->stepper.method = multistep[method];
    TRY(choose_formula(s, method));
    bool const refines = method == TANSY_RK8 || method == TANSY_ROSENBROCK;
    if (!refines && s->options.substeps != 0)
        return refuse(s, "the option substeps is for the methods rk8 and rosenbrock");
    if (refines) s->stepper.stages.substeps = count_substeps(s);
    s->stepper.stages.refinement.adapts = s->options.substeps < 0;
    if (method != TANSY_LIMEX && s->options.sparsing > 0)
        return refuse(s,
                      "the option sparsing is for the method limex, whose order does not depend on "
                      "its matrix");
    if (s->stepper.stages.substeps > 1 && s->problem.switches > 0)
        return refuse(s, "substeps leave no dense output to find switching points on: set it to 0");
    struct stepper *const st = &s->stepper;
    if (refines && s->options.max_order > 0)
        return refuse(s, "max_order is for multistep methods and limex: choose a formula instead");
    st->max_order = s->options.max_order ? s->options.max_order : st->method->max_order;
    if (st->max_order > st->method->max_order)
        return message_set(
            &s->message, TANSY_BAD_OPTION, "max_order = %d: %s goes up to order %d%s",
            st->max_order, st->method->name, st->method->max_order,
            st->method->gain > 0 ? " of its error estimate, one below its solution's" : "");
    return TANSY_OK;
}
