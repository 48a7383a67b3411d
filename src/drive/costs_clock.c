/* SPDX-License-Identifier: Apache-2.0 */
/* `measured`: the pieces of a step clocked at the point where the solver stands, on vectors that the next step overwrites and on
   factors in a slot of their own, so that a run whose corrector stays is the same to the last bit. */
#include <string.h>
#include <time.h>

#include "drive/solver.h"

enum {
    REPEATS =
        3, /* the least of them counts: the first one fetches memory, others may be interrupted */
    MOST_TIMES = 64
};

static const double enough = 3e-7; /* seconds: clocks tick every 10 ns on some machines */

/* A piece of work at the point. */
struct piece {
    struct tansy_solver *s;
    struct point at;
    double *V, *rate, *R; /* of the first panel, the widest */
    int code;             /* of the user function that failed */
};
typedef int work(const struct piece *piece);

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int evaluate_value(const struct piece *p)
{
    return derive_value(&p->s->derive, 0, &p->at, p->s->equations.f);
}

/* An iterative solver that multiplies by J keeps the one it has. */
static int evaluate_matrices(const struct piece *p)
{
    bool const kept = equations_iterative(&p->s->equations) && !derive_gives_both(&p->s->problem);
    struct derive *const d = &p->s->derive;
    if (kept) return 0;
    return (p->s->watch.jacobian ? p->s->watch.jacobian : d->jacobian)(d, &p->at);
}

static int evaluate_parameter(const struct piece *p)
{
    return p->s->derive.parameter(&p->s->derive, &p->at);
}

static int evaluate_tangent(const struct piece *p)
{
    struct tansy_solver *const s = p->s;
    return s->derive.tangent(&s->derive, 0, &p->at, &s->shape[0], p->V, p->rate, p->R);
}

enum { OWN_SLOT = 1 }; /* the run's factors are in slot 0 */

static int factor(const struct piece *p)
{
    struct linear *const l = &p->s->linear;
    return l->table->factor(l, OWN_SLOT, p->s->stepper.c, 0) != 0;
}

/* The passes that go with a solve: the residual before, the correction and its norms after. */
static struct correction_task begin_solve(struct tansy_solver *s, const struct part *part,
                                          struct work *w)
{
    size_t const count = part->shape.count;
    s->norms.kernels->step->residual(count, 0, w->d0, 0, w->d0, w->r);
    return (struct correction_task){.count = count,
                                    .lanes = part->shape.lanes,
                                    .r = w->r,
                                    .scale = 1,
                                    .e = w->d0,
                                    .y0 = w->y0,
                                    .y = w->y,
                                    .winv = w->winv};
}

static int solve_state(const struct piece *p)
{
    struct tansy_solver *const s = p->s;
    struct stepper *const st = &s->stepper;
    struct correction_task task = begin_solve(s, &st->state, &st->state_work);
    s->linear.table->solve(&s->linear, OWN_SLOT, task.r);
    (void)norms_correct(&s->norms, &st->state, &task);
    return 0;
}

static int solve_panel(const struct piece *p)
{
    struct tansy_solver *const s = p->s;
    struct stepper *const st = &s->stepper;
    struct correction_task task = begin_solve(s, &st->panel[0], &st->panel_work[0]);
    s->linear.table->solve_panel(&s->linear, OWN_SLOT, task.lanes, task.r);
    (void)norms_correct(&s->norms, &st->panel[0], &task);
    return 0;
}

/* W times the state and times a panel, which Krylov iteration consists of. */
static int apply_state(const struct piece *p)
{
    struct tansy_solver *const s = p->s;
    return derive_apply(&s->derive, 0, &p->at, s->stepper.c, &s->stepper.state.shape, p->at.y,
                        s->stepper.state_work.r);
}

static int apply_panel(const struct piece *p)
{
    struct tansy_solver *const s = p->s;
    return derive_apply(&s->derive, 0, &p->at, s->stepper.c, &s->shape[0], p->V, p->R);
}

/* Seconds of the work done so many times, for one. */
static double clock_times(struct piece *p, work *run, int times)
{
    double const begin = seconds();
    for (int k = 0; k < times && p->code == 0; k++) p->code = run(p);
    return (seconds() - begin) / times;
}

/* The least time of a few repeats, each of short work done several times; 0 after a failure. */
static double clock_work(struct piece *p, work *run)
{
    double least = clock_times(p, run, 1);
    int const times = least * MOST_TIMES < enough ? MOST_TIMES : 1 + (int)(enough / least);
    for (int k = 1; k < REPEATS; k++) {
        double const time = clock_times(p, run, times);
        if (time < least) least = time;
    }
    return p->code == 0 ? least : 0;
}

/* The point where the solver stands, and the first panel there. */
static struct piece stand_here(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    struct work *const state = &st->state_work, *const w = &st->panel_work[0];
    if (state->yp) {
        st->method->interpolate(st, &st->state, st->t, 1, state->yp);
        st->method->interpolate(st, &st->panel[0], st->t, 1, w->yp);
    }
    st->method->interpolate(st, &st->state, st->t, 0, state->y0);
    st->method->interpolate(st, &st->panel[0], st->t, 0, w->y0);
    return (struct piece){.s = s,
                          .at = {.t = st->t, .y = state->y0, .yp = state->yp, .f = s->equations.f},
                          .V = w->y0,
                          .rate = w->yp,
                          .R = w->r};
}

/* Panels of the whole S for one of the first, shared by the threads. */
static double panels_of(const struct tansy_solver *s)
{
    double lanes = 0;
    for (size_t m = 0; m < s->stepper.panels; m++) lanes += (double)s->shape[m].lanes;
    return lanes / (double)s->shape[0].lanes / (double)s->derive.workers;
}

/* The tangent from a source. */
static double clock_tangent(struct piece *p, enum source source)
{
    struct derive *const d = &p->s->derive;
    enum source const now = d->tangent_source;
    derive_use_tangent(d, source);
    if (d->tangent_needs_matrices) p->code = p->code ? p->code : evaluate_matrices(p);
    double const time = clock_work(p, evaluate_tangent) * panels_of(p->s);
    derive_use_tangent(d, now);
    return time;
}

/* An iterative solver has no factors to compare: products for as many directions as it took so far. */
static void clock_krylov(struct piece *p, struct costs *c)
{
    const tansy_stats *const stats = &p->s->stats;
    double const directions = 1 + (double)stats->linear_iterations / (double)stats->solves;
    c->lin = directions * clock_work(p, apply_state);
    c->panels = directions * clock_work(p, apply_panel) * panels_of(p->s);
}

/* Zeros stay zeros however often they are solved for. */
static void clock_factors(struct piece *p, struct costs *c)
{
    struct stepper *const st = &p->s->stepper;
    size_t const state = st->state.shape.count, panel = p->s->shape[0].count;
    memset(st->state_work.r, 0, state * sizeof(double));
    memset(st->state_work.d0, 0, state * sizeof(double));
    memset(st->panel_work[0].r, 0, panel * sizeof(double));
    memset(st->panel_work[0].d0, 0, panel * sizeof(double));
    c->fac = clock_work(p, factor);
    c->lin = clock_work(p, solve_state);
    c->panels = clock_work(p, solve_panel) * panels_of(p->s);
}

static struct costs clock_all(struct piece *p)
{
    struct tansy_solver *const s = p->s;
    const bool *const possible = s->choice.possible;
    bool const matrix = possible[STAGGERED_MATRIX], seed = possible[STAGGERED_SEED];
    enum source const direction = matrix && seed ? SOURCE_GIVEN : s->derive.tangent_source;
    struct costs c = {0};
    c.fun = clock_work(p, evaluate_value);
    if (matrix) c.par = clock_work(p, evaluate_parameter);
    if (matrix) c.mvp = clock_tangent(p, SOURCE_MATRIX);
    if (seed) c.seed = clock_tangent(p, direction);
    c.eval = clock_work(p, evaluate_matrices);
    if (equations_iterative(&s->equations))
        clock_krylov(p, &c);
    else if (!equations_functional(&s->equations))
        clock_factors(p, &c);
    return c;
}

/* What the steps since the first ones took. */
static struct iterations observe(const struct tansy_solver *s)
{
    const struct observation *const from = &s->choice.from;
    double const columns = (double)(s->stats.newton_sens - from->column_iterations) / (double)s->ns;
    return costs_observed(s->stepper.method->trusts_old_rate,
                          (double)(s->stats.steps - from->steps),
                          (double)(s->equations.factorizations - from->factorizations),
                          (double)(s->stats.newton_state - from->state_iterations), columns);
}

static void begin_to_count(struct tansy_solver *s)
{
    s->choice.from = (struct observation){s->stats.steps, s->equations.factorizations,
                                          s->stats.newton_state, s->stats.newton_sens};
    s->choice.due = s->stats.steps + OBSERVED_STEPS;
}

void solver_clock_costs(struct tansy_solver *s)
{
    struct choice *const choice = &s->choice;
    if (choice->from.steps == 0) {
        begin_to_count(s);
        return;
    }
    struct piece piece = stand_here(s);
    choice->due = 0;
    struct costs const costs = clock_all(&piece);
    part_collect(&s->stepper.state, &s->derive.worker[0]); /* the calls count as any other */
    if (piece.code != 0) {
        choice->by = CHOSEN_BY_USER;
        s->note = "the costs could not be clocked: staggered was kept";
        return;
    }
    choice->costs = costs;
    choice->counts = observe(s);
    solver_use_variant(s, choice_cheapest(choice));
}
