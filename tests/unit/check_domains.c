/* SPDX-License-Identifier: Apache-2.0 */
/* tansy_check where f ends at the point, and by which names it tells what is wrong; what residual = seed lacks. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

/* Of the model at its start. */
static tansy_status check_model(const char *text)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "domain");
    tansy_problem problem = {.n = 0};
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, NULL);
    tansy_status const status = tansy_check(s);
    tansy_free(s);
    tansy_model_free(m);
    return status;
}

/* v^2.3 is NaN for v < 0: one side of the start serves, if all components go there; of negative ones the other; and p likewise. */
TEST(derivatives_are_checked_at_the_edge_of_the_domain_of_f)
{
    static const char *const text[] = {
        "parameter n = 2.3, a = 3\nstate u = 0, v = 0, w = 0\nu' = a/(1 + v^n) - u\n"
        "v' = a/(1 + u^n) - v\nw' = (u + v)^n - w^n\ntime 0 .. 5\n",
        "parameter n = 2.3, a = 3\nstate u = 0, v = -1e-8\nu' = a/(1 + (-v)^n) - u\n"
        "v' = a/(1 + u^n)*v\ntime 0 .. 5\n",
        "parameter a = 0 scale 1, n = 2.3\nstate u = 0, v = 1\nu' = a^2.5 - u^n\nv' = v - a\n"
        "time 0 .. 5\n",
        "parameter n = 2.3, a = 3\nstate u = 0, v = 0\n(1 + u^n)*u' = a/(1 + v^n) - u\n"
        "(1 + v^n)*v' = a/(1 + u^n) - v\ntime 0 .. 5\n"};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        CHECK_EQUAL(check_model(text[k]), TANSY_OK);
}

/* Near 0 both the derivatives and the differences of these are rounding errors; the derivatives are right. */
TEST(what_is_but_rounding_is_not_called_wrong)
{
    static const char *const rate[] = {"q*(1 - cos(x))/x^2", "q*(1 - exp(-x))/x", "q*log(1 + x)/x",
                                       "(sqrt(q + x) - sqrt(q))/x"};
    static const char *const start[] = {"1e-7", "1e-9", "1e-10", "-1e-8", "1e-12"};
    size_t open = 0;
    for (size_t k = 0; k < sizeof rate / sizeof *rate; k++)
        for (size_t x = 0; x < sizeof start / sizeof *start; x++) {
            char text[200];
            (void)snprintf(text, sizeof text,
                           "parameter p = 1, q = 0.7\nstate x = %s, y = 0\nx' = p\ny' = %s\n",
                           start[x], rate[k]);
            tansy_problem problem = {.n = 0};
            tansy_model *const m = tansy_model_parse(text, strlen(text), "rough");
            CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
            tansy_solver *const s = tansy_create(&problem, &(tansy_options){.atol = 1e-9});
            tansy_status const status = tansy_check(s);
            if (status != TANSY_OK) (void)printf("%s: %s\n", text, tansy_message(s));
            CHECK_EQUAL(status, TANSY_OK);
            open += strstr(tansy_message(s), "not decided: ") == tansy_message(s);
            tansy_free(s);
            tansy_model_free(m);
        }
    CHECK(open >= 15); /* where differences agree by chance there is nothing to say */
}

static int balance(double t, const double *y, const double *yp, const double *p, double *F,
                   void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + p[0] * y[0];
    F[1] = y[1] - p[1] * y[0] * y[0];
    return 0;
}

/* With a mistake in (1, 0). */
static int wrong_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                          void *context)
{
    (void)t, (void)yp, (void)context;
    J[0] = p[0];
    J[2] = 2 * p[1] * y[0];
    J[3] = 1;
    return 0;
}

static int right_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                          void *context)
{
    (void)wrong_jacobian(t, y, yp, p, J, context);
    J[2] = -J[2];
    return 0;
}

static int rates(double t, const double *y, const double *yp, const double *p, double *M,
                 void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)context;
    M[0] = 1;
    return 0;
}

/* With a mistake in (1, 1). */
static int wrong_parameter(double t, const double *y, const double *yp, const double *p, double *D,
                           void *context)
{
    (void)t, (void)yp, (void)p, (void)context;
    D[0] = y[0];
    D[3] = y[0];
    return 0;
}

static const double start[] = {2, 8}, q[] = {1, 2};
static const char *const states[] = {"mass", "rest"}, *const parameters[] = {"k", "gain"},
                         *const equations[] = {"decay", "law"};

static void check_words(tansy_problem problem, const char *words)
{
    problem.n = problem.np = 2;
    problem.y0 = start;
    problem.p = q;
    problem.residual = balance;
    problem.rate_jacobian = rates;
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_check(s), TANSY_WRONG_DERIVATIVE);
    CHECK_TEXT_CONTAINS(tansy_message(s), words);
    tansy_free(s);
}

TEST(wrong_derivatives_are_told_by_name)
{
    tansy_problem by_state = {.residual_jacobian = wrong_jacobian};
    check_words(by_state, "residual_jacobian: dF_1/dy_0 is given as 8 but differences say -8");
    by_state.state_names = states;
    check_words(by_state, "residual_jacobian: dF_1/dy_0 (rest, by mass) is given as 8 but");
    by_state.equation_names = equations;
    check_words(by_state, "residual_jacobian: dF_1/dy_0 (law, by mass) is given as 8 but");
    tansy_problem by_parameter = {.residual_jacobian = right_jacobian,
                                  .residual_parameter = wrong_parameter,
                                  .parameter_names = parameters};
    check_words(by_parameter, "residual_parameter: dF_1/dp_1 (by gain) is given as 2 but");
    by_parameter.equation_names = equations;
    check_words(by_parameter, "residual_parameter: dF_1/dp_1 (law, by gain) is given as 2 but");
    by_parameter.parameter_names = NULL;
    check_words(by_parameter, "residual_parameter: dF_1/dp_1 (law) is given as 2 but");
}

static int decay(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)ld, (void)context;
    for (size_t k = 0; k < columns; k++) R[k] = -p[0] * V[k] - y[0] * U[k];
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)p, (void)context;
    B[0] = 1 + y[0];
    return 0;
}

static void check_lacks(tansy_problem problem, const char *what)
{
    problem.np = 1;
    problem.n = problem.residual ? 2 : 1;
    problem.y0 = start;
    problem.p = q;
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.residual = TANSY_SEED});
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), what);
    tansy_free(s);
}

TEST(the_tangent_that_a_seed_lacks_is_named)
{
    check_lacks((tansy_problem){.rhs = decay}, "problem's .tangent, which");
    check_lacks((tansy_problem){.rhs = decay, .tangent = tangent, .mass = mass, .mass_varies = 1},
                "problem's .mass_tangent (B depends on y or p), which");
    check_lacks((tansy_problem){.residual = balance}, "problem's .residual_tangent, which");
}
