/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, restart and end of a solver. */
#include "drive/pattern.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/heap.h"
#include "drive/automatic.h"
#include "drive/check_problem.h"
#include "drive/choose.h"
#include "drive/sizes.h"
#include "linear/precondition.h"

enum { LOCAL_PANELS = 8 }; /* shapes of so many panels are worked out without asking for memory */

/* A handle that holds nothing but an error. */
static tansy_solver *fail(const struct message *message)
{
    tansy_solver *const s = heap_take(sizeof *s);
    if (!s) return NULL;
    s->message = *message;
    s->error = message->status;
    s->bytes = sizeof *s;
    return s;
}

static void connect(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    s->derive.p = s->p;
    s->derive.order = s->tolerances.order = s->activation.order;
    s->derive.scale = s->tolerances.parameter_scale;
    s->derive.rtol = s->tolerances.rtol;
    s->derive.atol = s->tolerances.atol;
    s->equations.derive = &s->derive;
    s->equations.linear = &s->linear;
    s->equations.norms = &s->norms;
    s->equations.kernels = s->norms.kernels;
    s->equations.n = s->norms.n = s->n;
    s->norms.kind = s->options.norm;
    s->own_weights.context = s->problem.context;
    s->own_weights.scale = s->tolerances.scale;
    s->norms.own = s->own_weights.function ? &s->own_weights : NULL;
    s->norms.share = s->norms.kind == TANSY_MAX ? 1 : 1 / (double)s->n;
    st->equations = &s->equations;
    st->control = s->options.error_control;
    st->sign = s->problem.sign;
    st->most_iterations = s->options.max_newton;
    st->share = s->options.newton_tolerance;
    st->state.kind = PART_STATE;
    st->state.rho = &s->tightness.rho;
    st->state.shape = (struct panel){.columns = 1, .lanes = 1, .count = lane_round(s->n)};
}

/* Tolerances of the parts; those of the columns follow the scales of p and y0. */
static void connect_tolerances(struct tansy_solver *s)
{
    static const double one = 1;
    struct stepper *const st = &s->stepper;
    const struct tolerances *const t = &s->tolerances;
    st->state.rtol = t->rtol;
    st->state.atol = t->atol;
    st->state.a = &one; /* a column's tolerance of a component is never far below its atol */
    solver_connect_panels(s);
}

void solver_connect_panels(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    const struct tolerances *const t = &s->tolerances;
    size_t start = 0;
    for (size_t m = 0; m < st->panels; m++) {
        struct part *const part = &st->panel[m];
        part->kind = PART_TANGENT;
        part->shape = s->shape[m];
        part->rtol = t->rtol;
        part->atol = t->zero;
        part->rho = t->rho + m * MAX_LANES;
        part->a = t->a + m * MAX_LANES;
        part->rtol_matrix = t->rtol_matrix ? t->rtol_matrix + start : NULL;
        part->atol_matrix = t->atol_matrix ? t->atol_matrix + start : NULL;
        start += part->shape.count;
    }
}

static void reset(struct tansy_solver *s)
{
    s->started = false;
    s->direction = 0;
    s->before = s->stepper.t = s->t0;
    s->events.due = false;
    s->equations.c = 0;
    s->krylov.weak = s->krylov.weakest = 1; /* a run does not depend on the one before */
    s->krylov.columns_jump = false;
    s->stepper.closer = 0;
    s->stepper.failing = 0;
    s->stepper.failed_at = 0;
    if (s->linear.krylov) precondition_order_forget(&s->linear);
    tightness_begin(s);
    spike_forget(s);
    bends_forget(s);
    stretches_forget(s);
    jump_transient_forget(s);
    stages_forget(&s->stepper.stages);
    s->stepper.stages.is_rough = false;
    derive_noise_forget(&s->derive);
    if (s->automatic.is_on) automatic_begin(s);
    s->stepper.state.pending = false;
    for (size_t m = 0; m < s->stepper.panels; m++) s->stepper.panel[m].pending = false;
}

/* Everything after the block is placed. */
static tansy_status complete(struct tansy_solver *s)
{
    const tansy_options *const o = &s->options;
    connect(s);
    tightness_begin(s);
    spike_forget(s);
    jump_transient_forget(s);
    solver_connect_preconditioner(s);
    s->control.min_step = o->min_step;
    s->control.max_step = o->max_step > 0 ? o->max_step : HUGE_VAL;
    derive_set_parameters(&s->derive);
    TRY(tolerances_state(&s->tolerances, o, &s->message));
    TRY(solver_initialise(s));
    TRY(solver_check_given_signs(s));
    TRY(tolerances_columns(&s->tolerances, &s->problem, o, s->y0, &s->message));
    tolerances_panels(&s->tolerances, o, s->shape, s->stepper.panels);
    connect_tolerances(s);
    s->derive.y0_tolerance = s->tolerances.tightest;
    TRY(derive_complete(&s->derive, o, s->shape, s->stepper.panels, &s->message));
    pattern_watch(s);
    TRY(derive_probe_mass(&s->derive, s->t0, s->y0, &s->message));
    automatic_complete(s);
    s->usable = true;
    TRY(solver_initialise_columns(s));
    TRY(events_begin_unasked(s));
    return solver_make_consistent(s);
}

/* All columns, in the room of the layout. */
static void divide_all(struct tansy_solver *s)
{
    size_t const rows = s->activation.rows;
    const double *const tolerance = solver_grouping(s);
    s->stepper.panels = panels_number(s->n, s->ns, rows, tolerance);
    panels_divide(s->n, s->ns, rows, tolerance, s->shape);
}

/* The block: counted with the draft, placed, filled from it. */
static tansy_solver *place(struct tansy_solver *draft, const struct panel *shape)
{
    struct arena count = {.block = NULL};
    solver_layout(draft, &count, shape);
    tansy_solver *const s = count.overflow ? NULL : heap_take_behind(sizeof *s, count.used);
    if (!s) {
        (void)message_set(&draft->message, TANSY_OUT_OF_MEMORY,
                          "no memory for %zu equations with %zu columns of sensitivities", draft->n,
                          draft->ns);
        return fail(&draft->message);
    }
    *s = *draft;
    s->bytes = count.used;
    struct arena block = {.block = (char *)s};
    solver_layout(s, &block, shape);
    divide_all(s);
    if (s->derive.workers > 1 && !(s->stepper.pool = pool_create(s->derive.workers)))
        s->error = message_set(&s->message, TANSY_OUT_OF_MEMORY, "no room for %zu threads",
                               s->derive.workers);
    if (s->error == TANSY_OK) s->error = pattern_place(s);
    if (s->error == TANSY_OK) s->error = complete(s);
    s->pattern = (struct sparse_pattern){.n = 0}; /* the draft's */
    reset(s);
    return s;
}

/* Rows by which panels are divided so that they stay in the cache.  f of internal differences wants one column after the other: where no
   matrix does that is for all lanes, narrow panels, whose stages stay in the first level, are the faster ones. */
static size_t rows_to_keep(const struct tansy_solver *s)
{
    enum { LEVELS = 24 }; /* the second level of the cache has 768 kB, the first 32 */
    bool const narrow =
        s->derive.is_internal && s->stepper.method->tableau && !s->automatic.stiff.method;
    return (solver_rows(s) + 2) * (narrow ? LEVELS : 1);
}

static tansy_solver *divide_and_place(struct tansy_solver *draft)
{
    struct stepper *const st = &draft->stepper;
    size_t const rows = draft->activation.rows = rows_to_keep(draft);
    struct panel local[LOCAL_PANELS];
    const double *const tolerance = solver_grouping(draft);
    st->panels = panels_number(draft->n, draft->ns, rows, tolerance);
    struct panel *const shape =
        st->panels < LOCAL_PANELS ? local : heap_take((st->panels + 1) * sizeof *shape);
    if (!shape) {
        (void)message_set(&draft->message, TANSY_OUT_OF_MEMORY, "no memory for %zu columns",
                          draft->ns);
        return fail(&draft->message);
    }
    panels_divide(draft->n, draft->ns, rows, tolerance, shape);
    if (draft->activation.from) st->panels = panels_widen(draft->n, rows, st->panels, shape);
    tansy_status const status = choose_storage(draft, shape);
    size_t const shared = st->stages.makes_ahead ? (size_t)st->method->max_order : 1;
    size_t const useful = st->panels > shared ? st->panels : shared;
    if (draft->derive.workers > useful) draft->derive.workers = useful;
    tansy_solver *const s = status < 0 ? fail(&draft->message) : place(draft, shape);
    if (shape != local) heap_return(shape);
    return s;
}

tansy_solver *tansy_create_sized(const tansy_problem *problem, size_t problem_size,
                                 const tansy_options *options, size_t options_size)
{
    struct tansy_solver draft = {.bytes = 0};
    if (!problem) {
        (void)message_set(&draft.message, TANSY_BAD_PROBLEM, "the problem is NULL");
        return fail(&draft.message);
    }
    memcpy(&draft.problem, problem,
           problem_size < sizeof draft.problem ? problem_size : sizeof draft.problem);
    if (options)
        memcpy(&draft.options, options,
               options_size < sizeof draft.options ? options_size : sizeof draft.options);
    if (check_problem(&draft.problem, &draft.options, &draft.message) < 0)
        return fail(&draft.message);
    draft.n = draft.problem.n;
    draft.np = draft.problem.np;
    draft.ns = columns_wanted(&draft.problem, &draft.options);
    draft.t0 = draft.problem.t0;
    draft.norms.kernels = draft.linear.kernels = draft.derive.kernels = kernels_choose();
    draft.linear.slots = 1;
    draft.derive.n = draft.tolerances.n = draft.n;
    draft.derive.np = draft.tolerances.np = draft.np;
    draft.derive.ns = draft.tolerances.ns = draft.ns;
    draft.derive.form = derive_form(&draft.problem);
    if (pattern_find(&draft) < 0 || solver_choose(&draft) < 0) {
        pattern_free(&draft);
        return fail(&draft.message);
    }
    void *sorted = NULL;
    tansy_solver *const s =
        activation_sort(&draft, &sorted) < 0 ? fail(&draft.message) : divide_and_place(&draft);
    heap_return(sorted);
    pattern_free(&draft);
    return s;
}

void tansy_free(tansy_solver *s)
{
    if (!s) return;
    pool_free(s->stepper.pool);
    coupled_free(&s->consistent.coupled);
    if (s->linear.table && s->linear.table->release) s->linear.table->release(&s->linear);
    const struct linear_table *const direct = s->consistent.direct.table;
    if (direct && direct->release) direct->release(&s->consistent.direct);
    heap_return(s->watch.block);
    heap_return(s);
}

/* The first entry that is not finite, or count. */
static size_t first_not_finite(const double *v, size_t count)
{
    size_t x = 0;
    while (v && x < count && isfinite(v[x])) x++;
    return v ? x : count;
}

/* Looks at everything before anything is touched: a call that makes no sense loses nothing. */
static tansy_status check_restart(struct tansy_solver *s, double t0, const double *y0,
                                  const double *p, const double *sens0)
{
    size_t const i = first_not_finite(y0, s->n), k = first_not_finite(p, s->np);
    size_t const x = first_not_finite(sens0, s->ns * s->n);
    if (!isfinite(t0)) return message_set(&s->message, TANSY_BAD_CALL, "t0 is not finite");
    if (i < s->n)
        return message_set(&s->message, TANSY_BAD_CALL, "initial value %zu is not finite", i);
    if (k < s->np)
        return message_set(&s->message, TANSY_BAD_CALL, "parameter %zu is not finite", k);
    if (x < s->ns * s->n)
        return message_set(&s->message, TANSY_BAD_CALL,
                           "entry %zu of initial column %zu is not finite", x % s->n, x / s->n);
    return TANSY_OK;
}

/* New parameters mean new scales, and so new tolerances of the columns. */
static tansy_status take_start(struct tansy_solver *s, const double *y0, const double *sens0)
{
    if (y0) memcpy(s->y0, y0, s->n * sizeof *y0);
    if (y0 && s->problem.y0) memcpy((double *)s->problem.y0, y0, s->n * sizeof *y0);
    TRY(y0 ? solver_check_initial(s) : solver_initialise(s));
    TRY(tolerances_columns(&s->tolerances, &s->problem, &s->options, s->y0, &s->message));
    tolerances_panels(&s->tolerances, &s->options, s->shape, s->stepper.panels);
    s->initial_corners = 0;
    s->columns_given = sens0 != NULL;
    if (!sens0) TRY(solver_initialise_columns(s));
    if (sens0) activation_take(s, sens0, s->sens0);
    if (s->stands == 0) TRY(events_begin_unasked(s));
    return solver_make_consistent(s);
}

/* All that a run has left behind; it is to begin at t0 with what is in s->p. */
static void forget(struct tansy_solver *s, double t0)
{
    struct consistent *const c = &s->consistent;
    c->was_moved = c->rates_missing = false; /* as at creation */
    c->replacements = 0;
    if (c->rated) memset(c->rated, 0, s->n * sizeof *c->rated);
    consistent_forget_held(s);
    if (c->lever) memset(c->lever, 0, s->n * sizeof *c->lever);
    pattern_forget(s);
    derive_set_parameters(&s->derive);
    s->t0 = t0;
    s->error = TANSY_OK;
    (void)message_clear(&s->message);
    s->stands = 0;
    reset(s);
}

/* p is NULL or as it was. */
static bool is_same(const struct tansy_solver *s, const double *p)
{
    size_t k = 0;
    while (p && k < s->np && p[k] == s->p[k]) k++;
    return !p || k == s->np;
}

tansy_status tansy_restart(tansy_solver *s, double t0, const double *y0, const double *p,
                           const double *sens0)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    if (!s->usable) return s->error;
    TRY(check_restart(s, t0, y0, p, sens0));
    struct consistent *const c = &s->consistent;
    bool const passed = s->started && t0 != s->t0 && s->direction * (t0 - s->before) >= 0 &&
                        s->direction * (solver_now(s) - t0) >= 0;
    c->has_guess = c->yp && y0 && passed;
    if (c->has_guess) solver_output(s, t0, 1, c->yp, NULL);
    if (s->started) c->came = s->direction;
    double const stands =
        is_same(s, p) && solver_stands_before_event(s, t0, y0, sens0) ? s->direction : 0;
    if (p && s->np > 0) memcpy(s->p, p, s->np * sizeof *p);
    for (size_t k = s->np; k < s->derive.length && stands == 0; k++)
        s->p[k] = 0; /* not known yet */
    forget(s, t0);
    s->stands = stands;
    return s->error = take_start(s, y0, sens0);
}

/* What cannot be had is no error of the run. */
static tansy_status refuse_rates(struct tansy_solver *s, const char *why)
{
    return message_set(&s->message, TANSY_BAD_CALL, "%s", why);
}

/* Stands at t with the parameters, modes and piece of s, y' there as the first guess, and these y and S. */
static void stand_as(struct tansy_solver *with, struct tansy_solver *s, double t, const double *y,
                     const double *sens)
{
    struct consistent *const c = &with->consistent;
    memcpy(with->p, s->p, s->derive.length * sizeof *s->p);
    with->events.piece = s->events.piece;
    with->events.due = false;
    forget(with, t);
    memcpy(with->y0, y, s->n * sizeof *y);
    if (with->ns > 0) activation_take(with, sens, with->sens0);
    with->columns_given = with->ns > 0;
    activation_begin(with, s->direction);
    c->came = s->direction;
    c->is_of_run = c->has_guess = c->yp != NULL;
    sizes_take(with, s);
    if (c->yp) solver_output(s, t, 1, c->yp, NULL);
}

tansy_status tansy_rates_at(tansy_solver *with, tansy_solver *s, double t, const double *y,
                            const double *sens, double *yp, double *sensp)
{
    if (!with || !s) return TANSY_OUT_OF_MEMORY;
    if (!s->usable || !with->usable) return s->usable ? with->error : s->error;
    bool const same = with != s && with->n == s->n && with->derive.length == s->derive.length;
    if (!same || !s->started)
        return refuse_rates(with, "rates need two solvers of one problem, of which one has run");
    if (!y || first_not_finite(y, s->n) < s->n || (with->ns > 0 && !sens))
        return refuse_rates(with, "rates need y and S of the columns");
    stand_as(with, s, t, y, sens);
    tansy_status const status = solver_begin_at(with, t);
    with->consistent.is_of_run = false;
    if (status == TANSY_OK) solver_output_all(with, t, 1, yp, sensp);
    return status;
}

tansy_status tansy_set_stop_time(tansy_solver *s, double stop_time)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    if (!s->usable) return s->error;
    if (!isfinite(stop_time))
        return message_set(&s->message, TANSY_BAD_CALL, "the stop time is not finite");
    if (s->started && s->direction * (stop_time - solver_now(s)) < 0)
        return message_set(&s->message, TANSY_BAD_CALL,
                           "the stop time %.10g lies behind the solver, which stands at %.10g",
                           stop_time, solver_now(s));
    s->options.use_stop_time = 1;
    s->options.stop_time = stop_time;
    return TANSY_OK;
}
