/* SPDX-License-Identifier: Apache-2.0 */
/* Pivots against a dense elimination in their order: the pattern of the factors is the one that elimination fills, and every pivot is
   as large as the tolerance asks. */
#include "linear/sparse_pivots.h"

#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "support/random.h"
#include "test.h"

enum { MOST = 40, RUNS = 300 };

struct subject {
    size_t n, start[MOST + 1], column[MOST * MOST];
    double value[MOST * MOST]; /* of W, by rows */
    struct sparse_klu k;
    struct sparse_pivots p;
    void *block;
    double unit[MOST];
};

/* Entries of any size in [-1, 1] 10^[-size, size] with this density, the diagonal and a random permutation, so that pivots can be found. */
static void create(struct subject *s, struct random_source *source, double size)
{
    s->n = 1 + (size_t)((random_next(source) + 1) / 2 * (MOST - 1));
    double const density = 4 * (random_next(source) + 1) / (double)s->n;
    size_t entries = 0, shift = (size_t)((random_next(source) + 1) / 2 * (double)s->n);
    for (size_t i = 0; i < s->n; i++) {
        s->start[i] = entries;
        for (size_t j = 0; j < s->n; j++) {
            double const value = random_next(source) * pow(10, size * random_next(source));
            bool const has = i == j || j == (i + shift) % s->n;
            if (!has && (random_next(source) + 1) / 2 > density) continue;
            s->column[entries] = j;
            s->value[entries++] = i == j && shift % 2 ? 1e-14 * value : value;
        }
    }
    s->start[s->n] = entries;
}

static void layout(struct subject *s, struct arena *arena)
{
    sparse_klu_layout(&s->k, arena);
    sparse_pivots_layout(&s->p, &s->k, arena);
}

static void analyse(struct subject *s)
{
    struct sparse_rows const A = {.start = s->start, .column = s->column, .value = s->value};
    struct arena arena = {0};
    s->k = (struct sparse_klu){.n = s->n, .entries = s->start[s->n], .unit = s->unit};
    for (size_t j = 0; j < s->n; j++) s->unit[j] = 1;
    s->p = (struct sparse_pivots){.x = NULL};
    layout(s, &arena);
    arena = (struct arena){.block = s->block = heap_take(arena.used)};
    layout(s, &arena);
    CHECK_EQUAL(sparse_klu_settle(&s->k, &A, NULL), 0);
    for (size_t m = 0; m < s->start[s->n]; m++) s->k.value[s->k.place[m]] = s->value[m];
}

static void destroy(struct subject *s)
{
    sparse_pivots_release(&s->p);
    sparse_klu_release(&s->k);
    heap_return(s->block);
}

/* What is where in the factors, as characters. */
typedef char map[MOST][MOST];

static void draw_factors(const struct sparse_order *o, map at)
{
    memset(at, '.', sizeof(map));
    for (int j = 0; j < o->n; j++) {
        CHECK_EQUAL(o->lower_row[o->lower_start[j]], j);
        CHECK_EQUAL(o->upper_row[o->upper_start[j + 1] - 1], j);
        for (int m = o->lower_start[j]; m < o->lower_start[j + 1]; m++)
            at[o->lower_row[m]][j] = 'L';
        for (int m = o->later_start[j]; m < o->later_start[j + 1]; m++)
            at[o->later_row[m]][j] = 'F';
        for (int m = o->upper_start[j]; m < o->upper_start[j + 1]; m++)
            at[o->upper_row[m]][j] = 'U';
    }
}

/* The same from elimination; dense[n][n] = D^-1 W in the order of the pivots is eliminated too. */
static void draw_elimination(const struct subject *s, map at, double (*dense)[MOST])
{
    const struct sparse_order *const o = &s->p.order;
    int first[MOST], place[MOST];
    memset(at, '.', sizeof(map));
    memset(dense, 0, sizeof(double[MOST][MOST]));
    for (int b = 0; b < o->blocks; b++)
        for (int k = o->R[b]; k < o->R[b + 1]; k++) first[k] = o->R[b];
    for (int k = 0; k < o->n; k++) place[o->Q[k]] = k;
    for (int k = 0; k < o->n; k++) {
        size_t const row = (size_t)o->P[k];
        double top = 0;
        for (size_t m = s->start[row]; m < s->start[row + 1]; m++)
            top = fmax(top, fabs(s->value[m]));
        for (size_t m = s->start[row]; m < s->start[row + 1]; m++) {
            int const j = place[s->column[m]];
            CHECK(first[j] >= first[k]);
            at[k][j] = first[j] > first[k] ? 'F' : j < k ? 'L' : 'U';
            dense[k][j] = s->value[m] / top;
        }
    }
    for (int k = 0; k < o->n; k++)
        for (int i = k + 1; i < o->n && first[i] == first[k]; i++) {
            if (at[i][k] == '.') continue;
            double const l = dense[i][k] / dense[k][k];
            for (int j = k + 1; j < o->n && first[j] == first[k]; j++) {
                if (at[k][j] == '.') continue;
                if (at[i][j] == '.') at[i][j] = j < i ? 'L' : 'U';
                dense[i][j] -= l * dense[k][j];
            }
        }
}

/* max_i |l_ik|, which is at most 1/tolerance. */
static double largest_multiplier(const struct subject *s, const map at, double (*dense)[MOST])
{
    double most = 0;
    for (size_t k = 0; k < s->n; k++)
        for (size_t i = k + 1; i < s->n; i++)
            if (at[i][k] == 'L') most = fmax(most, fabs(dense[i][k] / dense[k][k]));
    return most;
}

static void check_pattern(const struct subject *s, double (*dense)[MOST], map filled)
{
    map drawn;
    draw_factors(&s->p.order, drawn);
    draw_elimination(s, filled, dense);
    CHECK_EQUAL(memcmp(drawn, filled, sizeof drawn), 0);
}

TEST(factors_fill_what_elimination_in_the_order_of_the_analysis_fills)
{
    struct random_source source = {7};
    for (int run = 0; run < RUNS; run++) {
        static struct subject s;
        double dense[MOST][MOST];
        map filled;
        create(&s, &source, 3);
        analyse(&s);
        CHECK_EQUAL(sparse_pivots_of_analysis(&s.p, &s.k), 0);
        check_pattern(&s, dense, filled);
        for (size_t k = 0; k < s.n; k++) CHECK_EQUAL(s.p.order.P[k], s.k.now->P[k]);
        destroy(&s);
    }
}

/* Twice, by the first tolerance or the second: the memory is kept, the second choice owes nothing to the first.  Rounding differs between
   the two eliminations, hence the few eps times a growth of 1e3 at the most. */
TEST(pivots_are_as_large_as_the_tolerance_asks)
{
    static const double tolerances[] = {1e-3, 1};
    struct random_source source = {11};
    int exchanged = 0;
    for (int run = 0; run < RUNS; run++) {
        static struct subject s;
        double dense[MOST][MOST];
        map filled;
        create(&s, &source, 2);
        analyse(&s);
        for (int k = 0; k < 2; k++) {
            CHECK_EQUAL(sparse_pivots_choose(&s.p, &s.k, tolerances[k]), 0);
            check_pattern(&s, dense, filled);
            CHECK_AT_MOST(largest_multiplier(&s, filled, dense), (1 + 1e-6) / tolerances[k]);
            for (size_t j = 0; j < s.n; j++) exchanged += s.p.order.P[j] != s.k.now->P[j];
        }
        destroy(&s);
    }
    CHECK(exchanged > RUNS);
}

/* Variable 2 has only zeros. */
TEST(a_variable_without_a_pivot_is_named_and_the_next_choice_is_as_new)
{
    static struct subject s;
    static const double zero_column[] = {1, 0, 2, 0, 3, 0}, good[] = {1, 5, 2, 0, 3, 4};
    static const size_t column[] = {0, 1, 0, 2, 1, 2};
    s.n = 3;
    for (size_t i = 0; i <= 3; i++) s.start[i] = 2 * i;
    memcpy(s.column, column, sizeof column);
    memcpy(s.value, good, sizeof good);
    analyse(&s);
    for (size_t m = 0; m < 6; m++) s.k.value[s.k.place[m]] = zero_column[m];
    CHECK_EQUAL(sparse_pivots_choose(&s.p, &s.k, 1), 3);
    for (size_t m = 0; m < 6; m++) s.k.value[s.k.place[m]] = good[m];
    CHECK_EQUAL(sparse_pivots_choose(&s.p, &s.k, 1), 0);
    double dense[MOST][MOST];
    map filled;
    check_pattern(&s, dense, filled);
    CHECK_AT_MOST(largest_multiplier(&s, filled, dense), 1 + 1e-15);
    destroy(&s);
}
