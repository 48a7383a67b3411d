/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs with derivatives in them, and outputs as derived quantities of a problem, against formulas by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "test.h"

static const char implicit[] = "parameter k = 2, a = 3\n"
                               "state x = 1, y = 2\n"
                               "k*x' + y'^2 = -x\n"
                               "x'*y' = a*y\n"
                               "output power = k*x*x'\n"
                               "output total = x + a*y\n"
                               "output bend = if y > 1 then x'*y' else x'^2\n";

static const double y[] = {0.7, 1.3}, yp[] = {-0.4, 2.5}, p[] = {2, 3};

/* Three columns: along k, along x, along y alone in y'. */
enum { COLUMNS = 3 };
static const double sens[] = {0.1, 0.2, 1, 0, 0, 0}, sensp[] = {0.3, 0.4, 0, 0, 0, 1};
static const double direction[] = {1, 0, 0, 0, 0, 0};

static void check_columns(const double *dq, size_t column_step, size_t output_step)
{
    for (size_t k = 0; k < COLUMNS; k++) {
        const double *const s = sens + 2 * k, *const r = sensp + 2 * k,
                            *const u = direction + 2 * k;
        double const power = u[0] * y[0] * yp[0] + p[0] * (s[0] * yp[0] + y[0] * r[0]);
        double const total = s[0] + p[1] * s[1] + u[1] * y[1];
        double const bend = r[0] * yp[1] + yp[0] * r[1];
        CHECK_CLOSE(dq[k * column_step], power, 1e-15);
        CHECK_CLOSE(dq[k * column_step + output_step], total, 1e-15);
        CHECK_CLOSE(dq[k * column_step + 2 * output_step], bend, 1e-15);
    }
}

static void check_values(const double *q)
{
    CHECK_CLOSE(q[0], p[0] * y[0] * yp[0], 1e-15);
    CHECK_CLOSE(q[1], y[0] + p[1] * y[1], 1e-15);
    CHECK_CLOSE(q[2], yp[0] * yp[1], 1e-15);
}

TEST(outputs_may_use_the_derivatives_of_an_implicit_model)
{
    tansy_model *const m = tansy_model_parse(implicit, sizeof implicit - 1, "m");
    tansy_model_summary s;
    tansy_point const at = {.t = 0, .side = 1, .y = y, .yp = yp, .p = p};
    tansy_columns const columns = {
        .ns = COLUMNS, .sens = sens, .direction_p = direction, .sensp = sensp};
    double q[3], dq[3 * COLUMNS];
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    tansy_model_summarise(m, &s);
    CHECK_EQUAL(s.output_rates, 1);
    CHECK_EQUAL(tansy_model_outputs_at(m, &at, q), TANSY_OK);
    check_values(q);
    CHECK_EQUAL(tansy_model_output_columns_at(m, &at, &columns, dq), TANSY_OK);
    check_columns(dq, 3, 1);
    tansy_model_free(m);
}

TEST(outputs_with_derivatives_ask_for_them)
{
    tansy_model *const m = tansy_model_parse(implicit, sizeof implicit - 1, "m");
    tansy_point const at = {.t = 0, .side = 1, .y = y, .yp = yp, .p = p};
    double q[3 * COLUMNS];
    CHECK_EQUAL(tansy_model_outputs(m, 0, 1, y, p, q), TANSY_BAD_CALL);
    CHECK_EQUAL(
        tansy_model_output_columns_at(m, &at, &(tansy_columns){.ns = COLUMNS, .sens = sens}, q),
        TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_model_outputs_at(NULL, &at, q), TANSY_BAD_CALL);
    tansy_model_free(m);
}

/* A problem with memory of its own for the functions. */
struct ready {
    tansy_model *model;
    tansy_problem problem;
    tansy_local local;
};

static struct ready get_ready(const char *text)
{
    struct ready r = {.model = tansy_model_parse(text, strlen(text), "m")};
    CHECK_EQUAL(tansy_model_problem(r.model, &r.problem), TANSY_OK);
    size_t const size = (r.problem.scratch + 63) / 64 * 64;
    r.local = (tansy_local){
        .context = r.problem.context, .scratch = aligned_alloc(64, size), .version = 1};
    memset(r.local.scratch, 0, size);
    return r;
}

static void put_away(struct ready *r)
{
    tansy_model_free(r->model);
    free(r->local.scratch);
}

TEST(derived_quantities_of_a_problem_are_its_outputs)
{
    struct ready r = get_ready(implicit);
    double Q[3], R[3 * COLUMNS], V[2 * COLUMNS], V_rate[2 * COLUMNS], U[2 * COLUMNS];
    for (size_t k = 0; k < COLUMNS; k++)
        for (size_t i = 0; i < 2; i++) {
            V[i * COLUMNS + k] = sens[2 * k + i];
            V_rate[i * COLUMNS + k] = sensp[2 * k + i];
            U[i * COLUMNS + k] = direction[2 * k + i];
        }
    CHECK_EQUAL(r.problem.nq, 3);
    CHECK_EQUAL(r.problem.derived(0, y, yp, p, Q, &r.local), 0);
    check_values(Q);
    CHECK_EQUAL(r.problem.derived_tangent(0, y, yp, p, COLUMNS, COLUMNS, V, V_rate, U, R, &r.local),
                0);
    check_columns(R, 1, COLUMNS);
    put_away(&r);
}

/* x >= 1 is watched: the solver's word counts.  x >= 5 is the output's alone.  The control is on its second piece. */
TEST(derived_quantities_take_conditions_of_the_equations_as_the_solver_has_them)
{
    struct ready r =
        get_ready("control u = {7, 8} piecewise constant at {0, 1, 2}\n"
                  "state x = 1\n"
                  "x' = if x >= 1 then -x else u\n"
                  "output o = (if x >= 1 then 10 else 20) + (if x >= 5 then 1 else 2) + u*x'\n");
    double const x[] = {6}, modes[] = {7, 8, 0, 1}, other[] = {7, 8, 1, 1};
    double Q[1];
    CHECK_EQUAL(r.problem.switches, 1);
    CHECK_EQUAL(r.problem.derived(1.5, x, NULL, modes, Q, &r.local), 0);
    CHECK_CLOSE(Q[0], 20 + 1 + 8 * 8, 1e-14);
    CHECK_EQUAL(r.problem.derived(1.5, x, NULL, other, Q, &r.local), 0);
    CHECK_CLOSE(Q[0], 10 + 1 - 8 * 6, 1e-14);
    put_away(&r);
    r = get_ready("state x = 1\nx' = 1\n");
    CHECK(!r.problem.derived && r.problem.nq == 0);
    put_away(&r);
}
