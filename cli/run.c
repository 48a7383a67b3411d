/* SPDX-License-Identifier: Apache-2.0 */
/* One integration of a study: outputs and their columns at every time, progress, interrupts. */
#include "run.h"

#include "final_time.h"
#include "output_file.h"
#include "rates.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The run that is going on.  The equations of the model are called through `watched`, which stops the solver after an
   interrupt: a step may take long, and the next output time may be far. */
static volatile sig_atomic_t interrupts, running;
static tansy_rhs *inner;
static tansy_residual_value *inner_residual;
static int (*inner_complete)(tansy_problem *problem);
static struct {
    double t0, t1, since, shown;
    bool wanted, drawn;
    size_t run, runs; /* of a scan */
} progress;
static atomic_size_t calls;
static size_t call_limit;
static double deadline;
static atomic_bool is_late;

double run_clock(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static void on_signal(int number)
{
    (void)number;
    if (running && interrupts++ == 0) return;
    output_remove_unfinished();
    complain_interrupted();
    _exit(STOPPED);
}

void run_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    struct sigaction old;
    bool const stays = sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
    if (!stays) (void)sigaction(SIGHUP, &action, NULL); /* nohup has it ignored */
    action.sa_handler = SIG_IGN; /* a reader that has gone is an error of writing */
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL); /* so is a file that may not grow */
}

bool run_interrupted(void)
{
    return interrupts > 0;
}

/* From the second second on, five times a second. */
static void show_progress(double t)
{
    double const clock = run_clock();
    if (clock - progress.since < 1 || clock - progress.shown < 0.2) return;
    progress.shown = clock;
    progress.drawn = true;
    double part = (t - progress.t0) / (progress.t1 - progress.t0);
    if (progress.runs > 0) {
        part = ((double)(progress.run - 1) + part) / (double)progress.runs;
        (void)fprintf(stderr, "\rrun %zu of %zu ", progress.run, progress.runs);
    } else {
        (void)fprintf(stderr, "\rt = %-12.6g ", t);
    }
    (void)fprintf(stderr, "%3.0f %%  %.0f s ", 100 * part, clock - progress.since);
    (void)fflush(stderr);
}

static bool has_spent(void)
{
    return atomic_load(&is_late) || (call_limit > 0 && atomic_load(&calls) > call_limit);
}

/* Is the run to end? */
static bool watch_call(double t)
{
    if (interrupts > 0) return true;
    if (progress.wanted || call_limit > 0 || deadline > 0) {
        size_t const call = atomic_fetch_add(&calls, 1);
        if (deadline > 0 && call % 16 == 0 && run_clock() > deadline) atomic_store(&is_late, true);
        if (has_spent()) return true;
        if (progress.wanted && call % 256 == 0) show_progress(t);
    }
    return false;
}

static int watched(double t, const double *y, const double *p, double *f, void *context)
{
    return watch_call(t) ? -1 : inner(t, y, p, f, context);
}

static int watched_residual(double t, const double *y, const double *yp, const double *p, double *F,
                            void *context)
{
    return watch_call(t) ? -1 : inner_residual(t, y, yp, p, F, context);
}

static void put_watch(tansy_problem *problem)
{
    if (inner) problem->rhs = watched;
    if (inner_residual) problem->residual = watched_residual;
}

/* The model completes a problem only as it left it. */
static int complete_watched(tansy_problem *problem)
{
    problem->rhs = inner;
    problem->residual = inner_residual;
    int const code = inner_complete(problem);
    put_watch(problem);
    return code;
}

static void watch(tansy_problem *problem)
{
    inner = problem->rhs;
    inner_residual = problem->residual;
    inner_complete = problem->complete;
    if (inner_complete) problem->complete = complete_watched;
    put_watch(problem);
}

static void start_progress(const struct study *s)
{
    atomic_store(&calls, 0);
    call_limit = s->call_limit;
    deadline = s->deadline;
    atomic_store(&is_late, false);
    progress.wanted = !s->request->quiet && isatty(STDERR_FILENO);
    progress.t0 = s->t0;
    progress.t1 = study_time(s, s->count - 1);
    progress.run = s->run;
    progress.runs = s->runs;
    if (s->run > 1) return; /* the clock is the scan's */
    progress.drawn = false;
    progress.since = run_clock();
    progress.shown = 0;
}

void run_clear_progress(void)
{
    if (progress.drawn) (void)fputs("\r\033[K", stderr);
    progress.drawn = false;
}

/* The line stays from run to run of a scan, unless there is something else to be said. */
static void end_progress(const struct outcome *o)
{
    bool const goes_on = progress.run < progress.runs && o->exit_status == DONE &&
                         interrupts == 0 && !(o->report && strstr(o->report, "warning:"));
    if (!goes_on) run_clear_progress();
}

/* An interrupt in the evaluations for dense output is no trouble of the model's. */
static void forget_interrupt(struct outcome *o)
{
    static const char false_alarm[] =
        "warning: f could not be evaluated where dense output needs it";
    char *const line = o->interrupted && o->report ? strstr(o->report, false_alarm) : NULL;
    if (!line) return;
    const char *const rest = line + strcspn(line, "\n");
    memmove(line, rest + (*rest == '\n'), strlen(rest + (*rest == '\n')) + 1);
}

struct rows {
    double *y, *sens;             /* of the states alone */
    double *begin;                /* y at t0 */
    double *x, *all;              /* with the outputs */
    double *q, *dq;               /* all outputs of the model */
    double *yp, *sensp;           /* where outputs use derivatives, else NULL */
    double *slope;                /* y', y'' at the end, where that is a parameter */
    const tansy_problem *problem; /* that the solver has */
    struct rates rates;           /* opened where they are asked for */
    double *moves;                /* moves[k]: dt/dcolumn_k, 0 but at such an end */
    tansy_corner *all_corners,
        *corner; /* of all outputs, of the chosen ones; NULL: none can have any */
};

static void rows_make(const struct study *s, struct rows *r)
{
    r->y = take(s->n, sizeof(double));
    r->begin = take(s->n, sizeof(double));
    r->sens = take(s->n * s->ns, sizeof(double));
    r->x = take(s->nx, sizeof(double));
    r->all = take(s->nx * s->ns, sizeof(double));
    r->q = take(s->outputs, sizeof(double));
    r->dq = take(s->outputs * s->ns, sizeof(double));
    r->yp = s->summary.output_rates ? take(s->n, sizeof(double)) : NULL;
    r->sensp = s->summary.output_rates ? take(s->n * s->ns, sizeof(double)) : NULL;
    r->slope = take(2 * s->n, sizeof(double));
    r->moves = take(s->ns, sizeof(double));
    bool const may_bend = s->no > 0 && s->ns > 0 && s->summary.conditions > 0;
    r->all_corners = may_bend ? take(s->outputs, sizeof(tansy_corner)) : NULL;
    r->corner = may_bend ? take(s->no, sizeof(tansy_corner)) : NULL;
}

static void rows_free(struct rows *r)
{
    free(r->y);
    free(r->begin);
    free(r->sens);
    free(r->x);
    free(r->all);
    free(r->q);
    free(r->dq);
    free(r->yp);
    free(r->sensp);
    free(r->slope);
    rates_close(&r->rates);
    free(r->moves);
    free(r->all_corners);
    free(r->corner);
}

int run_side(const struct study *s, double t)
{
    if (t == s->t0) return s->t1 < s->t0 ? -1 : 1;
    return t < s->t0 ? 1 : -1;
}

/* The outputs and their columns behind the states'; at_end: the point moves with the parameter T. */
static tansy_status complete_row(const struct study *s, struct rows *r, double t, bool at_end)
{
    tansy_status status = TANSY_OK;
    memcpy(r->x, r->y, s->n * sizeof *r->x);
    for (size_t k = 0; k < s->ns; k++)
        memcpy(r->all + k * s->nx, r->sens + k * s->n, s->n * sizeof *r->all);
    if (s->no == 0) return TANSY_OK;
    tansy_point const at = {.t = t, .side = run_side(s, t), .y = r->y, .yp = r->yp, .p = s->p};
    tansy_columns const columns = {.ns = s->ns,
                                   .sens = r->sens,
                                   .sensp = r->sensp,
                                   .direction_p = s->direction,
                                   .direction_t = at_end ? r->moves : NULL};
    status = tansy_model_outputs_at(s->model, &at, r->q);
    if (status == TANSY_OK && s->ns > 0)
        status = tansy_model_output_columns_at(s->model, &at, &columns, r->dq);
    if (status == TANSY_OK && r->corner)
        status = tansy_model_output_corners(s->model, &at, &columns, r->all_corners);
    for (size_t o = 0; o < s->no; o++) {
        r->x[s->n + o] = r->q[s->output[o]];
        if (r->corner) r->corner[o] = r->all_corners[s->output[o]];
        for (size_t k = 0; k < s->ns; k++)
            r->all[k * s->nx + s->n + o] = r->dq[k * s->outputs + s->output[o]];
    }
    return status;
}

int run_exit_status(tansy_status status)
{
    return status == TANSY_BAD_PROBLEM || status == TANSY_BAD_OPTION ? BAD_USAGE : STOPPED;
}

/* The run ended early. */
static void stop(const struct study *s, struct outcome *o, const tansy_solver *solver,
                 tansy_status status)
{
    const char *const message =
        tansy_error(solver) < 0 ? tansy_message(solver) : tansy_status_text(status);
    o->exit_status = run_exit_status(status);
    o->interrupted = interrupts > 0;
    o->no_memory = status == TANSY_OUT_OF_MEMORY;
    o->option_refused = status == TANSY_BAD_OPTION;
    if (o->interrupted)
        o->why = copy_of("interrupted");
    else if (has_spent())
        o->why = copy_of(is_late ? "it took as long as it may"
                                 : "it took as many evaluations of f as it may");
    else
        o->why = run_explain(s, message, status);
}

static void take_report(const struct study *s, const tansy_solver *solver, struct outcome *o)
{
    size_t const length = tansy_report(solver, NULL, 0);
    free(o->report);
    free(o->repeated);
    o->report = take(length + 1, 1);
    (void)tansy_report(solver, o->report, length + 1);
    tansy_get_stats(solver, &o->stats);
    o->repeated = take(1 + s->ns, sizeof *o->repeated);
    for (size_t k = 0; k <= s->ns; k++)
        o->repeated[k] = tansy_repeated_steps(solver, (ptrdiff_t)k - 1);
}

/* The slopes of multistep formulas are what their corrector made agree with the equations. */
static bool is_multistep(const tansy_solver *solver)
{
    tansy_stats stats;
    tansy_get_stats(solver, &stats);
    return stats.method == TANSY_ADAMS || stats.method == TANSY_BDF || stats.method == TANSY_DASSL;
}

/* y' and S' at t, which the run has just reached: of one-step methods by the equations, or where these make too much of errors of y, slopes. */
static tansy_status take_rates(const struct study *s, tansy_solver *solver, struct rows *r,
                               double t)
{
    double *const sensp = s->ns > 0 ? r->sensp : NULL;
    if (t == s->t0) return tansy_initialise(solver, NULL, r->yp, NULL, sensp);
    tansy_stored const at = {.t = t, .y = r->y, .sens = s->ns > 0 ? r->sens : NULL};
    if (!r->rates.study && !is_multistep(solver)) rates_open(&r->rates, s, r->problem, false);
    bool const found = r->rates.study && rates_find(&r->rates, solver, &at, r->yp, sensp);
    return found ? TANSY_OK : tansy_at(solver, t, NULL, r->yp, NULL, sensp);
}

/* The column of the parameter at which the run ends, or -1. */
static ptrdiff_t end_column(const struct study *s)
{
    for (size_t k = 0; k < s->ns && s->end_parameter > 0; k++)
        if (s->columns[k] == (int)s->end_parameter - 1) return (ptrdiff_t)k;
    return -1;
}

/* y' at the end by the equations, if they suffice; slopes of multistep formulas, where a second run would be no better. */
static bool take_slope(const struct study *s, tansy_solver *solver, struct rows *r, double t)
{
    tansy_stored const at = {.t = t, .y = r->y};
    rates_open(&r->rates, s, r->problem, true);
    if (rates_find(&r->rates, solver, &at, r->slope, NULL)) return true;
    return is_multistep(solver) && !final_is_tighter(s) &&
           tansy_at(solver, t, NULL, r->slope, NULL, NULL) == TANSY_OK;
}

/* At the end T, a parameter, d y(T)/dT = dy/dT + y'(T); where outputs use y', also d y'(T)/dT = dy'/dT + y''(T).  Slopes of the solver's polynomials
   are not as good as y: y' follows from the equations at y(T), or by a second run. */
static void move_end(const struct study *s, tansy_solver *solver, struct rows *r, double t,
                     size_t k)
{
    double *const rate = r->slope, *const second = rate + s->n;
    bool const known = !r->sensp && take_slope(s, solver, r, t);
    r->moves[k] = 1;
    if (!known && !final_rates(s, r->problem, solver, t, rate, second) && interrupts == 0 &&
        !s->is_aside && !s->request->quiet)
        (void)complain(DONE,
                       "warning: d(...)/d(%s) %sis less exact than the rest in the last line: a "
                       "second run for %s did not reach the end",
                       s->column_name[k], r->sensp ? "of outputs that use derivatives " : "",
                       r->sensp ? "y''" : "y'");
    for (size_t i = 0; i < s->n; i++) r->sens[k * s->n + i] += rate[i];
    for (size_t i = 0; i < s->n && r->sensp; i++) r->sensp[k * s->n + i] += second[i];
}

/* Steps to t, with the times at which conditions turn: a step that begins at one turns it. */
static tansy_status step_to(struct study *s, tansy_solver *solver, double t)
{
    tansy_stats stats;
    tansy_status status = TANSY_OK;
    double const direction = t < s->t0 ? -1 : 1;
    tansy_get_stats(solver, &stats);
    while (status == TANSY_OK && direction * (t - tansy_time(solver)) > 0) {
        double const from = tansy_time(solver);
        size_t const turned = stats.switches;
        status = tansy_step(solver, t, NULL, NULL);
        tansy_get_stats(solver, &stats);
        if (stats.switches > turned) numbers_add(s->turned, from);
    }
    return status;
}

/* The first step is one towards the end: how long the run is says how large what begins at 0 is going to be, and the first row does not. */
static tansy_status begin_run(const struct study *s, tansy_solver *solver, double t)
{
    bool const begins = tansy_time(solver) == s->t0 && t != s->t0 && s->t1 != s->t0;
    return begins ? tansy_step(solver, s->t1, NULL, NULL) : TANSY_OK;
}

static tansy_status solve_to(struct study *s, tansy_solver *solver, double t, struct rows *r)
{
    tansy_status status = begin_run(s, solver, t);
    if (status >= 0 && s->turned) status = step_to(s, solver, t);
    return status >= 0 ? tansy_solve(solver, t, r->y, s->ns > 0 ? r->sens : NULL) : status;
}

static size_t count_switches(const tansy_solver *solver)
{
    tansy_stats stats;
    tansy_get_stats(solver, &stats);
    return stats.switches;
}

static void go_through_times(struct study *s, const tansy_problem *problem, tansy_solver *solver,
                             row_sink *sink, void *to, struct outcome *o)
{
    struct rows r = {.problem = problem};
    rows_make(s, &r);
    tansy_status status = tansy_initialise(solver, r.y, NULL, NULL, NULL);
    if (status == TANSY_OK) study_weigh_columns(s, r.y);
    memcpy(r.begin, r.y, s->n * sizeof *r.y);
    for (size_t j = 0; j < s->count && status == TANSY_OK && o->exit_status == DONE; j++) {
        double const t = study_time(s, j);
        status = solve_to(s, solver, t, &r);
        if (status == TANSY_OK && r.yp) status = take_rates(s, solver, &r, t);
        ptrdiff_t const k = j + 1 == s->count ? end_column(s) : -1;
        if (status == TANSY_OK && k >= 0) move_end(s, solver, &r, t, (size_t)k);
        if (status == TANSY_OK && (interrupts > 0 || has_spent())) status = TANSY_USER_STOPPED;
        if (status == TANSY_OK) status = complete_row(s, &r, t, k >= 0);
        if (status != TANSY_OK) break;
        if (progress.wanted && j % 1024 == 0) show_progress(t);
        o->exit_status = sink(to, &(struct row){.t = t,
                                                .x = r.x,
                                                .sens = r.all,
                                                .begin = r.begin,
                                                .corner = r.corner,
                                                .switches = count_switches(solver)});
        o->rows += o->exit_status == DONE;
    }
    if (status != TANSY_OK) stop(s, o, solver, status);
    if (status == TANSY_OK &&
        s->turned) { /* one may turn at the end; whatever else happens there */
        double const end = study_time(s, s->count - 1);
        (void)step_to(s, solver, end + 1e-3 * (end - s->t0));
    }
    rows_free(&r);
}

/* How far it came: the solver's own step may have passed the last time asked for. */
static double reached(const struct study *s, const tansy_solver *solver)
{
    double const t = tansy_time(solver), end = study_time(s, s->count - 1);
    return fabs(t - s->t0) > fabs(end - s->t0) ? end : t;
}

void run_study(struct study *s, row_sink *sink, void *to, struct outcome *outcome)
{
    *outcome = (struct outcome){.exit_status = DONE, .runs = 1, .t = s->t0};
    double const start = run_clock();
    tansy_problem problem = s->problem;
    running = 1; /* from here on there is something to keep */
    watch(&problem);
    start_progress(s);
    tansy_solver *const solver = tansy_create(&problem, &s->options);
    take_report(s, solver, outcome); /* the sink may want to know the method */
    if (solver && tansy_error(solver) == TANSY_OK)
        go_through_times(s, &problem, solver, sink, to, outcome);
    else
        stop(s, outcome, solver, solver ? tansy_error(solver) : TANSY_OUT_OF_MEMORY);
    outcome->t = outcome->exit_status == DONE ? study_time(s, s->count - 1) : reached(s, solver);
    take_report(s, solver, outcome);
    forget_interrupt(outcome);
    end_progress(outcome);
    tansy_free(solver);
    outcome->seconds = run_clock() - start;
}
