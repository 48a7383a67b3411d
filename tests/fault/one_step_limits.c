/* SPDX-License-Identifier: Apache-2.0 */
/* One-step methods at the limits: stages that leave the domain of f, matrices that cannot be factored, scales of y and t far from 1,
   tolerances that are purely relative, solutions that end. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/one_step_cases.h"
#include "test.h"

static const double one[] = {1};

/* What a run left at the last time it reached. */
struct end {
    tansy_status status;
    char message[512];
    double t, y[2], sens[4];
    tansy_stats stats;
};

static struct end run(const tansy_problem *problem, const tansy_options *options, double t)
{
    struct end r = {.status = TANSY_OK};
    tansy_solver *const s = tansy_create(problem, options);
    r.status = tansy_solve(s, t, r.y, r.sens);
    r.t = tansy_time(s);
    snprintf(r.message, sizeof r.message, "%s", tansy_message(s));
    tansy_get_stats(s, &r.stats);
    tansy_free(s);
    for (size_t i = 0; i < 2; i++) CHECK(isfinite(r.y[i]));
    for (size_t x = 0; x < 4; x++) CHECK(isfinite(r.sens[x]));
    return r;
}

/* y' = -p y log(y) - 3 y where y > 0, else there is no log: u = log y, u' = -p u - 3, u = (u0 + 3/p) exp(-p t) - 3/p.  It
   falls steeply: stages of a first step that is too long are negative. */
static int falls(double t, const double *y, const double *p, double *f, void *context)
{
    int *const how = context;
    (void)t;
    if (*how != 0 && !(y[0] > 0)) {
        how[1]++;
        return 1;
    }
    how[1] += !(y[0] > 0);
    f[0] = -p[0] * y[0] * log(y[0]) - 3 * y[0];
    return 0;
}

/* By NaN or by the word of the function. */
TEST(stages_that_leave_the_domain_make_steps_smaller)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int how = 0; how < 2; how++) {
            int context[] = {how, 0};
            static const double p[] = {0.5};
            tansy_problem const problem = {
                .n = 1, .np = 1, .y0 = one, .p = p, .rhs = falls, .context = context};
            tansy_options options = one_step_options(&one_step_cases[x], 1e-6, 1e-9);
            options.first_step = 3; /* far too long */
            struct end const r = run(&problem, &options, 2);
            double const fade = exp(-0.5 * 2), u = 6 * (fade - 1), y = exp(u);
            double const slope = y * (-6 / 0.5 * (fade - 1) - 6 * 2 * fade); /* dy/dp */
            CHECK_EQUAL(r.status, TANSY_OK);
            CHECK_CLOSE(r.y[0], y, 1e-4 * y + 1e-7);
            CHECK_CLOSE(r.sens[0], slope, 1e-4 * fabs(slope) + 2e-7);
            if (one_step_cases[x].explicit) CHECK(context[1] > 0 && r.stats.rejected_newton > 0);
        }
}

/* y' = p y^2, y = 1/(1 - p t): no solution beyond t = 1. */
static int square(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[0] * y[0];
    return 0;
}

TEST(a_solution_that_blows_up_ends_the_run_before_it)
{
    tansy_problem const problem = {.n = 1, .np = 1, .y0 = one, .p = one, .rhs = square};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        tansy_options const options = one_step_options(&one_step_cases[x], 1e-4, 1e-7);
        struct end const r = run(&problem, &options, 2);
        CHECK(r.status < 0);
        CHECK_TEXT_CONTAINS(r.message, "t = ");
        CHECK_CLOSE(r.t, 1, 100 * options.rtol);
    }
}

/* y' = -p sqrt(y), y = (1 - p t/2)^2: f has no value once y < 0. */
static int root(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * sqrt(y[0]);
    return 0;
}

TEST(a_border_of_the_domain_is_reached_and_named)
{
    tansy_problem const problem = {.n = 1, .np = 1, .y0 = one, .p = one, .rhs = root};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        tansy_options const options = one_step_options(&one_step_cases[x], 1e-4, 1e-7);
        struct end const r = run(&problem, &options, 4);
        if (r.status == TANSY_OK) { /* it may creep along y = 0, which is a solution too */
            CHECK_CLOSE(r.y[0], 0, 1e-3);
            continue;
        }
        CHECK_TEXT_CONTAINS(r.message, "t = ");
        CHECK_CLOSE(r.t, 2, 0.1); /* y is known to 100 (rtol |y| + atol), its root to a tenth */
    }
}

/* df/dy whose factors overflow in the second pivot. */
static int huge_jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    J[0] = J[2] = J[3] = 1.7e308;
    J[1] = -1.7e308;
    return 0;
}

static int still(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = f[1] = p[0];
    return 0;
}

TEST(a_matrix_that_cannot_be_factored_is_named)
{
    static const double y0[] = {1, 1};
    tansy_problem const problem = {
        .n = 2, .np = 1, .y0 = y0, .p = one, .rhs = still, .jacobian = huge_jacobian};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        tansy_options const options = one_step_options(&one_step_cases[x], 1e-4, 1e-7);
        if (one_step_cases[x].explicit) continue;
        struct end const r = run(&problem, &options, 1);
        CHECK_EQUAL(r.status, TANSY_SINGULAR);
        CHECK_TEXT_CONTAINS(r.message, "tansy_check");
    }
}

/* W = 1/(h gamma) - J is singular at one h alone: y' = y/(h gamma) with h the first step.  A smaller step is taken. */
static int grows(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[0];
    return 0;
}

static int rate(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y, (void)context;
    J[0] = p[0];
    return 0;
}

TEST(a_matrix_that_is_singular_at_one_step_size_makes_it_smaller)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        double const p[] = {4}; /* gamma = 1/4 of rodas4 */
        tansy_problem const problem = {
            .n = 1, .np = 1, .y0 = one, .p = p, .rhs = grows, .jacobian = rate};
        tansy_options options = one_step_options(&one_step_cases[x], 1e-6, 1e-6);
        options.first_step = 1;
        struct end const r = run(&problem, &options, 2);
        CHECK_EQUAL(r.status, TANSY_OK);
        CHECK_CLOSE(r.y[0], exp(8), 1e-4 * exp(8));
        CHECK_CLOSE(r.sens[0], 2 * exp(8), 2e-4 * exp(8));
        if (one_step_cases[x].formula == TANSY_RODAS4) CHECK(r.stats.rejected_newton > 0);
    }
}

TEST(a_zero_with_purely_relative_tolerance_is_refused)
{
    static const double zero[] = {0};
    tansy_problem const problem = {.n = 1, .np = 1, .y0 = zero, .p = one, .rhs = grows};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        tansy_options const options = one_step_options(&one_step_cases[x], 1e-6, TANSY_NO_ATOL);
        struct end const r = run(&problem, &options, 1);
        CHECK_EQUAL(r.status, TANSY_ZERO_WEIGHT);
        CHECK_TEXT_CONTAINS(r.message, "give it an atol");
    }
}

/* y' = -p y with purely relative tolerance: dy/dp starts at zero, y does not. */
TEST(purely_relative_tolerance_is_kept_where_y_is_not_zero)
{
    static const double p[] = {-1};
    tansy_problem const problem = {.n = 1, .np = 1, .y0 = one, .p = p, .rhs = grows};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        tansy_options const options = one_step_options(&one_step_cases[x], 1e-6, TANSY_NO_ATOL);
        struct end const r = run(&problem, &options, 3);
        CHECK_EQUAL(r.status, TANSY_OK);
        CHECK_CLOSE(r.y[0], exp(-3), 1e-4 * exp(-3));
        CHECK_CLOSE(r.sens[0], 3 * exp(-3), 3e-4 * exp(-3));
    }
}

/* y' = -p y^2/scale from y = scale: the same run in other units.  Squares of y and of its slopes leave the range of double. */
static int scaled(double t, const double *y, const double *p, double *f, void *context)
{
    double const *const scale = context;
    (void)t;
    f[0] = -p[0] * y[0] * (y[0] / *scale);
    return 0;
}

TEST(scales_of_y_change_nothing)
{
    static const double scales[] = {1, 1e-150, 1e150, 1e-290, 1e290};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        size_t steps = 0;
        for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
            double scale = scales[k];
            tansy_problem const problem = {
                .n = 1, .np = 1, .y0 = &scale, .p = one, .rhs = scaled, .context = &scale};
            tansy_options const options = one_step_options(&one_step_cases[x], 1e-6, 1e-9 * scale);
            struct end const r = run(&problem, &options, 4);
            CHECK_EQUAL(r.status, TANSY_OK);
            CHECK_CLOSE(r.y[0] / scale, 0.2, 1e-4 * 0.2);
            CHECK_CLOSE(r.sens[0] / scale, -4.0 / 25, 1e-4);
            if (k == 0) steps = r.stats.steps;
            CHECK_CLOSE((double)r.stats.steps, (double)steps, 2); /* differences round otherwise */
        }
    }
}

static const double omega = 1.3;

static int oscillator(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = y[1];
    f[1] = -p[0] * p[0] * y[0];
    return 0;
}

/* The largest error of y and dy/dp at t0 + 10 in units of rtol; amplitudes are 1 and 10. */
static double error_from(double t0, const struct one_step_case *it, double rtol)
{
    double const y0[] = {1, 0};
    tansy_problem const problem = {
        .n = 2, .np = 1, .t0 = t0, .y0 = y0, .p = &omega, .rhs = oscillator};
    tansy_options const options = one_step_options(it, rtol, rtol);
    struct end const r = run(&problem, &options, t0 + 10);
    CHECK_EQUAL(r.status, TANSY_OK);
    double const end = (t0 + 10) - t0; /* as rounded */
    double const state = fabs(r.y[0] - cos(omega * end));
    double const column = fabs(r.sens[0] + end * sin(omega * end)) / 10;
    return fmax(state, column) / rtol;
}

TEST(a_large_initial_time_costs_no_accuracy)
{
    static const double times[] = {0, 1.7e9, 1.7e12, -1.7e12};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (size_t k = 0; k < sizeof times / sizeof *times; k++)
            CHECK_AT_MOST(error_from(times[k], &one_step_cases[x], 1e-6), 100);
}

/* y = exp(p t) with p t = 1, whatever the unit of time. */
TEST(tiny_and_huge_spans_are_alike)
{
    static const double spans[] = {1, 1e-100, 1e-200, 1e100, 1e200};
    double const exact = exp(1);
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
            double const p = 1 / spans[k];
            tansy_problem const problem = {.n = 1, .np = 1, .y0 = one, .p = &p, .rhs = grows};
            tansy_options const options = one_step_options(&one_step_cases[x], 1e-6, 1e-9);
            struct end const r = run(&problem, &options, spans[k]);
            CHECK_EQUAL(r.status, TANSY_OK);
            CHECK_CLOSE(r.y[0], exact, 1e-4 * exact); /* 100 rtol */
            CHECK_CLOSE(r.sens[0] * p, exact, 1e-4 * exact);
        }
}
