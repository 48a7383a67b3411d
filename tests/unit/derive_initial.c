/* SPDX-License-Identifier: Apache-2.0 */
/* Initial values y0_0 = p_0^2 p_1, y0_1 = 1/p_1, y0_2 = 4 and their columns. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "support/derive_cases.h"
#include "test.h"

static const double p0 = 0.04, p1 = 1e4;

static int initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0;
    struct derive_user *const user = context;
    user->calls++;
    y0[0] = p[0] * p[0] * p[1];
    y0[1] = 1 / p[1];
    y0[2] = 4;
    if (user->calls >= user->first && user->calls <= user->last) y0[1] = (double)NAN;
    return user->fault == FAULT_NEGATIVE ? -1 : 0;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)t0;
    const struct derive_user *const user = context;
    D[0] = 2 * p[0] * p[1];
    D[1] = p[0] * p[0];
    D[4] = user->fault == FAULT_NAN ? (double)NAN : -1 / (p[1] * p[1]);
    return 0;
}

static const int some_columns[] = {1, TANSY_INITIAL(2), 0, 2};
static const double direction[] = {0.5, 0, 0.25, /* along p: */ 3, -2, 0};

/* The columns with the given source and wish; first to last calls of initial give NaN. */
static int columns_of(struct derive_setup *s, bool given, bool general, double rtol, double *sens)
{
    derive_prepare(s, &derive_case_list[0], GIVE_TANGENT);
    s->problem.initial = initial;
    if (given) s->problem.initial_jacobian = initial_jacobian;
    s->problem.ns = general ? 1 : 4;
    if (general)
        s->problem.directions = direction;
    else
        s->problem.columns = some_columns;
    s->options.rtol = rtol;
    derive_build(s);
    CHECK_EQUAL(s->status, TANSY_OK);
    double y[3];
    CHECK_EQUAL(derive_initial(&s->d, 0, y), 0);
    CHECK_CLOSE(y[0], p0 * p0 * p1, 0);
    return derive_initial_columns(&s->d, 0, y, sens);
}

/* Errors relative to y over p, as line.c models them. */
static void check_columns(const double *sens, double error)
{
    static const double exact[4][3] = {
        {0.04 * 0.04, -1e-8, 0}, {0, 0, 1}, {2 * 0.04 * 1e4, 0, 0}, {0, 0, 0}};
    static const double size[4][3] = {{16 / 1e4, 1e-4 / 1e4, 0}, {0}, {2 * 16 / 0.04, 0, 0}, {0}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) CHECK_CLOSE(sens[k * 3 + i], exact[k][i], error * size[k][i]);
}

TEST(initial_columns_have_the_accuracy_of_their_source)
{
    static const double rtol[] = {1e-3, 1e-6, 1e-9}, error[] = {6e-8, 1.1e-10, 2.8e-12};
    struct derive_setup s;
    double sens[12];
    CHECK_EQUAL(columns_of(&s, true, false, 1e-12, sens), 0);
    CHECK_EQUAL(s.d.initial_source, SOURCE_GIVEN);
    check_columns(sens, 1e-15);
    derive_discard(&s);
    for (int x = 0; x < 3; x++) {
        CHECK_EQUAL(columns_of(&s, false, false, rtol[x], sens), 0);
        CHECK_EQUAL(s.d.initial_source, SOURCE_DIFFERENCES);
        check_columns(sens, error[x]);
        derive_discard(&s);
    }
}

TEST(initial_columns_along_general_directions_combine_both_parts)
{
    for (int given = 0; given < 2; given++) {
        struct derive_setup s;
        double sens[3];
        CHECK_EQUAL(columns_of(&s, given, true, 1e-9, sens), 0);
        double const error = given ? 1e-15 : 2.8e-12 * 3 / p0; /* relative size of the direction */
        CHECK_CLOSE(sens[0], 0.5 + 3 * 2 * p0 * p1 - 2 * p0 * p0, error * 16);
        CHECK_CLOSE(sens[1], 2e-8, error * 1e-4);
        CHECK_CLOSE(sens[2], 0.25, error * 4);
        derive_discard(&s);
    }
}

TEST(fixed_initial_values_have_columns_of_zeros_and_units)
{
    struct derive_setup s;
    double y[3], sens[12];
    derive_prepare(&s, &derive_case_list[0], GIVE_TANGENT);
    s.problem.ns = 4;
    s.problem.columns = some_columns;
    derive_build(&s);
    CHECK_EQUAL(s.d.initial_source, SOURCE_NONE);
    CHECK_EQUAL(derive_initial(&s.d, 0, y), 0);
    CHECK(memcmp(y, s.problem.y0, sizeof y) == 0);
    CHECK_EQUAL(derive_initial_columns(&s.d, 0, y, sens), 0);
    for (int x = 0; x < 12; x++) CHECK(sens[x] == (x == 5 ? 1 : 0));
    derive_discard(&s);
}

TEST(initial_values_that_fail_are_reported)
{
    struct derive_setup s;
    double y[3] = {0}, sens[12];
    CHECK_EQUAL(columns_of(&s, false, false, 1e-6, sens), 0);
    size_t const calls = s.user.calls;
    for (size_t k = 2; k <= calls; k++) { /* from the k-th call on; the first is y0 itself */
        s.user.calls = 0;
        s.user.first = k;
        s.user.last = SIZE_MAX;
        s.user.calls = 1;
        CHECK(derive_initial_columns(&s.d, 0, y, sens) > 0);
        CHECK_EQUAL(s.d.worker[0].failure.row, 1);
        CHECK(memcmp(s.d.worker[0].p, s.p, 3 * sizeof(double)) == 0);
    }
    s.user.fault = FAULT_NEGATIVE;
    CHECK(derive_initial(&s.d, 0, y) < 0);
    derive_discard(&s);
    CHECK_EQUAL(columns_of(&s, true, false, 1e-6, sens), 0);
    s.user.fault = FAULT_NAN;
    CHECK(derive_initial_columns(&s.d, 0, y, sens) > 0);
    CHECK_TEXT_CONTAINS(s.d.worker[0].failure.function, "initial_jacobian");
    CHECK_EQUAL(s.d.worker[0].failure.row, 1);
    CHECK_EQUAL(s.d.worker[0].failure.column, 1);
    derive_discard(&s);
}

TEST(differences_of_initial_values_are_not_taken_for_more_than_they_reach)
{
    struct derive_setup s;
    derive_prepare(&s, &derive_case_list[0], GIVE_TANGENT);
    s.problem.initial = initial;
    s.options.rtol = 1e-12;
    derive_build(&s);
    CHECK_EQUAL(s.status, TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(s.message.text, "give .initial_jacobian");
    derive_discard(&s);
}
