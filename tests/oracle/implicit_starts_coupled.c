/* SPDX-License-Identifier: Apache-2.0 */
/* Starts where dF/dy' is singular without zero rows: y', S and S' against closed forms, with derivatives and by differences of F alone, for F linear in y' and
   not. */
#include "support/random.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

/* Three nodes, two capacitors between them, none to ground: with u = y'
     C1 (u0 - u1) + y0 = sin t,   C1 (u1 - u0) + C2 (u1 - u2) + p y1 = 0,   C2 (u2 - u1) + y2 = 0,
   of which the sum, y0 + p y1 + y2 = sin t, is algebraic. */
struct circuit {
    double C1, C2, earliest; /* F fails before that time */
};

static int circuit(double t, const double *y, const double *u, const double *p, double *F,
                   void *context)
{
    const struct circuit *const c = context;
    if (t < c->earliest) return 1;
    F[0] = c->C1 * (u[0] - u[1]) + y[0] - sin(t);
    F[1] = c->C1 * (u[1] - u[0]) + c->C2 * (u[1] - u[2]) + p[0] * y[1];
    F[2] = c->C2 * (u[2] - u[1]) + y[2];
    return 0;
}

static int circuit_jacobian(double t, const double *y, const double *u, const double *p, double *J,
                            void *context)
{
    (void)t, (void)y, (void)u, (void)context;
    J[0] = 1, J[4] = p[0], J[8] = 1;
    return 0;
}

static int circuit_rates(double t, const double *y, const double *u, const double *p, double *M,
                         void *context)
{
    const struct circuit *const c = context;
    (void)t, (void)y, (void)u, (void)p;
    M[0] = c->C1, M[1] = M[3] = -c->C1;
    M[4] = c->C1 + c->C2;
    M[5] = M[7] = -c->C2, M[8] = c->C2;
    return 0;
}

/* From y = (1, -1/4, -1/2), p = 2 at t = 0, which is consistent: u0 - u1 = -1/C1, u2 - u1 = 1/(2 C2), u0 + p u1 + u2 = 1; the sum moves y along
   (1, 1, 1), s = 1/16; s0' - s1' = -s/C1, s2' - s1' = -s/C2, s0' + p s1' + s2' = -u1. */
static void check_circuit(tansy_problem problem, double C1, double C2, double earliest)
{
    static const double p = 2, y0[] = {1, -0.25, -0.5};
    struct circuit c = {C1, C2, earliest};
    double const u1 = (1 + 1 / C1 - 0.5 / C2) / 4, s = 1.0 / 16, v1 = (s / C1 + s / C2 - u1) / 4;
    double const u[] = {u1 - 1 / C1, u1, u1 + 0.5 / C2}, v[] = {v1 - s / C1, v1, v1 - s / C2};
    double y[3], yp[3], S[3], Sp[3];
    double const size = fmax(1, 1 / fmin(C1, C2)); /* of y' and S' */
    problem.n = 3, problem.np = 1, problem.p = &p, problem.y0 = y0;
    problem.residual = circuit, problem.context = &c;
    tansy_solver *const solver = tansy_create(&problem, &(tansy_options){.rtol = 1e-6});
    CHECK_EQUAL(tansy_initialise(solver, y, yp, S, Sp), TANSY_OK);
    for (int i = 0; i < 3; i++) {
        CHECK_CLOSE(y[i], y0[i], 1e-12);
        CHECK_CLOSE(yp[i], u[i], 1e-8 * size); /* differences in time over 6e-6 of the scale */
        CHECK_CLOSE(S[i], s, 1e-8);
        CHECK_CLOSE(Sp[i], v[i], 1e-5 * size); /* differences of differences */
    }
    CHECK_EQUAL(tansy_solve(solver, 0.5 * fmin(C1, 1), y, NULL), TANSY_OK);
    CHECK_CLOSE(y[0] + p * y[1] + y[2], sin(0.5 * fmin(C1, 1)), 1e-4);
    tansy_free(solver);
}

static const double pairs[][2] = {{0.3, 0.7}, {0.1, 0.2}, {1.37, 0.91}, {3, 7}, {1e-6, 2e-6}};

TEST(floating_capacitors_start_right_by_differences_of_the_residual_alone)
{
    for (int k = 0; k < 5; k++)
        check_circuit((tansy_problem){.n = 0}, pairs[k][0], pairs[k][1], -HUGE_VAL);
}

TEST(floating_capacitors_start_right_with_given_matrices)
{
    tansy_problem const problem = {.residual_jacobian = circuit_jacobian,
                                   .rate_jacobian = circuit_rates};
    for (int k = 0; k < 5; k++) check_circuit(problem, pairs[k][0], pairs[k][1], -HUGE_VAL);
}

/* Columns in groups: by bands, where every third is moved together, and by colours. */
TEST(floating_capacitors_start_right_whatever_the_structure)
{
    static const size_t row[] = {0, 0, 1, 1, 1, 2, 2}, column[] = {0, 1, 0, 1, 2, 1, 2};
    tansy_problem problem = {.structure = TANSY_BANDED, .lower = 1, .upper = 1};
    check_circuit(problem, 0.3, 0.7, -HUGE_VAL);
    problem = (tansy_problem){.structure = TANSY_SPARSE,
                              .jacobian_pattern = {.entries = 7, .row = row, .column = column}};
    check_circuit(problem, 0.3, 0.7, -HUGE_VAL);
}

/* Where F is undefined before t0 the derivatives come from the other side. */
TEST(floating_capacitors_start_right_at_the_border_of_time)
{
    check_circuit((tansy_problem){.n = 0}, 0.3, 0.7, 0);
    tansy_problem const problem = {.residual_jacobian = circuit_jacobian,
                                   .rate_jacobian = circuit_rates};
    check_circuit(problem, 1.37, 0.91, 0);
}

/* psi(u) = u + u^3:  p (psi(u0) - psi(u1)) + y0 = 1 + t,  p (psi(u1) - psi(u0)) + y1 = 2 t; from (3/2, -1/2), p = 1/2. */
static int cubic(double t, const double *y, const double *u, const double *p, double *F,
                 void *context)
{
    double const flow = p[0] * (u[0] + u[0] * u[0] * u[0] - u[1] - u[1] * u[1] * u[1]);
    (void)context;
    F[0] = flow + y[0] - 1 - t;
    F[1] = -flow + y[1] - 2 * t;
    return 0;
}

/* The sum is y0 + y1 = 1 + 3 t: u1 = 3 - u0 and p g(u0) = 1 + t - y0, g(u) = psi(u) - psi(3 - u), an ODE in y0 and, with
   p g'(u) v = -g(u) - s, in s = dy0/dp. */
static void cubic_slope(double t, const double x[2], double slope[2])
{
    static const double p = 0.5;
    double u = 1.5, bend = 1;
    for (int k = 0; k < 50; k++) {
        double const w = 3 - u;
        bend = 2 + 3 * u * u + 3 * w * w;
        u -= (u + u * u * u - w - w * w * w - (1 + t - x[0]) / p) / bend;
    }
    slope[0] = u;
    slope[1] = -((1 + t - x[0]) / p + x[1]) / (p * bend);
}

/* To t = 1 by 400 steps of the classical formula, whose error is about (1/400)^4. */
static void cubic_end(double x[2])
{
    double const h = 1.0 / 400;
    for (int step = 0; step < 400; step++) {
        static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
        double k[2] = {0}, sum[2] = {0};
        for (int stage = 0; stage < 4; stage++) {
            double const at[] = {x[0] + node[stage] * h * k[0], x[1] + node[stage] * h * k[1]};
            cubic_slope((step + node[stage]) * h, at, k);
            for (int i = 0; i < 2; i++) sum[i] += weight[stage] * k[i] / 6;
        }
        for (int i = 0; i < 2; i++) x[i] += h * sum[i];
    }
}

static void check_cubic(const tansy_problem *problem, double tolerance)
{
    double slope[2], end[] = {1.5, 0}, y[2], yp[2], S[2], Sp[2];
    cubic_slope(0, end, slope);
    cubic_end(end);
    tansy_solver *const solver = tansy_create(problem, NULL);
    CHECK_EQUAL(tansy_initialise(solver, y, yp, S, Sp), TANSY_OK);
    CHECK_CLOSE(yp[0], slope[0], 1e-8);
    CHECK_CLOSE(yp[1], 3 - slope[0], 1e-8);
    CHECK_CLOSE(S[0], 0, 1e-10);
    CHECK_CLOSE(Sp[0], slope[1], tolerance);
    CHECK_CLOSE(Sp[1], -slope[1], tolerance);
    CHECK_EQUAL(tansy_solve(solver, 1, y, S), TANSY_OK);
    CHECK_CLOSE(y[0], end[0], 1e-4); /* 100 rtol */
    CHECK_CLOSE(y[1], 4 - end[0], 1e-4);
    CHECK_CLOSE(S[0], end[1], 1e-4);
    CHECK_CLOSE(S[1], -end[1], 1e-4);
    tansy_free(solver);
}

TEST(a_null_space_that_depends_on_y_prime_is_followed)
{
    static const double p = 0.5, y0[] = {1.5, -0.5};
    tansy_problem problem = {.n = 2, .np = 1, .p = &p, .y0 = y0, .residual = cubic};
    check_cubic(&problem, 1e-5);
    static const char text[] = "parameter p = 0.5\nstate y0 = 1.5, y1 = -0.5\n"
                               "p*(y0' + y0'^3 - y1' - y1'^3) + y0 - 1 - t = 0\n"
                               "-p*(y0' + y0'^3 - y1' - y1'^3) + y1 - 2*t = 0\ntime 0 .. 1\n";
    tansy_model *const m = tansy_model_parse(text, strlen(text), "cubic");
    problem = (tansy_problem){.n = 0};
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    check_cubic(&problem, 1e-8);
    tansy_model_free(m);
}

/* F = (1 + p/10) A (psi(y') - psi(Y')) + C (y - Y), Y_i = sin(w_i t + i) + c_i p cos(v_i t), psi(u) = u + k u^3; A = G G^T has rank 2 of 3. */
enum { N = 3, RANK = 2 };

struct made {
    double A[N * N], C[N * N], w[N], c[N], v[N], cube;
};

static void make(struct made *m, double cube, uint64_t seed)
{
    struct random_source next = {.state = 1000 + seed};
    double G[N * RANK];
    memset(m, 0, sizeof *m);
    m->cube = cube;
    for (int i = 0; i < N * RANK; i++) G[i] = random_next(&next);
    for (int i = 0; i < N; i++) {
        m->w[i] = 1 + 0.5 * random_next(&next);
        m->c[i] = random_next(&next);
        m->v[i] = 1 + random_next(&next);
        for (int j = 0; j < N; j++) {
            m->C[i * N + j] = (i == j ? 2 : 0) + 0.4 * random_next(&next);
            for (int k = 0; k < RANK; k++) m->A[i * N + j] += G[i * RANK + k] * G[j * RANK + k];
        }
    }
}

static double value(const struct made *m, int i, double t, double p)
{
    return sin(m->w[i] * t + i) + m->c[i] * p * cos(m->v[i] * t);
}

static double rate(const struct made *m, int i, double t, double p)
{
    return m->w[i] * cos(m->w[i] * t + i) - m->c[i] * p * m->v[i] * sin(m->v[i] * t);
}

static double psi(const struct made *m, double u)
{
    return u + m->cube * u * u * u;
}

static int made(double t, const double *y, const double *u, const double *p, double *F,
                void *context)
{
    const struct made *const m = context;
    for (int i = 0; i < N; i++) {
        F[i] = 0;
        for (int j = 0; j < N; j++)
            F[i] +=
                (1 + 0.1 * p[0]) * m->A[i * N + j] * (psi(m, u[j]) - psi(m, rate(m, j, t, p[0]))) +
                m->C[i * N + j] * (y[j] - value(m, j, t, p[0]));
    }
    return 0;
}

static int made_jacobian(double t, const double *y, const double *u, const double *p, double *J,
                         void *context)
{
    (void)t, (void)y, (void)u, (void)p;
    memcpy(J, ((const struct made *)context)->C, N * N * sizeof *J);
    return 0;
}

static int made_rates(double t, const double *y, const double *u, const double *p, double *M,
                      void *context)
{
    const struct made *const m = context;
    (void)t, (void)y;
    for (int k = 0; k < N * N; k++)
        M[k] = (1 + 0.1 * p[0]) * m->A[k] * (1 + 3 * m->cube * u[k % N] * u[k % N]);
    return 0;
}

static int made_initial(double t0, const double *p, double *y0, void *context)
{
    for (int i = 0; i < N; i++) y0[i] = value(context, i, t0, p[0]);
    return 0;
}

/* By differences over 6e-6 and, of differences, 4e-4 of the time scale, times the condition, below 1e3 for these seeds. */
static void check_made(double cube, uint64_t seed, bool given)
{
    static const double p = 0.4;
    struct made m;
    double y[N], yp[N], S[N], Sp[N], F[N];
    make(&m, cube, seed);
    tansy_problem problem = {.n = N, .np = 1, .p = &p, .initial = made_initial, .residual = made};
    problem.context = &m;
    if (given) problem.residual_jacobian = made_jacobian, problem.rate_jacobian = made_rates;
    tansy_solver *const solver =
        tansy_create(&problem, &(tansy_options){.rtol = 1e-6, .atol = 1e-9});
    CHECK_EQUAL(tansy_initialise(solver, y, yp, S, Sp), TANSY_OK);
    made(0, y, yp, &p, F, &m);
    for (int i = 0; i < N; i++) {
        CHECK_CLOSE(F[i], 0, 1e-12);
        CHECK_CLOSE(yp[i], rate(&m, i, 0, p), 1e-7);
        CHECK_CLOSE(S[i], m.c[i], 1e-8);
        CHECK_CLOSE(Sp[i], 0, 1e-3); /* -c v sin(0) */
    }
    CHECK_EQUAL(tansy_solve(solver, 1, y, S), TANSY_OK);
    for (int i = 0; i < N; i++) CHECK_CLOSE(y[i], value(&m, i, 1, p), 1e-4);
    tansy_free(solver);
}

TEST(dense_matrices_of_lower_rank_start_right)
{
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (int given = 0; given < 2; given++) check_made(0, seed, given);
}

TEST(dense_matrices_of_lower_rank_that_depend_on_y_prime_start_right)
{
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (int given = 0; given < 2; given++) check_made(0.1, seed, given);
}

/* The same flow, between nodes whose sum y0 + q y1 = 1 + 3 t depends on q; from values that are inconsistent. */
static int loaded(double t, const double *y, const double *u, const double *p, double *F,
                  void *context)
{
    double const flow = p[0] * (u[0] + u[0] * u[0] * u[0] - u[1] - u[1] * u[1] * u[1]);
    (void)context;
    F[0] = flow + y[0] - 1 - t;
    F[1] = -flow + p[1] * y[1] - 2 * t;
    return 0;
}

/* M and both of its null spaces depend on y. */
static int varying(double t, const double *y, const double *u, const double *p, double *F,
                   void *context)
{
    double const flow = p[0] * (u[0] - 2 * u[1] * (1 + y[1] * y[1]));
    (void)context;
    F[0] = flow + y[0] - 1 - t;
    F[1] = -(1 + y[0]) * flow + p[1] * y[1] - sin(t);
    return 0;
}

/* What starts from inconsistent values is found for p + h and p - h too: S is its derivative, to h^2 and the errors of y', 1e-9, over h. */
static void check_moved(tansy_residual_value *residual, const double *y0)
{
    static const double h = 1e-4;
    double S[2][2], Sp[2][2], y[3][2], yp[3][2];
    for (int k = 0; k < 2; k++) {
        for (int side = -1; side <= 1; side++) {
            double p[] = {0.5, 1};
            p[k] += side * h;
            tansy_problem const problem = {.n = 2, .np = 2, .p = p, .y0 = y0, .residual = residual};
            tansy_solver *const solver =
                tansy_create(&problem, &(tansy_options){.rtol = 1e-9, .atol = 1e-12});
            CHECK_EQUAL(tansy_initialise(solver, y[side + 1], yp[side + 1], side ? NULL : *S,
                                         side ? NULL : *Sp),
                        TANSY_OK);
            tansy_free(solver);
        }
        for (int i = 0; i < 2; i++) {
            CHECK_CLOSE(S[k][i], (y[2][i] - y[0][i]) / (2 * h), 1e-6);
            CHECK_CLOSE(Sp[k][i], (yp[2][i] - yp[0][i]) / (2 * h), 1e-4);
        }
        CHECK(fabs(y[1][0] - y0[0]) > 0.01);
    }
}

TEST(columns_belong_to_the_values_that_inconsistent_ones_are_moved_to)
{
    check_moved(loaded, (const double[]){1.6, -0.5});
    check_moved(varying, (const double[]){2, -2.5});
}
