/* SPDX-License-Identifier: Apache-2.0 */
/* Internal numerical differentiation (Franz and Kiehl 2.1): the perturbed solution y + eps s, p + eps u goes through the stages of a
   step with the state, eps being the same in all of them.  A stage Y + eps V then has the slope
     [f(t, Y + eps V, p + eps u) - f(t, Y, p)]/eps,
   which takes the place of the tangent.  eps is chosen at the beginning of every step by their (12), (13) and (17),
     eps = Delta/|v|,  v_i = |s_i|/(|y_i| + level_i),  v_k = |u_k|/scale of p_k,
   with atol/rtol as level (see increments.c) where they have 1, and without their bound eps <= 1, so that the units of y and p
   do not matter.  Where the rounding of y, u |y_i|/eps, would be seen by the error test of S, a formula of the next order takes a larger eps.  Where S
   is so large that p + eps u is lost in the rounding of p, y and p are moved apart, p by an increment of its own. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

static const double visible = 0.1; /* noise in units of the error test that is not let pass */

/* The increment of the formula of order 4, 7e-4, is the best for functions that vary as fast as their arguments.  f may vary far faster, as a linear
   control does with the times of its grid.  So of what the tolerance does not ask for digits are given away for narrower increments: rounding may
   be this share of rtol, and where f has more of it than that, so that it is `hardly` seen in units of the error test, they are wide again. */
static const double given_away = 1e-4, hardly = 1e-2;

void internal_narrow(struct derive *d, const tansy_options *options)
{
    bool const free = options->difference == TANSY_DIFFERENCE_AUTO &&
                      !(options->difference_increment > 0) && d->difference == TANSY_FOURTH_ORDER;
    d->internal.narrow =
        free ? fmin(d->increment, DBL_EPSILON / (given_away * d->y0_tolerance)) : d->increment;
}

void internal_layout(struct derive *d, struct arena *arena)
{
    d->internal.eps = arena_doubles(arena, d->ns);
    d->internal.eps_p = arena_doubles(arena, d->ns);
    d->internal.largest = arena_doubles(arena, d->ns);
    ARENA_TAKE(arena, d->internal.formula, d->ns);
    noise_layout(d, arena);
}

/* |v| of (12) and (17) for columns side by side: the largest entry, and the root mean square. */
struct sizes {
    double largest[MAX_LANES], mean[MAX_LANES];
};

/* A block of rows after the other, whose sizes are found once for all columns. */
static void relative_sizes(const struct derive *d, const struct panel *panel, const double *y,
                           const double *S, double Delta, struct sizes *v)
{
    enum { ROWS = 64 };
    double const share = largest_share(d, y);
    double reciprocal[ROWS];
    memset(v, 0, sizeof *v);
    for (size_t i = 0; i < d->n; i += ROWS) {
        size_t const rows = d->n - i < ROWS ? d->n - i : ROWS;
        reciprocal_sizes(d, i, rows, y, share, Delta, reciprocal);
        d->kernels->step->row_sizes(rows, panel->lanes, reciprocal, S + i * panel->lanes,
                                    v->largest, v->mean);
    }
    for (size_t k = 0; k < panel->columns; k++) {
        double const mean = sqrt(v->mean[k] / (double)d->n);
        v->mean[k] = isfinite(mean) ? mean : v->largest[k]; /* a square overflowed */
    }
}

/* The same of the parameters that column k moves. */
static double relative_size_of_direction(const struct derive *d, size_t k)
{
    double largest = 0;
    for (size_t e = d->direction_start[k]; e < d->direction_start[k + 1]; e++)
        largest = fmax(largest, fabs(d->direction_value[e]) / d->scale[d->direction_row[e]]);
    return largest;
}

static double increment_by(double Delta, double size)
{
    return size > DBL_MIN ? Delta / size : Delta / DBL_MIN;
}

void internal_increments(const struct derive *d, const struct panel *panel, const double *y,
                         const double *S, double Delta, double *eps)
{
    struct sizes v;
    relative_sizes(d, panel, y, S, Delta, &v);
    for (size_t k = 0; k < panel->columns; k++) {
        double const p = relative_size_of_direction(d, panel->first + k);
        eps[k] = increment_by(Delta, fmax(v.largest[k], p));
    }
}

/* As the root mean square of v has it, which is the norm of DOPRI8; but no component of y moves by more of its size than S may be wrong
   by, nor a parameter by more than Delta.  By the largest entry alone C5 of DETEST took twice the steps at 1e-7, made of noise. */
static double plain_increment(const struct derive *d, double Delta, double mean, double largest,
                              double p)
{
    double const most = fmax(Delta, d->y0_tolerance), size = fmax(mean, largest * (Delta / most));
    return increment_by(Delta, fmax(size, p));
}

/* p + eps u cannot be told from p in all its entries. */
static bool is_lost(const struct derive *d, size_t k, double eps)
{
    bool lost = false;
    for (size_t e = d->direction_start[k]; e < d->direction_start[k + 1]; e++)
        lost = lost || fabs(eps * d->direction_value[e]) <
                           16 * DBL_EPSILON * fabs(d->p[d->direction_row[e]]);
    return lost;
}

/* The rounding error of s = (y^ - y)/eps in units of the error test, whose norm is the root mean square. */
static double noise(const struct derive *d, size_t ld, const double *y, const double *winv,
                    double eps)
{
    double sum = 0;
    for (size_t i = 0; i < d->n; i++) sum += y[i] * winv[i * ld] * y[i] * winv[i * ld];
    return 0.5 * DBL_EPSILON * sqrt(sum / (double)d->n) / eps;
}

/* z + eps s_z of an algebraic component is rounded, and g_z^-1 times the difference of g has u |z|/eps of that, whatever else f feels: a look that is made
   while the column is at rest, as at the start, does not see it.  No more than eps s_z itself is rounded off: where s_z = 0, z + eps s_z is exact. */
static double rounding_of_algebraic(const struct derive *d, const struct panel *panel, size_t k,
                                    const double *y, const double *S, const double *winv,
                                    double eps)
{
    const tansy_kind *const kind = d->internal.kind;
    double largest = 0;
    for (size_t i = 0; kind && winv && i < d->n; i++) {
        size_t const x = i * panel->lanes + k;
        double const rounded = fmin(0.5 * DBL_EPSILON * fabs(y[i]), eps * fabs(S[x]));
        if (kind[i] != TANSY_DIFFERENTIAL) largest = fmax(largest, rounded * winv[x]);
    }
    return largest;
}

/* The error that rounding makes in a step, where winv weighs errors: as noise.c measured it, which has the rounding of y in it as far
   as f feels it; else as if y had all of it. */
static double seen(const struct derive *d, const struct panel *panel, size_t k, const double *y,
                   const double *winv, tansy_difference formula, double eps)
{
    if (d->internal.looks[panel->first] > 0)
        return noise_of_step(d, panel->first + k, formula, eps);
    return noise(d, panel->lanes, y, winv + k, eps);
}

void derive_choose_increments(struct derive *d, const struct panel *panel, const double *y,
                              const double *S, const double *winv)
{
    struct internal *const in = &d->internal;
    struct sizes v;
    relative_sizes(d, panel, y, S, d->increment, &v);
    for (size_t k = 0; k < panel->columns; k++) {
        size_t const column = panel->first + k;
        double const p = relative_size_of_direction(d, column);
        tansy_difference formula = d->difference;
        double Delta = in->narrow, eps = plain_increment(d, Delta, v.mean[k], v.largest[k], p);
        in->rounded[column] = rounding_of_algebraic(d, panel, k, y, S, winv, eps);
        if (Delta < d->increment && winv && seen(d, panel, k, y, winv, formula, eps) > hardly) {
            Delta = d->increment;
            eps = plain_increment(d, Delta, v.mean[k], v.largest[k], p);
            in->rounded[column] = rounding_of_algebraic(d, panel, k, y, S, winv, eps);
        }
        in->largest[column] = fmax(v.largest[k], p);
        while (winv && formula < TANSY_FOURTH_ORDER &&
               seen(d, panel, k, y, winv, formula, eps) > visible) {
            double wider[MAX_LANES] = {0};
            formula++;
            Delta = formula_of(formula)->increment;
            internal_increments(d, panel, y, S, Delta, wider);
            eps = wider[k];
            in->rounded[column] = rounding_of_algebraic(d, panel, k, y, S, winv, eps);
        }
        bool const apart = is_lost(d, column, eps);
        in->formula[column] = formula;
        in->eps[column] = apart ? eps : increment_in_direction(d, column, eps);
        in->eps_p[column] = apart ? increment_of_direction(d, column, Delta) : 0;
    }
}
