/* SPDX-License-Identifier: Apache-2.0 */
/* A more accurate state (Franz and Kiehl 2.4): before the step that panels are differentiated in, the state makes it in k steps of
   its own.  What these reach is the state at the end of the step, and their errors together are what the state is tested by;
   the columns get the long step, from the better state.  Where k follows from the tolerances it is the largest: where steps are as
   short as S wants them fewer may do.  The errors of k steps of order p together are
     E_k = C h^(p+1)/k^p,
   so that k = k' (4 E_k' (h/h')^(p+1))^(1/p), from k', h' before, makes them a quarter of what is allowed: what four steps of rk8 have that
   the state alone would choose.  Where that was wrong the state makes its steps again, all of them.  Steps h are chosen as if
   the largest k had been made. */
#include <math.h>
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
    for (int m = 0; m < s->stages.refinement.substeps && code == 0; m++) {
        s->t = t + m * s->h;
        s->stages.refinement.is_last = m + 1 == s->stages.refinement.substeps;
        code = step(s, m == 0);
        s->stages.refinement.is_last = false;
        if (code != 0) break;
        for (int j = 0; j < 2; j++)
            k->combine(count, 1, kept(&s->stages, 3 + j), 1, part->e[j], kept(&s->stages, 3 + j));
        memcpy(one_step_row(part, ROW_BEGIN), one_step_row(part, ROW_END), bytes);
    }
    return code;
}

/* How many steps by h are enough, by those before. */
static int enough(const struct stepper *s, double h)
{
    static const double careful = 4;
    const struct refinement *const r = &s->stages.refinement;
    double const ratio = fabs(h) / r->h, p = s->order,
                 error = careful * r->error * pow(ratio, p + 1),
                 wanted = ceil(r->substeps * pow(error, 1 / p));
    return wanted < s->stages.substeps ? (int)fmax(wanted, 2) : s->stages.substeps;
}

static void put_back(const struct stages *stages, const struct part *part)
{
    size_t const bytes = part->shape.count * sizeof(double);
    memcpy(one_step_row(part, ROW_BEGIN), kept(stages, 0), bytes);
    memcpy(one_step_stage(part, 0), kept(stages, 1), bytes);
}

static void copy_errors(const struct stages *stages, const struct part *part)
{
    for (int j = 0; j < 2; j++)
        memcpy(part->e[j], kept(stages, 3 + j), part->shape.count * sizeof(double));
}

/* Fewer steps than there may be were too few: their error, found as that of any step is, is too large, or f failed. */
static bool were_too_few(struct stepper *s, int code)
{
    static const double much = 0.7;
    struct estimates estimates;
    if (code != 0 || s->stages.refinement.substeps == s->stages.substeps) return code > 0;
    copy_errors(&s->stages, &s->state);
    s->method->estimate(s, &s->state, 0, &estimates);
    return !(s->stages.refinement.error <= much);
}

int one_step_refine(struct stepper *s, int (*step)(struct stepper *s, bool first))
{
    struct stages *const stages = &s->stages;
    struct refinement *const r = &stages->refinement;
    struct part *const part = &s->state;
    size_t const bytes = part->shape.count * sizeof(double);
    double const t = s->t, h = s->h;
    if (stages->substeps <= 1) return 0;
    memcpy(kept(stages, 0), one_step_row(part, ROW_BEGIN), bytes);
    memcpy(kept(stages, 1), one_step_stage(part, 0), bytes);
    r->end = t + (h + s->t_low);
    r->substeps = r->adapts && s->begun && r->h > 0 ? enough(s, h) : stages->substeps;
    int code = 0;
    for (bool again = true; again;) {
        memset(kept(stages, 3), 0, 2 * stages->stride * sizeof(double));
        s->h = h / r->substeps;
        code = take_substeps(s, step);
        s->t = t;
        s->h = h;
        memcpy(kept(stages, 2), one_step_row(part, ROW_BEGIN), bytes);
        again = were_too_few(s, code) && r->substeps < stages->substeps;
        put_back(stages, part);
        if (again) r->substeps = stages->substeps;
    }
    one_step_begin(s);
    return code;
}

double one_step_ease(struct stepper *s, double error)
{
    struct refinement *const r = &s->stages.refinement;
    if (s->stages.substeps <= 1) return error;
    r->error = error;
    r->h = fabs(s->h);
    return error * pow((double)r->substeps / s->stages.substeps, s->order);
}

void one_step_take_refined(struct stepper *s)
{
    struct part *const part = &s->state;
    size_t const bytes = part->shape.count * sizeof(double);
    if (s->stages.substeps <= 1) return;
    memcpy(one_step_row(part, ROW_END), kept(&s->stages, 2), bytes);
    memcpy(s->state_work.y, kept(&s->stages, 2), bytes);
    copy_errors(&s->stages, part);
}
