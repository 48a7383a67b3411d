/* SPDX-License-Identifier: Apache-2.0 */
/* Solves of preconditioners for one instruction set, KERNELS_NAME (linear/precondition_kernels.h). */
#include "linear/precondition_kernels.h"
#include "matrix/vector_types.h"

#define STRIP_FILE "linear/precondition_ilu_strip.h"
#define WIDEST     ROW_STRIP
#include "matrix/each_strip.h"

#define STRIP_FILE "linear/precondition_tridiagonal_strip.h"
#define WIDEST     ROW_STRIP
#include "matrix/each_strip.h"

/* Near columns, which have only just been found, come last. */
static void solve_ilu_1(const struct ilu_factors *F, size_t lanes, double *x)
{
    (void)lanes;
    for (size_t i = 0; i < F->n; i++) {
        double sum = x[i];
        for (size_t m = F->start[i]; m < F->diagonal[i]; m++) sum -= F->value[m] * x[F->column[m]];
        x[i] = sum;
    }
    for (size_t i = F->n; i-- > 0;) {
        double sum = F->value[F->diagonal[i]] * x[i];
        for (size_t m = F->start[i + 1] - 1; m > F->diagonal[i]; m--)
            sum -= F->value[m] * x[F->column[m]];
        x[i] = sum;
    }
}

static void solve_tridiagonal_1(const struct tridiagonal_factors *F, size_t lanes, double *x)
{
    size_t const middle = F->n / 2, below = F->n - 1 - middle;
    const double *const inward = F->inward, *const outward = F->outward;
    double top = 0, bottom = 0;
    (void)lanes;
    for (size_t k = 0; k < below; k++) {
        size_t const i = F->n - 1 - k;
        top = x[k] - inward[k] * top;
        bottom = x[i] - inward[i] * bottom;
        x[k] = F->inverse[k] * top;
        x[i] = F->inverse[i] * bottom;
    }
    if (below < middle) {
        top = x[below] - inward[below] * top;
        x[below] = F->inverse[below] * top;
    }
    top = bottom = x[middle] =
        F->inverse[middle] * (x[middle] - inward[middle] * top - F->last * bottom);
    for (size_t k = 1; k <= below; k++) {
        x[middle - k] = top = x[middle - k] - outward[middle - k] * top;
        x[middle + k] = bottom = x[middle + k] - outward[middle + k] * bottom;
    }
    if (below < middle) x[0] -= outward[0] * top;
}

/* Runs solve_NAME_STRIP over the strips of the panel. */
#define STRIP_CASE(name, s)                                                                        \
    case s:                                                                                        \
        name##_##s(F, lanes, X + k);                                                               \
        break;
#define ILU_CASE(s)         STRIP_CASE(solve_ilu, s)
#define TRIDIAGONAL_CASE(s) STRIP_CASE(solve_tridiagonal, s)

static void solve_ilu(const struct ilu_factors *F, size_t lanes, double *X)
{
    size_t const strip = lanes < ROW_STRIP ? lanes : ROW_STRIP;
    for (size_t k = 0; k < lanes; k += strip) {
        switch (strip) {
            EACH_ROW_STRIP(ILU_CASE)
        }
    }
}

static void solve_tridiagonal(const struct tridiagonal_factors *F, size_t lanes, double *X)
{
    size_t const strip = lanes < ROW_STRIP ? lanes : ROW_STRIP;
    for (size_t k = 0; k < lanes; k += strip) {
        switch (strip) {
            EACH_ROW_STRIP(TRIDIAGONAL_CASE)
        }
    }
}

extern const struct precondition_kernels PASTE(precondition_kernels, KERNELS_NAME);

const struct precondition_kernels PASTE(precondition_kernels, KERNELS_NAME) = {
    .solve_ilu = solve_ilu,
    .solve_tridiagonal = solve_tridiagonal,
};
