/* SPDX-License-Identifier: Apache-2.0 */
/* Which curves a panel shows: a picture of more than ten says nothing. */
#include "plot.h"

#include <math.h>

double curve_value(const struct curve *curve, const struct study *s, const struct series *series,
                   enum panel panel, size_t j)
{
    if (curve->k < 0) return series_x(series, j, curve->i);
    double const sens = series_sens(series, j, (size_t)curve->k, curve->i);
    if (panel == PANEL_SENSITIVITIES) return sens;
    double const largest = series_largest(series, curve->i);
    return largest > 0 ? s->size[curve->k] * sens / largest : 0;
}

/* Keeps the list sorted, largest first; equal ones as they come. */
static void offer(struct curves *curves, struct curve curve)
{
    if (curve.k >= 0 && !(curve.norm > 0)) return; /* a column that is zero all the time */
    curves->of++;
    size_t at = curves->count;
    while (at > 0 && curve.norm > curves->curve[at - 1].norm) at--;
    if (at == MOST_CURVES) return;
    if (curves->count < MOST_CURVES) curves->count++;
    for (size_t j = curves->count - 1; j > at; j--) curves->curve[j] = curves->curve[j - 1];
    curves->curve[at] = curve;
}

static double largest_value(const struct curve *curve, const struct study *s,
                            const struct series *series, enum panel panel)
{
    double largest = 0;
    for (size_t j = 0; j < series->count; j++) {
        double const value = fabs(curve_value(curve, s, series, panel, j));
        if (isfinite(value)) largest = fmax(largest, value);
    }
    return largest;
}

/* What the axis reaches to: the largest curve, or, where others need powers of ten anyway and it is huge or tiny, its leading
   digits. */
static double reach(const double *size, size_t count, double most)
{
    bool others = false;
    for (size_t c = 0; c < count; c++) others = others || (size[c] > 0 && size[c] < most / 50);
    return others && (most >= 1e5 || most < 1e-3) ? most / pow(10, floor(log10(most))) : most;
}

/* Curves that would lie on the axis get a power of ten, which the legend says; normalised ones are comparable as they are. */
static void choose_powers(struct curves *curves, const struct study *s, const struct series *series,
                          enum panel panel)
{
    double size[MOST_CURVES] = {0}, most = 0;
    for (size_t c = 0; c < curves->count; c++) {
        size[c] = largest_value(&curves->curve[c], s, series, panel);
        most = fmax(most, size[c]);
    }
    double const top = reach(size, curves->count, most);
    for (size_t c = 0; c < curves->count && panel != PANEL_NORMALISED; c++)
        if (size[c] > 0 && (size[c] < top / 50 || size[c] > 10 * top))
            curves->curve[c].power = (int)ceil(log10(size[c] / top) - 1e-9); /* none above it */
}

void curves_choose(struct curves *curves, const struct study *s, const struct series *series,
                   enum panel panel)
{
    *curves = (struct curves){0};
    if (panel == PANEL_TRAJECTORIES) {
        /* few: all in their order; many: outputs first, then the largest states */
        bool const all = s->nx <= MOST_CURVES;
        for (size_t i = 0; i < s->nx; i++) {
            double const size = series_largest(series, i);
            double const norm = all ? -(double)i : i >= s->n ? (double)INFINITY : size;
            offer(curves, (struct curve){.i = i, .k = -1, .norm = norm});
        }
    } else {
        for (size_t k = 0; k < s->ns; k++)
            for (size_t i = 0; i < s->n; i++)
                offer(curves, (struct curve){
                                  .i = i, .k = (ptrdiff_t)k, .norm = series_norm(series, s, k, i)});
    }
    choose_powers(curves, s, series, panel);
}
