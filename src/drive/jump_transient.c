/* SPDX-License-Identifier: Apache-2.0 */
/* Transients of S behind a switching point, see jump_transient.h: how large S is, how fast it decays, and what tolerances follow from it. */
#include "drive/solver.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "method/one_step.h"

enum {
    MANY_FAILURES = 5, /* of one step: noise of f, not h, is in the way */
    MANY_STEPS = 5000, /* in which S has not become less by half */
    ROOM = 8000,       /* steps in transients, beside as many as all others, */
    FINE_ROOM = 5000   /* and with `allowed` of the multistep methods */
};

static const double large = 50; /* times the usual size, of S that jumps */
/* Times the usual tolerance, of what a step leaves behind.  Those of multistep methods have the same sign in hundreds of steps; where that takes too many, more is allowed. */
static const double allowed = 0.1, allowed_dear = 1, allowed_plain = 2;
static const double fast =
    0.25; /* of a step of before: nothing but a stiff component is that fast */
static const double long_enough = 5; /* time constants */
static const double falls = 0.5;     /* of its size, from one look to the next */
static const double slower = 3;      /* a part of S that decays on its own */
/* rtol times theta, where rounding errors are not far; the second without iteration and extrapolation, which add to them. */
static const double finest = 1e-13, finest_plain = 1e-14;
/* Times the tolerance, worth a warning; and what errors of steps add up to; of one-step and of multistep methods. */
static const double too_much_plain = 30, add_up_plain = 10;
static const double too_much = 2.5, add_up = 50;
static const double too_much_left = 1000; /* the same, where tolerances are as ever */
static const double ease = 100;           /* of theta, where steps fail */
static const double start = 1e-3;         /* of a run that has made no steps yet: one of them */

void jump_transient_layout(struct tansy_solver *s, struct arena *arena)
{
    struct jump_transient *const x = &s->jump;
    if (s->problem.switches == 0 || s->ns == 0) return;
    x->before = arena_doubles(arena, s->n);
    x->after = arena_doubles(arena, s->n);
    x->rates = arena_doubles(arena, s->n);
    x->row = arena_doubles(arena, s->n);
    x->factor = arena_doubles(arena, s->ns);
    jump_leak_layout(s, arena);
}

static void set(struct tansy_solver *s, double theta)
{
    s->jump.theta = theta;
    solver_set_strictness(s);
}

static void end(struct tansy_solver *s)
{
    s->jump.is_new = s->jump.is_on = false;
    set(s, 1);
}

void jump_transient_forget(struct tansy_solver *s)
{
    const struct jump_transient *const x = &s->jump;
    s->jump = (struct jump_transient){.before = x->before,
                                      .after = x->after,
                                      .rates = x->rates,
                                      .row = x->row,
                                      .factor = x->factor,
                                      .room = x->room,
                                      .g = x->g,
                                      .g_begin = x->g_begin,
                                      .mode = x->mode,
                                      .begun = s->stats.steps};
    end(s);
}

/* The longest step of late; while S is large, of before that.  Before there are any, a share of the way to the first target. */
static void keep_pace(struct tansy_solver *s)
{
    enum { FEW = 20 };
    struct jump_transient *const x = &s->jump;
    x->pace = fmax(x->is_on ? x->pace : x->pace / 2, s->events.stride);
    if (s->stats.steps - x->begun < FEW) x->pace = fmax(x->pace, start * fabs(s->consistent.run));
}

/* What counts as zero of component i, in units of y; infinite where tolerances do not grow with y. */
static double zero_of(const struct tansy_solver *s, size_t i)
{
    const struct tolerances *const t = &s->tolerances;
    if (t->rtol[i] > 0) return t->zero[i] / t->rtol[i];
    return s->options.rtol_sens ? 0 : HUGE_VAL;
}

/* The largest |S_ik| u_k of every row of sens0, u_k the scale of column k. */
static void measure_rows(const struct tansy_solver *s, double *size)
{
    for (size_t i = 0; i < s->n; i++) size[i] = 0;
    for (size_t k = 0; k < s->activation.active; k++)
        for (size_t i = 0; i < s->n; i++)
            size[i] = fmax(size[i], fabs(s->sens0[k * s->n + i]) * s->tolerances.scale[k]);
}

void jump_transient_before(struct tansy_solver *s)
{
    struct jump_transient *const x = &s->jump;
    if (!x->row) return;
    keep_pace(s);
    x->is_new = x->is_on || s->events.leader != SIZE_MAX;
    if (x->is_on || !x->is_new) return; /* sizes of before it count */
    measure_rows(s, x->before);
    for (size_t i = 0; i < s->n; i++) x->row[i] = fmax(fabs(s->y0[i]), zero_of(s, i));
    memcpy(jump_leak_vector(s, LEAK_PLAIN), x->row, s->n * sizeof *x->row);
    for (size_t k = 0; k < s->ns; k++) {
        x->factor[k] = 1;
        for (size_t i = 0; i < s->n && k < s->activation.active; i++) {
            double const size = fabs(s->sens0[k * s->n + i]) * s->tolerances.scale[k];
            if (size > x->factor[k] * x->row[i]) x->factor[k] = size / x->row[i];
        }
    }
}

static bool has_jumped(const struct jump_transient *x, size_t i)
{
    return x->after[i] > large * fmax(x->row[i], x->before[i]);
}

/* y_i, or what it becomes by its new rate f_i in this time. */
static void widen(struct tansy_solver *s, const double *y, const double *f, double time)
{
    double *const row = s->jump.row, *const plain = jump_leak_vector(s, LEAK_PLAIN);
    for (size_t i = 0; i < s->n; i++) {
        double const size = fmax(fabs(y[i]), fabs(f[i]) * time);
        row[i] = fmax(row[i], size);
        plain[i] = fmax(plain[i], size);
    }
}

/* Of what has not jumped the size now is usual; where something has, what S was before, as far as columns and rows tell.  False: nothing has. */
static bool find_usual(struct tansy_solver *s)
{
    struct jump_transient *const x = &s->jump;
    double most = 1;
    bool any = false;
    for (size_t i = 0; i < s->n; i++) {
        bool const jumped = has_jumped(x, i);
        any = any || jumped;
        if (jumped)
            most = fmax(most, x->before[i] / x->row[i]);
        else
            x->row[i] = fmax(x->row[i], x->after[i]);
    }
    for (size_t k = 0; k < s->ns; k++) x->factor[k] = fmin(x->factor[k], most);
    return any;
}

/* usual_i = row_i factor_k/u_k. */
double jump_transient_size(const struct tansy_solver *s, size_t k, const double *row,
                           const double *v, size_t stride)
{
    double size = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (solver_is_algebraic(s, i)) continue; /* its errors are not carried on */
        double const entry = fabs(v[i * stride]);
        if (entry > size * row[i]) size = entry / row[i];
    }
    return size * s->tolerances.scale[k] / s->jump.factor[k];
}

void jump_transient_measure(struct tansy_solver *s, const struct panel *q, const double *S,
                            const double *rate)
{
    struct jump_transient *const x = &s->jump;
    for (size_t k = 0; k < q->columns; k++) {
        double const size = jump_transient_size(s, q->first + k, x->row, S + k, q->lanes);
        if (!(size > x->size)) continue;
        x->size = size;
        x->column = q->first + k;
        if (rate) x->rate = jump_transient_size(s, x->column, x->row, rate + k, q->lanes);
    }
}

/* The smallest of all. */
static double rtol_of(const struct tansy_solver *s)
{
    double rtol = s->tolerances.tightest;
    for (size_t i = 0; i < s->n; i++)
        if (s->tolerances.rtol[i] > 0) rtol = fmin(rtol, s->tolerances.rtol[i]);
    return rtol;
}

/* More steps were made in transients than elsewhere, and these. */
static bool has_spent(const struct tansy_solver *s, size_t room)
{
    size_t const others = s->stats.steps - s->jump.begun - s->jump.spent;
    return s->jump.spent > room + others;
}

static double allowed_of(const struct tansy_solver *s)
{
    if (method_is_one_step(s->stepper.method)) return allowed_plain;
    return has_spent(s, FINE_ROOM) ? allowed_dear : allowed;
}

static double counts_from(const struct tansy_solver *s)
{
    return JUMP_IS_OVER * fmin(allowed_of(s), 1);
}

/* Theta for S of this size; rounding limits it. */
static double theta_for(const struct tansy_solver *s, double size)
{
    const struct method *const method = s->stepper.method;
    bool const plain = method_is_one_step(method) && !method->rows;
    double const usual = plain ? finest_plain : finest;
    double const least = s->jump.lasts ? jump_pulse_finest(s, usual) : usual;
    double const rounding = least / (rtol_of(s) * s->tightness.rho);
    if (!(size > counts_from(s))) return 1;
    return fmin(1, fmax(allowed_of(s) / size, fmax(s->jump.least, rounding)));
}

/* The tolerances of S as large as it is now; where they leave too much, and the most so far, it is remembered. */
static void use(struct tansy_solver *s)
{
    struct jump_transient *const x = &s->jump;
    double const size = x->leak * x->size;
    set(s, theta_for(s, size));
    if (x->lasts) return; /* of what it is to be measured by nothing is known yet */
    x->count += x->theta < 1 && !x->is_counted;
    x->is_counted = x->is_counted || x->theta < 1;
    double const left = size * x->theta;
    bool const plain = method_is_one_step(s->stepper.method);
    if (!(x->theta < 1 && left > (plain ? too_much_plain : too_much))) return;
    if (!(left > x->worst.left)) return;
    x->worst.t = x->from;
    x->worst.size = x->size;
    x->worst.left = left;
    x->worst.digits = -log10((plain ? add_up_plain : add_up) * left * rtol_of(s));
    x->worst.column = x->column;
}

/* The largest column, in units of its usual size, into x->size and x->column. */
static void measure_columns(struct tansy_solver *s)
{
    struct jump_transient *const x = &s->jump;
    x->size = 0;
    for (size_t k = 0; k < s->activation.active; k++) {
        double const size = jump_transient_size(s, k, x->row, s->sens0 + k * s->n, 1);
        if (size > x->size) x->column = k;
        x->size = fmax(x->size, size);
    }
}

/* A column has jumped that others, as those of a control's levels, are larger than. */
static bool column_has_jumped(struct tansy_solver *s)
{
    if (!jump_pulse_is_by_time(s)) return false;
    measure_columns(s);
    return s->jump.size > large;
}

void jump_transient_look(struct tansy_solver *s)
{
    struct jump_transient *const x = &s->jump;
    if (!x->is_new) return;
    size_t i = 0;
    measure_rows(s, x->after);
    while (i < s->n && !has_jumped(x, i)) i++;
    x->is_new = x->is_on || i < s->n || column_has_jumped(s);
    x->size = x->rate = 0;
}

/* S, which has jumped, with the sizes that follow from how fast it is now.  What decays within a step of before does so by itself; what time has made large may be ended by it: S of a
   pulse's time is as large as the pulse is high, and what counts is what both ends of it leave (docs/switches.md). */
static bool is_large(struct tansy_solver *s, double tau)
{
    struct jump_transient *const x = &s->jump;
    if (x->lasts && x->ends == HUGE_VAL) return false;
    widen(s, s->y0, s->events.f, x->lasts ? 0 : tau);
    if (!x->is_on && !x->lasts && !find_usual(s)) return false;
    measure_columns(s);
    return x->size > (x->is_on ? JUMP_IS_OVER : large) && isfinite(x->size);
}

/* What S is worth to slow components does not pay as many steps as it takes: it is left as it is, which is told where much of S would stay behind. */
static bool leaves_it(struct tansy_solver *s)
{
    struct jump_transient *const x = &s->jump;
    bool const leaves = x->leak * x->size > JUMP_IS_OVER && has_spent(s, ROOM);
    x->left += leaves && !x->lasts && x->leak * x->size > too_much_left;
    return leaves;
}

/* y and the largest column of S behind the switching point. */
static void take(struct tansy_solver *s)
{
    size_t const bytes = s->n * sizeof *s->y0;
    memcpy(jump_leak_vector(s, LEAK_Y), s->y0, bytes);
    memcpy(jump_leak_vector(s, LEAK_S), s->sens0 + s->jump.column * s->n, bytes);
}

tansy_status jump_transient_begins(struct tansy_solver *s, double t, bool *anew)
{
    struct jump_transient *const x = &s->jump;
    *anew = x->is_new && x->theta < 1;
    if (!x->is_new) return TANSY_OK;
    bool const was_on = x->is_on;
    double const tau = x->size / x->rate;
    x->lasts = !(tau < fast * x->pace);
    x->ends = HUGE_VAL;
    if (x->lasts) {
        int const code = jump_pulse_find_end(s, t);
        if (code < 0) return solver_fail_here(s, code);
    }
    bool const begins = is_large(s, tau);
    end(s);
    if (!begins) return TANSY_OK;
    x->from = t;
    x->tau = x->lasts ? x->ends / long_enough : tau;
    take(s);
    x->keeps_leak = was_on;
    *anew = true; /* panels are to be linearised again */
    if (x->lasts)
        x->leak = 1;
    else
        TRY(jump_leak_find(s, t));
    if (leaves_it(s)) return TANSY_OK;
    x->is_on = true;
    x->is_counted = x->is_counted && was_on;
    if (!was_on) x->least = 0;
    x->next_look = long_enough * x->tau;
    x->steps = s->stats.steps;
    use(s);
    return TANSY_OK;
}

double jump_transient_first_step(const struct tansy_solver *s)
{
    const struct jump_transient *const x = &s->jump;
    double const error = s->jump.theta * s->tolerances.tightest;
    return x->theta < 1 ? x->tau * pow(error, 1.0 / (s->stepper.order + 1)) : HUGE_VAL;
}

/* Where the step just accepted ends. */
static void measure_all(struct tansy_solver *s)
{
    const struct stepper *const st = &s->stepper;
    bool const one_step = method_is_one_step(st->method);
    s->jump.size = 0;
    for (size_t m = 0; m < st->panels; m++) {
        const struct part *const part = &st->panel[m];
        size_t const row = one_step && part->pending ? ROW_END : 0;
        jump_transient_measure(s, &s->shape[m], part->history + row * part->shape.count, NULL);
    }
}

/* The largest |S_ik| u_k, or |S'_ik| u_k, of every row where the step ends. */
static void measure_rows_now(struct tansy_solver *s, int derivative, double *size)
{
    struct stepper *const st = &s->stepper;
    double *const v = st->panel_work[0].r;
    for (size_t i = 0; i < s->n; i++) size[i] = 0;
    for (size_t m = 0; m < st->panels; m++) {
        const struct panel *const q = &s->shape[m];
        st->method->interpolate(st, &st->panel[m], st->t, derivative, v);
        for (size_t i = 0; i < s->n; i++)
            for (size_t k = 0; k < q->columns; k++)
                size[i] =
                    fmax(size[i], fabs(v[i * q->lanes + k]) * s->tolerances.scale[q->first + k]);
    }
}

/* The largest column of S there, or of S'. */
static void fetch(struct tansy_solver *s, int derivative, double *column)
{
    struct stepper *const st = &s->stepper;
    double *const v = st->panel_work[0].r;
    size_t const k = s->jump.column;
    size_t m = 0;
    while (k >= s->shape[m].first + s->shape[m].columns) m++;
    const struct panel *const q = &s->shape[m];
    st->method->interpolate(st, &st->panel[m], st->t, derivative, v);
    for (size_t i = 0; i < s->n; i++) column[i] = v[i * q->lanes + (k - q->first)];
}

/* Steps fail, or are far too many, for noise in f: theta is what it may be. */
static void give_way(struct tansy_solver *s)
{
    s->jump.least = fmin(1, ease * s->jump.theta);
    s->jump.steps = s->stats.steps;
    use(s);
}

/* The slowest time constant of what is large and decays, `now` being the sizes of rows. */
static double find_slowest(struct tansy_solver *s, const double *now)
{
    const struct jump_transient *const x = &s->jump;
    double *const S = jump_leak_vector(s, LEAK_S), *const rate = jump_leak_vector(s, LEAK_R);
    double slowest = x->tau;
    fetch(s, 0, S);
    fetch(s, 1, rate);
    for (size_t i = 0; i < s->n; i++) {
        double const own = -s->direction * S[i] / rate[i];
        bool const counts = now[i] > JUMP_IS_OVER * x->row[i] && own > slower * x->tau;
        if (counts && own < fast * x->pace) slowest = fmax(slowest, own);
    }
    return slowest;
}

/* It is time to see whether S decays.  Rows that do not are waited for where there is a slower time constant; else they stay as large as they are, and that is usual from now on. */
static tansy_status look_again(struct tansy_solver *s)
{
    struct jump_transient *const x = &s->jump;
    struct stepper *const st = &s->stepper;
    double const t = st->t, time = fabs(t - x->from);
    double *const now = x->before, *const rate = x->rates;
    double *const y = jump_leak_vector(s, LEAK_Y), *const f = jump_leak_vector(s, LEAK_F);
    measure_rows_now(s, 0, now);
    measure_rows_now(s, 1, rate);
    double const slowest = find_slowest(s, now);
    x->keeps_leak = !(slowest > x->tau);
    for (size_t i = 0; i < s->n; i++) {
        bool const waits = !x->keeps_leak && now[i] < fast * x->pace * rate[i];
        if (now[i] > falls * x->after[i] && !waits) x->row[i] = fmax(x->row[i], now[i]);
        x->after[i] = now[i];
    }
    x->tau = slowest;
    x->next_look = fmax(2 * time, time + long_enough * slowest);
    x->steps = s->stats.steps;
    st->method->interpolate(st, &st->state, t, 0, y);
    st->method->interpolate(st, &st->state, t, 1, f);
    widen(s, y, f, slowest);
    measure_all(s);
    if (!(x->size > JUMP_IS_OVER)) return TANSY_OK;
    fetch(s, 0, jump_leak_vector(s, LEAK_S));
    return jump_leak_find(s, t);
}

void jump_transient_failed(struct tansy_solver *s)
{
    const struct control *const c = &s->control;
    int const most = s->options.max_error_failures, last = most > 2 ? most - 2 : 0;
    bool const many = c->errors + c->failures >= MANY_FAILURES || (last > 0 && c->errors >= last);
    bool const at_once = s->jump.lasts && s->derive.form != FORM_ODE; /* see jump_pulse.c */
    if (s->jump.is_on && (many || at_once) && s->jump.theta < 1) give_way(s);
}

tansy_status jump_transient_goes_on(struct tansy_solver *s)
{
    struct jump_transient *const x = &s->jump;
    if (!x->is_on) return TANSY_OK;
    x->spent += x->theta < 1;
    bool const is_over = x->lasts && fabs(s->stepper.t - x->from) >= x->next_look;
    if (is_over || leaves_it(s)) {
        end(s);
        return TANSY_OK;
    }
    measure_all(s);
    if (x->theta < 1 && s->stats.steps - x->steps > MANY_STEPS) give_way(s);
    if (fabs(s->stepper.t - x->from) >= x->next_look) TRY(look_again(s));
    if (x->size > JUMP_IS_OVER)
        use(s);
    else
        end(s);
    return TANSY_OK;
}
