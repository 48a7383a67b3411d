/* SPDX-License-Identifier: Apache-2.0 */
/* Compares given derivatives with fourth-order differences.  Each difference is taken with increments h, 2h
   and 4h: how much the three disagree says how far they can be trusted, and an entry is called wrong only
   if it is off by more than ten times that, the rounding error of f, and a relative 1e-6. */
#include "derive/check.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "derive/line.h"
#include "derive/names.h"
#include "derive/providers.h"

static const double doubt = 10, relative = 1e-6;
static const double rounding = 100 * DBL_EPSILON; /* of f_i, relative to its largest term */

size_t check_rows(const struct derive *d)
{
    return d->switches > d->n ? d->switches : d->n;
}

/* Vectors of that length in d->check. */
static size_t vectors_needed(const tansy_problem *q)
{
    return q->second ? CHECK_VECTORS : CHECK_MOTION;
}

void check_layout(struct derive *d, struct arena *arena, size_t lanes)
{
    const tansy_problem *const q = d->problem;
    bool const tangent = q->tangent || q->residual_tangent;
    bool const given = q->jacobian || q->parameter_jacobian || tangent || q->initial_jacobian ||
                       q->switch_tangent || q->residual_jacobian || q->residual_parameter ||
                       q->mass_tangent || q->second || q->time_derivative || q->autonomous ||
                       q->mass_constant || q->rate_linear;
    if (!given) return;
    size_t const panels = tangent ? 3 * lanes : 0;
    double *const space = arena_matrix(arena, check_rows(d), vectors_needed(q) + panels);
    double *const direction = arena_doubles(arena, d->np);
    d->check = space;
    d->check_direction = direction;
}

static void divide_space(struct check *c, const struct panel *panel)
{
    size_t const rows = check_rows(c->d);
    double *space = c->d->check;
    c->f = space;
    c->given = space + rows;
    c->value = space + 2 * rows;
    c->error = space + 3 * rows;
    c->size = space + 4 * rows;
    c->v = space + CHECK_COLUMN * rows;
    c->motion = space + CHECK_MOTION * rows;
    c->V = space + vectors_needed(c->d->problem) * rows;
    c->R = panel ? c->V + c->d->n * panel->lanes : NULL;
    c->V_rate = panel ? c->R + c->d->n * panel->lanes : NULL;
    c->u = c->d->check_direction;
}

tansy_status check_failure(const struct check *c)
{
    static const tansy_status statuses[] = {
        [FAILURE_NONE] = TANSY_USER_FAILED,       [FAILURE_POSITIVE] = TANSY_USER_FAILED,
        [FAILURE_NEGATIVE] = TANSY_USER_STOPPED,  [FAILURE_NOT_FINITE] = TANSY_NOT_FINITE,
        [FAILURE_SIGN] = TANSY_USER_FAILED,       [FAILURE_SLOW] = TANSY_NOT_CONVERGED,
        [FAILURE_NO_MEMORY] = TANSY_OUT_OF_MEMORY};
    const struct failure *const failure = &c->d->worker[0].failure;
    char text[MESSAGE_SIZE];
    failure_describe(failure, c->d->problem, text, sizeof text);
    return message_set(c->message, statuses[failure->kind], "%s", text);
}

/* The derivative along the line, whose steps are for m = 1, into value and error. */
static int estimate(struct check *c, struct line *line)
{
    struct derive *const d = c->d;
    struct derive_worker *const w = &d->worker[0];
    for (size_t i = 0; i < line->count; i++) c->error[i] = 0;
    for (int times = 1; times <= CHECK_LARGEST; times *= 2) {
        int const code = line_difference(d, 0, line, w->f);
        if (code != 0) return code;
        for (size_t i = 0; i < line->count; i++) {
            if (times == 1) c->value[i] = w->f[i];
            c->error[i] = fmax(c->error[i], fabs(w->f[i] / times - c->value[i]));
        }
        check_scale_steps(d, line, 2);
    }
    check_scale_steps(d, line, 0.5 / CHECK_LARGEST);
    return 0;
}

/* The larger of given and difference in row i, what they are apart, and may be. */
static double larger(const struct check *c, size_t i, double h)
{
    return fmax(fabs(c->given[i]), fabs(c->value[i] / h));
}

static double apart(const struct check *c, size_t i, double h)
{
    return fabs(c->given[i] - c->value[i] / h);
}

static double allowed(const struct check *c, size_t i, double h)
{
    double const unsure = (doubt * c->error[i] + rounding * c->size[i]) / fabs(h);
    return unsure + relative * larger(c, i, h);
}

/* What was called wrong agrees now: that counts where the difference now could tell what it was off by then. */
static void reconsider(struct check *c, size_t i, size_t column, double h)
{
    struct accused *const a = &c->accused;
    if (!a->function || strcmp(a->function, c->function) != 0 || a->row != i || a->column != column)
        return;
    if (allowed(c, i, h) <= 0.5 * a->apart * larger(c, i, h)) a->upheld = false;
}

/* What the problem calls row i; NULL: it has no name. */
static const char *name_of_row(const struct check *c, size_t i)
{
    const tansy_problem *const q = c->d->problem;
    if (strcmp(c->function, "switch_tangent") == 0)
        return q->switch_names ? q->switch_names[i] : NULL;
    bool const equation = q->equation_names && strcmp(c->function, "initial_jacobian") != 0;
    return equation ? q->equation_names[i] : q->state_names ? q->state_names[i] : NULL;
}

/* dF_2/dy_1, and what the problem calls them: (balance, by mass), where it does. */
static void name_entry(const struct check *c, size_t i, const char *of, const char *by,
                       size_t column, struct name *name)
{
    const tansy_problem *const q = c->d->problem;
    const char *const row = name_of_row(c, i);
    bool const vector = column == SIZE_MAX;
    const char *const *const names = vector                  ? NULL
                                     : strcmp(by, "dp") == 0 ? q->parameter_names
                                                             : q->state_names;
    int used = vector ? snprintf(name->text, sizeof name->text, "component %zu of %s", i, of)
                      : snprintf(name->text, sizeof name->text, "%s_%zu/%s_%zu", of, i, by, column);
    char *const rest = name->text + used;
    size_t const room = sizeof name->text - (size_t)used;
    if (row && names)
        (void)snprintf(rest, room, " (%.40s, by %.30s)", row, names[column]);
    else if (row || names)
        (void)snprintf(rest, room, " (%s%.40s)", row ? "" : "by ", row ? row : names[column]);
}

tansy_status check_compare(struct check *c, struct line *line, double h, const char *of,
                           const char *by, size_t column)
{
    if (estimate(c, line) != 0) return check_failure(c);
    for (size_t i = 0; i < line->count; i++) {
        if (apart(c, i, h) <= allowed(c, i, h)) {
            reconsider(c, i, column, h);
            continue;
        }
        struct name entry;
        if (check_is_rough(c, line, i)) {
            name_entry(c, i, of, by, column, &entry);
            check_leave_open(c, i, &entry, h);
            continue;
        }
        c->accused =
            (struct accused){c->function, i, column, apart(c, i, h) / larger(c, i, h), true};
        name_entry(c, i, of, by, column, &entry);
        return message_set(c->message, TANSY_WRONG_DERIVATIVE,
                           "%s: %s is given as %.9g but differences say %.9g (t = %g)", c->function,
                           entry.text, c->sign * c->given[i], c->sign * c->value[i] / h, c->t);
    }
    return TANSY_OK;
}

/* f alone: what the derivatives of .rhs are compared with, whatever B. */
static int rhs_value(struct derive *d, size_t worker, const struct point *at, double *f)
{
    return derive_rhs(d, worker, at->t, at->y, f);
}

struct line check_line(const struct check *c)
{
    return (struct line){.difference = TANSY_FOURTH_ORDER,
                         .Delta = c->Delta,
                         .count = c->d->n,
                         .evaluate = c->d->form == FORM_RESIDUAL ? derive_value : rhs_value,
                         .t = c->t,
                         .y = c->y,
                         .yp = c->yp,
                         .f = c->f};
}

void check_column(const struct check *c, const struct matrix *A, double sign, size_t j)
{
    for (size_t i = 0; i < c->d->n; i++) {
        c->given[i] = 0;
        if (A->kind == MATRIX_SPARSE) {
            for (size_t e = A->rows.start[i]; e < A->rows.start[i + 1]; e++)
                if (A->rows.column[e] == j) c->given[i] = sign * A->value[e];
        } else if (i <= j + A->lower && j <= i + A->upper) {
            c->given[i] = sign * *matrix_entry(A, i, j);
        }
    }
}

static tansy_status check_jacobian(struct check *c)
{
    struct derive *const d = c->d;
    c->function = d->form == FORM_RESIDUAL ? "residual_jacobian" : "jacobian";
    for (size_t j = 0; j < d->n; j++) {
        double *const step = d->worker[0].step;
        double const h = check_increment(c, j, c->y[j]);
        struct line line = check_line(c);
        memset(step, 0, d->n * sizeof(double));
        step[j] = h;
        line.step = step;
        check_column(c, d->J, 1, j);
        TRY(check_compare(c, &line, h, c->of, "dy", j));
    }
    return TANSY_OK;
}

/* The given column may be compared: it is finite, or some direction touches it and so it was judged. */
static bool is_comparable(const struct check *c, size_t k)
{
    bool finite = true;
    for (size_t i = 0; i < c->d->n; i++) finite = finite && isfinite(c->given[i]);
    return finite || c->d->touched[k];
}

/* Column k of df/dp, or dF/dp, as the user has laid it out in fp. */
static void given_column(const struct derive *d, size_t k, double *column)
{
    const tansy_pattern *const pattern = &d->problem->parameter_pattern;
    for (size_t i = 0; i < d->n; i++) column[i] = pattern->row ? 0 : d->fp[i * d->np + k];
    for (size_t e = 0; e < pattern->entries && pattern->row; e++)
        if (pattern->column[e] == k) column[pattern->row[e]] += d->fp[e];
}

/* All columns with respect to p, of f or of the initial values. */
static tansy_status check_parameters(struct check *c, struct line line, const char *of)
{
    struct derive *const d = c->d;
    double const one = 1;
    for (size_t k = 0; k < d->np; k++) {
        double const h = increment_of_parameter(d, k, c->Delta);
        line.entries = 1;
        line.row = &k;
        line.value = &one;
        line.factor = h;
        if (line.evaluate != initial_value)
            given_column(d, k, c->given);
        else
            for (size_t i = 0; i < d->n; i++) c->given[i] = d->initial_jacobian[i * d->np + k];
        if (is_comparable(c, k)) TRY(check_compare(c, &line, h, of, "dp", k));
    }
    return TANSY_OK;
}

/* Fills V, and U of the worker, with random numbers of the size of y and of the scale of p; parameters that no direction
   touches stay. */
static void fill_panels(struct check *c, const struct panel *panel, uint32_t *state)
{
    const struct derive *const d = c->d;
    double *const U = d->worker[0].U;
    for (size_t k = 0; k < panel->columns; k++) {
        for (size_t i = 0; i < d->n; i++)
            c->V[i * panel->lanes + k] = check_along_state(c, state, i);
        for (size_t i = 0; i < d->n && d->form == FORM_RESIDUAL; i++)
            c->V_rate[i * panel->lanes + k] = check_scramble(state) * check_size(c, i, c->yp[i]);
        for (size_t j = 0; j < d->np; j++)
            U[j * panel->lanes + k] = check_along_parameter(c, state, j);
    }
}

static tansy_status compare_tangent(struct check *c, const struct panel *panel, size_t k)
{
    struct derive *const d = c->d;
    double *const step = d->worker[0].step, *const U = d->worker[0].U;
    struct line line = check_line(c);
    for (size_t i = 0; i < d->n; i++) {
        c->given[i] = c->R[i * panel->lanes + k];
        step[i] = c->Delta * c->V[i * panel->lanes + k];
    }
    for (size_t j = 0; j < d->np; j++) c->u[j] = U[j * panel->lanes + k];
    line.step = step;
    line.entries = d->np;
    line.value = c->u;
    line.factor = c->Delta;
    if (d->form != FORM_RESIDUAL)
        return check_compare(c, &line, c->Delta, "J v + f_p u", NULL, SIZE_MAX);
    double *const rate_step = d->worker[0].rate_step;
    for (size_t i = 0; i < d->n; i++) rate_step[i] = c->Delta * c->V_rate[i * panel->lanes + k];
    line.rate_step = rate_step;
    return check_compare(c, &line, c->Delta, "F_y v + F_y' v' + F_p u", NULL, SIZE_MAX);
}

/* R with the sign of r. */
static int call_tangent(struct check *c, const struct panel *panel)
{
    struct derive *const d = c->d;
    struct derive_worker *const w = &d->worker[0];
    const tansy_problem *const q = d->problem;
    struct point const at = {.t = c->t, .y = c->y, .yp = c->yp};
    struct directions const along = {panel->columns, panel->lanes, c->V, c->V_rate, w->U, panel};
    if (d->form == FORM_RESIDUAL) return given_along(d, 0, &at, &along, c->R);
    int const code =
        q->tangent(c->t, c->y, w->p, panel->columns, panel->lanes, c->V, w->U, c->R, w->context);
    return judge_matrix(w, "tangent", c->t, code, d->n, panel->lanes, c->R);
}

static tansy_status check_tangent(struct check *c, const struct panel *panel)
{
    struct derive *const d = c->d;
    struct derive_worker *const w = &d->worker[0];
    uint32_t state = 1;
    c->function = d->form == FORM_RESIDUAL ? "residual_tangent" : "tangent";
    memset(c->V, 0, 3 * d->n * panel->lanes * sizeof(double));
    derive_forget_panels(d); /* U may hold the directions of another panel, with other lanes */
    fill_panels(c, panel, &state);
    w->local.U = NULL; /* until a panel is placed: all of its rows move */
    tansy_status status = TANSY_OK;
    if (call_tangent(c, panel) != 0) status = check_failure(c);
    if (status == TANSY_OK) status = compare_tangent(c, panel, 0);
    if (status == TANSY_OK) status = compare_tangent(c, panel, panel->columns - 1);
    memset(w->U, 0, d->np * panel->lanes * sizeof(double));
    return status;
}

static int switch_value(struct derive *d, size_t worker, const struct point *at, double *g)
{
    return derive_switch(d, worker, at->t, at->y, g);
}

/* g along a random direction of y and p, then along t. */
static tansy_status check_switches(struct check *c)
{
    struct derive *const d = c->d;
    struct derive_worker *const w = &d->worker[0];
    uint32_t state = 1;
    c->function = "switch_tangent";
    for (size_t i = 0; i < d->n; i++) {
        c->v[i] = check_along_state(c, &state, i);
        w->step[i] = c->Delta * c->v[i];
    }
    for (size_t j = 0; j < d->np; j++) c->u[j] = check_along_parameter(c, &state, j);
    memset(c->given, 0, d->switches * sizeof(double));
    int code =
        d->problem->switch_tangent(c->t, c->y, w->p, 1, 1, c->v, c->u, d->gt, c->given, w->context);
    for (size_t j = 0; j < d->switches && code == 0; j++)
        if (d->blind[j]) c->given[j] = d->gt[j] = 0; /* g has no value here, and need not */
    code = judge(w, c->function, c->t, code, d->switches, c->given);
    if (code == 0) code = judge(w, c->function, c->t, 0, d->switches, d->gt);
    if (code == 0) code = derive_switch(d, 0, c->t, c->y, c->f);
    if (code != 0) return check_failure(c);
    double const tau = check_unit(c);
    for (size_t j = 0; j < d->switches; j++)
        c->size[j] = fmax(fmax(fabs(c->f[j]), fabs(c->given[j])), fabs(d->gt[j]) * tau);
    struct line line = check_line(c);
    line.evaluate = switch_value;
    line.count = d->switches;
    struct line along_t = line;
    line.step = w->step;
    line.entries = d->np;
    line.value = c->u;
    line.factor = c->Delta;
    TRY(check_compare(c, &line, c->Delta, "(dg/dy) v + (dg/dp) u", NULL, SIZE_MAX));
    if (!check_along_time(c, &along_t)) return TANSY_OK;
    memcpy(c->given, d->gt, d->switches * sizeof(double));
    return check_compare(c, &along_t, along_t.t_step, "dg/dt", NULL, SIZE_MAX);
}

static tansy_status check_initial(struct check *c)
{
    struct derive *const d = c->d;
    struct line line = check_line(c);
    c->function = "initial_jacobian";
    line.evaluate = initial_value;
    if (initial_value(d, 0, &(struct point){.t = c->t}, c->f) != 0) return check_failure(c);
    if (initial_evaluate(d, c->t) != 0) return check_failure(c);
    for (size_t i = 0; i < d->n; i++) c->size[i] = fabs(c->f[i]);
    return check_parameters(c, line, "dy");
}

/* Evaluates what is given, and finds the largest term of each f_i that it shows. */
static int evaluate_given(struct check *c, bool jacobian, bool parameter)
{
    struct derive *const d = c->d;
    struct point const at = {.t = c->t, .y = c->y, .yp = c->yp, .f = c->f};
    int code = d->form == FORM_RESIDUAL ? derive_value(d, 0, &at, c->f)
                                        : derive_rhs(d, 0, c->t, c->y, c->f);
    for (size_t i = 0; i < d->n; i++) c->size[i] = fabs(c->f[i]);
    if (code == 0 && jacobian) code = given_jacobian(d, &at);
    for (size_t j = 0; j < d->n && code == 0 && jacobian; j++) {
        check_column(c, d->J, 1, j);
        for (size_t i = 0; i < d->n; i++)
            c->size[i] = fmax(c->size[i], fabs(c->given[i]) * check_size(c, j, c->y[j]));
    }
    if (code == 0 && parameter) code = given_parameter(d, &at);
    for (size_t k = 0; k < d->np && code == 0 && parameter; k++) {
        given_column(d, k, c->given);
        for (size_t i = 0; i < d->n && is_comparable(c, k); i++)
            c->size[i] = fmax(c->size[i], fabs(c->given[i]) * d->scale[k]);
    }
    return code;
}

/* df/dy is there to be looked at, and J has room for it. */
static bool has_jacobian(const struct derive *d)
{
    const tansy_problem *const q = d->problem;
    return d->J->kind != MATRIX_NONE && (q->jacobian || q->residual_jacobian);
}

/* df/dp, where B moves too, and dF/dp. */
static bool gives_parameters(const struct derive *d)
{
    const tansy_problem *const q = d->problem;
    bool const fits = d->fp_pattern.row || q->parameter_pattern.entries <= d->n * d->np;
    return q->residual_parameter || (q->parameter_jacobian && fits);
}

/* What is given besides first derivatives of f. */
static tansy_status check_others(struct check *c)
{
    const tansy_problem *const q = c->d->problem;
    if (q->mass_constant) TRY(check_mass_constant(c));
    if (q->rate_linear && q->residual) TRY(check_rate_linear(c));
    TRY(check_second(c));
    c->sign = 1;
    if (q->mass_tangent) TRY(check_mass_tangent(c));
    if (c->d->switch_source == SOURCE_GIVEN) TRY(check_switches(c));
    return q->initial_jacobian && q->initial ? check_initial(c) : TANSY_OK;
}

static tansy_status check_all(struct check *c, const struct panel *panel)
{
    const struct derive *const d = c->d;
    const tansy_problem *const q = d->problem;
    bool const residual = d->form == FORM_RESIDUAL;
    bool const jacobian = has_jacobian(d);
    bool const parameter = gives_parameters(d);
    c->sign = residual ? -1 : 1;
    if (evaluate_given(c, jacobian, parameter) != 0) return check_failure(c);
    if (jacobian) TRY(check_jacobian(c));
    if (jacobian && residual) TRY(check_rate(c));
    c->function = residual ? "residual_parameter" : "parameter_jacobian";
    if (parameter) TRY(check_parameters(c, check_line(c), c->of));
    if ((q->tangent || q->residual_tangent) && panel) TRY(check_tangent(c, panel));
    return check_others(c);
}

/* Once more, with increments that stay nearer to y, after what `first` says: that is so still where the differences now cannot tell. */
static tansy_status check_again(struct check *c, const struct panel *panel, tansy_status before)
{
    struct message const first = *c->message, open = c->open;
    c->d->worker[0].failure.kind = FAILURE_NONE;
    c->open.text[0] = 0;
    tansy_status const now = check_all(c, panel);
    if (now != TANSY_OK || !c->accused.upheld) return now;
    *c->message = first;
    c->open = open;
    return before;
}

/* Sizes by tolerances, 1e-3 of 1e-8 beside a pole at -1e-10, count up to the largest |y| then, and last not at all. */
static tansy_status check_nearer(struct check *c, const struct panel *panel, tansy_status status)
{
    double const most = check_largest(c);
    for (int look = check_goes_far(c, most) ? 0 : 1; look < 2; look++) {
        bool const failed = status == TANSY_USER_FAILED || status == TANSY_NOT_FINITE;
        if (status != TANSY_WRONG_DERIVATIVE && !failed) return status;
        c->alone = look == 1;
        c->most = most;
        status = check_again(c, panel, status);
    }
    return status;
}

tansy_status derive_check(struct derive *d, const struct point *at, double span,
                          const struct panel *panel, struct message *message)
{
    struct check c = {.d = d,
                      .t = at->t,
                      .span = span,
                      .most = HUGE_VAL,
                      .y = at->y,
                      .yp = at->yp,
                      .of = d->form == FORM_RESIDUAL ? "dF" : "df",
                      .message = message};
    if (!d->check) return TANSY_OK;
    c.Delta = formula_of(TANSY_FOURTH_ORDER)->increment;
    divide_space(&c, panel);
    struct message const old = *message;
    tansy_status const status = check_nearer(&c, panel, check_all(&c, panel));
    if (status == TANSY_OK) *message = c.open.text[0] ? c.open : old;
    return status;
}
