/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with K: by its factors, or, where the linear solver is gmres, by that, but by the factors of another where its preconditioner
   has a zero pivot; and by dense factors of K, from its products with unit vectors,
   where the outcome is not looked at again, as y' of algebraic components and S' are not, and there are few equations. */
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "drive/consistent.h"
#include "drive/solver.h"
#include "linear/precondition.h"

extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
                    const int *lda, const int *ipiv, double *b, const int *ldb, int *info);

enum {
    MOST_DENSE = 100
}; /* equations: their products with K are no more than those of a Jacobian */

static const double tight = 1e-4; /* what Krylov iteration leaves, in units of the weights, */
static const double share = 1e-6; /* or of the right-hand side, in which time has its units */

/* The linear solver that takes matrices as they are stored. */
static const struct linear_table *direct_for(enum matrix_kind kind)
{
    if (kind == MATRIX_NONE) return NULL;
    if (kind == MATRIX_SPARSE) return linear_sparse;
    return kind == MATRIX_BAND ? &linear_band_lu : &linear_dense_lu;
}

void consistent_layout_dense(struct tansy_solver *s, struct arena *arena)
{
    struct consistent *const c = &s->consistent;
    if (!s->linear.krylov) return;
    c->direct = s->linear;
    c->direct.table = direct_for(s->J.kind);
    c->direct.krylov = NULL;
    c->direct.slots = 1;
    if (c->direct.table) c->direct.table->layout(&c->direct, arena);
    if (s->n > MOST_DENSE) return;
    c->dense = arena_doubles(arena, s->n * s->n);
    c->dense_row = arena_doubles(arena, s->n);
    ARENA_TAKE(arena, c->dense_pivot, s->n);
}

ptrdiff_t consistent_factor_directly(struct tansy_solver *s, ptrdiff_t pivot)
{
    struct consistent *const c = &s->consistent;
    if (!s->linear.krylov || !c->direct.table) return pivot;
    ptrdiff_t const failed = c->direct.table->factor(&c->direct, 0, 1, 0);
    c->is_direct = failed == 0;
    return failed;
}

/* x of coupled K: rates of the pivot components, and values along the null space. */
static void add_coupled(const struct coupled *k, const double *x, size_t lanes, double *values,
                        double *rates)
{
    for (size_t j = 0; rates && j < k->rank; j++) rates[k->component[j] * lanes] += x[j];
    for (size_t j = k->rank; values && j < k->n; j++)
        for (size_t i = 0; i < k->n; i++)
            values[i * lanes] += k->V[(j - k->rank) * k->n + i] * x[j];
}

/* Y = K X = M X_d - J X_a; V and V_rate are room for X_a and X_d. */
static int apply(struct tansy_solver *s, size_t worker, const struct panel *shape, const double *X,
                 double *V, double *V_rate, double *Y)
{
    const struct consistent *const c = &s->consistent;
    struct point const at = {.t = s->stepper.t, .y = s->y0, .yp = c->yp, .f = s->equations.f};
    memset(V, 0, shape->count * sizeof *V);
    memset(V_rate, 0, shape->count * sizeof *V_rate);
    for (size_t i = 0; i < s->n; i++) {
        double *const to = c->kind[i] == TANSY_DIFFERENTIAL ? V_rate : V;
        memcpy(to + i * shape->lanes, X + i * shape->lanes, shape->lanes * sizeof *to);
    }
    int const code = derive_along(&s->derive, worker, &at, shape, V, V_rate, Y);
    s->norms.kernels->combine(shape->count, -1, Y, 0, Y, Y);
    return code;
}

/* The same for Krylov iteration. */
static int apply_initial(void *context, size_t worker, size_t lanes, size_t columns,
                         const double *X, double *Y)
{
    struct tansy_solver *const s = context;
    size_t const count = lane_round(s->n * lanes);
    struct panel const shape = {.columns = columns, .lanes = lanes, .count = count};
    double *const V = s->consistent.panel + count;
    return apply(s, worker, &shape, X, V, V + count, Y);
}

/* Reciprocal weights of the state, or of columns in units of their parameters; *more* of them where the right-hand side is small. */
static void weigh(struct tansy_solver *s, const struct panel *panel, const double *R, bool more)
{
    size_t const lanes = panel ? panel->lanes : 1;
    double *const winv = s->consistent.weights;
    for (size_t k = 0; k < lanes; k++) {
        double const unit = panel && k < panel->columns ? s->tolerances.scale[panel->first + k] : 1;
        double sum = 0;
        for (size_t i = 0; i < s->n; i++) {
            winv[i * lanes + k] = unit / consistent_weight(s, i);
            sum += pow(R[i * lanes + k] * winv[i * lanes + k], 2);
        }
        double const size = sqrt(sum / (double)s->n);
        double const factor = more && size > 0 ? fmax(1, tight / (share * size)) : 1;
        for (size_t i = 0; i < s->n; i++) winv[i * lanes + k] *= factor;
    }
}

/* By GMRES, without the user's preconditioner, which knows W alone. */
static int iterate(struct tansy_solver *s, const struct panel *panel, double *R, bool more)
{
    const struct preconditioner *const kept = s->krylov.preconditioner;
    size_t const lanes = panel ? panel->lanes : 1;
    size_t iterations = 0;
    struct linear_task const task = {.lanes = lanes,
                                     .columns = lanes,
                                     .winv = s->consistent.weights,
                                     .tolerance = tight,
                                     .apply = apply_initial,
                                     .context = s,
                                     .iterations = &iterations};
    weigh(s, panel, R, more);
    if (kept == &precondition_user) s->krylov.preconditioner = &precondition_none;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    int const code = s->linear.table->iterate(&s->linear, 0, &task, R);
    s->krylov.preconditioner = kept;
    return code;
}

static void scatter(const struct tansy_solver *s, size_t lanes, const double *X, double *values,
                    double *rates)
{
    for (size_t i = 0; i < s->n; i++) {
        double *const to = s->consistent.kind[i] == TANSY_DIFFERENTIAL ? rates : values;
        for (size_t k = 0; to && k < lanes; k++) to[i * lanes + k] += X[i * lanes + k];
    }
}

static void solve_coupled(struct tansy_solver *s, size_t lanes, const double *R, double *values,
                          double *rates)
{
    struct consistent *const c = &s->consistent;
    for (size_t k = 0; k < lanes; k++) {
        double *const x = c->other;
        for (size_t i = 0; i < s->n; i++) x[i] = R[i * lanes + k];
        coupled_solve(&c->coupled, x);
        add_coupled(&c->coupled, x, lanes, values ? values + k : NULL, rates ? rates + k : NULL);
    }
}

int consistent_solve(struct tansy_solver *s, const struct panel *panel, double *R, double *values,
                     double *rates)
{
    size_t const lanes = panel ? panel->lanes : 1;
    int code = 0;
    if (s->consistent.coupled.n > 0) {
        solve_coupled(s, lanes, R, values, rates);
        return 0;
    }
    const struct linear *const l = s->consistent.is_direct ? &s->consistent.direct : &s->linear;
    if (l->table->iterate)
        code = iterate(s, panel, R, false);
    else if (lanes == 1)
        l->table->solve(l, 0, R);
    else
        l->table->solve_panel(l, 0, lanes, R);
    if (code == 0) scatter(s, lanes, R, values, rates);
    return code;
}

/* What products with K start from, at the state: it may have been evaluated elsewhere since. */
static int return_to_state(struct tansy_solver *s)
{
    double *const f = s->equations.f;
    struct point const at = {.t = s->stepper.t, .y = s->y0, .yp = s->consistent.yp, .f = f};
    int const code = derive_value(&s->derive, 0, &at, f);
    return code != 0 || s->J.kind == MATRIX_NONE ? code : s->derive.jacobian(&s->derive, &at);
}

/* The factors of K with rows of largest entries 1/2 to 1. */
static int factor_dense(struct consistent *c, int n)
{
    int info = 0;
    for (int i = 0; i < n; i++) {
        double largest = 0;
        for (int j = 0; j < n; j++) largest = fmax(largest, fabs(c->dense[j * n + i]));
        if (!(largest > 0)) return 1;
        c->dense_row[i] = ldexp(1, -1 - ilogb(largest));
        for (int j = 0; j < n; j++) c->dense[j * n + i] *= c->dense_row[i];
    }
    dgetrf_(&n, &n, c->dense, &n, c->dense_pivot, &info);
    return info == 0 ? 0 : 1;
}

static int make_dense(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    struct panel const one = {.columns = 1, .lanes = 1, .count = lane_round(s->n)};
    int code = return_to_state(s);
    for (size_t j = 0; j < s->n && code == 0; j++) {
        memset(c->dyp, 0, s->n * sizeof *c->dyp);
        c->dyp[j] = 1;
        code = apply(s, 0, &one, c->dyp, c->moved, c->slope, c->other);
        memcpy(c->dense + j * s->n, c->other, s->n * sizeof *c->dense);
    }
    return code != 0 ? code : factor_dense(c, (int)s->n);
}

static void solve_dense(struct tansy_solver *s, size_t lanes, double *R)
{
    struct consistent *const c = &s->consistent;
    int const n = (int)s->n, one = 1;
    int info = 0;
    for (size_t k = 0; k < lanes; k++) {
        double *const x = c->other;
        for (size_t i = 0; i < s->n; i++) x[i] = R[i * lanes + k] * c->dense_row[i];
        dgetrs_("N", &n, &one, c->dense, &n, c->dense_pivot, x, &n, &info);
        for (size_t i = 0; i < s->n; i++) R[i * lanes + k] = x[i];
    }
}

int consistent_solve_finely(struct tansy_solver *s, const struct panel *panel, double *R,
                            double *values, double *rates)
{
    struct consistent *const c = &s->consistent;
    size_t const lanes = panel ? panel->lanes : 1;
    int code = 0;
    if (c->coupled.n > 0 || (c->is_direct && !c->dense) || !s->linear.table->iterate)
        return consistent_solve(s, panel, R, values, rates);
    if (!c->dense) {
        code = return_to_state(s);
        if (code == 0) code = iterate(s, panel, R, true);
    } else {
        if (!c->dense_is_made) code = make_dense(s);
        c->dense_is_made = code == 0;
        if (code == 0) solve_dense(s, lanes, R);
    }
    if (code == 0) scatter(s, lanes, R, values, rates);
    c->rates_missing = c->rates_missing || code > 0;
    return code;
}

int consistent_polish(struct tansy_solver *s, double t)
{
    enum { ROUNDS = 8 };
    struct consistent *const c = &s->consistent;
    struct point const at = {.t = t, .y = s->y0, .yp = c->yp};
    int code = 0;
    if (!c->dense || c->coupled.n > 0) return 0;
    for (int round = 0; round < ROUNDS && code == 0; round++) {
        code = derive_value(&s->derive, 0, &at, c->delta);
        for (size_t i = 0; i < s->n; i++)
            if (c->constraint[i]) c->delta[i] = 0; /* d/dt of it stays as it was found */
        memset(c->dy, 0, s->n * sizeof *c->dy);
        memset(c->ypp, 0, s->n * sizeof *c->ypp);
        if (code == 0) code = consistent_solve_finely(s, NULL, c->delta, c->dy, c->ypp);
        for (size_t i = 0; i < s->n && code == 0; i++) {
            s->y0[i] += c->dy[i];
            c->yp[i] += c->ypp[i];
        }
        memcpy(c->dyp, c->ypp, s->n * sizeof *c->dyp);
        if (code != 0 || !(consistent_change(s) > 1)) break;
        c->dense_is_made = false; /* K is another where y and y' have moved, and columns need it */
    }
    return code;
}
