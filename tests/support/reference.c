/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines "t,quantity,parameter,value,...": for every time first the state (no parameter), then column by
   column.  The order is that of the problem, so that only shape and names are checked. */
#include "reference.h"

#include "reference_file.h"

#include <stdlib.h>
#include <string.h>

/* The next line of data; 0 at the end. */
static int read_row(FILE *file, struct line *line)
{
    int const found = line_read(file, ",", line);
    return found && strcmp(line->word[0], "t") == 0 ? line_read(file, ",", line) : found;
}

static size_t count_rows(const char *name)
{
    struct line line = {.number = 0};
    size_t rows = 0;
    FILE *file = reference_open(name, "r");
    while (read_row(file, &line)) rows++;
    fclose(file);
    return rows;
}

static void allocate(struct reference *r)
{
    r->t = calloc(r->times * (1 + r->n + r->ns * r->n), sizeof(double));
    if (!r->t) abort();
    r->y = r->t + r->times;
    r->sens = r->y + r->times * r->n;
}

/* Puts a row where it belongs: row = (m*(1 + ns) + column)*n + i, column 0 being the state. */
static void place_row(const char *name, const struct line *line, size_t row, struct reference *r)
{
    size_t const i = row % r->n, column = row / r->n % (1 + r->ns), m = row / r->n / (1 + r->ns);
    double const t = line_number(name, line, 0), value = line_number(name, line, 3);
    if (i == 0 && column == 0) r->t[m] = t;
    if (r->t[m] != t) line_fail(name, line, "not all values of a time are there");
    if ((line->word[2][0] == 0) != (column == 0)) line_fail(name, line, "unexpected parameter");
    if (column == 0)
        r->y[m * r->n + i] = value;
    else
        r->sens[(m * r->ns + column - 1) * r->n + i] = value;
}

void reference_read(const struct test_problem *problem, struct reference *r)
{
    const char *name = problem->reference;
    size_t const rows = count_rows(name);
    *r = (struct reference){.n = problem->problem.n, .ns = problem_columns(problem)};
    size_t const rows_a_time = r->n * (1 + r->ns);
    r->times = rows / rows_a_time;
    struct line line = {.number = 0};
    if (rows == 0 || rows % rows_a_time != 0) line_fail(name, &line, "wrong number of values");
    allocate(r);
    FILE *file = reference_open(name, "r");
    for (size_t row = 0; row < rows && read_row(file, &line); row++) place_row(name, &line, row, r);
    fclose(file);
}

void reference_free(struct reference *r)
{
    free(r->t);
    *r = (struct reference){.times = 0};
}
