/* SPDX-License-Identifier: Apache-2.0 */
/* The last word on consistent initial values: F = 0 and F_y s + F_y' s' + F_p u = 0 at what is returned.  What is left in equation i may come from changes
   of y by the error weights, sum_j |J_ij| w_j, and of y' by a share of the largest. */
#include <float.h>
#include <math.h>

#include "derive/names.h"
#include "drive/consistent.h"
#include "drive/solver.h"

static const double share = 1e-6; /* of the largest y' */

void consistent_allow(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    const struct sparse_rows *const J = &s->J.rows;
    for (size_t i = 0; i < s->n; i++) {
        c->allowed[i] = c->terms[i] = 0;
        for (size_t e = J->start[i]; e < J->start[i + 1]; e++) {
            size_t const j = J->column[e];
            double const rounding = 1e3 * DBL_EPSILON * fabs(s->y0[j]);
            double const weight = fmax(consistent_weight(s, j), rounding);
            c->allowed[i] += fabs(J->value[e]) * weight;
            if (s->tolerances.rtol[j] > 0)
                c->terms[i] += fabs(J->value[e]) * weight / s->tolerances.rtol[j];
            else
                c->terms[i] += fabs(J->value[e] * s->y0[j]);
        }
    }
    consistent_note_reach(s);
}

/* sum_j |M_ij|. */
static double size_of_row(const struct tansy_solver *s, size_t i)
{
    const struct sparse_rows *const M = &s->M.rows;
    double sum = 0;
    for (size_t e = M->start[i]; e < M->start[i + 1]; e++) sum += fabs(M->value[e]);
    return sum;
}

tansy_status consistent_check_state(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    struct point const at = {.t = t, .y = s->y0, .yp = c->yp};
    if (s->J.kind == MATRIX_NONE) return TANSY_OK; /* nothing tells how large its terms are */
    int const code = derive_value(&s->derive, 0, &at, c->other);
    if (code != 0) return solver_fail_here(s, code);
    double largest = 0;
    for (size_t i = 0; i < s->n; i++) largest = fmax(largest, fabs(c->yp[i]));
    for (size_t i = 0; i < s->n; i++) {
        double const rtol = fmax(share, s->tolerances.rtol[i]);
        struct name name;
        if (c->constraint[i] ||
            fabs(c->other[i]) <= c->allowed[i] + rtol * largest * size_of_row(s, i))
            continue;
        return s->error = message_set(
                   &s->message, TANSY_INCONSISTENT,
                   "no consistent initial values found at t = %.10g: %s is left with %g, not 0; "
                   "give better starting values of y' (.yp0) or of the algebraic variables",
                   t, name_equation(&s->problem, i, &name), -c->other[i]);
    }
    return TANSY_OK;
}

/* The columns may be much larger than y, in units of p: how much, at most. */
static double growth(const struct tansy_solver *s, const struct panel *panel, size_t k,
                     const double *V)
{
    double const unit = s->tolerances.scale[panel->first + k];
    double largest = 1;
    for (size_t i = 0; i < s->n; i++) {
        double const size = consistent_weight(s, i) / s->tolerances.rtol[i];
        largest = fmax(largest, fabs(V[i * panel->lanes + k]) * unit / size);
    }
    return largest / unit;
}

/* What may help: what is given is not asked for. */
static const char *advice(const struct tansy_solver *s)
{
    bool const given = s->derive.jacobian_source == SOURCE_GIVEN;
    if (!given) return s->problem.residual ? "give dF/dy and dF/dy'" : "give df/dy";
    return s->linear.table->iterate ? "use another linear_solver than gmres, or a smaller rtol"
                                    : "are the derivatives right (tansy_check)?";
}

tansy_status consistent_check_panel(struct tansy_solver *s, const struct panel *panel,
                                    const double *V, const double *V_rate, const double *R)
{
    static const double slack = 10; /* differences of F are no better than the tolerance */
    const struct consistent *const c = &s->consistent;
    if (s->J.kind == MATRIX_NONE) return TANSY_OK;
    for (size_t k = 0; k < panel->columns; k++) {
        double const times = slack * growth(s, panel, k, V);
        double largest = 0;
        for (size_t i = 0; i < s->n; i++)
            largest = fmax(largest, fabs(V_rate[i * panel->lanes + k]));
        for (size_t i = 0; i < s->n; i++) {
            double const rtol = slack * fmax(share, s->tolerances.rtol[i]);
            double const left = R[i * panel->lanes + k];
            struct name column, row;
            if (c->constraint[i] ||
                fabs(left) <= times * c->allowed[i] + rtol * largest * size_of_row(s, i))
                continue;
            return s->error = message_set(
                       &s->message, TANSY_INCONSISTENT,
                       "no consistent initial values of %s found at t = %.10g: the derivative of "
                       "%s is left with %g, not 0; %s",
                       name_column(&s->problem, activation_name(s, (ptrdiff_t)(panel->first + k)),
                                   &column),
                       s->stepper.t, name_equation(&s->problem, i, &row), -left, advice(s));
        }
    }
    return TANSY_OK;
}
