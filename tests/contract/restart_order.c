/* SPDX-License-Identifier: Apache-2.0 */
/* Multistep methods choose order and size of the first step after a grid point from the derivatives on its far side: order 4 where evaluations of f give
   so many, else 2, or 1 where the terms of the series grow from y' to y''. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <tansy/tansy.h>

#include "test.h"

enum { N = 2, NP = 2 };
static const double break_time = 1, end_time = 2;

/* x' = -rate (x - u), u = p_0 before the break and p_1 after it; or, at rest, x' = u_2 (t - 1), u_2 = 0 before it.  z = x^2 + 1, in y' = f by its
   derivative. */
struct tank {
    double rate; /* 0: at rest */
    int fault;   /* the code of f where it is first evaluated after the break, */
    int faults;  /* so often: differences of F look at both sides */
    double p[NP], y0[N];
    tansy_kind kind[N];
};

static struct tank make(double rate)
{
    return (struct tank){.rate = rate,
                         .p = {1, 3},
                         .y0 = {0.5, 1.25},
                         .kind = {TANSY_DIFFERENTIAL, TANSY_ALGEBRAIC}};
}

/* p[NP] is the number of the piece. */
static double slope(const struct tank *it, double t, double x, const double *p)
{
    bool const after = p[NP] >= 1;
    if (it->rate == 0) return after ? p[1] * (t - break_time) : 0;
    return -it->rate * (x - (after ? p[1] : p[0]));
}

/* Where y' is looked for, at the break itself, nothing fails. */
static int take_fault(struct tank *it, double t, const double *p)
{
    if (!(p[NP] >= 1) || t == break_time || it->faults == 0) return 0;
    it->faults--;
    return it->fault;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct tank *const it = context;
    f[0] = slope(it, t, y[0], p);
    f[1] = 2 * y[0] * f[0];
    return take_fault(it, t, p);
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    F[0] = yp[0] - slope(context, t, y[0], p);
    F[1] = y[1] - y[0] * y[0] - 1;
    return 0;
}

/* The equations of rhs(), mixed: dF/dy' has an inverse. */
static int mixed(double t, const double *y, const double *yp, const double *p, double *F,
                 void *context)
{
    double const f = slope(context, t, y[0], p), first = yp[0] - f, second = yp[1] - 2 * y[0] * f;
    F[0] = 2 * first + second;
    F[1] = first + second;
    return take_fault(context, t, p);
}

enum form { EXPLICIT, ALGEBRAIC, MIXED };

static tansy_problem problem_of(struct tank *it, enum form form)
{
    bool const algebraic = form == ALGEBRAIC;
    return (tansy_problem){.n = N,
                           .np = NP,
                           .y0 = it->y0,
                           .p = it->p,
                           .rhs = form == EXPLICIT ? rhs : NULL,
                           .residual = algebraic       ? residual
                                       : form == MIXED ? mixed
                                                       : NULL,
                           .kind = algebraic ? it->kind : NULL,
                           .breaks = 1,
                           .break_times = &break_time,
                           .context = it};
}

/* The order of the first step after the break; x and dx/dp_1 at the end of the run are right. */
static int first_order(double rate, enum form form, const tansy_options *options)
{
    struct tank it = make(rate);
    tansy_problem const problem = problem_of(&it, form);
    tansy_stats stats;
    double y[N], S[N * NP];
    tansy_solver *const s = tansy_create(&problem, options);
    while (tansy_time(s) <= break_time) CHECK_EQUAL(tansy_step(s, end_time, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    CHECK_EQUAL(stats.restarts, 1);
    CHECK_EQUAL(tansy_solve(s, end_time, y, S), TANSY_OK);
    double const at_break = 1 - 0.5 * exp(-rate), left = exp(-rate * (end_time - break_time));
    CHECK_CLOSE(y[0], rate > 0 ? 3 + (at_break - 3) * left : 2, 300 * options->rtol);
    CHECK_CLOSE(S[N], rate > 0 ? 1 - left : 0.5, 100 * options->rtol);
    tansy_free(s);
    return stats.order_last;
}

TEST(adams_starts_anew_with_order_2)
{
    tansy_options const options = {.method = TANSY_ADAMS, .rtol = 1e-6, .atol = 1e-6};
    CHECK_EQUAL(first_order(1, EXPLICIT, &options), 2);
}

TEST(bdf_starts_anew_with_order_4_or_2_where_that_is_too_high)
{
    tansy_options options = {.method = TANSY_BDF, .rtol = 1e-6, .atol = 1e-6};
    CHECK_EQUAL(first_order(1, EXPLICIT, &options), 4);
    CHECK_EQUAL(first_order(1e6, EXPLICIT, &options), 2); /* stiff */
    options.max_order = 3;
    CHECK_EQUAL(first_order(1, EXPLICIT, &options), 2);
    options.max_order = 1;
    CHECK_EQUAL(first_order(1, EXPLICIT, &options), 1);
}

TEST(problems_with_algebraic_equations_start_anew_with_order_2)
{
    tansy_options options = {.method = TANSY_DASSL, .rtol = 1e-6, .atol = 1e-6};
    CHECK_EQUAL(first_order(1, ALGEBRAIC, &options), 2);
    CHECK_EQUAL(first_order(1e6, ALGEBRAIC, &options), 2);
    options.method = TANSY_BDF;
    CHECK_EQUAL(first_order(1, ALGEBRAIC, &options), 2);
}

TEST(implicit_problems_without_algebraic_equations_start_anew_with_order_2)
{
    tansy_options options = {.method = TANSY_DASSL, .rtol = 1e-6, .atol = 1e-6};
    CHECK_EQUAL(first_order(1, MIXED, &options), 2);
    CHECK_EQUAL(first_order(1e6, MIXED, &options), 2);
    options.method = TANSY_BDF;
    CHECK_EQUAL(first_order(1, MIXED, &options), 2);
    CHECK_EQUAL(first_order(0, MIXED, &options), 1);
}

/* y' = 0 and S' = 0 there: nothing tells how far the series goes. */
TEST(a_start_at_rest_has_order_1)
{
    tansy_options options = {.method = TANSY_ADAMS, .rtol = 1e-6, .atol = 1e-6};
    CHECK_EQUAL(first_order(0, EXPLICIT, &options), 1);
    options.method = TANSY_DASSL;
    options.max_order = 3;
    CHECK_EQUAL(first_order(0, EXPLICIT, &options), 1);
    CHECK_EQUAL(first_order(0, ALGEBRAIC, &options), 1);
}

static tansy_status run_with_fault(enum form form, int fault, int *order)
{
    struct tank it = make(1);
    it.fault = fault;
    it.faults = form == EXPLICIT ? 1 : 2;
    tansy_problem const problem = problem_of(&it, form);
    tansy_options const options = {
        .method = form == EXPLICIT ? TANSY_ADAMS : TANSY_DASSL, .rtol = 1e-6, .atol = 1e-6};
    tansy_stats stats;
    tansy_status status = TANSY_OK;
    tansy_solver *const s = tansy_create(&problem, &options);
    while (status == TANSY_OK && tansy_time(s) <= break_time)
        status = tansy_step(s, end_time, NULL, NULL);
    tansy_get_stats(s, &stats);
    *order = stats.order_last;
    tansy_free(s);
    return status;
}

TEST(a_start_whose_second_derivative_cannot_be_had_has_order_1)
{
    static const enum form forms[] = {EXPLICIT, MIXED};
    for (size_t x = 0; x < 2; x++) {
        int order = 0;
        CHECK_EQUAL(run_with_fault(forms[x], 0, &order), TANSY_OK);
        CHECK_EQUAL(order, 2);
        CHECK_EQUAL(run_with_fault(forms[x], 1, &order), TANSY_OK);
        CHECK_EQUAL(order, 1);
        CHECK_EQUAL(run_with_fault(forms[x], -1, &order), TANSY_USER_STOPPED);
    }
}

/* A slow decay whose first step after the break would be far longer than what is left of it. */
static int slow(double t, const double *y, const double *p, double *f, void *context)
{
    double *const latest = context;
    *latest = fmax(*latest, t);
    f[0] = -1e-9 * p[0] * y[0];
    return 0;
}

TEST(a_start_does_not_look_beyond_the_stop_time)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF, TANSY_DASSL};
    for (size_t x = 0; x < sizeof methods / sizeof *methods; x++) {
        double const y0 = 2, p = 1, at = 100, stop = 100.001;
        double latest = 0;
        tansy_problem const problem = {.n = 1,
                                       .np = 1,
                                       .y0 = &y0,
                                       .p = &p,
                                       .rhs = slow,
                                       .breaks = 1,
                                       .break_times = &at,
                                       .context = &latest};
        tansy_options const options = {
            .method = methods[x], .rtol = 1e-3, .use_stop_time = 1, .stop_time = stop};
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, stop, NULL, NULL), TANSY_OK);
        tansy_free(s);
        CHECK_AT_MOST(latest, stop);
    }
}
