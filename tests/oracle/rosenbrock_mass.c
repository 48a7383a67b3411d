/* SPDX-License-Identifier: Apache-2.0 */
/* The method rosenbrock on a DAE whose B depends on p, with closed form, given as F = 0, as B y' = f and as a model, with tangents and
   without: a x' = -k x;  a x' + b y' = -k x - y;  z = x y + sin(q t);  p = (a, b, k, q), x(0) = y(0) = 1, z(0) a rough guess;
     x = e^(-k t/a),  y = e^(-t/b).
   The columns are all parameters and x(0), whose column of z begins with y(0), whatever the unit vector says. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

enum { N = 3, NP = 4, NS = 5 };
static const double p0[NP] = {2, 0.5, 3, 1.5}, y0[N] = {1, 1, 0.9};
static const int columns[NS] = {0, 1, 2, 3, TANSY_INITIAL(0)};
static const double end = 2;

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = -p[2] * y[0];
    f[1] = -p[2] * y[0] - y[1];
    f[2] = y[0] * y[1] + sin(p[3] * t) - y[2];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t count, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)context;
    for (size_t k = 0; k < count; k++) {
        const double *const v = V + k, *const u = U + k;
        R[k] = -p[2] * v[0] - u[2 * ld] * y[0];
        R[ld + k] = R[k] - v[ld];
        R[2 * ld + k] = y[1] * v[0] + y[0] * v[ld] - v[2 * ld] + t * cos(p[3] * t) * u[3 * ld];
    }
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)context;
    B[0] = B[N] = p[0];
    B[N + 1] = p[1];
    return 0;
}

static int mass_tangent(double t, const double *y, const double *p, const double *w, size_t count,
                        size_t ld, const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)y, (void)p, (void)V, (void)context;
    for (size_t k = 0; k < count; k++) {
        R[k] = U[k] * w[0];
        R[ld + k] = U[k] * w[0] + U[ld + k] * w[1];
        R[2 * ld + k] = 0;
    }
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)rhs(t, y, p, F, context);
    F[0] = p[0] * yp[0] - F[0];
    F[1] = p[0] * yp[0] + p[1] * yp[1] - F[1];
    F[2] = -F[2];
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int residual_tangent(double t, const double *y, const double *yp, const double *p,
                            size_t count, size_t ld, const double *V, const double *V_rate,
                            const double *U, double *R, void *context)
{
    (void)tangent(t, y, p, count, ld, V, U, R, context);
    for (size_t k = 0; k < count; k++) {
        double const first = p[0] * V_rate[k] + U[k] * yp[0];
        R[k] = first - R[k];
        R[ld + k] = first + p[1] * V_rate[ld + k] + U[ld + k] * yp[1] - R[ld + k];
        R[2 * ld + k] = -R[2 * ld + k];
    }
    return 0;
}

static const char text[] = "parameter a = 2, b = 0.5, k = 3, q = 1.5\n"
                           "state x = 1, y = 1\n"
                           "algebraic z = 0.9\n"
                           "a*x' = -k*x\n"
                           "a*x' + b*y' = -k*x - y\n"
                           "z = x*y + sin(q*time)\n";

/* y[n] and the columns s[ns][n] at t. */
static void find_exact(double t, double *y, double (*s)[N])
{
    double const a = p0[0], b = p0[1], k = p0[2], q = p0[3];
    double const x = exp(-k * t / a), w = exp(-t / b);
    y[0] = x, y[1] = w, y[2] = x * w + sin(q * t);
    double const dx[NS] = {x * k * t / (a * a), 0, -x * t / a, 0, x};
    double const dw[NS] = {0, w * t / (b * b), 0, 0, 0};
    for (int j = 0; j < NS; j++) {
        s[j][0] = dx[j], s[j][1] = dw[j];
        s[j][2] = dx[j] * w + x * dw[j] + (j == 3 ? t * cos(q * t) : 0);
    }
}

enum given { BARE, TANGENTS, FROM_MODEL, GIVEN_KINDS };
enum form { RESIDUAL, MASS, FORMS };

static tansy_problem make(enum form form, enum given given)
{
    tansy_problem q = {
        .n = N, .np = NP, .p = p0, .y0 = y0, .ns = NS, .columns = columns, .mass_constant = 1};
    if (form == RESIDUAL) {
        q.residual = residual;
        if (given == TANGENTS) q.residual_tangent = residual_tangent;
        return q;
    }
    q.rhs = rhs;
    q.mass = mass;
    q.mass_varies = 1;
    if (given == TANGENTS) q.tangent = tangent;
    if (given == TANGENTS) q.mass_tangent = mass_tangent;
    return q;
}

/* The largest |error|/(|value| + 1e-3) at the end of the last step, of y and of the columns times their scale. */
static double error_of(const tansy_problem *q, tansy_options options, size_t *steps, double *S)
{
    double y[N], s[NS][N], exact[N], columns_exact[NS][N], worst = 0;
    static const double scale[NS] = {2, 0.5, 3, 1.5, 1};
    tansy_stats stats;
    options.method = TANSY_ROSENBROCK;
    options.stop_time = end;
    options.use_stop_time = 1;
    options.atol = 1e-3 * options.rtol;
    tansy_solver *const solver = tansy_create(q, &options);
    tansy_status const status = tansy_solve(solver, end, y, *s);
    if (status != TANSY_OK) fprintf(stderr, "%s\n", tansy_message(solver));
    CHECK_EQUAL(status, TANSY_OK);
    tansy_get_stats(solver, &stats);
    tansy_free(solver);
    find_exact(end, exact, columns_exact);
    for (int i = 0; i < N; i++) {
        worst = fmax(worst, fabs(y[i] - exact[i]) / (fabs(exact[i]) + 1e-3));
        for (int k = 0; k < NS; k++)
            worst = fmax(worst, fabs(s[k][i] - columns_exact[k][i]) * scale[k] /
                                    (fabs(columns_exact[k][i]) * scale[k] + 1e-3));
    }
    *steps = stats.steps;
    if (S) memcpy(S, s, sizeof s);
    return worst;
}

static const tansy_formula formulas[] = {TANSY_RODAS5P, TANSY_RODAS4, TANSY_GRK4A, TANSY_GRK4T};

/* Noise of differences in algebraic equations does not fall with h: too much for the smallest tolerances, the more so where order 2 of
   grk4a and grk4t makes steps small (grk4t stops at 1e-5). */
static double smallest_rtol(const tansy_problem *q, size_t formula)
{
    bool const bare = !q->residual_tangent && !q->tangent;
    return !bare ? 1e-7 : formula < 2 ? 1e-6 : 1e-4;
}

static void check_promise(const tansy_problem *q, const char *name)
{
    for (size_t f = 0; f < 4; f++) {
        double worst = 0;
        size_t steps = 0;
        for (double rtol = 1e-3; rtol > 0.9 * smallest_rtol(q, f); rtol /= 10) {
            tansy_options const options = {.formula = formulas[f], .rtol = rtol};
            double const error = error_of(q, options, &steps, NULL);
            CHECK_AT_MOST(error, 100 * rtol);
            worst = fmax(worst, error / rtol);
        }
        printf("%-24s formula %d: error/rtol at most %.2f; %zu steps\n", name, (int)formulas[f],
               worst, steps);
    }
}

TEST(B_of_p_keeps_the_promise_in_every_form)
{
    static const char *const names[FORMS][2] = {{"F alone", "F with tangent"},
                                                {"B and f alone", "B and f with tangents"}};
    for (int form = 0; form < FORMS; form++)
        for (int given = BARE; given <= TANGENTS; given++) {
            tansy_problem const q = make(form, given);
            check_promise(&q, names[form][given]);
        }
    tansy_problem q;
    tansy_model *const m = tansy_model_parse(text, strlen(text), "text");
    CHECK_EQUAL(tansy_model_problem(m, &q), TANSY_OK);
    CHECK(q.residual && q.mass_constant && !q.autonomous);
    q.ns = NS;
    q.columns = columns;
    check_promise(&q, "model");
    tansy_model_free(m);
}

/* S in the kernel of G_w = (g_x, g_y, g_z, g_p) at the beginning, as dassl has it, and after the last step up to the tolerance. */
TEST(columns_are_consistent_with_the_algebraic_equations)
{
    tansy_problem const q = make(RESIDUAL, TANGENTS);
    double y[N], s[NS][N], other[NS][N], exact[N], S[NS][N];
    for (int dassl = 0; dassl < 2; dassl++) {
        tansy_options const options = {.method = dassl ? TANSY_DASSL : TANSY_ROSENBROCK};
        tansy_solver *const solver = tansy_create(&q, &options);
        CHECK_EQUAL(tansy_initialise(solver, y, NULL, dassl ? *other : *s, NULL), TANSY_OK);
        tansy_free(solver);
    }
    CHECK(memcmp(s, other, sizeof s) == 0);
    find_exact(0, exact, S);
    CHECK_CLOSE(y[2], 1, 1e-9);
    for (int k = 0; k < NS; k++)
        for (int i = 0; i < N; i++) CHECK_CLOSE(s[k][i], S[k][i], 1e-8);
    tansy_solver *const solver = tansy_create(
        &q, &(tansy_options){
                .method = TANSY_ROSENBROCK, .rtol = 1e-6, .use_stop_time = 1, .stop_time = end});
    CHECK_EQUAL(tansy_solve(solver, end, y, *s), TANSY_OK);
    tansy_free(solver);
    for (int k = 0; k < NS; k++) {
        double const g_p = k == 3 ? end * cos(p0[3] * end) : 0;
        CHECK_CLOSE(s[k][2], y[1] * s[k][0] + y[0] * s[k][1] + g_p, 1e-6);
    }
}

/* Internal differentiation takes the same steps with second derivatives, and S differs by the error of its differences,
   0.1 of the tolerance by choice of the formula; without them it takes more. */
TEST(internal_differentiation_follows_the_exact_tangents)
{
    for (int form = 0; form < FORMS; form++) {
        tansy_problem const q = make(form, TANGENTS);
        for (double rtol = 1e-3; rtol > 0.9e-6; rtol /= 10) {
            size_t steps, internal, paper;
            double S[NS][N], T[NS][N];
            tansy_options options = {.rtol = rtol, .first_step = 0.01}; /* as steps are compared */
            CHECK_AT_MOST(error_of(&q, options, &steps, *S), 100 * rtol);
            options.sensitivities = TANSY_DIFFERENCE;
            CHECK_AT_MOST(error_of(&q, options, &paper, *T), 100 * rtol);
            options.second_derivatives = TANSY_SECOND_DIFFERENCES;
            CHECK_AT_MOST(error_of(&q, options, &internal, *T), 100 * rtol);
            double apart = 0;
            for (int k = 0; k < NS; k++)
                for (int i = 0; i < N; i++)
                    apart = fmax(apart, fabs(S[k][i] - T[k][i]) / (fabs(S[k][i]) + 1e-3));
            CHECK_AT_MOST(apart, rtol);
            printf("rtol %.0e: %zu steps, %zu by differences, %zu as in the paper; apart %.1e\n",
                   rtol, steps, internal, paper, apart);
            CHECK(paper >= steps);
        }
    }
}
