/* SPDX-License-Identifier: Apache-2.0 */
/* Models as text (docs/language.md): read, differentiate and compile them, and get a tansy_problem with all derivatives.
   A model is read-only after reading and may be shared by any number of solvers and threads.  Errors stick to the handle. */
#ifndef TANSY_MODEL_H
#define TANSY_MODEL_H

#include <tansy/problem.h>
#include <tansy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tansy_model tansy_model;

/* Reads and compiles a model file, or text[length] (name is for messages).  NULL only when there is no memory; a model with an
   error gives a handle in error. Files that the model names are looked for beside the model (beside `name`). */
TANSY_API tansy_model *tansy_model_read(const char *path);
TANSY_API tansy_model *tansy_model_parse(const char *text, size_t length, const char *name);
TANSY_API void tansy_model_free(tansy_model *m);

/* TANSY_OK, TANSY_BAD_MODEL, TANSY_NO_FILE, TANSY_OUT_OF_MEMORY; the message is
   "file:line:column: what", the line and a caret, several lines; "" when all is well. */
TANSY_API tansy_status tansy_model_error(const tansy_model *m);
TANSY_API const char *tansy_model_message(const tansy_model *m);
/* The warnings in the same form, or "". */
TANSY_API const char *tansy_model_warnings(const tansy_model *m);

/* Fills *problem: functions, all derivatives, patterns, p, scale, t0, switches, breaks.  Arrays belong to the model, which must
   outlive the solvers.  TANSY_BAD_MODEL when the model is not an ODE (a method for it is not there yet), with the reason in
   tansy_model_summary.note. Set .p to an array of your own for other values, .columns for other columns. */
TANSY_API tansy_status tansy_model_problem(const tansy_model *m, tansy_problem *problem);

typedef enum tansy_model_kind {
    TANSY_MODEL_STATES = 0, /* differential and algebraic variables, then integrals */
    TANSY_MODEL_PARAMETERS, /* declared ones, then the levels u[k] of controls */
    TANSY_MODEL_OUTPUTS,
    TANSY_MODEL_CONDITIONS
} tansy_model_kind;

TANSY_API size_t tansy_model_count(const tansy_model *m, tansy_model_kind kind);
/* "" when i is out of range.  The name of a condition is its text. */
TANSY_API const char *tansy_model_name(const tansy_model *m, tansy_model_kind kind, size_t i);
TANSY_API const char *tansy_model_unit(const tansy_model *m, tansy_model_kind kind, size_t i);
/* The number of a name, or -1. */
TANSY_API ptrdiff_t tansy_model_index(const tansy_model *m, tansy_model_kind kind,
                                      const char *name);

/* What the model says about parameter k. */
typedef struct tansy_parameter {
    double value, lower, upper; /* bounds are -inf, inf where there are none */
    double scale;               /* 0: not given */
    double active_from;         /* -inf: active from the beginning */
    int is_level;               /* 1: a level of a control */
} tansy_parameter;
TANSY_API tansy_parameter tansy_model_parameter(const tansy_model *m, size_t k);

/* 1 when the initial value of state i stands elsewhere in the model, as x(0).  A column TANSY_INITIAL(i) would leave out what it
   does there; make it a parameter and take that one's column. */
TANSY_API int tansy_model_initial_is_used(const tansy_model *m, size_t i);

/* What there is to know about the model as a whole. */
typedef struct tansy_model_summary {
    const char *name, *title; /* never NULL */
    const char *form;         /* "explicit ODE", "linearly implicit", "fully implicit" */
    const char *note;         /* why it cannot be solved yet, or "" */
    double t0, t1;            /* the model's time span; NaN where it does not say */
    const char *time_unit;
    size_t states, algebraic, integrals, parameters, outputs, conditions, breaks;
    size_t jacobian_entries, parameter_entries; /* exact non-zeros of df/dy and df/dp */
    size_t lower, upper;                        /* bandwidths of df/dy */
    size_t nodes; /* distinct subexpressions of f and its derivatives */
    size_t operations_f, operations_jacobian, operations_parameter, tangent_terms, hoisted;
    const double *atol; /* atol[n]: 0 where the model does not say; NULL: nowhere */
} tansy_model_summary;
TANSY_API void tansy_model_summarise(const tansy_model *m, tansy_model_summary *summary);

/* Columns of sensitivities: sens[k*n + i] = dy_i/dcolumn_k, and direction_p[k*np + l], the column's own direction in p
   (of dy/dp_l the unit vector l, of an initial value zero; NULL: all zero). */
typedef struct tansy_columns {
    size_t ns;
    const double *sens, *direction_p;
} tansy_columns;

/* The outputs at a point, q[outputs], and their columns dq[k*outputs + o] = dQ_o/dcolumn_k.  Conditions are taken as they
   stand at the point.  At a break time `side` tells which piece counts: -1 the one before it, +1 the one after; the solution
   there is the limit from the side the solver came from.  TANSY_OK, or TANSY_OUT_OF_MEMORY, or TANSY_BAD_CALL for a model in
   error. */
TANSY_API tansy_status tansy_model_outputs(const tansy_model *m, double t, int side,
                                           const double *y, const double *p, double *q);
TANSY_API tansy_status tansy_model_output_columns(const tansy_model *m, double t, int side,
                                                  const double *y, const double *p,
                                                  const tansy_columns *columns, double *dq);

/* The model as readable C with the functions of tansy_problem.  Written into text[size] as snprintf does: returns the length
   needed, 0 when there is no memory, or the model is in error or not an ODE. */
TANSY_API size_t tansy_model_export_c(const tansy_model *m, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
