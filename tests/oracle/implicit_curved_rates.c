/* SPDX-License-Identifier: Apache-2.0 */
/* F that is not linear in y', with one derivative in each equation: S by differences along (s, s'), and starts at which dF/dy' vanishes. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

static int roots(double t, const double *y, const double *yp, const double *p, double *F,
                 void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] * yp[0] * yp[0] - p[0] * y[0];
    F[1] = exp(yp[1]) - p[1] * (1 + 1e-3 * y[0]);
    return 0;
}

/* y0^(2/3) = 1 + 2/3 p0^(1/3) t; dy1/dp1 = t/p1.  Tolerances: relative, absolute, one of each. */
TEST(columns_by_differences_follow_derivatives_that_enter_as_powers)
{
    static const double y0[] = {1, 1e-3}, yp0[] = {1, 0.1}, p[] = {1, 1.1}, atol[] = {1e-7, 1e-7};
    double const end = sqrt(5.0 / 3), s0 = 1.5 * end * 2 / 9;
    for (int k = 0; k < 12; k++) {
        double const rtol[] = {k % 3 != 1 ? 1e-6 : 0, k % 3 == 0 ? 1e-6 : 0};
        double y[2], S[4];
        tansy_solver *const s = tansy_create(
            &(tansy_problem){.n = 2, .np = 2, .y0 = y0, .yp0 = yp0, .p = p, .residual = roots},
            &(tansy_options){.rtol_state = rtol,
                             .atol_state = atol,
                             .difference = (tansy_difference)(k / 3),
                             .residual = TANSY_DIFFERENCES});
        CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
        CHECK_CLOSE(y[0], end * end * end, 2e-4); /* 100 rtol */
        CHECK_CLOSE(S[0], s0, 1e-4);
        CHECK_CLOSE(S[3], 1 / 1.1, 1e-4);
        tansy_free(s);
    }
}

static int fails_at_rates_above(double t, const double *y, const double *yp, const double *p,
                                double *F, void *context)
{
    (void)t;
    if (fabs(yp[0]) > *(const double *)context) return 1;
    F[0] = yp[0] + 0.1 * sin(yp[0]) - p[0] * y[0];
    return 0;
}

/* Where F can be evaluated near y' only, that is told by nothing: y' + 0.1 sin y' = p y, s' (1 + 0.1 cos y') = p s + y. */
TEST(derivatives_that_fail_far_from_the_solution_are_no_harm)
{
    static const double y0[] = {1}, p = 0.5, most = 2;
    double y[1], yp[1], S[1], Sp[1];
    tansy_solver *const s = tansy_create(&(tansy_problem){.n = 1,
                                                          .np = 1,
                                                          .y0 = y0,
                                                          .p = &p,
                                                          .residual = fails_at_rates_above,
                                                          .context = (void *)&most},
                                         &(tansy_options){.residual = TANSY_DIFFERENCES});
    CHECK_EQUAL(tansy_initialise(s, y, yp, S, Sp), TANSY_OK);
    CHECK_CLOSE(yp[0] + 0.1 * sin(yp[0]), 0.5, 1e-8);
    CHECK_CLOSE(Sp[0], 1 / (1 + 0.1 * cos(yp[0])), 1e-6);
    tansy_free(s);
}

/* y'^power = p y, where F says `code` for y' from `least` to `most`. */
struct power {
    int power, code;
    double least, most;
};

static int power_law(double t, const double *y, const double *yp, const double *p, double *F,
                     void *context)
{
    const struct power *const q = context;
    (void)t;
    if (yp[0] >= q->least && yp[0] <= q->most) return q->code;
    F[0] = pow(yp[0], q->power) - p[0] * y[0];
    return 0;
}

static tansy_status start_power(struct power q, double p, double *rate, const char *words)
{
    static const double one = 1;
    tansy_solver *const s = tansy_create(
        &(tansy_problem){
            .n = 1, .np = 1, .y0 = &one, .p = &p, .residual = power_law, .context = &q},
        NULL);
    tansy_status const status = tansy_initialise(s, NULL, rate, NULL, NULL);
    if (words) CHECK_TEXT_CONTAINS(tansy_message(s), words);
    tansy_free(s);
    return status;
}

/* dF/dy' is 0 at y' = 0.  y' = p^(1/3) is the one solution of a cube; of a square there are two, unless F has one side only. */
TEST(derivatives_whose_terms_are_flat_at_0_are_found_where_they_are_unique)
{
    double rate = 0;
    CHECK_EQUAL(start_power((struct power){.power = 3, .least = HUGE_VAL}, 8, &rate, NULL), 0);
    CHECK_CLOSE(rate, 2, 1e-7);
    CHECK_EQUAL(start_power((struct power){2, 1, 0.1, HUGE_VAL}, 4, &rate, NULL), 0);
    CHECK_CLOSE(rate, -2, 1e-7);
    CHECK_EQUAL(start_power((struct power){2, 1, -HUGE_VAL, -0.1}, 4, &rate, NULL), 0);
    CHECK_CLOSE(rate, 2, 1e-7);
}

TEST(derivatives_that_the_equations_leave_open_are_told)
{
    double rate = 0;
    CHECK_EQUAL(start_power((struct power){.power = 2, .least = HUGE_VAL}, 4, &rate,
                            "both 2 and -2 solve the equations; give .yp0"),
                TANSY_HIGH_INDEX);
    CHECK_EQUAL(start_power((struct power){.power = 2, .least = HUGE_VAL}, -4, &rate,
                            "dF/dy' is singular at y' = 0, where it is sought from; give .yp0"),
                TANSY_HIGH_INDEX);
    static const char text[] = "parameter a = 0.04\nstate h = 1\nh'^2 = a*h\ntime 0 .. 5\n";
    tansy_model *const m = tansy_model_parse(text, strlen(text), "tank");
    tansy_problem problem = {.n = 0};
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_HIGH_INDEX);
    CHECK_TEXT_CONTAINS(tansy_message(s), "derivative of h is not determined");
    CHECK_TEXT_CONTAINS(tansy_message(s), "both 0.2 and -0.2 solve the equations; solve the");
    tansy_free(s);
    tansy_model_free(m);
}

/* F is looked at with y' = 1, then Newton's method begins with 2 and -2. */
TEST(a_function_that_stops_the_search_for_derivatives_is_obeyed)
{
    static const double at[] = {1, 2, -2};
    for (int k = 0; k < 3; k++) {
        double rate = 0;
        CHECK_EQUAL(start_power((struct power){2, -1, at[k] - 0.1, at[k] + 0.1}, 4, &rate, NULL),
                    TANSY_USER_STOPPED);
    }
}
