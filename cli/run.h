/* SPDX-License-Identifier: Apache-2.0 */
/* One integration of a study, row after row. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "study.h"

/* The solution at one time: x[nx], sens[k*nx + i] = dx_i/dp_k. */
struct row {
    double t;
    const double *x, *sens;
    const double *begin;        /* y at t0 */
    const tansy_corner *corner; /* corner[o] of the chosen outputs; NULL: none has one */
    size_t switches;            /* conditions that have turned so far */
};

/* Takes a row; not DONE ends the run. */
typedef int row_sink(void *to, const struct row *row);

/* What came out. */
struct outcome {
    int exit_status; /* DONE, STOPPED, or what the sink said, or BAD_USAGE */
    bool interrupted;
    bool no_memory;      /* which is why it stopped */
    bool option_refused; /* BAD_USAGE whatever the values of the parameters */
    double t;            /* where it ended */
    char *why;           /* why it stopped, or NULL */
    char *report;        /* tansy_report() */
    double seconds;
    tansy_stats stats;
    size_t rows;      /* that were taken */
    size_t *repeated; /* repeated[1 + ns]: steps repeated because of the state, of each column */
    size_t runs;
};

/* Catches SIGINT, SIGTERM and SIGHUP: during a run the first one stops it and keeps what is done; the second one, or one before there
   is a run, removes unfinished files and ends the program at once. */
void run_catch_signals(void);
bool run_interrupted(void);
/* Takes away the line that tells how far a scan is. */
void run_clear_progress(void);
/* Integrates over all times of the study.  Values and scales of the columns are set. */
void run_study(struct study *s, row_sink *sink, void *to, struct outcome *outcome);
/* What the library says of a run that stopped, and the equations of an implicit problem that cannot begin; the caller frees it. */
char *run_explain(const struct study *s, const char *message, tansy_status status);
/* Seconds, from some time on. */
double run_clock(void);
/* Of a run that stopped: BAD_USAGE where the problem or an option is not usable, else STOPPED. */
int run_exit_status(tansy_status status);
/* There was no memory for a single row: nothing is to be written. */
bool outcome_is_empty(const struct outcome *outcome);
/* At a break time: the side that the run came from, -1 or 1; at its beginning the one it goes to. */
int run_side(const struct study *s, double t);
void outcome_free(struct outcome *outcome);
/* Adds the counts of one run to the sum, in which the first run that stopped says where and why, and the first that began by which method. */
void outcome_add(struct outcome *sum, const struct outcome *one, size_t ns);

/* The words behind `label` on its line of the solver's report, in answer[size]; "" when there is no such line. */
const char *outcome_line(const struct outcome *outcome, const char *label, char *answer,
                         size_t size);

#endif
