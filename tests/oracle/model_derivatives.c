/* SPDX-License-Identifier: Apache-2.0 */
/* Every example model: f, df/dy, df/dp, tangents and directional second derivatives as the engine computes them against
   complex steps of the plain evaluator, to 1e-10; the patterns have exactly the entries that are not zero. */
#include <math.h>
#include <stdlib.h>

#include "support/model_point.h"
#include "support/random.h"
#include "test.h"

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

static void check_jacobian(struct model_point *at)
{
    size_t const n = at->n;
    double *const J = calloc(model_point_places(at), sizeof *J), *const e = calloc(n, sizeof *e);
    double *const column = calloc(n, sizeof *column);
    size_t found = 0;
    CHECK_EQUAL(at->problem.jacobian(at->t, at->y, at->p, J, &at->local), 0);
    for (size_t j = 0; j < n; j++) {
        e[j] = 1;
        model_point_step(at, at->model->system.rhs, n, e, NULL, 0, column);
        e[j] = 0;
        for (size_t i = 0; i < n; i++) {
            check_entry(model_point_entry(at, J, i, j), column[i], largest_of(column, n));
            found += column[i] != 0;
        }
    }
    CHECK_EQUAL(at->model->jacobian.entries, found);
    free(J);
    free(e);
    free(column);
}

static void check_parameters(struct model_point *at)
{
    const tansy_pattern *const pattern = &at->problem.parameter_pattern;
    size_t const n = at->n, np = at->np;
    double *const F = calloc(pattern->entries + 1, sizeof *F), *const e = calloc(np, sizeof *e);
    double *const full = calloc(n * np, sizeof *full), *const column = calloc(n, sizeof *column);
    size_t found = 0;
    CHECK_EQUAL(at->problem.parameter_jacobian(at->t, at->y, at->p, F, &at->local), 0);
    for (size_t k = 0; k < pattern->entries; k++)
        full[pattern->row[k] * np + pattern->column[k]] = F[k];
    for (size_t k = 0; k < np; k++) {
        e[k] = 1;
        model_point_step(at, at->model->system.rhs, n, NULL, e, 0, column);
        e[k] = 0;
        for (size_t i = 0; i < n; i++) {
            check_entry(full[i * np + k], column[i], largest_of(column, n));
            found += column[i] != 0;
        }
    }
    CHECK_EQUAL(pattern->entries, found);
    free(F);
    free(e);
    free(full);
    free(column);
}

enum { COLUMNS = 11, LD = 16 };

/* Directions V[n], U[np] for COLUMNS lanes, and one of them taken out. */
struct directions {
    double *V, *U, *R, *v, *u, *expected;
};

static struct directions directions_make(const struct model_point *at)
{
    struct random_source random = {.state = 5};
    struct directions d = {.V = calloc(at->n * LD, sizeof(double)),
                           .U = calloc((at->np + 1) * LD, sizeof(double)),
                           .R = calloc(at->n * LD, sizeof(double)),
                           .v = calloc(at->n, sizeof(double)),
                           .u = calloc(at->np + 1, sizeof(double)),
                           .expected = calloc(at->n, sizeof(double))};
    for (size_t x = 0; x < at->n * LD; x++) d.V[x] = random_next(&random);
    for (size_t k = 0; k < at->np; k++)
        for (size_t c = 0; c < LD; c++) d.U[k * LD + c] = at->p[k] * random_next(&random);
    return d;
}

static void directions_take(const struct model_point *at, struct directions *d, size_t c)
{
    for (size_t i = 0; i < at->n; i++) d->v[i] = d->V[i * LD + c];
    for (size_t k = 0; k < at->np; k++) d->u[k] = d->U[k * LD + c];
}

static void directions_free(struct directions *d)
{
    free(d->V);
    free(d->U);
    free(d->R);
    free(d->v);
    free(d->u);
    free(d->expected);
}

/* R against the complex step of the roots along each direction. */
static void check_lanes(struct model_point *at, struct directions *d, const uint32_t *root)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        directions_take(at, d, c);
        model_point_step(at, root, at->n, d->v, d->u, 0, d->expected);
        for (size_t i = 0; i < at->n; i++)
            check_entry(d->R[i * LD + c], d->expected[i], largest_of(d->expected, at->n));
    }
}

static void check_tangent(struct model_point *at)
{
    struct directions d = directions_make(at);
    CHECK_EQUAL(at->problem.tangent(at->t, at->y, at->p, COLUMNS, LD, d.V, d.U, d.R, &at->local),
                0);
    check_lanes(at, &d, at->model->system.rhs);
    directions_free(&d);
}

/* Complex steps of the expressions J v and f_t; J itself was checked above. */
static void check_second(struct model_point *at)
{
    struct directions d = directions_make(at);
    struct second_derivatives s = {.work = 0};
    struct system *const system = &at->model->system;
    struct random_source random = {.state = 9};
    CHECK_EQUAL(model_compile_second(at->model, &s), TANSY_OK);
    double *const work = aligned_alloc(64, (s.work + 8) / 8 * 64);
    double *const hoisted = calloc(s.plan.count + 1, sizeof *hoisted);
    double *const vector = calloc(at->n, sizeof *vector);
    uint32_t *const root = calloc(at->n, sizeof *root);
    for (size_t i = 0; i < at->n; i++) vector[i] = random_next(&random);
    struct leaves leaves = {.t = at->t,
                            .y = at->y,
                            .p = at->p,
                            .vector = vector,
                            .hoisted = hoisted,
                            .table = system->table.item,
                            .np = at->np,
                            .switches = system->watched};
    if (s.plan.count > 0) program_run(s.plan.program, &leaves, work, hoisted);
    at->vector = vector;
    CHECK_EQUAL(differentiate_along(system->graph, system->rhs, at->n, OP_STATE, at->n, root), 0);
    lane_program_run(s.along, &leaves, &(struct lane_panels){COLUMNS, LD, d.V, d.U, d.R, NULL},
                     work);
    check_lanes(at, &d, root);
    struct derivative f_t = {.rows = 0};
    CHECK_EQUAL(differentiate(system->graph, system->rhs, at->n, OP_TIME, 1, &f_t), 0);
    for (size_t i = 0; i < at->n; i++)
        root[i] = f_t.start[i] < f_t.start[i + 1] ? f_t.node[f_t.start[i]] : 0;
    lane_program_run(s.time, &leaves, &(struct lane_panels){COLUMNS, LD, d.V, d.U, d.R, NULL},
                     work);
    check_lanes(at, &d, root);
    at->vector = NULL;
    derivative_free(&f_t);
    free(work);
    free(hoisted);
    free(vector);
    free(root);
    second_derivatives_free(&s);
    directions_free(&d);
}

typedef void check(struct model_point *at);

static void for_all_models(check *holds)
{
    for (size_t k = 0; model_names[k]; k++) {
        struct model_point at;
        model_point_open(model_names[k], 1 + (unsigned)k, &at);
        holds(&at);
        model_point_close(&at);
    }
}

TEST(the_jacobian_of_every_model_is_exact_and_so_is_its_pattern)
{
    for_all_models(check_jacobian);
}

TEST(the_parameter_jacobian_of_every_model_is_exact_and_so_is_its_pattern)
{
    for_all_models(check_parameters);
}

TEST(tangents_of_every_model_are_exact)
{
    for_all_models(check_tangent);
}

TEST(second_directional_derivatives_of_every_model_are_exact)
{
    for_all_models(check_second);
}

/* B = dF/dy' of a linearly implicit model: F = (1 + k y^2) x' + x y' - ..., so that B v is known by hand. */
TEST(the_mass_matrix_times_a_vector_is_differentiated_too)
{
    static const char text[] = "parameter k = 2, c = 3\n"
                               "state x = 1, y = 1\n"
                               "(1 + k*y^2)*x' + c*x*y' = -x\n"
                               "y' + x*x' = -k*y\n";
    double const y[] = {0.7, 1.3}, p[] = {2, 3, 0}, v[] = {0.4, -0.9}, rate[] = {0, 0};
    double const V[] = {0.5, -0.2}, U[] = {0.3, 0.8};
    double work[512] __attribute__((aligned(64))), hoisted[32] = {0}, R[2];
    struct second_derivatives s = {.work = 0};
    tansy_model *const m = tansy_model_parse(text, sizeof text - 1, "mass");
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    CHECK_EQUAL(model_compile_second(m, &s), TANSY_OK);
    CHECK(s.mass && s.work <= 512 && s.plan.count <= 32);
    struct leaves leaves = {.y = y, .rate = rate, .p = p, .vector = v, .np = 2};
    if (s.plan.count > 0) program_run(s.plan.program, &leaves, work, hoisted);
    leaves.hoisted = hoisted;
    lane_program_run(s.mass, &leaves, &(struct lane_panels){1, 1, V, U, R, NULL}, work);
    /* B v = ((1 + k y^2) v1 + c x v2, v2 + x v1); direction: dx, dy, dk, dc */
    double const first =
        (y[1] * y[1] * U[0] + 2 * p[0] * y[1] * V[1]) * v[0] + (U[1] * y[0] + p[1] * V[0]) * v[1];
    CHECK_CLOSE(R[0], first, 1e-14);
    CHECK_CLOSE(R[1], V[0] * v[0], 1e-14);
    second_derivatives_free(&s);
    tansy_model_free(m);
}
