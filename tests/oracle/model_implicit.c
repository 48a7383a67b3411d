/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit models: F, dF/dy, dF/dy', dF/dp, their tangents, and dg/dt of the constraints as the engine computes them against
   complex steps of the plain evaluator, to 1e-10, in dense, banded and sparse storage. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/model_point.h"
#include "support/random.h"
#include "test.h"

static const char *const example[] = {"batch_reactor",        "pendulum",   "robertson_dae",
                                      "transistor_amplifier", "akzo_nobel", NULL};

/* A chain with an algebraic end, banded; a ring with distant partners, sparse; rates in products, and conditions. */
static const char *const text[] = {
    "parameter k = 2, a = 3\n"
    "state u[i in 1..70] = 1 + i/70\n"
    "algebraic w = 2\n"
    "k*u[i]' + (if i < 70 then u[i+1]' else 0) = -a*u[i]^2 for i in 1..70\n"
    "w*u[70] = sin(k*w) + t\n",
    "parameter k = 2, a = 3\n"
    "state u[i in 1..80] = 1 + i/80\n"
    "algebraic w[i in 1..80] = 2\n"
    "u[i]' = k*w[i]*u[1 + (if i < 41 then 39 + i else i - 41)] for i in 1..80\n"
    "exp(w[i]) = a*u[81 - i] + (if i > 1 then w[i-1] else t) for i in 1..80\n",
    "parameter k = 2, a = 3\n"
    "state x = 1, y = 2, z = 3\n"
    "x'*y' + k*z'^2 = x*y*z\n"
    "exp(k*x') + (if x > 1 then y'*z else z') = a*t\n"
    "x' + sqrt(z)*y'*(k + x*y') = if y > z then x'*a else y'\n",
    NULL};

typedef void check(struct model_point *at);

static void for_all(check *holds)
{
    struct model_point at;
    for (unsigned k = 0; example[k]; k++) {
        model_point_open(example[k], 1 + k, &at);
        holds(&at);
        model_point_close(&at);
    }
    for (unsigned k = 0; text[k]; k++) {
        model_point_stand(tansy_model_parse(text[k], strlen(text[k]), "text"), 31 + k, &at);
        holds(&at);
        model_point_close(&at);
    }
}

/* Relative to the entry, but for what rounding of the largest entry of the row's sum can leave. */
static void check_entry(double actual, double expected, double largest)
{
    CHECK_CLOSE(actual, expected, 1e-10 * fabs(expected) + 1e-13 * largest);
}

static double largest_of(const double *v, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(v[i]));
    return largest;
}

/* Both matrices, column by column; entries outside the storage must be zero. */
static void check_matrices(struct model_point *at)
{
    const tansy_problem *const p = &at->problem;
    const uint32_t *const F = at->model->system.residual;
    size_t const n = at->n, places = model_point_places(at);
    double *const J = calloc(places, sizeof *J), *const B = calloc(places, sizeof *B);
    double *const e = calloc(n, sizeof *e), *const column = calloc(n, sizeof *column);
    if (p->structure == TANSY_SPARSE) /* every entry is to be written */
        for (size_t x = 0; x < places; x++) J[x] = B[x] = (double)NAN;
    CHECK_EQUAL(p->residual_jacobian(at->t, at->y, at->rate, at->p, J, &at->local), 0);
    CHECK_EQUAL(p->rate_jacobian(at->t, at->y, at->rate, at->p, B, &at->local), 0);
    for (size_t j = 0; j < n; j++) {
        e[j] = 1;
        model_point_step(at, F, n, e, NULL, 0, column);
        for (size_t i = 0; i < n; i++)
            check_entry(model_point_entry(at, J, i, j), column[i], largest_of(column, n));
        at->rate_step = e;
        model_point_step(at, F, n, NULL, NULL, 0, column);
        at->rate_step = NULL;
        for (size_t i = 0; i < n; i++)
            check_entry(model_point_entry(at, B, i, j), column[i], largest_of(column, n));
        e[j] = 0;
    }
    free(J);
    free(B);
    free(e);
    free(column);
}

TEST(both_jacobians_of_implicit_models_are_exact)
{
    for_all(check_matrices);
}

TEST(the_storage_follows_the_pattern)
{
    static const tansy_structure expected[] = {TANSY_BANDED, TANSY_SPARSE, TANSY_DENSE};
    for (unsigned k = 0; k < 3; k++) {
        tansy_model *const m = tansy_model_parse(text[k], strlen(text[k]), "text");
        tansy_problem p;
        CHECK_EQUAL(tansy_model_problem(m, &p), TANSY_OK);
        CHECK_EQUAL(p.structure, expected[k]);
        if (k == 0) CHECK(p.lower == 1 && p.upper == 1);
        if (k == 1) CHECK_EQUAL(p.jacobian_pattern.entries, (size_t)(80 * 3 + 80 * 2 + 79));
        tansy_model_free(m);
    }
}

static void check_parameters(struct model_point *at)
{
    const tansy_pattern *const pattern = &at->problem.parameter_pattern;
    size_t const n = at->n, np = at->np;
    if (pattern->entries == 0) { /* of the pendulum: its length is in the initial values alone */
        CHECK(!at->problem.residual_parameter);
        return;
    }
    double *const F = calloc(pattern->entries + 1, sizeof *F), *const e = calloc(np, sizeof *e);
    double *const full = calloc(n * np, sizeof *full), *const column = calloc(n, sizeof *column);
    CHECK_EQUAL(at->problem.residual_parameter(at->t, at->y, at->rate, at->p, F, &at->local), 0);
    for (size_t k = 0; k < pattern->entries; k++)
        full[pattern->row[k] * np + pattern->column[k]] = F[k];
    for (size_t k = 0; k < np; k++) {
        e[k] = 1;
        model_point_step(at, at->model->system.residual, n, NULL, e, 0, column);
        e[k] = 0;
        for (size_t i = 0; i < n; i++)
            check_entry(full[i * np + k], column[i], largest_of(column, n));
    }
    free(F);
    free(e);
    free(full);
    free(column);
}

TEST(parameter_jacobians_of_implicit_models_are_exact)
{
    for_all(check_parameters);
}

enum { COLUMNS = 63, LD = 64 }; /* strips of all widths */

/* Directions V, V_rate, U in COLUMNS lanes, one of them taken out, and what comes out. */
struct directions {
    double *V, *V_rate, *U, *R, *v, *vp, *u, *expected;
};

static struct directions directions_make(const struct model_point *at)
{
    struct random_source random = {.state = 5};
    struct directions d;
    double **const panel[] = {&d.V, &d.V_rate, &d.U, &d.R}, **const one[] = {&d.v, &d.vp, &d.u};
    size_t const most = at->n + at->np;
    for (size_t k = 0; k < 4; k++) *panel[k] = calloc(most * LD, sizeof(double));
    for (size_t k = 0; k < 3; k++) *one[k] = calloc(most, sizeof(double));
    d.expected = calloc(most, sizeof(double));
    for (size_t x = 0; x < at->n * LD; x++) {
        d.V[x] = random_next(&random);
        d.V_rate[x] = random_next(&random);
    }
    for (size_t k = 0; k < at->np; k++)
        for (size_t c = 0; c < LD; c++) d.U[k * LD + c] = at->p[k] * random_next(&random);
    return d;
}

static void directions_free(struct directions *d)
{
    free(d->V);
    free(d->V_rate);
    free(d->U);
    free(d->R);
    free(d->v);
    free(d->vp);
    free(d->u);
    free(d->expected);
}

/* A tangent of the roots, with and without V_rate and U. */
static void check_lanes(struct model_point *at, tansy_residual_tangent *tangent,
                        const uint32_t *root)
{
    struct directions d = directions_make(at);
    for (int without = 0; without < 3; without++) {
        const double *const V_rate = without == 1 ? NULL : d.V_rate, *const U =
                                                                         without == 2 ? NULL : d.U;
        CHECK_EQUAL(
            tangent(at->t, at->y, at->rate, at->p, COLUMNS, LD, d.V, V_rate, U, d.R, &at->local),
            0);
        for (size_t c = 0; c < COLUMNS; c++) {
            for (size_t i = 0; i < at->n; i++) d.v[i] = d.V[i * LD + c];
            for (size_t i = 0; i < at->n; i++) d.vp[i] = d.V_rate[i * LD + c];
            for (size_t k = 0; k < at->np; k++) d.u[k] = d.U[k * LD + c];
            at->rate_step = V_rate ? d.vp : NULL;
            model_point_step(at, root, at->n, d.v, U ? d.u : NULL, 0, d.expected);
            at->rate_step = NULL;
            for (size_t i = 0; i < at->n; i++)
                check_entry(d.R[i * LD + c], d.expected[i], largest_of(d.expected, at->n));
        }
    }
    directions_free(&d);
}

static void check_tangent(struct model_point *at)
{
    check_lanes(at, at->problem.residual_tangent, at->model->system.residual);
}

TEST(tangents_of_implicit_models_are_exact)
{
    for_all(check_tangent);
}

/* dg/dt is the derivative of g along (1, y'). */
static void check_constraints(struct model_point *at)
{
    static const char constrained[] = "parameter k = 2, a = 3\n"
                                      "state x = 1, y = 2, z = 3\n"
                                      "algebraic f = 0, h = 0, w = 1\n"
                                      "x' = y*f - a*x\n"
                                      "y' = k*h + x*w\n"
                                      "z' = f - h + z\n"
                                      "w = x*exp(z)\n"
                                      "x*y = sin(k*t) + (if x > y then z else z*t)\n"
                                      "a*y*z^2 = k\n";
    model_point_stand(tansy_model_parse(constrained, sizeof constrained - 1, "text"), 7, at);
    const tansy_problem *const p = &at->problem;
    const struct structure *const s = &at->model->structure;
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL,
                                      TANSY_INDEX_2,      TANSY_INDEX_2,      TANSY_ALGEBRAIC};
    double R[6], expected[6];
    for (size_t j = 0; j < 6; j++) CHECK_EQUAL(p->kind[j], kind[j]);
    CHECK_EQUAL(s->constraints, (size_t)2);
    CHECK_EQUAL(p->constraint_rate(at->t, at->y, at->rate, at->p, R, &at->local), 0);
    model_point_step(at, at->model->system.residual, 6, at->rate, NULL, 1, expected);
    for (size_t i = 0; i < 6; i++) CHECK_CLOSE(R[i], s->is_constraint[i] ? expected[i] : 0, 1e-12);
}

TEST(constraints_are_differentiated_in_time)
{
    struct model_point at;
    check_constraints(&at);
    uint32_t root[6];
    struct graph *const g = at.model->system.graph;
    for (uint32_t i = 0; i < 6; i++) {
        struct derivative d = {.rows = 0};
        root[i] = 0;
        if (!at.model->structure.is_constraint[i]) continue;
        CHECK_EQUAL(differentiate(g, &at.model->system.residual[i], 1, OP_STATE, 6, &d), 0);
        for (size_t e = 0; e < d.entries; e++)
            root[i] = graph_binary(
                g, OP_ADD, root[i],
                graph_binary(g, OP_MULTIPLY, d.node[e], graph_leaf(g, OP_RATE, d.column[e])));
        derivative_free(&d);
        CHECK_EQUAL(differentiate(g, &at.model->system.residual[i], 1, OP_TIME, 1, &d), 0);
        if (d.entries > 0) root[i] = graph_binary(g, OP_ADD, root[i], d.node[0]);
        derivative_free(&d);
    }
    check_lanes(&at, at.problem.constraint_rate_tangent, root);
    model_point_close(&at);
}

/* d(x^n)/dn = x^n log x does not exist at x = -1; a lane that leaves n alone is not touched by that, with or without y'. */
TEST(parameters_that_a_lane_leaves_alone_leave_it_alone)
{
    static const char negative[] = "parameter n = 2, k = 3\nstate x = -1\nk*x'^3 + x*x' = x^n\n";
    double const y[] = {-1}, yp[] = {0.5}, p[] = {2, 3, 0};
    double const V[] = {1, 0}, V_rate[] = {0, 1}, U[] = {0, 0, 0, 2};
    struct model_point at;
    double R[2];
    model_point_stand(tansy_model_parse(negative, sizeof negative - 1, "text"), 3, &at);
    at.local.version++;
    CHECK_EQUAL(at.problem.residual_tangent(0, y, yp, p, 2, 2, V, V_rate, U, R, &at.local), 0);
    /* F_x = x' - n x^(n - 1), F_x' = 3 k x'^2 + x, F_k = x'^3 */
    CHECK_CLOSE(R[0], 0.5 + 2, 1e-14);
    CHECK_CLOSE(R[1], 3 * 3 * 0.25 - 1 + 2 * 0.125, 1e-14);
    CHECK_EQUAL(at.problem.residual_tangent(0, y, yp, p, 2, 2, V, NULL, U, R, &at.local), 0);
    CHECK_CLOSE(R[0], 0.5 + 2, 1e-14);
    CHECK_CLOSE(R[1], 2 * 0.125, 1e-14);
    model_point_close(&at);
}

static void check_residual(struct model_point *at)
{
    size_t const n = at->n;
    double *const F = calloc(n, sizeof *F), *const ignored = calloc(n, sizeof *ignored);
    CHECK_EQUAL(at->problem.residual(at->t, at->y, at->rate, at->p, F, &at->local), 0);
    model_point_step(at, at->model->system.residual, n, NULL, NULL, 0, ignored);
    for (size_t i = 0; i < n; i++) {
        double const value = creal(at->value[at->model->system.residual[i]]);
        CHECK_CLOSE(F[i], value, 1e-13 * (1 + fabs(value)));
    }
    free(F);
    free(ignored);
}

TEST(residuals_agree_with_the_plain_evaluator)
{
    for_all(check_residual);
}
