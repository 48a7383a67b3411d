/* SPDX-License-Identifier: Apache-2.0 */
/* derive_check finds one wrong entry in each function, and calls nothing wrong that is right. */
#include <math.h>
#include <stdint.h>

#include "support/derive_cases.h"
#include "support/reference.h"
#include "test.h"

static const struct derive_case *const robertson = &derive_case_list[0];

static tansy_status check_now(struct derive_setup *s)
{
    return derive_check(&s->d, &(struct point){.t = s->t, .y = s->y}, 0,
                        s->panels ? s->panel : NULL, &s->message);
}

/* The entry (1, 0) is off by `relative` of itself; the message must hold the words. */
static void check_finds(const struct derive_case *of, int gives, double wrong, const char *words)
{
    struct derive_setup s;
    derive_prepare(&s, of, gives);
    derive_build(&s);
    CHECK_EQUAL(check_now(&s), TANSY_OK);
    s.user.wrong = wrong;
    CHECK_EQUAL(check_now(&s), TANSY_WRONG_DERIVATIVE);
    CHECK_TEXT_CONTAINS(s.message.text, words);
    CHECK_TEXT_CONTAINS(s.message.text, "but differences say");
    derive_discard(&s);
}

TEST(a_wrong_entry_is_found_in_each_function)
{
    const struct derive_case *const chain = &derive_case_list[2];
    check_finds(robertson, GIVE_JACOBIAN, 1, "jacobian: df_1/dy_0 is given as 1.04 but");
    check_finds(robertson, GIVE_JACOBIAN, 1e-6, "jacobian: df_1/dy_0"); /* 2.5e-5 of itself */
    check_finds(chain, GIVE_JACOBIAN | GIVE_BANDED, 1, "jacobian: df_1/dy_0 is given as 31");
    check_finds(robertson, GIVE_PARAMETER, 1, "parameter_jacobian: df_1/dp_0 is given as 1.9 but");
    check_finds(robertson, GIVE_PARAMETER | GIVE_PATTERN, -1, "parameter_jacobian: df_1/dp_0");
    check_finds(robertson, GIVE_TANGENT, 1, "tangent: component 1 of J v + f_p u");
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0;
    (void)context;
    for (int i = 0; i < 3; i++) y0[i] = p[i] * p[0];
    return 0;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)t0;
    const struct derive_user *const user = context;
    for (int i = 0; i < 3; i++) {
        D[4 * i] = p[0];
        D[3 * i] += p[i];
    }
    D[3] += user->wrong;
    return user->fault == FAULT_NEGATIVE ? -1 : 0;
}

TEST(a_wrong_entry_is_found_in_the_initial_jacobian)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, 0);
    s.problem.initial = initial;
    s.problem.initial_jacobian = initial_jacobian;
    derive_build(&s);
    CHECK_EQUAL(check_now(&s), TANSY_OK);
    s.user.wrong = 1;
    CHECK_EQUAL(check_now(&s), TANSY_WRONG_DERIVATIVE);
    CHECK_TEXT_CONTAINS(s.message.text, "initial_jacobian: dy_1/dp_0 is given as 10001 but");
    s.user.fault = FAULT_NEGATIVE;
    CHECK_EQUAL(check_now(&s), TANSY_USER_STOPPED);
    derive_discard(&s);
}

/* The chain is tridiagonal; a band without the lower diagonal leaves df_1/dy_0 out. */
TEST(an_entry_outside_the_band_is_found)
{
    struct derive_setup s;
    struct derive_case narrow = derive_case_list[2];
    narrow.lower = 0;
    derive_prepare(&s, &narrow, GIVE_JACOBIAN | GIVE_BANDED);
    derive_build(&s);
    CHECK_EQUAL(check_now(&s), TANSY_WRONG_DERIVATIVE);
    CHECK_TEXT_CONTAINS(s.message.text, "jacobian: df_1/dy_0 is given as 0 but differences say 30");
    derive_discard(&s);
}

static int jump(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)p;
    (void)context;
    f[0] = y[0] > -3 ? 1 : 0;
    return 0;
}

/* Across a jump the difference grows as 1/h: that says nothing about the derivative. */
TEST(what_differences_cannot_tell_is_not_called_wrong)
{
    struct derive_setup s;
    derive_prepare(&s, &derive_case_list[3], GIVE_JACOBIAN);
    s.problem.rhs = jump;
    derive_build(&s);
    CHECK_EQUAL(check_now(&s), TANSY_OK);
    derive_discard(&s);
}

static void swing(const double *y, const double *p, double *f)
{
    f[0] = y[1];
    f[1] = -p[0] * sin(y[0]) - p[1] * y[1] * fabs(y[1]);
}

static void swing_exact(const double *y, const double *p, double *J, double *F)
{
    J[1] = 1;
    J[2] = -p[0] * cos(y[0]);
    J[3] = -2 * p[1] * fabs(y[1]);
    F[2] = -sin(y[0]);
    F[3] = -y[1] * fabs(y[1]);
}

/* atol/rtol is far above all of y: over such increments sin turns many times, and squares round away what is looked for. */
TEST(a_tolerance_far_above_the_state_does_not_make_derivatives_wrong)
{
    struct derive_case far = {.name = "swing",
                              .n = 2,
                              .np = 2,
                              .lower = 1,
                              .upper = 1,
                              .y = {0.5, 3},
                              .p = {9.81, 0.2},
                              .level = {1e15, 1e15},
                              .rhs = swing,
                              .exact = swing_exact};
    int const gives = GIVE_JACOBIAN | GIVE_PARAMETER | GIVE_TANGENT;
    check_finds(&far, gives, 1e-3, "jacobian: df_1/dy_0");
    check_finds(&far, GIVE_PARAMETER, 1e-3, "parameter_jacobian: df_1/dp_0");
    far.y[0] = far.y[1] = 0;
    check_finds(&far, gives, 1e-3, "jacobian: df_1/dy_0");
    far.level[1] = 1e-3;
    check_finds(&far, gives, 1e-3, "jacobian: df_1/dy_0");
    struct derive_case robertson_far = *robertson;
    for (int i = 0; i < 3; i++) robertson_far.level[i] = 1e15;
    check_finds(&robertson_far, gives, 1e-3, "jacobian: df_1/dy_0");
}

TEST(nothing_given_is_nothing_wrong)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, 0);
    derive_build(&s);
    CHECK_EQUAL(check_now(&s), TANSY_OK);
    CHECK_EQUAL(s.user.calls, 0);
    derive_discard(&s);
}

TEST(failing_the_kth_call_of_a_check_is_reported)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, GIVE_JACOBIAN | GIVE_PARAMETER | GIVE_TANGENT);
    derive_build(&s);
    CHECK_EQUAL(check_now(&s), TANSY_OK);
    size_t const calls = s.user.calls;
    s.user.last = SIZE_MAX;
    for (size_t k = 1; k <= calls; k++) {
        s.user.first = k;
        s.user.calls = 0;
        s.user.fault = FAULT_NAN;
        CHECK_EQUAL(check_now(&s), TANSY_NOT_FINITE);
        CHECK_TEXT_CONTAINS(s.message.text, "gave NaN in");
        s.user.calls = 0;
        s.user.fault = FAULT_POSITIVE;
        CHECK_EQUAL(check_now(&s), TANSY_USER_FAILED);
        s.user.calls = 0;
        s.user.fault = FAULT_NEGATIVE;
        CHECK_EQUAL(check_now(&s), TANSY_USER_STOPPED);
        for (size_t j = 0; j < 3; j++) CHECK(s.d.worker[0].p[j] == robertson->p[j]);
        for (size_t x = 0; x < 3 * s.panel->lanes; x++) CHECK(s.d.worker[0].U[x] == 0);
    }
    derive_discard(&s);
}

/* All problems of the test suite, with everything they give, at their initial and reference times. */
TEST(right_derivatives_of_all_problems_are_not_called_wrong)
{
    const struct test_problem *of = NULL;
    for (size_t q = 0; (of = problem_number(q)) != NULL; q++) {
        if (!of->reference) continue;
        struct reference reference;
        struct derive_setup s;
        reference_read(of, &reference);
        derive_prepare_problem(&s, of);
        derive_build(&s);
        CHECK_EQUAL(check_now(&s), TANSY_OK);
        for (size_t m = 0; m < reference.times; m += 1 + reference.times / 8) {
            s.t = reference.t[m];
            s.y = reference.y + m * reference.n;
            CHECK_EQUAL(check_now(&s), TANSY_OK);
        }
        derive_discard(&s);
        reference_free(&reference);
    }
}
