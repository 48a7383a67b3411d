/* SPDX-License-Identifier: Apache-2.0 */
/* dy0/dp of a model with many parameters, compared with differences along one random direction u in which every column has its
   share: a column at a time would take np evaluations of all initial values.  Differences of fourth order with increments h, 2h
   and 4h, whose disagreement says how far they can be trusted, as tansy_check() does. */
#include "job.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 4, LINE = 64 };        /* multiple of the increment; bytes of a cache line */
static const double increment = 7.4e-4; /* eps^(1/5): rounding and truncation are alike */
static const double doubt = 10, relative = 1e-6;
static const double rounding = 100 * DBL_EPSILON; /* of y0_i, relative to its largest term */

struct line {
    const tansy_problem *problem;
    tansy_local local; /* as a solver's thread has it */
    void *context;
    double *p, *u, *y;           /* p[np], modes and the piece; u[np], y[n] */
    double *given, *size;        /* given[n] = (dy0/dp) u, size[n] of its largest term */
    double *value, *error, *now; /* [n] */
};

/* From 0.5 to 1, of either sign. */
static double scramble(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    double const size = 0.5 + (double)(*state >> 9) * 0x1p-24;
    return *state & UINT32_C(0x80) ? size : -size;
}

static void choose(struct line *l)
{
    const tansy_problem *const q = l->problem;
    uint32_t state = 1;
    for (size_t k = 0; k < q->np; k++) {
        double size = q->scale && q->scale[k] > 0 ? q->scale[k] : fabs(q->p[k]);
        if (!(size > 0)) size = 1;
        l->u[k] = scramble(&state) * size;
    }
}

/* D u and the size of its terms. */
static int multiply(struct line *l)
{
    const tansy_problem *const q = l->problem;
    double *const D = take(q->n * q->np, sizeof *D);
    int const code = q->initial_jacobian(q->t0, l->p, D, l->context);
    for (size_t i = 0; i < q->n && code == 0; i++)
        for (size_t k = 0; k < q->np; k++) {
            double const term = D[i * q->np + k] * l->u[k];
            l->given[i] += term;
            l->size[i] = fmax(l->size[i], fabs(term));
        }
    free(D);
    return code;
}

/* y0 at p + x u is added with this weight. */
static int add(struct line *l, double x, double weight)
{
    const tansy_problem *const q = l->problem;
    for (size_t k = 0; k < q->np; k++) l->p[k] = q->p[k] + x * l->u[k];
    l->local.version++;
    int const code = q->initial(q->t0, l->p, l->y, l->context);
    for (size_t i = 0; i < q->n; i++) {
        l->now[i] += weight * l->y[i];
        l->size[i] = fmax(l->size[i], fabs(l->y[i]));
    }
    return code;
}

/* 8 (y(h) - y(-h)) - (y(2h) - y(-2h)) = 12 h y' + O(h^5). */
static int differ(struct line *l)
{
    int code = 0;
    for (int times = 1; times <= LARGEST && code == 0; times *= 2) {
        double const h = times * increment;
        memset(l->now, 0, l->problem->n * sizeof *l->now);
        code = add(l, h, 8 / (12 * h));
        if (code == 0) code = add(l, -h, -8 / (12 * h));
        if (code == 0) code = add(l, 2 * h, -1 / (12 * h));
        if (code == 0) code = add(l, -2 * h, 1 / (12 * h));
        for (size_t i = 0; i < l->problem->n; i++) {
            if (times == 1) l->value[i] = l->now[i];
            l->error[i] = fmax(l->error[i], fabs(l->now[i] - l->value[i]));
        }
    }
    return code;
}

/* The first component that is wrong, or n. */
static size_t first_wrong(const struct line *l)
{
    size_t i = 0;
    for (; i < l->problem->n; i++) {
        double const allowed = doubt * l->error[i] + rounding * l->size[i] / increment +
                               relative * fmax(fabs(l->given[i]), fabs(l->value[i]));
        if (!(fabs(l->given[i] - l->value[i]) <= allowed)) break;
    }
    return i;
}

int check_initial(const struct study *s)
{
    const tansy_problem *const q = &s->problem;
    if (!q->initial || !q->initial_jacobian || q->n == 0) return DONE;
    size_t const room = q->np + q->switches + 1;
    double *const memory = take(room + q->np + 6 * q->n, sizeof *memory);
    struct line l = {.problem = q, .p = memory, .u = memory + room};
    l.y = l.u + q->np;
    l.given = l.y + q->n;
    l.size = l.given + q->n;
    l.value = l.size + q->n;
    l.error = l.value + q->n;
    l.now = l.error + q->n;
    memcpy(l.p, q->p, q->np * sizeof *l.p);
    choose(&l);
    char *const scratch = take(q->scratch + LINE, 1);
    l.local = (tansy_local){
        .context = q->context, .scratch = scratch + LINE - (uintptr_t)scratch % LINE, .version = 1};
    l.context = q->scratch > 0 ? &l.local : q->context;
    int const code =
        multiply(&l) != 0 || differ(&l) != 0; /* where it fails, starting has said so */
    size_t const i = code == 0 ? first_wrong(&l) : q->n;
    int status = DONE;
    if (i < q->n)
        status = complain(STOPPED,
                          "derivatives at t = %g: initial_jacobian: component %zu of (dy0/dp) u is "
                          "given as %.9g but differences say %.9g",
                          q->t0, i, l.given[i], l.value[i]);
    free(scratch);
    free(memory);
    return status;
}
