/* SPDX-License-Identifier: Apache-2.0 */
/* A model that is read and compiled: the bound system, its derivatives, and the programs that evaluate them. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <tansy/model.h>

#include "model/differentiate.h"
#include "model/enclosure.h"
#include "model/program.h"
#include "model/source.h"
#include "model/system.h"

/* What the solver's functions run.  All programs share one hoisting plan. */
struct compiled {
    struct hoist plan;
    struct program *rhs, *jacobian, *parameter; /* jacobian writes dense or band storage */
    struct lane_program *tangent;
    bool tangent_may_fail; /* some of its coefficients may not be finite where f is */
    struct program *switches, *switches_t; /* g and dg/dt of the watched conditions */
    struct lane_program *switch_tangent;
    struct enclosure *enclosure;                /* bounds of g */
    struct program *initial, *initial_jacobian; /* without hoisting */
    size_t *row, *column;                       /* pattern of df/dp */
    size_t work; /* doubles of work space that the largest of them needs */
};

/* What the outputs need; conditions are taken as they stand, so all are among the switches. */
struct output_programs {
    struct program *value, *conditions;
    struct lane_program *tangent;
};

struct tansy_model {
    struct diagnosis diagnosis;
    struct source source; /* name and text belong to the model */
    struct system system;
    struct derivative jacobian, parameter, initial_parameter;
    size_t tangent_terms;
    size_t operations[3]; /* of f, df/dy, df/dp, each on its own */
    size_t lower, upper;  /* bandwidths of df/dy */
    bool banded;
    struct compiled code;
    struct output_programs outputs;
    char **condition_name;
    const char **state_name, **parameter_name; /* pointers into the system */
    double *p, *scale, *bound, *atol;          /* as the problem and the summary show them */
    bool solvable;
    const char *note;
};

/* compile.c: derivatives and programs of a bound system; TANSY_OUT_OF_MEMORY or TANSY_OK. */
tansy_status model_compile(struct tansy_model *m);
tansy_status model_compile_residual(struct tansy_model *m); /* of an implicit model */
void model_compiled_free(struct tansy_model *m);

/* callbacks.c: the functions of tansy_problem. */
void model_fill_functions(const struct tansy_model *m, tansy_problem *problem);

/* outputs.c */
tansy_status model_compile_outputs(struct tansy_model *m);

/* second.c: directional second derivatives along a given vector v, for exact one-step sensitivities.
   R = (d/dy)(J v) V + (d/dp)(J v) U, and R = f_ty V + f_tp U, in lanes as tansy_tangent has them.  Of an implicit model, with
   the residual F instead of f and B = dF/dy': also R = (d/dy)(B v) V + (d/dp)(B v) U. */
struct second_derivatives {
    struct hoist plan;
    struct lane_program *along, *time, *mass; /* mass is NULL for y' = f, where B = 1 */
    size_t work;                              /* doubles for any number of columns up to 32 */
};
tansy_status model_compile_second(struct tansy_model *m, struct second_derivatives *s);
void second_derivatives_free(struct second_derivatives *s);

#endif
