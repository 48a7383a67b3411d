/* SPDX-License-Identifier: Apache-2.0 */
/* Internal differences where f has noise, because its terms cancel or increments are lost in them: columns are right to 100 rtol or the
   report says that they are not, and names them; where there is no noise it says nothing. */
#include "support/detest.h"
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

static char page[8192];
static const char *const lost = "warning: rounding in f";

enum { MOST = 64 };

/* The largest e/rtol of a column, and whether the report warns. */
static double run_detest(const struct detest *d, tansy_method method,
                         tansy_sensitivities sensitivities, double rtol, bool *warned)
{
    static double atol[MOST], y[MOST], sens[MOST * MOST];
    const struct reference *const exact = &d->oracle.exact;
    size_t worst = 0;
    CHECK(exact->n <= MOST);
    for (size_t i = 0; i < exact->n; i++) atol[i] = rtol * d->problem.atol[i];
    tansy_solver *const s = tansy_create(
        &d->problem.problem,
        &(tansy_options){
            .method = method, .sensitivities = sensitivities, .rtol = rtol, .atol_state = atol});
    CHECK_EQUAL(tansy_solve(s, exact->t[0], y, sens), TANSY_OK);
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    tansy_free(s);
    *warned = strstr(page, lost) != NULL;
    return error_norm_columns(&d->oracle.norm, exact->sens, sens, &worst) / rtol;
}

/* F5 of STIFF DETEST: terms of 1e3 cancel to 1e-4.  At 1e-3 to 1e-5 wider differences are enough. */
TEST(where_large_terms_cancel_columns_are_right_or_lost_in_words)
{
    struct detest d;
    detest_open(STIFF_DETEST, "F5", &d);
    for (int digits = TEST_STRIDE > 1 ? 5 : 3; digits <= 7; digits += TEST_STRIDE) {
        bool warned = false;
        double const e =
            run_detest(&d, TANSY_ROSENBROCK, TANSY_DIFFERENCE, pow(10, -digits), &warned);
        printf("F5, rtol 1e-%d: e/rtol %.3g%s\n", digits, e, warned ? ", warned" : "");
        if (!warned) CHECK_AT_MOST(e, 100);
        if (warned) CHECK_TEXT_CONTAINS(page, "d/d(y4(0))");
        if (digits <= 4) CHECK(!warned);
        if (digits == 7) CHECK(warned);
    }
    detest_close(&d);
}

static void check_calm(enum detest_set set, tansy_method method, int last)
{
    for (size_t k = 0; k < detest_count(set); k++) {
        struct detest d;
        const char *const name = detest_name(set, k);
        detest_open(set, name, &d);
        for (int digits = 3; digits <= last; digits += TEST_STRIDE) {
            bool warned = false;
            (void)run_detest(&d, method, TANSY_DIFFERENCE, pow(10, -digits), &warned);
            if (warned) printf("%s, 1e-%d is warned\n", d.name, digits);
            CHECK(!warned || (set == STIFF_DETEST && strcmp(name, "F5") == 0));
        }
        detest_close(&d);
    }
}

/* Extrapolation multiplies noise by up to 700. */
TEST(extrapolated_columns_are_right_or_lost_in_words)
{
    struct detest d;
    detest_open(STIFF_DETEST, "F5", &d);
    for (int digits = TEST_STRIDE > 1 ? 5 : 3; digits <= 7; digits += TEST_STRIDE) {
        bool warned = false;
        double const e = run_detest(&d, TANSY_LIMEX, TANSY_DIFFERENCE, pow(10, -digits), &warned);
        printf("F5, limex, rtol 1e-%d: e/rtol %.3g%s\n", digits, e, warned ? ", warned" : "");
        if (!warned) CHECK_AT_MOST(e, 100);
        if (digits <= 4) CHECK(!warned);
        if (digits >= 6) CHECK(warned);
    }
    detest_close(&d);
}

TEST(no_other_run_of_detest_is_warned)
{
    check_calm(DETEST, TANSY_LIMEX, 6);
    check_calm(STIFF_DETEST, TANSY_LIMEX, 6);
    check_calm(DETEST, TANSY_RK8, 6);
    check_calm(STIFF_DETEST, TANSY_ROSENBROCK, 6);
}

/* y' = -p y, written so that y is rounded to the last place of *size: y = exp(-p t), S = -t y.  And once more as it should be. */
static int rounded(double t, const double *y, const double *p, double *f, void *context)
{
    const volatile double *const size = context;
    volatile double const sum = *size + y[0];
    (void)t;
    f[0] = p[0] * (*size - sum);
    f[1] = -p[0] * y[1];
    return 0;
}

static void check_rounded(tansy_method method, double size, double rtol)
{
    static const double y0[] = {1, 1}, p[] = {1}, t = 2;
    double y[2], sens[2];
    tansy_problem const problem = {
        .n = 2, .np = 1, .y0 = y0, .p = p, .context = &size, .rhs = rounded};
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = method,
                                                .sensitivities = TANSY_DIFFERENCE,
                                                .rtol = rtol,
                                                .atol = 1e-3 * rtol,
                                                .max_steps = 10000});
    tansy_status const status = tansy_solve(s, t, y, sens);
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    double const right = -t * exp(-t), e = fabs(sens[0] / right - 1) / rtol;
    bool const warned = strstr(page, lost) != NULL;
    if (warned) CHECK_TEXT_CONTAINS(page, "most of all dy/dp_0: from t = ");
    if (size <= 1e6) CHECK_EQUAL(status, TANSY_OK); /* others may stop, which is no silence */
    if (!warned && status == TANSY_OK) CHECK_AT_MOST(e, 100);
    if (size <= 100) CHECK(!warned); /* the noise of f is 1e-14: 2e-11 in the differences */
    tansy_free(s);
}

TEST(increments_lost_in_f_are_seen)
{
    for (double size = 1; size < 1e13; size *= 100)
        for (double rtol = 1e-3; rtol > 0.9e-7; rtol /= 100) {
            check_rounded(TANSY_RK8, size, rtol);
            check_rounded(TANSY_ROSENBROCK, size, rtol);
            check_rounded(TANSY_LIMEX, size, rtol);
        }
}

/* Nothing of the run before is left. */
TEST(a_restart_forgets_what_was_lost)
{
    static const double y0[] = {1, 1}, p[] = {1};
    double size = 1e10;
    tansy_problem const problem = {
        .n = 2, .np = 1, .y0 = y0, .p = p, .context = &size, .rhs = rounded};
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_ROSENBROCK,
                                                .sensitivities = TANSY_DIFFERENCE,
                                                .rtol = 1e-5,
                                                .atol = 1e-8,
                                                .max_steps = 10000});
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    CHECK_TEXT_CONTAINS(page, lost);
    size = 1;
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    CHECK(!strstr(page, lost));
    tansy_free(s);
}

/* The geometric mean of e/rtol of S over tolerances about 1e-3. */
static double mean_error(const struct detest *d, tansy_sensitivities sensitivities, size_t *warned)
{
    enum { RUNS = 1 + 80 / TEST_STRIDE };
    double sum = 0;
    *warned = 0;
    for (int x = 0; x < RUNS; x++) {
        bool warns = false;
        double const rtol = pow(10, -3 + (x - RUNS / 2) / (double)RUNS);
        sum += log(run_detest(d, TANSY_RK8, sensitivities, rtol, &warns));
        *warned += warns;
    }
    return exp(sum / RUNS);
}

/* D5 of DETEST, an orbit of eccentricity 0.9, amplifies local errors of S: e is from 10 to 800 rtol, by chance, with exact tangents as
   with differences.  log(e) deviates by 0.9, its mean of 81 by 0.1, the logarithm of a quotient of two means by 0.14; five times that is a factor of 2
   (of 21 runs, under sanitizers, a factor of 4). */
TEST(differences_are_as_good_as_tangents_where_errors_grow)
{
    struct detest d;
    size_t warned = 0;
    detest_open(DETEST, "D5", &d);
    double const exact = mean_error(&d, TANSY_TANGENT, &warned);
    double const difference = mean_error(&d, TANSY_DIFFERENCE, &warned);
    printf("D5, rtol about 1e-3: e/rtol %.3g with tangents, %.3g with differences\n", exact,
           difference);
    CHECK_EQUAL(warned, 0);
    CHECK_AT_MOST(difference, (TEST_STRIDE > 1 ? 4 : 2) * exact);
    detest_close(&d);
}
