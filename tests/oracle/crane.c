/* SPDX-License-Identifier: Apache-2.0 */
/* The container crane: 8 intervals against the reference by every method, 16 and 32 by two methods against each other; the columns of
   levels that do not act yet are exactly zero and are not worked on. */
#include "support/crane.h"

#include <math.h>
#include <stdio.h>
#include <tansy/tansy.h>

#include "support/accuracy.h"
#include "test.h"

enum { N = CRANE_STATES, MOST = 2 * CRANE_MOST };

/* Errors at rtol = 1e-4 .. 10^-last in units of rtol; the worst of them. */
static double worst_of(tansy_method method, tansy_sensitivities sensitivities,
                       enum derivatives derivatives, int last)
{
    struct oracle o;
    double worst = 0;
    oracle_open("crane_8", &o);
    for (int digits = 4; digits <= last; digits++) {
        double const rtol = pow(10, -digits);
        struct accuracy const a = oracle_measure(
            &o, derivatives,
            &(tansy_options){.method = method, .sensitivities = sensitivities, .rtol = rtol});
        double const error = fmax(a.state, a.columns) / rtol;
        if (a.status != TANSY_OK) fprintf(stderr, "%s\n", a.message);
        worst = fmax(worst, error);
    }
    printf("%s %s: error/rtol at most %.2g\n", method_name(method),
           sensitivities_name(sensitivities), worst);
    oracle_close(&o);
    return worst;
}

TEST(one_step_methods_keep_their_promise_on_the_crane)
{
    CHECK_AT_MOST(worst_of(TANSY_RK8, TANSY_SENSITIVITIES_AUTO, GIVEN, 10), 100);
    CHECK_AT_MOST(worst_of(TANSY_ROSENBROCK, TANSY_SENSITIVITIES_AUTO, GIVEN, 9), 100);
    CHECK_AT_MOST(worst_of(TANSY_LIMEX, TANSY_SENSITIVITIES_AUTO, GIVEN, 9), 100);
    CHECK_AT_MOST(worst_of(TANSY_METHOD_AUTO, TANSY_SENSITIVITIES_AUTO, GIVEN, 9), 100);
}

TEST(multistep_methods_keep_their_promise_on_the_crane)
{
    static const tansy_sensitivities corrector[] = {TANSY_SIMULTANEOUS, TANSY_STAGGERED,
                                                    TANSY_DIRECT};
    for (int c = 0; c < 3; c++) {
        CHECK_AT_MOST(worst_of(TANSY_BDF, corrector[c], GIVEN, 8), 100);
        CHECK_AT_MOST(worst_of(TANSY_ADAMS, corrector[c], GIVEN, 8), 100);
        CHECK_AT_MOST(worst_of(TANSY_DASSL, corrector[c], GIVEN, 8), 100);
    }
}

TEST(differences_keep_their_promise_on_the_crane)
{
    CHECK_AT_MOST(worst_of(TANSY_RK8, TANSY_SENSITIVITIES_AUTO, BY_DIFFERENCES, 6), 100);
    CHECK_AT_MOST(worst_of(TANSY_BDF, TANSY_SENSITIVITIES_AUTO, BY_DIFFERENCES, 6), 100);
    CHECK_AT_MOST(worst_of(TANSY_RK8, TANSY_DIFFERENCE, GIVEN, 6), 100);
}

/* y and S at t = 9, S in units of the largest level. */
static tansy_stats solve(const tansy_problem *problem, tansy_method method, double rtol, double *y,
                         double *sens)
{
    tansy_stats stats;
    /* Columns of zeros would leave the rows of limex early by themselves. */
    tansy_solver *const s =
        tansy_create(problem, &(tansy_options){.method = method,
                                               .rtol = rtol,
                                               .atol = 1e-3 * rtol,
                                               .full_tableau = method == TANSY_LIMEX});
    CHECK_EQUAL(tansy_solve(s, 9, y, sens), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats;
}

/* Both promise 100 rtol at most: 1e-10 for each. */
static void compare_methods(size_t intervals)
{
    static double y[2][N], sens[2][MOST * N];
    const tansy_problem *const problem = &crane_problem(intervals)->problem;
    solve(problem, TANSY_RK8, 1e-12, y[0], sens[0]);
    solve(problem, TANSY_ROSENBROCK, 1e-12, y[1], sens[1]);
    for (size_t i = 0; i < N; i++) CHECK_CLOSE(y[1][i], y[0][i], 2e-10 * fmax(1, fabs(y[0][i])));
    for (size_t x = 0; x < 2 * intervals * N; x++)
        CHECK_CLOSE(sens[1][x], sens[0][x], 2e-10 * fmax(1, fabs(sens[0][x])));
}

TEST(rk8_and_rosenbrock_agree_on_16_intervals)
{
    compare_methods(16);
}

TEST(rk8_and_rosenbrock_agree_on_32_intervals)
{
    compare_methods(32);
}

/* The steps of DASPK's staggered direct corrector (staggered for 16 intervals) at the same tolerances are the measure: we are to take
   no more than two thirds of them. */
TEST(multistep_methods_restart_well)
{
    static const struct {
        size_t intervals;
        double tol, daspk;
    } run[] = {{8, 1e-5, 256}, {8, 1e-7, 443}, {16, 1e-5, 405}, {16, 1e-7, 718}};
    static const tansy_method methods[] = {TANSY_BDF, TANSY_DASSL, TANSY_ADAMS};
    static double y[N], sens[MOST * N], tolerances[MOST * N];
    for (size_t x = 0; x < sizeof run / sizeof *run; x++)
        for (int m = 0; m < 3; m++) {
            tansy_stats stats;
            for (size_t k = 0; k < MOST * N; k++) tolerances[k] = run[x].tol;
            tansy_solver *const s = tansy_create(&crane_problem(run[x].intervals)->problem,
                                                 &(tansy_options){.method = methods[m],
                                                                  .rtol = run[x].tol,
                                                                  .atol = run[x].tol,
                                                                  .rtol_sens = tolerances,
                                                                  .atol_sens = tolerances});
            CHECK_EQUAL(tansy_solve(s, 9, y, sens), TANSY_OK);
            tansy_get_stats(s, &stats);
            CHECK_EQUAL(stats.restarts, run[x].intervals - 1);
            CHECK_AT_MOST((double)stats.steps, 2 * run[x].daspk / 3);
            tansy_free(s);
        }
}

/* With every level active from the beginning nothing but the work is another.  Zero columns never decide; norms of columns in panels of
   other widths are summed in another order, which moves h by some roundings, and direct renews factors by the number of columns: both
   move the solution by far less than its error. */
TEST(waiting_columns_change_nothing_but_the_work)
{
    static double y[2][N], sens[2][MOST * N];
    double const rtol = 1e-6;
    static const tansy_method methods[] = {TANSY_RK8,        TANSY_ROSENBROCK, TANSY_LIMEX,
                                           TANSY_BDF,        TANSY_ADAMS,      TANSY_DASSL,
                                           TANSY_METHOD_AUTO};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        tansy_problem all = crane_problem(32)->problem;
        tansy_stats const waiting = solve(&all, methods[m], rtol, y[0], sens[0]);
        all.active_from = NULL;
        tansy_stats const working = solve(&all, methods[m], rtol, y[1], sens[1]);
        CHECK_EQUAL(waiting.steps, working.steps);
        for (size_t i = 0; i < N; i++) CHECK_CLOSE(y[0][i], y[1][i], 1e-2 * rtol);
        for (size_t x = 0; x < MOST * N; x++) CHECK_CLOSE(sens[0][x], sens[1][x], 1e-2 * rtol);
        /* Intervals cost about the same: of 64 columns (2 + 4 + ... + 64)/32 = 33 on average are active. */
        double const share = (double)waiting.tangent_evals / (double)working.tangent_evals;
        printf("%s: %zu columns of tangents instead of %zu\n", method_name(methods[m]),
               waiting.tangent_evals, working.tangent_evals);
        CHECK_CLOSE(share, 33.0 / 64, 0.1);
    }
}

/* In the first half of 8 intervals the levels of the second do not act. */
TEST(columns_of_later_levels_are_exactly_zero)
{
    const tansy_problem *const problem = &crane_problem(8)->problem;
    double y[N], sens[16 * N], sensp[16 * N];
    tansy_solver *const s = tansy_create(problem, &(tansy_options){.method = TANSY_RK8});
    for (int k = 1; k <= 8; k++) {
        double const t = 9.0 * k / 8;
        CHECK_EQUAL(tansy_solve(s, t, y, sens), TANSY_OK);
        CHECK_EQUAL(tansy_at(s, t, NULL, NULL, NULL, sensp), TANSY_OK);
        for (int x = 2 * k * N; x < 16 * N; x++) CHECK(sens[x] == 0 && sensp[x] == 0);
        CHECK(sens[(2 * k - 2) * N + 3] != 0 && sens[(2 * k - 1) * N + 4] != 0);
    }
    tansy_free(s);
}
