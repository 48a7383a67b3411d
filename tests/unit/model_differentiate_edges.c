/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives by hand: exact sparsity, values at the edges of the domain, branches that are not taken, long sums. */
#include "model/differentiate.h"

#include <float.h>
#include <math.h>

#include "base/heap.h"
#include "model/oracle.h"
#include "test.h"

static uint32_t binary(struct graph *g, enum operation operation, uint32_t a, uint32_t b)
{
    return graph_binary(g, operation, a, b);
}

/* d root/d leaf at y, p; 0 where there is no entry. */
static double slope(struct graph *g, uint32_t root, enum operation kind, uint32_t column,
                    const double *y, const double *p)
{
    struct derivative d;
    CHECK_EQUAL(differentiate(g, &root, 1, kind, 4, &d), TANSY_OK);
    double *const value = heap_take(graph_count(g) * sizeof *value);
    oracle_run(g, &(struct leaves){.y = y, .p = p, .np = 2, .switches = 1}, value);
    double result = 0;
    for (size_t e = 0; e < d.entries; e++)
        if (d.column[e] == column) result = value[d.node[e]];
    heap_return(value);
    derivative_free(&d);
    return result;
}

TEST(powers_have_their_limits_at_zero)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), b = graph_leaf(g, OP_PARAMETER, 0);
    double const y[] = {0}, p[] = {2.5, 0, 0, 0}, none[] = {0, 0, 0, 0}, one[] = {1, 0, 0, 0};
    uint32_t const fixed = binary(g, OP_POWER, x, graph_constant(g, 2.5));
    uint32_t const product = binary(g, OP_MULTIPLY, x, graph_unary(g, OP_SQRT, x));
    uint32_t const free = binary(g, OP_POWER, x, b);
    CHECK_CLOSE(slope(g, fixed, OP_STATE, 0, y, p), 0, 0);
    CHECK_CLOSE(slope(g, product, OP_STATE, 0, y, p), 0, 0);
    CHECK_CLOSE(slope(g, free, OP_STATE, 0, y, p), 0, 0);
    CHECK_CLOSE(slope(g, free, OP_STATE, 0, y, one), 1, 0);
    CHECK_CLOSE(slope(g, free, OP_STATE, 0, y, none), 0, 0); /* x^0 is constant */
    CHECK_CLOSE(slope(g, free, OP_PARAMETER, 0, y, p), 0, 0);
    CHECK(isinf(slope(g, graph_unary(g, OP_SQRT, x), OP_STATE, 0, y, p)));
    graph_free(g);
}

/* a/(r + c e^u), also where e^u is out of range: d/du = -a c e^u/(r + c e^u)^2, relative to itself. */
TEST(quotients_by_exponentials_keep_their_slope_out_of_range)
{
    static const struct {
        double r, c;
        enum operation sign;
    } form[] = {{1, 1, OP_ADD}, {3, 2, OP_ADD}, {1, 1, OP_SUBTRACT}, {-2, 0.5, OP_SUBTRACT}};
    static const double at[] = {-745, -40, -1, 0.3, 3, 40, 350, 708, 710, 5000};
    for (size_t k = 0; k < 2 * sizeof form / sizeof *form; k++) {
        struct graph *const g = graph_create();
        uint32_t const u = graph_leaf(g, OP_STATE, 0), a = graph_leaf(g, OP_STATE, 1);
        uint32_t const r =
            binary(g, OP_MULTIPLY, graph_leaf(g, OP_STATE, 2), graph_constant(g, form[k / 2].r));
        uint32_t const e =
            binary(g, OP_MULTIPLY, graph_unary(g, OP_EXP, u), graph_constant(g, form[k / 2].c));
        uint32_t const b =
            k % 2 ? binary(g, form[k / 2].sign, e, r) : binary(g, form[k / 2].sign, r, e);
        uint32_t const root = binary(g, OP_DIVIDE, a, b);
        for (size_t m = 0; m < sizeof at / sizeof *at; m++) {
            double const y[] = {at[m], 1.5, 1}, minus = form[k / 2].sign == OP_ADD ? 1 : -1;
            double const re = (k % 2 ? minus : 1) * form[k / 2].r,
                         ce = (k % 2 ? 1 : minus) * form[k / 2].c * exp(fmin(at[m], 700));
            double const whole = re + ce;
            double const du =
                at[m] > 700 ? -1.5 / ce * exp(700 - at[m]) : -1.5 * (ce / whole) / whole;
            double const dr = at[m] > 700 ? 0 : -1.5 / (whole * whole) * re;
            double const p[] = {0, 0, 0, 0};
            CHECK_CLOSE(slope(g, root, OP_STATE, 0, y, p), du, 1e-13 * fabs(du) + DBL_MIN);
            CHECK_CLOSE(slope(g, root, OP_STATE, 1, y, p),
                        at[m] > 700 ? exp(700 - at[m]) / ce : 1 / whole,
                        1e-13 / fabs(whole) + DBL_MIN);
            CHECK_CLOSE(slope(g, root, OP_STATE, 2, y, p), dr, 1e-13 * fabs(dr) + DBL_MIN);
        }
        graph_free(g);
    }
}

/* x^b of a negative x and a whole b is well defined, and so is its slope in x. */
TEST(whole_powers_of_negative_numbers_keep_their_slope)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), b = graph_leaf(g, OP_PARAMETER, 0);
    double const y[] = {-2}, p[] = {3, 0, 0, 0};
    CHECK_CLOSE(slope(g, binary(g, OP_POWER, x, b), OP_STATE, 0, y, p), 12, 0);
    graph_free(g);
}

/* 1/cosh(x)^2, also where tanh(x) is 1 to all digits. */
TEST(the_slope_of_tanh_keeps_its_digits)
{
    struct graph *const g = graph_create();
    uint32_t const root = graph_unary(g, OP_TANH, graph_leaf(g, OP_STATE, 0));
    static const double at[] = {-800, -300, -20, -1, 0, 0.5, 10, 20, 40, 350, 1e6};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        double const y[] = {at[k]}, p[4] = {0};
        double const expected = pow(1 / cosh(at[k]), 2);
        CHECK_CLOSE(slope(g, root, OP_STATE, 0, y, p), expected, 12 * DBL_EPSILON * expected);
    }
    graph_free(g);
}

/* sqrt(x) at x = 0 spoils its own column, not that of y. */
TEST(what_is_infinite_stays_in_its_column)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), z = graph_leaf(g, OP_STATE, 1);
    uint32_t const f = binary(g, OP_ADD, graph_unary(g, OP_SQRT, x), binary(g, OP_MULTIPLY, z, z));
    double const y[] = {0, 3}, p[4] = {0};
    CHECK_CLOSE(slope(g, f, OP_STATE, 1, y, p), 6, 0);
    CHECK(isinf(slope(g, f, OP_STATE, 0, y, p)));
    graph_free(g);
}

/* if s then sqrt(x) else x z, with x < 0 on the second branch: the first is not a number and must not be seen. */
TEST(the_branch_not_taken_may_be_undefined)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), z = graph_leaf(g, OP_STATE, 1);
    uint32_t const s = graph_leaf(g, OP_SWITCH, 0), k = graph_leaf(g, OP_PARAMETER, 0);
    uint32_t const choice =
        graph_select(g, s, graph_unary(g, OP_SQRT, x), binary(g, OP_MULTIPLY, x, z));
    uint32_t const f = binary(g, OP_MULTIPLY, k, choice);
    double const y[] = {-4, 3}, p[] = {2, 0, 0, 0};
    CHECK_CLOSE(slope(g, f, OP_STATE, 0, y, p), 6, 0);
    CHECK_CLOSE(slope(g, f, OP_STATE, 1, y, p), -8, 0);
    uint32_t const root[] = {f, choice};
    struct tangent t;
    CHECK_EQUAL(differentiate_tangent(g, root, 2, 2, 2, &t), TANSY_OK);
    double *const value = heap_take(graph_count(g) * sizeof *value);
    oracle_run(g, &(struct leaves){.y = y, .p = p, .np = 2, .switches = 1}, value);
    for (size_t e = 0; e < t.terms; e++) CHECK(isfinite(value[t.coefficient[e]]));
    heap_return(value);
    tangent_free(&t);
    graph_free(g);
}

static size_t entries(struct graph *g, uint32_t root, enum operation kind)
{
    struct derivative d;
    CHECK_EQUAL(differentiate(g, &root, 1, kind, 8, &d), TANSY_OK);
    for (size_t e = 1; e < d.entries; e++) CHECK(d.column[e - 1] < d.column[e]);
    size_t const count = d.entries;
    derivative_free(&d);
    return count;
}

TEST(sparsity_is_exact)
{
    struct graph *const g = graph_create();
    uint32_t y[8];
    for (uint32_t i = 0; i < 8; i++) y[i] = graph_leaf(g, OP_STATE, i);
    uint32_t const k = graph_leaf(g, OP_PARAMETER, 0), t = graph_leaf(g, OP_TIME, 0);
    CHECK_EQUAL(entries(g, k, OP_STATE), 0);
    CHECK_EQUAL(entries(g, y[5], OP_STATE), 1);
    uint32_t const ab = binary(g, OP_MULTIPLY, y[0], y[1]);
    uint32_t const sum =
        binary(g, OP_ADD, binary(g, OP_ADD, ab, y[2]), binary(g, OP_MULTIPLY, k, y[7]));
    CHECK_EQUAL(entries(g, sum, OP_STATE), 4);
    CHECK_EQUAL(entries(g, binary(g, OP_SUBTRACT, sum, ab), OP_STATE), 2); /* a b is gone */
    CHECK_EQUAL(entries(g, binary(g, OP_DIVIDE, binary(g, OP_MULTIPLY, ab, y[3]), y[3]), OP_STATE),
                2);
    CHECK_EQUAL(entries(g, binary(g, OP_MULTIPLY, graph_constant(g, 0), y[3]), OP_STATE), 0);
    CHECK_EQUAL(entries(g, sum, OP_PARAMETER), 1);
    CHECK_EQUAL(entries(g, sum, OP_TIME), 0);
    CHECK_EQUAL(entries(g, binary(g, OP_MULTIPLY, sum, t), OP_TIME), 1);
    CHECK_EQUAL(entries(g, graph_leaf(g, OP_INPUT, 0), OP_TIME), 1);
    uint32_t const at_least =
        binary(g, OP_AT_LEAST, graph_leaf(g, OP_PIECE, 0), graph_constant(g, 2));
    CHECK_EQUAL(entries(g, binary(g, OP_MULTIPLY, at_least, y[4]), OP_STATE), 1);
    CHECK_EQUAL(entries(g, binary(g, OP_AT_LEAST, y[4], k), OP_STATE), 0);
    graph_free(g);
}

/* A sum of 200,000 terms k c_i y_i and its derivative take time in proportion: quadratic time would be hours. */
TEST(long_sums_take_linear_time)
{
    struct graph *const g = graph_create();
    enum { MANY = 200000 };
    uint32_t sum = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t const term = binary(g, OP_MULTIPLY, graph_constant(g, 1 + i % 7),
                                     graph_leaf(g, OP_STATE, MANY - 1 - i));
        sum = i % 3 ? binary(g, OP_ADD, sum, term) : binary(g, OP_SUBTRACT, sum, term);
    }
    uint32_t const k = graph_leaf(g, OP_PARAMETER, 0), root = binary(g, OP_MULTIPLY, k, sum);
    struct derivative d;
    CHECK_EQUAL(differentiate(g, &root, 1, OP_STATE, MANY, &d), TANSY_OK);
    CHECK_EQUAL(d.entries, MANY);
    for (size_t e = 0; e < MANY; e++) CHECK_EQUAL(d.column[e], e);
    derivative_free(&d);
    graph_free(g);
}

/* x sin(x) written n times with different numbers: one column, n like terms. */
TEST(like_terms_of_one_column_become_one)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), sine = graph_unary(g, OP_SIN, x);
    uint32_t sum = 0;
    for (uint32_t i = 1; i <= 2000; i++) {
        uint32_t const k = graph_leaf(g, OP_PARAMETER, i);
        sum = binary(g, OP_ADD, sum, binary(g, OP_MULTIPLY, k, x)); /* keeps the terms apart */
        sum =
            binary(g, OP_ADD, sum, binary(g, OP_MULTIPLY, graph_constant(g, i % 2 ? 3 : -3), sine));
    }
    struct derivative d;
    CHECK_EQUAL(differentiate(g, &sum, 1, OP_STATE, 1, &d), TANSY_OK);
    CHECK_EQUAL(d.entries, 1);
    CHECK_EQUAL(graph_leaves(g, d.node[0]), 1u << OP_PARAMETER); /* the cosines cancel */
    derivative_free(&d);
    graph_free(g);
}

/* u = max(x - c, 0) while the condition does not hold: the slope of sqrt(u) is infinite, and that of u is 0. */
TEST(what_a_condition_makes_zero_has_no_slope)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), c = graph_leaf(g, OP_PARAMETER, 0);
    uint32_t const z = graph_leaf(g, OP_STATE, 1), b = graph_leaf(g, OP_PARAMETER, 1);
    uint32_t const u =
        graph_select(g, graph_leaf(g, OP_SWITCH, 0), binary(g, OP_SUBTRACT, x, c), 0);
    uint32_t const twice = binary(g, OP_MULTIPLY, graph_constant(g, 2), u);
    uint32_t const of[] = {
        graph_unary(g, OP_SQRT, u),
        graph_unary(g, OP_SQRT, binary(g, OP_MULTIPLY, z, twice)),
        graph_unary(g, OP_SQRT, binary(g, OP_ADD, twice, binary(g, OP_MULTIPLY, u, z))),
        binary(g, OP_POWER, u, graph_constant(g, 0.3)),
        binary(g, OP_POWER, twice, b),
        graph_unary(g, OP_ASIN, binary(g, OP_SUBTRACT, graph_constant(g, 1), u)),
        graph_unary(g, OP_ACOS, binary(g, OP_ADD, graph_constant(g, -1), u)),
        binary(g, OP_MULTIPLY, z, graph_unary(g, OP_SQRT, u))};
    double const y[] = {0.25, 3}, off[] = {1, 0.5, 0, 0}, on[] = {0.1, 0.5, 1, 0};
    for (size_t r = 0; r < sizeof of / sizeof *of; r++) {
        CHECK_CLOSE(slope(g, of[r], OP_STATE, 0, y, off), 0, 0);
        CHECK_CLOSE(slope(g, of[r], OP_STATE, 1, y, off), 0, 0);
        CHECK_CLOSE(slope(g, of[r], OP_PARAMETER, 0, y, off), 0, 0);
    }
    CHECK_CLOSE(slope(g, of[0], OP_STATE, 0, y, on), 0.5 / sqrt(0.15), 4 * DBL_EPSILON);
    CHECK_CLOSE(slope(g, of[1], OP_STATE, 1, y, on), 0.15 / sqrt(0.9), 4 * DBL_EPSILON);
    CHECK_CLOSE(slope(g, of[4], OP_PARAMETER, 0, y, on), -1 / sqrt(0.3), 8 * DBL_EPSILON);
    graph_free(g);
}

/* The same along a vector. */
TEST(what_a_condition_makes_zero_has_no_slope_along_a_vector)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0);
    uint32_t const u = graph_select(g, graph_leaf(g, OP_SWITCH, 0), x, 0);
    uint32_t const root = graph_unary(g, OP_SQRT, u);
    uint32_t along;
    CHECK_EQUAL(differentiate_along(g, &root, 1, OP_STATE, 1, &along), TANSY_OK);
    double *const value = heap_take(graph_count(g) * sizeof *value);
    double const y[] = {0.25}, v[] = {3};
    for (int on = 0; on < 2; on++) {
        double const p[] = {0, 0, on, 0};
        oracle_run(g, &(struct leaves){.y = y, .p = p, .vector = v, .np = 2, .switches = 1}, value);
        CHECK_CLOSE(value[along], on * 3.0, 4 * DBL_EPSILON);
    }
    heap_return(value);
    graph_free(g);
}
