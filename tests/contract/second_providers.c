/* SPDX-License-Identifier: Apache-2.0 */
/* What every provider of second derivatives R = d/dy(J v + tau f_t) V + d/dp(J v + tau f_t) U must do, over all sources, and of df/dt. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "support/second_case.h"
#include "test.h"

struct provider {
    const char *name;
    int gives;
    enum source source;
    double bound; /* of the error */
};

/* Products make some tens of roundings.  Differences in the model of second.c, |d^q f| <= q! F over sizes: truncation
   Delta^2/6 times the fourth derivative, 4 Delta^2, and rounding, of T, of y + eps v and of the sums, 4u/Delta: 2.2e-10 with
   Delta = 6.06e-6; of f twice that truncation and 4u/Delta^2, 1.5e-7 with Delta = 2^-13. */
static const double exact = 64 * DBL_EPSILON, tangents = 2.2e-10, values = 1.5e-7;

/* clang-format off */
enum { MATRICES = GIVE_JACOBIAN | GIVE_PARAMETER };
static const struct provider providers[] = {
    {"given",                     GIVE_SECOND,                          SOURCE_GIVEN, exact},
    {"given, with all else",      GIVE_SECOND | GIVE_TANGENT | MATRICES, SOURCE_GIVEN, exact},
    {"tangent",                   GIVE_TANGENT,                         SOURCE_TANGENT, tangents},
    {"tangent and matrices",      GIVE_TANGENT | MATRICES,              SOURCE_TANGENT, tangents},
    {"matrices",                  MATRICES,                             SOURCE_MATRIX, tangents},
    {"band matrix",               MATRICES | GIVE_BANDED,               SOURCE_MATRIX, tangents},
    {"sparse matrix",             MATRICES | GIVE_SPARSE,               SOURCE_MATRIX, tangents},
    {"pattern of df/dp",          MATRICES | GIVE_PATTERN,              SOURCE_MATRIX, tangents},
    {"df/dy alone",               GIVE_JACOBIAN,                        SOURCE_MATRIX, values},
    {"df/dp alone",               GIVE_PARAMETER,                       SOURCE_DIFFERENCES, values},
    {"f alone",                   0,                                    SOURCE_DIFFERENCES, values},
    {"B y' = f",                  GIVE_MASS,                            SOURCE_DIFFERENCES, values},
    {"F = 0, given",              GIVE_RESIDUAL | GIVE_SECOND,          SOURCE_GIVEN, exact},
    {"F = 0, tangent",            GIVE_RESIDUAL | GIVE_TANGENT,         SOURCE_TANGENT, tangents},
    {"F = 0, matrices",           GIVE_RESIDUAL | MATRICES,             SOURCE_MATRIX, tangents},
    {"F = 0, dF/dy alone",        GIVE_RESIDUAL | GIVE_JACOBIAN,        SOURCE_MATRIX, values},
    {"F = 0 alone",               GIVE_RESIDUAL,                        SOURCE_DIFFERENCES, values},
    {"B y' = f, tangent",         GIVE_MASS | GIVE_TANGENT,             SOURCE_TANGENT, tangents},
};
/* clang-format on */
enum { PROVIDERS = sizeof providers / sizeof providers[0] };

TEST(every_provider_of_second_derivatives_reaches_its_accuracy)
{
    /* tau and v of all sizes against each other, also without one of them */
    static const double tau[] = {0, 1e-3, 0.25, -0.25, 40}, factor[] = {0, 1e-3, 1, 50};
    for (int x = 0; x < PROVIDERS; x++)
        for (size_t a = 0; a < sizeof tau / sizeof *tau; a++)
            for (size_t b = 0; b < sizeof factor / sizeof *factor; b++) {
                struct second_setup s;
                if (tau[a] == 0 && factor[b] == 0) continue;
                second_prepare(&s, providers[x].gives);
                s.along.tau = tau[a];
                for (int i = 0; i < SECOND_N; i++) s.v[i] *= factor[b];
                second_build(&s);
                CHECK_EQUAL(s.of.status, TANSY_OK);
                CHECK_EQUAL(s.of.d.second_source, providers[x].source);
                CHECK_EQUAL(second_evaluate(&s), 0);
                CHECK_AT_MOST(second_error(&s), providers[x].bound);
                CHECK_EQUAL(s.of.d.worker[0].counts.second, 3);
                derive_discard(&s.of);
            }
}

/* Three columns in four lanes. */
TEST(every_provider_of_second_derivatives_writes_zeros_into_idle_lanes)
{
    for (int x = 0; x < PROVIDERS; x++) {
        struct second_setup s;
        second_prepare(&s, providers[x].gives);
        second_build(&s);
        const struct panel *const panel = s.of.panel;
        CHECK(panel->lanes == 4 && panel->count > 4 * SECOND_N);
        for (size_t e = 0; e < panel->count; e++) s.of.R[e] = (double)NAN;
        CHECK_EQUAL(second_evaluate(&s), 0);
        for (size_t i = 0; i < SECOND_N; i++) CHECK(s.of.R[i * 4 + 3] == 0);
        for (size_t e = 4 * SECOND_N; e < panel->count; e++) CHECK(s.of.R[e] == 0);
        derive_discard(&s.of);
    }
}

TEST(nothing_that_moves_gives_zero)
{
    for (int x = 0; x < PROVIDERS; x++) {
        struct second_setup s;
        second_prepare(&s, providers[x].gives);
        s.along.tau = 0;
        memset(s.v, 0, sizeof s.v);
        second_build(&s);
        for (size_t e = 0; e < s.of.panel->count; e++) s.of.R[e] = 1;
        CHECK_EQUAL(second_evaluate(&s), 0);
        for (size_t e = 0; e < s.of.panel->count; e++) CHECK(s.of.R[e] == 0);
        derive_discard(&s.of);
    }
}

/* tau is not even looked at: f is taken to be the same at all times. */
TEST(an_autonomous_problem_is_not_moved_in_time)
{
    for (int x = 0; x < PROVIDERS; x++) {
        struct second_setup s;
        double ft[SECOND_N] = {1, 1, 1};
        second_prepare(&s, providers[x].gives | GIVE_TIME);
        s.of.problem.autonomous = 1;
        second_build(&s);
        CHECK_EQUAL(second_evaluate(&s), 0);
        CHECK_AT_MOST(second_error(&s), providers[x].bound);
        struct point const at = {.t = s.of.t, .y = s.of.y};
        CHECK_EQUAL(derive_time(&s.of.d, 0, &at, 0.5, ft), 0);
        for (int i = 0; i < SECOND_N; i++) CHECK(ft[i] == 0);
        CHECK_EQUAL(s.of.d.time_source, SOURCE_NONE);
        derive_discard(&s.of);
    }
}

/* 40 columns make a panel of 32 and one of 8, which the second worker evaluates in turn. */
TEST(every_provider_of_second_derivatives_serves_every_panel_and_worker)
{
    int columns[40];
    for (int k = 0; k < 40; k++) columns[k] = k % 3 == 2 ? TANSY_INITIAL(k % 2) : k % 3;
    for (int x = 0; x < PROVIDERS; x++) {
        struct second_setup s;
        second_prepare(&s, providers[x].gives);
        s.of.problem.ns = 40;
        s.of.problem.columns = columns;
        s.of.workers = 2;
        second_build(&s);
        CHECK_EQUAL(s.of.panels, 2);
        for (size_t turn = 0; turn < 4; turn++) {
            s.of.at = turn % 2;
            second_fill(&s);
            CHECK_EQUAL(second_evaluate(&s), 0);
            CHECK_AT_MOST(second_error(&s), providers[x].bound);
            const struct panel *const panel = &s.of.panel[s.of.at];
            for (size_t e = panel->lanes * SECOND_N; e < panel->count; e++) CHECK(s.of.R[e] == 0);
        }
        CHECK_EQUAL(s.of.d.worker[1].counts.second, 2 * 40);
        derive_discard(&s.of);
    }
}

/* Directions in y and p at once. */
TEST(every_provider_of_second_derivatives_follows_directions)
{
    static const double directions[] = {0.5, 0, 0, 1, 0, -2, 0, 0, 1, 0.25, 3, 0.125};
    for (int x = 0; x < PROVIDERS; x++) {
        struct second_setup s;
        second_prepare(&s, providers[x].gives);
        s.of.problem.ns = 2;
        s.of.problem.columns = NULL;
        s.of.problem.directions = directions;
        second_build(&s);
        CHECK_EQUAL(second_evaluate(&s), 0);
        CHECK_AT_MOST(second_error(&s), providers[x].bound);
        derive_discard(&s.of);
    }
}

/* Evaluates with the calls from first to last failing; the code.  p is what it was. */
static int evaluate_with_fault(struct second_setup *s, enum fault fault, size_t first, size_t last)
{
    struct derive_user *const user = &s->of.user;
    user->calls = 0;
    user->first = first;
    user->last = last;
    user->fault = fault;
    s->of.d.worker[0].failure.kind = FAILURE_NONE;
    int const code = second_evaluate(s);
    CHECK(memcmp(s->of.d.worker[0].p, s->of.p, SECOND_NP * sizeof(double)) == 0);
    return code;
}

TEST(failing_from_the_kth_call_on_is_reported)
{
    for (int x = 0; x < PROVIDERS; x++) {
        struct second_setup s;
        second_prepare(&s, providers[x].gives);
        second_build(&s);
        const struct failure *const failure = &s.of.d.worker[0].failure;
        CHECK_EQUAL(evaluate_with_fault(&s, FAULT_NONE, 0, 0), 0);
        size_t const calls = s.of.user.calls;
        for (size_t k = 1; k <= calls; k++) {
            CHECK(evaluate_with_fault(&s, FAULT_POSITIVE, k, SIZE_MAX) > 0);
            CHECK_EQUAL(failure->kind, FAILURE_POSITIVE);
            CHECK_EQUAL(failure->code, 3);
            CHECK(evaluate_with_fault(&s, FAULT_NAN, k, SIZE_MAX) > 0);
            CHECK_EQUAL(failure->kind, FAILURE_NOT_FINITE);
            CHECK_EQUAL(failure->row, 0);
            CHECK(evaluate_with_fault(&s, FAULT_NEGATIVE, k, SIZE_MAX) < 0);
            CHECK_EQUAL(failure->kind, FAILURE_NEGATIVE);
            CHECK_EQUAL(s.of.user.calls, k);
        }
        CHECK_EQUAL(evaluate_with_fault(&s, FAULT_NONE, 0, 0), 0);
        CHECK_AT_MOST(second_error(&s), providers[x].bound);
        derive_discard(&s.of);
    }
}

/* A single call that fails is gone round, with formulas of one side of the same order: truncation 2 Delta^2 and rounding
   4u/Delta instead of Delta^2 and u/Delta, in each of the two directions where f is differenced twice. */
TEST(differences_of_tangents_go_round_a_point_where_they_fail)
{
    for (int x = 0; x < PROVIDERS; x++) {
        struct second_setup s;
        if (providers[x].source == SOURCE_GIVEN) continue;
        second_prepare(&s, providers[x].gives);
        second_build(&s);
        CHECK_EQUAL(evaluate_with_fault(&s, FAULT_NONE, 0, 0), 0);
        size_t const calls = s.of.user.calls;
        for (size_t k = 1; k <= calls; k++) {
            CHECK_EQUAL(evaluate_with_fault(&s, k % 2 ? FAULT_NAN : FAULT_POSITIVE, k, k), 0);
            CHECK_EQUAL(s.of.d.worker[0].failure.kind, FAILURE_NONE);
            CHECK_AT_MOST(second_error(&s), 16 * providers[x].bound);
            CHECK(evaluate_with_fault(&s, FAULT_NEGATIVE, k, k) < 0);
        }
        derive_discard(&s.of);
    }
}

/* A panel's column is counted from the first of all. */
TEST(a_second_derivative_that_is_not_finite_is_told_by_row_and_column)
{
    static const int gives[] = {GIVE_SECOND, GIVE_TANGENT};
    int columns[40];
    for (int k = 0; k < 40; k++) columns[k] = k % 3;
    for (int x = 0; x < 2; x++) {
        struct second_setup s;
        second_prepare(&s, gives[x]);
        s.of.problem.ns = 40;
        s.of.problem.columns = columns;
        second_build(&s);
        s.of.at = 1;
        second_fill(&s);
        CHECK(evaluate_with_fault(&s, FAULT_NAN, 1, SIZE_MAX) > 0);
        CHECK_EQUAL(s.of.d.worker[0].failure.column, 32);
        derive_discard(&s.of);
    }
}

/* In short steps far from t = 0 an increment that would do for y may be too short for t: the two are then moved apart. */
TEST(a_short_span_gives_no_increment_of_zero)
{
    for (int x = 0; x < PROVIDERS; x++)
        for (int k = 20; k < 56; k += TEST_STRIDE)
            for (double factor = 1; factor < 1e13; factor *= 5) {
                struct second_setup s;
                second_prepare(&s, providers[x].gives);
                s.of.t = 1;
                s.along.span = ldexp(1, -k);
                s.along.tau = 1;
                for (int i = 0; i < SECOND_N; i++) s.v[i] *= factor;
                second_build(&s);
                CHECK_EQUAL(second_evaluate(&s), 0);
                for (size_t e = 0; e < s.of.panel->count; e++) CHECK(isfinite(s.of.R[e]));
                derive_discard(&s.of);
            }
}
