/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse matrices: patterns from lists of entries, what is kept where, products, and colours of columns. */
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/heap.h"
#include "matrix/matrix.h"
#include "matrix/sparse_coloring.h"
#include "matrix/sparse_pattern.h"
#include "support/random.h"
#include "test.h"

enum { MOST = 400 };

struct list {
    size_t n, listed, row[MOST], column[MOST];
};

/* Every place of an n x n matrix is listed with this probability, in an order of no use to anyone. */
static struct list random_list(size_t n, double share)
{
    struct random_source source = {n + (uint64_t)(100 * share)};
    struct list list = {.n = n};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if ((random_next(&source) + 1) / 2 < share)
                list.row[list.listed] = i, list.column[list.listed++] = j;
    for (size_t e = list.listed; e-- > 1;) {
        size_t const other = (size_t)((random_next(&source) + 1) / 2 * (double)(e + 1));
        size_t const i = list.row[e], j = list.column[e];
        list.row[e] = list.row[other];
        list.column[e] = list.column[other];
        list.row[other] = i;
        list.column[other] = j;
    }
    return list;
}

static struct sparse_pattern pattern_of(const struct list *list)
{
    struct sparse_pattern p;
    size_t which[2];
    CHECK_EQUAL(sparse_pattern_create(&p, list->n, list->listed, list->row, list->column, which),
                PATTERN_FINE);
    return p;
}

static size_t row_of(const struct sparse_pattern *p, size_t m)
{
    size_t i = 0;
    while (p->start[i + 1] <= m) i++;
    return i;
}

static void keeps(const struct list *list)
{
    struct sparse_pattern p = pattern_of(list);
    size_t diagonals = 0, missing = list->n;
    for (size_t e = 0; e < list->listed; e++) {
        missing -= list->row[e] == list->column[e];
        CHECK_EQUAL(p.column[p.place[e]], list->column[e]);
        CHECK_EQUAL(row_of(&p, p.place[e]), list->row[e]);
    }
    CHECK_EQUAL(p.entries, list->listed + missing);
    CHECK_EQUAL(p.start[0], 0);
    CHECK_EQUAL(p.start[p.n], p.entries);
    for (size_t i = 0; i < p.n; i++)
        for (size_t m = p.start[i]; m < p.start[i + 1]; m++) {
            diagonals += p.column[m] == i;
            CHECK(m == p.start[i] || p.column[m - 1] < p.column[m]);
        }
    CHECK_EQUAL(diagonals, p.n);
    sparse_pattern_free(&p);
    sparse_pattern_free(&p);
}

TEST(a_pattern_keeps_every_entry_in_order_and_has_the_whole_diagonal)
{
    static const size_t sizes[] = {1, 2, 3, 7, 20};
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
        for (double share = 0; share <= 1; share += 0.25) {
            struct list const list = random_list(sizes[a], share);
            keeps(&list);
        }
}

TEST(entries_outside_the_matrix_and_entries_listed_twice_are_refused_by_number)
{
    size_t row[] = {2, 0, 1, 2}, column[] = {1, 0, 2, 1}, which[2] = {9, 9};
    struct sparse_pattern p;
    CHECK_EQUAL(sparse_pattern_create(&p, 3, 4, row, column, which), PATTERN_TWICE);
    CHECK(which[0] == 0 && which[1] == 3);
    CHECK(p.start == NULL);
    row[3] = 3;
    CHECK_EQUAL(sparse_pattern_create(&p, 3, 4, row, column, which), PATTERN_OUTSIDE);
    CHECK_EQUAL(which[0], 3);
    row[3] = column[3] = 0;
    CHECK_EQUAL(sparse_pattern_create(&p, 3, 4, row, column, which), PATTERN_TWICE);
    CHECK(which[0] == 1 && which[1] == 3);
    column[2] = 3;
    CHECK_EQUAL(sparse_pattern_create(&p, 3, 4, row, column, which), PATTERN_OUTSIDE);
    CHECK_EQUAL(which[0], 2);
    CHECK_EQUAL(sparse_pattern_create(&p, SIZE_MAX / 2, 0, NULL, NULL, which), PATTERN_NO_MEMORY);
}

/* A, and B with the same pattern. */
static void layout(struct matrix *A, struct matrix *B, struct arena *arena)
{
    matrix_layout(A, arena);
    matrix_layout(B, arena);
}

static void *create(struct matrix *A, struct matrix *B, const struct list *list)
{
    struct sparse_pattern p = pattern_of(list);
    struct arena arena = {0};
    *A = *B = (struct matrix){.kind = MATRIX_SPARSE, .n = list->n, .entries = p.entries};
    B->like = A;
    layout(A, B, &arena);
    void *const block = heap_take(arena.used);
    arena = (struct arena){.block = block};
    layout(A, B, &arena);
    matrix_set_pattern(A, &p);
    for (size_t e = 0; e < list->listed; e++) {
        A->value[p.place[e]] = (double)(1 + e);
        *matrix_entry(B, list->row[e], list->column[e]) = -(double)(1 + e);
    }
    sparse_pattern_free(&p);
    return block;
}

TEST(matrices_with_one_pattern_share_it_and_have_values_of_their_own)
{
    struct matrix A, B;
    struct list const list = random_list(17, 0.3);
    void *const block = create(&A, &B, &list);
    CHECK(A.rows.start == B.rows.start && A.rows.column == B.rows.column);
    CHECK(A.value == A.rows.value && A.value != B.value);
    for (size_t m = 0; m < A.entries; m++) CHECK(A.value[m] == -B.value[m]);
    for (size_t e = 0; e < list.listed; e++)
        CHECK(*matrix_entry(&A, list.row[e], list.column[e]) == (double)(1 + e));
    CHECK_CLOSE(A.density, (double)A.entries / (17.0 * 17.0), DBL_EPSILON);
    heap_return(block);
}

/* Whole numbers: no rounding. */
TEST(products_with_a_sparse_matrix_and_its_transposed_are_exact)
{
    enum { N = 19, LANES = 8 };
    struct matrix A, B;
    struct list const list = random_list(N, 0.2);
    void *const block = create(&A, &B, &list);
    double V[N * LANES], R[N * LANES], exact[N * LANES];
    double r[24] = {0}, exact_r[24] = {0};
    for (size_t x = 0; x < N * LANES; x++) V[x] = (double)(x % 13) - 6, R[x] = exact[x] = (double)x;
    for (size_t e = 0; e < list.listed; e++) {
        size_t const i = list.row[e], j = list.column[e];
        for (size_t k = 0; k < LANES; k++)
            exact[i * LANES + k] += (double)(1 + e) * V[j * LANES + k];
        exact_r[j] += (double)(1 + e) * V[i];
    }
    matrix_compress(&A);
    matrix_multiply(&A, kernels_choose(), LANES, V, R);
    matrix_multiply_transposed(&A, V, r);
    for (size_t x = 0; x < N * LANES; x++) CHECK(R[x] == exact[x]);
    for (size_t j = 0; j < N; j++) CHECK(r[j] == exact_r[j]);
    heap_return(block);
}

/* No row has two columns of one colour; every colour is used; colours are at least the entries of a row and no more than
   the columns that meet one column, and itself. */
static size_t colors_of(const struct list *list)
{
    struct sparse_pattern p = pattern_of(list);
    size_t color[MOST], longest = 0, most = 0;
    size_t const colors = sparse_coloring(p.n, p.start, p.column, color);
    unsigned char used[MOST] = {0};
    for (size_t j = 0; j < p.n; j++) {
        unsigned char met[MOST] = {0};
        size_t number = 0;
        CHECK(color[j] < colors);
        used[color[j]] = 1;
        for (size_t i = 0; i < p.n; i++) {
            unsigned char here = 0;
            for (size_t m = p.start[i]; m < p.start[i + 1]; m++) here |= p.column[m] == j;
            for (size_t m = p.start[i]; here && m < p.start[i + 1]; m++) met[p.column[m]] = 1;
        }
        for (size_t k = 0; k < p.n; k++) {
            CHECK(!met[k] || k == j || color[k] != color[j]);
            number += met[k];
        }
        most = number > most ? number : most;
    }
    for (size_t c = 0; c < colors; c++) CHECK(used[c]);
    for (size_t i = 0; i < p.n; i++)
        longest = p.start[i + 1] - p.start[i] > longest ? p.start[i + 1] - p.start[i] : longest;
    CHECK(colors >= longest && colors <= most);
    sparse_pattern_free(&p);
    return colors;
}

TEST(columns_of_one_colour_share_no_row)
{
    for (size_t n = 1; n <= 20; n++)
        for (double share = 0; share <= 1; share += 0.1) {
            struct list const list = random_list(n, share);
            (void)colors_of(&list);
        }
}

TEST(a_band_has_as_many_colours_as_diagonals_and_an_arrow_one_for_every_column)
{
    struct list band = {.n = 40}, arrow = {.n = 40};
    for (size_t i = 0; i < 40; i++)
        for (size_t j = 0; j < 40; j++) {
            if (j + 1 >= i && j <= i + 2) band.row[band.listed] = i, band.column[band.listed++] = j;
            if (i == 39 || j == 39) arrow.row[arrow.listed] = i, arrow.column[arrow.listed++] = j;
        }
    CHECK_EQUAL(colors_of(&band), 4);
    CHECK_EQUAL(colors_of(&arrow), 40);
    CHECK_EQUAL(colors_of(&(struct list){.n = 30}), 1);
    CHECK_EQUAL(sparse_coloring(0, (size_t[]){0}, NULL, NULL), 0);
}
