/* SPDX-License-Identifier: Apache-2.0 */
/* What every provider of the tangent R = J V + f_p U must do, over all sources and a few right-hand sides with
   exact derivatives. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "support/derive_cases.h"
#include "test.h"

struct provider {
    const char *name;
    int gives;
    tansy_residual residual;
    tansy_difference difference;
};

/* clang-format off */
enum { DENSE = GIVE_JACOBIAN | GIVE_PARAMETER, BAND = DENSE | GIVE_BANDED };
static const struct provider providers[] = {
    {"seed",                         GIVE_TANGENT,               TANSY_RESIDUAL_AUTO, 0},
    {"dense matrices",               DENSE,                      TANSY_RESIDUAL_AUTO, 0},
    {"band matrix",                  BAND,                       TANSY_RESIDUAL_AUTO, 0},
    {"pattern of df/dp",             DENSE | GIVE_PATTERN,       TANSY_RESIDUAL_AUTO, 0},
    {"df/dp by forward",             GIVE_JACOBIAN,              TANSY_RESIDUAL_AUTO, TANSY_FORWARD},
    {"df/dp by central, pattern",    GIVE_JACOBIAN|GIVE_PATTERN, TANSY_MATRIX, TANSY_CENTRAL},
    {"df/dy by fourth order",        GIVE_PARAMETER,             TANSY_MATRIX, TANSY_FOURTH_ORDER},
    {"matrices by forward",          0,                          TANSY_MATRIX, TANSY_FORWARD},
    {"matrices by central",          0,                          TANSY_MATRIX, TANSY_CENTRAL},
    {"band matrix by fourth order",  GIVE_BANDED,                TANSY_MATRIX, TANSY_FOURTH_ORDER},
    {"directional forward",          0,                          TANSY_DIFFERENCES, TANSY_FORWARD},
    {"directional central",          0,                          TANSY_DIFFERENCES, TANSY_CENTRAL},
    {"directional fourth order",     0,                          TANSY_DIFFERENCES, TANSY_FOURTH_ORDER},
};
/* clang-format on */
enum { PROVIDERS = sizeof providers / sizeof providers[0] };

/* Errors in units of terms over sizes: products make n + np roundings; differences twice the error model of
   line.c, 3.0e-8, 5.5e-11 and 1.4e-12, because y + delta s is rounded too. */
static double bound(const struct provider *provider)
{
    static const double bounds[] = {32 * DBL_EPSILON, 6e-8, 1.1e-10, 2.8e-12};
    return bounds[provider->difference];
}

/* The same where formulas of one side stand in: of the orders 1, 2, 4 their truncation is Delta, 2 Delta^2,
   24 Delta^4, their rounding 2u/Delta, 4u/Delta, 11u/Delta. */
static double bound_one_sided(const struct provider *provider)
{
    static const double bounds[] = {0, 6e-8, 3e-10, 2e-11};
    return bounds[provider->difference];
}

/* The columns that are asked for. */
enum wanted { ALL_PARAMETERS, SOME_AND_INITIAL, DIRECTIONS, WANTED };
static const int some_columns[] = {1, TANSY_INITIAL(0), 0};
static const double two_directions[2 * 2 * CASE_MOST] = {
    0.5, 0, 0, 0, 0, 0, 0, 0, 0.25, -1, 2, 0.125, -3, 0.5, 1, 0.75, 0.0625, 1};

static void build(struct derive_setup *s, const struct derive_case *of,
                  const struct provider *provider, enum wanted wanted)
{
    derive_prepare(s, of, provider->gives);
    s->options.residual = provider->residual;
    s->options.difference = provider->difference;
    if (wanted == SOME_AND_INITIAL) {
        s->problem.ns = 3;
        s->problem.columns = some_columns;
    } else if (wanted == DIRECTIONS) {
        s->problem.ns = 2;
        s->problem.directions = two_directions;
    }
    derive_build(s);
    CHECK_EQUAL(s->status, TANSY_OK);
}

/* The largest error of R in its units. */
static double largest_error(const struct derive_setup *s)
{
    enum { MOST = CASE_MOST * MAX_LANES };
    double exact[MOST], unit[MOST], worst = 0;
    const struct panel *const panel = &s->panel[s->at];
    derive_expected(s, exact, unit);
    for (size_t i = 0; i < s->d.n; i++)
        for (size_t k = 0; k < panel->columns; k++) {
            size_t const x = i * panel->lanes + k;
            double const error = fabs(s->R[x] - exact[x]) / unit[x];
            if (!(s->R[x] == exact[x] || error <= worst)) worst = error;
        }
    return worst;
}

TEST(every_provider_reaches_its_accuracy)
{
    static const double relative[] = {0, 1e-4, 0.1, 1, 20, 1e4};
    for (int c = 0; c < CASES; c++)
        for (int x = 0; x < PROVIDERS; x++)
            for (int wanted = 0; wanted < WANTED; wanted++)
                for (size_t r = 0; r < sizeof relative / sizeof relative[0]; r++) {
                    struct derive_setup s;
                    build(&s, &derive_case_list[c], &providers[x], (enum wanted)wanted);
                    derive_fill(&s, relative[r]);
                    CHECK_EQUAL(derive_evaluate(&s), 0);
                    CHECK_AT_MOST(largest_error(&s), bound(&providers[x]));
                    derive_discard(&s);
                }
}

/* Three columns in four lanes, and one equation, so that the vector has a tail. */
TEST(every_provider_writes_zeros_into_idle_lanes)
{
    for (int c = 0; c < CASES; c++)
        for (int x = 0; x < PROVIDERS; x++) {
            struct derive_setup s;
            build(&s, &derive_case_list[c], &providers[x], SOME_AND_INITIAL);
            const struct panel *const panel = s.panel;
            CHECK_EQUAL(panel->lanes, 4);
            derive_fill(&s, 1);
            for (size_t y = 0; y < panel->count; y++) s.R[y] = (double)NAN;
            CHECK_EQUAL(derive_evaluate(&s), 0);
            for (size_t i = 0; i < s.d.n; i++) CHECK(s.R[i * 4 + 3] == 0);
            for (size_t y = 4 * s.d.n; y < panel->count; y++) CHECK(s.R[y] == 0);
            derive_discard(&s);
        }
}

/* 40 columns make a panel of 32 and one of 8, which the second worker evaluates in turn. */
TEST(every_provider_serves_every_panel_and_worker)
{
    int columns[40];
    for (int k = 0; k < 40; k++) columns[k] = k % 3 == 2 ? TANSY_INITIAL(k % 2) : k % 3;
    for (int x = 0; x < PROVIDERS; x++) {
        struct derive_setup s;
        derive_prepare(&s, &derive_case_list[0], providers[x].gives);
        s.options.residual = providers[x].residual;
        s.options.difference = providers[x].difference;
        s.problem.ns = 40;
        s.problem.columns = columns;
        s.workers = 2;
        derive_build(&s);
        CHECK_EQUAL(s.panels, 2);
        for (size_t turn = 0; turn < 4; turn++) {
            s.at = turn % 2;
            memset(s.V, 0, s.panel->count * sizeof(double));
            derive_fill(&s, 1);
            CHECK_EQUAL(derive_evaluate(&s), 0);
            CHECK_AT_MOST(largest_error(&s), bound(&providers[x]));
        }
        CHECK_EQUAL(s.d.worker[1].counts.tangent, 2 * 40);
        derive_discard(&s);
    }
}

/* p and the workers' copies are what they were, bit by bit. */
static void check_parameters_untouched(const struct derive_setup *s)
{
    CHECK(memcmp(s->p, s->user.of->p, s->d.np * sizeof(double)) == 0);
    for (size_t w = 0; w < s->workers; w++)
        CHECK(memcmp(s->d.worker[w].p, s->p, s->d.np * sizeof(double)) == 0);
}

/* Evaluates with the calls from first to last failing; the code. */
static int evaluate_with_fault(struct derive_setup *s, enum fault fault, size_t first, size_t last)
{
    s->user.calls = 0;
    s->user.first = first;
    s->user.last = last;
    s->user.fault = fault;
    s->d.worker[0].failure.kind = FAILURE_NONE;
    int const code = derive_evaluate(s);
    check_parameters_untouched(s);
    return code;
}

TEST(failing_from_the_kth_call_on_is_reported_and_leaves_p_untouched)
{
    for (int c = 0; c < CASES; c++)
        for (int x = 0; x < PROVIDERS; x++) {
            struct derive_setup s;
            build(&s, &derive_case_list[c], &providers[x], SOME_AND_INITIAL);
            const struct failure *const failure = &s.d.worker[0].failure;
            derive_fill(&s, 1);
            CHECK_EQUAL(evaluate_with_fault(&s, FAULT_NONE, 0, 0), 0);
            size_t const calls = s.user.calls;
            for (size_t k = 1; k <= calls; k++) {
                CHECK(evaluate_with_fault(&s, FAULT_POSITIVE, k, SIZE_MAX) > 0);
                CHECK_EQUAL(failure->kind, FAILURE_POSITIVE);
                CHECK_EQUAL(failure->code, 3);
                CHECK(evaluate_with_fault(&s, FAULT_NAN, k, SIZE_MAX) > 0);
                CHECK_EQUAL(failure->kind, FAILURE_NOT_FINITE);
                CHECK_EQUAL(failure->row, 0);
                CHECK(isnan(failure->value));
                CHECK(evaluate_with_fault(&s, FAULT_NEGATIVE, k, SIZE_MAX) < 0);
                CHECK_EQUAL(failure->kind, FAILURE_NEGATIVE);
                CHECK_EQUAL(failure->code, -4);
                CHECK_EQUAL(s.user.calls, k);
            }
            CHECK_EQUAL(evaluate_with_fault(&s, FAULT_NONE, 0, 0), 0);
            CHECK_AT_MOST(largest_error(&s), bound(&providers[x]));
            derive_discard(&s);
        }
}

/* The first call is f itself; where nothing is given all others are those of differences. */
TEST(differences_go_round_a_point_where_f_fails)
{
    for (int c = 0; c < CASES; c++)
        for (int x = 0; x < PROVIDERS; x++) {
            if ((providers[x].gives & ~GIVE_BANDED) != 0) continue;
            struct derive_setup s;
            build(&s, &derive_case_list[c], &providers[x], ALL_PARAMETERS);
            derive_fill(&s, 1);
            CHECK_EQUAL(evaluate_with_fault(&s, FAULT_NONE, 0, 0), 0);
            size_t const calls = s.user.calls;
            for (size_t k = 2; k <= calls; k++) {
                CHECK_EQUAL(evaluate_with_fault(&s, k % 2 ? FAULT_NAN : FAULT_POSITIVE, k, k), 0);
                CHECK_EQUAL(s.d.worker[0].failure.kind, FAILURE_NONE);
                CHECK_AT_MOST(largest_error(&s), bound_one_sided(&providers[x]));
                CHECK(evaluate_with_fault(&s, FAULT_NEGATIVE, k, k) < 0);
            }
            derive_discard(&s);
        }
}

TEST(units_of_a_parameter_scale_the_result_bit_by_bit)
{
    static const double units[] = {0x1p+20, 0x1p-13, 0x1p+1};
    for (int c = 0; c < CASES; c++)
        for (int x = 0; x < PROVIDERS; x++) {
            struct derive_setup own, other;
            build(&own, &derive_case_list[c], &providers[x], ALL_PARAMETERS);
            derive_fill(&own, 0.3);
            CHECK_EQUAL(derive_evaluate(&own), 0);
            derive_prepare(&other, &derive_case_list[c], providers[x].gives);
            other.options = own.options;
            for (size_t k = 0; k < own.d.np; k++) {
                other.user.unit[k] = units[k];
                other.p[k] /= units[k];
            }
            derive_build(&other);
            derive_fill(&other, 0.3);
            CHECK_EQUAL(derive_evaluate(&other), 0);
            for (size_t i = 0; i < own.d.n; i++)
                for (size_t k = 0; k < own.d.np; k++) {
                    size_t const place = i * own.panel->lanes + k;
                    CHECK(other.R[place] == units[k] * own.R[place]);
                }
            derive_discard(&own);
            derive_discard(&other);
        }
}

/* v^T (J u) = (J^T v)^T u and the same for df/dp, with the matrices last evaluated. */
TEST(transposed_products_belong_to_the_same_matrices)
{
    for (int c = 0; c < CASES; c++)
        for (int x = 0; x < PROVIDERS; x++) {
            struct derive_setup s;
            build(&s, &derive_case_list[c], &providers[x], ALL_PARAMETERS);
            derive_fill(&s, 1);
            CHECK_EQUAL(derive_evaluate(&s), 0);
            double v[CASE_MOST], back[CASE_MOST] = {0}, gradient[CASE_MOST] = {0}, sum = 0,
                                 size = 0;
            for (size_t i = 0; i < s.d.n; i++) v[i] = 1 / (1 + fabs(s.f[i]));
            s.d.jacobian_transposed(&s.d, v, back);
            s.d.parameter_transposed(&s.d, v, gradient);
            for (size_t i = 0; i < s.d.n && s.d.tangent_needs_matrices; i++) {
                double const forth = v[i] * s.R[i * s.panel->lanes];
                sum += back[i] * s.V[i * s.panel->lanes] - forth;
                size += fabs(back[i] * s.V[i * s.panel->lanes]) + fabs(forth);
            }
            if (s.d.tangent_needs_matrices) sum += gradient[0];
            CHECK_CLOSE(sum, 0, 64 * DBL_EPSILON * (size + fabs(gradient[0])));
            derive_discard(&s);
        }
}
