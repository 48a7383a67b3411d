/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of errors that may only fall, see error_rows.h. */
#include "error_rows.h"

#include "reference_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The row of that name; a new one, with infinite errors, when there is none yet. */
static struct error_row *row_of(struct error_rows *rows, const char *name)
{
    for (size_t r = 0; r < rows->rows; r++)
        if (strcmp(rows->row[r].name, name) == 0) return &rows->row[r];
    if (rows->rows == ERROR_ROWS) abort();
    struct error_row *row = &rows->row[rows->rows++];
    snprintf(row->name, sizeof row->name, "%s", name);
    for (size_t m = 0; m < ERROR_TOLERANCES; m++) row->state[m] = row->columns[m] = HUGE_VAL;
    return row;
}

/* What the promise is about, and not below 1: there an error is better than asked for, and its size is luck. */
static double value(const struct error_row *row, size_t m)
{
    return fmax(1, fmax(row->state[m], row->columns[m]));
}

static double mean(const struct error_rows *rows, const struct error_row *row)
{
    double sum = 0;
    for (size_t m = 0; m < rows->tolerances; m++) sum += log(value(row, m));
    return exp(sum / (double)rows->tolerances);
}

static void read_rows(struct error_rows *rows)
{
    struct line line = {.number = 0};
    FILE *file = reference_open(rows->file, "r");
    while (line_read(file, ",", &line)) {
        if (strcmp(line.word[0], "problem") == 0) continue;
        char name[64];
        long const m = lround(-log10(line_number(rows->file, &line, 3))) - (long)rows->first;
        if (m < 0 || m >= (long)rows->tolerances)
            line_fail(rows->file, &line, "unexpected tolerance");
        snprintf(name, sizeof name, "%s,%s,%s", line.word[0], line.word[1], line.word[2]);
        row_of(rows, name)->state[m] = line_number(rows->file, &line, 4);
        row_of(rows, name)->columns[m] = line_number(rows->file, &line, 5);
    }
    fclose(file);
}

static void write_rows(const struct error_rows *rows)
{
    FILE *file = reference_open(rows->file, "w");
    fprintf(file, "# e/rtol, the largest over the reference times, by %s\n", rows->maker);
    fprintf(file, "problem,method,sensitivities,rtol,state,columns\n");
    for (size_t r = 0; r < rows->rows; r++)
        for (size_t m = 0; m < rows->tolerances; m++)
            fprintf(file, "%s,1e-%02zu,%.3g,%.3g\n", rows->row[r].name, rows->first + m,
                    rows->row[r].state[m], rows->row[r].columns[m]);
    fclose(file);
}

void error_rows_measure(struct error_rows *rows, const struct oracle *o, const char *way,
                        tansy_options options, double smallest)
{
    char name[64];
    snprintf(name, sizeof name, "%s,%s", o->problem->name, way);
    struct error_row *row = row_of(rows, name);
    for (size_t m = 0; m < rows->tolerances; m++) {
        options.rtol = pow(10, -(double)(rows->first + m));
        row->state[m] = row->columns[m] = 1;
        if (options.rtol < 0.9 * smallest) continue;
        struct accuracy const a = oracle_measure(o, GIVEN, &options);
        if (a.status != TANSY_OK)
            fprintf(stderr, "%s, rtol %.0e: %s\n", name, options.rtol, a.message);
        row->state[m] = a.state / options.rtol;
        row->columns[m] = a.columns / options.rtol;
    }
}

/* The number of limits that a row exceeds, each told on stderr; a row that is not stored fails. */
static size_t count_grown(const struct error_rows *rows, const struct error_row *measured,
                          const struct error_row *stored)
{
    size_t grown = 0;
    double const now = mean(rows, measured), before = mean(rows, stored);
    if (!isfinite(before) || !(now <= rows->mean_growth * before)) {
        fprintf(stderr, "%s: mean e/rtol is %.3g, stored %.3g\n", measured->name, now, before);
        grown++;
    }
    for (size_t m = 0; m < rows->tolerances; m++) {
        if (value(measured, m) <= rows->single_growth * value(stored, m)) continue;
        fprintf(stderr, "%s, rtol 1e-%02zu: e/rtol is %.3g, stored %.3g\n", measured->name,
                rows->first + m, value(measured, m), value(stored, m));
        grown++;
    }
    return grown;
}

size_t error_rows_grown(struct error_rows *measured)
{
    struct error_rows *stored = calloc(1, sizeof *stored);
    const char *update = getenv("TANSY_ERROR_TABLE");
    size_t grown = 0;
    if (!stored) abort();
    stored->file = measured->file;
    stored->first = measured->first;
    stored->tolerances = measured->tolerances;
    if (!update || strcmp(update, "replace") != 0) read_rows(stored);
    for (size_t r = 0; r < measured->rows; r++) {
        struct error_row *row = &measured->row[r], *old = row_of(stored, row->name);
        if (!update) grown += count_grown(measured, row, old);
        if (update && mean(measured, old) < mean(measured, row)) *row = *old;
    }
    if (update) write_rows(measured);
    free(stored);
    return grown;
}
