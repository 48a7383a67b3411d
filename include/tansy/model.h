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

/* A model as a shared object, compiled from what tansy_model_export_c() or `tansy export --c` has written:
   cc -O2 -shared -fPIC -o MODEL.so MODEL.c -lm.  All that follows works with it, except that conditions are not enclosed along
   steps (.switch_range), pulses of time are not told (.time_range), corners of outputs are not found, and it is not exported again.  Its code is run: load only what you
   trust.  Errors: TANSY_NO_FILE; TANSY_BAD_MODEL when it is no shared object, no exported model, or made for another version. */
TANSY_API tansy_model *tansy_model_load(const char *path);

/* TANSY_OK, TANSY_BAD_MODEL, TANSY_NO_FILE, TANSY_OUT_OF_MEMORY; the message is
   "file:line:column: what", the line and a caret, several lines; "" when all is well. */
TANSY_API tansy_status tansy_model_error(const tansy_model *m);
TANSY_API const char *tansy_model_message(const tansy_model *m);
/* The warnings in the same form, or "". */
TANSY_API const char *tansy_model_warnings(const tansy_model *m);

/* Fills *problem: functions, all derivatives, patterns, kinds, p, scale, t0, switches, breaks, outputs as derived quantities.
   Arrays belong to the model, which must outlive the solvers.  TANSY_BAD_MODEL when its index is higher than the solver takes,
   with the reason in tansy_model_summary.note. Set .p to an array of your own for other values, .columns for other columns. */
TANSY_API tansy_status tansy_model_problem(const tansy_model *m, tansy_problem *problem);

typedef enum tansy_model_kind {
    TANSY_MODEL_STATES = 0, /* differential and algebraic variables, then integrals */
    TANSY_MODEL_PARAMETERS, /* declared ones, then the levels u[k] of controls */
    TANSY_MODEL_OUTPUTS,
    TANSY_MODEL_CONDITIONS,
    TANSY_MODEL_CONSTRAINTS, /* equations g(t, y, p) = 0 that are to be differentiated once */
    TANSY_MODEL_ALGEBRAIC    /* all equations without derivatives, of an implicit model */
} tansy_model_kind;

TANSY_API size_t tansy_model_count(const tansy_model *m, tansy_model_kind kind);
/* "" when i is out of range.  The name of a condition is its text, that of an equation "file:line:column: text". */
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
    const char *form; /* "explicit ODE", "linearly implicit", "linearly implicit, constant B",
                                 "fully implicit" */
    const char *note; /* why it cannot be solved, and what to do; or "" */
    double t0, t1;    /* the model's time span; NaN where it does not say */
    const char *time_unit;
    size_t states, algebraic, integrals, parameters, outputs, conditions, breaks;
    size_t jacobian_entries,
        parameter_entries; /* exact non-zeros of df/dy and df/dp, or dF/dy, dF/dp */
    size_t lower, upper;   /* bandwidths of df/dy, or of dF/dy and dF/dy' */
    size_t
        nodes; /* distinct subexpressions of f and its derivatives; 0: loaded, see tansy_model_load */
    size_t operations_f, operations_jacobian, operations_parameter, tangent_terms, hoisted;
    const double *atol;     /* atol[n]: 0 where the model does not say; NULL: nowhere */
    size_t rate_entries;    /* non-zeros of dF/dy'; 0 for y' = f */
    size_t index;           /* structural, 0 for y' = f */
    size_t multipliers;     /* how many of the algebraic variables are of index 2 */
    const tansy_kind *kind; /* kind[n]; NULL for y' = f */
    int output_rates; /* 1: outputs use derivatives that only the solver knows, see tansy_point */
    /* Number + 1 of the parameter T that t1 is (`time 0 .. T`); 0: it is a number.  S at a fixed time knows nothing of it: at the end
       d y(T)/dT = dy/dT + y'(T), with y' from tansy_at(); outputs: tansy_columns.direction_t.  See docs/controls.md. */
    size_t end_parameter;
} tansy_model_summary;
TANSY_API void tansy_model_summarise(const tansy_model *m, tansy_model_summary *summary);

/* Columns of sensitivities: sens[k*n + i] = dy_i/dcolumn_k, and direction_p[k*np + l], the column's own direction in p
   (of dy/dp_l the unit vector l, of an initial value zero; NULL: all zero); sensp[k*n + i] = dy'_i/dcolumn_k, for outputs
   that use derivatives, else NULL; direction_t[k] = dt/dcolumn_k, how the time of the point moves with the column (NULL: it stands):
   1 for the final time T at t = T, with y' added to its sens, y'' to its sensp. */
typedef struct tansy_columns {
    size_t ns;
    const double *sens, *direction_p, *sensp, *direction_t;
} tansy_columns;

/* A point of a solution: y[n], y'[n], p[np].  At a break time `side` tells which piece counts: -1 the one before it, +1 the
   one after, and so where a condition on time turns that depends on p, such as a grid time that is a parameter (0: as it stands);
   the solution there is the limit from the side the solver came from. */
typedef struct tansy_point {
    double t;
    int side;
    const double *y, *p;
    const double
        *yp; /* where outputs use derivatives (tansy_model_summary.output_rates), else NULL */
} tansy_point;

/* The index of an implicit model at a point from numbers: rank of dF/dy' by singular values, and whether the derivatives of
   the equations that this leaves, along the variables that it leaves, are regular. */
typedef struct tansy_model_rank {
    int found;       /* 0: more than 400 equations, or derivatives are not finite at the point */
    size_t rank;     /* of dF/dy' */
    size_t index;    /* at the point */
    int is_at_least; /* 1: the index is this or higher */
} tansy_model_rank;
/* at->y == NULL: the model's initial values for at->p; at->yp == NULL: zeros.  TANSY_OK, TANSY_OUT_OF_MEMORY; TANSY_BAD_CALL
   for a model that is in error or y' = f. */
TANSY_API tansy_status tansy_model_find_rank(const tansy_model *m, const tansy_point *at,
                                             tansy_model_rank *rank);

/* The outputs at a point, q[outputs], and their columns dq[k*outputs + o] = dQ_o/dcolumn_k.  Conditions are taken as they
   stand at the point, pieces and conditions on time as they are on its side.  TANSY_OK, or TANSY_OUT_OF_MEMORY, or TANSY_BAD_CALL for a model in error and where y' is missing. */
TANSY_API tansy_status tansy_model_outputs_at(const tansy_model *m, const tansy_point *at,
                                              double *q);
TANSY_API tansy_status tansy_model_output_columns_at(const tansy_model *m, const tansy_point *at,
                                                     const tansy_columns *columns, double *dq);

/* corner[outputs]: the first column for which dQ_o/dcolumn is one-sided at the point, as a condition stands exactly at its edge
   there; .condition is NULL where there is none.  The text belongs to the model.  Returns as tansy_model_output_columns_at. */
TANSY_API tansy_status tansy_model_output_corners(const tansy_model *m, const tansy_point *at,
                                                  const tansy_columns *columns,
                                                  tansy_corner *corner);

/* The same without y'. */
TANSY_API tansy_status tansy_model_outputs(const tansy_model *m, double t, int side,
                                           const double *y, const double *p, double *q);
TANSY_API tansy_status tansy_model_output_columns(const tansy_model *m, double t, int side,
                                                  const double *y, const double *p,
                                                  const tansy_columns *columns, double *dq);

/* Do the times of all grids of controls rise with p[np]?  They may depend on parameters.  TANSY_OK; TANSY_BAD_PROBLEM, and a
   sentence in message[size]; TANSY_OUT_OF_MEMORY; TANSY_BAD_CALL for a model in error.  A solver that is created or restarted with
   such p ends with TANSY_USER_STOPPED (not one of a loaded model). */
TANSY_API tansy_status tansy_model_check_times(const tansy_model *m, const double *p, char *message,
                                               size_t size);

/* The model as readable C with the functions of tansy_problem.  Written into text[size] as snprintf does: returns the length
   needed, 0 when there is no memory, or the model is in error, loaded, or of an index that the solver does not take. */
TANSY_API size_t tansy_model_export_c(const tansy_model *m, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
