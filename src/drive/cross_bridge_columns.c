/* SPDX-License-Identifier: Apache-2.0 */
/* S over a bridge (cross_bridge.c), of length h, before the root or behind it:
     s+ = s- + (f- - f+) dT/dp + h (J Z + f_p + f_t dT/dp),   Z = s + f dT/dp,   with an error of h (f- - f+). */
#include <math.h>
#include <string.h>

#include "drive/solver.h"

/* Panel q of S over the bridge, see above, into w->y; e->delay is dT/dp, f_t in ft; *off: its error, see events_bridge_columns(). */
static int move_panel(struct tansy_solver *s, const struct bridge *b, const struct panel *q,
                      const double *ft, double *off)
{
    struct derive *const d = &s->derive;
    struct work *const w = &s->stepper.panel_work[0];
    const double *const delay = s->events.delay + q->first;
    struct point const at = {.t = b->t_at, .y = b->at, .f = b->f};
    int code = 0;
    memset(w->y, 0, q->count * sizeof *w->y);
    memset(w->r, 0, q->count * sizeof *w->r);
    panel_from_columns(q, s->n, s->sens0 + q->first * s->n, w->y);
    memcpy(w->d0, w->y, q->count * sizeof *w->y);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < q->columns; k++) w->y[i * q->lanes + k] += b->from[i] * delay[k];
    if (!d->is_internal) code = d->tangent(d, 0, &at, q, w->y, NULL, w->r);
    for (size_t i = 0; i < s->n && code == 0; i++)
        for (size_t k = 0; k < q->columns; k++) {
            size_t const x = i * q->lanes + k;
            double const scale = s->tolerances.scale[q->first + k];
            double const smooth = b->time * (d->is_internal ? 0 : w->r[x] + ft[i] * delay[k]);
            double const change = fabs(b->from[i] - b->to[i]) / (fabs(b->from[i]) + fabs(b->to[i]));
            double const weight =
                bridge_negligible * tolerances_allow(&s->tolerances, i, w->d0[x] * scale);
            if (change > 0) *off = fmax(*off, change * fabs(smooth) * scale / weight);
            w->y[x] = w->d0[x] + (b->from[i] - b->to[i]) * delay[k] + smooth;
            if (!isfinite(w->y[x])) return 1; /* dT/dp is infinite where g has no rate */
        }
    return code;
}

int events_bridge_columns(struct tansy_solver *s, const struct bridge *b, double most, double *off)
{
    struct stepper *const st = &s->stepper;
    double *const ft = s->events.beside + 3 * s->n;
    struct point at = {.t = b->t_at, .y = b->at, .f = b->f};
    int code = 0;
    *off = 0;
    memset(ft, 0, s->n * sizeof *ft);
    if (!s->derive.is_internal) {
        code = equations_linearise(&s->equations, &at, false);
        /* f is as steep in t where g depends on it: differences are short against the bridge */
        if (code == 0) code = derive_time(&s->derive, 0, &at, b->time, ft);
    }
    s->equations.c = 0;
    for (int pass = 0; pass < 2 && code == 0 && *off <= most; pass++)
        for (size_t m = 0; m < st->panels && code == 0; m++) {
            const struct panel *const q = &s->shape[m];
            code = move_panel(s, b, q, ft, off);
            if (code == 0 && pass == 1)
                panel_to_columns(q, s->n, st->panel_work[0].y, s->sens0 + q->first * s->n);
        }
    return code;
}
