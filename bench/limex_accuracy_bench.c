/* SPDX-License-Identifier: Apache-2.0 */
/* Accuracy of S by limex.  Table 3 of Schlegel et al. 2002: the batch reactor to t = 10 with numerical differentiation inside the
   discretisation, (18)-(19), and with the direct solution, errors of the columns not tested; the paper's norm is not known, ours is the largest error of
   p_k ds_k over the first six components, as in the tables of the original codes.  Then what the block-diagonal matrix (16) costs in
   order, and what columns save that leave the tableau, the paper's closing idea. */
#include "support/claims.h"
#include "support/equal_steps.h"
#include "support/problems.h"
#include "support/reference_end.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>

enum { N = 10, NS = 8, SHOWN = 6, ROWS = 5 };

/* clang-format off */
static const struct {
    double tol, difference, direct;
} paper[ROWS] = {{1e-3, 4.8e-5, 4.8e-5}, {1e-4, 2.8e-6, 2.7e-6}, {1e-5, 1.3e-6, 1.4e-6}, {1e-6, 4.1e-7, 3.0e-7}, {1e-7, 4.7e-7, 1.2e-8}};
/* clang-format on */

struct outcome {
    struct measurement m;
    double error; /* of S */
};

static struct outcome solve_reactor(const struct reference *r, tansy_options options)
{
    const struct test_problem *const it = problem_find("batch_reactor_mass");
    static double y[N], sens[NS * N];
    struct experiment const e = reference_end_experiment(r, &it->problem, &options, y, sens);
    struct measurement const m = experiment_run(&e, 0.05);
    return (struct outcome){m, reference_end_errors(r, SHOWN, y, sens, it->problem.p).sens};
}

/* Forward differences with the paper's increment, the formula that the tolerance needs, exact tangents. */
static void table_3(struct claims *claims, FILE *file)
{
    struct reference r;
    reference_read(problem_find("batch_reactor_mass"), &r);
    printf("Table 3: batch reactor, error of S; paper: numerical differentiation, direct\n");
    printf("%8s %10s %10s | %12s %12s %12s | %10s %10s\n", "tol", "paper", "paper", "forward 1e-7",
           "auto", "tangent", "f", "f, forward");
    for (int k = 0; k < ROWS; k++) {
        tansy_options options = {.method = TANSY_LIMEX,
                                 .rtol = paper[k].tol,
                                 .atol = paper[k].tol,
                                 .error_control = TANSY_STATE_ONLY,
                                 .full_tableau = 1};
        struct outcome const direct = solve_reactor(&r, options);
        options.sensitivities = TANSY_DIFFERENCE;
        struct outcome const chosen = solve_reactor(&r, options);
        options.difference = TANSY_FORWARD;
        options.difference_increment = 1e-7;
        struct outcome const forward = solve_reactor(&r, options);
        printf("%8.0e %10.1e %10.1e | %12.1e %12.1e %12.1e | %10zu %10zu\n", paper[k].tol,
               paper[k].difference, paper[k].direct, forward.error, chosen.error, direct.error,
               direct.m.stats.rhs_evals, forward.m.stats.rhs_evals);
        fprintf(file, "table 3,%.0e,%.2e,%.2e,%.2e\n", paper[k].tol, forward.error, chosen.error,
                direct.error);
        claim(claims, forward.error <= 1.5 * direct.error + 1e-7 * SHOWN,
              "forward differences are worse",
              "tol %.0e: forward differences are as good as direct down to their increment",
              paper[k].tol);
        claim(claims, chosen.error <= 1.5 * direct.error + paper[k].tol / 100,
              "differences are worse",
              "tol %.0e: differences with our choice of formula are as good as direct",
              paper[k].tol);
    }
    reference_free(&r);
}

static void orders(struct claims *claims, FILE *file)
{
    static const enum step_form forms[] = {STEP_ODE, STEP_DAE};
    printf("\norder of S, error at 128 steps   exact tangents   block diagonal (16)\n");
    for (int f = 0; f < 2; f++)
        for (int j = 2; j <= 4; j++) {
            double order[2], error[2];
            for (int k = 0; k < 2; k++) {
                tansy_second_derivatives const second =
                    k ? TANSY_SECOND_NEGLECTED : TANSY_SECOND_AUTO;
                error[k] = equal_steps_error(forms[f], j, 128, second);
                order[k] = log2(equal_steps_error(forms[f], j, 64, second) / error[k]);
            }
            printf("%-4s %d rows                    %6.2f, %.1e     %6.2f, %.1e\n",
                   f ? "DAE" : "ODE", j, order[0], error[0], order[1], error[1]);
            fprintf(file, "order %s,%d,%.2f,%.2f,\n", f ? "DAE" : "ODE", j, order[0], order[1]);
            claim(claims, fabs(order[0] - j) < 0.3, "exact tangents lose order",
                  "%s, %d rows: exact tangents have order %d", f ? "DAE" : "ODE", j, j);
            claim(claims, fabs(order[1] - (f ? 2 : j)) < 0.3, "the block-diagonal form differs",
                  "%s, %d rows: the block-diagonal form has order %d", f ? "DAE" : "ODE", j,
                  f ? 2 : j);
        }
}

/* Columns with a tolerance of 1e-3 beside a state with less. */
static void early_exit(struct claims *claims, FILE *file)
{
    struct reference r;
    double loose[NS];
    reference_read(problem_find("batch_reactor_mass"), &r);
    for (int k = 0; k < NS; k++) loose[k] = 1e-3;
    printf("\ncolumns that need 1e-3 only leave the tableau: batch reactor\n");
    printf("%8s %10s %10s %10s %10s %10s %10s\n", "rtol", "tangents", "solves", "us", "the same,",
           "all rows", "");
    for (int digits = 5; digits <= 7; digits++) {
        tansy_options options = {.method = TANSY_LIMEX,
                                 .rtol = pow(10, -digits),
                                 .atol = pow(10, -digits),
                                 .rtol_column = loose};
        struct outcome const early = solve_reactor(&r, options);
        options.full_tableau = 1;
        struct outcome const full = solve_reactor(&r, options);
        printf("%8.0e %10zu %10zu %10.0f %10zu %10zu %10.0f  error %.1e, %.1e\n", options.rtol,
               early.m.stats.tangent_evals, early.m.stats.solves, 1e6 * early.m.seconds,
               full.m.stats.tangent_evals, full.m.stats.solves, 1e6 * full.m.seconds, early.error,
               full.error);
        fprintf(file, "exit,%.0e,%zu,%zu,%.2e\n", options.rtol, early.m.stats.tangent_evals,
                full.m.stats.tangent_evals, early.error);
        claim(claims,
              2 * early.m.stats.tangent_evals < full.m.stats.tangent_evals && early.error <= 0.1,
              "columns that leave save little",
              "rtol %.0e: columns that leave save more than half of the tangents", options.rtol);
    }
    reference_free(&r);
}

int main(void)
{
    struct claims claims = {.name = "limex_accuracy"};
    FILE *const file = results_open("limex_accuracy");
    fprintf(file, "table,row,first,second,third\n");
    table_3(&claims, file);
    orders(&claims, file);
    early_exit(&claims, file);
    (void)fclose(file);
    claims_finish(&claims);
    return 0;
}
