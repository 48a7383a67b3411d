/* SPDX-License-Identifier: Apache-2.0 */
/* Coefficients of derivatives that vanish: for a value of a parameter, at the start, or in a piece.  Where the index is 1 then, models run, with the
   column of that parameter too; the oracles are closed forms. */
#include <math.h>
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

enum { N = 2, MOST = 2 };

static const tansy_method methods[] = {TANSY_DASSL, TANSY_LIMEX, TANSY_ROSENBROCK};

/* y and S of both states at the end, of a model that has `np` parameters.  An error of 100 rtol is what the run may come to. */
static void compare(const char *text, int first, int last, double end, const double *y,
                    const double *S, size_t np)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "vanishing");
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    for (int k = first; k <= last; k++) {
        tansy_options const options = {.method = methods[k], .rtol = 1e-6, .atol = 1e-9};
        double found[N], columns[N * MOST];
        tansy_stats stats;
        tansy_solver *const s = tansy_create(&problem, &options);
        tansy_status const status = tansy_solve(s, end, found, columns);
        if (status < 0) CHECK_TEXT_CONTAINS(tansy_message(s), "no error");
        tansy_get_stats(s, &stats);
        tansy_free(s);
        CHECK(stats.steps < 150);
        for (size_t i = 0; i < N; i++) CHECK_CLOSE(found[i], y[i], 1e-4 * fabs(y[i]));
        for (size_t x = 0; x < N * np; x++) CHECK_CLOSE(columns[x], S[x], 1e-4);
    }
    tansy_model_free(m);
}

static const double e1 = 0.36787944117144233, e2 = 0.1353352832366127;

TEST(a_coefficient_that_is_0_makes_a_single_rate_algebraic)
{
    compare("parameter eps = 0 scale 1\nstate x = 1, z = 1\nx' = -x\neps*z' = x - z\n", 0, 2, 1,
            (double[]){e1, e1}, (double[]){0, e1}, 1);
}

TEST(a_coefficient_that_is_0_makes_one_of_several_rates_algebraic)
{
    compare("parameter eps = 0 scale 1\nstate x = 1, z = 0.9\nx' = -x\n"
            "eps*z' + eps*x' = x - z\n",
            0, 2, 1, (double[]){e1, e1}, (double[]){0, 2 * e1}, 1);
}

/* dz/deps = -x z', -z z' and -z'. */
TEST(a_coefficient_that_is_0_may_depend_on_states)
{
    compare("parameter eps = 0 scale 1\nstate x = 1, z = 1\nx' = -x\neps*x*z' = x - z\n", 0, 1, 1,
            (double[]){e1, e1}, (double[]){0, e2}, 1);
    compare("parameter eps = 0 scale 1\nstate x = 1, z = 1\nx' = -x\n"
            "(eps*z + eps^2)*z' = x - z\n",
            0, 1, 1, (double[]){e1, e1}, (double[]){0, e2}, 1);
}

TEST(a_coefficient_may_vanish_where_other_equations_are_not_linear)
{
    compare("parameter eps = 0 scale 1\nstate x = 1, z = 1\nx' + 0.1*x'^3 = -x - 0.1*x^3\n"
            "eps*z' = x - z\n",
            0, 0, 1, (double[]){e1, e1}, (double[]){0, e1}, 1);
}

/* t x' + a x = b cos t: x = (t sin t + cos t - 1)/t^2 for a = 2 and b = 1. */
TEST(a_coefficient_may_vanish_at_the_start)
{
    static const char *const texts[] = {
        "parameter b = 1\nstate x = 0.5, y = 1\ntime*x' + y' + 2*x = b*cos(time) + y\ny' = y\n"
        "time 0 .. 3\n",
        "parameter b = 1\nstate x = 0.5, y = 1\ntime*x' = b*cos(time) - 2*x\ny' = y\n"
        "time 0 .. 3\n"};
    double const x = (3 * sin(3) + cos(3) - 1) / 9;
    for (int k = 0; k < 2; k++)
        compare(texts[k], 0, 1, 3, (double[]){x, exp(3)}, (double[]){x, 0}, 1);
}

/* A factor of the whole equation is none of it: y' = 1 - k y, y = 1/k + (2 - 1/k) e^-kt. */
TEST(a_factor_of_the_whole_equation_may_vanish)
{
    static const char *const texts[] = {
        "parameter k = 1\nstate x = 1, y = 2\nx' = -x\ntime*y' = time*(1 - k*y)\ntime 0 .. 2\n",
        "parameter k = 1\nstate x = 1, y = 2\nx' = -x\nsin(3*time)*y' = sin(3*time)*(1 - k*y)\n"
        "time 0 .. 2\n"};
    for (int k = 0; k < 2; k++)
        compare(texts[k], 0, 2, 1, (double[]){e1, 1 + e1}, (double[]){0, -1}, 1);
}

TEST(a_condition_may_end_a_differential_equation)
{
    compare("parameter k = 1\nstate x = 1, z = 0\nlet B = if time < 1 then 1 else 0\nx' = -k*x\n"
            "B*z' + 0.5*B*x' = x^2 - z\n",
            0, 2, 2, (double[]){e2, e2 * e2}, (double[]){-2 * e2, -4 * e2 * e2}, 1);
}

/* From t = 1 on z' + z = x^2 + x/2 for k = 1, z = -exp(-2 t) + (t/2 + C) exp(-t). */
TEST(a_condition_may_begin_a_differential_equation)
{
    double const C = 2 * e1 - 0.5, z = -e2 * e2 + (1 + C) * e2;
    static const char *const text =
        "state x = 1, z = 0\nlet B = if time < 1 then 0 else 1\nx' = -x\n"
        "B*z' + 0.5*B*x' = x^2 - z\n";
    compare(text, 0, 2, 2, (double[]){e2, z}, NULL, 0);
}

/* The conditions do not hold at t0, but from there on: z = 5 exp(-k t), and the initial value is not lost. */
TEST(a_differential_equation_may_begin_at_once)
{
    static const char *const texts[] = {
        "parameter k = 1\nstate x = 1, z = 5\nx' = 1\n(if x > 1 then 1 else 0)*z' = -k*z\n",
        "parameter k = 1\nstate x = 1, z = 5\nx' = 1\n(if time > 0 then 1 else 0)*z' = -k*z\n"};
    for (int k = 0; k < 2; k++)
        compare(texts[k], 0, 2, 1, (double[]){2, 5 * e1}, (double[]){0, -5 * e1}, 1);
}

/* Of B z' = x^2 - z, x' = -p x, with B = 1 before t = 1 and 0 from there on. */
static int quadratic(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    f[1] = y[0] * y[0] - y[1];
    return 0;
}

static int mass_of_piece(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)context;
    B[0] = 1;
    B[3] = p[1] == 0;
    return 0;
}

static int residual_of_piece(double t, const double *y, const double *yp, const double *p,
                             double *F, void *context)
{
    int const code = quadratic(t, y, p, F, context);
    F[0] = yp[0] - F[0];
    F[1] = (p[1] == 0 ? yp[1] : 0) - F[1];
    return code;
}

TEST(a_break_may_end_a_differential_equation_of_a_program)
{
    static const tansy_kind kind[N] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL};
    static const char vanishing[N] = {0, 1};
    static const double at = 1, p = 1, y0[N] = {1, 0};
    for (int k = 0; k < 4; k++) {
        tansy_problem q = {.n = N, .np = 1, .p = &p, .y0 = y0, .breaks = 1, .break_times = &at};
        double y[N], S[N];
        if (k == 0) q.rhs = quadratic;
        if (k == 0) q.mass = mass_of_piece;
        if (k == 0) q.mass_varies = 1;
        if (k > 0) q.residual = residual_of_piece;
        if (k == 1) q.rate_linear = 1;
        if (k == 2) q.kind = kind;
        if (k == 2) q.vanishing = vanishing;
        tansy_solver *const s = tansy_create(&q, &(tansy_options){.rtol = 1e-6, .atol = 1e-9});
        tansy_status const status = tansy_solve(s, 2, y, S);
        if (k == 3) CHECK_TEXT_CONTAINS(tansy_message(s), ".rate_linear if it is, and");
        tansy_free(s);
        CHECK(status == (k < 3 ? TANSY_OK : TANSY_HIGH_INDEX));
        if (k < 3) CHECK_CLOSE(y[1], e2 * e2, 1e-4 * e2);
        if (k < 3) CHECK_CLOSE(S[1], -4 * e2 * e2, 1e-4 * e2);
    }
}

/* y' of the second component is in no equation, in any form. */
static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + p[0] * y[0] - y[1];
    F[1] = y[1] - p[1] * y[0] * y[0];
    return 0;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0] + y[1];
    f[1] = -y[1] + p[1] * y[0] * y[0];
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    B[0] = 1;
    return 0;
}

TEST(a_coefficient_that_depends_on_rates_is_named)
{
    static const char *const text =
        "parameter eps = 0 scale 1\nstate x = 1, z = 1\nx' = -x\neps*z'^2 = x - z\n";
    tansy_model *const m = tansy_model_parse(text, strlen(text), "squared");
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), "the derivative of z is in no equation at t = 0");
    tansy_free(s);
    tansy_model_free(m);
}

TEST(a_kind_that_is_wrong_is_named)
{
    static const tansy_kind kind[N] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL};
    double const p[] = {1, 0.5}, y0[N] = {1, 0.5};
    for (int k = 0; k < 3; k++) {
        tansy_problem problem = {.n = N, .np = 2, .p = p, .y0 = y0, .kind = kind};
        if (k < 2) problem.residual = residual;
        if (k == 1) problem.rate_linear = 1;
        if (k == 2) problem.rhs = rhs;
        if (k == 2) problem.mass = mass;
        tansy_solver *const s = tansy_create(&problem, NULL);
        CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_BAD_PROBLEM);
        CHECK_TEXT_CONTAINS(tansy_message(s), ".kind says that component 1 is differential");
        tansy_free(s);
    }
}
