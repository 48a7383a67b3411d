/* SPDX-License-Identifier: Apache-2.0 */
/* A more accurate state (Franz and Kiehl 2.4): before the step that panels are differentiated in, the state makes it in k steps of
   its own.  What these reach is the state at the end of the step, and their errors together are what the state is tested by;
   the columns get the long step, from the better state. */
#include <string.h>

#include "method/one_step.h"

enum { KEPT = 5 }; /* rows: begin, slope there, end, two error estimates */

void refine_layout(struct stages *s, struct arena *arena, size_t stride)
{
    double *const kept = s->substeps > 1 ? arena_matrix(arena, KEPT, stride) : NULL;
    if (arena->block) s->refined = kept;
}

static double *kept(const struct stages *s, int row)
{
    return s->refined + (size_t)row * s->stride;
}

/* The steps of the state alone, from its value at the beginning, `step` making one from s->t by s->h. */
static int take_substeps(struct stepper *s, int (*step)(struct stepper *s, bool first))
{
    struct part *const part = &s->state;
    const struct kernels *const k = s->equations->kernels;
    size_t const count = part->shape.count, bytes = count * sizeof(double);
    double const t = s->t;
    int code = 0;
    for (int m = 0; m < s->stages.substeps && code == 0; m++) {
        s->t = t + m * s->h;
        code = step(s, m == 0);
        if (code != 0) break;
        for (int j = 0; j < 2; j++)
            k->combine(count, 1, kept(&s->stages, 3 + j), 1, part->e[j], kept(&s->stages, 3 + j));
        memcpy(one_step_row(part, ROW_BEGIN), one_step_row(part, ROW_END), bytes);
    }
    return code;
}

int one_step_refine(struct stepper *s, int (*step)(struct stepper *s, bool first))
{
    struct stages *const stages = &s->stages;
    struct part *const part = &s->state;
    size_t const bytes = part->shape.count * sizeof(double);
    double *const begin = one_step_row(part, ROW_BEGIN), *const slope = one_step_stage(part, 0);
    double const t = s->t, h = s->h;
    if (stages->substeps <= 1) return 0;
    memcpy(kept(stages, 0), begin, bytes);
    memcpy(kept(stages, 1), slope, bytes);
    memset(kept(stages, 3), 0, 2 * stages->stride * sizeof(double));
    s->h = h / stages->substeps;
    int const code = take_substeps(s, step);
    memcpy(kept(stages, 2), begin, bytes);
    memcpy(begin, kept(stages, 0), bytes);
    memcpy(slope, kept(stages, 1), bytes);
    s->t = t;
    s->h = h;
    one_step_begin(s);
    return code;
}

void one_step_take_refined(struct stepper *s)
{
    struct part *const part = &s->state;
    size_t const bytes = part->shape.count * sizeof(double);
    if (s->stages.substeps <= 1) return;
    memcpy(one_step_row(part, ROW_END), kept(&s->stages, 2), bytes);
    memcpy(s->state_work.y, kept(&s->stages, 2), bytes);
    for (int j = 0; j < 2; j++) memcpy(part->e[j], kept(&s->stages, 3 + j), bytes);
}
