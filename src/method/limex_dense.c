/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: dense output (Hairer and Ostermann 1990).  Backward differences of the increments D of row j give derivatives at the
   end of the step, extrapolated over the rows i .. m (m: the last row),
     a_k = H^k y^(k) = sum_j w_j j^k sum_i (-1)^i binomial(k - 1, i) D_(j-1-i),   w_j = product over i != j of j/(j - i),
   wrong by O(H^m): row j >= k + 1, so that D_0 has no part in it, in which algebraic components jump to where they belong; y' of
   y' = f takes j >= 1.  With u = (t - t_n)/H - 1, K = max(1, m - 2) and the values and slopes at both ends
     P(u) = sum_(k <= K) a_k u^k/k! + E_0 g_0(u) + E_1 g_1(u),   g_1 = (-1)^(K+1) (u^(K+1) + u^(K+2)),
     g_0 = (-1)^(K+1) u^(K+1) + (K + 1) g_1,   E_0 = y_n - sum a_k (-1)^k/k!,   E_1 = H y_n' - sum_(k > 0) a_k (-1)^(k-1)/(k-1)!.
   The polynomial of one derivative less differs by b u^K (1 + u)^2, b = (-1)^(K+1) (E_1 + (K + 1) E_0): that is taken as its error.
   In stiff components D_0 leaves a share 1/(1 + h lambda) of its jump to D_1, that of this to D_2, and so on; the weights of a_k multiply it by up
   to 1e5.  So where the error is too large other polynomials are tried: K less by `drops`, and rows j >= k + 1 + `skips`, which are without D_0 ..
   D_skips and wrong by O(H^(m-skips)). */
#include "method/limex.h"

#include <math.h>
#include <string.h>

static const double enough = 0.25; /* of the tolerance, for the polynomial of the highest order */
enum { MOST_DROPS = 3 };           /* of the six derivatives that there are with eight rows */

/* u^k, or its derivative. */
static double power(double u, int k, int derivative)
{
    double value = derivative ? k : 1;
    for (int i = derivative; i < k; i++) value *= u;
    return value;
}

/* Weights of y_n and H y_n', and of a_k, k <= last, in P(u) or P'(u). */
struct ends {
    double value, slope, a[1 + LIMEX_DERIVATIVES];
};

static struct ends weigh_ends(double u, int last, int derivative)
{
    double const sign = last % 2 ? 1 : -1, first = sign * power(u, last + 1, derivative),
                 g1 = first + sign * power(u, last + 2, derivative), g0 = first + (last + 1) * g1;
    struct ends w = {.value = g0, .slope = g1};
    double share = 1, before = 0; /* (-1)^k/k!, that of k - 1 */
    for (int k = 0; k <= last; k++) {
        double const factorial = k % 2 ? -share : share;
        w.a[k] = power(u, k, derivative) * factorial - g0 * share - g1 * before;
        before = share;
        share /= -(k + 1);
    }
    return w;
}

/* w_j of the rows first .. last. */
static double weigh_row(int j, int first, int last)
{
    double w = 1;
    for (int i = first; i <= last; i++)
        if (i != j) w *= (double)j / (j - i);
    return w;
}

/* Rows that the part ended with, and the number of derivatives that its dense output takes. */
static int rows_of(const struct part *part)
{
    return part->order + 1;
}

static int derivatives_of(const struct part *part)
{
    int const last = rows_of(part) - 2 - part->drops;
    return last > 1 ? last : 1;
}

static void sum_up(const struct stepper *s, const struct part *part, double factor,
                   const struct stage_sum *sum, double *out)
{
    struct row_task const task = {.count = part->shape.count,
                                  .stride = part->shape.count,
                                  .rows = part->history,
                                  .factor = factor,
                                  .terms = sum->terms,
                                  .row = sum->stage,
                                  .weight = sum->weight};
    s->equations->kernels->step->sum_rows(&task, out);
}

/* a_k from the increments of the rows first .. */
static void find_derivative(const struct stepper *s, const struct part *part, int k, int first)
{
    unsigned char row[POINTS];
    double weight[POINTS];
    struct stage_sum sum = {.stage = row, .weight = weight};
    for (int j = first; j <= rows_of(part); j++) {
        double c = weigh_row(j, first, rows_of(part)) * power(j, k, 0);
        for (int i = 0; i < k; i++) {
            row[sum.terms] = (unsigned char)(ROW_INSIDE + j * (j - 1) / 2 + j - 1 - i);
            weight[sum.terms++] = c;
            c *= -(double)(k - 1 - i) / (i + 1);
        }
    }
    sum_up(s, part, 1, &sum, one_step_row(part, ROW_DERIVATIVE + k - 1));
}

/* The first of them, or all, unless they are known. */
static void find_derivatives(const struct stepper *s, struct part *part, bool all)
{
    bool const jumps = derive_is_implicit(s->equations->derive) && rows_of(part) > 2;
    if (!part->knows_end) find_derivative(s, part, 1, jumps ? 2 : 1);
    part->knows_end = true;
    if (!all || part->knows_dense) return;
    for (int k = 2; k <= derivatives_of(part); k++)
        find_derivative(s, part, k, k + 1 + part->skips);
    part->knows_dense = true;
}

/* sum of weights times y_n, H y_n', y at the end, a_1 .. */
static void sum_ends(const struct stepper *s, const struct part *part, double factor,
                     const struct ends *w, double *out)
{
    unsigned char row[3 + LIMEX_DERIVATIVES] = {ROW_BEGIN, ROW_SLOPE, ROW_END};
    double weight[3 + LIMEX_DERIVATIVES] = {w->value, w->slope, w->a[0]};
    struct stage_sum const sum = {
        .terms = 3 + derivatives_of(part), .stage = row, .weight = weight};
    for (int k = 1; k <= derivatives_of(part); k++) {
        row[2 + k] = (unsigned char)(ROW_DERIVATIVE + k - 1);
        weight[2 + k] = w->a[k];
    }
    sum_up(s, part, factor, &sum, out);
}

/* Algebraic components jump at the beginning of the step to where they belong, by J = sum_j w_j D_0 of row j, the limit of D_0 as the short
   steps go to 0: an error of the step before, which is in P by no more than |J| (0 <= g_0 <= 1), and which no shorter step mends.  So E_0 is taken
   from y_n + J there, out + factor J, unless that is more: rows multiply the noise of D_0. */
static void leave_jumps_out(const struct stepper *s, const struct part *part, double factor,
                            double *room, double *out)
{
    unsigned char row[LIMEX_ROWS];
    double weight[LIMEX_ROWS];
    struct stage_sum sum = {.stage = row, .weight = weight};
    size_t const lanes = part->shape.lanes;
    const tansy_kind *const kind = s->stages.kind;
    if (!kind) return;
    for (int j = 1; j <= rows_of(part); j++) {
        row[sum.terms] = (unsigned char)(ROW_INSIDE + j * (j - 1) / 2);
        weight[sum.terms++] = weigh_row(j, 1, rows_of(part));
    }
    sum_up(s, part, factor, &sum, room);
    for (size_t i = 0; i < s->equations->derive->n; i++)
        for (size_t x = i * lanes; x < (i + 1) * lanes && kind[i] != TANSY_DIFFERENTIAL; x++)
            out[x] = fabs(out[x] + room[x]) < fabs(out[x]) ? out[x] + room[x] : out[x];
}

/* The squares of limex_measure_inside() of the polynomial that is chosen. */
static void measure_polynomial(struct stepper *s, struct part *part, struct work *w, double *square)
{
    int const last = derivatives_of(part);
    double const size = last + 2, top = power(last / size, last, 0) * (4 / (size * size));
    struct ends b = {.value = last + 1, .slope = s->h};
    double share = 1, before = 0; /* (-1)^k/k!, that of k - 1 */
    find_derivatives(s, part, true);
    for (int k = 0; k <= last; k++) {
        b.a[k] = -(last + 1) * share - before;
        before = share;
        share /= -(k + 1);
    }
    sum_ends(s, part, top, &b, w->r);
    leave_jumps_out(s, part, top * b.value, w->d0, w->r);
    norms_squares(s->equations->norms, part, w->r, norms_weigh_tests(s->equations->norms, part, w),
                  square);
}

/* Another choice. */
static void choose(struct part *part, int skips, int drops)
{
    if (part->skips != skips || part->drops != drops) part->knows_dense = false;
    part->skips = skips;
    part->drops = drops;
}

void limex_measure_inside(struct stepper *s, struct part *part, struct work *w, double *square)
{
    size_t const columns = part->shape.columns;
    double other[MAX_LANES];
    bool const chosen = part->knows_dense;
    one_step_weigh(s, part, w);
    if (!chosen) choose(part, 0, 0);
    measure_polynomial(s, part, w, square);
    if (chosen) return;
    double const share = s->equations->norms->share;
    double least = square[norms_worst(square, columns)] * share;
    int skips = 0, drops = 0;
    int const others = limex_is_pressed(s) ? 2 * MOST_DROPS : 0;
    for (int x = 0; x < others && least > enough * enough; x++) {
        int const less = x / 2 + 1;
        if (rows_of(part) - 2 - less < 2) break;
        choose(part, x % 2 ? 0 : less, less);
        measure_polynomial(s, part, w, other);
        double const error = other[norms_worst(other, columns)] * share;
        if (!(error < least)) continue;
        least = error;
        skips = part->skips;
        drops = part->drops;
        memcpy(square, other, columns * sizeof *square);
    }
    choose(part, skips, drops);
    part->row_inside[rows_of(part)] = sqrt(least);
}

void limex_end_slope(const struct stepper *s, struct part *part, double *out)
{
    const double *const a = one_step_row(part, ROW_DERIVATIVE);
    find_derivatives(s, part, false);
    s->equations->kernels->combine(part->shape.count, 1 / s->h, a, 0, a, out);
}

void limex_interpolate(struct stepper *s, struct part *part, double t, int derivative, double *out)
{
    size_t const bytes = part->shape.count * sizeof *out;
    double const h = s->last_h, u = t == s->t ? 0 : ((t - s->t) - s->t_low) / h;
    if (!part->pending) {
        memcpy(out, one_step_row(part, derivative ? ROW_SLOPE : ROW_BEGIN), bytes);
        return;
    }
    if (u == 0 && !derivative) {
        memcpy(out, one_step_row(part, ROW_END), bytes);
        return;
    }
    find_derivatives(s, part, u != 0);
    if (u == 0) {
        const double *const a = one_step_row(part, ROW_DERIVATIVE);
        s->equations->kernels->combine(part->shape.count, 1 / h, a, 0, a, out);
        return;
    }
    struct ends w = weigh_ends(u, derivatives_of(part), derivative);
    w.slope *= h;
    sum_ends(s, part, derivative ? 1 / h : 1, &w, out);
}
