/* SPDX-License-Identifier: Apache-2.0 */
/* The sparse direct solver beyond what all solvers promise: when it chooses new pivots, what it names when there are none, how
   its factors are arranged. */
#include "linear/sparse_lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "support/linear_cases.h"
#include "support/random.h"
#include "test.h"

static const struct linear_shape tangled = {100, {0, 0}, TANGLED, UNIT};
static const struct linear_shape arrow = {3, {0, 0}, ARROW, UNIT};

static struct linear_case *create(const struct linear_shape *shape)
{
    return linear_case_create(linear_sparse, kernels_choose(), shape);
}

static const struct sparse_lu *inside(const struct linear_case *s)
{
    return s->l.factors;
}

/* max_i |b - W x|_i / (max_j |w_ij| max_j |x_j|) for b = 1, 2, ...: the backward error row by row. */
static double error(const struct linear_case *s, double re)
{
    size_t const n = s->A.n;
    double *const x = heap_take(lane_round(n) * sizeof *x), top = 0, largest = 0;
    for (size_t i = 0; i < n; i++) x[i] = (double)(i + 1);
    s->l.table->solve(&s->l, 0, x);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    for (size_t i = 0; i < n; i++) {
        double r = (double)(i + 1), size = 0;
        for (size_t j = 0; j < n; j++) {
            double const w = linear_case_entry(s, re, i, j);
            r -= w * x[j];
            size = fmax(size, fabs(w));
        }
        top = fmax(top, fabs(r) / (size * largest));
    }
    heap_return(x);
    return top;
}

/* n eps times the growth that is put up with (linear/sparse_lu.c). */
static double limit(const struct linear_case *s)
{
    return 1e3 * (double)s->A.n * DBL_EPSILON;
}

TEST(pivots_are_kept_while_they_are_good)
{
    struct linear_case *const s = create(&tangled);
    linear_case_fill(s, &tangled);
    for (double re = 20; re < 40; re++) {
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, re, 0), 0);
        CHECK_AT_MOST(error(s, re), limit(s));
        CHECK_EQUAL(inside(s)->pivotings, 1);
    }
    linear_case_destroy(s);
}

/* A diagonal entry of 50 becomes 1e-12: as a pivot, unless it is the last one in its row or column, it would cost 12
   digits. */
TEST(pivots_that_have_become_bad_are_chosen_anew)
{
    size_t anew = 0;
    for (size_t k = 0; k < 100; k++) {
        struct linear_case *const s = create(&tangled);
        linear_case_fill(s, &tangled);
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, 50, 0), 0);
        *matrix_entry(&s->A, k, k) = 50 - 1e-12;
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, 50, 0), 0);
        anew += inside(s)->pivotings > 1;
        CHECK_AT_MOST(error(s, 50), limit(s));
        linear_case_destroy(s);
    }
    CHECK(anew > 20);
}

/* W = {{d, 1, 1}, {1, d, 0}, {1, 0, d}}: with the pivots on the diagonal, which KLU takes first, the growth is 2/d (1 + O(d^2)). */
static void set_arrow(struct linear_case *s, double d)
{
    linear_case_fill(s, &arrow);
    for (size_t m = 0; m < s->A.entries; m++) s->A.value[m] = -1;
    for (size_t i = 0; i < 3; i++) *matrix_entry(&s->A, i, i) = -d;
}

/* 1333 is too much where the pivots are new: those of the analysis, then those of KLU that prefer the diagonal.  Without exchanges the error would be 1333 eps. */
TEST(the_diagonal_is_given_up_where_it_costs_too_many_digits)
{
    struct linear_case *const s = create(&arrow);
    set_arrow(s, 0.0015);
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 0, 0), 0);
    CHECK_EQUAL(inside(s)->pivotings, 3);
    CHECK_AT_MOST(inside(s)->slot[0].F.growth, 3);
    CHECK_AT_MOST(error(s, 0), 3 * 3 * DBL_EPSILON);
    linear_case_destroy(s);
}

/* 800 is not, and then 1600 is not either; 16000 is. */
TEST(pivots_are_kept_until_they_are_ten_times_worse_than_new)
{
    struct linear_case *const s = create(&arrow);
    set_arrow(s, 2.0 / 800);
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 0, 0), 0);
    CHECK_CLOSE(inside(s)->slot[0].F.growth, 800, 800 * 2 * pow(2.0 / 800, 2));
    set_arrow(s, 2.0 / 1600);
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 0, 0), 0);
    CHECK_EQUAL(inside(s)->pivotings, 1);
    CHECK_AT_MOST(error(s, 0), limit(s));
    set_arrow(s, 2.0 / 16000);
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 0, 0), 0);
    CHECK_EQUAL(inside(s)->pivotings, 2);
    CHECK_AT_MOST(error(s, 0), limit(s));
    linear_case_destroy(s);
}

static void set_column(struct linear_case *s, size_t j, double value)
{
    for (size_t i = 0; i < s->A.n; i++)
        if (linear_case_is_inside(&s->A, i, j)) *matrix_entry(&s->A, i, j) = value;
}

static void set_row(struct linear_case *s, size_t i, double value)
{
    for (size_t j = 0; j < s->A.n; j++)
        if (linear_case_is_inside(&s->A, i, j)) *matrix_entry(&s->A, i, j) = value;
}

TEST(an_equation_or_a_variable_without_a_pivot_is_named_and_a_good_matrix_is_factored_again)
{
    for (size_t k = 0; k < 100; k += 9) {
        struct linear_case *const s = create(&tangled);
        linear_case_fill(s, &tangled);
        set_row(s, k, 0);
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, 0, 0), k + 1);
        linear_case_fill(s, &tangled);
        set_column(s, k, 0);
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, 0, 0), k + 1);
        linear_case_fill(s, &tangled);
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, 9, 0), 0);
        set_row(s, k, 0);
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, 0, 0), k + 1);
        linear_case_fill(s, &tangled);
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, 9, 0), 0);
        CHECK_AT_MOST(error(s, 9), limit(s));
        linear_case_destroy(s);
    }
}

/* Two equations of a full system are the same: one of them, or a variable, has no pivot, in the tail or before. */
TEST(equations_that_are_the_same_leave_no_pivot)
{
    struct linear_shape const full = {33, {0, 0}, FULL, UNIT};
    struct linear_case *const s = create(&full);
    size_t other = 1;
    linear_case_fill(s, &full);
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 1, 0), 0);
    CHECK(inside(s)->slot[0].F.stage[0].tail.n > 10);
    while (!linear_case_is_inside(&s->A, other, 0) || !linear_case_is_inside(&s->A, 0, other))
        other++;
    for (size_t m = 0; m < s->A.entries; m++) s->A.value[m] = 0;
    for (size_t i = 0; i < 33; i++) *matrix_entry(&s->A, i, i) = 1;
    *matrix_entry(&s->A, 0, other) = *matrix_entry(&s->A, other, 0) = 1;
    ptrdiff_t const named = s->l.table->factor(&s->l, 0, 0, 0);
    CHECK(named == 1 || named == (ptrdiff_t)other + 1);
    linear_case_destroy(s);
}

/* Steps begin with those of the last block; L and U have no entries there: n steps, and each solves one unknown. */
TEST(a_triangular_matrix_takes_one_step_a_row)
{
    struct linear_shape const triangular = {64, {0, 0}, TRIANGULAR, UNIT};
    struct linear_case *const s = create(&triangular);
    linear_case_fill(s, &triangular);
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 3, 0), 0);
    const struct sparse_factors *const F = &inside(s)->slot[0].F;
    CHECK_EQUAL(F->steps, 64);
    CHECK_EQUAL(F->entries, s->A.entries - 64);
    CHECK(s->l.table->solve_cost(&s->l) == 2.0 * (double)F->entries + 64);
    CHECK(s->l.table->factor_cost(&s->l) == 64);
    linear_case_destroy(s);
}

/* x <- W^-1 x for W = P, a cycle through all places; and one in which nothing moves. */
TEST(equations_go_to_the_places_of_their_variables)
{
    struct linear_shape const full = {5, {0, 0}, FULL, UNIT};
    struct linear_case *const s = create(&full);
    for (size_t m = 0; m < s->A.entries; m++) s->A.value[m] = -1e-3;
    for (size_t i = 0; i < 5; i++) *matrix_entry(&s->A, i, i) = -2 - (double)i;
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 0, 0), 0);
    CHECK_EQUAL(inside(s)->slot[0].F.cycles, 0);
    CHECK_AT_MOST(error(s, 0), 25 * DBL_EPSILON);
    linear_case_destroy(s);
}

/* Equations in another order than their variables: the diagonal is zero, and leaving it out costs nothing until it is not. */
TEST(zeros_that_only_fill_the_diagonal_of_the_pattern_are_left_out)
{
    struct linear_shape const shape = {64, {0, 0}, FULL, ANY};
    struct linear_case *const s = create(&shape);
    linear_case_fill(s, &shape);
    CHECK(s->l.table->factor_cost(&s->l) > 0);
    for (size_t i = 0; i < 64; i += 2) *matrix_entry(&s->A, i, i) = *matrix_entry(&s->M, i, i) = 0;
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 2, 0), 0);
    CHECK_EQUAL(s->l.table->factor(&s->l, 1, 2, 0), 0);
    CHECK_EQUAL(inside(s)->klu.omissions, 32);
    CHECK_EQUAL(inside(s)->klu.analyses, 2);
    CHECK_AT_MOST(error(s, 2), limit(s));
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 3, 0), 0);
    CHECK_EQUAL(inside(s)->klu.analyses, 2);
    *matrix_entry(&s->M, 6, 6) = 1;
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 3, 0), 0);
    CHECK_EQUAL(inside(s)->klu.omissions, 31);
    CHECK_EQUAL(inside(s)->klu.analyses, 3);
    CHECK_AT_MOST(error(s, 3), limit(s));
    size_t const before = inside(s)->pivotings;
    CHECK_EQUAL(s->l.table->factor(&s->l, 1, 3, 0), 0);
    CHECK(inside(s)->pivotings > before);
    linear_case_destroy(s);
}

/* Variable 0 of an upper triangular system is in equation 0 only, and not even there. */
TEST(a_variable_that_is_in_no_equation_is_named)
{
    struct linear_shape const shape = {64, {0, 0}, TRIANGULAR, ANY};
    struct linear_case *const s = create(&shape);
    linear_case_fill(s, &shape);
    CHECK(s->A.rows.start[1] > 1);
    s->A.value[0] = s->M.value[0] = 0;
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 2, 0), 1);
    s->A.value[0] = 1;
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 2, 0), 0);
    CHECK_AT_MOST(error(s, 2), limit(s));
    linear_case_destroy(s);
}

TEST(costs_are_estimated_before_there_are_factors_and_counted_then)
{
    struct linear_case *const s = create(&tangled);
    linear_case_fill(s, &tangled);
    double const estimate = s->l.table->solve_cost(&s->l);
    CHECK(estimate >= 2 * (double)s->A.entries - 100);
    CHECK(s->l.table->factor_cost(&s->l) > 0);
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, 30, 0), 0);
    CHECK(s->l.table->solve_cost(&s->l) >= 2 * (double)s->A.entries - 100);
    CHECK(s->l.table->solve_cost(&s->l) <= 1.5 * estimate); /* zeros of groups and tails, a third */
    linear_case_destroy(s);
}

TEST(to_release_twice_is_fine)
{
    struct linear_case *const s = create(&tangled);
    linear_case_fill(s, &tangled);
    CHECK_EQUAL(s->l.table->factor(&s->l, 1, 30, 0), 0);
    s->l.table->release(&s->l);
    linear_case_destroy(s);
}
