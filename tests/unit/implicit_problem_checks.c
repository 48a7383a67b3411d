/* SPDX-License-Identifier: Apache-2.0 */
/* Problems and options that do not fit together: implicit forms, sparse patterns, Krylov iteration.  Each message names what would be
   right. */
#include "linear/linear.h"
#include "support/sparse_solver.h"
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

enum { N = 2 };
static const double p[] = {1}, y0[] = {1, 1};

/* x' = -p z, z = x. */
static int residual(double t, const double *y, const double *yp, const double *q, double *F,
                    void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + q[0] * y[1];
    F[1] = y[1] - y[0];
    return 0;
}

static int rhs(double t, const double *y, const double *q, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -q[0] * y[1];
    f[1] = y[1] - y[0];
    return 0;
}

/* Functions that are never called. */
static int matrix(double t, const double *y, const double *yp, const double *q, double *J,
                  void *context)
{
    (void)t, (void)y, (void)yp, (void)q, (void)J, (void)context;
    return -1;
}

static int jacobian(double t, const double *y, const double *q, double *J, void *context)
{
    (void)t, (void)y, (void)q, (void)J, (void)context;
    return -1;
}

static int mass_tangent(double t, const double *y, const double *q, const double *u, size_t columns,
                        size_t ld, const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)y, (void)q, (void)u, (void)columns, (void)ld, (void)V, (void)U, (void)R;
    (void)context;
    return -1;
}

static tansy_problem implicit(void)
{
    return (tansy_problem){.n = N, .np = 1, .y0 = y0, .p = p, .residual = residual};
}

static tansy_problem explicit_form(void)
{
    return (tansy_problem){.n = N, .np = 1, .y0 = y0, .p = p, .rhs = rhs};
}

static void refused(const tansy_problem *problem, const tansy_options *options, tansy_status status,
                    const char *part)
{
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_error(s), status);
    CHECK_TEXT_CONTAINS(tansy_message(s), part);
    tansy_free(s);
}

TEST(forms_that_exclude_each_other_are_refused)
{
    tansy_problem q = implicit();
    q.rhs = rhs;
    refused(&q, NULL, TANSY_BAD_PROBLEM, "together with .rhs or .mass");
    q = implicit();
    q.mass = jacobian;
    refused(&q, NULL, TANSY_BAD_PROBLEM, "together with .rhs or .mass");
    q = explicit_form();
    q.mass_tangent = mass_tangent;
    refused(&q, NULL, TANSY_BAD_PROBLEM, ".mass_tangent is given without .mass");
    q = explicit_form();
    q.rate_jacobian = matrix;
    refused(&q, NULL, TANSY_BAD_PROBLEM, ".residual is NULL");
    q = implicit();
    q.jacobian = jacobian;
    refused(&q, NULL, TANSY_BAD_PROBLEM, "not the derivatives of .rhs");
    q = implicit();
    q.residual_jacobian = matrix;
    refused(&q, NULL, TANSY_BAD_PROBLEM, "given together or not at all");
}

TEST(first_derivatives_are_finite)
{
    static const double yp0[] = {0, HUGE_VAL};
    tansy_problem q = implicit();
    q.yp0 = yp0;
    refused(&q, NULL, TANSY_BAD_PROBLEM, "yp0[1] = inf is not finite");
}

TEST(patterns_that_make_no_sense_are_refused)
{
    static const size_t row[] = {0, 1, 1}, outside[] = {0, 2, 1}, twice[] = {0, 1, 1},
                        column[] = {1, 1, 0};
    tansy_problem q = implicit();
    q.structure = TANSY_SPARSE;
    q.jacobian_pattern = (tansy_pattern){.entries = 3, .row = row};
    refused(&q, NULL, TANSY_BAD_PROBLEM, ".jacobian_pattern needs entries, row and column");
    q.jacobian_pattern = (tansy_pattern){.entries = 3};
    refused(&q, NULL, TANSY_BAD_PROBLEM, ".jacobian_pattern needs entries, row and column");
    q.jacobian_pattern = (tansy_pattern){.entries = 3, .row = outside, .column = column};
    refused(&q, NULL, TANSY_BAD_PROBLEM, "entry 1 of .jacobian_pattern is (2, 1), outside 2 x 2");
    q.jacobian_pattern = (tansy_pattern){.entries = 3, .row = twice, .column = row};
    refused(&q, NULL, TANSY_BAD_PROBLEM, "entries 1 and 2 of .jacobian_pattern are both (1, 1)");
    q = explicit_form();
    q.structure = TANSY_SPARSE;
    q.jacobian = jacobian;
    refused(&q, NULL, TANSY_BAD_PROBLEM, "with given matrices needs .jacobian_pattern");
}

TEST(linear_solvers_that_do_not_fit_are_refused)
{
    tansy_problem const q = explicit_form(), i = implicit();
    tansy_options o = {.method = TANSY_BDF, .linear_solver = TANSY_SPARSE_LU};
    refused(&q, &o, TANSY_BAD_OPTION, "needs a problem with .structure = TANSY_SPARSE");
    o.linear_solver = TANSY_GMRES;
    o.preconditioner = TANSY_USER_PRECONDITIONER;
    refused(&q, &o, TANSY_BAD_OPTION, "needs the problem's .precondition_solve");
    o.preconditioner = TANSY_BAND_PRECONDITIONER;
    o.preconditioner_upper = N;
    refused(&q, &o, TANSY_BAD_OPTION, "widths 0 and 2 must be below n = 2");
    refused(&i, &(tansy_options){.linear_solver = TANSY_GMRES, .preconditioner = 1},
            TANSY_BAD_OPTION, "choose ilu, band, block or user");
}

static int no_preconditioner(double t, const double *y, const double *yp, const double *q, double c,
                             size_t columns, size_t ld, double *X, void *context)
{
    (void)t, (void)y, (void)yp, (void)q, (void)c, (void)columns, (void)ld, (void)X, (void)context;
    return 0; /* P = 1 */
}

static int prepare(double t, const double *y, const double *yp, const double *q, double c,
                   void *context)
{
    (void)t, (void)y, (void)yp, (void)q, (void)c, (void)context;
    return 0;
}

/* x' + z' and x' - z' in one equation each: nothing says which component is algebraic. */
static int mixed(double t, const double *y, const double *yp, const double *q, double *F,
                 void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + yp[1] + q[0] * y[0];
    F[1] = yp[0] - yp[1] + y[1];
    return 0;
}

TEST(without_matrices_kinds_must_be_known)
{
    tansy_problem q = implicit();
    tansy_options const o = {.linear_solver = TANSY_GMRES,
                             .preconditioner = TANSY_USER_PRECONDITIONER};
    q.residual = mixed;
    q.precondition_prepare = prepare;
    q.precondition_solve = no_preconditioner;
    refused(&q, &o, TANSY_BAD_PROBLEM, "needs .kind, or equations with one derivative each");
}

enum { ROWS = 6 };
/* x' = 0 and a chain of algebraic equations, 10^i z_i = z_{i-1}: y = 0 is consistent for p = 0, the columns are not. */
static int chain(double t, const double *y, const double *yp, const double *q, double *F,
                 void *context)
{
    (void)t, (void)context;
    F[0] = yp[0];
    for (int i = 1; i < ROWS; i++)
        F[i] = pow(10, i) * y[i] - y[i - 1] - (i + 1 < ROWS ? 3 * y[i + 1] : q[0]);
    return 0;
}

TEST(columns_that_krylov_iteration_cannot_find_are_said_so)
{
    static const double zero[ROWS] = {0}, none[] = {0}, one[] = {1};
    static const tansy_kind kind[ROWS] = {TANSY_DIFFERENTIAL, TANSY_ALGEBRAIC, TANSY_ALGEBRAIC,
                                          TANSY_ALGEBRAIC,    TANSY_ALGEBRAIC, TANSY_ALGEBRAIC};
    tansy_problem const q = {.n = ROWS,
                             .np = 1,
                             .y0 = zero,
                             .p = none,
                             .scale = one,
                             .kind = kind,
                             .residual = chain,
                             .precondition_prepare = prepare,
                             .precondition_solve = no_preconditioner};
    tansy_options const o = {.linear_solver = TANSY_GMRES,
                             .preconditioner = TANSY_USER_PRECONDITIONER,
                             .krylov_dimension = 1,
                             .krylov_restarts = 1};
    refused(&q, &o, TANSY_INCONSISTENT, "no consistent initial values of dy/dp_0 found");
}

enum { MANY = 2002 };
/* Pairs of equations with the same derivatives, x' + z' = -x and x' + z' = -2 x: dF/dy' is singular without a zero column. */
static int pairs(double t, const double *y, const double *yp, const double *q, double *F,
                 void *context)
{
    (void)t, (void)q, (void)context;
    for (int i = 0; i < MANY; i += 2) {
        F[i] = yp[i] + yp[i + 1] + y[i];
        F[i + 1] = yp[i] + yp[i + 1] + 2 * y[i];
    }
    return 0;
}

TEST(large_systems_with_coupled_derivatives_are_said_to_be_so)
{
    static double many[MANY];
    tansy_problem const q = {.n = MANY,
                             .np = 1,
                             .y0 = many,
                             .p = p,
                             .residual = pairs,
                             .structure = TANSY_BANDED,
                             .lower = 1,
                             .upper = 1};
    refused(&q, &(tansy_options){.sensitivities = TANSY_NONE}, TANSY_HIGH_INDEX,
            "is looked into for up to 2000 equations only");
}

/* 0 = c (z - 2 t) with c next to the largest number: z' cannot be had from differences, and starts flat. */
static int steep(double t, const double *y, const double *yp, const double *q, double *F,
                 void *context)
{
    (void)q, (void)context;
    F[0] = yp[0] + y[0];
    F[1] = 1.7e308 * (y[1] - 2 * t);
    return 0;
}

TEST(rates_that_overflow_are_left_out)
{
    static const double start[] = {1, 0};
    double yp[N] = {7, 7};
    tansy_problem q = implicit();
    q.residual = steep;
    q.y0 = start;
    tansy_solver *const s = tansy_create(&q, &(tansy_options){.sensitivities = TANSY_NONE});
    CHECK_EQUAL(tansy_initialise(s, NULL, yp, NULL, NULL), TANSY_OK);
    CHECK_CLOSE(yp[0], -1, 1e-8);
    CHECK_CLOSE(yp[1], 0, 0);
    tansy_free(s);
}

/* z^2 = 1 until x = 0.5, then z^2 = -1. */
TEST(a_branch_without_consistent_values_is_named)
{
    static const char text[] = "parameter k = 1\nstate x = 1\nalgebraic z = 1\nx' = -k*z\n"
                               "0 = if x > 0.5 then z^2 - 1 else z^2 + 1\n";
    double y[N];
    tansy_problem problem;
    tansy_model *const m = tansy_model_parse(text, sizeof text - 1, "test");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){0});
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_INCONSISTENT);
    CHECK_TEXT_CONTAINS(tansy_message(s), "starting anew: no consistent");
    CHECK_CLOSE(tansy_time(s), 0.5, 1e-5);
    tansy_free(s);
    tansy_model_free(m);
}

/* B y' = f with B = diag(1, 0) on the pattern {(0, 0), (1, 1), (1, 0)}; from the third call on the last entry of df/dy is not a
   number where the test wants it. */
struct user {
    bool breaks;
    int calls;
};

static int sparse_mass(double t, const double *y, const double *q, double *B, void *context)
{
    (void)t, (void)y, (void)q, (void)context;
    B[0] = 1;
    return 0;
}

static int sparse_jacobian(double t, const double *y, const double *q, double *J, void *context)
{
    struct user *const user = context;
    (void)t, (void)y;
    J[0] = -q[0];
    J[1] = 1;
    J[2] = user->breaks && ++user->calls >= 1 ? (double)NAN : -1;
    return 0;
}

static int fading(double t, const double *y, const double *q, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -q[0] * y[0];
    f[1] = y[1] - y[0];
    return 0;
}

static tansy_problem sparse_problem(struct user *user)
{
    static const size_t row[] = {0, 1, 1}, column[] = {0, 1, 0};
    return (tansy_problem){.n = N,
                           .np = 1,
                           .y0 = y0,
                           .p = p,
                           .rhs = fading,
                           .jacobian = sparse_jacobian,
                           .mass = sparse_mass,
                           .structure = TANSY_SPARSE,
                           .jacobian_pattern = {.entries = 3, .row = row, .column = column},
                           .context = user};
}

/* y = z = e^(-p t), by factors and by Krylov iteration with J and B as they are. */
TEST(a_sparse_mass_matrix_is_taken_by_all_linear_solvers)
{
    static const tansy_linear_solver solvers[] = {TANSY_DENSE_LU, TANSY_GMRES, TANSY_SPARSE_LU};
    int const all = sparse_solver_is_there("sparse factors of c M - A") ? 3 : 2;
    for (int k = 0; k < all; k++) {
        struct user user = {.breaks = false};
        tansy_problem const problem = sparse_problem(&user);
        tansy_options const options = {.rtol = 1e-8, .linear_solver = solvers[k]};
        double y[N], S[N];
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
        for (int i = 0; i < N; i++) {
            CHECK_CLOSE(y[i], exp(-1), 100 * 1e-8);
            CHECK_CLOSE(S[i], -exp(-1), 100 * 1e-8);
        }
        tansy_free(s);
    }
}

/* Asked for by name it is refused where it was not built; auto then takes dense factors, and the report says why. */
TEST(a_sparse_solver_that_was_not_built_is_not_promised)
{
    struct user user = {.breaks = false};
    tansy_problem const problem = sparse_problem(&user);
    char text[4096];
    tansy_solver *s = tansy_create(&problem, &(tansy_options){.linear_solver = TANSY_SPARSE_LU});
    CHECK_EQUAL(tansy_error(s), linear_sparse ? TANSY_OK : TANSY_BAD_OPTION);
    if (!linear_sparse)
        CHECK_TEXT_CONTAINS(tansy_message(s), "without SuiteSparse's KLU; choose dense or gmres");
    tansy_free(s);
    s = tansy_create(&problem, &(tansy_options){.method = TANSY_DASSL});
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    (void)tansy_report(s, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, linear_sparse ? "linear solver  sparse_lu\n"
                                            : "linear solver  dense_lu, for this library was "
                                              "built without SuiteSparse's KLU\n");
    tansy_free(s);
}

TEST(an_entry_of_a_sparse_matrix_that_is_not_finite_is_named)
{
    struct user user = {.breaks = true};
    tansy_problem const problem = sparse_problem(&user);
    refused(&problem, &(tansy_options){.sensitivities = TANSY_NONE}, TANSY_NOT_FINITE,
            "jacobian gave NaN in row 1, column 0");
}
