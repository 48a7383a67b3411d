/* SPDX-License-Identifier: Apache-2.0 */
/* The unit of a parameter is the user's own business: another one changes neither steps nor, when it is a power
   of two, a single bit but for the exponent of S. */
#include "support/fault_cases.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double t_end = 1;

/* What is asked for besides the unit. */
struct wish {
    double p[FAULT_NP];     /* in units of 1 */
    double scale[FAULT_NP]; /* likewise; all 0: none is given */
    size_t ns;              /* 0: all parameters */
    const int *columns;
    const double *directions; /* in units of 1 */
};

static const struct wish all_parameters = {.p = {0.75, 0.3, 1.25, 0.625}};

/* A run with parameter k in units of unit[k]; its S is dy/dp in these units. */
static struct fault_result run(const struct fault_case *it, const struct wish *wish,
                               const double *unit)
{
    struct fault_user user = fault_user();
    double p[FAULT_NP], scale[FAULT_NP], directions[FAULT_NP * (FAULT_N + FAULT_NP)];
    bool scaled = false;
    for (size_t k = 0; k < FAULT_NP; k++) {
        user.unit[k] = unit[k];
        p[k] = wish->p[k] / unit[k];
        scale[k] = wish->scale[k] / unit[k];
        scaled = scaled || scale[k] != 0;
    }
    size_t const length = FAULT_N + FAULT_NP;
    for (size_t x = 0; wish->directions && x < wish->ns * length; x++)
        directions[x] =
            wish->directions[x] / (x % length < FAULT_N ? 1 : unit[x % length - FAULT_N]);
    tansy_problem problem = fault_problem(&user, it->gives, p);
    problem.scale = scaled ? scale : NULL;
    problem.ns = wish->ns;
    problem.columns = wish->columns;
    problem.directions = wish->directions ? directions : NULL;
    tansy_solver *const s = tansy_create(&problem, &it->options);
    struct fault_result const r = fault_integrate(s, t_end);
    tansy_free(s);
    CHECK_EQUAL(r.status, TANSY_OK);
    return r;
}

/* The unit of column k. */
static double unit_of(const struct wish *wish, const double *unit, size_t k)
{
    if (wish->directions || (wish->columns && wish->columns[k] < 0)) return 1;
    return unit[wish->columns ? wish->columns[k] : (int)k];
}

/* All counts alike, y the same bits, S the same bits after division by the unit, a power of two. */
static size_t bits_differ(const struct fault_case *it, const struct wish *wish, const double *unit)
{
    static const double one[FAULT_NP] = {1, 1, 1, 1};
    struct fault_user const user = fault_user();
    struct fault_result const plain = run(it, wish, one);
    struct fault_result scaled = run(it, wish, unit);
    for (size_t x = 0; x < FAULT_SENS; x++) scaled.sens[x] /= unit_of(wish, unit, x / FAULT_N);
    return fault_told(fault_same(&plain, &scaled), "the same bits", it, &user, &scaled);
}

/* Every parameter alone, and all together, in other units. */
static size_t units_matter(const struct wish *wish)
{
    static const int exponents[] = {10, 40, -40};
    size_t broken = 0;
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        for (size_t e = 0; e < 3; e++)
            for (size_t which = 0; which <= FAULT_NP; which++) {
                double unit[FAULT_NP];
                for (size_t k = 0; k < FAULT_NP; k++)
                    unit[k] = which == k || which == FAULT_NP ? ldexp(1, exponents[e]) : 1;
                broken += bits_differ(&it, wish, unit);
            }
    }
    return broken;
}

TEST(a_unit_that_is_a_power_of_two_changes_no_bit)
{
    CHECK_EQUAL(units_matter(&all_parameters), 0);
}

TEST(a_unit_changes_no_bit_where_the_parameter_is_zero_and_has_a_scale)
{
    struct wish const zero = {.p = {0.75, 0, 1.25, 0}, .scale = {0, 0.5, 3, 1}};
    CHECK_EQUAL(units_matter(&zero), 0);
}

TEST(a_unit_changes_no_bit_of_a_subset_with_initial_values)
{
    static const int columns[] = {TANSY_INITIAL(1), 2, 0, TANSY_INITIAL(0)};
    struct wish const some = {.p = {0.75, 0.3, 1.25, 0.625}, .ns = 4, .columns = columns};
    CHECK_EQUAL(units_matter(&some), 0);
}

TEST(a_unit_changes_no_bit_of_directions)
{
    static const double directions[] = {
        0,   0, /* along p: */ 1,   0,   0,   0,    /* */
        0.5, 0, /* along p: */ 0,   0.3, -2,  0,    /* */
        0,   1, /* along p: */ 0,   0,   0,   0,    /* */
        1,   3, /* along p: */ 0.7, 0.1, 0.2, -0.4, /* */
    };
    struct wish const mixed = {.p = {0.75, 0.3, 1.25, 0.625}, .ns = 4, .directions = directions};
    CHECK_EQUAL(units_matter(&mixed), 0);
}

/* The largest change of y and S, in units of 1, by a unit for all parameters; the number of steps is the same. */
static double change(const struct fault_case *it, double size, size_t *steps)
{
    static const double one[FAULT_NP] = {1, 1, 1, 1};
    double const unit[FAULT_NP] = {size, size, size, size};
    struct fault_result const plain = run(it, &all_parameters, one);
    struct fault_result const r = run(it, &all_parameters, unit);
    double largest = 0;
    CHECK_EQUAL(r.stats.steps, plain.stats.steps);
    for (size_t i = 0; i < FAULT_N; i++) largest = fmax(largest, fabs(r.y[i] - plain.y[i]));
    for (size_t x = 0; x < FAULT_SENS; x++)
        largest = fmax(largest, fabs(r.sens[x] / size - plain.sens[x]) * fault_p[x / FAULT_N]);
    *steps = plain.stats.steps;
    return largest;
}

static const double sizes[] = {1e12, 1e-12, 1e30, 1e-30};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* With such a unit the physical value p*unit is rounded twice, and everything that has the unit in it at every
   operation.  With steps of one size an entry, which is of order 1, is rounded at most about 50 times a step;
   quotients of fourth order add the rounding of f over an increment of 7.4e-4, times t <= 1. */
TEST(a_unit_of_a_million_million_changes_rounding_only)
{
    for (size_t number = 0; number < FAULT_CASES; number++)
        for (size_t x = 0; x < SIZES; x++) {
            struct fault_case it = fault_case(number);
            size_t steps;
            it.options.first_step = it.options.min_step = it.options.max_step = 0x1p-9;
            it.options.atol = 1e-4; /* so that they pass */
            it.options.difference = TANSY_FOURTH_ORDER;
            double const quotients = it.differences ? 4 * DBL_EPSILON / 7.4e-4 : 0;
            double const found = change(&it, sizes[x], &steps);
            CHECK_AT_MOST(found, 50 * DBL_EPSILON * (double)steps + quotients);
        }
}

/* Where h is chosen the controller sees rounding as error.  It looks at estimates above growth^-2/15 of the
   tolerance, growth = 10^4 (below it takes the largest growth), in which rounding is a share of eps/(rtol 7e-10):
   so h moves by half as much, and a global error of 100 rtol by 100 eps/7e-10 times half the power of h, 6.5. */
TEST(a_unit_of_a_million_million_does_not_change_the_steps)
{
    for (size_t number = 0; number < FAULT_CASES; number++)
        for (size_t x = 0; x < SIZES; x++) {
            struct fault_case it = fault_case(number);
            size_t steps;
            it.options.difference = TANSY_FOURTH_ORDER;
            CHECK_AT_MOST(change(&it, sizes[x], &steps), 100 * 6.5 * DBL_EPSILON / 7e-10);
        }
}

/* The trap in which CVODES, left to its defaults (pbar = 1), returns success and noise: k of order 10^12 or
   10^-12 with difference quotients. */
TEST(differences_are_right_in_any_unit)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        for (size_t x = 0; x < SIZES; x++) {
            double const unit[FAULT_NP] = {sizes[x], 1 / sizes[x], sizes[x], 1 / sizes[x]};
            struct fault_result r = run(&it, &all_parameters, unit);
            for (size_t k = 0; k < FAULT_SENS; k++) r.sens[k] /= unit[k / FAULT_N];
            CHECK_AT_MOST(fault_error(t_end, 1e-3, r.y, r.sens), 100 * it.options.rtol);
        }
    }
}
