/* SPDX-License-Identifier: Apache-2.0 */
/* DETEST C1, a radioactive decay chain: y1' = -y1, yi' = y(i-1) - yi for i = 2..9, y10' = y9, with the
   columns of all initial values.  Column k is the state shifted down by k rows. */
#include "problem_list.h"

enum { N = 10 };

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    f[0] = -y[0];
    for (size_t i = 1; i < N - 1; i++) f[i] = y[i - 1] - y[i];
    f[N - 1] = y[N - 2];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    for (size_t i = 0; i < N - 1; i++) {
        J[i * N + i] = -1;
        J[(i + 1) * N + i] = 1;
    }
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)y, (void)p, (void)U, (void)context;
    for (size_t k = 0; k < columns; k++) R[k] = -V[k];
    for (size_t i = 1; i < N - 1; i++)
        for (size_t k = 0; k < columns; k++) R[i * ld + k] = V[(i - 1) * ld + k] - V[i * ld + k];
    for (size_t k = 0; k < columns; k++) R[(N - 1) * ld + k] = V[(N - 2) * ld + k];
    return 0;
}

const struct test_problem *problem_c1(void)
{
    static const double y0[N] = {1};
    /* 1e-3 of the peaks m^m exp(-m) / m! at t = m = i - 1, which the reference time misses. */
    static const double atol[N] = {1e-3, 4e-4, 3e-4, 2e-4, 2e-4, 2e-4, 2e-4, 1e-4, 1e-4, 1e-3};
    static const int columns[N] = {
        TANSY_INITIAL(0), TANSY_INITIAL(1), TANSY_INITIAL(2), TANSY_INITIAL(3), TANSY_INITIAL(4),
        TANSY_INITIAL(5), TANSY_INITIAL(6), TANSY_INITIAL(7), TANSY_INITIAL(8), TANSY_INITIAL(9)};
    static const struct test_problem it = {
        .name = "c1",
        .problem = {.n = N,
                    .y0 = y0,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .tangent = tangent,
                    .autonomous = 1,
                    .ns = N,
                    .columns = columns,
                    .concurrent = 1},
        .atol = atol,
        .reference = "detest_C1.csv",
        .t_end = 20,
    };
    return &it;
}
