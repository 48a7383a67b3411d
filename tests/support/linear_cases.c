/* SPDX-License-Identifier: Apache-2.0 */
#include "support/linear_cases.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/heap.h"
#include "support/random.h"

static const size_t sizes[] = {1, 2, 3, 5, 8, 17, 33, 64, 100, 130, 1030};

/* Diagonals below and above a band's main one; or how a sparse pattern looks. */
static const size_t bands[][2] = {{0, 0}, {1, 1}, {0, 2}, {2, 0}, {5, 3}, {9, 20}};
static void layout(struct linear_case *s, struct arena *arena)
{
    matrix_layout(&s->A, arena);
    if (s->l.M) matrix_layout(&s->M, arena);
    s->l.table->layout(&s->l, arena);
}

/* Whether a sparse pattern lists (i, j); diagonal entries belong to it anyway. */
static int is_listed(const struct linear_shape *shape, size_t i, size_t j,
                     struct random_source *source)
{
    double const dice = (random_next(source) + 1) / 2 * (double)shape->n;
    switch (shape->looks) {
    case LOOSE:
        return dice < 1.5;
    case TRIANGULAR:
        return i < j && dice < 3;
    case ARROW:
        return i == 0 || j == 0 || (i == j && i % 2);
    case TANGLED:
        return dice < 4;
    case FULL:
        return dice < 0.6 * (double)shape->n;
    case STRIPED:
        return i <= j + 2 && j <= i + 2;
    default:
        return 0;
    }
}

static struct sparse_pattern pattern_of(const struct linear_shape *shape)
{
    size_t const n = shape->n;
    size_t *const row = heap_take(2 * n * n * sizeof *row), *const column = row + n * n;
    struct random_source source = {n + shape->looks};
    struct sparse_pattern pattern;
    size_t listed = 0, which[2];
    for (size_t i = n; i-- > 0;)
        for (size_t j = n; j-- > 0;)
            if (is_listed(shape, i, j, &source)) row[listed] = i, column[listed++] = j;
    if (sparse_pattern_create(&pattern, n, listed, row, column, which)) abort();
    heap_return(row);
    return pattern;
}

struct linear_case *linear_case_create(const struct linear_table *table,
                                       const struct kernels *kernels,
                                       const struct linear_shape *shape)
{
    struct linear_case *const s = heap_take(sizeof *s);
    size_t const n = shape->n, lower = shape->band[0], upper = shape->band[1];
    struct sparse_pattern pattern = {0};
    struct arena arena = {0};
    if (table->matrix == MATRIX_SPARSE) pattern = pattern_of(shape);
    s->A = (struct matrix){.kind = table->matrix, .n = n, .entries = pattern.entries};
    s->A.lower = lower < n ? lower : n - 1;
    s->A.upper = upper < n ? upper : n - 1;
    s->M = s->A;
    s->M.like = &s->A;
    s->l = (struct linear){.table = table, .kernels = kernels, .A = &s->A, .slots = SLOTS};
    if (shape->mass != UNIT) s->l.M = &s->M;
    layout(s, &arena);
    s->block = heap_take(arena.used);
    arena = (struct arena){.block = s->block};
    layout(s, &arena);
    if (table->matrix == MATRIX_SPARSE) matrix_set_pattern(&s->A, &pattern);
    sparse_pattern_free(&pattern);
    return s;
}

void linear_case_destroy(struct linear_case *s)
{
    if (s->l.table->release) s->l.table->release(&s->l);
    heap_return(s->block);
    heap_return(s);
}

int linear_case_is_inside(const struct matrix *A, size_t i, size_t j)
{
    const struct sparse_rows *const rows = &A->rows;
    if (A->kind != MATRIX_SPARSE)
        return A->kind != MATRIX_NONE && j <= i + A->upper && i <= j + A->lower;
    size_t const place = (size_t)(matrix_entry(A, i, j) - A->value);
    return place < rows->start[i + 1] && rows->column[place] == j;
}

double linear_case_entry(const struct linear_case *s, double re, size_t i, size_t j)
{
    if (!linear_case_is_inside(&s->A, i, j)) return s->l.M || i != j ? 0 : re;
    return re * (s->l.M ? *matrix_entry(&s->M, i, j) : i == j) - *matrix_entry(&s->A, i, j);
}

static void fill_matrix(struct matrix *A, uint64_t seed)
{
    struct random_source source = {A->n + seed};
    for (size_t x = 0; x < A->n * A->width; x++) A->value[x] = (double)NAN;
    for (size_t i = 0; i < A->n; i++)
        for (size_t j = 0; j < A->n; j++)
            if (linear_case_is_inside(A, i, j)) *matrix_entry(A, i, j) = random_next(&source);
}

void linear_case_fill(struct linear_case *s, const struct linear_shape *shape)
{
    fill_matrix(&s->A, 0);
    if (shape->mass == UNIT) return;
    fill_matrix(&s->M, 5);
    for (size_t i = 0; i < s->M.n && shape->mass == SINGULAR; i += 3)
        for (size_t j = 0; j < s->M.n; j++)
            if (linear_case_is_inside(&s->M, i, j)) *matrix_entry(&s->M, i, j) = 0;
}

/* Large matrices with few others. */
static int is_wanted(const struct linear_table *table, const struct linear_shape *shape)
{
    if (table->matrix == MATRIX_NONE) return shape->looks == 0 && shape->mass == UNIT;
    if (table->matrix == MATRIX_DENSE && shape->looks != 0) return 0;
    if (shape->n <= 64) return 1;
    if (shape->n < 200) return shape->mass == UNIT || shape->looks == TANGLED;
    return shape->mass == UNIT && (table->matrix != MATRIX_SPARSE || shape->looks == LOOSE);
}

void linear_cases(linear_property *holds)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t t = 0; linear_tables[t]; t++)
        for (size_t m = 0; m < number; m++)
            for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
                for (size_t b = 0; b < sizeof bands / sizeof *bands; b++)
                    for (enum mass mass = UNIT; mass < MASSES; mass++) {
                        struct linear_shape const shape = {
                            sizes[a], {bands[b][0], bands[b][1]}, (enum looks)b, mass};
                        if (is_wanted(linear_tables[t], &shape))
                            holds(linear_tables[t], list[m], &shape);
                    }
}
