/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit models, F(t, y, y', p) = 0: F, dF/dy, dF/dy', dF/dp, tangents and directional second derivatives as the engine
   computes them against the plain evaluator and its complex steps, to 1e-10; the patterns have exactly the entries that
   are not zero. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/oracle.h"
#include "support/model_lanes.h"
#include "test.h"

/* An implicit model at a point, its matrices and its tangent, and the plan of what they need of p alone. */
struct setting {
    struct model_point at;
    struct graph *g;
    const uint32_t *F;
    struct derivative rate;
    struct tangent tangent;
    struct hoist plan;
};

static void begin(struct setting *s, const char *name)
{
    *s = (struct setting){.plan = {0}};
    model_point_open(name, 3, &s->at);
    CHECK(s->at.rate != NULL);
    const struct tansy_model *const m = s->at.model;
    size_t const n = s->at.n, np = s->at.np;
    s->g = m->system.graph;
    s->F = m->system.residual;
    CHECK_EQUAL(differentiate(s->g, s->F, n, OP_RATE, n, &s->rate), TANSY_OK);
    CHECK_EQUAL(differentiate_tangent(s->g, s->F, n, n, np, &s->tangent), TANSY_OK);
    const uint32_t *const part[] = {s->F, m->jacobian.node, s->rate.node, m->parameter.node,
                                    s->tangent.coefficient};
    size_t const length[] = {n, m->jacobian.entries, s->rate.entries, m->parameter.entries,
                             s->tangent.terms};
    size_t count = 0;
    for (size_t k = 0; k < 5; k++) count += length[k];
    uint32_t *const all = calloc(count, sizeof *all);
    count = 0;
    for (size_t k = 0; k < 5; k++) {
        memcpy(all + count, part[k], length[k] * sizeof *all);
        count += length[k];
    }
    CHECK_EQUAL(hoist_plan(s->g, all, count, &s->plan), TANSY_OK);
    free(all);
}

static void end(struct setting *s)
{
    hoist_free(&s->plan);
    tangent_free(&s->tangent);
    derivative_free(&s->rate);
    model_point_close(&s->at);
}

static double *take_work(size_t doubles)
{
    return aligned_alloc(64, (doubles + 8) / 8 * 64);
}

/* The values of the roots by the engine. */
static double *run(const struct setting *s, const uint32_t *root, size_t roots)
{
    struct program *program = NULL;
    double *const value = calloc(roots + 1, sizeof *value);
    CHECK_EQUAL(program_create(s->g, &s->plan, root, roots, &program), TANSY_OK);
    size_t const plan = s->plan.count > 0 ? program_work(s->plan.program) : 0;
    double *const work = take_work(program_work(program) + plan);
    double *const hoisted = calloc(s->plan.count + 1, sizeof *hoisted);
    struct leaves const leaves = model_point_leaves(&s->at, &s->plan, work, hoisted);
    program_run(program, &leaves, work, value);
    program_free(program);
    free(work);
    free(hoisted);
    return value;
}

static void check_residual(struct setting *s)
{
    double *const F = run(s, s->F, s->at.n);
    double *const value = calloc(graph_count(s->g), sizeof *value);
    struct leaves const leaves = model_point_leaves(&s->at, NULL, NULL, NULL);
    oracle_run(s->g, &leaves, value);
    for (size_t i = 0; i < s->at.n; i++) /* rounding of some terms */
        CHECK_CLOSE(F[i], value[s->F[i]], 1e-13 * fabs(value[s->F[i]]));
    free(F);
    free(value);
}

/* A matrix with n columns against complex steps along e_j, which is dy, or at.rate_step in y'. */
static void check_matrix(struct setting *s, const struct derivative *d, bool in_rate)
{
    size_t const n = s->at.n;
    double *const entry = run(s, d->node, d->entries), *const full = calloc(n * n, sizeof *full);
    double *const e = calloc(n, sizeof *e), *const column = calloc(n, sizeof *column);
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t x = d->start[i]; x < d->start[i + 1]; x++)
            full[i * n + d->column[x]] = entry[x];
    for (size_t j = 0; j < n; j++) {
        e[j] = 1;
        s->at.rate_step = in_rate ? e : NULL;
        model_point_step(&s->at, s->F, n, in_rate ? NULL : e, NULL, 0, column);
        e[j] = 0;
        for (size_t i = 0; i < n; i++) {
            CHECK_CLOSE(full[i * n + j], column[i], 1e-10 * fabs(column[i]));
            found += column[i] != 0;
        }
    }
    s->at.rate_step = NULL;
    CHECK_EQUAL(d->entries, found);
    free(entry);
    free(full);
    free(e);
    free(column);
}

static void check_jacobian(struct setting *s)
{
    check_matrix(s, &s->at.model->jacobian, false);
}

static void check_rate_jacobian(struct setting *s)
{
    check_matrix(s, &s->rate, true);
}

static void check_parameters(struct setting *s)
{
    const struct derivative *const d = &s->at.model->parameter;
    double *const F = run(s, d->node, d->entries);
    model_point_check_parameters(&s->at, F);
    free(F);
}

enum { COLUMNS = 11 };

static void check_tangent(struct setting *s)
{
    struct model_lanes l = model_lanes_make(&s->at, COLUMNS);
    struct lane_program *program = NULL;
    CHECK_EQUAL(lane_program_create(s->g, &s->plan, &s->tangent, &program), TANSY_OK);
    size_t const plan = s->plan.count > 0 ? program_work(s->plan.program) : 0;
    double *const work = take_work(lane_program_work(program, COLUMNS) + plan);
    double *const hoisted = calloc(s->plan.count + 1, sizeof *hoisted);
    struct leaves const leaves = model_point_leaves(&s->at, &s->plan, work, hoisted);
    struct lane_panels const panels = {
        .columns = COLUMNS, .ld = LANES_LD, .V = l.V, .U = l.U, .R = l.R};
    lane_program_run(program, &leaves, &panels, work);
    model_lanes_check(&s->at, &l, s->F);
    lane_program_free(program);
    free(work);
    free(hoisted);
    model_lanes_free(&l);
}

static void check_second(struct setting *s)
{
    model_lanes_check_second(&s->at, COLUMNS, model_lanes_check);
}

typedef void check(struct setting *s);

static void for_all_models(check *holds)
{
    for (size_t k = 0; implicit_names[k]; k++) {
        struct setting s;
        begin(&s, implicit_names[k]);
        holds(&s);
        end(&s);
    }
}

TEST(the_residual_of_every_implicit_model_is_exact)
{
    for_all_models(check_residual);
}

TEST(both_jacobians_of_every_implicit_model_are_exact_and_so_are_their_patterns)
{
    for_all_models(check_jacobian);
    for_all_models(check_rate_jacobian);
}

TEST(the_parameter_jacobian_of_every_implicit_model_is_exact_and_so_is_its_pattern)
{
    for_all_models(check_parameters);
}

TEST(tangents_of_every_implicit_model_are_exact)
{
    for_all_models(check_tangent);
}

/* Of J v, F_t and B v. */
TEST(second_directional_derivatives_of_every_implicit_model_are_exact)
{
    for_all_models(check_second);
}
