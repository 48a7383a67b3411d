/* SPDX-License-Identifier: Apache-2.0 */
/* Writes detest_sizes.csv: the largest abs(y_i) from t0 to the end for all problems of detest.txt and stiff_detest.txt,
   to three digits, over eight points of the dense output of every step.  Made by bdf at rtol 1e-8, where a first run tells
   the absolute tolerances of the second; adams (on STIFF DETEST dassl) has to find the same to 1e-4.  From the top folder:
     cc -Iinclude -Itests tests/reference/make_detest_sizes.c build/release/tests/support/libtest_support.a
        build/release/libtansy.a -lopenblas -lklu -lm */
#include "support/detest.h"
#include "support/detest_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tansy/solver.h>

enum { POINTS = 8 };

static void collect(tansy_solver *solver, double before, size_t n, double *largest)
{
    double y[DETEST_MOST_STATES];
    double const now = tansy_time(solver);
    for (int m = 1; m <= POINTS; m++) {
        double const t = m == POINTS ? now : before + (now - before) * m / POINTS;
        if (tansy_at(solver, t, y, NULL, NULL, NULL) != TANSY_OK) abort();
        for (size_t i = 0; i < n; i++) largest[i] = fmax(largest[i], fabs(y[i]));
    }
}

static void run(const struct detest_model *text, tansy_method method, const double *atol,
                double *largest)
{
    double y[DETEST_MOST_STATES];
    tansy_problem problem;
    tansy_model *model = tansy_model_parse(text->text, text->length, "model");
    if (tansy_model_problem(model, &problem) != TANSY_OK) abort();
    tansy_solver *solver = tansy_create(&problem, &(tansy_options){.method = method,
                                                                   .sensitivities = TANSY_NONE,
                                                                   .rtol = 1e-8,
                                                                   .atol_state = atol,
                                                                   .use_stop_time = 1,
                                                                   .stop_time = text->t_end});
    if (tansy_initialise(solver, y, NULL, NULL, NULL) != TANSY_OK) abort();
    for (size_t i = 0; i < text->n; i++) largest[i] = fabs(y[i]);
    for (double t = text->t0; t < text->t_end; t = tansy_time(solver)) {
        if (tansy_step(solver, text->t_end, y, NULL) != TANSY_OK) {
            fprintf(stderr, "%s\n", tansy_message(solver));
            exit(EXIT_FAILURE);
        }
        collect(solver, t, text->n, largest);
    }
    tansy_free(solver);
    tansy_model_free(model);
}

static void print_problem(enum detest_set set, const char *name)
{
    static struct detest_model text;
    double atol[DETEST_MOST_STATES], first[DETEST_MOST_STATES], largest[DETEST_MOST_STATES];
    double check[DETEST_MOST_STATES];
    detest_model_read(set == DETEST ? "detest.txt" : "stiff_detest.txt", name, &text);
    for (size_t i = 0; i < text.n; i++) atol[i] = 1e-20;
    run(&text, TANSY_BDF, atol, first);
    for (size_t i = 0; i < text.n; i++) atol[i] = 1e-11 * first[i];
    run(&text, TANSY_BDF, atol, largest);
    run(&text, set == DETEST ? TANSY_ADAMS : TANSY_DASSL, atol, check);
    for (size_t i = 0; i < text.n; i++) {
        if (!(fabs(check[i] / largest[i] - 1) < 1e-4))
            fprintf(stderr, "%s, y%zu: %.7g and %.7g\n", name, i + 1, largest[i], check[i]);
        printf("%s,%s,y%zu,%.3g\n", set == DETEST ? "N" : "S", name, i + 1, largest[i]);
    }
}

int main(void)
{
    printf("# The largest abs(y_i) on the way, to three digits, by make_detest_sizes.c\n");
    printf("set,problem,quantity,largest\n");
    for (size_t k = 0; k < detest_count(DETEST); k++) print_problem(DETEST, detest_name(DETEST, k));
    for (size_t k = 0; k < detest_count(STIFF_DETEST); k++)
        print_problem(STIFF_DETEST, detest_name(STIFF_DETEST, k));
    return 0;
}
