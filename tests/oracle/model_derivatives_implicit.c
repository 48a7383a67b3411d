/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit models, F(t, y, y', p) = 0: F, dF/dy, dF/dy', dF/dp, tangents and directional second derivatives as the engine
   computes them against the plain evaluator and its complex steps, to 1e-10; the patterns have exactly the entries that
   are not zero. */
#include <math.h>
#include <stdlib.h>

#include "model/oracle.h"
#include "support/model_lanes.h"
#include "test.h"

/* An implicit model ready to run. */
struct setting {
    struct model_point at;
    struct leaves leaves;
    double *work, *hoisted;
};

static void begin(struct setting *s, const char *name)
{
    model_point_open(name, 3, &s->at);
    const struct compiled *const c = &s->at.model->code;
    CHECK(s->at.rate != NULL);
    s->work = aligned_alloc(64, (c->work + 8) / 8 * 64);
    s->hoisted = calloc(c->plan.count + 1, sizeof *s->hoisted);
    s->leaves = model_point_leaves(&s->at, &c->plan, s->work, s->hoisted);
}

static void end(struct setting *s)
{
    free(s->work);
    free(s->hoisted);
    model_point_close(&s->at);
}

TEST(the_residual_of_every_implicit_model_is_exact)
{
    for (size_t k = 0; implicit_names[k]; k++) {
        struct setting s;
        begin(&s, implicit_names[k]);
        size_t const n = s.at.n;
        const struct system *const system = &s.at.model->system;
        double *const F = calloc(n, sizeof *F);
        double *const value = calloc(graph_count(system->graph), sizeof *value);
        program_run(s.at.model->code.rhs, &s.leaves, s.work, F);
        oracle_run(system->graph, &s.leaves, value);
        for (size_t i = 0; i < n; i++) {
            double const expected = value[system->residual[i]];
            CHECK_CLOSE(F[i], expected, 1e-13 * fabs(expected)); /* rounding of some terms */
        }
        free(F);
        free(value);
        end(&s);
    }
}

/* Column j of the matrix against a complex step along it, given in dy, in dp or in at.rate_step: each entry to 1e-10 of its
   own.  Adds how many entries are not 0. */
static size_t check_column(struct setting *s, const double *dy, const double *dp,
                           const double *column, size_t ld)
{
    double *const expected = calloc(s->at.n, sizeof *expected);
    size_t found = 0;
    model_point_step(&s->at, s->at.model->system.residual, s->at.n, dy, dp, 0, expected);
    for (size_t i = 0; i < s->at.n; i++) {
        CHECK_CLOSE(column[i * ld], expected[i], 1e-10 * fabs(expected[i]));
        found += expected[i] != 0;
    }
    free(expected);
    return found;
}

/* dF/dy and dF/dy' stand in dense storage: the examples are small. */
TEST(both_jacobians_of_every_implicit_model_are_exact_and_so_are_their_patterns)
{
    for (size_t k = 0; implicit_names[k]; k++) {
        struct setting s;
        begin(&s, implicit_names[k]);
        size_t const n = s.at.n;
        const struct tansy_model *const m = s.at.model;
        double *const J = calloc(n * n, sizeof *J), *const B = calloc(n * n, sizeof *B);
        double *const e = calloc(n, sizeof *e);
        size_t found[2] = {0};
        CHECK(!m->banded);
        program_run(m->code.jacobian, &s.leaves, s.work, J);
        program_run(m->code.rate, &s.leaves, s.work, B);
        for (size_t j = 0; j < n; j++) {
            e[j] = 1;
            found[0] += check_column(&s, e, NULL, J + j, n);
            s.at.rate_step = e;
            found[1] += check_column(&s, NULL, NULL, B + j, n);
            s.at.rate_step = NULL;
            e[j] = 0;
        }
        CHECK_EQUAL(m->jacobian.entries, found[0]);
        CHECK_EQUAL(m->rate.entries, found[1]);
        free(J);
        free(B);
        free(e);
        end(&s);
    }
}

TEST(the_parameter_jacobian_of_every_implicit_model_is_exact_and_so_is_its_pattern)
{
    for (size_t k = 0; implicit_names[k]; k++) {
        struct setting s;
        begin(&s, implicit_names[k]);
        size_t const n = s.at.n, np = s.at.np, entries = s.at.model->parameter.entries;
        const struct compiled *const c = &s.at.model->code;
        double *const F = calloc(entries + 1, sizeof *F), *const full = calloc(n * np, sizeof *F);
        double *const e = calloc(np, sizeof *e);
        size_t found = 0;
        program_run(c->parameter, &s.leaves, s.work, F);
        for (size_t x = 0; x < entries; x++) full[c->row[x] * np + c->column[x]] = F[x];
        for (size_t j = 0; j < np; j++) {
            e[j] = 1;
            found += check_column(&s, NULL, e, full + j, np);
            e[j] = 0;
        }
        CHECK_EQUAL(entries, found);
        free(F);
        free(full);
        free(e);
        end(&s);
    }
}

enum { COLUMNS = 11 };

TEST(tangents_and_second_derivatives_of_every_implicit_model_are_exact)
{
    for (size_t k = 0; implicit_names[k]; k++) {
        struct setting s;
        begin(&s, implicit_names[k]);
        struct model_lanes l = model_lanes_make(&s.at, COLUMNS);
        lane_program_run(s.at.model->code.tangent, &s.leaves,
                         &(struct lane_panels){COLUMNS, LANES_LD, l.V, l.U, l.R}, s.work);
        model_lanes_check(&s.at, &l, s.at.model->system.residual);
        model_lanes_free(&l);
        model_lanes_check_second(&s.at, COLUMNS, model_lanes_check);
        end(&s);
    }
}
