/* SPDX-License-Identifier: Apache-2.0 */
/* Error control: who makes a step be repeated, and what the tolerance of one column does to it and to others. */
#include "support/fault_cases.h"
#include "support/problems.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 32 };

/* A run of a test problem to a part of its way. */
static tansy_solver *run(const struct test_problem *it, tansy_options options, double share)
{
    double atol[MOST_COLUMNS];
    for (size_t i = 0; i < it->problem.n; i++) atol[i] = options.rtol * it->atol[i];
    options.atol_state = atol;
    tansy_solver *const s = tansy_create(&it->problem, &options);
    tansy_status const status = tansy_solve(s, it->problem.t0 + share * it->t_end, NULL, NULL);
    if (status < 0) fprintf(stderr, "%s: %s\n", it->name, tansy_message(s));
    CHECK_EQUAL(status, TANSY_OK);
    return s;
}

TEST(repeated_steps_add_up_to_the_rejected_ones)
{
    static const char *const names[] = {"van_der_pol", "robertson", "gas_oil", "hires"};
    size_t by_state = 0, by_columns = 0;
    for (size_t x = 0; x < sizeof names / sizeof *names; x++)
        for (size_t number = 0; number < FAULT_CASES; number += FAULT_SOURCES)
            for (int control = TANSY_EACH_COLUMN; control <= TANSY_ALL_AS_ONE; control++) {
                const struct test_problem *const it = problem_find(names[x]);
                tansy_options options = fault_case(number).options;
                if (it->stiff && options.method == TANSY_ADAMS) continue;
                options.error_control = (tansy_error_control)control;
                tansy_solver *const s = run(it, options, 0.2);
                tansy_stats stats;
                tansy_get_stats(s, &stats);
                size_t sum = tansy_repeated_steps(s, -1);
                by_state += sum;
                for (size_t k = 0; k < stats.ns; k++) sum += tansy_repeated_steps(s, (ptrdiff_t)k);
                by_columns += sum - tansy_repeated_steps(s, -1);
                CHECK_EQUAL(sum, stats.rejected_error);
                if (control == TANSY_STATE_ONLY) CHECK_EQUAL(sum, tansy_repeated_steps(s, -1));
                CHECK_EQUAL(tansy_repeated_steps(s, (ptrdiff_t)stats.ns), 0);
                CHECK_EQUAL(tansy_repeated_steps(s, -2), 0);
                tansy_free(s);
            }
    CHECK(by_state > 0 && by_columns > 0); /* or nothing was tested */
}

static struct fault_result solve(const struct fault_case *it, const int *columns, size_t ns)
{
    struct fault_user user = fault_user();
    tansy_problem problem = fault_problem(&user, it->gives, fault_p);
    problem.columns = columns;
    problem.ns = ns;
    tansy_solver *const s = tansy_create(&problem, &it->options);
    struct fault_result const r = fault_integrate(s, 2);
    tansy_free(s);
    CHECK_EQUAL(r.status, TANSY_OK);
    return r;
}

/* Column m in the midst of others with a tolerance that nothing exceeds is as if another stood there twice: in
   either case it has no say in steps, orders and iterations, and lanes do not mix. */
TEST(a_column_with_a_huge_tolerance_changes_nothing_else)
{
    static const int with[] = {0, 1, 2}, twice[] = {0, 0, 2};
    static const double huge[] = {0, 1e200, 0};
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case it = fault_case(number);
        struct fault_result const b = solve(&it, twice, 3);
        it.options.rtol_column = huge;
        struct fault_result const a = solve(&it, with, 3);
        struct fault_user const user = fault_user();
        bool const same = a.stats.steps == b.stats.steps && a.stats.solves == b.stats.solves &&
                          a.stats.rejected_error == b.stats.rejected_error &&
                          memcmp(a.y, b.y, sizeof a.y) == 0 &&
                          memcmp(a.sens, b.sens, FAULT_N * sizeof *a.sens) == 0 &&
                          memcmp(a.sens + 4, b.sens + 4, FAULT_N * sizeof *a.sens) == 0;
        CHECK_EQUAL(fault_told(same, "the same bits", &it, &user, &a), 0);
        CHECK(a.finite);
    }
}

TEST(a_column_with_a_huge_tolerance_repeats_no_step)
{
    static const double huge[] = {1e200, 1e200, 1e200};
    for (size_t number = 0; number < FAULT_CASES / 2; number += FAULT_SOURCES) { /* stiff: bdf */
        tansy_options options = fault_case(number).options;
        options.rtol_column = huge;
        tansy_solver *const s = run(problem_find("robertson"), options, 1);
        tansy_stats stats;
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(tansy_repeated_steps(s, -1), stats.rejected_error);
        tansy_free(s);
    }
}

/* e of one column: docs/design.md section 12 with floor = 1e-3. */
static double error_of(const struct fault_result *r, double t, size_t k)
{
    double y[FAULT_N], exact[FAULT_SENS], error = 0;
    fault_exact(t, y, exact);
    for (size_t x = k * FAULT_N; x < (k + 1) * FAULT_N; x++)
        error = fmax(error, fabs(r->sens[x] - exact[x]) * fault_p[k] /
                                (fabs(exact[x]) * fault_p[k] + 1e-3));
    return error;
}

TEST(a_tighter_tolerance_of_a_column_makes_it_better)
{
    for (size_t number = 0; number < FAULT_CASES; number++)
        for (size_t k = 0; k < FAULT_NP; k++) {
            struct fault_case it = fault_case(number);
            struct fault_result const loose = solve(&it, NULL, 0);
            double tight[FAULT_NP] = {0};
            tight[k] = 1e-4 * it.options.rtol;
            it.options.rtol_column = tight;
            struct fault_result const r = solve(&it, NULL, 0);
            CHECK_AT_MOST(error_of(&r, 2, k), 100 * tight[k]);
            CHECK_AT_MOST(fault_error(2, 1e-3, r.y, r.sens), 100 * it.options.rtol);
            if (k == 0) CHECK(r.stats.steps > loose.stats.steps);
        }
}

/* The state does not feel the columns, nor their tolerance, when they are not tested. */
TEST(columns_that_are_not_tested_do_not_move_the_state)
{
    static const double tight[FAULT_NP] = {1e-9, 1e-9, 1e-9, 1e-9};
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case it = fault_case(number);
        if (it.differences || it.options.sensitivities == TANSY_SIMULTANEOUS) continue;
        it.options.error_control = TANSY_STATE_ONLY;
        struct fault_result const loose = solve(&it, NULL, 0);
        it.options.rtol_column = tight;
        struct fault_result const r = solve(&it, NULL, 0);
        if (r.stats.rejected_newton > loose.stats.rejected_newton) continue; /* of the columns */
        CHECK_EQUAL(r.stats.steps, loose.stats.steps);
        CHECK_EQUAL(memcmp(r.y, loose.y, sizeof r.y), 0);
    }
}

/* The norm of everything is at most the largest norm of the state and of each column: the test is looser, and
   only the play of single decisions may cost a step more.  The promise holds for the whole. */
TEST(one_test_of_everything_is_looser_than_each_column_on_its_own)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case it = fault_case(number);
        struct fault_result const each = solve(&it, NULL, 0);
        it.options.error_control = TANSY_ALL_AS_ONE;
        struct fault_result const one = solve(&it, NULL, 0);
        CHECK_AT_MOST((double)one.stats.steps, 1.1 * (double)each.stats.steps);
        /* of 5 norms one may be sqrt(5) times their root mean square */
        CHECK_AT_MOST(fault_error(2, 1e-3, one.y, one.sens), sqrt(5) * 100 * it.options.rtol);
    }
}

/* Two components that know nothing of each other, in either order, one with a loose rtol and one with a tight one. */
static int apart(double t, const double *y, const double *p, double *f, void *context)
{
    const size_t *const first = context;
    (void)t;
    f[*first] = -p[0] * y[*first];
    f[1 - *first] = -2 * p[0] * y[1 - *first];
    return 0;
}

TEST(tolerances_of_columns_do_not_depend_on_the_order_of_components)
{
    static const double y0[] = {1, 1}, p[] = {1.3}, column[] = {1e-5};
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF, TANSY_RK8, TANSY_LIMEX};
    for (int m = 0; m < 4; m++) {
        double y[2], S[2][2];
        tansy_stats stats[2];
        for (size_t first = 0; first < 2; first++) {
            double rtol[2];
            rtol[first] = 1e-2;
            rtol[1 - first] = 1e-8;
            tansy_problem const problem = {
                .n = 2, .np = 1, .y0 = y0, .p = p, .rhs = apart, .context = &first};
            tansy_options const o = {
                .method = methods[m], .rtol_state = rtol, .rtol_column = column, .atol = 1e-6};
            tansy_solver *const s = tansy_create(&problem, &o);
            CHECK_EQUAL(tansy_solve(s, 8, y, S[first]), TANSY_OK);
            tansy_get_stats(s, &stats[first]);
            tansy_free(s);
        }
        CHECK_EQUAL(stats[0].steps, stats[1].steps);
        CHECK_CLOSE(S[0][0], S[1][1], 1e-12); /* sums in another order */
        CHECK_CLOSE(S[0][1], S[1][0], 1e-12);
    }
}
