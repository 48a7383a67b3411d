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

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* f[n] = f(t, y, p). */
typedef int tansy_rhs(double t, const double *y, const double *p, double *f, void *context);

/* The Jacobian df/dy.  J comes zeroed; set the entries that are not zero.
   Dense:  J[i*n + j] = df_i/dy_j.
   Banded: J[i*(lower + upper + 1) + j - i + lower] = df_i/dy_j for i - lower <= j <= i + upper. */
typedef int tansy_jacobian(double t, const double *y, const double *p, double *J, void *context);

/* Both with .structure = TANSY_SPARSE: J[e] is the entry at (row[e], column[e]) of .jacobian_pattern. */

/* F[n] = F(t, y, y', p), which is to be zero. */
typedef int tansy_residual_value(double t, const double *y, const double *yp, const double *p,
                                 double *F, void *context);

/* dF/dy, or dF/dy', laid out as tansy_jacobian says; both in the same structure and pattern. */
typedef int tansy_residual_jacobian(double t, const double *y, const double *yp, const double *p,
                                    double *J, void *context);

/* dF/dp, laid out as tansy_parameter_jacobian says. */
typedef int tansy_residual_parameter(double t, const double *y, const double *yp, const double *p,
                                     double *F, void *context);

/* R = (dF/dy) V + (dF/dy') Vp + (dF/dp) U, laid out as tansy_tangent has it; Vp as V. */
typedef int tansy_residual_tangent(double t, const double *y, const double *yp, const double *p,
                                   size_t columns, size_t ld, const double *V, const double *Vp,
                                   const double *U, double *R, void *context);

/* B(t, y, p), laid out as tansy_jacobian says. */
typedef int tansy_mass(double t, const double *y, const double *p, double *B, void *context);

/* R = (d(B u)/dy) V + (d(B u)/dp) U for a given vector u[n], laid out as tansy_tangent has it. */
typedef int tansy_mass_tangent(double t, const double *y, const double *p, const double *u,
                               size_t columns, size_t ld, const double *V, const double *U,
                               double *R, void *context);

/* A preconditioner P near W = c dF/dy' + dF/dy (or c B - df/dy + ..., c I - df/dy): prepare() evaluates and factors it,
   solve() overwrites X[i*ld + k], k < columns, by P^-1 X.  solve() returns > 0 when it fails: the step is tried again
   with P prepared anew, then smaller.  yp is NULL for y' = f. */
typedef int tansy_precondition_prepare(double t, const double *y, const double *yp, const double *p,
                                       double c, void *context);
typedef int tansy_precondition_solve(double t, const double *y, const double *yp, const double *p,
                                     double c, size_t columns, size_t ld, double *X, void *context);

/* Derived quantities Q[nq] at (t, y, y', p), and their tangents (dQ/dy) V + (dQ/dy') Vp + (dQ/dp) U in R[q*ld + k]. */
typedef int tansy_derived(double t, const double *y, const double *yp, const double *p, double *Q,
                          void *context);

/* df/dp.  Without a pattern: F[i*np + k] = df_i/dp_k, n x np, zeroed on entry.
   With a pattern of nz entries: F[e] = df_i/dp_k for i = row[e], k = column[e]. */
typedef int tansy_parameter_jacobian(double t, const double *y, const double *p, double *F,
                                     void *context);

/* Tangents of many columns at once (the "seed matrix"):  R = (df/dy) V + (df/dp) U.
   V[i*ld + k], i < n; U[j*ld + k], j < np; R[i*ld + k], i < n; for the columns k < columns.
   Write R for k < columns only. */
typedef int tansy_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                          const double *V, const double *U, double *R, void *context);

/* y0[n] = y(t0) as a function of p. */
typedef int tansy_initial(double t0, const double *p, double *y0, void *context);

/* D[i*np + k] = d y0_i/d p_k, n x np, zeroed on entry. */
typedef int tansy_initial_jacobian(double t0, const double *p, double *D, void *context);

/* The switch functions g[switches] at (t, y, p).  Condition j holds where g_j >= 0.  They are looked at along every step, more
   densely where g is not smooth; an excursion to the other side that is much shorter than the step may still be passed
   over, unless .switch_range is given: then set the option max_step to less than the shortest one that matters, or put a
   break time into it. */
typedef int tansy_switch(double t, const double *y, const double *p, double *g, void *context);

/* Their tangents: gt[switches] = dg/dt, and G[j*ld + k] = (dg/dy) V + (dg/dp) U, laid out as tansy_tangent has it. */
typedef int tansy_switch_tangent(double t, const double *y, const double *p, size_t columns,
                                 size_t ld, const double *V, const double *U, double *gt, double *G,
                                 void *context);

/* A stretch of the solution: t, y and y' are within these bounds (y_low[n] etc.). */
typedef struct tansy_box {
    double t_low, t_high;
    const double *y_low, *y_high, *slope_low, *slope_high;
} tansy_box;

/* Arrays of [switches] to be filled, infinite where nothing is known. */
typedef struct tansy_bounds {
    double *low, *high, *rate_low, *rate_high;
} tansy_bounds;

/* Bounds of the switch functions over a box, low <= g <= high, and of their rates, rate_low <= g_t + g_y y' <= rate_high,
   as interval arithmetic gives them.  With these no change of sign of g along the dense output is passed over. */
typedef int tansy_switch_range(const tansy_box *box, const double *p, const tansy_bounds *bounds,
                               void *context);

/* What the functions get as context when .scratch > 0: one for every thread of a solver. */
typedef struct tansy_local {
    void *context;  /* the problem's */
    void *scratch;  /* .scratch bytes on a cache line, zeroed at creation, of this thread alone */
    size_t version; /* of p: another number whenever an entry of p has changed, never 0 */
} tansy_local;

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
    const double
        *directions; /* directions[k*(n + np) + j]: column k is S times this direction, first n
                                 entries along y(t0), then np along p; instead of .columns */
    const double
        *scale;     /* scale[np], typical size of p_k; 0: abs(p_k), or when p_k = 0 the range of
                            its .bound, else 1 */
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
    size_t breaks;
    const double
        *break_times; /* break_times[breaks], rising: the solver stops and starts anew there */

    /* Names for messages, kept by reference; NULL: numbers are used. */
    const char *const *state_names;     /* state_names[n] */
    const char *const *parameter_names; /* parameter_names[np], with state_names */
    const char *const *switch_names;    /* switch_names[switches] */

    int prefer_matrix; /* 1: df/dy times panel plus df/dp is cheaper than .tangent */
    int from_model; /* 1: the report says "model" instead of "given"; set by tansy_model_problem() */
    size_t scratch; /* bytes of memory for the functions, see tansy_local */
    const double *
        bound; /* bound[2*np]: lower and upper bound of p_k (infinite: none), for its scale when p_k = 0 */
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
    const double *yp0; /* yp0[n]: a first guess of y'(t0); NULL: 0.  Kept where it is consistent */
    const tansy_kind *kind; /* kind[n] */
    const int
        *sign; /* sign[n]: 1 y_i >= 0, 2 y_i > 0, -1 and -2 with <=, <; 0: any.  A step that breaks
                        one of these is repeated with a smaller h */

    tansy_pattern
        jacobian_pattern; /* with TANSY_SPARSE: of df/dy, or of dF/dy and dF/dy' together */
    tansy_precondition_prepare *precondition_prepare; /* for the linear solver gmres */
    tansy_precondition_solve *precondition_solve;

    size_t nq; /* derived quantities, see tansy_derived_at() */
    tansy_derived *derived;
    tansy_residual_tangent *derived_tangent; /* NULL: by differences */

    double operations
        [4]; /* arithmetic operations of f, df/dy, df/dp and one column of .tangent, for the automatic
                 choice of the corrector and of tangent or matrices; 0: not known */
} tansy_problem;

#ifdef __cplusplus
}
#endif
#endif
