/* SPDX-License-Identifier: Apache-2.0 */
/* Second derivatives by values of f for a method that multiplies their errors: nine digits for twice the evaluations, and points where f
   fails are gone round with seven. */
#include <stdint.h>

#include "support/second_case.h"
#include "test.h"

static const int gives[] = {0, GIVE_JACOBIAN, GIVE_PARAMETER, GIVE_MASS, GIVE_RESIDUAL};
enum { WAYS = sizeof gives / sizeof *gives };

/* In the model of contract/second_providers.c, |d^q f| <= q! F: what (4 R_1 - R_2)/3 leaves of the central formulas, 4 (6 + 6 + 20) Delta^4, and
   their rounding, (4/3 + 1/12) 4u/Delta^2, with Delta = 2^-10.  Usual: Delta = 2^-13, four values. */
static const double finely = 8e-10, usually = 1.5e-7;

static void build(struct second_setup *s, int what, double factor, bool is_fine)
{
    second_prepare(s, what);
    s->along.tau = 0;
    s->along.is_fine = is_fine;
    for (int i = 0; i < SECOND_N; i++) s->v[i] *= factor;
    second_build(s);
    s->of.d.y0_tolerance = 1e-8;
}

TEST(second_derivatives_by_eight_values_have_nine_digits)
{
    static const double factor[] = {1e-3, 1, 50};
    for (int x = 0; x < WAYS; x++)
        for (size_t b = 0; b < sizeof factor / sizeof *factor; b++) {
            struct second_setup s;
            build(&s, gives[x], factor[b], false);
            CHECK_EQUAL(second_evaluate(&s), 0);
            size_t const calls = s.of.user.calls;
            derive_discard(&s.of);
            build(&s, gives[x], factor[b], true);
            CHECK_EQUAL(second_evaluate(&s), 0);
            CHECK_AT_MOST(second_error(&s), finely);
            CHECK_EQUAL(s.of.user.calls, 2 * calls);
            derive_discard(&s.of);
        }
}

TEST(four_values_do_where_the_tolerance_asks_for_no_more)
{
    struct second_setup s;
    build(&s, 0, 1, true);
    CHECK_EQUAL(second_evaluate(&s), 0);
    size_t const calls = s.of.user.calls;
    s.of.user.calls = 0;
    s.of.d.y0_tolerance = 1e-5;
    CHECK_EQUAL(second_evaluate(&s), 0);
    CHECK_EQUAL(2 * s.of.user.calls, calls);
    CHECK_AT_MOST(second_error(&s), usually);
    derive_discard(&s.of);
}

static int evaluate_with_fault(struct second_setup *s, enum fault fault, size_t first, size_t last)
{
    s->of.user.calls = 0;
    s->of.user.first = first;
    s->of.user.last = last;
    s->of.user.fault = fault;
    s->of.d.worker[0].failure.kind = FAILURE_NONE;
    return second_evaluate(s);
}

/* A formula of one side would leave Delta^2 in the difference of the two. */
TEST(points_where_f_fails_are_gone_round)
{
    for (int x = 0; x < WAYS; x++) {
        struct second_setup s;
        build(&s, gives[x], 1, true);
        CHECK_EQUAL(evaluate_with_fault(&s, FAULT_NONE, 0, 0), 0);
        size_t const calls = s.of.user.calls;
        for (size_t k = 1; k <= calls; k++) {
            CHECK_EQUAL(evaluate_with_fault(&s, k % 2 ? FAULT_NAN : FAULT_POSITIVE, k, k), 0);
            CHECK_EQUAL(s.of.d.worker[0].failure.kind, FAILURE_NONE);
            CHECK_AT_MOST(second_error(&s), 16 * usually);
            CHECK(evaluate_with_fault(&s, FAULT_POSITIVE, k, SIZE_MAX) > 0);
            CHECK(evaluate_with_fault(&s, FAULT_NEGATIVE, k, k) < 0);
        }
        derive_discard(&s.of);
    }
}
