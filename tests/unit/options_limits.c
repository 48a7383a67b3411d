/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the corrector's iterations and of failures in a step; tolerances and largest step that change during a run. */
#include "support/promise.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

/* Van der Pol's oscillator; with `trembles` f does so from t = 1 on, with `wrong` df/dy has the wrong sign. */
struct user {
    int trembles, wrong;
};

static int oscillate(double t, const double *y, const double *p, double *f, void *context)
{
    const struct user *const user = context;
    f[0] = y[1] + (user->trembles && t > 1 ? sin(1e7 * t) : 0);
    f[1] = p[0] * (1 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}

static int derivative(double t, const double *y, const double *p, double *J, void *context)
{
    const struct user *const user = context;
    double const sign = user->wrong ? -1 : 1;
    (void)t;
    J[0] = 0;
    J[1] = sign;
    J[2] = sign * (-2 * p[0] * y[0] * y[1] - 1);
    J[3] = sign * p[0] * (1 - y[0] * y[0]);
    return 0;
}

static const double y0[2] = {2, 0};
static double p[1] = {20};

static tansy_problem oscillator(struct user *user)
{
    return (tansy_problem){.n = 2,
                           .np = 1,
                           .y0 = y0,
                           .p = p,
                           .rhs = oscillate,
                           .jacobian = derivative,
                           .context = user};
}

static tansy_stats run(const tansy_options *options)
{
    struct user user = {0};
    tansy_problem const problem = oscillator(&user);
    tansy_stats stats;
    tansy_solver *const s = tansy_create(&problem, options);
    CHECK_EQUAL(tansy_solve(s, 30, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats;
}

struct iterations {
    size_t over; /* steps with more than two for every attempt and factorisation */
    size_t most; /* in a step of one attempt and at most one factorisation */
};

static size_t attempts_of(const tansy_stats *s)
{
    return s->steps + s->rejected_error + s->rejected_newton;
}

static struct iterations look(const tansy_options *options)
{
    struct user user = {0};
    tansy_problem const problem = oscillator(&user);
    struct iterations found = {0, 0};
    tansy_stats before = {0}, after;
    tansy_solver *const s = tansy_create(&problem, options);
    while (tansy_time(s) < 30) {
        CHECK_EQUAL(tansy_step(s, 30, NULL, NULL), TANSY_OK);
        tansy_get_stats(s, &after);
        size_t const iterations = after.newton_state - before.newton_state;
        size_t const attempts = attempts_of(&after) - attempts_of(&before);
        size_t const factors = after.factorizations - before.factorizations;
        found.over += iterations > 2 * (attempts + factors);
        if (attempts == 1 && factors <= 1 && iterations > found.most) found.most = iterations;
        before = after;
    }
    tansy_free(s);
    return found;
}

/* No step has more with max_newton = 2, and some have without. */
static bool acts(const tansy_options *two)
{
    tansy_options usual = *two;
    usual.max_newton = 0;
    struct iterations const with = look(two), without = look(&usual);
    return with.over == 0 && (without.over > 0 || without.most > with.most);
}

/* An attempt iterates once, and once more with new factors. */
TEST(max_newton_limits_the_iterations_of_an_attempt)
{
    for (size_t c = 0; c < CORRECTORS; c++)
        for (int m = 0; m < 2; m++) {
            tansy_options o = {.method = m ? TANSY_DASSL : TANSY_BDF,
                               .sensitivities = all_correctors[c],
                               .rtol = 1e-4,
                               .newton_tolerance = 1e-3};
            tansy_stats const usual = run(&o);
            o.max_newton = 2;
            tansy_stats const two = run(&o);
            size_t const attempts = two.steps + two.rejected_error + two.rejected_newton;
            CHECK(two.newton_state <= 2 * (attempts + two.factorizations));
            CHECK(acts(&o));
            if (all_correctors[c] == TANSY_DIRECT) continue; /* whose mean is below two anyway */
            CHECK((double)two.newton_state / (double)attempts <
                  (double)usual.newton_state / (double)usual.steps);
        }
}

TEST(newton_tolerance_says_what_the_iteration_may_leave)
{
    for (size_t c = 0; c < CORRECTORS; c++) {
        tansy_options o = {.method = TANSY_DASSL, .sensitivities = all_correctors[c]};
        size_t const usual = run(&o).newton_state;
        o.newton_tolerance = 0.1;
        CHECK_EQUAL(run(&o).newton_state, usual);
        o.newton_tolerance = 1e-3;
        CHECK(run(&o).newton_state > usual);
    }
}

TEST(max_error_failures_ends_a_step_that_fails_its_test)
{
    for (int most = 1; most < 4; most++) {
        struct user user = {.trembles = 1};
        tansy_problem const problem = oscillator(&user);
        tansy_stats stats;
        tansy_options const options = {
            .method = TANSY_DASSL, .rtol = 1e-8, .max_error_failures = most};
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_STEP_TOO_SMALL);
        CHECK_TEXT_CONTAINS(tansy_message(s), "is max_error_failures too small");
        tansy_get_stats(s, &stats);
        CHECK(stats.rejected_error >= (size_t)most);
        CHECK_TEXT_CONTAINS(tansy_message(s), most == 1   ? "in 1 attempt,"
                                              : most == 2 ? "in 2 attempts,"
                                                          : "in 3 attempts,");
        tansy_free(s);
    }
}

TEST(max_convergence_failures_ends_a_step_whose_corrector_fails)
{
    for (int most = 1; most < 3; most++) {
        struct user user = {.wrong = 1};
        tansy_problem const problem = oscillator(&user);
        tansy_options const options = {.method = TANSY_DASSL,
                                       .sensitivities = TANSY_NONE,
                                       .first_step = 1,
                                       .max_convergence_failures = most};
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_NOT_CONVERGED);
        CHECK_TEXT_CONTAINS(tansy_message(s), "is max_convergence_failures too small");
        CHECK_TEXT_CONTAINS(tansy_message(s), most == 1 ? "in 1 attempt," : "in 2 attempts,");
        tansy_free(s);
    }
}

TEST(one_iteration_is_refused)
{
    char message[200];
    CHECK_EQUAL(tansy_options_check(&(tansy_options){.max_newton = 1}, message, sizeof message),
                TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(message, "2 iterations");
}

/* Everything follows, the formula of differences too: the run is that of a solver made with them, bit for bit. */
TEST(tolerances_set_before_the_first_step_are_those_of_the_run)
{
    for (size_t c = 0; c < CORRECTORS; c++) {
        struct user user = {0};
        tansy_problem problem = oscillator(&user);
        double y[2][2], S[2][2];
        static const double rtol[] = {1e-2, 1e-2}, atol[] = {1e-3, 1e-3};
        problem.jacobian = NULL;
        tansy_options const loose = {.method = TANSY_DASSL,
                                     .sensitivities = all_correctors[c],
                                     .rtol_state = rtol,
                                     .atol_state = atol};
        tansy_options tight = loose;
        tight.rtol_state = tight.atol_state = NULL;
        tight.rtol = 1e-7;
        tight.atol = 1e-10;
        for (int k = 0; k < 2; k++) {
            tansy_solver *const s = tansy_create(&problem, k ? &tight : &loose);
            if (!k) CHECK_EQUAL(tansy_set_tolerances(s, 1e-7, 1e-10), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, 5, y[k], S[k]), TANSY_OK);
            tansy_free(s);
        }
        CHECK_EQUAL(memcmp(y[0], y[1], sizeof y[0]), 0);
        CHECK_EQUAL(memcmp(S[0], S[1], sizeof S[0]), 0);
    }
}

/* BDF of orders up to 5: a thousandth of the tolerance takes at least 1000^(1/6) = 3.2 times the steps. */
TEST(tolerances_can_be_changed_between_two_calls)
{
    struct user user = {0};
    tansy_problem const problem = oscillator(&user);
    tansy_stats a, b;
    p[0] = 1;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_DASSL, .rtol = 1e-4});
    double const period = 6.66328686;
    CHECK_EQUAL(tansy_solve(s, 10, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &a);
    size_t const before = a.steps;
    CHECK_EQUAL(tansy_solve(s, 10 + period, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &a);
    CHECK_EQUAL(tansy_set_tolerances(s, 1e-7, 1e-12), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 10 + 2 * period, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &b);
    CHECK_AT_MOST(2.5 * (double)(a.steps - before), (double)(b.steps - a.steps));
    tansy_free(s);
    p[0] = 20;
}

TEST(tolerances_that_cannot_be_kept_change_nothing)
{
    struct user user = {0};
    tansy_problem problem = oscillator(&user);
    problem.jacobian = NULL;
    double y[2][2], S[2][2];
    tansy_options const options = {.method = TANSY_DASSL, .difference = TANSY_CENTRAL};
    for (int k = 0; k < 2; k++) {
        tansy_solver *const s = tansy_create(&problem, &options);
        if (k) CHECK_EQUAL(tansy_set_tolerances(s, 1e-3, TANSY_NO_ATOL), TANSY_ZERO_WEIGHT);
        if (k) CHECK_TEXT_CONTAINS(tansy_message(s), "give it an atol");
        CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_OK);
        if (k) {
            CHECK_EQUAL(tansy_set_tolerances(s, (double)NAN, 1), TANSY_BAD_OPTION);
            CHECK_EQUAL(tansy_set_tolerances(s, 1e-3, -3), TANSY_BAD_OPTION);
            CHECK_EQUAL(tansy_set_tolerances(s, 1e-10, 1e-9), TANSY_BAD_OPTION);
            CHECK_TEXT_CONTAINS(tansy_message(s), "central differences reach");
            CHECK_EQUAL(tansy_error(s), TANSY_OK);
        }
        CHECK_EQUAL(tansy_solve(s, 5, y[k], S[k]), TANSY_OK);
        tansy_free(s);
    }
    CHECK_EQUAL(memcmp(y[0], y[1], sizeof y[0]), 0);
    CHECK_EQUAL(memcmp(S[0], S[1], sizeof S[0]), 0);
    CHECK_EQUAL(tansy_set_tolerances(NULL, 0, 0), TANSY_OUT_OF_MEMORY);
    tansy_solver *s = tansy_create(NULL, NULL);
    CHECK_EQUAL(tansy_set_tolerances(s, 0, 0), TANSY_BAD_PROBLEM);
    CHECK_EQUAL(tansy_set_max_step(s, 0), TANSY_BAD_PROBLEM);
    tansy_free(s);
    s = tansy_create(&problem, &(tansy_options){.sensitivities = TANSY_NONE});
    CHECK_EQUAL(tansy_set_tolerances(s, 1e-16, 1e-30), TANSY_TOO_MUCH_ACCURACY);
    CHECK_TEXT_CONTAINS(tansy_message(s), "multiply them by");
    tansy_free(s);
}

TEST(the_largest_step_can_be_changed_between_two_calls)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_BDF,        TANSY_ADAMS,
                                           TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};
    p[0] = 1;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        struct user user = {0};
        tansy_problem const problem = oscillator(&user);
        tansy_options const options = {.method = methods[m], .min_step = 1e-6};
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_set_max_step(s, 0.05), TANSY_OK); /* nothing has been done yet */
        CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_set_max_step(s, 1e-3), TANSY_OK);
        double largest = 0, t = tansy_time(s);
        for (int k = 0; k < 50; k++, t = tansy_time(s)) {
            CHECK_EQUAL(tansy_step(s, 10, NULL, NULL), TANSY_OK);
            largest = fmax(largest, tansy_time(s) - t);
        }
        CHECK_AT_MOST(largest, 1e-3 + 4 * DBL_EPSILON * t);
        CHECK_EQUAL(tansy_set_max_step(s, 0), TANSY_OK);
        for (int k = 0; k < 50; k++, t = tansy_time(s)) {
            CHECK_EQUAL(tansy_step(s, 100, NULL, NULL), TANSY_OK);
            largest = fmax(largest, tansy_time(s) - t);
        }
        CHECK(largest > 2e-3);
        CHECK_EQUAL(tansy_set_max_step(s, -1), TANSY_BAD_OPTION);
        CHECK_EQUAL(tansy_set_max_step(s, 1e-7), TANSY_BAD_OPTION);
        CHECK_EQUAL(tansy_set_max_step(s, HUGE_VAL), TANSY_BAD_OPTION);
        tansy_free(s);
    }
    p[0] = 20;
    CHECK_EQUAL(tansy_set_max_step(NULL, 1), TANSY_OUT_OF_MEMORY);
}
