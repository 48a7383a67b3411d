/* SPDX-License-Identifier: Apache-2.0 */
/* Observed orders of limex on equal steps (support/step_problem.h) in y and in every column of S, where the
   tangents are differences, (18)-(19) of Schlegel et al. 2002, and where entries are left out of A: both have those of exact tangents
   with the whole A (order/limex_orders.c). */
#include <math.h>
#include <stdio.h>

#include "support/limex_rows.h"
#include "support/sparse_solver.h"
#include "support/step_dense.h"
#include "test.h"

static const double TIME = 1.5;

struct errors {
    double state, columns;
};

/* q + 1 rows in every step. */
static struct errors run(const struct step_problem *it, int q, int steps, tansy_options options)
{
    double y[STEP_N], sens[STEP_NP * STEP_N], errors[1 + STEP_NP];
    struct method fixed;
    options.rtol = options.atol = 0.1; /* nothing fails its test */
    tansy_solver *const s = limex_rows_create(&it->problem, q, TIME / steps, options, &fixed);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    for (int k = 0; k < steps; k++) CHECK_EQUAL(limex_rows_step(s, TIME, y, sens), TANSY_OK);
    CHECK(tansy_time(s) == TIME);
    if (options.sparsing > 0)
        CHECK(s->stepper.stages.thin.entries < s->J.entries); /* something was left out */
    step_errors(it, TIME, y, sens, errors);
    tansy_free(s);
    return (struct errors){errors[0], step_largest(errors)};
}

static struct errors slopes(enum step_form form, int q, int steps, tansy_options options,
                            const char *name)
{
    struct step_problem it;
    step_problem_set(&it, form, STEP_ALL, STEP_NP);
    if (options.sparsing > 0) step_problem_store(&it, TANSY_SPARSE);
    struct errors const coarse = run(&it, q, steps, options),
                        fine = run(&it, q, 2 * steps, options);
    struct errors const slope = {log2(coarse.state / fine.state),
                                 log2(coarse.columns / fine.columns)};
    printf("%-13s %d rows, %s: order of y %.2f, of S %.2f\n", step_form_name(form), q + 1, name,
           slope.state, slope.columns);
    return slope;
}

/* As in order/limex_orders.c, where it is derived. */
static const double SLACK = 0.35;

/* With differences rounding ends the orders earlier: fourth-order formulas leave 1e-12 or less. */
TEST(differences_have_the_orders_of_exact_tangents)
{
    tansy_options const options = {.sensitivities = TANSY_DIFFERENCE,
                                   .difference = TANSY_FOURTH_ORDER};
    for (int form = STEP_ODE; form < STEP_FORMS; form++)
        for (int q = 1; q <= 3; q++) {
            struct errors const slope = slopes((enum step_form)form, q, 32, options, "differences");
            CHECK_CLOSE(slope.state, q + 1, SLACK);
            CHECK_CLOSE(slope.columns, q + 1, SLACK);
        }
}

/* With sparsing = 1 whatever is not stiff is left out: here all of A but its diagonal, or but the algebraic equation.  (The other forms
   have a full B, all of whose entries stay.) */
TEST(entries_left_out_cost_no_order)
{
    sparse_solver_needed();
    static const enum step_form forms[] = {STEP_ODE, STEP_SEMI};
    tansy_options const options = {.sparsing = 1};
    for (int k = 0; k < 2; k++)
        for (int q = 1; q <= 3; q++) {
            struct errors const slope = slopes(forms[k], q, 32, options, "sparsing");
            CHECK_CLOSE(slope.state, q + 1, SLACK);
            CHECK_CLOSE(slope.columns, q + 1, SLACK);
        }
}
