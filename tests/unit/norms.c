/* SPDX-License-Identifier: Apache-2.0 */
/* Weights and norms of parts (equations/norms.h) against plain loops: every instruction set, number of lanes and
   norm, columns that do not fill the lanes, literal tolerances, numbers that are not finite. */
#include "equations/norms.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "support/random.h"
#include "test.h"

static const size_t sizes[] = {1, 2, 3, 7, 8, 9, 33};

/* A part with tolerances, a vector v at which it is weighed and a vector e to measure. */
struct setting {
    struct norms norms;
    struct part part;
    size_t n, lanes;
    double *rtol, *atol, *rho, *a, *rtol_matrix, *atol_matrix, *v, *e, *winv;
};

/* count doubles of size between 0.1 and 1.1, signs kept when wanted, and zeros to a whole group. */
static double *take(size_t count, uint64_t seed, bool has_signs)
{
    double *const x = heap_take(lane_round(count) * sizeof *x);
    struct random_source source = {seed};
    for (size_t k = 0; k < count; k++) {
        double const r = random_next(&source);
        x[k] = has_signs ? r : 0.1 + fabs(r);
    }
    return x;
}

static struct setting set_up(const struct kernels *kernels, size_t n, size_t lanes, size_t columns)
{
    struct setting s = {.n = n, .lanes = lanes};
    size_t const count = n * lanes;
    s.rtol = take(n, 1, false);
    s.atol = take(n, 2, false);
    s.rho = take(lanes, 3, false);
    s.a = take(lanes, 4, false);
    s.rtol_matrix = take(count, 5, false);
    s.atol_matrix = take(count, 6, false);
    s.v = take(count, 7, true);
    s.e = take(count, 8, true);
    s.winv = take(count, 9, false);
    s.norms = (struct norms){.kernels = kernels, .n = n, .share = 1 / (double)n};
    s.part = (struct part){
        .kind = lanes == 1 ? PART_STATE : PART_TANGENT,
        .shape = {.columns = columns, .lanes = lanes, .count = lane_round(count)},
        .rtol = s.rtol,
        .atol = s.atol,
        .rho = s.rho,
        .a = s.a,
    };
    return s;
}

static void take_down(struct setting *s)
{
    double *const all[] = {s->rtol,        s->atol, s->rho, s->a,   s->rtol_matrix,
                           s->atol_matrix, s->v,    s->e,   s->winv};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) heap_return(all[k]);
}

typedef void property(struct setting *s);

static void for_all(property *holds)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t x = 0; x < sizeof sizes / sizeof *sizes; x++)
            for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2)
                for (size_t less = 0; less < 2 && less < lanes; less++) {
                    struct setting s = set_up(list[m], sizes[x], lanes, lanes - less);
                    holds(&s);
                    take_down(&s);
                }
}

/* As drive/solver.c does. */
static void choose_norm(struct setting *s, int kind)
{
    s->norms.kind = (tansy_norm)kind;
    s->norms.share = kind == TANSY_MAX ? 1 : 1 / (double)s->n;
}

/* w = rtol_i rho_k |v| + atol_i a_k. */
static double weight(const struct setting *s, size_t i, size_t k)
{
    double const v = fabs(s->v[i * s->lanes + k]);
    return s->rtol[i] * s->rho[k] * v + s->atol[i] * s->a[k];
}

static void check_weights(struct setting *s)
{
    norms_weigh(&s->norms, &s->part, s->v, s->winv);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->lanes; k++) {
            double const exact = 1 / weight(s, i, k);
            /* four operations, their sum and its inverse round */
            CHECK_CLOSE(s->winv[i * s->lanes + k], exact, 6 * DBL_EPSILON * exact);
        }
}

TEST(weights_are_rtol_times_size_plus_atol)
{
    for_all(check_weights);
}

static void check_literal_weights(struct setting *s)
{
    s->part.rtol_matrix = s->rtol_matrix;
    s->part.atol_matrix = s->atol_matrix;
    norms_weigh(&s->norms, &s->part, s->v, s->winv);
    for (size_t x = 0; x < s->n * s->lanes; x++) {
        double const exact = 1 / (s->rtol_matrix[x] * fabs(s->v[x]) + s->atol_matrix[x]);
        CHECK_CLOSE(s->winv[x], exact, 4 * DBL_EPSILON * exact);
    }
}

TEST(literal_tolerances_are_taken_as_they_are)
{
    for_all(check_literal_weights);
}

/* A value and a tolerance of zero must not divide by zero, a value that is not a number must not look harmless. */
static void check_odd_weights(struct setting *s)
{
    for (int literal = 0; literal < 2; literal++) {
        s->part.rtol_matrix = literal ? s->rtol_matrix : NULL;
        s->part.atol_matrix = literal ? s->atol_matrix : NULL;
        s->v[0] = s->atol[0] = s->atol_matrix[0] = 0;
        norms_weigh(&s->norms, &s->part, s->v, s->winv);
        CHECK(isfinite(s->winv[0]));
        s->v[0] = (double)NAN;
        norms_weigh(&s->norms, &s->part, s->v, s->winv);
        CHECK(isnan(s->winv[0]));
    }
}

TEST(a_weight_of_zero_is_finite_and_one_of_nan_is_nan)
{
    for_all(check_odd_weights);
}

/* The square of the norm of column k by a plain loop, before it is multiplied by the share of one component. */
static double square_of(const struct setting *s, size_t k)
{
    double sum = 0, largest = 0;
    for (size_t x = k; x < s->n * s->lanes; x += s->lanes) {
        double const q = fabs(s->e[x] * s->winv[x]);
        sum += q * q;
        largest = fmax(largest, q);
    }
    return s->norms.kind == TANSY_MAX ? largest * largest : sum;
}

/* n squares that round four times each, and their sum: (n + 5) eps of a sum of positive terms, on both sides. */
static void check_norms(struct setting *s)
{
    double square[MAX_LANES];
    double const relative = 2 * (double)(s->n + 5) * DBL_EPSILON;
    for (int kind = TANSY_RMS; kind <= TANSY_MAX; kind++) {
        double largest = 0;
        choose_norm(s, kind);
        norms_squares(&s->norms, &s->part, s->e, s->winv, square);
        for (size_t k = 0; k < s->part.shape.columns; k++) {
            CHECK_CLOSE(square[k], square_of(s, k), relative * square_of(s, k));
            largest = fmax(largest, square_of(s, k));
        }
        double const found = norms_largest(&s->norms, &s->part, s->e, s->winv);
        double const norm = kind == TANSY_MAX ? sqrt(largest) : sqrt(largest / (double)s->n);
        CHECK_CLOSE(found, norm, relative * norm);
    }
}

TEST(norms_equal_those_of_plain_loops)
{
    for_all(check_norms);
}

/* A corrector's iteration measures what it adds and leaves the squares of e; r = first e + nothing, e = 2 e. */
static void check_iteration(struct setting *s)
{
    size_t const count = s->part.shape.count;
    double *const r = heap_take(count * sizeof *r), *const y = heap_take(count * sizeof *y);
    double square[MAX_LANES];
    for (int kind = TANSY_RMS; kind <= TANSY_MAX; kind++) {
        choose_norm(s, kind);
        memcpy(r, s->e, count * sizeof *r);
        double const wanted = norms_largest(&s->norms, &s->part, s->e, s->winv);
        struct correction_task task = {.count = count,
                                       .lanes = s->lanes,
                                       .r = r,
                                       .scale = 1,
                                       .e = s->e,
                                       .y0 = s->v,
                                       .y = y,
                                       .winv = s->winv};
        double const found = sqrt(norms_correct(&s->norms, &s->part, &task));
        double const relative = 2 * (double)(s->n + 5) * DBL_EPSILON;
        CHECK_CLOSE(found, wanted, relative * wanted);
        norms_squares(&s->norms, &s->part, s->e, s->winv, square);
        for (size_t k = 0; k < s->part.shape.columns; k++)
            CHECK_CLOSE(s->part.squares[k], square[k], 2 * relative * square[k]);
    }
    heap_return(r);
    heap_return(y);
}

TEST(an_iteration_measures_its_correction_and_leaves_the_squares_of_the_sum)
{
    for_all(check_iteration);
}

/* Lanes without a column are zero in the library; here they are not, and must not count. */
static void check_unused(struct setting *s)
{
    if (s->part.shape.columns == s->lanes) return;
    for (int kind = TANSY_RMS; kind <= TANSY_MAX; kind++) {
        choose_norm(s, kind);
        double const before = norms_largest(&s->norms, &s->part, s->e, s->winv);
        s->e[s->lanes - 1] = 1e10;
        CHECK(norms_largest(&s->norms, &s->part, s->e, s->winv) == before);
        s->e[s->lanes - 1] = 0;
    }
}

TEST(lanes_without_a_column_do_not_count)
{
    for_all(check_unused);
}

/* One NaN anywhere: its column is NaN, the others are as before, the largest is NaN. */
static void check_nan(struct setting *s)
{
    double before[MAX_LANES], after[MAX_LANES];
    for (int kind = TANSY_RMS; kind <= TANSY_MAX; kind++)
        for (size_t x = 0; x < s->n * s->lanes; x++) {
            size_t const column = x % s->lanes;
            double const kept = s->e[x];
            if (column >= s->part.shape.columns) continue;
            choose_norm(s, kind);
            norms_squares(&s->norms, &s->part, s->e, s->winv, before);
            s->e[x] = (double)NAN;
            norms_squares(&s->norms, &s->part, s->e, s->winv, after);
            for (size_t k = 0; k < s->part.shape.columns; k++)
                CHECK(k == column ? isnan(after[k]) : after[k] == before[k]);
            CHECK(isnan(norms_largest(&s->norms, &s->part, s->e, s->winv)));
            s->e[x] = kept;
        }
}

TEST(a_nan_makes_its_column_and_the_largest_norm_nan)
{
    for_all(check_nan);
}

/* An error that overflows is not a small one. */
static void check_overflow(struct setting *s)
{
    s->e[0] = s->winv[0] = 1e200;
    for (int kind = TANSY_RMS; kind <= TANSY_MAX; kind++) {
        choose_norm(s, kind);
        CHECK(norms_largest(&s->norms, &s->part, s->e, s->winv) == HUGE_VAL);
    }
}

TEST(an_overflow_is_infinite)
{
    for_all(check_overflow);
}

/* The order of the sums is fixed. */
static void check_repeats(struct setting *s)
{
    double first[MAX_LANES], second[MAX_LANES];
    norms_squares(&s->norms, &s->part, s->e, s->winv, first);
    norms_squares(&s->norms, &s->part, s->e, s->winv, second);
    CHECK(memcmp(first, second, s->lanes * sizeof *first) == 0);
}

TEST(norms_repeat_bit_for_bit)
{
    for_all(check_repeats);
}
