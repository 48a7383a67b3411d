/* SPDX-License-Identifier: Apache-2.0 */
/* The example models: their sizes, and their equations at random points equal to those written by hand in C. */
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bound_model.h"
#include "support/problems.h"
#include "support/random.h"

struct size {
    const char *name;
    enum system_form form;
    size_t states, parameters, outputs;
};

static void read_example(struct bound_model *m, const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "examples/models/%s.tansy", name);
    bound_read(m, path);
    if (m->status != TANSY_OK) fprintf(stderr, "%s\n", m->syntax.diagnosis.text);
    CHECK_EQUAL(m->status, TANSY_OK);
    CHECK_EQUAL(m->syntax.diagnosis.warnings, 0);
    CHECK(strcmp(m->system.name, name) == 0);
    CHECK(m->system.t1 > m->system.t0);
}

TEST(every_example_binds_with_its_sizes)
{
    static const struct size sizes[] = {
        {"gas_oil", FORM_EXPLICIT, 2, 3, 1},
        {"robertson", FORM_EXPLICIT, 3, 3, 0},
        {"hires", FORM_EXPLICIT, 8, 10, 0},
        {"pollution", FORM_EXPLICIT, 20, 25, 0},
        {"ethane", FORM_EXPLICIT, 7, 5, 1},
        {"brusselator", FORM_EXPLICIT, 2, 2, 0},
        {"brusselator_1d", FORM_EXPLICIT, 80, 3, 1},
        {"brusselator_2d", FORM_EXPLICIT, 512, 3, 1},
        {"heat", FORM_EXPLICIT, 100, 2, 0},
        {"heat_400", FORM_EXPLICIT, 160000, 2, 1},
        {"lotka_volterra", FORM_EXPLICIT, 3, 4, 2},
        {"batch_reactor", FORM_LINEARLY_IMPLICIT, 10, 8, 0},
        {"pendulum", FORM_LINEARLY_IMPLICIT, 5, 1, 0},
    };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct bound_model m;
        read_example(&m, sizes[k].name);
        CHECK_EQUAL(m.system.form, sizes[k].form);
        CHECK_EQUAL(m.system.state.count, sizes[k].states);
        CHECK_EQUAL(m.system.parameter.count, sizes[k].parameters);
        CHECK_EQUAL(m.system.output.count, sizes[k].outputs);
        CHECK_EQUAL(m.system.condition.count, 0);
        bound_free(&m);
    }
}

/* f at random points near the sizes that solutions have; both sides sum at most 20 terms whose sizes y and p bound, so they
   agree to 40 roundings of the largest term; the sum of their sizes comes from the same sums with all signs taken off. */
static void agrees(const char *model, const char *problem)
{
    struct bound_model m;
    const struct test_problem *const it = problem_find(problem);
    struct random_source source = {7};
    double y[40], p[40], f[40], g[40], largest;
    read_example(&m, model);
    CHECK(it != NULL);
    CHECK_EQUAL(m.system.state.count, it->problem.n);
    CHECK_EQUAL(m.system.parameter.count, it->problem.np);
    for (size_t k = 0; k < it->problem.np; k++)
        CHECK_CLOSE(m.system.parameter.item[k].value, it->problem.p[k], 0);
    for (size_t i = 0; i < it->problem.n; i++) {
        double y0;
        bound_values(&m, 0, it->problem.y0, it->problem.p, &m.system.state.item[i].initial, 1, &y0);
        CHECK_CLOSE(y0, it->problem.y0[i], 0);
    }
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < it->problem.n; i++) y[i] = fabs(random_next(&source));
        for (size_t k = 0; k < it->problem.np; k++)
            p[k] = it->problem.p[k] * (0.5 + fabs(random_next(&source)));
        largest = 1;
        for (size_t k = 0; k < it->problem.np; k++) largest = fmax(largest, p[k]);
        CHECK_EQUAL(it->problem.rhs(0, y, p, f, it->problem.context), 0);
        bound_values(&m, 0, y, p, m.system.rhs, it->problem.n, g);
        for (size_t i = 0; i < it->problem.n; i++)
            CHECK_CLOSE(g[i], f[i], 40 * DBL_EPSILON * largest);
    }
    bound_free(&m);
}

TEST(examples_equal_the_problems_in_c)
{
    agrees("gas_oil", "gas_oil");
    agrees("robertson", "robertson");
    agrees("hires", "hires");
    agrees("pollution", "pollution");
    agrees("ethane", "ethane");
}

/* u_ij' = M1^2 (p1 (u_{i-1,j} - 2 u_ij + u_{i+1,j}) + p2 (...)), zero outside. */
TEST(the_heat_equation_is_the_five_point_formula)
{
    struct bound_model m;
    enum { M = 10 };
    double u[M + 2][M + 2] = {{0}}, y[M * M], f[M * M];
    double const p[] = {0.7, 1.3};
    struct random_source source = {3};
    for (int i = 1; i <= M; i++)
        for (int j = 1; j <= M; j++) y[(i - 1) * M + j - 1] = u[i][j] = fabs(random_next(&source));
    read_example(&m, "heat");
    bound_values(&m, 0, y, p, m.system.rhs, (size_t)M * M, f);
    for (int i = 1; i <= M; i++)
        for (int j = 1; j <= M; j++) {
            double const x = u[i - 1][j] - 2 * u[i][j] + u[i + 1][j],
                         z = u[i][j - 1] - 2 * u[i][j] + u[i][j + 1];
            CHECK_CLOSE(f[(i - 1) * M + j - 1], 121 * (p[0] * x + p[1] * z),
                        121 * 8 * 8 * DBL_EPSILON);
        }
    double u0;
    bound_values(&m, 0, y, p, &m.system.state.item[bound_state(&m, "u[3,4]")].initial, 1, &u0);
    CHECK_CLOSE(u0, 16 * (3 / 11.0) * (8 / 11.0) * (4 / 11.0) * (7 / 11.0), 8 * DBL_EPSILON);
    bound_free(&m);
}

/* The first and an inner point of both Brusselators, by hand. */
TEST(the_brusselators_diffuse_as_written)
{
    struct bound_model m;
    static double y[512], f[512];
    struct random_source source = {5};
    for (size_t i = 0; i < 512; i++) y[i] = fabs(random_next(&source));
    double const p1[] = {1, 3, 0.02};
    read_example(&m, "brusselator_1d");
    bound_values(&m, 0, y, p1, m.system.rhs, 80, f);
    double const d = 0.02 * 41 * 41;
    CHECK_CLOSE(f[0], 1 + y[0] * y[0] * y[1] - 4 * y[0] + d * (1 - 2 * y[0] + y[2]), 1e-12);
    CHECK_CLOSE(f[79], 3 * y[78] - y[78] * y[78] * y[79] + d * (y[77] - 2 * y[79] + 3), 1e-12);
    bound_free(&m);
    double const p2[] = {1, 3.4, 0.002};
    read_example(&m, "brusselator_2d");
    bound_values(&m, 0, y, p2, m.system.rhs, 512, f);
    double const c = 0.002 * 15 * 15;
    CHECK_CLOSE(f[0], 1 + y[0] * y[0] * y[256] - 4.4 * y[0] + c * (2 * y[16] + 2 * y[1] - 4 * y[0]),
                1e-13);
    CHECK_CLOSE(f[256 + 17],
                3.4 * y[17] - y[17] * y[17] * y[256 + 17] +
                    c * (y[256 + 1] + y[256 + 33] + y[256 + 16] + y[256 + 18] - 4 * y[256 + 17]),
                1e-13);
    bound_free(&m);
}

/* The constraints at the reference solution at t = 0.5 h: the charge balance cancels to rounding of 0.0131, the equilibria
   to the 14 digits that the values have. */
static void check_batch_constraints(const struct bound_model *m, const double *p)
{
    static const double y[10] = {6.02692615647431972465e-1,  7.08380549411928499816,
                                 7.17787087237949245856e-1,  2.57120297114618781679e-1,
                                 2.61287121528146974307e-1,  8.93317558647180737193e-3,
                                 5.78871560411229840148e-9,  4.16682919727582534573e-3,
                                 6.59667456781554390035e-10, 3.45300514613085614775e-10};
    double residual[10];
    bound_values(m, 0.5, y, p, m->system.residual, 10, residual);
    CHECK_CLOSE(residual[6], 0, 8 * DBL_EPSILON * 0.0131);
    CHECK_CLOSE(residual[7] / (p[6] * y[0]), 0, 1e-13);
    CHECK_CLOSE(residual[8] / (p[7] * y[2]), 0, 1e-13);
    CHECK_CLOSE(residual[9] / (p[5] * y[4]), 0, 1e-13);
}

/* With consistent initial values the residuals of the constraints vanish: of the charge balance 0.0131 - y6 - y8 + y7 = 0,
   y8 (p7 + y7) = p7 y1; of the pendulum x.v = 0, and its tension balances gravity at rest. */
TEST(the_daes_start_consistent)
{
    struct bound_model m;
    double y[10], p[8], residual[10], y0[10];
    static const char *const names[] = {"batch_reactor", "pendulum"};
    for (int k = 0; k < 2; k++) {
        read_example(&m, names[k]);
        size_t const n = m.system.state.count;
        for (size_t i = 0; i < m.system.parameter.count; i++)
            p[i] = m.system.parameter.item[i].value;
        uint32_t initial[10];
        for (size_t i = 0; i < n; i++) initial[i] = m.system.state.item[i].initial;
        memset(y, 0, sizeof y);
        bound_values(&m, 0, y, p, initial, n, y0);
        bound_values(&m, 0, y0, p, m.system.residual, n, residual);
        for (size_t i = 0; i < n; i++)
            if (m.system.state.item[i].kind == STATE_ALGEBRAIC) CHECK_CLOSE(residual[i], 0, 1e-18);
        if (k == 0) CHECK_CLOSE(y0[6], 0.79735e-5, 1e-10);
        if (k == 0) check_batch_constraints(&m, p);
        if (k == 1)
            CHECK_CLOSE(residual[3], 9.81 - 0.75 * 9.81,
                        1e-14); /* x4' = -x2 x5 - g = (x2^2 - 1) g */
        bound_free(&m);
    }
}
