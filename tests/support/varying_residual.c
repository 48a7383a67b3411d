/* SPDX-License-Identifier: Apache-2.0 */
#include "varying_residual.h"

#define HEAD                                                                                       \
    "parameter a = 0.9, b = 1.3, c = 1.7\n"                                                        \
    "state x = 1/b, u = 0\n"                                                                       \
    "let gx = -a*x^2, gu = c*x*cos(c*t) - a*x*u\n"
#define EQUATIONS                                                                                  \
    "zz*x' + u*sin(t)*u' = zz*gx + u*sin(t)*gu\n"                                                  \
    "a*x*u*x' + (2 + cos(t) + c*u^2)*u' = a*x*u*gx + (2 + cos(t) + c*u^2)*gu\n"

const char *varying_text(bool singular)
{
    return singular ? HEAD "algebraic z = sqrt(1 + 1/b^2)\n"
                           "let zz = z^2\n" EQUATIONS "0 = 1 + x^2 + u^2 - z^2\n"
                    : HEAD "let zz = 1 + x^2 + u^2\n" EQUATIONS;
}

static double one = 1;
static tansy_problem masses[2]; /* regular and singular */

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const tansy_problem *const q = context;
    double f[VARYING_N], B[VARYING_N * VARYING_N] = {0};
    (void)q->rhs(t, y, p, f, q->context);
    (void)q->mass(t, y, p, B, q->context);
    for (size_t i = 0; i < q->n; i++) {
        F[i] = -f[i];
        for (size_t j = 0; j < q->n; j++) F[i] += B[i * q->n + j] * yp[j];
    }
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int tangent(double t, const double *y, const double *yp, const double *p, size_t columns,
                   size_t ld, const double *V, const double *V_rate, const double *U, double *R,
                   void *context)
{
    const tansy_problem *const q = context;
    double f[VARYING_N], Bu[VARYING_N], B[VARYING_N * VARYING_N] = {0};
    (void)q->mass(t, y, p, B, q->context);
    for (size_t k = 0; k < columns; k++) {
        double v[VARYING_N], u[VARYING_NP];
        for (size_t i = 0; i < q->n; i++) v[i] = V[i * ld + k];
        for (size_t i = 0; i < VARYING_NP; i++) u[i] = U[i * ld + k];
        (void)q->tangent(t, y, p, 1, 1, v, u, f, q->context);
        (void)q->mass_tangent(t, y, p, yp, 1, 1, v, u, Bu, q->context);
        for (size_t i = 0; i < q->n; i++) {
            double sum = Bu[i] - f[i];
            for (size_t j = 0; j < q->n; j++) sum += B[i * q->n + j] * V_rate[j * ld + k];
            R[i * ld + k] = sum;
        }
    }
    return 0;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *M,
                         void *context)
{
    const tansy_problem *const q = context;
    (void)yp;
    return q->mass(t, y, p, M, q->context);
}

/* Columns first .. first + count - 1 of (dF/dy, dF/dp), into D[n*count]. */
struct columns {
    size_t first, count;
    double *D;
};

static int derivatives(double t, const double *y, const double *yp, const double *p,
                       struct columns of, void *context)
{
    const tansy_problem *const q = context;
    for (size_t j = 0; j < of.count; j++) {
        double unit[VARYING_N + VARYING_NP] = {0}, rest[VARYING_N] = {0}, r[VARYING_N];
        unit[of.first + j] = 1;
        (void)tangent(t, y, yp, p, 1, 1, unit, rest, unit + q->n, r, context);
        for (size_t i = 0; i < q->n; i++) of.D[i * of.count + j] = r[i];
    }
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                    void *context)
{
    const tansy_problem *const q = context;
    return derivatives(t, y, yp, p, (struct columns){0, q->n, J}, context);
}

static int parameter(double t, const double *y, const double *yp, const double *p, double *J,
                     void *context)
{
    const tansy_problem *const q = context;
    return derivatives(t, y, yp, p, (struct columns){q->n, VARYING_NP, J}, context);
}

static int initial(double t, const double *p, double *y, void *context)
{
    const tansy_problem *const q = context;
    return q->initial(t, p, y, q->context);
}

tansy_problem varying_residual(bool singular, enum residual_gives gives)
{
    tansy_problem *const mass = &masses[singular];
    *mass = varying_problem(singular, VARYING_TANGENTS, &one);
    tansy_problem q = {.n = mass->n,
                       .np = VARYING_NP,
                       .p = mass->p,
                       .initial = initial,
                       .residual = residual,
                       .rate_linear = 1,
                       .kind = mass->kind,
                       .context = mass};
    if (gives == RESIDUAL_MATRICES) {
        q.residual_jacobian = jacobian;
        q.rate_jacobian = rate_jacobian;
        q.residual_parameter = parameter;
    }
    if (gives == RESIDUAL_TANGENT) q.residual_tangent = tangent;
    return q;
}
