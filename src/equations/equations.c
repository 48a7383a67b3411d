/* SPDX-License-Identifier: Apache-2.0 */
/* Residuals, linearisation and the life of the iteration matrix. */
#include "equations/equations.h"

#include <math.h>
#include <string.h>

/* Factors are renewed when c has drifted by this much (LSODE's CCMAX) or after this many steps (MSBP). */
static const double most_drift = 0.3;
/* Factors that serve no other step do so longer: DASPK's (1 - XRATE)/(1 + XRATE), XRATE = 1/4.  So does a preconditioner, for
   W itself is always that of the step; it outlives a doubling of h. */
static const double least_share = 0.6, least_preconditioned = 0.45;
enum { OLD = 20 };

void equations_layout(struct equations *q, struct arena *arena, size_t n, bool kept)
{
    q->f = arena_doubles(arena, lane_round(n));
    q->kept = kept ? arena_doubles(arena, 2 * lane_round(n)) : NULL;
}

int equations_evaluate(struct equations *q, size_t worker, const struct part *part, double t,
                       const double *y, double *yp, double *r)
{
    struct derive *const d = q->derive;
    if (part->kind == PART_STATE && !derive_is_implicit(d)) return derive_rhs(d, worker, t, y, r);
    if (part->kind == PART_STATE)
        return derive_value(d, worker, &(struct point){.t = t, .y = y, .yp = yp}, r);
    struct point const at = {.t = q->t, .y = q->y, .f = q->f, .yp = q->yp};
    return d->tangent(d, worker, &at, &part->shape, y, yp, r);
}

/* What apply() needs to know. */
struct product {
    struct derive *derive;
    const struct solve_task *task;
    const struct panel *shape;
};

static int apply(void *context, size_t worker, size_t lanes, size_t columns, const double *X,
                 double *Y)
{
    const struct product *const p = context;
    (void)lanes;
    (void)columns;
    return derive_apply(p->derive, worker, &p->task->at, p->task->c, p->shape, X, Y);
}

static int iterate(struct equations *q, struct part *part, const struct solve_task *task, double *x)
{
    struct product product = {q->derive, task, &part->shape};
    size_t iterations = 0;
    struct linear_task const linear = {.worker = task->worker,
                                       .lanes = part->shape.lanes,
                                       .columns = part->shape.columns,
                                       .is_state = part->kind == PART_STATE,
                                       .winv = task->winv,
                                       .tolerance = task->tolerance,
                                       .apply = apply,
                                       .context = &product,
                                       .iterations = &iterations};
    int const code = q->linear->table->iterate(q->linear, 0, &linear, x);
    part->counts.linear += iterations;
    return code;
}

int equations_solve(struct equations *q, struct part *part, const struct solve_task *task,
                    double *x)
{
    const struct linear *const l = q->linear;
    if (equations_iterative(q)) return iterate(q, part, task, x);
    linear_balance(l, q->c, part->shape.lanes, x);
    if (part->shape.lanes == 1)
        l->table->solve(l, task->slot, x);
    else
        l->table->solve_panel(l, task->slot, part->shape.lanes, x);
    return 0;
}

double equations_rescale(const struct equations *q, double c)
{
    return c == q->c || equations_iterative(q) ? 1 : 2 / (1 + c / q->c);
}

/* r, which differences start from. */
static int evaluate_f(struct equations *q, const struct point *at)
{
    return derive_value(q->derive, 0, at, q->f);
}

static int evaluate_jacobian(struct equations *q, const struct point *at)
{
    struct derive *const d = q->derive;
    if (d->jacobian_source == SOURCE_DIFFERENCES || d->rate_source == SOURCE_DIFFERENCES) {
        int const code = evaluate_f(q, at);
        if (code != 0) return code;
    }
    return d->jacobian(d, &(struct point){.t = at->t, .y = at->y, .yp = at->yp, .f = q->f});
}

/* A preconditioner that fails has recorded that; else a pivot vanishes. */
int equations_factor_slot(struct equations *q, size_t slot, double c)
{
    q->derive->worker[0].failure.kind = FAILURE_NONE;
    return equations_note_factors(q, c, q->linear->table->factor(q->linear, slot, c, 0));
}

int equations_note_factors(struct equations *q, double c, ptrdiff_t code)
{
    struct failure *const failure = &q->derive->worker[0].failure;
    q->c = c;
    bool const told = failure->kind != FAILURE_NONE;
    q->factorizations++;
    q->singular = code > 0 && !told ? code : 0;
    if (code != 0) q->c = 0;
    q->age = 0;
    q->fresh = code == 0;
    if (code >= 0) return code > 0 ? 1 : 0;
    if (!told) *failure = (struct failure){.kind = FAILURE_NO_MEMORY, .t = q->prepared.t};
    return -1;
}

/* The arrays of the point change before its factors are used for the last time: they are copied for the user. */
static void note_point(struct equations *q, const struct point *at)
{
    size_t const n = q->derive->n;
    q->prepared = *at;
    if (!q->kept) return;
    double *const y = q->kept, *const yp = q->kept + lane_round(n);
    memcpy(y, at->y, n * sizeof *y);
    q->prepared.y = y;
    if (!at->yp) return;
    memcpy(yp, at->yp, n * sizeof *yp);
    q->prepared.yp = yp;
}

void equations_set_units(struct equations *q, const double *y)
{
    const struct derive *const d = q->derive;
    for (size_t j = 0; j < q->n && q->linear->unit; j++)
        linear_set_unit(q->linear, j, d->rtol[j] * fabs(y[j]) + d->atol[j]);
}

int equations_factor(struct equations *q, const struct point *at, double c)
{
    int const code = evaluate_jacobian(q, at);
    equations_set_units(q, at->y);
    note_point(q, at);
    return code != 0 ? code : equations_factor_again(q, c);
}

int equations_linearise(struct equations *q, const struct point *at, bool have_jacobian)
{
    struct derive *const d = q->derive;
    q->t = at->t;
    q->y = at->y;
    q->yp = at->yp;
    bool const differences =
        d->tangent_source == SOURCE_DIFFERENCES || d->apply_needs_value ||
        (d->tangent_needs_matrices && d->parameter_source == SOURCE_DIFFERENCES);
    bool const jacobian = d->tangent_needs_matrices && !have_jacobian;
    int code = 0;
    if (differences && (code = evaluate_f(q, at)) != 0) return code;
    if (jacobian && (code = evaluate_jacobian(q, at)) != 0) return code;
    struct point const here = {.t = at->t, .y = at->y, .yp = at->yp, .f = q->f};
    return d->tangent_needs_matrices ? d->parameter(d, &here) : 0;
}

bool equations_stale(const struct equations *q, double c, bool passing)
{
    if (equations_functional(q)) return false;
    if (q->exact_c && c != q->c) return true;
    if (q->c == 0 || q->age >= OLD) return true;
    bool const iterative = equations_iterative(q);
    double const least = iterative ? least_preconditioned : least_share;
    double const ratio = c / q->c; /* both are negative where time runs backwards */
    if (iterative || passing) return ratio < least || least * ratio > 1;
    return fabs(ratio - 1) > most_drift;
}
