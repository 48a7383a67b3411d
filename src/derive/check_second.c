/* SPDX-License-Identifier: Apache-2.0 */
/* Given df/dt and second derivatives against differences: of f along t, and along (tau, v) of the tangent J s + f_p u, which is the
   user's, if he gives it (it was compared before), else a central difference of f.  f is -F at y' = 0 where the problem is F = 0. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/check.h"
#include "derive/providers.h"

static int value_at_rest(struct derive *d, size_t worker, const struct point *at, double *f)
{
    return derive_at_rest(d, worker, at->t, at->y, f);
}

static tansy_status check_time(struct check *c)
{
    struct derive *const d = c->d;
    struct derive_worker *const w = &d->worker[0];
    const tansy_problem *const q = d->problem;
    c->function = q->autonomous ? "autonomous" : "time_derivative";
    memset(c->given, 0, d->n * sizeof *c->given);
    int code = q->autonomous ? 0 : q->time_derivative(c->t, c->y, w->p, c->given, w->context);
    for (size_t i = 0; i < d->n; i++) c->given[i] *= c->sign;
    code = judge(w, c->function, c->t, code, d->n, c->given);
    if (code == 0) code = derive_at_rest(d, 0, c->t, c->y, c->f);
    if (code != 0) return check_failure(c);
    for (size_t i = 0; i < d->n; i++)
        c->size[i] = fmax(fabs(c->f[i]), fabs(c->given[i]) * check_unit(c));
    struct line line = check_line(c);
    line.evaluate = value_at_rest;
    if (!check_along_time(c, &line)) return TANSY_OK;
    return check_compare(c, &line, line.t_step, c->sign < 0 ? "dF/dt" : "df/dt", NULL, SIZE_MAX);
}

/* p of the worker at the parameters plus times u. */
static void move_parameters(const struct derive *d, struct derive_worker *w, double times)
{
    worker_touch(w);
    for (size_t k = 0; k < d->np; k++) w->p[k] = d->p[k] + times * d->check_direction[k];
}

/* J s + f_p u by a central difference of f. */
static int difference_tangent(struct derive *d, const struct point *at, const double *s,
                              double *value)
{
    struct derive_worker *const w = &d->worker[0];
    size_t const rows = check_rows(d);
    double *const y = d->check + CHECK_MOVED_Y * rows, *const f = d->check + CHECK_MOVED_F * rows;
    double const delta = formula_of(TANSY_CENTRAL)->increment;
    int code = 0;
    memset(value, 0, d->n * sizeof *value);
    for (int side = 1; side >= -1 && code == 0; side -= 2) {
        for (size_t i = 0; i < d->n; i++) y[i] = at->y[i] + side * (delta * s[i]);
        move_parameters(d, w, side * delta);
        code = derive_at_rest(d, 0, at->t, y, f);
        for (size_t i = 0; i < d->n; i++) value[i] += side * f[i] / (2 * delta);
    }
    move_parameters(d, w, 0);
    return code;
}

static int tangent_value(struct derive *d, size_t worker, const struct point *at, double *value)
{
    struct derive_worker *const w = &d->worker[worker];
    const tansy_problem *const q = d->problem;
    const double *const s = d->check + CHECK_COLUMN * check_rows(d), *const u = d->check_direction;
    if (q->residual_tangent) {
        struct point const rest = {.t = at->t, .y = at->y, .yp = d->no_rate};
        return given_along(d, worker, &rest, &(struct directions){1, 1, s, d->no_rate, u, NULL},
                           value);
    }
    if (!q->tangent) return difference_tangent(d, at, s, value);
    int const code = q->tangent(at->t, at->y, w->p, 1, 1, s, u, value, w->context);
    return judge(w, "tangent", at->t, code, d->n, value);
}

/* Directions s and u of a column and v of the motion. */
static void fill_directions(struct check *c)
{
    const struct derive *const d = c->d;
    uint32_t state = 1;
    for (size_t i = 0; i < d->n; i++) {
        c->v[i] = check_along_state(c, &state, i);
        c->motion[i] = check_along_state(c, &state, i);
        d->worker[0].step[i] = c->Delta * c->motion[i];
    }
    for (size_t k = 0; k < d->np; k++) c->u[k] = check_along_parameter(c, &state, k);
}

static tansy_status check_directions(struct check *c)
{
    struct derive *const d = c->d;
    struct derive_worker *const w = &d->worker[0];
    const tansy_problem *const q = d->problem;
    struct line line = check_line(c);
    if (!q->autonomous) (void)check_along_time(c, &line);
    c->function = "second";
    fill_directions(c);
    int code = q->second(c->t, c->y, w->p, c->motion, line.t_step / c->Delta, 1, 1, c->v, c->u,
                         c->given, w->context);
    for (size_t i = 0; i < d->n; i++) c->given[i] *= c->sign;
    code = judge(w, c->function, c->t, code, d->n, c->given);
    if (code == 0) code = tangent_value(d, 0, &(struct point){.t = c->t, .y = c->y}, c->f);
    if (code != 0) return check_failure(c);
    double const noise =
        q->tangent || q->residual_tangent ? 1 : formula_of(TANSY_CENTRAL)->increment;
    for (size_t i = 0; i < d->n; i++)
        c->size[i] = fmax(c->size[i], fmax(fabs(c->f[i]), fabs(c->given[i]))) / noise;
    line.evaluate = tangent_value;
    line.step = w->step;
    return check_compare(c, &line, c->Delta,
                         c->sign < 0 ? "d(F_y v + tau F_t)" : "d(J v + tau f_t)", NULL, SIZE_MAX);
}

tansy_status check_second(struct check *c)
{
    const tansy_problem *const q = c->d->problem;
    bool const residual = c->d->form == FORM_RESIDUAL, still = !residual || q->mass_constant;
    if (!still && !q->rate_linear) return TANSY_OK;
    c->sign = residual ? -1 : 1;
    if (q->second) TRY(check_directions(c));
    return still && (q->time_derivative || q->autonomous) ? check_time(c) : TANSY_OK;
}
