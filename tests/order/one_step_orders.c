/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/step_problem.h"
#include "test.h"

static const double TIME = 1.5;
enum { REFINEMENTS = 5 };

static void run(const struct step_problem *it, tansy_options o, int steps, double *errors)
{
    double y[STEP_N], sens[STEP_MOST_COLUMNS * STEP_N];
    double const h = TIME / steps;
    o.first_step = o.min_step = o.max_step = h;
    o.rtol = 0.1;
    o.atol = 1e10;
    o.use_stop_time = 1;
    o.stop_time = TIME;
    tansy_solver *const s = tansy_create(&it->problem, &o);
    tansy_status const status = tansy_solve(s, TIME, y, sens);
    if (status) printf("%s\n", tansy_message(s));
    CHECK_EQUAL(status, TANSY_OK);
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    if (stats.steps != (size_t)steps) printf("steps %zu for %d\n", stats.steps, steps);
    step_errors(it, TIME, y, sens, errors);
    tansy_free(s);
}

TEST(explore)
{
    static const tansy_formula formulas[] = {TANSY_DOP853, TANSY_DOPRI8, TANSY_RODAS5P, TANSY_RODAS4, TANSY_GRK4A, TANSY_GRK4T};
    for (int x = 0; x < 6; x++)
    for (int form = 0; form < STEP_FORMS; form++)
    for (int second = 0; second < 3; second += 2) {
        if (x < 2 && (form || second)) continue;
        struct step_problem it;
        step_problem_set(&it, form, STEP_ALL, 6);
        double last[80] = {0};
        printf("formula %d %s second %d\n", x, step_form_name(form), second);
        for (int steps = x < 2 ? 4 : 16; steps <= (x < 2 ? 32 : 256); steps *= 2) {
            double e[80];
            run(&it, (tansy_options){.method = x < 2 ? TANSY_RK8 : TANSY_ROSENBROCK, .formula = formulas[x], .second_derivatives = second}, steps, e);
            printf("%4d", steps);
            for (int k = 0; k <= 6; k++) { printf("  %.1e (%.2f)", e[k], log2(last[k]/e[k])); last[k] = e[k]; }
            printf("\n");
        }
    }
}
