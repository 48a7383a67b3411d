/* SPDX-License-Identifier: Apache-2.0 */
/* What the one-step methods share.  Rows of a part's history: the value at the beginning of the step, the value at its end, the
   stages.  When a step is accepted nothing moves: `pending` says that the rows belong to the last step, and the next attempt
   begins by taking the end of it over. */
#ifndef METHOD_ONE_STEP_H
#define METHOD_ONE_STEP_H

#include "method/corrector.h"
#include "method/stage_sum.h"

enum { ROW_BEGIN, ROW_END, ROW_STAGES };

static inline double *one_step_row(const struct part *part, int j)
{
    return part->history + (size_t)j * part->shape.count;
}

static inline double *one_step_stage(const struct part *part, int i)
{
    return one_step_row(part, ROW_STAGES + i);
}

/* The value at the beginning of the step. */
static inline double *one_step_value(const struct part *part)
{
    return one_step_row(part, ROW_BEGIN);
}

/* The work space of a part. */
static inline struct work *one_step_work(struct stepper *s, const struct part *part, size_t worker)
{
    return part->kind == PART_STATE ? &s->state_work : &s->panel_work[worker];
}

/* out = base + factor sum of weight[j] times stage[j], j < terms; base may be NULL: zero. */
static inline void one_step_sum(const struct stepper *s, const struct part *part,
                                const double *base, double factor, const struct stage_sum *sum,
                                double *out)
{
    size_t const count = part->shape.count;
    struct row_task const task = {.count = count,
                                  .stride = count,
                                  .rows = one_step_stage(part, 0),
                                  .base = base,
                                  .factor = factor,
                                  .terms = sum->terms,
                                  .row = sum->stage,
                                  .weight = sum->weight};
    s->equations->kernels->step->sum_rows(&task, out);
}

/* Weights of the error test at the larger of both ends of the step, into w->winv. */
void one_step_weigh(const struct stepper *s, const struct part *part, struct work *w);

/* Offers the only candidate, from the squares of the columns' norms, in units of the tolerance. */
void one_step_offer(struct stepper *s, const struct part *part, const double *square,
                    struct estimates *out);

/* Begins a step: t + h, and for the state its own bookkeeping. */
void one_step_begin(struct stepper *s);

/* Begins a panel: increments of internal numerical differentiation. */
void one_step_begin_panel(struct stepper *s, const struct part *part, struct work *w);

/* refine.c: the state's own shorter steps, before the step at work; step(s, first) makes one from s->t by s->h, the first with the
   slope at its beginning known.  Then, after the step at work, their result in its place. */
int one_step_refine(struct stepper *s, int (*step)(struct stepper *s, bool first));
void one_step_take_refined(struct stepper *s);

/* Takes note of the error of the state, in units of the tolerance: what it would be if the state made as many steps as it may. */
double one_step_ease(struct stepper *s, double error);

/* accept and settle of the method table. */
void one_step_accept(struct stepper *s);
void one_step_settle(struct stepper *s);

/* The last step, which was accepted, is to be made anew from where it began, before the next is begun. */
void one_step_undo(struct stepper *s);

/* A polynomial in s = (t - t_n)/h within the last step from values and slopes at both ends; derivative: times h. */
struct cubic {
    double end;         /* weight of y1 - y0 */
    double first, last; /* of h y0' and h y1' */
};
struct cubic one_step_cubic(double s, int derivative);

#endif
