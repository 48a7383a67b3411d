/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives are imaginary parts: h(x + i e v) = h(x) + i e h' v + O(e^2), e = 1e-100. */
#include "varying_mass.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "complex_number.h"
#include "test.h"

typedef double complex number;

static const double e = 1e-100;
static const double parameters[VARYING_NP] = {0.9, 1.3, 1.7};

struct matrix {
    number a[2][2];
};

/* Q; z2 is z^2. */
static struct matrix find_matrix(double t, const number *y, number z2, const number *p, double r)
{
    return (struct matrix){
        {{z2, r * y[1] * sin(t)}, {p[0] * y[0] * y[1], 2 + cos(t) + p[2] * y[1] * y[1]}}};
}

static number square_of(const number *y, size_t n)
{
    return n == 3 ? y[2] * y[2] : 1 + y[0] * y[0] + y[1] * y[1];
}

static void find_f(double t, const number *y, size_t n, const number *p, double r, number *f)
{
    struct matrix const Q = find_matrix(t, y, square_of(y, n), p, r);
    number const g[2] = {-p[0] * y[0] * y[0], p[2] * y[0] * ccos(p[2] * t) - p[0] * y[0] * y[1]};
    for (int i = 0; i < 2; i++) f[i] = Q.a[i][0] * g[0] + Q.a[i][1] * g[1];
    if (n == 3) f[2] = 1 + y[0] * y[0] + y[1] * y[1] - y[2] * y[2];
}

/* y + i e v of a column of a panel, or y alone. */
static void load(size_t n, const double *y, const double *V, size_t ld, number *out)
{
    for (size_t i = 0; i < n; i++) out[i] = complex_number(y[i], V ? e * V[i * ld] : 0);
}

struct context {
    size_t n;
    double *r;
};

static struct context contexts[2];

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    const struct context *const c = context;
    number yy[VARYING_N], pp[VARYING_NP], ff[VARYING_N];
    load(c->n, y, NULL, 0, yy);
    load(VARYING_NP, p, NULL, 0, pp);
    find_f(t, yy, c->n, pp, *c->r, ff);
    for (size_t i = 0; i < c->n; i++) f[i] = creal(ff[i]);
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    const struct context *const c = context;
    for (size_t k = 0; k < columns; k++) {
        number yy[VARYING_N], pp[VARYING_NP], ff[VARYING_N];
        load(c->n, y, V + k, ld, yy);
        load(VARYING_NP, p, U + k, ld, pp);
        find_f(t, yy, c->n, pp, *c->r, ff);
        for (size_t i = 0; i < c->n; i++) R[i * ld + k] = cimag(ff[i]) / e;
    }
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    const struct context *const c = context;
    number yy[VARYING_N], pp[VARYING_NP];
    load(c->n, y, NULL, 0, yy);
    load(VARYING_NP, p, NULL, 0, pp);
    struct matrix const Q = find_matrix(t, yy, square_of(yy, c->n), pp, *c->r);
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++) B[i * c->n + j] = creal(Q.a[i][j]);
    return 0;
}

static int mass_tangent(double t, const double *y, const double *p, const double *u, size_t columns,
                        size_t ld, const double *V, const double *U, double *R, void *context)
{
    const struct context *const c = context;
    for (size_t k = 0; k < columns; k++) {
        number yy[VARYING_N], pp[VARYING_NP];
        load(c->n, y, V + k, ld, yy);
        load(VARYING_NP, p, U + k, ld, pp);
        struct matrix const Q = find_matrix(t, yy, square_of(yy, c->n), pp, *c->r);
        for (size_t i = 0; i < 2; i++)
            R[i * ld + k] = cimag(Q.a[i][0] * u[0] + Q.a[i][1] * u[1]) / e;
        if (c->n == 3) R[2 * ld + k] = 0;
    }
    return 0;
}

static int initial(double t, const double *p, double *y, void *context)
{
    const struct context *const c = context;
    (void)t;
    y[0] = 1 / p[1];
    y[1] = 0;
    if (c->n == 3) y[2] = sqrt(1 + y[0] * y[0]);
    return 0;
}

tansy_problem varying_problem(bool singular, enum varying_gives gives, double *r)
{
    static const tansy_kind kinds[VARYING_N] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL,
                                                TANSY_ALGEBRAIC};
    struct context *const c = &contexts[singular];
    *c = (struct context){.n = singular ? 3 : 2, .r = r};
    tansy_problem q = {.n = c->n,
                       .np = VARYING_NP,
                       .p = parameters,
                       .initial = initial,
                       .rhs = rhs,
                       .mass = mass,
                       .mass_varies = 1,
                       .kind = singular ? kinds : NULL,
                       .context = c};
    if (gives == VARYING_NOTHING) return q;
    q.tangent = tangent;
    q.mass_tangent = mass_tangent;
    return q;
}

void varying_errors(bool singular, double t, const double *y, const double *sens, double *state,
                    double *columns)
{
    size_t const n = singular ? 3 : 2;
    double const a = parameters[0], b = parameters[1], c = parameters[2];
    double const x = 1 / (b + a * t), u = x * sin(c * t), z = sqrt(1 + x * x + u * u);
    double const exact[VARYING_N] = {x, u, z};
    double const dx[VARYING_NP] = {-t * x * x, -x * x, 0};
    *state = *columns = 0;
    for (size_t i = 0; i < n; i++) *state = fmax(*state, fabs(y[i] - exact[i]));
    for (size_t k = 0; k < VARYING_NP; k++) {
        double const du = sin(c * t) * dx[k] + (k == 2 ? x * t * cos(c * t) : 0);
        double const d[VARYING_N] = {dx[k], du, (x * dx[k] + u * du) / z};
        for (size_t i = 0; i < n; i++) *columns = fmax(*columns, fabs(sens[k * n + i] - d[i]));
    }
}

double varying_solve(const tansy_problem *problem, bool singular, const tansy_options *options,
                     tansy_stats *stats)
{
    tansy_solver *const s = tansy_create(problem, options);
    double const end = 2;
    double worst = 0;
    for (int m = 1; m <= 10; m++) {
        double y[VARYING_N], sens[VARYING_N * VARYING_NP], state = 0, columns = 0;
        tansy_status const status = tansy_solve(s, end * m / 10, y, sens);
        if (status != TANSY_OK) (void)fprintf(stderr, "%s\n", tansy_message(s));
        CHECK_EQUAL(status, TANSY_OK);
        varying_errors(singular, end * m / 10, y, sens, &state, &columns);
        worst = fmax(worst, fmax(state, columns));
    }
    if (stats) tansy_get_stats(s, stats);
    tansy_free(s);
    return worst / options->rtol;
}
