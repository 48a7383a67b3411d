/* SPDX-License-Identifier: Apache-2.0 */
/* LU factorisations and triangular solves for one instruction set, KERNELS_NAME (matrix/lu_kernels.h). */
#include "matrix/lu_kernels.h"

#include "matrix/lu_band.h"
#include "matrix/lu_dense.h"
#include "matrix/lu_solve_vector.h"
#include "matrix/vector_types.h"

#define STRIP_FILE "matrix/dense_solve_strip.h"
#define WIDEST     TILE_STRIP
#include "matrix/each_strip.h"

#define STRIP_FILE "matrix/band_solve_strip.h"
#define WIDEST     ROW_STRIP
#include "matrix/each_strip.h"

static void solve_dense(const struct dense_factors *F, size_t lanes, double *X)
{
    size_t const strip = lanes < TILE_STRIP ? lanes : TILE_STRIP;
    for (size_t k = 0; k < lanes; k += strip) {
#define STRIP_CASE(s)                                                                              \
    case s:                                                                                        \
        solve_dense_##s(F, lanes, X + k);                                                          \
        break;
        switch (strip) {
            EACH_TILE_STRIP(STRIP_CASE)
        }
#undef STRIP_CASE
    }
}

static void solve_band(const struct band_factors *F, size_t lanes, double *X)
{
    size_t const strip = lanes < ROW_STRIP ? lanes : ROW_STRIP;
    for (size_t k = 0; k < lanes; k += strip) {
#define STRIP_CASE(s)                                                                              \
    case s:                                                                                        \
        solve_band_##s(F, lanes, X + k);                                                           \
        break;
        switch (strip) {
            EACH_ROW_STRIP(STRIP_CASE)
        }
#undef STRIP_CASE
    }
}

extern const struct lu_kernels PASTE(lu_kernels, KERNELS_NAME);

const struct lu_kernels PASTE(lu_kernels, KERNELS_NAME) = {
    .factor_dense = factor_dense,
    .factor_band = factor_band,
    .solve_dense = solve_dense,
    .solve_band = solve_band,
};
