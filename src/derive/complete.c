/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses, once, where every derivative comes from: what is given is used; what is missing is differenced,
   by the cheapest formula that is accurate enough for S; where none is, that is an error. */
#include <math.h>

#include "derive/line.h"
#include "derive/providers.h"

/* What the problem gives, whatever its form. */
static bool gives_jacobian(const tansy_problem *q)
{
    if (q->residual) return q->residual_jacobian;
    return q->jacobian && (!mass_moves(q) || q->mass_constant); /* d(B y')/dy = 0 */
}

static bool gives_rate(const tansy_problem *q)
{
    return q->residual ? q->rate_jacobian != NULL : q->mass != NULL;
}

static bool gives_parameter(const tansy_problem *q)
{
    if (q->residual) return q->residual_parameter;
    return q->parameter_jacobian && !mass_moves(q);
}

bool derive_gives_tangent(const tansy_problem *q)
{
    if (q->residual) return q->residual_tangent;
    return q->tangent && (!mass_moves(q) || q->mass_tangent);
}

/* Entries in the longest row of a pattern, which is what its columns have of colours at least: exact for up to ROWS rows; of more, those of
   the fullest of ROWS classes of rows are told apart, so that a dense row is found. */
static size_t longest_row(const tansy_pattern *pattern)
{
    enum { ROWS = 2048 };
    size_t count[ROWS] = {0}, within[ROWS] = {0}, class = 0, longest = 0;
    for (size_t e = 0; e < pattern->entries; e++) count[pattern->row[e] % ROWS]++;
    for (size_t c = 1; c < ROWS; c++)
        if (count[c] > count[class]) class = c;
    for (size_t e = 0; e < pattern->entries; e++) {
        size_t const place = pattern->row[e] / ROWS % ROWS;
        if (pattern->row[e] % ROWS == class && ++within[place] > longest) longest = within[place];
    }
    return longest;
}

/* Calls of f for df/dy by differences. */
static size_t jacobian_calls(const tansy_problem *problem)
{
    size_t const width = problem->lower + problem->upper + 1;
    if (problem->structure == TANSY_SPARSE) return longest_row(&problem->jacobian_pattern);
    return problem->structure == TANSY_BANDED && width < problem->n ? width : problem->n;
}

/* Calls of f for the matrices that a product needs: df/dy, unless the direct method has it, and df/dp. */
static size_t matrix_calls(const tansy_problem *problem, const tansy_options *options, size_t ns)
{
    size_t calls = 0;
    if (!gives_jacobian(problem) && options->sensitivities != TANSY_DIRECT)
        calls += jacobian_calls(problem);
    for (size_t j = 0; j < problem->np && !gives_parameter(problem); j++)
        calls += direction_columns(problem, ns, j) > 0;
    return calls;
}

/* The user iterates with a preconditioner of his own and without any matrix. */
static bool is_matrix_free(const tansy_problem *q, const tansy_options *options)
{
    return options->linear_solver == TANSY_GMRES && q->precondition_solve &&
           q->structure == TANSY_DENSE && !gives_jacobian(q);
}

/* Directional differences cost a call for each column and iteration, and their noise differs from column to column
   and step to step; differences for the matrices cost theirs once a step and perturb J s smoothly.  So the
   matrices, unless there are far fewer columns.  Of an implicit problem always the matrices: the noise of an algebraic equation over the
   increment goes into s undivided by c, and no shorter step makes it smaller: where it is above the tolerance the corrector cannot converge. */
enum source derive_tangent_source(const tansy_problem *problem, const tansy_options *options,
                                  size_t ns)
{
    if (options->sensitivities == TANSY_DIFFERENCE) return SOURCE_DIFFERENCES;
    switch (options->residual) {
    case TANSY_SEED:
        return SOURCE_GIVEN;
    case TANSY_MATRIX:
        return SOURCE_MATRIX;
    case TANSY_DIFFERENCES:
        return SOURCE_DIFFERENCES;
    case TANSY_RESIDUAL_AUTO:
        break;
    }
    bool const matrices = gives_jacobian(problem) && gives_parameter(problem);
    bool const has_jacobian = options->sensitivities == TANSY_DIRECT; /* df/dy is there */
    if (matrices && (has_jacobian || problem->prefer_matrix)) return SOURCE_MATRIX;
    if (derive_gives_tangent(problem)) return SOURCE_GIVEN;
    bool const implicit = derive_form(problem) != FORM_ODE;
    if (implicit && !is_matrix_free(problem, options)) return SOURCE_MATRIX;
    return 2 * ns < matrix_calls(problem, options, ns) ? SOURCE_DIFFERENCES : SOURCE_MATRIX;
}

bool derive_wants_jacobian(const tansy_problem *problem, const tansy_options *options, size_t ns)
{
    return ns > 0 && derive_tangent_source(problem, options, ns) == SOURCE_MATRIX;
}

bool derive_gives_both(const tansy_problem *problem)
{
    return derive_gives_tangent(problem) && gives_jacobian(problem) && gives_parameter(problem);
}

/* Some components are multipliers of constraints that have to be differentiated once. */
static bool is_index_2(const tansy_problem *q)
{
    size_t i = 0;
    while (q->kind && i < q->n && q->kind[i] != TANSY_INDEX_2) i++;
    return q->kind && i < q->n;
}

/* The cheapest formula to begin with.  In an algebraic equation, such as g_y s + g_p u = 0, the noise e of a difference goes into s undivided by c, and no
   shorter step makes it smaller.  That of forward differences, 3e-8 of y, is above the usual atol where a column is small or zero, so that the error
   test could never be passed: implicit problems have central ones at least.  The formula with the least noise is taken where directional differences
   are asked for, see derive_tangent_source(), and where differences are in S of index 2: another e in every step goes into s' and the
   multipliers as e/h, so that from some h on errors grow as h falls: no error test of S is passed then. */
static tansy_difference first_formula(const struct derive *d, const tansy_options *options)
{
    bool const tested = options->error_control != TANSY_STATE_ONLY;
    if (!derive_is_implicit(d) || d->ns == 0 || d->is_internal) return TANSY_FORWARD;
    if (d->tangent_source == SOURCE_DIFFERENCES) return TANSY_FOURTH_ORDER;
    if (!derive_tangent_needs_value(d)) return TANSY_FORWARD;
    return tested && is_index_2(d->problem) ? TANSY_FOURTH_ORDER : TANSY_CENTRAL;
}

static void choose_formula(struct derive *d, const tansy_options *options)
{
    d->difference = options->difference;
    if (d->difference == TANSY_DIFFERENCE_AUTO) {
        d->difference = first_formula(d, options);
        while (d->y0_tolerance < formula_of(d->difference)->from) d->difference++;
    }
    d->increment = options->difference_increment > 0 ? options->difference_increment
                                                     : formula_of(d->difference)->increment;
    internal_narrow(d, options);
}

static int no_jacobian(struct derive *d, const struct point *at)
{
    (void)d;
    (void)at;
    return 0;
}

static void choose_matrices(struct derive *d)
{
    const tansy_problem *const problem = d->problem;
    d->jacobian_source = gives_jacobian(problem) ? SOURCE_GIVEN : SOURCE_DIFFERENCES;
    d->rate_source = !d->M ? SOURCE_NONE : gives_rate(problem) ? SOURCE_GIVEN : SOURCE_DIFFERENCES;
    d->jacobian = matrices_evaluate;
    d->constant_mass =
        problem->residual ? problem->mass_constant != 0 : problem->mass && !mass_moves(problem);
    if (d->J->kind == MATRIX_NONE) {
        d->jacobian_source = SOURCE_NONE;
        d->jacobian = no_jacobian;
    }
    d->parameter_source = gives_parameter(problem) ? SOURCE_GIVEN : SOURCE_DIFFERENCES;
    d->parameter = gives_parameter(problem) ? given_parameter : differences_parameter;
    d->initial_source = problem->initial_jacobian ? SOURCE_GIVEN
                        : problem->initial        ? SOURCE_DIFFERENCES
                                                  : SOURCE_NONE;
    d->switch_source = problem->switch_tangent ? SOURCE_GIVEN
                       : d->switches > 0       ? SOURCE_DIFFERENCES
                                               : SOURCE_NONE;
    second_choose(d);
    d->jacobian_transposed = transposed_jacobian;
    d->parameter_transposed = transposed_parameter;
}

void derive_use_tangent(struct derive *d, enum source source)
{
    d->tangent_source = source;
    d->tangent_needs_matrices = source == SOURCE_MATRIX && d->ns > 0;
    d->tangent = source == SOURCE_GIVEN    ? derive_given_tangent
                 : source == SOURCE_MATRIX ? product_tangent
                 : d->is_internal          ? internal_tangent
                                           : differences_tangent;
}

enum source derive_source_at_start(const struct derive *d)
{
    const tansy_problem *const q = d->problem;
    if (d->tangent_source != SOURCE_DIFFERENCES || d->is_internal) return d->tangent_source;
    if (derive_gives_tangent(q)) return SOURCE_GIVEN;
    bool const given = gives_jacobian(q) && gives_rate(q) && gives_parameter(q);
    return given && d->J->kind != MATRIX_NONE ? SOURCE_MATRIX : SOURCE_DIFFERENCES;
}

/* What the tangent of a problem lacks. */
static const char *name_of_tangent(const tansy_problem *q)
{
    if (q->residual) return ".residual_tangent";
    return q->tangent ? ".mass_tangent (B depends on y or p)" : ".tangent";
}

static tansy_status set_tangent(struct derive *d, const tansy_options *options,
                                struct message *message)
{
    enum source source = derive_tangent_source(d->problem, options, d->ns);
    bool const without_matrix = source == SOURCE_MATRIX && d->J->kind == MATRIX_NONE;
    if (without_matrix && options->residual == TANSY_MATRIX && d->ns > 0)
        return message_set(message, TANSY_BAD_OPTION,
                           "residual = matrix needs df/dy, which the diagonal linear solver does "
                           "not keep; choose residual = differences, or give .tangent");
    if (source == SOURCE_GIVEN && !derive_gives_tangent(d->problem))
        return message_set(message, TANSY_BAD_OPTION,
                           "residual = seed needs the problem's %s, which is not given",
                           name_of_tangent(d->problem));
    if (without_matrix) source = SOURCE_DIFFERENCES;
    derive_use_tangent(d, source);
    return TANSY_OK;
}

/* The derivative that differences stand in for in S, and what to give instead; NULL: none. */
struct missing {
    const char *what, *remedy;
};

/* What matrices by differences lack, and the fields that give it. */
static struct missing name_missing(const tansy_problem *q, bool J, bool fp)
{
    enum { F, RHS };
    static const struct missing name[2][3] = {
        {{"dF/dy", "give .residual_jacobian or .residual_tangent"},
         {"dF/dp", "give .residual_parameter or .residual_tangent"},
         {"dF/dy and dF/dp",
          "give .residual_jacobian and .residual_parameter, or .residual_tangent"}},
        {{"df/dy", "give .jacobian or .tangent"},
         {"df/dp", "give .parameter_jacobian or .tangent"},
         {"df/dy and df/dp", "give .jacobian and .parameter_jacobian, or .tangent"}}};
    if (!q->residual && mass_moves(q)) /* only these two together know d(B y') */
        return (struct missing){
            "the derivatives of B(y, p) y' and f",
            q->tangent ? "give .mass_tangent"
                       : (q->mass_tangent ? "give .tangent" : "give .tangent and .mass_tangent")};
    return name[q->residual ? F : RHS][J && fp ? 2 : fp];
}

static struct missing find_missing(const struct derive *d)
{
    struct missing const none = {NULL, NULL};
    if (d->ns == 0) return none;
    bool const moved = d->direction_start[d->ns] > 0; /* some column has a p part */
    bool const product = d->tangent_source == SOURCE_MATRIX;
    bool const J = product && d->jacobian_source == SOURCE_DIFFERENCES;
    bool const fp = product && moved && d->parameter_source == SOURCE_DIFFERENCES;
    if (d->is_internal)
        return (struct missing){"internal differentiation", "choose sensitivities = tangent"};
    if (d->tangent_source == SOURCE_DIFFERENCES && derive_gives_tangent(d->problem))
        return (struct missing){"J s + df/dp by residual = differences", "choose residual = seed"};
    if (d->tangent_source == SOURCE_DIFFERENCES) return name_missing(d->problem, true, true);
    if (J || fp) return name_missing(d->problem, J, fp);
    if (moved && d->initial_source == SOURCE_DIFFERENCES)
        return (struct missing){"dy0/dp", "give .initial_jacobian"};
    return none;
}

/* An increment of the user's own means that he knows the errors of f better than the model of line.c. */
static tansy_status check_accuracy(const struct derive *d, const tansy_options *options,
                                   struct message *message)
{
    struct missing const missing = find_missing(d);
    const struct difference_formula *const formula = formula_of(d->difference);
    if (!missing.what || options->difference_increment > 0) return TANSY_OK;
    if (d->y0_tolerance >= formula->reach) return TANSY_OK;
    bool const better = d->difference != TANSY_FOURTH_ORDER;
    return message_set(
        message, TANSY_BAD_OPTION,
        "S to rtol = %g needs %s to that accuracy, but %s differences reach %g; %s%s",
        d->y0_tolerance, missing.what, formula->name, formula->reach, missing.remedy,
        better ? ", or leave the option difference at auto" : "");
}

/* df/dp is the first to be given where a column of p fails: a parameter may move f by less than f is rounded by, as one of 1e-13 beside terms of 1e-2,
   and no formula finds that. */
static const char *doubt_matrices(const struct derive *d, ptrdiff_t column)
{
    static const char *const texts[2][2] = {
        {", are the differences for the matrices too noisy (give them, above all "
         ".parameter_jacobian, or try difference = fourth)",
         ", are the differences for the matrices too noisy (give them, above all "
         ".parameter_jacobian)"},
        {", are the differences for the matrices too noisy (give them, above all "
         ".residual_parameter, or try difference = fourth)",
         ", are the differences for the matrices too noisy (give them, above all "
         ".residual_parameter)"}};
    bool const best = d->difference == TANSY_FOURTH_ORDER;
    bool const moved = column >= 0 && d->direction_start[column] < d->direction_start[column + 1];
    if (moved && d->parameter_source == SOURCE_DIFFERENCES)
        return texts[d->problem->residual != NULL][best];
    if (!derive_matrices_need_value(d)) return "";
    return best ? ", are the differences for the matrices too noisy (give them)"
                : ", are the differences for the matrices too noisy (give them, or try "
                  "difference = fourth)";
}

const char *derive_doubt(const struct derive *d, ptrdiff_t column, bool iterates)
{
    bool const best = d->difference == TANSY_FOURTH_ORDER;
    if (d->ns > 0 && d->is_internal)
        return ", are internal differences of f too noisy for it (use sensitivities = tangent)";
    if (d->ns > 0 && d->tangent_source == SOURCE_DIFFERENCES && !d->is_internal)
        return !best ? ", are the directional differences for S too noisy (give derivatives, or "
                       "try residual = matrix or difference = fourth)"
               : iterates ? ", are the directional differences for S too noisy (give derivatives, "
                            "or try residual = matrix or sensitivities = direct)"
                          : ", are the directional differences for S too noisy (give derivatives, "
                            "or try residual = matrix)";
    if (d->ns > 0 && d->tangent_source == SOURCE_MATRIX) return doubt_matrices(d, column);
    return derive_matrices_need_value(d) ? doubt_matrices(d, -1) : "";
}

tansy_status derive_retune(struct derive *d, const tansy_options *options, struct message *message)
{
    choose_formula(d, options);
    derive_renew_noise(d);
    return check_accuracy(d, options, message);
}

tansy_status derive_complete(struct derive *d, const tansy_options *options,
                             const struct panel *panel, size_t panels, struct message *message)
{
    directions_fill(d, panel, panels);
    derive_set_parameters(d);
    choose_matrices(d);
    TRY(set_tangent(d, options, message));
    choose_formula(d, options);
    d->apply_needs_value = apply_needs_value(d);
    return check_accuracy(d, options, message);
}
