/* SPDX-License-Identifier: Apache-2.0 */
/* tansy_check() finds a wrong entry in each derivative that an implicit problem gives, names it, and calls nothing wrong that is
   right, at the start and later on. */
#include "support/problems.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

/* F = (1 + a y1) y1' - b y1 y2,  y1^2 + c y2 - 2, p = (a, b, c); as B y' = f with B = diag(1 + a y1, 0). */
enum wrong {
    NOTHING,
    IN_JACOBIAN,
    IN_RATE,
    IN_PARAMETER,
    IN_TANGENT,
    IN_TANGENT_RATE,
    IN_MASS_TANGENT
};

static int is(const void *context, enum wrong wrong)
{
    return *(const enum wrong *)context == wrong;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)context;
    F[0] = (1 + p[0] * y[0]) * yp[0] - p[1] * y[0] * y[1];
    F[1] = y[0] * y[0] + p[2] * y[1] - 2;
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                    void *context)
{
    (void)t;
    J[0] = p[0] * yp[0] - p[1] * y[1];
    J[1] = -p[1] * y[0];
    J[2] = 2 * y[0];
    J[3] = p[2] + 1e-3 * is(context, IN_JACOBIAN);
    return 0;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                         void *context)
{
    (void)t, (void)yp;
    J[0] = 1 + p[0] * y[0] + 1e-3 * is(context, IN_RATE);
    return 0;
}

static int parameter(double t, const double *y, const double *yp, const double *p, double *F,
                     void *context)
{
    (void)t, (void)p;
    F[0] = y[0] * yp[0];
    F[1] = -y[0] * y[1] + 1e-3 * is(context, IN_PARAMETER);
    F[5] = y[1];
    return 0;
}

static int tangent(double t, const double *y, const double *yp, const double *p, size_t columns,
                   size_t ld, const double *V, const double *W, const double *U, double *R,
                   void *context)
{
    (void)t;
    for (size_t k = 0; k < columns; k++) {
        double const a = V[k], b = V[ld + k];
        R[k] = (p[0] * yp[0] - p[1] * y[1]) * a - p[1] * y[0] * b +
               (1 + p[0] * y[0]) * W[k] * (1 + 1e-3 * is(context, IN_TANGENT_RATE)) +
               y[0] * yp[0] * U[k] - y[0] * y[1] * U[ld + k];
        R[ld + k] =
            2 * y[0] * a * (1 + 1e-3 * is(context, IN_TANGENT)) + p[2] * b + y[1] * U[2 * ld + k];
    }
    return 0;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[1] * y[0] * y[1];
    f[1] = y[0] * y[0] + p[2] * y[1] - 2;
    return 0;
}

static int rhs_jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    J[0] = p[1] * y[1];
    J[1] = p[1] * y[0];
    J[2] = 2 * y[0] + 1e-3 * is(context, IN_JACOBIAN);
    J[3] = p[2];
    return 0;
}

static int rhs_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                       const double *V, const double *U, double *R, void *context)
{
    (void)t;
    for (size_t k = 0; k < columns; k++) {
        R[k] = p[1] * (y[1] * V[k] + y[0] * V[ld + k]) + y[0] * y[1] * U[ld + k];
        R[ld + k] = 2 * y[0] * V[k] + p[2] * V[ld + k] +
                    y[1] * U[2 * ld + k] * (1 + 1e-3 * is(context, IN_TANGENT));
    }
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)context;
    B[0] = 1 + p[0] * y[0];
    return 0;
}

static int mass_tangent(double t, const double *y, const double *p, const double *u, size_t columns,
                        size_t ld, const double *V, const double *U, double *R, void *context)
{
    (void)t;
    for (size_t k = 0; k < columns; k++) {
        R[k] = (p[0] * V[k] + y[0] * U[k]) * u[0] * (1 + 1e-3 * is(context, IN_MASS_TANGENT));
        R[ld + k] = 0;
    }
    return 0;
}

static const double y0[] = {1.2, 0.5}, values[] = {0.5, 0.7, 1.5};

static tansy_problem implicit(enum wrong *wrong)
{
    return (tansy_problem){.n = 2,
                           .np = 3,
                           .y0 = y0,
                           .p = values,
                           .context = wrong,
                           .residual = residual,
                           .residual_jacobian = jacobian,
                           .rate_jacobian = rate_jacobian,
                           .residual_parameter = parameter,
                           .residual_tangent = tangent};
}

static tansy_problem with_mass(enum wrong *wrong)
{
    return (tansy_problem){.n = 2,
                           .np = 3,
                           .y0 = y0,
                           .p = values,
                           .context = wrong,
                           .rhs = rhs,
                           .jacobian = rhs_jacobian,
                           .tangent = rhs_tangent,
                           .mass = mass,
                           .mass_tangent = mass_tangent};
}

/* At t0, and after a few steps; the right problem is called right. */
static void finds(tansy_problem (*make)(enum wrong *), enum wrong what, const char *words)
{
    enum wrong wrong = NOTHING;
    tansy_problem const problem = make(&wrong);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-6});
    for (double t = 0; t < 2; t++) {
        wrong = NOTHING;
        CHECK_EQUAL(tansy_solve(s, t, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_check(s), TANSY_OK);
        wrong = what;
        CHECK_EQUAL(tansy_check(s), TANSY_WRONG_DERIVATIVE);
        CHECK_TEXT_CONTAINS(tansy_message(s), words);
        CHECK_TEXT_CONTAINS(tansy_message(s), "but differences say");
    }
    CHECK_EQUAL(tansy_error(s), TANSY_OK); /* it does not stick */
    tansy_free(s);
}

TEST(wrong_derivatives_of_a_residual_are_found_and_named)
{
    finds(implicit, IN_JACOBIAN, "residual_jacobian: dF_1/dy_1 is given as 1.501 but");
    finds(implicit, IN_RATE, "rate_jacobian: dF_0/dy'_0 is given as 1.");
    finds(implicit, IN_PARAMETER, "residual_parameter: dF_0/dp_1 is given as -");
    finds(implicit, IN_TANGENT, "residual_tangent: component 1 of F_y v");
    finds(implicit, IN_TANGENT_RATE, "residual_tangent: component 0 of F_y v");
}

TEST(wrong_derivatives_beside_a_mass_matrix_are_found_and_named)
{
    finds(with_mass, IN_JACOBIAN, "jacobian: df_1/dy_0");
    finds(with_mass, IN_TANGENT, "tangent: component 1 of J v + f_p u");
    finds(with_mass, IN_MASS_TANGENT, "mass_tangent: component 0 of d(B u)/dy");
}

/* The solver goes on with what the check has left. */
TEST(a_check_changes_nothing_in_the_run)
{
    for (int form = 0; form < 2; form++) {
        double y[2][2], sens[2][6];
        for (int checks = 0; checks < 2; checks++) {
            enum wrong wrong = NOTHING;
            tansy_problem const problem = form ? with_mass(&wrong) : implicit(&wrong);
            tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-6});
            for (double t = 0.5; t <= 2; t += 0.5) {
                CHECK_EQUAL(tansy_solve(s, t, y[checks], sens[checks]), TANSY_OK);
                if (checks) CHECK_EQUAL(tansy_check(s), TANSY_OK);
            }
            tansy_free(s);
        }
        CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0 &&
              memcmp(sens[0], sens[1], sizeof sens[0]) == 0);
    }
}

TEST(right_derivatives_of_all_implicit_problems_are_not_called_wrong)
{
    const struct test_problem *it = NULL;
    for (size_t k = 0; (it = problem_structured_number(k)); k++) {
        if (it->problem.n > 200) continue; /* every entry costs a dozen residuals */
        tansy_solver *const s = tansy_create(&it->problem, &(tansy_options){.rtol = 1e-5});
        for (int m = 0; m < 2; m++) {
            if (tansy_check(s) != TANSY_OK) printf("%s: %s\n", it->name, tansy_message(s));
            CHECK_EQUAL(tansy_check(s), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, it->problem.t0 + 0.1 * it->t_end, NULL, NULL), TANSY_OK);
        }
        tansy_free(s);
    }
}
