/* SPDX-License-Identifier: Apache-2.0 */
/* Starts with gmres: y', S and S' are those of closed forms whatever the units of parameters and time are, with matrices and without; where
   gmres does not find them that is told. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

/* x' = -k x/T, 0 = z - (a/A) x^2 for k = 3, a = 0.7 A, in units A of a and T of time. */
struct units {
    double A, T;
};

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct units *const u = context;
    (void)t;
    F[0] = yp[0] * u->T + p[0] * y[0];
    F[1] = y[1] - p[1] / u->A * y[0] * y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                    void *context)
{
    const struct units *const u = context;
    (void)t, (void)yp;
    J[0] = p[0];
    J[2] = -2 * p[1] / u->A * y[0];
    J[3] = 1;
    return 0;
}

static int rates(double t, const double *y, const double *yp, const double *p, double *M,
                 void *context)
{
    (void)t, (void)y, (void)yp, (void)p;
    M[0] = ((const struct units *)context)->T;
    return 0;
}

static int prepare(double t, const double *y, const double *yp, const double *p, double c,
                   void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)c, (void)context;
    return 0;
}

static int no_preconditioner(double t, const double *y, const double *yp, const double *p, double c,
                             size_t columns, size_t ld, double *X, void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)c, (void)columns, (void)ld, (void)X, (void)context;
    return 0;
}

static const tansy_kind kinds[2] = {TANSY_DIFFERENTIAL, TANSY_ALGEBRAIC};

/* x = 2, z = 2.8, x' = -6, z' = 2 (0.7) x x' = -16.8; dz/da = 4/A, (dz/da)' = 2 x x'/A = -24/A, (dx/dk)' = -2, (dz/dk)' = 1.4 x (-2) = -5.6, all over T;
   by differences of F, and of those in time, to 1e-4 of them. */
static void check_start(struct units u, tansy_preconditioner preconditioner, bool given,
                        double rtol)
{
    static const double y0[] = {2, 3};
    double const p[] = {3, 0.7 * u.A};
    bool const user = preconditioner == TANSY_USER_PRECONDITIONER;
    tansy_solver *const s = tansy_create(
        &(tansy_problem){.n = 2,
                         .np = 2,
                         .p = p,
                         .y0 = y0,
                         .kind = kinds,
                         .context = &u,
                         .residual = residual,
                         .residual_jacobian = given ? jacobian : NULL,
                         .rate_jacobian = given ? rates : NULL,
                         .precondition_prepare = user ? prepare : NULL,
                         .precondition_solve = user ? no_preconditioner : NULL},
        &(tansy_options){.linear_solver = TANSY_GMRES, .preconditioner = preconditioner});
    double y[2], yp[2], S[4], Sp[4];
    CHECK_EQUAL(tansy_initialise(s, y, yp, S, Sp), TANSY_OK);
    CHECK_CLOSE(y[1], 2.8, 1e-7);
    CHECK_CLOSE(yp[0] * u.T, -6, 1e-6);
    CHECK_CLOSE(yp[1] * u.T, -16.8, 1e-3);
    CHECK_CLOSE(S[3] * u.A, 4, 1e-5);
    CHECK_CLOSE(Sp[0] * u.T, -2, 1e-4);
    CHECK_CLOSE(Sp[1] * u.T, -5.6, 1e-3);
    CHECK_CLOSE(Sp[3] * u.A * u.T, -24, 1e-3);
    CHECK_EQUAL(tansy_solve(s, 1e-3 * u.T, y, S), TANSY_OK);
    CHECK_CLOSE(S[3] * u.A, 4 * exp(-6e-3), 1e-4);
    tansy_free(s);
}

static const tansy_preconditioner all[] = {TANSY_USER_PRECONDITIONER, TANSY_ILU_PRECONDITIONER,
                                           TANSY_BLOCK_PRECONDITIONER, TANSY_BAND_PRECONDITIONER};

TEST(units_of_a_parameter_have_no_say)
{
    static const double A[] = {1e12, 1, 1e-12};
    for (int k = 0; k < 3 * 4; k++)
        check_start((struct units){A[k / 4], 1}, all[k % 4], true, 1e-6);
}

TEST(units_of_time_have_no_say)
{
    static const double T[] = {1e3, 1e-10};
    for (int k = 0; k < 2 * 4; k++)
        check_start((struct units){1, T[k / 4]}, all[k % 4], true, 1e-6);
}

TEST(differences_of_F_alone_do)
{
    for (int k = 0; k < 4; k++) check_start((struct units){1, 1}, all[k], false, 1e-6);
}

/* Then y' is 1e10 of its weights, of which gmres is to leave 1e-4. */
TEST(small_tolerances_do)
{
    for (int k = 0; k < 8; k++) check_start((struct units){1, 1e-3}, all[k % 4], k < 4, 3e-10);
}

/* x' = 1 and a chain of algebraic components of very different sizes, above what is solved for directly: 10^(i % 6) z_i = z_(i-1) + z_(i+1), z_0 = x = 0: z = 0 is
   consistent, z' is not found by a space of one direction. */
enum { MANY = 120 };

static int chain(double t, const double *y, const double *yp, const double *p, double *F,
                 void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = yp[0] - 1;
    for (int i = 1; i < MANY; i++)
        F[i] = pow(10, i % 6) * y[i] - 0.9 * y[i - 1] - (i + 1 < MANY ? 0.9 * y[i + 1] : 0);
    return 0;
}

static tansy_solver *begin_chain(size_t dimension, size_t restarts)
{
    static const double zero[MANY] = {0};
    static tansy_kind kind[MANY];
    for (int i = 1; i < MANY; i++) kind[i] = TANSY_ALGEBRAIC;
    return tansy_create(&(tansy_problem){.n = MANY,
                                         .y0 = zero,
                                         .kind = kind,
                                         .residual = chain,
                                         .precondition_prepare = prepare,
                                         .precondition_solve = no_preconditioner},
                        &(tansy_options){.linear_solver = TANSY_GMRES,
                                         .preconditioner = TANSY_USER_PRECONDITIONER,
                                         .krylov_dimension = dimension,
                                         .krylov_restarts = restarts});
}

TEST(rates_that_gmres_does_not_find_are_told)
{
    char text[8000];
    double yp[MANY];
    tansy_solver *s = begin_chain(1, 1);
    CHECK_EQUAL(tansy_initialise(s, NULL, yp, NULL, NULL), TANSY_OK);
    CHECK_CLOSE(yp[1], 0, 0);
    (void)tansy_report(s, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, "gmres did not find y'");
    tansy_free(s);
    s = begin_chain(MANY, 50);
    CHECK_EQUAL(tansy_initialise(s, NULL, yp, NULL, NULL), TANSY_OK);
    CHECK_CLOSE(10 * yp[1] - 0.9 - 0.9 * yp[2], 0, 1e-4);
    CHECK(yp[1] > 0.05);
    (void)tansy_report(s, text, sizeof text);
    CHECK(strstr(text, "gmres did not find") == NULL);
    tansy_free(s);
}

/* x' = -k a, 0 = b - x, 0 = a - 2 b + x: a = b = x, and neither of the two stands opposite its own variable; for many components, which share nothing, the
   start has no dense matrix.  Twice: 0 = a + b - 2 x, 0 = a + b + x (a - b), whose diagonal is 1 - x = 0 at the start alone. */
struct exchanged {
    size_t groups;
    bool turns;
};

static int exchanged(double t, const double *y, const double *yp, const double *p, double *F,
                     void *context)
{
    const struct exchanged *const e = context;
    (void)t;
    for (size_t g = 0; g < e->groups; g++, y += 3, yp += 3, F += 3) {
        F[0] = yp[0] + p[0] * y[1];
        F[1] = e->turns ? y[1] + y[2] - 2 * y[0] : y[2] - y[0];
        F[2] = e->turns ? y[1] + y[2] + y[0] * (y[1] - y[2]) : y[1] - 2 * y[2] + y[0];
    }
    return 0;
}

enum { GROUPS = 40 };

static void check_exchanged(size_t groups, tansy_preconditioner preconditioner, size_t block)
{
    static const double p[] = {2};
    struct exchanged e = {groups, false};
    double y0[3 * GROUPS] = {0}, y[3 * GROUPS], S[3 * GROUPS];
    tansy_kind kind[3 * GROUPS];
    for (size_t i = 0; i < 3 * groups; i++) {
        y0[i] = i % 3 == 0;
        kind[i] = i % 3 == 0 ? TANSY_DIFFERENTIAL : TANSY_ALGEBRAIC;
    }
    tansy_solver *const s = tansy_create(&(tansy_problem){.n = 3 * groups,
                                                          .np = 1,
                                                          .p = p,
                                                          .y0 = y0,
                                                          .kind = kind,
                                                          .context = &e,
                                                          .residual = exchanged},
                                         &(tansy_options){.linear_solver = TANSY_GMRES,
                                                          .preconditioner = preconditioner,
                                                          .preconditioner_block = block});
    CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
    CHECK_CLOSE(y[3 * groups - 1], exp(-2), 1e-5);
    CHECK_CLOSE(S[1], -exp(-2), 1e-5);
    tansy_free(s);
}

TEST(equations_may_stand_in_any_order)
{
    for (int k = 1; k < 4; k++) {
        check_exchanged(1, all[k], 0);
        check_exchanged(GROUPS, all[k], 0);
    }
    check_exchanged(GROUPS, TANSY_BLOCK_PRECONDITIONER, 2);
}

/* At the start a = 0, b = 2; x stays 1. */
TEST(a_pivot_may_vanish_at_the_start)
{
    static const double p[] = {2}, y0[] = {1, 0, 0};
    struct exchanged e = {1, true};
    for (int k = 1; k < 4; k++) {
        double y[3];
        tansy_solver *const s = tansy_create(
            &(tansy_problem){
                .n = 3, .np = 1, .p = p, .y0 = y0, .context = &e, .residual = exchanged},
            &(tansy_options){.linear_solver = TANSY_GMRES,
                             .preconditioner = all[k],
                             .sensitivities = TANSY_NONE});
        CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_OK);
        CHECK_CLOSE(y[0], 1, 1e-5);
        CHECK_CLOSE(y[2], 2, 1e-5);
        tansy_free(s);
    }
}

/* x' = -a, b + c = x, a = 0, 2 (b + c) = 0 do not determine b and c, though an order of rows has a diagonal without zeros. */
static int too_high(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = yp[0] + y[1];
    F[1] = y[2] + y[3] - y[0];
    F[2] = y[1];
    F[3] = 2 * (y[2] + y[3]);
    return 0;
}

TEST(a_higher_index_is_told_all_the_same)
{
    static const double y0[] = {0, 0, 0, 0};
    for (int k = 1; k < 4; k++) {
        double y[4];
        tansy_solver *const s =
            tansy_create(&(tansy_problem){.n = 4, .y0 = y0, .residual = too_high},
                         &(tansy_options){.linear_solver = TANSY_GMRES, .preconditioner = all[k]});
        CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_HIGH_INDEX);
        tansy_free(s);
    }
}
