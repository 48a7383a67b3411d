/* SPDX-License-Identifier: Apache-2.0 */
/* The table of results: t, quantities, sensitivities; RFC 4180 with # lines. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include "output_file.h"
#include "run.h"

struct csv {
    struct output file;
    const struct study *study;
    const struct outcome *outcome; /* of the run that is written */
    struct text line;
    bool headed;
    size_t scanned; /* leading columns of a scan */
    const char *const *scan_name;
    const double *scan_value;
    size_t run, runs;    /* of a scan, from 1 */
    struct text waiting; /* what there is to say before a run tells the words of the header */
};

/* The name of a column, d(x)/d(p) or as --scale says, added to text without quotes. */
void csv_column_name(struct text *text, enum scaling scaling, const char *x, const char *p);
/* The value of dx/dp as --scale says. */
double csv_scaled(enum scaling scaling, double sens, double x, double p);

int csv_row(struct csv *csv, const struct row *row);
/* The last line of a run that stopped early, with the header before it if there was no row. */
int csv_stopped(struct csv *csv, const struct outcome *outcome);
/* The last line of a scan that ended between two runs. */
int csv_ended(struct csv *csv, const char *why);
/* Writes what waits for a run that no longer comes. */
int csv_waiting(struct csv *csv);
void csv_free(struct csv *csv);

#endif
