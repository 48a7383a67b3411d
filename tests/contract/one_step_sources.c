/* SPDX-License-Identifier: Apache-2.0 */
/* Where the derivatives of one-step methods come from, and what is called where: second derivatives by differences when asked for,
   one thread where panels call functions that may not run concurrently, a mass matrix that moves untold. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

/* p0 y' = -y^2, B = p0: y = 1/(1 + t/p0), dy/dp0 = t/p0^2 y^2. */
struct calls {
    int second;
};

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    f[0] = -y[0] * y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)p, (void)context;
    J[0] = -2 * y[0];
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *P, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    P[0] = 0;
    return 0;
}

static int second(double t, const double *y, const double *p, const double *v, double tau,
                  size_t columns, size_t ld, const double *V, const double *U, double *R,
                  void *context)
{
    struct calls *const calls = context;
    (void)t, (void)y, (void)p, (void)tau, (void)ld, (void)U;
    calls->second++;
    for (size_t k = 0; k < columns; k++) R[k] = -2 * v[0] * V[k];
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)context;
    B[0] = p[0];
    return 0;
}

static int moving_mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)p, (void)context;
    B[0] = 1 + y[0];
    return 0;
}

static const double start[] = {1}, two[] = {2};

static tansy_problem problem_of(struct calls *calls)
{
    return (tansy_problem){.n = 1,
                           .np = 1,
                           .y0 = start,
                           .p = two,
                           .rhs = rhs,
                           .jacobian = jacobian,
                           .parameter_jacobian = parameter,
                           .second = second,
                           .context = calls,
                           .autonomous = 1};
}

TEST(second_derivatives_by_differences_do_not_call_the_given_ones)
{
    struct calls calls = {0};
    tansy_problem problem = problem_of(&calls);
    for (tansy_method m = TANSY_ROSENBROCK; m <= TANSY_LIMEX; m++) {
        tansy_options options = {.method = m};
        double y = 0, S = 0;
        calls.second = 0;
        tansy_solver *s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1, &y, &S), TANSY_OK);
        CHECK(calls.second > 0);
        tansy_free(s);
        calls.second = 0;
        options.second_derivatives = TANSY_SECOND_DIFFERENCES;
        s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1, &y, &S), TANSY_OK);
        CHECK_EQUAL(calls.second, 0);
        CHECK_CLOSE(y, 0.5, 1e-4);
        tansy_free(s);
    }
}

TEST(a_mass_matrix_that_moves_untold_is_refused)
{
    struct calls calls = {0};
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};
    for (int m = 0; m < 3; m++) {
        tansy_options const options = {.method = methods[m]};
        tansy_problem problem = problem_of(&calls);
        problem.mass = mass;
        problem.mass_constant = 1;
        tansy_solver *s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
        CHECK_TEXT_CONTAINS(tansy_message(s), "changes with p: set .mass_varies");
        tansy_free(s);
        problem.mass = moving_mass;
        s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
        CHECK_TEXT_CONTAINS(tansy_message(s), "changes with t or y: set .mass_varies");
        tansy_free(s);
        problem.mass = mass;
        problem.mass_varies = 1;
        s = tansy_create(&problem, &options);
        double y = 0, S = 0;
        CHECK_EQUAL(tansy_solve(s, 1, &y, &S), TANSY_OK);
        CHECK_CLOSE(y, 1 / 1.5, 1e-4);
        CHECK_CLOSE(S, 0.25 / (1.5 * 1.5), 1e-4);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, (const double[]){4}, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 1, &y, &S), TANSY_OK);
        CHECK_CLOSE(y, 1 / 1.25, 1e-4);
        CHECK_CLOSE(S, 1.0 / 16 / (1.25 * 1.25), 1e-4);
        tansy_free(s);
    }
}
