/* SPDX-License-Identifier: Apache-2.0 */
/* Tolerances of S apart from that of y (TOL and TOLS of Franz and Kiehl) with one-step methods: rtol_column, rtol_sens, atol_sens. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/step_dense.h"
#include "test.h"

enum { N = 2, NS = STEP_NP }; /* of the form y' = f */
static const double t_end = 1.5, tight = 1e-7, loose = 1e-3;

struct run {
    double y[STEP_N], sens[NS * STEP_N], errors[1 + NS];
    size_t steps;
};

static struct run solve(enum step_form form, const tansy_options *options)
{
    struct run r = {.steps = 0};
    struct step_problem it;
    tansy_stats stats;
    step_problem_set(&it, form, STEP_ALL, NS);
    tansy_solver *const s = tansy_create(&it.problem, options);
    CHECK_EQUAL(tansy_solve(s, t_end, r.y, r.sens), TANSY_OK);
    tansy_get_stats(s, &stats);
    r.steps = stats.steps;
    step_errors(&it, t_end, r.y, r.sens, r.errors);
    tansy_free(s);
    return r;
}

static tansy_options options_of(int method, int way, double rtol)
{
    return (tansy_options){.method = (tansy_method)method,
                           .sensitivities = (tansy_sensitivities)way,
                           .difference = TANSY_FOURTH_ORDER,
                           .rtol = rtol,
                           .atol = rtol};
}

#define EVERY_METHOD_AND_WAY                                                                       \
    for (int method = TANSY_RK8; method <= TANSY_ROSENBROCK; method++)                             \
        for (int way = TANSY_TANGENT; way <= TANSY_DIFFERENCE; way++)

static double largest_column(const struct run *r)
{
    double worst = 0;
    for (int k = 0; k < NS; k++) worst = fmax(worst, r->errors[1 + k]);
    return worst;
}

/* Every part proposes a step, the smallest wins: what is tight alone makes as many steps as all together, but for few, and keeps its
   promise; absolute tolerances of S follow those of y. */
TEST(the_tightest_of_state_and_columns_rules_the_steps)
{
    EVERY_METHOD_AND_WAY
    {
        double column[NS], atol[NS * N];
        for (int k = 0; k < NS; k++) column[k] = tight;
        for (int x = 0; x < NS * N; x++) atol[x] = tight;
        tansy_options o = options_of(method, way, loose);
        struct run const rough = solve(STEP_ODE, &o);
        o.rtol_column = column;
        o.atol_sens = atol;
        struct run const columns = solve(STEP_ODE, &o);
        o = options_of(method, way, tight);
        struct run const all = solve(STEP_ODE, &o);
        for (int k = 0; k < NS; k++) column[k] = loose;
        for (int x = 0; x < NS * N; x++) atol[x] = loose;
        o.rtol_column = column;
        o.atol_sens = atol;
        struct run const state = solve(STEP_ODE, &o);
        size_t const most = columns.steps > state.steps ? columns.steps : state.steps;
        printf("method %d, way %d: %zu steps, tight y %zu, tight S %zu, both %zu\n", method, way,
               rough.steps, state.steps, columns.steps, all.steps);
        CHECK(columns.steps > rough.steps && state.steps > rough.steps);
        CHECK(all.steps + 1 >= most && all.steps <= most + most / 4 + 1);
        CHECK_AT_MOST(largest_column(&columns), 100 * tight);
        CHECK_AT_MOST(state.errors[0], 100 * tight);
        CHECK_AT_MOST(largest_column(&state), 100 * loose);
    }
}

/* One column among loose ones. */
TEST(a_single_tight_column_is_right_to_its_tolerance)
{
    EVERY_METHOD_AND_WAY
    for (int k = 0; k < NS; k++) {
        double column[NS] = {0}, atol[NS * N];
        tansy_options o = options_of(method, way, loose);
        struct run const rough = solve(STEP_ODE, &o);
        column[k] = tight;
        for (int x = 0; x < NS * N; x++) atol[x] = x / N == k ? tight : loose;
        o.rtol_column = column;
        o.atol_sens = atol;
        struct run const one = solve(STEP_ODE, &o);
        CHECK_AT_MOST(one.errors[1 + k], 100 * tight);
        CHECK(one.steps >= rough.steps);
    }
}

/* rtol_sens says for every entry what rtol_column says for a column: the same bits. */
TEST(tolerances_of_entries_are_those_of_columns)
{
    EVERY_METHOD_AND_WAY
    {
        double column[NS], entries[NS * N], atol[NS * N];
        for (int k = 0; k < NS; k++) column[k] = loose * pow(10, -k % 4);
        for (int x = 0; x < NS * N; x++) {
            entries[x] = column[x / N];
            atol[x] = 1e-2 * column[x / N];
        }
        tansy_options o = options_of(method, way, loose);
        o.atol_sens = atol;
        o.rtol_column = column;
        struct run const by_column = solve(STEP_ODE, &o);
        o.rtol_column = NULL;
        o.rtol_sens = entries;
        struct run const by_entry = solve(STEP_ODE, &o);
        CHECK_EQUAL(by_column.steps, by_entry.steps);
        CHECK_EQUAL(memcmp(by_column.sens, by_entry.sens, sizeof(double) * NS * N), 0);
    }
}

/* Where y is to be more accurate than S its own steps are k times as many; of algebraic components too, and with differences. */
TEST(substeps_make_the_state_of_algebraic_equations_more_accurate)
{
    for (int form = STEP_SEMI; form <= STEP_DAE_OF_P; form++)
        for (int way = TANSY_TANGENT; way <= TANSY_DIFFERENCE; way++) {
            double column[NS];
            for (int k = 0; k < NS; k++) column[k] = loose;
            tansy_options o = options_of(TANSY_ROSENBROCK, way, tight);
            o.rtol_column = column;
            struct run const plain = solve((enum step_form)form, &o);
            o.substeps = -1;
            struct run const refined = solve((enum step_form)form, &o);
            printf("form %d, way %d: %zu steps, with substeps %zu; y %.1e, S %.1e\n", form, way,
                   plain.steps, refined.steps, refined.errors[0], largest_column(&refined));
            CHECK_AT_MOST(refined.errors[0], 100 * tight);
            CHECK_AT_MOST(largest_column(&refined), 100 * loose);
            CHECK(2 * refined.steps <= plain.steps + 4);
        }
}
