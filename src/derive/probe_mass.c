/* SPDX-License-Identifier: Apache-2.0 */
/* B of B y' = f that is said to be constant is evaluated once, and has no part in S: one that changes after all would give wrong
   results without a word.  So B v, v without zeros, is looked at once with p and once with t and y moved by a thousandth. */
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

static const double little = 1e-3;

static int product(struct derive *d, double t, const double *y, double *r)
{
    struct derive_worker *const w = &d->worker[0];
    struct point const at = {.t = t, .y = y, .yp = w->yp};
    w->knows_mass = false;
    memset(r, 0, d->n * sizeof *r);
    int const code = mass_subtract_product(d, 0, &at, r);
    w->knows_mass = false;
    w->failure.kind = FAILURE_NONE;
    return code;
}

/* True where B can be had at the moved point, and is another one. */
static bool is_another(struct derive *d, double t, const double *y)
{
    struct derive_worker *const w = &d->worker[0];
    return product(d, t, y, w->g) == 0 && memcmp(w->f, w->g, d->n * sizeof *w->f) != 0;
}

static void move_parameters(struct derive *d, double by)
{
    struct derive_worker *const w = &d->worker[0];
    worker_touch(w);
    for (size_t k = 0; k < d->np; k++) w->p[k] = d->p[k] + by * d->scale[k];
}

tansy_status derive_probe_mass(struct derive *d, double t0, const double *y0,
                               struct message *message)
{
    struct derive_worker *const w = &d->worker[0];
    if (d->form != FORM_MASS || mass_moves(d->problem)) return TANSY_OK;
    for (size_t i = 0; i < d->n; i++) w->yp[i] = 1 + (double)(i % 7) / 8;
    if (product(d, t0, y0, w->f) != 0) return TANSY_OK; /* the start will tell */
    move_parameters(d, little);
    bool const by_p = d->ns > 0 && is_another(d, t0, y0);
    move_parameters(d, 0);
    for (size_t i = 0; i < d->n; i++) w->y[i] = y0[i] + little * size_of_state(d, i, y0[i]);
    double const t = t0 + little * (t0 == 0 ? 1 : fabs(t0));
    bool const by_y = !by_p && is_another(d, t, w->y);
    if (!by_p && !by_y) return TANSY_OK;
    return message_set(
        message, TANSY_BAD_PROBLEM,
        "the mass matrix changes with %s: set .mass_varies = 1 or give .mass_tangent",
        by_p ? "p" : "t or y");
}
