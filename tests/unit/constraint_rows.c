/* SPDX-License-Identifier: Apache-2.0 */
/* Constraints of index 2, whose rows of W are multiplied by the leading coefficient c (linear/linear.h).  With pairs of a component x
   and a multiplier z, x' = ... + b z, 0 = g x, chained to their neighbours, W is [c, b; g, 0] in each: |W| = O(c) and
   |W^-1| = O(c), so that the condition is like c^2; with c g it is like c; in units of z/c, in which the corrector's norm has z too
   (equations/levers.h), it is bounded. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drive/solver.h"
#include "support/accuracy.h"
#include "support/linear_cases.h"
#include "support/promise.h"
#include "test.h"

enum { PAIRS = 5, N = 2 * PAIRS, LANES = 8 };

static const struct linear_shape shape = {.n = N, .band = {2, 2}, .looks = STRIPED, .mass = ANY};

static void put(struct linear_case *s, struct matrix *matrix, size_t i, size_t j, double value)
{
    if (linear_case_is_inside(&s->A, i, j)) *matrix_entry(matrix, i, j) = value;
}

/* x_k' = -x_k + x_(k-1)/4 + (1 + k/4) z_k and 0 = x_k - x_(k-1)/4; equation 2k is that of x_k'. */
static struct linear_case *chain(const struct linear_table *table, const struct kernels *kernels)
{
    struct linear_case *const s = linear_case_create(table, kernels, &shape);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) put(s, &s->A, i, j, 0), put(s, &s->M, i, j, 0);
    for (size_t k = 0; k < PAIRS; k++) {
        put(s, &s->M, 2 * k, 2 * k, 1);
        put(s, &s->A, 2 * k, 2 * k, -1);
        put(s, &s->A, 2 * k, 2 * k + 1, 1 + 0.25 * (double)k);
        put(s, &s->A, 2 * k + 1, 2 * k, 1);
        if (k == 0) continue;
        put(s, &s->A, 2 * k, 2 * k - 2, 0.25);
        put(s, &s->A, 2 * k + 1, 2 * k - 2, -0.25);
    }
    return s;
}

/* |U^-1 W^-1| |W U| in the maximum norm, where W is what is factored and U = diag(1, unit, 1, unit, ...). */
static double condition(struct linear_case *s, double c, double unit)
{
    double size[N] = {0}, inverse[N] = {0}, x[N + LANE_GROUP];
    double most = 0, most_inverse = 0;
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, c, 0), 0);
    for (size_t j = 0; j < N; j++) {
        memset(x, 0, sizeof x);
        x[j] = 1;
        s->l.table->solve(&s->l, 0, x);
        for (size_t i = 0; i < N; i++) {
            double const scale = s->l.constraint && s->l.constraint[i] ? c : 1;
            double const w = scale * linear_case_entry(s, c, i, j);
            size[i] += fabs(w) * (j % 2 ? unit : 1);
            inverse[i] += fabs(x[i]) / (i % 2 ? unit : 1);
        }
    }
    for (size_t i = 0; i < N; i++) {
        most = fmax(most, size[i]);
        most_inverse = fmax(most_inverse, inverse[i]);
    }
    return most * most_inverse;
}

typedef void property(struct linear_case *s, const bool *constraint);

static void all_direct_solvers(property *holds)
{
    bool constraint[N];
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t i = 0; i < N; i++) constraint[i] = i % 2;
    for (size_t t = 0; linear_tables[t]; t++)
        for (size_t m = 0; m < number && linear_tables[t]->matrix != MATRIX_NONE; m++) {
            struct linear_case *const s = chain(linear_tables[t], list[m]);
            holds(s, constraint);
            linear_case_destroy(s);
        }
}

static void is_balanced(struct linear_case *s, const bool *constraint)
{
    double const least = condition(s, 1e2, 1) / 1e4;
    for (double c = 1e2; c < 1e9; c *= 1e2) {
        s->l.constraint = NULL;
        CHECK_CLOSE(condition(s, c, 1) / (c * c) / least, 1, 0.1);
        s->l.constraint = constraint;
        CHECK_AT_MOST(condition(s, c, 1) / c, 10);
        CHECK_AT_MOST(condition(s, c, c), 20);
        CHECK_AT_MOST(condition(s, -c, c), 20);
    }
}

TEST(the_condition_of_scaled_rows_is_like_c_not_its_square_and_bounded_in_units_of_what_moves)
{
    all_direct_solvers(is_balanced);
}

/* Of pairs: x = g^-1 and so on are solved for exactly, so errors are roundings of the entries met on the way. */
static void solves_the_same(struct linear_case *s, const bool *constraint)
{
    double X[N * LANES], Y[N * LANES];
    for (double c = -1e8; c <= 1e8; c += 0.9e8) {
        for (size_t x = 0; x < N * LANES; x++) X[x] = Y[x] = 1 + (double)(x % 7);
        s->l.constraint = NULL;
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, c, 0), 0);
        s->l.table->solve_panel(&s->l, 0, LANES, X);
        s->l.constraint = constraint;
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, c, 0), 0);
        linear_balance(&s->l, c, LANES, Y);
        s->l.table->solve_panel(&s->l, 0, LANES, Y);
        for (size_t i = 0; i < N; i++) /* z is like c times the constraint's right-hand side */
            for (size_t k = 0; k < LANES; k++)
                CHECK_CLOSE(Y[i * LANES + k], X[i * LANES + k],
                            20 * N * DBL_EPSILON * (i % 2 ? fabs(c) : 1) * 8);
    }
}

TEST(scaled_rows_and_right_hand_sides_give_the_same_solution)
{
    all_direct_solvers(solves_the_same);
}

static const bool is_constraint[] = {false, false, false, false, true};

/* A run knows its constraints, and a problem of index 1 has none. */
TEST(a_run_scales_the_constraints_of_index_two_and_nothing_else)
{
    static const char *const names[] = {"pendulum_slow", "robertson_dae"};
    for (int m = 0; m < 2; m++) {
        struct oracle o;
        double y[8], sens[80];
        oracle_open(names[m], &o);
        tansy_solver *const s =
            tansy_create(&o.problem->problem, &(tansy_options){.method = TANSY_DASSL});
        CHECK_EQUAL(tansy_solve(s, 0.5, y, sens), TANSY_OK);
        CHECK((s->linear.constraint != NULL) == (m == 0));
        for (size_t i = 0; i < s->n && m == 0; i++)
            CHECK_EQUAL(s->linear.constraint[i], is_constraint[i]);
        tansy_free(s);
        oracle_close(&o);
    }
}
