/* SPDX-License-Identifier: Apache-2.0 */
/* A table of e/rtol in tests/reference that may only fall.  A row is a problem with a way to solve it, at rtol = 10^-first,
   10^-(first + 1), ...  Its geometric mean of max(1, e/rtol) over the tolerances may not exceed .mean_growth times the
   stored one, nor any single value .single_growth times its own.  TANSY_ERROR_TABLE=lower in the environment writes what was measured where
   that mean has fallen and keeps the rest; TANSY_ERROR_TABLE=replace writes all that was measured, and wants a reason
   in the commit. */
#ifndef TEST_ERROR_ROWS_H
#define TEST_ERROR_ROWS_H

#include "accuracy.h"

#include <stddef.h>

enum { ERROR_TOLERANCES = 7, ERROR_ROWS = 200 };

struct error_row {
    char name[64]; /* "gas_oil,bdf,direct" */
    /* e/rtol; of columns the largest; infinite where a run failed */
    double state[ERROR_TOLERANCES], columns[ERROR_TOLERANCES];
};

struct error_rows {
    const char *file; /* "error_table.csv" */
    const char *maker;
    size_t first, tolerances; /* digits of the first rtol; how many there are */
    double mean_growth, single_growth;
    size_t rows;
    struct error_row row[ERROR_ROWS];
};

/* Runs a problem at the tolerances of the table, not below `smallest`, and puts the row "PROBLEM,way" there; its values at
   smaller tolerances are 1. */
void error_rows_measure(struct error_rows *rows, const struct oracle *o, const char *way,
                        tansy_options options, double smallest);

/* Compares with the file, or writes it when the environment says so; returns the number of limits exceeded, each told on
   stderr.  A row that is not stored counts. */
size_t error_rows_grown(struct error_rows *measured);

#endif
