/* SPDX-License-Identifier: Apache-2.0 */
/* Between which times a step does not look at f. */
#include <math.h>

#include "method/method.h"
#include "method/rosenbrock.h"
#include "method/runge_kutta.h"

/* The distance from c to the next of these and 1. */
static double to_next(double c, size_t count, const double *at)
{
    double next = 1;
    for (size_t i = 0; i < count; i++)
        if (at[i] > c) next = fmin(next, at[i]);
    return next - c;
}

static double widest(size_t count, const double *at)
{
    double most = to_next(0, count, at);
    for (size_t i = 0; i < count; i++) most = fmax(most, to_next(at[i], count, at));
    return most;
}

/* Of an explicit formula, the stages that its error estimates weigh. */
static double of_tableau(const struct runge_kutta *r)
{
    double at[RUNGE_KUTTA_POINTS];
    for (int i = 0; i < r->error.terms; i++) at[i] = r->c[r->error.stage[i]];
    return widest((size_t)r->error.terms, at);
}

double method_widest_gap(const struct method *method, int order)
{
    if (method->tableau) return of_tableau(method->tableau);
    if (method->matrices) return widest((size_t)method->matrices->stages, method->matrices->alpha);
    return method->rows ? 1.0 / (order + 1) : 1; /* the last row has so many steps */
}
