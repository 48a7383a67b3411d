/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows the tangent map keeps. */
#include "model/differentiate.h"

#include <float.h>
#include <math.h>

#include "base/heap.h"
#include "model/oracle.h"
#include "support/random.h"
#include "test.h"

static uint32_t binary(struct graph *g, enum operation operation, uint32_t a, uint32_t b)
{
    return graph_binary(g, operation, a, b);
}

static void check_same(const struct tangent *a, const struct tangent *b)
{
    CHECK_EQUAL(a->rows, b->rows);
    CHECK_EQUAL(a->terms, b->terms);
    CHECK_EQUAL(a->n, b->n);
    CHECK_EQUAL(a->np, b->np);
    CHECK_EQUAL(a->roots, b->roots);
    for (size_t r = 0; r <= a->rows; r++) CHECK_EQUAL(a->start[r], b->start[r]);
    for (size_t e = 0; e < a->terms; e++) {
        CHECK_EQUAL(a->source[e], b->source[e]);
        CHECK_EQUAL(a->coefficient[e], b->coefficient[e]);
    }
}

/* y_i' = (2 p_0) (y_{i-1} - y_i) + p_1 y_i, whose rows are taken over from J and P, and, with a rate or a condition that
   several share, whose rows are not. */
TEST(with_the_matrices_at_hand_the_tangent_is_the_same)
{
    enum { N = 6, PLAIN, RATE, CONDITION, FORMS };
    for (int form = PLAIN; form < FORMS; form++) {
        struct graph *const g = graph_create();
        uint32_t y[N], root[N], p[2];
        for (uint32_t i = 0; i < N; i++) y[i] = graph_leaf(g, OP_STATE, i);
        for (uint32_t k = 0; k < 2; k++) p[k] = graph_leaf(g, OP_PARAMETER, k);
        uint32_t shared = binary(g, OP_MULTIPLY, graph_constant(g, 2), p[0]);
        uint32_t const product = binary(g, OP_MULTIPLY, y[0], binary(g, OP_MULTIPLY, y[2], y[4]));
        uint32_t const sine = graph_unary(g, OP_SIN, product);
        if (form == RATE) shared = binary(g, OP_MULTIPLY, shared, sine);
        if (form == CONDITION) shared = graph_select(g, graph_leaf(g, OP_SWITCH, 0), shared, p[1]);
        for (uint32_t i = 0; i < N; i++) {
            uint32_t const flow = binary(g, OP_SUBTRACT, y[(i + N - 1) % N], y[i]);
            root[i] = binary(g, OP_ADD, binary(g, OP_MULTIPLY, shared, flow),
                             binary(g, OP_MULTIPLY, p[1], y[i]));
        }
        struct derivative J, P;
        struct tangent t, with;
        CHECK_EQUAL(differentiate(g, root, N, OP_STATE, N, &J), TANSY_OK);
        CHECK_EQUAL(differentiate(g, root, N, OP_PARAMETER, 2, &P), TANSY_OK);
        CHECK_EQUAL(differentiate_tangent(g, root, N, N, 2, &t), TANSY_OK);
        CHECK_EQUAL(differentiate_tangent_with(g, root, &J, &P, &with), TANSY_OK);
        check_same(&t, &with);
        CHECK_EQUAL(t.rows > N, form == RATE); /* that of the sine */
        derivative_free(&J);
        derivative_free(&P);
        tangent_free(&t);
        tangent_free(&with);
        graph_free(g);
    }
}

enum { GRID = 600 }; /* more terms than a row may have that is rewritten for each row it takes in */

/* u_i = y_i y_{i+1}, for even i also times y_{i+2}, and v_i = p u_i + sin(u_i) in two long sums: of v_i cos(v_i), and of
   u_i^3 + v_i for every third i. */
static void make_sums(struct graph *g, uint32_t root[2])
{
    uint32_t const p = graph_leaf(g, OP_PARAMETER, 0);
    root[0] = root[1] = graph_constant(g, 0);
    for (uint32_t i = 0; i < GRID; i++) {
        uint32_t const next = graph_leaf(g, OP_STATE, (i + 1) % GRID);
        uint32_t u = binary(g, OP_MULTIPLY, graph_leaf(g, OP_STATE, i), next);
        if (i % 2 == 0) u = binary(g, OP_MULTIPLY, u, graph_leaf(g, OP_STATE, (i + 2) % GRID));
        uint32_t const v =
            binary(g, OP_ADD, binary(g, OP_MULTIPLY, p, u), graph_unary(g, OP_SIN, u));
        uint32_t const cube = binary(g, OP_POWER, u, graph_constant(g, 3));
        root[0] = binary(g, OP_ADD, root[0], binary(g, OP_MULTIPLY, v, graph_unary(g, OP_COS, v)));
        if (i % 3 == 0) root[1] = binary(g, OP_ADD, root[1], binary(g, OP_ADD, cube, v));
    }
}

/* The rows on one column of V and U: row[rows]. */
static void run_rows(const struct tangent *t, const double *value, const double *seed, double *row)
{
    size_t const sources = t->n + t->np;
    for (size_t r = 0; r < t->rows; r++)
        for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
            uint32_t const s = t->source[e];
            row[r] += value[t->coefficient[e]] * (s < sources ? seed[s] : row[s - sources]);
        }
}

/* Like any other row: what is eliminated is in it, what is kept is named.  Some 20 operations a term, all below 8. */
TEST(a_sum_over_a_grid_takes_what_is_eliminated_all_at_once)
{
    struct graph *const g = graph_create();
    struct random_source random = {3};
    uint32_t root[2];
    struct tangent t;
    struct derivative J, P;
    double y[GRID], p = 0.7, seed[GRID + 1];
    for (int i = 0; i < GRID; i++) y[i] = 0.75 + 0.25 * random_next(&random);
    for (int i = 0; i <= GRID; i++) seed[i] = random_next(&random);
    make_sums(g, root);
    CHECK_EQUAL(differentiate_tangent(g, root, 2, GRID, 1, &t), TANSY_OK);
    CHECK_EQUAL(differentiate(g, root, 2, OP_STATE, GRID, &J), TANSY_OK);
    CHECK_EQUAL(differentiate(g, root, 2, OP_PARAMETER, 1, &P), TANSY_OK);
    CHECK(t.rows > 2 && t.rows < 2 + GRID); /* some are kept, some eliminated */
    double *const value = heap_take(graph_count(g) * sizeof *value);
    double *const row = heap_take(t.rows * sizeof *row);
    oracle_run(g, &(struct leaves){.y = y, .p = &p, .np = 1}, value);
    run_rows(&t, value, seed, row);
    for (size_t i = 0; i < 2; i++) {
        double expected = value[P.node[P.start[i]]] * seed[GRID], size = 0;
        for (size_t e = J.start[i]; e < J.start[i + 1]; e++) {
            expected += value[J.node[e]] * seed[J.column[e]];
            size += 8;
        }
        CHECK_CLOSE(row[t.rows - 2 + i], expected, 20 * DBL_EPSILON * size);
    }
    heap_return(value);
    heap_return(row);
    derivative_free(&J);
    derivative_free(&P);
    tangent_free(&t);
    graph_free(g);
}

/* r = k a b in four equations: a row of 3 terms and 4 uses beat 4 times 3 terms. */
TEST(a_rate_that_many_equations_use_keeps_its_row)
{
    struct graph *const g = graph_create();
    uint32_t const a = graph_leaf(g, OP_STATE, 0), b = graph_leaf(g, OP_STATE, 1);
    uint32_t const k = graph_leaf(g, OP_PARAMETER, 0);
    uint32_t const rate = binary(g, OP_MULTIPLY, k, binary(g, OP_MULTIPLY, a, b));
    uint32_t const minus = graph_unary(g, OP_NEGATE, rate);
    uint32_t const twice = binary(g, OP_MULTIPLY, graph_constant(g, 2), rate);
    uint32_t const root[] = {minus, minus, rate, twice};
    struct tangent t;
    CHECK_EQUAL(differentiate_tangent(g, root, 4, 4, 1, &t), TANSY_OK);
    CHECK_EQUAL(t.rows, 5);
    CHECK_EQUAL(t.terms, 3 + 4);
    CHECK_EQUAL(t.source[0], 0);
    CHECK_EQUAL(t.source[1], 1);
    CHECK_EQUAL(t.source[2], 4);                                         /* n + 0: the parameter */
    for (size_t r = 1; r < 5; r++) CHECK_EQUAL(t.source[t.start[r]], 5); /* n + np + row 0 */
    CHECK(graph_is(g, t.coefficient[t.start[1]], -1));
    CHECK(graph_is(g, t.coefficient[t.start[3]], 1));
    CHECK(graph_is(g, t.coefficient[t.start[4]], 2));
    tangent_free(&t);
    graph_free(g);
}

/* Two uses of a row with two terms are no fewer terms than none: it is multiplied out. */
TEST(a_row_that_saves_nothing_is_eliminated)
{
    struct graph *const g = graph_create();
    uint32_t const a = graph_leaf(g, OP_STATE, 0), b = graph_leaf(g, OP_STATE, 1);
    uint32_t const product = binary(g, OP_MULTIPLY, a, b);
    uint32_t const root[] = {graph_unary(g, OP_SIN, product), graph_unary(g, OP_COS, product), a,
                             0};
    struct tangent t;
    CHECK_EQUAL(differentiate_tangent(g, root, 4, 2, 0, &t), TANSY_OK);
    CHECK_EQUAL(t.rows, 4);
    CHECK_EQUAL(t.terms, 2 + 2 + 1);
    tangent_free(&t);
    graph_free(g);
}

/* sin(u) with u = a b: its row is worth keeping, what it is made of is not; and where two uses cancel there is no term. */
TEST(rows_that_cancel_leave_nothing)
{
    struct graph *const g = graph_create();
    uint32_t y[4];
    for (uint32_t i = 0; i < 4; i++) y[i] = graph_leaf(g, OP_STATE, i);
    uint32_t const u = binary(g, OP_MULTIPLY, y[0], y[1]), s = graph_unary(g, OP_SIN, u);
    uint32_t const sum = binary(g, OP_ADD, s, y[2]), other = binary(g, OP_ADD, s, y[3]);
    uint32_t const root[] = {binary(g, OP_SUBTRACT, sum, other), sum, other};
    struct tangent t;
    CHECK_EQUAL(differentiate_tangent(g, root, 3, 4, 0, &t), TANSY_OK);
    size_t const first = t.start[t.rows - 3];
    CHECK_EQUAL(t.start[t.rows - 2] - first, 2); /* y2 - y3, without sin(u) */
    CHECK_EQUAL(t.source[first], 2);
    CHECK_EQUAL(t.source[first + 1], 3);
    tangent_free(&t);
    graph_free(g);
}

/* 300 rates of a sum over 300 states: the sum keeps its row, or there would be 90,000 terms. */
TEST(a_third_body_keeps_its_row)
{
    struct graph *const g = graph_create();
    enum { MANY = 300 };
    uint32_t sum = 0, root[MANY];
    for (uint32_t i = 0; i < MANY; i++) sum = binary(g, OP_ADD, sum, graph_leaf(g, OP_STATE, i));
    for (uint32_t i = 0; i < MANY; i++)
        root[i] = binary(g, OP_MULTIPLY, sum, graph_unary(g, OP_SIN, graph_leaf(g, OP_STATE, i)));
    struct tangent t;
    CHECK_EQUAL(differentiate_tangent(g, root, MANY, MANY, 0, &t), TANSY_OK);
    CHECK_EQUAL(t.rows, MANY + 1);
    CHECK_EQUAL(t.terms, MANY + 2 * MANY);
    tangent_free(&t);
    graph_free(g);
}
