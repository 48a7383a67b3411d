/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation of B(t, y, p) y' = f (Deuflhard and Nowak 1987).  The factors of a row are those of W = B_0/h - A, B_0 and
   A = d/dy(f - B y') being taken at the beginning of the step, y' from the step before.  The increment of a short step, in which
   B_k = B(t + (k + 1) h, y_k),
     (B_k/h - A) D = f(t + (k + 1) h, y_k),
   is the limit of W D_new = f - B_k D/h + B_0 D/h, whose error falls by O(H) each time.  Its derivative, the increment of the columns,
     (B_k/h - A) D' = [f_y - d(B D/h)/dy](y_k) s_k + r_p U + d/dy(A D) s_0 + d/dp(A D) U,
   is the limit of W D'_new = R(D'/h) + B_0 D'/h + (the last two terms), R(s') = J s_k - B_k s' + r_p U being the tangent of f - B y' at
   y' = D/h.  A depends on y_0 by y' too, the last two terms are d/deps of R(y_0 + eps D) with s_0 and s_0'. */
#include "method/limex.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 12 };
static const double rest = 1e-5, /* of the tolerance: extrapolation multiplies it by up to 3400 */
    roundoff = 1e-3, /* corrections below this that stand still are as small as can be, */
    noise =
        0.1, /* those of internal differences below this: their increments are such that rounding is 0.01, or 0.1 where no better formula is left
             (derive/internal.c), in algebraic components however short the step is */
    slow = 0.5; /* a rate that is no use: a shorter step has a better one */

/* f - B_k D/h, or its tangent with D'/h; the point has y' = D/h. */
static int residual(struct stepper *s, struct part *part, size_t worker, const struct point *at,
                    double *rate, double *r)
{
    struct derive *const d = s->equations->derive;
    if (part->kind == PART_STATE) return derive_value(d, worker, at, r);
    return d->tangent(d, worker, at, &part->shape, s->panel_work[worker].y, rate, r);
}

/* A guess: the increment before, or what y' at the beginning of the step makes. */
static void guess(const struct stepper *s, const struct part *part, int j, int k, double *delta)
{
    const double *const before =
        k > 0 ? limex_inside(part, j, k - 1) : one_step_row(part, ROW_SLOPE);
    s->equations->kernels->combine(part->shape.count, k > 0 ? 1 : s->h / j, before, 0, before,
                                   delta);
}

static int diverged(struct stepper *s, size_t worker, double t)
{
    s->equations->derive->worker[worker].failure =
        (struct failure){.kind = FAILURE_SLOW, .function = "the iteration for B(t, y)", .t = t};
    return 1;
}

/* D_new into w->y0 from D; the size of their difference, which is left in w->r. */
static int improve(struct stepper *s, struct part *part, struct work *w,
                   const struct solve_task *task, const double *fixed, const double *delta,
                   double *size)
{
    struct equations *const q = s->equations;
    const struct kernels *const k = q->kernels;
    size_t const count = part->shape.count;
    double *const rate = part->kind == PART_STATE ? (double *)task->at.yp : w->yp;
    double *const next = w->y0, *const again = w->d0;
    k->combine(count, task->c, delta, 0, delta, rate);
    memcpy(again, rate, count * sizeof *again); /* the tangent may write over it */
    int code = residual(s, part, task->worker, &task->at, rate, next);
    if (code != 0) return code;
    matrix_multiply(q->derive->M, k, part->shape.lanes, again, next);
    if (fixed) k->combine(count, 1, next, 1, fixed, next);
    part->counts.solves += part->shape.columns;
    code = equations_solve(q, part, task, next);
    k->combine(count, 1, next, -1, delta, w->r);
    *size = norms_largest(q->norms, part, w->r, w->winv);
    return code;
}

int limex_solve_varying(struct stepper *s, struct part *part, size_t worker, int j, int k,
                        double *fixed)
{
    struct work *const w = one_step_work(s, part, worker);
    double *const delta = limex_inside(part, j, k);
    size_t const bytes = part->shape.count * sizeof *delta;
    struct solve_task const task = {.worker = worker,
                                    .at = stages_point(&s->stages, limex_point(s, j, k)),
                                    .c = j / s->h,
                                    .slot = limex_slot(s, j)};
    bool const noisy = part->kind != PART_STATE && s->equations->derive->is_internal;
    double const smallest = noisy ? noise : roundoff;
    double size = 0, before = 0;
    norms_weigh(s->equations->norms, part, one_step_value(part), w->winv);
    guess(s, part, j, k, delta);
    for (int m = 0; m < MOST_ITERATIONS; m++) {
        int const code = improve(s, part, w, &task, fixed, delta, &size);
        if (code != 0) return code;
        memcpy(delta, w->y0, bytes);
        double const rate = m > 0 ? size / before : slow;
        bool const stands = m > 0 && size <= smallest && rate > slow;
        if (size <= rest * (1 - fmin(rate, slow)) || stands) return 0;
        if (m > 1 && !(rate <= slow)) break;
        before = size;
    }
    return diverged(s, worker, task.at.t);
}
