/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents in lanes equal the sums over the entries of J and df/dp, for any number of columns, and touch nothing else. */
#include <float.h>
#include <math.h>

#include "base/heap.h"
#include "model/engine.h"
#include "model/lane_program.h"
#include "support/engine_cases.h"
#include "test.h"

enum { N = CASE_STATES, NP = CASE_PARAMETERS, MOST = 40, LD = MOST + 3 };

static const double untouched = 12345.678;

/* A model, its derivatives and their values. */
struct subject {
    struct graph *g;
    struct engine_leaves leaves;
    uint32_t root[N];
    struct derivative J, P;
    struct tangent tangent;
    struct hoist plan;
    struct lane_program *program[2]; /* by rows, by matrices */
    double *value, *hoisted, *work;
    double V[N * LD], U[NP * LD], R[N * LD];
};

/* Rates that several equations share, one of them used by another root. */
static void build(struct subject *s, struct random_source *source)
{
    struct graph *const g = s->g = graph_create();
    for (uint32_t i = 0; i < N; i++) s->root[i] = graph_constant(g, 0.5);
    for (uint32_t k = 0; k < 40; k++) {
        uint32_t const a = graph_leaf(g, OP_STATE, random_below(source, N));
        uint32_t const b = graph_leaf(g, OP_STATE, random_below(source, N));
        uint32_t const p = graph_leaf(g, OP_PARAMETER, k % NP);
        uint32_t const rate = graph_binary(
            g, OP_MULTIPLY, graph_binary(g, OP_MULTIPLY, p, a),
            graph_unary(g, OP_EXP, graph_binary(g, OP_SUBTRACT, b, graph_leaf(g, OP_TIME, 0))));
        for (uint32_t j = 0; j < 5; j++) {
            uint32_t *const f = &s->root[random_below(source, N)];
            *f = graph_binary(g, j % 2 ? OP_ADD : OP_SUBTRACT, *f, rate);
        }
    }
    s->root[N - 1] = graph_binary(g, OP_SUBTRACT, s->root[0], s->root[1]);
}

static void make(struct subject *s, struct random_source *source)
{
    build(s, source);
    engine_leaves_fill(&s->leaves, source);
    CHECK_EQUAL(differentiate(s->g, s->root, N, OP_STATE, N, &s->J), TANSY_OK);
    CHECK_EQUAL(differentiate(s->g, s->root, N, OP_PARAMETER, NP, &s->P), TANSY_OK);
    CHECK_EQUAL(differentiate_tangent(s->g, s->root, N, N, NP, &s->tangent), TANSY_OK);
    CHECK_EQUAL(hoist_plan(s->g, s->tangent.coefficient, s->tangent.terms, &s->plan), TANSY_OK);
    CHECK_EQUAL(lane_program_create(s->g, &s->plan, &s->tangent, &s->program[0]), TANSY_OK);
    CHECK_EQUAL(lane_program_create_direct(s->g, &s->plan, &s->J, &s->P, &s->program[1]), TANSY_OK);
    size_t work = program_work(s->plan.program);
    for (int k = 0; k < 2; k++)
        if (lane_program_work(s->program[k], MOST) > work)
            work = lane_program_work(s->program[k], MOST);
    s->work = heap_take(work * sizeof(double));
    s->hoisted = heap_take((s->plan.count + 1) * sizeof(double));
    s->value = heap_take(graph_count(s->g) * sizeof(double));
    oracle_run(s->g, &s->leaves.at, s->value);
    program_run(s->plan.program, &s->leaves.at, s->work, s->hoisted);
    s->leaves.at.hoisted = s->hoisted;
    for (int k = 0; k < N * LD; k++) s->V[k] = random_next(source);
    for (int k = 0; k < NP * LD; k++) s->U[k] = random_next(source);
}

static void unmake(struct subject *s)
{
    for (int k = 0; k < 2; k++) lane_program_free(s->program[k]);
    hoist_free(&s->plan);
    tangent_free(&s->tangent);
    derivative_free(&s->J);
    derivative_free(&s->P);
    graph_free(s->g);
    heap_return(s->work);
    heap_return(s->hoisted);
    heap_return(s->value);
}

/* sum_j d_ij panel_jk and the sum of sizes of all terms. */
static double entry(const struct subject *s, const struct derivative *d, size_t i, size_t k,
                    const double *panel, double *size)
{
    double sum = 0;
    for (size_t e = d->start[i]; e < d->start[i + 1]; e++) {
        double const term = s->value[d->node[e]] * panel[d->column[e] * LD + k];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

static void check_panel(struct subject *s, const struct lane_program *program, size_t columns,
                        const double *U)
{
    for (int k = 0; k < N * LD; k++) s->R[k] = untouched;
    lane_program_run(
        program, &s->leaves.at,
        &(struct lane_panels){.columns = columns, .ld = LD, .V = s->V, .U = U, .R = s->R}, s->work);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < LD; k++) {
            if (k >= columns) {
                CHECK(s->R[i * LD + k] == untouched);
                continue;
            }
            double size = 0, expected = entry(s, &s->J, i, k, s->V, &size);
            if (U) expected += entry(s, &s->P, i, k, U, &size);
            /* up to 40 terms, coefficients of 40 more, all of the same sign or smaller than their sizes' sum */
            CHECK_CLOSE(s->R[i * LD + k], expected, 200 * DBL_EPSILON * (size + 40));
        }
}

TEST(lanes_equal_the_scalar_map_for_any_number_of_columns)
{
    struct random_source source = {99};
    static struct subject s;
    make(&s, &source);
    const struct engine *engine[3];
    size_t const engines = engine_list(engine);
    for (size_t e = 0; e < engines; e++)
        for (int way = 0; way < 2; way++) {
            s.program[way]->engine = s.program[way]->all.program->engine = engine[e];
            s.program[way]->states.program->engine = engine[e];
            for (size_t columns = 1; columns <= MOST; columns++) {
                check_panel(&s, s.program[way], columns, s.U);
                check_panel(&s, s.program[way], columns, NULL);
            }
        }
    unmake(&s);
}

TEST(an_inner_row_may_be_a_term_of_another)
{
    /* rows: r0 = 2 V_0, r1 = 3 r0 + V_1; roots: R_0 = 1 r1, R_1 = 5 r1 + 7 U_0 */
    struct graph *const g = graph_create();
    uint32_t node[5];
    static const double value[] = {2, 3, 1, 5, 7};
    for (int k = 0; k < 5; k++) node[k] = graph_constant(g, value[k]);
    size_t start[] = {0, 1, 3, 4, 6};
    uint32_t source[] = {0, 3, 1, 4, 4, 2};
    uint32_t coefficient[] = {node[0], node[1], node[2], node[2], node[3], node[4]};
    struct tangent const t = {.n = 2,
                              .np = 1,
                              .rows = 4,
                              .terms = 6,
                              .roots = 2,
                              .start = start,
                              .source = source,
                              .coefficient = coefficient};
    struct lane_program *p = NULL;
    CHECK_EQUAL(lane_program_create(g, NULL, &t, &p), TANSY_OK);
    double *const work = heap_take(lane_program_work(p, 1) * sizeof *work);
    double const V[] = {10, 100}, U[] = {1000};
    double R[2] = {0};
    lane_program_run(p, &(struct leaves){0},
                     &(struct lane_panels){.columns = 1, .ld = 1, .V = V, .U = U, .R = R}, work);
    CHECK(R[0] == 160);
    CHECK(R[1] == 7800);
    heap_return(work);
    lane_program_free(p);
    graph_free(g);
}

TEST(without_U_the_matrix_takes_the_place_of_more_rows)
{
    struct random_source source = {5};
    static struct subject s;
    make(&s, &source);
    lane_program_free(s.program[0]);
    CHECK_EQUAL(lane_program_create_either(s.g, &s.plan, &s.tangent, &s.J, &s.program[0]),
                TANSY_OK);
    heap_return(s.work);
    s.work = heap_take(lane_program_work(s.program[0], MOST) * sizeof(double));
    CHECK(s.tangent.rows > N);
    CHECK_EQUAL(s.program[0]->all.rows, s.tangent.rows);
    CHECK_EQUAL(s.program[0]->states.rows, N);
    check_panel(&s, s.program[0], MOST, s.U);
    check_panel(&s, s.program[0], MOST, NULL);
    unmake(&s);
}

/* Even rows have sources of one kind, odd ones of another; all sources together are too many for the cache. */
TEST(rows_that_share_sources_follow_each_other)
{
    enum { ROWS = 160, EACH = 10, HALF = ROWS / 2 };
    struct graph *const g = graph_create();
    struct random_source random = {3};
    static uint32_t column[ROWS * EACH], node[ROWS * EACH];
    static size_t start[ROWS + 1];
    static double V[ROWS], R[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        start[i + 1] = start[i] + EACH;
        V[i] = random_next(&random);
        for (uint32_t k = 0; k < EACH; k++) {
            column[i * EACH + k] = i % 2 * HALF + k * 8 + random_below(&random, 8);
            node[i * EACH + k] = graph_constant(g, 1 + i + 0.5 * k);
        }
    }
    struct derivative const J = {.rows = ROWS,
                                 .columns = ROWS,
                                 .entries = ROWS * EACH,
                                 .start = start,
                                 .column = column,
                                 .node = node};
    struct lane_program *p = NULL;
    CHECK_EQUAL(lane_program_create_direct(g, NULL, &J, NULL, &p), TANSY_OK);
    size_t changes = 0;
    for (size_t k = 1; k < ROWS; k++) changes += (p->all.root[k] ^ p->all.root[k - 1]) & 1;
    CHECK(changes < ROWS / 8); /* in their own order: every time */
    double *const work = heap_take(lane_program_work(p, 1) * sizeof *work);
    lane_program_run(p, &(struct leaves){0},
                     &(struct lane_panels){.columns = 1, .ld = 1, .V = V, .U = NULL, .R = R}, work);
    for (size_t i = 0; i < ROWS; i++) {
        double sum = 0;
        for (size_t k = 0; k < EACH; k++)
            sum += (1 + (double)i + 0.5 * (double)k) * V[column[i * EACH + k]];
        CHECK_CLOSE(R[i], sum, 2 * EACH * DBL_EPSILON * EACH * (ROWS + EACH));
    }
    heap_return(work);
    lane_program_free(p);
    graph_free(g);
}

/* R_i = sum_j J_ij V_j of five rows: 0 and 3 share three sources, 1 and 4 two, 2 shares one with others, which is too few. */
TEST(rows_that_share_sources_run_two_by_two)
{
    enum { ROWS = 5, COLUMNS = 8, ENTRIES = 18, WIDE = 71 };
    struct graph *const g = graph_create();
    struct random_source random = {8};
    static size_t start[ROWS + 1] = {0, 5, 8, 10, 15, 18};
    static uint32_t column[ENTRIES] = {0, 1, 2, 4, 6, /**/ 3, 5, 7, /**/ 0, 7, /**/
                                       1, 2, 5, 6, 7, /**/ 0, 3, 5};
    static uint32_t node[ENTRIES];
    static double V[COLUMNS * WIDE], R[ROWS * WIDE];
    for (uint32_t e = 0; e < ENTRIES; e++) node[e] = graph_constant(g, 1 + 0.25 * e);
    for (size_t k = 0; k < COLUMNS * WIDE; k++) V[k] = random_next(&random);
    struct derivative const J = {ROWS, COLUMNS, ENTRIES, start, column, node};
    struct lane_program *p = NULL;
    CHECK_EQUAL(lane_program_create_direct(g, NULL, &J, NULL, &p), TANSY_OK);
    const lane_term *term = p->all.term;
    size_t pairs = 0;
    for (size_t k = 0; k < ROWS; k++) {
        uint32_t const shared = p->all.count[k].shared;
        const lane_term *const next = term + p->all.count[k].of_y;
        for (uint32_t m = 0; m < shared; m++)
            CHECK_EQUAL(lane_term_source(term[m]), lane_term_source(next[m]));
        if (shared) CHECK_EQUAL(shared, p->all.root[k] % 3 == 0 ? 3 : 2);
        pairs += shared > 0;
        term = next;
    }
    CHECK_EQUAL(pairs, 2);
    double *const work = heap_take(lane_program_work(p, WIDE) * sizeof *work);
    lane_program_run(p, &(struct leaves){0},
                     &(struct lane_panels){.columns = WIDE, .ld = WIDE, .V = V, .U = NULL, .R = R},
                     work);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < WIDE; k++) {
            double sum = 0;
            for (size_t e = start[i]; e < start[i + 1]; e++)
                sum += (1 + 0.25 * (double)e) * V[column[e] * WIDE + k];
            CHECK_CLOSE(R[i * WIDE + k], sum, 10 * DBL_EPSILON * ENTRIES);
        }
    heap_return(work);
    lane_program_free(p);
    graph_free(g);
}
