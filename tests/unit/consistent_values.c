/* SPDX-License-Identifier: Apache-2.0 */
/* Consistent initial values: y', algebraic y, S and S' at t0 from rough guesses, against closed forms; the values that are given
   stay. */
#include "support/problems.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

/* y' = -a y, 0 = z^2 - b y, y(0) = c, p = (a, b, c):  y = c e^(-a t), z = sqrt(b c) e^(-a t/2). */
static int root_residual(double t, const double *y, const double *yp, const double *p, double *F,
                         void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + p[0] * y[0];
    F[1] = y[1] * y[1] - p[1] * y[0];
    return 0;
}

static int root_initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0;
    y0[0] = p[2];
    y0[1] = *(const double *)context; /* a guess */
    return 0;
}

/* The closed form at t = 0: columns of y, z, y', z'. */
static void root_exact(const double *p, double *y, double *yp, double sens[3][2],
                       double sensp[3][2])
{
    double const a = p[0], b = p[1], c = p[2], z = sqrt(b * c);
    double const dz[3] = {0, c / (2 * z), b / (2 * z)};
    y[0] = c, y[1] = z;
    yp[0] = -a * c, yp[1] = -a * z / 2;
    for (int k = 0; k < 3; k++) {
        sens[k][0] = k == 2;
        sens[k][1] = dz[k];
        sensp[k][0] = k == 0 ? -c : k == 2 ? -a : 0;
        sensp[k][1] = k == 0 ? -z / 2 : -a / 2 * dz[k];
    }
}

/* Algebraic values to 0.01 of the weights by Newton's last step, whose square is left; rates of algebraic components by central differences
   with a span of 6e-6: their truncation 1e-10 and rounding 1e-10 are multiplied by the condition, below 10 here. */
TEST(algebraic_values_and_their_columns_are_found_from_rough_guesses)
{
    static const double p[3] = {0.7, 2.5, 1.5};
    static const double guesses[] = {0.05, 1, 30};
    double y[2], yp[2], exact[2], slope[2], s[3][2], sp[3][2], S[3][2], Sp[3][2];
    root_exact(p, exact, slope, S, Sp);
    for (size_t g = 0; g < 3; g++) {
        double guess = guesses[g];
        tansy_problem const problem = {.n = 2,
                                       .np = 3,
                                       .p = p,
                                       .residual = root_residual,
                                       .initial = root_initial,
                                       .context = &guess};
        tansy_solver *const solver =
            tansy_create(&problem, &(tansy_options){.rtol = 1e-8, .atol = 1e-8});
        CHECK_EQUAL(tansy_initialise(solver, y, yp, *s, *sp), TANSY_OK);
        CHECK(y[0] == p[2]);
        CHECK_CLOSE(y[1], exact[1], 1e-14);
        for (int i = 0; i < 2; i++) CHECK_CLOSE(yp[i], slope[i], i ? 1e-8 : 1e-12);
        for (int k = 0; k < 3; k++) {
            CHECK_CLOSE(s[k][0], S[k][0], 1e-9); /* dy0/dp by differences, here of order four */
            CHECK_CLOSE(s[k][1], S[k][1], 1e-8);
            CHECK_CLOSE(sp[k][0], Sp[k][0], 1e-8);
            CHECK_CLOSE(sp[k][1], Sp[k][1], 1e-6); /* a difference of differences */
        }
        tansy_free(solver);
    }
}

/* The negative root is consistent too: it is kept where it is given. */
TEST(consistent_values_are_kept)
{
    static const double p[3] = {0.7, 2.5, 1.5};
    double guess = -sqrt(2.5 * 1.5), y[2];
    tansy_problem const problem = {.n = 2,
                                   .np = 3,
                                   .p = p,
                                   .residual = root_residual,
                                   .initial = root_initial,
                                   .context = &guess};
    tansy_options const options = {.rtol = 1e-6, .atol = 1e-8, .keep_initial = 1};
    tansy_solver *const solver = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(solver, 0, y, NULL), TANSY_OK);
    CHECK_CLOSE(y[1], guess, 2 * DBL_EPSILON * fabs(guess));
    tansy_free(solver);
}

/* F = 0 and F_y S + F_y' S' + F_p U + F_y (initial values) = 0 at the values found, to the rounding of their terms. */
static void check_equations(const char *name, const double *y_moved, const size_t *moved,
                            size_t count)
{
    const struct test_problem *const it = problem_find(name);
    tansy_problem problem = it->problem;
    size_t const n = problem.n, ns = problem_columns(it), np = problem.np;
    double *const y0 = calloc(4 * n, sizeof(double)), *const y = y0 + n, *const yp = y + n,
                  *const F = yp + n;
    double *const S = calloc(3 * ns * n, sizeof(double)), *const Sp = S + ns * n;
    double *const V = calloc(4 * n + np + 1, sizeof(double)), *const R = V + n;
    memcpy(y0, problem.y0, n * sizeof *y0);
    for (size_t k = 0; k < count; k++) y0[moved[k]] = y_moved[k];
    problem.y0 = y0;
    if (count > 0) problem.initial = NULL, problem.initial_jacobian = NULL;
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-8, .atol = 1e-10});
    CHECK_EQUAL(tansy_initialise(s, y, yp, S, Sp), TANSY_OK);
    CHECK_EQUAL(problem.residual(problem.t0, y, yp, problem.p, F, problem.context), 0);
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(yp[i]));
    for (size_t i = 0; i < n; i++) CHECK_CLOSE(F[i], 0, 1e-11 * (1 + largest));
    double *const U = R + 2 * n;
    for (size_t k = 0; k < ns; k++) {
        double size = 0;
        memset(U, 0, np * sizeof *U);
        if (!problem.columns)
            U[k] = 1;
        else if (problem.columns[k] >= 0)
            U[problem.columns[k]] = 1;
        CHECK_EQUAL(problem.residual_tangent(problem.t0, y, yp, problem.p, 1, 1, S + k * n,
                                             Sp + k * n, U, R, problem.context),
                    0);
        for (size_t i = 0; i < n; i++) size = fmax(size, fabs(Sp[k * n + i]) + fabs(S[k * n + i]));
        for (size_t i = 0; i < n; i++) CHECK_CLOSE(R[i], 0, 1e-9 * (1 + size));
    }
    tansy_free(s);
    free(y0);
    free(S);
    free(V);
}

TEST(the_equations_and_those_of_the_columns_hold_at_the_values_found)
{
    check_equations("robertson_dae", NULL, NULL, 0);
    check_equations("robertson_dae", (const double[]){0.3}, (const size_t[]){2}, 1);
    check_equations("akzo_nobel", NULL, NULL, 0);
    check_equations("akzo_nobel", (const double[]){0.01}, (const size_t[]){5}, 1);
    check_equations("transistor", NULL, NULL, 0);
    check_equations("pendulum", NULL, NULL, 0);
    check_equations("heat_10", NULL, NULL, 0);
    check_equations("heat_10_sparse", (const double[]){0.5, -2}, (const size_t[]){0, 7}, 2);
    check_equations("batch_reactor", NULL, NULL, 0);
}

/* The amplifier's mass matrix is singular without a zero row.  What is fixed by it, the charges B y, must stay; what the equations say of the
   sums of its rows determines the rest. */
TEST(a_coupled_singular_matrix_keeps_its_charges)
{
    const struct test_problem *const it = problem_find("transistor");
    tansy_problem problem = it->problem;
    double y0[8], y[8], yp[8], F[8];
    memcpy(y0, problem.y0, sizeof y0);
    y0[1] += 0.1; /* 0 = (Ue - y1)/R0 + ... is broken now */
    y0[3] -= 0.2;
    problem.y0 = y0;
    problem.initial = NULL;
    problem.initial_jacobian = NULL;
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-8, .atol = 1e-10});
    CHECK_EQUAL(tansy_initialise(s, y, yp, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(problem.residual(0, y, yp, problem.p, F, problem.context), 0);
    for (int i = 0; i < 8; i++) CHECK_CLOSE(F[i], 0, 1e-14); /* currents of 1e-3 */
    static const int pair[][2] = {{0, 1}, {3, 4}, {6, 7}};
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(y[pair[k][1]] - y[pair[k][0]], y0[pair[k][1]] - y0[pair[k][0]], 1e-13);
    CHECK_CLOSE(y[2], y0[2], 1e-13);
    CHECK_CLOSE(y[5], y0[5], 1e-13);
    CHECK(fabs(y[1] - y0[1]) + fabs(y[0] - y0[0]) > 1e-3);
    tansy_free(s);
}

/* The multiplier of the pendulum, x5 = -g x2/p^2 and its derivative, from a guess that is wrong. */
enum { PENDULUM = 5 };

static int wrong_initial(double t0, const double *p, double *x, void *context)
{
    (void)t0, (void)context;
    x[0] = 0.5;
    x[1] = -sqrt(p[0] * p[0] - 0.25);
    x[2] = x[3] = 0;
    x[4] = -3;
    return 0;
}

static int wrong_initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)t0, (void)context;
    D[1] = -p[0] / sqrt(p[0] * p[0] - 0.25);
    D[4] = 77;
    return 0;
}

/* d/dt of F5 = -(x1 x3 + x2 x4) and its tangent. */
static int rate(double t, const double *x, const double *xp, const double *p, double *R,
                void *context)
{
    (void)t, (void)p, (void)context;
    memset(R, 0, PENDULUM * sizeof *R);
    R[4] = -(xp[0] * x[2] + x[0] * xp[2] + xp[1] * x[3] + x[1] * xp[3]);
    return 0;
}

static int rate_tangent(double t, const double *x, const double *xp, const double *p,
                        size_t columns, size_t ld, const double *V, const double *W,
                        const double *U, double *R, void *context)
{
    (void)t, (void)p, (void)U, (void)context;
    for (size_t k = 0; k < columns; k++) {
        const double *const v = V + k, *const w = W + k;
        for (size_t i = 0; i < 4; i++) R[i * ld + k] = 0;
        R[4 * ld + k] = -(xp[0] * v[2 * ld] + x[2] * w[0] + x[0] * w[2 * ld] + xp[2] * v[0] +
                          xp[1] * v[3 * ld] + x[3] * w[ld] + x[1] * w[3 * ld] + xp[3] * v[ld]);
    }
    return 0;
}

static int no_rate(double t, const double *x, const double *xp, const double *p, double *R,
                   void *context)
{
    (void)t, (void)x, (void)xp, (void)p, (void)R, (void)context;
    return -1;
}

static int no_rate_tangent(double t, const double *x, const double *xp, const double *p,
                           size_t columns, size_t ld, const double *V, const double *W,
                           const double *U, double *R, void *context)
{
    (void)t, (void)x, (void)xp, (void)p, (void)columns, (void)ld, (void)V, (void)W, (void)U,
        (void)R, (void)context;
    return -1;
}

static tansy_problem pendulum(const char *name)
{
    tansy_problem problem = problem_find(name)->problem;
    problem.initial = wrong_initial;
    problem.initial_jacobian = wrong_initial_jacobian;
    return problem;
}

static void check_pendulum(const tansy_problem *problem, double rounding)
{
    double const g = 9.81, x2 = -sqrt(0.75), slope = 1 / x2;
    double x[PENDULUM], xp[PENDULUM], s[PENDULUM], sp[PENDULUM];
    tansy_solver *const solver = tansy_create(problem, &(tansy_options){.rtol = 1e-8});
    CHECK_EQUAL(tansy_initialise(solver, x, xp, s, sp), TANSY_OK);
    CHECK_CLOSE(x[4], -g * x2, rounding);
    CHECK_CLOSE(s[4], -g * (slope - 2 * x2), 10 * rounding);
    CHECK_CLOSE(xp[2], -0.5 * x[4], 1e-9);
    CHECK_CLOSE(sp[2], -0.5 * s[4], 1e-8);
    CHECK_CLOSE(xp[4], 0, 1e-2); /* at rest; by second differences */
    tansy_free(solver);
}

/* d/dt by central differences over 6e-6 of the time in which x changes: 1e-10; given: exact. */
TEST(the_multiplier_and_its_column_are_found_from_wrong_guesses)
{
    tansy_problem problem = pendulum("pendulum");
    check_pendulum(&problem, 1e-8);
    problem.constraint_rate = rate;
    problem.constraint_rate_tangent = rate_tangent;
    check_pendulum(&problem, 1e-13);
    problem = pendulum("pendulum_mass");
    check_pendulum(&problem, 1e-8);
}

/* Given rates are used, not only allowed: they may fail. */
TEST(the_given_rates_of_constraints_are_called)
{
    tansy_problem problem = pendulum("pendulum");
    problem.constraint_rate = no_rate;
    tansy_solver *solver = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(solver), TANSY_USER_STOPPED);
    CHECK_TEXT_CONTAINS(tansy_message(solver), "constraint_rate");
    tansy_free(solver);
    problem.constraint_rate = rate;
    problem.constraint_rate_tangent = no_rate_tangent;
    solver = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(solver), TANSY_USER_STOPPED);
    CHECK_TEXT_CONTAINS(tansy_message(solver), "constraint_rate_tangent");
    tansy_free(solver);
}

/* x' = z, 0 = x - p cos(w t), p = (p, w): x = p cos(w t), z = -p w sin(w t); the constraint depends on the time, and its rate on both
   parameters. */
static int driven(double t, const double *y, const double *yp, const double *p, double *F,
                  void *context)
{
    (void)context;
    F[0] = yp[0] - y[1];
    F[1] = y[0] - p[0] * cos(p[1] * t);
    return 0;
}

static int driven_initial(double t0, const double *p, double *y0, void *context)
{
    (void)context;
    y0[0] = p[0] * cos(p[1] * t0);
    y0[1] = 0;
    return 0;
}

static void check_driven(double t0, double tolerance)
{
    static const double p[] = {1.5, 2};
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2};
    double y[2], yp[2], s[2][2], sp[2][2];
    double const c = cos(p[1] * t0), d = sin(p[1] * t0);
    tansy_problem const problem = {.n = 2,
                                   .np = 2,
                                   .t0 = t0,
                                   .p = p,
                                   .residual = driven,
                                   .initial = driven_initial,
                                   .kind = kind};
    tansy_solver *const solver = tansy_create(&problem, &(tansy_options){.rtol = 1e-7});
    CHECK_EQUAL(tansy_initialise(solver, y, yp, *s, *sp), TANSY_OK);
    CHECK_CLOSE(y[1], -p[0] * p[1] * d, tolerance);
    CHECK_CLOSE(yp[0], y[1], 1e-12);
    CHECK_CLOSE(s[0][1], -p[1] * d, 100 * tolerance);
    CHECK_CLOSE(s[1][1], -p[0] * (d + p[1] * t0 * c), 100 * tolerance * (1 + t0));
    CHECK_CLOSE(sp[0][0], s[0][1], 1e-12);
    double end[2];
    CHECK_EQUAL(tansy_solve(solver, t0 + 1, end, *s), TANSY_OK);
    CHECK_CLOSE(end[0], p[0] * cos(p[1] * (t0 + 1)), 1e-5);
    CHECK_CLOSE(s[0][0], cos(p[1] * (t0 + 1)), 1e-5);
    tansy_free(solver);
}

/* Differences over 6e-6 of the time scale: 1e-10 relative to second derivatives below 10; far from 0 over as much of |t|, 6e-6*20.  Those of S
   are differences of differences, whose noise of 1e-13 is divided by 6e-6. */
TEST(multipliers_of_constraints_that_depend_on_time_are_found)
{
    check_driven(0, 1e-8);
    check_driven(1, 1e-8);
    check_driven(20, 1e-6);
}

/* The model gives the rates of its constraints: the multiplier is exact. */
TEST(a_model_of_index_2_has_exact_multipliers)
{
    tansy_model *const model = tansy_model_read("examples/models/pendulum.tansy");
    tansy_problem problem = {.n = 0};
    CHECK_EQUAL(tansy_model_problem(model, &problem), TANSY_OK);
    CHECK(problem.constraint_rate && problem.constraint_rate_tangent);
    double x[PENDULUM], xp[PENDULUM], s[PENDULUM * 4];
    CHECK_EQUAL(problem.n, PENDULUM);
    tansy_solver *const solver = tansy_create(&problem, &(tansy_options){.rtol = 1e-8});
    CHECK_EQUAL(tansy_initialise(solver, x, xp, s, NULL), TANSY_OK);
    CHECK_CLOSE(x[2] * xp[0] + x[0] * xp[2] + x[3] * xp[1] + x[1] * xp[3], 0, 1e-14);
    tansy_free(solver);
    tansy_model_free(model);
}
