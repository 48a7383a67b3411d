/* SPDX-License-Identifier: Apache-2.0 */
/* A titration of phosphoric acid, written by F alone: H is found to 1e-20, and F moves with the third constant, 4.5e-13, by no more than the
   last digit of its terms of 1e-2.  No difference tells dF/dp then: the columns fail, and the message names what to give, with which
   they do not. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "test.h"

enum { N = 4, P = 7, H = 3 };
enum { K1, K2, K3, KW, FEED, BASE, ACID };

static const double constants[P] = {7.1e-3, 6.3e-8, 4.5e-13, 1e-14, 0.02, 0.5, 0.01};

/* n/d is the mean charge of the acid. */
static double numerator(double h, const double *p)
{
    return p[K1] * (h * h + p[K2] * (2 * h + 3 * p[K3]));
}

static double denominator(double h, const double *p)
{
    return h * h * h + p[K1] * (h * h + p[K2] * (h + p[K3]));
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    double const h = y[H];
    (void)t, (void)context;
    F[0] = yp[0] - p[FEED];
    F[1] = yp[1];
    F[2] = yp[2] - p[FEED] * p[BASE];
    F[3] = h + y[2] / y[0] - p[KW] / h - y[1] / y[0] * numerator(h, p) / denominator(h, p);
    return 0;
}

static int parameter(double t, const double *y, const double *yp, const double *p, double *D,
                     void *context)
{
    double const h = y[H], d = denominator(h, p), share = numerator(h, p) / d;
    double const c = -y[1] / y[0] / d;
    (void)t, (void)yp, (void)context;
    D[0 * P + FEED] = -1;
    D[2 * P + FEED] = -p[BASE];
    D[2 * P + BASE] = -p[FEED];
    D[3 * P + K1] = c * (h * h * (1 - share) + p[K2] * (h * (2 - share) + p[K3] * (3 - share)));
    D[3 * P + K2] = c * p[K1] * (h * (2 - share) + p[K3] * (3 - share));
    D[3 * P + K3] = c * p[K1] * p[K2] * (3 - share);
    D[3 * P + KW] = -1 / h;
    return 0;
}

static int initial(double t0, const double *p, double *y, void *context)
{
    (void)t0, (void)context;
    y[0] = 1;
    y[1] = p[ACID];
    y[2] = 0;
    y[H] = 6e-3;
    return 0;
}

static tansy_solver *create(bool given)
{
    static const double atol[N] = {1e-9, 1e-9, 1e-9, 1e-20};
    tansy_problem const problem = {.n = N,
                                   .np = P,
                                   .p = constants,
                                   .residual = residual,
                                   .residual_parameter = given ? parameter : NULL,
                                   .initial = initial};
    return tansy_create(&problem, &(tansy_options){.rtol = 1e-4, .atol_state = atol});
}

TEST(a_parameter_that_differences_cannot_see_is_told)
{
    double y[N], S[P * N];
    tansy_solver *const s = create(false);
    CHECK_EQUAL(tansy_solve(s, 5, y, S), TANSY_STEP_TOO_SMALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "above all .residual_parameter");
    tansy_free(s);
}

/* At the end F has H = 4.4e-13, and dH/dp = -(dF/dp)/(dF/dH). */
TEST(what_the_message_asks_for_helps)
{
    double y[N], S[P * N], D[N * P] = {0}, F[2][N];
    tansy_solver *const s = create(true);
    CHECK_EQUAL(tansy_solve(s, 5, y, S), TANSY_OK);
    (void)parameter(5, y, y, constants, D, NULL);
    double const h = 1e-5 * y[H], at = y[H];
    for (int k = 0; k < 2; k++) {
        y[H] = at + (k ? h : -h);
        (void)residual(5, y, y, constants, F[k], NULL);
    }
    double const slope = (F[1][H] - F[0][H]) / (2 * h), right = -D[H * P + K3] / slope;
    CHECK_CLOSE(at, 4.409e-13, 1e-15);
    CHECK_CLOSE(S[K3 * N + H], right, 1e-2 * fabs(right));
    tansy_free(s);
}

/* z = 1e6 w - 1e6 x, w' = -k w, x' = -k x: z is 1, and its terms are 1e6. */
static int difference(double t, const double *y, const double *yp, const double *p, double *F,
                      void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + p[0] * y[0];
    F[1] = yp[1] + p[0] * y[1];
    F[2] = y[2] - 1e6 * y[0] + 1e6 * y[1];
    return 0;
}

/* Automatic tolerances are not below what differences know, 1e-11 of terms of 1e6: the run goes on, and the report says where that is more
   than is promised. */
TEST(columns_that_differences_know_too_little_of_are_told)
{
    static const double rtol[] = {1e-3, 1e-6}, y0[] = {1 + 1e-6, 1, 1}, p[] = {1};
    for (int x = 0; x < 2; x++) {
        tansy_problem const problem = {.n = 3, .np = 1, .y0 = y0, .p = p, .residual = difference};
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.rtol = rtol[x], .difference = TANSY_FOURTH_ORDER});
        char text[4000];
        double y[3], S[3];
        CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
        CHECK_CLOSE(y[2], exp(-1), 100 * rtol[x]);
        CHECK_CLOSE(S[2], -exp(-1), fmax(100 * rtol[x], 1e-5));
        (void)tansy_report(s, text, sizeof text);
        CHECK_EQUAL(strstr(text, "differences may leave errors in its columns") != NULL, x);
        tansy_free(s);
    }
}
