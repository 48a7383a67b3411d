/* SPDX-License-Identifier: Apache-2.0 */
/* The units of states, parameters, time and equations are the user's own business: a model behind callbacks that multiply by powers of
   two, which round nothing, is solved by the same steps to the same bits, with all its sensitivities, in every method and with the
   derivatives that the model gives or by differences. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/accuracy.h"
#include "support/random.h"
#include "test.h"

enum { MOST = 512, MOST_PARAMETERS = 32, POINTS = 3 };

/* y = y_unit Y, p = p_unit P, t = time T; equation i of F = 0 times row_unit. */
struct rewritten {
    tansy_problem inner;
    tansy_local local;
    double y_unit[MOST], row_unit[MOST], p_unit[MOST_PARAMETERS], time;
    double y[MOST], rate[MOST], p[MOST_PARAMETERS];
};

/* The point in the units of the model. */
static void convert(struct rewritten *r, const double *y, const double *rate, const double *p)
{
    for (size_t i = 0; i < r->inner.n; i++) {
        r->y[i] = y[i] * r->y_unit[i];
        if (rate) r->rate[i] = rate[i] * (r->y_unit[i] / r->time);
    }
    for (size_t k = 0; k < r->inner.np; k++) r->p[k] = p[k] * r->p_unit[k];
    r->local.version++;
}

static void *inside(struct rewritten *r)
{
    return r->inner.scratch ? (void *)&r->local : r->inner.context;
}

/* The unit of row i of f in that of Y'; of F its own. */
static double row_factor(const struct rewritten *r, size_t i)
{
    return r->inner.residual ? r->row_unit[i] : r->time / r->y_unit[i];
}

/* Entries of a matrix whose columns have units. */
static void convert_matrix(const struct rewritten *r, double *J, double rate)
{
    size_t const n = r->inner.n, width = r->inner.lower + r->inner.upper + 1;
    const tansy_pattern *const pattern = &r->inner.jacobian_pattern;
    for (size_t e = 0; e < pattern->entries && r->inner.structure == TANSY_SPARSE; e++)
        J[e] *= row_factor(r, pattern->row[e]) * rate * r->y_unit[pattern->column[e]];
    for (size_t i = 0; i < n && r->inner.structure == TANSY_DENSE; i++)
        for (size_t j = 0; j < n; j++) J[i * n + j] *= row_factor(r, i) * rate * r->y_unit[j];
    for (size_t i = 0; i < n && r->inner.structure == TANSY_BANDED; i++)
        for (size_t d = 0; d < width; d++)
            if (i + d >= r->inner.lower && i + d - r->inner.lower < n)
                J[i * width + d] *= row_factor(r, i) * rate * r->y_unit[i + d - r->inner.lower];
}

static void convert_parameters(const struct rewritten *r, double *F)
{
    const tansy_pattern *const pattern = &r->inner.parameter_pattern;
    for (size_t e = 0; e < pattern->entries; e++)
        F[e] *= row_factor(r, pattern->row[e]) * r->p_unit[pattern->column[e]];
    for (size_t e = 0; e < r->inner.n * r->inner.np && !pattern->row; e++)
        F[e] *= row_factor(r, e / r->inner.np) * r->p_unit[e % r->inner.np];
}

/* Rows of a panel times their units. */
static double *in_units(const double *V, size_t rows, size_t columns, size_t ld, const double *unit,
                        double factor)
{
    double *const panel = calloc(rows * ld + 1, sizeof *panel);
    for (size_t i = 0; V && i < rows; i++)
        for (size_t k = 0; k < columns; k++) panel[i * ld + k] = V[i * ld + k] * (unit[i] * factor);
    return panel;
}

static void convert_rows(const struct rewritten *r, size_t columns, size_t ld, double *R)
{
    for (size_t i = 0; i < r->inner.n; i++)
        for (size_t k = 0; k < columns; k++) R[i * ld + k] *= row_factor(r, i);
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct rewritten *const r = context;
    convert(r, y, NULL, p);
    int const code = r->inner.rhs(t * r->time, r->y, r->p, f, inside(r));
    convert_rows(r, 1, 1, f);
    return code;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    struct rewritten *const r = context;
    convert(r, y, NULL, p);
    int const code = r->inner.jacobian(t * r->time, r->y, r->p, J, inside(r));
    convert_matrix(r, J, 1);
    return code;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    struct rewritten *const r = context;
    convert(r, y, NULL, p);
    int const code = r->inner.parameter_jacobian(t * r->time, r->y, r->p, F, inside(r));
    convert_parameters(r, F);
    return code;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    struct rewritten *const r = context;
    convert(r, y, NULL, p);
    double *const v = in_units(V, r->inner.n, columns, ld, r->y_unit, 1);
    double *const u = in_units(U, r->inner.np, columns, ld, r->p_unit, 1);
    int const code = r->inner.tangent(t * r->time, r->y, r->p, columns, ld, v, u, R, inside(r));
    convert_rows(r, columns, ld, R);
    free(v);
    free(u);
    return code;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    struct rewritten *const r = context;
    convert(r, y, yp, p);
    int const code = r->inner.residual(t * r->time, r->y, r->rate, r->p, F, inside(r));
    convert_rows(r, 1, 1, F);
    return code;
}

static int residual_jacobian(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    struct rewritten *const r = context;
    convert(r, y, yp, p);
    int const code = r->inner.residual_jacobian(t * r->time, r->y, r->rate, r->p, J, inside(r));
    convert_matrix(r, J, 1);
    return code;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                         void *context)
{
    struct rewritten *const r = context;
    convert(r, y, yp, p);
    int const code = r->inner.rate_jacobian(t * r->time, r->y, r->rate, r->p, J, inside(r));
    convert_matrix(r, J, 1 / r->time);
    return code;
}

static int residual_parameter(double t, const double *y, const double *yp, const double *p,
                              double *F, void *context)
{
    struct rewritten *const r = context;
    convert(r, y, yp, p);
    int const code = r->inner.residual_parameter(t * r->time, r->y, r->rate, r->p, F, inside(r));
    convert_parameters(r, F);
    return code;
}

/* What a tangent gets and gives. */
struct seeds {
    size_t columns, ld;
    const double *V, *V_rate, *U;
    double *R;
};

/* A tangent of the model's at the point that was converted last. */
static int tangent_by(struct rewritten *r, tansy_residual_tangent *function, double t,
                      const struct seeds *q)
{
    double *const v = in_units(q->V, r->inner.n, q->columns, q->ld, r->y_unit, 1);
    double *const w = in_units(q->V_rate, r->inner.n, q->columns, q->ld, r->y_unit, 1 / r->time);
    double *const u = in_units(q->U, r->inner.np, q->columns, q->ld, r->p_unit, 1);
    int const code =
        function(t * r->time, r->y, r->rate, r->p, q->columns, q->ld, v, w, u, q->R, inside(r));
    convert_rows(r, q->columns, q->ld, q->R);
    free(v);
    free(w);
    free(u);
    return code;
}

static int residual_tangent(double t, const double *y, const double *yp, const double *p,
                            size_t columns, size_t ld, const double *V, const double *V_rate,
                            const double *U, double *R, void *context)
{
    struct rewritten *const r = context;
    convert(r, y, yp, p);
    return tangent_by(r, r->inner.residual_tangent, t,
                      &(struct seeds){columns, ld, V, V_rate, U, R});
}

/* Rows of constraints have units of their own, and are differentiated once. */
static int constraint_rate(double t, const double *y, const double *yp, const double *p, double *F,
                           void *context)
{
    struct rewritten *const r = context;
    convert(r, y, yp, p);
    int const code = r->inner.constraint_rate(t * r->time, r->y, r->rate, r->p, F, inside(r));
    convert_rows(r, 1, 1, F);
    for (size_t i = 0; i < r->inner.n; i++) F[i] *= r->time;
    return code;
}

static int constraint_rate_tangent(double t, const double *y, const double *yp, const double *p,
                                   size_t columns, size_t ld, const double *V, const double *V_rate,
                                   const double *U, double *R, void *context)
{
    struct rewritten *const r = context;
    convert(r, y, yp, p);
    int const code = tangent_by(r, r->inner.constraint_rate_tangent, t,
                                &(struct seeds){columns, ld, V, V_rate, U, R});
    for (size_t i = 0; i < r->inner.n; i++)
        for (size_t k = 0; k < columns; k++) R[i * ld + k] *= r->time;
    return code;
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    struct rewritten *const r = context;
    for (size_t k = 0; k < r->inner.np; k++) r->p[k] = p[k] * r->p_unit[k];
    r->local.version++;
    int const code = r->inner.initial(t0 * r->time, r->p, y0, inside(r));
    for (size_t i = 0; i < r->inner.n; i++) y0[i] /= r->y_unit[i];
    return code;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    struct rewritten *const r = context;
    size_t const np = r->inner.np;
    for (size_t k = 0; k < np; k++) r->p[k] = p[k] * r->p_unit[k];
    r->local.version++;
    int const code = r->inner.initial_jacobian(t0 * r->time, r->p, D, inside(r));
    for (size_t e = 0; e < r->inner.n * np; e++) D[e] *= r->p_unit[e % np] / r->y_unit[e / np];
    return code;
}

/* What a run gives: in the units of the model. */
struct outcome {
    tansy_status status;
    size_t steps;
    double y[POINTS][MOST], sens[POINTS][MOST * MOST_PARAMETERS];
};

static void solve(struct rewritten *r, const tansy_options *options, bool derivatives, double end,
                  struct outcome *outcome)
{
    double p[MOST_PARAMETERS], y0[MOST];
    tansy_problem q = r->inner;
    size_t const n = q.n, np = q.np;
    for (size_t k = 0; k < np; k++) p[k] = q.p[k] / r->p_unit[k];
    for (size_t i = 0; i < n && q.y0; i++) y0[i] = q.y0[i] / r->y_unit[i];
    tansy_problem const written = {
        .n = n,
        .np = np,
        .t0 = q.t0 / r->time,
        .y0 = q.y0 ? y0 : NULL,
        .p = p,
        .context = r,
        .rhs = q.rhs ? rhs : NULL,
        .residual = q.residual ? residual : NULL,
        .initial = q.initial ? initial : NULL,
        .initial_jacobian = q.initial_jacobian ? initial_jacobian : NULL,
        .jacobian = q.jacobian && derivatives ? jacobian : NULL,
        .parameter_jacobian = q.parameter_jacobian && derivatives ? parameter_jacobian : NULL,
        .tangent = q.tangent && derivatives ? tangent : NULL,
        .residual_jacobian = q.residual_jacobian && derivatives ? residual_jacobian : NULL,
        .rate_jacobian = q.rate_jacobian && derivatives ? rate_jacobian : NULL,
        .residual_parameter = q.residual_parameter && derivatives ? residual_parameter : NULL,
        .residual_tangent = q.residual_tangent && derivatives ? residual_tangent : NULL,
        .constraint_rate = q.constraint_rate && derivatives ? constraint_rate : NULL,
        .constraint_rate_tangent =
            q.constraint_rate_tangent && derivatives ? constraint_rate_tangent : NULL,
        .structure = q.structure,
        .lower = q.lower,
        .upper = q.upper,
        .jacobian_pattern = q.jacobian_pattern,
        .parameter_pattern = derivatives ? q.parameter_pattern : (tansy_pattern){0},
        .kind = q.kind,
        .mass_constant = q.mass_constant,
        .rate_linear = q.rate_linear,
        .autonomous = q.autonomous,
        .prefer_matrix = q.prefer_matrix};
    tansy_solver *const s = tansy_create(&written, options);
    for (int point = 0; point < POINTS; point++) {
        double *const y = outcome->y[point], *const sens = outcome->sens[point];
        outcome->status = tansy_solve(s, end * (point + 1) / POINTS / r->time, y, sens);
        if (outcome->status < 0) break;
        for (size_t i = 0; i < n; i++) y[i] *= r->y_unit[i];
        for (size_t e = 0; e < n * np; e++) sens[e] *= r->y_unit[e % n] / r->p_unit[e / n];
    }
    if (outcome->status < 0) printf("%s\n", tansy_message(s));
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    outcome->steps = stats.steps;
    tansy_free(s);
}

static double power(struct random_source *draw)
{
    return ldexp(1, (int)(40 * random_next(draw)));
}

struct model {
    const char *name;
    double end;
    bool stiff, implicit;
};

static bool is_solved_by(const struct model *model, tansy_method method)
{
    bool const explicit = method == TANSY_ADAMS || method == TANSY_RK8;
    if (explicit) return !model->stiff && !model->implicit;
    return strcmp(model->name, "pendulum") != 0 ||
           (method != TANSY_ROSENBROCK && method != TANSY_LIMEX);
}

/* How many runs in other units differ, of two draws. */
static size_t check_model(const struct model *model, const tansy_options *options, bool derivatives)
{
    static struct rewritten r;
    static struct outcome plain, other;
    char path[100];
    size_t broken = 0;
    (void)snprintf(path, sizeof path, "examples/models/%s.tansy", model->name);
    tansy_model *const m = tansy_model_read(path);
    memset(&r, 0, sizeof r);
    CHECK_EQUAL(tansy_model_problem(m, &r.inner), TANSY_OK);
    void *const scratch = calloc(1, r.inner.scratch + 1);
    r.local = (tansy_local){.context = r.inner.context, .scratch = scratch};
    struct random_source draw = {.state = 1};
    for (int round = 0; round < 3; round++) {
        struct outcome *const to = round == 0 ? &plain : &other;
        memset(to, 0, sizeof *to);
        r.time = round == 0 ? 1 : power(&draw);
        for (size_t i = 0; i < r.inner.n; i++) {
            r.y_unit[i] = round == 0 ? 1 : power(&draw);
            r.row_unit[i] = round == 0 ? 1 : power(&draw);
        }
        for (size_t k = 0; k < r.inner.np; k++) r.p_unit[k] = round == 0 ? 1 : power(&draw);
        solve(&r, options, derivatives, model->end, to);
        bool const same = to->status == TANSY_OK && memcmp(&plain, to, sizeof plain) == 0;
        if (!same)
            printf("%s, %s, %s: %zu and %zu steps\n", model->name, method_name(options->method),
                   derivatives ? "derivatives" : "differences", plain.steps, to->steps);
        broken += !same;
    }
    free(scratch);
    tansy_model_free(m);
    return broken;
}

static size_t check_models(const struct model *model, size_t count, bool derivatives)
{
    size_t broken = 0;
    for (size_t m = 0; m < count; m++)
        for (int method = 0; method <= TANSY_LIMEX; method++) {
            tansy_options const o = {.method = (tansy_method)method, .rtol = 1e-5};
            if (is_solved_by(&model[m], o.method))
                broken += check_model(&model[m], &o, derivatives);
        }
    return broken;
}

TEST(powers_of_two_change_no_bit)
{
    static const struct model models[] = {
        {"gas_oil", 4, false, false},      {"lotka_volterra", 5, false, false},
        {"crane", 1, false, false},        {"brusselator", 10, false, false},
        {"heat", 0.1, true, false},        {"hires", 300, true, false},
        {"ethane", 20, true, false},       {"pollution", 60, true, false},
        {"robertson", 400, true, false},   {"robertson_dae", 400, true, true},
        {"pendulum", 1, true, true},       {"akzo_nobel", 180, true, true},
        {"batch_reactor", 10, true, true}, {"transistor_amplifier", 0.02, true, true}};
    CHECK_EQUAL(check_models(models, sizeof models / sizeof *models, true), 0);
}

/* f alone.  Of F alone what begins at 0 has no size when the first differences are made. */
TEST(powers_of_two_change_no_bit_of_differences)
{
    static const struct model models[] = {{"gas_oil", 4, false, false},
                                          {"lotka_volterra", 5, false, false},
                                          {"hires", 300, true, false},
                                          {"robertson", 400, true, false}};
    CHECK_EQUAL(check_models(models, sizeof models / sizeof *models, false), 0);
}
