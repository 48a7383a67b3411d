/* SPDX-License-Identifier: Apache-2.0 */
/* What every engine promises, against the plain evaluator: values of all operations, where they go, NaN and infinities. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "model/engine.h"
#include "model/simplify.h"
#include "support/engine_cases.h"
#include "test.h"

enum { NODES = 400, ROOTS = 150, GRAPHS = 60 };

/* A program with everything it needs to run. */
struct subject {
    struct hoist plan;
    struct program *program;
    double *work, *hoisted;
    size_t out_size;
};

static void make(struct subject *s, const struct graph *g, bool hoisting, const uint32_t *root,
                 const size_t *place, size_t roots)
{
    *s = (struct subject){0};
    if (hoisting) {
        CHECK_EQUAL(hoist_plan(g, root, roots, &s->plan), TANSY_OK);
        s->hoisted = heap_take((s->plan.count + 1) * sizeof(double));
    }
    CHECK_EQUAL(
        program_create_scattered(g, hoisting ? &s->plan : NULL, root, place, roots, &s->program),
        TANSY_OK);
    size_t size = program_work(s->program);
    if (hoisting && program_work(s->plan.program) > size) size = program_work(s->plan.program);
    s->work = heap_take(size * sizeof(double));
}

static void run(struct subject *s, const struct engine *engine, struct leaves at, double *out)
{
    if (s->hoisted) {
        s->plan.program->engine = engine;
        program_run(s->plan.program, &at, s->work, s->hoisted);
        at.hoisted = s->hoisted;
    }
    s->program->engine = engine;
    program_run(s->program, &at, s->work, out);
}

static void unmake(struct subject *s)
{
    if (s->hoisted) hoist_free(&s->plan);
    program_free(s->program);
    heap_return(s->work);
    heap_return(s->hoisted);
}

/* Every root on every engine, with and without hoisting, agrees with the oracle.  place NULL: root i goes to i. */
static void check_roots(const struct graph *g, struct leaves at, const uint32_t *root,
                        const size_t *place, size_t roots)
{
    const struct engine *engine[3];
    size_t const engines = engine_list(engine), count = graph_count(g);
    double *const value = heap_take(count * sizeof *value);
    double *const bound = heap_take(count * sizeof *bound);
    double *const out = heap_take((2 * roots + 1) * sizeof *out);
    oracle_run(g, &at, value);
    engine_bounds(g, value, bound);
    for (int hoisting = 0; hoisting < 2; hoisting++) {
        struct subject s;
        make(&s, g, hoisting, root, place, roots);
        for (size_t k = 0; k < engines; k++) {
            memset(out, 0, (2 * roots + 1) * sizeof *out);
            run(&s, engine[k], at, out);
            for (size_t i = 0; i < roots; i++) {
                double const found = out[place ? place[i] : i];
                if (!engine_agrees(found, value[root[i]], bound[root[i]]))
                    CHECK_CLOSE(found, value[root[i]], bound[root[i]]);
            }
        }
        unmake(&s);
    }
    heap_return(value);
    heap_return(bound);
    heap_return(out);
}

TEST(random_expressions_have_the_oracles_values)
{
    struct random_source source = {2024};
    for (int n = 0; n < GRAPHS; n++) {
        struct graph *const g = graph_create();
        uint32_t node[NODES], root[ROOTS];
        size_t place[ROOTS];
        for (uint32_t k = 0; k < NODES; k++) node[k] = engine_random_node(g, &source, node, k);
        for (uint32_t i = 0; i < ROOTS; i++) {
            root[i] = node[random_below(&source, NODES)];
            place[i] = 2 * (ROOTS - 1 - i);
        }
        root[0] = 0; /* constants and leaves may be roots, too */
        root[1] = graph_leaf(g, OP_TIME, 0);
        root[2] = root[3] = node[NODES - 1];
        struct engine_leaves leaves;
        engine_leaves_fill(&leaves, &source);
        check_roots(g, leaves.at, root, n % 2 ? place : NULL, ROOTS);
        graph_free(g);
    }
}

static uint32_t state(struct graph *g, size_t i)
{
    return graph_leaf(g, OP_STATE, (uint32_t)i);
}

/* y_i for any number of states. */
static double *many_states(size_t n)
{
    double *const y = heap_take((n + 1) * sizeof *y);
    struct random_source source = {n};
    for (size_t i = 0; i < n; i++) y[i] = 1.5 + random_next(&source);
    return y;
}

/* Rows of one shape over neighbours: sums, weights, products and functions of streams. */
TEST(rows_over_neighbours_have_the_oracles_values)
{
    static const size_t size[] = {1, 2, 7, 8, 9, 15, 16, 17, 33, 70, 300, 777};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        size_t const n = size[k];
        struct graph *const g = graph_create();
        uint32_t *const root = heap_take(5 * n * sizeof *root);
        uint32_t const p = graph_leaf(g, OP_PARAMETER, 0), t = graph_leaf(g, OP_TIME, 0);
        for (size_t i = 0; i < n; i++) {
            uint32_t const a = state(g, i), b = state(g, i + 1), c = state(g, i + 2);
            uint32_t const middle = graph_binary(g, OP_MULTIPLY, graph_constant(g, 2.5), b);
            uint32_t const ends = graph_binary(g, OP_ADD, a, c);
            root[i] = graph_binary(g, OP_SUBTRACT, ends, middle);
            root[n + i] = graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_MULTIPLY, a, b),
                                       graph_binary(g, OP_MULTIPLY, c, t));
            root[2 * n + i] = graph_unary(g, OP_EXP, graph_binary(g, OP_SUBTRACT, a, t));
            uint32_t const pairs = graph_binary(g, OP_SUBTRACT, graph_binary(g, OP_MULTIPLY, t, b),
                                                graph_binary(g, OP_MULTIPLY, a, c));
            root[3 * n + i] = graph_binary(g, OP_ADD, pairs, p);
            root[4 * n + i] = graph_binary(g, OP_SUBTRACT, graph_binary(g, OP_MULTIPLY, p, t), a);
        }
        double *const y = many_states(n + 2);
        double const parameter[] = {0.7, 0};
        struct leaves const at = {.t = 1.25, .y = y, .p = parameter, .np = 1};
        check_roots(g, at, root, NULL, 5 * n);
        heap_return(y);
        heap_return(root);
        graph_free(g);
    }
}

/* Sums of 1 to 70 terms, pure and mixed, as roots and as operands. */
TEST(long_sums_have_the_oracles_values)
{
    enum { LONGEST = 70 };
    struct graph *const g = graph_create();
    struct random_source source = {3};
    uint32_t root[4 * LONGEST];
    for (size_t n = 1; n <= LONGEST; n++)
        for (int mixed = 0; mixed < 2; mixed++) {
            uint32_t sum = graph_unary(g, OP_SIN, state(g, n));
            for (size_t k = 1; k < n; k++) {
                uint32_t term = graph_unary(g, OP_SIN, state(g, random_below(&source, 90)));
                if (mixed && k % 3 == 0) term = graph_binary(g, OP_MULTIPLY, term, state(g, k));
                if (mixed && k % 3 == 1)
                    term = graph_binary(g, OP_MULTIPLY, term, graph_constant(g, 0.1 * (double)k));
                sum = graph_binary(g, random_below(&source, 2) ? OP_ADD : OP_SUBTRACT, sum, term);
            }
            size_t const at = 2 * (n - 1) + (size_t)mixed;
            root[at] = sum;
            root[2 * LONGEST + at] = graph_unary(g, OP_ATAN, sum);
            if (n % 2) root[at] = graph_binary(g, OP_ADD, sum, graph_constant(g, 3));
        }
    double *const y = many_states(100);
    check_roots(g, (struct leaves){.y = y}, root, NULL, 4 * LONGEST);
    heap_return(y);
    graph_free(g);
}

/* Products of up to nine factors, and whole and half powers of them. */
TEST(products_and_powers_have_the_oracles_values)
{
    struct graph *const g = graph_create();
    enum { MOST = 9, COPIES = 3, POWERS = 37 };
    uint32_t root[MOST * COPIES + POWERS];
    size_t roots = 0;
    for (size_t n = 1; n <= MOST; n++)
        for (size_t c = 0; c < COPIES; c++) {
            uint32_t product = state(g, c + 11 * n % 97);
            for (size_t k = 1; k < n; k++)
                product =
                    graph_binary(g, OP_MULTIPLY, product, state(g, (7 * k + 3 * c + 11 * n) % 97));
            root[roots++] = c == 2 ? graph_unary(g, OP_COS, product) : product;
        }
    for (int twice = -18; twice <= 18; twice++)
        root[roots++] = graph_binary(g, OP_POWER, state(g, (size_t)(twice + 20)),
                                     graph_constant(g, 0.5 * twice));
    double *const y = many_states(100);
    check_roots(g, (struct leaves){.y = y}, root, NULL, roots);
    heap_return(y);
    graph_free(g);
}

TEST(nan_and_infinity_go_through_as_ieee_says)
{
    static const double special[] = {0.0,       -0.0,        1,     -1,   HUGE_VAL,
                                     -HUGE_VAL, (double)NAN, 1e300, -2.5, 0.5};
    enum { SPECIAL = sizeof special / sizeof *special };
    struct graph *const g = graph_create();
    uint32_t root[64];
    size_t roots = 0;
    uint32_t const a = state(g, 0), b = state(g, 1);
    for (uint32_t o = OP_NEGATE; o < OP_ADD; o++) root[roots++] = graph_unary(g, o, a);
    for (uint32_t o = OP_ADD; o < OP_AT_LEAST; o++) root[roots++] = graph_binary(g, o, a, b);
    for (int twice = -18; twice <= 18; twice++)
        root[roots++] = graph_binary(g, OP_POWER, a, graph_constant(g, 0.5 * twice));
    uint32_t const chosen = graph_leaf(g, OP_SWITCH, 0);
    root[roots++] = graph_select(g, chosen, a, b);
    root[roots++] = graph_select(g, chosen, b, a);
    for (int i = 0; i < SPECIAL; i++)
        for (int j = 0; j < SPECIAL; j++) {
            double const y[] = {special[i], special[j]}, p[] = {1, 0};
            check_roots(g, (struct leaves){.y = y, .p = p, .switches = 1}, root, NULL, roots);
        }
    graph_free(g);
}

TEST(what_is_not_selected_may_be_nan)
{
    struct graph *const g = graph_create();
    uint32_t const chosen = graph_leaf(g, OP_SWITCH, 0);
    uint32_t const bad = graph_unary(g, OP_LOG, state(g, 0)), good = state(g, 1);
    uint32_t const root[] = {graph_select(g, chosen, good, bad),
                             graph_select(g, chosen, bad, good)};
    const struct engine *engine[3];
    size_t const engines = engine_list(engine);
    for (size_t k = 0; k < engines; k++)
        for (int j = 0; j < 2; j++) {
            double const y[] = {-1, 7}, p[] = {j, 0};
            double out[2];
            struct subject s;
            make(&s, g, false, root, NULL, 2);
            run(&s, engine[k], (struct leaves){.y = y, .p = p, .switches = 1}, out);
            CHECK(out[1 - j] == 7);
            CHECK(isnan(out[j]));
            unmake(&s);
        }
    graph_free(g);
}

/* Eight rows each: -a b, and sums of two to eight terms with weights. */
TEST(negative_products_and_weighted_sums_have_the_oracles_values)
{
    enum { COPIES = 8, MOST = 8 };
    struct graph *const g = graph_create();
    uint32_t root[COPIES * MOST];
    for (uint32_t r = 0; r < COPIES * MOST; r++) {
        uint32_t const terms = r % MOST + 1;
        uint32_t sum = graph_unary(
            g, OP_NEGATE, graph_binary(g, OP_MULTIPLY, state(g, r), state(g, (r * 5 + 2) % 90)));
        for (uint32_t k = 0; k < terms && terms > 1; k++) {
            uint32_t const term = graph_binary(
                g, OP_MULTIPLY, graph_unary(g, OP_SIN, state(g, (r * 11 + k * 3) % 90)),
                graph_constant(g, 0.25 * k - 1.7));
            sum = k ? graph_binary(g, OP_ADD, sum, term) : term;
        }
        root[r] = sum;
    }
    double *const y = many_states(100);
    check_roots(g, (struct leaves){.y = y}, root, NULL, COPIES * MOST);
    heap_return(y);
    graph_free(g);
}

/* Four rows of every shape of up to four terms added and four subtracted, operands here and there. */
TEST(short_sums_of_every_shape_have_the_oracles_values)
{
    enum { COPIES = 4, SHAPES = 25 };
    struct graph *const g = graph_create();
    struct random_source source = {11};
    uint32_t root[COPIES * SHAPES];
    for (uint32_t r = 0; r < COPIES * SHAPES; r++) {
        uint32_t const plus = r % SHAPES % 5, minus = r % SHAPES / 5;
        uint32_t sum = graph_constant(g, 0);
        for (uint32_t k = 0; k < plus + minus; k++) {
            uint32_t const term = graph_unary(g, OP_SIN, state(g, random_below(&source, 90)));
            sum = node_make(g, k < plus ? OP_ADD : OP_SUBTRACT, sum, term, 0);
            if (k == 0) sum = plus ? term : node_make(g, OP_NEGATE, term, 0, 0);
        }
        root[r] = sum;
    }
    double *const y = many_states(100);
    check_roots(g, (struct leaves){.y = y}, root, NULL, COPIES * SHAPES);
    heap_return(y);
    graph_free(g);
}

/* Powers that were not rewritten: alone, in sums, in products; and c_1 x_1 + .. over neighbours. */
TEST(powers_as_they_stand_and_sums_over_neighbours_have_the_oracles_values)
{
    enum { POWERS = 8, LONG = 75 };
    struct graph *const g = graph_create();
    uint32_t root[3 * POWERS + 2], sum = graph_constant(g, 1);
    size_t roots = 0;
    static const double power[POWERS] = {-2, -1, 2, 3, 4, 0.5, 1.5, -0.5};
    for (size_t k = 0; k < POWERS; k++) {
        uint32_t const b = graph_constant(g, power[k]);
        root[roots++] = node_make(g, OP_POWER, state(g, k), b, 0);
        root[roots++] =
            node_make(g, OP_ADD, node_make(g, OP_POWER, state(g, 20 + k), b, 0), state(g, k), 0);
        root[roots++] = node_make(g, OP_MULTIPLY, node_make(g, OP_POWER, state(g, 40 + k), b, 0),
                                  state(g, k), 0);
    }
    uint32_t function[LONG];
    for (size_t k = 0; k < LONG; k++) function[k] = graph_unary(g, OP_SIN, state(g, k));
    for (size_t k = 0; k < LONG; k++)
        sum = graph_binary(
            g, OP_ADD, sum,
            graph_binary(g, OP_MULTIPLY, graph_constant(g, 0.3 + (double)k), function[k]));
    root[roots++] = sum;
    uint32_t const twice = node_make(g, OP_MULTIPLY, function[3], graph_constant(g, 0.7), 0);
    root[roots++] = node_make(g, OP_ADD, graph_unary(g, OP_EXP, state(g, 1)),
                              node_make(g, OP_ADD, sum, twice, 0), 0);
    double *const y = many_states(100);
    check_roots(g, (struct leaves){.y = y}, root, NULL, roots - 1);
    check_roots(g, (struct leaves){.y = y}, root + roots - 1, NULL, 1);
    heap_return(y);
    graph_free(g);
}

/* c_1 x_1 + .. over states and parameters that others have used before, in another order. */
TEST(long_weighted_sums_over_leaves_in_any_order_have_the_oracles_values)
{
    enum { LONG = 60, TIMES = 30, SWAPS = 6 };
    for (uint64_t seed = 1; seed <= TIMES; seed++) {
        struct graph *const g = graph_create();
        struct random_source source = {seed};
        uint32_t leaf[LONG], root[2] = {graph_constant(g, 0), graph_constant(g, 0)};
        for (uint32_t k = 0; k < LONG; k++)
            leaf[k] = graph_leaf(g, seed % 3 && k % 3 == 0 ? OP_PARAMETER : OP_STATE, k);
        for (int k = 0; k < SWAPS; k++) { /* the ends of blocks stay where they are */
            uint32_t const a = random_below(&source, LONG), b = random_below(&source, LONG);
            uint32_t const kept = leaf[a];
            leaf[a] = leaf[b];
            leaf[b] = kept;
        }
        for (uint32_t k = 0; k < LONG; k++)
            root[0] = graph_binary(g, OP_ADD, root[0], graph_unary(g, OP_SIN, leaf[k]));
        for (uint32_t k = 0; k < LONG; k++)
            root[1] = graph_binary(g, OP_ADD, root[1],
                                   graph_binary(g, OP_MULTIPLY, graph_constant(g, 1.5 + k * k),
                                                graph_leaf(g, OP_STATE, k)));
        double *const y = many_states(LONG), *const p = many_states(LONG);
        check_roots(g, (struct leaves){.y = y, .p = p, .np = LONG}, root, NULL, 2);
        heap_return(y);
        heap_return(p);
        graph_free(g);
    }
}

/* Streams times a number that all rows share, in every place of sums and products. */
TEST(rows_with_shared_factors_have_the_oracles_values)
{
    enum { ROWS = 37, KINDS = 5 };
    struct graph *const g = graph_create();
    uint32_t root[KINDS * ROWS];
    uint32_t const a = state(g, 0), b = state(g, 1), t = graph_leaf(g, OP_TIME, 0);
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t const x = state(g, 2 + i), v = graph_leaf(g, OP_VECTOR, i);
        uint32_t const s = graph_unary(g, OP_SIN, x), c = graph_unary(g, OP_COS, v);
        uint32_t const as = node_make(g, OP_MULTIPLY, a, s, 0),
                       bc = node_make(g, OP_MULTIPLY, b, c, 0);
        root[i] = node_make(g, OP_SUBTRACT, as, bc, 0);
        root[ROWS + i] = node_make(g, OP_MULTIPLY, node_make(g, OP_MULTIPLY, x, a, 0), b, 0);
        uint32_t const xv = node_make(g, OP_MULTIPLY, x, v, 0),
                       tv = node_make(g, OP_MULTIPLY, t, v, 0);
        root[2 * ROWS + i] = node_make(g, OP_SUBTRACT, tv, xv, 0);
        root[3 * ROWS + i] = node_make(g, OP_ADD, node_make(g, OP_MULTIPLY, s, c, 0),
                                       node_make(g, OP_MULTIPLY, b, s, 0), 0);
        root[4 * ROWS + i] = node_make(g, OP_SUBTRACT, a, node_make(g, OP_SUBTRACT, t, x, 0), 0);
    }
    double *const y = many_states(ROWS + 2), *const v = many_states(ROWS);
    check_roots(g, (struct leaves){.t = 0.8, .y = y, .vector = v}, root, NULL, KINDS * ROWS);
    heap_return(y);
    heap_return(v);
    graph_free(g);
}
