/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: state and columns (Schlegel et al. 2002).
   Algorithm 2, simultaneous: row j of the state, then row j of all panels, then one error test of everything; points and factors of
   a row make room for those of the next.
   Algorithm 3, staggered: the rows of the state until it has converged, then those of panel after panel with the points and factors
   that were kept.  Where columns need more rows than the state, these are made of the state too, and y is that of all rows. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "method/limex_columns.h"

/* Rows of all panels that have not left. */
struct round {
    struct stepper *s;
    int from, to;
    atomic_size_t lowest; /* lowest-numbered panel that ends the attempt */
};

/* The error of a panel at its last row that its test will see; 0: it is not tested on its own. */
static double tested_error(const struct stepper *s, const struct part *part)
{
    double const error = part->row_error[part->order + 1],
                 inside = limex_is_pressed(s) ? part->row_inside[part->order + 1] : 0;
    return s->control == TANSY_EACH_COLUMN ? fmax(error, inside) : 0;
}

/* More rows would not bring a panel below its tolerance. */
static bool is_hopeless(const struct stepper *s, const struct part *part)
{
    int const last = part->order + 1;
    if (tested_error(s, part) <= 1) return false;
    return last > s->max_order || limex_ends(s, part, last, last, false);
}

/* Panels above one that ends the attempt may or may not be at work: they do not count. */
static void advance_panel(void *context, size_t item, size_t worker)
{
    struct round *const r = context;
    struct stepper *const s = r->s;
    struct part *const part = &s->panel[item];
    if (atomic_load_explicit(&r->lowest, memory_order_relaxed) < item) return;
    s->verdict[item] = VERDICT_OK;
    if (r->from > 1 && part->has_left) return;
    int const code = limex_panel_rows(s, part, worker, r->from, r->to);
    s->verdict[item] = code == 0 ? VERDICT_OK : corrector_verdict(s, part, worker, code);
    part_collect(part, &s->equations->derive->worker[worker]);
    if (code == 0 && !(s->stages.keeps_rows && is_hopeless(s, part))) return;
    size_t lowest = atomic_load_explicit(&r->lowest, memory_order_relaxed);
    while (item < lowest && !atomic_compare_exchange_weak(&r->lowest, &lowest, item)) {
    }
}

/* What the noise of f in a step depends on, for internal differences. */
static void begin_noise(struct stepper *s)
{
    struct derive *const d = s->equations->derive;
    if (!d->is_internal) return;
    d->internal.h = s->h;
    d->internal.kind = s->stages.has_algebraic ? s->stages.kind : NULL;
    d->internal.multiple = limex_multiple(s->order + 1);
    d->internal.bend = 0;
    if (s->stages.has_second)
        derive_noise_bend(d, one_step_value(&s->state), limex_delta(s, limex_point(s, 1, 0)));
}

/* The panels' rows from .. to.  *ended: some panel ended the attempt, which its estimate will tell unless the verdict does. */
static enum verdict run_panels(struct stepper *s, int from, int to, bool *ended)
{
    struct stages *const stages = &s->stages;
    int const first = limex_point(s, from, 0), last = limex_point(s, to, to - 1) + 1;
    int const code = stages_linearise(stages, s->equations->derive, first, last);
    if (code != 0) return corrector_verdict(s, &s->state, 0, code);
    part_collect(&s->state, &s->equations->derive->worker[0]);
    if (from == 1) begin_noise(s);
    struct round r = {.s = s, .from = from, .to = to};
    atomic_init(&r.lowest, s->panels);
    derive_noise_keep(s->equations->derive);
    pool_run(s->pool, s->panels, advance_panel, &r);
    size_t const lowest = atomic_load_explicit(&r.lowest, memory_order_relaxed);
    for (size_t m = lowest + 1; m < s->panels; m++) {
        s->panel[m].counts = (struct part_counts){.solves = 0};
        s->panel[m].is_twisted = false;
        derive_noise_put_back(s->equations->derive, &s->panel[m].shape);
    }
    *ended = lowest < s->panels;
    if (!*ended || s->verdict[lowest] == VERDICT_OK) return VERDICT_OK;
    s->state.failure = s->panel[lowest].failure; /* the state speaks for all */
    return s->verdict[lowest];
}

static enum verdict state_row(struct stepper *s, int j)
{
    struct part *const part = &s->state;
    int const code = limex_state_row(s, j);
    if (code != 0) return corrector_verdict(s, part, 0, code);
    part->order = j - 1;
    limex_measure(s, part, &s->state_work, j);
    if (j > 1) s->order = j - 1;
    return VERDICT_OK;
}

/* The error of everything that is tested after row j, as drive/attempt.c will see it; panels that have left count as they did. */
static double error_of_all(const struct stepper *s, int j)
{
    double worst = s->state.row_error[j], sum = worst * worst;
    size_t columns = 1;
    for (size_t m = 0; m < s->panels; m++) {
        const struct part *const part = &s->panel[m];
        int const last = j <= part->order ? j : part->order + 1;
        double const error = s->control == TANSY_EACH_COLUMN ? part->row_error[last] : 0;
        worst = error <= worst ? worst : error;
        columns += part->shape.columns;
        sum += part->row_sum[last];
    }
    return s->control == TANSY_ALL_AS_ONE ? sqrt(sum / (double)columns) : worst;
}

/* And of dense output, where it is tested. */
static double inside_of_all(const struct stepper *s)
{
    double worst = s->state.row_inside[s->state.order + 1];
    for (size_t m = 0; m < s->panels && s->control != TANSY_STATE_ONLY; m++)
        worst = fmax(worst, s->panel[m].row_inside[s->panel[m].order + 1]);
    return worst;
}

static enum verdict advance_rows(struct stepper *s)
{
    struct part all = {.order = 0};
    int const planned = limex_plan(s);
    one_step_begin(s);
    for (int j = 1; j <= s->max_order + 1; j++) {
        bool ended = false;
        enum verdict verdict = state_row(s, j);
        if (verdict == VERDICT_OK) verdict = run_panels(s, j, j, &ended);
        if (verdict != VERDICT_OK) return verdict;
        all.row_error[j] = error_of_all(s, j);
        all.row_inside[j] = inside_of_all(s);
        bool ends = j > 1 && limex_ends(s, &all, j, planned, true);
        int const code = limex_confirm(s, j, planned, &ends);
        if (code != 0) return corrector_verdict(s, &s->state, 0, code);
        if (ends) break;
    }
    return VERDICT_OK;
}

/* All as one vector: another row promises to bring it below the tolerance. */
static bool all_need_more(const struct stepper *s)
{
    struct part all = {.order = s->order};
    int const last = s->order + 1;
    for (int j = 1; j <= last; j++) all.row_error[j] = error_of_all(s, j);
    double const error = all.row_error[last];
    return error > 1 && s->order < s->max_order && error * limex_shrinks(&all, last) <= 1;
}

/* Some panel needs another row, and none is hopeless: those that have met their tolerance leave. */
static bool need_more(struct stepper *s)
{
    bool more = false;
    if (s->control == TANSY_ALL_AS_ONE) return all_need_more(s);
    for (size_t m = 0; m < s->panels; m++) more = more || tested_error(s, &s->panel[m]) > 1;
    for (size_t m = 0; m < s->panels && more && !s->stages.takes_all_rows; m++)
        s->panel[m].has_left = tested_error(s, &s->panel[m]) <= 1;
    return more;
}

static enum verdict advance_staggered(struct stepper *s)
{
    bool ended = false;
    int const code = limex_advance_state(s);
    if (code != 0) return corrector_verdict(s, &s->state, 0, code);
    bool const alone = s->control != TANSY_ALL_AS_ONE;
    if (alone && !(s->state.row_error[s->order + 1] <= 1)) return VERDICT_OK;
    enum verdict verdict = run_panels(s, 1, s->order + 1, &ended);
    while (verdict == VERDICT_OK && !ended && need_more(s)) {
        verdict = state_row(s, s->order + 2);
        if (verdict == VERDICT_OK) verdict = run_panels(s, s->order + 1, s->order + 1, &ended);
    }
    return verdict;
}

enum verdict limex_advance_together(struct stepper *s)
{
    limex_take_over(s, &s->state);
    for (size_t m = 0; m < s->panels; m++) {
        limex_take_over(s, &s->panel[m]);
        s->panel[m].now = 0;
    }
    s->state.now = 0;
    enum verdict const verdict = s->stages.keeps_rows ? advance_staggered(s) : advance_rows(s);
    for (size_t m = 0; m < s->panels && verdict == VERDICT_OK; m++)
        limex_predict_errors(s, &s->panel[m]);
    memcpy(s->state_work.y, one_step_row(&s->state, ROW_END),
           s->state.shape.count * sizeof(double));
    return verdict;
}

#define TITLE(way) "exact tangents of the discrete step, " way
const struct corrector corrector_rows_staggered = {
    .name = "staggered",
    .option = TANSY_STAGGERED,
    .title = TITLE("staggered: with the factors and states kept from the rows of y"),
    .together = true};

const struct corrector corrector_rows_simultaneous = {
    .name = "simultaneous",
    .option = TANSY_SIMULTANEOUS,
    .title = TITLE("simultaneous: row by row with the state"),
    .together = true};

const struct corrector corrector_rows_difference = {
    .name = "difference",
    .option = TANSY_DIFFERENCE,
    .title = "internal numerical differentiation of the discrete step",
    .together = true};
