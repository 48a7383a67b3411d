/* SPDX-License-Identifier: Apache-2.0 */
/* Observed orders of all entries T_jk of the tableau of limex, from one step of H and one of H/2 out of consistent values: an entry of order k is
   wrong by C H^(k+1) after one step.  Differential and algebraic components, y and S (support/step_problem.h). */
#include <math.h>
#include <stdio.h>

#include "drive/solver.h"
#include "method/limex.h"
#include "support/step_problem.h"
#include "test.h"

enum { ROWS = 6 };
enum { DIFFERENTIAL, ALGEBRAIC, KINDS };

/* Largest errors of an entry: y, S. */
struct entry {
    double error[KINDS][2];
};

/* One step of j rows; the entries T_j1 .. T_jj. */
static void run(const struct step_problem *it, int j, double H, struct entry *entry)
{
    long double exact[STEP_N], columns[STEP_NP * STEP_N];
    tansy_options const options = {.method = TANSY_LIMEX,
                                   .max_order = j > 1 ? j - 1 : 1,
                                   .first_step = H,
                                   .full_tableau = 1,
                                   .rtol = 1, /* nothing fails its test */
                                   .atol = 1};
    struct method fixed = method_limex;
    fixed.lowest_order = j > 1 ? j - 1 : 1;
    tansy_solver *const s = tansy_create(&it->problem, &options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    s->stepper.method = &fixed;
    s->stepper.order = fixed.lowest_order; /* implicit problems have begun */
    s->stepper.control = TANSY_ALL_AS_ONE; /* else a step of the state may end with fewer rows */
    CHECK_EQUAL(tansy_step(s, 2 * H, NULL, NULL), TANSY_OK);
    CHECK_CLOSE(tansy_time(s), H, 1e-15);
    CHECK_EQUAL(s->stepper.state.order, fixed.lowest_order);
    step_exact(it, (long double)tansy_time(s), exact, columns);
    const struct part *const panel = s->stepper.panel;
    size_t const n = it->problem.n, lanes = panel->shape.lanes;
    for (int k = 1; k <= j; k++) {
        const double *const y = one_step_row(&s->stepper.state, ROW_T + k - 1);
        const double *const S = one_step_row(panel, ROW_T + k - 1);
        entry[k] = (struct entry){{{0}}};
        for (size_t i = 0; i < n; i++) {
            double *const e = entry[k].error[i == 2 ? ALGEBRAIC : DIFFERENTIAL];
            e[0] = fmax(e[0], fabs((double)((long double)y[i] - exact[i])));
            for (size_t x = 0; x < STEP_NP; x++)
                e[1] =
                    fmax(e[1], fabs((double)((long double)S[i * lanes + x] - columns[x * n + i])));
        }
    }
    tansy_free(s);
}

/* The orders, shown as the tableau; those expected are expected[j-1][k-1], 0: any.  The next term of the expansion is up to 0.4 of the
   first at the H used: log2(1.4/1.2) = 0.22; twice that where two terms of opposite sign meet. */
static void check(enum step_form form, int kind, const int (*expected)[ROWS])
{
    struct step_problem it;
    step_problem_set(&it, form, STEP_ALL, STEP_NP);
    for (int j = 2; j <= ROWS; j++) {
        struct entry coarse[ROWS + 1], fine[ROWS + 1];
        double const H = j < 4 ? 0.01 : j < 6 ? 0.04 : 0.08;
        run(&it, j, H, coarse);
        run(&it, j, H / 2, fine);
        printf("%s %s j = %d:", step_form_name(form), kind ? "z" : "w, v", j);
        for (int k = 1; k <= j; k++)
            for (int part = 0; part < 2; part++) {
                double const order =
                    log2(coarse[k].error[kind][part] / fine[k].error[kind][part]) - 1;
                printf(part ? "/%.1f" : " %.1f", order);
                if (expected[j - 1][k - 1] > 0) CHECK_CLOSE(order, expected[j - 1][k - 1], 0.45);
            }
        printf("\n");
    }
}

TEST(entries_have_order_k_without_algebraic_equations)
{
    static const int expected[ROWS][ROWS] = {{1},          {1, 2},          {1, 2, 3},
                                             {1, 2, 3, 4}, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 6}};
    check(STEP_ODE, DIFFERENTIAL, expected);
    check(STEP_MASS_OF_P, DIFFERENTIAL, expected);
}

TEST(differential_components_of_index_1_have_order_k_in_one_step)
{
    static const int expected[ROWS][ROWS] = {{1},          {1, 2},          {1, 2, 3},
                                             {1, 2, 3, 4}, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 6}};
    check(STEP_SEMI, DIFFERENTIAL, expected);
    check(STEP_DAE_OF_P, DIFFERENTIAL, expected);
}

/* As Deuflhard, Hairer and Zugck 1987 have it: T_j2 is no better than T_j1, and nothing is better than T_44.  So the difference of
   T_33 and T_32, the error estimate of row 3, is as large as that of row 2. */
TEST(algebraic_components_of_index_1_lose_an_order_and_gain_none_after_row_4)
{
    static const int expected[ROWS][ROWS] = {{1},          {1, 1},          {1, 1, 2},
                                             {1, 1, 2, 3}, {1, 1, 2, 3, 3}, {1, 1, 0, 0, 0, 3}};
    check(STEP_SEMI, ALGEBRAIC, expected);
    check(STEP_DAE_OF_P, ALGEBRAIC, expected);
}
