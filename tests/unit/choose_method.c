/* SPDX-License-Identifier: Apache-2.0 */
/* Which method and formula the options lead to, and what each refusal says. */
#include "drive/solver.h"
#include "test.h"

#include <string.h>
#include <tansy/tansy.h>

static const double one[] = {1, 1};

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    f[1] = p[0] * y[0] - y[1];
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)rhs(t, y, p, F, context);
    F[0] = yp[0] - F[0];
    F[1] = yp[1] - F[1];
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    B[0] = B[3] = 1;
    return 0;
}

static int level(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)p, (void)context;
    g[0] = y[0] - 0.5;
    return 0;
}

static const tansy_problem ode = {.n = 2, .np = 1, .y0 = one, .p = one, .rhs = rhs};
static const tansy_problem switching = {
    .n = 2, .np = 1, .y0 = one, .p = one, .rhs = rhs, .switches = 1, .switch_function = level};
static const tansy_problem linearly = {
    .n = 2, .np = 1, .y0 = one, .p = one, .rhs = rhs, .mass = mass};
static const tansy_problem implicit = {.n = 2, .np = 1, .y0 = one, .p = one, .residual = residual};

static void refused(const tansy_problem *problem, tansy_options options, const char *says)
{
    tansy_solver *const s = tansy_create(problem, &options);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), says);
    tansy_free(s);
}

static void leads_to(const tansy_problem *problem, tansy_options options,
                     const struct method *method)
{
    tansy_solver *const s = tansy_create(problem, &options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    CHECK(s->stepper.method == method);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    tansy_free(s);
}

TEST(every_formula_belongs_to_its_method)
{
    leads_to(&ode, (tansy_options){.method = TANSY_RK8}, &method_dop853);
    leads_to(&ode, (tansy_options){.method = TANSY_RK8, .formula = TANSY_DOP853}, &method_dop853);
    leads_to(&ode, (tansy_options){.method = TANSY_RK8, .formula = TANSY_DOPRI8}, &method_dopri8);
    leads_to(&ode, (tansy_options){.method = TANSY_ROSENBROCK}, &method_rodas5p);
    leads_to(&ode, (tansy_options){.method = TANSY_ROSENBROCK, .formula = TANSY_RODAS5P},
             &method_rodas5p);
    leads_to(&ode, (tansy_options){.method = TANSY_ROSENBROCK, .formula = TANSY_RODAS4},
             &method_rodas4);
    leads_to(&ode, (tansy_options){.method = TANSY_ROSENBROCK, .formula = TANSY_GRK4A},
             &method_grk4a);
    leads_to(&ode, (tansy_options){.method = TANSY_ROSENBROCK, .formula = TANSY_GRK4T},
             &method_grk4t);
    leads_to(&linearly, (tansy_options){.method = TANSY_ROSENBROCK}, &method_rodas5p);
    leads_to(&ode, (tansy_options){.method = TANSY_LIMEX}, &method_limex);
    leads_to(&linearly, (tansy_options){.method = TANSY_LIMEX}, &method_limex);
    leads_to(&linearly, (tansy_options){0}, &method_dassl);
    leads_to(&implicit, (tansy_options){0}, &method_dassl);
}

/* Solves the model by what the options lead to. */
static void model_leads_to(const char *text, tansy_options options, tansy_method method)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    tansy_problem problem;
    tansy_stats stats;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    CHECK_EQUAL(stats.method, method);
    tansy_free(s);
    tansy_model_free(m);
}

static const char algebraic[] = "parameter k = 1\nstate x = 1\nalgebraic z = 1\n"
                                "x' = -k*z\n0 = z - x\n";

TEST(implicit_models_lead_to_rosenbrock_where_it_serves)
{
    model_leads_to(algebraic, (tansy_options){0}, TANSY_ROSENBROCK);
    model_leads_to(algebraic, (tansy_options){.sensitivities = TANSY_NONE}, TANSY_ROSENBROCK);
    model_leads_to(algebraic, (tansy_options){.linear_solver = TANSY_DENSE_LU}, TANSY_ROSENBROCK);
    model_leads_to("parameter k = 1\nstate x = 1, y = 2\nx' + y' = -k*x\nx' - y' = -y\n",
                   (tansy_options){0}, TANSY_ROSENBROCK);
    model_leads_to("parameter C = 1, R = 2\nstate v = 1, w = 0\nC*(v' - w') = -v/R\nw' = v - w\n",
                   (tansy_options){0}, TANSY_ROSENBROCK);
}

TEST(other_implicit_models_and_options_lead_to_dassl)
{
    model_leads_to(algebraic, (tansy_options){.sensitivities = TANSY_STAGGERED}, TANSY_DASSL);
    model_leads_to(algebraic, (tansy_options){.max_order = 4}, TANSY_DASSL);
    model_leads_to(algebraic, (tansy_options){.linear_solver = TANSY_GMRES}, TANSY_DASSL);
    model_leads_to("parameter k = 1\nstate x = 1\nx'*x + sin(x') = -k\n", /* not linear in x' */
                   (tansy_options){0}, TANSY_DASSL);
    model_leads_to("parameter k = 1\nstate x = 1, y = 2\n(1 + x)*x' + y' = -k*x\nx' - y' = -y\n",
                   (tansy_options){0}, TANSY_DASSL); /* B varies */
    model_leads_to("parameter k = 1\nstate x = 1, y = 1\nalgebraic z = 0\n"
                   "x' = -k*x\ny' = z\n0 = y - x\n", /* index 2 */
                   (tansy_options){0}, TANSY_DASSL);
    model_leads_to("parameter e = 0\nstate x = 1, z = 1\nx' = -x\ne*z' = x - z\n",
                   (tansy_options){0}, TANSY_DASSL); /* the column of e has z' in it */
    model_leads_to("constant N = 200\nparameter k = 1\nstate x[1..N] = 1\nalgebraic z = 1\n"
                   "x[i]' = -k*x[i] + z for i in 1..N\n0 = z - x[1]\n",
                   (tansy_options){0}, TANSY_DASSL); /* large */
}

TEST(a_formula_of_another_method_is_refused)
{
    for (tansy_formula f = TANSY_DOP853; f <= TANSY_GRK4T; f++) {
        bool const explicit = f <= TANSY_DOPRI8;
        refused(&ode,
                (tansy_options){.method = explicit ? TANSY_ROSENBROCK : TANSY_RK8, .formula = f},
                explicit ? "the formulas of rosenbrock are rodas5p, rodas4, grk4a, grk4t"
                         : "the formulas of rk8 are dop853 and dopri8");
        for (tansy_method m = TANSY_METHOD_AUTO; m <= TANSY_DASSL; m++)
            refused(&ode, (tansy_options){.method = m, .formula = f},
                    "the option formula is for the methods rk8 and rosenbrock");
    }
}

TEST(the_form_of_the_problem_must_suit_the_method)
{
    refused(&implicit, (tansy_options){.method = TANSY_ADAMS}, "adams is for y' = f only: choose");
    refused(&linearly, (tansy_options){.method = TANSY_ADAMS}, "adams is for y' = f only: choose");
    refused(&implicit, (tansy_options){.method = TANSY_RK8},
            "rk8 is for y' = f only: choose dassl");
    refused(&linearly, (tansy_options){.method = TANSY_RK8}, "for B y' = f, rosenbrock");
    refused(&implicit, (tansy_options){.method = TANSY_LIMEX},
            "(.rate_linear, which models find out): choose dassl");
    refused(&implicit, (tansy_options){.method = TANSY_ROSENBROCK},
            "(.mass_constant): choose limex, which takes B(t, y, p), or dassl");
    tansy_problem varies = linearly;
    varies.mass_varies = 1;
    refused(&varies, (tansy_options){.method = TANSY_ROSENBROCK}, "(.mass_constant): choose limex");
    leads_to(&varies, (tansy_options){.method = TANSY_LIMEX}, &method_limex);
    varies.mass_constant = 1;
    leads_to(&varies, (tansy_options){.method = TANSY_ROSENBROCK}, &method_rodas5p);
}

TEST(linearly_implicit_methods_refuse_index_2)
{
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2};
    tansy_problem problem = linearly;
    problem.kind = kind;
    for (tansy_method m = TANSY_ROSENBROCK; m <= TANSY_LIMEX; m++)
        refused(&problem, (tansy_options){.method = m},
                "rosenbrock and limex are for problems of index 1: choose dassl for index 2");
}

TEST(formulas_without_dense_output_find_no_switching_points)
{
    refused(&switching, (tansy_options){.method = TANSY_RK8, .formula = TANSY_DOPRI8},
            "dopri8 has no dense output to find switching points on: choose the formula dop853");
    for (tansy_formula f = TANSY_GRK4A; f <= TANSY_GRK4T; f++)
        refused(&switching, (tansy_options){.method = TANSY_ROSENBROCK, .formula = f},
                "choose the formula rodas5p or rodas4");
    leads_to(&switching, (tansy_options){.method = TANSY_LIMEX}, &method_limex);
    leads_to(&switching, (tansy_options){.method = TANSY_RK8}, &method_dop853);
    leads_to(&switching, (tansy_options){.method = TANSY_ROSENBROCK}, &method_rodas5p);
}

TEST(sensitivities_must_be_a_way_of_the_method)
{
    static const tansy_sensitivities correctors[] = {TANSY_SIMULTANEOUS, TANSY_STAGGERED,
                                                     TANSY_DIRECT, TANSY_MEASURED};
    for (int x = 0; x < 4; x++)
        for (tansy_method m = TANSY_RK8; m <= TANSY_ROSENBROCK; m++)
            refused(&ode, (tansy_options){.method = m, .sensitivities = correctors[x]},
                    "rk8 and rosenbrock take tangent or difference");
    for (int x = 2; x < 4; x++)
        refused(&ode, (tansy_options){.method = TANSY_LIMEX, .sensitivities = correctors[x]},
                "takes sensitivities staggered, simultaneous, tangent or difference");
    for (int x = 0; x < 2; x++)
        leads_to(&ode, (tansy_options){.method = TANSY_LIMEX, .sensitivities = correctors[x]},
                 &method_limex);
    for (tansy_sensitivities way = TANSY_TANGENT; way <= TANSY_DIFFERENCE; way++)
        for (tansy_method m = TANSY_METHOD_AUTO; m <= TANSY_DASSL; m++)
            refused(&ode, (tansy_options){.method = m, .sensitivities = way},
                    "multistep methods take simultaneous, staggered, direct or measured");
}

TEST(orders_are_limited_where_there_are_several)
{
    for (tansy_method m = TANSY_RK8; m <= TANSY_ROSENBROCK; m++)
        refused(&ode, (tansy_options){.method = m, .max_order = 3},
                "max_order is for multistep methods and limex: choose a formula instead");
    refused(&ode, (tansy_options){.method = TANSY_BDF, .max_order = 6}, "bdf goes up to order 5");
    refused(&ode, (tansy_options){.method = TANSY_LIMEX, .max_order = 8},
            "limex goes up to order 7");
    leads_to(&ode, (tansy_options){.method = TANSY_LIMEX, .max_order = 7}, &method_limex);
    leads_to(&ode, (tansy_options){.method = TANSY_ADAMS, .max_order = 12}, &method_adams);
}

TEST(linear_solvers_must_suit_one_step_methods)
{
    for (tansy_linear_solver l = TANSY_DENSE_LU; l <= TANSY_GMRES; l++)
        refused(&ode, (tansy_options){.method = TANSY_RK8, .linear_solver = l},
                "rk8 solves no linear systems: leave linear_solver at auto");
    refused(&ode, (tansy_options){.method = TANSY_ROSENBROCK, .linear_solver = TANSY_GMRES},
            "rosenbrock and limex need exact solutions of their linear systems");
}

TEST(substeps_belong_to_one_step_methods)
{
    for (tansy_method m = TANSY_METHOD_AUTO; m <= TANSY_DASSL; m++)
        refused(&ode, (tansy_options){.method = m, .substeps = 2},
                "the option substeps is for the methods rk8 and rosenbrock");
    refused(&ode, (tansy_options){.method = TANSY_LIMEX, .substeps = 2},
            "the option substeps is for the methods rk8 and rosenbrock");
    refused(&ode, (tansy_options){.method = TANSY_LIMEX, .formula = TANSY_RODAS4},
            "the option formula is for the methods rk8 and rosenbrock");
    for (tansy_method m = TANSY_RK8; m <= TANSY_ROSENBROCK; m++)
        refused(&switching, (tansy_options){.method = m, .substeps = 2},
                "substeps leave no dense output to find switching points on: set it to 0");
}
