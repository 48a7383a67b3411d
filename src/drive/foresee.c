/* SPDX-License-Identifier: Apache-2.0 */
/* method = auto looks ahead before columns move.  From the point where the run stands the state alone is taken over a stretch of
   STRETCH steps by rk8, then over the same time by bdf, which counts its start.  What the stretch would cost with all columns is
   steps times the cost of a step by counts (costs.h), and bdf begins here if it is the cheaper one.  Steps of rk8 held at the
   border of stability are seen too, in fewer looks than with columns.  A stretch costs a share of what it may save where
   there are many columns; it may cost so many steps of bdf at the start and then a share of the steps of rk8.
   Everything is put back: a run in which nothing is found is the same to the last bit.  Targets have no say, stop and break times are
   not passed.  A point where f has no value ends the look.  Problems with
   conditions are not looked at: what comes behind a switching point does not follow from the conditions before it. */
#include "drive/foresee.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/automatic.h"
#include "drive/solver.h"
#include "method/runge_kutta.h"

enum {
    STRETCH =
        12, /* steps of rk8: bdf, which needs 10 to 30 for its start, makes as many in it as 3 to 7 times as many cost */
    BORDER_LOOKS =
        5, /* at the border in a row, of LOOK_MOST steps; with columns 15, of all that they cost */
    LOOK_MOST = 15,   /* steps behind a first look of the run that saw the border */
    EVERY = 8,        /* steps from look to look in stages_looks() */
    MOST_FAILURES = 8 /* of one step */
};

/* What looks by rk8 may cost, and as much again trials of bdf: at the start so many steps of bdf with columns, of a run of hundreds where it
   is stiff; then these shares of what rk8 with columns has cost since. */
static const double at_start = 20, looks_later = 0.05, trials_later = 0.1;

/* Nanoseconds of a step of the state that no count has: 240 to 600, n = 2 to 20, of steps of 0.3 to 3 microseconds. */
static const double fixed = 400;

/* Of the step of rk8, which moves what moves fastest by its size: LSODE's first step is as much shorter, for rtol = 1e-6. */
static const double first = 1e-3;

/* Of the border of stability.  Errors of order 8 seldom allow steps that come so near: up to 0.17 of it on the Brusselator and the
   prey and predators at rtol 1e-4 to 1e-8, where steps of HIRES, pollution and mechanisms that bdf takes at less cost had 0.5 and more. */
static const double near = 0.5;

/* Costs of steps: of the state alone, and with all columns. */
struct prices {
    double calm_state, stiff_state, calm, stiff;
};

static struct prices find_prices(const struct tansy_solver *s)
{
    const struct choice *const choice = &s->choice;
    const struct costs *const c = &choice->costs;
    const struct iterations *const it = &choice->counts;
    double const tangents = s->stepper.stages.J ? c->eval + c->par + c->mvp : c->seed;
    double const stages = s->automatic.calm.method->tableau->stages;
    return (struct prices){.calm_state = fixed + stages * c->fun,
                           .calm = fixed + stages * (c->fun + tangents),
                           .stiff_state = fixed + it->state * (c->fun + c->lin) +
                                          (c->eval + c->fac) / it->steps,
                           .stiff = fixed + choice->cost[choice->taken]};
}

/* Of bdf in the time of so many steps of rk8, at most. */
static double price_of_trial(const struct prices *p, int steps)
{
    return steps * p->calm / p->stiff * p->stiff_state;
}

void foresee_layout(struct tansy_solver *s, struct arena *arena)
{
    size_t const rows = solver_rows(s) + 2;
    if (s->automatic.is_on && s->ns > 0)
        s->automatic.kept = arena_matrix(arena, rows, lane_round(s->n));
}

void foresee_begin(struct tansy_solver *s)
{
    struct foresight *const x = &s->automatic.foresight;
    *x = (struct foresight){.is_on = s->automatic.kept && s->choice.by == CHOSEN_BY_COUNTS &&
                                     !s->norms.own && !s->watch.is_probed &&
                                     s->events.switches == 0};
    if (!x->is_on) return;
    x->until = s->t0;
    x->steps = s->stats.steps;
    x->looks = x->trials = at_start * s->choice.cost[s->choice.taken];
}

/* History and corrections of the state, put aside or back. */
static void keep_rows(struct tansy_solver *s, bool back)
{
    const struct part *const part = &s->stepper.state;
    size_t const n = part->shape.count, rows[] = {solver_rows(s), 1, 1};
    double *const from[] = {part->history, part->e[0], part->e[1]}, *to = s->automatic.kept;
    for (int k = 0; k < 3; k++) {
        size_t const count = rows[k] * n;
        memcpy(back ? from[k] : to, back ? to : from[k], count * sizeof *to);
        to += count;
    }
}

static void change(struct tansy_solver *s, struct decision d)
{
    s->stepper.order = d.order;
    s->stepper.h *= d.ratio;
}

/* The step at work may be made: f is not looked at behind a stop or break time. */
static bool is_within(const struct tansy_solver *s)
{
    const struct stepper *const st = &s->stepper;
    double const end = st->t + st->h;
    double limit = 0;
    if (!(fabs(st->h) > 4 * DBL_EPSILON * fabs(st->t)) || !isfinite(end)) return false;
    if (s->options.use_stop_time && s->direction * (end - s->options.stop_time) > 0) return false;
    return s->events.breaks == 0 || !events_next_break(s, &limit) ||
           s->direction * (end - limit) <= 0;
}

/* A step of the state alone; false: there is none. */
static bool step_ahead(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    struct control *const c = &s->control;
    while (is_within(s)) {
        st->stages.steps = EVERY - 1; /* each is looked at */
        enum outcome const outcome = solver_attempt(s);
        if (outcome == OUTCOME_ACCEPTED) {
            st->method->accept(st);
            st->t = st->end;
            s->equations.age++;
            change(s, control_accept(c, st->method, st->h, st->order, s->candidate));
            return true;
        }
        if (outcome == OUTCOME_STOP || c->errors + c->failures >= MOST_FAILURES) return false;
        st->method->settle(st);
        s->equations.c = 0;
        change(s, outcome == OUTCOME_ERROR
                      ? control_reject(c, st->method, st->h, st->order, s->candidate)
                      : control_retreat(c, st->method, st->h, st->order));
    }
    return false;
}

/* rk8 goes on with the state alone for so many steps; how many it could make.  Less: they came to the border of stability.  *reach: how
   near to it they came. */
static int go_ahead(struct tansy_solver *s, int most, double *reach)
{
    const struct stages *const stages = &s->stepper.stages;
    int steps = 0;
    *reach = 0;
    while (steps < most && stages->stiff < BORDER_LOOKS && step_ahead(s)) {
        steps++;
        *reach = fmax(*reach, stages->reach);
    }
    return steps;
}

/* bdf begins with y at the point. */
static bool begin_stiff(struct tansy_solver *s, const double *y)
{
    struct stepper *const st = &s->stepper;
    struct work *const w = &st->state_work;
    double const h = first * st->h;
    st->method = s->automatic.stiff.method;
    st->corrector = &corrector_staggered;
    st->order = st->method->lowest_order;
    st->max_order = st->method->max_order;
    st->h = 1;
    st->equal = 0;
    memcpy(w->y, y, s->n * sizeof *y);
    if (derive_rhs(&s->derive, 0, st->t, w->y, w->r) != 0) return false;
    norms_weigh(&s->norms, &st->state, w->y, w->winv);
    st->method->start(st, &st->state, w->y, w->r);
    st->h = h;
    control_start(&s->control, st->method, st->max_order);
    return true;
}

/* bdf comes to t in so many steps. */
static bool reaches(struct tansy_solver *s, double t, double most)
{
    int steps = 0;
    while (s->direction * (t - s->stepper.t) > 0)
        if (++steps > most || !step_ahead(s)) return false;
    return true;
}

/* Where a look begins, and what it must not change. */
struct point_kept {
    struct stepper stepper;
    struct control control;
    tansy_stats stats;
    size_t forced;
    bool singular;
};

static void keep(struct tansy_solver *s, struct point_kept *k)
{
    memcpy(&k->stepper, &s->stepper, sizeof k->stepper);
    k->control = s->control;
    k->stats = s->stats;
    k->forced = s->signs_forced;
    keep_rows(s, false);
    s->stepper.panels = 0;
    s->stepper.stages.stiff = s->stepper.stages.calm = 0; /* that of columns is another matter */
    s->stepper.wants_inside = s->stepper.may_end_there = false;
    s->control.piece = 0;
}

/* Evaluations count wherever they are made. */
static void put_back(struct tansy_solver *s, struct point_kept *k)
{
    k->stats.rhs_evals = s->stats.rhs_evals;
    k->stats.jacobian_evals = s->stats.jacobian_evals;
    k->stats.factorizations = s->stats.factorizations;
    s->stats = k->stats;
    memcpy(&s->stepper, &k->stepper, sizeof k->stepper);
    s->control = k->control;
    s->signs_forced = k->forced;
    s->equations.c = 0;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    keep_rows(s, true);
}

/* bdf takes the time to `end`, for which rk8 needs so many steps, at less cost. */
static bool is_cheaper(struct tansy_solver *s, const struct prices *p, double end, int steps)
{
    struct point_kept kept;
    size_t const row = s->stepper.state.pending ? 1 : 0; /* that y is in */
    keep(s, &kept);
    const double *const y = s->automatic.kept + row * s->stepper.state.shape.count;
    bool const cheaper = begin_stiff(s, y) && reaches(s, end, steps * p->calm / p->stiff);
    put_back(s, &kept);
    return cheaper;
}

/* The stretch ahead by rk8 and, where that comes near the border of stability or there is enough left for it, by bdf: true
   where that is the cheaper one. */
static bool compare(struct tansy_solver *s, const struct prices *p)
{
    struct foresight *const x = &s->automatic.foresight;
    struct point_kept kept;
    double reach = 0;
    keep(s, &kept);
    int const steps = go_ahead(s, STRETCH, &reach);
    double const end = s->stepper.t;
    bool const is_whole = steps == STRETCH || s->stepper.stages.stiff >= BORDER_LOOKS;
    put_back(s, &kept);
    x->is_on = steps > 0;
    x->until = end;
    x->looks -= steps * p->calm_state;
    double const trial = price_of_trial(p, steps);
    if (!is_whole || (reach < near && x->trials < trial)) return false;
    x->trials -= trial;
    return is_cheaper(s, p, end, steps);
}

/* The run has seen the border of stability for the first time, or again: the state stays there, or columns hold steps so short that bdf
   takes the time of as many at less cost. */
static bool is_held(struct tansy_solver *s, const struct prices *p)
{
    const struct stepper *const st = &s->stepper;
    struct foresight *const x = &s->automatic.foresight;
    struct point_kept kept;
    double reach = 0;
    keep(s, &kept);
    (void)go_ahead(s, LOOK_MOST, &reach);
    bool const stays = st->stages.stiff >= BORDER_LOOKS;
    put_back(s, &kept);
    if (stays || x->trials < 0) return stays;
    x->trials -= price_of_trial(p, STRETCH);
    return is_cheaper(s, p, st->t + STRETCH * st->h, STRETCH);
}

bool foresee_stiffness(struct tansy_solver *s)
{
    const struct stepper *const st = &s->stepper;
    struct foresight *const x = &s->automatic.foresight;
    if (!x->is_on) return false;
    struct prices const p = find_prices(s);
    bool const suspicious = st->stages.stiff > 0, is_new = suspicious && !x->suspicious;
    double const spent = p.calm * (double)(s->stats.steps - x->steps);
    x->looks += looks_later * spent;
    x->trials += trials_later * spent;
    x->steps = s->stats.steps;
    x->suspicious = suspicious;
    if (is_new && is_held(s, &p)) return true;
    bool const affords = x->looks >= STRETCH * p.calm_state;
    return affords && s->direction * (st->t - x->until) >= 0 && compare(s, &p);
}
