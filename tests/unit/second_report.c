/* SPDX-License-Identifier: Apache-2.0 */
/* What a solver tells of second derivatives: their source and count in the report, and wrong ones in tansy_check. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"
#include "test.h"

/* y' = -p y^2 cos t. */
static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = -p[0] * y[0] * y[0] * cos(t);
    return 0;
}

/* J v + tau f_t = -2 p y v cos t + tau p y^2 sin t. */
/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int second(double t, const double *y, const double *p, const double *v, double tau,
                  size_t columns, size_t ld, const double *V, const double *U, double *R,
                  void *context)
{
    (void)ld;
    const double *const wrong = context;
    double const by_y = -2 * p[0] * v[0] * cos(t) + 2 * tau * p[0] * y[0] * sin(t);
    double const by_p = -2 * y[0] * v[0] * cos(t) + tau * y[0] * y[0] * sin(t);
    for (size_t k = 0; k < columns; k++) R[k] = by_y * V[k] + by_p * U[k] + wrong[0];
    return 0;
}

static int time_derivative(double t, const double *y, const double *p, double *ft, void *context)
{
    const double *const wrong = context;
    ft[0] = p[0] * y[0] * y[0] * sin(t) + wrong[1];
    return 0;
}

static tansy_solver *make(double *wrong)
{
    static const double y0[] = {1.5}, p[] = {0.7};
    return tansy_create(&(tansy_problem){.n = 1,
                                         .np = 1,
                                         .t0 = 0.4,
                                         .y0 = y0,
                                         .p = p,
                                         .context = wrong,
                                         .rhs = rhs,
                                         .second = second,
                                         .time_derivative = time_derivative},
                        &(tansy_options){.rtol = 1e-6});
}

TEST(a_solver_checks_second_derivatives_and_those_in_time)
{
    double wrong[2] = {0, 0};
    tansy_solver *const s = make(wrong);
    CHECK_EQUAL(tansy_solve(s, 0.5, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_check(s), TANSY_OK);
    wrong[0] = 1e-3;
    CHECK_EQUAL(tansy_check(s), TANSY_WRONG_DERIVATIVE);
    CHECK_TEXT_CONTAINS(tansy_message(s), "second: component 0 of d(J v + tau f_t)");
    wrong[0] = 0;
    wrong[1] = 1e-5;
    CHECK_EQUAL(tansy_check(s), TANSY_WRONG_DERIVATIVE);
    CHECK_TEXT_CONTAINS(tansy_message(s), "time_derivative: component 0 of df/dt");
    tansy_free(s);
}

static int no_second(struct derive *d, size_t worker, const struct point *at,
                     const struct motion *along, const struct panel *panel, const double *V,
                     double *R)
{
    (void)d, (void)worker, (void)at, (void)along, (void)panel, (void)V, (void)R;
    return 0;
}

/* As if a method had asked for them. */
TEST(the_report_says_where_second_derivatives_come_from)
{
    static const struct {
        enum source source;
        const char *words;
    } cases[] = {{SOURCE_GIVEN, "second derivatives  given\n"},
                 {SOURCE_TANGENT, "second derivatives  tangent, by differences\n"},
                 {SOURCE_MATRIX, "second derivatives  matrix, by differences\n"},
                 {SOURCE_DIFFERENCES, "second derivatives  differences\n"}};
    double wrong[2] = {0, 0};
    char page[4096];
    tansy_solver *const s = make(wrong);
    (void)tansy_report(s, page, sizeof page);
    CHECK(!strstr(page, "second derivatives"));
    s->derive.second = no_second;
    s->stats.second_evals = 7;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        s->derive.second_source = cases[k].source;
        (void)tansy_report(s, page, sizeof page);
        CHECK_TEXT_CONTAINS(page, cases[k].words);
        CHECK_TEXT_CONTAINS(page, "               second derivatives 7 columns\n");
    }
    tansy_free(s);
}
