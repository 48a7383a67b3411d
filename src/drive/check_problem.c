/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the user's problem. */
#include "drive/check_problem.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

size_t columns_wanted(const tansy_problem *p, const tansy_options *o)
{
    if (o->sensitivities == TANSY_NONE) return 0;
    return p->columns || p->directions ? p->ns : p->np;
}

static tansy_status check_sizes(const tansy_problem *p, const tansy_options *o, struct message *m)
{
    if (p->n == 0) return message_set(m, TANSY_BAD_PROBLEM, "n = 0: there are no equations");
    size_t const ns = columns_wanted(p, o), most = SIZE_MAX / 64;
    size_t const length = p->directions ? p->n + p->np : p->n; /* of a column */
    if (p->n > most || p->np > most || ns > most / length)
        return message_set(m, TANSY_BAD_PROBLEM,
                           "%zu equations with %zu parameters and %zu columns are too many", p->n,
                           p->np, ns);
    if ((p->columns || p->directions) && p->ns == 0)
        return message_set(m, TANSY_BAD_PROBLEM, ".columns or .directions is given, but ns = 0");
    if (!p->columns && !p->directions && p->ns != 0 && p->ns != p->np)
        return message_set(m, TANSY_BAD_PROBLEM,
                           "ns = %zu but neither .columns nor .directions says which ones", p->ns);
    if (p->columns && p->directions)
        return message_set(m, TANSY_BAD_PROBLEM, "both .columns and .directions are given: choose");
    if (p->structure != TANSY_DENSE && p->structure != TANSY_BANDED && p->structure != TANSY_SPARSE)
        return message_set(m, TANSY_BAD_PROBLEM,
                           ".structure = %d is neither TANSY_DENSE, TANSY_BANDED nor TANSY_SPARSE",
                           (int)p->structure);
    if (p->structure == TANSY_BANDED && (p->lower >= p->n || p->upper >= p->n))
        return message_set(m, TANSY_BAD_PROBLEM, "bandwidths %zu and %zu must be below n = %zu",
                           p->lower, p->upper, p->n);
    return TANSY_OK;
}

static tansy_status check_pointers(const tansy_problem *p, struct message *m)
{
    if (!p->rhs && !p->residual)
        return message_set(m, TANSY_BAD_PROBLEM,
                           ".rhs and .residual are NULL: there are no equations");
    if (p->residual && (p->rhs || p->mass))
        return message_set(m, TANSY_BAD_PROBLEM,
                           ".residual is given together with .rhs or .mass: choose");
    if (!p->y0 && !p->initial)
        return message_set(m, TANSY_BAD_PROBLEM, "neither .y0 nor .initial is given");
    if (p->np > 0 && !p->p)
        return message_set(m, TANSY_BAD_PROBLEM, "np = %zu but .p is NULL", p->np);
    bool const pattern = p->parameter_pattern.row != NULL;
    if (pattern != (p->parameter_pattern.column != NULL) ||
        (!pattern && p->parameter_pattern.entries > 0))
        return message_set(m, TANSY_BAD_PROBLEM,
                           ".parameter_pattern needs entries, row and column");
    if (pattern && !p->parameter_jacobian && !p->residual_parameter)
        return message_set(m, TANSY_BAD_PROBLEM,
                           ".parameter_pattern is given without .parameter_jacobian");
    return TANSY_OK;
}

static tansy_status check_numbers(const tansy_problem *p, struct message *m)
{
    if (!isfinite(p->t0)) return message_set(m, TANSY_BAD_PROBLEM, "t0 is not finite");
    for (size_t i = 0; p->y0 && !p->initial && i < p->n; i++)
        if (!isfinite(p->y0[i]))
            return message_set(m, TANSY_BAD_PROBLEM, "y0[%zu] = %g is not finite", i, p->y0[i]);
    for (size_t k = 0; k < p->np; k++)
        if (!isfinite(p->p[k]))
            return message_set(m, TANSY_BAD_PROBLEM, "p[%zu] = %g is not finite", k, p->p[k]);
    return TANSY_OK;
}

static tansy_status check_columns(const tansy_problem *p, struct message *m)
{
    for (size_t k = 0; p->columns && k < p->ns; k++) {
        long const c = p->columns[k];
        bool const known = c >= 0 ? (size_t)c < p->np : (size_t)(-1 - c) < p->n;
        if (!known)
            return message_set(
                m, TANSY_BAD_PROBLEM,
                "columns[%zu] = %ld names neither a parameter below %zu nor an initial "
                "value TANSY_INITIAL(i), i < %zu",
                k, c, p->np, p->n);
    }
    size_t const length = p->n + p->np;
    for (size_t x = 0; p->directions && x < p->ns * length; x++)
        if (!isfinite(p->directions[x]))
            return message_set(m, TANSY_BAD_PROBLEM, "entry %zu of direction %zu is not finite",
                               x % length, x / length);
    const tansy_pattern *const pattern = &p->parameter_pattern;
    for (size_t e = 0; e < pattern->entries; e++)
        if (pattern->row[e] >= p->n || pattern->column[e] >= p->np)
            return message_set(m, TANSY_BAD_PROBLEM,
                               "entry %zu of .parameter_pattern is (%zu, %zu), outside %zu x %zu",
                               e, pattern->row[e], pattern->column[e], p->n, p->np);
    return TANSY_OK;
}

static tansy_status check_discontinuities(const tansy_problem *p, struct message *m)
{
    size_t const most = SIZE_MAX / 64;
    if (p->switches > most || p->breaks > most)
        return message_set(m, TANSY_BAD_PROBLEM, "%zu switches and %zu breaks are too many",
                           p->switches, p->breaks);
    if (p->switches > 0 && !p->switch_function)
        return message_set(m, TANSY_BAD_PROBLEM, "switches = %zu but .switch_function is NULL",
                           p->switches);
    if (p->switches == 0 && (p->switch_function || p->switch_tangent))
        return message_set(m, TANSY_BAD_PROBLEM, "a switch function is given, but switches = 0");
    if (p->breaks > 0 && !p->break_times)
        return message_set(m, TANSY_BAD_PROBLEM, "breaks = %zu but .break_times is NULL",
                           p->breaks);
    if (p->time_terms > most || (p->time_terms > 0 && !p->time_range))
        return message_set(m, TANSY_BAD_PROBLEM,
                           "time_terms = %zu but .time_range is NULL, or they are too many",
                           p->time_terms);
    for (size_t i = 0; i < p->breaks; i++)
        if (!isfinite(p->break_times[i]) || (i > 0 && p->break_times[i] <= p->break_times[i - 1]))
            return message_set(m, TANSY_BAD_PROBLEM,
                               "break_times[%zu] = %.10g: they must be finite and rise", i,
                               p->break_times[i]);
    for (size_t k = 0; p->active_from && k < p->np; k++)
        if (isnan(p->active_from[k]))
            return message_set(m, TANSY_BAD_PROBLEM, "active_from[%zu] is NaN", k);
    for (size_t k = 0; p->bound && k < p->np; k++)
        if (!(p->bound[2 * k] <= p->bound[2 * k + 1]))
            return message_set(m, TANSY_BAD_PROBLEM, "bounds of parameter %zu are %g and %g", k,
                               p->bound[2 * k], p->bound[2 * k + 1]);
    return TANSY_OK;
}

static tansy_status check_implicit(const tansy_problem *p, struct message *m)
{
    bool const pattern = p->jacobian_pattern.row != NULL;
    if (pattern != (p->jacobian_pattern.column != NULL) ||
        (!pattern && p->jacobian_pattern.entries > 0))
        return message_set(m, TANSY_BAD_PROBLEM, ".jacobian_pattern needs entries, row and column");
    if (p->mass_tangent && !p->mass)
        return message_set(m, TANSY_BAD_PROBLEM, ".mass_tangent is given without .mass");
    if (!p->residual &&
        (p->residual_jacobian || p->rate_jacobian || p->residual_parameter || p->residual_tangent))
        return message_set(m, TANSY_BAD_PROBLEM,
                           "derivatives of a residual are given, but .residual is NULL");
    if (p->residual && (p->jacobian || p->parameter_jacobian || p->tangent))
        return message_set(
            m, TANSY_BAD_PROBLEM,
            "with .residual give .residual_jacobian, .residual_parameter and .residual_tangent, "
            "not the derivatives of .rhs");
    if ((p->residual_jacobian != NULL) != (p->rate_jacobian != NULL))
        return message_set(
            m, TANSY_BAD_PROBLEM,
            ".residual_jacobian and .rate_jacobian are given together or not at all");
    if (p->nq > 0 && !p->derived)
        return message_set(m, TANSY_BAD_PROBLEM, "nq = %zu but .derived is NULL", p->nq);
    return TANSY_OK;
}

/* What is said of the components: kinds, signs, first derivatives. */
static tansy_status check_components(const tansy_problem *p, struct message *m)
{
    for (size_t i = 0; p->kind && i < p->n; i++)
        if (p->kind[i] > TANSY_INDEX_2)
            return message_set(m, TANSY_BAD_PROBLEM, "kind[%zu] = %d is no kind of component", i,
                               (int)p->kind[i]);
    for (size_t i = 0; p->sign && i < p->n; i++)
        if (p->sign[i] < -2 || p->sign[i] > 2)
            return message_set(m, TANSY_BAD_PROBLEM, "sign[%zu] = %d is not in -2 .. 2", i,
                               p->sign[i]);
    for (size_t i = 0; p->yp0 && i < p->n; i++)
        if (!isfinite(p->yp0[i]))
            return message_set(m, TANSY_BAD_PROBLEM, "yp0[%zu] = %g is not finite", i, p->yp0[i]);
    return TANSY_OK;
}

tansy_status check_problem(const tansy_problem *p, const tansy_options *o, struct message *m)
{
    TRY(tansy_options_check(o, m->text, sizeof m->text) < 0 ? (m->status = TANSY_BAD_OPTION)
                                                            : TANSY_OK);
    TRY(check_sizes(p, o, m));
    TRY(check_pointers(p, m));
    TRY(check_numbers(p, m));
    TRY(check_columns(p, m));
    TRY(check_implicit(p, m));
    TRY(check_components(p, m));
    return check_discontinuities(p, m);
}
