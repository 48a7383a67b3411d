/* SPDX-License-Identifier: Apache-2.0 */
/* Newton's method for consistent y' and algebraic y: K delta = r (rows of constraints: dr/dt). */
#include "drive/consistent.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/names.h"
#include "drive/solver.h"

/* Beyond a few iterations go on as long as changes do not grow: from far above its root an exponential comes down by one unit of its argument each. */
enum { MOST_ITERATIONS = 40, MOST_SLOWLY = 1000, MOST_HALVINGS = 12 };

static const double noise = 1e-5; /* those of y' by differences in time may be up to this, */
static const double much = 1e-2;  /* and where they do not fall up to that: 2e-4 in transistors */
static const double between_steps = 10; /* times the tolerance: the errors of dense output */

void consistent_layout(struct tansy_solver *s, struct arena *arena, size_t widest)
{
    struct consistent *const c = &s->consistent;
    size_t const n = lane_round(s->n);
    if (!derive_is_implicit(&s->derive)) return;
    c->yp = arena_doubles(arena, n);
    c->ypp = arena_doubles(arena, n);
    c->iterated = arena_doubles(arena, n);
    c->tested = arena_doubles(arena, n);
    c->delta = arena_doubles(arena, n);
    c->dy = arena_doubles(arena, n);
    c->dyp = arena_doubles(arena, n);
    c->moved = arena_doubles(arena, n);
    c->given = arena_doubles(arena, n);
    c->slope = arena_doubles(arena, n);
    c->other = arena_doubles(arena, n);
    c->room = arena_doubles(arena, RATE_MATRIX_ROOM * n);
    c->allowed = arena_doubles(arena, n);
    c->terms = arena_doubles(arena, n);
    c->reach = arena_doubles(arena, n);
    widest = widest > n ? widest : n;
    c->panel = arena_doubles(arena, 3 * widest);
    c->weights = s->linear.krylov ? arena_doubles(arena, widest) : NULL;
    consistent_layout_dense(s, arena);
    ARENA_TAKE(arena, c->lever, s->n);
    ARENA_TAKE(arena, c->kind, s->n);
    ARENA_TAKE(arena, c->constraint, s->n);
    ARENA_TAKE(arena, c->flat, s->n);
    ARENA_TAKE(arena, c->rated, s->n);
    ARENA_TAKE(arena, c->shows, s->n);
    ARENA_TAKE(arena, c->held, s->ns);
    c->tried = arena_doubles(arena, 3 * s->n);
    s->krylov.algebraic = s->stepper.stages.flat = c->flat;
    s->stepper.stages.kind = c->kind;
}

/* Norms leave out what the kinds say. */
static void use_kinds(struct tansy_solver *s)
{
    const struct consistent *const c = &s->consistent;
    bool const suppress = s->options.suppress_algebraic && c->algebraic > 0;
    s->norms.iterated = c->multipliers > 0 ? c->iterated : NULL;
    s->norms.lever = c->multipliers > 0 ? c->lever : NULL;
    s->norms.tested = c->multipliers > 0 || suppress ? c->tested : NULL;
    double count = 0; /* the root mean square is one of the components that are tested */
    for (size_t i = 0; i < s->n; i++) count += s->norms.tested ? c->tested[i] : 1;
    s->norms.share = s->norms.kind == TANSY_MAX ? 1 : 1 / fmax(count, 1);
    s->equations.exact_c = c->multipliers > 0;
    s->linear.constraint = c->constraints > 0 ? c->constraint : NULL;
    s->stepper.stages.has_algebraic = c->algebraic > 0 || c->coupled.n > 0;
}

/* The residual r, with d/dt = r_t + J y' in the rows of constraints, given or with r_t from slope. */
static int evaluate(struct tansy_solver *s, double t, double *r)
{
    struct consistent *const c = &s->consistent;
    struct point const at = {.t = t, .y = s->y0, .yp = c->yp};
    int code = derive_value(&s->derive, 0, &at, r);
    if (code != 0 || c->constraints == 0) return code;
    bool const given = s->problem.constraint_rate != NULL;
    if (given) code = derive_constraint_rate(&s->derive, &at, c->slope);
    const struct sparse_rows *const J = &s->J.rows;
    for (size_t i = 0; i < s->n; i++) {
        if (!c->constraint[i]) continue;
        r[i] = c->slope[i];
        for (size_t e = J->start[i]; e < J->start[i + 1] && !given; e++)
            r[i] += J->value[e] * c->yp[J->column[e]];
    }
    return code;
}

bool consistent_may_look(const struct tansy_solver *s, double t, double by)
{
    const tansy_options *const o = &s->options;
    if (!o->use_stop_time) return true;
    double const way = s->direction != 0 ? s->direction : s->consistent.came < 0 ? -1 : 1;
    if (t == o->stop_time) return way * by <= 0;
    return by > 0 ? o->stop_time < t || t + by <= o->stop_time
                  : o->stop_time > t || t + by >= o->stop_time;
}

/* A step of Newton's method, or the first of its halves where the residual can be evaluated. */
static int move(struct tansy_solver *s, double t, double *r)
{
    struct consistent *const c = &s->consistent;
    double *const y = s->y0, *const yp = c->yp;
    double share = 1, before = 0;
    for (int halving = 0;; halving++) {
        for (size_t i = 0; i < s->n; i++) {
            y[i] += (share - before) * c->dy[i];
            yp[i] += (share - before) * c->dyp[i];
        }
        int const code = evaluate(s, t, r);
        if (code <= 0 || halving == MOST_HALVINGS) return code;
        before = share;
        share /= 4;
    }
}

static tansy_status fail_newton(struct tansy_solver *s, double t)
{
    const struct consistent *const c = &s->consistent;
    size_t worst = 0;
    struct name name;
    for (size_t i = 1; i < s->n; i++)
        if (fabs(c->dy[i]) / consistent_weight(s, i) >
            fabs(c->dy[worst]) / consistent_weight(s, worst))
            worst = i;
    return s->error =
               message_set(&s->message, TANSY_INCONSISTENT,
                           "no consistent initial values found at t = %.10g: Newton's method does "
                           "not converge, least of all in %s; give better starting values of "
                           "the algebraic variables",
                           t, name_state(&s->problem, worst, &name));
}

static tansy_status fail_rates(struct tansy_solver *s, double t)
{
    struct name name;
    size_t const last = s->consistent.coupled.component[s->n - 1];
    return s->error = message_set(&s->message, TANSY_INCONSISTENT,
                                  "no consistent initial values found at t = %.10g: dF/dy' is "
                                  "singular, and F cannot be evaluated "
                                  "at times nearby, which would tell the derivative of %s",
                                  t, name_state(&s->problem, last, &name));
}

/* The constraints of index 2 hold at the given y, as far as the tolerances can tell. */
static tansy_status check_constraints(struct tansy_solver *s, double t)
{
    const struct consistent *const c = &s->consistent;
    const struct sparse_rows *const J = &s->J.rows;
    const double *const r = s->equations.f;
    double const slack = s->started || c->is_of_run ? between_steps : 1;
    for (size_t i = 0; i < s->n; i++) {
        double allowed = 0;
        for (size_t e = J->start[i]; e < J->start[i + 1] && c->constraint[i]; e++)
            allowed += slack * fabs(J->value[e]) * consistent_weight(s, J->column[e]);
        struct name name;
        if (!c->constraint[i] || fabs(r[i]) <= allowed) continue;
        return s->error = message_set(&s->message, TANSY_INCONSISTENT,
                                      "the initial values break the constraint %s at t = %.10g: it "
                                      "is %g, not 0; of an "
                                      "index-2 problem they must satisfy it",
                                      name_equation(&s->problem, i, &name), t, -r[i]);
    }
    return TANSY_OK;
}

/* Of y', to the relative tolerance of the largest. */
static tansy_status check_given_rates(struct tansy_solver *s, double t)
{
    const struct consistent *const c = &s->consistent;
    double largest = 0;
    for (size_t i = 0; i < s->n; i++) largest = fmax(largest, fabs(c->yp[i] + c->dyp[i]));
    for (size_t i = 0; i < s->n; i++) {
        struct name name;
        if (fabs(c->dyp[i]) <= fmax(s->tolerances.rtol[i], consistent_settled) * largest) continue;
        return s->error = message_set(&s->message, TANSY_INCONSISTENT,
                                      "the initial values are inconsistent at t = %.10g: %s' = "
                                      "%.10g should be near %.10g "
                                      "(keep_initial forbids to change it)",
                                      t, name_state(&s->problem, i, &name), c->yp[i],
                                      c->yp[i] + c->dyp[i]);
    }
    return TANSY_OK;
}

/* keep_initial: what is given at t0 is taken as it is, if it is consistent. */
static bool keeps_given(const struct tansy_solver *s)
{
    return s->options.keep_initial && !s->started;
}

/* The given values as they are: are they consistent? */
static tansy_status check_given(struct tansy_solver *s, double t)
{
    const struct consistent *const c = &s->consistent;
    for (size_t i = 0; i < s->n; i++) {
        struct name name;
        if (fabs(c->dy[i]) <= consistent_weight(s, i)) continue;
        return s->error =
                   message_set(&s->message, TANSY_INCONSISTENT,
                               "the initial values are inconsistent at t = %.10g: %s = %.10g "
                               "should be near %.10g "
                               "(keep_initial forbids to change it)",
                               t, name_state(&s->problem, i, &name), s->y0[i], s->y0[i] + c->dy[i]);
    }
    return s->problem.yp0 && t == s->problem.t0 ? check_given_rates(s, t) : TANSY_OK;
}

/* A component with a derivative moves only where M is coupled: M y is kept, not y.  The one that moved farthest is told. */
static void note_replaced(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    double farthest = 1;
    c->replacements = 0;
    for (size_t i = 0; i < s->n; i++) {
        double const distance = fabs(s->y0[i] - c->given[i]) / consistent_weight(s, i);
        if (c->kind[i] != TANSY_DIFFERENTIAL || !(distance > 1)) continue;
        c->replacements++;
        if (!(distance > farthest)) continue;
        farthest = distance;
        c->replaced = i;
        c->replaced_from = c->given[i];
        c->replaced_to = s->y0[i];
    }
}

static void note_distance(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    c->distance = 0;
    for (size_t i = 0; i < s->n; i++) {
        double const distance = fabs(s->y0[i] - c->given[i]) / consistent_weight(s, i);
        if (!(distance > c->distance)) continue;
        c->distance = distance;
        c->shifted = i;
    }
    if (s->started || !(c->distance > 1)) return;
    c->component = c->shifted;
    c->from = c->given[c->shifted];
    c->to = s->y0[c->shifted];
    c->was_moved = true;
    const char *const vanishing = s->problem.vanishing;
    bool const state = vanishing && vanishing[c->shifted];
    c->was_dropped = state && c->kind[c->shifted] != TANSY_DIFFERENTIAL;
    note_replaced(s);
}

/* r - J d, d = y - given: with M d = 0 the new d is in the null space of M as it is now, K (y', d) = r - J d. */
static void start_from_given(struct tansy_solver *s, double *r)
{
    const struct consistent *const c = &s->consistent;
    const struct sparse_rows *const J = &s->J.rows;
    for (size_t i = 0; i < s->n; i++)
        for (size_t e = J->start[i]; e < J->start[i + 1]; e++)
            r[i] -= J->value[e] * (s->y0[J->column[e]] - c->given[J->column[e]]);
}

/* dy and dyp of one iteration, with K and the residual at the values at hand; *converges is false where they cannot be had. */
static tansy_status find_change(struct tansy_solver *s, double t, bool *converges)
{
    struct consistent *const c = &s->consistent;
    int code = evaluate(s, t, c->delta);
    if (code != 0) return solver_fail_here(s, code);
    memset(c->dy, 0, s->n * sizeof *c->dy);
    memset(c->dyp, 0, s->n * sizeof *c->dyp);
    if (c->coupled.n > 0) start_from_given(s, c->delta);
    for (size_t i = 0; i < s->n && c->coupled.n > 0; i++) c->dy[i] = c->given[i] - s->y0[i];
    code = consistent_solve(s, NULL, c->delta, c->dy, c->dyp);
    *converges = code == 0;
    bool const told = s->derive.worker[0].failure.kind != FAILURE_NONE;
    return code != 0 && told ? solver_fail_here(s, code) : TANSY_OK;
}

/* K at the values at hand; m iterations have been made.  Where K is singular on the way, but was not at first, there is no
   solution nearby: that says nothing about the index. */
static tansy_status prepare(struct tansy_solver *s, double t, int m)
{
    tansy_status const status = consistent_factor(s, t);
    if (status == TANSY_HIGH_INDEX && m > 0) return fail_newton(s, t);
    if (status != TANSY_OK || m > 0) return status;
    s->consistent.unit = 0;
    s->consistent.rate_span = consistent_span(s, t, s->consistent.yp);
    TRY(check_constraints(s, t));
    int const code = consistent_project(s, t);
    if (code != 0) return solver_fail_here(s, code);
    return consistent_time_slope(s, t); /* of constraints: nothing moves from now on */
}

/* Newton's method from the values at hand. */
static tansy_status iterate(struct tansy_solver *s, double t)
{
    static const double slowly = 1.1;
    double before = HUGE_VAL;
    for (int m = 0; m < MOST_SLOWLY; m++) {
        bool converges = true;
        TRY(prepare(s, t, m));
        TRY(find_change(s, t, &converges));
        if (!converges) break;
        if (m == 0 && keeps_given(s)) TRY(check_given(s, t));
        double const size = consistent_change(s);
        if (!isfinite(size) || (m >= MOST_ITERATIONS && size > slowly * before)) break;
        int const code = move(s, t, s->consistent.other);
        if (code != 0) return solver_fail_here(s, code);
        if (size <= 1 && (size == 0 || size > 0.1 * before || size < 1e-6)) return TANSY_OK;
        before = size;
    }
    return fail_newton(s, t);
}

/* y' of the run that led here, what a restart or the problem suggests, or zero: it chooses the branch where F is not linear
   in y'. */
static void guess_rates(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    if (s->started)
        solver_output(s, t, 1, c->yp, NULL);
    else if (!c->has_guess) {
        memset(c->yp, 0, s->n * sizeof *c->yp);
        if (s->problem.yp0 && t == s->problem.t0)
            memcpy(c->yp, s->problem.yp0, s->n * sizeof *c->yp);
    }
}

/* The given y' of a coupled M may be wrong along its null space, where F does not show it. */
static tansy_status add_hidden_rates(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    memcpy(c->dyp, c->dy, s->n * sizeof *c->dyp);
    memset(c->dy, 0, s->n * sizeof *c->dy);
    bool const given = s->problem.yp0 && t == s->problem.t0;
    if (s->options.keep_initial && given && !s->started) TRY(check_given_rates(s, t));
    int const code = move(s, t, c->other);
    return code != 0 ? solver_fail_here(s, code) : TANSY_OK;
}

/* A weight below the rounding of the largest component: spans of time in which that component moves by its weight are too short for differences,
   and no corrector could reach it. */
static bool is_too_tight(const struct tansy_solver *s, size_t *tightest, double *largest)
{
    *tightest = 0;
    *largest = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (consistent_weight(s, i) < consistent_weight(s, *tightest)) *tightest = i;
        *largest = fmax(*largest, fabs(s->y0[i]));
    }
    return consistent_weight(s, *tightest) < tolerances_rounding(*largest);
}

static tansy_status fail_hidden(struct tansy_solver *s, double t)
{
    const struct consistent *const c = &s->consistent;
    size_t worst = 0;
    double largest = 0;
    struct name name;
    if (is_too_tight(s, &worst, &largest))
        return s->error = message_set(
                   &s->message, TANSY_TOO_MUCH_ACCURACY,
                   "no consistent initial values found at t = %.10g: derivatives do not settle, as "
                   "the tolerance of %s, %g, is lost in the rounding of components as large as "
                   "%g; raise its atol",
                   t, name_state(&s->problem, worst, &name), consistent_weight(s, worst), largest);
    worst = 0;
    for (size_t i = 1; i < s->n; i++)
        if (fabs(c->ypp[i]) > fabs(c->ypp[worst])) worst = i;
    return s->error = message_set(
               &s->message, TANSY_INCONSISTENT,
               "no consistent initial values found at t = %.10g: dF/dy' is singular and changes "
               "with y', and the "
               "derivatives do not settle, least of all that of %s; give better ones (.yp0)",
               t, name_state(&s->problem, worst, &name));
}

/* The change before, and how many in succession did not fall. */
struct rounds {
    double before;
    int stuck;
};

/* Changes are rounding, or the noise of differences: they no longer fall. */
static bool has_settled(struct rounds *rounds, double size)
{
    enum { STUCK = 3 };
    double const before = rounds->before;
    rounds->before = size;
    rounds->stuck = size <= much && size > 0.5 * before ? rounds->stuck + 1 : 0;
    return size <= consistent_settled || (size <= noise && size > 0.1 * before) ||
           rounds->stuck == STUCK;
}

/* y' along the null space of M does not appear in F, but in its derivative.  Where F is linear in y' one round finds it, and the
   next confirms that; else M and its null space have changed with y', and F = 0 is solved again: the error of a round is
   the square of that before. */
static tansy_status find_hidden_rates(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    struct rounds rounds = {.before = HUGE_VAL};
    for (int round = 0; round < MOST_ITERATIONS; round++) {
        TRY(consistent_factor(s, t));
        if (c->coupled.n == 0) return TANSY_OK;
        int const code = consistent_rates(s, t);
        if (code != 0) return code < 0 ? solver_fail_here(s, code) : fail_rates(s, t);
        double const size = consistent_rate_change(s, c->dy);
        TRY(add_hidden_rates(s, t));
        if (has_settled(&rounds, size)) return TANSY_OK;
        TRY(iterate(s, t));
    }
    return fail_hidden(s, t);
}

/* y' of algebraic components, for the first predictor; without it they start flat. */
static tansy_status add_rates(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    int const code = consistent_rates(s, t);
    for (size_t i = 0; i < s->n && code == 0; i++) c->yp[i] += c->dy[i];
    return code < 0 ? solver_fail_here(s, code) : TANSY_OK;
}

tansy_status consistent_find(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    guess_rates(s, t);
    memcpy(c->given, s->y0, s->n * sizeof *c->given);
    c->swing = 0;
    tansy_status const status = iterate(s, t);
    if (status == TANSY_HIGH_INDEX && consistent_may_guess(s, t))
        TRY(consistent_guess(s, t, iterate));
    else if (status != TANSY_OK)
        return status;
    TRY(find_hidden_rates(s, t));
    int const code = consistent_polish(s, t);
    if (code < 0) return solver_fail_here(s, code);
    if (keeps_given(s)) memcpy(s->y0, c->given, s->n * sizeof *c->given);
    use_kinds(s);
    note_distance(s);
    if (c->coupled.n == 0) TRY(add_rates(s, t));
    return consistent_check_state(s, t);
}
