/* SPDX-License-Identifier: Apache-2.0 */
/* Runge-Kutta starters for multistep methods: stages and polynomial of Dormand and Prince 5(4) (Hairer, Norsett and Wanner II.5, II.6). */
#include "method/starter.h"

#include <math.h>
#include <string.h>

#include "method/corrector.h"

enum { STAGES = 7, ROWS = STAGES - 1 }; /* of history, which hold the value and stages 1 .. 5 */

/* clang-format off */
static const double c[STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double a[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
/* Of the result less that of order 4. */
static const double difference[STAGES] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
/* b_i(x) = b_i x^2 (3 - 2 x) + [i = 1] x (x - 1)^2 + [i = 7] x^2 (x - 1) + x^2 (x - 1)^2 (p_i + q_i x). */
static const double p[STAGES] = {-5 * 2558722523.0 / 11282082432.0, 0, 100 * 882725551.0 / 32700410799.0,
                                 -25 * 443332067.0 / 1880347072.0, 32805 * 23143187.0 / 199316789632.0,
                                 -55 * 29972135.0 / 822651844.0, 10 * 7414447.0 / 29380423.0};
static const double q[STAGES] = {5 * 31403016.0 / 11282082432.0, 0, -100 * 15701508.0 / 32700410799.0,
                                 25 * 31403016.0 / 1880347072.0, -32805 * 3489224.0 / 199316789632.0,
                                 55 * 7076736.0 / 822651844.0, -10 * 829305.0 / 29380423.0};
/* clang-format on */

bool starter_is_possible(const struct stepper *s)
{
    const struct derive *const d = s->equations->derive;
    return s->method->starts_warm && !derive_is_implicit(d) && !d->is_internal &&
           s->max_order >= STARTER_ORDER && stepper_rows(s) >= ROWS;
}

/* Where stage i of a part is kept: its slope is row 1 of the history already. */
static double *stage(const struct part *part, int i)
{
    if (i + 1 < ROWS) return part->history + (size_t)(i + 1) * part->shape.count;
    return part->e[i + 1 - ROWS];
}

/* out = base + h sum_j weight[j] stage j, j < terms; base may be NULL: zero. */
static void sum_stages(const struct part *part, const double *base, double h, const double *weight,
                       int terms, double *out)
{
    size_t const count = part->shape.count;
    for (size_t x = 0; x < count; x++) out[x] = base ? base[x] : 0;
    for (int j = 0; j < terms; j++) {
        const double *const k = stage(part, j);
        double const factor = h * weight[j];
        for (size_t x = 0; x < count && factor != 0; x++) out[x] += factor * k[x];
    }
}

/* Stage i of all parts. */
static int find_stage(struct stepper *s, double h, int i)
{
    struct equations *const equations = s->equations;
    struct derive *const d = equations->derive;
    struct work *const w = &s->state_work, *const v = &s->panel_work[0];
    double const t = s->t + c[i] * h;
    sum_stages(&s->state, s->state.history, h, a[i], i, w->y);
    int code = derive_rhs(d, 0, t, w->y, stage(&s->state, i));
    struct point at = {.t = t, .y = w->y};
    if (code == 0 && s->panels > 0) code = equations_linearise(equations, &at, false);
    at.f = equations->f;
    for (size_t m = 0; m < s->panels && code == 0; m++) {
        struct part *const part = &s->panel[m];
        sum_stages(part, part->history, h, a[i], i, v->y);
        memset(v->r, 0, part->shape.count * sizeof *v->r);
        code = d->tangent(d, 0, &at, &part->shape, v->y, NULL, v->r);
        memcpy(stage(part, i), v->r, part->shape.count * sizeof *v->r);
    }
    return code;
}

/* The norm of the difference of both orders. */
static double error_of(struct stepper *s, const struct part *part, double h)
{
    const struct norms *const norms = s->equations->norms;
    struct work *const w = part->kind == PART_STATE ? &s->state_work : &s->panel_work[0];
    norms_weigh(norms, part, part->history, w->winv);
    sum_stages(part, NULL, h, difference, STAGES, w->r);
    return norms_largest(norms, part, w->r, w->winv);
}

/* Weights of the stages in the coefficient of x^j of the polynomial, j = 1 .. 4. */
static void find_weights(double weight[STARTER_ORDER + 1][STAGES])
{
    for (int i = 0; i < STAGES; i++) {
        double const b = i + 1 < STAGES ? a[STAGES - 1][i] : 0;
        double const first = i == 0, last = i + 1 == STAGES;
        weight[1][i] = first;
        weight[2][i] = 3 * b - 2 * first - last + p[i];
        weight[3][i] = -2 * b + first + last - 2 * p[i] + q[i];
        weight[4][i] = p[i] - 2 * q[i];
    }
}

/* z_j = h sum_i weight_ji k_i in place of the stages. */
static void fill_history(struct part *part, double h, double weight[STARTER_ORDER + 1][STAGES])
{
    size_t const count = part->shape.count;
    double *k[STAGES];
    for (int i = 0; i < STAGES; i++) k[i] = stage(part, i);
    for (size_t x = 0; x < count; x++) {
        double z[STARTER_ORDER + 1];
        for (int j = 1; j <= STARTER_ORDER; j++) {
            z[j] = 0;
            for (int i = 0; i < STAGES; i++) z[j] += weight[j][i] * k[i][x];
        }
        for (int j = 1; j <= STARTER_ORDER; j++) part->history[(size_t)j * count + x] = h * z[j];
    }
    memset(part->e[0], 0, count * sizeof(double));
    memset(part->e[1], 0, count * sizeof(double));
    part->order = STARTER_ORDER;
    part->h = h;
}

/* The larger of two norms; NaN if one is, which fmax() would drop. */
static double larger(double one, double other)
{
    return one >= other || isnan(one) ? one : other;
}

double starter_run(struct stepper *s, double h, int *code)
{
    double weight[STARTER_ORDER + 1][STAGES];
    *code = 0;
    for (int i = 1; i < STAGES && *code == 0; i++) *code = find_stage(s, h, i);
    s->equations->c = 0;
    if (*code != 0) return HUGE_VAL;
    double error = error_of(s, &s->state, h);
    for (size_t m = 0; m < s->panels && s->control != TANSY_STATE_ONLY; m++)
        error = larger(error, error_of(s, &s->panel[m], h));
    if (!(error <= 1)) return error;
    find_weights(weight);
    fill_history(&s->state, h, weight);
    for (size_t m = 0; m < s->panels; m++) fill_history(&s->panel[m], h, weight);
    s->order = STARTER_ORDER;
    s->h = h;
    return error;
}

bool starter_can_bend(const struct stepper *s)
{
    const struct derive *const d = s->equations->derive;
    return s->method->family && !d->is_internal && s->max_order >= 2;
}

/* Norms of both terms of a part, which are in units of its h = 1. */
static void weigh_terms(struct stepper *s, struct part *part, double h, struct bend *out)
{
    const struct norms *const norms = s->equations->norms;
    struct work *const w = part->kind == PART_STATE ? &s->state_work : &s->panel_work[0];
    norms_weigh(norms, part, part->history, w->winv);
    out->first = larger(out->first, norms_largest(norms, part, stage(part, 0), w->winv) * fabs(h));
    out->second = larger(out->second, norms_largest(norms, part, stage(part, 1), w->winv) * h * h);
}

/* z_2 of a part from the slope at t + h, in its place. */
static void find_second(const struct stepper *s, struct part *part, double h)
{
    double *const z = stage(part, 1), *const slope = stage(part, 0);
    s->equations->kernels->combine(part->shape.count, 0.5 / h, z, -0.5 / h, slope, z);
}

int starter_bend(struct stepper *s, double h, struct bend *out)
{
    *out = (struct bend){0};
    int const code = find_stage(s, h / c[1], 1);
    s->equations->c = 0;
    if (code != 0) return code;
    find_second(s, &s->state, h);
    weigh_terms(s, &s->state, h, out);
    for (size_t m = 0; m < s->panels; m++) {
        find_second(s, &s->panel[m], h);
        if (s->control != TANSY_STATE_ONLY) weigh_terms(s, &s->panel[m], h, out);
    }
    return 0;
}

void starter_bend_by(struct stepper *s, const double *ypp, double h, struct bend *out)
{
    double *const z = stage(&s->state, 1);
    *out = (struct bend){0};
    s->equations->kernels->combine(s->state.shape.count, 0.5, ypp, 0, ypp, z);
    weigh_terms(s, &s->state, h, out);
    for (size_t m = 0; m < s->panels; m++)
        memset(stage(&s->panel[m], 1), 0, s->panel[m].shape.count * sizeof *z);
}

void starter_raise(struct stepper *s)
{
    s->order = s->state.order = 2;
    for (size_t m = 0; m < s->panels; m++) s->panel[m].order = 2;
}
