/* SPDX-License-Identifier: Apache-2.0 */
/* Pulses of time in problems that are functions in C: the option time_probes finds those that its points show. */
#include <tansy/tansy.h>

#include <math.h>

#include "test.h"

static const double end = 10, root_pi = 1.77245385090551602730;

struct pulse {
    double width;
    double refused; /* from here on f returns `code` */
    int code;
    int calls;
};

static double value(const struct pulse *pulse, double t)
{
    double const x = (t - 3.7) / pulse->width;
    return exp(-x * x) / pulse->width;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct pulse *const pulse = context;
    (void)p;
    pulse->calls++;
    if (t >= pulse->refused) return pulse->code;
    f[0] = value(pulse, t);
    f[1] = -y[1];
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)p;
    F[0] = yp[0] - value(context, t);
    F[1] = yp[1] + y[1];
    return 0;
}

static int identity(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    B[0] = B[3] = 1;
    return 0;
}

enum form { ODE, MASS, RESIDUAL };

static double solve(struct pulse pulse, enum form form, tansy_method method, size_t probes,
                    double t)
{
    double const y0[] = {0, 0};
    double y[2] = {0};
    tansy_problem const problem = {.n = 2,
                                   .y0 = y0,
                                   .rhs = form == RESIDUAL ? NULL : rhs,
                                   .residual = form == RESIDUAL ? residual : NULL,
                                   .mass = form == MASS ? identity : NULL,
                                   .context = &pulse};
    tansy_options const o = {.method = method, .time_probes = probes};
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_solve(s, t, y, NULL), TANSY_OK);
    tansy_free(s);
    return y[0];
}

TEST(probes_show_a_pulse_as_wide_as_their_distance)
{
    static const tansy_method explicit[] = {TANSY_METHOD_AUTO, TANSY_ADAMS, TANSY_BDF,
                                            TANSY_DASSL,       TANSY_RK8,   TANSY_ROSENBROCK,
                                            TANSY_LIMEX};
    for (double w = 1e-3; w < 2; w *= 3) {
        struct pulse const pulse = {.width = w, .refused = HUGE_VAL};
        size_t const probes = (size_t)(end / w) + 1;
        for (size_t m = 0; m < sizeof explicit / sizeof *explicit; m++)
            CHECK_CLOSE(solve(pulse, ODE, explicit[m], probes, end), root_pi, 100e-6 * root_pi);
        CHECK_CLOSE(solve(pulse, MASS, TANSY_METHOD_AUTO, probes, end), root_pi, 100e-6 * root_pi);
        CHECK_CLOSE(solve(pulse, RESIDUAL, TANSY_METHOD_AUTO, probes, end), root_pi,
                    100e-6 * root_pi);
    }
}

TEST(without_probes_nothing_is_asked_of_f_beside_the_steps)
{
    struct pulse const pulse = {.width = 1e-3, .refused = HUGE_VAL};
    CHECK(solve(pulse, ODE, TANSY_RK8, 0, end) < 1e-3); /* docs/program.md says so */
}

/* f has no value from t = 8 on, which the window of a run to 5 does not reach, but that of the first steps' eightfold may. */
TEST(probes_pass_over_times_at_which_f_has_no_value)
{
    struct pulse const pulse = {.width = 0.01, .refused = 5.5, .code = 1};
    double const y0[] = {0, 0};
    double y[2] = {0};
    struct pulse context = pulse;
    tansy_problem const problem = {.n = 2, .y0 = y0, .rhs = rhs, .context = &context};
    tansy_options const o = {.method = TANSY_ROSENBROCK, .time_probes = 2000, .use_stop_time = 0};
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_solve(s, 5, y, NULL), TANSY_OK);
    CHECK_CLOSE(y[0], root_pi, 100e-6 * root_pi);
    tansy_free(s);
}

TEST(a_function_that_wants_to_stop_at_a_probe_stops_the_run)
{
    struct pulse context = {.width = 0.01, .refused = 4, .code = -7};
    double const y0[] = {0, 0};
    tansy_problem const problem = {.n = 2, .y0 = y0, .rhs = rhs, .context = &context};
    tansy_options const o = {.time_probes = 100};
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_solve(s, 5, NULL, NULL), TANSY_USER_STOPPED);
    CHECK_TEXT_CONTAINS(tansy_message(s), "-7");
    tansy_free(s);
}

/* Bounds of the pulse as a user may give them: exact, where the maximum is inside. */
static int range(size_t term, double a, double b, const double *p, tansy_time_bounds *bounds,
                 void *context)
{
    const struct pulse *const pulse = context;
    double const x = value(pulse, a), y = value(pulse, b);
    double const top = a <= 3.7 && 3.7 <= b ? 1 / pulse->width : fmax(x, y);
    double const most = 0.858 / (pulse->width * pulse->width); /* sqrt(2/e) */
    (void)p;
    if (pulse->code != 0) return pulse->code;
    *bounds = (tansy_time_bounds){fmin(x, y), top, -most, most};
    CHECK_EQUAL(term, 0);
    return 0;
}

TEST(bounds_that_a_problem_in_c_gives_show_a_pulse)
{
    double const y0[] = {0, 0};
    for (int code = 0; code < 2; code++) {
        double y[2] = {0};
        struct pulse context = {.width = 1e-4, .refused = HUGE_VAL, .code = code};
        tansy_problem const problem = {.n = 2,
                                       .y0 = y0,
                                       .rhs = rhs,
                                       .time_terms = 1,
                                       .time_range = range,
                                       .context = &context};
        tansy_solver *const s = tansy_create(&problem, NULL);
        CHECK_EQUAL(tansy_solve(s, end, y, NULL), TANSY_OK);
        if (code == 0) CHECK_CLOSE(y[0], root_pi, 100e-6 * root_pi); /* else nothing is known */
        tansy_free(s);
    }
}

TEST(terms_without_their_bounds_are_refused)
{
    double const y0[] = {0, 0};
    tansy_problem const problem = {.n = 2, .y0 = y0, .rhs = rhs, .time_terms = 1};
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "time_terms = 1 but .time_range is NULL");
    tansy_free(s);
}
