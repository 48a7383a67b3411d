/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses, once, where every derivative comes from: what is given is used; what is missing is differenced,
   by the cheapest formula that is accurate enough for S; where none is, that is an error. */
#include <math.h>

#include "derive/line.h"
#include "derive/providers.h"

static const double rtol_assumed = 1e-6; /* where the user gives absolute tolerances only */

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

/* Calls of f for the matrices that a product needs: df/dy, unless the direct method has it, and df/dp. */
static size_t matrix_calls(const tansy_problem *problem, const tansy_options *options, size_t ns)
{
    size_t const width = problem->lower + problem->upper + 1;
    bool const narrow = problem->structure == TANSY_BANDED && width < problem->n;
    size_t calls = 0;
    if (!gives_jacobian(problem) && options->sensitivities != TANSY_DIRECT)
        calls += narrow ? width : problem->n;
    for (size_t j = 0; j < problem->np && !gives_parameter(problem); j++)
        calls += direction_columns(problem, ns, j) > 0;
    return calls;
}

/* Directional differences cost a call for each column and iteration, and their noise differs from column to column
   and step to step; differences for the matrices cost theirs once a step and perturb J s smoothly.  So the
   matrices, unless there are far fewer columns. */
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

static void choose_formula(struct derive *d, const tansy_options *options)
{
    d->difference = options->difference;
    if (d->difference == TANSY_DIFFERENCE_AUTO) {
        d->difference = TANSY_FORWARD;
        while (d->y0_tolerance < formula_of(d->difference)->from) d->difference++;
    }
    d->increment = options->difference_increment > 0 ? options->difference_increment
                                                     : formula_of(d->difference)->increment;
}

/* What |y_j| is compared with: below it y_j is negligible. */
static void fill_levels(struct derive *d)
{
    for (size_t j = 0; j < d->n; j++)
        d->level[j] = d->atol[j] / (d->rtol[j] > 0 ? d->rtol[j] : rtol_assumed);
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
                           "residual = seed needs the problem's .tangent, which is not given");
    if (without_matrix) source = SOURCE_DIFFERENCES;
    derive_use_tangent(d, source);
    return TANSY_OK;
}

/* The derivative that differences stand in for in S, and what to give instead; NULL: none. */
struct missing {
    const char *what, *remedy;
};

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
    if (d->tangent_source == SOURCE_DIFFERENCES || (J && fp))
        return (struct missing){"df/dy and df/dp",
                                "give .jacobian and .parameter_jacobian, or .tangent"};
    if (J) return (struct missing){"df/dy", "give .jacobian or .tangent"};
    if (fp) return (struct missing){"df/dp", "give .parameter_jacobian or .tangent"};
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

tansy_status derive_retune(struct derive *d, const tansy_options *options, struct message *message)
{
    fill_levels(d);
    choose_formula(d, options);
    return check_accuracy(d, options, message);
}

tansy_status derive_complete(struct derive *d, const tansy_options *options,
                             const struct panel *panel, size_t panels, struct message *message)
{
    fill_levels(d);
    directions_fill(d, panel, panels);
    derive_set_parameters(d);
    choose_formula(d, options);
    choose_matrices(d);
    TRY(set_tangent(d, options, message));
    d->apply_needs_value = apply_needs_value(d);
    return check_accuracy(d, options, message);
}
