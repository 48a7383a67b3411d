/* SPDX-License-Identifier: Apache-2.0 */
/* Observed orders of the rows of limex on equal steps (support/step_problem.h), in y and in every column of S, j = q + 1 rows:
     y' = f and B y' = f with regular B   j, also of S with second derivatives neglected;
     B y' = f of index 1                  j up to 4, then 4 with smaller errors; 2 of S with second derivatives neglected. */
#include <math.h>
#include <stdio.h>

#include "support/limex_rows.h"
#include "support/step_dense.h"
#include "test.h"

static const double TIME = 1.5;

/* Of y, of the worst column, and of dense output: values of y and S, slopes of y and S. */
struct errors {
    double state, columns, dense[4];
};

/* Values inside the last step, of problems whose slopes have no closed form here. */
static void look_at_values(tansy_solver *s, const struct step_problem *it, double h, double *dense)
{
    for (int x = 1; x <= 5; x++) {
        double y[STEP_N], sens[STEP_NP * STEP_N], errors[1 + STEP_NP];
        double const t = tansy_time(s) - h * x / 6;
        CHECK_EQUAL(tansy_at(s, t, y, NULL, sens, NULL), TANSY_OK);
        step_errors(it, t, y, sens, errors);
        dense[0] = fmax(dense[0], errors[0]);
        dense[1] = fmax(dense[1], step_largest(errors));
    }
}

/* q + 1 rows in every step. */
static struct errors run(const struct step_problem *it, int q, int steps,
                         tansy_second_derivatives second)
{
    struct errors e = {.state = 0};
    double y[STEP_N], sens[STEP_NP * STEP_N], errors[1 + STEP_NP];
    double const h = TIME / steps;
    /* nothing fails its test */
    tansy_options const options = {.second_derivatives = second, .rtol = 0.1, .atol = 0.1};
    struct method fixed;
    tansy_stats stats;
    tansy_solver *const s = limex_rows_create(&it->problem, q, h, options, &fixed);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    for (int k = 0; k < steps; k++) {
        CHECK_EQUAL(limex_rows_step(s, TIME, y, sens), TANSY_OK);
        (it->form == STEP_ODE ? step_look_inside : look_at_values)(s, it, h, e.dense);
    }
    CHECK(tansy_time(s) == TIME);
    tansy_get_stats(s, &stats);
    CHECK_EQUAL(stats.steps, steps);
    CHECK_EQUAL(stats.factorizations, steps * (q + 1));
    step_errors(it, TIME, y, sens, errors);
    e.state = errors[0];
    e.columns = step_largest(errors);
    tansy_free(s);
    return e;
}

/* Slopes of log error between h and h/2; *error: the largest of S at h/2. */
static struct errors slopes(enum step_form form, int q, int steps, tansy_second_derivatives second,
                            double *error)
{
    struct step_problem it;
    step_problem_set(&it, form, STEP_ALL, STEP_NP);
    struct errors const coarse = run(&it, q, steps, second), fine = run(&it, q, 2 * steps, second);
    struct errors slope = {.state = log2(coarse.state / fine.state),
                           .columns = log2(coarse.columns / fine.columns)};
    for (int k = 0; k < (form == STEP_ODE ? 4 : 2); k++)
        slope.dense[k] = log2(coarse.dense[k] / fine.dense[k]);
    printf("%-13s %d rows%s: order of y %.2f, of S %.2f\n", step_form_name(form), q + 1,
           second == TANSY_SECOND_NEGLECTED ? ", neglected" : "", slope.state, slope.columns);
    if (error) *error = fine.columns;
    return slope;
}

/* The error is C h^j (1 + O(h)), the O(h) being up to 0.6 of the first term at the h used here: log2(1.6/1.3) = 0.3.  From 5 rows on
   steps are long, or the error would be that of rounding, which is still a twentieth of it: 0.05. */
static const double SLACK = 0.35;

TEST(row_j_has_order_j_in_y_and_s)
{
    for (int form = STEP_ODE; form <= STEP_MASS_OF_P; form++)
        for (int q = 1; q <= 5; q++) {
            struct errors const slope =
                slopes((enum step_form)form, q, q <= 3 ? 32 : 16, TANSY_SECOND_AUTO, NULL);
            CHECK_CLOSE(slope.state, q + 1, SLACK);
            CHECK_CLOSE(slope.columns, q + 1, SLACK);
        }
}

/* The expansion of the error in powers of h ends at h^4 with algebraic equations: rows 5, 6, .. make its constant smaller, not more. */
TEST(rows_have_order_4_at_most_in_algebraic_equations)
{
    for (int form = STEP_SEMI; form < STEP_FORMS; form++) {
        double error = 0, smaller = 0;
        for (int q = 1; q <= 3; q++) {
            struct errors const slope =
                slopes((enum step_form)form, q, 64, TANSY_SECOND_AUTO, &error);
            CHECK_CLOSE(slope.state, q + 1, 0.1);
            CHECK_CLOSE(slope.columns, q + 1, 0.1);
        }
        struct errors const slope =
            slopes((enum step_form)form, 5, 64, TANSY_SECOND_AUTO, &smaller);
        CHECK_CLOSE(slope.state, 4, 0.6);
        CHECK_CLOSE(slope.columns, 4, 0.6);
        CHECK_AT_MOST(smaller, 0.05 * error);
    }
}

/* With any matrix for A the error of linearly implicit Euler has an expansion in powers of h: ODEs lose nothing. */
TEST(neglected_second_derivatives_cost_no_order_without_algebraic_equations)
{
    for (int form = STEP_ODE; form <= STEP_MASS_OF_P; form++)
        for (int q = 1; q <= 4; q++) {
            struct errors const slope =
                slopes((enum step_form)form, q, q <= 3 ? 32 : 16, TANSY_SECOND_NEGLECTED, NULL);
            CHECK_CLOSE(slope.state, q + 1, SLACK);
            CHECK_CLOSE(slope.columns, q + 1, SLACK);
        }
}

TEST(neglected_second_derivatives_leave_order_2_with_algebraic_equations)
{
    for (int form = STEP_SEMI; form < STEP_FORMS; form++)
        for (int q = 1; q <= 4; q++) {
            struct errors const slope =
                slopes((enum step_form)form, q, 128, TANSY_SECOND_NEGLECTED, NULL);
            if (q <= 3) CHECK_CLOSE(slope.state, q + 1, 0.1); /* it is not touched */
            CHECK_CLOSE(slope.columns, 2, 0.2);
        }
}

/* With j rows the polynomial is wrong by O(h^j), at least by O(h^4), its slope by O(h^(j-1)), at least by O(h^3); with fewer than 4 rows
   by what the ends are. */
TEST(dense_output_has_the_order_of_the_rows_less_one)
{
    for (int q = 1; q <= 5; q++) {
        struct errors const slope = slopes(STEP_ODE, q, q <= 3 ? 32 : 16, TANSY_SECOND_AUTO, NULL);
        printf("dense: y %.2f, S %.2f, y' %.2f, S' %.2f\n", slope.dense[0], slope.dense[1],
               slope.dense[2], slope.dense[3]);
        for (int k = 0; k < 4; k++) {
            int const rows = q + 1, most = k < 2 ? rows : rows > 3 ? rows - 1 : rows;
            CHECK_CLOSE(slope.dense[k], most, SLACK);
        }
    }
}

/* Algebraic components jump in the first short step of a row, which the derivatives leave out. */
TEST(dense_output_has_order_j_up_to_4_in_algebraic_equations)
{
    for (int form = STEP_SEMI; form < STEP_FORMS; form++)
        for (int q = 1; q <= 3; q++) {
            struct errors const slope =
                slopes((enum step_form)form, q, 64, TANSY_SECOND_AUTO, NULL);
            printf("dense: y %.2f, S %.2f\n", slope.dense[0], slope.dense[1]);
            for (int k = 0; k < 2; k++) CHECK_CLOSE(slope.dense[k], q + 1, SLACK);
        }
}
