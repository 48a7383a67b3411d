/* SPDX-License-Identifier: Apache-2.0 */
/* LU factorisations and triangular solves for one instruction set, KERNELS_NAME (matrix/lu_kernels.h). */
#include "matrix/lu_kernels.h"

#include <stdbool.h>

#include "matrix/lu_assemble.h"
#include "matrix/lu_band.h"
#include "matrix/lu_dense.h"
#include "matrix/lu_solve_vector.h"
#include "matrix/sparse_lu.h"
#include "matrix/sparse_solve_vector.h"
#include "matrix/vector_types.h"

#define STRIP_FILE "matrix/dense_solve_strip.h"
#define WIDEST     TILE_STRIP
#include "matrix/each_strip.h"

#define STRIP_FILE "matrix/band_solve_strip.h"
#define WIDEST     ROW_STRIP
#include "matrix/each_strip.h"

#define STRIP 1
#include "matrix/band_narrow_strip.h"
#undef STRIP
#define STRIP_FILE "matrix/band_narrow_strip.h"
#define WIDEST     VECTOR
#include "matrix/each_strip.h"

#define STRIP_FILE "matrix/sparse_solve_strip.h"
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

/* False if the band is not narrow, or exchanges have widened it, or the lanes do not fit into a register. */
static bool solved_narrow(const struct band_factors *F, size_t lanes, double *X)
{
    bool const narrow = F->lower == F->upper && F->upper > 0 && F->upper <= NARROW;
    if (!narrow || F->reach > 0 || lanes > VECTOR) return false;
    if (lanes == 1)
        solve_narrow_1(F, X);
    else if (lanes == 2)
        solve_narrow_2(F, X);
#if VECTOR >= 4
    else if (lanes == 4)
        solve_narrow_4(F, X);
#endif
#if VECTOR >= 8
    else
        solve_narrow_8(F, X);
#endif
    return true;
}

static void solve_band(const struct band_factors *F, size_t lanes, double *X)
{
    if (solved_narrow(F, lanes, X)) return;
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

static void move_rows(const struct sparse_factors *F, size_t lanes, double *X)
{
    size_t const strip = lanes < ROW_STRIP ? lanes : ROW_STRIP;
    for (size_t k = 0; k < lanes; k += strip) {
#define STRIP_CASE(s)                                                                              \
    case s:                                                                                        \
        move_rows_##s(F, lanes, X + k);                                                            \
        break;
        switch (strip) {
            EACH_ROW_STRIP(STRIP_CASE)
        }
#undef STRIP_CASE
    }
}

static void solve_steps(const struct sparse_factors *F, size_t from, size_t end, size_t lanes,
                        double *X)
{
    size_t const strip = lanes < ROW_STRIP ? lanes : ROW_STRIP;
    for (size_t k = 0; k < lanes; k += strip) {
#define STRIP_CASE(s)                                                                              \
    case s:                                                                                        \
        solve_steps_##s(F, from, end, lanes, X + k);                                               \
        break;
        switch (strip) {
            EACH_ROW_STRIP(STRIP_CASE)
        }
#undef STRIP_CASE
    }
}

static void solve_tail(const struct sparse_stage *stage, size_t lanes, double *X)
{
    size_t const strip = lanes < TILE_STRIP ? lanes : TILE_STRIP;
    for (size_t k = 0; k < lanes; k += strip) {
#define STRIP_CASE(s)                                                                              \
    case s:                                                                                        \
        solve_tail_##s(&stage->tail, stage->variable, lanes, X + k);                               \
        break;
        switch (strip) {
            EACH_TILE_STRIP(STRIP_CASE)
        }
#undef STRIP_CASE
    }
}

static void solve_sparse(const struct sparse_factors *F, size_t lanes, double *X)
{
    if (F->cycles) move_rows(F, lanes, X);
    for (size_t s = 0, from = 0; s < F->stages; s++) {
        solve_steps(F, from, F->stage[s].steps_end, lanes, X);
        if (F->stage[s].tail.n) solve_tail(&F->stage[s], lanes, X);
        from = F->stage[s].steps_end;
    }
}

extern const struct lu_kernels PASTE(lu_kernels, KERNELS_NAME);

const struct lu_kernels PASTE(lu_kernels, KERNELS_NAME) = {
    .assemble_dense = assemble_dense,
    .factor_dense = factor_dense,
    .factor_band = factor_band,
    .solve_dense = solve_dense,
    .solve_band = solve_band,
    .factor_sparse = factor_sparse,
    .solve_sparse = solve_sparse,
};
