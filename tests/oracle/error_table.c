/* SPDX-License-Identifier: Apache-2.0 */
/* The table tests/reference/error_table.csv of e/rtol for every problem, method, corrector and tolerance may only
   fall.  For one problem, method and corrector the geometric mean of max(1, e/rtol) over the tolerances may
   not exceed MEAN_GROWTH times the stored one, nor any single value SINGLE_GROWTH times its own.
   TANSY_ERROR_TABLE=lower in the environment writes what was measured where that mean has fallen and keeps the
   rest; TANSY_ERROR_TABLE=replace writes all that was measured, and wants a reason in the commit. */
#include "support/promise.h"
#include "support/reference_file.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char table_name[] = "error_table.csv";

/* Roundoff, which differs between compilers, moves the steps and with them the errors: between gcc, clang and
   a debug build single values by up to 1.5, means by up to 1.1.  Below e/rtol = 1 an error is better than
   asked for, and its size is luck. */
static const double mean_growth = 1.3, single_growth = 3;

enum { FIRST_DIGITS = 4, TOLERANCES = 7, MAX_ROWS = 200 };

/* The runs of one problem, method and corrector, at rtol = 10^-4, 10^-5, ... */
struct row {
    char name[64];                                 /* "gas_oil,bdf,direct" */
    double state[TOLERANCES], columns[TOLERANCES]; /* e/rtol; of columns the largest */
};

struct table {
    size_t rows;
    struct row row[MAX_ROWS];
};

/* The row of that name; a new one, with infinite errors, when there is none yet. */
static struct row *row_of(struct table *table, const char *name)
{
    for (size_t r = 0; r < table->rows; r++)
        if (strcmp(table->row[r].name, name) == 0) return &table->row[r];
    CHECK(table->rows < MAX_ROWS);
    struct row *row = &table->row[table->rows++];
    snprintf(row->name, sizeof row->name, "%s", name);
    for (size_t m = 0; m < TOLERANCES; m++) row->state[m] = row->columns[m] = HUGE_VAL;
    return row;
}

/* What the promise is about, and not below 1. */
static double value(const struct row *row, size_t m)
{
    return fmax(1, fmax(row->state[m], row->columns[m]));
}

static double mean(const struct row *row)
{
    double sum = 0;
    for (size_t m = 0; m < TOLERANCES; m++) sum += log(value(row, m));
    return exp(sum / TOLERANCES);
}

static void read_table(struct table *table)
{
    struct line line = {.number = 0};
    FILE *file = reference_open(table_name, "r");
    while (line_read(file, ",", &line)) {
        if (strcmp(line.word[0], "problem") == 0) continue;
        char name[64];
        long const m = lround(-log10(line_number(table_name, &line, 3))) - FIRST_DIGITS;
        if (m < 0 || m >= TOLERANCES) line_fail(table_name, &line, "unexpected tolerance");
        snprintf(name, sizeof name, "%s,%s,%s", line.word[0], line.word[1], line.word[2]);
        row_of(table, name)->state[m] = line_number(table_name, &line, 4);
        row_of(table, name)->columns[m] = line_number(table_name, &line, 5);
    }
    fclose(file);
}

static void write_table(const struct table *table)
{
    FILE *file = reference_open(table_name, "w");
    fprintf(file,
            "# e/rtol, the largest over the reference times, by tests/oracle/error_table.c\n");
    fprintf(file, "problem,method,sensitivities,rtol,state,columns\n");
    for (size_t r = 0; r < table->rows; r++)
        for (size_t m = 0; m < TOLERANCES; m++)
            fprintf(file, "%s,1e-%02zu,%.3g,%.3g\n", table->row[r].name, FIRST_DIGITS + m,
                    table->row[r].state[m], table->row[r].columns[m]);
    fclose(file);
}

static void measure_row(const struct oracle *o, tansy_options options, struct table *table)
{
    char name[64];
    snprintf(name, sizeof name, "%s,%s,%s", o->problem->name, method_name(options.method),
             sensitivities_name(options.sensitivities));
    struct row *row = row_of(table, name);
    for (size_t m = 0; m < TOLERANCES; m++) {
        options.rtol = pow(10, -(double)(FIRST_DIGITS + m));
        struct accuracy const a = oracle_measure(o, GIVEN, &options);
        if (a.status != TANSY_OK)
            fprintf(stderr, "%s, rtol %.0e: %s\n", name, options.rtol, a.message);
        row->state[m] = a.state / options.rtol;
        row->columns[m] = a.columns / options.rtol;
    }
}

static void measure_problem(const struct test_problem *problem, struct table *table)
{
    struct oracle o;
    oracle_open(problem->name, &o);
    for (int method = problem->stiff ? TANSY_BDF : TANSY_ADAMS; method <= TANSY_BDF; method++)
        for (size_t c = 0; c < CORRECTORS; c++)
            measure_row(
                &o,
                (tansy_options){.method = (tansy_method)method, .sensitivities = all_correctors[c]},
                table);
    oracle_close(&o);
}

/* The number of limits that a row exceeds, each told on stderr; a row that is not stored fails. */
static size_t count_grown(const struct row *measured, const struct row *stored)
{
    size_t grown = 0;
    if (!isfinite(mean(stored)) || !(mean(measured) <= mean_growth * mean(stored))) {
        fprintf(stderr, "%s: mean e/rtol is %.3g, stored %.3g\n", measured->name, mean(measured),
                mean(stored));
        grown++;
    }
    for (size_t m = 0; m < TOLERANCES; m++) {
        if (value(measured, m) <= single_growth * value(stored, m)) continue;
        fprintf(stderr, "%s, rtol 1e-%02zu: e/rtol is %.3g, stored %.3g\n", measured->name,
                FIRST_DIGITS + m, value(measured, m), value(stored, m));
        grown++;
    }
    return grown;
}

TEST(errors_have_not_grown)
{
    static struct table stored, measured;
    const char *update = getenv("TANSY_ERROR_TABLE");
    const struct test_problem *problem = NULL;
    size_t grown = 0;
    if (!update || strcmp(update, "replace") != 0) read_table(&stored);
    for (size_t k = 0; (problem = problem_number(k)); k++)
        if (problem->reference) measure_problem(problem, &measured);
    for (size_t r = 0; r < measured.rows; r++) {
        struct row *row = &measured.row[r], *old = row_of(&stored, row->name);
        if (!update) grown += count_grown(row, old);
        if (update && mean(old) < mean(row)) *row = *old;
    }
    if (update) write_table(&measured);
    CHECK_EQUAL(grown, 0);
}
