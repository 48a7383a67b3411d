/* SPDX-License-Identifier: Apache-2.0 */
/* Tolerances and scales. */
#include "drive/tolerances.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A component counts as zero below this share of its size, where the user has said nothing else: what
   is promised of y and S is relative to values, or to this share of the largest (docs/sensitivities.md). */
const double tolerances_negligible = 1e-3;

double tolerances_rounding(double size)
{
    static const double roundings = 100;
    return roundings * DBL_EPSILON * size;
}

static bool literal(const tansy_options *o)
{
    return o->rtol_sens || o->atol_sens || (o->rtol_state && o->rtol_column);
}

void tolerances_layout(struct tolerances *t, struct arena *arena, const tansy_options *options,
                       const struct panel *panel, size_t panels, bool weighs)
{
    t->rtol = arena_doubles(arena, t->n);
    t->atol = arena_doubles(arena, t->n);
    t->size = arena_doubles(arena, t->n);
    t->left = arena_doubles(arena, t->n);
    ARENA_TAKE(arena, t->follows, t->n);
    ARENA_TAKE(arena, t->assumed, t->n);
    t->zero = arena_doubles(arena, t->n);
    ARENA_TAKE(arena, t->rough, t->n);
    t->rounding = arena_doubles(arena, t->n);
    t->room = arena_doubles(arena, 2 * t->n);
    t->start = arena_doubles(arena, t->n);
    t->own = weighs ? arena_doubles(arena, t->n) : NULL;
    t->parameter_scale = arena_doubles(arena, t->np);
    t->scale = arena_doubles(arena, t->ns);
    t->rho = arena_matrix(arena, panels, MAX_LANES);
    t->a = arena_matrix(arena, panels, MAX_LANES);
    if (!literal(options)) return;
    size_t count = 0;
    for (size_t m = 0; m < panels; m++) count += panel[m].count;
    t->rtol_matrix = arena_doubles(arena, count);
    t->atol_matrix = arena_doubles(arena, count);
}

/* A tolerance must be a number that is finite and not negative. */
static bool usable(double x)
{
    return isfinite(x) && x >= 0;
}

double tolerances_of_size(const struct tolerances *t, size_t i)
{
    return fmax(tolerances_negligible * t->rtol[i] * t->size[i], t->rounding[i]);
}

tansy_status tolerances_state(struct tolerances *t, const tansy_options *o, struct message *message)
{
    double const rtol = o->rtol == 0 ? 1e-6 : o->rtol;
    double const atol = o->atol == 0 ? TANSY_AUTO_ATOL : o->atol == TANSY_NO_ATOL ? 0 : o->atol;
    for (size_t i = 0; i < t->n; i++) {
        double const given = o->atol_state ? o->atol_state[i] : atol;
        t->rtol[i] = o->rtol_state ? o->rtol_state[i] : rtol;
        t->follows[i] = given == TANSY_AUTO_ATOL;
        t->atol[i] = t->follows[i] ? tolerances_of_size(t, i) : given;
        if (!usable(t->rtol[i]))
            return message_set(message, TANSY_BAD_OPTION,
                               "rtol of component %zu is %g: write a number that is not negative, "
                               "such as 1e-6",
                               i, t->rtol[i]);
        if (!usable(t->atol[i]))
            return message_set(message, TANSY_BAD_OPTION,
                               "atol of component %zu is %g: write a number of at least 0 in units "
                               "of y, or TANSY_AUTO_ATOL (`auto`)",
                               i, given);
        if (t->rtol[i] == 0 && (t->atol[i] == 0 || t->follows[i]))
            return message_set(message, TANSY_BAD_OPTION,
                               "rtol and atol of component %zu are both zero, so that no step "
                               "could pass: write an rtol, such as 1e-6, or an atol above 0",
                               i);
    }
    return TANSY_OK;
}

static double range_of(const tansy_problem *problem, size_t k)
{
    double const range = problem->bound ? problem->bound[2 * k + 1] - problem->bound[2 * k] : 0;
    return range > 0 && isfinite(range) ? range : 0;
}

static double given_scale(const tansy_problem *problem, size_t k)
{
    return problem->scale ? fabs(problem->scale[k]) : 0;
}

/* p_k and the one before are levels of one control, and no scale is given for them. */
static bool goes_on(const tansy_problem *problem, size_t k)
{
    const int *const control = problem->control;
    return k > 0 && k < problem->np && control && control[k] > 0 && control[k] == control[k - 1] &&
           given_scale(problem, k) == 0 && given_scale(problem, k - 1) == 0;
}

double tolerances_parameter_scale(const tansy_problem *problem, size_t k)
{
    double const given = given_scale(problem, k);
    if (given != 0) return given; /* NaN too: it is refused */
    size_t first = k, end = k + 1;
    while (goes_on(problem, first)) first--;
    while (goes_on(problem, end)) end++;
    double size = 0, range = 0;
    for (size_t j = first; j < end; j++) {
        size = fmax(size, fabs(problem->p[j]));
        range = fmax(range, range_of(problem, j));
    }
    return size > 0 ? size : range;
}

/* Typical size of the initial value i: abs(y0_i), or what counts as zero. */
static double initial_scale(const struct tolerances *t, size_t i)
{
    double const zero = t->rtol[i] > 0 ? t->atol[i] / t->rtol[i] : t->atol[i];
    double const scale = fmax(fabs(t->start[i]), zero);
    return scale > 0 ? scale : 1;
}

/* The scale x of a direction r is where r x first moves something by its own scale: largest |r_j|/scale_j. */
static double direction_scale(const struct tolerances *t, const double *r)
{
    double largest = 0;
    for (size_t i = 0; i < t->n; i++) largest = fmax(largest, fabs(r[i]) / initial_scale(t, i));
    for (size_t k = 0; k < t->np; k++)
        largest = fmax(largest, fabs(r[t->n + k]) / t->parameter_scale[k]);
    return largest > 0 ? 1 / largest : 1;
}

static double column_scale(const struct tolerances *t, const tansy_problem *problem, size_t k)
{
    if (problem->directions) return direction_scale(t, problem->directions + k * (t->n + t->np));
    int const column = problem->columns ? problem->columns[k] : (int)k;
    if (column >= 0) return t->parameter_scale[column];
    return initial_scale(t, (size_t)(-1 - column));
}

static tansy_status check_columns(const struct tolerances *t, const tansy_options *o,
                                  struct message *message)
{
    for (size_t k = 0; k < t->ns; k++) {
        size_t const number = t->order ? t->order[k] : k;
        if (o->rtol_column && !usable(o->rtol_column[k]))
            return message_set(message, TANSY_BAD_OPTION,
                               "rtol_column[%zu] = %g: it must be finite and not negative", number,
                               o->rtol_column[k]);
        for (size_t i = 0; i < t->n; i++) {
            double const rtol = o->rtol_sens ? o->rtol_sens[k * t->n + i] : t->rtol[i];
            double const atol = o->atol_sens ? o->atol_sens[k * t->n + i] : 1;
            if (!usable(rtol) || !usable(atol) || (rtol == 0 && atol == 0))
                return message_set(
                    message, TANSY_BAD_OPTION,
                    "tolerances of component %zu of column %zu are rtol = %g, atol = "
                    "%g: they must be finite, not negative and not both zero",
                    i, number, rtol, atol);
        }
    }
    return TANSY_OK;
}

/* The smallest rtol of any column. */
static double tightest(const struct tolerances *t, const tansy_options *o)
{
    double smallest = 1;
    for (size_t k = 0; k < t->ns; k++)
        for (size_t i = 0; i < t->n; i++) {
            double rtol = o->rtol_sens ? o->rtol_sens[k * t->n + i] : t->rtol[i];
            if (!o->rtol_sens && o->rtol_column && o->rtol_column[k] > 0) rtol = o->rtol_column[k];
            if (rtol > 0 && rtol < smallest) smallest = rtol;
        }
    return smallest;
}

/* Parameters that nothing tells the size of have 1; those that are columns, or may be in directions, are counted. */
static void take_one_for_zero(struct tolerances *t, const tansy_problem *problem)
{
    bool const listed = problem->columns && !problem->directions;
    size_t const count = listed ? t->ns : t->np;
    t->unscaled = 0;
    for (size_t j = 0; j < count; j++) {
        ptrdiff_t const k = listed ? problem->columns[j] : (ptrdiff_t)j;
        if (k < 0 || t->parameter_scale[k] != 0) continue;
        if (t->unscaled++ == 0) t->first_unscaled = (size_t)k;
    }
    for (size_t k = 0; k < t->np; k++)
        if (t->parameter_scale[k] == 0) t->parameter_scale[k] = 1;
}

/* Below this nothing is a quantity. */
static const double smallest = 1e-100;

bool tolerances_has_size(const struct tolerances *t, size_t i)
{
    return t->size[i] > smallest;
}

void tolerances_size(struct tolerances *t, size_t i, double size)
{
    t->size[i] = fmax(size, smallest);
    if (t->follows[i]) t->atol[i] = t->zero[i] = tolerances_of_size(t, i);
}

double tolerances_zero(const struct tolerances *t, size_t i)
{
    if (t->follows[i]) return tolerances_of_size(t, i);
    return t->atol[i] > 0 ? t->atol[i] : tolerances_negligible * t->rtol[i] * fabs(t->start[i]);
}

tansy_status tolerances_columns(struct tolerances *t, const tansy_problem *problem,
                                const tansy_options *o, const double *y0, struct message *message)
{
    if (y0) memcpy(t->start, y0, t->n * sizeof *y0);
    double size = 0;
    for (size_t k = 0; k < t->np; k++) {
        if (!goes_on(problem, k)) size = tolerances_parameter_scale(problem, k);
        t->parameter_scale[k] = size;
        if (!isfinite(t->parameter_scale[k]))
            return message_set(message, TANSY_BAD_PROBLEM, "scale of parameter %zu is not finite",
                               k);
    }
    take_one_for_zero(t, problem);
    for (size_t k = 0; k < t->ns; k++) t->scale[k] = column_scale(t, problem, k);
    for (size_t i = 0; i < t->n; i++) t->zero[i] = tolerances_zero(t, i);
    if (t->checked) return TANSY_OK;
    t->tightest = tightest(t, o);
    TRY(check_columns(t, o, message));
    t->checked = true;
    return TANSY_OK;
}

/* The factor of component i where rtol_column is given for its column; 1: it is not, or there is no rtol to compare with. */
static double share_of(const struct tolerances *t, double rtol_column, size_t i)
{
    return rtol_column > 0 && t->rtol[i] > 0 ? rtol_column / t->rtol[i] : 1;
}

/* rho and a of a panel: rtol_column loosens or tightens rtol and atol alike. */
static void fill_factors(struct tolerances *t, const tansy_options *o, const struct panel *q)
{
    double *const rho = t->rho + q->number * MAX_LANES, *const a = t->a + q->number * MAX_LANES;
    for (size_t k = 0; k < q->lanes; k++) {
        rho[k] = a[k] = 1;
        if (k >= q->columns) continue;
        double const given = o->rtol_column ? o->rtol_column[q->first + k] : 0;
        rho[k] = share_of(t, given, 0); /* rtol is the same of all components, or see below */
        a[k] = rho[k] / t->scale[q->first + k];
    }
}

static void fill_literally(struct tolerances *t, const tansy_options *o, const struct panel *q,
                           double *rtol, double *atol)
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < q->lanes; k++) {
            size_t const x = i * q->lanes + k, given = (q->first + k) * t->n + i;
            bool const used = k < q->columns;
            double const column = used && o->rtol_column ? o->rtol_column[q->first + k] : 0;
            rtol[x] = used && o->rtol_sens ? o->rtol_sens[given] : column > 0 ? column : t->rtol[i];
            if (!used)
                atol[x] = t->zero[i];
            else if (o->atol_sens)
                atol[x] = o->atol_sens[given];
            else
                atol[x] = t->zero[i] * (share_of(t, column, i) / t->scale[q->first + k]);
        }
}

void tolerances_panels(struct tolerances *t, const tansy_options *o, const struct panel *panel,
                       size_t panels)
{
    size_t start = 0;
    for (size_t m = 0; m < panels; m++) {
        fill_factors(t, o, &panel[m]);
        if (t->rtol_matrix)
            fill_literally(t, o, &panel[m], t->rtol_matrix + start, t->atol_matrix + start);
        start += panel[m].count;
    }
}
