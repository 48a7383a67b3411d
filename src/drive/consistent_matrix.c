/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix K of consistent initial values: which components are algebraic, which equations are constraints, its factors and
   solves with them. */
#include "drive/consistent.h"

#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/names.h"
#include "drive/sizes.h"
#include "drive/solver.h"
#include "linear/precondition.h"
#include "method/rosenbrock.h"

enum { MOST_COUPLED = 2000 };

double consistent_weight_at(const struct tansy_solver *s, size_t i, double value)
{
    const struct tolerances *const t = &s->tolerances;
    double const allowed = tolerances_allow(t, i, value);
    return t->assumed[i] ? fmax(allowed, t->rtol[i] * t->size[i]) : allowed;
}

double consistent_weight(const struct tansy_solver *s, size_t i)
{
    return consistent_weight_at(s, i, s->y0[i]);
}

/* Sets entry e of row i (of the compressed rows) to zero in the storage of A. */
static void clear_entry(struct matrix *A, size_t i, size_t e)
{
    if (A->kind == MATRIX_SPARSE)
        A->value[e] = 0;
    else
        *matrix_entry(A, i, A->rows.column[e]) = 0;
}

/* How many of each kind, and what the norms leave out. */
static void count_kinds(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    c->algebraic = c->multipliers = c->constraints = 0;
    for (size_t j = 0; j < s->n; j++) {
        bool const multiplier = c->kind[j] == TANSY_INDEX_2;
        c->algebraic += c->kind[j] != TANSY_DIFFERENTIAL;
        c->multipliers += multiplier;
        c->iterated[j] = multiplier ? 0 : 1;
        c->tested[j] = multiplier || (s->options.suppress_algebraic && c->kind[j]) ? 0 : 1;
    }
}

/* Marks the components whose derivative is in F. */
static void note_rated(struct tansy_solver *s)
{
    const struct sparse_rows *const M = &s->M.rows;
    for (size_t e = 0; e < M->start[s->n]; e++)
        if (M->value[e] != 0) s->consistent.rated[M->column[e]] = true;
}

/* A size of y'_i, where differences had to find one. */
static double unit_of_rate(const struct tansy_solver *s, size_t i)
{
    const struct derive *const d = &s->derive;
    return d->rates.worth[i] > 0 ? size_of_rate(d, i, s->consistent.yp[i]) : 1;
}

/* dF/dy' at y' moved from the guess to one side, where derivatives that enter as y'^2 show even if the guess is 0. */
static int probe_side(struct tansy_solver *s, double t, int side)
{
    struct consistent *const c = &s->consistent;
    for (size_t i = 0; i < s->n; i++)
        c->moved[i] =
            c->yp[i] + side * (1 + 0.5 * cos((double)i)) * (fabs(c->yp[i]) + unit_of_rate(s, i));
    struct point const at = {.t = t, .y = s->y0, .yp = c->moved, .f = s->equations.f};
    int code = derive_value(&s->derive, 0, &at, s->equations.f);
    if (code == 0) code = derive_rate(&s->derive, &at);
    if (code != 0) return code;
    matrix_compress(&s->M);
    note_rated(s);
    return 0;
}

static int probe_rates(struct tansy_solver *s, double t)
{
    int code = s->problem.kind || s->J.kind == MATRIX_NONE ? 0 : probe_side(s, t, 1);
    if (code > 0) code = probe_side(s, t, -1);
    if (code < 0) return code;
    s->derive.worker[0].failure.kind = FAILURE_NONE; /* if both fail the guess alone must do */
    return 0;
}

/* Marks the components whose derivative has coefficients that may vanish and do so here, all of them: eps z' = x - z at eps = 0, or beyond a condition.  Nothing
   else would show that z is algebraic: kinds that are given are those of the structure, and without them y' has been seen elsewhere. */
static void note_vanishing(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    const tansy_problem *const q = &s->problem;
    const struct sparse_rows *const M = &s->M.rows;
    bool const may = !q->kind && (q->mass || q->rate_linear || q->mass_constant);
    for (size_t j = 0; j < s->n; j++) c->shows[j] = q->vanishing ? !q->vanishing[j] : !may;
    if (!q->vanishing && !may) return;
    for (size_t e = 0; e < M->start[s->n]; e++)
        if (M->value[e] != 0) c->shows[M->column[e]] = true;
}

/* Without .kind a component whose derivative appears nowhere is algebraic. */
static void find_kinds(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    if (!s->problem.kind) note_rated(s);
    note_vanishing(s);
    for (size_t j = 0; j < s->n; j++) {
        tansy_kind const found = c->rated[j] ? TANSY_DIFFERENTIAL : TANSY_ALGEBRAIC;
        c->kind[j] = s->problem.kind ? s->problem.kind[j] : found;
        if (c->kind[j] == TANSY_DIFFERENTIAL && !c->shows[j]) c->kind[j] = TANSY_ALGEBRAIC;
        if (c->kind[j] != TANSY_DIFFERENTIAL) s->derive.rates.worth[j] = 0;
    }
    count_kinds(s);
}

/* A constraint of index 2 has neither derivatives nor multipliers in it. */
static void find_constraints(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    const struct sparse_rows *const M = &s->M.rows, *const J = &s->J.rows;
    c->constraints = 0;
    for (size_t i = 0; i < s->n; i++) {
        c->flat[i] = true;
        for (size_t e = M->start[i]; e < M->start[i + 1]; e++)
            c->flat[i] = c->flat[i] && M->value[e] == 0;
        bool found = c->multipliers > 0 && c->flat[i];
        for (size_t e = J->start[i]; e < J->start[i + 1]; e++)
            found = found && (J->value[e] == 0 || c->kind[J->column[e]] == TANSY_DIFFERENTIAL);
        c->constraint[i] = found;
        c->constraints += found;
    }
}

/* K from J: what multiplies y of differential components stands in constraints only. */
static void restrict_columns(struct tansy_solver *s)
{
    const struct consistent *const c = &s->consistent;
    const struct sparse_rows *const J = &s->J.rows;
    for (size_t i = 0; i < s->n; i++)
        for (size_t e = J->start[i]; e < J->start[i + 1]; e++)
            if (!c->constraint[i] && c->kind[J->column[e]] == TANSY_DIFFERENTIAL)
                clear_entry(&s->J, i, e);
}

static const char *higher_index_hint(const struct tansy_solver *s)
{
    if (s->n > MOST_COUPLED && s->J.kind != MATRIX_NONE && coupled_is_possible(&s->M))
        return "or dF/dy' is singular without zero columns, which is looked into for up to 2000 "
               "equations only";
    return s->problem.from_model
               ? "differentiate the algebraic equations once (tansy check tells the index)"
               : "mark multipliers of an index-2 problem by .kind = TANSY_INDEX_2, differentiate "
                 "the "
                 "algebraic equations, or give .yp0 if F is not linear in y', .rate_linear if it "
                 "is, and a coefficient of y' vanishes";
}

static tansy_status fail_index(struct tansy_solver *s, double t, ptrdiff_t pivot)
{
    struct name name;
    bool const multipliers = s->consistent.multipliers > 0;
    return s->error = message_set(
               &s->message, TANSY_HIGH_INDEX,
               "the index is too high at t = %.10g: the equations and y' leave %s undetermined "
               "(the matrix of y' and the algebraic variables is singular there); %s",
               t, name_state(&s->problem, (size_t)pivot - 1, &name),
               multipliers ? "only index 2 in Hessenberg form is supported: y' = f(t, y, z), 0 = "
                             "g(t, y) with g_y f_z "
                             "regular; differentiate the constraint once more"
                           : higher_index_hint(s));
}

static tansy_status check_solver(struct tansy_solver *s)
{
    if (s->consistent.multipliers == 0 || !s->linear.table->iterate) return TANSY_OK;
    size_t multiplier = 0;
    while (s->consistent.kind[multiplier] != TANSY_INDEX_2) multiplier++;
    struct name name;
    return s->error = message_set(
               &s->message, TANSY_BAD_OPTION,
               "a problem of index 2 (%s is a multiplier) needs a direct linear solver, not gmres: "
               "choose linear_solver = auto, or differentiate the constraints once",
               name_state(&s->problem, multiplier, &name));
}

/* The kinds that the problem gives fit the matrices: what is not differential has no derivative, and the constraints determine
   the multipliers.  Variables that are known only with a multiplier may be of index 2 as well. */
static tansy_status check_kinds(struct tansy_solver *s)
{
    const struct consistent *const c = &s->consistent;
    const struct sparse_rows *const M = &s->M.rows;
    struct name name;
    size_t multiplier = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t e = M->start[i]; e < M->start[i + 1]; e++)
            if (M->value[e] != 0 && c->kind[M->column[e]] != TANSY_DIFFERENTIAL)
                return s->error = message_set(
                           &s->message, TANSY_BAD_PROBLEM,
                           ".kind says that %s is algebraic, but its derivative is in equation %zu",
                           name_state(&s->problem, M->column[e], &name), i);
    if (c->constraints <= c->multipliers && (c->multipliers == 0 || c->constraints > 0))
        return check_solver(s);
    while (c->kind[multiplier] != TANSY_INDEX_2) multiplier++;
    return s->error = message_set(
               &s->message, TANSY_HIGH_INDEX,
               "%zu components are of kind TANSY_INDEX_2, the first is %s, but %zu "
               "equations are constraints (without y' and without multipliers)",
               c->multipliers, name_state(&s->problem, multiplier, &name), c->constraints);
}

/* Kinds where no entries are kept: as given, or an equation without derivatives makes its component algebraic. */
static tansy_status kinds_without_matrices(struct tansy_solver *s, const struct point *at)
{
    struct consistent *const c = &s->consistent;
    struct panel const one = {.columns = 1, .lanes = 1, .count = lane_round(s->n)};
    memset(c->moved, 0, one.count * sizeof *c->moved);
    for (size_t i = 0; i < s->n; i++) c->slope[i] = unit_of_rate(s, i) * (1 + 0.5 * cos((double)i));
    int code = derive_along(&s->derive, 0, at, &one, c->moved, c->slope, c->other);
    for (size_t i = 0; i < s->n; i++) c->slope[i] = unit_of_rate(s, i) * (1 + 0.5 * sin((double)i));
    if (code == 0) code = derive_along(&s->derive, 0, at, &one, c->moved, c->slope, c->delta);
    if (code != 0) return solver_fail_here(s, code);
    for (size_t i = 0; i < s->n && !s->problem.kind; i++) {
        double const first = c->other[i] / (1 + 0.5 * cos((double)i));
        double const second = c->delta[i] / (1 + 0.5 * sin((double)i));
        if (fabs(first - second) <= 1e-6 * (fabs(first) + fabs(second))) continue;
        return s->error =
                   message_set(&s->message, TANSY_BAD_PROBLEM,
                               "gmres without stored matrices needs .kind, or equations with one "
                               "derivative each; or choose the preconditioner ilu, band or block");
    }
    for (size_t i = 0; i < s->n; i++) {
        tansy_kind const found = c->other[i] == 0 ? TANSY_ALGEBRAIC : TANSY_DIFFERENTIAL;
        bool const open = !s->problem.kind || (s->problem.vanishing && s->problem.vanishing[i]);
        c->flat[i] = c->other[i] == 0;
        c->kind[i] = open ? found : s->problem.kind[i];
    }
    count_kinds(s);
    return check_solver(s);
}

static tansy_status no_memory(struct tansy_solver *s)
{
    return s->error =
               message_set(&s->message, TANSY_OUT_OF_MEMORY,
                           "no memory for the consistent initial values of %zu equations", s->n);
}

/* Directional differences must know once whether F is linear in y'. */
static tansy_status note_curves(struct tansy_solver *s, const struct point *at)
{
    struct consistent *const c = &s->consistent;
    if (!derive_asks_for_bends(&s->derive)) return TANSY_OK;
    int const code = derive_rate_curved(&s->derive, at, c->room);
    if (code > 0) s->derive.worker[0].failure.kind = FAILURE_NONE;
    return code < 0 ? solver_fail_here(s, code) : TANSY_OK;
}

/* M good enough for its rank, where that has to be found. */
static tansy_status refine_rates(struct tansy_solver *s, const struct point *at)
{
    struct consistent *const c = &s->consistent;
    c->rate_error = NULL;
    if (s->n > MOST_COUPLED || !coupled_is_possible(&s->M) ||
        s->derive.rate_source != SOURCE_DIFFERENCES)
        return note_curves(s, at);
    double *const error = coupled_errors(&c->coupled, s->n);
    if (!error) return no_memory(s);
    int const code = derive_rate_matrix(&s->derive, at, c->room, error);
    c->rate_error = error;
    return code != 0 ? solver_fail_here(s, code) : TANSY_OK;
}

/* Matrices at the point, kinds and constraints. */
static tansy_status evaluate_matrices(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    struct equations *const q = &s->equations;
    struct point const at = {.t = t, .y = s->y0, .yp = c->yp, .f = q->f};
    bool const first = !c->is_probed; /* later J has what is left of components that are 0 */
    int code = derive_value(&s->derive, 0, &at, q->f);
    if (code == 0 && first) {
        code = derive_find_rates(&s->derive, &at);
        if (code == 0) code = probe_rates(s, t);
        if (code == 0) code = derive_value(&s->derive, 0, &at, q->f);
    }
    c->is_probed = true;
    if (code == 0) code = s->derive.jacobian(&s->derive, &at);
    if (code != 0) return solver_fail_here(s, code);
    if (s->J.kind == MATRIX_NONE) return kinds_without_matrices(s, &at);
    matrix_compress(&s->J);
    matrix_compress(&s->M);
    TRY(refine_rates(s, &at));
    if (first && !s->started && !c->is_of_run) sizes_balance(s, t);
    consistent_allow(s);
    find_kinds(s);
    find_constraints(s);
    q->c = 0;
    return check_kinds(s);
}

/* grk4a and grk4t take away what is left in algebraic equations, and must know which these are. */
static tansy_status check_formula(struct tansy_solver *s)
{
    const struct rosenbrock *const table = s->stepper.method->matrices;
    if (!table || !table->theta) return TANSY_OK;
    return s->error = message_set(&s->message, TANSY_BAD_OPTION,
                                  "grk4a and grk4t need zero rows where B is singular: choose the "
                                  "formula rodas5p or rodas4");
}

/* Differences of F cannot tell whether M is singular. */
static tansy_status fail_rank(struct tansy_solver *s, double t)
{
    struct name state, equation;
    return s->error = message_set(
               &s->message, TANSY_INCONSISTENT,
               "no consistent initial values at t = %.10g: differences of F leave in "
               "doubt whether dF/dy' is "
               "singular, in the derivative of %s in %s; give dF/dy' (.rate_jacobian)%s",
               t, name_state(&s->problem, s->consistent.coupled.weak, &state),
               name_equation(&s->problem, s->consistent.coupled.in, &equation),
               s->derive.rate_is_curved ? ", or better starting values of y' (.yp0)" : "");
}

/* K of a coupled M; *is_made is false where M is not. */
static tansy_status factor_coupled(struct tansy_solver *s, double t, bool *is_made)
{
    struct consistent *const c = &s->consistent;
    const struct derive *const d = &s->derive;
    bool const differences = d->jacobian_source == SOURCE_DIFFERENCES;
    double *const unit = c->moved;
    for (size_t i = 0; i < s->n; i++)
        unit[i] = s->tolerances.atol[i] > 0 ? s->tolerances.atol[i] : consistent_weight(s, i);
    struct coupled_accuracy const accuracy = {.M = c->rate_error,
                                              .J = differences ? formula_of(d->difference)->reach
                                                               : 0,
                                              .unit = unit,
                                              .time = consistent_time_scale(s, t)};
    switch (coupled_make(&c->coupled, &s->M, &s->J, &accuracy)) {
    case COUPLED_OK:
        *is_made = true;
        return check_formula(s);
    case COUPLED_SINGULAR:
        return fail_index(s, t, (ptrdiff_t)c->coupled.weak + 1);
    case COUPLED_DOUBTFUL:
        return fail_rank(s, t);
    case COUPLED_NO_MEMORY:
        return no_memory(s);
    case COUPLED_REGULAR:
        break;
    }
    return TANSY_OK;
}

/* The unknowns of K are y' of differential components and y of the others. */
static void set_units(struct tansy_solver *s, double t, struct linear *l)
{
    const struct consistent *const c = &s->consistent;
    double const unit = consistent_time_scale(s, t);
    for (size_t j = 0; j < s->n && l->unit; j++)
        linear_set_unit(l, j,
                        consistent_weight(s, j) / (c->kind[j] == TANSY_DIFFERENTIAL ? unit : 1));
}

/* K, coupled or component by component. */
tansy_status consistent_factor(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    bool is_made = false;
    TRY(evaluate_matrices(s, t));
    coupled_forget(&c->coupled);
    c->dense_is_made = c->is_direct = false;
    if (c->multipliers == 0 && s->n <= MOST_COUPLED && coupled_is_possible(&s->M))
        TRY(factor_coupled(s, t, &is_made));
    if (is_made) return TANSY_OK;
    if (s->linear.table->settle) s->linear.table->settle(&s->linear);
    restrict_columns(s);
    const struct preconditioner *const kept = s->krylov.preconditioner;
    if (kept == &precondition_user) s->krylov.preconditioner = &precondition_none;
    s->krylov.is_strict = c->direct.table != NULL;
    set_units(s, t, &s->linear);
    set_units(s, t, &c->direct);
    ptrdiff_t pivot = s->linear.table->factor(&s->linear, 0, 1, 0);
    s->krylov.is_strict = false;
    s->krylov.preconditioner = kept;
    if (pivot > 0) pivot = consistent_factor_directly(s, pivot);
    if (pivot == LINEAR_NO_MEMORY) return no_memory(s);
    return pivot ? fail_index(s, t, pivot) : TANSY_OK;
}

tansy_status consistent_state(struct tansy_solver *s, double t)
{
    struct derive *const d = &s->derive;
    if (!s->started) {
        s->consistent.is_probed = false;
        derive_forget_rates(d);
    }
    d->rates.begins = true;
    tansy_status const status = consistent_find(s, t);
    d->rates.begins = false;
    return status;
}
