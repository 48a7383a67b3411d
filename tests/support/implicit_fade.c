/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of implicit_fade.h and their faults. */
#include "implicit_fade.h"

#include <math.h>
#include <string.h>

const double fade_p[FADE_NP] = {0.8, 2.5, 1.5};
const char *const fade_function_name[FADE_FUNCTIONS] = {"residual",
                                                        "residual_jacobian",
                                                        "rate_jacobian",
                                                        "residual_parameter",
                                                        "residual_tangent",
                                                        "rhs",
                                                        "jacobian",
                                                        "tangent",
                                                        "mass",
                                                        "mass_tangent",
                                                        "initial",
                                                        "initial_jacobian",
                                                        "precondition_prepare",
                                                        "precondition_solve",
                                                        "derived",
                                                        "derived_tangent"};

/* Counts a call and spoils its result `entry` when its turn has come; returns what the function shall return. */
static int finish(struct fade_user *user, enum fade_function function, double t, double *entry)
{
    size_t const call = ++user->calls[function];
    user->calls_after_stop += user->stopped;
    user->earliest = fmin(user->earliest, t);
    user->latest = fmax(user->latest, t);
    if (function != user->function || call < user->first || call > user->last) return 0;
    if (user->kind == FADE_POSITIVE) return 3;
    if (user->kind == FADE_NAN && entry) {
        *entry = (double)NAN;
        return 0;
    }
    user->stopped = user->kind == FADE_NEGATIVE;
    return user->kind == FADE_NEGATIVE ? -7 : 3;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    F[0] = yp[0] / p[0] + y[0];
    F[1] = y[1] * y[1] - p[1] * y[0];
    return finish(context, FADE_RESIDUAL, t, &F[1]);
}

static int residual_jacobian(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    (void)yp;
    J[0] = 1;
    J[2] = -p[1];
    J[3] = 2 * y[1];
    return finish(context, FADE_RESIDUAL_JACOBIAN, t, &J[3]);
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                         void *context)
{
    (void)y, (void)yp;
    J[0] = 1 / p[0];
    return finish(context, FADE_RATE_JACOBIAN, t, &J[0]);
}

static int residual_parameter(double t, const double *y, const double *yp, const double *p,
                              double *F, void *context)
{
    F[0] = -yp[0] / (p[0] * p[0]);
    F[4] = -y[0];
    return finish(context, FADE_RESIDUAL_PARAMETER, t, &F[4]);
}

static int residual_tangent(double t, const double *y, const double *yp, const double *p,
                            size_t columns, size_t ld, const double *V, const double *W,
                            const double *U, double *R, void *context)
{
    for (size_t k = 0; k < columns; k++) {
        R[k] = V[k] + W[k] / p[0] - yp[0] / (p[0] * p[0]) * U[k];
        R[ld + k] = 2 * y[1] * V[ld + k] - p[1] * V[k] - y[0] * U[ld + k];
    }
    return finish(context, FADE_RESIDUAL_TANGENT, t, &R[ld + columns - 1]);
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    f[0] = -y[0];
    f[1] = y[1] * y[1] - p[1] * y[0];
    return finish(context, FADE_RHS, t, &f[1]);
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    J[0] = -1;
    J[2] = -p[1];
    J[3] = 2 * y[1];
    return finish(context, FADE_JACOBIAN, t, &J[3]);
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    for (size_t k = 0; k < columns; k++) {
        R[k] = -V[k];
        R[ld + k] = 2 * y[1] * V[ld + k] - p[1] * V[k] - y[0] * U[ld + k];
    }
    return finish(context, FADE_TANGENT, t, &R[ld + columns - 1]);
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)y;
    B[0] = 1 / p[0];
    return finish(context, FADE_MASS, t, &B[0]);
}

static int mass_tangent(double t, const double *y, const double *p, const double *u, size_t columns,
                        size_t ld, const double *V, const double *U, double *R, void *context)
{
    (void)y, (void)V;
    for (size_t k = 0; k < columns; k++) {
        R[k] = -u[0] / (p[0] * p[0]) * U[k];
        R[ld + k] = 0;
    }
    return finish(context, FADE_MASS_TANGENT, t, &R[columns - 1]);
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    const struct fade_user *const user = context;
    y0[0] = p[2];
    y0[1] = user->guess != 0 ? user->guess : 1;
    return finish(context, FADE_INITIAL, t0, &y0[0]);
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)p;
    D[2] = 1;
    return finish(context, FADE_INITIAL_JACOBIAN, t0, &D[2]);
}

/* W itself, which is triangular. */
static int prepare(double t, const double *y, const double *yp, const double *p, double c,
                   void *context)
{
    struct fade_user *const user = context;
    (void)yp;
    user->pivot[0] = c / p[0] + 1;
    user->off = -p[1];
    user->pivot[1] = 2 * y[1];
    return finish(user, FADE_PREPARE, t, NULL);
}

static int solve(double t, const double *y, const double *yp, const double *p, double c,
                 size_t columns, size_t ld, double *X, void *context)
{
    struct fade_user *const user = context;
    (void)y, (void)yp, (void)p, (void)c;
    for (size_t k = 0; k < columns; k++) {
        X[k] /= user->pivot[0];
        X[ld + k] = (X[ld + k] - user->off * X[k]) / user->pivot[1];
    }
    return finish(user, FADE_SOLVE, t, &X[ld]);
}

/* Q = (sqrt(y^2 + z^2), y' z). */
static int derived(double t, const double *y, const double *yp, const double *p, double *Q,
                   void *context)
{
    (void)p;
    Q[0] = hypot(y[0], y[1]);
    Q[1] = yp[0] * y[1];
    return finish(context, FADE_DERIVED, t, &Q[1]);
}

static int derived_tangent(double t, const double *y, const double *yp, const double *p,
                           size_t columns, size_t ld, const double *V, const double *W,
                           const double *U, double *R, void *context)
{
    (void)p, (void)U;
    double const norm = hypot(y[0], y[1]);
    for (size_t k = 0; k < columns; k++) {
        R[k] = (y[0] * V[k] + y[1] * V[ld + k]) / norm;
        R[ld + k] = W[k] * y[1] + yp[0] * V[ld + k];
    }
    return finish(context, FADE_DERIVED_TANGENT, t, &R[ld]);
}

tansy_problem fade_problem(struct fade_user *user, int gives)
{
    bool const matrices = gives & FADE_MATRICES, tangents = gives & FADE_TANGENTS;
    tansy_problem problem = {.n = FADE_N,
                             .np = FADE_NP,
                             .p = fade_p,
                             .context = user,
                             .initial = initial,
                             .initial_jacobian = gives & FADE_INITIALS ? initial_jacobian : NULL,
                             .nq = 2,
                             .derived = derived,
                             .derived_tangent = tangents ? derived_tangent : NULL};
    if (gives & FADE_PRECONDITIONER) {
        problem.precondition_prepare = prepare;
        problem.precondition_solve = solve;
    }
    if (gives & FADE_MASS_FORM) {
        problem.rhs = rhs;
        problem.mass = mass;
        problem.mass_varies = 1;
        problem.jacobian = matrices ? jacobian : NULL;
        problem.tangent = tangents ? tangent : NULL;
        problem.mass_tangent = tangents ? mass_tangent : NULL;
        return problem;
    }
    problem.residual = residual;
    problem.residual_jacobian = matrices ? residual_jacobian : NULL;
    problem.rate_jacobian = matrices ? rate_jacobian : NULL;
    problem.residual_parameter = matrices ? residual_parameter : NULL;
    problem.residual_tangent = tangents ? residual_tangent : NULL;
    return problem;
}

void fade_exact(double t, double *y, double *yp, double *sens, double *sensp)
{
    double const a = fade_p[0], b = fade_p[1], c = fade_p[2];
    double const u = c * exp(-a * t), z = sqrt(b * u);
    double const value[] = {u, z}, rate[] = {-a * u, -a * z / 2};
    double const S[] = {-t * u, -t * z / 2, 0, z / (2 * b), u / c, z / (2 * c)};
    double const S_rate[] = {-u + a * t * u, -z / 2 + a * t * z / 4, 0, -a * z / (4 * b),
                             -a * u / c,     -a * z / (4 * c)};
    if (y) memcpy(y, value, sizeof value);
    if (yp) memcpy(yp, rate, sizeof rate);
    if (sens) memcpy(sens, S, sizeof S);
    if (sensp) memcpy(sensp, S_rate, sizeof S_rate);
}

double fade_error(double t, double floor, const double *y, const double *sens)
{
    double exact[FADE_N], S[FADE_SENS], e = 0;
    fade_exact(t, exact, NULL, S, NULL);
    for (size_t i = 0; i < FADE_N; i++) {
        double const error = fabs(y[i] - exact[i]) / (fabs(exact[i]) + floor);
        if (!(error <= e)) e = error;
    }
    for (size_t x = 0; x < FADE_SENS; x++) {
        double const scale = fade_p[x / FADE_N];
        double const error = fabs(sens[x] - S[x]) * scale / (fabs(S[x]) * scale + floor);
        if (!(error <= e)) e = error;
    }
    return e;
}
