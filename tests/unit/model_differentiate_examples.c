/* SPDX-License-Identifier: Apache-2.0 */
/* The example models: J, f_p, tangents and second directional derivatives equal to complex steps to 1e-10 relative, and the
   sparsity exact: what is there is not 0 at a random point, what is not there is exactly 0. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "model/differentiate.h"
#include "model/oracle.h"
#include "support/bound_model.h"
#include "support/complex_number.h"
#include "support/random.h"
#include "test.h"

static const char *const example[] = {
    "gas_oil",        "robertson",      "hires", "pollution",      "ethane",        "brusselator",
    "brusselator_1d", "brusselator_2d", "heat",  "lotka_volterra", "batch_reactor", "pendulum"};
enum { EXAMPLES = sizeof example / sizeof *example };

static const double tiny =
    1e-100; /* the complex step; rates of 1e8 times it are far from overflow */

/* An example at a random point near its initial values. */
struct setting {
    struct bound_model model;
    struct graph *g;
    const uint32_t *root;
    size_t n, np;
    double complex *y, *rate, *vector, *p;
};

static double complex *take(size_t count)
{
    return heap_take((count + 1) * sizeof(double complex));
}

static void begin(struct setting *s, const char *name)
{
    char path[100];
    struct random_source random = {11};
    (void)snprintf(path, sizeof path, "examples/models/%s.tansy", name);
    bound_read(&s->model, path);
    CHECK_EQUAL(s->model.status, TANSY_OK);
    const struct system *const system = &s->model.system;
    s->g = system->graph;
    s->root = system->rhs ? system->rhs : system->residual;
    s->n = system->state.count;
    s->np = system->parameter.count;
    s->y = take(s->n);
    s->rate = take(s->n);
    s->vector = take(s->n);
    s->p = take(s->np + system->condition.count);
    for (size_t i = 0; i < s->n; i++) {
        s->y[i] = 1.3 + random_next(&random);
        s->rate[i] = random_next(&random);
        s->vector[i] = random_next(&random);
    }
    for (size_t k = 0; k < s->np; k++)
        s->p[k] = system->parameter.item[k].value * (1 + 0.1 * random_next(&random));
}

static void end(struct setting *s)
{
    double complex *const block[] = {s->y, s->rate, s->vector, s->p};
    for (size_t k = 0; k < 4; k++) heap_return(block[k]);
    bound_free(&s->model);
}

static double complex *evaluate(const struct setting *s)
{
    double complex *const value = take(graph_count(s->g));
    struct complex_leaves const at = {
        .t = 0.7, .y = s->y, .rate = s->rate, .vector = s->vector, .p = s->p, .np = s->np};
    oracle_run_complex(s->g, &at, value);
    return value;
}

/* One column of d root/d leaf against a complex step; scale[i]: the largest entry of row i. */
static void check_column(struct setting *s, const struct derivative *d, double complex *leaf,
                         size_t j, const double *entry, const double *scale)
{
    *leaf += complex_number(0, tiny);
    double complex *const moved = evaluate(s);
    *leaf = creal(*leaf);
    for (size_t i = 0; i < s->n; i++) {
        double const expected = cimag(moved[s->root[i]]) / tiny;
        double found = 0;
        for (size_t e = d->start[i]; e < d->start[i + 1]; e++)
            if (d->column[e] == j) {
                found = entry[e];
                CHECK(expected != 0);
            }
        CHECK_CLOSE(found, expected, 1e-10 * fabs(expected) + 1e-14 * scale[i]);
    }
    heap_return(moved);
}

static void check_matrix(struct setting *s, enum operation kind, double complex *leaf,
                         size_t columns)
{
    struct derivative d;
    CHECK_EQUAL(differentiate(s->g, s->root, s->n, kind, columns, &d), TANSY_OK);
    double complex *const value = evaluate(s);
    double *const entry = heap_take((d.entries + 1) * sizeof *entry);
    double *const scale = heap_take(s->n * sizeof *scale);
    for (size_t i = 0; i < s->n; i++)
        for (size_t e = d.start[i]; e < d.start[i + 1]; e++) {
            entry[e] = creal(value[d.node[e]]);
            scale[i] = fmax(scale[i], fabs(entry[e]));
        }
    for (size_t j = 0; j < columns; j++) check_column(s, &d, &leaf[j], j, entry, scale);
    heap_return(value);
    heap_return(entry);
    heap_return(scale);
    derivative_free(&d);
}

TEST(matrices_of_the_examples_equal_complex_steps)
{
    for (size_t k = 0; k < EXAMPLES; k++) {
        struct setting s;
        begin(&s, example[k]);
        check_matrix(&s, OP_STATE, s.y, s.n);
        check_matrix(&s, OP_PARAMETER, s.p, s.np);
        if (!s.model.system.rhs) check_matrix(&s, OP_RATE, s.rate, s.n);
        end(&s);
    }
}

/* The tangents of roots along one random direction in y and p. */
static void check_tangent(struct setting *s, const uint32_t *root)
{
    struct tangent t;
    struct random_source random = {12};
    CHECK_EQUAL(differentiate_tangent(s->g, root, s->n, s->n, s->np, &t), TANSY_OK);
    double complex *const value = evaluate(s);
    double *const row = heap_take((s->n + s->np + t.rows) * sizeof *row);
    double *const size = heap_take((s->n + s->np + t.rows) * sizeof *size);
    for (size_t i = 0; i < s->n + s->np; i++) {
        row[i] = random_next(&random);
        size[i] = fabs(row[i]);
        *(i < s->n ? &s->y[i] : &s->p[i - s->n]) += complex_number(0, tiny * row[i]);
    }
    for (size_t r = 0, to = s->n + s->np; r < t.rows; r++, to++)
        for (size_t e = t.start[r]; e < t.start[r + 1]; e++) {
            row[to] += creal(value[t.coefficient[e]]) * row[t.source[e]];
            size[to] += fabs(creal(value[t.coefficient[e]])) * size[t.source[e]];
        }
    double complex *const moved = evaluate(s);
    for (size_t i = 0; i < s->n; i++) {
        size_t const at = s->n + s->np + t.rows - s->n + i;
        double const expected = cimag(moved[root[i]]) / tiny;
        CHECK_CLOSE(row[at], expected, 1e-10 * fabs(expected) + 1e-14 * size[at]);
    }
    for (size_t i = 0; i < s->n; i++) s->y[i] = creal(s->y[i]);
    for (size_t k = 0; k < s->np; k++) s->p[k] = creal(s->p[k]);
    heap_return(value);
    heap_return(moved);
    heap_return(row);
    heap_return(size);
    tangent_free(&t);
}

/* Of f; of J v: (d/dy)(J v) s + (d/dp)(J v) u; and of f_t. */
TEST(tangents_and_second_derivatives_of_the_examples_equal_complex_steps)
{
    for (size_t k = 0; k < EXAMPLES; k++) {
        struct setting s;
        struct derivative slope;
        begin(&s, example[k]);
        uint32_t *const along = heap_take(s.n * sizeof *along);
        check_tangent(&s, s.root);
        CHECK_EQUAL(differentiate_along(s.g, s.root, s.n, OP_STATE, s.n, along), TANSY_OK);
        check_tangent(&s, along);
        CHECK_EQUAL(differentiate(s.g, s.root, s.n, OP_TIME, 1, &slope), TANSY_OK);
        for (size_t i = 0; i < s.n; i++)
            along[i] = slope.start[i] < slope.start[i + 1] ? slope.node[slope.start[i]] : 0;
        check_tangent(&s, along);
        derivative_free(&slope);
        heap_return(along);
        end(&s);
    }
}
