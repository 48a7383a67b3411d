/* SPDX-License-Identifier: Apache-2.0 */
/* Pleiades of the Bari test set (Hairer, Norsett and Wanner, II.10): seven stars of masses m_j = j in a plane,
     z_i'' = sum_{j != i} m_j a(z_j - z_i),   a(z) = z / |z|^3,   y = (x_1..x_7, y_1..y_7, x_1'..x_7', y_1'..y_7'),
   with the columns of all 28 initial values.  Stars pass close by each other: errors are amplified. */
#include "problem_list.h"

#include <math.h>

enum { STARS = 7, HALF = 2 * STARS, N = 2 * HALF };

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    for (size_t i = 0; i < HALF; i++) {
        f[i] = y[HALF + i];
        f[HALF + i] = 0;
    }
    double *fx = f + HALF, *fy = fx + STARS;
    for (size_t i = 0; i < STARS; i++)
        for (size_t j = 0; j < i; j++) {
            double const x = y[j] - y[i], z = y[STARS + j] - y[STARS + i];
            double const square = x * x + z * z, factor = 1 / (square * sqrt(square));
            double const mi = (double)(i + 1) * factor, mj = (double)(j + 1) * factor;
            fx[i] += mj * x;
            fy[i] += mj * z;
            fx[j] -= mi * x;
            fy[j] -= mi * z;
        }
    return 0;
}

/* Adds w da/dz to row i, at the columns of star j, and takes it away at those of star i itself. */
static void add_row(double *G, size_t ld, const size_t at[2], double w, const double tide[2][2])
{
    size_t const i = at[0], j = at[1];
    for (size_t a = 0; a < 2; a++)
        for (size_t b = 0; b < 2; b++) {
            double const value = w * tide[a][b];
            G[(a * STARS + i) * ld + b * STARS + j] += value;
            G[(a * STARS + i) * ld + b * STARS + i] -= value;
        }
}

/* G[i*ld + j] += d z_i''/d z_j, HALF x HALF, by da/dz = I / |z|^3 - 3 z z' / |z|^5. */
static void add_force_jacobian(const double *y, double *G, size_t ld)
{
    for (size_t i = 0; i < STARS; i++)
        for (size_t j = 0; j < i; j++) {
            double const x = y[j] - y[i], z = y[STARS + j] - y[STARS + i];
            double const square = x * x + z * z, factor = 1 / (square * sqrt(square));
            double const outer = -3 * factor / square;
            double const tide[2][2] = {{factor + outer * x * x, outer * x * z},
                                       {outer * x * z, factor + outer * z * z}};
            add_row(G, ld, (const size_t[]){i, j}, (double)(j + 1), tide);
            add_row(G, ld, (const size_t[]){j, i}, (double)(i + 1), tide);
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
    3, 3, -1, -3, 2, -2, 2,        /* x */
    3, -3, 2, 0, 0, -4, 4,         /* y */
    0, 0, 0, 0, 0, 1.75, -1.5,     /* x' */
    0, 0, 0, -1.25, 1, 0, 0};      /* y' */
static const double atol[N] = {
    3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3,  4e-3, 4e-3, 4e-3, 4e-3, 4e-3, 4e-3, 4e-3,
    3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3,  3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3};
#define SEVEN(i) TANSY_INITIAL(i), TANSY_INITIAL(i + 1), TANSY_INITIAL(i + 2), TANSY_INITIAL(i + 3), \
                 TANSY_INITIAL(i + 4), TANSY_INITIAL(i + 5), TANSY_INITIAL(i + 6)
static const int all_initial[N] = {SEVEN(0), SEVEN(7), SEVEN(14), SEVEN(21)};
/* clang-format on */

const struct test_problem *problem_pleiades(void)
{
    static const struct test_problem it = {
        .name = "pleiades",
        .problem = {.n = N,
                    .y0 = start,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .tangent = tangent,
                    .autonomous = 1,
                    .ns = N,
                    .columns = all_initial,
                    .concurrent = 1},
        .atol = atol, /* stars exchange places: all are of one size */
        .reference = "pleiades.csv",
        .t_end = 3,
        .amplifies = 1,
    };
    return &it;
}
