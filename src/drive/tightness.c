/* SPDX-License-Identifier: Apache-2.0 */
/* Accuracy on trial, see tightness.h.  Columns that shorten steps, or have them repeated, far below what the state needs may have good reasons for it.
   So more accuracy is tried: first iterations leave less; then the state's rtol falls to about what the state has at these steps anyway.  If
   steps are not longer soon after, everything is as it was and the next trial waits.  What helped is eased after a while, to see whether it is still needed.
   Everything follows from errors, orders and steps: the same at any number of threads. */
#include "drive/solver.h"

#include <float.h>
#include <math.h>

enum {
    ALARM = 30,      /* score at which a trial begins, */
    NEXT_ALARM = 15, /* or tries more */
    TRIAL = 40,      /* accepted steps after which it is judged */
    LOW_ORDER = 3,
    MANY_FAILURES = 3, /* of one step */
    FIRST_REST = 50,
    LONGEST_REST = 800,
    FIRST_CALM = 100,
    LONGEST_CALM = 100000,
    CHEAP = 5 /* so much longer is accuracy of iterations alone kept */
};

/* What an attempt adds to the score. */
static const double failed_low = 8, failed = 4, short_step = 0.5, long_step = -0.15;
static const double short_iterative = 1, long_iterative = -0.5;

static const double large_error = 0.1; /* of an accepted step: the next one is no longer */
static const double much_less = 0.1;   /* error of the state beside that of a column */
static const double least_room = 1e-6; /* believed */
static const double memory = 0.95;     /* of the mean advance */
static const double gain = 2;          /* in it by a trial that was not in vain */
static const double ease = 10;         /* of rho at a time */
static const double finest = 1e-12;    /* rtol, not far from rounding */
static const double careful = 0.01, most_careful = 0.001; /* share of what iterations may leave */

void tightness_begin(struct tansy_solver *s)
{
    s->tightness = (struct tightness){.rho = 1, .room = 1, .rest = FIRST_REST, .calm = FIRST_CALM};
    s->stepper.care = 1;
}

/* The smallest rtol of the state. */
static double smallest_rtol(const struct tolerances *t)
{
    double least = 1;
    for (size_t i = 0; i < t->n; i++)
        if (t->rtol[i] > 0) least = fmin(least, t->rtol[i]);
    return least;
}

static void use(struct tansy_solver *s, int level, double rho)
{
    struct tightness *const w = &s->tightness;
    double const rounding = 0.1 * finest / (rho * smallest_rtol(&s->tolerances));
    double const care = level == 0 ? 1 : level == 1 ? careful : most_careful;
    s->stepper.care = fmin(1, fmax(care, level == 0 ? 1 : rounding));
    w->level = level;
    w->rho = rho;
    w->score = 0;
    w->room = 1;
    w->since = 0;
    w->wait = (size_t)s->stepper.order + 2; /* errors of before are in the history */
}

/* The trial at work is over. */
static void judge(struct tansy_solver *s)
{
    struct tightness *const w = &s->tightness;
    w->trying = false;
    if (w->advance > gain * w->advance_before) return;
    use(s, w->level_before, w->rho_before);
    w->wait = w->rest;
    w->rest = w->rest < LONGEST_REST / 2 ? 2 * w->rest : LONGEST_REST;
}

/* Noise makes differences of high order useless, so the order falls; fronts and transients are passed with 4 or 5.  Adams has low orders where a problem is
   stiff, for their stability. */
static bool is_low(const struct stepper *st)
{
    return st->order <= LOW_ORDER && st->method != &method_adams;
}

/* rho for the next trial: an iterative solver leaves less twice before the state's turn comes. */
static double next_rho(const struct tansy_solver *s, int iterations_alone)
{
    const struct tightness *const w = &s->tightness;
    double const lowest = fmin(1, finest / smallest_rtol(&s->tolerances));
    if (w->level < iterations_alone || !w->by_columns || !is_low(&s->stepper)) return w->rho;
    return fmin(w->rho, fmax(much_less * w->room * w->rho, lowest));
}

static void raise(struct tansy_solver *s)
{
    struct tightness *const w = &s->tightness;
    int const iterations_alone = equations_iterative(&s->equations) ? 2 : 1;
    double const rho = next_rho(s, iterations_alone);
    w->score = 0;
    if (w->level >= iterations_alone && rho == w->rho) {
        if (w->trying) judge(s);
        return;
    }
    if (!w->trying) {
        w->trying = true;
        w->level_before = w->level;
        w->rho_before = w->rho;
        w->advance_before = w->advance;
        if (w->eased && w->calm < LONGEST_CALM) w->calm *= 2;
    }
    w->eased = false;
    use(s, w->level + 1, rho);
}

/* After an accepted step that gave no alarm. */
static void consider(struct tansy_solver *s)
{
    struct tightness *const w = &s->tightness;
    w->since++;
    if (!w->trying && w->level == 0) return; /* as ever, but for few */
    bool const helps = w->advance > gain * w->advance_before;
    if (w->trying && w->since >= TRIAL && (helps || w->score < NEXT_ALARM / 3.0)) judge(s);
    if (w->trying || w->level == 0 || w->since < (w->rho < 1 ? 1 : CHEAP) * w->calm) return;
    use(s, w->rho < 1 ? w->level : 0, fmin(1, ease * w->rho));
    w->eased = true;
}

/* What a step without suspicion adds. */
static double nothing(const struct tansy_solver *s)
{
    return equations_iterative(&s->equations) ? long_iterative : long_step;
}

/* No cause for suspicion() of an accepted step: its error is small, or the state has much of it, so that columns do not lead. */
static bool is_usual(const struct tansy_solver *s)
{
    double const largest = s->candidate[SAME].error;
    return largest < large_error ||
           s->state_attempt.estimates.candidate[SAME].error >= much_less * largest;
}

/* What the attempt, accepted or failed by an error test, adds to the score.  An iterative solver adds noise of its own to the state, too: there any failure counts. */
static double suspicion(struct tansy_solver *s, bool accepted)
{
    struct tightness *const w = &s->tightness;
    double const state = s->state_attempt.estimates.candidate[SAME].error;
    double const largest = s->candidate[SAME].error;
    bool const iterative = equations_iterative(&s->equations), low = is_low(&s->stepper);
    double const none = nothing(s);
    if (!(largest <= DBL_MAX)) return none;
    double const doubled = (double)(2U << s->stepper.order) * state; /* with 2h */
    bool const led = state < much_less * largest;
    w->by_columns = doubled < much_less * largest;
    if (w->by_columns && (!accepted || largest > large_error))
        w->room = sqrt(w->room * fmax(doubled / largest, least_room));
    bool const hindered = w->by_columns || (led && (low || (iterative && w->level == 0)));
    if (!accepted) {
        if (!hindered && !iterative) return 0;
        if (s->control.errors >= MANY_FAILURES) return NEXT_ALARM;
        return low && !iterative ? failed_low : failed;
    }
    if (!hindered || largest < large_error) return none;
    return iterative ? short_iterative : low ? short_step : 0;
}

/* The attempt failed for want of what the accuracy on trial, or kept, asks too much of. */
static bool was_too_much(const struct tansy_solver *s, enum outcome outcome)
{
    const struct tightness *const w = &s->tightness;
    if (outcome == OUTCOME_ERROR) return w->rho < 1 && s->culprit < 0 && s->control.errors > 0;
    return w->level > 0 && s->verdict == VERDICT_NOT_CONVERGED && s->equations.fresh;
}

static void add_score(struct tightness *w, double by)
{
    w->score += by;
    if (w->score < 0) w->score = 0;
}

/* The same with all that may follow from it. */
static __attribute__((noinline)) void look_closer(struct tansy_solver *s, enum outcome outcome)
{
    struct tightness *const w = &s->tightness;
    bool const accepted = outcome == OUTCOME_ACCEPTED, tested = outcome <= OUTCOME_ERROR;
    if (was_too_much(s, outcome)) {
        use(s, tested ? w->level : w->level - 1,
            tested || w->level > 1 ? fmin(1, ease * w->rho) : 1);
        if (!tested) w->wait = w->rest;
        if (!tested) w->trying = false;
    }
    if (!tested) return;
    if (w->wait == 0 || s->control.errors >= MANY_FAILURES) add_score(w, suspicion(s, accepted));
    if (w->wait > 0 && accepted) w->wait--;
    if (w->score >= (w->trying ? NEXT_ALARM : ALARM))
        raise(s);
    else if (accepted)
        consider(s);
}

void tightness_watch(struct tansy_solver *s, enum outcome outcome)
{
    struct tightness *const w = &s->tightness;
    bool const accepted = outcome == OUTCOME_ACCEPTED;
    bool const any = s->stepper.panels > 0 || equations_iterative(&s->equations);
    if (!any || s->jump.theta < 1 || method_is_one_step(s->stepper.method)) return;
    double const advance = accepted ? fabs(s->stepper.h) : 0;
    w->advance = w->advance > 0 ? memory * w->advance + (1 - memory) * advance : advance;
    bool const as_ever = w->level == 0 && w->wait == 0 && !w->trying;
    if (!accepted || !as_ever || !is_usual(s)) {
        look_closer(s, outcome);
        return;
    }
    if (w->score > 0) add_score(w, nothing(s));
    w->since++;
}
