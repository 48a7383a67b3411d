/* SPDX-License-Identifier: Apache-2.0 */
/* What a user may ask a solver: time, error, message, counts, and the page that says it all. */
#include "drive/report_page.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "derive/names.h"
#include "drive/algebraic_zero.h"
#include "drive/solver.h"
#include "linear/precondition.h"
#include "method/limex.h"

double tansy_time(const tansy_solver *s)
{
    if (!s) return nan("");
    return s->started ? solver_now(s) : s->t0;
}

tansy_status tansy_error(const tansy_solver *s)
{
    return s ? s->error : TANSY_OUT_OF_MEMORY;
}

const char *tansy_message(const tansy_solver *s)
{
    return s ? s->message.text : "out of memory";
}

void tansy_get_stats_sized(const tansy_solver *s, tansy_stats *stats, size_t size)
{
    tansy_stats all = {.n = 0};
    if (s) {
        all = s->stats;
        all.n = s->n;
        all.np = s->np;
        all.ns = s->ns;
        all.factorizations = s->equations.factorizations;
        all.bytes = s->bytes;
        all.preconditioners = s->krylov.prepared;
        all.h_next = s->stepper.h;
        if (s->stepper.method) all.method = s->stepper.method->option;
        if (s->events.due) all.h_last = solver_now(s) - s->before; /* it was cut at a root */
    }
    memcpy(stats, &all, size < sizeof all ? size : sizeof all);
    if (size > sizeof all) memset((char *)stats + sizeof all, 0, size - sizeof all);
}

size_t tansy_repeated_steps(const tansy_solver *s, ptrdiff_t k)
{
    if (!s || !s->repeated || k < -1 || k >= (ptrdiff_t)s->ns) return 0;
    return s->repeated[k + 1]; /* kept in the user's order */
}

void page_line(struct page *page, const char *format, ...)
{
    bool const room = page->text && page->used < page->size;
    va_list arguments;
    va_start(arguments, format);
    int const length = vsnprintf(room ? page->text + page->used : NULL,
                                 room ? page->size - page->used : 0, format, arguments);
    va_end(arguments);
    page->used += (size_t)length;
}

/* Where the choice of the corrector came from, and what the others would have cost: "direct 1.00, staggered 1.34, ..." */
static void write_costs(struct page *page, const struct choice *choice)
{
    static const char *const name[] = {"simultaneous", "staggered", "direct"};
    double cost[VARIANTS / 2];
    if (choice->by == CHOSEN_BY_USER) return;
    if (choice->due > 0) {
        page_line(page, "               until costs are clocked after %d steps\n",
                  FIRST_STEPS + OBSERVED_STEPS);
        return;
    }
    page_line(page, "chosen         by %s, cost of a step:",
              choice->by == CHOSEN_BY_CLOCK ? "clock" : "counts");
    for (int c = 0; c < VARIANTS / 2; c++) {
        cost[c] = HUGE_VAL;
        for (int v = 2 * c; v < 2 * c + 2; v++)
            if (choice->possible[v]) cost[c] = fmin(cost[c], choice->cost[v]);
    }
    int cheapest = -1;
    for (int written = 0;; written++) {
        int next = 0;
        for (int c = 1; c < VARIANTS / 2; c++)
            if (cost[c] < cost[next]) next = c;
        if (cost[next] == HUGE_VAL) break;
        page_line(page, "%s %s %.2f", written > 0 ? "," : "", name[next],
                  cost[next] / choice->cost[choice->taken]);
        if (written == 0 && cost[next] < choice->cost[choice->taken]) cheapest = next;
        cost[next] = HUGE_VAL;
    }
    page_line(page, "\n");
    if (cheapest >= 0)
        page_line(page, "               %s%s saves less than %.0f %%, which does not pay\n",
                  name[cheapest], cheapest == (int)choice->taken / 2 ? " by the other tangent" : "",
                  100 * CHANGE_PAYS);
}

/* Its name and, of Krylov iteration, the preconditioner; then how df/dy is stored. */
static void write_linear(struct page *page, const struct tansy_solver *s)
{
    static const char *const structure[] = {
        [TANSY_DENSE] = "dense", [TANSY_BANDED] = "banded", [TANSY_SPARSE] = "sparse"};
    const struct krylov *const k = &s->krylov;
    page_line(page, "linear solver  %s",
              s->stepper.method->tableau ? "none" : s->linear.table->name);
    if (s->linear.table->iterate)
        page_line(page, ", preconditioner %s on the %s%s", k->preconditioner->name,
                  k->right && !k->is_coupled ? "right" : "left",
                  k->right && k->is_coupled ? ", for dF/dy' couples components" : "");
    bool const dense = s->linear.table == &linear_dense_lu && !s->options.linear_solver;
    if (dense && s->problem.structure == TANSY_SPARSE)
        page_line(page, ", for this library was built without SuiteSparse's KLU");
    page_line(page, "\nstructure      %s", structure[s->problem.structure]);
    if (s->problem.structure == TANSY_BANDED)
        page_line(page, ", %zu below and %zu above the diagonal", s->problem.lower,
                  s->problem.upper);
    else if (s->J.kind == MATRIX_SPARSE)
        page_line(page, ", %zu entries%s", s->J.entries,
                  s->watch.is_probed ? " found by probing" : "");
    if (s->watch.added > 0) page_line(page, ", %zu of them added in the run", s->watch.added);
    page_line(page, "\n");
}

/* Second derivatives by values of f alone hold nine digits, seven where f is rough or to no low tolerance, and the rows of extrapolation multiply what they lack. */
static void write_second_digits(struct page *page, const struct tansy_solver *s)
{
    static const double held = 1e-5;
    if (!s->stepper.method->rows || !s->stepper.stages.has_second || s->ns == 0) return;
    if (s->derive.second_source != SOURCE_DIFFERENCES || s->derive.y0_tolerance >= held) return;
    bool const tested = s->options.error_control != TANSY_STATE_ONLY;
    page_line(
        page,
        "warning: second derivatives by differences of f hold about %d digits, which the rows of "
        "limex multiply: %s; give df/dy and df/dp, or take rk8 or bdf\n",
        second_digits(&s->derive),
        tested ? "many short steps may be needed" : "columns that are not tested may be wrong");
}

/* What differences leave of S: digits that f does not have, or that a tolerance asks for in vain. */
static void write_digits(struct page *page, const struct tansy_solver *s)
{
    const struct derive *const d = &s->derive;
    static const double held = 1e-9; /* relative error of S that differences were seen to keep to */
    double const error = derive_difference_error(d->difference, d->noise), rtol = d->y0_tolerance;
    bool const tested = s->ns > 0 && s->options.error_control != TANSY_STATE_ONLY;
    if (d->is_internal && tested && rtol < sqrt(DBL_EPSILON))
        page_line(page,
                  "warning: columns are tested to %g, below the root of the rounding unit, which "
                  "internal differences of f may not reach: steps may become short without end, "
                  "or S be wrong where f varies fast with p; use sensitivities = tangent\n",
                  rtol);
    if (!derive_needs_differences(d)) return;
    write_second_digits(page, s);
    if (d->noise > 0 && error > rtol)
        page_line(page,
                  "warning: f is right to %.1g of its size only: derivatives by differences, and "
                  "S, are right to %.1g, not to rtol = %g; give df/dy and df/dp\n",
                  d->noise, error, rtol);
    else if (d->noise > 0)
        page_line(page, "note: f is right to %.1g of its size only: increments are wider\n",
                  d->noise);
    else if (!d->is_internal && rtol < 0.99 * held)
        page_line(page,
                  "warning: derivatives by differences hold about 9 digits: S may be wrong by "
                  "many times rtol = %g; give df/dy and df/dp\n",
                  rtol);
}

/* Steps of the state's own, and how many there were where fewer may do. */
static void write_substeps(struct page *page, const struct tansy_solver *s)
{
    const struct stages *const stages = &s->stepper.stages;
    const struct refinement *const r = &stages->refinement;
    if (stages->substeps <= 1) return;
    page_line(page, "substeps       %d of the state in every step\n", stages->substeps);
    if (r->adapts && r->in > 0)
        page_line(page, "               at most: %zu in %zu steps, as its error allows\n", r->made,
                  r->in);
}

static void write_method(struct page *page, const struct tansy_solver *s)
{
    if (method_is_one_step(s->stepper.method))
        page_line(page, "method         %s\n", s->stepper.method->title);
    else
        page_line(page, "method         %s, orders up to %d\n", s->stepper.method->title,
                  s->stepper.max_order);
    if (s->stepper.method->rows && s->stepper.stages.has_algebraic)
        page_line(page, "order limit    %d where steps shrink: that of algebraic equations\n",
                  DAE_ORDER);
    write_substeps(page, s);
}

/* Columns of index 2 kind, see consistent_held.c. */
static void write_held(struct page *page, const struct tansy_solver *s)
{
    const struct consistent *const c = &s->consistent;
    struct name column, row;
    size_t k = 0;
    if (c->helds == 0) return;
    while (!c->held[k]) k++;
    bool const tested = s->options.error_control != TANSY_STATE_ONLY;
    bool const one_step = method_is_one_step(s->stepper.method);
    page_line(page,
              "%s: %zu column%s of index 2 kind, the first is %s: by its parameter %s gets the "
              "derivative of an algebraic variable; %s\n",
              one_step ? "warning" : "note", c->helds, c->helds > 1 ? "s are" : " is",
              name_column(&s->problem, activation_name(s, (ptrdiff_t)k), &column),
              name_equation(&s->problem, c->held_row, &row),
              !one_step ? "its algebraic rows are not in the error test"
              : tested  ? "many short steps may be needed: choose dassl"
                        : "its algebraic rows, which are not tested, may be wrong: choose dassl");
}

/* What became of the initial values. */
static void write_moved(struct page *page, const struct tansy_solver *s)
{
    const struct consistent *const c = &s->consistent;
    struct name name;
    if (c->was_moved)
        page_line(page,
                  "initial values were made consistent: farthest moved is %s, from %g to %g\n",
                  name_state(&s->problem, c->component, &name), c->from, c->to);
    if (c->was_moved && c->was_dropped)
        page_line(page,
                  "warning: the coefficient of %s' is 0 where the run begins: %s is an algebraic "
                  "variable there, its initial value %g is not kept, and S does not know of it\n",
                  name_state(&s->problem, c->component, &name),
                  name_state(&s->problem, c->component, &name), c->from);
}

/* Initial values that the equations do not allow. */
static void write_replaced(struct page *page, const struct tansy_solver *s)
{
    const struct consistent *const c = &s->consistent;
    struct name name;
    char more[48] = "";
    if (c->replacements == 0) return;
    if (c->replacements > 1)
        (void)snprintf(more, sizeof more, ", and %zu more %s moved", c->replacements - 1,
                       c->replacements > 2 ? "are" : "is");
    page_line(page,
              "warning: the equations do not allow the initial values of the states: %s begins "
              "at %g, not at %g%s (kept are the sums whose derivatives stand in the equations); "
              "give values that satisfy the equations without derivatives\n",
              name_state(&s->problem, c->replaced, &name), c->replaced_to, c->replaced_from, more);
}

/* Parameters of which nothing tells how large they usually are. */
static void write_unscaled(struct page *page, const struct tansy_solver *s)
{
    size_t const count = s->tolerances.unscaled;
    struct name room;
    if (count == 0 || s->ns == 0) return;
    const char *const name = name_parameter(&s->problem, s->tolerances.first_unscaled, &room);
    if (count == 1)
        page_line(page,
                  "warning: %s is 0 and has no scale: 1 is taken for its increments, and for "
                  "its tolerances what it moves at the start\n",
                  name);
    else
        page_line(page,
                  "warning: %zu parameters are 0 and have no scale, the first is %s: 1 is taken "
                  "for their increments, and for their tolerances what they move at the start\n",
                  count, name);
}

static void write_choices(struct page *page, const struct tansy_solver *s)
{
    static const char *const control[] = {"the state and each column on its own", "the state only",
                                          "state and columns as one vector"};
    static const char *const difference[] = {"", "forward", "central", "fourth-order"};
    const struct derive *const d = &s->derive;
    page_line(page, "Tansy %s\n", tansy_version());
    page_line(page, "equations %zu, parameters %zu, columns of S %zu\n", s->n, s->np, s->ns);
    write_method(page, s);
    if (s->linear.thin)
        page_line(page, "sparsing       %zu of %zu entries kept, chosen %zu times\n",
                  s->stepper.stages.thin.entries, s->J.entries, s->stepper.stages.thin.patterns);
    if (s->automatic.is_on)
        page_line(page, "               chosen by stiffness: rk8 or bdf, changed %zu times\n",
                  s->automatic.changes);
    if (s->ns > 0) {
        page_line(page, "sensitivities  %s\n", s->stepper.corrector->title);
        if (!method_is_one_step(s->stepper.method)) write_costs(page, &s->choice);
        page_line(page, "error control  %s\n", control[s->options.error_control]);
    }
    write_linear(page, s);
    if (s->J.kind != MATRIX_NONE)
        page_line(page, "df/dy          %s\n", source_name(d, d->jacobian_source));
    if (s->ns > 0) {
        if (d->tangent_needs_matrices)
            page_line(page, "df/dp          %s\n", source_name(d, d->parameter_source));
        page_line(page, "df/dy s + df/dp  %s\n", source_name(d, d->tangent_source));
    }
    if (d->second)
        page_line(page, "second derivatives  %s%s\n", source_name(d, d->second_source),
                  d->second_source == SOURCE_TANGENT || d->second_source == SOURCE_MATRIX
                      ? ", by differences"
                      : "");
    if (s->events.switches > 0)
        page_line(page, "switches       %zu, their derivatives %s\n", s->events.switches,
                  source_name(d, d->switch_source));
    if (s->events.breaks > 0) page_line(page, "breaks         %zu\n", s->events.breaks);
    if (d->jacobian_source == SOURCE_DIFFERENCES || d->tangent_source == SOURCE_DIFFERENCES ||
        d->parameter_source == SOURCE_DIFFERENCES)
        page_line(page, "differences    %s, relative increment %.2g\n", difference[d->difference],
                  d->increment);
    write_digits(page, s);
    if (s->note) page_line(page, "note: %s\n", s->note);
    const struct consistent *const c = &s->consistent;
    write_moved(page, s);
    write_replaced(page, s);
    if (c->rates_missing)
        page_line(page,
                  "warning: gmres did not find y' of algebraic variables, or S', where the run "
                  "began: 0 is taken; raise krylov_dimension or krylov_restarts\n");
    write_held(page, s);
    write_unscaled(page, s);
}

/* Steps that were short for long in what is but rounding: derivatives of it are worth nothing. */
static void write_rough(struct page *page, const struct tansy_solver *s)
{
    char what[MESSAGE_SIZE];
    if (noise_leap_describe(s, what, sizeof what) == 0) return;
    page_line(page, "warning: steps were short for long%s%s\n", what,
              s->ns > 0 ? "; S is not controlled behind it" : "");
}

/* Errors of many steps of low order, see noise_leap.c. */
static void write_low(struct page *page, const struct tansy_solver *s)
{
    static const double many = 1000; /* of smooth problems 1 */
    if (s->noise_leap.low > many)
        page_line(page,
                  "warning: limex took %zu steps, many of order 1 and 2, whose errors add up to "
                  "%.0f tolerances, if they are of one sign: a stiff rate may drive a slow "
                  "component; use rosenbrock or bdf\n",
                  s->stats.steps, s->noise_leap.low);
}

/* Algebraic variables far smaller than the terms of their equations. */
static void write_coarse(struct page *page, const struct tansy_solver *s)
{
    size_t worst = 0;
    double share = 0;
    struct name name;
    if (!algebraic_zero_counts(s, &worst, &share)) return;
    page_line(
        page,
        "warning: the terms of its equation are so much larger than %s that differences may leave "
        "errors in its columns of up to %.1g times what is promised; give the derivatives of F\n",
        name_state(&s->problem, worst, &name), share);
}

/* Columns by internal differences that rounding of f has spoilt. */
static void write_lost(struct page *page, const struct tansy_solver *s)
{
    const struct internal *const in = &s->derive.internal;
    size_t lost = 0, worst = 0;
    struct name name;
    for (size_t k = 0; k < s->ns; k++) {
        if (!derive_noise_lost(&s->derive, k)) continue;
        if (lost++ == 0 || in->loss[k] > in->loss[worst]) worst = k;
    }
    if (lost > 0)
        page_line(page,
                  "warning: rounding in f, whose terms cancel, spoils %zu columns by differences, "
                  "most of all %s: from t = %.10g on it is not right to its tolerance, and now "
                  "wrong by up to %.1g times that; use sensitivities = tangent\n",
                  lost, name_column(&s->problem, activation_name(s, (ptrdiff_t)worst), &name),
                  in->lost_at[worst], in->loss[worst]);
}

/* Second derivatives that are not finite, in whatever thread. */
static void write_neglected(struct page *page, const struct derive *d)
{
    const struct failure *first = NULL;
    size_t count = 0;
    char text[MESSAGE_SIZE];
    for (size_t w = 0; w < d->workers; w++) {
        const struct derive_worker *const worker = &d->worker[w];
        bool const earlier =
            worker->neglected > 0 && (!first || worker->first_neglected.t < first->t);
        if (earlier) first = &worker->first_neglected;
        count += worker->neglected;
    }
    if (!first) return;
    failure_describe(first, d->problem, text, sizeof text);
    page_line(page,
              "note: %s: such terms are left out (%zu times), which costs S its order in these "
              "steps\n",
              text, count);
}

/* What a one-step method found on its way. */
static void write_stages(struct page *page, const struct tansy_solver *s)
{
    const struct stages *const stages = &s->stepper.stages;
    const struct derive *const d = &s->derive;
    size_t raised = 0;
    if (stages->is_stiff)
        page_line(page,
                  "warning: the problem is stiff: stability, not accuracy, rules the steps of "
                  "rk8; use rosenbrock or bdf\n");
    if (stages->is_rough)
        page_line(page, "warning: f could not be evaluated where dense output needs it: output "
                        "between steps has lower order there\n");
    write_coarse(page, s);
    write_lost(page, s);
    write_rough(page, s);
    write_low(page, s);
    write_neglected(page, d);
    for (size_t k = 0; d->is_internal && k < s->ns; k++)
        raised += d->internal.formula[k] > d->difference;
    if (raised > 0)
        page_line(page,
                  "warning: increments of %zu columns would lose their digits: they are "
                  "differenced by a formula of higher order\n",
                  raised);
}

static void write_counts(struct page *page, const struct tansy_solver *s)
{
    tansy_stats st;
    tansy_get_stats(s, &st);
    page_line(page, "t = %.10g after %zu steps, last order %d, last h %g\n", tansy_time(s),
              st.steps, st.order_last, st.h_last);
    page_line(page, "rejected       %zu by error tests, %zu by the corrector\n", st.rejected_error,
              st.rejected_newton);
    page_line(page, "evaluations    f %zu, df/dy %zu, df/dp %zu, tangents %zu columns\n",
              st.rhs_evals, st.jacobian_evals, st.parameter_evals, st.tangent_evals);
    if (st.second_evals > 0)
        page_line(page, "               second derivatives %zu columns\n", st.second_evals);
    page_line(page, "linear algebra %zu factorisations, %zu solves\n", st.factorizations,
              st.solves);
    if (s->linear.table->iterate)
        page_line(page,
                  "Krylov         %zu iterations, %.2f a solve, preconditioner made %zu times\n",
                  st.linear_iterations,
                  (double)st.linear_iterations / (double)(st.solves > 0 ? st.solves : 1),
                  st.preconditioners);
    if (!method_is_one_step(s->stepper.method))
        page_line(page, "iterations     state %zu, columns %zu\n", st.newton_state, st.newton_sens);
    page_line(page, "memory         %zu bytes\n", st.bytes);
    for (size_t k = 0; k <= s->ns; k++)
        if (s->repeated[k] > 0 && k == 0)
            page_line(page, "repeated steps %zu because of the state\n", s->repeated[k]);
        else if (s->repeated[k] > 0)
            page_line(page, "repeated steps %zu because of column %zu\n", s->repeated[k], k - 1);
}

size_t tansy_report(const tansy_solver *s, char *text, size_t size)
{
    struct page page = {.text = text, .size = size};
    if (text && size > 0) text[0] = '\0';
    if (!s || !s->usable) {
        page_line(&page, "no solver: %s\n", tansy_message(s));
        return page.used;
    }
    write_choices(&page, s);
    write_counts(&page, s);
    write_stages(&page, s);
    report_initial_corners(&page, s);
    report_spikes(&page, s);
    report_events(&page, s);
    if (s->error < 0) page_line(&page, "stopped: %s\n", tansy_message(s));
    return page.used;
}
