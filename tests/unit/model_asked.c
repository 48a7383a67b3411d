/* SPDX-License-Identifier: Apache-2.0 */
/* x^n has no derivative in n where x < 0.  Columns of other parameters do not mind, wherever the power stands: in an equation,
   an initial value, a condition, an output.  The column of n is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "model/lane_asked.h"
#include "test.h"

#include <tansy/tansy.h>

/* What a model has at t = 1: x, its derivative in the parameter `name`, and the message. */
struct run {
    tansy_status status, checked;
    double y[3], s[3], q, dq;
    char message[300];
};

static struct run solve(const char *text, const char *name, tansy_residual residual)
{
    struct run r = {.status = TANSY_OK};
    tansy_model *const m = tansy_model_parse(text, strlen(text), "asked");
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    CHECK(problem.n <= 3 && problem.np <= 5);
    int const column = (int)tansy_model_index(m, TANSY_MODEL_PARAMETERS, name);
    double direction[5] = {0};
    direction[column] = 1;
    problem.ns = 1;
    problem.columns = &column;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.rtol = 1e-8, .atol = 1e-11, .residual = residual});
    r.checked = tansy_check(s);
    r.status = tansy_solve(s, 1, r.y, r.s);
    tansy_columns const columns = {.ns = 1, .sens = r.s, .direction_p = direction};
    CHECK_EQUAL(tansy_model_outputs(m, 1, -1, r.y, problem.p, &r.q), TANSY_OK);
    CHECK_EQUAL(tansy_model_output_columns(m, 1, -1, r.y, problem.p, &columns, &r.dq), TANSY_OK);
    (void)snprintf(r.message, sizeof r.message, "%s", tansy_message(s));
    tansy_free(s);
    tansy_model_free(m);
    return r;
}

static const tansy_residual ways[] = {TANSY_RESIDUAL_AUTO, TANSY_MATRIX, TANSY_SEED};
enum { WAYS = sizeof ways / sizeof *ways };

/* With n a parameter the column of a is the one that a model has in which n is a constant: two runs to 1e-8 with about 40
   steps each, so 1e-6 of it; and the column of n cannot be had. */
static void check_model(const char *n_and, const char *rest)
{
    char with[600], without[600];
    (void)snprintf(with, sizeof with, "parameter n = 2, %s\n%s", n_and, rest);
    (void)snprintf(without, sizeof without, "constant n = 2\nparameter %s\n%s", n_and, rest);
    for (size_t k = 0; k < WAYS; k++) {
        struct run const asked = solve(with, "a", ways[k]), plain = solve(without, "a", ways[k]);
        if (asked.status != TANSY_OK) fprintf(stderr, "%s\n", asked.message);
        CHECK_EQUAL(asked.status, TANSY_OK);
        CHECK_EQUAL(asked.checked, TANSY_OK);
        CHECK_CLOSE(asked.y[0], plain.y[0], 1e-6 * fabs(plain.y[0]));
        CHECK_CLOSE(asked.s[0], plain.s[0], 1e-6 * fabs(plain.s[0]));
        CHECK_CLOSE(asked.dq, plain.dq, 1e-6 * fabs(plain.dq));
        CHECK(plain.s[0] != 0);
        struct run const n = solve(with, "n", ways[k]);
        CHECK_EQUAL(n.status, TANSY_NOT_FINITE);
    }
}

TEST(a_power_in_an_equation_has_the_columns_of_its_other_parameters)
{
    check_model("k = 1, a = 0.5", "state x = -1\nx' = k*x^n - a*x\noutput q = a*x\n");
}

TEST(an_exponent_that_many_equations_share_is_no_matter)
{
    check_model("k = 1, a = 0.5, b = 1, c = 0",
                "let m = n*b + c\nstate x = -1, y = -1, z = -1\nx' = k*x^m - a*x\n"
                "y' = k*y^m - a*x\nz' = k*z^m*x^m - a*z\noutput q = z\n");
}

TEST(a_power_in_an_initial_value_has_the_columns_of_other_parameters)
{
    check_model("k = -1, a = 0.5", "state x = k^n\nx' = -a*x\noutput q = x\n");
}

TEST(a_power_in_a_condition_has_the_columns_of_other_parameters)
{
    check_model("k = 1, a = 0.5, b = 0.2",
                "state x = -1\nx' = k - a*x + (if x^n < b then a else 0)\noutput q = x\n");
}

TEST(a_power_in_an_output_has_the_columns_of_other_parameters)
{
    static const char with[] = "parameter a = 0.5, n = 2\nstate x = -1\nx' = -a*x\noutput q = x^n";
    struct run const r = solve(with, "a", TANSY_SEED);
    CHECK_EQUAL(r.status, TANSY_OK);
    CHECK_CLOSE(r.q, exp(-1), 1e-6); /* x = -exp(-a t), q = exp(-2 a t) */
    CHECK_CLOSE(r.dq, -2 * exp(-1), 1e-6);
    CHECK(isnan(solve(with, "n", TANSY_SEED).dq));
}

/* d sqrt(k)/dk is infinite at k = 0, and is computed once per p. */
TEST(what_depends_on_parameters_alone_need_not_be_finite_either)
{
    static const char text[] =
        "parameter a = 0.5, k = 0\nstate x = 1\nx' = -a*x + sqrt(k)*x\noutput q = x";
    for (size_t k = 0; k < WAYS; k++) {
        struct run const r = solve(text, "a", ways[k]);
        CHECK_EQUAL(r.status, TANSY_OK);
        CHECK_CLOSE(r.s[0], -exp(-0.5), 1e-6); /* dx/da = -t exp(-a t) */
        CHECK_EQUAL(solve(text, "k", ways[k]).status, TANSY_NOT_FINITE);
    }
}

/* Rows by hand: w = 2 u0 + u1 is of p alone, z = v0 + u0 is not, the roots are c w + 3 z and c z with c = log(p0). */
enum { COLUMNS = 35, LD = 36 };

struct rows {
    struct graph *g;
    struct lane_program *program;
    double *work, V[LD], U[2 * LD], R[2 * LD];
};

static void rows_make(struct rows *r)
{
    struct graph *const g = r->g = graph_create();
    uint32_t const one = graph_constant(g, 1), two = graph_constant(g, 2),
                   three = graph_constant(g, 3);
    uint32_t const c = graph_unary(g, OP_LOG, graph_leaf(g, OP_PARAMETER, 0));
    size_t start[] = {0, 2, 4, 6, 7};
    uint32_t source[] = {1, 2, 0, 1, 3, 4, 4}, coefficient[] = {two, one, one, one, c, three, c};
    struct tangent const t = {.n = 1,
                              .np = 2,
                              .rows = 4,
                              .roots = 2,
                              .terms = 7,
                              .start = start,
                              .source = source,
                              .coefficient = coefficient};
    CHECK_EQUAL(lane_program_create(g, NULL, &t, &r->program), TANSY_OK);
    r->work = heap_take(lane_asked_work(r->program) * sizeof *r->work);
    for (size_t k = 0; k < COLUMNS; k++) {
        r->V[k] = 1 + (double)k;
        r->U[k] = 0;
        r->U[LD + k] = k == 33 ? 1 : 0; /* in the second strip */
    }
}

static void rows_free(struct rows *r)
{
    lane_program_free(r->program);
    heap_return(r->work);
    graph_free(r->g);
}

TEST(rows_of_parameters_alone_are_passed_over_and_rows_with_states_never)
{
    struct rows r;
    double const y = 1, p[] = {-1, 1};
    rows_make(&r);
    struct leaves const leaves = {.y = &y, .p = p, .np = 2};
    lane_asked_run(
        r.program, &leaves,
        &(struct lane_panels){.columns = COLUMNS, .ld = LD, .V = r.V, .U = r.U, .R = r.R}, r.work);
    for (size_t k = 0; k < COLUMNS; k++) {
        if (k == 33)
            CHECK(isnan(r.R[k]));
        else
            CHECK_CLOSE(r.R[k], 3 * (1 + (double)k), 0);
        CHECK(isnan(r.R[LD + k]));
    }
    lane_asked_run(r.program, &leaves,
                   &(struct lane_panels){.columns = 1, .ld = LD, .V = r.V, .U = NULL, .R = r.R},
                   r.work);
    CHECK(isnan(r.R[0])); /* without U all rows are the engine's */
    rows_free(&r);
}

TEST(finite_coefficients_are_the_engines)
{
    struct rows r;
    double const y = 1, p[] = {1, 1};
    rows_make(&r);
    struct leaves const leaves = {.y = &y, .p = p, .np = 2};
    lane_asked_run(r.program, &leaves,
                   &(struct lane_panels){.columns = 2, .ld = LD, .V = r.V, .U = r.U, .R = r.R},
                   r.work);
    CHECK_CLOSE(r.R[1], 6, 0);
    CHECK_CLOSE(r.R[LD + 1], 0, 0);
    rows_free(&r);
}
