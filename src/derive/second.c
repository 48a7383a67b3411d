/* SPDX-License-Identifier: Apache-2.0 */
/* Directional second derivatives, R = d/dy(J v + tau f_t) V + d/dp(J v + tau f_t) U, f being -F at y' = 0 where the problem is F = 0
   that is linear in y', as the problem gives them; else, as they
   are the derivative of the tangent along (tau, v), by central differences of the tangent,
     R = [T(t + eps tau, y + eps v) - T(t - eps tau, y - eps v)]/(2 eps),  T = J V + f_p U,
   (where t moves, by the formula of one side),
   with eps so that no y_i moves by more than Delta of its size, nor t by more than Delta of the span. */
#include "derive/second.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

/* Relative errors in the model of line.c: of an exact T, Delta^2 + u/Delta = 5.5e-11 with Delta = eps^(1/3).  Of f alone, four
   points, 2 Delta^2 + 2u/Delta^2 = 4.5e-8 with Delta = eps^(1/4).  Of eight, 8 Delta^4 + 3u/Delta^2 = 7e-10. */
static const double delta_of_tangent = 6.06e-6, delta_of_values = 0x1p-13, delta_of_eight = 0x1p-10;
static const double fine = 2e-6; /* rtol below which eight values save more steps than they cost */

double second_increment(void)
{
    return delta_of_values;
}

static bool takes_eight(const struct derive *d)
{
    return d->noise == 0 && d->y0_tolerance < fine;
}

int second_digits(const struct derive *d)
{
    return takes_eight(d) ? 9 : 7;
}

/* Beyond this ratio of the increments t and y are moved apart, as y and p are in differences.c. */
static const double far_apart = 10;

enum { ATTEMPTS = 3, TAIL = 8 }; /* rows that hold the tail of a panel, whatever its lanes */

/* clang-format off */
static const struct shifts formulas[ATTEMPTS] = {
    {2, {{1, 0.5}, {-1, -0.5}}},
    {3, {{0, -1.5}, {1, 2}, {2, -0.5}}}, /* where T cannot be had on one side */
    {3, {{0, 1.5}, {-1, -2}, {-2, 0.5}}},
};
/* clang-format on */

struct point second_move(const struct second_part *part, const struct point *from, int m,
                         double *room)
{
    for (size_t i = 0; i < part->d->n && part->v; i++)
        room[i] = from->y[i] + m * (part->eps * part->v[i]);
    return (struct point){.t = from->t + m * part->t_step, .y = part->v ? room : from->y};
}

static int add_values(const struct second_part *part)
{
    switch (part->d->second_source) {
    case SOURCE_TANGENT:
        return second_by_tangent(part);
    case SOURCE_MATRIX:
        return second_by_matrices(part);
    default:
        return second_by_values(part, true);
    }
}

/* One motion, by the first of the formulas whose points can all be evaluated.  Where t moves, those stay first that look into the
   step: f may be another one before a break time, or behind the end. */
static int difference(struct second_part part)
{
    struct derive_worker *const w = &part.d->worker[part.worker];
    int const inward = part.t_step == 0 ? 0 : (part.t_step > 0) == (part.span >= 0) ? 1 : 2;
    int code = 1;
    for (int attempt = 0; attempt < ATTEMPTS && code > 0; attempt++) {
        part.shifts = &formulas[(inward + attempt) % ATTEMPTS];
        memset(part.R, 0, part.panel->count * sizeof *part.R);
        code = add_values(&part);
    }
    if (code != 0) return code;
    w->failure.kind = FAILURE_NONE;
    part.d->kernels->combine(part.panel->count, 1 / part.eps, part.R, 0, part.R, part.R);
    return 0;
}

/* Of f alone, with increments of Delta and of twice that, so that the term of Delta^2 drops out: (4 R_1 - R_2)/3.  Where one of them took other
   points, as f could not be evaluated at some, that would not do: then as usual. */
static int difference_finely(const struct second_part *usual, double *room)
{
    const size_t *const count = &usual->d->worker[usual->worker].counts.rhs;
    struct second_part part = *usual;
    part.Delta = delta_of_eight;
    part.eps = increment_along(part.d, part.at->y, 1, part.v, part.Delta);
    size_t const before = *count;
    int code = difference(part);
    size_t const once = *count;
    part.eps *= 2;
    part.Delta *= 2;
    part.R = room;
    if (code == 0) code = difference(part);
    if (code < 0) return code;
    if (code > 0 || *count - once != once - before) return difference(*usual);
    part.d->kernels->combine(part.panel->count, 4.0 / 3, usual->R, -1.0 / 3, room, usual->R);
    return 0;
}

/* t and y at once, by a common increment that is exact in t; false: t is too large to move by so little. */
static bool join(struct second_part *part, double tau, double eps)
{
    part->t_step = increment_exact(4 * part->at->t, eps * tau);
    part->eps = part->t_step / tau;
    return part->t_step != 0;
}

static int second_differences(struct derive *d, size_t worker, const struct point *at,
                              const struct motion *along, const struct panel *panel,
                              const double *V, double *R)
{
    struct second_room *const room = &d->worker[worker].second;
    double const wide = fmax(delta_of_values, sqrt(sqrt(d->noise)));
    double const Delta = room->f ? wide : delta_of_tangent;
    double const tau = d->problem->autonomous ? 0 : along->tau;
    double const t_step = copysign(increment_of_time(at->t, along->span, Delta), tau);
    double const eps_t = tau != 0 ? t_step / tau : 0;
    double const eps_y = increment_along(d, at->y, 1, along->v, Delta);
    double const least = fmin(eps_y, eps_t), most = fmax(eps_y, eps_t);
    struct second_part part = {.d = d,
                               .worker = worker,
                               .at = at,
                               .panel = panel,
                               .V = V,
                               .R = R,
                               .v = along->v,
                               .span = along->span,
                               .Delta = Delta};
    d->worker[worker].counts.second += panel->columns;
    if (least > 0 && most <= far_apart * least && join(&part, tau, least)) return difference(part);
    memset(R, 0, panel->count * sizeof *R);
    part.t_step = 0;
    part.eps = eps_y;
    bool const finely = along->is_fine && room->f && takes_eight(d);
    int code = !(eps_y > 0) ? 0 : finely ? difference_finely(&part, room->sum) : difference(part);
    if (code != 0 || !(eps_t > 0)) return code;
    part.R = room->sum;
    part.v = NULL;
    part.eps = eps_t;
    part.t_step = t_step;
    code = difference(part);
    if (code == 0) d->kernels->combine(panel->count, 1, R, 1, room->sum, R);
    return code;
}

static int second_given(struct derive *d, size_t worker, const struct point *at,
                        const struct motion *along, const struct panel *panel, const double *V,
                        double *R)
{
    struct derive_worker *const w = &d->worker[worker];
    const tansy_problem *const q = d->problem;
    size_t const columns = panel->columns, lanes = panel->lanes;
    w->counts.second += columns;
    given_place(d, w, panel);
    given_clear(d->n, columns, lanes, R);
    int code = q->second(at->t, at->y, w->p, along->v, q->autonomous ? 0 : along->tau, columns,
                         lanes, V, w->U, R, w->context);
    if (d->form == FORM_RESIDUAL)
        for (size_t x = 0; x < d->n * lanes; x++) R[x] = -R[x];
    code = judge_columns(d, worker, panel, judge_matrix(w, "second", at->t, code, d->n, lanes, R));
    for (size_t x = d->n * lanes; x < panel->count; x++) R[x] = 0; /* tail of the last group */
    return code;
}

/* Those of a model are exact: one that is not finite is so in truth, and from a user's function it is an error.  They are taken at the beginning of a step, so that a shorter one is no better.  Differences fail only where f or its tangent does. */
int derive_second(struct derive *d, size_t worker, const struct point *at,
                  const struct motion *along, const struct panel *panel, const double *V, double *R)
{
    struct derive_worker *const w = &d->worker[worker];
    bool const exact = d->second_source == SOURCE_GIVEN && d->problem->from_model;
    int const code = d->second(d, worker, at, along, panel, V, R);
    if (code <= 0 || !exact || w->failure.kind != FAILURE_NOT_FINITE) return code;
    for (size_t x = 0; x < panel->count; x++)
        if (!isfinite(R[x])) R[x] = 0;
    if (w->neglected++ == 0) w->first_neglected = w->failure;
    w->failure.kind = FAILURE_NONE;
    return 0;
}

/* Of F = 0 only where they do not depend on y', or f is -F at y' = 0. */
static bool are_defined(const tansy_problem *q)
{
    return !q->residual || q->mass_constant || q->rate_linear;
}

static bool gives_tangent(const tansy_problem *q)
{
    return q->residual ? q->residual_tangent != NULL : q->tangent != NULL;
}

static bool gives_jacobian(const tansy_problem *q)
{
    return q->residual ? q->residual_jacobian != NULL : q->jacobian != NULL;
}

tansy_status derive_need_second(struct derive *d, tansy_problem *problem, bool columns,
                                struct message *message)
{
    if (!are_defined(problem)) return TANSY_OK;
    bool const missing =
        (columns && !problem->second) || (!problem->autonomous && !problem->time_derivative);
    d->has_second = columns;
    if (missing && problem->complete && problem->complete(problem) < 0)
        return message_set(message, TANSY_OUT_OF_MEMORY, "no memory for second derivatives");
    return TANSY_OK;
}

void second_choose(struct derive *d)
{
    const tansy_problem *const q = d->problem;
    d->second_source = d->time_source = SOURCE_NONE;
    d->second = NULL;
    if (!are_defined(q)) return;
    d->time_source = q->autonomous        ? SOURCE_NONE
                     : q->time_derivative ? SOURCE_GIVEN
                                          : SOURCE_DIFFERENCES;
    if (!d->has_second) return;
    d->second_source = q->second           ? SOURCE_GIVEN
                       : gives_tangent(q)  ? SOURCE_TANGENT
                       : gives_jacobian(q) ? SOURCE_MATRIX
                                           : SOURCE_DIFFERENCES;
    d->second = q->second ? second_given : second_differences;
}

void second_layout(const struct derive *d, struct second_room *room, struct arena *arena,
                   size_t lanes)
{
    const tansy_problem *const q = d->problem;
    size_t const parameters =
        q->parameter_pattern.row ? q->parameter_pattern.entries : d->n * d->np;
    if (q->second) return;
    room->sum = arena_matrix(arena, d->n + TAIL, lanes);
    if (gives_tangent(q)) {
        room->T = arena_matrix(arena, d->n, lanes);
        return;
    }
    if (gives_jacobian(q)) {
        room->J = arena_doubles(arena, given_count(q));
        room->J_sum = arena_doubles(arena, given_count(q));
    }
    if (gives_jacobian(q) && (q->parameter_jacobian || q->residual_parameter)) {
        room->F = arena_doubles(arena, parameters);
        room->F_sum = arena_doubles(arena, parameters);
        return;
    }
    room->y = arena_doubles(arena, d->n);
    room->f = arena_doubles(arena, d->n);
    room->base = arena_doubles(arena, d->n);
}
