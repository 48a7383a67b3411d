/* SPDX-License-Identifier: Apache-2.0 */
/* The modified Newton iteration that all correctors share (ODESSA 4.15):
     W delta = r(t, y, y'),  y = y0 + e,  y' = y0' + c e,  e <- e + delta,   r = f(t, y) - y', f - B y' or -F,
   until the error still expected, |delta| min(1, 1.5 rate), is a small share of the error tolerance. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "method/corrector.h"

enum {
    MOST_ITERATIONS = 4, /* as ODESSA: more rarely helps, the Jacobian is stale by then */
    MOST_PASSING = 6,    /* with factors that are made anew afterwards: new ones would cost more */
    FAILURES = 3,        /* successive steps in which they fail, */
    DISTRUST = 2,        /* after which so many do not try them */
    WARY = 20            /* steps in which one iteration is not enough once one has left too much */
};

static const double unknown_rate =
    0.7 * 0.7; /* the square of that of convergence with new factors (LSODE) */

/* The square of the part of its share that a single iteration may leave. */
static const double little = 0.2 * 0.2;

/* The square of the number of shares that one has left where a rate was wrong. */
static const double much = 4 * 4;

/* LSODE leaves 0.5/(q + 2) to the iteration.  Five times less costs few iterations and saves steps, because
   what the iteration leaves looks like local error; columns, whose iteration with old factors repeats the
   same kind of error at every step, get five times less again.  s->share stands for the 0.1 of the state. */
double corrector_share(const struct stepper *s, const struct part *part)
{
    double const usual = part->kind == PART_STATE ? 0.1 : 0.02;
    bool const careful = part->kind == PART_STATE || equations_iterative(s->equations);
    double const closer = part->kind == PART_STATE && s->closer > 0 ? 0.01 : 1;
    return closer * (careful ? s->care : 1) * (s->share > 0 ? s->share * (usual / 0.1) : usual) /
           (s->order + 2);
}

void corrector_lift(const struct stepper *s, double *y)
{
    const double *const atol = s->equations->derive->atol;
    if (!atomic_load_explicit(&s->stages.lacks_value, memory_order_relaxed)) return;
    for (size_t i = 0; i < s->equations->n; i++)
        if (y[i] < 0 && -y[i] <= DBL_EPSILON * atol[i]) y[i] = 0;
}

enum verdict corrector_verdict(struct stepper *s, struct part *part, size_t worker, int code)
{
    if (code == 0) return VERDICT_OK;
    part->failure = s->equations->derive->worker[worker].failure;
    if (code < 0) return VERDICT_STOP;
    if (s->equations->singular) return VERDICT_SINGULAR;
    if (part->failure.kind == FAILURE_SLOW) return VERDICT_NOT_CONVERGED;
    atomic_store_explicit(&s->stages.lacks_value, true, memory_order_relaxed);
    return VERDICT_FAILED;
}

/* The state of direct, whose factors are made anew once it is known: DASPK iterates longer with them. */
static bool is_passing(const struct stepper *s, const struct part *part)
{
    return part->kind == PART_STATE && s->panels > 0 && s->corrector == &corrector_direct &&
           s->method->iterates_longer;
}

/* One iteration with a good rate would do for the solution, but its remainder jumps when the next step needs
   two, and differences of high order make step and order control see that: functional iteration, Adams and old
   factors (of a state whose columns cost more anyway) always take two.  With one, Adams and direct had errors of S on C5
   that were ten times those of the other correctors at one tolerance in twenty; with one where by a rate of any age that seemed to
   leave 3 % of the share, direct of dassl took 13,000 steps for a transistor amplifier instead of 9,000: see one_does. */
static int least_iterations(const struct stepper *s, const struct part *part)
{
    if (equations_functional(s->equations)) return 2;
    if (part->kind != PART_STATE || s->panels == 0) return 1;
    return s->corrector == &corrector_direct && s->method->trusts_old_rate ? 1 : 2;
}

/* One iteration of a passing state leaves little, by a rate that was measured in the step before: so never twice in
   succession; and its correction is at most twice that step's.  Factors made for another c converge no faster than
   |c - c_factored|/(c + c_factored). */
static bool one_does(const struct stepper *s, const struct part *part, double square, double room)
{
    double const c = s->equations->c, drift = (s->c - c) / (s->c + c);
    double const rate = fmax(part->rate, drift * drift);
    return !s->equations->fresh && part->made == 2 && square <= 4 * part->first &&
           corrector_left(square, rate) <= little * room;
}

/* Remembers iteration m of a passing state; true if it was the first and does.  Not inlined: the loop of all others is faster. */
static __attribute__((noinline)) bool remember(const struct stepper *s, struct part *part, int m,
                                               double square, double room)
{
    bool const done = m == 1 && one_does(s, part, square, room);
    if (m == 1) part->first = square;
    part->made = m;
    return done;
}

/* A rate is that of the largest component: it says nothing about a slow one that a stiff rate drives, z' = .. + a(y) r, r = L (x - y).
   Old factors leave a share of r in the row of y, which is a change 1/L as large there, and h a times it is what z lacks: the second
   correction is larger than the first, whatever the rate was before.  Single iterations that were believed with these factors
   have left the ratio that is measured now; where that is far more than their room (L = 1e6: 3 tolerances in every second step, which
   step and order control take for local error), or where it would have been, the steps that follow take two. */
static __attribute__((noinline)) void doubt(struct part *part, double first, double rate,
                                            double now, double room)
{
    bool const believed = corrector_left(first, rate) <= room;
    double const left = now * fmax(part->single, believed ? first : 0);
    if (left > much * room) part->wary = WARY;
}

/* The state has factors, and old ones; fixed-point iterations are two anyway. */
static bool may_doubt(const struct stepper *s, const struct part *part)
{
    return part->kind == PART_STATE && !s->equations->fresh && !equations_functional(s->equations);
}

/* The iteration ends with number m; alone it is believed by its rate. */
static void believe(const struct stepper *s, struct part *part, int m, double square)
{
    if (m == 1 && !s->equations->fresh) part->single = fmax(part->single, square);
}

/* At this rate old factors would not get there in the iterations that are left. */
static bool is_hopeless(const struct stepper *s, double square, double rate, int iterations,
                        double room)
{
    if (s->equations->fresh || equations_functional(s->equations)) return false;
    double left = corrector_left(square, rate);
    for (int m = 0; m < iterations; m++) left *= rate;
    return left > room;
}

/* What stays the same in all iterations of a part. */
static struct correction_task task_of(const struct stepper *s, const struct part *part,
                                      const struct work *w)
{
    bool const functional = equations_functional(s->equations);
    return (struct correction_task){.count = part->shape.count,
                                    .lanes = part->shape.lanes,
                                    .r = w->r,
                                    .d0 = functional ? w->d0 : NULL,
                                    .a = -s->reciprocal,
                                    .b = -s->c,
                                    .scale = functional ? s->gamma
                                                        : equations_rescale(s->equations, s->c),
                                    .e = part->e[part->now],
                                    .y0 = w->y0,
                                    .y = w->y,
                                    .winv = w->winv};
}

void corrector_fill_slope(const struct stepper *s, const struct part *part, struct work *w,
                          bool first)
{
    const struct kernels *const k = s->equations->kernels;
    const double *const e = part->e[part->now];
    k->combine(part->shape.count, s->reciprocal, w->d0, first ? 0 : s->c, first ? w->d0 : e, w->yp);
}

struct point corrector_point(const struct stepper *s, bool predicted)
{
    const struct work *const w = &s->state_work;
    return (struct point){
        .t = s->end, .y = predicted ? w->y0 : w->y, .yp = w->yp, .f = s->equations->f};
}

/* Why an iterative solver failed: a function of the user's, for which new factors are tried first; or it did not converge. */
static enum verdict judge_solve(struct stepper *s, struct part *part, size_t worker, int code)
{
    const struct equations *const q = s->equations;
    const struct failure *const failure = &q->derive->worker[worker].failure;
    bool const told = failure->kind != FAILURE_NONE;
    if (told) part->failure = *failure;
    if (code < 0) return VERDICT_STOP;
    return told && (q->fresh || q->age == 0) ? VERDICT_FAILED : VERDICT_NOT_CONVERGED;
}

enum verdict corrector_solve(struct stepper *s, struct part *part, struct work *w, size_t worker,
                             bool first, double *r)
{
    struct equations *const q = s->equations;
    const double *const e = first ? NULL : part->e[part->now];
    corrector_slope(s, part, w, first);
    int code = equations_evaluate(q, worker, part, s->end, first ? w->y0 : w->y, w->yp, r);
    if (code != 0) return corrector_verdict(s, part, worker, code);
    bool const state = part->kind == PART_STATE;
    if (state && equations_iterative(q)) memcpy(q->f, r, q->n * sizeof *q->f);
    if (!w->yp) q->kernels->step->residual(part->shape.count, -s->reciprocal, w->d0, -s->c, e, r);
    struct point const linearised = {.t = q->t, .y = q->y, .yp = q->yp, .f = q->f};
    struct solve_task const task = {.worker = worker,
                                    .at = state ? corrector_point(s, first) : linearised,
                                    .c = s->c,
                                    .tolerance = s->linear_share * corrector_share(s, part) /
                                                 s->formula.same,
                                    .winv = w->winv};
    q->derive->worker[worker].failure.kind = FAILURE_NONE;
    code = equations_solve(q, part, &task, r);
    return code == 0 ? VERDICT_OK : judge_solve(s, part, worker, code);
}

static enum verdict improve(struct stepper *s, struct part *part, struct work *w, size_t worker,
                            struct correction_task *task, double *square)
{
    struct equations *const q = s->equations;
    enum verdict verdict = VERDICT_OK;
    if (task->d0) { /* functional iteration: the pass below does all but f */
        const double *const y = task->first ? w->y0 : w->y;
        int const code = equations_evaluate(q, worker, part, s->end, y, NULL, w->r);
        verdict = corrector_verdict(s, part, worker, code);
    } else {
        verdict = corrector_solve(s, part, w, worker, task->first, w->r);
    }
    if (verdict != VERDICT_OK) return verdict;
    *square = s->formula.same * s->formula.same * norms_correct(q->norms, part, task);
    part->counts.solves += part->shape.columns;
    part->counts.iterations += part->shape.columns;
    return VERDICT_OK;
}

enum verdict corrector_improve(struct stepper *s, struct part *part, struct work *w, size_t worker,
                               bool first, double *square)
{
    struct correction_task task = task_of(s, part, w);
    task.first = first;
    return improve(s, part, w, worker, &task, square);
}

enum verdict corrector_iterate(struct stepper *s, struct part *part, struct work *w, size_t worker)
{
    double const room = corrector_room(s, part);
    bool const wary = part->wary > 0 && !s->equations->fresh;
    int const least = wary ? 2 : least_iterations(s, part);
    bool const passing = is_passing(s, part);
    int const usual = passing && !s->equations->fresh ? MOST_PASSING : MOST_ITERATIONS;
    int const most = s->most_iterations > 0 ? s->most_iterations : usual;
    struct correction_task task = task_of(s, part, w);
    double before = 0, square = 0;
    if (wary) part->wary--;
    if (part->kind == PART_STATE && s->closer > 0) s->closer--;
    if (s->equations->exact_c)
        part->rate =
            1; /* of index 2: what was learnt at another step says nothing about the multipliers */
    for (int m = 1; m <= most; m++) {
        task.first = m == 1;
        enum verdict const verdict = improve(s, part, w, worker, &task, &square);
        if (verdict != VERDICT_OK) return verdict;
        if (passing && remember(s, part, m, square, room)) return VERDICT_OK;
        if (m == 2 && may_doubt(s, part)) doubt(part, before, part->rate, square / before, room);
        if (m > 1) part->rate = corrector_rate(part->rate, square / before);
        if (m >= least && corrector_left(square, part->rate) <= room) {
            believe(s, part, m, square);
            return VERDICT_OK;
        }
        if (!isfinite(square) || (m > 1 && square > 4 * before)) break;
        if (m > 1 && is_hopeless(s, square, part->rate, most - m, room)) break;
        before = square;
    }
    return VERDICT_NOT_CONVERGED;
}

/* Factors at the predictor. A convergence rate learnt with other factors says nothing. */
enum verdict corrector_renew(struct stepper *s)
{
    struct equations *const q = s->equations;
    q->singular = 0;
    corrector_slope(s, &s->state, &s->state_work, true);
    struct point const at = corrector_point(s, true);
    int const code = equations_factor(q, &at, s->c);
    if (code == 0 && q->exact_c) {
        levers_find(q, s->state_work.winv, s->c);
        norms_weigh(q->norms, &s->state, s->state.history, s->state_work.winv);
    }
    s->state.rate = unknown_rate;
    s->state.single = 0;
    for (size_t m = 0; m < s->panels; m++) s->panel[m].rate = unknown_rate;
    return corrector_verdict(s, &s->state, 0, code);
}

enum verdict corrector_state(struct stepper *s)
{
    struct equations *const q = s->equations;
    bool const passing = is_passing(s, &s->state);
    bool const distrusted = passing && s->distrust > 0;
    if (distrusted) s->distrust--;
    if (distrusted || equations_stale(q, s->c, passing)) {
        enum verdict const verdict = corrector_renew(s);
        if (verdict != VERDICT_OK) return verdict;
    }
    enum verdict verdict = corrector_iterate(s, &s->state, &s->state_work, 0);
    if (verdict == VERDICT_OK && !q->fresh) s->failures = 0;
    if (verdict != VERDICT_NOT_CONVERGED || q->fresh || equations_functional(q)) return verdict;
    if (++s->failures >= FAILURES) s->distrust = DISTRUST;
    verdict = corrector_renew(s);
    if (verdict != VERDICT_OK) return verdict;
    return corrector_iterate(s, &s->state, &s->state_work, 0);
}
