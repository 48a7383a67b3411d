/* SPDX-License-Identifier: Apache-2.0 */
/* DETEST C5, the five outer planets about the sun: y = (x_1..x_5, x_1'..x_5'), each x_j in space, with
     x_j'' = K (-(m_0 + m_j) a(x_j) + sum_{k != j} m_k (a(x_k - x_j) - a(x_k))),   a(x) = x / |x|^3,
   and the columns of all 30 initial values.  Neighbouring orbits drift apart: errors are amplified. */
#include "problem_list.h"

#include <math.h>

enum { PLANETS = 5, HALF = 3 * PLANETS, N = 2 * HALF };

static const double gravity = 2.95912208286; /* K */
static const double mass[1 + PLANETS] = {1.00000597682,      0.000954786104043,
                                         0.000285583733151,  0.0000437273164546,
                                         0.0000517759138449, 0.00000277777777778};

/* a(x) for x = to - from. */
static void attract(const double *from, const double *to, double a[3])
{
    double const x[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    double const square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    double const factor = 1 / (square * sqrt(square));
    for (size_t i = 0; i < 3; i++) a[i] = factor * x[i];
}

static const double sun[3] = {0, 0, 0};

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    double to_sun[PLANETS][3], a[3];
    for (size_t j = 0; j < PLANETS; j++) attract(sun, y + 3 * j, to_sun[j]);
    for (size_t i = 0; i < HALF; i++) f[i] = y[HALF + i];
    for (size_t j = 0; j < PLANETS; j++) {
        double *g = f + HALF + 3 * j;
        for (size_t i = 0; i < 3; i++) g[i] = -(mass[0] + mass[1 + j]) * to_sun[j][i];
        for (size_t k = 0; k < PLANETS; k++) {
            if (k == j) continue;
            attract(y + 3 * j, y + 3 * k, a);
            for (size_t i = 0; i < 3; i++) g[i] += mass[1 + k] * (a[i] - to_sun[k][i]);
        }
        for (size_t i = 0; i < 3; i++) g[i] *= gravity;
    }
    return 0;
}

/* Adds w da/dx = w (I / |x|^3 - 3 x x' / |x|^5), x = to - from, to the block of rows i, columns j of G. */
static void add_tide(double w, const double *from, const double *to, double *G, size_t ld)
{
    double const x[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    double const square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    double const diagonal = w / (square * sqrt(square)), outer = -3 * diagonal / square;
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) G[i * ld + j] += outer * x[i] * x[j];
        G[i * ld + i] += diagonal;
    }
}

/* G[i*ld + j] += d x_i''/d x_j, HALF x HALF. */
static void add_force_jacobian(const double *y, double *G, size_t ld)
{
    for (size_t j = 0; j < PLANETS; j++) {
        double *row = G + 3 * j * ld;
        const double *own = y + 3 * j;
        add_tide(-gravity * (mass[0] + mass[1 + j]), sun, own, row + 3 * j, ld);
        for (size_t k = 0; k < PLANETS; k++) {
            if (k == j) continue;
            double const w = gravity * mass[1 + k];
            add_tide(w, own, y + 3 * k, row + 3 * k, ld);
            add_tide(-w, sun, y + 3 * k, row + 3 * k, ld);
            add_tide(-w, own, y + 3 * k, row + 3 * j, ld);
        }
    }
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)p, (void)context;
    for (size_t i = 0; i < HALF; i++) J[i * N + HALF + i] = 1;
    add_force_jacobian(y, J + (size_t)HALF * N, N);
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)p, (void)U, (void)context;
    double G[HALF * HALF] = {0};
    add_force_jacobian(y, G, HALF);
    for (size_t i = 0; i < HALF; i++) {
        double *r = R + (HALF + i) * ld;
        for (size_t k = 0; k < columns; k++) R[i * ld + k] = V[(HALF + i) * ld + k];
        for (size_t k = 0; k < columns; k++) r[k] = G[i * HALF] * V[k];
        for (size_t j = 1; j < HALF; j++)
            for (size_t k = 0; k < columns; k++) r[k] += G[i * HALF + j] * V[j * ld + k];
    }
    return 0;
}

/* clang-format off */
static const double start[N] = {
    3.42947415189,    3.35386959711,   1.35494901715,
    6.64145542550,    5.97156957878,   2.18231499728,
    11.2630437207,    14.6952576794,   6.27960525067,
    -30.1552268759,   1.65699966404,   1.43785752721,
    -21.1238353380,   28.4465098142,   15.3882659679,
    -0.557160570446,  0.505696783289,  0.230578543901,
    -0.415570776342,  0.365682722812,  0.169143213293,
    -0.325325669158,  0.189706021964,  0.0877265322780,
    -0.0240476254170, -0.287659532608, -0.117219543175,
    -0.176860753121,  -0.216393453025, -0.0148647893090};
static const double atol[N] = {
    5e-3, 3e-3, 1e-3,  7e-3, 7e-3, 3e-3,  1e-2, 2e-2, 7e-3,  3e-2, 4e-3, 1e-3,  2e-2, 3e-2, 2e-2,
    6e-4, 6e-4, 3e-4,  5e-4, 4e-4, 2e-4,  4e-4, 2e-4, 9e-5,  4e-5, 3e-4, 1e-4,  2e-4, 2e-4, 3e-5};
#define SIX(i) TANSY_INITIAL(i), TANSY_INITIAL(i + 1), TANSY_INITIAL(i + 2), \
               TANSY_INITIAL(i + 3), TANSY_INITIAL(i + 4), TANSY_INITIAL(i + 5)
static const int all_initial[N] = {SIX(0), SIX(6), SIX(12), SIX(18), SIX(24)};
/* clang-format on */

const struct test_problem *problem_c5(void)
{
    static const struct test_problem it = {
        .name = "c5",
        .problem = {.n = N,
                    .y0 = start,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .tangent = tangent,
                    .autonomous = 1,
                    .ns = N,
                    .columns = all_initial,
                    .concurrent = 1},
        .atol = atol,
        .reference = "detest_C5.csv",
        .t_end = 20,
        .amplifies = 1,
    };
    return &it;
}
