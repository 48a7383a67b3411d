/* SPDX-License-Identifier: Apache-2.0 */
/* The problem for measuring orders and its closed form. */
#include "support/order_problem.h"

#include <complex.h>

/* The imaginary unit; that of complex.h is a float. */
static const double complex i = (double complex)I;
static const long double complex il = (long double complex)I;

static double complex forcing(double t, const double *p, size_t j)
{
    return p[1] * cexp(i * (p[2] * t + (double)j));
}

static double complex pair_of(const double *y, size_t j)
{
    return y[2 * j] + i * y[2 * j + 1];
}

/* The number of pairs is all the functions are told. */
static size_t pairs_of(const void *context)
{
    return *(const size_t *)context;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    for (size_t j = 0; j < pairs_of(context); j++) {
        double complex const g = forcing(t, p, j), u = pair_of(y, j) - g;
        double complex const slope = i * p[2] * g - p[0] * u * u;
        f[2 * j] = creal(slope);
        f[2 * j + 1] = cimag(slope);
    }
    return 0;
}

/* A complex factor is the matrix (re, -im; im, re). */
static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    size_t const n = 2 * pairs_of(context);
    for (size_t j = 0; j < n / 2; j++) {
        double complex const factor = -2 * p[0] * (pair_of(y, j) - forcing(t, p, j));
        double *const block = J + 2 * j * n + 2 * j;
        block[0] = block[n + 1] = creal(factor);
        block[1] = -cimag(factor);
        block[n] = cimag(factor);
    }
    return 0;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    for (size_t j = 0; j < pairs_of(context); j++) {
        double complex const g = forcing(t, p, j), u = pair_of(y, j) - g;
        double complex const column[3] = {
            -u * u,
            (i * p[2] + 2 * p[0] * u) * g / p[1],
            i * g - p[2] * t * g + 2 * p[0] * u * i * t * g,
        };
        for (size_t k = 0; k < 3; k++) {
            F[2 * j * 3 + k] = creal(column[k]);
            F[(2 * j + 1) * 3 + k] = cimag(column[k]);
        }
    }
    return 0;
}

void order_problem_set(struct order_problem *it, size_t pairs, size_t ns, double p)
{
    static const int columns[ORDER_COLUMNS] = {0, 1, 2, TANSY_INITIAL(0), TANSY_INITIAL(1)};
    it->pairs = pairs;
    it->p[0] = p;
    it->p[1] = it->p[2] = 1;
    for (size_t j = 0; j < pairs; j++) {
        double complex const y = 1 + 0.5 * i + forcing(0, it->p, j);
        it->y0[2 * j] = creal(y);
        it->y0[2 * j + 1] = cimag(y);
    }
    for (size_t k = 0; k < ns; k++) it->columns[k] = columns[k % ORDER_COLUMNS];
    it->problem = (tansy_problem){.n = 2 * pairs,
                                  .np = 3,
                                  .y0 = it->y0,
                                  .p = it->p,
                                  .context = &it->pairs,
                                  .rhs = rhs,
                                  .jacobian = jacobian,
                                  .parameter_jacobian = parameter_jacobian,
                                  .ns = ns,
                                  .columns = it->columns,
                                  .concurrent = 1};
    it->plain = it->problem;
}

/* What hides y' - f, and its derivative. */
static double complex factor_of(const double *y, size_t j)
{
    return 1 + 0.5 * i + 0.001 * pair_of(y, j);
}

static void place_block(double complex factor, size_t n, size_t j, double *J)
{
    double *const block = J + 2 * j * n + 2 * j;
    block[0] = block[n + 1] = creal(factor);
    block[1] = -cimag(factor);
    block[n] = cimag(factor);
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)rhs(t, y, p, F, context);
    for (size_t j = 0; j < pairs_of(context); j++) {
        double complex const value = factor_of(y, j) * (pair_of(yp, j) - pair_of(F, j));
        F[2 * j] = creal(value);
        F[2 * j + 1] = cimag(value);
    }
    return 0;
}

static int residual_jacobian(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    double f[2 * ORDER_PAIRS];
    (void)rhs(t, y, p, f, context);
    for (size_t j = 0; j < pairs_of(context); j++) {
        double complex const slope = -2 * p[0] * (pair_of(y, j) - forcing(t, p, j));
        double complex const left = pair_of(yp, j) - pair_of(f, j);
        place_block(0.001 * left - factor_of(y, j) * slope, 2 * pairs_of(context), j, J);
    }
    return 0;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                         void *context)
{
    (void)t, (void)yp, (void)p;
    for (size_t j = 0; j < pairs_of(context); j++)
        place_block(factor_of(y, j), 2 * pairs_of(context), j, J);
    return 0;
}

static int residual_parameter(double t, const double *y, const double *yp, const double *p,
                              double *F, void *context)
{
    (void)yp;
    (void)parameter_jacobian(t, y, p, F, context);
    for (size_t j = 0; j < pairs_of(context); j++)
        for (size_t k = 0; k < 3; k++) {
            double *const re = F + 2 * j * 3 + k, *const im = re + 3;
            double complex const value = -factor_of(y, j) * (*re + i * *im);
            *re = creal(value);
            *im = cimag(value);
        }
    return 0;
}

void order_problem_hide(struct order_problem *it)
{
    it->plain = it->problem;
    it->problem.rhs = NULL;
    it->problem.jacobian = NULL;
    it->problem.parameter_jacobian = NULL;
    it->problem.residual = residual;
    it->problem.residual_jacobian = residual_jacobian;
    it->problem.rate_jacobian = rate_jacobian;
    it->problem.residual_parameter = residual_parameter;
}

/* y and the ORDER_COLUMNS columns of pair j, or their derivatives by t. */
static void exact_pair(const struct order_problem *it, size_t j, long double t, int derivative,
                       long double complex out[1 + ORDER_COLUMNS])
{
    long double const p = (long double)it->p[0], a = (long double)it->p[1],
                      b = (long double)it->p[2];
    long double complex const turn = cexpl(il * (b * t + (long double)j)),
                              start = cexpl(il * (long double)j);
    long double complex const y0 = (long double)it->y0[2 * j] + il * (long double)it->y0[2 * j + 1];
    long double complex const u0 = y0 - a * start, d = 1 + p * u0 * t;
    long double const own = j == 0; /* the initial values asked for are those of pair 0 */
    if (derivative) {
        long double complex const s = -2 * p * u0 / (d * d * d); /* of 1/d^2 = du/du0 */
        out[0] = -p * u0 * u0 / (d * d) + il * a * b * turn;
        out[1] = -u0 * u0 * (1 / (d * d) + t * s);
        out[2] = il * b * turn - s * start;
        out[3] = (il * a - a * b * t) * turn;
        out[4] = own * s;
        out[5] = own * il * s;
    } else {
        long double complex const s = 1 / (d * d);
        out[0] = u0 / d + a * turn;
        out[1] = -u0 * u0 * t * s;
        out[2] = turn - s * start;
        out[3] = il * a * t * turn;
        out[4] = own * s;
        out[5] = own * il * s;
    }
}

void order_exact(const struct order_problem *it, long double t, int derivative, long double *y,
                 long double *sens)
{
    size_t const n = 2 * it->pairs;
    for (size_t j = 0; j < it->pairs; j++) {
        long double complex value[1 + ORDER_COLUMNS];
        exact_pair(it, j, t, derivative, value);
        y[2 * j] = creall(value[0]);
        y[2 * j + 1] = cimagl(value[0]);
        for (size_t k = 0; k < it->problem.ns; k++) {
            sens[k * n + 2 * j] = creall(value[1 + k % ORDER_COLUMNS]);
            sens[k * n + 2 * j + 1] = cimagl(value[1 + k % ORDER_COLUMNS]);
        }
    }
}
