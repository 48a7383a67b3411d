/* SPDX-License-Identifier: Apache-2.0 */
/* A model as readable C: the functions and the patterns of a tansy_problem, compiled against <tansy/tansy.h>. */
#ifndef MODEL_EXPORT_C_H
#define MODEL_EXPORT_C_H

#include <tansy/problem.h>

#include "model/system.h"

/* Writes the C text into text[size] as snprintf does: returns the length needed (without the NUL), 0 when there is no
   memory.  With NAME that of the model:
     NAME_rhs, NAME_jacobian, NAME_parameter_jacobian, NAME_tangent, NAME_initial, NAME_initial_jacobian, NAME_switches,
     NAME_switch_tangent and NAME_time_derivative are as <tansy/problem.h> wants them, and void NAME_problem(tansy_problem *) fills a problem;
     int NAME_outputs(double t, const double *y, const double *p, double *q) takes the conditions as they stand at the point;
     NAME_jacobian_row[] and NAME_jacobian_column[] are the pattern of df/dy;
     NAME_derived and NAME_derived_tangent are the outputs as derived quantities;
     tansy_exported_model tells tansy_model_load() all of this, <tansy/exported.h>.
   A model that is not explicit has NAME_residual, NAME_residual_jacobian, NAME_rate_jacobian, NAME_residual_parameter and
   NAME_residual_tangent instead, those of dg/dt for constraints of index 2, NAME_kind[], and the pattern of dF/dy; its outputs get y' behind
   y, if some need it.  The system's graph is not changed. */

/* What is known beside the system: names of all conditions, may be NULL; of an implicit model kind[n], and constraint[n], dg/dt in the
   rows of constraints of index 2, else 0; each may be NULL: then the solver finds the kinds, and takes differences. */
struct export_structure {
    const tansy_kind *kind;
    const char *vanishing;
    const uint32_t *constraint;
    size_t index;
    bool has_constant_mass;
    const char *const *condition_name, *const *equation_name;
    const bool *is_constraint; /* is_constraint[n], of an implicit model */
};

/* structure may be NULL. */
size_t export_c(const struct system *system, const struct export_structure *structure, char *text,
                size_t size);

#endif
