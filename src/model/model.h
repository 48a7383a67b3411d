/* SPDX-License-Identifier: Apache-2.0 */
/* A model that is read and compiled: the bound system, its derivatives, and the programs that evaluate them. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <tansy/exported.h>
#include <tansy/model.h>

#include <pthread.h>

#include "model/differentiate.h"
#include "model/enclosure.h"
#include "model/program.h"
#include "model/source.h"
#include "model/structure.h"
#include "model/system.h"
#include "model/time_terms.h"

/* What the solver's functions run.  All programs share one hoisting plan. */
struct compiled {
    struct hoist plan;
    struct program *rhs, *jacobian, *parameter; /* of f or F; jacobian writes dense, band or sparse
                                                   storage */
    struct program *rate_jacobian;              /* dF/dy', and */
    struct program *constraint; /* dg/dt of the constraints of index 2: of implicit models */
    struct lane_program *tangent, *constraint_tangent;
    bool tangent_may_fail; /* some of its coefficients may not be finite where f is */
    struct program *switches, *switches_t; /* g and dg/dt of the watched conditions */
    struct lane_program *switch_tangent;
    struct enclosure *enclosure;                /* bounds of g */
    struct time_terms time_terms;               /* of f or F */
    struct program *initial, *initial_jacobian; /* without hoisting */
    struct program *grid; /* the times of system.grid_pair, before and after; NULL: none */
    size_t *row, *column; /* pattern of df/dp */
    size_t *jacobian_row, *jacobian_column; /* of df/dy, or of dF/dy and dF/dy' together */
    size_t work; /* doubles of work space that the largest of them needs */
};

/* corners.c: Q[rows] with conditions frozen, their g, and bounds of g; value, tangent and condition may belong to others. */
struct corner_programs {
    size_t rows, conditions; /* conditions == 0: there is nothing to look at, and no programs */
    struct program *value, *condition;
    struct lane_program *tangent;
    struct enclosure *enclosure;
};

/* What the outputs need; conditions are taken as they stand, so all are among the switches. */
struct output_programs {
    struct program *value, *conditions;
    struct lane_program *tangent;
    bool has_rates; /* some depend on y' */
};

/* dQ/dt of the outputs at fixed y, y', p, conditions and piece; compiled when it is first asked for, under the lock. */
struct lazy_times {
    pthread_mutex_t lock;
    struct program *code;
};

struct second_derivatives {
    struct hoist plan;
    struct lane_program *along, *mass; /* mass is NULL for y' = f, where B = 1 */
    struct program *time;              /* f_t */
    bool may_fail; /* some coefficients of `along` may not be finite where f is */
    size_t work;   /* doubles for any number of columns up to 32 */
};

/* Compiled when a solver first asks for it; the lock is held meanwhile. */
struct lazy_second {
    pthread_mutex_t lock;
    bool is_there;
    struct second_derivatives code;
    size_t offset; /* bytes of scratch before its own */
};

/* Of a model that is a shared object: then the system has names and numbers, but no graph, and there are no programs. */
struct loaded {
    void *object;                /* of dlopen(); NULL: the model is a text */
    const tansy_exported *about; /* in it */
    tansy_problem problem;
};

struct tansy_model {
    struct diagnosis diagnosis;
    struct source source; /* name and text belong to the model */
    struct system system;
    struct loaded loaded;
    struct derivative jacobian, rates, parameter, initial_parameter; /* rates: dF/dy' */
    size_t pattern_entries;                                          /* of jacobian and rates */
    struct structure structure;
    bool
        has_constant_mass; /* implicit, F is linear in y' and dF/dy' depends on p and modes alone */
    size_t tangent_terms;
    size_t operations[3]; /* of f, df/dy, df/dp, each on its own */
    size_t lower, upper;  /* bandwidths of df/dy, or of dF/dy and dF/dy' together */
    tansy_structure storage;
    struct compiled code;
    struct output_programs outputs;
    struct lazy_times output_times;
    struct lazy_second second;
    struct corner_programs output_corners, initial_corners;
    char **condition_name; /* of the conditions, then of those of initial values */
    char **equation_name;  /* of all equations, where the model is implicit */
    const char **constraint_name, **algebraic_name; /* some of them */
    size_t algebraic;                               /* equations without derivatives */
    uint32_t *constraint; /* constraint[n]: dg/dt of constraints of index 2, else 0; NULL: none */
    const char **state_name, **parameter_name;      /* pointers into the system */
    double *p, *scale, *bound, *atol, *active_from; /* as the problem and the summary show them */
    int *control;                                   /* as the problem shows it */
    bool solvable;
    const char *note;
    char *own_note; /* the memory of the note where it is no constant */
};

static inline bool model_is_explicit(const struct tansy_model *m)
{
    return m->system.form == FORM_EXPLICIT;
}

/* f[n] or F[n]. */
static inline uint32_t *model_function(const struct tansy_model *m)
{
    return model_is_explicit(m) ? m->system.rhs : m->system.residual;
}

/* model.c: an empty model, NULL without memory; one that cannot be read, and why; the arrays that show what the system has. */
tansy_model *model_create(void);
tansy_model *model_unreadable(const char *path, const char *why);
tansy_status model_fill_arrays(struct tansy_model *m);

/* load.c: closes the object, if there is one. */
void model_unload(struct tansy_model *m);

/* compile.c: derivatives and programs of a bound system; TANSY_OUT_OF_MEMORY or TANSY_OK. */
tansy_status model_compile(struct tansy_model *m);
void model_compiled_free(struct tansy_model *m);

/* structure_report.c: the structure of an implicit model: sets solvable and note; TANSY_BAD_MODEL when it is singular. */
tansy_status model_analyse(struct tansy_model *m);
/* Equation i of an implicit model as the text has it; its length. */
size_t model_equation_text(const struct tansy_model *m, size_t i, const char **text);

/* callbacks.c: the functions of tansy_problem; callbacks_implicit.c: those of F(t, y, y', p) = 0. */
void model_fill_functions(const struct tansy_model *m, tansy_problem *problem);
void model_fill_implicit(const struct tansy_model *m, tansy_problem *problem);

/* callbacks_second.c: .autonomous; and fills in second derivatives, compiled if need be: 0, or -1 without memory. */
void model_fill_time(const struct tansy_model *m, tansy_problem *problem);
int model_complete(tansy_problem *problem);

/* outputs.c */
tansy_status model_compile_outputs(struct tansy_model *m);
size_t model_outputs_work(const struct tansy_model *m); /* doubles */
/* Sets the conditions hold[first .. ] that stand in at->p, from g >= 0; g[conditions] and work are scratch. */
void model_settle(const struct tansy_model *m, size_t first, const struct leaves *at, double *hold,
                  double *g, double *work);

/* output_times.c: the program of dQ/dt, NULL without memory.  The model's graph is not changed. */
const struct program *model_output_times(const struct tansy_model *m);

/* grid_times.c: the program, after model_compile; whether all times rise with at->p (work as for all programs); room for that. */
tansy_status model_compile_grid(struct tansy_model *m);
bool model_grid_rises(const struct tansy_model *m, const struct leaves *at, double *work);

/* How many break times are passed: those below t, and on the right side t itself. */
double model_piece(const struct tansy_model *m, const tansy_point *point);
/* A time so near that it is the same but for rounding, on the point's side: there conditions on time stand as they do on that side. */
double model_beside(const struct tansy_model *m, const tansy_point *point);
/* The side from which a run from t0 comes to t; at t0 itself the one to which it goes. */
int model_side(const struct tansy_model *m, double t);

/* corners_model.c: after all else. */
tansy_status model_compile_corners(struct tansy_model *m);
void model_corners_free(struct tansy_model *m);
/* The callback of the problem about its initial values, where there are any. */
void model_fill_corners(const struct tansy_model *m, tansy_problem *problem);

/* p[np + watched + 1] as the solver would pass it at the point: parameters, conditions, piece. */
tansy_status model_modes(const struct tansy_model *m, const tansy_point *at, double *p);

/* callbacks_derived.c: the outputs as derived quantities of the problem. */
void model_fill_derived(const struct tansy_model *m, tansy_problem *problem);

/* second.c: directional second derivatives along a given vector v and tau, for exact one-step sensitivities:
   R = (d/dy)(J v + tau f_t) V + (d/dp)(J v + tau f_t) U, in lanes as tansy_tangent has them, and f_t.  OP_VECTOR holds v[n],
   then tau.  Of an implicit model, with the residual F instead of f and B = dF/dy': also R = (d/dy)(B v) V + (d/dp)(B v) U.
   The model is not changed. */
tansy_status model_compile_second(const struct tansy_model *m, struct second_derivatives *s);
void second_derivatives_free(struct second_derivatives *s);

#endif
