/* SPDX-License-Identifier: Apache-2.0 */
/* How long factors and preconditioners serve, and for which point the user's own is asked. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "test.h"

/* Robertson's reactions; the direction of time is the context. */
static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    double const direction = *(const double *)context;
    (void)t;
    f[0] = direction * (-p[0] * y[0] + p[1] * y[1] * y[2]);
    f[2] = direction * p[2] * y[1] * y[1];
    f[1] = -f[0] - f[2];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    double const direction = *(const double *)context;
    double const A[9] = {-p[0], p[1] * y[2], p[1] * y[1], 0, 0, 0, 0, 2 * p[2] * y[1], 0};
    (void)t;
    for (int j = 0; j < 3; j++) {
        J[j] = direction * A[j];
        J[6 + j] = direction * A[6 + j];
        J[3 + j] = -J[j] - J[6 + j];
    }
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    double const direction = *(const double *)context;
    (void)t;
    (void)p;
    F[3] = -(F[0] = -direction * y[0]);
    F[4] = -(F[1] = direction * y[1] * y[2]);
    F[5] = -(F[8] = direction * y[1] * y[1]);
    return 0;
}

static tansy_stats run(tansy_options o, double direction)
{
    double const y0[] = {1, 0, 0}, p[] = {0.04, 1e4, 3e7};
    double y[3], S[3][3];
    o.rtol = 1e-6;
    o.atol = 1e-12;
    tansy_solver *const s = tansy_create(&(tansy_problem){.n = 3,
                                                          .np = 3,
                                                          .y0 = y0,
                                                          .p = p,
                                                          .rhs = rhs,
                                                          .jacobian = jacobian,
                                                          .parameter_jacobian = parameter,
                                                          .context = &direction},
                                         &o);
    tansy_stats stats;
    CHECK_EQUAL(tansy_solve(s, direction * 400, y, *S), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats;
}

/* The same problem in the mirror: every product and sum has the same bits but for its sign, in direct solvers at least. */
TEST(factors_serve_as_long_backwards_in_time)
{
    static const tansy_options options[] = {
        {.method = TANSY_DASSL, .sensitivities = TANSY_DIRECT},
        {.method = TANSY_DASSL, .sensitivities = TANSY_STAGGERED},
        {.method = TANSY_BDF, .sensitivities = TANSY_STAGGERED},
        {.method = TANSY_BDF, .sensitivities = TANSY_STAGGERED, .linear_solver = TANSY_GMRES}};
    for (size_t x = 0; x < sizeof options / sizeof *options; x++) {
        tansy_stats const there = run(options[x], 1), back = run(options[x], -1);
        CHECK_CLOSE((double)back.steps, (double)there.steps, 0.05 * (double)there.steps);
        CHECK_AT_MOST((double)back.factorizations, 1.2 * (double)there.factorizations + 2);
    }
}

/* y0' = -p (y0 - cos t), y1' = y0 - y1 with a preconditioner that remembers where it was prepared. */
struct memory {
    double t, c, y[2], yp[2];
    size_t solves;
};

static int follow(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = -p[0] * (y[0] - cos(t));
    f[1] = y[0] - y[1];
    return 0;
}

static int follow_residual(double t, const double *y, const double *yp, const double *p, double *F,
                           void *context)
{
    int const code = follow(t, y, p, F, context);
    for (int i = 0; i < 2; i++) F[i] = yp[i] - F[i];
    return code;
}

static int prepare(double t, const double *y, const double *yp, const double *p, double c,
                   void *context)
{
    struct memory *const memory = context;
    (void)p;
    memory->t = t;
    memory->c = c;
    memcpy(memory->y, y, sizeof memory->y);
    if (yp) memcpy(memory->yp, yp, sizeof memory->yp);
    return 0;
}

static int solve(double t, const double *y, const double *yp, const double *p, double c,
                 size_t columns, size_t ld, double *X, void *context)
{
    struct memory *const memory = context;
    bool same = t == memory->t && c == memory->c;
    for (int i = 0; i < 2; i++) {
        same = same && y[i] == memory->y[i];
        same = same && (!yp || yp[i] == memory->yp[i]);
    }
    memory->solves++;
    for (size_t k = 0; k < columns; k++) {
        X[k] /= c + p[0];
        X[ld + k] /= c + 1;
    }
    return same ? 0 : -1; /* ends the run */
}

static void check_memory(tansy_problem q, tansy_method method)
{
    double const y0[] = {0, 0}, p[] = {100};
    double y[2], S[2];
    struct memory memory = {.solves = 0};
    q.n = 2;
    q.np = 1;
    q.y0 = y0;
    q.p = p;
    q.precondition_prepare = prepare;
    q.precondition_solve = solve;
    q.context = &memory;
    tansy_solver *const s =
        tansy_create(&q, &(tansy_options){.method = method,
                                          .linear_solver = TANSY_GMRES,
                                          .preconditioner = TANSY_USER_PRECONDITIONER});
    CHECK_EQUAL(tansy_solve(s, 2, y, S), TANSY_OK);
    CHECK(memory.solves > 100);
    /* y0 follows (p^2 cos t + p sin t)/(1 + p^2); rtol = 1e-6 over some 200 steps */
    CHECK_CLOSE(y[0], (1e4 * cos(2) + 100 * sin(2)) / 10001, 1e-4);
    tansy_free(s);
}

TEST(a_preconditioner_of_the_user_gets_the_point_it_was_prepared_for)
{
    check_memory((tansy_problem){.rhs = follow}, TANSY_BDF);
    check_memory((tansy_problem){.residual = follow_residual}, TANSY_DASSL);
}

/* The user iterates without matrices: S is had without them, too, by the formula with the least noise. */
TEST(without_matrices_columns_are_differenced)
{
    double const y0[] = {0, 0}, p[] = {100};
    struct memory memory = {.solves = 0};
    char text[8192];
    tansy_solver *const s =
        tansy_create(&(tansy_problem){.n = 2,
                                      .np = 1,
                                      .y0 = y0,
                                      .p = p,
                                      .residual = follow_residual,
                                      .precondition_prepare = prepare,
                                      .precondition_solve = solve,
                                      .context = &memory},
                     &(tansy_options){.method = TANSY_DASSL,
                                      .linear_solver = TANSY_GMRES,
                                      .preconditioner = TANSY_USER_PRECONDITIONER});
    (void)tansy_report(s, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, "df/dy s + df/dp  differences");
    CHECK_TEXT_CONTAINS(text, "differences    fourth-order");
    tansy_free(s);
}
