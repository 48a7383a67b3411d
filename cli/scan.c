/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs of one model: --scan NAME=A:B:N (all combinations) or @FILE.csv, in one table, with one compilation. */
#include "job.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parameter sets: value[set*names + j]. */
struct sets {
    size_t names, count;
    char separator; /* of a table */
    char decimal;   /* of its numbers, a point or a comma; 0: not known yet */
    char **name;
    size_t *parameter;
    double *value;
};

static void sets_free(struct sets *sets)
{
    for (size_t j = 0; j < sets->names; j++) free(sets->name[j]);
    free(sets->name);
    free(sets->parameter);
    free(sets->value);
}

static int add_name(struct sets *sets, const struct study *s, const char *where, const char *name)
{
    ptrdiff_t const k = study_parameter(s, where, name);
    if (k < 0) return BAD_USAGE;
    if (s->given[k]) {
        (void)complain(BAD_USAGE, "%s: %s has its values from here: leave out --set %s", where,
                       name, name);
        return BAD_USAGE;
    }
    for (size_t j = 0; j < sets->names; j++)
        if (sets->parameter[j] == (size_t)k)
            return complain(BAD_USAGE, "%s: %s is named twice; once is enough", where, name);
    sets->name = take_more(sets->name, sets->names + 1, sizeof *sets->name);
    sets->parameter = take_more(sets->parameter, sets->names + 1, sizeof *sets->parameter);
    sets->parameter[sets->names] = (size_t)k;
    sets->name[sets->names++] = copy_of(name);
    return DONE;
}

/* Every old set with every value of the new name; the new name runs fastest. */
static int multiply(struct sets *sets, const struct numbers *values)
{
    size_t const old = sets->names - 1;
    if (values->count > MOST_POINTS / sets->count)
        return complain(BAD_USAGE, "--scan: more than %d combinations; take fewer values",
                        MOST_POINTS);
    double *const all = take(sets->count * values->count * sets->names, sizeof *all);
    double *to = all;
    for (size_t a = 0; a < sets->count; a++)
        for (size_t b = 0; b < values->count; b++) {
            for (size_t j = 0; j < old; j++) *to++ = sets->value[a * old + j];
            *to++ = values->at[b];
        }
    free(sets->value);
    sets->value = all;
    sets->count *= values->count;
    return DONE;
}

static int read_range(struct sets *sets, const struct study *s, const char *word)
{
    char *const copy = copy_of(word);
    char *name = NULL, *range = NULL;
    struct numbers values = {0};
    int status = DONE;
    if (!split_assignment(copy, &name, &range) || !read_grid(range, &values)) {
        (void)complain(BAD_USAGE,
                       "--scan %s: it must be NAME=A:B:N, NAME=A:B:N:log with A and "
                       "B of one sign, NAME=A, or @FILE.csv; N from 1 to %d",
                       word, MOST_POINTS);
        status = BAD_USAGE;
    }
    if (status == DONE) status = add_name(sets, s, "--scan", name);
    if (status == DONE) status = multiply(sets, &values);
    free(values.at);
    free(copy);
    return status;
}

/* A field of a table.  Between semicolons or tabs a comma is a decimal comma, as in the tables of a model's inputs; a table has one kind. */
static int read_value(struct sets *sets, char *field, const char *where, double *value)
{
    char *const comma = sets->separator == ',' ? NULL : strchr(field, ',');
    char const decimal = comma ? ',' : strchr(field, '.') ? '.' : '\0';
    bool const bare = comma && (strchr(field, '.') || comma[1] < '0' || comma[1] > '9');
    if (comma && !bare) *comma = '.';
    bool const good = !bare && read_number(field, value);
    if (comma) *comma = ',';
    if (!good) return complain(BAD_USAGE, "%s: %s: it must be a number", where, field);
    if (decimal && sets->decimal && decimal != sets->decimal)
        return complain(BAD_USAGE,
                        "%s: %s: numbers before have a decimal %s: write all of them one way",
                        where, field, decimal == ',' ? "point" : "comma");
    if (decimal) sets->decimal = decimal;
    return DONE;
}

/* One line of values. */
static int read_set(struct sets *sets, char *line, const char *where, struct numbers *values)
{
    size_t count = 0;
    for (char *at = line; at; count++) {
        char *const field = next_field(&at, sets->separator);
        double value = 0;
        if (!*field && count >= sets->names)
            return complain(BAD_USAGE, "%s: a comma too many: the first line has %zu name%s", where,
                            sets->names, sets->names == 1 ? "" : "s");
        if (!*field) return complain(BAD_USAGE, "%s: value %zu is missing", where, count + 1);
        if (read_value(sets, field, where, &value) != DONE) return BAD_USAGE;
        numbers_add(values, value);
    }
    if (count == sets->names) return DONE;
    return complain(BAD_USAGE, "%s: %zu value%s, but the first line has %zu name%s", where, count,
                    count == 1 ? "" : "s", sets->names, sets->names == 1 ? "" : "s");
}

static int read_header(struct sets *sets, const struct study *s, char *line, const char *where)
{
    int status = DONE;
    sets->separator = field_separator(line);
    for (char *at = line; at && status == DONE;)
        status = add_name(sets, s, where, next_field(&at, sets->separator));
    return status;
}

static int read_table(struct sets *sets, const struct study *s, const char *path)
{
    struct text file = {0};
    struct numbers values = {0};
    if (!text_read(&file, path)) {
        text_free(&file);
        return complain(IO_FAILED, "cannot read %s: %s", path, strerror(errno));
    }
    int status = DONE;
    if (text_nul_line(&file) > 0)
        status = complain(BAD_USAGE, "--scan @%s, line %zu: a NUL byte: is it a text?", path,
                          text_nul_line(&file));
    size_t row = 1;
    for (char *line = text_start(&file); line && status == DONE; row++) {
        char *const end = strchr(line, '\n');
        if (end) *end = '\0';
        char *const content = trim(line);
        char where[512];
        (void)snprintf(where, sizeof where, "--scan @%s, line %zu", path, row);
        if (*content && *content != '#')
            status = sets->names == 0 ? read_header(sets, s, content, where)
                                      : read_set(sets, content, where, &values);
        line = end ? end + 1 : NULL;
    }
    text_free(&file);
    sets->value = values.at;
    sets->count = sets->names > 0 ? values.count / sets->names : 0;
    if (status == DONE && sets->count == 0)
        status = complain(BAD_USAGE,
                          "--scan @%s: it must hold a line of parameter names and lines "
                          "of values",
                          path);
    return status;
}

static int read_sets(struct sets *sets, const struct study *s, const struct words *scan)
{
    int status = DONE;
    for (size_t k = 0; k < scan->count; k++)
        if (scan->word[k][0] == '@' && scan->count > 1)
            return complain(BAD_USAGE, "--scan @FILE.csv holds the whole sets: leave out any other "
                                       "--scan");
    if (strcmp(scan->word[0], "@") == 0)
        return complain(BAD_USAGE, "--scan @: the name of a file is missing behind @");
    if (scan->word[0][0] == '@') return read_table(sets, s, scan->word[0] + 1);
    sets->count = 1;
    for (size_t k = 0; k < scan->count && status == DONE; k++)
        status = read_range(sets, s, scan->word[k]);
    return status;
}

static int to_csv(void *to, const struct row *row)
{
    struct job *const job = to;
    watch_row(&job->watch, &job->study, row);
    return csv_row(&job->csv, row);
}

/* Warns of the first value of each parameter that is outside its bounds. */
static void tell_bounds(const struct study *s, const struct sets *sets)
{
    for (size_t j = 0; j < sets->names && !s->request->quiet; j++)
        for (size_t a = 0; a < sets->count; a++) {
            double const value = sets->value[a * sets->names + j];
            if (study_is_in_bounds(s, sets->parameter[j], value)) continue;
            char where[64];
            (void)snprintf(where, sizeof where, "run %zu of %zu: ", a + 1, sets->count);
            study_tell_bounds(s, sets->parameter[j], value, where);
            break;
        }
}

/* The values of set number a, and the times that they make. */
static int take_set(struct study *s, const struct sets *sets, size_t a)
{
    char where[64];
    assert(sets->value);
    (void)snprintf(where, sizeof where, "--scan, run %zu of %zu: ", a + 1, sets->count);
    for (size_t j = 0; j < sets->names; j++)
        s->p[sets->parameter[j]] = sets->value[a * sets->names + j];
    return study_fit_times(s, where);
}

/* Before anything is written. */
static int check_sets(struct study *s, const struct sets *sets)
{
    int status = DONE;
    for (size_t a = 0; a < sets->count && status == DONE; a++) status = take_set(s, sets, a);
    return status;
}

/* Runs set number a and writes its rows; *any: it is one that can be run. */
static int run_set(struct job *job, const struct sets *sets, size_t a, bool *any)
{
    struct outcome one;
    job->csv.scan_value = sets->value + a * sets->names;
    job->csv.outcome = &one;
    (void)take_set(&job->study, sets, a);
    job->watch.run = job->csv.run = job->study.run = a + 1;
    job->study.runs = sets->count;
    run_study(&job->study, to_csv, job, &one);
    watch_report(&job->watch, &job->study, &one);
    /* an option that cannot be used ends the first run already: else the values are to blame, and the others may do */
    bool const refused = one.exit_status == BAD_USAGE;
    int status = refused && (a > 0 || !one.option_refused) ? STOPPED : one.exit_status;
    *any = *any || !refused;
    if (one.why) {
        status = worse(status, csv_stopped(&job->csv, &one));
        (void)complain(DONE, "run %zu of %zu stopped at t = %g: %s", a + 1, sets->count, one.t,
                       one.why);
    }
    if (!job->outcome.report) {
        job->outcome = one; /* the first gives the method and the sources of derivatives */
        return status;
    }
    outcome_add(&job->outcome, &one, job->study.ns);
    outcome_free(&one);
    return status;
}

/* A signal behind the last row of a run stops none of the runs, but the scan. */
static int stop_between(struct job *job, size_t done, size_t count)
{
    static const char why[] = "interrupted";
    job->outcome.interrupted = true;
    if (!job->outcome.why) job->outcome.why = copy_of(why);
    run_clear_progress();
    (void)complain(DONE, "stopped after run %zu of %zu: %s", done, count, why);
    return worse(STOPPED, csv_ended(&job->csv, why));
}

int scan_run(struct job *job)
{
    struct sets sets = {0};
    size_t done = 0;
    bool any = false;
    int status = read_sets(&sets, &job->study, &job->request->scan);
    if (status == DONE) status = check_sets(&job->study, &sets);
    if (status == DONE) tell_bounds(&job->study, &sets);
    job->csv.scanned = sets.names;
    job->csv.scan_name = (const char *const *)sets.name;
    job->csv.runs = sets.count;
    while (done < sets.count && worse(status, STOPPED) == STOPPED && !run_interrupted())
        status = worse(status, run_set(job, &sets, done++, &any));
    job->csv.outcome = &job->outcome;
    if (run_interrupted() && done < sets.count && !job->outcome.interrupted &&
        worse(status, STOPPED) == STOPPED)
        status = worse(status, stop_between(job, done, sets.count));
    if (status == STOPPED && !any && !job->outcome.interrupted) status = BAD_USAGE;
    if (worse(status, STOPPED) == STOPPED) status = worse(status, csv_waiting(&job->csv));
    job->csv.scan_value = NULL;
    sets_free(&sets);
    return status;
}
