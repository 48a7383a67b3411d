/* SPDX-License-Identifier: Apache-2.0 */
/* Panels in which few parameters move: the result is that of all rows of U, by rows and by a matrix, for any number of
   columns, and what does not move is not looked at. */
#include <float.h>
#include <math.h>

#include "base/heap.h"
#include "model/lane_asked.h"
#include "model/lane_program.h"
#include "support/engine_cases.h"
#include "test.h"

enum { N = 20, NP = 64, INNER = 300, ROWS = INNER + N, EACH = 4, TERMS = ROWS * EACH, MOST = 40 };
enum { LD = MOST + 3 };

/* A tangent with constant coefficients: inner rows of y, p and rows before them; roots of inner rows and p. */
struct subject {
    struct graph *g;
    struct tangent tangent;
    size_t start[ROWS + 1];
    uint32_t source[TERMS], coefficient[TERMS];
    double value[TERMS];
    size_t J_start[N + 1];
    uint32_t J_column[N * N], J_node[N * N];
    struct derivative J;
    double V[N * LD], U[NP * LD], R[N * LD];
};

/* Source e of row r, each once and rising. */
static uint32_t pick(struct random_source *random, size_t r, int e)
{
    uint32_t const inner = r < INNER ? (uint32_t)r : INNER;
    if (e == 0) return random_below(random, N);
    if (e == 1) return (uint32_t)N + random_below(random, NP / 2);
    if (e == 2) return (uint32_t)(N + NP / 2) + random_below(random, NP / 2);
    return inner > 0 ? (uint32_t)(N + NP) + random_below(random, inner) : UINT32_MAX;
}

static void make(struct subject *s)
{
    struct random_source random = {17};
    size_t next = 0;
    s->g = graph_create();
    for (size_t r = 0; r < ROWS; r++) {
        for (int e = 0; e < EACH; e++) {
            uint32_t const source = pick(&random, r, e);
            if (source == UINT32_MAX) continue;
            s->source[next] = source;
            s->value[next] = random_next(&random) - 0.5;
            s->coefficient[next] = graph_constant(s->g, s->value[next]);
            next++;
        }
        s->start[r + 1] = next;
    }
    s->tangent = (struct tangent){.n = N,
                                  .np = NP,
                                  .rows = ROWS,
                                  .terms = next,
                                  .roots = N,
                                  .start = s->start,
                                  .source = s->source,
                                  .coefficient = s->coefficient};
    for (int k = 0; k < N * LD; k++) s->V[k] = random_next(&random);
}

/* d root_i/dx for the source x of y or p, by the rows one after the other. */
static void sensitivity(const struct subject *s, size_t x, double d[N])
{
    double row[ROWS];
    for (size_t r = 0; r < ROWS; r++) {
        row[r] = 0;
        for (size_t e = s->start[r]; e < s->start[r + 1]; e++) {
            if (s->source[e] == x) row[r] += s->value[e];
            if (s->source[e] >= N + NP) row[r] += s->value[e] * row[s->source[e] - N - NP];
        }
        if (r >= INNER) d[r - INNER] = row[r];
    }
}

/* All entries of J as a matrix of constants. */
static void make_matrix(struct subject *s)
{
    double d[N][N];
    for (size_t j = 0; j < N; j++) sensitivity(s, j, d[j]);
    for (uint32_t i = 0; i < N; i++) {
        s->J_start[i + 1] = (size_t)N * (i + 1);
        for (uint32_t j = 0; j < N; j++) {
            s->J_column[N * i + j] = j;
            s->J_node[N * i + j] = graph_constant(s->g, d[j][i]);
        }
    }
    s->J = (struct derivative){.rows = N,
                               .columns = N,
                               .entries = N * N,
                               .start = s->J_start,
                               .column = s->J_column,
                               .node = s->J_node};
}

/* Parameter 3 k + 1 moves in lane k and, for even k, in the next one. */
static size_t move_few(struct subject *s, size_t rows[NP], size_t count)
{
    for (int k = 0; k < NP * LD; k++) s->U[k] = 0;
    for (size_t k = 0; k < count; k++) {
        rows[k] = 3 * k + 1;
        s->U[rows[k] * LD + k] = 1;
        if (k % 2 == 0) s->U[rows[k] * LD + k + 1] = -2;
    }
    return count;
}

static void check(struct subject *s, const struct lane_program *p, const struct lane_panels *panels,
                  double *work)
{
    for (int k = 0; k < N * LD; k++) s->R[k] = 12345;
    lane_program_run(p, &(struct leaves){0}, panels, work);
    for (size_t k = 0; k < LD; k++) {
        double expected[N] = {0}, size = 0, d[N];
        for (size_t x = 0; x < N + NP; x++) {
            double const along = x < N ? s->V[x * LD + k] : s->U[(x - N) * LD + k];
            sensitivity(s, x, d);
            for (size_t i = 0; i < N; i++) expected[i] += along * d[i];
            for (size_t i = 0; i < N; i++) size = fmax(size, fabs(along * d[i]));
        }
        for (size_t i = 0; i < N; i++) {
            if (k >= panels->columns)
                CHECK(s->R[i * LD + k] == 12345);
            else /* a rounding for each of 320 rows of 4 terms at most, of entries up to `size` */
                CHECK_CLOSE(s->R[i * LD + k], expected[i], 1280 * DBL_EPSILON * (size + 1));
        }
    }
}

/* Without J by rows; how many rows the map of V has. */
static size_t check_all_columns(struct subject *s, const struct derivative *J)
{
    struct lane_program *p = NULL;
    CHECK_EQUAL(lane_program_create_either(s->g, NULL, &s->tangent, J, &p), TANSY_OK);
    double *const work = heap_take(lane_asked_work(p) * sizeof *work);
    size_t row[NP];
    p->few.most = (double)INFINITY; /* however many rows are reached */
    struct lane_panels panels = {.ld = LD, .V = s->V, .U = s->U, .R = s->R, .moving_row = row};
    for (panels.columns = 1; panels.columns <= MOST; panels.columns += TEST_STRIDE) {
        panels.moving = move_few(s, row, 1 + panels.columns % (NP / 4));
        check(s, p, &panels, work);
    }
    size_t const rows = p->few.along.rows;
    heap_return(work);
    lane_program_free(p);
    return rows;
}

TEST(few_rows_of_U_give_what_all_of_them_give)
{
    static struct subject s;
    make(&s);
    make_matrix(&s);
    CHECK_EQUAL(check_all_columns(&s, NULL), ROWS);
    CHECK_EQUAL(check_all_columns(&s, &s.J),
                N); /* it has 400 entries, the rows 639 terms without p */
    graph_free(s.g);
}

TEST(many_rows_of_U_are_not_few)
{
    static struct subject s;
    make(&s);
    struct lane_program *p = NULL;
    CHECK_EQUAL(lane_program_create(s.g, NULL, &s.tangent, &p), TANSY_OK);
    size_t row[NP];
    for (size_t k = 0; k < NP; k++) row[k] = k;
    CHECK(lane_few_applies(&p->few, 0, row));
    CHECK(!lane_few_applies(&p->few, NP, row));
    lane_program_free(p);
    graph_free(s.g);
}
