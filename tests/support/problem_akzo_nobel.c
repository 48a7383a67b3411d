/* SPDX-License-Identifier: Apache-2.0 */
/* Chemical Akzo Nobel of the Test Set for IVP Solvers: five balances and an equilibrium, index 1.
   p = k1, k2, k3, k4, K, klA, Ks, p(CO2), H. */
#include "mass_form.h"
#include "problem_list.h"

#include <math.h>

enum { N = 6, NP = 9 };

/* The five rates and the inflow, and their derivatives where they are not simple. */
struct rates {
    double root; /* sqrt(y2) */
    double r1, r2, r3, r4, r5, inflow;
};

static struct rates find_rates(const double *y, const double *p)
{
    double const root = sqrt(y[1]), square = y[0] * y[0];
    return (struct rates){.root = root,
                          .r1 = p[0] * square * square * root,
                          .r2 = p[1] * y[2] * y[3],
                          .r3 = p[1] / p[4] * y[0] * y[4],
                          .r4 = p[2] * y[0] * y[3] * y[3],
                          .r5 = p[3] * y[5] * y[5] * root,
                          .inflow = p[5] * (p[7] / p[8] - y[1])};
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    struct rates const r = find_rates(y, p);
    f[0] = -2 * r.r1 + r.r2 - r.r3 - r.r4;
    f[1] = -0.5 * r.r1 - r.r4 - 0.5 * r.r5 + r.inflow;
    f[2] = r.r1 - r.r2 + r.r3;
    f[3] = -r.r2 + r.r3 - 2 * r.r4;
    f[4] = r.r2 - r.r3 + r.r5;
    f[5] = p[6] * y[0] * y[3] - y[5];
    return 0;
}

/* dr[k] = the derivatives of r1 .. r5 and of the inflow along y_j. */
static void find_slopes(const double *y, const double *p, size_t j, double *dr)
{
    struct rates const r = find_rates(y, p);
    for (int k = 0; k < 6; k++) dr[k] = 0;
    if (j == 0)
        dr[0] = 4 * p[0] * y[0] * y[0] * y[0] * r.root, dr[2] = p[1] / p[4] * y[4],
        dr[3] = p[2] * y[3] * y[3];
    if (j == 1) dr[0] = 0.5 * r.r1 / y[1], dr[4] = 0.5 * r.r5 / y[1], dr[5] = -p[5];
    if (j == 2) dr[1] = p[1] * y[3];
    if (j == 3) dr[1] = p[1] * y[2], dr[3] = 2 * p[2] * y[0] * y[3];
    if (j == 4) dr[2] = p[1] / p[4] * y[0];
    if (j == 5) dr[4] = 2 * p[3] * y[5] * r.root;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    for (size_t j = 0; j < N; j++) {
        double d[6];
        find_slopes(y, p, j, d);
        J[j] = -2 * d[0] + d[1] - d[2] - d[3];
        J[N + j] = -0.5 * d[0] - d[3] - 0.5 * d[4] + d[5];
        J[2 * N + j] = d[0] - d[1] + d[2];
        J[3 * N + j] = -d[1] + d[2] - 2 * d[3];
        J[4 * N + j] = d[1] - d[2] + d[4];
    }
    J[30] = p[6] * y[3];
    J[33] = p[6] * y[0];
    J[35] = -1;
    return 0;
}

static const size_t fp_row[] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5};
static const size_t fp_column[] = {0, 1, 2, 4, 0, 2, 3, 5, 7, 8, 0, 1, 4, 1, 2, 4, 1, 3, 4, 6};

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)context;
    struct rates const r = find_rates(y, p);
    double const k1 = r.r1 / p[0], k2 = (r.r2 - r.r3) / p[1], k3 = r.r4 / p[2], k4 = r.r5 / p[3];
    double const K = r.r3 / p[4]; /* -dr3/dK */
    F[0] = -2 * k1, F[1] = k2, F[2] = -k3, F[3] = K;
    F[4] = -0.5 * k1, F[5] = -k3, F[6] = -0.5 * k4, F[7] = r.inflow / p[5];
    F[8] = p[5] / p[8], F[9] = -p[5] * p[7] / (p[8] * p[8]);
    F[10] = k1, F[11] = -k2, F[12] = -K;
    F[13] = -k2, F[14] = -2 * k3, F[15] = -K;
    F[16] = k2, F[17] = k4, F[18] = K;
    F[19] = y[0] * y[3];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    double J[N * N] = {0}, F[20];
    jacobian(t, y, p, J, context);
    parameter_jacobian(t, y, p, F, context);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < columns; k++) {
            double sum = 0;
            for (size_t j = 0; j < N; j++) sum += J[i * N + j] * V[j * ld + k];
            R[i * ld + k] = sum;
        }
    for (size_t e = 0; e < 20; e++)
        for (size_t k = 0; k < columns; k++)
            R[fp_row[e] * ld + k] += F[e] * U[fp_column[e] * ld + k];
    return 0;
}

static const double start1 = 0.444, start4 = 0.007;

static int initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0, (void)context;
    y0[0] = start1, y0[1] = 0.00123, y0[2] = 0, y0[3] = start4, y0[4] = 0;
    y0[5] = p[6] * start1 * start4;
    return 0;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)t0, (void)p, (void)context;
    D[5 * NP + 6] = start1 * start4;
    return 0;
}

static struct mass_form *make(void)
{
    static const size_t diagonal[] = {0, 1, 2, 3, 4};
    static const double one[] = {1, 1, 1, 1, 1};
    static const double p[NP] = {18.7, 0.58, 0.09, 0.42, 34.4, 3.3, 115.83, 0.9, 737};
    static const tansy_kind kind[N] = {[5] = TANSY_ALGEBRAIC};
    static double y0[N];
    static struct mass_form form = {.entries = N - 1,
                                    .row = diagonal,
                                    .column = diagonal,
                                    .value = one,
                                    .inner = {.n = N,
                                              .np = NP,
                                              .y0 = y0,
                                              .p = p,
                                              .rhs = rhs,
                                              .jacobian = jacobian,
                                              .parameter_jacobian = parameter_jacobian,
                                              .parameter_pattern = {20, fp_row, fp_column},
                                              .tangent = tangent,
                                              .initial = initial,
                                              .initial_jacobian = initial_jacobian,
                                              .kind = kind,
                                              .concurrent = 1}};
    if (form.storage == 0) {
        initial(0, p, y0, NULL);
        mass_form_make(&form);
    }
    return &form;
}

static const double atol[N] = {4e-4, 1e-6, 2e-4, 7e-6, 2e-5, 4e-4};

const struct test_problem *problem_akzo_nobel(void)
{
    static struct test_problem it = {.name = "akzo_nobel",
                                     .atol = atol,
                                     .reference = "akzo_nobel.csv",
                                     .t_end = 180,
                                     .stiff = 1};
    it.problem = make()->implicit;
    return &it;
}

const struct test_problem *problem_akzo_nobel_mass(void)
{
    static struct test_problem it = {.name = "akzo_nobel_mass",
                                     .atol = atol,
                                     .reference = "akzo_nobel.csv",
                                     .t_end = 180,
                                     .stiff = 1};
    it.problem = make()->mass;
    return &it;
}
