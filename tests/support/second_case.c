/* SPDX-License-Identifier: Apache-2.0 */
#include "support/second_case.h"

#include <math.h>
#include <string.h>

/* a + b e1 + c e2 + d e1 e2: value, derivatives along two directions, and the mixed one. */
struct number {
    double a, b, c, d;
};

static struct number plus(struct number x, struct number y)
{
    return (struct number){x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d};
}

static struct number times(struct number x, struct number y)
{
    return (struct number){x.a * y.a, x.a * y.b + x.b * y.a, x.a * y.c + x.c * y.a,
                           x.a * y.d + x.b * y.c + x.c * y.b + x.d * y.a};
}

/* g(x) from g, g', g'' at x.a. */
static struct number apply(struct number x, double g, double g1, double g2)
{
    return (struct number){g, g1 * x.b, g1 * x.c, g1 * x.d + g2 * x.b * x.c};
}

static struct number sine(struct number x)
{
    return apply(x, sin(x.a), cos(x.a), -sin(x.a));
}

static struct number inverse(struct number x)
{
    return apply(x, 1 / x.a, -1 / (x.a * x.a), 2 / (x.a * x.a * x.a));
}

/* The terms of f_i, two each: f_0 = -p0 y0^2 sin t + p1 y1 t,  f_1 = p2 y0/(p0 + y1) - p1 y1 y2,  f_2 = t^2 p1 y1 y2^2 + p2. */
static void terms_of(struct number t, const struct number *y, const struct number *p,
                     struct number (*term)[2])
{
    struct number const minus = {-1, 0, 0, 0};
    term[0][0] = times(times(minus, p[0]), times(times(y[0], y[0]), sine(t)));
    term[0][1] = times(times(p[1], y[1]), t);
    term[1][0] = times(times(p[2], y[0]), inverse(plus(p[0], y[1])));
    term[1][1] = times(times(minus, p[1]), times(y[1], y[2]));
    term[2][0] = times(times(times(t, t), p[1]), times(y[1], times(y[2], y[2])));
    term[2][1] = p[2];
}

/* Two directions: (tau, v) and one along y and p, strided; any may be NULL. */
struct pair {
    double tau;
    const double *v;
    size_t ld;
    const double *V, *U;
};

static void evaluate(double t, const double *y, const double *p, const struct pair *along,
                     struct number (*term)[2])
{
    struct number Y[SECOND_N], P[SECOND_NP];
    for (size_t i = 0; i < SECOND_N; i++)
        Y[i] = (struct number){y[i], along->v ? along->v[i] : 0,
                               along->V ? along->V[i * along->ld] : 0, 0};
    for (size_t k = 0; k < SECOND_NP; k++)
        P[k] = (struct number){p[k], 0, along->U ? along->U[k * along->ld] : 0, 0};
    terms_of((struct number){t, along->tau, 0, 0}, Y, P, term);
}

/* Counts the call; what the function is to do. */
static enum fault enter(struct derive_user *user)
{
    user->calls++;
    bool const fails = user->first > 0 && user->calls >= user->first && user->calls <= user->last;
    return fails ? user->fault : FAULT_NONE;
}

static int leave(enum fault fault, double *v)
{
    if (fault == FAULT_NAN) v[0] = (double)NAN;
    return fault == FAULT_POSITIVE ? 3 : fault == FAULT_NEGATIVE ? -4 : 0;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    enum fault const fault = enter(context);
    struct number term[SECOND_N][2];
    evaluate(t, y, p, &(struct pair){.ld = 1}, term);
    for (size_t i = 0; i < SECOND_N; i++) f[i] = term[i][0].a + term[i][1].a;
    return leave(fault, f);
}

/* Column j of (J, f_p) into column[n]. */
static void derivative(double t, const double *y, const double *p, size_t j, double *column)
{
    double unit[SECOND_N + SECOND_NP] = {0};
    struct number term[SECOND_N][2];
    unit[j] = 1;
    evaluate(t, y, p, &(struct pair){.ld = 1, .V = unit, .U = unit + SECOND_N}, term);
    for (size_t i = 0; i < SECOND_N; i++) column[i] = term[i][0].c + term[i][1].c;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    enum fault const fault = enter(context);
    double column[SECOND_N];
    for (size_t j = 0; j < SECOND_N; j++) {
        derivative(t, y, p, j, column);
        for (size_t i = 0; i < SECOND_N; i++) J[i * SECOND_N + j] = column[i];
    }
    return leave(fault, J);
}

/* Lower and upper bandwidth 2: full, but laid out as a band. */
static int jacobian_band(double t, const double *y, const double *p, double *J, void *context)
{
    enum fault const fault = enter(context);
    double column[SECOND_N];
    for (size_t j = 0; j < SECOND_N; j++) {
        derivative(t, y, p, j, column);
        for (size_t i = 0; i < SECOND_N; i++) J[i * 5 + j + 2 - i] = column[i];
    }
    return leave(fault, J + 2);
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    enum fault const fault = enter(context);
    double column[SECOND_N];
    for (size_t k = 0; k < SECOND_NP; k++) {
        derivative(t, y, p, SECOND_N + k, column);
        for (size_t i = 0; i < SECOND_N; i++) F[i * SECOND_NP + k] = column[i];
    }
    return leave(fault, F);
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    enum fault const fault = enter(context);
    struct number term[SECOND_N][2];
    for (size_t k = 0; k < columns; k++) {
        evaluate(t, y, p, &(struct pair){.ld = ld, .V = V + k, .U = U + k}, term);
        for (size_t i = 0; i < SECOND_N; i++) R[i * ld + k] = term[i][0].c + term[i][1].c;
    }
    return leave(fault, R);
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int second(double t, const double *y, const double *p, const double *v, double tau,
                  size_t columns, size_t ld, const double *V, const double *U, double *R,
                  void *context)
{
    struct derive_user *const user = context;
    enum fault const fault = enter(user);
    struct number term[SECOND_N][2];
    for (size_t k = 0; k < columns; k++) {
        evaluate(t, y, p, &(struct pair){tau, v, ld, V + k, U + k}, term);
        for (size_t i = 0; i < SECOND_N; i++) R[i * ld + k] = term[i][0].d + term[i][1].d;
        R[ld + k] += user->wrong;
    }
    return leave(fault, R);
}

static int time_derivative(double t, const double *y, const double *p, double *ft, void *context)
{
    struct derive_user *const user = context;
    enum fault const fault = enter(user);
    struct number term[SECOND_N][2];
    evaluate(t, y, p, &(struct pair){.tau = 1, .ld = 1}, term);
    for (size_t i = 0; i < SECOND_N; i++) ft[i] = term[i][0].b + term[i][1].b;
    ft[2] += user->wrong;
    return leave(fault, ft);
}

/* B = diag(2, 1, 0). */
static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    B[0] = 2;
    B[4] = 1;
    return 0;
}

/* F = B y' - f with B = diag(2 p1, 1, 0); where the test wants .mass_constant to be wrong, with y_0 or y_0' on the diagonal. */
static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct derive_user *const user = context;
    int const code = rhs(t, y, p, F, context);
    for (size_t i = 0; i < SECOND_N; i++) F[i] = -F[i];
    double const moving = user->wrong == SECOND_B_OF_RATE ? yp[0] : y[0];
    F[0] += (user->wrong < 0 ? moving : 2 * p[1]) * yp[0];
    F[1] += yp[1];
    return code;
}

static int residual_jacobian(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    (void)yp;
    int const code = jacobian(t, y, p, J, context);
    for (size_t e = 0; e < SECOND_N * SECOND_N; e++) J[e] = -J[e];
    return code;
}

static int residual_parameter(double t, const double *y, const double *yp, const double *p,
                              double *F, void *context)
{
    int const code = parameter(t, y, p, F, context);
    for (size_t e = 0; e < SECOND_N * SECOND_NP; e++) F[e] = -F[e];
    F[1] += 2 * yp[0];
    return code;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int residual_tangent(double t, const double *y, const double *yp, const double *p,
                            size_t columns, size_t ld, const double *V, const double *V_rate,
                            const double *U, double *R, void *context)
{
    int const code = tangent(t, y, p, columns, ld, V, U, R, context);
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < SECOND_N; i++) R[i * ld + k] = -R[i * ld + k];
        R[k] += 2 * p[1] * V_rate[k] + 2 * U[ld + k] * yp[0];
        R[ld + k] += V_rate[ld + k];
    }
    return code;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int residual_second(double t, const double *y, const double *p, const double *v, double tau,
                           size_t columns, size_t ld, const double *V, const double *U, double *R,
                           void *context)
{
    int const code = second(t, y, p, v, tau, columns, ld, V, U, R, context);
    for (size_t i = 0; i < SECOND_N; i++)
        for (size_t k = 0; k < columns; k++) R[i * ld + k] = -R[i * ld + k];
    return code;
}

static int residual_time(double t, const double *y, const double *p, double *ft, void *context)
{
    int const code = time_derivative(t, y, p, ft, context);
    for (size_t i = 0; i < SECOND_N; i++) ft[i] = -ft[i];
    return code;
}

/* The same problem as F = 0. */
static void make_residual(tansy_problem *q)
{
    q->rhs = NULL;
    q->residual = residual;
    q->mass_constant = 1;
    q->residual_jacobian = q->jacobian ? residual_jacobian : NULL;
    q->residual_parameter = q->parameter_jacobian ? residual_parameter : NULL;
    q->residual_tangent = q->tangent ? residual_tangent : NULL;
    q->second = q->second ? residual_second : NULL;
    q->time_derivative = q->time_derivative ? residual_time : NULL;
    q->jacobian = NULL;
    q->parameter_jacobian = NULL;
    q->tangent = NULL;
}

static const double point_y[SECOND_N] = {0.9, 0.4, 1.3}, point_p[SECOND_NP] = {1.7, 0.6, 2.1};
static const double level[SECOND_N] = {1e-3, 1e-3, 1e-3};
static const int columns[] = {2, TANSY_INITIAL(1), 0};

void second_prepare(struct second_setup *s, int gives)
{
    *s = (struct second_setup){.v = {-0.3, 0.2, 0.5}, .along = {.tau = 0.25, .span = 0.5}};
    struct derive_setup *const of = &s->of;
    bool const banded = (gives & GIVE_BANDED) != 0, sparse = (gives & GIVE_SPARSE) != 0;
    of->options = (tansy_options){.rtol = 1e-6};
    of->workers = 1;
    of->has_second = true;
    of->kind = banded ? MATRIX_BAND : MATRIX_DENSE;
    memcpy(of->p, point_p, sizeof point_p);
    for (size_t e = 0; e < SECOND_N * SECOND_N; e++) {
        of->row[e] = e / SECOND_N;
        of->column[e] = e % SECOND_N;
    }
    tansy_pattern const all = {SECOND_N * SECOND_N, of->row, of->column};
    of->problem = (tansy_problem){.n = SECOND_N,
                                  .np = SECOND_NP,
                                  .y0 = point_y,
                                  .p = of->p,
                                  .context = &of->user,
                                  .rhs = rhs,
                                  .ns = 3,
                                  .columns = columns,
                                  .structure = banded   ? TANSY_BANDED
                                               : sparse ? TANSY_SPARSE
                                                        : TANSY_DENSE,
                                  .lower = banded ? 2 : 0,
                                  .upper = banded ? 2 : 0};
    tansy_problem *const q = &of->problem;
    if (gives & GIVE_JACOBIAN) q->jacobian = banded ? jacobian_band : jacobian;
    if (sparse) q->jacobian_pattern = all;
    if (gives & GIVE_PARAMETER) q->parameter_jacobian = parameter;
    if (gives & GIVE_PATTERN) q->parameter_pattern = all;
    if (gives & GIVE_TANGENT) q->tangent = tangent;
    if (gives & GIVE_SECOND) q->second = second;
    if (gives & GIVE_TIME) q->time_derivative = time_derivative;
    if (gives & GIVE_MASS) q->mass = mass;
    if (gives & GIVE_RESIDUAL) make_residual(q);
    of->y = point_y;
    of->level = level;
    of->t = 0.8;
}

void second_build(struct second_setup *s)
{
    derive_build(&s->of);
    s->along.v = s->v;
    second_fill(s);
}

void second_fill(struct second_setup *s)
{
    struct derive_setup *const of = &s->of;
    memset(of->V, 0, of->panel->count * sizeof(double));
    const struct panel *const panel = &of->panel[of->at];
    for (size_t k = 0; k < panel->columns; k++)
        for (size_t i = 0; i < SECOND_N; i++)
            of->V[i * panel->lanes + k] = cos((double)(3 * i + 7 * k)) * point_y[i];
}

int second_evaluate(struct second_setup *s)
{
    struct derive_setup *const of = &s->of;
    struct point const at = {.t = of->t, .y = of->y};
    return of->d.second(&of->d, of->workers - 1, &at, &s->along, &of->panel[of->at], of->V, of->R);
}

/* max_i |v_i|/(|y_i| + level_i) of v with its entries ld apart. */
static double relative_size(size_t ld, const double *v)
{
    double size = 0;
    for (size_t i = 0; i < SECOND_N; i++)
        size = fmax(size, fabs(v[i * ld]) / (fabs(point_y[i]) + level[i]));
    return size;
}

/* The direction of column k in p into u[np]; its relative size. */
static double direction_of(const struct derive_setup *of, size_t k, double *u)
{
    const struct derive *const d = &of->d;
    double size = 0;
    memset(u, 0, SECOND_NP * sizeof *u);
    for (size_t e = d->direction_start[k]; e < d->direction_start[k + 1]; e++) {
        u[d->direction_row[e]] = d->direction_value[e];
        size = fmax(size, fabs(d->direction_value[e]) / d->scale[d->direction_row[e]]);
    }
    return size;
}

double second_error(const struct second_setup *s)
{
    const struct derive_setup *const of = &s->of;
    const struct panel *const panel = &of->panel[of->at];
    double const tau = of->problem.autonomous ? 0 : s->along.tau;
    double const motion = fmax(relative_size(1, s->v), fabs(tau) / fabs(s->along.span));
    double worst = 0;
    for (size_t k = 0; k < panel->columns; k++) {
        double u[SECOND_NP], V[SECOND_N];
        double const size =
            direction_of(of, panel->first + k, u) + relative_size(panel->lanes, of->V + k);
        struct number term[SECOND_N][2];
        for (size_t i = 0; i < SECOND_N; i++) V[i] = of->V[i * panel->lanes + k];
        evaluate(of->t, of->y, of->p, &(struct pair){tau, s->v, 1, V, u}, term);
        for (size_t i = 0; i < SECOND_N; i++) {
            double const exact = term[i][0].d + term[i][1].d;
            double const unit = (fabs(term[i][0].a) + fabs(term[i][1].a)) * size * motion;
            double const error = fabs(of->R[i * panel->lanes + k] - exact) / unit;
            if (!(error <= worst)) worst = error;
        }
    }
    return worst;
}

void second_time(const struct second_setup *s, double *ft)
{
    struct number term[SECOND_N][2];
    evaluate(s->of.t, s->of.y, s->of.p, &(struct pair){.tau = 1, .ld = 1}, term);
    for (size_t i = 0; i < SECOND_N; i++) ft[i] = term[i][0].b + term[i][1].b;
}
