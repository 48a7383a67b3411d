/* SPDX-License-Identifier: Apache-2.0 */
/* All problems of DETEST and STIFF DETEST with the sensitivities to all initial values, rtol from 1e-3 to 1e-8: the tables
   of e/rtol in tests/reference/detest_errors.csv may only fall, see support/error_rows.h; and the definitions end
   where their references do. */
#include "support/detest.h"
#include "support/detest_model.h"
#include "support/error_rows.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

/* Who solves what: one line a method. */
struct way {
    enum detest_set set;
    const char *method, *sensitivities;
    double
        smallest; /* rtol; below 1e-5 the noise of internal differences, which compilers decide, rules: see bench/detest_ratios */
};
static const struct way ways[] = {
    {DETEST, "adams", "auto", 1e-8},
    {STIFF_DETEST, "bdf", "auto", 1e-8},
    {DETEST, "rk8", "tangent", 1e-8},
    {DETEST, "rk8", "difference", 1e-5},
    {STIFF_DETEST, "rosenbrock", "tangent", 1e-8},
    {STIFF_DETEST, "rosenbrock", "difference", 1e-5},
};

static void measure_set(const struct way *way, struct error_rows *rows)
{
    char name[48], message[200];
    tansy_options options = {.max_steps = 0};
    CHECK_EQUAL(tansy_option_set(&options, "method", way->method, message, sizeof message), 0);
    CHECK_EQUAL(
        tansy_option_set(&options, "sensitivities", way->sensitivities, message, sizeof message),
        0);
    snprintf(name, sizeof name, "%s,%s", way->method, way->sensitivities);
    for (size_t k = 0; k < detest_count(way->set); k++) {
        struct detest d;
        detest_open(way->set, detest_name(way->set, k), &d);
        error_rows_measure(rows, &d.oracle, name, options, way->smallest);
        detest_close(&d);
    }
}

/* There is one reference time, and some problems have few components: an error may be small because it changes its sign
   nearby, and roundoff, which differs between compilers, moves steps and errors: single values by up to 9, means by up to 1.6. */
TEST(errors_on_detest_have_not_grown)
{
    static struct error_rows measured = {.file = "detest_errors.csv",
                                         .maker = "tests/oracle/detest.c",
                                         .first = 3,
                                         .tolerances = 6,
                                         .mean_growth = 2.5,
                                         .single_growth = 20};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) measure_set(&ways[w], &measured);
    CHECK_EQUAL(error_rows_grown(&measured), 0);
}

/* Both files were made from the same runs in quadruple precision and printed with 17 and 21 digits; what decayed below
   1e-25 of the largest is not certified there. */
TEST(definitions_and_sensitivities_have_the_same_end_values)
{
    static struct detest_model text;
    for (int set = DETEST; set <= STIFF_DETEST; set++)
        for (size_t k = 0; k < detest_count((enum detest_set)set); k++) {
            const char *name = detest_name((enum detest_set)set, k);
            struct detest d;
            double largest = 0;
            detest_open((enum detest_set)set, name, &d);
            detest_model_read(set == DETEST ? "detest.txt" : "stiff_detest.txt", name, &text);
            CHECK_EQUAL(text.n, d.problem.problem.n);
            for (size_t i = 0; i < text.n; i++) largest = fmax(largest, fabs(text.y_end[i]));
            for (size_t i = 0; i < text.n; i++)
                CHECK_CLOSE(d.oracle.exact.y[i], text.y_end[i],
                            1e-15 * fabs(text.y_end[i]) + 1e-25 * largest);
            detest_close(&d);
        }
}
