/* SPDX-License-Identifier: Apache-2.0 */
/* What the one-step methods share. */
#include "method/one_step.h"

#include <math.h>
#include <string.h>

/* Of what rounding is expected to do, for which extrapolation has its multiple: what it did at most in steps that it made fail. */
static const double at_least = 8, of_multiple = 2;

/* Internal differences: rounding of algebraic components, over the increment, is in S however short the step is.  Where it is above the tolerance no
   step would pass; so it is the tolerance of these, and the report tells (derive/noise.c). */
static void ease(const struct stepper *s, const struct part *part, struct work *w)
{
    const struct derive *const d = s->equations->derive;
    const tansy_kind *const kind = d->internal.kind;
    const double *const y = one_step_row(&s->state, ROW_BEGIN);
    double const room = fmax(at_least / d->internal.multiple, of_multiple);
    size_t const lanes = part->shape.lanes;
    for (size_t k = 0; k < part->shape.columns; k++) {
        double const unit = room * derive_noise_of_algebraic(d, part->shape.first + k);
        for (size_t i = 0; i < d->n; i++)
            if (kind[i] != TANSY_DIFFERENTIAL && unit * fabs(y[i]) * w->winv[i * lanes + k] > 1)
                w->winv[i * lanes + k] = 1 / (unit * fabs(y[i]));
    }
}

void one_step_weigh(const struct stepper *s, const struct part *part, struct work *w)
{
    s->equations->kernels->step->larger(part->shape.count, one_step_row(part, ROW_BEGIN),
                                        one_step_row(part, ROW_END), w->r);
    norms_weigh(s->equations->norms, part, w->r, w->winv);
    const struct derive *const d = s->equations->derive;
    if (part->kind != PART_STATE && d->is_internal && d->internal.kind) ease(s, part, w);
}

void one_step_offer(struct stepper *s, const struct part *part, const double *square,
                    struct estimates *out)
{
    double const share = s->equations->norms->share;
    size_t const worst = norms_worst(square, part->shape.columns);
    double error = sqrt(square[worst] * share), sum = 0;
    for (size_t k = 0; k < part->shape.columns; k++) sum += square[k];
    sum *= share;
    if (part->kind == PART_STATE) {
        error = one_step_ease(s, error);
        sum = error * error;
    }
    out->column = worst;
    out->square_sum[SAME] = sum;
    out->candidate[LOWER].order = out->candidate[HIGHER].order = 0;
    out->candidate[SAME] = (struct candidate){
        .order = s->order, .error = error, .cost = 1, .bias = s->method->bias[SAME]};
}

void one_step_begin(struct stepper *s)
{
    corrector_lift(s, one_step_row(&s->state, s->state.pending ? ROW_END : ROW_BEGIN));
    s->reciprocal = 1 / s->h;
    s->end = s->stages.refinement.is_last ? s->stages.refinement.end : s->t + (s->h + s->t_low);
    s->formula.same = 1; /* the error estimate is the error */
    s->equations->singular = 0;
}

void one_step_begin_panel(struct stepper *s, const struct part *part, struct work *w)
{
    struct derive *const d = s->equations->derive;
    const double *const S = one_step_row(part, ROW_BEGIN);
    if (!d->is_internal) return;
    bool const measured = d->internal.looks[part->shape.first] > 0;
    if (!measured || d->internal.kind) norms_weigh(s->equations->norms, part, S, w->winv);
    derive_choose_increments(d, &part->shape, s->stages.at[0], S, w->winv);
    if (measured && derive_noise_is_due(d, &part->shape))
        norms_weigh(s->equations->norms, part, S, w->winv);
}

void one_step_accept(struct stepper *s)
{
    s->last_h = s->h;
    s->begun = true;
    s->stages.refinement.made += (size_t)s->stages.refinement.substeps;
    s->stages.refinement.in++;
    s->state.pending = true;
    /* Signs may have been put right in the state at work. */
    memcpy(one_step_row(&s->state, ROW_END), s->state_work.y,
           s->state.shape.count * sizeof(double));
    for (size_t m = 0; m < s->panels; m++) s->panel[m].pending = true;
}

void one_step_settle(struct stepper *s)
{
    (void)s; /* an attempt changes nothing that the next one needs */
}

static void undo_part(struct part *part)
{
    part->pending = part->knows_end = part->knows_dense = part->knows_gap = false;
}

void one_step_undo(struct stepper *s)
{
    undo_part(&s->state);
    for (size_t m = 0; m < s->panels; m++) undo_part(&s->panel[m]);
    s->stages.has_value = s->stages.has_first = false; /* somebody may have used J since */
}

struct cubic one_step_cubic(double s, int derivative)
{
    double const u = 1 - s;
    if (derivative)
        return (struct cubic){.end = 6 * s * u, .first = u * (1 - 3 * s), .last = s * (3 * s - 2)};
    return (struct cubic){.end = s * s * (3 - 2 * s), .first = s * u * u, .last = -s * s * u};
}
