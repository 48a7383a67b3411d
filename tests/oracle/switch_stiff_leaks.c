/* SPDX-License-Identifier: Apache-2.0 */
/* What a stiff component that is switched at T leaves behind in S of slow ones.  All is at rest before T but for slow components, so that S = -y' behind it where
   these do not depend on time either.  Where J is constant, or only a fast component is nonlinear, nothing stays behind, and steps are as long as ever. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TEXT = 5000 };
static const double rtol = 1e-6;

static const tansy_method stiff[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_DASSL, TANSY_ROSENBROCK,
                                     TANSY_LIMEX};
enum { STIFF = sizeof stiff / sizeof *stiff };

struct result {
    double y[4], S[4];
    size_t steps;
    bool told; /* of transients, in the report */
    bool warned;
};

static struct result solve(const tansy_problem *problem, tansy_method method)
{
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-9, .max_step = 0.02};
    tansy_solver *const s = tansy_create(problem, &o);
    struct result r;
    tansy_stats stats;
    char report[TEXT];
    CHECK_EQUAL(tansy_solve(s, 2, r.y, r.S), TANSY_OK);
    (void)tansy_report(s, report, sizeof report);
    tansy_get_stats(s, &stats);
    r.steps = stats.steps;
    r.told = strstr(report, "transients") != NULL;
    r.warned = strstr(report, "warning") != NULL;
    tansy_free(s);
    return r;
}

static struct result solve_text(const char *text, tansy_method method)
{
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    struct result const r = solve(&problem, method);
    tansy_model_free(model);
    return r;
}

/* y' = L exp(-L (t - T)) - 0.3 y behind T. */
TEST(what_is_linear_needs_no_lower_tolerances)
{
    double const L = 1e6, share = L / (L - 0.3);
    double const y = exp(-0.6) + share * exp(-0.3), S = 0.3 * share * exp(-0.3);
    for (int m = 0; m < STIFF; m++) {
        struct result const r = solve_text(
            "parameter T = 1\nconstant L = 1e6\nstate z = 0, y = 1\n"
            "let u = if time < T then 0 else 1\nz' = -L*(z - u)\ny' = -L*(z - u) - 0.3*y\n",
            stiff[m]);
        CHECK_CLOSE(r.y[1], y, 100 * rtol * y);
        CHECK_CLOSE(r.S[1], S, 100 * rtol * y);
        CHECK(!r.told && !r.warned);
    }
}

/* A valve, which is fast and not linear, fills a tank: dh/dT = -h'. */
TEST(what_is_fast_and_drives_slow_components_slowly_needs_none)
{
    for (int m = 0; m < STIFF; m++) {
        struct result const r =
            solve_text("parameter T = 1\nconstant L = 1e6\nstate z = 0.2, h = 0\n"
                       "let u = if time < T then 0.2 else 1\nz' = -L*(z - u)*(1 + z)\n"
                       "h' = z^2 - 0.04 - 0.3*sqrt(1 + h) + 0.3\n",
                       stiff[m]);
        double const rate = 1 - 0.04 - 0.3 * sqrt(1 + r.y[1]) + 0.3;
        CHECK_CLOSE(r.S[1], -rate, 100 * rtol);
        CHECK(!r.told && !r.warned);
    }
}

/* sqrt(y) has no value where y would be after the time constant of z by its first rate, 1 - 1.5. */
TEST(a_way_to_where_f_has_no_value_is_looked_at_as_far_as_it_has)
{
    for (int m = 0; m < STIFF; m++) {
        struct result const r = solve_text("parameter T = 1\nconstant L = 1e5\nstate z = 1, y = 1\n"
                                           "let u = if time < T then 1 else 0\nz' = -L*(z - u)\n"
                                           "y' = -1.5*L*(z - u)*sqrt(y) - 0.3*(1 - u)*y\n",
                                           stiff[m]);
        double const y = 0.0625 * exp(-0.3);
        CHECK_CLOSE(r.y[1], y, 100 * rtol);
        CHECK_CLOSE(r.S[1], 0.3 * y, 100 * rtol);
        CHECK(r.told);
    }
}

/* z is stopped at 1/2 while S is large: dz/dT = 0 behind that, and y = exp(z - 0.3 (t - T)). */
TEST(a_stop_in_the_transient_leaves_no_error)
{
    for (int m = 0; m < STIFF; m++) {
        struct result const r =
            solve_text("parameter T = 1\nconstant L = 1e5\nstate z = 0, y = 1\n"
                       "let u = if time < T then 0 else 1\nlet w = if z < 0.5 then 1 else 0\n"
                       "z' = -L*(z - u)*w\ny' = -L*(z - u)*w*y - 0.3*u*y\n",
                       stiff[m]);
        double const y = exp(0.5 - 0.3);
        CHECK_CLOSE(r.S[0], 0, 100 * rtol);
        CHECK_CLOSE(r.S[1], 0.3 * y, 100 * rtol * y);
    }
}

/* An actuator z behind a dead zone and a sensor, switched seven times: y = exp(-0.3 z), so that dy/dp = -0.3 y dz/dp.  What single steps leave behind has the same sign in hundreds of them. */
TEST(what_many_steps_leave_behind_does_not_add_up)
{
    enum { N = 4, COLUMNS = 4 };
    static const double p[] = {2, 3, 0.3, 0.7};
    static const double tau[] = {1e-3, 1e-4};
    for (int x = 0; x < 2 * STIFF; x++) {
        tansy_options const o = {
            .method = stiff[x / 2], .rtol = rtol, .atol = 1e-9, .max_step = 0.02};
        char text[TEXT];
        double y[N], S[COLUMNS * N];
        tansy_problem problem;
        (void)snprintf(text, sizeof text,
                       "parameter b = 2, om = 3, d = 0.3, a = 0.7\nconstant tau = %g\n"
                       "state x = 0, m = 0, z = 0, y = 1\n"
                       "let u = if m > d then a + m - d else if m < -d then -a + m + d else 0\n"
                       "x' = -x + b*sin(om*time)\nm' = (x - m)/tau\nz' = (u - z)/tau\n"
                       "y' = 0.3*(z - u)/tau*y\n",
                       tau[x % 2]);
        tansy_model *const model = model_of_text(text, &problem);
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, 4, y, S), TANSY_OK);
        for (size_t k = 0; k < COLUMNS; k++) {
            double const right = -0.3 * y[3] * S[k * N + 2];
            CHECK_CLOSE(S[k * N + 3], right, 100 * rtol * fmax(fabs(right), y[3] / p[k]));
        }
        tansy_free(s);
        tansy_model_free(model);
    }
}

static const double rate = 1e5;

static int f(double t, const double *y, const double *p, double *r, void *context)
{
    (void)t;
    (void)context;
    double const u = p[1] != 0 ? 0 : 1;
    r[0] = -rate * (y[0] - u);
    r[1] = -rate * (y[0] - u) * y[1] - 0.3 * u * y[1];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    (void)context;
    double const u = p[1] != 0 ? 0 : 1;
    J[0] = -rate;
    J[2] = -rate * y[1];
    J[3] = -rate * (y[0] - u) - 0.3 * u;
    return 0;
}

static int condition(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y;
    (void)context;
    g[0] = p[0] - t;
    return 0;
}

TEST(matrices_and_differences_do_for_it)
{
    static const double y0[] = {0, 1}, p[] = {1};
    double const y = exp(1 - 0.3);
    for (int x = 0; x < 2 * STIFF; x++) {
        tansy_problem const problem = {.n = 2,
                                       .np = 1,
                                       .y0 = y0,
                                       .p = p,
                                       .rhs = f,
                                       .jacobian = x % 2 ? jacobian : NULL,
                                       .switches = 1,
                                       .switch_function = condition};
        struct result const r = solve(&problem, stiff[x / 2]);
        CHECK_CLOSE(r.S[1], 0.3 * y, 100 * rtol * y);
        CHECK(r.told);
    }
}
