/* SPDX-License-Identifier: Apache-2.0 */
/* Every example model but the implicit ones and the largest: df/dy, df/dp, tangents and directional second derivatives as the engine computes them against
   complex steps of the plain evaluator, to 1e-10; the patterns have exactly the entries that are not zero. */
#include <math.h>
#include <stdlib.h>

#include "support/model_lanes.h"
#include "test.h"

/* An entry of a matrix, to 1e-10 of its own but for what rounding of the column's largest can leave of a difference. */
static void check_entry(double actual, double expected, double largest)
{
    CHECK_CLOSE(actual, expected, 1e-10 * fabs(expected) + 1e-14 * largest);
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
    double *const F = calloc(at->problem.parameter_pattern.entries + 1, sizeof *F);
    CHECK_EQUAL(at->problem.parameter_jacobian(at->t, at->y, at->p, F, &at->local), 0);
    model_point_check_parameters(at, F);
    free(F);
}

enum { COLUMNS = 11 };

static void check_tangent(struct model_point *at)
{
    struct model_lanes l = model_lanes_make(at, COLUMNS);
    CHECK_EQUAL(
        at->problem.tangent(at->t, at->y, at->p, COLUMNS, LANES_LD, l.V, l.U, l.R, &at->local), 0);
    model_lanes_check(at, &l, at->model->system.rhs);
    model_lanes_free(&l);
}

static void check_second(struct model_point *at)
{
    model_lanes_check_second(at, COLUMNS, model_lanes_check);
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
    lane_program_run(s.mass, &leaves,
                     &(struct lane_panels){.columns = 1, .ld = 1, .V = V, .U = U, .R = R}, work);
    /* B v = ((1 + k y^2) v1 + c x v2, v2 + x v1); direction: dx, dy, dk, dc */
    double const first =
        (y[1] * y[1] * U[0] + 2 * p[0] * y[1] * V[1]) * v[0] + (U[1] * y[0] + p[1] * V[0]) * v[1];
    CHECK_CLOSE(R[0], first, 1e-14);
    CHECK_CLOSE(R[1], V[0] * v[0], 1e-14);
    second_derivatives_free(&s);
    tansy_model_free(m);
}
