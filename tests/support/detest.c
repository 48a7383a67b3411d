/* SPDX-License-Identifier: Apache-2.0 */
/* Test problems and oracles from the definitions of DETEST, see detest.h. */
#include "detest.h"

#include "detest_model.h"
#include "reference_file.h"

#include <stdlib.h>
#include <string.h>
#include <tansy/solver.h>

static const char *const files[] = {"detest.txt", "stiff_detest.txt"};
static const char *const prefixes[] = {"detest", "stiff"}, *const letters[] = {"N", "S"};

/* clang-format off */
static const char *const names[] = {
    "A1", "A2", "A3", "A4", "A5",  "B1", "B2", "B3", "B4", "B5",  "C1", "C2", "C3", "C4", "C5",
    "D1", "D2", "D3", "D4", "D5",  "E1", "E2", "E3", "E4", "E5"};
static const char *const stiff_names[] = {
    "A1", "A2", "A3", "A4",  "B1", "B2", "B3", "B4", "B5",  "C1", "C2", "C3", "C4", "C5",
    "D1", "D2", "D3", "D4", "D5", "D6",  "E1", "E2", "E3", "E4", "E5",  "F1", "F2", "F3", "F4", "F5"};
/* clang-format on */

size_t detest_count(enum detest_set set)
{
    return set == DETEST ? sizeof names / sizeof *names : sizeof stiff_names / sizeof *stiff_names;
}

const char *detest_name(enum detest_set set, size_t k)
{
    if (k >= detest_count(set)) return NULL;
    return set == DETEST ? names[k] : stiff_names[k];
}

static void *take(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block) abort();
    return block;
}

/* The next line of problem `name` in detest_end_sensitivities.csv or detest_sizes.csv; 0 at the end. */
static int next_row(FILE *file, enum detest_set set, const char *name, struct line *line)
{
    while (line_read(file, ",", line))
        if (strcmp(line->word[0], letters[set]) == 0 && strcmp(line->word[1], name) == 0) return 1;
    return 0;
}

/* First y, then column by column. */
static void read_exact(enum detest_set set, const char *name, struct reference *r)
{
    static const char source[] = "detest_end_sensitivities.csv";
    struct line line = {.number = 0};
    size_t const rows = r->n * (1 + r->ns);
    size_t row = 0;
    FILE *file = reference_open(source, "r");
    for (; next_row(file, set, name, &line); row++) {
        if (row == rows || line_number(source, &line, 2) != r->t[0] || line.count < 6 ||
            (row < r->n) != (line.word[4][0] == 0))
            line_fail(source, &line, "does not fit the problem");
        r->y[row] = line_number(source, &line, 5); /* r->sens lies behind r->y */
    }
    fclose(file);
    if (row != rows) line_fail(source, &line, "values are missing");
}

/* atol_i = 1e-3 of the largest abs(y_i) on the way. */
static void read_atol(enum detest_set set, const char *name, size_t n, double *atol)
{
    static const char source[] = "detest_sizes.csv";
    struct line line = {.number = 0};
    FILE *file = reference_open(source, "r");
    for (size_t i = 0; i < n; i++) {
        if (!next_row(file, set, name, &line)) line_fail(source, &line, "sizes are missing");
        atol[i] = 1e-3 * line_number(source, &line, 3);
    }
    fclose(file);
}

static void compile(const struct detest_model *text, struct detest *d)
{
    d->model = tansy_model_parse(text->text, text->length, d->name);
    if (d->model && tansy_model_problem(d->model, &d->problem.problem) == TANSY_OK) return;
    fprintf(stderr, "%s\n", d->model ? tansy_model_message(d->model) : "no memory");
    exit(EXIT_FAILURE);
}

/* The initial values as numbers, which the norm wants, and all of them as columns. */
static void choose_columns(struct detest *d)
{
    tansy_problem *p = &d->problem.problem;
    d->numbers = take(2 * p->n, sizeof *d->numbers);
    d->columns = take(p->n, sizeof *d->columns);
    tansy_solver *solver = tansy_create(p, &(tansy_options){.sensitivities = TANSY_NONE});
    if (tansy_initialise(solver, d->numbers, NULL, NULL, NULL) != TANSY_OK) abort();
    tansy_free(solver);
    p->y0 = d->numbers;
    p->initial = NULL;
    p->initial_jacobian = NULL;
    for (size_t i = 0; i < p->n; i++) d->columns[i] = TANSY_INITIAL(i);
    p->columns = d->columns;
    p->ns = p->n;
}

void detest_open(enum detest_set set, const char *name, struct detest *d)
{
    struct detest_model *text = take(1, sizeof *text);
    detest_model_read(files[set], name, text);
    *d = (struct detest){.model = NULL};
    snprintf(d->name, sizeof d->name, "%s_%s", prefixes[set], name);
    compile(text, d);
    choose_columns(d);
    size_t const n = text->n;
    double *const atol = d->numbers + n;
    d->problem.name = d->name;
    d->problem.problem.t0 = text->t0;
    d->problem.atol = atol;
    d->problem.t_end = text->t_end;
    d->problem.stiff = set == STIFF_DETEST;
    d->oracle.problem = &d->problem;
    struct reference *exact = &d->oracle.exact;
    *exact = (struct reference){.times = 1, .n = n, .ns = n};
    exact->t = take(1 + n + n * n, sizeof(double));
    exact->y = exact->t + 1;
    exact->sens = exact->y + n;
    exact->t[0] = text->t_end;
    read_exact(set, name, exact);
    read_atol(set, name, n, atol);
    error_norm_make(&d->problem, exact, &d->oracle.norm);
    free(text);
}

void detest_close(struct detest *d)
{
    oracle_close(&d->oracle);
    tansy_model_free(d->model);
    free(d->numbers);
    free(d->columns);
    *d = (struct detest){.model = NULL};
}
