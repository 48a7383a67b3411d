/* SPDX-License-Identifier: Apache-2.0 */
/* The problem of step_problem.h; all derivatives of f from one function of hyperdual numbers. */
#include "step_problem.h"

#include "hyperdual.h"

enum { A, B, C, D, K, Q };

static const double mix[STEP_N][STEP_N] = {{1, 0.5, 0}, {0.3, 1, 0}, {0.2, 0.4, 1}};

static bool has_z(enum step_form form)
{
    return form >= STEP_SEMI;
}

static bool mass_of_p(enum step_form form)
{
    return form == STEP_MASS_OF_P || form >= STEP_DAE_OF_P;
}

static bool mixes(enum step_form form)
{
    return form != STEP_ODE && form != STEP_SEMI;
}

static size_t size_of(enum step_form form)
{
    return has_z(form) ? 3 : 2;
}

/* The equations before they are mixed. */
static void plain(enum step_form form, struct hyperdual t, const struct hyperdual *y,
                  const struct hyperdual *p, struct hyperdual *f)
{
    struct hyperdual const one = {1, 0, 0, 0};
    struct hyperdual const square = hyper_times(y[0], y[0]), v2 = hyper_times(y[1], y[1]);
    struct hyperdual const rate = hyper_times(p[A], hyper_inverse(p[Q]));
    struct hyperdual const phase = hyper_plus(hyper_times(p[C], t), y[0]);
    struct hyperdual const sine = hyper_sin(phase), sine2 = hyper_times(sine, sine);
    struct hyperdual const speed = hyper_plus(p[C], hyper_scale(-1, hyper_times(rate, square)));
    struct hyperdual const away = hyper_plus(v2, hyper_scale(-1, sine2));
    struct hyperdual w2 = square;
    if (has_z(form)) {
        struct hyperdual const rest = hyper_plus(one, hyper_times(p[D], v2));
        struct hyperdual const e = hyper_exp(y[2]);
        f[2] = hyper_plus(hyper_plus(rest, square), hyper_scale(-1, e));
        w2 = hyper_plus(e, hyper_scale(-1, rest));
    }
    f[0] = hyper_scale(-1, hyper_times(mass_of_p(form) ? p[A] : rate, w2));
    f[1] =
        hyper_plus(hyper_times(speed, hyper_cos(phase)), hyper_scale(-1, hyper_times(p[K], away)));
}

/* Two directions: (tau, v) and one along y and p, strided; any may be NULL. */
struct motion2 {
    double tau;
    const double *v;
    size_t ld;
    const double *V, *U;
};

static void evaluate(enum step_form form, double t, const double *y, const double *p,
                     const struct motion2 *along, struct hyperdual *f)
{
    struct hyperdual Y[STEP_N], P[STEP_NP], g[STEP_N];
    size_t const n = size_of(form);
    for (size_t i = 0; i < n; i++)
        Y[i] = (struct hyperdual){y[i], along->v ? along->v[i] : 0,
                                  along->V ? along->V[i * along->ld] : 0, 0};
    for (size_t k = 0; k < STEP_NP; k++)
        P[k] = (struct hyperdual){p[k], 0, along->U ? along->U[k * along->ld] : 0, 0};
    plain(form, (struct hyperdual){t, along->tau, 0, 0}, Y, P, g);
    for (size_t i = 0; i < n; i++) {
        f[i] = g[i];
        for (size_t j = 0; j < n && mixes(form); j++)
            f[i] = hyper_plus(f[i], hyper_scale(mix[i][j] - (i == j), g[j]));
    }
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    const struct step_problem *const it = context;
    struct hyperdual value[STEP_N];
    evaluate(it->form, t, y, p, &(struct motion2){.ld = 1}, value);
    for (size_t i = 0; i < size_of(it->form); i++) f[i] = value[i].a;
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    const struct step_problem *const it = context;
    size_t const n = size_of(it->form);
    for (size_t j = 0; j < n; j++) {
        double e[STEP_N] = {0};
        struct hyperdual value[STEP_N];
        e[j] = 1;
        evaluate(it->form, t, y, p, &(struct motion2){.v = e, .ld = 1}, value);
        for (size_t i = 0; i < n; i++) J[i * n + j] = value[i].b;
    }
    return 0;
}

/* The band is full: J[i*(2n - 1) + j - i + n - 1]. */
static int jacobian_of_band(double t, const double *y, const double *p, double *J, void *context)
{
    const struct step_problem *const it = context;
    size_t const n = size_of(it->form);
    double full[STEP_N * STEP_N];
    int const code = jacobian(t, y, p, full, context);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) J[i * (2 * n - 1) + j + n - 1 - i] = full[i * n + j];
    return code;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    const struct step_problem *const it = context;
    for (size_t k = 0; k < STEP_NP; k++) {
        double e[STEP_NP] = {0};
        struct hyperdual value[STEP_N];
        e[k] = 1;
        evaluate(it->form, t, y, p, &(struct motion2){.U = e, .ld = 1}, value);
        for (size_t i = 0; i < size_of(it->form); i++) F[i * STEP_NP + k] = value[i].c;
    }
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    const struct step_problem *const it = context;
    for (size_t k = 0; k < columns; k++) {
        struct hyperdual value[STEP_N];
        evaluate(it->form, t, y, p, &(struct motion2){.ld = ld, .V = V + k, .U = U + k}, value);
        for (size_t i = 0; i < size_of(it->form); i++) R[i * ld + k] = value[i].c;
    }
    return 0;
}

static int second(double t, const double *y, const double *p, const double *v, double tau,
                  size_t columns, size_t ld, const double *V, const double *U, double *R,
                  void *context)
{
    const struct step_problem *const it = context;
    for (size_t k = 0; k < columns; k++) {
        struct hyperdual value[STEP_N];
        struct motion2 const along = {.tau = tau, .v = v, .ld = ld, .V = V + k, .U = U + k};
        evaluate(it->form, t, y, p, &along, value);
        for (size_t i = 0; i < size_of(it->form); i++) R[i * ld + k] = value[i].d;
    }
    return 0;
}

static int time_derivative(double t, const double *y, const double *p, double *ft, void *context)
{
    const struct step_problem *const it = context;
    struct hyperdual value[STEP_N];
    evaluate(it->form, t, y, p, &(struct motion2){.tau = 1, .ld = 1}, value);
    for (size_t i = 0; i < size_of(it->form); i++) ft[i] = value[i].b;
    return 0;
}

static double mass_entry(const struct step_problem *it, const double *p, size_t i, size_t j)
{
    if (j == 2) return 0;
    double const d = j == 0 && mass_of_p(it->form) ? p[Q] : 1;
    return d * (mixes(it->form) ? mix[i][j] : i == j);
}

static int mass(double t, const double *y, const double *p, double *M, void *context)
{
    const struct step_problem *const it = context;
    size_t const n = size_of(it->form);
    (void)t, (void)y;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) M[i * n + j] = mass_entry(it, p, i, j);
    return 0;
}

static int mass_of_band(double t, const double *y, const double *p, double *M, void *context)
{
    const struct step_problem *const it = context;
    size_t const n = size_of(it->form);
    (void)t, (void)y;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) M[i * (2 * n - 1) + j + n - 1 - i] = mass_entry(it, p, i, j);
    return 0;
}

static int mass_tangent(double t, const double *y, const double *p, const double *u, size_t columns,
                        size_t ld, const double *V, const double *U, double *R, void *context)
{
    const struct step_problem *const it = context;
    (void)t, (void)y, (void)p, (void)V;
    for (size_t i = 0; i < size_of(it->form); i++)
        for (size_t k = 0; k < columns; k++)
            R[i * ld + k] = mix[i][0] * u[0] * U[Q * ld + k]; /* B = Q diag(q, 1, 0) */
    return 0;
}

/* F = B y' - f and its derivatives, dense. */
static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct step_problem *const it = context;
    int const code = rhs(t, y, p, F, context);
    for (size_t i = 0; i < STEP_N; i++) {
        F[i] = -F[i];
        for (size_t j = 0; j < STEP_N; j++) F[i] += mass_entry(it, p, i, j) * yp[j];
    }
    return code;
}

static int residual_jacobian(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    (void)yp;
    int const code = jacobian(t, y, p, J, context);
    for (size_t x = 0; x < STEP_N * STEP_N; x++) J[x] = -J[x];
    return code;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *M,
                         void *context)
{
    (void)yp;
    return mass(t, y, p, M, context);
}

static int residual_parameter(double t, const double *y, const double *yp, const double *p,
                              double *F, void *context)
{
    int const code = parameter_jacobian(t, y, p, F, context);
    for (size_t x = 0; x < (size_t)STEP_N * STEP_NP; x++) F[x] = -F[x];
    for (size_t i = 0; i < STEP_N; i++) F[i * STEP_NP + Q] += mix[i][0] * yp[0];
    return code;
}

static int residual_tangent(double t, const double *y, const double *yp, const double *p,
                            size_t columns, size_t ld, const double *V, const double *V_rate,
                            const double *U, double *R, void *context)
{
    const struct step_problem *const it = context;
    int const code = tangent(t, y, p, columns, ld, V, U, R, context);
    for (size_t i = 0; i < STEP_N; i++)
        for (size_t k = 0; k < columns; k++) {
            R[i * ld + k] = mix[i][0] * yp[0] * U[Q * ld + k] - R[i * ld + k];
            for (size_t j = 0; j < STEP_N; j++)
                R[i * ld + k] += mass_entry(it, p, i, j) * V_rate[j * ld + k];
        }
    return code;
}

static void turn_into_residual(tansy_problem *q, int gives)
{
    bool const matrices = gives & STEP_MATRICES;
    q->rhs = NULL;
    q->jacobian = NULL;
    q->parameter_jacobian = NULL;
    q->tangent = NULL;
    q->mass = NULL;
    q->mass_tangent = NULL;
    q->second = NULL;
    q->time_derivative = NULL;
    q->residual = residual;
    q->residual_jacobian = matrices ? residual_jacobian : NULL;
    q->rate_jacobian = matrices ? rate_jacobian : NULL;
    q->residual_parameter = matrices ? residual_parameter : NULL;
    q->residual_tangent = gives & STEP_TANGENT ? residual_tangent : NULL;
}

/* The solution and its columns in all three components. */
static void solution(const double *p, long double t, long double *y, long double (*column)[STEP_N])
{
    long double const q = (long double)p[Q], a = (long double)p[A], b = (long double)p[B];
    long double const c = (long double)p[C], d = (long double)p[D], w = 1 / (b + a / q * t);
    long double const v = sinl(c * t + w), rate = cosl(c * t + w), e = 1 + w * w + d * v * v;
    long double const dw[STEP_NP] = {-t / q * w * w, -w * w, 0, 0, 0, a / (q * q) * t * w * w};
    y[0] = w;
    y[1] = v;
    y[2] = logl(e);
    for (int k = 0; k < STEP_NP; k++) {
        column[k][0] = dw[k];
        column[k][1] = rate * (dw[k] + (k == C ? t : 0));
        column[k][2] = (2 * w * dw[k] + 2 * d * v * column[k][1] + (k == D ? v * v : 0)) / e;
    }
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    const struct step_problem *const it = context;
    long double y[STEP_N], column[STEP_NP][STEP_N];
    solution(p, (long double)t0, y, column);
    for (size_t i = 0; i < size_of(it->form); i++) y0[i] = (double)y[i];
    return 0;
}

static int initial_jacobian(double t0, const double *p, double *G, void *context)
{
    const struct step_problem *const it = context;
    long double y[STEP_N], column[STEP_NP][STEP_N];
    solution(p, (long double)t0, y, column);
    for (size_t i = 0; i < size_of(it->form); i++)
        for (size_t k = 0; k < STEP_NP; k++) G[i * STEP_NP + k] = (double)column[k][i];
    return 0;
}

void step_problem_set(struct step_problem *it, enum step_form form, int gives, size_t ns)
{
    static const double p[STEP_NP] = {0.8, 1.1, 1.3, 0.7, 0.5, 1.25};
    bool const matrices = gives & STEP_MATRICES, of_p = mass_of_p(form);
    *it = (struct step_problem){.form = form};
    for (size_t k = 0; k < STEP_NP; k++) it->p[k] = p[k];
    for (size_t k = 0; k < ns; k++) it->columns[k] = (int)(k % STEP_NP);
    it->problem = (tansy_problem){.n = size_of(form),
                                  .np = STEP_NP,
                                  .p = it->p,
                                  .context = it,
                                  .rhs = rhs,
                                  .jacobian = matrices ? jacobian : NULL,
                                  .parameter_jacobian = matrices ? parameter_jacobian : NULL,
                                  .tangent = gives & STEP_TANGENT ? tangent : NULL,
                                  .time_derivative = gives & STEP_TIME ? time_derivative : NULL,
                                  .second = gives & STEP_SECOND ? second : NULL,
                                  .initial = initial,
                                  .initial_jacobian = initial_jacobian,
                                  .mass = form == STEP_ODE ? NULL : mass,
                                  .mass_tangent = of_p ? mass_tangent : NULL,
                                  .mass_constant = of_p,
                                  .ns = ns,
                                  .columns = it->columns,
                                  .concurrent = 1};
    if (form == STEP_RESIDUAL) turn_into_residual(&it->problem, gives);
}

void step_problem_store(struct step_problem *it, tansy_structure structure)
{
    static const size_t row[2][STEP_N * STEP_N] = {{0, 0, 1, 1}, {0, 0, 0, 1, 1, 1, 2, 2, 2}};
    static const size_t column[2][STEP_N * STEP_N] = {{0, 1, 0, 1}, {0, 1, 2, 0, 1, 2, 0, 1, 2}};
    tansy_problem *const q = &it->problem;
    q->structure = structure;
    if (structure == TANSY_SPARSE)
        q->jacobian_pattern =
            (tansy_pattern){q->n * q->n, row[has_z(it->form)], column[has_z(it->form)]};
    if (structure != TANSY_BANDED) return;
    q->lower = q->upper = q->n - 1;
    if (q->jacobian) q->jacobian = jacobian_of_band;
    if (q->mass) q->mass = mass_of_band;
}

void step_exact(const struct step_problem *it, long double t, long double *y, long double *sens)
{
    size_t const n = size_of(it->form);
    long double all[STEP_N], column[STEP_NP][STEP_N];
    solution(it->p, t, all, column);
    for (size_t i = 0; i < n; i++) y[i] = all[i];
    for (size_t k = 0; k < it->problem.ns; k++)
        for (size_t i = 0; i < n; i++) sens[k * n + i] = column[it->columns[k]][i];
}

void step_exact_slope(const struct step_problem *it, double t, double *yp, double *sensp)
{
    long double exact[STEP_N], columns[STEP_MOST_COLUMNS * STEP_N];
    double y[STEP_N];
    step_exact(it, (long double)t, exact, columns);
    for (size_t i = 0; i < 2; i++) y[i] = (double)exact[i];
    (void)rhs(t, y, it->p, yp, it->problem.context);
    for (size_t k = 0; k < it->problem.ns; k++) {
        double U[STEP_NP] = {0};
        double const V[] = {(double)columns[2 * k], (double)columns[2 * k + 1]};
        U[it->columns[k]] = 1;
        (void)tangent(t, y, it->p, 1, 1, V, U, sensp + 2 * k, it->problem.context);
    }
}

void step_errors(const struct step_problem *it, double t, const double *y, const double *sens,
                 double *errors)
{
    size_t const n = size_of(it->form);
    long double exact[STEP_N], columns[STEP_MOST_COLUMNS * STEP_N];
    step_exact(it, (long double)t, exact, columns);
    for (size_t k = 0; k <= it->problem.ns; k++) {
        long double sum = 0;
        for (size_t i = 0; i < n; i++) {
            long double const e =
                k == 0 ? (long double)y[i] - exact[i]
                       : (long double)sens[(k - 1) * n + i] - columns[(k - 1) * n + i];
            sum += e * e;
        }
        errors[k] = (double)sqrtl(sum);
    }
}

const char *step_form_name(enum step_form form)
{
    static const char *const names[] = {"ode", "mass",     "mass of p", "semi-explicit",
                                        "dae", "dae of p", "residual"};
    return names[form];
}
