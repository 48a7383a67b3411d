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

const char *const implicit_names[] = {"batch_reactor",        "pendulum",   "robertson_dae",
                                      "transistor_amplifier", "akzo_nobel", NULL};

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

struct leaves model_point_leaves(const struct model_point *at, const struct hoist *plan,
                                 double *work, double *hoisted)
{
    const struct system *const system = &at->model->system;
    struct leaves leaves = {.t = at->t,
                            .y = at->y,
                            .rate = at->rate,
                            .vector = at->vector,
                            .p = at->p,
                            .table = system->table.item,
                            .np = at->np,
                            .switches = system->watched};
    if (plan && plan->count > 0) program_run(plan->program, &leaves, work, hoisted);
    leaves.hoisted = hoisted;
    return leaves;
}

/* The functions as a solver gets them. */
static void take_functions(struct model_point *at)
{
    CHECK_EQUAL(tansy_model_problem(at->model, &at->problem), TANSY_OK);
    at->local = (tansy_local){.context = at->problem.context,
                              .scratch = aligned_alloc(64, (at->problem.scratch + 63) / 64 * 64),
                              .version = 1};
    *(size_t *)at->local.scratch = 0;
}

/* The initial values, moved off zero. */
static void set_states(struct model_point *at, struct random_source *random)
{
    const struct system *const system = &at->model->system;
    struct program *initial = NULL;
    uint32_t *const root = calloc(at->n, sizeof *root);
    for (size_t i = 0; i < at->n; i++) root[i] = system->state.item[i].initial;
    CHECK_EQUAL(program_create(system->graph, NULL, root, at->n, &initial), TANSY_OK);
    double *const work = aligned_alloc(64, (program_work(initial) + 8) / 8 * 64);
    struct leaves const leaves = model_point_leaves(at, NULL, work, NULL);
    program_run(initial, &leaves, work, at->y);
    program_free(initial);
    free(root);
    for (size_t i = 0; i < at->n; i++)
        at->y[i] = (fabs(at->y[i]) + 0.1) * (1 + 0.3 * random_next(random));
    for (size_t i = 0; at->rate && i < at->n; i++) at->rate[i] = random_next(random);
    free(work);
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
    const struct system *const system = &at->model->system;
    take_functions(at);
    at->n = system->state.count;
    at->np = system->parameter.count;
    size_t const tail = system->watched + 1;
    at->y = calloc(at->n, sizeof *at->y);
    at->p = calloc(at->np + tail, sizeof *at->p);
    at->cy = calloc(at->n, sizeof *at->cy);
    at->cp = calloc(at->np + tail, sizeof *at->cp);
    if (!model_is_explicit(model)) at->rate = calloc(at->n, sizeof *at->rate);
    at->value = calloc(graph_count(system->graph) + 64, sizeof *at->value);
    at->t = isnan(system->t0) ? 0 : system->t0;
    for (size_t k = 0; k < at->np; k++)
        at->p[k] = at->model->p[k] * (1 + 0.1 * random_next(&random));
    set_states(at, &random);
    at->t += 0.37;
    set_conditions(at);
}

void model_point_close(struct model_point *at)
{
    tansy_model_free(at->model);
    free(at->y);
    free(at->p);
    free(at->cy);
    free(at->cp);
    free(at->value);
    free(at->rate);
    free(at->local.scratch);
}

void model_point_step(struct model_point *at, const uint32_t *root, size_t roots, const double *dy,
                      const double *dp, double dt, double *derivative)
{
    const struct system *const system = &at->model->system;
    for (size_t i = 0; i < at->n; i++) at->cy[i] = complex_number(at->y[i], dy ? tiny * dy[i] : 0);
    for (size_t k = 0; k < at->np + at->problem.switches + 1; k++)
        at->cp[k] = complex_number(at->p[k], dp && k < at->np ? tiny * dp[k] : 0);
    double complex *const vector = calloc(at->n + 1, sizeof *vector);
    double complex *const rate = calloc(at->n, sizeof *rate); /* only residuals have it */
    for (size_t i = 0; at->vector && i <= at->n; i++) vector[i] = at->vector[i];
    for (size_t i = 0; at->rate && i < at->n; i++)
        rate[i] = complex_number(at->rate[i], at->rate_step ? tiny * at->rate_step[i] : 0);
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

/* The values of column k of a matrix, to 1e-10 of each but for what rounding of the column's largest can leave of a difference;
   how many are not zero. */
static size_t check_column(const struct model_point *at, const double *full, size_t k,
                           const double *expected)
{
    double largest = 0;
    size_t found = 0;
    for (size_t i = 0; i < at->n; i++) largest = fmax(largest, fabs(expected[i]));
    for (size_t i = 0; i < at->n; i++) {
        CHECK_CLOSE(full[i * at->np + k], expected[i], 1e-10 * fabs(expected[i]) + 1e-14 * largest);
        found += expected[i] != 0;
    }
    return found;
}

void model_point_check_parameters(struct model_point *at, const double *F)
{
    const struct derivative *const pattern = &at->model->parameter;
    const struct system *const system = &at->model->system;
    size_t const n = at->n, np = at->np;
    double *const full = calloc(n * np, sizeof *full), *const column = calloc(n, sizeof *column);
    double *const e = calloc(np, sizeof *e);
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t x = pattern->start[i]; x < pattern->start[i + 1]; x++)
            full[i * np + pattern->column[x]] = F[x];
    for (size_t k = 0; k < np; k++) {
        e[k] = 1;
        model_point_step(at, system->rhs ? system->rhs : system->residual, n, NULL, e, 0, column);
        e[k] = 0;
        found += check_column(at, full, k, column);
    }
    CHECK_EQUAL(pattern->entries, found);
    free(full);
    free(column);
    free(e);
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
