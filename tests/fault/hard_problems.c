/* SPDX-License-Identifier: Apache-2.0 */
/* Problems that cannot be solved to the end: the run ends, says where and why, and what it leaves is finite. */
#include "support/fault_cases.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WAYS = FAULT_CASES / FAULT_SOURCES, CONTROLS = 3 };

/* Both methods, all correctors, all error controls; derivatives by differences where none is given. */
static tansy_options options_of(size_t way)
{
    tansy_options options = fault_case(way % WAYS * FAULT_SOURCES).options;
    options.residual = TANSY_RESIDUAL_AUTO;
    options.error_control = (tansy_error_control)(way / WAYS);
    return options;
}

/* What a run left at the last time it reached. */
struct end {
    tansy_status status;
    char message[512];
    double t, y[2], sens[4];
};

static struct end run(const tansy_problem *problem, const tansy_options *options, double t)
{
    struct end r = {.status = TANSY_OK};
    tansy_solver *const s = tansy_create(problem, options);
    r.status = tansy_solve(s, t, r.y, r.sens);
    r.t = tansy_time(s);
    snprintf(r.message, sizeof r.message, "%s", tansy_message(s));
    tansy_free(s);
    for (size_t i = 0; i < 2; i++) CHECK(isfinite(r.y[i]));
    for (size_t x = 0; x < 4; x++) CHECK(isfinite(r.sens[x]));
    return r;
}

static void check_end(const struct end *r, const char *part)
{
    CHECK(r->status < 0);
    CHECK_TEXT_CONTAINS(r->message, part);
    CHECK_TEXT_CONTAINS(r->message, "t = ");
}

/* y' = p y^2, y = 1/(1 - p t): no solution beyond t = 1. */
static int square(double t, const double *y, const double *p, double *f, void *context)
{
    f[0] = p[0] * y[0] * y[0];
    return 0;
}

static const double one[] = {1};

TEST(a_solution_that_blows_up_ends_the_run_before_it)
{
    tansy_problem const problem = {.n = 1, .np = 1, .y0 = one, .p = one, .rhs = square};
    for (size_t way = 0; way < WAYS * CONTROLS; way++) {
        tansy_options const options = options_of(way);
        struct end const r = run(&problem, &options, 2);
        check_end(&r, "h = ");
        /* y = 1/distance: a relative error of 100 rtol in y is one of 100 rtol in the distance, which is eaten
           up all the way to t = 1 */
        CHECK_CLOSE(r.t, 1, 100 * options.rtol);
    }
}

/* y' = -p sqrt(y), y = (1 - p t/2)^2: f has no value once y < 0. */
static int root(double t, const double *y, const double *p, double *f, void *context)
{
    f[0] = -p[0] * sqrt(y[0]);
    return 0;
}

TEST(a_border_of_the_domain_is_reached_and_named)
{
    tansy_problem const problem = {.n = 1, .np = 1, .y0 = one, .p = one, .rhs = root};
    for (size_t way = 0; way < WAYS * CONTROLS; way++) {
        tansy_options const options = options_of(way);
        struct end const r = run(&problem, &options, 4);
        if (r.status == TANSY_OK) { /* it may creep along y = 0, which is a solution too */
            CHECK_CLOSE(r.y[0], 0, 1e-3);
            continue;
        }
        check_end(&r, "rhs gave NaN in component 0");
        CHECK_EQUAL(r.status, TANSY_NOT_FINITE);
        /* y is known to 100 (rtol |y| + atol), its root, the distance to t = 2, to a tenth */
        CHECK_CLOSE(r.t, 2, 0.1);
    }
}

/* y' = 1000 y from y = 0: nothing happens, but dy/dy(0) = exp(1000 t) overflows at t = 0.7098. */
static int explode(double t, const double *y, const double *p, double *f, void *context)
{
    f[0] = 1000 * y[0];
    return 0;
}

TEST(a_column_that_overflows_ends_the_run)
{
    static const int columns[] = {TANSY_INITIAL(0)};
    static const double zero[] = {0};
    tansy_problem const problem = {.n = 1, .y0 = zero, .rhs = explode, .ns = 1, .columns = columns};
    for (size_t way = 0; way < WAYS * CONTROLS; way++) {
        tansy_options options = options_of(way);
        options.max_step = 1e-4; /* or the state alone, which stands still, takes it in one step */
        struct end const r = run(&problem, &options, 2);
        check_end(&r, r.status == TANSY_STEP_TOO_SMALL ? "dy/dy_0(t0)" : "t = 0.");
        CHECK_AT_MOST(r.t,
                      0.7098 + 0.01); /* log(DBL_MAX)/1000, and errors of one part in 70 of it */
        CHECK(r.t > 0.3);             /* where its square, in a norm, does not overflow */
    }
}

/* df/dy whose factors overflow in the second pivot. */
static int huge_jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    J[0] = J[2] = J[3] = 1.7e308;
    J[1] = -1.7e308;
    return 0;
}

static int still(double t, const double *y, const double *p, double *f, void *context)
{
    f[0] = f[1] = p[0];
    return 0;
}

TEST(a_matrix_that_cannot_be_factored_is_named)
{
    static const double y0[] = {1, 1};
    tansy_problem const problem = {
        .n = 2, .np = 1, .y0 = y0, .p = one, .rhs = still, .jacobian = huge_jacobian};
    for (size_t way = 0; way < WAYS * CONTROLS; way++) {
        tansy_options options = options_of(way);
        options.linear_solver = TANSY_DENSE_LU;
        struct end const r = run(&problem, &options, 1);
        CHECK_EQUAL(r.status, TANSY_SINGULAR);
        check_end(&r, "tansy_check");
    }
}

/* df/dy is not given right: with 0 instead of -10^6 the iteration diverges for all steps above 2e-6. */
static int decay(double t, const double *y, const double *p, double *f, void *context)
{
    f[0] = -1e6 * p[0] * (y[0] - cos(t));
    return 0;
}

static int wrong_jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    return 0;
}

TEST(a_wrong_jacobian_is_suspected)
{
    static const double y0[] = {2};
    tansy_problem const problem = {
        .n = 1, .np = 1, .y0 = y0, .p = one, .rhs = decay, .jacobian = wrong_jacobian};
    for (size_t way = 0; way < WAYS * CONTROLS; way++) {
        tansy_options options = options_of(way);
        options.linear_solver = TANSY_DENSE_LU;
        options.min_step = 1e-5;
        struct end const r = run(&problem, &options, 1);
        CHECK_EQUAL(r.status, TANSY_NOT_CONVERGED);
        check_end(&r, "is df/dy right (tansy_check)");
    }
}

/* A stiff problem, steps by functional iteration: it takes its time but does not go wrong. */
TEST(a_stiff_problem_exhausts_the_steps_of_functional_iteration)
{
    static const double y0[] = {2};
    tansy_problem const problem = {.n = 1, .np = 1, .y0 = y0, .p = one, .rhs = decay};
    for (size_t way = WAYS / 2; way < WAYS; way++) { /* adams */
        tansy_options options = options_of(way);
        if (options.sensitivities == TANSY_DIRECT) continue;
        options.linear_solver = TANSY_DIAGONAL;
        options.max_steps = 500;
        struct end const r = run(&problem, &options, 1);
        CHECK_EQUAL(r.status, TANSY_TOO_MANY_STEPS);
        check_end(&r, "use bdf if the problem is stiff");
        CHECK_CLOSE(r.y[0], cos(r.t) + exp(-1e6 * r.t), 100 * options.rtol * 2);
    }
}
