/* SPDX-License-Identifier: Apache-2.0 */
/* The derivatives that only implicit problems give, against differences: dF/dy', and the tangent of B(t, y, p) u. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/check.h"
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
        double const h = increment_of_state(d, j, c->yp[j], c->Delta);
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

tansy_status check_mass_tangent(struct check *c)
{
    struct derive *const d = c->d;
    struct derive_worker *const w = &d->worker[0];
    struct point const at = {.t = c->t, .y = c->y, .yp = c->yp};
    uint32_t state = 1;
    c->function = "mass_tangent";
    for (size_t i = 0; i < d->n; i++) {
        c->v[i] = check_scramble(&state) * size_of_state(d, i, c->y[i]);
        w->step[i] = c->Delta * c->v[i];
    }
    for (size_t j = 0; j < d->np; j++)
        c->u[j] = d->touched[j] ? check_scramble(&state) * d->scale[j] : 0;
    memset(c->given, 0, d->n * sizeof *c->given);
    int code =
        d->problem->mass_tangent(c->t, c->y, w->p, c->yp, 1, 1, c->v, c->u, c->given, w->context);
    code = judge(w, c->function, c->t, code, d->n, c->given);
    if (code == 0) code = mass_value(d, 0, &at, c->f);
    if (code != 0) return check_failure(c);
    for (size_t i = 0; i < d->n; i++) c->size[i] = fmax(fabs(c->f[i]), fabs(c->given[i]));
    struct line line = check_line(c);
    line.evaluate = mass_value;
    line.step = w->step;
    line.entries = d->np;
    line.value = c->u;
    line.factor = c->Delta;
    return check_compare(c, &line, c->Delta, "d(B u)/dy v + d(B u)/dp w", NULL, SIZE_MAX);
}
