/* SPDX-License-Identifier: Apache-2.0 */
/* The tableau (8) and its error estimates. */
#include "method/limex.h"

#include <math.h>
#include <string.h>

static const double first_shrinking = 0.1, /* at least, of the error by row 3: else order 1 stays */
    least_shrinking = 1e-4;                /* smaller ratios are accidents */

void limex_extrapolate(struct part *part, int first, int j)
{
    size_t const count = part->shape.count;
    double *const entry = one_step_row(part, ROW_SPARE);
    for (int m = 1; m <= j; m++) { /* `entry` is T_jm, row first + m - 1 is T_(j-1,m) or nothing */
        double *const old = one_step_row(part, first + m - 1);
        if (m == j) {
            memcpy(old, entry, count * sizeof *entry);
            return;
        }
        double const share = 1 / ((double)j / (double)(j - m) - 1);
        for (size_t x = 0; x < count; x++) {
            double const here = entry[x], before = old[x];
            old[x] = here;
            entry[x] = here + (here - before) * share;
        }
    }
}

void limex_measure(struct stepper *s, struct part *part, struct work *w, int j)
{
    const struct equations *const q = s->equations;
    size_t const count = part->shape.count;
    const double *const end = one_step_row(part, ROW_T + j - 1);
    if (j == LIMEX_LOW_ROW + 1)
        q->kernels->combine(count, 1, end, -1, one_step_row(part, ROW_END),
                            one_step_row(part, ROW_SPARE));
    memcpy(one_step_row(part, ROW_END), end, count * sizeof *end);
    q->kernels->combine(count, 1, end, -1, one_step_row(part, j > 1 ? ROW_T + j - 2 : ROW_BEGIN),
                        part->e[0]);
    one_step_weigh(s, part, w);
    norms_squares(q->norms, part, part->e[0], norms_weigh_tests(q->norms, part, w), part->squares);
    double sum = 0;
    for (size_t k = 0; k < part->shape.columns; k++) sum += part->squares[k];
    part->row_sum[j] = sum * q->norms->share;
    part->row_error[j] =
        sqrt(part->squares[norms_worst(part->squares, part->shape.columns)] * q->norms->share);
    if (j == LIMEX_LOW_ROW + 1) limex_compare_rows(s, part, w);
    part->row_inside[j] = 0;
    part->knows_end = part->knows_dense = false; /* of the row before */
    part->skips = part->drops = 0;
    double inside[MAX_LANES];
    bool const is_used = part->kind != PART_STATE || limex_is_pressed(s);
    if (j > 1 && is_used && s->wants_inside && part->row_error[j] <= 1)
        limex_measure_inside(s, part, w, inside);
}

/* Sums of it over the steps of C4 of DETEST, E5 and F5 of STIFF DETEST, whose columns have errors by noise of 9 to 1,400 rtol, are then 1
   to 9 times these.  Noise is not independent in all short steps, and steps in which it is large fail their test. */
static const double share_seen = 1.0 / 16;

double limex_multiple(int rows)
{
    double sum = 0;
    for (int i = 1; i <= rows; i++) {
        double weight = 1;
        for (int m = 1; m <= rows; m++)
            if (m != i) weight *= (double)i / (i - m);
        sum += weight * weight / i;
    }
    return fmax(1, share_seen * sqrt(sum));
}

/* Row 3 of algebraic components stands still, as T_32 has no higher order there than T_21: one ratio alone says nothing. */
double limex_shrinks(const struct part *part, int j)
{
    const double *const error = part->row_error;
    double const one = error[j] / error[j - 1];
    double const ratio = j > 2 ? sqrt(one * (error[j - 1] / error[j - 2])) : one;
    double const most = j > 2 ? 1 : first_shrinking;
    return ratio < most ? fmax(ratio, least_shrinking) : most;
}

/* Rows 2 and 3 have the same cubic. */
double limex_shrinks_inside(const struct part *part, int j)
{
    const double *const error = part->row_inside;
    if (j <= 3) return first_shrinking;
    if (!(error[j] > 0 && error[j - 1] > 0)) return limex_shrinks(part, j);
    double const ratio = error[j] / error[j - 1];
    return ratio < 1 ? fmax(ratio, least_shrinking) : 1;
}
