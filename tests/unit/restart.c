/* SPDX-License-Identifier: Apache-2.0 */
/* Starting again: bit for bit as a fresh solver, with other parameters, after a jump, backwards in time. */
#include "support/fault_cases.h"
#include "support/problems.h"
#include "test.h"

#include <math.h>
#include <string.h>

static tansy_solver *create(const struct fault_case *it, struct fault_user *user, const double *p)
{
    tansy_problem const problem = fault_problem(user, it->gives, p);
    return tansy_create(&problem, &it->options);
}

static void check_same(const struct fault_result *a, const struct fault_result *b)
{
    CHECK_EQUAL(a->status, TANSY_OK);
    CHECK_EQUAL(b->status, TANSY_OK);
    CHECK_EQUAL(memcmp(a->y, b->y, sizeof a->y), 0);
    CHECK_EQUAL(memcmp(a->sens, b->sens, sizeof a->sens), 0);
}

TEST(a_restart_replays_the_run_bit_for_bit)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        tansy_solver *const s = create(&it, &user, fault_p);
        struct fault_result const first = fault_integrate(s, 1);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        CHECK_CLOSE(tansy_time(s), 0, 0);
        struct fault_result const second = fault_integrate(s, 1);
        check_same(&first, &second);
        CHECK_EQUAL(second.stats.steps, 2 * first.stats.steps); /* counts go on */
        CHECK_EQUAL(second.stats.rhs_evals, 2 * first.stats.rhs_evals);
        CHECK_EQUAL(second.stats.solves, 2 * first.stats.solves);
        CHECK_EQUAL(second.stats.factorizations, 2 * first.stats.factorizations);
        CHECK_CLOSE(second.stats.h_last, first.stats.h_last, 0);
        CHECK_EQUAL(second.stats.order_last, first.stats.order_last);
        tansy_free(s);
    }
}

TEST(a_restart_with_other_parameters_is_as_a_fresh_solver)
{
    static const double other[FAULT_NP] = {1.5, 0.1, 0.5, -2};
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        tansy_solver *const old = create(&it, &user, fault_p), *const fresh =
                                                                   create(&it, &user, other);
        (void)fault_integrate(old, 1);
        CHECK_EQUAL(tansy_restart(old, 0, NULL, other, NULL), TANSY_OK);
        struct fault_result const a = fault_integrate(old, 1), b = fault_integrate(fresh, 1);
        check_same(&a, &b);
        CHECK_EQUAL(tansy_restart(old, 0, NULL, NULL, NULL), TANSY_OK); /* p stays */
        struct fault_result const c = fault_integrate(old, 1);
        check_same(&c, &b);
        tansy_free(old);
        tansy_free(fresh);
    }
}

/* f does not depend on t: a shift of t0 by a power of two shifts the times only, up to the rounding of t + h. */
TEST(a_restart_may_begin_at_another_time_and_place)
{
    struct fault_case const it = fault_case(0);
    struct fault_user user = fault_user();
    tansy_solver *const s = create(&it, &user, fault_p);
    double y[FAULT_N], sens[FAULT_SENS];
    CHECK_EQUAL(tansy_restart(s, 16, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 17, y, sens), TANSY_OK);
    CHECK_AT_MOST(fault_error(1, 1e-3, y, sens), 100 * it.options.rtol);
    CHECK_EQUAL(tansy_restart(s, 17, y, NULL, sens), TANSY_OK); /* goes on where it stands */
    double here[FAULT_N], columns[FAULT_SENS];
    CHECK_EQUAL(tansy_solve(s, 17, here, columns), TANSY_OK);
    CHECK_EQUAL(memcmp(here, y, sizeof y), 0);
    CHECK_EQUAL(memcmp(columns, sens, sizeof sens), 0);
    CHECK_EQUAL(tansy_solve(s, 18, y, sens), TANSY_OK);
    CHECK_AT_MOST(fault_error(2, 1e-3, y, sens), 200 * it.options.rtol); /* two runs */
    tansy_free(s);
}

TEST(a_wrong_restart_is_refused_by_name)
{
    struct fault_case const it = fault_case(0);
    struct fault_user user = fault_user();
    tansy_solver *const s = create(&it, &user, fault_p);
    struct fault_result const first = fault_integrate(s, 1);
    double const nan = (double)NAN, y[FAULT_N] = {1, nan}, p[FAULT_NP] = {1, 2, HUGE_VAL, 4};
    double sens[FAULT_SENS] = {0};
    sens[2 * FAULT_N + 1] = nan;
    CHECK_EQUAL(tansy_restart(s, nan, NULL, NULL, NULL), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "t0");
    CHECK_EQUAL(tansy_restart(s, 0, NULL, p, NULL), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "parameter 2");
    CHECK(tansy_restart(s, 0, y, NULL, NULL) < 0);
    CHECK_TEXT_CONTAINS(tansy_message(s), "initial value 1");
    CHECK(tansy_restart(s, 0, NULL, NULL, sens) < 0);
    CHECK_TEXT_CONTAINS(tansy_message(s), "entry 1 of initial column 2");
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK); /* clears everything */
    CHECK_EQUAL(tansy_message(s)[0], '\0');
    struct fault_result const again = fault_integrate(s, 1);
    check_same(&first, &again);
    tansy_free(s);
}

/* initial() fails at the restart: named, and gone with the next. */
TEST(a_restart_whose_initial_values_fail_can_be_repeated)
{
    for (enum fault_kind kind = GIVES_NAN; kind < FAULT_KINDS; kind++)
        for (int given = 0; given < 2; given++) { /* dy0/dp, too, is evaluated anew */
            struct fault_case const it = fault_case(given ? 0 : 2);
            struct fault_user user = fault_user();
            tansy_solver *const s = create(&it, &user, fault_p);
            struct fault_result const first = fault_integrate(s, 1);
            user.plan = (struct fault_plan){IN_INITIAL, kind, user.calls[IN_INITIAL] + 1, 1000};
            CHECK(tansy_restart(s, 0, NULL, NULL, NULL) < 0);
            CHECK_TEXT_CONTAINS(tansy_message(s), "initial point: initial ");
            CHECK(tansy_solve(s, 1, NULL, NULL) == tansy_error(s));
            user.plan.first = user.plan.last = 0;
            CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
            struct fault_result const again = fault_integrate(s, 1);
            check_same(&first, &again);
            tansy_free(s);
        }
}

/* y' = sign p y with p = 0.7314, y(0) = 2; columns p and y(0). */
struct growth {
    double sign;
};

static int growth(double t, const double *y, const double *p, double *f, void *context)
{
    const struct growth *const g = context;
    f[0] = g->sign * p[0] * y[0];
    return 0;
}

static const double growth_y0 = 2, growth_k = 0.7314;

static tansy_solver *create_growth(struct growth *g, const tansy_options *options, double t0)
{
    static const int columns[] = {0, TANSY_INITIAL(0)};
    static const double y0[] = {2}, p[] = {0.7314};
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .t0 = t0,
                                   .y0 = y0,
                                   .p = p,
                                   .context = g,
                                   .rhs = growth,
                                   .ns = 2,
                                   .columns = columns};
    return tansy_create(&problem, options);
}

/* What two runs of length T may leave of y(0), S(0) = (0, 1) when the second undoes the first: each is promised
   100 rtol of the largest value on its way (y0; y0/(k e) at most for dy/dp), and what one leaves at T grows by
   exp(k T) on the way back, an error of y by another T in dy/dp. */
static void check_returned(double T, double rtol, const double *y, const double *sens)
{
    double const grown = 1 + exp(growth_k * T), promise = 100 * rtol;
    double const s_max = growth_y0 / (growth_k * exp(1.0));
    CHECK_CLOSE(y[0], growth_y0, promise * growth_y0 * grown);
    CHECK_CLOSE(sens[0], 0, promise * (s_max + T * growth_y0) * grown);
    CHECK_CLOSE(sens[1], 1, promise * grown);
}

/* At t = 2 the sign changes: S does not jump, because the time of the change does not depend on p. */
TEST(a_restart_after_a_discontinuity_keeps_the_columns)
{
    for (size_t number = 0; number < FAULT_CASES; number += FAULT_SOURCES) {
        struct growth g = {.sign = -1};
        tansy_options options = fault_case(number).options;
        double const rtol = options.rtol = 1e-7, T = 2;
        options.atol = 1e-10;
        options.residual = TANSY_RESIDUAL_AUTO;
        options.use_stop_time = 1;
        options.stop_time = T;
        tansy_solver *const s = create_growth(&g, &options, 0);
        double y[1], sens[2];
        CHECK_EQUAL(tansy_solve(s, T, y, sens), TANSY_OK);
        CHECK_CLOSE(sens[0], -T * growth_y0 * exp(-growth_k * T), 100 * rtol);
        g.sign = 1;
        CHECK_EQUAL(tansy_restart(s, T, y, NULL, sens), TANSY_OK);
        CHECK_EQUAL(tansy_set_stop_time(s, 2 * T), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 2 * T, y, sens), TANSY_OK);
        check_returned(T, rtol, y, sens);
        tansy_free(s);
    }
}

TEST(integration_backwards_returns_to_the_initial_values)
{
    for (size_t number = 0; number < FAULT_CASES; number += FAULT_SOURCES)
        for (double T = -2; T <= 2; T += 4) {
            struct growth g = {.sign = T > 0 ? -1 : 1};
            tansy_options options = fault_case(number).options;
            double const rtol = options.rtol = 1e-7;
            options.atol = 1e-10;
            options.residual = TANSY_RESIDUAL_AUTO;
            tansy_solver *const s = create_growth(&g, &options, 0);
            double y[1], sens[2];
            CHECK_EQUAL(tansy_solve(s, T, y, sens), TANSY_OK);
            CHECK_CLOSE(y[0], growth_y0 * exp(-growth_k * fabs(T)), 100 * rtol);
            CHECK_EQUAL(tansy_restart(s, T, y, NULL, sens), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, 0, y, sens), TANSY_OK);
            check_returned(fabs(T), rtol, y, sens);
            tansy_free(s);
        }
}

/* t0 = 1 to 0 is t0 = -1 to 0 with f of the other sign: the same bits at mirrored times. */
TEST(backwards_mirrors_forwards_bit_for_bit)
{
    for (size_t number = 0; number < FAULT_CASES; number += FAULT_SOURCES) {
        tansy_options options = fault_case(number).options;
        options.residual = TANSY_RESIDUAL_AUTO;
        struct growth down = {.sign = 1}, up = {.sign = -1};
        tansy_solver *const a = create_growth(&down, &options, 1);
        tansy_solver *const b = create_growth(&up, &options, -1);
        double y[2], sens[4];
        for (int step = 0; step < 20; step++) {
            CHECK_EQUAL(tansy_step(a, -9, y, sens), TANSY_OK);
            CHECK_EQUAL(tansy_step(b, 9, y + 1, sens + 2), TANSY_OK);
            CHECK_CLOSE(tansy_time(a), -tansy_time(b), 0);
            CHECK_CLOSE(y[0], y[1], 0);
            CHECK_CLOSE(sens[0], sens[2], 0);
            CHECK_CLOSE(sens[1], sens[3], 0);
        }
        tansy_free(a);
        tansy_free(b);
    }
}
