/* SPDX-License-Identifier: Apache-2.0 */
/* What errors of S in a transient behind a switching point leave behind in slow components (jump_transient.h).  Where J is constant, all methods keep the fast part of S,
   its errors among it, apart from the slow one, and they decay together.  What stays is due to the change of J on the way: about rtol times tau (J(y1) - J(y0)) S, less
   what of that decays itself, with y1 = y0 + tau f. */
#include "drive/solver.h"

#include <math.h>
#include <string.h>

enum { SETTLING = 4, POWER = 4, TRIALS = 5 }; /* Euler steps; of (I - h J)^-1; ways */
static const double settled = 30;             /* time constants, in which fast components settle, */
static const double slow = 100;               /* and after which what is left of S counts as slow */
static const double still = 1e-3;             /* of y: fast components have settled */
static const double together = 1.5; /* times as far on the way: conditions that turn about there */

void jump_leak_layout(struct tansy_solver *s, struct arena *arena)
{
    s->jump.room = arena_doubles(arena, LEAK_VECTORS * lane_round(s->n));
    s->jump.g = arena_doubles(arena, s->problem.switches);
    s->jump.g_begin = arena_doubles(arena, s->problem.switches);
    s->jump.mode = arena_doubles(arena, s->problem.switches);
}

double *jump_leak_vector(const struct tansy_solver *s, enum leak_vector which)
{
    return s->jump.room + (size_t)which * lane_round(s->n);
}

/* r = J v. */
static int multiply(struct tansy_solver *s, const struct point *at, const double *v, double *r)
{
    struct panel const one = {.columns = 1, .lanes = 1, .count = lane_round(s->n)};
    return derive_along(&s->derive, 0, at, &one, v, NULL, r);
}

/* f and r = J S at y.  A code of the user's functions. */
static int apply(struct tansy_solver *s, double t, const double *y, double *f, double *r)
{
    struct derive *const d = &s->derive;
    struct point const at = {.t = t, .y = y, .f = f};
    int code = derive_rhs(d, 0, t, y, f);
    bool const matrix = !derive_gives_tangent(d->problem) && d->J->kind != MATRIX_NONE;
    if (code == 0 && matrix && d->jacobian_source == SOURCE_GIVEN) code = d->jacobian(d, &at);
    return code == 0 ? multiply(s, &at, jump_leak_vector(s, LEAK_S), r) : code;
}

/* tau (J(y) S - J(y0) S), y in LEAK_END. */
static int change(struct tansy_solver *s, double t, double *x)
{
    const double *const r0 = jump_leak_vector(s, LEAK_R);
    int const code = apply(s, t, jump_leak_vector(s, LEAK_END), s->jump.rates, x);
    for (size_t i = 0; i < s->n; i++) x[i] = s->jump.tau * (x[i] - r0[i]);
    return code;
}

/* The same for y = y0 + way f. */
static int move(struct tansy_solver *s, double t, double way, double *x)
{
    const double *const y0 = jump_leak_vector(s, LEAK_Y), *const f0 = jump_leak_vector(s, LEAK_F);
    double *const y = jump_leak_vector(s, LEAK_END);
    for (size_t i = 0; i < s->n; i++) y[i] = y0[i] + way * f0[i];
    return change(s, t, x);
}

static int solve(struct tansy_solver *s, double *x)
{
    struct stepper *const st = &s->stepper;
    struct solve_task const task = {.c = s->equations.c};
    return equations_solve(&s->equations, &st->state, &task, x);
}

/* Linearly implicit Euler steps from y1, much longer than tau, to where the fast components have settled, or nearly so. */
static int settle(struct tansy_solver *s, double t, double c)
{
    double *const y = jump_leak_vector(s, LEAK_END), *const x = jump_leak_vector(s, LEAK_LAST);
    struct point const at = {.t = t, .y = y};
    for (int m = 0; m < SETTLING; m++) {
        double moved = 0;
        int code = equations_factor(&s->equations, &at, c);
        if (code == 0) code = derive_rhs(&s->derive, 0, t, y, x);
        if (code == 0) code = solve(s, x);
        if (code != 0) return code;
        for (size_t i = 0; i < s->n; i++) {
            y[i] += x[i];
            moved = fmax(moved, fabs(x[i]) / s->jump.row[i]);
        }
        if (moved <= still) break;
    }
    return 0;
}

/* Where on the way from y+ to where that has ended g_j turns, by a straight line through both; above 1: it does not.  What has no value there turns nothing. */
static double share_of(const struct tansy_solver *s, size_t j)
{
    const struct events *const e = &s->events;
    double const end = events_side(e, j, s->jump.g[j]);
    double const begin = fmax(events_side(e, j, s->jump.g_begin[j]), 0);
    return end < -e->band[j] ? begin / (begin - end) : HUGE_VAL;
}

/* Values of g where the way begins and ends, the modes of now into jump.mode, and where on it the first of them turns. */
static int find_turns(struct tansy_solver *s, double t, double end, double *first)
{
    struct events *const e = &s->events;
    int code = derive_switch(&s->derive, 0, end, jump_leak_vector(s, LEAK_END), s->jump.g);
    if (code == 0)
        code = derive_switch(&s->derive, 0, t, jump_leak_vector(s, LEAK_Y), s->jump.g_begin);
    memcpy(s->jump.mode, e->mode, e->switches * sizeof *e->mode);
    *first = HUGE_VAL;
    for (size_t j = 0; j < e->switches && code == 0; j++) *first = fmin(*first, share_of(s, j));
    return code < 0 ? code : 0;
}

/* Modes as they are from this share of the way on.  True: others than before the call. */
static bool turn_until(struct tansy_solver *s, double share)
{
    struct events *const e = &s->events;
    bool turned = false;
    for (size_t j = 0; j < e->switches; j++) {
        if (e->mode[j] != s->jump.mode[j] || !(share_of(s, j) <= share)) continue;
        e->mode[j] = 1 - e->mode[j];
        turned = true;
    }
    if (turned) derive_set_modes(&s->derive);
    return turned;
}

static void turn_back(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    memcpy(e->mode, s->jump.mode, e->switches * sizeof *e->mode);
    derive_set_modes(&s->derive);
}

/* x <- (I - h J)^-4 x, h = 1/c: slow components as they are, of fast ones next to nothing. */
static int project(struct tansy_solver *s, double c, double *x)
{
    int code = 0;
    for (int m = 0; m < POWER && code == 0; m++) {
        code = solve(s, x);
        for (size_t i = 0; i < s->n; i++) x[i] *= c;
    }
    return code;
}

/* W can be factored: by the methods themselves, or by those that may take over from an explicit one. */
static bool has_factors(const struct tansy_solver *s)
{
    const struct equations *const q = &s->equations;
    return !equations_functional(q) && !equations_iterative(q);
}

static double size_of(const struct tansy_solver *s, enum leak_vector which)
{
    const double *const plain = jump_leak_vector(s, LEAK_PLAIN);
    return jump_transient_size(s, s->jump.column, plain, jump_leak_vector(s, which), 1);
}

/* The sum of (J(y) - J(y0)) S over the way, with S = -y' dT/dp: f(y1) - f(y0) - J(y0) (y1 - y0) times dT/dp.  It sees narrow edges that lie between the points.
   J(y0) f(y0) is in LEAK_LAST, f(y1) where change() has left it. */
static double bend_of(const struct tansy_solver *s, double way)
{
    const double *const f0 = jump_leak_vector(s, LEAK_F), *const f1 = s->jump.rates;
    double *const r = jump_leak_vector(s, LEAK_LAST);
    double const delay = s->jump.size / size_of(s, LEAK_F);
    for (size_t i = 0; i < s->n; i++) r[i] = delay * (f1[i] - f0[i] - way * r[i]);
    return size_of(s, LEAK_LAST);
}

/* J S on the way from y0 to y1, and the largest of its changes, in units of what S is usually.  Where f has no value it is shorter. */
static int go(struct tansy_solver *s, double t, double *way, double *most)
{
    double *const y = jump_leak_vector(s, LEAK_Y), *const f = jump_leak_vector(s, LEAK_F);
    struct point const at = {.t = t, .y = y, .f = f};
    int code = apply(s, t, y, f, jump_leak_vector(s, LEAK_R));
    if (code == 0) code = multiply(s, &at, f, jump_leak_vector(s, LEAK_LAST));
    if (code == 0) code = move(s, t, *way / 2, jump_leak_vector(s, LEAK_HALF));
    if (code == 0) code = move(s, t, *way, jump_leak_vector(s, LEAK_FULL));
    for (int m = 0; m < TRIALS && code > 0; m++) {
        *way /= 2;
        code = move(s, t, *way / 2, jump_leak_vector(s, LEAK_HALF));
        if (code == 0) code = move(s, t, *way, jump_leak_vector(s, LEAK_FULL));
    }
    if (code != 0) return code;
    *most = fmax(bend_of(s, *way), fmax(size_of(s, LEAK_HALF), size_of(s, LEAK_FULL)));
    return 0;
}

/* What of the changes on the way is left where fast components have settled. */
static int find_left(struct tansy_solver *s, double t, double c, double *leak)
{
    struct point const at = {.t = t, .y = jump_leak_vector(s, LEAK_END)};
    int code = change(s, t, jump_leak_vector(s, LEAK_LAST));
    if (code == 0) code = equations_factor(&s->equations, &at, c);
    for (size_t x = LEAK_HALF; x <= LEAK_LAST && code == 0; x++)
        code = project(s, c, jump_leak_vector(s, (enum leak_vector)x));
    *leak = fmax(size_of(s, LEAK_HALF), fmax(size_of(s, LEAK_FULL), size_of(s, LEAK_LAST)));
    return code;
}

/* Modes turn on the way: errors are left with all of S that does not decay any more.  So they do where but the first ones have turned, be it that later ones let S decay
   again: a heater whose sensor would pass its lower and its upper limit, q' = 0 between them. */
static int find_stopped(struct tansy_solver *s, double t, double c, double first, double *leak)
{
    struct point const at = {.t = t, .y = jump_leak_vector(s, LEAK_END)};
    double *const x = jump_leak_vector(s, LEAK_LAST);
    int code = 0;
    for (int all = 0; all < 2 && code == 0; all++) {
        if (!turn_until(s, all ? 1 : fmin(first * together, 1))) continue;
        memcpy(x, jump_leak_vector(s, LEAK_S), s->n * sizeof *x);
        code = equations_factor(&s->equations, &at, c);
        if (code == 0) code = project(s, c, x);
        *leak = fmax(*leak, size_of(s, LEAK_LAST));
    }
    turn_back(s);
    return code;
}

/* What of changes on the way is left behind.  A code of f, or of W: nothing is known. */
static int find(struct tansy_solver *s, double t, double *leak)
{
    double const way = s->direction * s->jump.tau, c = 1 / (slow * way);
    double first = HUGE_VAL;
    int code = settle(s, t, 1 / (settled * way));
    if (code == 0) code = find_left(s, t, c, leak);
    if (code == 0) code = find_turns(s, t, t + settled * way, &first);
    if (code == 0 && first <= 1) code = find_stopped(s, t, c, first, leak);
    return code;
}

tansy_status jump_leak_find(struct tansy_solver *s, double t)
{
    struct jump_transient *const x = &s->jump;
    double const was = x->keeps_leak ? x->leak : 0;
    double way = s->direction * x->tau, bend = HUGE_VAL, leak = HUGE_VAL;
    x->leak = 1;
    if (derive_is_implicit(&s->derive)) return TANSY_OK;
    int code = go(s, t, &way, &bend);
    leak = bend;
    bool const may_turn = s->events.switches > 1;
    if (code == 0 && (bend * x->size > JUMP_IS_OVER || may_turn) && has_factors(s)) {
        code = find(s, t, &leak);
        if (code > 0) leak = bend;
    }
    s->equations.c = 0; /* J is that of another point */
    s->stepper.stages.has_value = false;
    if (code < 0) return solver_fail_here(s, code);
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    if (leak < x->size) x->leak = leak / x->size;
    x->leak = fmax(x->leak, was);
    return TANSY_OK;
}
