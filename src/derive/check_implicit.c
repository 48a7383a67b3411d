/* SPDX-License-Identifier: Apache-2.0 */
/* The derivatives that only implicit problems give, against differences: dF/dy', and the tangent of B(t, y, p) u; and the
   claims that B, or dF/dy', depends on p alone, and that F is linear in y'. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/check.h"
#include "derive/names.h"
#include "derive/providers.h"

/* r = -F: its derivative is -M. */
tansy_status check_rate(struct check *c)
{
    struct derive *const d = c->d;
    double *const step = d->worker[0].rate_step;
    struct point const at = {.t = c->t, .y = c->y, .yp = c->yp, .f = c->f};
    c->function = "rate_jacobian";
    if (given_rate(d, &at) != 0) return check_failure(c);
    for (size_t j = 0; j < d->n; j++) {
        double const h = check_increment(c, j, c->yp[j]);
        struct line line = check_line(c);
        memset(step, 0, d->n * sizeof(double));
        step[j] = h;
        line.rate_step = step;
        check_column(c, d->M, -1, j);
        TRY(check_compare(c, &line, h, "dF", "dy'", j));
    }
    return TANSY_OK;
}

/* B(t, y, p) y'. */
static int mass_value(struct derive *d, size_t worker, const struct point *at, double *r)
{
    memset(r, 0, d->n * sizeof *r);
    int const code = mass_subtract_product(d, worker, at, r);
    for (size_t i = 0; i < d->n; i++) r[i] = -r[i];
    return code;
}

/* Adds sum_j |B_ij u_j| to size_i: what rounding in B u is relative to, however its terms cancel. */
static void add_terms(struct check *c)
{
    struct derive *const d = c->d;
    struct derive_worker *const w = &d->worker[0];
    size_t const count = given_count(d->problem);
    for (size_t x = 0; x < count; x++) w->B[x] = fabs(w->B[x]);
    for (size_t i = 0; i < d->n; i++) {
        w->yp[i] = fabs(c->yp[i]);
        c->size[i] = -c->size[i];
    }
    given_subtract(d, w->B, 1, w->yp, c->size);
    for (size_t i = 0; i < d->n; i++) c->size[i] = -c->size[i];
    w->knows_mass = false; /* B is not as it was */
}

tansy_status check_mass_tangent(struct check *c)
{
    struct derive *const d = c->d;
    struct derive_worker *const w = &d->worker[0];
    struct point const at = {.t = c->t, .y = c->y, .yp = c->yp};
    uint32_t state = 1;
    c->function = "mass_tangent";
    for (size_t i = 0; i < d->n; i++) {
        c->v[i] = check_along_state(c, &state, i);
        w->step[i] = c->Delta * c->v[i];
    }
    for (size_t j = 0; j < d->np; j++) c->u[j] = check_along_parameter(c, &state, j);
    memset(c->given, 0, d->n * sizeof *c->given);
    int code =
        d->problem->mass_tangent(c->t, c->y, w->p, c->yp, 1, 1, c->v, c->u, c->given, w->context);
    code = judge(w, c->function, c->t, code, d->n, c->given);
    if (code == 0) code = mass_value(d, 0, &at, c->f);
    if (code != 0) return check_failure(c);
    for (size_t i = 0; i < d->n; i++) c->size[i] = fmax(fabs(c->f[i]), fabs(c->given[i]));
    add_terms(c);
    struct line line = check_line(c);
    line.evaluate = mass_value;
    line.step = w->step;
    line.entries = d->np;
    line.value = c->u;
    line.factor = c->Delta;
    return check_compare(c, &line, c->Delta, "d(B u)/dy v + d(B u)/dp w", NULL, SIZE_MAX);
}

/* product[n] = -(r(t, y, u) - r(t, y, 0)) = B u, at y moved by the share `by` of its size and t with it; room holds r(t, y, 0).
   size[n] is the largest |r|. */
static int product_at(struct check *c, const double *u, double by, double *product)
{
    struct derive *const d = c->d;
    double *const y = d->worker[0].y, *const room = c->error;
    double const t = c->t + by * copysign(check_unit(c), c->span);
    for (size_t i = 0; i < d->n; i++)
        y[i] = c->y[i] + copysign(by * check_size(c, i, c->y[i]), c->y[i]);
    int code = derive_value(d, 0, &(struct point){.t = t, .y = y, .yp = d->no_rate}, room);
    if (code == 0) code = derive_value(d, 0, &(struct point){.t = t, .y = y, .yp = u}, product);
    for (size_t i = 0; i < d->n; i++) {
        c->size[i] = fmax(c->size[i], fmax(fabs(room[i]), fabs(product[i])));
        product[i] = room[i] - product[i];
    }
    return code;
}

static tansy_status compare_products(struct check *c, double factor, const char *why)
{
    static const double rounding = 1e-9; /* of terms of r that cancel: f of a stiff problem */
    for (size_t i = 0; i < c->d->n; i++) {
        double const here = c->given[i], there = factor * c->value[i];
        struct name name;
        if (fabs(here - there) <= rounding * c->size[i]) continue;
        return message_set(c->message, TANSY_WRONG_DERIVATIVE,
                           "mass_constant: the derivatives in %s are said to have "
                           "factors that depend on p alone, but their sum goes from %.9g to %.9g "
                           "when %s (t = %g)",
                           name_equation(c->d->problem, i, &name), here, there, why, c->t);
    }
    return TANSY_OK;
}

tansy_status check_mass_constant(struct check *c)
{
    static const double far = 0.01;
    struct derive *const d = c->d;
    double *const u = d->worker[0].yp;
    uint32_t state = 1;
    for (size_t i = 0; i < d->n; i++)
        u[i] = check_scramble(&state) * fmax(fabs(c->yp[i]), check_size(c, i, c->y[i]));
    if (product_at(c, u, 0, c->given) != 0) return check_failure(c);
    int const code = product_at(c, u, far, c->value);
    if (code < 0) return check_failure(c);
    if (code == 0) TRY(compare_products(c, 1, "t and y change by a hundredth"));
    d->worker[0].failure.kind = FAILURE_NONE;
    for (size_t i = 0; i < d->n; i++) u[i] *= 0.5;
    if (product_at(c, u, 0, c->value) != 0) return check_failure(c);
    return compare_products(c, 2, "they are halved and the sum doubled");
}

/* B (u - v) + B v = B u, where v_i is another share of every u_i. */
tansy_status check_rate_linear(struct check *c)
{
    struct derive *const d = c->d;
    double *const u = d->worker[0].yp, *const v = c->v, *const sum = d->worker[0].f;
    static const double rounding = 1e-9;
    uint32_t state = 1;
    for (size_t i = 0; i < d->n; i++) {
        u[i] = check_scramble(&state) * fmax(fabs(c->yp[i]), check_size(c, i, c->y[i]));
        v[i] = check_scramble(&state) * u[i];
    }
    if (product_at(c, u, 0, c->given) != 0) return check_failure(c);
    if (product_at(c, v, 0, sum) != 0) return check_failure(c);
    for (size_t i = 0; i < d->n; i++) v[i] = u[i] - v[i];
    if (product_at(c, v, 0, c->value) != 0) return check_failure(c);
    for (size_t i = 0; i < d->n; i++) {
        double const parts = c->value[i] + sum[i];
        struct name name;
        if (fabs(c->given[i] - parts) <= rounding * c->size[i]) continue;
        return message_set(c->message, TANSY_WRONG_DERIVATIVE,
                           "rate_linear: %s is said to be linear in y', but y' = u + v "
                           "changes F by %.9g, u and v apart by %.9g together (t = %g)",
                           name_equation(d->problem, i, &name), c->given[i], parts, c->t);
    }
    return TANSY_OK;
}
