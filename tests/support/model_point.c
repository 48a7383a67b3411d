/* SPDX-License-Identifier: Apache-2.0 */
#include "model_point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "complex_number.h"
#include "model/oracle.h"
#include "random.h"
#include "test.h"

const char *const model_names[] = {
    "gas_oil",     "robertson",      "hires",          "pollution",      "ethane", "heat",
    "brusselator", "brusselator_1d", "brusselator_2d", "lotka_volterra", NULL};

static const double tiny = 1e-30;

/* Conditions as they stand at the point; lower-numbered ones first. */
static void set_conditions(struct model_point *at)
{
    size_t const count = at->problem.switches;
    double *const g = calloc(count + 1, sizeof *g);
    for (size_t pass = 0; pass <= count; pass++) {
        if (count > 0)
            CHECK_EQUAL(at->problem.switch_function(at->t, at->y, at->p, g, &at->local), 0);
        for (size_t j = 0; j < count; j++) at->p[at->np + j] = g[j] >= 0;
        at->local.version++;
    }
    free(g);
}

void model_point_open(const char *name, unsigned seed, struct model_point *at)
{
    char path[256];
    (void)snprintf(path, sizeof path, "examples/models/%s.tansy", name);
    model_point_stand(tansy_model_read(path), seed, at);
}

void model_point_stand(tansy_model *model, unsigned seed, struct model_point *at)
{
    struct random_source random = {.state = seed};
    *at = (struct model_point){.model = model};
    if (tansy_model_error(at->model) != TANSY_OK) puts(tansy_model_message(at->model));
    CHECK_EQUAL(tansy_model_error(at->model), TANSY_OK);
    CHECK_EQUAL(tansy_model_problem(at->model, &at->problem), TANSY_OK);
    at->n = at->problem.n;
    at->np = at->problem.np;
    size_t const tail = at->problem.switches + 1;
    at->y = calloc(at->n, sizeof *at->y);
    at->p = calloc(at->np + tail, sizeof *at->p);
    at->yp = calloc(at->n, sizeof *at->yp);
    at->cy = calloc(at->n, sizeof *at->cy);
    at->cp = calloc(at->np + tail, sizeof *at->cp);
    at->value = calloc(graph_count(at->model->system.graph) + 64, sizeof *at->value);
    at->local = (tansy_local){.context = at->problem.context,
                              .scratch = aligned_alloc(64, (at->problem.scratch + 63) / 64 * 64),
                              .version = 1};
    *(size_t *)at->local.scratch = 0;
    for (size_t k = 0; k < at->np; k++)
        at->p[k] = at->problem.p[k] * (1 + 0.1 * random_next(&random));
    CHECK_EQUAL(at->problem.initial(at->problem.t0, at->p, at->y, &at->local), 0);
    for (size_t i = 0; i < at->n; i++)
        at->y[i] = (fabs(at->y[i]) + 0.1) * (1 + 0.3 * random_next(&random));
    for (size_t i = 0; i < at->n; i++) at->yp[i] = random_next(&random);
    at->t = at->problem.t0 + 0.37;
    set_conditions(at);
}

void model_point_close(struct model_point *at)
{
    tansy_model_free(at->model);
    free(at->y);
    free(at->p);
    free(at->yp);
    free(at->cy);
    free(at->cp);
    free(at->value);
    free(at->local.scratch);
}

void model_point_step(struct model_point *at, const uint32_t *root, size_t roots, const double *dy,
                      const double *dp, double dt, double *derivative)
{
    const struct system *const system = &at->model->system;
    for (size_t i = 0; i < at->n; i++) at->cy[i] = complex_number(at->y[i], dy ? tiny * dy[i] : 0);
    for (size_t k = 0; k < at->np + at->problem.switches + 1; k++)
        at->cp[k] = complex_number(at->p[k], dp && k < at->np ? tiny * dp[k] : 0);
    double complex *const vector = calloc(at->n, sizeof *vector);
    double complex *const rate = calloc(at->n, sizeof *rate);
    for (size_t i = 0; i < at->n; i++)
        rate[i] = complex_number(at->yp[i], at->dyp ? tiny * at->dyp[i] : 0);
    for (size_t i = 0; at->vector && i < at->n; i++) vector[i] = at->vector[i];
    at->value = realloc(at->value, graph_count(system->graph) * sizeof *at->value);
    oracle_run_complex(system->graph,
                       &(struct complex_leaves){.t = complex_number(at->t, tiny * dt),
                                                .y = at->cy,
                                                .rate = rate,
                                                .vector = vector,
                                                .p = at->cp,
                                                .table = system->table.item,
                                                .np = at->np,
                                                .switches = system->watched},
                       at->value);
    for (size_t i = 0; i < roots; i++) derivative[i] = cimag(at->value[root[i]]) / tiny;
    free(vector);
    free(rate);
}

size_t model_point_places(const struct model_point *at)
{
    const tansy_problem *const p = &at->problem;
    if (p->structure == TANSY_SPARSE) return p->jacobian_pattern.entries;
    return at->n * (p->structure == TANSY_DENSE ? at->n : p->lower + p->upper + 1);
}

double model_point_entry(const struct model_point *at, const double *J, size_t i, size_t j)
{
    const tansy_problem *const p = &at->problem;
    if (p->structure == TANSY_DENSE) return J[i * at->n + j];
    if (p->structure == TANSY_SPARSE) {
        for (size_t e = 0; e < p->jacobian_pattern.entries; e++)
            if (p->jacobian_pattern.row[e] == i && p->jacobian_pattern.column[e] == j) return J[e];
        return 0;
    }
    bool const inside = j + p->lower >= i && j <= i + p->upper;
    return inside ? J[i * (p->lower + p->upper + 1) + j + p->lower - i] : 0;
}
