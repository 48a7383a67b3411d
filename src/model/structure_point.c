/* SPDX-License-Identifier: Apache-2.0 */
/* The index of an implicit model at a point: dF/dy' and dF/dy there, with the constraints of an index 2 model differentiated
   in time, dg/dt = g_t + g_y y', which lowers the index by one. */
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/model.h"
#include "model/structure_rank.h"

enum { MOST = 400 }; /* equations: beyond, singular values take longer than anyone waits for them */

/* What is evaluated there, and how. */
struct place_at {
    const struct tansy_model *m;
    tansy_problem problem;
    tansy_local local;
    double *M, *A;          /* M[n*n], A[n*n] */
    double *stored, *V, *R; /* of n*n: a matrix as the problem stores it; panels */
    double *p;
    tansy_point point; /* with y and y' */
};

static void place_close(struct place_at *at)
{
    heap_return(at->local.scratch);
    heap_return(at->M);
}

/* The model's initial values and y' = 0 where the point has none; own[2*n] is room for them. */
static void complete_point(struct place_at *at, const tansy_point *point, double *own)
{
    at->point = *point;
    if (!point->y) {
        size_t const np = at->m->system.parameter.count;
        if (np > 0) memcpy(at->p, point->p, np * sizeof *at->p);
        (void)at->problem.initial(point->t, at->p, own, &at->local);
        at->local.version++; /* what is hoisted was computed without conditions */
        at->point.y = own;
    }
    if (!point->yp) at->point.yp = own + at->m->system.state.count;
}

static tansy_status place_open(const struct tansy_model *m, const tansy_point *point,
                               struct place_at *at)
{
    size_t const n = m->system.state.count, square = n * n;
    size_t const tail = m->system.parameter.count + m->system.watched + 1;
    *at = (struct place_at){.m = m};
    if (m->loaded.object)
        at->problem = m->loaded.problem;
    else
        model_fill_functions(m, &at->problem);
    at->local = (tansy_local){
        .context = (void *)m, .scratch = heap_take(at->problem.scratch + 1), .version = 1};
    at->M = heap_take((5 * square + 2 * n + tail) * sizeof *at->M);
    if (!at->local.scratch || !at->M) return TANSY_OUT_OF_MEMORY;
    at->A = at->M + square;
    at->stored = at->A + square;
    at->V = at->stored + square;
    at->R = at->V + square;
    at->p = at->R + square;
    complete_point(at, point, at->p + tail);
    return model_modes(m, &at->point, at->p);
}

/* From sparse storage. */
static void spread(const struct place_at *at, double *full)
{
    const tansy_pattern *const pattern = &at->problem.jacobian_pattern;
    for (size_t e = 0; e < pattern->entries; e++)
        full[pattern->row[e] * at->m->system.state.count + pattern->column[e]] = at->stored[e];
}

/* One of the two matrices, from its storage to full[n*n]. */
static void load(struct place_at *at, tansy_residual_jacobian *jacobian, double *full)
{
    const tansy_point *const point = &at->point;
    const tansy_problem *const problem = &at->problem;
    size_t const n = at->m->system.state.count, lower = problem->lower;
    size_t const width = lower + problem->upper + 1;
    memset(at->stored, 0, n * n * sizeof *at->stored);
    (void)jacobian(point->t, point->y, point->yp, at->p, at->stored, &at->local);
    if (problem->structure == TANSY_SPARSE)
        spread(at, full);
    else if (problem->structure == TANSY_DENSE)
        memcpy(full, at->stored, n * n * sizeof *full);
    else
        for (size_t i = 0; i < n; i++)
            for (size_t j = i > lower ? i - lower : 0; j < n && j <= i + problem->upper; j++)
                full[i * n + j] = at->stored[i * width + j + lower - i];
}

/* Rows of constraints become those of dg/dt: g_y in M, its tangent along y in A. */
static void differentiate_constraints(struct place_at *at)
{
    const tansy_point *const point = &at->point;
    size_t const n = at->m->system.state.count;
    for (size_t i = 0; i < n; i++) at->V[i * n + i] = 1;
    memset(at->stored, 0, n * n * sizeof *at->stored); /* y' does not move */
    (void)at->problem.constraint_rate_tangent(point->t, point->y, point->yp, at->p, n, n, at->V,
                                              at->stored, NULL, at->R, &at->local);
    for (size_t i = 0; i < n; i++) {
        if (!at->m->structure.is_constraint[i]) continue;
        memcpy(at->M + i * n, at->A + i * n, n * sizeof *at->M);
        memcpy(at->A + i * n, at->R + i * n, n * sizeof *at->A);
    }
}

static bool are_finite(const double *v, size_t count)
{
    for (size_t x = 0; x < count; x++)
        if (!isfinite(v[x])) return false;
    return true;
}

static tansy_status find(struct place_at *at, tansy_model_rank *rank)
{
    size_t const n = at->m->system.state.count;
    bool const constrained = at->m->structure.constraints > 0;
    struct pencil_index index;
    load(at, at->problem.rate_jacobian, at->M);
    load(at, at->problem.residual_jacobian, at->A);
    if (!are_finite(at->M, 2 * n * n)) return TANSY_OK;
    TRY(pencil_find_index(n, at->M, at->A, &index));
    rank->rank = index.rank;
    if (constrained && index.is_at_least) {
        differentiate_constraints(at);
        TRY(pencil_find_index(n, at->M, at->A, &index));
        index.index++;
    }
    rank->found = index.found;
    rank->index = index.index;
    rank->is_at_least = index.is_at_least;
    return TANSY_OK;
}

tansy_status tansy_model_find_rank(const tansy_model *m, const tansy_point *at,
                                   tansy_model_rank *rank)
{
    *rank = (tansy_model_rank){.found = 0};
    if (!m || m->diagnosis.status < 0 || model_is_explicit(m)) return TANSY_BAD_CALL;
    if (m->system.state.count > MOST) return TANSY_OK;
    struct place_at place;
    tansy_status status = place_open(m, at, &place);
    if (status == TANSY_OK) status = find(&place, rank);
    place_close(&place);
    return status;
}
