/* SPDX-License-Identifier: Apache-2.0 */
/* A study: the model, the parameter values, the columns, the tolerances and the times that a command works with. */
#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "command_line.h"

struct study {
    const struct request *request;
    tansy_model *model;
    tansy_model_summary summary;
    tansy_problem problem;
    tansy_options options;
    size_t n, no, nx;   /* states, outputs, both: the quantities x = (y, q) */
    size_t outputs;     /* of the model; those that are states by name are not shown again */
    size_t *output;     /* output[no]: their numbers in the model */
    size_t np, ns;      /* parameters; columns of S */
    double *p;          /* p[np] */
    bool *given;        /* given[np]: by --set */
    struct text text;   /* of the model, where there is a page to show it in */
    char *name;         /* the file's, when the model has none; or NULL */
    double *atol;       /* atol[n], as the solver takes it */
    int *columns;       /* columns[ns] */
    char **column_name; /* column_name[ns]: p1, x(0) */
    double *value;      /* value[ns]: p_k or y_i(t0) */
    double *scale;      /* scale[ns] > 0: the typical size of the column's parameter, DESIGN 6 */
    double *size;       /* size[ns] > 0: |p_k| where that is not 0, which ranks the columns */
    double *direction;  /* direction[k*np + l]: column k's direction in p; NULL without outputs */
    double *y0;         /* y0[n]: the initial state of the last run */
    size_t call_limit;  /* the run stops after so many calls of f; 0: no limit */
    double deadline;    /* and at this time of run_clock(); 0: never */
    bool is_aside;      /* a run to compare with: it says nothing itself */
    struct numbers *
        turned; /* takes the times at which conditions turn, up to a little after the end; or NULL */
    size_t run, runs;   /* of a scan, from 1; else 0 */
    bool steps_limited; /* the program has set options.max_step, see study_prepare */
    double t0, t1;      /* the beginning; the last time of output */
    size_t
        end_parameter; /* number + 1 of the parameter at which the run ends; 0: it ends at a number */
    size_t count;      /* times of output */
    double *times;     /* times[count], or NULL: a grid from t0 to t1 */
};

/* Reads the model only.  DONE, or BAD_USAGE or IO_FAILED with a message. */
int study_read(struct study *s, const struct request *request);
/* Everything else for a run: when the model has conditions in its equations and --max-step is not given, no step is longer than
   1/200 of the time, lest one at rest jumps over a whole pulse; the warnings of the model go to stderr unless quiet. */
int study_prepare(struct study *s);
/* BAD_USAGE, with the reason why the model has no tansy_problem. */
int study_not_solvable(const struct study *s);
/* Is the model a shared object?  Then it has no text. */
bool study_is_compiled(const struct study *s);
void study_free(struct study *s);

/* The times that the request wants, and all that study_fit_times does. */
int study_choose_times(struct study *s);
/* For the present p: the end where that is a parameter, the longest step.  BAD_USAGE with a message, `where` in front, when nothing is
   left of the time or the times of a control's grid do not rise. */
int study_fit_times(struct study *s, const char *where);
double study_time(const struct study *s, size_t j);
/* The name of quantity i: a state's, then an output's. */
const char *study_name(const struct study *s, size_t i);
/* The number of a quantity, or -1. */
ptrdiff_t study_quantity(const struct study *s, const char *name);
/* The number of a parameter, or -1 and BAD_USAGE's message with `where` in front: "--set", or the line of a file. */
ptrdiff_t study_parameter(const struct study *s, const char *where, const char *name);
/* A message of the library's in the words of the command line, see options_spell(); the caller frees it. */
char *study_words(const struct study *s, const char *message);
enum named { NAMED_PARAMETER, NAMED_STATE, NAMED_ANY };
int study_unknown(const struct study *s, const char *where, const char *name, enum named kind);
/* The bounds of parameter k; a warning that value is outside of them, with `where` in front. */
bool study_is_in_bounds(const struct study *s, size_t k, double value);
/* One line for all parameters whose value is not; nothing when there is none. */
void study_add_bounds(struct text *text, const struct study *s);
void study_tell_bounds(const struct study *s, size_t k, double value, const char *where);

/* Values and scales of the columns for the present p and the initial state y0[n]. */
void study_weigh_columns(struct study *s, const double *y0);
double study_rtol(const struct study *s);
/* Below this size the user lets the relative error of state i go, atol_i/rtol; 0: nowhere, as atol_i is automatic. */
double study_level(const struct study *s, size_t i);
/* The absolute tolerances in words. */
void study_tell_atol(const struct study *s, struct text *text);
/* For another run at this rtol: atol of state i, in proportion, at least the smallest normal number, since below that it loses its digits, or becomes
   0, which means none; and --initial-tolerance, which counts in error weights: what it asks for stays, up to what is usual, or given. */
double study_atol_at(const struct study *s, size_t i, double rtol);
double study_start_at(const struct study *s, double rtol);

#endif
