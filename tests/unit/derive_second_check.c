/* SPDX-License-Identifier: Apache-2.0 */
/* derive_check finds a wrong entry of .second and of .time_derivative, and an f that is not autonomous; where room for second
   derivatives is placed and what derive_need_second asks for. */
#include <float.h>
#include <stdint.h>
#include <string.h>

#include "support/second_case.h"
#include "test.h"

static tansy_status check_now(struct second_setup *s)
{
    static const double yp[SECOND_N] = {0.3, -0.7, 0.1};
    struct point const at = {.t = s->of.t, .y = s->of.y, .yp = yp};
    return derive_check(&s->of.d, &at, 0, s->of.panel, &s->of.message);
}

static void check_finds(int gives, double wrong, const char *words)
{
    struct second_setup s;
    second_prepare(&s, gives);
    second_build(&s);
    CHECK_EQUAL(check_now(&s), TANSY_OK);
    s.of.user.wrong = wrong;
    CHECK_EQUAL(check_now(&s), TANSY_WRONG_DERIVATIVE);
    CHECK_TEXT_CONTAINS(s.of.message.text, words);
    CHECK(memcmp(s.of.d.worker[0].p, s.of.p, SECOND_NP * sizeof(double)) == 0);
    derive_discard(&s.of);
}

TEST(a_wrong_second_derivative_is_found)
{
    static const char words[] = "second: component 1 of d(J v + tau f_t) is given as";
    check_finds(GIVE_SECOND, 0.01, words);
    check_finds(GIVE_SECOND | GIVE_TANGENT, 1e-4, words);
    check_finds(GIVE_SECOND | GIVE_MASS, 0.01, words);
    static const char of_F[] = "second: component 1 of d(F_y v + tau F_t) is given as";
    check_finds(GIVE_RESIDUAL | GIVE_SECOND, 0.01, of_F);
    check_finds(GIVE_RESIDUAL | GIVE_SECOND | GIVE_TANGENT, 1e-4, of_F);
}

TEST(a_wrong_time_derivative_is_found)
{
    static const char words[] = "time_derivative: component 2 of df/dt is given as";
    check_finds(GIVE_TIME, 1e-4, words);
    check_finds(GIVE_TIME | GIVE_MASS, 1e-4, words);
    check_finds(GIVE_RESIDUAL | GIVE_TIME, 1e-4,
                "time_derivative: component 2 of dF/dt is given as");
}

TEST(a_B_that_is_not_constant_is_found)
{
    check_finds(GIVE_RESIDUAL, SECOND_B_OF_STATE, "when t and y change by a hundredth");
    check_finds(GIVE_RESIDUAL, SECOND_B_OF_RATE, "when they are halved and the sum doubled");
}

TEST(a_problem_that_is_not_autonomous_is_found)
{
    struct second_setup s;
    second_prepare(&s, GIVE_SECOND);
    s.of.problem.autonomous = 1;
    second_build(&s);
    CHECK_EQUAL(check_now(&s), TANSY_WRONG_DERIVATIVE);
    CHECK_TEXT_CONTAINS(s.of.message.text, "autonomous: component 0 of df/dt is given as 0 but");
    derive_discard(&s.of);
    second_prepare(&s, 0);
    second_build(&s);
    CHECK_EQUAL(check_now(&s), TANSY_OK); /* nothing to compare */
    derive_discard(&s.of);
}

TEST(functions_that_fail_in_a_check_are_told)
{
    static const int gives[] = {GIVE_SECOND, GIVE_SECOND | GIVE_TANGENT, GIVE_TIME,
                                GIVE_RESIDUAL | GIVE_TIME};
    for (int x = 0; x < 4; x++) {
        struct second_setup s;
        second_prepare(&s, gives[x]);
        second_build(&s);
        struct derive_user *const user = &s.of.user;
        CHECK_EQUAL(check_now(&s), TANSY_OK);
        size_t const calls = user->calls;
        for (size_t k = 1; k <= calls; k++) {
            user->first = k;
            user->last = SIZE_MAX;
            user->calls = 0;
            user->fault = FAULT_NAN;
            CHECK_EQUAL(check_now(&s), TANSY_NOT_FINITE);
            user->calls = 0;
            user->fault = FAULT_NEGATIVE;
            CHECK_EQUAL(check_now(&s), TANSY_USER_STOPPED);
            CHECK(memcmp(s.of.d.worker[0].p, s.of.p, SECOND_NP * sizeof(double)) == 0);
        }
        derive_discard(&s.of);
    }
}

/* Bytes of a provider's block. */
static size_t bytes_of(int gives, bool has_second)
{
    struct second_setup s;
    struct arena arena = {0};
    second_prepare(&s, gives);
    s.of.has_second = has_second;
    second_build(&s);
    CHECK((s.of.d.second != NULL) == has_second);
    if (!has_second) CHECK_EQUAL(s.of.d.second_source, SOURCE_NONE);
    derive_layout(&s.of.d, &arena, s.of.panel, s.of.panels);
    derive_discard(&s.of);
    return arena.used;
}

TEST(room_is_placed_only_where_second_derivatives_are_wanted)
{
    static const int gives[] = {GIVE_TANGENT, GIVE_JACOBIAN | GIVE_PARAMETER, GIVE_JACOBIAN, 0};
    for (int x = 0; x < 4; x++) CHECK(bytes_of(gives[x], true) > bytes_of(gives[x], false));
    int const all = GIVE_SECOND | GIVE_TANGENT;
    CHECK_EQUAL(bytes_of(all, true), bytes_of(all, false));
}

static int completions;

static int complete(tansy_problem *problem)
{
    (void)problem;
    return ++completions == 4 ? -1 : 0;
}

static tansy_status need(tansy_problem problem, bool columns, struct derive *d)
{
    struct message message;
    *d = (struct derive){.form = derive_form(&problem)};
    problem.complete = complete;
    return derive_need_second(d, &problem, columns, &message);
}

TEST(a_problem_is_completed_only_where_something_is_missing)
{
    struct second_setup s;
    struct derive d;
    completions = 0;
    second_prepare(&s, GIVE_SECOND | GIVE_TIME);
    tansy_problem problem = s.of.problem;
    CHECK_EQUAL(need(problem, true, &d), TANSY_OK);
    CHECK(d.has_second && completions == 0);
    problem.second = NULL;
    CHECK_EQUAL(need(problem, false, &d), TANSY_OK);
    CHECK(!d.has_second && completions == 0);
    CHECK_EQUAL(need(problem, true, &d), TANSY_OK);
    CHECK(d.has_second && completions == 1);
    problem.time_derivative = NULL;
    CHECK_EQUAL(need(problem, false, &d), TANSY_OK);
    CHECK_EQUAL(completions, 2);
    problem.autonomous = 1;
    CHECK_EQUAL(need(problem, false, &d), TANSY_OK);
    CHECK_EQUAL(completions, 2);
    CHECK_EQUAL(need(problem, true, &d), TANSY_OK);
    CHECK_EQUAL(need(problem, true, &d), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(completions, 4);
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)p, (void)context;
    for (int i = 0; i < SECOND_N; i++) F[i] = yp[i] + y[i];
    return 0;
}

TEST(residuals_have_no_second_derivatives_unless_B_is_constant)
{
    struct second_setup s;
    struct derive d;
    second_prepare(&s, 0);
    s.of.problem.rhs = NULL;
    s.of.problem.residual = residual;
    s.of.has_second = false;
    completions = 0;
    CHECK_EQUAL(need(s.of.problem, true, &d), TANSY_OK);
    CHECK(!d.has_second && completions == 0);
    derive_build(&s.of);
    CHECK(!s.of.d.second && s.of.d.time_source == SOURCE_NONE);
    derive_discard(&s.of);
}
