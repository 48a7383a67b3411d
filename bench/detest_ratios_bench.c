/* SPDX-License-Identifier: Apache-2.0 */
/* The largest e of y and of S, docs/design.md section 12, over the tolerance: all of DETEST and STIFF DETEST with the
   sensitivities to all initial values, rtol = 1e-3 ... 1e-8.  bench/results/detest_ratios.csv. */
#include "support/detest.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Who solves what: one line a method. */
struct way {
    enum detest_set set;
    const char *method, *sensitivities;
    double smallest; /* rtol; differences of whole steps have no more than sqrt(eps) */
};
static const struct way ways[] = {
    {DETEST, "adams", "auto", 1e-8},
    {STIFF_DETEST, "bdf", "auto", 1e-8},
    {DETEST, "rk8", "tangent", 1e-8},
    {DETEST, "rk8", "difference", 1e-7},
    {STIFF_DETEST, "rosenbrock", "tangent", 1e-8},
    {STIFF_DETEST, "rosenbrock", "difference", 1e-7},
};

enum { FIRST_DIGITS = 3, LAST_DIGITS = 8, MOST_RUNS = 2000 };

/* The ratios of S of one way. */
struct sample {
    size_t count, failed;
    double ratio[MOST_RUNS];
};

static int rising(const void *a, const void *b)
{
    double const x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const struct way *way, tansy_options options, const char *name,
                    struct sample *sample, FILE *file)
{
    struct detest d;
    detest_open(way->set, name, &d);
    printf("%-4s", name);
    for (int digits = FIRST_DIGITS; digits <= LAST_DIGITS; digits++) {
        options.rtol = pow(10, -digits);
        if (options.rtol < 0.9 * way->smallest) break;
        struct accuracy const a = oracle_measure(&d.oracle, GIVEN, &options);
        double const state = a.state / options.rtol, columns = a.columns / options.rtol;
        printf(" | %7.2g %7.2g %6zu", state, columns, a.steps);
        fprintf(file, "%s,%s,%s,1e-%02d,%.3g,%.3g,%zu\n", d.name, way->method, way->sensitivities,
                digits, state, columns, a.steps);
        sample->failed += a.status != TANSY_OK;
        if (sample->count < MOST_RUNS) sample->ratio[sample->count++] = columns;
    }
    printf("\n");
    detest_close(&d);
}

static void measure_set(const struct way *way, struct sample *sample, FILE *file)
{
    char message[300] = "";
    tansy_options options = {.max_steps = 0};
    if (tansy_option_set(&options, "method", way->method, message, sizeof message) ||
        tansy_option_set(&options, "sensitivities", way->sensitivities, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        exit(EXIT_FAILURE);
    }
    printf("%s by %s, sensitivities %s: e/rtol of y, of S, and steps\n%-4s",
           way->set == DETEST ? "DETEST" : "STIFF DETEST", way->method, way->sensitivities, "rtol");
    for (int digits = FIRST_DIGITS; digits <= LAST_DIGITS; digits++)
        printf(" | 1e-%02d%17s", digits, "");
    printf("\n");
    for (size_t k = 0; k < detest_count(way->set); k++)
        measure(way, options, detest_name(way->set, k), sample, file);
    printf("\n");
}

static void print_summary(const struct way *way, struct sample *sample)
{
    size_t promised = 0;
    qsort(sample->ratio, sample->count, sizeof *sample->ratio, rising);
    while (promised < sample->count && sample->ratio[promised] <= 100) promised++;
    printf("detest_ratios: %s by %s %s, e/rtol of S: median %.2g, at most 100 in %zu of %zu runs, "
           "largest %.2g, %zu failed\n",
           way->set == DETEST ? "DETEST" : "STIFF DETEST", way->method, way->sensitivities,
           sample->ratio[sample->count / 2], promised, sample->count,
           sample->ratio[sample->count - 1], sample->failed);
}

int main(void)
{
    static struct sample samples[sizeof ways / sizeof *ways];
    size_t const count = sizeof ways / sizeof *ways;
    FILE *file = results_open("detest_ratios");
    fprintf(file, "problem,method,sensitivities,rtol,state,columns,steps\n");
    for (size_t w = 0; w < count; w++) measure_set(&ways[w], &samples[w], file);
    for (size_t w = 0; w < count; w++) print_summary(&ways[w], &samples[w]);
    fclose(file);
    return 0;
}
