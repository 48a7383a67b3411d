/* SPDX-License-Identifier: Apache-2.0 */
/* The decay with a switch. */
#include "support/switch_decay.h"

#include <math.h>

const double decay_p[DECAY_NP] = {1.5, 0.7, 1};
static const double forward_y0 = 2, backward_y0 = 0.5, backward_t0 = 2;

struct decay_user decay_user(void)
{
    return (struct decay_user){.nan_from = (double)NAN};
}

static double rate(struct decay_user *user, const double *p)
{
    double const mode = p[DECAY_NP];
    if (mode != 0 && mode != 1) user->strayed = true;
    if (p[DECAY_NP + 1] != 0) user->strayed = true;
    return mode != 0 ? p[0] : p[1];
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    struct decay_user *const user = context;
    user->rhs++;
    f[0] = -rate(user, p) * y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y;
    J[0] = -rate(context, p);
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)context;
    F[p[DECAY_NP] != 0 ? 0 : 1] = -y[0];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    size_t const row = p[DECAY_NP] != 0 ? 0 : 1;
    for (size_t k = 0; k < columns; k++) R[k] = -rate(context, p) * V[k] - y[0] * U[row * ld + k];
    return 0;
}

static int switch_function(double t, const double *y, const double *p, double *g, void *context)
{
    struct decay_user *const user = context;
    user->switches++;
    g[0] = y[0] - p[2];
    if (!(t >= user->nan_from)) return 0;
    g[0] = (double)NAN;
    return user->fails;
}

static int switch_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                          const double *V, const double *U, double *gt, double *G, void *context)
{
    (void)t, (void)y, (void)p;
    ((struct decay_user *)context)->tangents++;
    gt[0] = 0;
    for (size_t k = 0; k < columns; k++) G[k] = V[k] - U[2 * ld + k];
    return 0;
}

tansy_problem decay_problem(struct decay_user *user, bool forward, int gives)
{
    static const int columns[DECAY_COLUMNS] = {0, 1, 2, TANSY_INITIAL(0)};
    bool const matrices = gives & DECAY_GIVES_MATRICES;
    return (tansy_problem){.n = 1,
                           .np = DECAY_NP,
                           .t0 = forward ? 0 : backward_t0,
                           .y0 = forward ? &forward_y0 : &backward_y0,
                           .p = decay_p,
                           .context = user,
                           .rhs = rhs,
                           .jacobian = matrices ? jacobian : NULL,
                           .parameter_jacobian = matrices ? parameter : NULL,
                           .tangent = gives & DECAY_GIVES_TANGENT ? tangent : NULL,
                           .ns = DECAY_COLUMNS,
                           .columns = columns,
                           .switches = 1,
                           .switch_function = switch_function,
                           .switch_tangent = gives & DECAY_GIVES_SWITCH ? switch_tangent : NULL};
}

double decay_switch_time(bool forward)
{
    double const c = decay_p[2];
    return forward ? log(forward_y0 / c) / decay_p[0]
                   : backward_t0 - log(c / backward_y0) / decay_p[1];
}

void decay_exact(bool forward, double t, double *y, double *sens)
{
    double const T = decay_switch_time(forward), c = decay_p[2];
    double const y0 = forward ? forward_y0 : backward_y0, t0 = forward ? 0 : backward_t0;
    size_t const first = forward ? 0 : 1, second = 1 - first; /* of the two rates */
    double const k = decay_p[first], other = decay_p[second];
    for (int x = 0; x < DECAY_COLUMNS; x++) sens[x] = 0;
    if (forward ? t <= T : t >= T) {
        y[0] = y0 * exp(-k * (t - t0));
        sens[first] = -(t - t0) * y[0];
        sens[3] = y[0] / y0;
        return;
    }
    y[0] = c * exp(-other * (t - T)); /* dy/dT = other y, T = t0 + log(y0/c)/k */
    sens[first] = -y[0] * other * (T - t0) / k;
    sens[second] = -(t - T) * y[0];
    sens[2] = y[0] / c - y[0] * other / (c * k);
    sens[3] = y[0] * other / (y0 * k);
}

double decay_error(bool forward, double t, const double *y, const double *sens)
{
    double exact = 0, s[DECAY_COLUMNS];
    double const floor = 2e-3; /* 1e-3 of the largest y */
    double const y0 = forward ? forward_y0 : backward_y0;
    double const scale[] = {decay_p[0], decay_p[1], decay_p[2], y0};
    decay_exact(forward, t, &exact, s);
    double error = fabs(y[0] - exact) / (fabs(exact) + floor);
    for (int k = 0; k < DECAY_COLUMNS; k++) {
        double const e = fabs(sens[k] - s[k]) * scale[k] / (fabs(s[k]) * scale[k] + floor);
        if (!(e <= error)) error = e;
    }
    return error;
}
