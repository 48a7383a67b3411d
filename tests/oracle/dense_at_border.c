/* SPDX-License-Identifier: Apache-2.0 */
/* Dense output of rk8 at the border of stability, where its polynomials are far worse than the ends of its steps: steps that would
   give bad output are made anew, to end there.  Problems that are not stiff do not notice. */
#include "support/detest.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <tansy/tansy.h>

enum { RUNS = 41, OUTPUTS = 40, MOST = 64 };

/* The largest e/rtol of y and S at the end, an output inside a step as a rule, over a decade of tolerances about this. */
static double largest_error(const struct detest *d, tansy_sensitivities sensitivities, double about)
{
    double largest = 0;
    for (int x = 0; x < RUNS; x += TEST_STRIDE) {
        double const rtol = about * pow(10, (x - RUNS / 2) / (double)RUNS);
        tansy_options const options = {
            .method = TANSY_RK8, .sensitivities = sensitivities, .rtol = rtol};
        struct accuracy const a = oracle_measure(&d->oracle, GIVEN, &options);
        CHECK_EQUAL(a.status, TANSY_OK);
        largest = fmax(largest, fmax(a.state, a.columns) / rtol);
    }
    return largest;
}

/* Without that 78 of 2,424 such runs had errors above 100 rtol, up to 2,000. */
TEST(outputs_at_the_border_of_stability_keep_the_promise)
{
    static const char *const names[] = {"B2", "C2", "C3", "C4"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct detest d;
        detest_open(DETEST, names[k], &d);
        for (double rtol = 1e-3; rtol > 0.9e-8; rtol /= pow(10, TEST_STRIDE)) {
            double const e = largest_error(&d, TANSY_TANGENT, rtol);
            if (e > 20) printf("%s, rtol about %.0e: e/rtol %.3g\n", names[k], rtol, e);
            CHECK_AT_MOST(e, 100);
        }
        if (k == 1) CHECK_AT_MOST(largest_error(&d, TANSY_DIFFERENCE, 1e-6), 100);
        detest_close(&d);
    }
}

/* Steps of a run with so many outputs at equal distances, the end among them. */
static size_t count_steps(const struct detest *d, double rtol, size_t outputs)
{
    static double atol[MOST], y[MOST];
    tansy_stats stats = {.steps = 0};
    double const end = d->oracle.exact.t[0];
    CHECK(d->oracle.exact.n <= MOST);
    for (size_t i = 0; i < d->oracle.exact.n; i++) atol[i] = rtol * d->problem.atol[i];
    tansy_solver *const s = tansy_create(
        &d->problem.problem,
        &(tansy_options){
            .method = TANSY_RK8, .rtol = rtol, .atol_state = atol, .first_step = 1e-3 * end});
    for (size_t m = 1; m <= outputs; m++)
        CHECK_EQUAL(tansy_solve(s, end * (double)m / (double)outputs, y, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats.steps;
}

/* Orbits and smooth problems: as many steps with outputs as without. */
TEST(outputs_cost_no_steps_where_nothing_is_stiff)
{
    static const char *const names[] = {"A1", "C1", "C5", "D1", "D3", "D5", "E1", "E3"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct detest d;
        detest_open(DETEST, names[k], &d);
        for (double rtol = 1e-3; rtol > 0.9e-8; rtol /= 10)
            CHECK_AT_MOST((double)count_steps(&d, rtol, OUTPUTS), (double)count_steps(&d, rtol, 1));
        detest_close(&d);
    }
}

/* At the border each output may cost a step, and one that is thrown away, no more. */
TEST(outputs_at_the_border_cost_few_steps)
{
    struct detest d;
    detest_open(DETEST, "C2", &d);
    for (double rtol = 1e-3; rtol > 0.9e-8; rtol /= 10)
        CHECK_AT_MOST((double)count_steps(&d, rtol, OUTPUTS),
                      (double)count_steps(&d, rtol, 1) + 2 * OUTPUTS);
    detest_close(&d);
}
