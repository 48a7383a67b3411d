/* SPDX-License-Identifier: Apache-2.0 */
/* Right-hand sides with exact derivatives for the tests of src/derive. */
#include "support/derive_cases.h"

#include <math.h>

/* Robertson on its slow manifold: parameters over nine orders of magnitude, y_1 of 1e-6. */
static void robertson_rhs(const double *y, const double *p, double *f)
{
    f[0] = -p[0] * y[0] + p[1] * y[1] * y[2];
    f[2] = p[2] * y[1] * y[1];
    f[1] = -f[0] - f[2];
}

static void robertson_exact(const double *y, const double *p, double *J, double *F)
{
    J[0] = -p[0], J[1] = p[1] * y[2], J[2] = p[1] * y[1];
    J[6] = 0, J[7] = 2 * p[2] * y[1], J[8] = 0;
    F[0] = -y[0], F[1] = y[1] * y[2], F[2] = 0;
    F[6] = 0, F[7] = 0, F[8] = y[1] * y[1];
    for (int j = 0; j < 3; j++) {
        J[3 + j] = -J[j] - J[6 + j];
        F[3 + j] = -F[j] - F[6 + j];
    }
}

static void robertson_terms(const double *y, const double *p, double *terms)
{
    terms[0] = p[0] * y[0] + p[1] * y[1] * y[2];
    terms[2] = p[2] * y[1] * y[1];
    terms[1] = terms[0] + terms[2];
}

/* Poles and roots at one size of the arguments: the worst the formulas are made for. */
static void poles_rhs(const double *y, const double *p, double *f)
{
    f[0] = p[0] / y[0] - p[1] * sqrt(y[1]);
    f[1] = p[1] * y[0] / (p[2] + y[0]);
}

static void poles_exact(const double *y, const double *p, double *J, double *F)
{
    double const sum = p[2] + y[0];
    J[0] = -p[0] / (y[0] * y[0]), J[1] = -0.5 * p[1] / sqrt(y[1]);
    J[2] = p[1] * p[2] / (sum * sum), J[3] = 0;
    F[0] = 1 / y[0], F[1] = -sqrt(y[1]), F[2] = 0;
    F[3] = 0, F[4] = y[0] / sum, F[5] = -p[1] * y[0] / (sum * sum);
}

static void poles_terms(const double *y, const double *p, double *terms)
{
    terms[0] = p[0] / y[0] + p[1] * sqrt(y[1]);
    terms[1] = p[1] * y[0] / (p[2] + y[0]);
}

/* Diffusion and a reaction of second order along a chain: tridiagonal. */
enum { CHAIN = 7 };

static void chain_rhs(const double *y, const double *p, double *f)
{
    for (int i = 0; i < CHAIN; i++) {
        double const left = i > 0 ? y[i - 1] : p[2], right = i < CHAIN - 1 ? y[i + 1] : 0;
        f[i] = p[0] * (left - 2 * y[i] + right) - p[1] * y[i] * y[i];
    }
}

static void chain_exact(const double *y, const double *p, double *J, double *F)
{
    for (int i = 0; i < CHAIN; i++) {
        double const left = i > 0 ? y[i - 1] : p[2], right = i < CHAIN - 1 ? y[i + 1] : 0;
        if (i > 0) J[i * CHAIN + i - 1] = p[0];
        J[i * CHAIN + i] = -2 * p[0] - 2 * p[1] * y[i];
        if (i < CHAIN - 1) J[i * CHAIN + i + 1] = p[0];
        F[3 * i] = left - 2 * y[i] + right;
        F[3 * i + 1] = -y[i] * y[i];
        F[3 * i + 2] = i > 0 ? 0 : p[0];
    }
}

static void chain_terms(const double *y, const double *p, double *terms)
{
    for (int i = 0; i < CHAIN; i++) {
        double const left = i > 0 ? y[i - 1] : p[2], right = i < CHAIN - 1 ? y[i + 1] : 0;
        terms[i] = p[0] * (left + 2 * y[i] + right) + p[1] * y[i] * y[i];
    }
}

/* One equation; y and p negative. */
static void single_rhs(const double *y, const double *p, double *f)
{
    f[0] = p[0] * y[0] * y[0] - p[1];
}

static void single_exact(const double *y, const double *p, double *J, double *F)
{
    J[0] = 2 * p[0] * y[0];
    F[0] = y[0] * y[0], F[1] = -1;
}

static void single_terms(const double *y, const double *p, double *terms)
{
    terms[0] = fabs(p[0] * y[0] * y[0]) + fabs(p[1]);
}

const struct derive_case derive_case_list[CASES] = {
    {.name = "robertson",
     .n = 3,
     .np = 3,
     .lower = 2,
     .upper = 2,
     .y = {0.9, 3e-6, 0.1},
     .p = {0.04, 1e4, 3e7},
     .level = {1e-3, 1e-8, 1e-3},
     .rhs = robertson_rhs,
     .exact = robertson_exact,
     .terms = robertson_terms},
    {.name = "poles",
     .n = 2,
     .np = 3,
     .lower = 1,
     .upper = 1,
     .y = {3.1, 250},
     .p = {7.3, 0.6, 2.9},
     .level = {1e-3, 1e-3},
     .rhs = poles_rhs,
     .exact = poles_exact,
     .terms = poles_terms},
    {.name = "chain",
     .n = CHAIN,
     .np = 3,
     .lower = 1,
     .upper = 1,
     .y = {1, 0.7, 0.4, 0.3, 0.2, 1e-5, 0},
     .p = {30, 1.7, 1.2},
     .level = {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3},
     .rhs = chain_rhs,
     .exact = chain_exact,
     .terms = chain_terms},
    {.name = "single",
     .n = 1,
     .np = 2,
     .y = {-3},
     .p = {-2, 5e-3},
     .level = {1e-3},
     .rhs = single_rhs,
     .exact = single_exact,
     .terms = single_terms},
};
