/* SPDX-License-Identifier: Apache-2.0 */
/* --verify: a run by another method, or with other tolerances, against the kept rows. */
#include "verify_parts.h"

#include "stats.h"

#include <math.h>
#include <stdint.h>
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

/* The largest error of all that is tested, of quantity i itself (k = SIZE_MAX) or its column k. */
static void note_most(struct comparison *c, double e, double t, size_t i, size_t k)
{
    struct verification *const v = c->v;
    double const kept =
        k == SIZE_MAX ? series_x(c->series, c->row, i) : series_sens(c->series, c->row, k, i);
    double *const most = k == SIZE_MAX ? &v->most_state[i] : &v->most_column[k];
    if (verify_untested(v->control[i]) || !isfinite(kept)) return;
    *most = fmax(*most, e);
    if (!(e > v->most.error)) return;
    v->most = (struct difference){.error = e, .t = t, .quantity = i, .column = k};
}

/* Is x_i, or its column times the parameter's scale, 0 or but rounding? */
static bool is_none(const struct verification *v, size_t i, double x)
{
    return fabs(x) <= v->noise[i];
}

static void see(enum seen *seen, bool zero)
{
    if (zero && *seen == NOTHING) *seen = ZEROS;
    if (!zero) *seen = VALUES;
}

/* The errors of quantity i; what atol hides is kept relative to the largest value alone. */
static void compare_quantity(struct comparison *c, const struct row *row, size_t i)
{
    const struct study *const s = c->study;
    struct verification *const v = c->v;
    double const kept = series_x(c->series, c->row, i), right = row->x[i];
    bool const zero = is_none(v, i, kept) && is_none(v, i, right);
    double const error = zero ? 0 : fabs(kept - right);
    double const off_state = verify_relative(error, fabs(right) + v->floor[i]);
    bool const jumps = leave_out(c, off_state);
    if (!jumps) see(&v->seen[i], zero);
    if (!jumps) v->state[i] = fmax(v->state[i], off_state);
    if (!jumps) note_most(c, off_state, row->t, i, SIZE_MAX);
    if (v->control[i] && !jumps)
        v->of_largest[i] =
            fmax(v->of_largest[i], verify_relative(error, series_largest(c->series, i)));
    for (size_t k = 0; k < s->ns; k++) {
        double const scale = s->scale[k], slope = row->sens[k * s->nx + i];
        double const before = series_sens(c->series, c->row, k, i);
        bool const none = is_none(v, i, before * scale) && is_none(v, i, slope * scale);
        double const off = none ? 0 : fabs(before - slope);
        double const e = verify_relative(off * scale, fabs(slope) * scale + v->floor[i]);
        if (leave_out(c, e)) continue;
        see(&v->seen_column[k], none);
        note_most(c, e, row->t, i, k);
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
    bool const same_side = c->series->switches[c->row] == row->switches;
    c->at_switch = !is_end && !same_side && verify_at_switch(c->v, row->t);
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

static int keep_row(void *to, const struct row *row)
{
    series_add(to, row);
    return DONE;
}

/* When conditions turn is known at the end of the run only: its rows are kept until then. */
static void run_and_compare(struct study *w, struct comparison *c, struct outcome *again)
{
    struct series kept;
    c->v->turned.count = 0;
    w->turned = &c->v->turned;
    series_make(&kept, w);
    run_study(w, keep_row, &kept, again);
    for (size_t j = 0; j < kept.count; j++) {
        const double *const x = series_row(&kept, j);
        struct row const row = {
            .t = kept.t[j], .x = x, .sens = x + kept.nx, .switches = kept.switches[j]};
        (void)compare_row(c, &row);
    }
    series_free(&kept);
    w->turned = NULL;
}

bool verify_compare(const struct study *s, const struct series *series, struct study *w,
                    struct verification *v)
{
    bool const finds_turns = s->summary.conditions > 0 && !v->base.t;
    struct comparison c = {.study = s, .series = series, .v = v};
    struct outcome again;
    memset(v->state, 0, s->nx * sizeof *v->state);
    memset(v->of_largest, 0, s->nx * sizeof *v->of_largest);
    memset(v->column, 0, s->ns * sizeof *v->column);
    memset(v->seen, 0, s->nx * sizeof *v->seen);
    memset(v->seen_column, 0, s->ns * sizeof *v->seen_column);
    v->left_out = 0;
    v->most = (struct difference){0};
    memset(v->most_state, 0, s->nx * sizeof *v->most_state);
    memset(v->most_column, 0, s->ns * sizeof *v->most_column);
    c.off = take(s->ns * s->nx, sizeof *c.off);
    c.slope = take(s->ns * s->nx, sizeof *c.slope);
    if (finds_turns)
        run_and_compare(w, &c, &again);
    else
        run_study(w, compare_row, &c, &again);
    bool const whole = again.exit_status == DONE;
    if (whole) find_hidden(&c);
    struct text how = {0};
    text_add(&how, "%s at rtol = %g against %s at rtol = %g", stats_method(&again), w->options.rtol,
             v->how, study_rtol(s));
    if (!whole) text_add(&how, "; it stopped at t = %g: %s", again.t, again.why);
    free(v->how);
    v->how = how.at;
    outcome_free(&again);
    free(c.off);
    free(c.slope);
    return whole;
}
