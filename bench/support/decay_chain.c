/* SPDX-License-Identifier: Apache-2.0 */
/* The chain of ten, see decay_chain.h. */
#include "decay_chain.h"

enum { N = 10 };

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    f[0] = -y[0];
    for (size_t i = 1; i < N; i++) f[i] = y[i - 1] - y[i];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    for (size_t i = 0; i < N; i++) J[i * N + i] = -1;
    for (size_t i = 1; i < N; i++) J[i * N + i - 1] = 1;
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)y, (void)p, (void)U, (void)context;
    for (size_t k = 0; k < columns; k++) R[k] = -V[k];
    for (size_t i = 1; i < N; i++)
        for (size_t k = 0; k < columns; k++) R[i * ld + k] = V[(i - 1) * ld + k] - V[i * ld + k];
    return 0;
}

tansy_problem decay_chain_make(void)
{
    static const double y0[N] = {1};
    static const int columns[N] = {
        TANSY_INITIAL(0), TANSY_INITIAL(1), TANSY_INITIAL(2), TANSY_INITIAL(3), TANSY_INITIAL(4),
        TANSY_INITIAL(5), TANSY_INITIAL(6), TANSY_INITIAL(7), TANSY_INITIAL(8), TANSY_INITIAL(9)};
    return (tansy_problem){.n = N,
                           .y0 = y0,
                           .rhs = rhs,
                           .jacobian = jacobian,
                           .tangent = tangent,
                           .ns = N,
                           .columns = columns,
                           .autonomous = 1,
                           .concurrent = 1};
}
