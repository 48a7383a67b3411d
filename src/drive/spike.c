/* SPDX-License-Identifier: Apache-2.0 */
/* Spikes of S, see spike.h: which phases are fast, how large S is in them, and what tolerances follow from it. */
#include "drive/solver.h"

#include <math.h>

#include "method/one_step.h"

enum {
    MANY_FAILURES = 10, /* of one step: noise of f, not h, is in the way */
    ROOM = 5000,        /* steps in spikes, */
    MOST_SHARE = 4      /* and as many times all others */
};

static const double fast = 0.1;     /* of the longest step */
static const double long_ago = 10;  /* longest steps: what S was before does not count any more */
static const double large = 25;     /* times the usual size: a quarter of what the promise allows */
static const double allowed = 0.5;  /* times the usual tolerance, while it is larger than that */
static const double over = 3;       /* the same where that is over */
static const double ease = 100;     /* of theta, where steps fail */
static const double too_much = 10;  /* times the usual tolerance, worth a warning */
static const double finest = 1e-14; /* rtol theta, not far from rounding */
static const double rounds = 2e-13; /* of S in a fast phase, whatever the tolerance is */

void spike_layout(struct tansy_solver *s, struct arena *arena)
{
    if (s->ns == 0 || s->options.error_control == TANSY_STATE_ONLY) return;
    s->spike.usual = arena_doubles(arena, s->n);
    s->spike.y = arena_doubles(arena, s->n);
}

static void set(struct tansy_solver *s, double theta)
{
    s->spike.theta = theta;
    solver_set_strictness(s);
}

void spike_forget(struct tansy_solver *s)
{
    s->spike = (struct spike){
        .usual = s->spike.usual, .y = s->spike.y, .theta = 1, .begun = s->stats.steps};
}

void spike_ends(struct tansy_solver *s)
{
    s->spike.is_fast = false;
    if (s->spike.theta < 1) set(s, 1);
}

/* What S was before its spike still counts behind a switching point in the midst of it; else what it is there is another matter (jump_transient.c). */
void spike_meets_switch(struct tansy_solver *s)
{
    if (!(s->spike.theta < 1)) spike_ends(s);
}

/* Where the step just accepted ends. */
static const double *value(const struct tansy_solver *s, const struct part *part)
{
    bool const pending = method_is_one_step(s->stepper.method) && part->pending;
    return part->history + (pending ? (size_t)ROW_END * part->shape.count : 0);
}

/* The largest |S_ik| u_k of row i, and its column. */
static double size_of_row(const struct tansy_solver *s, size_t i, size_t *column)
{
    double size = 0;
    for (size_t m = 0; m < s->stepper.panels; m++) {
        const struct panel *const q = &s->shape[m];
        const double *const row = value(s, &s->stepper.panel[m]) + i * q->lanes;
        for (size_t k = 0; k < q->columns; k++) {
            double const entry = fabs(row[k]) * s->tolerances.scale[q->first + k];
            if (!(entry > size)) continue;
            size = entry;
            *column = q->first + k;
        }
    }
    return size;
}

static void begin_phase(struct tansy_solver *s)
{
    struct spike *const x = &s->spike;
    const double *const y = value(s, &s->stepper.state);
    size_t column;
    for (size_t i = 0; i < s->n; i++) {
        double const rtol = s->tolerances.rtol[i];
        double const zero = rtol > 0 ? s->tolerances.zero[i] / rtol : 0;
        x->y[i] = fmax(fabs(y[i]), zero);
        x->usual[i] = fmax(size_of_row(s, i, &column), x->y[i]);
    }
    x->is_fast = true;
    x->least = 0;
    x->from = s->stepper.t;
}

/* J is that of the solution about here.  Explicit methods have it from the user, or not. */
static bool has_matrix(struct tansy_solver *s)
{
    const struct method *const method = s->stepper.method;
    struct derive *const d = &s->derive;
    struct point const at = {.t = s->stepper.t, .y = value(s, &s->stepper.state)};
    if (s->J.kind == MATRIX_NONE) return false;
    if (!method->tableau && method != &method_adams) return true;
    if (d->jacobian_source != SOURCE_GIVEN) return false;
    int const code = d->jacobian(d, &at);
    s->equations.c = 0; /* for others J is that of another point */
    s->stepper.stages.has_value = false;
    d->worker[0].failure.kind = FAILURE_NONE;
    return code == 0;
}

/* Component i is slow of itself, and keeps its errors for longer than this time: dF_i/dy_i over dF_i/dy_i' tells.  An algebraic one keeps none. */
static bool lasts(const struct tansy_solver *s, size_t i, double time)
{
    double const M = s->derive.M ? *matrix_entry(&s->M, i, i) : 1;
    return M != 0 && fabs(*matrix_entry(&s->J, i, i)) * time < fabs(M);
}

struct largest {
    double size; /* in units of what is usual, where y_i may have grown itself */
    size_t row, column;
};

/* Of all components, or of those that keep their errors for this time. */
static struct largest look(const struct tansy_solver *s, double time)
{
    const struct spike *const x = &s->spike;
    const double *const y = value(s, &s->stepper.state);
    struct largest most = {0};
    for (size_t i = 0; i < s->n; i++) {
        size_t column = 0;
        double const usual = x->usual[i] * fmax(1, fabs(y[i]) / x->y[i]);
        double const size = size_of_row(s, i, &column) / usual;
        if (size > most.size && (time == 0 || lasts(s, i, time)))
            most = (struct largest){size, i, column};
    }
    return most;
}

static void use(struct tansy_solver *s, const struct largest *most)
{
    struct spike *const x = &s->spike;
    double const rounding = finest / (s->tolerances.tightest * s->tightness.rho);
    set(s, fmin(1, fmax(allowed / most->size, fmax(x->least, rounding))));
    double const left = most->size * fmax(x->theta, rounds / s->tolerances.tightest);
    if (!(left > too_much && left > x->worst.left)) return;
    x->worst.t = s->stepper.t;
    x->worst.size = most->size;
    x->worst.left = left;
    x->worst.row = most->row;
    x->worst.column = most->column;
}

void spike_watch(struct tansy_solver *s)
{
    struct spike *const x = &s->spike;
    double const h = fabs(solver_now(s) - s->before);
    if (h > x->pace) x->pace = h;
    if (h > fast * x->pace || x->is_left || (s->jump.is_on && !(x->theta < 1)) || !x->usual) {
        spike_ends(s);
        return;
    }
    x->spent += x->theta < 1;
    x->is_left = x->spent > ROOM + MOST_SHARE * (s->stats.steps - x->begun - x->spent);
    if (!x->is_fast || fabs(s->stepper.t - x->from) > long_ago * x->pace) {
        begin_phase(s);
        return;
    }
    double const least = x->theta < 1 ? over : large;
    struct largest most = look(s, 0);
    if (most.size > least && has_matrix(s)) most = look(s, fabs(s->stepper.t - x->from));
    if (most.size > least && isfinite(most.size))
        use(s, &most);
    else if (x->theta < 1)
        set(s, 1);
}

void spike_failed(struct tansy_solver *s)
{
    const struct control *const c = &s->control;
    int const most = s->options.max_error_failures, last = most > 2 ? most - 2 : MANY_FAILURES;
    if (s->spike.theta < 1 &&
        c->errors + c->failures >= (last < MANY_FAILURES ? last : MANY_FAILURES)) {
        s->spike.least = fmin(1, ease * s->spike.theta);
        set(s, s->spike.least);
    }
}
