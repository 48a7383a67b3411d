/* SPDX-License-Identifier: Apache-2.0 */
/* Differences: the calls they cost, their increments, and the accuracy for S on the problems of the suite. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "support/derive_cases.h"
#include "support/reference.h"
#include "test.h"

static const struct derive_case *const chain = &derive_case_list[2];

/* Calls of f for df/dy by one formula. */
static size_t calls_for_jacobian(int gives, enum matrix_kind kind, tansy_difference difference)
{
    struct derive_setup s;
    derive_prepare(&s, chain, gives);
    s.kind = kind;
    s.options.difference = difference;
    derive_build(&s);
    CHECK_EQUAL(derive_rhs(&s.d, 0, s.t, s.y, s.f), 0);
    s.user.calls = 0;
    CHECK_EQUAL(s.d.jacobian(&s.d, &(struct point){.t = s.t, .y = s.y, .f = s.f}), 0);
    size_t const calls = s.user.calls;
    derive_discard(&s);
    return calls;
}

TEST(a_band_costs_as_many_calls_as_it_is_wide)
{
    CHECK_EQUAL(calls_for_jacobian(GIVE_BANDED, MATRIX_BAND, TANSY_FORWARD), 3);
    CHECK_EQUAL(calls_for_jacobian(GIVE_BANDED, MATRIX_BAND, TANSY_CENTRAL), 6);
    CHECK_EQUAL(calls_for_jacobian(GIVE_BANDED, MATRIX_BAND, TANSY_FOURTH_ORDER), 12);
    CHECK_EQUAL(calls_for_jacobian(GIVE_BANDED, MATRIX_DENSE, TANSY_FORWARD), 3);
    CHECK_EQUAL(calls_for_jacobian(0, MATRIX_DENSE, TANSY_FORWARD), 7);
}

/* A dense solver on a banded problem gets the same J, given or differenced. */
TEST(a_banded_jacobian_fits_into_a_dense_matrix)
{
    for (int given = 0; given < 2; given++) {
        struct derive_setup band, dense;
        derive_prepare(&band, chain, GIVE_BANDED | (given ? GIVE_JACOBIAN : 0));
        derive_build(&band);
        derive_prepare(&dense, chain, GIVE_BANDED | (given ? GIVE_JACOBIAN : 0));
        dense.kind = MATRIX_DENSE;
        derive_build(&dense);
        CHECK_EQUAL(derive_rhs(&band.d, 0, 0, band.y, band.f), 0);
        memset(dense.J.value, 1, chain->n * chain->n * sizeof(double));
        CHECK_EQUAL(band.d.jacobian(&band.d, &(struct point){.t = 0, .y = band.y, .f = band.f}), 0);
        CHECK_EQUAL(dense.d.jacobian(&dense.d, &(struct point){.t = 0, .y = band.y, .f = band.f}),
                    0);
        for (size_t i = 0; i < chain->n; i++)
            for (size_t j = 0; j < chain->n; j++) {
                bool const inside = i <= j + 1 && j <= i + 1;
                double const expected = inside ? *matrix_entry(&band.J, i, j) : 0;
                CHECK(*matrix_entry(&dense.J, i, j) == expected);
            }
        derive_discard(&band);
        derive_discard(&dense);
    }
}

/* The entry that is not finite is named by its place in the matrix, not in the band. */
TEST(an_entry_of_a_band_that_is_not_finite_is_named)
{
    struct derive_setup s;
    derive_prepare(&s, chain, GIVE_BANDED | GIVE_JACOBIAN);
    derive_build(&s);
    s.user.first = s.user.last = 1;
    s.user.fault = FAULT_NAN;
    CHECK(s.d.jacobian(&s.d, &(struct point){.t = 0.25, .y = s.y, .f = s.f}) > 0);
    CHECK_EQUAL(s.d.worker[0].failure.row, 0);
    CHECK_EQUAL(s.d.worker[0].failure.column, 0);
    CHECK(s.d.worker[0].failure.t == 0.25);
    derive_discard(&s);
}

TEST(increments_move_by_delta_of_the_size_and_are_exact)
{
    struct derive_setup s;
    derive_prepare(&s, chain, 0);
    derive_build(&s);
    double const Delta = 0x1p-26;
    /* Within the rounding of y + h, half an ulp of y over Delta of it. */
    CHECK_CLOSE(increment_of_state(&s.d, 1, 0.7, Delta), 0.7 * Delta, 0.7 * DBL_EPSILON);
    CHECK_CLOSE(increment_of_state(&s.d, 1, -0.7, Delta), -0.7 * Delta, 0.7 * DBL_EPSILON);
    CHECK_CLOSE(increment_of_state(&s.d, 5, 1e-5, Delta), 1e-3 * Delta, 1e-5 * DBL_EPSILON);
    CHECK(increment_of_state(&s.d, 6, 0, Delta) == 1e-3 * Delta);
    s.atol[6] = 0;
    CHECK(increment_of_state(&s.d, 6, 0, Delta) == Delta);
    double const h = increment_of_parameter(&s.d, 1, Delta);
    CHECK_CLOSE(h, 1.7 * Delta, 1.7 * DBL_EPSILON);
    CHECK(1.7 + h - 1.7 == h);
    s.scale[1] = 1e-12; /* far below p: must not be lost in it */
    CHECK(increment_of_parameter(&s.d, 1, Delta) >= 8 * DBL_EPSILON * 1.7);
    derive_discard(&s);
}

/* One sensitive component among many moves by Delta of its size, not by sqrt(n) times that. */
TEST(the_most_sensitive_component_rules_the_increment)
{
    struct derive_setup s;
    derive_prepare(&s, chain, 0);
    derive_build(&s);
    double v[CASE_MOST] = {0};
    CHECK(increment_along(&s.d, s.y, 1, v, 1e-8) == 0);
    v[1] = 5;
    CHECK_CLOSE(increment_along(&s.d, s.y, 1, v, 1e-8) * 5, 1e-8 * (0.7 + 1e-3), 1e-22);
    v[0] = 1e-9;
    CHECK_CLOSE(increment_along(&s.d, s.y, 1, v, 1e-8) * 5, 1e-8 * (0.7 + 1e-3), 1e-22);
    v[1] = DBL_TRUE_MIN; /* the increment would overflow */
    v[0] = 0;
    CHECK(increment_along(&s.d, s.y, 1, v, 1e-8) == 0);
    derive_discard(&s);
}

TEST(purely_absolute_tolerances_leave_the_increments_finite)
{
    struct derive_setup s;
    derive_prepare(&s, chain, 0);
    s.options.difference = TANSY_CENTRAL;
    derive_build(&s);
    memset(s.rtol, 0, chain->n * sizeof(double));
    CHECK_EQUAL(derive_complete(&s.d, &s.options, s.panel, s.panels, &s.message), TANSY_OK);
    CHECK_CLOSE(derive_level(&s.d, 0), 1e-3, 1e-18);
    derive_discard(&s);
}

/* The problem at a reference time, with or without its derivatives, and R of the first panel. */
static void evaluate_at(struct derive_setup *s, const struct test_problem *of,
                        const struct reference *reference, size_t m, tansy_difference difference)
{
    derive_prepare_problem(s, of);
    s->t = reference->t[m];
    s->y = reference->y + m * reference->n;
    s->options.residual = TANSY_MATRIX;
    s->options.difference = difference;
    if (difference != TANSY_DIFFERENCE_AUTO) {
        s->problem.jacobian = NULL;
        s->problem.parameter_jacobian = NULL;
        s->options.residual = TANSY_DIFFERENCES;
    }
    derive_build(s);
    CHECK_EQUAL(s->status, TANSY_OK);
    const double *const S = reference->sens + m * reference->ns * reference->n;
    panel_from_columns(s->panel, reference->n, S, s->V);
    CHECK_EQUAL(derive_evaluate(s), 0);
}

/* The scale of column k, docs/design.md section 6. */
static double column_scale(const struct derive_setup *s, size_t k)
{
    size_t const start = s->d.direction_start[k];
    if (s->d.direction_start[k + 1] > start) return s->scale[s->d.direction_row[start]];
    size_t const i = (size_t)(-1 - s->problem.columns[k]);
    return fmax(fabs(s->problem.y0[i]), s->level[i]);
}

/* What the errors of R do to S, in the norm of docs/design.md section 12 (with the reference's y in place of
   its largest value): an error of s_i' makes one of s_i that lasts for 1/|J_ii|, or, since the roundings of a
   hundred steps are independent, for t/10. */
static double effect_on_columns(const struct derive_setup *exact, const struct derive_setup *rough)
{
    const struct panel *const panel = exact->panel;
    double worst = 0;
    for (size_t i = 0; i < exact->d.n; i++) {
        double const rate = fabs(*matrix_entry(&exact->J, i, i)) + 10 / exact->t;
        for (size_t k = 0; k < panel->columns; k++) {
            size_t const x = i * panel->lanes + k;
            double const scale = column_scale(exact, k);
            double const error = fabs(rough->R[x] - exact->R[x]) / rate;
            worst = fmax(worst, error * scale / (fabs(exact->V[x]) * scale + exact->level[i]));
        }
    }
    return worst;
}

static double worst_effect(const struct test_problem *of, tansy_difference difference)
{
    struct reference reference;
    double worst = 0;
    reference_read(of, &reference);
    for (size_t m = 0; m < reference.times; m += 1 + reference.times / 8) {
        struct derive_setup exact, rough;
        evaluate_at(&exact, of, &reference, m, TANSY_DIFFERENCE_AUTO);
        evaluate_at(&rough, of, &reference, m, difference);
        worst = fmax(worst, effect_on_columns(&exact, &rough));
        derive_discard(&exact);
        derive_discard(&rough);
    }
    reference_free(&reference);
    return worst;
}

/* Each formula is taken down to the tolerance `from`, a tenth of which noise must not exceed; of fourth order,
   which has no such limit, it is asked what the others have: 3e3 times the error model of line.c. */
TEST(differences_are_good_enough_for_the_tolerances_they_are_taken_for)
{
    const struct test_problem *of = NULL;
    for (size_t q = 0; (of = problem_number(q)) != NULL; q++) {
        if (!of->reference) continue;
        CHECK_AT_MOST(worst_effect(of, TANSY_FORWARD), formula_of(TANSY_FORWARD)->from / 10);
        CHECK_AT_MOST(worst_effect(of, TANSY_CENTRAL), formula_of(TANSY_CENTRAL)->from / 10);
        CHECK_AT_MOST(worst_effect(of, TANSY_FOURTH_ORDER), 3e3 * 1.4e-12);
    }
}

/* delta of Maly and Petzold 1996, eq. (11), as printed. */
static double printed_increment(const struct derive_setup *s, size_t k)
{
    double sum = 0;
    for (size_t j = 0; j < s->d.n; j++) {
        double const v = (fabs(s->y[j]) + s->level[j]) /
                         (fabs(s->V[j * s->panel->lanes + k]) + s->level[j] / s->scale[k]);
        sum += v * v;
    }
    return 0x1p-26 * fmax(fabs(s->p[k]), sqrt(sum));
}

/* R of column k by a forward difference with the given increment; its error over the terms of R. */
static double error_with(struct derive_setup *s, size_t k, double delta)
{
    double exact[CASE_MOST * 4], unit[CASE_MOST * 4], y[CASE_MOST], g[CASE_MOST], worst = 0;
    derive_expected(s, exact, unit);
    for (size_t j = 0; j < s->d.n; j++) y[j] = s->y[j] + delta * s->V[j * s->panel->lanes + k];
    s->d.worker[0].p[k] += delta;
    CHECK_EQUAL(derive_rhs(&s->d, 0, s->t, y, g), 0);
    s->d.worker[0].p[k] = s->p[k];
    for (size_t i = 0; i < s->d.n; i++) {
        size_t const x = i * s->panel->lanes + k;
        worst = fmax(worst, fabs((g[i] - s->f[i]) / delta - exact[x]) / unit[x]);
    }
    return worst;
}

/* Robertson where y_0 hardly feels p_2: the printed increment follows that component and is far too large
   for the others; the corrected one reaches 1e-7. */
TEST(forward_differences_reach_1e_7_where_the_printed_increments_do_not)
{
    struct derive_setup s;
    derive_prepare(&s, &derive_case_list[0], 0);
    s.options.difference = TANSY_FORWARD;
    s.options.residual = TANSY_DIFFERENCES;
    derive_build(&s);
    derive_fill(&s, 1);
    s.V[2] = 1e-9 * s.y[0] / s.p[2];
    CHECK_EQUAL(derive_evaluate(&s), 0);
    double exact[CASE_MOST * 4], unit[CASE_MOST * 4];
    derive_expected(&s, exact, unit);
    for (size_t x = 0; x < s.d.n * 4; x++)
        if (x % 4 < 3) CHECK_CLOSE(s.R[x], exact[x], 1e-7 * unit[x]);
    CHECK(error_with(&s, 2, printed_increment(&s, 2)) > 1e-6);
    derive_discard(&s);
}

/* The least increment is 16 eps of y or p: f is rounded by u/(16 eps) of its terms at both of its ends, and y moves by what is rounded
   as much, together 1/8, or 1/4 where columns are the sum of both parts. */
TEST(a_tiny_increment_is_not_lost)
{
    static const double increments[] = {1e-15, 1e-16, 1e-18};
    static const tansy_residual residuals[] = {TANSY_MATRIX, TANSY_DIFFERENCES};
    for (int x = 0; x < 3; x++)
        for (int c = 0; c < CASES; c++)
            for (int way = 0; way < 2; way++) {
                struct derive_setup s;
                double exact[CASE_MOST * MAX_LANES], unit[CASE_MOST * MAX_LANES];
                derive_prepare(&s, &derive_case_list[c], 0);
                s.options.difference = TANSY_FORWARD;
                s.options.difference_increment = increments[x];
                s.options.residual = residuals[way];
                derive_build(&s);
                CHECK_EQUAL(s.status, TANSY_OK);
                derive_fill(&s, 1);
                CHECK_EQUAL(derive_evaluate(&s), 0);
                derive_expected(&s, exact, unit);
                size_t const lanes = s.panel[s.at].lanes;
                for (size_t i = 0; i < s.d.n; i++)
                    for (size_t k = 0; k < s.panel[s.at].columns; k++)
                        CHECK_CLOSE(s.R[i * lanes + k], exact[i * lanes + k],
                                    unit[i * lanes + k] / 4);
                derive_discard(&s);
            }
}
