/* SPDX-License-Identifier: Apache-2.0 */
/* Starts of F alone, by differences, where dF/dy' is coupled, of rank 2 of 3, and depends on y': the given y is consistent and stays, y', S
   and S' are those of closed forms, whatever the units of y and F are and however large the other terms of F. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

/* Y_i = u_i (2.5 + 0.6 p0 sin(w_i p1 t + b_i)), in units u_i of y and r_i of F. */
struct units {
    double u[3], r[3];
};

static const double w[3] = {1.7, 0.8, 1.5}, b[3] = {0.1, 0.9, 3.0}, p[2] = {1.1, 1.2};
static double const t0 = -1;

static double angle(int i, double t, const double *q)
{
    return w[i] * q[1] * t + b[i];
}

static double solution(int i, double t, const double *q)
{
    return 2.5 + 0.6 * q[0] * sin(angle(i, t, q));
}

static double slope(int i, double t, const double *q)
{
    return 0.6 * q[0] * w[i] * q[1] * cos(angle(i, t, q));
}

/* A line to long steps, of slope 1, but of slope 1.3 at 0. */
static double bent(double x)
{
    return x + 0.3 * sin(x);
}

/* With a = bent(y') - bent(Y') and d = y - Y: a combination of the equations, 120 d_2, is algebraic. */
static int residual(double t, const double *y, const double *yp, const double *q, double *F,
                    void *context)
{
    const struct units *const units = context;
    double a[3], d[3];
    for (int i = 0; i < 3; i++) {
        a[i] = bent(yp[i] / units->u[i]) - bent(slope(i, t, q));
        d[i] = y[i] / units->u[i] - solution(i, t, q);
    }
    double const first = a[0] - 0.75 * a[1] + 2.7 * (d[0] - 0.75 * d[1]);
    double const second = a[1] + 0.69 * a[2] + 3.8 * (d[1] + 0.69 * d[2]);
    F[0] = units->r[0] * first;
    F[1] = units->r[1] * (second - 0.18 * first);
    F[2] = units->r[2] * (0.024 * second + 120 * d[2]);
    return 0;
}

static int initial(double t, const double *q, double *y, void *context)
{
    const struct units *const units = context;
    for (int i = 0; i < 3; i++) y[i] = units->u[i] * solution(i, t, q);
    return 0;
}

/* y and S are as given but for the rounding of F in M, 1e-9; y' and S' are found by differences along the solution, of S those of differences:
   1e-5 and 1e-3 of their size serve a first step. */
static void check_start(struct units units)
{
    static const double rtol = 1e-6;
    double const atol[] = {rtol * units.u[0], rtol * units.u[1], rtol * units.u[2]};
    tansy_solver *const s = tansy_create(&(tansy_problem){.n = 3,
                                                          .np = 2,
                                                          .t0 = t0,
                                                          .p = p,
                                                          .context = &units,
                                                          .residual = residual,
                                                          .initial = initial},
                                         &(tansy_options){.rtol = rtol, .atol_state = atol});
    double y[3], yp[3], S[6], Sp[6];
    CHECK_EQUAL(tansy_initialise(s, y, yp, S, Sp), TANSY_OK);
    for (int i = 0; i < 3; i++) {
        double const u = units.u[i], x = angle(i, t0, p), v = 0.6 * p[0] * w[i];
        CHECK_CLOSE(y[i] / u, solution(i, t0, p), 1e-7);
        CHECK_CLOSE(yp[i] / u, slope(i, t0, p), 1e-5);
        CHECK_CLOSE(S[i] / u, 0.6 * sin(x), 1e-6);
        CHECK_CLOSE(S[3 + i] / u, v * t0 * cos(x), 1e-6);
        CHECK_CLOSE(Sp[i] / u, slope(i, t0, p) / p[0], 1e-3);
        CHECK_CLOSE(Sp[3 + i] / u, v * (cos(x) - w[i] * p[1] * t0 * sin(x)), 1e-3);
    }
    CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
    for (int i = 0; i < 3; i++) CHECK_CLOSE(y[i] / units.u[i], solution(i, 1, p), 100 * rtol);
    tansy_free(s);
}

TEST(consistent_values_stay_where_y_has_unlike_units)
{
    check_start((struct units){{100, 1e-4, 1e4}, {1, 1, 1}});
    check_start((struct units){{1e-5, 1e5, 1}, {1, 1, 1}});
    check_start((struct units){{1e4, 1, 1e-4}, {1e5, 1e-5, 1}});
}

TEST(consistent_values_stay_where_the_other_terms_of_F_are_large)
{
    check_start((struct units){{1, 1, 1}, {1, 1, 1}});
    check_start((struct units){{1, 1, 1}, {1e-5, 1, 1e5}});
}
