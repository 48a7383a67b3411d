/* SPDX-License-Identifier: Apache-2.0 */
/* What messages call states, parameters and switches: by the problem's names where it has them, else by numbers. */
#include "derive/names.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *name_state(const tansy_problem *problem, size_t i, struct name *name)
{
    if (problem->state_names) return problem->state_names[i];
    (void)snprintf(name->text, sizeof name->text, "component %zu", i);
    return name->text;
}

const char *name_equation(const tansy_problem *problem, size_t i, struct name *name)
{
    if (problem->equation_names) return problem->equation_names[i];
    (void)snprintf(name->text, sizeof name->text, "equation %zu", i);
    return name->text;
}

/* What does not fit is cut behind a word, and "..." tells it. */
static void name_long(struct name *name, const char *kind, const char *text)
{
    int const length = snprintf(name->text, sizeof name->text, "%s%s", kind, text);
    if (length >= (int)sizeof name->text) message_cut(name->text);
}

const char *name_switch(const tansy_problem *problem, size_t j, struct name *name)
{
    if (problem->switch_names)
        name_long(name, "the condition ", problem->switch_names[j]);
    else
        (void)snprintf(name->text, sizeof name->text, "switch %zu", j);
    return name->text;
}

const char *name_column(const tansy_problem *problem, ptrdiff_t k, struct name *name)
{
    char *const text = name->text;
    if (k < 0) return "the state";
    int const column = problem->columns ? problem->columns[k] : (int)k;
    size_t const i = column < 0 ? (size_t)(-1 - column) : 0;
    if (problem->directions)
        (void)snprintf(text, sizeof name->text, "direction %td", k);
    else if (column >= 0 && problem->parameter_names)
        (void)snprintf(text, sizeof name->text, "d/d(%.100s)", problem->parameter_names[column]);
    else if (column >= 0)
        (void)snprintf(text, sizeof name->text, "dy/dp_%d", column);
    else if (problem->state_names)
        (void)snprintf(text, sizeof name->text, "d/d(%.100s(0))", problem->state_names[i]);
    else
        (void)snprintf(text, sizeof name->text, "dy/dy_%zu(t0)", i);
    return text;
}

const char *name_parameter(const tansy_problem *problem, size_t k, struct name *name)
{
    if (problem->parameter_names) return problem->parameter_names[k];
    (void)snprintf(name->text, sizeof name->text, "p_%zu", k);
    return name->text;
}

/* Entry (row, column) of a matrix of derivatives. */
static void describe_entry(const struct failure *f, const tansy_problem *problem, const char *value,
                           char *text, size_t size)
{
    struct name row, column;
    bool const by_rate = strcmp(f->function, "rate_jacobian") == 0;
    bool const by_state = by_rate || strcmp(f->function, "jacobian") == 0 ||
                          strcmp(f->function, "residual_jacobian") == 0;
    bool const initial = strstr(f->function, "initial") != NULL;
    bool const by_parameter = initial || strstr(f->function, "parameter");
    if (problem->state_names && strcmp(f->function, "second") == 0) {
        (void)snprintf(
            text, size, "a second derivative of %s%s along %s is %s at t = %g",
            problem->equation_names ? "" : "the equation of ",
            problem->equation_names ? name_equation(problem, f->row, &row)
                                    : name_state(problem, f->row, &row),
            name_column(problem, (ptrdiff_t)(problem->directions ? f->column : f->own), &column),
            value, f->t);
        return;
    }
    if (!problem->state_names || !(by_state || by_parameter)) {
        (void)snprintf(text, size, "%s gave %s in row %zu, column %zu at t = %g", f->function,
                       value, f->row, f->column, f->t);
        return;
    }
    bool const implicit = problem->equation_names != NULL && !initial;
    (void)snprintf(text, size, "the derivative of %s%s with respect to %s%s is %s at t = %g",
                   implicit  ? ""
                   : initial ? "the initial value of "
                             : "the equation of ",
                   implicit ? name_equation(problem, f->row, &row)
                            : name_state(problem, f->row, &row),
                   by_state ? name_state(problem, f->column, &column)
                            : name_parameter(problem, f->column, &column),
                   by_rate ? "'" : "", value, f->t);
}

static void describe_value(const struct failure *f, const tansy_problem *problem, const char *value,
                           char *text, size_t size)
{
    struct name name;
    if (problem->switch_names && strstr(f->function, "switch"))
        (void)snprintf(text, size, "%s is %s at t = %g", name_switch(problem, f->row, &name), value,
                       f->t);
    else if (problem->state_names && strcmp(f->function, "rhs") == 0)
        (void)snprintf(text, size, "the right-hand side of %s is %s at t = %g",
                       problem->state_names[f->row], value, f->t);
    else if (problem->state_names && strcmp(f->function, "initial") == 0)
        (void)snprintf(text, size, "the initial value of %s is %s", problem->state_names[f->row],
                       value);
    else if (problem->equation_names && strcmp(f->function, "residual") == 0)
        (void)snprintf(text, size, "%s is %s at t = %g", name_equation(problem, f->row, &name),
                       value, f->t);
    else
        (void)snprintf(text, size, "%s gave %s in component %zu at t = %g", f->function, value,
                       f->row, f->t);
}

static void describe_weight(const struct failure *failure, const tansy_problem *problem, char *text,
                            size_t size)
{
    struct name component, column;
    ptrdiff_t const number = failure->own == SIZE_MAX ? -1 : (ptrdiff_t)failure->own;
    (void)snprintf(text, size,
                   "error_weights allows %s of %s an error of %g at t = %g: it must be finite and "
                   "above 0 (such as rtol*fabs(v) + atol)",
                   name_state(problem, failure->row, &component),
                   name_column(problem, number, &column), failure->value, failure->t);
}

static void describe(const struct failure *failure, const tansy_problem *problem, char *text,
                     size_t size)
{
    const char *const value = isnan(failure->value) ? "NaN" : "Inf";
    switch (failure->kind) {
    case FAILURE_POSITIVE:
        (void)snprintf(text, size, "%s could not be evaluated at t = %g (it returned %d)",
                       failure->function, failure->t, failure->code);
        return;
    case FAILURE_NEGATIVE:
        (void)snprintf(text, size, "%s asked to stop at t = %g (it returned %d)", failure->function,
                       failure->t, failure->code);
        return;
    case FAILURE_NOT_FINITE:
        if (failure->column == SIZE_MAX)
            describe_value(failure, problem, value, text, size);
        else
            describe_entry(failure, problem, value, text, size);
        return;
    case FAILURE_SIGN: {
        struct name name;
        (void)snprintf(text, size, "%s = %g breaks the sign it must keep (.sign) at t = %g",
                       name_state(problem, failure->row, &name), failure->value, failure->t);
        return;
    }
    case FAILURE_WEIGHT:
        describe_weight(failure, problem, text, size);
        return;
    case FAILURE_SLOW:
        (void)snprintf(text, size, "%s does not converge at t = %g", failure->function, failure->t);
        return;
    case FAILURE_NO_MEMORY:
        (void)snprintf(text, size, "no memory for sparse factors at t = %g", failure->t);
        return;
    case FAILURE_NONE:
        break;
    }
    (void)snprintf(text, size, "no function failed");
}

void failure_describe(const struct failure *failure, const tansy_problem *problem, char *text,
                      size_t size)
{
    describe(failure, problem, text, size);
    if (strlen(text) + 1 >= size) message_cut(text); /* names may be long */
}
