/* SPDX-License-Identifier: Apache-2.0 */
/* What can be chosen.  Use designated initialisers: zero in a field means its default, which the comment
   states.  Options can also be set by name, as the program does (tansy_option_set). */
#ifndef TANSY_OPTIONS_H
#define TANSY_OPTIONS_H

#include <stddef.h>
#include <tansy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tansy_method {
    TANSY_METHOD_AUTO =
        0, /* y' = f: rk8, or bdf as soon as and as long as it is stiff; small B y' = f with constant B and exact derivatives: rosenbrock; else dassl */
    TANSY_ADAMS, /* implicit Adams formulas, orders 1 to 12: problems that are not stiff */
    TANSY_BDF,   /* backward differentiation formulas, orders 1 to 5: stiff problems */
    TANSY_DASSL, /* the same with fixed leading coefficient (DASSL): implicit problems, and all others */
    TANSY_RK8, /* explicit Runge-Kutta formulas of order 8: smooth problems that are not stiff */
    TANSY_ROSENBROCK, /* Rosenbrock formulas of order 4 or 5: stiff problems, B y' = f with constant B */
    TANSY_LIMEX /* extrapolated linearly implicit Euler, orders 2 to 8: the same problems, and .mass that varies */
} tansy_method;

/* The formulas of the one-step methods. */
typedef enum tansy_formula {
    TANSY_FORMULA_AUTO = 0, /* dop853 of rk8, rodas5p of rosenbrock */
    TANSY_DOP853,           /* order 8, error from orders 5 and 3, dense output of order 7 */
    TANSY_DOPRI8,           /* order 8(7) of Prince and Dormand, 13 stages (DOPRI8S) */
    TANSY_RODAS5P,          /* order 5(4), 8 stages, stiffly accurate */
    TANSY_RODAS4,           /* order 4(3), 6 stages, stiffly accurate */
    TANSY_GRK4A,            /* order 4(3) of Kaps and Rentrop, A-stable (GRK4AS) */
    TANSY_GRK4T             /* the same with smaller error constants */
} tansy_formula;

/* Second derivatives in the exact tangents of Rosenbrock steps. */
typedef enum tansy_second_derivatives {
    TANSY_SECOND_AUTO = 0,    /* the problem's or the model's, else differences */
    TANSY_SECOND_DIFFERENCES, /* differences of tangents */
    TANSY_SECOND_NEGLECTED    /* left out, as by Franz and Kiehl: S loses order */
} tansy_second_derivatives;

typedef enum tansy_sensitivities {
    TANSY_SENSITIVITIES_AUTO =
        0, /* the cheapest by the cost model of Li, Petzold and Zhu on counts, if it saves 5 % of staggered */
    TANSY_SIMULTANEOUS, /* one corrector iteration for state and columns together; limex: row by row together */
    TANSY_STAGGERED, /* the state first, then the columns by iteration with old factors; limex: with those kept */
    TANSY_DIRECT,    /* the state first, then one linear solve with fresh factors (ODESSA) */
    TANSY_NONE,      /* the state only */
    TANSY_MEASURED,  /* the cheapest by the same model with costs clocked in the first steps */
    TANSY_TANGENT,   /* one-step methods: the exact derivative of the discrete step */
    TANSY_DIFFERENCE /* one-step methods: internal numerical differentiation (Franz and Kiehl) */
} tansy_sensitivities;

typedef enum tansy_error_control {
    TANSY_EACH_COLUMN = 0, /* the state and every column pass an error test of their own (4.13) */
    TANSY_STATE_ONLY,      /* only the state is tested */
    TANSY_ALL_AS_ONE       /* one test of the vector of everything (4.14) */
} tansy_error_control;

typedef enum tansy_norm { TANSY_RMS = 0, TANSY_MAX } tansy_norm;

typedef enum tansy_linear_solver {
    TANSY_LINEAR_AUTO = 0, /* as the problem's .structure says; diagonal for adams without direct */
    TANSY_DENSE_LU,
    TANSY_BAND_LU,
    TANSY_DIAGONAL, /* functional iteration, no Jacobian: for adams */
    TANSY_SPARSE_LU,
    TANSY_GMRES /* Krylov iteration with .preconditioner */
} tansy_linear_solver;

typedef enum tansy_preconditioner {
    TANSY_PRECONDITIONER_AUTO =
        0, /* the problem's own, else ilu if sparse or implicit, band if banded, else none */
    TANSY_NO_PRECONDITIONER,
    TANSY_USER_PRECONDITIONER, /* the problem's .precondition_prepare and .precondition_solve */
    TANSY_BAND_PRECONDITIONER, /* the band .preconditioner_lower, _upper of W */
    TANSY_ILU_PRECONDITIONER,  /* incomplete LU on the pattern of W */
    TANSY_BLOCK_PRECONDITIONER /* diagonal blocks of .preconditioner_block rows */
} tansy_preconditioner;

typedef enum tansy_side {
    TANSY_SIDE_AUTO =
        0, /* right for y' = f, left for implicit problems, whose equations have units of their own */
    TANSY_LEFT, /* DASPK's: the preconditioned residual is tested */
    TANSY_RIGHT /* the residual itself is tested: equations must be scaled as y'; left where rows of dF/dy' have several entries */
} tansy_side;

typedef enum tansy_residual {
    TANSY_RESIDUAL_AUTO = 0, /* tangent if given, else matrix, else differences, by cost */
    TANSY_SEED,              /* the problem's .tangent */
    TANSY_MATRIX,            /* df/dy times panel plus df/dp */
    TANSY_DIFFERENCES        /* directional differences of f */
} tansy_residual;

typedef enum tansy_difference {
    TANSY_DIFFERENCE_AUTO =
        0, /* as accurate as the tolerance needs: forward, central, fourth order */
    TANSY_FORWARD,
    TANSY_CENTRAL,
    TANSY_FOURTH_ORDER
} tansy_difference;

#define TANSY_NO_ATOL   (-1.0) /* .atol: purely relative tolerance */
#define TANSY_AUTO_ATOL (-2.0) /* atol_i is 1e-3 rtol_i times the largest abs(y_i) so far */

/* An entry of an error weight is rtol*abs(value) + atol.  Arrays are copied by tansy_create(). */
typedef struct tansy_options {
    tansy_method method;
    tansy_sensitivities sensitivities;
    tansy_error_control error_control;
    tansy_norm norm;
    tansy_linear_solver linear_solver;
    tansy_residual residual;
    tansy_difference difference;
    double difference_increment; /* relative; 0: chosen by the order of the difference formula */

    double rtol;              /* 1e-6 */
    double atol;              /* TANSY_AUTO_ATOL; TANSY_NO_ATOL: none */
    const double *rtol_state; /* rtol_state[n] instead of rtol; NULL: rtol */
    const double *atol_state; /* atol_state[n] instead of atol, TANSY_AUTO_ATOL too; 0 is none */
    const double *
        rtol_column; /* rtol_column[ns], which scales atol alike; an entry 0, or NULL: as the state */
    const double *rtol_sens; /* rtol_sens[k*n + i], literal, instead of the above */
    const double *
        atol_sens; /* atol_sens[k*n + i], literal; NULL: atol_i / scale of the column, times rtol_column/rtol where given */

    int max_order; /* 12 for adams, 5 for bdf and dassl, 7 for limex, which are also the largest allowed; rk8 and rosenbrock: 0 */
    double first_step; /* abs(h) of the first step; 0: chosen */
    double min_step;   /* abs(h) is not below, but just before a stop time; 0: as roundoff allows */
    double max_step;   /* abs(h) is never above; 0: no limit, see time_probes */
    size_t max_steps;  /* steps for one call of tansy_solve; 0: 100000 */
    int use_stop_time; /* 1: f is never evaluated beyond stop_time */
    double stop_time;
    int threads; /* over panels of columns; 0: 1 */

    int suppress_algebraic; /* 1: algebraic components take no part in the error tests of y and S */
    double
        initial_tolerance; /* of consistent initial values, in units of the error weights; 0: 0.01 */
    int keep_initial; /* 1: the given y0, yp0 (and S) are taken as they are, but for y' of algebraic components; an error if they are
                         inconsistent */

    tansy_preconditioner preconditioner; /* of gmres */
    tansy_side precondition_side;
    size_t krylov_dimension;  /* MAXL: directions before a restart; 0: 20, at most n */
    size_t krylov_orthogonal; /* KMP: new directions are made orthogonal to so many; 0: to all */
    size_t krylov_restarts;   /* 0: 5 */
    double
        krylov_tolerance; /* EPLI: linear residual as a share of the corrector's tolerance; 0: 0.5, or 0.05 if left */
    size_t preconditioner_lower,
        preconditioner_upper;    /* of the band; 0, 0: the problem's, else diagonal */
    size_t preconditioner_block; /* rows in a block; 0: 1 */

    tansy_formula formula; /* of rk8 and rosenbrock */
    tansy_second_derivatives
        second_derivatives; /* of rosenbrock and limex with exact tangents; elsewhere it does nothing, and the report says so */
    int substeps; /* of the state in every step of rk8 or rosenbrock, for a more accurate y around which S is
                     differentiated (Franz and Kiehl 2.4); 0, 1: none; -1: by the tolerances of y and S, and fewer in
                     steps where the error of y allows it */

    /* Of limex; with other methods sparsing is refused, and the others do nothing, as the report says. */
    size_t
        memory_limit; /* bytes for factors and states of its rows, which staggered keeps for the columns; if they need more,
                            simultaneous is taken, and the report says so; 0: no limit */
    double
        sparsing; /* sparse linear solver: what entries of h df/dy that are left out of the factors may amount to in a row, in
                        units of the error weights (dynamic sparsing, Nowak 1993), such as 0.01; 0: none is left out */
    int full_tableau; /* 1: columns go through all rows of the state; 0: panel after panel they leave the
                         extrapolation when all columns of the panel have met a quarter of their tolerance */

    /* Of multistep methods; the limits of failures also of others. */
    int max_newton; /* corrector iterations of a step, at least 2; 0: 4, of simultaneous 6 */
    double
        newton_tolerance; /* share of the error tolerance, divided by order + 2, that the iteration may leave in y; a fifth of it in
                             S; 0: 0.1 */
    int max_error_failures;       /* error tests failed in one step; 0: 30 with the next */
    int max_convergence_failures; /* other failures in one step, those that new factors help apart */

    /* f is looked at, for fixed y, at so many times or more of those ahead (to the next output, else twice as far as the run has come; no farther than stop_time), and
       no step passes a pulse that these show.  0: none; a pulse may be stepped over, but for those of models, which tell them (.time_range). */
    size_t time_probes;
} tansy_options;

/* Sets one option by name from text, "rtol", "1e-8".  On error TANSY_BAD_OPTION with a sentence in
   message[size] that says what would be right. */
TANSY_API tansy_status tansy_option_set(tansy_options *options, const char *name, const char *value,
                                        char *message, size_t size);

/* Checks all options on their own (without a problem); as above. */
TANSY_API tansy_status tansy_options_check(const tansy_options *options, char *message,
                                           size_t size);

/* Writes a table of all options, one a line with values, default and meaning, into text[size], as
   snprintf does: returns the length needed. */
TANSY_API size_t tansy_options_help(char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
