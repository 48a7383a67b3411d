/* SPDX-License-Identifier: Apache-2.0 */
/* The container crane, see crane.h; all derivatives by hand. */
#include "crane.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double end_time = 9, swing = 17.2656, pull = 27.0756, price = 0.01;

enum { ENTRIES = 5 }; /* of df/dp, an interval */

/* What a crane of so many intervals needs to be kept. */
struct crane {
    size_t levels; /* 2 N */
    char name[16];
    double p[2 * CRANE_MOST], scale[2 * CRANE_MOST], active_from[2 * CRANE_MOST];
    double breaks[CRANE_MOST];
    size_t row[ENTRIES * CRANE_MOST], column[ENTRIES * CRANE_MOST];
    struct test_problem it;
};

/* The number of the first level of the piece at work. */
static size_t level_of(const double *p, const void *context)
{
    const struct crane *const c = context;
    return 2 * (size_t)p[c->levels];
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    double const *const u = p + level_of(p, context);
    f[0] = y[3];
    f[1] = y[4];
    f[2] = y[5];
    f[3] = u[0] + swing * y[2];
    f[4] = u[1];
    f[5] = -(u[0] + pull * y[2] + 2 * y[4] * y[5]) / y[1];
    f[6] = 0.5 * (y[2] * y[2] + y[5] * y[5] + price * (u[0] * u[0] + u[1] * u[1]));
    return 0;
}

/* Row 5 of df/dy from column 1 to 5. */
static void angle_row(const double *y, const double *u, double *row)
{
    double const r = 1 / y[1];
    row[0] = (u[0] + pull * y[2] + 2 * y[4] * y[5]) * r * r;
    row[1] = -pull * r;
    row[2] = 0;
    row[3] = -2 * y[5] * r;
    row[4] = -2 * y[4] * r;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    enum { N = CRANE_STATES };
    J[0 * N + 3] = J[1 * N + 4] = J[2 * N + 5] = 1;
    J[3 * N + 2] = swing;
    angle_row(y, p + level_of(p, context), &J[5 * N + 1]);
    J[6 * N + 2] = y[2];
    J[6 * N + 5] = y[5];
    return 0;
}

/* Five entries an interval. */
static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t;
    size_t const entries = ENTRIES * ((const struct crane *)context)->levels / 2;
    size_t const k = level_of(p, context);
    double *const here = F + ENTRIES * k / 2;
    memset(F, 0, entries * sizeof *F);
    here[0] = 1;
    here[1] = -1 / y[1];
    here[2] = price * p[k];
    here[3] = 1;
    here[4] = price * p[k + 1];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    size_t const level = level_of(p, context);
    double const *const u = p + level;
    double const *restrict const u1 = U + level * ld, *restrict const u2 = u1 + ld;
    double row[5];
    double *restrict const r = R;
    angle_row(y, u, row);
    for (size_t k = 0; k < columns; k++) {
        double const v1 = V[ld + k], v2 = V[2 * ld + k], v4 = V[4 * ld + k], v5 = V[5 * ld + k];
        r[k] = V[3 * ld + k];
        r[ld + k] = v4;
        r[2 * ld + k] = v5;
        r[3 * ld + k] = swing * v2 + u1[k];
        r[4 * ld + k] = u2[k];
        r[5 * ld + k] = row[0] * v1 + row[1] * v2 + row[3] * v4 + row[4] * v5 - u1[k] / y[1];
        r[6 * ld + k] = y[2] * v2 + y[5] * v5 + price * (u[0] * u1[k] + u[1] * u2[k]);
    }
    return 0;
}

/* With a = (u1 + 27 y3 + 2 y5 y6), y6' = -a/y2: d/d(y, p) of (-a_y v)/y2 + a v_2/y2^2. */
static int second(double t, const double *y, const double *p, const double *v, double tau,
                  size_t columns, size_t ld, const double *V, const double *U, double *R,
                  void *context)
{
    (void)t, (void)tau;
    size_t const level = level_of(p, context);
    double const r = 1 / y[1], a = p[level] + pull * y[2] + 2 * y[4] * y[5];
    double const along = pull * v[2] + 2 * (v[4] * y[5] + y[4] * v[5]);
    for (size_t k = 0; k < columns; k++) {
        double const *const w = V + k;
        double const w1 = w[ld], w2 = w[2 * ld], w4 = w[4 * ld], w5 = w[5 * ld];
        double const moved = pull * w2 + 2 * (w4 * y[5] + y[4] * w5) + U[level * ld + k];
        for (size_t i = 0; i < 5; i++) R[i * ld + k] = 0;
        R[5 * ld + k] = r * (-2 * (v[4] * w5 + w4 * v[5]) +
                             r * (along * w1 + moved * v[1] - 2 * r * a * v[1] * w1));
        R[6 * ld + k] = v[2] * w2 + v[5] * w5;
    }
    return 0;
}

static void make(struct crane *c, size_t intervals)
{
    static const double y0[CRANE_STATES] = {0, 22, 0, 0, -1, 0, 0};
    static const double atol[CRANE_STATES] = {7e-4, 2e-2, 2e-4, 2e-3, 3e-3, 6e-4, 3e-4};
    static const size_t row[ENTRIES] = {3, 5, 6, 4, 6}; /* u1: 3, u2: 2 */
    double const pi = 3.14159265358979323846;
    c->levels = 2 * intervals;
    (void)snprintf(c->name, sizeof c->name, "crane_%zu", intervals);
    for (size_t k = 0; k < intervals; k++) {
        double const phase = 2 * pi * ((double)k + 0.5) / (double)intervals;
        double const start = end_time * (double)k / (double)intervals;
        c->p[2 * k] = 1.5 * cos(phase);
        c->p[2 * k + 1] = -0.6 * sin(phase);
        c->scale[2 * k] = 1.5;
        c->scale[2 * k + 1] = 0.6;
        c->active_from[2 * k] = c->active_from[2 * k + 1] = k == 0 ? -HUGE_VAL : start;
        if (k > 0) c->breaks[k - 1] = start;
        for (size_t e = 0; e < ENTRIES; e++) {
            c->row[ENTRIES * k + e] = row[e];
            c->column[ENTRIES * k + e] = 2 * k + e / 3;
        }
    }
    c->it = (struct test_problem){
        .name = c->name,
        .problem = {.n = CRANE_STATES,
                    .np = c->levels,
                    .y0 = y0,
                    .p = c->p,
                    .context = c,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .parameter_jacobian = parameter_jacobian,
                    .parameter_pattern = {ENTRIES * intervals, c->row, c->column},
                    .tangent = tangent,
                    .second = second,
                    .autonomous = 1,
                    .scale = c->scale,
                    .active_from = c->active_from,
                    .breaks = intervals - 1,
                    .break_times = c->breaks,
                    .concurrent = 1},
        .atol = atol,
        .reference = intervals == 8 ? "crane_8.csv" : NULL,
        .t_end = end_time};
}

const struct test_problem *crane_problem(size_t intervals)
{
    static struct crane kept[CRANE_MOST + 1];
    if (intervals < 2 || intervals > CRANE_MOST) return NULL;
    struct crane *const c = &kept[intervals];
    if (c->levels == 0) make(c, intervals);
    return &c->it;
}

const struct test_problem *crane_find(const char *name)
{
    for (size_t intervals = 2; intervals <= CRANE_MOST; intervals++)
        if (strcmp(crane_problem(intervals)->name, name) == 0) return crane_problem(intervals);
    return NULL;
}
