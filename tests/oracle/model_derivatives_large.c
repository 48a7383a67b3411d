/* SPDX-License-Identifier: Apache-2.0 */
/* The heat equation on a grid of 400 x 400 points, 100 x 100 under sanitizers: f's derivatives as the engine computes them against complex steps.  A row
   of df/dy has a point and its neighbours, whose colours (i + 2j) mod 5 all differ: five complex steps along random
   multiples of the points of one colour give every entry, and would show one that the pattern lacks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/model_lanes.h"
#include "support/random.h"
#include "test.h"

enum { SIDE = 400 / TEST_STRIDE, COLOURS = 5, COLUMNS = 3 };

static size_t colour(size_t x)
{
    return (x / SIDE + 2 * (x % SIDE)) % COLOURS;
}

/* The entries of df/dy, row by row. */
static double *run_entries(struct model_point *at)
{
    const tansy_pattern *const pattern = &at->problem.jacobian_pattern;
    const struct derivative *const J = &at->model->jacobian;
    double *const entry = calloc(J->entries, sizeof *entry);
    CHECK_EQUAL(at->problem.structure, TANSY_SPARSE);
    CHECK_EQUAL(pattern->entries, J->entries);
    for (size_t i = 0; i < at->n; i++)
        for (size_t e = J->start[i]; e < J->start[i + 1]; e++)
            CHECK(pattern->row[e] == i && pattern->column[e] == J->column[e]);
    CHECK_EQUAL(at->problem.jacobian(at->t, at->y, at->p, entry, &at->local), 0);
    return entry;
}

static void check_jacobian(struct model_point *at)
{
    const struct derivative *const J = &at->model->jacobian;
    struct random_source random = {.state = 2};
    double *const entry = run_entries(at), *const weight = calloc(at->n, sizeof *weight);
    double *const v = calloc(at->n, sizeof *v), *const expected = calloc(at->n, sizeof *expected);
    double *const given = calloc(at->n, sizeof *given);
    size_t found = 0;
    for (size_t j = 0; j < at->n; j++) weight[j] = 1.5 + random_next(&random);
    for (size_t c = 0; c < COLOURS; c++) {
        for (size_t j = 0; j < at->n; j++) v[j] = colour(j) == c ? weight[j] : 0;
        model_point_step(at, at->model->system.rhs, at->n, v, NULL, 0, expected);
        for (size_t i = 0; i < at->n; i++) {
            double sum = 0;
            for (size_t e = J->start[i]; e < J->start[i + 1]; e++)
                if (colour(J->column[e]) == c) sum += entry[e] * weight[J->column[e]];
            given[i] = sum;
            found += expected[i] != 0;
        }
        for (size_t i = 0; i < at->n; i++)
            CHECK_CLOSE(given[i], expected[i], 1e-10 * fabs(expected[i]));
    }
    CHECK_EQUAL(J->entries, 5 * SIDE * SIDE - 4 * SIDE);
    CHECK_EQUAL(J->entries, found);
    free(entry);
    free(weight);
    free(v);
    free(expected);
    free(given);
}

static void check_parameters(struct model_point *at)
{
    double *const F = calloc(at->problem.parameter_pattern.entries + 1, sizeof *F);
    CHECK_EQUAL(at->problem.parameter_jacobian(at->t, at->y, at->p, F, &at->local), 0);
    model_point_check_parameters(at, F);
    free(F);
}

/* heat_400.tansy with so many points. */
static tansy_model *read_grid(void)
{
    char text[2000], side[8];
    FILE *const file = fopen("examples/models/heat_400.tansy", "r");
    CHECK(file);
    size_t const size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    char *const M = strstr(text, "M = 400");
    CHECK(M);
    CHECK_EQUAL(snprintf(side, sizeof side, "%d", SIDE), 3);
    memcpy(M + 4, side, 3);
    return tansy_model_parse(text, size, "heat");
}

TEST(the_derivatives_of_a_large_grid_are_exact_and_so_are_the_patterns)
{
    struct model_point at;
    model_point_stand(read_grid(), 1, &at);
    CHECK_EQUAL(at.n, SIDE * SIDE);
    check_jacobian(&at);
    check_parameters(&at);
    struct model_lanes l = model_lanes_make(&at, COLUMNS);
    CHECK_EQUAL(at.problem.tangent(at.t, at.y, at.p, COLUMNS, LANES_LD, l.V, l.U, l.R, &at.local),
                0);
    model_lanes_check_evenly(&at, &l, at.model->system.rhs);
    model_lanes_free(&l);
    model_lanes_check_second(&at, COLUMNS, model_lanes_check_evenly);
    model_point_close(&at);
}
