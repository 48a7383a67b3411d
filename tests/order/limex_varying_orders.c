/* SPDX-License-Identifier: Apache-2.0 */
/* Observed orders of the rows of limex for B(t, y, p) y' = f on equal steps, j = q + 1 rows, in y and in every column: j with regular B, j up
   to 3 with singular B that depends on algebraic variables: more rows make the errors smaller, not the order higher. */
#include <math.h>
#include <stdio.h>

#include "support/limex_rows.h"
#include "support/varying_mass.h"
#include "test.h"

static const double TIME = 1.5;

struct errors {
    double state, columns;
};

static struct errors run(bool singular, int q, int steps)
{
    /* Nothing fails its test, and the iteration, which leaves 1e-5 of that, is far better than the rows. */
    double const rtol = 0.1 * pow(0.05, q);
    struct errors e;
    double y[VARYING_N], sens[VARYING_N * VARYING_NP], r = 0.5;
    tansy_problem const problem = varying_problem(singular, VARYING_TANGENTS, &r);
    tansy_options const options = {.rtol = rtol, .atol = rtol};
    struct method fixed;
    tansy_solver *const s = limex_rows_create(&problem, q, TIME / steps, options, &fixed);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    for (int k = 0; k < steps; k++) CHECK_EQUAL(limex_rows_step(s, TIME, y, sens), TANSY_OK);
    CHECK(tansy_time(s) == TIME);
    varying_errors(singular, TIME, y, sens, &e.state, &e.columns);
    tansy_free(s);
    return e;
}

static void check_orders(bool singular, int last)
{
    for (int q = 1; q <= last; q++) {
        int const steps = q <= 2 ? 64 : q == 3 ? 32 : 12;
        struct errors const coarse = run(singular, q, steps), fine = run(singular, q, 2 * steps);
        double const state = log2(coarse.state / fine.state),
                     columns = log2(coarse.columns / fine.columns);
        printf("%s, %d rows: order of y %.2f, of S %.2f\n", singular ? "singular" : "regular",
               q + 1, state, columns);
        int const order = singular && q > 2 ? 3 : q + 1;
        CHECK_CLOSE(state, order, 0.35); /* C h^j (1 + O(h)), as in limex_orders.c */
        CHECK_CLOSE(columns, order, 0.35);
    }
}

TEST(row_j_has_order_j_with_regular_b)
{
    check_orders(false, 4);
}

TEST(row_j_has_order_j_up_to_3_with_singular_b)
{
    check_orders(true, 3);
}
