/* SPDX-License-Identifier: Apache-2.0 */
/* Consistent columns of S: K (s', s_a) = J s + r_p u, in the rows of constraints d/dt of that along the solution; and the
   derivatives of the algebraic rows, K (s'', s_a') = d/dt (J s - M s' + r_p u). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/names.h"
#include "drive/consistent.h"
#include "drive/solver.h"

/* R = J V - M V_rate + r_p U at the state moved along the solution by `time`; V_rate may be overwritten.  To second order with constraints,
   whose second derivatives are wanted, and where one side alone may be looked at. */
static int tangent_at(struct tansy_solver *s, const struct panel *panel, double time,
                      const double *V, double *V_rate, double *R)
{
    struct consistent *const c = &s->consistent;
    double *const yp = c->slope, *const y = c->moved;
    bool const one_side = c->coupled.n == 0 && !consistent_may_look(s, s->stepper.t, -time);
    double const half = c->constraints > 0 || one_side ? 0.5 * time : 0;
    for (size_t i = 0; i < s->n; i++) {
        y[i] = s->y0[i] + time * (c->yp[i] + half * c->ypp[i]);
        yp[i] = c->yp[i] + time * c->ypp[i];
    }
    struct point at = {.t = s->stepper.t + time, .y = y, .yp = yp};
    int const code = equations_linearise(&s->equations, &at, false);
    if (code != 0) return code;
    at.f = s->equations.f;
    return s->derive.tangent(&s->derive, 0, &at, panel, V, V_rate, R);
}

static const double bending = 16; /* times the span: that of differences of differences */

/* d/dt of J s + r_p u along the solution, with s fixed, into up: given, or by central differences. */
static int find_constraint_rates(struct tansy_solver *s, const struct panel *panel, const double *V,
                                 const double *here, double *up)
{
    struct consistent *const c = &s->consistent;
    double *const down = c->panel + panel->count, *const V_rate = down + panel->count;
    double const span = (derive_tangent_needs_value(&s->derive) ? bending : 1) * c->rate_span;
    memset(V_rate, 0, panel->count * sizeof *V_rate);
    if (s->problem.constraint_rate_tangent) {
        struct point const at = {.t = s->stepper.t, .y = s->y0, .yp = c->yp};
        return derive_constraint_tangent(&s->derive, &at, panel, V, V_rate, up);
    }
    double const t = s->stepper.t;
    int const above =
        consistent_may_look(s, t, span) ? tangent_at(s, panel, span, V, V_rate, up) : 1;
    memset(V_rate, 0, panel->count * sizeof *V_rate);
    int const below =
        consistent_may_look(s, t, -span) ? tangent_at(s, panel, -span, V, V_rate, down) : 1;
    if (above < 0 || below < 0 || (above > 0 && below > 0)) return above < 0 ? above : below;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    double const length = above == 0 && below == 0 ? 2 * span : span;
    for (size_t x = 0; x < panel->count;
         x++) /* a side that cannot be had gives way to the point itself */
        up[x] = ((above == 0 ? up[x] : here[x]) - (below == 0 ? down[x] : here[x])) / length;
    return 0;
}

/* The rows of constraints: J s + r_p u, which must vanish, is told; then its derivative takes its place. */
static int differentiate_constraints(struct tansy_solver *s, const struct panel *panel,
                                     const double *V, double *R)
{
    struct consistent *const c = &s->consistent;
    double *const rate = c->panel;
    int const code = find_constraint_rates(s, panel, V, R, rate);
    for (size_t i = 0; i < s->n && code == 0; i++)
        for (size_t k = 0; k < panel->lanes && c->constraint[i]; k++)
            R[i * panel->lanes + k] = rate[i * panel->lanes + k];
    return code;
}

/* Of what size the terms of row i are: sum_j |J_ij| w_jk. */
static tansy_status check_columns(struct tansy_solver *s, const struct panel *panel,
                                  const double *R)
{
    const struct consistent *const c = &s->consistent;
    const struct sparse_rows *const J = &s->J.rows;
    matrix_compress(&s->J);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < panel->columns && c->constraint[i]; k++) {
            double allowed = 0;
            double const unit = s->tolerances.scale[panel->first + k];
            for (size_t e = J->start[i]; e < J->start[i + 1]; e++) {
                size_t const j = J->column[e];
                double const size =
                    fmax(fabs(s->y0[j]), fabs(s->sens0[(panel->first + k) * s->n + j]) * unit);
                allowed +=
                    fabs(J->value[e]) * (s->tolerances.rtol[j] * size + s->tolerances.atol[j]);
            }
            if (fabs(R[i * panel->lanes + k]) * unit <= allowed) continue;
            struct name column, row;
            return s->error = message_set(
                       &s->message, TANSY_INCONSISTENT,
                       "the initial values of %s break the derivative of the constraint %s at t = "
                       "%.10g by %g: of an index-2 problem y0 must satisfy the constraints for all "
                       "parameters (give .initial or y0 as functions of them)",
                       name_column(&s->problem, activation_name(s, (ptrdiff_t)(panel->first + k)),
                                   &column),
                       name_equation(&s->problem, i, &row), s->stepper.t, R[i * panel->lanes + k]);
        }
    return TANSY_OK;
}

/* J s - M s' + r_p u at the state moved by `time`, and s by as much along s', into R. */
static int look_along(struct tansy_solver *s, const struct panel *panel, double time,
                      const double *V, const double *V_rate, double *R)
{
    double *const slope = s->consistent.panel + 2 * panel->count;
    double *const moved = s->stepper.panel_work[0].y0;
    if (!consistent_may_look(s, s->stepper.t, time)) return 1;
    s->norms.kernels->combine(panel->count, 1, V, time, V_rate, moved);
    memcpy(slope, V_rate, panel->count * sizeof *slope);
    return tangent_at(s, panel, time, moved, slope, R);
}

/* d/dt of that, from one side, where the other cannot be had; first is its value on this side. */
static int difference_one_side(struct tansy_solver *s, const struct panel *panel, double side,
                               const double *V, const double *V_rate, double *first)
{
    double *const second = s->consistent.panel + panel->count;
    int code = look_along(s, panel, 2 * side, V, V_rate, second);
    if (code != 0) return code;
    s->norms.kernels->combine(panel->count, 4, first, -1, second, first);
    code = look_along(s, panel, 0, V, V_rate, second);
    s->norms.kernels->combine(panel->count, 0.5 / side, first, -1.5 / side, second, first);
    return code;
}

/* The same from both sides, into c->panel. */
static int difference_along(struct tansy_solver *s, const struct panel *panel, double span,
                            const double *V, const double *V_rate)
{
    double *const up = s->consistent.panel, *const down = up + panel->count;
    int const above = look_along(s, panel, span, V, V_rate, up);
    if (above < 0) return above;
    int const below = look_along(s, panel, -span, V, V_rate, down);
    if (below < 0 || (above > 0 && below > 0)) return below;
    if (above > 0) memcpy(up, down, panel->count * sizeof *up);
    if (above > 0 || below > 0)
        return difference_one_side(s, panel, above > 0 ? -span : span, V, V_rate, up);
    s->norms.kernels->combine(panel->count, 0.5 / span, up, -0.5 / span, down, up);
    return 0;
}

/* Its rows of constraints: the second derivative, from three points of time, or from four on one side.  J s + r_p u itself vanishes to
   the tolerance only, as r does in consistent_rates.c. */
static int bend_constraints(struct tansy_solver *s, const struct panel *panel, double span,
                            const double *V, const double *V_rate)
{
    static const double both[] = {1, -2, 1}, one[] = {2, -5, 4, -1};
    struct consistent *const c = &s->consistent;
    double *const up = c->panel, *const here = up + panel->count;
    double *const bend = s->stepper.panel_work[0].r;
    double const shift = consistent_shift(s, s->stepper.t, span);
    memset(bend, 0, panel->count * sizeof *bend);
    for (int j = 0; j < (shift == 0 ? 3 : 4); j++) {
        double const time = shift == 0 ? (j - 1) * span : j * shift;
        int const code = look_along(s, panel, time, V, V_rate, here);
        if (code != 0) return code;
        s->norms.kernels->combine(panel->count, 1, bend, shift == 0 ? both[j] : one[j], here, bend);
    }
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < panel->lanes && c->constraint[i]; k++)
            up[i * panel->lanes + k] = bend[i * panel->lanes + k] / (span * span);
    return 0;
}

/* V_rate of the algebraic rows, for the first predictor, where they start flat without it; or along the null space of M.  Differences of
   differences need a longer span, and so do second ones, (1e-10)^(1/4) of a time for what differences leave.  1: they cannot be had. */
static int find_rates(struct tansy_solver *s, const struct panel *panel, const double *V,
                      double *V_rate)
{
    static const double longer = 64;
    struct consistent *const c = &s->consistent;
    bool const twice = derive_tangent_needs_value(&s->derive);
    double *const up = c->panel;
    double const span = c->constraints > 0 ? (twice ? bending : 1) * consistent_wider(s)
                                           : (twice ? longer : 1) * c->rate_span;
    int code = difference_along(s, panel, span, V, V_rate);
    if (code == 0 && c->constraints > 0) code = bend_constraints(s, panel, span, V, V_rate);
    for (size_t x = 0; x < panel->count && code == 0; x++) code = isfinite(up[x]) ? 0 : 1;
    s->derive.worker[0].failure.kind = code > 0 ? FAILURE_NONE : s->derive.worker[0].failure.kind;
    return code != 0 ? code : consistent_solve_finely(s, panel, up, V_rate, NULL);
}

static tansy_status fail_solve(struct tansy_solver *s, const struct panel *panel, int code)
{
    struct name column;
    if (s->derive.worker[0].failure.kind != FAILURE_NONE) return solver_fail_here(s, code);
    return s->error = message_set(
               &s->message, TANSY_INCONSISTENT,
               "no consistent initial values of %s found at t = %.10g: the linear solver gmres "
               "does "
               "not converge; raise krylov_dimension or krylov_restarts, or give a preconditioner",
               name_column(&s->problem, activation_name(s, (ptrdiff_t)panel->first), &column),
               s->stepper.t);
}

/* T = J s - M s' + r_p u at y' + by d less that at y' - by d, over 2 by, into c->panel: -(dM) d, dM = M_y s + M_y' s' + M_p u.  c->dyp is y'. */
static int change_of_mass(struct tansy_solver *s, const struct panel *panel, double by,
                          const double *V, const double *V_rate)
{
    struct consistent *const c = &s->consistent;
    double *const up = c->panel, *const down = c->panel + panel->count;
    int code = 0;
    for (int side = 1; side >= -1 && code == 0; side -= 2) {
        for (size_t i = 0; i < s->n; i++)
            c->yp[i] = c->dyp[i] + side * by * (s->y0[i] - c->given[i]);
        code = look_along(s, panel, 0, V, V_rate, side > 0 ? up : down);
    }
    memcpy(c->yp, c->dyp, s->n * sizeof *c->yp);
    s->norms.kernels->combine(panel->count, 0.5 / by, up, -0.5 / by, down, up);
    return code;
}

/* By how much of d y' may be moved, where F is linear in it: by so much that M_ij d_j is worth the other terms of F, or else these drown it in
   their rounding, min_j max_i terms_i/|M_ij d_j|.  worth[n] = max_i terms_i/|M_ij| is that of y'_j alone.  c->terms is without y'. */
static double longest_move(const struct tansy_solver *s, double *worth)
{
    const struct consistent *const c = &s->consistent;
    const struct sparse_rows *const M = &s->M.rows;
    double by = HUGE_VAL;
    memset(worth, 0, s->n * sizeof *worth);
    for (size_t i = 0; i < s->n; i++) {
        double terms = c->terms[i];
        for (size_t e = M->start[i]; e < M->start[i + 1]; e++)
            terms += fabs(M->value[e] * c->yp[M->column[e]]);
        for (size_t e = M->start[i]; e < M->start[i + 1]; e++) {
            double const here = terms / fabs(M->value[e]);
            if (isfinite(here)) worth[M->column[e]] = fmax(worth[M->column[e]], here);
        }
    }
    for (size_t j = 0; j < s->n; j++) {
        double const d = fabs(s->y0[j] - c->given[j]);
        if (d > 0 && worth[j] > 0) by = fmin(by, worth[j] / d);
    }
    return isfinite(by) && by > 0 ? by : 1;
}

/* What differences, or rounding, leave in (dM) d of row i for a column that moves what F depends on by its size: they are so much of the terms of F over
   what d is multiplied by.  Into noise[n]. */
static void note_noise(const struct tansy_solver *s, double by, double *noise)
{
    static const double roundings = 64 * DBL_EPSILON;
    const struct consistent *const c = &s->consistent;
    const struct derive *const d = &s->derive;
    const struct sparse_rows *const M = &s->M.rows;
    double const share =
        derive_tangent_needs_value(d) ? formula_of(d->difference)->reach : roundings;
    for (size_t i = 0; i < s->n; i++) {
        double terms = c->terms[i];
        for (size_t e = M->start[i]; e < M->start[i + 1]; e++) {
            size_t const j = M->column[e];
            double const move = by * fabs(s->y0[j] - c->given[j]);
            terms += fabs(M->value[e]) * (fabs(c->yp[j]) + move);
        }
        noise[i] = share * terms / by;
    }
}

/* How many of their sizes column k moves p, y and y' by, at most. */
static double motion(const struct tansy_solver *s, const struct panel *panel, size_t k,
                     const double *V, const double *V_rate, const double *worth)
{
    double largest = 1 / s->tolerances.scale[panel->first + k];
    for (size_t i = 0; i < s->n; i++) {
        size_t const x = i * panel->lanes + k;
        double const size = consistent_weight(s, i) / s->tolerances.rtol[i];
        if (size > 0) largest = fmax(largest, fabs(V[x]) / size);
        if (worth[i] > 0) largest = fmax(largest, fabs(V_rate[x]) / worth[i]);
    }
    return largest;
}

/* What does not count in M s of column k: a share of the error weights of S. */
static double negligible_mass(const struct tansy_solver *s, const struct panel *panel, size_t k,
                              const double *V)
{
    static const double little = 0.03;
    const struct sparse_rows *const M = &s->M.rows;
    double entry = 0, largest = 0;
    for (size_t e = 0; e < M->start[s->n]; e++) entry = fmax(entry, fabs(M->value[e]));
    for (size_t i = 0; i < s->n; i++) {
        double const size = fabs(V[i * panel->lanes + k]) * s->tolerances.rtol[i];
        double const unit = s->tolerances.scale[panel->first + k];
        largest = fmax(largest, fmax(size, consistent_weight(s, i) / unit));
    }
    return little * entry * largest;
}

/* The largest difference of (dM) d, in c->panel, from another estimate, relative to the largest entry of its column; 0 where all that is more than
   noise, which c->dy has, is negligible.  c->other is what y' is worth. */
static double apart(const struct tansy_solver *s, const struct panel *panel, const double *V,
                    const double *V_rate, const double *other)
{
    const struct consistent *const c = &s->consistent;
    double worst = 0;
    for (size_t k = 0; k < panel->columns; k++) {
        double const ignored = negligible_mass(s, panel, k, V);
        double const moves = motion(s, panel, k, V, V_rate, c->other);
        double largest = DBL_MIN, difference = 0;
        for (size_t i = 0; i < s->n; i++) {
            size_t const x = i * panel->lanes + k;
            double const by = fabs(c->panel[x] - other[x]);
            largest = fmax(largest, fabs(c->panel[x]));
            if (!(by <= fmax(ignored, moves * c->dy[i]))) difference = fmax(difference, by);
        }
        worst = fmax(worst, difference / largest);
    }
    return worst;
}

/* The same by steps that serve: F is linear in y' in most problems, and then long ones do.  Leaves what apart() needs. */
static int find_change_of_mass(struct tansy_solver *s, const struct panel *panel, const double *V,
                               const double *V_rate)
{
    static const double little = 1e-3;
    struct consistent *const c = &s->consistent;
    double *const whole = s->stepper.panel_work[0].r;
    double largest = 0, distance = DBL_MIN;
    double const by = longest_move(s, c->other);
    memcpy(c->dyp, c->yp, s->n * sizeof *c->dyp);
    note_noise(s, 0.5 * by, c->dy);
    int code = change_of_mass(s, panel, by, V, V_rate);
    if (code == 0) {
        memcpy(whole, c->panel, panel->count * sizeof *whole);
        code = change_of_mass(s, panel, 0.5 * by, V, V_rate);
        if (code == 0 && apart(s, panel, V, V_rate, whole) <= 1e-8) return 0;
    }
    if (code < 0) return code;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    for (size_t i = 0; i < s->n; i++) {
        largest = fmax(largest, fabs(c->yp[i]));
        distance = fmax(distance, fabs(s->y0[i] - c->given[i]));
    }
    double const near = little * (largest > 0 ? largest / distance : 1);
    note_noise(s, near, c->dy);
    return change_of_mass(s, panel, near, V, V_rate);
}

/* S' along the null space of M cannot be had. */
static tansy_status fail_rates(struct tansy_solver *s, const struct panel *panel)
{
    struct name column;
    return s->error = message_set(
               &s->message, TANSY_INCONSISTENT,
               "no consistent initial values of %s found at t = %.10g: dF/dy' is singular, and the "
               "derivatives of F cannot be evaluated at times nearby, which would tell theirs",
               name_column(&s->problem, activation_name(s, (ptrdiff_t)panel->first), &column),
               s->stepper.t);
}

/* S that belongs to a moved y cannot be had. */
static tansy_status fail_moved(struct tansy_solver *s, const struct panel *panel)
{
    struct name column, state;
    return s->error = message_set(
               &s->message, TANSY_INCONSISTENT,
               "no consistent initial values of %s found at t = %.10g: the given %s is "
               "inconsistent, and where "
               "it was moved to changes too fast with the parameters; give consistent values%s",
               name_column(&s->problem, activation_name(s, (ptrdiff_t)panel->first), &column),
               s->stepper.t, name_state(&s->problem, s->consistent.shifted, &state),
               derive_tangent_needs_value(&s->derive) ? ", or the derivatives of F" : "");
}

/* What was found is put into the equations of the columns. */
static tansy_status check_panel(struct tansy_solver *s, const struct panel *panel, const double *V,
                                const double *V_rate)
{
    double *const R = s->consistent.panel;
    int const code = look_along(s, panel, 0, V, V_rate, R);
    return code != 0 ? solver_fail_here(s, code) : consistent_check_panel(s, panel, V, V_rate, R);
}

/* Rows of V that K determines, and V_rate. */
static tansy_status solve_panel(struct tansy_solver *s, const struct panel *panel, double *V,
                                double *V_rate)
{
    struct consistent *const c = &s->consistent;
    double *const R = s->stepper.panel_work[0].r;
    memset(V_rate, 0, panel->count * sizeof *V_rate);
    int code = tangent_at(s, panel, 0, V, V_rate, R);
    if (code == 0 && c->constraints > 0) {
        bool moved = false;
        TRY(check_columns(s, panel, R));
        code = consistent_project_panel(s, panel, V, R, &moved);
        memset(V_rate, 0, panel->count * sizeof *V_rate);
        if (code == 0 && moved) code = tangent_at(s, panel, 0, V, V_rate, R);
        if (code == 0) code = differentiate_constraints(s, panel, V, R);
    }
    if (code != 0) return solver_fail_here(s, code);
    memset(V_rate, 0, panel->count * sizeof *V_rate);
    bool const finely = s->J.kind != MATRIX_NONE && c->dense;
    code = finely ? consistent_solve_finely(s, panel, R, V, V_rate)
                  : consistent_solve(s, panel, R, V, V_rate);
    if (code != 0) return fail_solve(s, panel, code);
    if (c->algebraic > 0 || c->coupled.n > 0) code = find_rates(s, panel, V, V_rate);
    if (code < 0) return solver_fail_here(s, code);
    return code > 0 && c->coupled.n > 0 ? fail_rates(s, panel) : TANSY_OK;
}

/* Where y was moved along the null space of M from the given one, by d, M d = 0 stays for all parameters: M s = M s_given - (dM) d, dM with s and s'
   as they come out, which takes some rounds if M depends on y or y'. */
static tansy_status follow_null_space(struct tansy_solver *s, const struct panel *panel, double *V,
                                      double *V_rate)
{
    enum { MOST_ROUNDS = 30 };
    double *const change = s->consistent.panel, *const last = s->stepper.panel_work[0].winv;
    double before = HUGE_VAL;
    memset(last, 0, panel->count * sizeof *last);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        int code = find_change_of_mass(s, panel, V, V_rate);
        if (code != 0) return solver_fail_here(s, code);
        double const by = apart(s, panel, V, V_rate, last);
        if (by <= 1e-10 || (by <= 1e-6 && by > 0.5 * before)) return TANSY_OK;
        before = by;
        memcpy(last, change, panel->count * sizeof *last);
        memset(V, 0, panel->count * sizeof *V);
        panel_from_columns(panel, s->n, s->sens0 + panel->first * s->n, V);
        code = consistent_solve(s, panel, change, NULL, V);
        if (code != 0) return fail_solve(s, panel, code);
        TRY(solve_panel(s, panel, V, V_rate));
    }
    return fail_moved(s, panel);
}

static tansy_status find_panel(struct tansy_solver *s, const struct panel *panel, double *V,
                               double *V_rate)
{
    static const double moved = 1e-3; /* in units of the weights of y */
    const struct consistent *const c = &s->consistent;
    TRY(solve_panel(s, panel, V, V_rate));
    if (c->coupled.n > 0 && c->distance > moved) TRY(follow_null_space(s, panel, V, V_rate));
    return check_panel(s, panel, V, V_rate);
}

tansy_status consistent_panel(struct tansy_solver *s, const struct panel *panel, double *V,
                              double *V_rate)
{
    struct derive *const d = &s->derive;
    d->rate_share = s->J.kind != MATRIX_NONE ? sqrt(d->increment) : 0;
    enum source const asked = d->tangent_source;
    d->rates.begins = true;
    derive_use_tangent(d, derive_source_at_start(d));
    tansy_status const status = find_panel(s, panel, V, V_rate);
    derive_use_tangent(d, asked);
    d->rates.begins = false;
    return status;
}
