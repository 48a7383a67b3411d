/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a comparison, for people and as CSV. */
#ifndef BENCH_WORK_PRECISION_TABLES_H
#define BENCH_WORK_PRECISION_TABLES_H

#include "work_precision.h"

#include <stdio.h>

/* What is solved and how the peer is set up. */
void print_heading(const struct comparison *c, const struct opponent *peer);

/* Steps, error of S and time of every contender, tolerance by tolerance. */
void print_runs(const struct comparison *c);

/* The times at equal error and who achieved them. */
void print_verdicts(const struct comparison *c);

/* bench/results/NAME.csv: lines "# KEY: VALUE" (states, columns, speedup ...), then one row a run. */
void write_comparison(const struct comparison *c);

/* bench/results/NAME.csv, open for writing; ends the program when it cannot be: it runs in the top folder. */
FILE *results_open(const char *name);

/* A time with four digits in the unit that suits it, in 8 characters. */
void print_seconds(double seconds);

#endif
