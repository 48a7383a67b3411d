/* SPDX-License-Identifier: Apache-2.0 */
/* The norm of error_norm.h. */
#include "error_norm.h"

#include <math.h>
#include <stdlib.h>

static double floor_of(const struct test_problem *problem, const struct reference *r, size_t i)
{
    double largest = fabs(problem->problem.y0[i]);
    for (size_t m = 0; m < r->times; m++) largest = fmax(largest, fabs(r->y[m * r->n + i]));
    return fmax(problem->atol[i], 1e-3 * largest);
}

static double scale_of(const struct test_problem *problem, size_t k)
{
    const tansy_problem *p = &problem->problem;
    int const column = p->columns ? p->columns[k] : (int)k;
    if (column < 0) {
        size_t const i = (size_t)TANSY_INITIAL(column); /* its own inverse */
        return fmax(fabs(p->y0[i]), problem->atol[i]);
    }
    if (p->scale && p->scale[column] != 0) return p->scale[column];
    return p->p[column] != 0 ? fabs(p->p[column]) : 1;
}

void error_norm_make(const struct test_problem *problem, const struct reference *r,
                     struct error_norm *norm)
{
    *norm = (struct error_norm){.n = r->n, .ns = r->ns};
    norm->floor = malloc((r->n + r->ns) * sizeof(double));
    if (!norm->floor) abort();
    norm->scale = norm->floor + r->n;
    for (size_t i = 0; i < r->n; i++) norm->floor[i] = floor_of(problem, r, i);
    for (size_t k = 0; k < r->ns; k++) norm->scale[k] = scale_of(problem, k);
}

void error_norm_free(struct error_norm *norm)
{
    free(norm->floor);
    *norm = (struct error_norm){.n = 0};
}

static double measure(const struct error_norm *norm, double scale, const double *exact,
                      const double *value)
{
    double worst = 0;
    for (size_t i = 0; i < norm->n; i++) {
        double const e =
            fabs(value[i] - exact[i]) * scale / (fabs(exact[i]) * scale + norm->floor[i]);
        if (!isfinite(e)) return HUGE_VAL;
        worst = fmax(worst, e);
    }
    return worst;
}

double error_norm_state(const struct error_norm *norm, const double *exact, const double *y)
{
    return measure(norm, 1, exact, y);
}

double error_norm_column(const struct error_norm *norm, size_t k, const double *exact,
                         const double *sens)
{
    return measure(norm, norm->scale[k], exact, sens);
}

double error_norm_columns(const struct error_norm *norm, const double *exact, const double *sens,
                          size_t *worst)
{
    double largest = 0;
    if (worst) *worst = 0;
    for (size_t k = 0; k < norm->ns; k++) {
        double const e = error_norm_column(norm, k, exact + k * norm->n, sens + k * norm->n);
        if (!(e > largest)) continue;
        largest = e;
        if (worst) *worst = k;
    }
    return largest;
}
