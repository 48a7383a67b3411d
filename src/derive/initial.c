/* SPDX-License-Identifier: Apache-2.0 */
/* Initial values and their columns, S(t0) R = dy0/dp R_p + R_y, with dy0/dp given, or by differences of
   initial() along each direction, or zero when y0 does not depend on p. */
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

int initial_value(struct derive *d, size_t worker, const struct point *at, double *y0)
{
    struct derive_worker *const w = &d->worker[worker];
    int const code = d->problem->initial(at->t, w->p, y0, w->context);
    return judge(w, "initial", at->t, code, d->n, y0);
}

int derive_initial(struct derive *d, double t0, double *y)
{
    if (d->problem->initial) return initial_value(d, 0, &(struct point){.t = t0}, y);
    memcpy(y, d->problem->y0, d->n * sizeof(double));
    return judge(&d->worker[0], "y0", t0, 0, d->n, y);
}

int initial_evaluate(struct derive *d, double t)
{
    struct derive_worker *const w = &d->worker[0];
    double *const D = d->initial_jacobian;
    memset(D, 0, d->n * d->np * sizeof(double));
    int const code = d->problem->initial_jacobian(t, w->p, D, w->context);
    return judge_asked(d, 0, "initial_jacobian", t, code, &(tansy_pattern){0}, D);
}

/* The y part of direction k. */
static void add_state_part(const struct derive *d, size_t k, double *s)
{
    const tansy_problem *const problem = d->problem;
    if (problem->directions) {
        const double *const r = problem->directions + k * (d->n + d->np);
        for (size_t i = 0; i < d->n; i++) s[i] += r[i];
    } else if (problem->columns && problem->columns[k] < 0) {
        s[-1 - problem->columns[k]] += 1;
    }
}

static void add_product(const struct derive *d, size_t k, double *s)
{
    for (size_t e = d->direction_start[k]; e < d->direction_start[k + 1]; e++) {
        const double *const column = d->initial_jacobian + d->direction_row[e];
        for (size_t i = 0; i < d->n; i++) s[i] += d->direction_value[e] * column[i * d->np];
    }
}

static int add_difference(struct derive *d, double t0, const double *y0, size_t k, double *s)
{
    size_t const start = d->direction_start[k];
    double *const N = d->worker[0].f;
    struct line const line = {.difference = d->difference,
                              .Delta = d->increment,
                              .count = d->n,
                              .evaluate = initial_value,
                              .t = t0,
                              .f = y0,
                              .entries = d->direction_start[k + 1] - start,
                              .row = d->direction_row + start,
                              .value = d->direction_value + start,
                              .factor = increment_of_direction(d, k, d->increment)};
    if (line.entries == 0) return 0;
    int const code = line_difference(d, 0, &line, N);
    if (code == 0)
        for (size_t i = 0; i < d->n; i++) s[i] += N[i] / line.factor;
    return code;
}

void derive_initial_side(const struct derive *d, size_t k, const double *column, double *s)
{
    memcpy(s, column, d->n * sizeof *s);
    add_state_part(d, k, s);
}

int derive_initial_columns(struct derive *d, double t0, const double *y, double *sens)
{
    (void)y; /* may be where a restart was told to stand; initial(p) is what is differentiated */
    double *const y0 = d->worker[0].step; /* free: differences move p alone */
    int code = 0;
    memset(sens, 0, d->ns * d->n * sizeof(double));
    if (d->initial_source == SOURCE_GIVEN) code = initial_evaluate(d, t0);
    if (d->initial_source == SOURCE_DIFFERENCES)
        code = initial_value(d, 0, &(struct point){.t = t0}, y0);
    for (size_t k = 0; k < d->ns && code == 0; k++) {
        double *const s = sens + k * d->n;
        add_state_part(d, k, s);
        if (d->initial_source == SOURCE_GIVEN) add_product(d, k, s);
        if (d->initial_source == SOURCE_DIFFERENCES) code = add_difference(d, t0, y0, k, s);
    }
    return code;
}
