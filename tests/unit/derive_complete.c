/* SPDX-License-Identifier: Apache-2.0 */
/* Which source is chosen for each derivative, and which wishes are refused with which sentence. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "support/derive_cases.h"
#include "test.h"

static const struct derive_case *const robertson = &derive_case_list[0];
static const struct derive_case *const chain = &derive_case_list[2];

struct expected {
    const struct derive_case *of;
    int gives;
    tansy_residual residual;
    tansy_sensitivities sensitivities;
    size_t ns; /* the first parameters */
    enum source jacobian, parameter, tangent;
};

/* Calls of f where nothing is given: robertson 3 + ns for matrices, against twice ns for directions. */
/* clang-format off */
enum { BOTH = GIVE_JACOBIAN | GIVE_PARAMETER };
static const enum source G = SOURCE_GIVEN, D = SOURCE_DIFFERENCES, M = SOURCE_MATRIX;
TEST(the_cheapest_source_of_the_tangent_is_chosen)
{
    const struct expected list[] = {
        {robertson, GIVE_TANGENT,        TANSY_RESIDUAL_AUTO, 0,            3, D, D, G},
        {robertson, GIVE_TANGENT | BOTH, TANSY_RESIDUAL_AUTO, 0,            3, G, G, G},
        {robertson, GIVE_TANGENT | BOTH, TANSY_RESIDUAL_AUTO, TANSY_DIRECT, 3, G, G, M},
        {robertson, GIVE_TANGENT | BOTH, TANSY_SEED,          0,            3, G, G, G},
        {robertson, GIVE_TANGENT | BOTH, TANSY_MATRIX,        0,            3, G, G, M},
        {robertson, GIVE_TANGENT | BOTH, TANSY_DIFFERENCES,   0,            3, G, G, D},
        {robertson, BOTH,                TANSY_RESIDUAL_AUTO, 0,            3, G, G, M},
        {robertson, GIVE_JACOBIAN,       TANSY_RESIDUAL_AUTO, 0,            3, G, D, M},
        {robertson, GIVE_PARAMETER,      TANSY_RESIDUAL_AUTO, 0,            1, D, G, D},
        {robertson, GIVE_PARAMETER,      TANSY_RESIDUAL_AUTO, 0,            2, D, G, M},
        {robertson, 0,                   TANSY_RESIDUAL_AUTO, 0,            2, D, D, D},
        {robertson, 0,                   TANSY_RESIDUAL_AUTO, 0,            3, D, D, M},
        {robertson, 0,                   TANSY_RESIDUAL_AUTO, TANSY_DIRECT, 2, D, D, M},
        {chain,     GIVE_PARAMETER|GIVE_BANDED, TANSY_RESIDUAL_AUTO, 0,     3, D, G, M},
        {chain,     GIVE_PARAMETER,      TANSY_RESIDUAL_AUTO, 0,            3, D, G, D},
    };
    /* clang-format on */
    for (size_t x = 0; x < sizeof list / sizeof list[0]; x++) {
        struct derive_setup s;
        derive_prepare(&s, list[x].of, list[x].gives);
        s.options.residual = list[x].residual;
        s.options.sensitivities = list[x].sensitivities;
        s.problem.ns = list[x].ns;
        derive_build(&s);
        CHECK_EQUAL(s.status, TANSY_OK);
        CHECK_EQUAL(s.d.jacobian_source, list[x].jacobian);
        CHECK_EQUAL(s.d.parameter_source, list[x].parameter);
        CHECK_EQUAL(s.d.tangent_source, list[x].tangent);
        CHECK_EQUAL(s.d.tangent_needs_matrices, list[x].tangent == SOURCE_MATRIX);
        CHECK_EQUAL(derive_wants_jacobian(&s.problem, &s.options, s.problem.ns),
                    list[x].tangent == SOURCE_MATRIX);
        derive_discard(&s);
    }
}

/* Three initial values move no parameter: df/dy costs three calls, directions three. */
TEST(parameters_that_no_column_moves_cost_nothing)
{
    static const int columns[] = {TANSY_INITIAL(0), TANSY_INITIAL(1), TANSY_INITIAL(2)};
    struct derive_setup s;
    derive_prepare(&s, robertson, 0);
    s.problem.columns = columns;
    derive_build(&s);
    CHECK_EQUAL(s.d.tangent_source, SOURCE_MATRIX);
    CHECK_EQUAL(derive_evaluate(&s), 0);
    CHECK_EQUAL(s.user.calls, 1 + 3 * 2); /* central differences at rtol = 1e-6 */
    CHECK_EQUAL(s.d.worker[0].counts.rhs, s.user.calls);
    derive_discard(&s);
}

TEST(without_columns_no_matrix_is_wanted)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, BOTH);
    s.problem.ns = 0;
    s.options.rtol = 1e-14;
    derive_build(&s);
    CHECK_EQUAL(s.status, TANSY_OK);
    CHECK(!s.d.tangent_needs_matrices);
    CHECK(!derive_wants_jacobian(&s.problem, &s.options, 0));
    derive_discard(&s);
}

TEST(without_storage_for_the_jacobian_the_tangent_is_differenced)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, GIVE_JACOBIAN);
    s.kind = MATRIX_NONE;
    derive_build(&s);
    CHECK_EQUAL(s.status, TANSY_OK);
    CHECK_EQUAL(s.d.jacobian_source, SOURCE_NONE);
    CHECK_EQUAL(s.d.tangent_source, SOURCE_DIFFERENCES);
    CHECK_EQUAL(s.d.jacobian(&s.d, &(struct point){.t = 0, .y = s.y, .f = s.f}), 0);
    CHECK_EQUAL(s.user.calls, 0);
    derive_discard(&s);
}

/* Builds with the options and returns the formula, or AUTO if it was refused. */
static tansy_difference formula_for(double rtol, tansy_difference difference, int gives,
                                    struct message *message)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, gives);
    s.options.rtol = rtol;
    s.options.difference = difference;
    derive_build(&s);
    *message = s.message;
    CHECK(s.status == TANSY_OK || s.status == TANSY_BAD_OPTION);
    tansy_difference const formula = s.status == TANSY_OK ? s.d.difference : TANSY_DIFFERENCE_AUTO;
    derive_discard(&s);
    return formula;
}

TEST(the_tolerance_chooses_the_formula)
{
    struct message message;
    CHECK_EQUAL(formula_for(1e-3, 0, 0, &message), TANSY_FORWARD);
    CHECK_EQUAL(formula_for(1e-4, 0, 0, &message), TANSY_CENTRAL);
    CHECK_EQUAL(formula_for(1e-6, 0, 0, &message), TANSY_CENTRAL);
    CHECK_EQUAL(formula_for(1e-7, 0, 0, &message), TANSY_FOURTH_ORDER);
    CHECK_EQUAL(formula_for(1e-11, 0, 0, &message), TANSY_FOURTH_ORDER);
    CHECK_EQUAL(formula_for(1e-7, TANSY_FORWARD, 0, &message), TANSY_FORWARD);
    CHECK_EQUAL(formula_for(1e-9, TANSY_CENTRAL, 0, &message), TANSY_CENTRAL);
}

TEST(what_differences_cannot_reach_is_refused)
{
    struct message message;
    CHECK_EQUAL(formula_for(1e-12, 0, 0, &message), TANSY_DIFFERENCE_AUTO);
    CHECK_TEXT_CONTAINS(message.text, "df/dy and df/dp");
    CHECK_TEXT_CONTAINS(message.text, "fourth-order differences reach 1e-11");
    CHECK_TEXT_CONTAINS(message.text, "give .jacobian and .parameter_jacobian, or .tangent");
    CHECK_EQUAL(formula_for(1e-12, 0, GIVE_JACOBIAN, &message), TANSY_DIFFERENCE_AUTO);
    CHECK_TEXT_CONTAINS(message.text, "needs df/dp to");
    CHECK_EQUAL(formula_for(1e-12, 0, GIVE_PARAMETER, &message), TANSY_DIFFERENCE_AUTO);
    CHECK_TEXT_CONTAINS(message.text, "needs df/dy to");
    CHECK_EQUAL(formula_for(1e-9, TANSY_FORWARD, 0, &message), TANSY_DIFFERENCE_AUTO);
    CHECK_TEXT_CONTAINS(message.text, "forward differences reach 1e-07");
    CHECK_TEXT_CONTAINS(message.text, "leave the option difference at auto");
    CHECK(formula_for(1e-12, 0, BOTH, &message) != TANSY_DIFFERENCE_AUTO);
    CHECK(formula_for(1e-12, 0, GIVE_TANGENT, &message) != TANSY_DIFFERENCE_AUTO);
}

TEST(differences_asked_for_although_a_tangent_is_given_are_judged_too)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, GIVE_TANGENT);
    s.options.rtol = 1e-12;
    s.options.residual = TANSY_DIFFERENCES;
    derive_build(&s);
    CHECK_EQUAL(s.status, TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(s.message.text, "choose residual = seed");
    derive_discard(&s);
}

TEST(an_increment_of_the_user_s_own_is_taken_and_trusted)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, 0);
    s.options.rtol = 1e-12;
    s.options.difference_increment = 1e-3;
    derive_build(&s);
    CHECK_EQUAL(s.status, TANSY_OK);
    CHECK(s.d.increment == 1e-3);
    derive_discard(&s);
}

TEST(options_that_contradict_the_problem_are_refused)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, BOTH);
    s.options.residual = TANSY_SEED;
    derive_build(&s);
    CHECK_EQUAL(s.status, TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(s.message.text, "residual = seed needs the problem's .tangent");
    derive_discard(&s);
    derive_prepare(&s, robertson, BOTH);
    s.options.residual = TANSY_MATRIX;
    s.kind = MATRIX_NONE;
    derive_build(&s);
    CHECK_EQUAL(s.status, TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(s.message.text, "residual = matrix needs df/dy");
    derive_discard(&s);
}

TEST(new_parameters_reach_all_workers)
{
    struct derive_setup s;
    derive_prepare(&s, robertson, 0);
    s.workers = 3;
    derive_build(&s);
    s.p[1] = 17;
    derive_set_parameters(&s.d);
    for (size_t w = 0; w < 3; w++) CHECK(s.d.worker[w].p[1] == 17 && s.d.worker[w].p[0] == 0.04);
    derive_discard(&s);
}

static void check_sentence(struct failure failure, const char *sentence)
{
    char text[128];
    failure_describe(&failure, &(tansy_problem){.n = 1}, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, sentence);
    CHECK_EQUAL(strlen(text), strlen(sentence));
}

TEST(failures_are_put_in_words)
{
    struct failure failure = {FAILURE_NOT_FINITE, "rhs", 3, SIZE_MAX, 0, (double)NAN, 0.5, 0};
    check_sentence(failure, "rhs gave NaN in component 3 at t = 0.5");
    failure.value = -HUGE_VAL;
    failure.column = 2;
    check_sentence(failure, "rhs gave Inf in row 3, column 2 at t = 0.5");
    failure = (struct failure){FAILURE_POSITIVE, "jacobian", 0, SIZE_MAX, 7, 0, -1e-3, 0};
    check_sentence(failure, "jacobian could not be evaluated at t = -0.001 (it returned 7)");
    failure = (struct failure){FAILURE_NEGATIVE, "tangent", 0, SIZE_MAX, -1, 0, 2, 0};
    check_sentence(failure, "tangent asked to stop at t = 2 (it returned -1)");
    check_sentence((struct failure){0}, "no function failed");
}

TEST(sources_have_names_and_a_model_is_one)
{
    tansy_problem problem = {.n = 1};
    struct derive const d = {.problem = &problem};
    CHECK_TEXT_CONTAINS(source_name(&d, SOURCE_NONE), "none");
    CHECK_TEXT_CONTAINS(source_name(&d, SOURCE_GIVEN), "given");
    CHECK_TEXT_CONTAINS(source_name(&d, SOURCE_MATRIX), "matrix");
    CHECK_TEXT_CONTAINS(source_name(&d, SOURCE_DIFFERENCES), "differences");
    problem.from_model = 1;
    CHECK_TEXT_CONTAINS(source_name(&d, SOURCE_GIVEN), "model");
}

enum { LONG = 5000 };

/* The source for ns columns of a sparse problem with a tridiagonal J and, where `dense`, a row that is full. */
static enum source source_of_sparse(size_t n, size_t ns, bool dense)
{
    static size_t row[4 * LONG], column[4 * LONG];
    static double y0[LONG], p[16];
    size_t entries = 0;
    for (size_t j = 0; j < n; j++) { /* by columns: the entries of a row are not together */
        for (size_t i = j > 0 ? j - 1 : 0; i < n && i <= j + 1; i++) {
            row[entries] = i;
            column[entries++] = j;
        }
        if (!dense || (j + 1 >= n / 2 && j <= n / 2 + 1)) continue;
        row[entries] = n / 2;
        column[entries++] = j;
    }
    tansy_problem const q = {.n = n,
                             .np = 16,
                             .y0 = y0,
                             .p = p,
                             .structure = TANSY_SPARSE,
                             .jacobian_pattern = {entries, row, column}};
    return derive_tangent_source(&q, &(tansy_options){.residual = TANSY_RESIDUAL_AUTO}, ns);
}

/* Three colours and ns parameters against 2 ns directions; a full row has all the columns in it. */
TEST(colours_are_counted_not_columns)
{
    static const size_t sizes[] = {100, LONG};
    for (int x = 0; x < 2; x++) {
        CHECK_EQUAL(source_of_sparse(sizes[x], 10, false), SOURCE_MATRIX);
        CHECK_EQUAL(source_of_sparse(sizes[x], 2, false), SOURCE_DIFFERENCES);
        CHECK_EQUAL(source_of_sparse(sizes[x], 10, true), SOURCE_DIFFERENCES);
    }
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t;
    (void)context;
    F[0] = yp[0] + p[0] * y[0];
    return 0;
}

static int precondition(double t, const double *y, const double *yp, const double *p, double c,
                        size_t columns, size_t ld, double *X, void *context)
{
    (void)t;
    (void)y;
    (void)yp;
    (void)ld;
    (void)context;
    for (size_t k = 0; k < columns; k++) X[k] /= c + p[0];
    return 0;
}

/* However few the columns are, unless the user works without any matrix. */
TEST(tangents_of_implicit_problems_are_matrix_times_panel)
{
    double const y0[100] = {1}, p[] = {1};
    tansy_problem q = {.n = 100, .np = 1, .y0 = y0, .p = p, .residual = residual};
    tansy_options o = {.residual = TANSY_RESIDUAL_AUTO};
    CHECK_EQUAL(derive_tangent_source(&q, &o, 1), SOURCE_MATRIX);
    o.linear_solver = TANSY_GMRES;
    CHECK_EQUAL(derive_tangent_source(&q, &o, 1), SOURCE_MATRIX);
    q.precondition_solve = precondition;
    CHECK_EQUAL(derive_tangent_source(&q, &o, 1), SOURCE_DIFFERENCES);
    o.residual = TANSY_MATRIX;
    CHECK_EQUAL(derive_tangent_source(&q, &o, 1), SOURCE_MATRIX);
}
