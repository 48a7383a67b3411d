/* SPDX-License-Identifier: Apache-2.0 */
/* What a person reads when a step, or a start, cannot be made: where, which component or column, what to try. */
#include "drive/pattern.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "derive/names.h"
#include "linear/precondition.h"

size_t solver_worst_component(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    struct part *part = &st->state;
    size_t lane = 0;
    if (s->culprit >= 0) {
        size_t m = 0;
        while (s->shape[m].first + s->shape[m].columns <= (size_t)s->culprit) m++;
        part = &st->panel[m];
        lane = (size_t)s->culprit - s->shape[m].first;
    }
    struct work *const w = s->culprit < 0 ? &st->state_work : &st->panel_work[0];
    norms_weigh(&s->norms, part, part->history, w->winv);
    const double *const e = part->e[part->now];
    bool const bends = s->culprit >= 0 && s->norms.bends;
    size_t worst = 0;
    double largest = -1;
    for (size_t i = 0; i < s->n; i++) {
        if (s->norms.tested && s->norms.tested[i] == 0) continue;
        if (bends && s->consistent.kind[i] != TANSY_DIFFERENTIAL) continue;
        size_t const x = i * part->shape.lanes + lane;
        double const size = fabs(e[x] * w->winv[x]);
        if (!(size <= largest)) {
            largest = size;
            worst = i;
        }
    }
    return worst;
}

/* What a smallest step or a limit of the user's has to do with it. */
static const char *limit_hint(const struct tansy_solver *s, bool is_error)
{
    const tansy_options *const o = &s->options;
    if (is_error && o->max_error_failures > 0) return ", is max_error_failures too small";
    if (!is_error && o->max_convergence_failures > 0)
        return ", is max_convergence_failures too small";
    return o->min_step > 0 ? ", is min_step too large" : "";
}

const char *solver_doubt_preconditioner(const struct tansy_solver *s)
{
    static const double weak = 1e-2;
    const struct krylov *const k = &s->krylov;
    if (!equations_iterative(&s->equations)) return "";
    if (krylov_total(k).failures > 0)
        return ", is the preconditioner near the iteration matrix (gmres did not converge: try "
               "ilu, larger blocks, a wider band, more krylov_dimension or krylov_restarts)";
    if (k->is_coupled && k->weak < weak)
        return ", does the preconditioner leave out entries of dF/dy' (its rows have several: try "
               "ilu, or blocks or a band that hold them)";
    bool const left = k->is_coupled || !k->right; /* the one makes the other */
    if (!derive_is_implicit(&s->derive) || !left) return "";
    if (k->preconditioner->entries && k->preconditioner != &precondition_ilu)
        return ", are the solutions of gmres good enough (it sees residuals through the "
               "preconditioner: try ilu, or a smaller krylov_tolerance such as 1e-4)";
    return k->is_coupled
               ? ", are the solutions of gmres good enough (it sees residuals through the "
                 "preconditioner: try a smaller krylov_tolerance, such as 1e-4, or a "
                 "preconditioner nearer to the iteration matrix)"
               : ", are the solutions of gmres good enough (it sees residuals through the "
                 "preconditioner: try a smaller krylov_tolerance, such as 1e-4, "
                 "precondition_side right, or a preconditioner nearer to the iteration matrix)";
}

/* What differences have to do with it. */
static const char *doubt_differences(const struct tansy_solver *s)
{
    const struct corrector *const corrector = s->stepper.corrector;
    return derive_doubt(&s->derive, s->culprit,
                        corrector == &corrector_staggered || corrector == &corrector_simultaneous);
}

/* Where a tolerance is smallest beside the largest component of the same column, unless that has grown beyond all bounds. */
static const double blown_up = 1e-30;

struct tightest {
    ptrdiff_t column; /* -1: the state */
    size_t small, large;
    double ratio;
};

static void find_tightest(struct tansy_solver *s, struct part *part, struct work *w, size_t lane,
                          ptrdiff_t column, struct tightest *found)
{
    const double *const y = part->history;
    size_t const lanes = part->shape.lanes;
    size_t small = 0, large = 0;
    double winv = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->norms.tested && s->norms.tested[i] == 0) continue;
        size_t const x = i * lanes + lane;
        if (w->winv[x] > winv) {
            winv = w->winv[x];
            small = i;
        }
        if (fabs(y[x]) > fabs(y[large * lanes + lane])) large = i;
    }
    double const ratio = 1 / (winv * fabs(y[large * lanes + lane]));
    if (ratio < found->ratio && ratio > blown_up)
        *found =
            (struct tightest){.column = column, .small = small, .large = large, .ratio = ratio};
}

/* A tolerance that the iteration cannot reach, as rounding errors of other components are in the equations. */
static const char *doubt_tolerance(struct tansy_solver *s, size_t size, char *text)
{
    enum { ROUNDINGS = 10000 };
    struct stepper *const st = &s->stepper;
    struct tightest found = {.ratio = ROUNDINGS * DBL_EPSILON};
    struct name column, small, large;
    norms_weigh(&s->norms, &st->state, st->state.history, st->state_work.winv);
    find_tightest(s, &st->state, &st->state_work, 0, -1, &found);
    for (size_t m = 0; m < st->panels; m++) {
        struct part *const panel = &st->panel[m];
        norms_weigh(&s->norms, panel, panel->history, st->panel_work[0].winv);
        for (size_t k = 0; k < panel->shape.columns; k++)
            find_tightest(s, panel, &st->panel_work[0], k, (ptrdiff_t)(panel->shape.first + k),
                          &found);
    }
    text[0] = 0;
    if (found.ratio < ROUNDINGS * DBL_EPSILON)
        (void)snprintf(
            text, size,
            ", is the tolerance of %s of %s too small (%.1g of %s: rounding errors count)",
            name_state(&s->problem, found.small, &small),
            name_column(&s->problem, activation_name(s, found.column), &column), found.ratio,
            name_state(&s->problem, found.large, &large));
    return text;
}

/* What the column at fault is in itself, or else what differences have to do with it. */
static const char *doubt_column(const struct tansy_solver *s)
{
    if (s->consistent.helds > 0 && s->consistent.held[s->culprit])
        return " for a column that needs the derivative of an algebraic variable, as the report "
               "tells (choose dassl)";
    return doubt_differences(s);
}

static double spacing_of(double t)
{
    return nextafter(fabs(t), HUGE_VAL) - fabs(t);
}

/* The condition nearest to its root, where steps that are lost in t fail; "" if none is near. */
static const char *name_near(const struct tansy_solver *s, size_t size, char *text)
{
    static const double near = 1e-6; /* of the largest g so far */
    const struct events *const e = &s->events;
    size_t best = e->switches;
    double least = near;
    for (size_t j = 0; j < e->switches; j++) {
        double const share = fabs(e->sample[j]) / e->seen[j];
        if (s->derive.blind[j] || !(share <= least)) continue;
        least = share;
        best = j;
    }
    struct name name;
    text[0] = 0;
    if (best < e->switches)
        (void)snprintf(text, size, ", beside the root of %s",
                       name_switch(&s->problem, best, &name));
    return text;
}

/* Steps may go on below the spacing of t, but not for long: no t is reached by them. */
static tansy_status explain_lost(struct tansy_solver *s)
{
    struct name column, component;
    char condition[MESSAGE_SIZE / 4];
    return message_set(
        &s->message, TANSY_STEP_TOO_SMALL,
        "no step can be made at t = %.10g%s: even one that is lost in t, where numbers are %.1g "
        "apart, fails the error test in %s of %s; does that grow without bound there, or is a "
        "derivative infinite (that of sqrt(x) is at x = 0)? make it smooth, such as "
        "x/sqrt(abs(x) + 1e-6) for sign(x)*sqrt(abs(x)), or ask for fewer digits (rtol)",
        s->stepper.t, name_near(s, sizeof condition, condition), spacing_of(s->stepper.t),
        name_state(&s->problem, solver_worst_component(s), &component),
        name_column(&s->problem, activation_name(s, s->culprit), &column));
}

/* No step is short enough for an equation that is but rounding. */
static tansy_status explain_noise(struct tansy_solver *s, tansy_status status, const char *noise)
{
    const struct stepper *const st = &s->stepper;
    struct name column, component;
    if (status == TANSY_NOT_CONVERGED)
        return message_set(
            &s->message, status,
            "the corrector failed at t = %.10g in %d attempt%s, last with h = %g; %s", st->t,
            s->control.failures + 1, s->control.failures > 0 ? "s" : "", st->h, noise);
    return message_set(&s->message, status,
                       "the error test failed at t = %.10g in %d attempt%s, last with h = %g, in "
                       "%s of %s; %s",
                       st->t, s->control.errors + 1, s->control.errors > 0 ? "s" : "", st->h,
                       name_state(&s->problem, solver_worst_component(s), &component),
                       name_column(&s->problem, activation_name(s, s->culprit), &column), noise);
}

/* What roots there are in algebraic equations: cross_bridge.c passes those of y' = f. */
static const char *doubt_roots(const struct tansy_solver *s)
{
    if (s->consistent.algebraic == 0 || s->events.switches == 0)
        return ", with finite derivatives (that of sqrt(x) is infinite at x = 0)";
    return ", with finite derivatives (that of sqrt(x) is infinite at x = 0: in y' = f it can be "
           "passed, in an algebraic equation not; of a model, would `let` do instead of "
           "`algebraic`)";
}

static tansy_status explain_error_test(struct tansy_solver *s)
{
    struct name column, component;
    const struct stepper *const st = &s->stepper;
    char noise[MESSAGE_SIZE / 2];
    bool const is_doubtful = *limit_hint(s, true) || (s->culprit >= 0 && *doubt_column(s));
    if (!is_doubtful && noise_stop_describe(s, noise, sizeof noise) > 0)
        return explain_noise(s, TANSY_STEP_TOO_SMALL, noise);
    if (fabs(st->h) < spacing_of(st->t) && s->options.min_step == 0) return explain_lost(s);
    return message_set(
        &s->message, TANSY_STEP_TOO_SMALL,
        "the error test failed at t = %.10g in %d attempt%s, last with h = %g, in %s "
        "of %s; is the right-hand side continuous there%s, is its tolerance too "
        "small%s%s%s, or does the solution grow without bound?",
        st->t, s->control.errors + 1, s->control.errors > 0 ? "s" : "", st->h,
        name_state(&s->problem, solver_worst_component(s), &component),
        name_column(&s->problem, activation_name(s, s->culprit), &column),
        s->culprit < 0 && !s->norms.bends ? "" : doubt_roots(s),
        s->culprit < 0 ? "" : doubt_column(s), limit_hint(s, true), solver_doubt_preconditioner(s));
}

static tansy_status explain_function(struct tansy_solver *s, tansy_status status)
{
    char what[MESSAGE_SIZE / 2];
    failure_describe(&s->failure, &s->problem, what, sizeof what);
    if (status != TANSY_NOT_FINITE && status != TANSY_STEP_TOO_SMALL && status != TANSY_USER_FAILED)
        return message_set(&s->message, status, "%s", what);
    return message_set(&s->message, status, "%s; a smaller step did not help (t = %.10g, h = %g)",
                       what, solver_now(s), s->stepper.h);
}

static tansy_status explain_singular(struct tansy_solver *s)
{
    const struct stepper *const st = &s->stepper;
    bool const implicit = derive_is_implicit(&s->derive);
    size_t const row = (size_t)s->equations.singular - 1;
    struct name name;
    return message_set(
        &s->message, TANSY_SINGULAR,
        "the iteration matrix %s is singular in row %td (%s) at t = %.10g, h = %g; %s",
        implicit ? "dF/dy + c dF/dy'" : "I/(h l0) - df/dy", s->equations.singular - 1,
        implicit ? name_equation(&s->problem, row, &name) : name_state(&s->problem, row, &name),
        st->t, st->h,
        implicit ? "are the derivatives right (tansy_check), does an equation determine every "
                   "algebraic variable "
                   "there?"
                 : "is df/dy right (tansy_check)?");
}

/* limex, B(t, y, p): the increments of its short steps. */
static tansy_status explain_slow(struct tansy_solver *s)
{
    char what[MESSAGE_SIZE / 2];
    failure_describe(&s->failure, &s->problem, what, sizeof what);
    return message_set(&s->message, TANSY_NOT_CONVERGED,
                       "%s in %d attempt%s, last with h = %g; is B continuous there, are its "
                       "derivatives right (tansy_check)%s%s?",
                       what, s->control.failures + 1, s->control.failures > 0 ? "s" : "",
                       s->stepper.h, doubt_differences(s), limit_hint(s, false));
}

/* The first steps of a run are no longer than a few times the distance of t from the next number. */
static bool is_lost_in_t(const struct tansy_solver *s, enum outcome outcome)
{
    enum { FEW = 4, FIRST = 1000 };
    const struct stepper *const st = &s->stepper;
    double const spacing = spacing_of(st->t);
    bool const wrong = outcome == OUTCOME_ERROR ||
                       (outcome == OUTCOME_FAILED && s->verdict == VERDICT_NOT_CONVERGED);
    return wrong && s->control.errors + s->control.failures < FEW && s->options.min_step == 0 &&
           fabs(st->h) <= 2 * FEW * spacing && fabs(st->t - s->t0) <= FIRST * spacing;
}

static tansy_status explain_corrector(struct tansy_solver *s)
{
    const struct stepper *const st = &s->stepper;
    char tolerance[MESSAGE_SIZE / 2];
    bool const is_doubtful = *limit_hint(s, false) || *doubt_differences(s);
    if (!is_doubtful && noise_stop_describe(s, tolerance, sizeof tolerance) > 0)
        return explain_noise(s, TANSY_NOT_CONVERGED, tolerance);
    return message_set(
        &s->message, TANSY_NOT_CONVERGED,
        "the corrector failed at t = %.10g in %d attempt%s, last with h = %g; is "
        "the right-hand side continuous there, is df/dy right (tansy_check)%s%s%s%s%s?",
        st->t, s->control.failures + 1, s->control.failures > 0 ? "s" : "", st->h,
        st->method == &method_adams ? ", is the problem stiff (use bdf)" : "",
        doubt_tolerance(s, sizeof tolerance, tolerance), doubt_differences(s), limit_hint(s, false),
        solver_doubt_preconditioner(s));
}

/* The component that began below the atol that was given for it, or has stayed there, farthest of all: errors of atol pass all tests, and
   where f is not linear they drive it anywhere. */
static void add_hint_of_atol(struct tansy_solver *s)
{
    const struct tolerances *const t = &s->tolerances;
    size_t best = s->n;
    double least = HUGE_VAL, size = 0;
    for (size_t i = 0; i < s->n; i++) {
        double const start = fabs(t->start[i]), known = start > 0 ? start : t->size[i];
        bool const unseen = !t->follows[i] && known < t->atol[i] && tolerances_has_size(t, i);
        if (!unseen || !(known / t->atol[i] < least)) continue;
        least = known / t->atol[i];
        size = known;
        best = i;
    }
    if (best == s->n) return;
    struct name name;
    size_t const length = strlen(s->message.text), left = MESSAGE_SIZE - length;
    int const wanted = snprintf(s->message.text + length, left,
                                "; %s, which was %.1g, is below its atol of %.1g, and errors of "
                                "that are not seen: try atol = auto",
                                name_state(&s->problem, best, &name), size, t->atol[best]);
    if (wanted < 0 || (size_t)wanted >= left) s->message.text[length] = 0;
}

tansy_status solver_give_up(struct tansy_solver *s, enum outcome outcome)
{
    const struct stepper *const st = &s->stepper;
    tansy_status status = TANSY_OK;
    if (pattern_explain(s)) return s->error;
    if (is_lost_in_t(s, outcome))
        status = message_set(&s->message, TANSY_STEP_TOO_SMALL,
                             "no step can be made at t = %.17g: h = %g is lost in t or nearly so, "
                             "numbers of that size are %g apart; let time begin nearer to 0",
                             st->t, st->h, spacing_of(st->t));
    else if (outcome == OUTCOME_ERROR)
        status = explain_error_test(s);
    else if (outcome == OUTCOME_STOP)
        status = explain_function(s, s->failure.kind == FAILURE_NO_MEMORY ? TANSY_OUT_OF_MEMORY
                                     : s->failure.kind == FAILURE_WEIGHT  ? TANSY_ZERO_WEIGHT
                                                                          : TANSY_USER_STOPPED);
    else if (s->verdict == VERDICT_FAILED)
        status = explain_function(s, s->failure.kind == FAILURE_NOT_FINITE ? TANSY_NOT_FINITE
                                     : s->failure.kind == FAILURE_SIGN     ? TANSY_STEP_TOO_SMALL
                                                                           : TANSY_USER_FAILED);
    else if (s->verdict == VERDICT_SINGULAR)
        status = explain_singular(s);
    else if (s->failure.kind == FAILURE_SLOW)
        status = explain_slow(s);
    else
        status = explain_corrector(s);
    if (status != TANSY_USER_STOPPED && status != TANSY_OUT_OF_MEMORY) add_hint_of_atol(s);
    s->error = status;
    return status;
}

static bool has_zero(size_t count, const double *v)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) any = any || v[i] == 0;
    return any;
}

/* Inf in the column of a state is that state's doing.  NaN is 0/0, as d sqrt(x y)/dx is at y = 0: another's, or a parameter's. */
static bool is_root_of_state(const struct tansy_solver *s, const struct failure *f)
{
    bool const by_state =
        strcmp(f->function, "jacobian") == 0 || strcmp(f->function, "residual_jacobian") == 0;
    if (by_state && s->y0[f->column] == 0) return true;
    if (by_state && !isnan(f->value)) return false;
    return has_zero(s->n, s->y0) && !has_zero(s->np, s->p);
}

bool solver_explain_root(struct tansy_solver *s, const char *where, const char *what)
{
    const struct failure *const f = &s->derive.worker[0].failure;
    if (f->column == SIZE_MAX || strstr(f->function, "initial")) return false;
    bool const of_parameter = strstr(f->function, "parameter") && s->p[f->column] == 0;
    struct name name;
    if (of_parameter)
        s->error = message_set(
            &s->message, TANSY_NOT_FINITE,
            "%s: %s: a root or a power below 1 has an infinite derivative at 0; give %s a small "
            "positive value, or do without its column",
            where, what, name_parameter(&s->problem, f->column, &name));
    else if (is_root_of_state(s, f))
        s->error = message_set(&s->message, TANSY_NOT_FINITE,
                               "%s: %s: a root, a power below 1 or a quotient by x has an infinite "
                               "derivative at 0; start "
                               "from a small positive value, or write it without, such as x/sqrt(x "
                               "+ 1e-6) for sqrt(x), "
                               "x^n/(K^n + x^n) for 1/(1 + (K/x)^n)",
                               where, what);
    else
        return false;
    return true;
}
