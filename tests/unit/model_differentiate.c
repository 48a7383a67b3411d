/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of random expressions against complex steps of the same expressions written down without any simplification.
   Values lie between 0.02 and 20 and partial derivatives of one operation below about 100, mostly near 1; with up to 40
   operations of 2 eps each the relative error stays below 1e-12 of the largest entry on the way. */
#include "model/differentiate.h"

#include <math.h>

#include "base/heap.h"
#include "support/complex_number.h"
#include "support/random_expression.h"
#include "test.h"

enum { TAPES = 1000, ROOTS = 12 };

static const double tiny = 1e-40; /* the complex step: its square vanishes */

struct setting {
    struct graph *g;
    struct tape tape;
    uint32_t root[ROOTS];
    size_t step[ROOTS]; /* of the tape */
};

static void prepare(struct setting *s, struct random_source *random)
{
    s->g = graph_create();
    tape_make(&s->tape, s->g, random);
    for (size_t i = 0; i < ROOTS; i++) {
        s->step[i] = s->tape.count - 1 - i;
        s->root[i] = s->tape.step[s->step[i]].node;
    }
}

static double complex *run(const struct graph *g, const struct tape_point *at)
{
    double complex *const value = heap_take(graph_count(g) * sizeof *value);
    tape_run_graph(g, at, value);
    return value;
}

/* Scale of the errors: the largest intermediate derivative can be some hundred times an entry. */
static double tolerance(double expected)
{
    return 1e-12 * (fabs(expected) + 30);
}

TEST(simplified_expressions_have_the_value_of_the_plain_ones)
{
    struct random_source random = {1};
    for (int k = 0; k < TAPES; k++) {
        struct setting s;
        double complex plain[TAPE_LENGTH];
        prepare(&s, &random);
        tape_run(&s.tape, &s.tape.at, plain);
        double complex *const value = run(s.g, &s.tape.at);
        for (size_t i = 0; i < s.tape.count; i++)
            CHECK_CLOSE(creal(value[s.tape.step[i].node]), creal(plain[i]),
                        tolerance(creal(plain[i])));
        heap_return(value);
        graph_free(s.g);
    }
}

static void check_kind(struct setting *s, enum operation kind, size_t columns)
{
    struct derivative d;
    CHECK_EQUAL(differentiate(s->g, s->root, ROOTS, kind, columns, &d), TANSY_OK);
    CHECK_EQUAL(d.rows, ROOTS);
    CHECK_EQUAL(d.columns, columns);
    double complex *const value = run(s->g, &s->tape.at);
    for (size_t j = 0; j < columns; j++) {
        double complex plain[TAPE_LENGTH];
        struct tape_point at = s->tape.at;
        *tape_leaf(&at, kind, j) += complex_number(0, tiny);
        tape_run(&s->tape, &at, plain);
        for (size_t i = 0; i < ROOTS; i++) {
            double const expected = cimag(plain[s->step[i]]) / tiny;
            double entry = 0;
            for (size_t e = d.start[i]; e < d.start[i + 1]; e++)
                if (d.column[e] == j) entry = creal(value[d.node[e]]);
            CHECK_CLOSE(entry, expected, tolerance(expected));
        }
    }
    heap_return(value);
    derivative_free(&d);
}

TEST(derivatives_equal_complex_steps)
{
    struct random_source random = {2};
    for (int k = 0; k < TAPES; k++) {
        struct setting s;
        prepare(&s, &random);
        check_kind(&s, OP_STATE, TAPE_LEAVES);
        check_kind(&s, OP_PARAMETER, TAPE_LEAVES);
        check_kind(&s, OP_RATE, 2);
        check_kind(&s, OP_TIME, 1);
        graph_free(s.g);
    }
}

/* (J v)_i and its own derivatives: the complex step of J v is exact, and J v is checked against J. */
static void check_direction(struct setting *s, enum operation kind, size_t columns)
{
    uint32_t along[ROOTS];
    struct derivative d, second;
    CHECK_EQUAL(differentiate_along(s->g, s->root, ROOTS, kind, columns, along), TANSY_OK);
    CHECK_EQUAL(differentiate(s->g, s->root, ROOTS, kind, columns, &d), TANSY_OK);
    CHECK_EQUAL(differentiate(s->g, along, ROOTS, OP_STATE, TAPE_LEAVES, &second), TANSY_OK);
    double complex *const value = run(s->g, &s->tape.at);
    for (size_t i = 0; i < ROOTS; i++) {
        double sum = 0, size = 0;
        for (size_t e = d.start[i]; e < d.start[i + 1]; e++) {
            double const term = creal(value[d.node[e]]) * creal(s->tape.at.vector[d.column[e]]);
            sum += term;
            size += fabs(term);
        }
        CHECK_CLOSE(creal(value[along[i]]), sum, tolerance(size));
    }
    for (size_t j = 0; j < TAPE_LEAVES; j++) {
        struct tape_point at = s->tape.at;
        at.y[j] += complex_number(0, tiny);
        double complex *const moved = run(s->g, &at);
        for (size_t i = 0; i < ROOTS; i++) {
            double const expected = cimag(moved[along[i]]) / tiny;
            double entry = 0;
            for (size_t e = second.start[i]; e < second.start[i + 1]; e++)
                if (second.column[e] == j) entry = creal(value[second.node[e]]);
            CHECK_CLOSE(entry, expected, 30 * tolerance(expected)); /* one order higher */
        }
        heap_return(moved);
    }
    heap_return(value);
    derivative_free(&d);
    derivative_free(&second);
}

TEST(directional_and_second_derivatives_equal_complex_steps)
{
    struct random_source random = {3};
    for (int k = 0; k < TAPES; k++) {
        struct setting s;
        prepare(&s, &random);
        check_direction(&s, OP_STATE, TAPE_LEAVES);
        check_direction(&s, OP_PARAMETER, TAPE_LEAVES);
        check_direction(&s, OP_TIME, 1);
        graph_free(s.g);
    }
}

/* Runs the rows of a tangent map on one column of V and U: result[rows]. */
static void run_rows(const struct tangent *t, const double complex *value, const double *seed,
                     double *result)
{
    for (size_t r = 0; r < t->rows; r++) {
        result[r] = 0;
        for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
            size_t const source = t->source[e], first_row = t->n + t->np;
            CHECK(source < first_row + r);
            double const x = source < first_row ? seed[source] : result[source - first_row];
            result[r] += creal(value[t->coefficient[e]]) * x;
        }
    }
}

TEST(tangent_rows_give_the_derivatives_along_every_direction)
{
    struct random_source random = {4};
    for (int k = 0; k < TAPES; k++) {
        struct setting s;
        struct tangent t;
        double seed[2 * TAPE_LEAVES];
        double complex plain[TAPE_LENGTH];
        prepare(&s, &random);
        CHECK_EQUAL(differentiate_tangent(s.g, s.root, ROOTS, TAPE_LEAVES, TAPE_LEAVES, &t), 0);
        CHECK_EQUAL(t.roots, ROOTS);
        struct tape_point at = s.tape.at;
        for (size_t j = 0; j < TAPE_LEAVES; j++) {
            at.y[j] += complex_number(0, tiny * (seed[j] = random_next(&random)));
            at.p[j] += complex_number(0, tiny * (seed[TAPE_LEAVES + j] = random_next(&random)));
        }
        tape_run(&s.tape, &at, plain);
        double complex *const value = run(s.g, &s.tape.at);
        double *const result = heap_take(t.rows * sizeof *result);
        run_rows(&t, value, seed, result);
        for (size_t i = 0; i < ROOTS; i++) {
            double const expected = cimag(plain[s.step[i]]) / tiny;
            CHECK_CLOSE(result[t.rows - ROOTS + i], expected, tolerance(expected));
        }
        heap_return(result);
        heap_return(value);
        tangent_free(&t);
        graph_free(s.g);
    }
}
