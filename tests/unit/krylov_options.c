/* SPDX-License-Identifier: Apache-2.0 */
/* The options of Krylov iteration and of consistent initial values change in a run what they say. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

enum { N = 60 };

/* Heat in a rod of N cells that is warmed at its left end. */
static int heat(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    for (int i = 0; i < N; i++) {
        double const left = i > 0 ? y[i - 1] : 1, right = i + 1 < N ? y[i + 1] : y[i];
        f[i] = p[0] * N * N * (left - 2 * y[i] + right);
    }
    return 0;
}

static tansy_stats run(const tansy_options *options)
{
    static const double y0[N], p[] = {0.1};
    tansy_problem const problem = {.n = N, .np = 1, .y0 = y0, .p = p, .rhs = heat};
    tansy_options o = *options;
    o.method = TANSY_DASSL;
    o.linear_solver = TANSY_GMRES;
    o.preconditioner = TANSY_NO_PRECONDITIONER;
    o.rtol = 1e-4;
    o.atol = 1e-6;
    double y[N];
    tansy_stats stats;
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    /* 1 - y = 4/pi sum sin((2k + 1) pi x/2)/(2k + 1) e^(-...): its first term, to the grid's error 1/N^2 and the next term */
    double const x = (N / 2 + 0.5) / N, pi = acos(-1);
    double const exact = 1 - 4 / pi * sin(pi * x / 2) * exp(-0.1 * pi * pi / 4);
    CHECK_CLOSE(y[N / 2], exact, 0.05);
    return stats;
}

static double dimension(const tansy_stats *s)
{
    return (double)s->linear_iterations / (double)s->solves;
}

TEST(a_smaller_krylov_tolerance_takes_more_iterations)
{
    tansy_stats const usual = run(&(tansy_options){.krylov_dimension = 60});
    tansy_stats const half = run(&(tansy_options){.krylov_dimension = 60, .krylov_tolerance = 0.5});
    tansy_stats const tight =
        run(&(tansy_options){.krylov_dimension = 60, .krylov_tolerance = 1e-4});
    CHECK_EQUAL(half.linear_iterations, usual.linear_iterations); /* the default */
    CHECK_AT_MOST(1.3 * dimension(&usual), dimension(&tight));
}

/* Incomplete orthogonalisation loses what the directions before have found. */
TEST(fewer_orthogonal_directions_take_more_iterations)
{
    tansy_stats const all = run(&(tansy_options){.krylov_dimension = 60});
    tansy_stats const many = run(&(tansy_options){.krylov_dimension = 60, .krylov_orthogonal = 60});
    tansy_stats const one = run(&(tansy_options){.krylov_dimension = 60, .krylov_orthogonal = 1});
    CHECK_EQUAL(many.linear_iterations, all.linear_iterations);
    CHECK_AT_MOST(1.02 * dimension(&all), dimension(&one));
}

/* Where no restart is left the iteration fails, and with it the step. */
TEST(more_krylov_restarts_let_the_iteration_go_on)
{
    tansy_stats const one = run(&(tansy_options){.krylov_dimension = 5, .krylov_restarts = 1});
    tansy_stats const many = run(&(tansy_options){.krylov_dimension = 5, .krylov_restarts = 200});
    CHECK(one.rejected_newton > 0);
    CHECK_EQUAL(many.rejected_newton, 0);
    CHECK_AT_MOST(dimension(&one), 10); /* two cycles */
    CHECK(many.steps < one.steps);
}

/* y' = -y, z = e^-z + y - 1: z = 0.567... at y = 1, from a guess of 5. */
static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t;
    (void)p;
    ++*(size_t *)context;
    F[0] = yp[0] + y[0];
    F[1] = y[1] - exp(-y[1]) - y[0] + 1;
    return 0;
}

/* Newton's method ends when its correction is below the tolerance, and squares it once more. */
TEST(initial_tolerance_says_how_far_consistent_values_are_iterated)
{
    static const double y0[] = {1, 5}, tolerance[] = {1, 1e-8};
    double const root = 0.56714329040978387;
    size_t calls[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        double y[2];
        tansy_problem const problem = {
            .n = 2, .y0 = y0, .residual = residual, .context = &calls[k]};
        tansy_options const options = {
            .rtol = 0.05, .atol = 0.05, .initial_tolerance = tolerance[k]};
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_initialise(s, y, NULL, NULL, NULL), TANSY_OK);
        CHECK_CLOSE(y[1], root, tolerance[k] * 0.1);
        tansy_free(s);
    }
    CHECK(calls[1] > calls[0]);
}

/* Nodes joined by capacitors: 1e-4 (-y'_(i-1) + 3 y'_i - y'_(i+1) + p y_i - sin t) = 0, residuals far smaller than y'. */
static int nodes(double t, const double *y, const double *yp, const double *p, double *F,
                 void *context)
{
    (void)context;
    for (int i = 0; i < N; i++) {
        double const left = i > 0 ? yp[i - 1] : 0, right = i + 1 < N ? yp[i + 1] : 0;
        F[i] = 1e-4 * (3 * yp[i] - left - right + p[0] * y[i] - sin(t));
    }
    return 0;
}

static tansy_stats run_nodes(const tansy_options *options, double *y, double *sens)
{
    static const double y0[N], p[] = {2};
    tansy_problem const problem = {.n = N,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = p,
                                   .residual = nodes,
                                   .structure = TANSY_BANDED,
                                   .lower = 1,
                                   .upper = 1};
    tansy_stats stats;
    tansy_solver *const s = tansy_create(&problem, options);
    CHECK_EQUAL(tansy_solve(s, 2, y, sens), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats;
}

/* x = 0 leaves a residual below any tolerance: on the right that is no reason to take it. */
TEST(small_residuals_are_iterated_on_the_right_too)
{
    double y[2][N], sens[2][N];
    tansy_options o = {.method = TANSY_DASSL, .rtol = 1e-5, .atol = 1e-8, .max_steps = 3000};
    tansy_stats const direct = run_nodes(&o, y[0], sens[0]);
    o.linear_solver = TANSY_GMRES;
    o.preconditioner = TANSY_BAND_PRECONDITIONER;
    o.preconditioner_lower = o.preconditioner_upper = 1;
    o.precondition_side = TANSY_RIGHT;
    tansy_stats const gmres = run_nodes(&o, y[1], sens[1]);
    CHECK_AT_MOST((double)gmres.steps, 1.5 * (double)direct.steps);
    for (int i = 0; i < N; i++) {
        CHECK_CLOSE(y[1][i], y[0][i], 100 * o.rtol * (fabs(y[0][i]) + 1e-3));
        CHECK_CLOSE(sens[1][i], sens[0][i], 100 * o.rtol * (fabs(sens[0][i]) + 1e-3));
    }
}
