/* SPDX-License-Identifier: Apache-2.0 */
/* What a shared object made from the C of `tansy export --c` tells about itself; tansy_model_load() reads it (tansy/model.h).  Exported
   C fills it in: there is nothing here to call. */
#ifndef TANSY_EXPORTED_H
#define TANSY_EXPORTED_H

#include <tansy/problem.h>
#include <tansy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* x[np + conditions + 1]: p, then 1 or 0 for each condition, then the number of break times that are passed.  Sets conditions
   first, first + 1, .. as they stand at the point, from the others in x.  0, or negative: stop. */
typedef int tansy_settle(double t, const double *y, size_t first, double *x);

typedef struct tansy_exported {
    /* The first five stay where they are in all versions: an object of another one is refused by them. */
    size_t size, problem_size; /* of this struct and of tansy_problem, as the object has them */
    int major, minor, patch;   /* of the headers that it was compiled with */
    const char *name, *title;  /* or "" */
    void (*problem)(tansy_problem *); /* fills it, names included */
    double t0, t1;                    /* the model's time span; NaN where it does not say */
    const char *time_unit;            /* or "" */
    int form;                         /* 0: y' = f, 1: linearly implicit, 2: fully implicit */
    size_t index;                     /* of an implicit model */
    size_t jacobian_entries, rate_entries, lower, upper; /* as tansy_model_summary has them */

    /* Arrays may be NULL: nothing but "" or 0, and active from the beginning. */
    const char *const *state_units, *const *parameter_units;
    const double *atol;      /* atol[n] */
    const char *state_flags; /* state_flags[n]: 1 an integral, 2 x(0) is used elsewhere, 3 both */
    /* equation_flags[n], of an implicit model: 1 without derivatives, 2 a constraint to be differentiated, 3 both */
    const char *equation_flags;
    const double *active_from; /* active_from[np]: of the levels of controls; -inf of parameters */
    const char *is_level;      /* is_level[np] */

    size_t conditions; /* those of the equations, then those that only outputs use */
    const char *const *condition_names;
    size_t outputs;
    const char *const *output_names, *const *output_units;
    int output_rates; /* 1: outputs use y' */
    /* With outputs: of x instead of p; the context is not used. */
    tansy_settle *settle;
    tansy_derived *output_values;
    tansy_residual_tangent *output_tangent;
    size_t end_parameter;        /* number + 1 of the parameter that t1 is; 0: it is a number */
    tansy_derived *output_times; /* dQ/dt at fixed y, y', x; NULL: zeros */
    /* Pairs of times of control grids that depend on parameters, before[k], after[k] in times[2*pairs]; and whose they are. */
    size_t grid_pairs;
    const char *const *grid_controls;
    tansy_initial *grid_times; /* of p alone */
} tansy_exported;

/* Weak, so that a program may be made of several exported models. */
#if defined(__GNUC__)
#define TANSY_EXPORTED __attribute__((weak, visibility("default")))
#else
#define TANSY_EXPORTED
#endif

extern const tansy_exported tansy_exported_model;

#ifdef __cplusplus
}
#endif
#endif
