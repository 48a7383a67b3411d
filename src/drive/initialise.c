/* SPDX-License-Identifier: Apache-2.0 */
/* Initial values of y and S, their derivatives and the first step size. */
#include "drive/column_scale.h"
#include "drive/pattern.h"
#include "drive/sizes.h"
#include "drive/start_kept.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "derive/names.h"

static const char consistent_values[] = "consistent initial values";

tansy_status solver_fail_here(struct tansy_solver *s, int code)
{
    char what[MESSAGE_SIZE];
    const char *const where = s->started ? "starting anew" : "at the initial point";
    if (pattern_explain(s)) return s->error;
    if (s->derive.worker[0].failure.function == consistent_values) { /* which have said why */
        const struct message *const reason = &s->consistent.reason;
        return s->error = message_set(&s->message, reason->status, "%s: %s", where, reason->text);
    }
    failure_describe(&s->derive.worker[0].failure, &s->problem, what, sizeof what);
    tansy_status const status = code < 0 ? TANSY_USER_STOPPED
                                : s->derive.worker[0].failure.kind == FAILURE_NOT_FINITE
                                    ? TANSY_NOT_FINITE
                                    : TANSY_USER_FAILED;
    struct name edge;
    if (status == TANSY_NOT_FINITE && events_name_edge(s, s->derive.worker[0].failure.t, &edge))
        return s->error = message_set(
                   &s->message, status,
                   "%s: %s, where %s turns: a root or a power below 1 has an infinite derivative "
                   "there; start beside it, or make it smooth, such as x/sqrt(abs(x) + 1e-6) "
                   "for sign(x)*sqrt(abs(x))",
                   where, what, edge.text);
    if (status == TANSY_NOT_FINITE && events_name_branch(s, s->derive.worker[0].failure.t, &edge))
        return s->error =
                   message_set(&s->message, status,
                               "%s: %s, where %s turns: its other branch, which is taken from here "
                               "on, has no value here; the one before has",
                               where, what, edge.text);
    if (status == TANSY_NOT_FINITE && solver_explain_root(s, where, what)) return s->error;
    return s->error = message_set(&s->message, status, "%s: %s", where, what);
}

/* An error weight that vanishes, or is below roundoff, stops everything; better said now. */
tansy_status solver_check_initial(struct tansy_solver *s)
{
    double norm = 0;
    sizes_begin(s);
    TRY(solver_ask_weights(s));
    for (size_t i = 0; i < s->n; i++) {
        double const w = tolerances_allow(&s->tolerances, i, s->y0[i]);
        struct name name;
        if (!(w > 0) && !s->tolerances.follows[i])
            return s->error = message_set(&s->message, TANSY_ZERO_WEIGHT,
                                          "%s is zero at t0 = %g and its tolerance is purely "
                                          "relative: give it an atol, `auto` or a number",
                                          name_state(&s->problem, i, &name), s->t0);
        if (w > 0) norm = fmax(norm, fabs(s->y0[i]) / w);
    }
    if (norm * DBL_EPSILON * 4 < 1) return TANSY_OK;
    return s->error = message_set(&s->message, TANSY_TOO_MUCH_ACCURACY,
                                  "the tolerances are below the roundoff of the initial values: "
                                  "multiply them by %g at least",
                                  norm * DBL_EPSILON * 8);
}

tansy_status solver_initialise(struct tansy_solver *s)
{
    int const code = derive_initial(&s->derive, s->t0, s->y0);
    if (code != 0) return solver_fail_here(s, code);
    return solver_check_initial(s);
}

/* Of a row and a condition all columns are one corner; more than there is room for are left out. */
static void note_corner(struct tansy_solver *s, const tansy_corner *c)
{
    size_t x = 0;
    while (x < s->initial_corners &&
           (s->initial_corner[x].first.row != c->row ||
            strcmp(s->initial_corner[x].first.condition, c->condition) != 0))
        x++;
    if (x == INITIAL_CORNERS) return;
    if (x == s->initial_corners) {
        s->initial_corners++;
        s->initial_corner[x].first = *c;
        s->initial_corner[x].columns = 0;
    }
    s->initial_corner[x].columns++;
}

/* Columns for which y0(p) has a corner at p, or conditions at their edge: they are taken from one side.  A function that fails here
   tells nothing. */
static void find_corners(struct tansy_solver *s)
{
    const struct derive *const d = &s->derive;
    const struct derive_worker *const w = &d->worker[0];
    s->initial_corners = 0;
    for (size_t k = 0; s->problem.initial_corner && k < s->ns; k++) {
        size_t const start = d->direction_start[k], entries = d->direction_start[k + 1] - start;
        tansy_corner corner = {.condition = NULL};
        if (entries == 0) continue;
        int const code =
            s->problem.initial_corner(s->t0, w->p, entries, d->direction_row + start,
                                      d->direction_value + start, &corner, w->f, w->context);
        if (code == 0 && corner.stands) derive_initial_side(d, k, w->f, s->sens0 + k * s->n);
        if (code != 0 || !corner.condition) continue;
        corner.column = k;
        note_corner(s, &corner);
    }
}

tansy_status solver_initialise_columns(struct tansy_solver *s)
{
    int const code = derive_initial_columns(&s->derive, s->t0, s->y0, s->sens0);
    find_corners(s);
    return code != 0 ? solver_fail_here(s, code) : TANSY_OK;
}

/* The norm of unit y', which neither overflows nor vanishes when `unit` is the scale of time; where squares of it do, for atol may be
   tiny, by a share of it. */
static double slope_size(const struct tansy_solver *s, const struct part *part, struct work *w,
                         double unit)
{
    static const double less = 0x1p-600;
    s->norms.kernels->combine(part->shape.count, unit, w->r, 0, w->r, w->y0);
    double const size = norms_largest(&s->norms, part, w->y0, w->winv);
    if (size <= DBL_MAX) return size;
    s->norms.kernels->combine(part->shape.count, less, w->y0, 0, w->y0, w->y0);
    return fmin(norms_largest(&s->norms, part, w->y0, w->winv) / less, DBL_MAX);
}

int solver_slope(struct tansy_solver *s, double t, double *yp)
{
    if (!derive_is_implicit(&s->derive)) return derive_rhs(&s->derive, 0, t, s->y0, yp);
    struct message const before = s->message;
    tansy_status const status = consistent_state(s, t);
    memcpy(yp, s->consistent.yp, s->n * sizeof *yp);
    if (status == TANSY_OK) return 0;
    s->consistent.reason = s->message;
    s->message = before;
    struct failure *const failure = &s->derive.worker[0].failure;
    if (status == TANSY_INCONSISTENT || status == TANSY_HIGH_INDEX)
        *failure = (struct failure){
            .kind = FAILURE_POSITIVE, .function = consistent_values, .code = 1, .t = t};
    s->error = TANSY_OK; /* the caller judges */
    return status == TANSY_USER_STOPPED || status == TANSY_OUT_OF_MEMORY ? -1 : 1;
}

/* y0 and y' that are consistent, in rate[], and sizes of components; what was found before its size was known is found again. */
static tansy_status start_consistent(struct tansy_solver *s, double t, double *rate)
{
    struct consistent *const c = &s->consistent;
    do {
        c->is_coarse = false;
        TRY(consistent_state(s, t));
        memcpy(rate, c->yp, s->n * sizeof *rate);
        TRY(sizes_expect(s, t, rate));
    } while (c->is_coarse);
    return TANSY_OK;
}

/* y', and sizes of components. */
static tansy_status start_explicit(struct tansy_solver *s, double t, double *rate)
{
    int code = derive_rhs(&s->derive, 0, t, s->y0, rate);
    struct point const at = {.t = t, .y = s->y0, .f = rate};
    if (code == 0) code = derive_find_noise(&s->derive, &at, s->stepper.state_work.y0);
    if (code != 0) return solver_fail_here(s, code);
    return sizes_expect(s, t, rate);
}

/* The state's history from y0 and f; *size is the norm of unit y'. */
static tansy_status start_state(struct tansy_solver *s, double unit, double *size)
{
    struct stepper *const st = &s->stepper;
    struct work *const w = &st->state_work;
    bool const implicit = derive_is_implicit(&s->derive);
    TRY(implicit ? start_consistent(s, st->t, w->r) : start_explicit(s, st->t, w->r));
    memcpy(w->y, s->y0, s->n * sizeof *w->y);
    norms_weigh(&s->norms, &st->state, w->y, w->winv);
    *size = slope_size(s, &st->state, w, unit);
    s->consistent.first_slope = *size / unit;
    st->method->start(st, &st->state, w->y, w->r);
    return solver_judge_weights(s);
}

/* keep_initial: the columns that were given, S, are not far from consistent ones, V, which then give way to them. */
static tansy_status keep_columns(struct tansy_solver *s, const struct panel *panel, const double *S,
                                 double *V)
{
    for (size_t k = 0; k < panel->columns; k++)
        for (size_t i = 0; i < s->n; i++) {
            double const given = S[k * s->n + i], right = V[i * panel->lanes + k];
            double const unit = s->tolerances.scale[panel->first + k];
            double const size = fmax(fabs(s->y0[i]), fabs(given) * unit);
            double const allowed = tolerances_allow(&s->tolerances, i, size);
            struct name column, row;
            V[i * panel->lanes + k] = given;
            if (fabs(given - right) * unit <= allowed) continue;
            return s->error = message_set(
                       &s->message, TANSY_INCONSISTENT,
                       "the initial values of S are inconsistent at t = %.10g: %s in %s is %.10g "
                       "but "
                       "should be near %.10g (keep_initial forbids to change it)",
                       s->stepper.t, name_state(&s->problem, i, &row),
                       name_column(&s->problem, activation_name(s, (ptrdiff_t)(panel->first + k)),
                                   &column),
                       given, right);
        }
    return TANSY_OK;
}

/* S and S' of a panel where the histories begin, into w->y and w->r. */
static tansy_status find_columns(struct tansy_solver *s, const struct panel *panel, struct work *w)
{
    struct stepper *const st = &s->stepper;
    double *const S = s->sens0 + panel->first * s->n;
    memset(w->y, 0, panel->count * sizeof *w->y);
    panel_from_columns(panel, s->n, S, w->y);
    if (s->derive.is_internal)
        derive_choose_increments(&s->derive, panel, st->state_work.y, w->y, NULL);
    if (derive_is_implicit(&s->derive)) {
        TRY(consistent_panel(s, panel, w->y, w->d0));
        int const code = consistent_note_held(s, panel);
        if (code != 0) return solver_fail_here(s, code);
        if (s->options.keep_initial && s->columns_given && !s->started)
            TRY(keep_columns(s, panel, S, w->y));
        memcpy(w->r, w->d0, panel->count * sizeof *w->r);
        panel_to_columns(panel, s->n, w->y, S);
        return TANSY_OK;
    }
    struct point const at = {.t = st->t, .y = st->state_work.y, .f = s->equations.f};
    memset(w->r, 0, panel->count * sizeof *w->r);
    int const code = s->derive.tangent(&s->derive, 0, &at, panel, w->y, NULL, w->r);
    return code != 0 ? solver_fail_here(s, code) : TANSY_OK;
}

tansy_status solver_consistent_columns(struct tansy_solver *s, double t)
{
    struct stepper *const st = &s->stepper;
    double const end = st->t;
    tansy_status status = TANSY_OK;
    st->t = t;
    memcpy(st->state_work.y, s->y0, s->n * sizeof *s->y0);
    for (size_t m = 0; m < st->panels && status == TANSY_OK; m++)
        status = find_columns(s, &st->panel[m].shape, &st->panel_work[0]);
    st->t = end;
    return status;
}

/* The same for the columns: S0 and S' = J S0 + f_p u.  They have no say in the first step of a one-step method, whose error test
   knows both ends of it: columns that begin with 0 would make it far too small. */
static tansy_status start_panels(struct tansy_solver *s, double unit, double *size)
{
    struct stepper *const st = &s->stepper;
    struct work *const w = &st->panel_work[0];
    if (st->panels == 0) return TANSY_OK;
    struct point const at = {.t = st->t, .y = st->state_work.y};
    if (!derive_is_implicit(&s->derive)) {
        int const code = equations_linearise(&s->equations, &at, false);
        if (code != 0) return solver_fail_here(s, code);
    }
    for (size_t m = 0; m < st->panels; m++) {
        struct part *const part = &st->panel[m];
        TRY(find_columns(s, &part->shape, w));
        column_scale_begin(s, &part->shape, st->state_work.r, w);
        if (s->jump.is_new) jump_transient_measure(s, &part->shape, w->y, w->r);
        norms_weigh(&s->norms, part, w->y, w->winv);
        if (s->options.error_control != TANSY_STATE_ONLY && !method_is_one_step(st->method))
            *size = fmax(*size, slope_size(s, part, w, unit));
        st->method->start(st, part, w->y, w->r);
    }
    return solver_judge_weights(s);
}

/* A share of LSODE's first step: h^-2 = 1/(tol w^2) + tol |y'|^2 with w = max(|t0|, |t|) and size = |w y'|, tol the largest
   rtol within [100 eps, 1e-3].  An implicit problem's may be too long for Newton's iteration, as algebraic components start
   without their slopes: it is at most DASSL's, in which y changes by half of its weights.  One-step methods begin with their full
   order: h makes the error (h/w)^q |w y'| as large as 0.01, but moves y, or what atol/rtol takes as its size, no further than
   by itself (Hairer, Norsett and Wanner II.4); with substeps that is the first of them. */
static double first_step(const struct tansy_solver *s, double w, double size)
{
    double tol = 0;
    for (size_t i = 0; i < s->n; i++) tol = fmax(tol, s->tolerances.rtol[i]);
    tol = fmin(fmax(tol * s->jump.theta, 100 * DBL_EPSILON), 1e-3);
    const struct method *const method = s->stepper.method;
    if (method_is_one_step(method)) {
        double const careful = 0.01 * w / hypot(1, tol * size),
                     substeps = fmax(1, s->stepper.stages.substeps);
        return fmin(100 * careful,
                    substeps * w * pow(0.01 / fmax(size, 0.01), method->first_power));
    }
    double const h = method->first_step * sqrt(tol) * w / hypot(1, tol * size);
    bool const implicit = derive_is_implicit(&s->derive) && s->consistent.first_slope > 0;
    return implicit ? fmin(h, 0.5 / s->consistent.first_slope) : h;
}

/* Within the user's limits; and not 0, however large y' is in units of its weights. */
static double limit_first(const struct tansy_solver *s, double h)
{
    static const double least = 1e16 * DBL_MIN;
    return fmin(fmax(fmax(h, s->control.min_step), least), s->control.max_step);
}

/* Histories of this order at t, scaled to h = 1 until the true step is known; *size is the largest |unit y'|. */
static tansy_status begin_with(struct tansy_solver *s, int order, double t, double unit,
                               double *size)
{
    struct stepper *const st = &s->stepper;
    st->t = s->before = t;
    st->t_low = 0;
    st->order = order;
    st->h = 1;
    tansy_status status = TANSY_OK;
    bool anew = false;
    do {
        s->equations.c = *size = 0;
        status = start_state(s, unit, size);
        if (status == TANSY_OK) status = start_panels(s, unit, size);
        if (status == TANSY_OK) status = jump_transient_begins(s, t, &anew);
    } while (status == TANSY_OK && anew); /* with other tolerances */
    s->equations.c = 0;
    part_collect(&st->state, &s->derive.worker[0]);
    return status;
}

static tansy_status begin(struct tansy_solver *s, double t, double unit, double *size)
{
    return begin_with(s, s->stepper.method->lowest_order, t, unit, size);
}

/* At t0 on the way to t, or beside it where a derivative is infinite there. */
static tansy_status begin_beside(struct tansy_solver *s, double t, double unit, double *size)
{
    int const code = events_settle_columns(s, s->t0);
    if (code != 0) return solver_fail_here(s, code);
    tansy_status const status = begin(s, s->t0, unit, size);
    double const direction = t > s->t0 ? 1 : -1;
    if (status != TANSY_NOT_FINITE || (!events_step_aside(s, s->t0, direction, fabs(t - s->t0)) &&
                                       !events_rest_at_start(s, direction)))
        return status;
    return begin(s, s->t0, unit, size);
}

tansy_status solver_begin_at(struct tansy_solver *s, double t)
{
    double size = 0;
    s->consistent.is_begun = false;
    return begin(s, t, 1, &size);
}

tansy_status solver_make_consistent(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    c->is_begun = false;
    s->signs_forced = 0;
    if (!derive_is_implicit(&s->derive)) return solver_check_signs(s);
    c->size = c->run = 0;
    c->is_doubtful = c->is_refused = false;
    c->is_kept = false;
    start_keep(s);
    tansy_status const status = begin(s, s->t0, 1, &c->size);
    if (status == TANSY_INCONSISTENT && c->is_refused) { /* a run tells how long it is */
        (void)message_clear(&s->message);
        return s->error = TANSY_OK;
    }
    TRY(status);
    c->is_kept = c->is_unsized && (c->constraints == 0 || s->problem.constraint_rate);
    c->is_begun = !s->events.any && !c->is_doubtful && !c->is_kept;
    return solver_check_signs(s);
}

tansy_status solver_start(struct tansy_solver *s, double t)
{
    struct stepper *const st = &s->stepper;
    double const w = fmax(fabs(s->t0), fabs(t));
    double size = 0;
    s->consistent.run = t - s->t0;
    start_as_given(s);
    bool const goes_on = s->stands * (t - s->t0) > 0;
    if (!goes_on) TRY(events_begin(s, t > s->t0 ? 1 : -1, fabs(t - s->t0)));
    if (s->consistent.is_begun) {
        if (s->consistent.is_unsized) TRY(sizes_expect(s, s->t0, s->consistent.yp));
        size = fmin(w * s->consistent.size, DBL_MAX);
    } else
        TRY(begin_beside(s, t, w, &size));
    s->consistent.is_begun = false;
    double h = s->options.first_step > 0 ? s->options.first_step
                                         : fmin(first_step(s, w, size), fabs(t - s->t0));
    s->direction = t > s->t0 ? 1 : -1;
    control_start(&s->control, st->method, st->max_order);
    noise_leap_start(s);
    h = limit_first(s, h);
    st->h = s->direction * h;
    s->started = true;
    s->stands = 0;
    if (!goes_on) return TANSY_OK;
    s->events.due = true;
    s->events.at = s->events.near = s->t0;
    return TANSY_OK;
}

/* One-step methods go on with the order and step they would have taken: their error test knows the whole step. The target of the run
   has no say. */
tansy_status solver_start_anew(struct tansy_solver *s, double t)
{
    struct stepper *const st = &s->stepper;
    struct events *const e = &s->events;
    bool const goes_on = method_is_one_step(st->method);
    double const w = fmax(fabs(t), e->stride), proposed = fabs(st->h);
    double size = 0;
    bool warm = false;
    int code = 0;
    if (begin_with(s, goes_on ? st->order : st->method->lowest_order, t, w, &size) < 0) {
        solver_stand_still(s);
        return s->error;
    }
    double h = solver_choose_first(s, proposed, first_step(s, w, size), &warm, &code);
    if (code < 0) {
        solver_stand_still(s);
        return solver_fail_here(s, code);
    }
    control_start(&s->control, st->method, st->max_order);
    s->control.starting = !warm;
    h = limit_first(s, h);
    st->h = s->direction * h;
    st->equal = 0;
    e->gap = e->stride = 0;
    e->steps = s->stats.steps;
    s->stats.restarts++;
    return TANSY_OK;
}

tansy_status solver_change_over(struct tansy_solver *s, double h)
{
    struct stepper *const st = &s->stepper;
    double const w = fmax(fabs(st->t), h);
    double size = 0;
    if (begin(s, st->t, w, &size) < 0) {
        solver_stand_still(s);
        return s->error;
    }
    control_start(&s->control, st->method, st->max_order);
    st->h = s->direction * limit_first(s, fmin(first_step(s, w, size), h));
    st->equal = 0;
    return TANSY_OK;
}

static void output_initial(const struct tansy_solver *s, double *y, double *sens)
{
    if (y) memcpy(y, s->y0, s->n * sizeof *y);
    if (sens) activation_give(s, s->sens0, sens);
}

/* Histories at t0 as a run forward begins them, or one backward where only that goes on; y and S there, of an explicit problem before
   they are moved beside an edge. */
static tansy_status look_at_start(struct tansy_solver *s, double *y, double *sens)
{
    double size = 0;
    bool const is_begun = s->consistent.is_begun, implicit = derive_is_implicit(&s->derive);
    if (!is_begun && s->stands == 0) TRY(events_begin_either_way(s));
    if (!implicit) output_initial(s, y, sens);
    tansy_status status = TANSY_OK;
    if (!is_begun) status = begin_beside(s, s->t0 + 1, 1, &size);
    if (implicit && status == TANSY_OK) output_initial(s, y, sens);
    return status;
}

tansy_status tansy_initialise(tansy_solver *s, double *y, double *yp, double *sens, double *sensp)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    if (s->error < 0) return s->error;
    if (s->started)
        return message_set(&s->message, TANSY_BAD_CALL,
                           "the solver has left its initial time %.10g: use tansy_at", s->t0);
    struct consistent *const c = &s->consistent;
    bool const was_doubtful = c->is_doubtful, was_kept = c->is_kept;
    if (!was_kept) start_keep(s);
    c->is_strict = true;
    c->is_refused = false;
    tansy_status const status = look_at_start(s, y, sens);
    if (status == TANSY_OK) solver_output_all(s, s->t0, 1, yp, sensp);
    if (!was_kept) start_put_back(s); /* a run does not depend on whether somebody looked */
    c->is_strict = false;
    c->is_doubtful = was_doubtful;
    if (status == TANSY_INCONSISTENT && c->is_refused)
        s->error = TANSY_OK; /* and may know more, its length */
    return status;
}
