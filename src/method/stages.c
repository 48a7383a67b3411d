/* SPDX-License-Identifier: Apache-2.0 */
/* Points inside a step and their matrices. */
#include "method/stages.h"

void stages_layout(struct stages *s, struct arena *arena, struct derive *derive, bool matrices)
{
    size_t const stride = lane_round(derive->n);
    double *const y = arena_matrix(arena, MOST_STAGES, stride);
    size_t const count =
        derive->fp_pattern.row ? derive->fp_pattern.entries : derive->n * derive->np;
    struct matrix *const J = matrices ? arena_take(arena, MOST_STAGES, sizeof *J) : NULL;
    double *const fp = matrices ? arena_matrix(arena, MOST_STAGES, lane_round(count)) : NULL;
    struct matrix unused = *derive->J;
    for (size_t i = 0; matrices && i < MOST_STAGES; i++) {
        struct matrix *const m = J ? &J[i] : &unused;
        *m = *derive->J;
        m->like = m->kind == MATRIX_SPARSE ? derive->J : NULL;
        matrix_layout(m, arena);
    }
    if (!arena->block) return;
    s->stride = stride;
    s->y = y;
    s->J = J;
    s->fp = fp;
    s->fp_count = lane_round(count);
}

struct point stages_point(const struct stages *s, int i)
{
    struct point at = {.t = s->t[i], .y = s->at[i], .f = s->f[i]};
    if (s->J) {
        at.J = &s->J[i];
        at.fp = s->fp + (size_t)i * s->fp_count;
    }
    return at;
}

enum { STIFF_STEPS = 15, CALM_STEPS = 6 }; /* as in DOP853 */

void stages_note_stiffness(struct stages *s, bool stiff)
{
    s->calm = stiff ? 0 : s->calm + 1;
    if (stiff) s->stiff++;
    if (s->calm >= CALM_STEPS) s->stiff = 0;
    if (s->stiff >= STIFF_STEPS) s->is_stiff = true;
}

int stages_linearise(struct stages *s, struct derive *d, int first, int last)
{
    struct matrix *const J = d->J;
    double *const fp = d->fp;
    int code = 0;
    if (!d->tangent_needs_matrices) return 0;
    for (int i = first; i < last && code == 0; i++) {
        struct point const at = stages_point(s, i);
        d->J = &s->J[i];
        d->fp = s->fp + (size_t)i * s->fp_count;
        code = d->jacobian(d, &at);
        if (code == 0) code = d->parameter(d, &at);
    }
    d->J = J;
    d->fp = fp;
    return code;
}
