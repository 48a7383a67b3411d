/* SPDX-License-Identifier: Apache-2.0 */
/* tansy check: what a model is, whether its derivatives are right.  tansy export: the model as C. */
#include "job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 40 };

static void add_names(struct text *text, const struct study *s, tansy_model_kind kind,
                      const char *what)
{
    size_t const count = tansy_model_count(s->model, kind);
    size_t const shown = count < MOST_NAMES ? count : MOST_NAMES;
    if (count == 0) return;
    text_add(text, "\n%s\n", what);
    for (size_t i = 0; i < shown; i++) {
        const char *const unit = tansy_model_unit(s->model, kind, i);
        text_put(text, "  ");
        text_padded(text, tansy_model_name(s->model, kind, i), 20);
        if (kind == TANSY_MODEL_PARAMETERS) {
            tansy_parameter const p = tansy_model_parameter(s->model, i);
            text_add(text, " %-14.8g", s->p[i]);
            if (isfinite(p.lower) || isfinite(p.upper))
                text_add(text, " in %g .. %g", p.lower, p.upper);
            if (isfinite(p.active_from)) text_add(text, " active from t = %g", p.active_from);
        }
        if (*unit) text_add(text, " [%s]", unit);
        while (text->at[text->length - 1] == ' ') text->length--;
        text_put(text, "\n");
    }
    if (shown < count) text_add(text, "  ... and %zu more\n", count - shown);
}

static void add_count(struct text *text, size_t count, const char *one, const char *many)
{
    text_add(text, "%zu %s", count, count == 1 ? one : many);
}

static void add_size(struct text *text, const tansy_model_summary *m)
{
    text_put(text, "size            ");
    add_count(text, m->states, "state", "states");
    if (m->algebraic + m->integrals > 0) {
        text_put(text, " (");
        if (m->algebraic) add_count(text, m->algebraic, "algebraic", "algebraic");
        if (m->algebraic && m->integrals) text_put(text, ", ");
        if (m->integrals) add_count(text, m->integrals, "integral", "integrals");
        text_put(text, ")");
    }
    text_put(text, ", ");
    add_count(text, m->parameters, "parameter", "parameters");
    text_put(text, ", ");
    add_count(text, m->outputs, "output", "outputs");
    if (m->conditions) text_put(text, ", ");
    if (m->conditions) add_count(text, m->conditions, "condition", "conditions");
    if (m->breaks) text_put(text, ", ");
    if (m->breaks) add_count(text, m->breaks, "break time", "break times");
    text_put(text, "\n");
}

static void add_sparsity(struct text *text, const struct study *s)
{
    const tansy_model_summary *const m = &s->summary;
    double const cells = (double)s->n * (double)s->n;
    const char f = m->kind ? 'F' : 'f';
    text_add(
        text,
        "d%c/dy           %zu of %.0f entries are not zero (%.3g %%), bandwidths %zu below and "
        "%zu above%s\n",
        f, m->jacobian_entries, cells, cells > 0 ? 100 * (double)m->jacobian_entries / cells : 0,
        m->lower, m->upper, m->kind ? " (with dF/dy')" : "");
    if (m->kind)
        text_add(text, "dF/dy'          %zu %s not zero\n", m->rate_entries,
                 m->rate_entries == 1 ? "entry is" : "entries are");
    text_add(text, "d%c/dp           %zu of %.0f entries are not zero\n", f, m->parameter_entries,
             (double)s->n * (double)s->np);
    if (m->operations_f == 0) return;
    text_add(text,
             "operations      %c %zu, d%c/dy %zu, d%c/dp %zu, tangents %zu terms; %zu of p alone; "
             "%zu distinct expressions\n",
             f, m->operations_f, f, m->operations_jacobian, f, m->operations_parameter,
             m->tangent_terms, m->hoisted, m->nodes);
}

static void add_structure(struct text *text, const struct study *s)
{
    const tansy_model_summary *const m = &s->summary;
    text_add(text, "model           %s%s%s\n", m->name, *m->title ? ": " : "", m->title);
    text_add(text, "form            %s\n", m->form);
    add_size(text, m);
    add_sparsity(text, s);
    if (isnan(m->t1))
        text_put(text, "time            not given\n");
    else
        text_add(text, "time            %g .. %g%s%s%s%s\n", isnan(m->t0) ? 0 : m->t0, m->t1,
                 *m->time_unit ? " " : "", m->time_unit, m->end_parameter > 0 ? ", parameter " : "",
                 m->end_parameter > 0
                     ? tansy_model_name(s->model, TANSY_MODEL_PARAMETERS, m->end_parameter - 1)
                     : "");
}

static bool has_units(const struct study *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (*tansy_model_unit(s->model, TANSY_MODEL_STATES, i)) return true;
    for (size_t k = 0; k < s->np; k++)
        if (*tansy_model_unit(s->model, TANSY_MODEL_PARAMETERS, k)) return true;
    return false;
}

/* Differences of every column of df/dy and df/dp take n + np times a dozen evaluations of f.  Beyond this size tangents
   in random directions, in which every entry has its share, are compared instead. */
enum { LARGE = 1500, TRIAL_STEPS = 200 };

static tansy_solver *start(struct study *s, bool large)
{
    enum { FEW = 8 };
    tansy_problem problem = s->problem;
    tansy_options options = s->options;
    if (s->ns > FEW) problem.ns = FEW;
    if (!isnan(s->t1) && s->t1 != s->t0) { /* the model may mean nothing beyond its time */
        options.use_stop_time = 1;
        options.stop_time = s->t1;
    }
    if (large) {
        problem.jacobian = NULL;
        problem.residual_jacobian = problem.rate_jacobian = NULL;
        problem.residual_parameter = NULL;
        problem.parameter_jacobian = NULL;
        problem.initial_jacobian = NULL;
        problem.parameter_pattern = (tansy_pattern){0};
        options.method = s->summary.kind ? TANSY_DASSL : TANSY_ADAMS;
        options.sensitivities = TANSY_SENSITIVITIES_AUTO;
        options.linear_solver = TANSY_LINEAR_AUTO;
        options.residual = TANSY_SEED;
        if (s->ns == 0) options.sensitivities = TANSY_NONE;
    }
    return tansy_create(&problem, &options);
}

/* Goes some steps towards the end; whether it got anywhere.  *warned: there is something to say of the tolerances. */
static bool move_on(const struct study *s, tansy_solver *solver, struct text *text, bool *warned)
{
    double const direction = s->t1 > s->t0 ? 1 : -1;
    tansy_status status = TANSY_OK;
    if (isnan(s->t1) || s->t1 == s->t0) return false;
    double *const y = take(s->n, sizeof *y), *const largest = take(s->n, sizeof *largest);
    bool arrived = false;
    for (int k = 0; k < TRIAL_STEPS && status == TANSY_OK && !arrived; k++) {
        status = tansy_step(solver, s->t1, y, NULL);
        for (size_t i = 0; i < s->n; i++) largest[i] = fmax(largest[i], fabs(y[i]));
        arrived = (s->t1 - tansy_time(solver)) * direction <= 0;
    }
    struct text words = {0};
    if (status == TANSY_OK && arrived) watch_tolerances(&words, s, largest);
    if (words.length > 0) text_add(text, "tolerances      %s", words.at);
    *warned = words.length > 0;
    text_free(&words);
    free(y);
    free(largest);
    return status == TANSY_OK;
}

/* What tansy_check() could not decide; false: nothing. */
static bool tell_open(const tansy_solver *solver, struct text *text)
{
    static const char open[] = "not decided: ";
    const char *const words = tansy_message(solver);
    if (strncmp(words, open, sizeof open - 1) != 0) return false;
    text_add(text,
             "not decided     %s: results are not known there, either; write the limit within a "
             "distance, `if abs(x) > 1e-4 then (1 - cos(x))/x^2 else 1/2 - x^2/24`\n",
             words + sizeof open - 1);
    return true;
}

/* Derivatives agree with differences at the start and, if that is another time, at t. */
static void tell_agreement(const struct study *s, struct text *text, double t, bool open)
{
    text_add(text, "derivatives     agree with differences at t = %g", s->t0);
    if (t != s->t0) text_add(text, " and at t = %g", t);
    text_add(text, "%s%s\n", s->n + s->np > LARGE ? ", in random directions" : "",
             open ? ", but for those not decided" : "");
}

/* tansy_check() at the start and, if a trial run gets there, after some steps.  *warned: of tolerances, or that it stopped. */
static int check_derivatives(struct study *s, struct text *text, bool *warned)
{
    bool const large = s->n + s->np > LARGE;
    tansy_solver *const solver = start(s, large);
    tansy_status status = solver ? tansy_error(solver) : TANSY_OUT_OF_MEMORY;
    bool const started = status == TANSY_OK;
    if (s->summary.kind) {
        double *const y = take(s->n, sizeof *y), *const yp = take(s->n, sizeof *yp);
        bool const consistent =
            status == TANSY_OK && tansy_initialise(solver, y, yp, NULL, NULL) == TANSY_OK;
        check_index(text, s, consistent ? y : NULL, consistent ? yp : NULL);
        free(y);
        free(yp);
    }
    if (status == TANSY_OK) status = tansy_check(solver);
    bool open = status == TANSY_OK && tell_open(solver, text);
    bool const moved = status == TANSY_OK && !large && move_on(s, solver, text, warned);
    if (moved) status = tansy_check(solver);
    open = open || (moved && status == TANSY_OK && tell_open(solver, text));
    *warned = *warned || open;
    bool const stopped = status == TANSY_OK && tansy_error(solver) < 0;
    *warned = *warned || stopped;
    char *const words = study_words(s, solver ? tansy_message(solver) : "out of memory");
    if (stopped)
        text_add(text, "trial run       stopped at t = %g: %s\n", tansy_time(solver), words);
    int result = DONE;
    if (status == TANSY_OK && large) result = check_initial(s);
    if (!started && run_exit_status(status) == BAD_USAGE)
        result = complain(BAD_USAGE, "%s", words);
    else if (status != TANSY_OK)
        result = complain(status == TANSY_OUT_OF_MEMORY ? IO_FAILED : STOPPED, "%s at t = %g: %s",
                          started ? "derivatives" : "the start", tansy_time(solver), words);
    else if (result == DONE)
        tell_agreement(s, text, moved ? tansy_time(solver) : s->t0, open);
    free(words);
    tansy_free(solver);
    return result;
}

static void add_all(struct text *text, const struct study *s, bool warned)
{
    text_add(text, "units           %s\n", has_units(s) ? "given, and they agree" : "none given");
    warned = warned || *tansy_model_warnings(s->model);
    text_add(text, "warnings        %s\n", warned ? "see above" : "none");
    add_names(text, s, TANSY_MODEL_STATES, "states");
    add_names(text, s, TANSY_MODEL_PARAMETERS, "parameters");
    add_names(text, s, TANSY_MODEL_OUTPUTS, "outputs");
    add_names(text, s, TANSY_MODEL_CONDITIONS, "conditions");
}

int check_command(const struct request *request)
{
    struct study s;
    struct text text = {0};
    struct request without_times = *request;
    bool solvable = false, warned = false;
    int status = study_read(&s, request);
    if (status == DONE) {
        tansy_problem problem;
        solvable = tansy_model_problem(s.model, &problem) == TANSY_OK;
        add_structure(&text, &s);
        if (!solvable) {
            check_index(&text, &s, NULL, NULL);
            text_add(&text, "not solvable    %s\n", s.summary.note);
        }
    }
    if (status == DONE && solvable) {
        /* a model without a time span is checked at its start */
        if (!request->has_to && isnan(s.summary.t1)) without_times.at = "0:0:1";
        s.request = &without_times;
        status = study_prepare(&s);
        if (without_times.at) s.t1 = s.t0;
        if (status == DONE) status = check_derivatives(&s, &text, &warned);
    }
    if (status == DONE) add_all(&text, &s, warned);
    /* what is known of a model is told even where its derivatives are wrong, or its start has no solution */
    if ((status == DONE || status == STOPPED) && !request->quiet) {
        struct output out;
        status = worse(status, output_open(&out, NULL));
        status = worse(status, output_write(&out, &text));
        status = worse(status, output_close(&out));
    }
    text_free(&text);
    study_free(&s);
    return status;
}

int export_command(const struct request *request)
{
    struct study s = {0};
    struct output out;
    tansy_problem problem;
    int status = files_differ(request);
    if (status == DONE) status = study_read(&s, request);
    if (status == DONE && study_is_compiled(&s))
        status = complain(BAD_USAGE, "export takes the text of a model, and %s is compiled already",
                          request->operand);
    if (status == DONE && tansy_model_problem(s.model, &problem) != TANSY_OK)
        status = study_not_solvable(&s);
    if (status == DONE) status = output_open(&out, request->c);
    if (status == DONE) {
        size_t const length = tansy_model_export_c(s.model, NULL, 0);
        struct text text = {.at = take(length + 1, 1), .length = length, .room = length + 1};
        if (length == 0) status = complain(IO_FAILED, "out of memory");
        (void)tansy_model_export_c(s.model, text.at, length + 1);
        status = worse(status, output_write(&out, &text));
        text_free(&text);
        if (status == DONE)
            status = output_close(&out);
        else
            output_drop(&out);
    }
    study_free(&s);
    return status;
}
