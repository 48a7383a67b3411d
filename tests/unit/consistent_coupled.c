/* SPDX-License-Identifier: Apache-2.0 */
/* Starts with a coupled dF/dy', and others, that must not pass in silence: each is told with equation and variable. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/model.h>
#include <tansy/tansy.h>

/* a (u0 - u1) + y0 = t,  a ((1 + bend) u1 - u0) + y1 = -t, u = y'.  With bend = 0 the sum is algebraic. */
struct pair {
    double bend;
    bool fails_beside;  /* F fails at all times but 0 */
    size_t calls, last; /* after the last call F returns `code`; 0: never */
    int code;
};

static int pair(double t, const double *y, const double *u, const double *p, double *F,
                void *context)
{
    struct pair *const c = context;
    if (c->fails_beside && t != 0) return 1;
    if (c->last > 0 && c->calls++ >= c->last) return c->code;
    F[0] = p[0] * (u[0] - u[1]) + y[0] - t;
    F[1] = p[0] * (u[1] * (1 + c->bend) - u[0]) + y[1] + t;
    return 0;
}

static int pair_jacobian(double t, const double *y, const double *u, const double *p, double *J,
                         void *context)
{
    (void)t, (void)y, (void)u, (void)p, (void)context;
    J[0] = J[3] = 1;
    return 0;
}

static int pair_rates(double t, const double *y, const double *u, const double *p, double *M,
                      void *context)
{
    const struct pair *const c = context;
    (void)t, (void)y, (void)u;
    M[0] = p[0], M[1] = M[2] = -p[0];
    M[3] = p[0] * (1 + c->bend);
    return 0;
}

static int pair_parameter(double t, const double *y, const double *u, const double *p, double *P,
                          void *context)
{
    const struct pair *const c = context;
    (void)t, (void)y, (void)p;
    P[0] = u[0] - u[1];
    P[1] = u[1] * (1 + c->bend) - u[0];
    return 0;
}

/* wrong: s' is forgotten. */
static int wrong_tangent(double t, const double *y, const double *u, const double *p,
                         size_t columns, size_t ld, const double *V, const double *W,
                         const double *U, double *R, void *context)
{
    (void)t, (void)y, (void)p, (void)W, (void)context;
    for (size_t k = 0; k < columns; k++) {
        R[k] = V[k] + (u[0] - u[1]) * U[k];
        R[ld + k] = V[ld + k] + (u[1] - u[0]) * U[k];
    }
    return 0;
}

static int nearby_tangent(double t, const double *y, const double *u, const double *p,
                          size_t columns, size_t ld, const double *V, const double *W,
                          const double *U, double *R, void *context)
{
    if (t != 0) return 1;
    for (size_t k = 0; k < columns; k++) {
        double const flow = p[0] * (W[k] - W[ld + k]) + (u[0] - u[1]) * U[k];
        R[k] = V[k] + flow;
        R[ld + k] = V[ld + k] - flow;
    }
    (void)y, (void)context;
    return 0;
}

static const double y0[] = {1, -1}, p = 0.3;

static tansy_problem pair_problem(struct pair *c)
{
    return (tansy_problem){.n = 2, .np = 1, .p = &p, .y0 = y0, .residual = pair, .context = c};
}

static tansy_problem pair_given(struct pair *c)
{
    tansy_problem problem = pair_problem(c);
    problem.residual_jacobian = pair_jacobian;
    problem.rate_jacobian = pair_rates;
    problem.residual_parameter = pair_parameter;
    return problem;
}

static void check_told(const tansy_problem *problem, const tansy_options *options,
                       tansy_status status, const char *first, const char *second)
{
    tansy_solver *const solver = tansy_create(problem, options);
    CHECK_EQUAL(tansy_initialise(solver, NULL, NULL, NULL, NULL), status);
    CHECK_TEXT_CONTAINS(tansy_message(solver), first);
    CHECK_TEXT_CONTAINS(tansy_message(solver), second);
    tansy_free(solver);
}

/* bend = 2e-13 is some thousand times the rounding of differences, too near to it to be sure; with given matrices it is no doubt there. */
TEST(a_doubtful_rank_is_told)
{
    struct pair c = {.bend = 2e-13};
    tansy_problem problem = pair_problem(&c);
    check_told(&problem, NULL, TANSY_INCONSISTENT, "in doubt", "equation");
    check_told(&problem, NULL, TANSY_INCONSISTENT, "component", ".rate_jacobian");
    problem = pair_given(&c);
    double yp[2];
    tansy_solver *const solver = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_initialise(solver, NULL, yp, NULL, NULL), TANSY_OK);
    tansy_free(solver);
    c.bend = 1e-6;
    problem = pair_problem(&c);
    tansy_solver *const regular = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_initialise(regular, NULL, yp, NULL, NULL), TANSY_OK);
    CHECK_CLOSE(yp[0] - yp[1], -1 / p, 1e-5);
    tansy_free(regular);
}

/* The sum of both equations, 0.1 y0 + (0.2 - 0.3) y1, leaves (1, 1) undetermined: the sum of these numbers is 2.8e-17, not 0. */
static int undetermined(double t, const double *y, const double *u, const double *q, double *F,
                        void *context)
{
    (void)context;
    F[0] = q[0] * (u[0] - u[1]) + 0.1 * y[0] + 0.2 * y[1] - t;
    F[1] = q[0] * (u[1] - u[0]) - 0.3 * y[1] + t;
    return 0;
}

static int undetermined_jacobian(double t, const double *y, const double *u, const double *q,
                                 double *J, void *context)
{
    (void)t, (void)y, (void)u, (void)q, (void)context;
    J[0] = 0.1, J[1] = 0.2, J[3] = -0.3;
    return 0;
}

TEST(rounding_makes_no_higher_index_regular)
{
    struct pair c = {.bend = 0};
    tansy_problem problem = pair_given(&c);
    problem.residual = undetermined;
    problem.residual_jacobian = undetermined_jacobian;
    check_told(&problem, NULL, TANSY_HIGH_INDEX, "component", "index");
    problem.residual_jacobian = NULL;
    problem.rate_jacobian = NULL;
    check_told(&problem, NULL, TANSY_HIGH_INDEX, "component", "index");
}

/* y' + y1'... is in the derivative of F alone: without times nearby nothing tells it. */
TEST(derivatives_that_only_other_times_tell_are_missed)
{
    struct pair c = {.fails_beside = true};
    tansy_problem problem = pair_given(&c);
    check_told(&problem, NULL, TANSY_INCONSISTENT, "singular", "component");
    c.fails_beside = false;
    problem.residual_tangent = nearby_tangent;
    tansy_options const options = {.residual = TANSY_SEED};
    check_told(&problem, &options, TANSY_INCONSISTENT, "dy/dp_0", "times nearby");
}

/* y0' + y1' = 0 here: y' = (-1, 1)/(2 p) is right, y' = (-1, 0)/p satisfies F = 0 too. */
TEST(kept_derivatives_must_fit_the_hidden_equation)
{
    struct pair c = {.bend = 0};
    double yp0[] = {-1 / p, 0}, yp[2];
    tansy_options const options = {.keep_initial = 1};
    tansy_problem problem = pair_given(&c);
    problem.yp0 = yp0;
    check_told(&problem, &options, TANSY_INCONSISTENT, "component", "keep_initial");
    yp0[0] = -0.5 / p, yp0[1] = 0.5 / p;
    tansy_solver *const solver = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_initialise(solver, NULL, yp, NULL, NULL), TANSY_OK);
    for (int i = 0; i < 2; i++) CHECK_CLOSE(yp[i], yp0[i], 1e-8);
    tansy_free(solver);
}

/* z' enters as its square, which vanishes at the guess: .kind can say that z is algebraic, and only F itself tells that it is not. */
static int hidden(double t, const double *y, const double *u, const double *q, double *F,
                  void *context)
{
    (void)context;
    F[0] = u[0] + q[0] * y[0];
    F[1] = y[1] - sin(t) + u[1] * u[1];
    return 0;
}

TEST(what_does_not_satisfy_the_equations_is_not_returned)
{
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_ALGEBRAIC};
    static const double zero[] = {1, 0};
    tansy_problem const problem = {
        .n = 2, .np = 1, .p = &p, .y0 = zero, .kind = kind, .residual = hidden};
    check_told(&problem, NULL, TANSY_INCONSISTENT, "equation 1", "not 0");
}

TEST(columns_that_do_not_satisfy_their_equations_are_not_returned)
{
    struct pair c = {.bend = 0};
    tansy_problem problem = pair_given(&c);
    problem.residual_tangent = wrong_tangent;
    tansy_options const options = {.residual = TANSY_SEED};
    check_told(&problem, &options, TANSY_INCONSISTENT, "dy/dp_0", "equation");
}

/* A residual that fails from call k on, whatever the start is doing then, is told: with 1 at the latest when no smaller step helps, with -1 at once. */
TEST(failures_on_the_way_are_told)
{
    for (int code = -1; code <= 1; code += 2) {
        size_t k = 1;
        for (tansy_status status = TANSY_USER_STOPPED; status != TANSY_OK && k < 1000; k++) {
            struct pair c = {.last = k, .code = code};
            tansy_problem const problem = pair_problem(&c);
            tansy_solver *const solver = tansy_create(&problem, NULL);
            status = tansy_initialise(solver, NULL, NULL, NULL, NULL);
            if (status != TANSY_OK && code < 0) CHECK_EQUAL(status, TANSY_USER_STOPPED);
            if (status != TANSY_OK) CHECK(strlen(tansy_message(solver)) > 0);
            tansy_free(solver);
        }
        CHECK(k > 10 && k < 1000);
    }
}

/* p (psi(u0) - psi(u1)) + y0 = 1 + t,  -p (psi(u0) - psi(u1)) + q y1 = 6 t: u0 + q u1 = 7. */
static int curved(double t, const double *y, const double *u, const double *q, double *F,
                  double (*psi)(double))
{
    double const flow = q[0] * (psi(u[0]) - psi(u[1]));
    F[0] = flow + y[0] - 1 - t;
    F[1] = -flow + q[1] * y[1] - 6 * t;
    return 0;
}

static double cubic(double u)
{
    return u + 0.063 * u * u * u;
}

static double bounded(double u)
{
    return u / (1 + u * u);
}

static int cubic_flow(double t, const double *y, const double *u, const double *q, double *F,
                      void *context)
{
    (void)context;
    return curved(t, y, u, q, F, cubic);
}

static int bounded_flow(double t, const double *y, const double *u, const double *q, double *F,
                        void *context)
{
    (void)context;
    return curved(t, y, u, q, F, bounded);
}

/* psi(u0) - psi(7 - u0) is never -0.6. */
TEST(derivatives_that_do_not_settle_are_told)
{
    static const double q[] = {0.5, 1}, start[] = {1.3, -0.3};
    tansy_problem const problem = {.n = 2, .np = 2, .p = q, .y0 = start, .residual = bounded_flow};
    check_told(&problem, &(tansy_options){.atol = 1e-9}, TANSY_INCONSISTENT, "component", ".yp0");
}

/* y is moved by 9, which changes with q and with y' at a rate that the rounds for S do not follow. */
TEST(columns_of_values_that_are_moved_too_far_are_told)
{
    static const double q[] = {0.5, 1}, start[] = {18.22, -0.3};
    tansy_problem const problem = {.n = 2, .np = 2, .p = q, .y0 = start, .residual = cubic_flow};
    check_told(&problem, &(tansy_options){.atol = 1e-9}, TANSY_INCONSISTENT, "dy/dp_0",
               "component");
}

/* The report of a model as it begins. */
static void begin(const char *text, char *report, size_t size)
{
    tansy_problem problem = {.n = 0};
    tansy_model *const model = tansy_model_parse(text, strlen(text), "model");
    CHECK_EQUAL(tansy_model_problem(model, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_initialise(s, NULL, NULL, NULL, NULL), TANSY_OK);
    (void)tansy_report(s, report, size);
    tansy_free(s);
    tansy_model_free(model);
}

/* x + y = 4 is kept, so both begin at 2; of z the initial value is but a guess. */
TEST(initial_values_of_states_that_are_not_kept_are_told)
{
    static const char warning[] = "do not allow the initial values of the states";
    char report[8000];
    begin("parameter a = 1\nstate x = 1, y = 3\nx' + y' = -a*x\nx = y\ntime 0 .. 1\n", report,
          sizeof report);
    CHECK_TEXT_CONTAINS(report, warning);
    CHECK_TEXT_CONTAINS(report, "x begins at 2, not at 1, and 1 more is moved (kept");
    begin("parameter a = 1\nstate x = 2, y = 2\nalgebraic z = 5\nx' + y' = -a*x\nx = y\n"
          "0 = z - x\ntime 0 .. 1\n",
          report, sizeof report);
    CHECK_TEXT_CONTAINS(report, "farthest moved is z");
    CHECK(!strstr(report, warning));
}
