/* SPDX-License-Identifier: Apache-2.0 */
/* --verify.  For column k, e_k = max over t, i of |delta s_ik| scale_k / (|s_ik| scale_k + floor_i) with
   floor_i = max(atol_i/rtol, 1e-3 max over t of |y_i|); for the state the same with y, for an output with Q.  The promise is
   e <= 100 rtol. */
#include "verify_parts.h"

#include "stats.h"
#include "watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A second run that is compared with the kept rows as it goes. */
struct comparison {
    const struct study *study;
    const struct series *series;
    struct verification *v;
    double *off, *slope; /* [ns*nx]: max over t, of the quantities that are not controlled */
    size_t row;
    bool at_switch, left_out; /* of this row */
};

/* Is an error e to be left out? */
static bool leave_out(struct comparison *c, double e)
{
    bool const out = c->at_switch && !(e <= c->v->promise);
    c->left_out = c->left_out || out;
    return out;
}

static const double *row_of(const struct series *series, size_t j)
{
    return series->data + j * series->nx * (1 + series->ns);
}

/* The floor of output i, whose states' atol move it by `rest`. */
static void set_floor(struct verification *v, size_t i, double rest, double largest)
{
    if (v->control[i] == CONTROLLED && largest > 0 && largest < rest) v->control[i] = BELOW_ATOL;
    v->floor[i] = fmax(fmax(v->floor[i], rest), 1e-3 * largest);
}

/* Outputs have no atol of their own.  Theirs, through dQ/dy in a few mixed directions r: max over t of |dQ/dy r atol/rtol|;
   and where Q is a small rest of large terms their rounding, 1e-9 |dQ/dy r y|, which counts as no error of the run. */
static void output_floors(const struct study *s, const struct series *series,
                          struct verification *v)
{
    enum { DIRECTIONS = 4, ALL = 2 * DIRECTIONS };
    if (s->no == 0) return;
    double *const r = take(ALL * s->n, sizeof *r), *const dq = take(ALL * s->outputs, sizeof *dq);
    double *const rest = take(s->no, sizeof *rest);
    double *const still = take(ALL * s->n, sizeof *still); /* y' and S' count as 0 */
    for (size_t j = 0; j < series->count; j++) {
        const double *const y = row_of(series, j);
        for (size_t m = 0; m < DIRECTIONS; m++)
            for (size_t i = 0; i < s->n; i++) {
                r[m * s->n + i] = verify_mixed(i, m) * s->atol[i] / study_rtol(s);
                r[(DIRECTIONS + m) * s->n + i] = verify_mixed(i, m) * y[i];
            }
        tansy_point const at = {
            .t = series->t[j], .side = run_side(s, series->t[j]), .y = y, .yp = still, .p = s->p};
        tansy_columns const columns = {.ns = ALL, .sens = r, .sensp = still};
        if (tansy_model_output_columns_at(s->model, &at, &columns, dq) != TANSY_OK) break;
        for (size_t m = 0; m < ALL; m++)
            for (size_t o = 0; o < s->no; o++) {
                double const size = fabs(dq[m * s->outputs + s->output[o]]);
                double *const to = m < DIRECTIONS ? &rest[o] : &v->floor[s->n + o];
                if (isfinite(size)) *to = fmax(*to, m < DIRECTIONS ? size : 1e-9 * size);
            }
    }
    for (size_t o = 0; o < s->no; o++)
        set_floor(v, s->n + o, rest[o], series_largest(series, s->n + o));
    free(r);
    free(dq);
    free(rest);
    free(still);
}

/* How the error tests treat state i. */
static enum control control_of(const struct study *s, size_t i, double largest)
{
    tansy_kind const kind = s->summary.kind ? s->summary.kind[i] : TANSY_DIFFERENTIAL;
    if (kind == TANSY_INDEX_2) return MULTIPLIER;
    if (kind == TANSY_ALGEBRAIC && s->options.suppress_algebraic) return SUPPRESSED;
    return watch_uncontrolled(s, i, largest) ? BELOW_ATOL : CONTROLLED;
}

/* An output that moves with states which are not tested is not tested either. */
static void follow_untested(const struct study *s, const struct series *series, enum control which,
                            struct verification *v)
{
    double *const r = take(s->n, sizeof *r), *const still = take(s->n, sizeof *still);
    double *const dq = take(s->outputs, sizeof *dq);
    bool any = false;
    for (size_t i = 0; i < s->n; i++)
        if (v->control[i] == which) {
            r[i] = verify_mixed(i, 0);
            any = true;
        }
    for (size_t j = 0; j < series->count && any && s->no > 0; j++) {
        tansy_point const at = {.t = series->t[j],
                                .side = run_side(s, series->t[j]),
                                .y = row_of(series, j),
                                .yp = still,
                                .p = s->p};
        tansy_columns const columns = {.ns = 1, .sens = r, .sensp = still};
        if (tansy_model_output_columns_at(s->model, &at, &columns, dq) != TANSY_OK) break;
        for (size_t o = 0; o < s->no; o++)
            if (fabs(dq[s->output[o]]) > 0) v->control[s->n + o] = which;
    }
    free(r);
    free(still);
    free(dq);
}

static void floors(const struct study *s, const struct series *series, struct verification *v)
{
    for (size_t i = 0; i < s->n; i++) {
        double const largest = series_largest(series, i);
        v->floor[i] = fmax(s->atol[i] / study_rtol(s), 1e-3 * largest);
        v->control[i] = control_of(s, i, largest);
    }
    follow_untested(s, series, SUPPRESSED, v);
    follow_untested(s, series, MULTIPLIER, v);
    output_floors(s, series, v);
}

/* The errors of quantity i; what atol hides is kept relative to the largest value alone. */
static void compare_quantity(struct comparison *c, const struct row *row, size_t i)
{
    const struct study *const s = c->study;
    struct verification *const v = c->v;
    double const right = row->x[i], error = fabs(series_x(c->series, c->row, i) - right);
    double const off_state = verify_relative(error, fabs(right) + v->floor[i]);
    bool const jumps = leave_out(c, off_state);
    if (!jumps) v->state[i] = fmax(v->state[i], off_state);
    if (v->control[i] && !jumps)
        v->of_largest[i] =
            fmax(v->of_largest[i], verify_relative(error, series_largest(c->series, i)));
    for (size_t k = 0; k < s->ns; k++) {
        double const scale = s->scale[k], slope = row->sens[k * s->nx + i];
        double const off = fabs(series_sens(c->series, c->row, k, i) - slope);
        double const e = verify_relative(off * scale, fabs(slope) * scale + v->floor[i]);
        if (leave_out(c, e)) continue;
        if (v->control[i]) {
            c->off[k * s->nx + i] = fmax(c->off[k * s->nx + i], off);
            c->slope[k * s->nx + i] = fmax(c->slope[k * s->nx + i], fabs(slope));
        }
        if (verify_untested(v->control[i]) || !(e > v->column[k])) continue;
        v->column[k] = e;
        v->worst[k] = i;
    }
}

static int compare_row(void *to, const struct row *row)
{
    struct comparison *const c = to;
    /* at the end T of a grid, a parameter, all runs give the limit from before */
    bool const is_end = c->study->end_parameter > 0 && c->row + 1 == c->series->count;
    c->at_switch = !is_end && verify_at_switch(c->v, row->t);
    c->left_out = false;
    for (size_t i = 0; i < c->study->nx; i++) compare_quantity(c, row, i);
    c->v->left_out += c->left_out;
    c->row++;
    return DONE;
}

/* hidden_k = max over i below atol of max over t |delta s_ik| / max over t |s_ik|; aside_k the same over what is not tested,
   whose columns count as zero below the floor. */
static void find_hidden(const struct comparison *c)
{
    const struct study *const s = c->study;
    struct verification *const v = c->v;
    for (size_t k = 0; k < s->ns; k++)
        for (size_t i = 0; i < s->nx; i++) {
            double const off = c->off[k * s->nx + i], slope = c->slope[k * s->nx + i];
            if (v->control[i] == BELOW_ATOL)
                v->hidden[k] = fmax(v->hidden[k], verify_relative(off, slope));
            if (!verify_untested(v->control[i])) continue;
            double const e = verify_relative(off * s->scale[k], slope * s->scale[k] + v->floor[i]);
            if (!(e >= v->aside[k])) continue;
            v->aside[k] = e;
            v->aside_worst[k] = i;
        }
}

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

/* Of the run that is compared with: a short pulse that both pass over, f being 0 on either side, would be right to all digits. */
enum { LEAST_STEPS = 200 };

/* One run against the kept rows; false when it did not reach the end. */
static bool compare(const struct study *s, const struct series *series, tansy_method method,
                    size_t call_limit, struct verification *v)
{
    memset(v->state, 0, s->nx * sizeof *v->state);
    memset(v->of_largest, 0, s->nx * sizeof *v->of_largest);
    memset(v->column, 0, s->ns * sizeof *v->column);
    v->left_out = 0;
    struct study w = verify_shadow(s, series, 100);
    w.options.method = method;
    w.call_limit = call_limit;
    if (!(w.options.max_step > 0)) w.options.max_step = v->span / LEAST_STEPS;
    struct comparison c = {.study = s, .series = series, .v = v};
    c.off = take(s->ns * s->nx, sizeof *c.off);
    c.slope = take(s->ns * s->nx, sizeof *c.slope);
    struct outcome again;
    run_study(&w, compare_row, &c, &again);
    bool const whole = again.exit_status == DONE;
    if (whole) find_hidden(&c);
    struct text how = {0};
    text_add(&how, "%s at rtol = %g against %s at rtol = %g", stats_method(&again), w.options.rtol,
             v->how, study_rtol(s));
    if (!whole) text_add(&how, "; it stopped at t = %g: %s", again.t, again.why);
    free(v->how);
    v->how = how.at;
    outcome_free(&again);
    verify_shadow_free(&w);
    free(c.off);
    free(c.slope);
    return whole;
}

/* What is in no error test has no promise to keep; but fewer than two digits are no result. */
static const double no_result = 1e-2;

/* Two runs may agree by chance in what neither of them controls: then only differences count, of all quantities and up to the end. */
static bool is_lost(const struct verification *v, size_t k)
{
    bool const told = !isnan(v->by_difference[k]) && v->until[k] == v->t_end && v->open[k] == 0;
    return v->lost && !told;
}

bool verify_promises(const struct verification *v)
{
    return v->promise < 1;
}

bool verify_column_passed(const struct verification *v, size_t k)
{
    if (!verify_promises(v)) return true;
    return v->column[k] <= v->promise && !v->differs[k] && !is_lost(v, k);
}

bool verify_aside_passed(const struct verification *v, size_t k)
{
    return v->untested == 0 || v->aside[k] <= no_result;
}

bool verify_state_passed(const struct verification *v, size_t i)
{
    if (verify_untested(v->control[i])) return v->of_largest[i] <= no_result;
    return !verify_promises(v) || v->state[i] <= v->promise;
}

bool verify_column_conditioned(const struct verification *v, size_t k)
{
    return !(v->column[k] <= v->promise) && v->column[k] <= v->moved_column[k] && !v->differs[k];
}

bool verify_state_conditioned(const struct verification *v, size_t i)
{
    return !(v->state[i] <= v->promise) && v->state[i] <= v->moved_state[i];
}

bool verify_column_hidden(const struct verification *v, size_t k)
{
    return v->hidden[k] > v->promise;
}

enum control verify_column_control(const struct verification *v, size_t k)
{
    if (is_lost(v, k)) return LOST;
    return verify_column_hidden(v, k) ? BELOW_ATOL : CONTROLLED;
}

static void judge(struct verification *v)
{
    v->missed = v->marked = v->untested = v->conditioned = 0;
    for (size_t k = 0; k < v->ns; k++) v->conditioned += verify_column_conditioned(v, k);
    for (size_t i = 0; i < v->nx; i++) {
        v->conditioned += !verify_untested(v->control[i]) && verify_state_conditioned(v, i);
        v->marked += v->control[i] == BELOW_ATOL;
        v->untested += verify_untested(v->control[i]);
    }
    for (size_t i = 0; i < v->nx; i++) v->missed += !verify_state_passed(v, i);
    for (size_t k = 0; k < v->ns; k++) {
        v->missed += !verify_column_passed(v, k) || !verify_aside_passed(v, k);
        v->marked += verify_column_hidden(v, k);
    }
    v->passed = v->missed == 0;
}

/* Ways to solve again, the first that comes to the end counts. */
struct attempt {
    tansy_method method;
    bool limited;     /* within the work of the run, times some factor */
    bool independent; /* of the formulas that the run was by */
};
enum { MOST_ATTEMPTS = 3 };

/* B x' = f: of rosenbrock and limex each is compared with the other, as far as it takes the B at hand: over long oscillations errors of dassl at rtol/100 add up to the promise itself.  dassl
   is compared with these, and comes last: of index 2 it is all there is. */
static size_t choose_implicit(const struct study *s, const char *ran, struct attempt *out)
{
    bool const rosenbrock = strcmp(ran, "rosenbrock") == 0;
    bool const dassl = !rosenbrock && strcmp(ran, "limex") != 0;
    size_t count = 0;
    if (!rosenbrock && s->problem.mass_constant)
        out[count++] = (struct attempt){TANSY_ROSENBROCK, true, true};
    else if (rosenbrock || (dassl && s->problem.rate_linear))
        out[count++] = (struct attempt){TANSY_LIMEX, true, true};
    out[count++] = (struct attempt){TANSY_DASSL, false, !dassl};
    return count;
}

/* Multistep methods are compared with one-step methods, and these with multistep methods: rk8 and adams for what is not stiff,
   rosenbrock, limex and bdf for the rest.  Last comes the method itself, of which the tighter tolerance is all that is new. */
static size_t choose(const struct study *s, const struct outcome *outcome, struct attempt *out)
{
    const char *const ran = stats_method(outcome);
    bool const linear = strcmp(ran, "rosenbrock") == 0 || strcmp(ran, "limex") == 0;
    bool const one_step = linear || strcmp(ran, "rk8") == 0;
    tansy_method const same = strcmp(ran, "adams") == 0 ? TANSY_ADAMS : TANSY_BDF;
    size_t count = 0;
    if (s->problem.residual) return choose_implicit(s, ran, out);
    if (stats_method_changes(outcome) > 0) { /* both rk8 and bdf took part */
        out[count++] = (struct attempt){TANSY_ROSENBROCK, true, true};
        out[count++] = (struct attempt){TANSY_BDF, false, false};
        return count;
    }
    out[count++] = (struct attempt){one_step ? TANSY_ADAMS : TANSY_RK8, true, true};
    if (!one_step) out[count++] = (struct attempt){TANSY_ROSENBROCK, true, true};
    out[count++] = (struct attempt){same, false, one_step};
    if (one_step) /* which starts where f has no derivative, and the others do not */
        out[count++] = (struct attempt){linear ? TANSY_RK8 : TANSY_ROSENBROCK, true, true};
    return count;
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

int verify_run(struct study *s, const struct series *series, const struct outcome *outcome,
               struct verification *v)
{
    *v = (struct verification){.n = s->n,
                               .nx = s->nx,
                               .ns = s->ns,
                               .promise = 100 * study_rtol(s),
                               .state = take(s->nx, sizeof(double)),
                               .of_largest = take(s->nx, sizeof(double)),
                               .floor = take(s->nx, sizeof(double)),
                               .control = take(s->nx, sizeof(enum control)),
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
                               .how = copy_of(ran_by(outcome))};
    for (size_t k = 0; k < s->ns; k++) v->by_difference[k] = (double)NAN;
    v->lost = outcome->report && strstr(outcome->report, "S is not controlled behind it");
    take_times(s, series, v);
    floors(s, series, v);
    bool const has_conditions = s->summary.conditions > 0 || s->problem.initial_corner;
    if (has_conditions) verify_base(s, series, v);
    struct attempt attempts[MOST_ATTEMPTS];
    size_t const count = choose(s, outcome, attempts);
    char *const method = copy_of(v->how);
    bool whole = false, independent = false;
    for (size_t a = 0; a < count && !whole && !run_interrupted(); a++) {
        /* a stiff problem would keep an explicit method busy for ever */
        bool const explicit = attempts[a].method == TANSY_RK8 || attempts[a].method == TANSY_ADAMS;
        size_t const most = (explicit ? 20 : 200) * outcome->stats.rhs_evals + 5000;
        size_t const limit = attempts[a].limited ? most : 0;
        free(v->how);
        v->how = copy_of(method);
        whole = compare(s, series, attempts[a].method, limit, v);
        independent = whole && attempts[a].independent;
    }
    free(method);
    if (whole && !independent && !has_conditions) verify_base(s, series, v);
    if (whole && v->base.t) verify_by_differences(s, series, v);
    v->nothing_left = whole && v->left_out == series->count;
    v->interrupted = run_interrupted();
    v->done = whole && !v->interrupted && !v->nothing_left;
    if (!v->done) return v->interrupted ? STOPPED : NOT_VERIFIED;
    judge(v);
    if (!v->passed) {
        verify_condition(s, series, v);
        judge(v);
    }
    return v->passed ? DONE : NOT_VERIFIED;
}

void verify_free(struct verification *v)
{
    free(v->state);
    free(v->of_largest);
    free(v->floor);
    free(v->control);
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
    free(v->how);
    *v = (struct verification){0};
}
