/* SPDX-License-Identifier: Apache-2.0 */
/* The problem y_0' = -k y_0^2, y_1' = m y_0, its derivatives and their faults. */
#include "fault_problem.h"

#include <math.h>

const double fault_p[FAULT_NP] = {0.75, 0.3, 1.25, 0.625};
const char *const fault_function_name[FAULT_FUNCTIONS] = {
    "rhs", "jacobian", "parameter_jacobian", "tangent", "initial", "initial_jacobian"};

struct fault_user fault_user(void)
{
    return (struct fault_user){.unit = {1, 1, 1, 1}, .earliest = HUGE_VAL, .latest = -HUGE_VAL};
}

/* How far is p from home? */
static void watch(struct fault_user *user, const double *p)
{
    size_t moved = 0;
    bool strayed = false;
    for (size_t k = 0; user->home && k < FAULT_NP; k++) {
        double const distance = fabs(p[k] - user->home[k]);
        moved += distance != 0;
        strayed = strayed || !(distance <= user->reach * fabs(user->home[k]));
    }
    user->moved += moved > 0;
    user->strayed += strayed || moved > 1;
}

/* Counts a call and spoils its result `entry` when its turn has come; returns what the function shall return. */
static int finish(struct fault_user *user, enum fault_function function, double t, const double *p,
                  double *entry)
{
    const struct fault_plan *const plan = &user->plan;
    watch(user, p);
    size_t const call = ++user->calls[function];
    user->calls_after_stop += user->stopped;
    user->earliest = fmin(user->earliest, t);
    user->latest = fmax(user->latest, t);
    if (function != plan->function || call < plan->first || call > plan->last) return 0;
    switch (plan->kind) {
    case GIVES_NAN:
        *entry = (double)NAN;
        return 0;
    case GIVES_INF:
        *entry = -HUGE_VAL;
        return 0;
    case RETURNS_POSITIVE:
        return 3;
    default:
        user->stopped = true;
        return -7;
    }
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct fault_user *const user = context;
    double const k = p[0] * user->unit[0], m = p[1] * user->unit[1];
    f[0] = -k * y[0] * y[0];
    f[1] = m * y[0];
    if (user->fence * (p[0] - fault_p[0]) > 0) return 1;
    return finish(user, IN_RHS, t, p, &f[1]);
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    struct fault_user *const user = context;
    J[0] = -2 * (p[0] * user->unit[0]) * y[0];
    J[2] = p[1] * user->unit[1] + user->wrong[IN_JACOBIAN];
    return finish(user, IN_JACOBIAN, t, p, &J[2]);
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    struct fault_user *const user = context;
    F[0] = -y[0] * y[0] * user->unit[0];
    F[FAULT_NP] = user->wrong[IN_PARAMETER_JACOBIAN];
    F[FAULT_NP + 1] = y[0] * user->unit[1];
    return finish(user, IN_PARAMETER_JACOBIAN, t, p, &F[FAULT_NP + 1]);
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    struct fault_user *const user = context;
    double const a = -2 * (p[0] * user->unit[0]) * y[0],
                 m = p[1] * user->unit[1] + user->wrong[IN_TANGENT];
    for (size_t k = 0; k < columns; k++) {
        R[k] = a * V[k] - y[0] * y[0] * user->unit[0] * U[k];
        R[ld + k] = m * V[k] + y[0] * user->unit[1] * U[ld + k];
    }
    return finish(user, IN_TANGENT, t, p, &R[ld + columns - 1]);
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    struct fault_user *const user = context;
    y0[0] = p[2] * user->unit[2];
    y0[1] = p[3] * user->unit[3];
    return finish(user, IN_INITIAL, t0, p, &y0[1]);
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    struct fault_user *const user = context;
    D[2] = user->unit[2];
    D[FAULT_NP] = user->wrong[IN_INITIAL_JACOBIAN];
    D[FAULT_NP + 3] = user->unit[3];
    return finish(user, IN_INITIAL_JACOBIAN, t0, p, &D[FAULT_NP + 3]);
}

tansy_problem fault_problem(struct fault_user *user, int gives, const double *p)
{
    bool const matrices = (gives & WITH_MATRICES) != 0;
    return (tansy_problem){
        .n = FAULT_N,
        .np = FAULT_NP,
        .p = p,
        .context = user,
        .rhs = rhs,
        .jacobian = matrices ? jacobian : NULL,
        .parameter_jacobian = matrices ? parameter_jacobian : NULL,
        .tangent = (gives & WITH_TANGENT) != 0 ? tangent : NULL,
        .initial = initial,
        .initial_jacobian = (gives & WITH_INITIAL) != 0 ? initial_jacobian : NULL,
    };
}

void fault_exact(double t, double *y, double *sens)
{
    double const k = fault_p[0], m = fault_p[1], a = fault_p[2], b = fault_p[3];
    double const u = 1 + a * k * t, l = log(u);
    double const columns[FAULT_NP][FAULT_N] = {
        {-a * a * t / (u * u), m / k * (a * t / u - l / k)},
        {0, l / k},
        {1 / (u * u), m * t / u},
        {0, 1},
    };
    y[0] = a / u;
    y[1] = b + m / k * l;
    for (size_t x = 0; x < FAULT_SENS; x++) sens[x] = columns[x / FAULT_N][x % FAULT_N];
}

/* The larger of e and the error of v, NaN being larger than anything. */
static double worse(double e, double v, double exact, double scale, double floor)
{
    double const error = fabs(v - exact) * scale / (fabs(exact) * scale + floor);
    return error <= e || isnan(e) ? e : error;
}

double fault_error(double t, double floor, const double *y, const double *sens)
{
    double exact[FAULT_N], columns[FAULT_SENS], e = 0;
    fault_exact(t, exact, columns);
    for (size_t i = 0; i < FAULT_N; i++) e = worse(e, y[i], exact[i], 1, floor);
    for (size_t x = 0; x < FAULT_SENS; x++)
        e = worse(e, sens[x], columns[x], fault_p[x / FAULT_N], floor);
    return e;
}
