/* SPDX-License-Identifier: Apache-2.0 */
/* The problem, in one of three forms, y(t0) = y0(p), and the columns of S = dy/dp that are wanted:
     y' = f(t, y, p)                  .rhs
     B(t, y, p) y' = f(t, y, p)       .rhs and .mass; B may be singular
     F(t, y, y', p) = 0               .residual; of index 1, or 2 in Hessenberg form
   The function alone is enough; every derivative that is given makes S more accurate and faster, what is missing is
   filled by differences.  All user functions return 0 (done), a positive value (not here: try a smaller
   step) or a negative value (stop).  They must not change y or p. */
#ifndef TANSY_PROBLEM_H
#define TANSY_PROBLEM_H

#include <tansy/functions.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the entries of a sparse matrix stand; copied by tansy_create(). */
typedef struct tansy_pattern {
    size_t entries;    /* nz; 0 with row == NULL: the matrix is dense */
    const size_t *row; /* row[nz] */
    const size_t *column;
} tansy_pattern;

typedef enum tansy_structure {
    TANSY_DENSE = 0,
    TANSY_BANDED, /* with .lower and .upper */
    TANSY_SPARSE  /* with .jacobian_pattern, or found by probing when that is empty */
} tansy_structure;

/* What kind a component of y is, in an implicit problem. */
typedef enum tansy_kind {
    TANSY_DIFFERENTIAL = 0,
    TANSY_ALGEBRAIC, /* of index 1: solved for from its equation when the derivatives of others are known */
    TANSY_INDEX_2 /* a multiplier: its constraint has to be differentiated once to find it */
} tansy_kind;

/* Names a column of S in .columns: k means dy/dp_k, TANSY_INITIAL(i) means dy/dy_i(t0). */
#define TANSY_INITIAL(i) (-1 - (int)(i))

/* All arrays are copied by tansy_create(); context is kept and passed on. Zero in a field: not given. */
typedef struct tansy_problem {
    size_t n;         /* equations, at least 1 */
    size_t np;        /* parameters, may be 0 */
    double t0;        /* initial time */
    const double *y0; /* y0[n], initial values; may be NULL when .initial is given */
    const double *p;  /* p[np] */
    void *context;    /* passed to all functions below */

    tansy_rhs *rhs;                               /* needed, or .residual */
    tansy_jacobian *jacobian;                     /* df/dy, laid out as .structure says */
    tansy_parameter_jacobian *parameter_jacobian; /* df/dp */
    tansy_pattern parameter_pattern;              /* of df/dp */
    tansy_tangent *tangent;                   /* used for S when given, see the option `residual` */
    tansy_initial *initial;                   /* y(t0) from p, instead of .y0 */
    tansy_initial_jacobian *initial_jacobian; /* its derivative */

    tansy_structure structure; /* of df/dy */
    size_t lower, upper;       /* bandwidths below and above the diagonal */

    size_t ns;          /* columns of S; needed with .columns or .directions, else ns = np */
    const int *columns; /* columns[ns]: parameters and TANSY_INITIAL(i); NULL: all parameters */
    /* directions[k*(n + np) + j]: column k is S times this, first n along y(t0), then np along p; instead of .columns. */
    const double *directions;
    /* scale[np], typical size of p_k; 0: abs(p_k), or when p_k = 0 the range of its .bound, else 1; see .control. */
    const double *scale;
    int concurrent; /* not 0: the functions may be called by several threads at once */

    /* Discontinuities.  Between two switching points every condition is frozen: with .switches or .breaks the
       functions get p[np + switches + 1], where p[np + j] is 1 if condition j holds on this piece, else 0, and
       p[np + switches] is the number of break times at or below this piece (.initial, called before they are known, finds
       zeros there).  f must use these, not test g itself, so that it is smooth as far as a step may look.  The solver
       ends its step where a g_j changes sign, located on the dense output at t = T(p), turns the condition over, adds the
       jump (f- - f+) dT/dp to every column of S and starts anew; what is given at T itself are the values before.  g_j may
       depend on the modes of lower switches and on its own (hysteresis).  See docs/switches.md. */
    size_t switches;
    tansy_switch *switch_function;        /* needed with switches */
    tansy_switch_tangent *switch_tangent; /* NULL: by differences */
    size_t breaks; /* break_times[breaks], rising: the solver stops and starts anew there */
    const double *break_times;

    /* Names for messages, kept by reference; NULL: numbers are used. */
    const char *const *state_names;     /* state_names[n] */
    const char *const *parameter_names; /* parameter_names[np], with state_names */
    const char *const *switch_names;    /* switch_names[switches] */

    int prefer_matrix; /* 1: df/dy times panel plus df/dp is cheaper than .tangent */
    int from_model; /* 1: the report says "model" instead of "given"; set by tansy_model_problem() */
    size_t scratch;      /* bytes of memory for the functions, see tansy_local */
    const double *bound; /* bound[2*np]: limits of p_k, or infinite; for its scale when p_k = 0 */
    tansy_switch_range *switch_range; /* bounds of .switch_function; models have them */

    /* Implicit problems.  Without .kind algebraic components are found from dF/dy' at t0. */
    tansy_residual_value *residual;               /* F(t, y, y', p) = 0, instead of .rhs */
    tansy_residual_jacobian *residual_jacobian;   /* dF/dy */
    tansy_residual_jacobian *rate_jacobian;       /* dF/dy' */
    tansy_residual_parameter *residual_parameter; /* dF/dp, with .parameter_pattern */
    tansy_residual_tangent *residual_tangent;
    tansy_mass *mass;                 /* B, with .rhs, .jacobian, .tangent, ... of f */
    tansy_mass_tangent *mass_tangent; /* NULL: B is constant, unless .mass_varies */
    int mass_varies;                  /* 1: B depends on y or p; its derivatives by differences */
    const double *
        yp0; /* yp0[n]: a first guess of y'(t0); NULL: 0.  Kept where it is consistent, but of algebraic components y' is found anew */
    const tansy_kind *kind; /* kind[n] */
    /* R[n] = g_t + g_y y' in the rows of constraints g(t, y, p) = 0 that have to be differentiated once (index 2), 0 in the
       others, and its tangent in y, y', p: for consistent initial values.  NULL: by differences. */
    tansy_residual_value *constraint_rate;
    tansy_residual_tangent *constraint_rate_tangent;
    /* sign[n]: 1 y_i >= 0, 2 y_i > 0, -1 and -2 with <=, <; 0: any.  A step that breaks one is repeated with a smaller h.
       An initial value that breaks >= or <= by a tenth of its tolerance, as rounding does, is 0. */
    const int *sign;

    tansy_pattern jacobian_pattern; /* with TANSY_SPARSE: of df/dy; of dF/dy and dF/dy' as one */
    tansy_precondition_prepare *precondition_prepare; /* for the linear solver gmres */
    tansy_precondition_solve *precondition_solve;

    size_t nq; /* derived quantities, see tansy_derived_at() */
    tansy_derived *derived;
    tansy_residual_tangent *derived_tangent; /* NULL: by differences */

    double operations
        [4]; /* arithmetic operations of f, df/dy, df/dp and one column of .tangent, for the automatic
                 choice of the corrector and of tangent or matrices; 0: not known */
    /* equation_names[n], of the rows of an implicit problem, for messages; kept by reference */
    const char *const *equation_names;

    /* For methods that use df/dy in their formulas (Rosenbrock): of y' = f; of B y' = f, there of f alone; of F = 0 with
       .mass_constant, there of F as it stands. */
    tansy_second
        *second; /* NULL: differences of the tangent, else of df/dy or dF/dy, else of f or F */
    tansy_time_derivative *time_derivative; /* NULL: differences */
    int autonomous; /* 1: df/dt = 0; then .time_derivative is not called, and .second with tau = 0 */
    /* Called by tansy_create() on its own copy when the method needs .second or .time_derivative and they are not there, to
       fill them in, and to raise .scratch if they need more; once a solver, by the thread that creates it.  Returns 0, or a
       negative value: no memory.  Models have it: they compile second derivatives only when they are asked for. */
    int (*complete)(struct tansy_problem *problem);
    /* 1: B that varies (.mass_varies, .mass_tangent), or dF/dy' of F that is linear in y', depends on p alone: rosenbrock and limex need
       to know. */
    int mass_constant;
    tansy_initial_corner *initial_corner; /* for a warning in the report; models have it */
    /* active_from[np]: nothing depends on p_k before this time (the level of a control of a later interval); -inf: it acts from the
       beginning; NULL: all do.  Its columns are exactly 0 until then and cost nothing up to the break time, or the beginning,
       just before it: .break_times should have it.  See docs/controls.md. */
    const double *active_from;
    /* 1: F of .residual is linear in y', F = B(t, y, p) y' - f(t, y, p): limex needs to know.  Models know; .mass_constant says it too. */
    int rate_linear;
    /* NULL: rtol |v| + atol.  Columns with rtol_column take its share of rtol; rtol_sens and atol_sens come before it.  The options rtol and
       atol still say what counts as zero and how accurate differences have to be: choose them alike. */
    tansy_error_weights *error_weights;
    /* control[np]: the number, from 1, of the control that p_k is a level of; 0: of none; NULL: none is one.  Levels of one control, which stand side by
       side, have one scale where none is given: the largest level, or when all are 0 the widest range of their .bound. */
    const int *control;
    /* vanishing[n]: 1 where all coefficients of y_i' may be 0, for values of p, at a start or in a piece, eps z' = x - z at eps = 0.  As a run or a piece begins so, the
       component is algebraic there, whatever .kind says.  They must not depend on y'.  Models know; NULL: with .kind none, without it all if F is linear in y'. */
    const char *vanishing;
    /* What f or F has of time alone, so that no pulse is stepped over; models have them.  0: none is known, see the option time_probes. */
    size_t time_terms;
    tansy_time_range *time_range; /* needed with .time_terms */
    int time_modes; /* 1: some depend on modes, or on the piece, or have kinks at break times */
} tansy_problem;

#ifdef __cplusplus
}
#endif
#endif
