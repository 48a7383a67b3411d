/* SPDX-License-Identifier: Apache-2.0 */
/* The problem's own preconditioner, in the form Krylov iteration calls it. */
#include "derive/providers.h"
#include "drive/solver.h"

static int prepare(void *context, double re)
{
    const struct tansy_solver *const s = context;
    const struct point *const at = &s->equations.prepared;
    struct derive_worker *const w = &s->derive.worker[0];
    if (!s->problem.precondition_prepare) return 0;
    int const code = s->problem.precondition_prepare(at->t, at->y, at->yp, w->p, re, w->context);
    return judge(w, "precondition_prepare", at->t, code, 0, NULL);
}

static int solve(void *context, size_t worker, size_t lanes, size_t columns, double *X)
{
    const struct tansy_solver *const s = context;
    const struct point *const at = &s->equations.prepared;
    struct derive_worker *const w = &s->derive.worker[worker];
    int const code = s->problem.precondition_solve(at->t, at->y, at->yp, w->p, s->equations.c,
                                                   columns, lanes, X, w->context);
    return judge_matrix(w, "precondition_solve", at->t, code, s->n, lanes, X);
}

void solver_connect_preconditioner(struct tansy_solver *s)
{
    s->krylov.user = (struct krylov_user){.context = s, .prepare = prepare, .solve = solve};
}
