/* SPDX-License-Identifier: Apache-2.0 */
#include "support/model_lanes.h"

#include <math.h>
#include <stdlib.h>

#include "random.h"
#include "test.h"

struct model_lanes model_lanes_make(const struct model_point *at, size_t columns)
{
    struct random_source random = {.state = 5};
    struct model_lanes l = {.columns = columns,
                            .V = calloc(at->n * LANES_LD, sizeof(double)),
                            .U = calloc((at->np + 1) * LANES_LD, sizeof(double)),
                            .R = calloc(at->n * LANES_LD, sizeof(double))};
    for (size_t x = 0; x < at->n * LANES_LD; x++) l.V[x] = random_next(&random);
    for (size_t k = 0; k < at->np; k++)
        for (size_t c = 0; c < LANES_LD; c++)
            l.U[k * LANES_LD + c] = at->p[k] * random_next(&random);
    return l;
}

void model_lanes_free(struct model_lanes *l)
{
    free(l->V);
    free(l->U);
    free(l->R);
}

/* The complex step along lane c into expected[n]. */
static void step_along(struct model_point *at, const struct model_lanes *l, const uint32_t *root,
                       size_t c, double *expected)
{
    double *const v = calloc(at->n, sizeof *v), *const u = calloc(at->np + 1, sizeof *u);
    for (size_t i = 0; i < at->n; i++) v[i] = l->V[i * LANES_LD + c];
    for (size_t k = 0; k < at->np; k++) u[k] = l->U[k * LANES_LD + c];
    model_point_step(at, root, at->n, v, u, 0, expected);
    free(v);
    free(u);
}

/* size[i*LANES_LD + c] += |d root_i/d leaf| |direction[c]| for one leaf. */
static void add_sizes(const struct model_point *at, const struct model_lanes *l,
                      const double *derivative, const double *direction, double *size)
{
    for (size_t i = 0; i < at->n; i++)
        for (size_t c = 0; derivative[i] != 0 && c < l->columns; c++)
            size[i * LANES_LD + c] += fabs(derivative[i] * direction[c]);
}

static double *sum_sizes(struct model_point *at, const struct model_lanes *l, const uint32_t *root)
{
    double *const size = calloc(at->n * LANES_LD, sizeof *size);
    double *const derivative = calloc(at->n, sizeof *derivative);
    double *const e = calloc(at->n + at->np, sizeof *e);
    for (size_t j = 0; j < at->n + at->np; j++) {
        bool const in_y = j < at->n;
        e[j] = 1;
        model_point_step(at, root, at->n, in_y ? e : NULL, in_y ? NULL : e + at->n, 0, derivative);
        e[j] = 0;
        add_sizes(at, l, derivative, in_y ? l->V + j * LANES_LD : l->U + (j - at->n) * LANES_LD,
                  size);
    }
    free(derivative);
    free(e);
    return size;
}

void model_lanes_check(struct model_point *at, const struct model_lanes *l, const uint32_t *root)
{
    double *const size = sum_sizes(at, l, root);
    double *const expected = calloc(at->n, sizeof *expected);
    for (size_t c = 0; c < l->columns; c++) {
        step_along(at, l, root, c, expected);
        for (size_t i = 0; i < at->n; i++)
            CHECK_CLOSE(l->R[i * LANES_LD + c], expected[i],
                        1e-10 * fabs(expected[i]) + 1e-14 * size[i * LANES_LD + c]);
    }
    free(size);
    free(expected);
}

void model_lanes_check_evenly(struct model_point *at, const struct model_lanes *l,
                              const uint32_t *root)
{
    double *const expected = calloc(at->n, sizeof *expected);
    for (size_t c = 0; c < l->columns; c++) {
        double largest = 0;
        step_along(at, l, root, c, expected);
        for (size_t i = 0; i < at->n; i++) largest = fmax(largest, fabs(expected[i]));
        for (size_t i = 0; i < at->n; i++)
            CHECK_CLOSE(l->R[i * LANES_LD + c], expected[i],
                        1e-10 * fabs(expected[i]) + 1e-14 * largest);
    }
    free(expected);
}

/* f_t, or F_t, as a full vector. */
static void time_roots(struct model_point *at, const uint32_t *f, uint32_t *root)
{
    struct derivative d = {.rows = 0};
    CHECK_EQUAL(differentiate(at->model->system.graph, f, at->n, OP_TIME, 1, &d), TANSY_OK);
    for (size_t i = 0; i < at->n; i++)
        root[i] = d.start[i] < d.start[i + 1] ? d.node[d.start[i]] : 0;
    derivative_free(&d);
}

/* Runs one program of second derivatives and compares it with complex steps of its roots. */
struct second_run {
    const struct leaves *leaves;
    double *work;
    lanes_check *check;
};

static void check_program(struct model_point *at, const struct model_lanes *l,
                          const struct lane_program *program, const uint32_t *root,
                          const struct second_run *run)
{
    lane_program_run(program, run->leaves,
                     &(struct lane_panels){
                         .columns = l->columns, .ld = LANES_LD, .V = l->V, .U = l->U, .R = l->R},
                     run->work);
    run->check(at, l, root);
}

/* f_t against complex steps in t. */
static void check_time(struct model_point *at, const struct program *program, const uint32_t *f,
                       const struct second_run *run)
{
    double *const ft = calloc(at->n, sizeof *ft), *const expected = calloc(at->n, sizeof *ft);
    program_run(program, run->leaves, run->work, ft);
    model_point_step(at, f, at->n, NULL, NULL, 1, expected);
    for (size_t i = 0; i < at->n; i++) CHECK_CLOSE(ft[i], expected[i], 1e-10 * fabs(expected[i]));
    free(ft);
    free(expected);
}

void model_lanes_check_second(struct model_point *at, size_t columns, lanes_check *check)
{
    struct model_lanes l = model_lanes_make(at, columns);
    struct second_derivatives s = {.work = 0};
    struct system *const system = &at->model->system;
    struct random_source random = {.state = 9};
    const uint32_t *const f = system->rhs ? system->rhs : system->residual;
    CHECK_EQUAL(model_compile_second(at->model, &s), TANSY_OK);
    double *const work = aligned_alloc(64, (s.work + 8) / 8 * 64);
    double *const hoisted = calloc(s.plan.count + 1, sizeof *hoisted);
    double *const vector = calloc(at->n + 1, sizeof *vector);
    uint32_t *const root = calloc(at->n, sizeof *root), *const time = calloc(at->n, sizeof *time);
    for (size_t i = 0; i <= at->n; i++) vector[i] = random_next(&random); /* v, then tau */
    at->vector = vector;
    struct leaves const leaves = model_point_leaves(at, &s.plan, work, hoisted);
    struct second_run const run = {.leaves = &leaves, .work = work, .check = check};
    CHECK_EQUAL(differentiate_along(system->graph, f, at->n, OP_STATE, at->n, root), TANSY_OK);
    time_roots(at, f, time);
    uint32_t const tau = graph_leaf(system->graph, OP_VECTOR, (uint32_t)at->n);
    for (size_t i = 0; i < at->n; i++)
        root[i] = graph_binary(system->graph, OP_ADD, root[i],
                               graph_binary(system->graph, OP_MULTIPLY, tau, time[i]));
    check_program(at, &l, s.along, root, &run);
    check_time(at, s.time, f, &run);
    CHECK((s.mass != NULL) == (at->rate != NULL));
    if (s.mass) {
        CHECK_EQUAL(differentiate_along(system->graph, f, at->n, OP_RATE, at->n, root), TANSY_OK);
        check_program(at, &l, s.mass, root, &run);
    }
    at->vector = NULL;
    free(work);
    free(hoisted);
    free(vector);
    free(root);
    free(time);
    second_derivatives_free(&s);
    model_lanes_free(&l);
}
