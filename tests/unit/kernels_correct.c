/* SPDX-License-Identifier: Apache-2.0 */
/* The corrector's kernels of every instruction set against their definitions in matrix/kernels.h. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "matrix/kernels.h"
#include "support/random.h"
#include "test.h"

enum { MAX_ROWS = 9, MAX_COUNT = MAX_ROWS * MAX_LANES };

struct vectors {
    double r[MAX_COUNT], d0[MAX_COUNT], e[MAX_COUNT], y0[MAX_COUNT], y[MAX_COUNT], winv[MAX_COUNT];
};

/* Random in the first count places, zero behind them. */
static void fill(struct vectors *v, size_t count)
{
    struct random_source source = {count};
    memset(v, 0, sizeof *v);
    for (size_t x = 0; x < count; x++) {
        v->r[x] = random_next(&source);
        v->d0[x] = random_next(&source);
        v->e[x] = random_next(&source);
        v->y0[x] = random_next(&source);
        v->winv[x] = random_next(&source);
    }
}

/* At most six roundings of numbers of size 4 a component. */
static double const tolerance = 24 * DBL_EPSILON;

static void check_correction(const struct kernels *kernels, size_t n, size_t lanes, bool first,
                             bool has_residual)
{
    static struct vectors before, v;
    size_t const count = n * lanes;
    double const a = -0.5, b = -1.25, scale = 0.75;
    double r_squares[MAX_LANES], e_squares[MAX_LANES];
    double r_sum[MAX_LANES] = {0}, e_sum[MAX_LANES] = {0};
    fill(&before, count);
    v = before;
    kernels->step->correct(&(struct correction_task){.count = lane_round(count),
                                                     .lanes = lanes,
                                                     .r = v.r,
                                                     .d0 = has_residual ? v.d0 : NULL,
                                                     .a = a,
                                                     .b = b,
                                                     .scale = scale,
                                                     .first = first,
                                                     .e = v.e,
                                                     .y0 = v.y0,
                                                     .y = v.y,
                                                     .winv = v.winv,
                                                     .r_squares = r_squares,
                                                     .e_squares = e_squares});
    for (size_t x = 0; x < lane_round(count); x++) {
        double const old = first ? 0 : before.e[x];
        double const sum = has_residual ? before.r[x] + a * before.d0[x] + b * old : before.r[x];
        double const r = scale * sum, e = old + r;
        CHECK_CLOSE(v.r[x], r, tolerance);
        CHECK_CLOSE(v.e[x], e, tolerance);
        CHECK_CLOSE(v.y[x], before.y0[x] + e, tolerance);
        r_sum[x % lanes] += r * v.winv[x] * r * v.winv[x];
        e_sum[x % lanes] += e * v.winv[x] * e * v.winv[x];
    }
    for (size_t k = 0; k < lanes;
         k++) { /* |r|, |e| <= 4 in n squares, each wrong by 8 tolerances */
        CHECK_CLOSE(r_squares[k], r_sum[k], (8 + (double)n) * (double)n * tolerance);
        CHECK_CLOSE(e_squares[k], e_sum[k], (8 + (double)n) * (double)n * tolerance);
    }
}

TEST(correct_does_what_its_definition_says)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t n = 1; n <= MAX_ROWS; n++)
            for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2)
                for (unsigned choice = 0; choice < 4; choice++)
                    check_correction(list[m], n, lanes, choice & 1, choice & 2);
}

TEST(residual_adds_the_derivative_and_the_correction)
{
    static struct vectors before, v;
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t count = LANE_GROUP; count < 6 * LANE_GROUP; count += LANE_GROUP)
            for (int has_e = 0; has_e < 2; has_e++) {
                fill(&before, count + 1);
                v = before;
                list[m]->step->residual(count, 0.5, v.d0, -2, has_e ? v.e : NULL, v.r);
                for (size_t x = 0; x < count; x++) {
                    double const e = has_e ? before.e[x] : 0;
                    CHECK_CLOSE(v.r[x], before.r[x] + 0.5 * before.d0[x] - 2 * e, tolerance);
                }
                CHECK(v.r[count] == before.r[count]);
            }
}
