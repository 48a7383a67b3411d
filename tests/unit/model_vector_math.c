/* SPDX-License-Identifier: Apache-2.0 */
/* The vector functions against long double, in units of the last place, and their special values against C's libm. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "matrix/kernels.h"
#include "model/vector_math.h"
#include "support/random.h"
#include "test.h"

enum { BATCH = 1024, BATCHES = 150 };

/* The instruction sets of this machine. */
static size_t list_sets(const struct vector_math *set[3])
{
    const struct kernels *known[3];
    size_t const number = kernels_list(known);
    const struct vector_math *const all[] = {
        &vector_math_plain,
#ifdef TANSY_HAVE_AVX2
        &vector_math_avx2,
#endif
#ifdef TANSY_HAVE_AVX512
        &vector_math_avx512,
#endif
    };
    for (size_t k = 0; k < number; k++) {
        set[k] = all[k];
        CHECK(strcmp(set[k]->name, known[k]->name) == 0);
    }
    return number;
}

/* |r - exact| in units of the last place of exact; 0 when both are the same infinity, NaN or zero. */
static double units(double r, long double exact)
{
    double const rounded = (double)exact;
    if (isnan(rounded)) return isnan(r) ? 0 : HUGE_VAL;
    if (isinf(rounded) || isinf(r)) return r == rounded ? 0 : HUGE_VAL;
    int exponent;
    frexp(rounded, &exponent);
    if (exponent < -1021) exponent = -1021;
    return fabs((double)ldexpl((long double)r - exact, 53 - exponent));
}

/* Uniform in [from, to); else 2 to that power. */
static double between(struct random_source *source, double from, double to)
{
    return from + (to - from) * (random_next(source) + 1) / 2;
}

struct range {
    double from, to;
    int is_exponent;
};

static double argument(struct random_source *source, struct range range)
{
    double const x = between(source, range.from, range.to);
    return range.is_exponent ? exp2(x) : x;
}

enum function { EXP, LOG, SIN, COS };

static vector_function *function_of(const struct vector_math *set, enum function function)
{
    vector_function *const all[] = {set->exp, set->log, set->sin, set->cos};
    return all[function];
}

/* Of all instruction sets, as the exact values take most of the time. */
static double largest_error(enum function function, struct range range)
{
    static long double (*const known[])(long double) = {expl, logl, sinl, cosl};
    struct random_source source = {17};
    const struct vector_math *set[3];
    size_t const sets = list_sets(set);
    double top = 0, a[BATCH], r[BATCH];
    long double exact[BATCH];
    for (int b = 0; b < BATCHES; b++) {
        for (int i = 0; i < BATCH; i++) {
            a[i] = argument(&source, range);
            exact[i] = known[function]((long double)a[i]);
        }
        for (size_t k = 0; k < sets; k++) {
            function_of(set[k], function)(BATCH, a, r);
            for (int i = 0; i < BATCH; i++) top = fmax(top, units(r[i], exact[i]));
        }
    }
    return top;
}

TEST(exp_is_right_to_one_unit)
{
    CHECK_AT_MOST(largest_error(EXP, (struct range){-1, 1, 0}), 1.0);
    CHECK_AT_MOST(largest_error(EXP, (struct range){-708, 709.7, 0}), 1.0);
    CHECK_AT_MOST(largest_error(EXP, (struct range){-1074, -3, 1}), 1.0);
    /* subnormal: rounded a second time */
    CHECK_AT_MOST(largest_error(EXP, (struct range){-746, -708, 0}), 1.0);
}

TEST(log_is_right_to_one_unit)
{
    CHECK_AT_MOST(largest_error(LOG, (struct range){0.5, 2, 0}), 1.0);
    CHECK_AT_MOST(largest_error(LOG, (struct range){0.999, 1.001, 0}), 1.0);
    CHECK_AT_MOST(largest_error(LOG, (struct range){-1074, 1024, 1}), 1.0);
    CHECK_AT_MOST(largest_error(LOG, (struct range){-1074, -1020, 1}), 1.0);
}

TEST(sin_and_cos_are_right_to_little_more_than_a_unit)
{
    static const struct range range[] = {
        {-0.8, 0.8, 0}, {-10, 10, 0}, {-2e6, 2e6, 0}, {-60, 0, 1}, {-1e15, 1e15, 0}};
    for (size_t j = 0; j < sizeof range / sizeof *range; j++) {
        CHECK_AT_MOST(largest_error(SIN, range[j]), 1.1);
        CHECK_AT_MOST(largest_error(COS, range[j]), 1.1);
    }
}

static double largest_pow_error(struct range base, double reach)
{
    struct random_source source = {5};
    const struct vector_math *set[3];
    size_t const sets = list_sets(set);
    double top = 0, a[BATCH], b[BATCH], r[BATCH];
    long double exact[BATCH];
    for (int n = 0; n < BATCHES; n++) {
        for (int i = 0; i < BATCH; i++) {
            a[i] = argument(&source, base);
            b[i] = between(&source, -reach, reach) / fmax(fabs(log(a[i])), 1e-300);
            exact[i] = powl((long double)a[i], (long double)b[i]);
        }
        for (size_t k = 0; k < sets; k++) {
            set[k]->pow(BATCH, a, b, r);
            for (int i = 0; i < BATCH; i++) top = fmax(top, units(r[i], exact[i]));
        }
    }
    return top;
}

TEST(pow_is_right_to_two_units)
{
    CHECK_AT_MOST(largest_pow_error((struct range){0.5, 2, 0}, 100), 1.0);
    CHECK_AT_MOST(largest_pow_error((struct range){0.99, 1.01, 0}, 100), 1.0);
    CHECK_AT_MOST(largest_pow_error((struct range){-1074, 1024, 1}, 100), 1.0);
    CHECK_AT_MOST(largest_pow_error((struct range){0.5, 2, 0}, 708), 2.0);
    CHECK_AT_MOST(largest_pow_error((struct range){-1074, 1024, 1}, 708), 2.0);
    /* over the edges of overflow and underflow */
    CHECK_AT_MOST(largest_pow_error((struct range){1.1, 50, 0}, 750), 2.0);
}

static const double special[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 (double)NAN,
                                 HUGE_VAL,
                                 -HUGE_VAL,
                                 0x1p-1074,
                                 -0x1p-1074,
                                 0x1p-1022,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 0.5,
                                 -0.5,
                                 2,
                                 -2,
                                 3,
                                 -3,
                                 1.5,
                                 -1.5,
                                 4,
                                 1e300,
                                 -1e300,
                                 1e-300,
                                 0x1p52,
                                 0x1p52 + 1,
                                 -0x1p52 - 1,
                                 0x1p53,
                                 -0x1p53 + 1,
                                 0x1p54,
                                 709.782712893384,
                                 709.782712893385,
                                 -745.13321910194,
                                 -745.133219101942,
                                 -708.5,
                                 1 - 0x1p-53,
                                 1 + 0x1p-52,
                                 -1 - 0x1p-52,
                                 800,
                                 -800,
                                 1e-17,
                                 710,
                                 -746,
                                 3.5,
                                 0x1p51 + 0.5,
                                 0x1p-1022 - 0x1p-1074};
enum { SPECIAL = sizeof special / sizeof *special };

/* The same NaN, infinity or signed zero; finite numbers within two units. */
static void check_same(double r, double expected)
{
    if (isnan(expected) || isinf(expected) || expected == 0) {
        CHECK(isnan(expected) ? isnan(r) != 0 : r == expected);
        CHECK(isnan(expected) || !signbit(r) == !signbit(expected));
    } else {
        CHECK_AT_MOST(units(r, (long double)expected), 2.5); /* theirs may err by half a unit */
    }
}

TEST(special_values_are_those_of_the_standard)
{
    const struct vector_math *set[3];
    size_t const sets = list_sets(set);
    for (size_t k = 0; k < sets; k++) {
        double r[SPECIAL], other[SPECIAL];
        set[k]->exp(SPECIAL, special, r);
        for (int i = 0; i < SPECIAL; i++) check_same(r[i], exp(special[i]));
        set[k]->log(SPECIAL, special, r);
        for (int i = 0; i < SPECIAL; i++) check_same(r[i], log(special[i]));
        set[k]->sin(SPECIAL, special, r);
        for (int i = 0; i < SPECIAL; i++) check_same(r[i], sin(special[i]));
        set[k]->cos(SPECIAL, special, r);
        for (int i = 0; i < SPECIAL; i++) check_same(r[i], cos(special[i]));
        for (int j = 0; j < SPECIAL; j++) {
            for (int i = 0; i < SPECIAL; i++) other[i] = special[j];
            set[k]->pow(SPECIAL, special, other, r);
            for (int i = 0; i < SPECIAL; i++) check_same(r[i], pow(special[i], special[j]));
        }
    }
}

TEST(any_number_of_arguments_also_in_place)
{
    const struct vector_math *set[3];
    size_t const sets = list_sets(set);
    for (size_t k = 0; k < sets; k++)
        for (size_t n = 0; n <= 20; n++) {
            double a[21], b[21], r[21];
            for (size_t i = 0; i < 21; i++) a[i] = b[i] = r[i] = 0.25 + (double)i;
            set[k]->exp(n, a, r);
            set[k]->exp(n, a, a);
            for (size_t i = 0; i < 21; i++) CHECK(a[i] == r[i]);
            CHECK(r[n] == b[n]);
            set[k]->pow(n, b, b, r);
            for (size_t i = 0; i < n; i++)
                CHECK_AT_MOST(units(r[i], powl((long double)b[i], (long double)b[i])), 1.0);
            CHECK(r[n] == b[n]);
        }
}
