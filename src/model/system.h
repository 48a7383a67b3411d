/* SPDX-License-Identifier: Apache-2.0 */
/* A bound model: names resolved, vectors expanded, reactions, controls and inputs turned into expressions of one graph.
   The order of the states is that of their declaration, entries of a vector with the last index fastest; integrals follow
   as trailing states.  The parameters are those declared, then the levels of the controls. */
#ifndef MODEL_SYSTEM_H
#define MODEL_SYSTEM_H

#include "model/expression.h"
#include "model/program.h"
#include "model/source.h"
#include "model/syntax.h"

enum state_kind { STATE_DIFFERENTIAL, STATE_ALGEBRAIC, STATE_INTEGRAL };

struct state {
    const char *name; /* "u[3,4]" */
    const char *unit; /* as written, or "" */
    enum state_kind kind;
    uint32_t initial;     /* node in p (and constants) alone, without switches */
    uint32_t frozen;      /* the same with OP_SWITCH j for start_condition j, where there are any */
    double atol;          /* 0: the option's */
    bool initial_is_used; /* some expression but its own initial value has x(0) in it */
    struct place place;
};

struct parameter {
    const char *name; /* "k1", "k[2]"; levels of a control "u[k]" */
    const char *unit;
    double value, lower, upper; /* bounds are -INFINITY, INFINITY where there are none */
    double scale;               /* 0: not given */
    double
        active_from; /* the column is exactly zero until then; -INFINITY: active from the beginning */
    uint32_t control; /* the control it is a level of, or UINT32_MAX */
    struct place place;
};

struct output {
    const char *name, *unit;
    uint32_t node; /* in t, y, p, switches, inputs; of implicit models also in y' */
    uint32_t
        known; /* 1 where it has a value, 0 where it counts that a condition has none; ZERO: it always has */
    struct place place;
};

/* Of a condition on entries of vectors: "i = 3, j = 1", the indices where it first stands; or "". */
struct condition_entry {
    char text[48];
};

/* A condition g >= 0 (OP_SWITCH j is 1 there), watched by the solver as a root function. */
struct condition {
    uint32_t
        node; /* g in t, y, p; may contain other switches of lower number, and the piece and inputs: g
                      may then jump at a break time */
    struct place place; /* of the comparison, for messages */
    struct condition_entry entry;
    bool
        in_equations; /* f or an integrand depends on it: the solver watches it.  Conditions that only
                           outputs use are numbered after all others and are not watched */
};

/* Two times of a grid, of which some depend on parameters: the second has to come after the first. */
struct grid_pair {
    const char *control;
    uint32_t before, after; /* nodes of system.grid, in p alone */
};

enum system_form {
    FORM_EXPLICIT,          /* y' = f(t, y, p) */
    FORM_LINEARLY_IMPLICIT, /* B(t, y, p) y' = f(t, y, p) */
    FORM_IMPLICIT           /* F(t, y, y', p) = 0 */
};

struct system {
    struct graph *graph;
    const char *name, *title;
    LIST(struct state) state;
    LIST(struct parameter) parameter;
    LIST(struct output) output;
    LIST(struct condition) condition;
    size_t watched; /* the first `watched` conditions are in the equations */
    LIST(struct condition)
    start_condition; /* of the initial values, with numbers of their own, in p alone; not watched */
    LIST(double)
    break_time; /* rising, distinct: control grids, rows of inputs, conditions on time alone */
    LIST(struct table) table;
    struct graph *grid; /* of the times of grids that depend on parameters; NULL: none does */
    LIST(struct grid_pair) grid_pair;
    enum system_form form;
    uint32_t *rhs; /* rhs[n] when explicit, else NULL */
    uint32_t
        *residual; /* residual[n]: F_i = left - right; NULL when explicit: F_i = y_i' - rhs_i */
    struct place *equation; /* equation[n]: where F_i stands in the text; NULL when explicit */
    double t0, t1;          /* NaN: the model does not say */
    size_t end_parameter;   /* number + 1 of the parameter that t1 is; 0: it is a number */
    const char *time_unit;
    void *texts; /* private: the memory of names and tables */
};

/* The node of its value, NaN where it has none; the graph is the system's, and may grow. */
uint32_t output_value(struct graph *g, const struct output *output);

/* Binds a parsed model; errors go to syntax->diagnosis.  system must be zeroed; system_free in any case.  The syntax may be
   freed after that. */
tansy_status system_bind(struct system *system, struct syntax *syntax);
void system_free(struct system *system);

#endif
