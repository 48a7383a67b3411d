/* SPDX-License-Identifier: Apache-2.0 */
/* The problem of control_decay.h. */
#include "control_decay.h"

#include <math.h>
#include <string.h>

#include "test.h"

const double control_rate = 0.8, control_breaks[PIECES - 1] = {0.5, 1, 2.25, 3};
const size_t control_place[PIECES] = {3, 1, 4, 0, 2};
const double control_level[PIECES] = {1, -2, 3, 0.5, 1.5};
const tansy_method control_methods[CONTROL_METHODS] = {TANSY_RK8, TANSY_ROSENBROCK, TANSY_LIMEX,
                                                       TANSY_BDF, TANSY_ADAMS,      TANSY_DASSL};

size_t control_level_at(const double *p, const void *context)
{
    const struct control_user *const u = context;
    return LEVEL + control_place[(size_t)p[NP + u->switches]];
}

struct control_user control_user(void)
{
    struct control_user u = {
        .p = {control_rate}, .active_from = {-HUGE_VAL}, .fail_from = HUGE_VAL};
    for (size_t i = 0; i < PIECES; i++) {
        u.p[LEVEL + control_place[i]] = control_level[i];
        u.active_from[LEVEL + control_place[i]] = i == 0 ? -HUGE_VAL : control_breaks[i - 1];
    }
    return u;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct control_user *const u = context;
    if (t > control_breaks[0] && u->failures > 0) {
        u->failures--;
        return u->code;
    }
    f[0] = -p[0] * y[0] + p[control_level_at(p, context)];
    f[1] = y[0];
    return t > u->fail_from ? 1 : 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    const double *const u = U + control_level_at(p, context) * ld;
    bool const nan = ((const struct control_user *)context)->nan;
    for (size_t k = 0; k < columns; k++) {
        R[k] = -p[0] * V[k] - y[0] * U[k] + u[k];
        R[ld + k] = V[k];
        if (nan && U[(LEVEL + control_place[4]) * ld + k] != 0) R[k] = (double)NAN;
    }
    return 0;
}

tansy_problem control_problem(struct control_user *u)
{
    static const double y0[] = {1, 0};
    return (tansy_problem){.n = 2,
                           .np = NP,
                           .y0 = y0,
                           .p = u->p,
                           .context = u,
                           .rhs = rhs,
                           .tangent = tangent,
                           .autonomous = 1,
                           .breaks = PIECES - 1,
                           .break_times = control_breaks,
                           .active_from = u->active_from};
}

void control_exact(double t, double *y, double *sens)
{
    double at = 0;
    y[0] = 1;
    y[1] = 0;
    memset(sens, 0, NP * 2 * sizeof *sens);
    for (size_t i = 0; at < t; i++) {
        double const end = i < PIECES - 1 ? fmin(control_breaks[i], t) : t, d = end - at;
        double const k = control_rate, e = exp(-k * d), u = control_level[i], one = (1 - e) / k;
        double const one_k = (d * e - one) / k; /* d(one)/dk */
        for (size_t x = 0; x < NP; x++) {
            sens[2 * x + 1] += sens[2 * x] * one;
            sens[2 * x] *= e;
        }
        sens[1] += y[0] * one_k + u * (-one_k / k - (d - one) / (k * k));
        sens[0] += -d * e * y[0] + u * one_k;
        sens[2 * (LEVEL + control_place[i])] += one;
        sens[2 * (LEVEL + control_place[i]) + 1] += (d - one) / k;
        y[1] += y[0] * one + u * (d - one) / k;
        y[0] = y[0] * e + u * one;
        at = end;
    }
}

void control_check(double t, double rtol, const double *y, const double *sens)
{
    double exact_y[2], exact[2 * NP];
    control_exact(t, exact_y, exact);
    for (size_t i = 0; i < 2; i++) CHECK_CLOSE(y[i], exact_y[i], 100 * rtol);
    for (int x = 0; x < 2 * NP; x++) CHECK_CLOSE(sens[x], exact[x], 100 * rtol);
}
