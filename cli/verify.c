/* SPDX-License-Identifier: Apache-2.0 */
/* --verify.  For column k, e_k = max over t, i of |delta s_ik| scale_k / (|s_ik| scale_k + floor_i) with
   floor_i = max(atol_i/rtol, 1e-3 max over t of |y_i|); for the state the same with y.  The promise is e <= 100 rtol. */
#include "verify.h"
#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double digits_of(double e)
{
    if (!(e < 1)) return 0; /* NaN too */
    return e > 1e-16 ? -log10(e) : 16;
}

static double relative(double error, double size)
{
    if (error == 0) return 0;
    return isfinite(error) ? error / size : (double)INFINITY;
}

/* A second run that is compared with the kept rows as it goes. */
struct comparison {
    const struct study *study;
    const struct series *series;
    const double *floor;
    struct verification *v;
    size_t row;
};

static void floors(const struct study *s, const struct series *series, double *at)
{
    for (size_t i = 0; i < s->n; i++)
        at[i] = fmax(s->atol[i] / study_rtol(s), 1e-3 * series_largest(series, i));
}

static int compare_row(void *to, const struct row *row)
{
    struct comparison *const c = to;
    const struct study *const s = c->study;
    size_t const j = c->row++;
    for (size_t i = 0; i < s->n; i++) {
        double const e =
            relative(fabs(series_x(c->series, j, i) - row->x[i]), fabs(row->x[i]) + c->floor[i]);
        c->v->state[i] = fmax(c->v->state[i], e);
    }
    for (size_t k = 0; k < s->ns; k++)
        for (size_t i = 0; i < s->n; i++) {
            double const right = row->sens[k * s->nx + i], scale = s->scale[k];
            double const e = relative(fabs(series_sens(c->series, j, k, i) - right) * scale,
                                      fabs(right) * scale + c->floor[i]);
            if (!(e > c->v->column[k])) continue;
            c->v->column[k] = e;
            c->v->worst[k] = i;
        }
    return DONE;
}

/* A copy of the study with its own small arrays, the times of the kept rows and tolerances `tighter` times smaller. */
static struct study shadow_of(const struct study *s, const struct series *series, double tighter)
{
    struct study w = *s;
    w.p = take(s->np, sizeof *w.p);
    w.atol = take(s->n, sizeof *w.atol);
    w.y0 = take(s->n, sizeof *w.y0);
    w.value = take(s->ns, sizeof *w.value);
    w.scale = take(s->ns, sizeof *w.scale);
    if (s->np > 0) memcpy(w.p, s->p, s->np * sizeof *w.p);
    if (s->ns > 0) memcpy(w.scale, s->scale, s->ns * sizeof *w.scale);
    double const rtol = fmax(study_rtol(s) / tighter, 1e-13);
    for (size_t i = 0; i < s->n; i++) w.atol[i] = s->atol[i] * rtol / study_rtol(s);
    w.options = (tansy_options){.method = s->options.method,
                                .sensitivities = s->ns > 0 ? TANSY_SENSITIVITIES_AUTO : TANSY_NONE,
                                .rtol = rtol,
                                .atol_state = w.atol,
                                .max_step = s->options.max_step,
                                .max_steps = 10000000,
                                .use_stop_time = s->options.use_stop_time,
                                .stop_time = s->options.stop_time,
                                .threads = s->options.threads};
    w.problem.p = w.p;
    w.times = series->t;
    w.count = series->count;
    return w;
}

static void shadow_free(struct study *w)
{
    free(w->p);
    free(w->atol);
    free(w->y0);
    free(w->value);
    free(w->scale);
}

/* One run against the kept rows; false when it did not reach the end. */
static bool compare(const struct study *s, const struct series *series, tansy_method method,
                    size_t call_limit, struct verification *v)
{
    double *const floor = take(s->n, sizeof *floor);
    floors(s, series, floor);
    memset(v->state, 0, s->n * sizeof *v->state);
    memset(v->column, 0, s->ns * sizeof *v->column);
    struct study w = shadow_of(s, series, 100);
    w.options.method = method;
    w.call_limit = call_limit;
    struct comparison c = {.study = s, .series = series, .floor = floor, .v = v};
    struct outcome again;
    run_study(&w, compare_row, &c, &again);
    bool const whole = again.exit_status == DONE;
    struct text how = {0};
    text_add(&how, "%s at rtol = %g against %s at rtol = %g", stats_method(&again), w.options.rtol,
             v->how, study_rtol(s));
    if (!whole) text_add(&how, "; it stopped at t = %g: %s", again.t, again.why);
    free(v->how);
    v->how = how.at;
    outcome_free(&again);
    shadow_free(&w);
    free(floor);
    return whole;
}

static int keep_row(void *to, const struct row *row)
{
    series_add(to, row);
    return DONE;
}

/* The states with column k's parameter, or initial value, moved by `by`; false when the run failed. */
static bool run_moved(const struct study *s, const struct series *series, size_t k, double by,
                      struct series *moved)
{
    struct study w = shadow_of(s, series, 1e4);
    w.ns = 0;
    w.problem.ns = 0;
    w.problem.columns = NULL;
    w.options.sensitivities = TANSY_NONE;
    double *const y0 = take(s->n, sizeof *y0);
    memcpy(y0, s->y0, s->n * sizeof *y0);
    if (s->columns[k] < 0) {
        y0[-1 - s->columns[k]] += by;
        w.problem.initial = NULL;
        w.problem.initial_jacobian = NULL;
        w.problem.y0 = y0;
    } else {
        w.p[s->columns[k]] += by;
    }
    struct outcome outcome;
    series_make(moved, &w);
    run_study(&w, keep_row, moved, &outcome);
    bool const whole = outcome.exit_status == DONE;
    outcome_free(&outcome);
    shadow_free(&w);
    free(y0);
    return whole;
}

/* From runs at -2d, -d, d, 2d: the central difference of order 4 and, as its doubt, the distance to that of order 2 and what
   the tolerance of the runs leaves.  Where the doubt exceeds the promise, as it does while some of the runs are on the other
   side of a switch, the difference tells nothing. */
static void measure(const struct study *s, const struct series *series, size_t k, double d,
                    const struct series moved[4], struct verification *v)
{
    double *const floor = take(s->n, sizeof *floor);
    double const rtol = fmax(study_rtol(s) / 1e4, 1e-13), scale = s->scale[k];
    double const noise = 100 * rtol * scale / d;
    floors(s, series, floor);
    v->doubt[k] = noise;
    for (size_t j = 0; j < series->count; j++)
        for (size_t i = 0; i < s->n; i++) {
            double const near = (series_x(&moved[2], j, i) - series_x(&moved[1], j, i)) / (2 * d);
            double const far = (series_x(&moved[3], j, i) - series_x(&moved[0], j, i)) / (4 * d);
            double const right = near + (near - far) / 3;
            double const size = fabs(right) * scale + floor[i];
            double const error = fabs(series_sens(series, j, k, i) - right) * scale;
            double const doubt = relative(fabs(near - right) * scale, size);
            if (!(doubt <= v->promise + noise)) continue;
            v->by_difference[k] = fmax(v->by_difference[k], relative(error, size)); /* NaN goes */
            v->doubt[k] = fmax(v->doubt[k], doubt);
        }
    free(floor);
}

static void difference_columns(const struct study *s, const struct series *series,
                               struct verification *v)
{
    static const double steps[] = {-2, -1, 1, 2};
    /* truncation d^4 and the runs' error rtol/d balance near rtol^(1/5); a little less is safer where f bends */
    double const part = pow(fmax(study_rtol(s) / 1e4, 1e-13), 0.25);
    for (size_t k = 0; k < s->ns && !run_interrupted(); k++) {
        struct series moved[4] = {{0}};
        bool whole = true;
        for (int j = 0; j < 4; j++)
            whole = run_moved(s, series, k, steps[j] * part * s->scale[k], &moved[j]) && whole;
        if (whole) measure(s, series, k, part * s->scale[k], moved, v);
        for (int j = 0; j < 4; j++) series_free(&moved[j]);
    }
}

bool verify_column_passed(const struct verification *v, size_t k)
{
    if (!(v->column[k] <= v->promise)) return false;
    return isnan(v->by_difference[k]) || v->by_difference[k] <= v->promise + v->doubt[k];
}

static void judge(struct verification *v)
{
    v->missed = 0;
    for (size_t i = 0; i < v->n; i++) v->missed += !(v->state[i] <= v->promise);
    for (size_t k = 0; k < v->ns; k++) v->missed += !verify_column_passed(v, k);
    v->passed = v->missed == 0;
}

int verify_run(struct study *s, const struct series *series, const struct outcome *outcome,
               struct verification *v)
{
    *v = (struct verification){.n = s->n,
                               .ns = s->ns,
                               .promise = 100 * study_rtol(s),
                               .state = take(s->n, sizeof(double)),
                               .column = take(s->ns, sizeof(double)),
                               .by_difference = take(s->ns, sizeof(double)),
                               .doubt = take(s->ns, sizeof(double)),
                               .worst = take(s->ns, sizeof(size_t)),
                               .how = copy_of(stats_method(outcome))};
    for (size_t k = 0; k < s->ns; k++) v->by_difference[k] = (double)NAN;
    bool const adams = strcmp(v->how, "adams") == 0;
    /* a stiff problem would keep Adams busy for ever */
    size_t const limit = adams ? 0 : 200 * outcome->stats.rhs_evals + 20000;
    char *const method = copy_of(v->how);
    bool const independent = compare(s, series, adams ? TANSY_BDF : TANSY_ADAMS, limit, v);
    bool whole = independent;
    if (!independent && !run_interrupted()) {
        free(v->how);
        v->how = copy_of(method);
        whole = compare(s, series, adams ? TANSY_ADAMS : TANSY_BDF, 0, v);
    }
    free(method);
    if (whole && (!independent || s->summary.conditions > 0)) difference_columns(s, series, v);
    v->done = whole && !run_interrupted();
    if (!v->done) return run_interrupted() ? STOPPED : NOT_VERIFIED;
    judge(v);
    return v->passed ? DONE : NOT_VERIFIED;
}

/* The states that are shown: all, or when there are many those with the largest error. */
enum { MOST_STATES = 200, SHOWN_STATES = 40 };

static double shown_from(const struct verification *v)
{
    if (v->n <= MOST_STATES) return -1;
    double limit = (double)INFINITY;
    for (size_t shown = 0; shown < SHOWN_STATES; shown++) {
        double next = 0;
        for (size_t i = 0; i < v->n; i++)
            if (v->state[i] < limit) next = fmax(next, v->state[i]);
        limit = next;
    }
    return limit;
}

static const char *verdict(bool good)
{
    return good ? "" : "  worse than promised";
}

void verify_table(struct text *text, const struct study *s, const struct verification *v)
{
    text_add(text, "verification: %s\n", v->how);
    if (!v->done) {
        text_put(text, "the second run could not be made: nothing is verified\n");
        return;
    }
    bool differences = false;
    for (size_t k = 0; k < v->ns; k++) differences = differences || !isnan(v->by_difference[k]);
    double const from = shown_from(v);
    text_add(text, "promised are %.1f digits, a relative error of %g\n", digits_of(v->promise),
             v->promise);
    text_add(text, "%-24s %6s\n", "state", "digits");
    size_t ties = from >= 0 ? SHOWN_STATES : v->n;
    for (size_t i = 0; i < v->n; i++) {
        if (v->state[i] < from || (v->state[i] == from && ties == 0)) continue;
        ties -= v->state[i] == from;
        text_padded(text, study_name(s, i), 24);
        text_add(text, " %6.1f%s\n", digits_of(v->state[i]), verdict(v->state[i] <= v->promise));
    }
    if (from >= 0) text_add(text, "(the worst of %zu; no other has fewer digits)\n", v->n);
    if (v->ns > 0)
        text_add(text, "%-24s %6s  %s\n", "column", "digits",
                 differences ? "worst for         digits by differences" : "worst for");
    for (size_t k = 0; k < v->ns; k++) {
        text_padded(text, s->column_name[k], 24);
        text_add(text, " %6.1f  ", digits_of(v->column[k]));
        text_padded(text, study_name(s, v->worst[k]), differences ? 16 : 0);
        if (!isnan(v->by_difference[k]))
            text_add(text, "  %.1f (they hold %.1f)", digits_of(v->by_difference[k]),
                     digits_of(v->doubt[k]));
        text_add(text, "%s\n", verdict(verify_column_passed(v, k)));
    }
    if (v->passed)
        text_put(text, "PASS: every state and column is as good as promised\n");
    else
        text_add(text, "FAIL: %zu of %zu states and columns are worse than promised\n", v->missed,
                 v->n + v->ns);
}

void verify_free(struct verification *v)
{
    free(v->state);
    free(v->column);
    free(v->by_difference);
    free(v->doubt);
    free(v->worst);
    free(v->how);
    *v = (struct verification){0};
}
