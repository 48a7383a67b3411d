/* SPDX-License-Identifier: Apache-2.0 */
/* eps z' = x^2 - z at eps = 0: the column of eps, dz/deps = -z', needs the derivative of an algebraic variable.  dassl has it at ordinary cost; where a
   one-step method is asked for the report warns. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

enum { N = 2, TEXT = 9000 };

/* F = (x' + x, eps z' + z - x^2). */
static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + y[0];
    F[1] = p[0] * yp[1] + y[1] - y[0] * y[0];
    return 0;
}

static int tangent(double t, const double *y, const double *yp, const double *p, size_t columns,
                   size_t ld, const double *V, const double *V_rate, const double *U, double *R,
                   void *context)
{
    (void)t, (void)context;
    for (size_t k = 0; k < columns; k++) {
        R[k] = V_rate[k] + V[k];
        R[ld + k] = p[0] * V_rate[ld + k] + U[k] * yp[1] + V[ld + k] - 2 * y[0] * V[k];
    }
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                    void *context)
{
    (void)t, (void)yp, (void)p, (void)context;
    J[0] = 1;
    J[2] = -2 * y[0];
    J[3] = 1;
    return 0;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *M,
                         void *context)
{
    (void)t, (void)y, (void)yp, (void)context;
    M[0] = 1;
    M[3] = p[0];
    return 0;
}

static const double eps = 0, y0[N] = {1, 1}, unit = 1;

static tansy_problem problem_of(bool given)
{
    tansy_problem q = {.n = N,
                       .np = 1,
                       .p = &eps,
                       .y0 = y0,
                       .scale = &unit,
                       .mass_constant = 1,
                       .residual = residual};
    if (!given) return q;
    q.residual_tangent = tangent;
    q.residual_jacobian = jacobian;
    q.rate_jacobian = rate_jacobian;
    return q;
}

/* z = exp(-2 t), dz/deps = 2 exp(-2 t): the error of z' is that of z over h, some 10 rtol with 20 to 70 steps. */
static void check_dassl(bool given, double rtol)
{
    tansy_problem const problem = problem_of(given);
    tansy_options const options = {.method = TANSY_DASSL, .rtol = rtol, .atol = 1e-3 * rtol};
    double y[N], S[N], right = 2 * exp(-2);
    char text[TEXT];
    tansy_stats stats;
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
    tansy_get_stats(s, &stats);
    (void)tansy_report(s, text, sizeof text);
    tansy_free(s);
    CHECK(stats.steps < 150);
    CHECK_CLOSE(S[1], right, 10 * rtol * right);
    CHECK_TEXT_CONTAINS(text, "note: 1 column is of index 2 kind");
}

TEST(dassl_finds_the_column_at_ordinary_cost)
{
    check_dassl(true, 1e-4);
    check_dassl(true, 1e-6);
    check_dassl(true, 1e-8);
    check_dassl(false, 1e-4);
    check_dassl(false, 1e-6);
}

TEST(dassl_finds_the_column_of_a_model)
{
    static const char *const text =
        "parameter eps = 0 scale 1, k = 1\nstate x = 1, z = 1\nx' = -k*x\neps*z' = x^2 - z\n";
    tansy_model *const m = tansy_model_parse(text, strlen(text), "held");
    tansy_problem problem;
    double y[N], S[2 * N];
    tansy_stats stats;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_options const options = {.rtol = 1e-6};
    tansy_solver *const s = tansy_create(&problem, &options);
    for (int run = 0; run < 2; run++) {
        CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK(stats.steps < 150 * (size_t)(run + 1));
        CHECK_CLOSE(S[1], 2 * exp(-2), 1e-5);
        CHECK_CLOSE(S[3], -2 * exp(-2), 1e-5);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    }
    tansy_free(s);
    tansy_model_free(m);
}

/* The kinds may be given, as those of eps > 0; or what may vanish without them. */
TEST(dassl_finds_the_column_where_it_is_said_what_may_vanish)
{
    static const tansy_kind kind[N] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL};
    static const char vanishing[N] = {0, 1};
    for (int k = 0; k < 2; k++) {
        tansy_problem problem = problem_of(true);
        double S[N];
        tansy_stats stats;
        problem.vanishing = vanishing;
        if (k == 1) problem.kind = kind;
        tansy_options const options = {.method = TANSY_DASSL, .rtol = 1e-6, .atol = 1e-9};
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1, NULL, S), TANSY_OK);
        tansy_get_stats(s, &stats);
        tansy_free(s);
        CHECK(stats.steps < 150);
        CHECK_CLOSE(S[1], 2 * exp(-2), 10 * 1e-6);
    }
}

/* z = sin 3x from where the coefficient is eps = 0 on; dz/deps = -z' there, and 0 before. */
static void check_later(const char *text, double end, double rtol)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "later");
    tansy_problem problem;
    double y[5], S[2 * 5];
    tansy_stats stats;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_options const options = {.rtol = rtol, .atol = 1e-3 * rtol};
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, end, y, S), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    tansy_model_free(m);
    double const x = exp(-0.8 * end);
    CHECK(stats.steps < 500);
    CHECK_CLOSE(y[1], sin(3 * x), 10 * rtol);
    CHECK_CLOSE(S[1], 2.4 * x * cos(3 * x), 20 * rtol);
}

TEST(columns_may_need_derivatives_in_a_later_piece)
{
    static const char *const texts[] = {
        "parameter eps = 0 scale 1\nstate x = 1, z = 0\nx' = -0.8*x\n"
        "(if time < 1 then 1 else eps)*z' = sin(3*x) - z\n",
        "parameter eps = 0 scale 1\nstate x = 1, z = 0\nx' = -0.8*x\n"
        "(if x > 0.43 then 1 else eps)*z' = sin(3*x) - z\n"};
    for (int k = 0; k < 2; k++)
        for (int digits = 4; digits <= 8; digits += 2) check_later(texts[k], 2, pow(10, -digits));
}

TEST(columns_may_need_derivatives_beside_multipliers)
{
    static const char *const text =
        "parameter eps = 0 scale 1\nstate x = 1, z = 0, u = 0, v = 1\nalgebraic l = 0\n"
        "x' = -0.8*x\neps*z' = sin(3*x) - z\nu' = v + l\nv' = -u\n0 = u - sin(time)\n";
    for (int digits = 4; digits <= 8; digits += 2) check_later(text, 2, pow(10, -digits));
}

TEST(one_step_methods_warn)
{
    static const tansy_method methods[] = {TANSY_LIMEX, TANSY_ROSENBROCK};
    for (int m = 0; m < 2; m++) {
        tansy_problem const problem = problem_of(true);
        tansy_options options = {.method = methods[m], .error_control = TANSY_STATE_ONLY};
        char text[TEXT];
        tansy_solver *s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
        (void)tansy_report(s, text, sizeof text);
        tansy_free(s);
        CHECK_TEXT_CONTAINS(text, "warning: 1 column is of index 2 kind");
        CHECK_TEXT_CONTAINS(text, "may be wrong: choose dassl");
        options = (tansy_options){.method = methods[m], .rtol = 1e-9, .max_steps = 100};
        s = tansy_create(&problem, &options);
        CHECK(tansy_solve(s, 1, NULL, NULL) < 0);
        CHECK_TEXT_CONTAINS(tansy_message(s), "choose dassl");
        tansy_free(s);
    }
}
