/* SPDX-License-Identifier: Apache-2.0 */
/* The transistor amplifier of the Test Set for IVP Solvers, C y' = f of index 1, C singular without a zero row.
   p = Ub, UF, alpha, beta, R0 .. R9, C1 .. C5; the input is Ue(t) = 0.1 sin(200 pi t); the start is at rest. */
#include "mass_form.h"
#include "problem_list.h"

#include <math.h>

enum { N = 8, NP = 19, UB = 0, UF, ALPHA, BETA, R0, C1 = R0 + 10 };

/* A transistor's g(U) = beta (exp(U/UF) - 1) and its derivatives. */
struct junction {
    double g, along_u, along_uf, along_beta;
};

static struct junction find_junction(double u, const double *p)
{
    double const e = exp(u / p[UF]);
    return (struct junction){.g = p[BETA] * (e - 1),
                             .along_u = p[BETA] * e / p[UF],
                             .along_uf = -p[BETA] * e * u / (p[UF] * p[UF]),
                             .along_beta = e - 1};
}

static double input(double t)
{
    static const double omega = 628.31853071795864769; /* 200 pi */
    return 0.1 * sin(omega * t);
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    const double *R = p + R0;
    double const first = find_junction(y[1] - y[2], p).g, second = find_junction(y[4] - y[5], p).g;
    f[0] = (y[0] - input(t)) / R[0];
    f[1] = y[1] / R[1] + (y[1] - p[UB]) / R[2] + (1 - p[ALPHA]) * first;
    f[2] = y[2] / R[3] - first;
    f[3] = (y[3] - p[UB]) / R[4] + p[ALPHA] * first;
    f[4] = y[4] / R[5] + (y[4] - p[UB]) / R[6] + (1 - p[ALPHA]) * second;
    f[5] = y[5] / R[7] - second;
    f[6] = (y[6] - p[UB]) / R[8] + p[ALPHA] * second;
    f[7] = y[7] / R[9];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    const double *R = p + R0;
    double const first = find_junction(y[1] - y[2], p).along_u;
    double const second = find_junction(y[4] - y[5], p).along_u;
    J[0] = 1 / R[0];
    J[N + 1] = 1 / R[1] + 1 / R[2] + (1 - p[ALPHA]) * first;
    J[N + 2] = (p[ALPHA] - 1) * first;
    J[2 * N + 1] = -first, J[2 * N + 2] = 1 / R[3] + first;
    J[3 * N + 1] = p[ALPHA] * first, J[3 * N + 2] = -p[ALPHA] * first, J[3 * N + 3] = 1 / R[4];
    J[4 * N + 4] = 1 / R[5] + 1 / R[6] + (1 - p[ALPHA]) * second;
    J[4 * N + 5] = (p[ALPHA] - 1) * second;
    J[5 * N + 4] = -second, J[5 * N + 5] = 1 / R[7] + second;
    J[6 * N + 4] = p[ALPHA] * second, J[6 * N + 5] = -p[ALPHA] * second, J[6 * N + 6] = 1 / R[8];
    J[7 * N + 7] = 1 / R[9];
    return 0;
}

/* clang-format off */
enum { FP_ENTRIES = 30 };
static const size_t fp_row[FP_ENTRIES] = {
    0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3,
    4, 4, 4, 4, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 7};
static const size_t fp_column[FP_ENTRIES] = {
    R0, R0 + 1, R0 + 2, UB, ALPHA, UF, BETA, R0 + 3, UF, BETA, R0 + 4, UB, ALPHA, UF, BETA,
    R0 + 5, R0 + 6, UB, ALPHA, UF, BETA, R0 + 7, UF, BETA, R0 + 8, UB, ALPHA, UF, BETA, R0 + 9};
/* clang-format on */

/* The entries of one stage: its base (6), emitter (3) and collector (5) rows. */
static void fill_stage(const double *y, const double *p, const double *R, double *F)
{
    struct junction const j = find_junction(y[0] - y[1], p);
    double const rest = 1 - p[ALPHA], alpha = p[ALPHA];
    F[0] = -y[0] / (R[0] * R[0]), F[1] = -(y[0] - p[UB]) / (R[1] * R[1]), F[2] = -1 / R[1];
    F[3] = -j.g, F[4] = rest * j.along_uf, F[5] = rest * j.along_beta;
    F[6] = -y[1] / (R[2] * R[2]), F[7] = -j.along_uf, F[8] = -j.along_beta;
    F[9] = -(y[2] - p[UB]) / (R[3] * R[3]), F[10] = -1 / R[3];
    F[11] = j.g, F[12] = alpha * j.along_uf, F[13] = alpha * j.along_beta;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)context;
    const double *R = p + R0;
    F[0] = -(y[0] - input(t)) / (R[0] * R[0]);
    fill_stage(y + 1, p, R + 1, F + 1);
    fill_stage(y + 4, p, R + 5, F + 15);
    F[29] = -y[7] / (R[9] * R[9]);
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    double J[N * N] = {0}, F[FP_ENTRIES];
    jacobian(t, y, p, J, context);
    parameter_jacobian(t, y, p, F, context);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < columns; k++) {
            double sum = 0;
            for (size_t j = 0; j < N; j++) sum += J[i * N + j] * V[j * ld + k];
            R[i * ld + k] = sum;
        }
    for (size_t e = 0; e < FP_ENTRIES; e++)
        for (size_t k = 0; k < columns; k++)
            R[fp_row[e] * ld + k] += F[e] * U[fp_column[e] * ld + k];
    return 0;
}

/* No current flows: y2 = y3 = Ub/(R2/R1 + 1), y5 = y6 = Ub/(R6/R5 + 1), y4 = y7 = Ub. */
static int initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0, (void)context;
    const double *R = p + R0;
    y0[0] = y0[7] = 0;
    y0[1] = y0[2] = p[UB] * R[1] / (R[1] + R[2]);
    y0[4] = y0[5] = p[UB] * R[5] / (R[5] + R[6]);
    y0[3] = y0[6] = p[UB];
    return 0;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)t0, (void)context;
    for (size_t stage = 0; stage < 2; stage++) {
        size_t const r = R0 + 1 + 4 * stage; /* R1 or R5 */
        double const sum = p[r] + p[r + 1];
        for (size_t i = 1 + 3 * stage; i < 3 + 3 * stage; i++) {
            D[i * NP + UB] = p[r] / sum;
            D[i * NP + r] = p[UB] * p[r + 1] / (sum * sum);
            D[i * NP + r + 1] = -p[UB] * p[r] / (sum * sum);
        }
        D[(3 + 3 * stage) * NP + UB] = 1;
    }
    return 0;
}

static struct mass_form *make(void)
{
    enum { ENTRIES = 14 };
    static const size_t row[ENTRIES] = {0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7};
    static const size_t column[ENTRIES] = {0, 1, 0, 1, 2, 3, 4, 3, 4, 5, 6, 7, 6, 7};
    static const double value[ENTRIES] = {-1, 1, 1, -1, -1, -1, 1, 1, -1, -1, -1, 1, 1, -1};
    static const int parameter[ENTRIES] = {C1,     C1,     C1,     C1,     C1 + 1, C1 + 2, C1 + 2,
                                           C1 + 2, C1 + 2, C1 + 3, C1 + 4, C1 + 4, C1 + 4, C1 + 4};
    static const double p[NP] = {6,    0.026, 0.99, 1e-6, 1000, 9000, 9000, 9000, 9000, 9000,
                                 9000, 9000,  9000, 9000, 1e-6, 2e-6, 3e-6, 4e-6, 5e-6};
    static double y0[N];
    static struct mass_form form = {.entries = ENTRIES,
                                    .row = row,
                                    .column = column,
                                    .value = value,
                                    .parameter = parameter,
                                    .inner = {.n = N,
                                              .np = NP,
                                              .y0 = y0,
                                              .p = p,
                                              .rhs = rhs,
                                              .jacobian = jacobian,
                                              .parameter_jacobian = parameter_jacobian,
                                              .parameter_pattern = {FP_ENTRIES, fp_row, fp_column},
                                              .tangent = tangent,
                                              .initial = initial,
                                              .initial_jacobian = initial_jacobian,
                                              .concurrent = 1}};
    if (form.storage == 0) {
        initial(0, p, y0, NULL);
        mass_form_make(&form);
    }
    return &form;
}

static const double atol[N] = {1e-4, 3e-3, 3e-3, 6e-3, 3e-3, 3e-3, 6e-3, 2e-3};

const struct test_problem *problem_transistor(void)
{
    static struct test_problem it = {.name = "transistor",
                                     .atol = atol,
                                     .reference = "transistor.csv",
                                     .t_end = 0.2,
                                     .stiff = 1};
    it.problem = make()->implicit;
    return &it;
}

const struct test_problem *problem_transistor_mass(void)
{
    static struct test_problem it = {.name = "transistor_mass",
                                     .atol = atol,
                                     .reference = "transistor.csv",
                                     .t_end = 0.2,
                                     .stiff = 1};
    it.problem = make()->mass;
    return &it;
}
