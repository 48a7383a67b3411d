/* SPDX-License-Identifier: Apache-2.0 */
/* HIRES of the Bari test set: eight reactants of a high irradiance response, ten parameters in the order
   k1 k2 k3 k4 k5 k6 kplus kminus kstar oks; the equations are in the header of hires.csv. */
#include "problem_list.h"

enum { N = 8, NP = 10 };
enum { K1, K2, K3, K4, K5, K6, KPLUS, KMINUS, KSTAR, OKS };

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    double const r = p[KPLUS] * y[5] * y[7];
    f[0] = -p[K1] * y[0] + p[K2] * y[1] + p[K6] * y[2] + p[OKS];
    f[1] = p[K1] * y[0] - (p[K2] + p[K3]) * y[1];
    f[2] = -(p[K6] + p[K1]) * y[2] + p[K2] * y[3] + p[K5] * y[4];
    f[3] = p[K3] * y[1] + p[K1] * y[2] - (p[K4] + p[K2]) * y[3];
    f[4] = -(p[K5] + p[K1]) * y[4] + p[K2] * (y[5] + y[6]);
    f[5] = -r + p[K4] * y[3] + p[K1] * y[4] - p[K2] * y[5] + p[KMINUS] * y[6];
    f[6] = r - (p[K2] + p[KMINUS] + p[KSTAR]) * y[6];
    f[7] = -f[6];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    double const r5 = p[KPLUS] * y[7], r7 = p[KPLUS] * y[5];
    double const loss = p[K2] + p[KMINUS] + p[KSTAR];
    J[0 * N + 0] = -p[K1];
    J[0 * N + 1] = p[K2];
    J[0 * N + 2] = p[K6];
    J[1 * N + 0] = p[K1];
    J[1 * N + 1] = -(p[K2] + p[K3]);
    J[2 * N + 2] = -(p[K6] + p[K1]);
    J[2 * N + 3] = p[K2];
    J[2 * N + 4] = p[K5];
    J[3 * N + 1] = p[K3];
    J[3 * N + 2] = p[K1];
    J[3 * N + 3] = -(p[K4] + p[K2]);
    J[4 * N + 4] = -(p[K5] + p[K1]);
    J[4 * N + 5] = p[K2];
    J[4 * N + 6] = p[K2];
    J[5 * N + 3] = p[K4];
    J[5 * N + 4] = p[K1];
    J[5 * N + 5] = -r5 - p[K2];
    J[5 * N + 6] = p[KMINUS];
    J[5 * N + 7] = -r7;
    J[6 * N + 5] = r5;
    J[6 * N + 6] = -loss;
    J[6 * N + 7] = r7;
    J[7 * N + 5] = -r5;
    J[7 * N + 6] = loss;
    J[7 * N + 7] = -r7;
    return 0;
}

/* clang-format off */
static const size_t row[] = {
    0, 0, 0, 0,  1, 1, 1,  2, 2, 2, 2,  3, 3, 3, 3,  4, 4, 4,  5, 5, 5, 5, 5,  6, 6, 6, 6,  7, 7, 7, 7};
static const size_t column[] = {
    K1, K2, K6, OKS,  K1, K2, K3,  K1, K2, K5, K6,  K1, K2, K3, K4,  K1, K2, K5,
    K1, K2, K4, KPLUS, KMINUS,  K2, KPLUS, KMINUS, KSTAR,  K2, KPLUS, KMINUS, KSTAR};
/* clang-format on */
enum { ENTRIES = sizeof row / sizeof *row };

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    double const r = y[5] * y[7];
    double const all[ENTRIES] = {
        -y[0], y[1],        y[2],  1,           /* row 0 */
        y[0],  -y[1],       -y[1],              /* row 1 */
        -y[2], y[3],        y[4],  -y[2],       /* row 2 */
        y[2],  -y[3],       y[1],  -y[3],       /* row 3 */
        -y[4], y[5] + y[6], -y[4],              /* row 4 */
        y[4],  -y[5],       y[3],  -r,    y[6], /* row 5 */
        -y[6], r,           -y[6], -y[6],       /* row 6 */
        y[6],  -r,          y[6],  y[6],        /* row 7 */
    };
    for (size_t e = 0; e < ENTRIES; e++) F[e] = all[e];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)context;
    double const loss = p[K2] + p[KMINUS] + p[KSTAR];
    for (size_t k = 0; k < columns; k++) {
        double v[N], u[NP];
        for (size_t i = 0; i < N; i++) v[i] = V[i * ld + k];
        for (size_t j = 0; j < NP; j++) u[j] = U[j * ld + k];
        double const r = u[KPLUS] * y[5] * y[7] + p[KPLUS] * (v[5] * y[7] + y[5] * v[7]);
        double const gain = r - loss * v[6] - (u[K2] + u[KMINUS] + u[KSTAR]) * y[6];
        R[k] = -p[K1] * v[0] + p[K2] * v[1] + p[K6] * v[2] - u[K1] * y[0] + u[K2] * y[1] +
               u[K6] * y[2] + u[OKS];
        R[ld + k] = p[K1] * v[0] - (p[K2] + p[K3]) * v[1] + u[K1] * y[0] - (u[K2] + u[K3]) * y[1];
        R[2 * ld + k] = -(p[K6] + p[K1]) * v[2] + p[K2] * v[3] + p[K5] * v[4] -
                        (u[K6] + u[K1]) * y[2] + u[K2] * y[3] + u[K5] * y[4];
        R[3 * ld + k] = p[K3] * v[1] + p[K1] * v[2] - (p[K4] + p[K2]) * v[3] + u[K3] * y[1] +
                        u[K1] * y[2] - (u[K4] + u[K2]) * y[3];
        R[4 * ld + k] = -(p[K5] + p[K1]) * v[4] + p[K2] * (v[5] + v[6]) - (u[K5] + u[K1]) * y[4] +
                        u[K2] * (y[5] + y[6]);
        R[5 * ld + k] = -r + p[K4] * v[3] + p[K1] * v[4] - p[K2] * v[5] + p[KMINUS] * v[6] +
                        u[K4] * y[3] + u[K1] * y[4] - u[K2] * y[5] + u[KMINUS] * y[6];
        R[6 * ld + k] = gain;
        R[7 * ld + k] = -gain;
    }
    return 0;
}

/* f is linear in p, and bilinear in y where kplus stands: the part along U is that of the tangent with v in place of y, without
   oks; that along V has only kplus (v5 V7 + V5 v7). */
static int second(double t, const double *y, const double *p, const double *v, double tau,
                  size_t columns, size_t ld, const double *V, const double *U, double *R,
                  void *context)
{
    (void)t, (void)tau, (void)context;
    double const r5 = p[KPLUS] * v[7], r7 = p[KPLUS] * v[5], both = v[5] * y[7] + y[5] * v[7];
    for (size_t k = 0; k < columns; k++) {
        double u[NP];
        for (size_t j = 0; j < NP; j++) u[j] = U[j * ld + k];
        double const r = u[KPLUS] * both + r5 * V[5 * ld + k] + r7 * V[7 * ld + k];
        double const gain = r - (u[K2] + u[KMINUS] + u[KSTAR]) * v[6];
        R[k] = -u[K1] * v[0] + u[K2] * v[1] + u[K6] * v[2];
        R[ld + k] = u[K1] * v[0] - (u[K2] + u[K3]) * v[1];
        R[2 * ld + k] = -(u[K6] + u[K1]) * v[2] + u[K2] * v[3] + u[K5] * v[4];
        R[3 * ld + k] = u[K3] * v[1] + u[K1] * v[2] - (u[K4] + u[K2]) * v[3];
        R[4 * ld + k] = -(u[K5] + u[K1]) * v[4] + u[K2] * (v[5] + v[6]);
        R[5 * ld + k] = -r + u[K4] * v[3] + u[K1] * v[4] - u[K2] * v[5] + u[KMINUS] * v[6];
        R[6 * ld + k] = gain;
        R[7 * ld + k] = -gain;
    }
    return 0;
}

const struct test_problem *problem_hires(void)
{
    static const double y0[N] = {1, 0, 0, 0, 0, 0, 0, 0.0057};
    static const double p[NP] = {1.71, 0.43, 8.32, 0.69, 0.035, 8.32, 280, 0.69, 0.69, 0.0007};
    static const double atol[N] = {1e-3, 6e-6, 5e-6, 9e-5, 2e-4, 7e-4, 6e-6, 6e-6};
    static const struct test_problem it = {
        .name = "hires",
        .problem = {.n = N,
                    .np = NP,
                    .y0 = y0,
                    .p = p,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .parameter_jacobian = parameter_jacobian,
                    .parameter_pattern = {ENTRIES, row, column},
                    .tangent = tangent,
                    .second = second,
                    .autonomous = 1,
                    .concurrent = 1},
        .atol = atol,
        .reference = "hires.csv",
        .t_end = 421.8122,
        .stiff = 1,
    };
    return &it;
}
