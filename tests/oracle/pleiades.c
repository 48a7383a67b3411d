/* SPDX-License-Identifier: Apache-2.0 */
/* Pleiades, which is not among the problems of other tests: its derivatives agree with each other and with f, and both
   multistep methods are no worse than CVODES at the same tolerances. */
#include "support/accuracy.h"
#include "test.h"

#include <float.h>
#include <math.h>

enum { N = 28 };

/* A point away from all symmetries. */
static void make_point(double *y)
{
    const tansy_problem *p = &problem_find("pleiades")->problem;
    for (size_t i = 0; i < N; i++) y[i] = p->y0[i] + 0.01 * (double)(i * i % 11);
}

/* Both sum the same six tides. */
TEST(tangents_of_pleiades_are_its_jacobian)
{
    const tansy_problem *p = &problem_find("pleiades")->problem;
    double y[N], J[N * N] = {0}, V[N * N] = {0}, R[N * N];
    make_point(y);
    for (size_t i = 0; i < N; i++) V[i * N + i] = 1;
    CHECK_EQUAL(p->jacobian(0, y, p->p, J, p->context), 0);
    CHECK_EQUAL(p->tangent(0, y, p->p, N, N, V, NULL, R, p->context), 0);
    for (size_t x = 0; x < (size_t)N * N; x++) CHECK_CLOSE(R[x], J[x], 0);
}

/* Fourth-order differences with h = 1e-3, no two stars nearer than 1 and no mass above 7: truncation h^4/30 |f^(5)| is below
   1e-12/30 * 7 * 7! / 1^7, roundoff below 20 eps |f|/h with |f| below 100. */
TEST(the_jacobian_of_pleiades_agrees_with_differences)
{
    static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1}, h = 1e-3;
    const tansy_problem *p = &problem_find("pleiades")->problem;
    double y[N], J[N * N] = {0}, f[N];
    make_point(y);
    CHECK_EQUAL(p->jacobian(0, y, p->p, J, p->context), 0);
    for (size_t j = 0; j < N; j++) {
        double df[N] = {0}, middle = y[j];
        for (size_t m = 0; m < 4; m++) {
            y[j] = middle + at[m] * h;
            CHECK_EQUAL(p->rhs(0, y, p->p, f, p->context), 0);
            for (size_t i = 0; i < N; i++) df[i] += weight[m] * f[i] / (12 * h);
        }
        y[j] = middle;
        for (size_t i = 0; i < N; i++)
            CHECK_CLOSE(df[i], J[i * N + j], 1.2e-9 + 2e3 * DBL_EPSILON / h);
    }
}

/* From rtol = 1e-7 on: above, S at the end has hardly a correct digit, neither ours nor that of CVODES. */
TEST(both_methods_are_no_worse_than_cvodes_on_pleiades)
{
    struct oracle o;
    oracle_open("pleiades", &o);
    for (int method = TANSY_ADAMS; method <= TANSY_BDF; method++)
        for (int digits = 7; digits <= 10; digits++) {
            tansy_options const options = {.method = (tansy_method)method,
                                           .rtol = pow(10, -digits)};
            struct accuracy const a = oracle_measure(&o, GIVEN, &options);
            double const bound = oracle_bound(&o, options.method, options.rtol);
            CHECK_EQUAL(a.status, TANSY_OK);
            CHECK_AT_MOST(a.state, bound);
            CHECK_AT_MOST(a.columns, bound);
        }
    oracle_close(&o);
}
