/* SPDX-License-Identifier: Apache-2.0 */
/* Residuals, linearisation and the life of the iteration matrix. */
#include "equations/equations.h"

#include <math.h>

/* Factors are renewed when c has drifted by this much (LSODE's CCMAX) or after this many steps (MSBP). */
static const double most_drift = 0.3;
enum { OLD = 20 };

int equations_evaluate(struct equations *q, size_t worker, const struct part *part, double t,
                       const double *y, double *r)
{
    struct derive *const d = q->derive;
    if (part->kind == PART_STATE) return derive_rhs(d, worker, t, y, r);
    return d->tangent(d, worker, &(struct point){q->t, q->y, q->f}, &part->shape, y, r);
}

void equations_solve(const struct equations *q, const struct part *part, double *x)
{
    const struct linear *const l = q->linear;
    if (part->shape.lanes == 1)
        l->table->solve(l, 0, x);
    else
        l->table->solve_panel(l, 0, part->shape.lanes, x);
}

double equations_rescale(const struct equations *q, double c)
{
    return c == q->c ? 1 : 2 / (1 + c / q->c);
}

/* f(t, y), which differences start from. */
static int evaluate_f(struct equations *q, double t, const double *y)
{
    return derive_rhs(q->derive, 0, t, y, q->f);
}

static int evaluate_jacobian(struct equations *q, double t, const double *y)
{
    struct derive *const d = q->derive;
    if (d->jacobian_source == SOURCE_DIFFERENCES) {
        int const code = evaluate_f(q, t, y);
        if (code != 0) return code;
    }
    return d->jacobian(d, t, y, q->f);
}

static int factor(struct equations *q, double c)
{
    q->singular = q->linear->table->factor(q->linear, 0, c, 0);
    q->factorizations++;
    q->c = q->singular ? 0 : c;
    q->age = 0;
    q->fresh = !q->singular;
    return q->singular ? 1 : 0;
}

int equations_factor(struct equations *q, double t, const double *y, double c)
{
    int const code = evaluate_jacobian(q, t, y);
    return code != 0 ? code : factor(q, c);
}

int equations_linearise(struct equations *q, double t, const double *y, bool have_jacobian)
{
    struct derive *const d = q->derive;
    q->t = t;
    q->y = y;
    bool const differences =
        d->tangent_source == SOURCE_DIFFERENCES ||
        (d->tangent_needs_matrices && d->parameter_source == SOURCE_DIFFERENCES);
    bool const jacobian = d->tangent_needs_matrices && !have_jacobian;
    int code = 0;
    if (differences && (code = evaluate_f(q, t, y)) != 0) return code;
    if (jacobian && (code = evaluate_jacobian(q, t, y)) != 0) return code;
    return d->tangent_needs_matrices ? d->parameter(d, t, y, q->f) : 0;
}

bool equations_stale(const struct equations *q, double c)
{
    if (equations_functional(q)) return false;
    return q->c == 0 || fabs(c / q->c - 1) > most_drift || q->age >= OLD;
}
