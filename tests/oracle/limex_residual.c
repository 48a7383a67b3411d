/* SPDX-License-Identifier: Apache-2.0 */
/* limex for F(t, y, y', p) = 0 that is linear in y', B = dF/dy' depending on everything, regular and singular, against the closed
   form: as a model, exported and loaded, and as functions with and without derivatives. */
#include <math.h>
#include <stdio.h>

#include "support/model_solution.h"
#include "support/shared_object.h"
#include "support/varying_residual.h"
#include "test.h"

static void check(const tansy_problem *problem, bool singular, tansy_options options, int last,
                  const char *name)
{
    double worst = 0;
    for (int digits = 3; digits <= last; digits++) {
        options.rtol = options.atol = pow(10, -digits);
        worst = fmax(worst, varying_solve(problem, singular, &options, NULL));
    }
    printf("%s, %s, to 1e-%d: error/rtol %.2g\n", name, singular ? "singular" : "regular", last,
           worst);
    CHECK_AT_MOST(worst, 100); /* the promise */
}

static tansy_model *open(bool singular, tansy_problem *problem)
{
    tansy_model *const m = model_of_text(varying_text(singular), problem);
    CHECK(problem->residual && problem->rate_linear && !problem->mass_constant);
    return m;
}

TEST(models_with_varying_mass_are_solved_by_all_ways_to_columns)
{
    tansy_options const limex = {.method = TANSY_LIMEX};
    for (int singular = 0; singular < 2; singular++) {
        tansy_problem problem;
        tansy_model *const m = open(singular, &problem);
        check(&problem, singular, limex, 8, "model");
        tansy_options options = limex;
        options.sensitivities = TANSY_SIMULTANEOUS;
        check(&problem, singular, options, 8, "model, simultaneous");
        options.sensitivities = TANSY_DIFFERENCE;
        check(&problem, singular, options, 6, "model, difference");
        options = limex;
        options.residual = TANSY_MATRIX;
        check(&problem, singular, options, 8, "model, matrix");
        check(&problem, singular, (tansy_options){.method = TANSY_DASSL}, 8, "model, dassl");
        tansy_model_free(m);
    }
}

TEST(exported_and_loaded_models_say_that_they_are_linear_in_the_rates)
{
    for (int singular = 0; singular < 2; singular++) {
        tansy_problem problem;
        tansy_model *const m = open(singular, &problem);
        tansy_model *const loaded = shared_object_of(m);
        CHECK_EQUAL(tansy_model_problem(loaded, &problem), TANSY_OK);
        CHECK(problem.rate_linear && !problem.mass_constant);
        check(&problem, singular, (tansy_options){.method = TANSY_LIMEX}, 6, "loaded");
        tansy_model_free(loaded);
        tansy_model_free(m);
    }
}

TEST(functions_are_solved_with_and_without_derivatives)
{
    static const char *const names[] = {"F alone", "F with matrices", "F with tangent"};
    for (int singular = 0; singular < 2; singular++)
        for (int gives = RESIDUAL_NOTHING; gives <= RESIDUAL_TANGENT; gives++) {
            tansy_problem const problem = varying_residual(singular, gives);
            check(&problem, singular, (tansy_options){.method = TANSY_LIMEX},
                  gives == RESIDUAL_NOTHING ? 6 : 8, names[gives]);
        }
}

/* Linear along every line through 0, but not linear. */
static int curved(double t, const double *y, const double *yp, const double *p, double *F,
                  void *context)
{
    const double *const share = context;
    (void)t;
    F[0] = (1 + y[0] * y[0]) * yp[0] + p[0] * y[0];
    F[1] = yp[1] + *share * cbrt(pow(yp[0], 3) + pow(yp[1], 3)) - y[1];
    return 0;
}

static tansy_problem make_curved(double *share)
{
    static const double y0[] = {1, 1}, yp0[] = {-0.5, 1}, p = 1;
    return (tansy_problem){.n = 2,
                           .np = 1,
                           .p = &p,
                           .y0 = y0,
                           .yp0 = yp0,
                           .residual = curved,
                           .rate_linear = 1,
                           .context = share};
}

TEST(the_claim_is_compared_by_tansy_check)
{
    double share = 0;
    tansy_problem const problem = make_curved(&share);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.method = TANSY_LIMEX});
    CHECK_EQUAL(tansy_check(s), TANSY_OK);
    share = 1e-4;
    CHECK_EQUAL(tansy_check(s), TANSY_WRONG_DERIVATIVE);
    CHECK_TEXT_CONTAINS(tansy_message(s), "rate_linear: equation 1 is said to be linear in y'");
    tansy_free(s);
    for (int singular = 0; singular < 2; singular++) {
        tansy_problem right;
        tansy_model *const m = open(singular, &right);
        tansy_solver *const check_model = tansy_create(&right, NULL);
        CHECK_EQUAL(tansy_check(check_model), TANSY_OK);
        tansy_free(check_model);
        tansy_model_free(m);
    }
}

static void check_refused(const tansy_problem *problem)
{
    tansy_solver *const s = tansy_create(problem, &(tansy_options){.method = TANSY_LIMEX});
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), "linear in y' (.rate_linear");
    tansy_free(s);
}

TEST(what_is_not_linear_in_the_rates_is_refused)
{
    static const char *const text = "parameter a = 1\n"
                                    "state x = 1, y = 1\n"
                                    "x' + x*y'^3 = -a*x\n"
                                    "y*x' - y' = y\n";
    tansy_problem problem = varying_residual(false, RESIDUAL_TANGENT);
    problem.rate_linear = 0;
    check_refused(&problem);
    tansy_model *const m = model_of_text(text, &problem);
    CHECK(!problem.rate_linear);
    check_refused(&problem);
    tansy_model_free(m);
}
