/* SPDX-License-Identifier: Apache-2.0 */
/* An error that algebraic components have at the beginning of a step of limex, from the step before or from the noise of differences, does not
   stop the run, however short the steps are in which output is asked for. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <tansy/tansy.h>

#include "test.h"

enum { N = 6, NP = 5, BREAKS = NP - 1, OUTPUTS = 14, CASES = 8 };
static const double END = 2;

/* B(t, y, p) with an equation that has no derivative in it; `apart`: nor is there z' anywhere. */
struct chain {
    bool apart;
    double p[NP], y0[N], breaks[BREAKS], active[NP];
    tansy_kind kind[N];
};

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    const struct chain *const it = context;
    for (int i = 0; i < N * N; i++) B[i] = 0;
    for (int i = 0; i + 1 < N; i++) {
        B[i * N + i] = 2 + 0.3 * sin(t + i) + 0.2 * y[i] * y[i] + 0.1 * p[0];
        if (i > 0) B[i * N + i - 1] = 0.3 * y[i - 1];
        if (i + 2 < N || !it->apart) B[i * N + i + 1] = 0.2 * cos(y[i]);
    }
    return 0;
}

/* p[NP] is the number of the piece. */
static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    for (int i = 0; i < N; i++) {
        f[i] = -(1 + 5 * i) * y[i] + (i > 0 ? y[i - 1] * y[i - 1] : sin(3 * t));
        if (i + 1 < N) f[i] += 0.5 * y[i + 1];
        for (int k = 0; k < NP; k++)
            if ((k + i) % 3 == 0 && p[NP] >= k) f[i] += p[k] * cos(0.3 * t * (k + 1) + y[i]);
    }
    double const z = y[N - 1];
    f[N - 1] = z + 0.1 * z * z * z - y[N - 2] - 0.3 * sin(2 * t) * p[0];
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    double B[N * N];
    (void)mass(t, y, p, B, context);
    (void)rhs(t, y, p, F, context);
    for (int i = 0; i < N; i++) {
        F[i] = -F[i];
        for (int j = 0; j < N; j++) F[i] += B[i * N + j] * yp[j];
    }
    return 0;
}

/* Numbers between 0 and 1 without order. */
static double some(int number)
{
    double const x = sin(12.9898 * (number + 1)) * 43758.5453;
    return x - floor(x);
}

static struct chain make(int number, bool apart)
{
    struct chain it = {.apart = apart};
    double time = 0;
    for (int k = 0; k < NP; k++) {
        it.p[k] = 0.3 + 0.8 * k / NP * some(40 * number + k);
        it.active[k] = k > 0 ? time : -HUGE_VAL;
        if (k > 0) it.breaks[k - 1] = time;
        time += 0.1 + 0.5 * some(40 * number + 10 + k);
    }
    for (int i = 0; i < N; i++) it.y0[i] = 0.2 + 0.6 * some(40 * number + 20 + i);
    for (int k = 1; k < NP; k++) it.active[k] = it.breaks[k - 1] = it.breaks[k - 1] + 0.05;
    it.kind[N - 1] = apart ? TANSY_ALGEBRAIC : TANSY_DIFFERENTIAL;
    return it;
}

static tansy_problem problem_of(struct chain *it)
{
    return (tansy_problem){.n = N,
                           .np = NP,
                           .y0 = it->y0,
                           .p = it->p,
                           .scale = it->p,
                           .kind = it->apart ? it->kind : NULL,
                           .breaks = BREAKS,
                           .break_times = it->breaks,
                           .active_from = it->active,
                           .context = it};
}

static void solve(struct chain *it, const tansy_options *options, double *y, double *S)
{
    tansy_problem problem = problem_of(it);
    problem.rhs = rhs;
    problem.mass = mass;
    problem.mass_varies = 1;
    tansy_solver *const s = tansy_create(&problem, options);
    for (int j = 1; j <= OUTPUTS && tansy_error(s) == TANSY_OK; j++)
        (void)tansy_solve(s, END * j / OUTPUTS, y, S);
    if (tansy_error(s) != TANSY_OK) printf("%s\n", tansy_message(s));
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    tansy_free(s);
}

static void solve_exactly(struct chain *it, double *y, double *S)
{
    tansy_problem problem = problem_of(it);
    problem.residual = residual;
    tansy_options const options = {.method = TANSY_DASSL, .rtol = 1e-9, .atol = 1e-12};
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, END, y, S), TANSY_OK);
    tansy_free(s);
}

static void check_runs(bool apart, double rtol)
{
    for (int number = 0; number < CASES; number += TEST_STRIDE) {
        struct chain it = make(number, apart);
        double y[N], S[NP * N], right[N], exact[NP * N];
        tansy_options const options = {.method = TANSY_LIMEX,
                                       .rtol = rtol,
                                       .atol = 1e-3 * rtol,
                                       .sensitivities = TANSY_SIMULTANEOUS};
        solve(&it, &options, y, S);
        solve_exactly(&it, right, exact);
        for (int i = 0; i < N; i++) CHECK_CLOSE(y[i], right[i], 100 * rtol);
        for (int x = 0; x < NP * N; x++) /* the promise, 100 rtol of the largest */
            CHECK_CLOSE(S[x] * it.p[x / N], exact[x] * it.p[x / N], 100 * rtol);
    }
}

/* x' = -x times B, which jumps from 1 to 10 right behind t0: the iteration diverges until the step is so short that nothing changes in it. */
static int decay(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    f[0] = -y[0];
    return 0;
}

static int jumping_mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)y, (void)p, (void)context;
    B[0] = t > 0 ? 10 : 1;
    return 0;
}

TEST(an_iteration_that_diverges_is_no_failure_of_a_function)
{
    double const y0 = 1;
    double y = 0;
    tansy_problem const problem = {
        .n = 1, .y0 = &y0, .rhs = decay, .mass = jumping_mass, .mass_varies = 1};
    tansy_options const options = {
        .method = TANSY_LIMEX, .first_step = 0.1, .max_convergence_failures = 3};
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 1, &y, NULL), TANSY_NOT_CONVERGED);
    CHECK_TEXT_CONTAINS(tansy_message(s), "the iteration for B(t, y) does not converge at t = ");
    CHECK_TEXT_CONTAINS(tansy_message(s), "in 3 attempts");
    CHECK_TEXT_CONTAINS(tansy_message(s), "is B continuous there");
    tansy_free(s);
}

TEST(errors_of_algebraic_columns_do_not_stop_a_run)
{
    check_runs(true, 3e-7);
    check_runs(true, 1e-7);
}

TEST(errors_along_the_null_space_of_a_coupled_mass_matrix_do_not_stop_a_run)
{
    check_runs(false, 3e-7);
    check_runs(false, 1e-7);
}
