/* SPDX-License-Identifier: Apache-2.0 */
/* Points inside a step and their matrices. */
#include "method/stages.h"

/* Places matrices like `one` for all points. */
static struct matrix *place(struct arena *arena, const struct matrix *one,
                            const struct matrix *pattern, size_t points)
{
    struct matrix *const all = arena_take(arena, points, sizeof *all);
    for (size_t i = 0; i < points; i++) {
        struct matrix m = *one;
        m.like = m.kind == MATRIX_SPARSE ? pattern : NULL;
        matrix_layout(&m, arena);
        if (all) all[i] = m;
    }
    return all;
}

void stages_layout(struct stages *s, struct arena *arena, struct derive *derive, size_t points,
                   bool slopes)
{
    size_t const stride = lane_round(derive->n), count = derive_parameter_count(derive);
    double *const y = arena_matrix(arena, points, stride);
    double *const slope = slopes ? arena_matrix(arena, points + 1, stride) : NULL;
    double *const rate = derive_is_implicit(derive) ? arena_matrix(arena, points, stride) : NULL;
    double *const rest = derive_is_implicit(derive) ? arena_doubles(arena, stride) : NULL;
    bool const masses = s->wants_matrices && s->mass_varies;
    struct matrix *const J = s->wants_matrices ? place(arena, derive->J, derive->J, points) : NULL;
    struct matrix *const M = masses ? place(arena, derive->M, derive->J, points) : NULL;
    double *const fp = s->wants_matrices ? arena_matrix(arena, points, lane_round(count)) : NULL;
    refine_layout(s, arena, stride);
    if (!arena->block) return;
    s->stride = stride;
    s->y = y;
    s->slope = slope;
    s->rate = rate;
    s->rest = rest;
    s->time_slope = slopes ? slope + points * stride : NULL;
    s->J = J;
    s->M = M;
    s->fp = fp;
    s->fp_count = lane_round(count);
}

struct point stages_point(const struct stages *s, int i)
{
    struct point at = {.t = s->t[i], .y = s->at[i], .f = s->f[i]};
    if (s->rate) at.yp = s->rate + (size_t)i * s->stride;
    if (s->J) {
        at.J = &s->J[i];
        at.fp = s->fp + (size_t)i * s->fp_count;
    }
    if (s->M) at.M = &s->M[i];
    return at;
}

int stages_value(const struct stages *s, struct derive *d, size_t worker, int i)
{
    struct point const at = stages_point(s, i);
    double *const f = s->slope + (size_t)i * s->stride;
    return derive_tangent_needs_value(d) ? derive_value(d, worker, &at, f) : 0;
}

enum { STIFF_STEPS = 15, CALM_STEPS = 6 }; /* as in DOP853 */

void stages_forget(struct stages *s)
{
    atomic_store_explicit(&s->looks_stiff, false, memory_order_relaxed);
    atomic_store_explicit(&s->lacks_value, false, memory_order_relaxed);
    s->steps = 0;
    atomic_store_explicit(&s->moves, false, memory_order_relaxed);
    s->stiff = s->calm = s->still = s->pressed = 0;
    s->is_stiff = s->was_looked_at = false;
    s->refinement.h = 0;
    struct end_of_step *const end = &s->at_end;
    end->is_known = end->asked = false;
    end->least = end->trial = end->twists = end->calm = end->steps = 0;
    end->doubt = 1;
    s->refinement.made = s->refinement.in = 0;
}

void stages_note_step(struct stages *s)
{
    bool const stiff = atomic_load_explicit(&s->looks_stiff, memory_order_relaxed);
    atomic_store_explicit(&s->looks_stiff, false, memory_order_relaxed);
    s->calm = stiff ? 0 : s->calm + 1;
    if (stiff) s->stiff++;
    if (s->calm >= CALM_STEPS) s->stiff = 0;
    if (s->stiff >= STIFF_STEPS) s->is_stiff = true;
    if (s->was_looked_at)
        s->still = atomic_load_explicit(&s->moves, memory_order_relaxed) ? 0 : s->still + 1;
    atomic_store_explicit(&s->moves, false, memory_order_relaxed);
    s->was_looked_at = false;
    s->steps++;
}

int stages_linearise(struct stages *s, struct derive *d, int first, int last)
{
    struct matrix *const J = d->J, *const M = d->M;
    double *const fp = d->fp;
    int code = 0;
    if (!d->tangent_needs_matrices) return 0;
    for (int i = first; i < last && code == 0; i++) {
        struct point const at = stages_point(s, i);
        d->J = &s->J[i];
        if (s->M) d->M = &s->M[i];
        d->fp = s->fp + (size_t)i * s->fp_count;
        code = d->jacobian(d, &at);
        if (code == 0) code = d->parameter(d, &at);
    }
    d->J = J;
    d->M = M;
    d->fp = fp;
    return code;
}
