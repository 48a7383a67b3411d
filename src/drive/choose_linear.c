/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the linear solver and the storage of the matrices. */
#include "drive/choose.h"
#include "linear/precondition.h"

enum { USUAL_DIMENSION = 20 }; /* of Krylov spaces */

const struct linear_table *choose_factoring(const struct tansy_solver *s)
{
    if (s->problem.structure == TANSY_SPARSE && linear_sparse) return linear_sparse;
    return s->problem.structure == TANSY_BANDED ? &linear_band_lu : &linear_dense_lu;
}

static const struct preconditioner *usual_preconditioner(const tansy_problem *q)
{
    if (q->precondition_solve) return &precondition_user;
    if (q->structure == TANSY_SPARSE) return &precondition_ilu;
    if (q->structure == TANSY_BANDED) return &precondition_band;
    return q->residual || q->mass ? &precondition_ilu : &precondition_none;
}

static tansy_status choose_preconditioner(struct tansy_solver *s)
{
    static const struct preconditioner *const table[] = {
        [TANSY_NO_PRECONDITIONER] = &precondition_none,
        [TANSY_USER_PRECONDITIONER] = &precondition_user,
        [TANSY_BAND_PRECONDITIONER] = &precondition_band,
        [TANSY_ILU_PRECONDITIONER] = &precondition_ilu,
        [TANSY_BLOCK_PRECONDITIONER] = &precondition_block};
    const tansy_options *const o = &s->options;
    const tansy_problem *const q = &s->problem;
    struct krylov *const k = &s->krylov;
    k->preconditioner = o->preconditioner ? table[o->preconditioner] : usual_preconditioner(q);
    bool const implicit = s->derive.form != FORM_ODE;
    if (implicit && k->preconditioner == &precondition_none)
        return message_set(&s->message, TANSY_BAD_OPTION,
                           "gmres without a preconditioner is for y' = f only: the residuals of an "
                           "implicit problem have "
                           "units of their own; choose ilu, band, block or user");
    if (k->preconditioner == &precondition_user && !q->precondition_solve)
        return message_set(&s->message, TANSY_BAD_OPTION,
                           "preconditioner user needs the problem's .precondition_solve");
    bool const own = o->preconditioner_lower > 0 || o->preconditioner_upper > 0;
    bool const banded = q->structure == TANSY_BANDED;
    k->lower = own || !banded ? o->preconditioner_lower : q->lower;
    k->upper = own || !banded ? o->preconditioner_upper : q->upper;
    if (k->lower >= s->n || k->upper >= s->n)
        return message_set(&s->message, TANSY_BAD_OPTION,
                           "the band preconditioner's widths %zu and %zu must be below n = %zu",
                           k->lower, k->upper, s->n);
    k->block = o->preconditioner_block > 0 ? o->preconditioner_block : 1;
    k->right = o->precondition_side ? o->precondition_side == TANSY_RIGHT : !implicit;
    k->dimension = o->krylov_dimension > 0 ? o->krylov_dimension : USUAL_DIMENSION;
    k->orthogonal = o->krylov_orthogonal;
    k->restarts = o->krylov_restarts > 0 ? o->krylov_restarts : 5;
    s->stepper.linear_share = o->krylov_tolerance > 0 ? o->krylov_tolerance : k->right ? 0.5 : 0.05;
    s->linear.krylov = k;
    s->derive.has_apply = true;
    return TANSY_OK;
}

/* One-step methods are linearly implicit or explicit: nothing is iterated. */
static tansy_status check_one_step(struct tansy_solver *s)
{
    tansy_linear_solver const asked = s->options.linear_solver;
    if (s->stepper.method->tableau && asked != TANSY_LINEAR_AUTO)
        return message_set(&s->message, TANSY_BAD_OPTION,
                           "rk8 solves no linear systems: leave linear_solver at auto");
    if ((s->stepper.method->matrices || s->stepper.method->rows) && asked == TANSY_GMRES)
        return message_set(
            &s->message, TANSY_BAD_OPTION,
            "rosenbrock and limex need exact solutions of their linear systems: choose dense, "
            "band or sparse, or the method bdf with gmres");
    return TANSY_OK;
}

tansy_status choose_linear(struct tansy_solver *s)
{
    bool const adams = s->stepper.method == &method_adams;
    TRY(check_one_step(s));
    if (s->stepper.method->tableau) {
        s->linear.table = &linear_diagonal; /* nothing is solved */
        return TANSY_OK;
    }
    switch (s->options.linear_solver) {
    case TANSY_DENSE_LU:
        s->linear.table = &linear_dense_lu;
        break;
    case TANSY_BAND_LU:
        if (s->problem.structure != TANSY_BANDED)
            return message_set(&s->message, TANSY_BAD_OPTION,
                               "linear_solver band needs a problem with .structure = TANSY_BANDED");
        s->linear.table = &linear_band_lu;
        break;
    case TANSY_DIAGONAL:
        if (!adams)
            return message_set(&s->message, TANSY_BAD_OPTION,
                               "linear_solver diagonal (functional iteration) is for adams only");
        s->linear.table = &linear_diagonal;
        break;
    case TANSY_SPARSE_LU:
        if (s->problem.structure != TANSY_SPARSE)
            return message_set(
                &s->message, TANSY_BAD_OPTION,
                "linear_solver sparse needs a problem with .structure = TANSY_SPARSE");
        if (!linear_sparse)
            return message_set(
                &s->message, TANSY_BAD_OPTION,
                "linear_solver sparse: this library was built without SuiteSparse's KLU; choose "
                "dense or gmres");
        s->linear.table = linear_sparse;
        break;
    case TANSY_GMRES:
        s->linear.table = &linear_gmres;
        return choose_preconditioner(s);
    default:
        s->linear.table = choose_factoring(s);
        if (adams && s->options.sensitivities != TANSY_DIRECT) s->linear.table = &linear_diagonal;
    }
    return TANSY_OK;
}

/* The kind of storage that the structure of the problem asks for. */
static enum matrix_kind natural_kind(const tansy_problem *q)
{
    static const enum matrix_kind kind[] = {
        [TANSY_DENSE] = MATRIX_DENSE, [TANSY_BANDED] = MATRIX_BAND, [TANSY_SPARSE] = MATRIX_SPARSE};
    return kind[q->structure];
}

void choose_matrix(struct tansy_solver *s)
{
    struct matrix *const J = &s->J;
    bool const iterates = s->linear.table->iterate != NULL;
    bool const wanted = derive_wants_jacobian(&s->problem, &s->options, s->ns) ||
                        (iterates && s->krylov.preconditioner->entries);
    J->n = s->n;
    J->kind = s->linear.table->matrix;
    if (J->kind == MATRIX_NONE && wanted) J->kind = natural_kind(&s->problem);
    bool const band = J->kind == MATRIX_BAND;
    J->lower = band ? s->problem.lower : s->n - 1;
    J->upper = band ? s->problem.upper : s->n - 1;
    J->width = band ? J->lower + J->upper + 1 : s->n;
    J->entries = s->pattern.entries;
    s->M = *J;
}
