/* SPDX-License-Identifier: Apache-2.0 */
/* --verify.  For column k, e_k = max over t, i of |delta s_ik| scale_k / (|s_ik| scale_k + floor_i) with
   floor_i = max(atol_i/rtol, 1e-3 max over t of |y_i|); for the state the same with y, for an output with Q.  The promise is
   e <= 100 rtol. */
#include "verify_parts.h"

#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct study verify_shadow(const struct study *s, const struct series *series, double tighter)
{
    struct study w = *s;
    w.p = take(s->np, sizeof *w.p);
    w.atol = take(s->n, sizeof *w.atol);
    w.y0 = take(s->n, sizeof *w.y0);
    w.value = take(s->ns, sizeof *w.value);
    w.scale = take(s->ns, sizeof *w.scale);
    w.size = take(s->ns, sizeof *w.size);
    if (s->np > 0) memcpy(w.p, s->p, s->np * sizeof *w.p);
    if (s->ns > 0) memcpy(w.scale, s->scale, s->ns * sizeof *w.scale);
    double const rtol = fmax(study_rtol(s) / tighter, 1e-13);
    for (size_t i = 0; i < s->n; i++) w.atol[i] = study_atol_at(s, i, rtol);
    w.options = (tansy_options){.method = s->options.method,
                                .sensitivities = s->ns > 0 ? TANSY_SENSITIVITIES_AUTO : TANSY_NONE,
                                .rtol = rtol,
                                .atol_state = w.atol,
                                .max_step = s->options.max_step,
                                .initial_tolerance = study_start_at(s, rtol),
                                .keep_initial = s->options.keep_initial,
                                .max_steps = 10000000,
                                .threads = s->options.threads};
    w.problem.p = w.p;
    w.times = series->t;
    w.count = series->count;
    w.turned = NULL;
    w.is_aside = true;
    return w;
}

void verify_shadow_free(struct study *w)
{
    free(w->p);
    free(w->atol);
    free(w->y0);
    free(w->value);
    free(w->scale);
    free(w->size);
}

/* The method that ran, for people. */
static const char *ran_by(const struct outcome *outcome)
{
    return stats_method_changes(outcome) > 0 ? "auto (rk8 and bdf)" : stats_method(outcome);
}

static void take_times(const struct study *s, const struct series *series, struct verification *v)
{
    v->times = series->count;
    v->times_all = series->seen;
    if (series->count > 0) v->t_end = series->t[series->count - 1];
    v->span = fabs(v->t_end - s->t0);
}

void verify_begin(const struct study *s, const struct series *series, const struct outcome *outcome,
                  struct verification *v)
{
    *v = (struct verification){.n = s->n,
                               .nx = s->nx,
                               .ns = s->ns,
                               .steps = outcome->stats.steps,
                               .promise = 100 * study_rtol(s),
                               .state = take(s->nx, sizeof(double)),
                               .of_largest = take(s->nx, sizeof(double)),
                               .floor = take(s->nx, sizeof(double)),
                               .noise = take(s->nx, sizeof(double)),
                               .control = take(s->nx, sizeof(enum control)),
                               .seen = take(s->nx, sizeof(enum seen)),
                               .seen_column = take(s->ns, sizeof(enum seen)),
                               .aside = take(s->ns, sizeof(double)),
                               .aside_worst = take(s->ns, sizeof(size_t)),
                               .column = take(s->ns, sizeof(double)),
                               .hidden = take(s->ns, sizeof(double)),
                               .by_difference = take(s->ns, sizeof(double)),
                               .doubt = take(s->ns, sizeof(double)),
                               .moved_state = take(s->nx, sizeof(double)),
                               .moved_column = take(s->ns, sizeof(double)),
                               .differs = take(s->ns, sizeof(bool)),
                               .decided = take(s->ns, sizeof(double)),
                               .open = take(s->ns, sizeof(size_t)),
                               .open_first = take(s->ns, sizeof(size_t)),
                               .one_sided = take(s->ns, sizeof(size_t)),
                               .one_sided_first = take(s->ns, sizeof(size_t)),
                               .until = take(s->ns, sizeof(double)),
                               .worst = take(s->ns, sizeof(size_t)),
                               .most_state = take(s->nx, sizeof(double)),
                               .most_column = take(s->ns, sizeof(double)),
                               .how = copy_of(ran_by(outcome))};
    for (size_t k = 0; k < s->ns; k++) v->by_difference[k] = (double)NAN;
    v->lost = outcome->report && strstr(outcome->report, "S is not controlled behind it");
    take_times(s, series, v);
    verify_floors(s, series, v);
}

/* gmres is for what is too large for factors, of which rosenbrock and limex have none else. */
static bool is_too_large_for(const struct study *s, tansy_method method)
{
    return s->options.linear_solver == TANSY_GMRES &&
           (method == TANSY_ROSENBROCK || method == TANSY_LIMEX);
}

static void take_gmres(tansy_options *to, const tansy_options *from)
{
    to->linear_solver = from->linear_solver;
    to->preconditioner = from->preconditioner;
    to->precondition_side = from->precondition_side;
    to->preconditioner_lower = from->preconditioner_lower;
    to->preconditioner_upper = from->preconditioner_upper;
    to->preconditioner_block = from->preconditioner_block;
    to->krylov_dimension = from->krylov_dimension;
    to->krylov_orthogonal = from->krylov_orthogonal;
    to->krylov_restarts = from->krylov_restarts;
    to->krylov_tolerance = from->krylov_tolerance;
}

/* The study for one partner. */
static struct study repeated(const struct study *s, const struct series *series,
                             const struct outcome *outcome, const struct repetition *how,
                             const struct partner *by)
{
    bool const explicit = by->method == TANSY_RK8 || by->method == TANSY_ADAMS;
    size_t const times = explicit ? how->explicit_calls : how->calls;
    struct study w = verify_shadow(s, series, how->tighter);
    w.options.method = by->method;
    w.deadline = how->deadline;
    if (by->limited || how->all_limited)
        w.call_limit = times * outcome->stats.rhs_evals + how->spare;
    if (s->options.linear_solver == TANSY_GMRES && !explicit) take_gmres(&w.options, &s->options);
    return w;
}

bool verify_repeat(const struct study *s, const struct series *series,
                   const struct outcome *outcome, const struct repetition *how,
                   struct verification *v, bool *independent)
{
    struct partner partner[MOST_PARTNERS];
    size_t const count = how->cheapest_first ? verify_cheap_partners(s, outcome, partner)
                                             : verify_partners(s, outcome, partner);
    char *const method = copy_of(v->how);
    char *failure = NULL; /* of the cheapest: the others had less chance */
    bool whole = false;
    *independent = false;
    for (size_t a = how->from; a < count && !whole && !run_interrupted(); a++) {
        const struct partner *const by = &partner[a];
        if (is_too_large_for(s, by->method)) continue;
        struct study w = repeated(s, series, outcome, how, by);
        if (!(w.options.max_step > 0) && how->least_steps > 0)
            w.options.max_step = v->span / how->least_steps;
        free(v->how);
        v->how = copy_of(method);
        whole = verify_compare(s, series, &w, v);
        *independent = whole && by->independent;
        v->partner = a;
        verify_shadow_free(&w);
        if (whole || failure || !how->cheapest_first) continue;
        failure = v->how;
        v->how = NULL;
    }
    if (!whole && failure) {
        free(v->how);
        v->how = failure;
        failure = NULL;
    }
    free(failure);
    free(method);
    return whole;
}

int verify_run(struct study *s, const struct series *series, const struct outcome *outcome,
               struct verification *v)
{
    /* a stiff problem would keep an explicit method busy for ever */
    static const struct repetition thorough = {
        .tighter = 100, .explicit_calls = 20, .calls = 200, .spare = 5000, .least_steps = 200};
    bool const has_conditions = s->summary.conditions > 0 || s->problem.initial_corner;
    bool independent = false;
    verify_begin(s, series, outcome, v);
    if (has_conditions) verify_base(s, series, v);
    bool const whole = verify_repeat(s, series, outcome, &thorough, v, &independent);
    if (whole && !independent && !has_conditions) verify_base(s, series, v);
    if (whole && v->base.t) verify_by_differences(s, series, v);
    v->nothing_left = whole && v->left_out == series->count;
    v->interrupted = run_interrupted();
    v->done = whole && !v->interrupted && !v->nothing_left;
    if (!v->done) return v->interrupted ? STOPPED : NOT_VERIFIED;
    verify_judge(v);
    if (v->missed > 0) {
        verify_condition(s, series, v);
        verify_judge(v);
    }
    return verify_verdict(v) == VERDICT_PASS ? DONE : NOT_VERIFIED;
}

void verify_free(struct verification *v)
{
    free(v->state);
    free(v->of_largest);
    free(v->floor);
    free(v->noise);
    free(v->control);
    free(v->seen);
    free(v->seen_column);
    free(v->aside);
    free(v->aside_worst);
    free(v->hidden);
    free(v->column);
    free(v->by_difference);
    free(v->doubt);
    free(v->moved_state);
    free(v->moved_column);
    free(v->differs);
    free(v->decided);
    free(v->open);
    free(v->open_first);
    free(v->one_sided);
    free(v->one_sided_first);
    free(v->until);
    free(v->turned.at);
    series_free(&v->base);
    free(v->worst);
    free(v->most_state);
    free(v->most_column);
    free(v->how);
    *v = (struct verification){0};
}
