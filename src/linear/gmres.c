/* SPDX-License-Identifier: Apache-2.0 */
/* Scaled, preconditioned, incomplete GMRES with restarts (Brown and Hindmarsh 1989, as in DASPK: SPIGMR) for all lanes of
   a panel at once: every lane has its own Krylov space and stops on its own, but W and the preconditioner are applied to
   all of them together.  With D = diag(winv) and s of krylov.h the iteration runs on
     left    D P^-1 W D^-1 u = D P^-1 b,          x = D^-1 u
     right   D s W P^-1 (D s)^-1 u = D s b,       x = P^-1 (D s)^-1 u
   from x = 0.  A lane that is done gets zero directions: its result does not depend on the others. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "linear/gmres_work.h"
#include "linear/precondition.h"

/* The share of the corrector's tolerance that is left to solves on the left, against that on the right: 0.05 and 0.5. */
static const double from_left = 0.1;

/* The share of its tolerance that a solve for the state of an implicit problem may leave once a column has failed its error test.  What it
   leaves, the equations of columns multiply: by d^2F/dy^2 S, 1e4-fold in units of their own tolerances where F has exponentials
   (diodes), and a residual may be 1/30 of the error.  They then jump by more than the test allows from step to step, whatever h is, as one
   solve leaves that error and the next does not (with 0.005 in 16 of 400 runs of a diode bridge that differed in roundings only, with 0.001
   in one, with 0.0005 in none).  The state is one column of many: accuracy is cheap there. */
static const double for_columns = 2e-4;

/* Zero means the default. */
static void complete(struct krylov *k, size_t n)
{
    enum { DIMENSION = 5 };
    if (k->dimension == 0) k->dimension = DIMENSION;
    if (k->dimension > n) k->dimension = n;
    if (k->orthogonal == 0 || k->orthogonal > k->dimension) k->orthogonal = k->dimension;
    if (k->share == 0) k->share = 1 / (double)n;
}

static void layout(struct linear *l, struct arena *arena)
{
    struct krylov *const k = l->krylov;
    complete(k, l->A->n);
    size_t const count = lane_round(l->A->n * k->most_lanes), m = k->dimension;
    struct gmres_work *work;
    linear_layout_units(l, arena);
    l->factors = k;
    k->re = arena_doubles(arena, l->slots);
    ARENA_TAKE(arena, work, k->workers);
    for (size_t w = 0; w < k->workers; w++) {
        struct gmres_work own = {0};
        own.V = arena_matrix(arena, m + 1, count);
        own.z = arena_doubles(arena, count);
        own.y = arena_doubles(arena, count);
        own.unscale = arena_doubles(arena, count);
        own.scale = arena_doubles(arena, count);
        if (k->preconditioner->entries) own.exchanged = arena_doubles(arena, count);
        if (k->orthogonal < m) own.change = arena_doubles(arena, count);
        gmres_lanes_layout(&own.lanes, arena, m, k->most_lanes);
        if (work) work[w] = own;
    }
    k->work = work;
    k->prepared = 0;
    k->weakest = k->weak = 1;
    k->since = 0;
    precondition_order_layout(l, arena);
    if (k->preconditioner->layout) k->preconditioner->layout(l, arena);
}

struct krylov_counts krylov_total(const struct krylov *k)
{
    struct krylov_counts sum = {0};
    for (size_t w = 0; w < k->workers; w++) {
        const struct krylov_counts *const own = &k->work[w].counts;
        sum.solves += own->solves;
        sum.iterations += own->iterations;
        sum.preconditioned += own->preconditioned;
        sum.restarts += own->restarts;
        sum.failures += own->failures;
    }
    return sum;
}

/* Whether a row of M has two entries. */
static bool is_coupled(const struct matrix *M)
{
    for (size_t i = 0; M && M->kind != MATRIX_NONE && i < M->n; i++) {
        struct matrix_row const row = matrix_row(M, i);
        size_t entries = 0;
        for (size_t e = 0; e < row.count; e++) entries += row.value[e] != 0;
        if (entries > 1) return true;
    }
    return false;
}

static ptrdiff_t factor(struct linear *l, size_t slot, double re, double im)
{
    if (im != 0) return LINEAR_NOT_SUPPORTED;
    l->krylov->re[slot] = re;
    l->krylov->prepared++;
    l->krylov->is_coupled = is_coupled(l->M);
    l->krylov->is_probed = false;
    return precondition_prepare(l, slot, re);
}

/* The kernels want the number of lane k wherever an element of the lane may stand. */
static const double *spread(struct gmres *g, const double *value)
{
    for (size_t k = 0; k < MAX_LANES; k++) g->spread[k] = value[k % g->lanes];
    return g->spread;
}

/* value[k] where the lane is active, else 0. */
static void keep_active(const struct gmres *g, const double *value, double *kept)
{
    for (size_t k = 0; k < g->lanes; k++) kept[k] = g->work->lanes.active[k] ? value[k] : 0;
}

static size_t count_active(const struct gmres *g)
{
    size_t number = 0;
    for (size_t k = 0; k < g->lanes; k++) number += g->work->lanes.active[k];
    return number;
}

static double *direction(const struct gmres *g, size_t j)
{
    return g->work->V + j * g->count;
}

/* Sums of squares of the lanes into norms.  False if that of an active lane is not finite. */
static bool take_roots(struct gmres *g, double *squares, double *norm)
{
    bool finite = true;
    reduce_all(&g->krylov->reduce, REDUCE_SUM, squares, g->lanes);
    for (size_t k = 0; k < g->lanes; k++) {
        norm[k] = sqrt(squares[k]);
        if (g->work->lanes.active[k] && !isfinite(norm[k])) finite = false;
    }
    return finite;
}

static int precondition(struct gmres *g, double *X)
{
    g->work->counts.preconditioned += count_active(g);
    precondition_exchange(g->l, g->slot, g->lanes, g->work->exchanged, X);
    return g->krylov->preconditioner->solve(g->l, g->slot, g->task, X);
}

/* y = W z, preconditioned. */
static int apply(struct gmres *g)
{
    const struct linear_task *const t = g->task;
    struct gmres_work *const work = g->work;
    size_t const active = count_active(g);
    *t->iterations += active;
    work->counts.iterations += active;
    if (g->right) {
        int const code = precondition(g, work->z);
        if (code) return code;
    }
    int const code = t->apply(t->context, t->worker, t->lanes, t->columns, work->z, work->y);
    if (code) return code > 0 ? 1 : -1;
    return g->own_scale ? 0 : precondition(g, work->y);
}

/* Takes from direction j + 1 what it has of directions `first` to j, and adds that to column j of H; sums[] holds the
   products with the first one, and at the end the squares of what is left.  Only in the lanes where[]. */
static void make_orthogonal(struct gmres *g, size_t first, size_t j, const bool *where)
{
    double *const v = direction(g, j + 1);
    for (size_t i = first; i <= j; i++) {
        double *const h = gmres_entry(&g->work->lanes, i, j);
        double part[MAX_LANES];
        reduce_all(&g->krylov->reduce, REDUCE_SUM, g->sums, g->lanes);
        for (size_t k = 0; k < g->lanes; k++) {
            part[k] = where[k] ? g->sums[k] : 0;
            h[k] += part[k];
        }
        g->kernels->project(g->count, g->lanes, spread(g, part), direction(g, i), v,
                            i < j ? direction(g, i + 1) : v, g->sums);
    }
}

/* Once more in the lanes where hardly anything is left, as in DASPK; what is then left of the order of rounding errors
   is zero: the Krylov space holds the solution. */
static bool orthogonalise_again(struct gmres *g, size_t first, size_t j, const double *before)
{
    enum { ROUNDINGS = 10 };
    struct gmres_lanes *const lanes = &g->work->lanes;
    bool again[MAX_LANES] = {false}, any = false;
    for (size_t k = 0; k < g->lanes; k++) {
        again[k] = lanes->active[k] && before[k] + 0.001 * lanes->next[k] == before[k];
        any = any || again[k];
    }
    if (!any) return true;
    g->kernels->dots(g->count, g->lanes, direction(g, first), direction(g, j + 1), g->sums);
    make_orthogonal(g, first, j, again);
    bool const finite = take_roots(g, g->sums, lanes->next);
    for (size_t k = 0; k < g->lanes; k++)
        if (!(lanes->next[k] > ROUNDINGS * DBL_EPSILON * before[k])) lanes->next[k] = 0;
    return finite;
}

/* The new direction j + 1 from y, and column j of H.  False if something is not finite. */
static bool add_direction(struct gmres *g, size_t j, double *before)
{
    struct gmres_lanes *const lanes = &g->work->lanes;
    size_t const kept = g->krylov->orthogonal, first = j + 1 > kept ? j + 1 - kept : 0;
    memset(gmres_entry(lanes, 0, j), 0, (lanes->m + 1) * lanes->stride * sizeof(double));
    g->kernels->receive(g->count, g->lanes, g->work->y, g->scale, direction(g, j + 1),
                        direction(g, first), g->sums);
    if (!take_roots(g, g->sums + MAX_LANES, before)) return false;
    make_orthogonal(g, first, j, lanes->active);
    return take_roots(g, g->sums, lanes->next) && orthogonalise_again(g, first, j, before);
}

/* Directions that are not orthogonal to all others: |Q^T e| is not 1, but the norm of Q^T e = s Q^T e + c v. */
static bool correct_rho(struct gmres *g, size_t j)
{
    struct gmres_lanes *const lanes = &g->work->lanes;
    size_t const kept = g->krylov->orthogonal, stride = lanes->stride;
    double *const change = g->work->change;
    double c[MAX_LANES], s[MAX_LANES], cs[MAX_LANES], norm[MAX_LANES];
    if (j < kept) return true;
    if (j == kept) {
        gmres_lanes_residual(lanes, g->lanes, kept + 1, false, NULL);
        g->kernels->combine(g->count, kept + 1, lanes->coefficient, g->work->V, NULL, change);
    }
    keep_active(g, lanes->s + j * stride, s);
    for (size_t k = 0; k < g->lanes; k++)
        c[k] = lanes->next[k] > 0 ? lanes->c[j * stride + k] / lanes->next[k] : 0;
    keep_active(g, c, c);
    for (size_t k = 0; k < MAX_LANES; k++) cs[k] = c[k % g->lanes];
    g->kernels->blend(g->count, spread(g, s), cs, direction(g, j + 1), change);
    g->kernels->dots(g->count, g->lanes, change, change, g->sums);
    bool const finite = take_roots(g, g->sums, norm);
    for (size_t k = 0; k < g->lanes; k++)
        if (lanes->active[k]) lanes->rho[k] *= norm[k];
    return finite;
}

/* Lanes whose residual is small enough rest from now on. */
static void retire(struct gmres *g, const double *norm)
{
    struct gmres_lanes *const lanes = &g->work->lanes;
    for (size_t k = 0; k < g->lanes; k++)
        if (norm[k] <= g->tolerance * g->smallest[k]) lanes->active[k] = false;
}

/* What direction j shows of P^-1 W. */
static void look_at_diagonal(struct gmres *g, size_t j)
{
    const struct gmres_lanes *const lanes = &g->work->lanes;
    const double *const diagonal = gmres_entry(lanes, j, j);
    if (g->own_scale) return;
    for (size_t k = 0; k < g->lanes; k++)
        if (lanes->active[k] && fabs(diagonal[k]) < g->smallest[k])
            g->smallest[k] = fabs(diagonal[k]);
    if (lanes->active[0]) g->seen = fmin(g->seen > 0 ? g->seen : 1, fabs(diagonal[0]));
}

/* The state, which is solved for before all columns and by one worker, tells them how weak the preconditioner is: at once where it
   is weaker than it was, by and by where it has become better. */
static void remember(const struct gmres *g)
{
    struct krylov *const k = g->l->krylov;
    if (!g->task->is_state || !(g->seen > 0)) return;
    k->weakest = g->seen < k->weakest ? g->seen : sqrt(k->weakest * g->seen);
}

/* Up to m directions from the residual in direction 0, whose norm is known. */
static int run_cycle(struct gmres *g)
{
    struct gmres_work *const work = g->work;
    struct gmres_lanes *const lanes = &work->lanes;
    double before[MAX_LANES] = {0}, factor_of[MAX_LANES] = {0};
    for (size_t k = 0; k < g->lanes; k++) {
        lanes->next[k] = lanes->norm[k];
        lanes->product[k] = 1;
        lanes->length[k] = 0;
    }
    for (size_t j = 0; j < lanes->m && count_active(g) > 0; j++) {
        for (size_t k = 0; k < g->lanes; k++) factor_of[k] = 1 / lanes->next[k];
        keep_active(g, factor_of, factor_of);
        g->kernels->start(g->count, spread(g, factor_of), direction(g, j), work->unscale, work->z);
        int const code = apply(g);
        if (code) return code;
        if (!add_direction(g, j, before)) return 1;
        if (!gmres_lanes_rotate(lanes, g->lanes, j, before)) return 1;
        look_at_diagonal(g, j);
        if (work->change && !correct_rho(g, j)) return 1;
        retire(g, lanes->rho);
    }
    return 0;
}

/* Whether the lanes that took part in the cycle are finite in z: what a preconditioner gives need not be. */
static bool is_finite(struct gmres *g, const double *z)
{
    g->kernels->dots(g->count, g->lanes, z, g->scale, g->sums);
    for (size_t k = 0; k < g->lanes; k++)
        if (g->work->lanes.length[k] > 0 && !isfinite(g->sums[k])) return false;
    return true;
}

/* X += what the cycle has found; X = that in the first cycle. */
static int add_solution(struct gmres *g, bool first, double *X)
{
    static const double one[MAX_LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct gmres_work *const work = g->work;
    double *const to = first ? X : work->z;
    double took_part[MAX_LANES];
    size_t const rows = gmres_lanes_solve(&work->lanes, g->lanes);
    if (rows == 0) return 1;
    g->kernels->combine(g->count, rows, work->lanes.coefficient, work->V, work->unscale, to);
    if (g->right) {
        int const code = precondition(g, to);
        if (code) return code;
        if (!is_finite(g, to)) return 1;
    }
    for (size_t k = 0; k < g->lanes; k++) took_part[k] = work->lanes.length[k] > 0;
    if (!first) g->kernels->blend(g->count, one, spread(g, took_part), to, X);
    return 0;
}

/* The residual of the lanes that go on, without another product by W, into direction 0.  False if one has not become
   smaller. */
static bool restart(struct gmres *g)
{
    struct gmres_lanes *const lanes = &g->work->lanes;
    double const *const old = lanes->norm;
    for (size_t k = 0; k < g->lanes; k++)
        if (lanes->active[k] && !(lanes->rho[k] < old[k])) return false;
    gmres_lanes_residual(lanes, g->lanes, lanes->m + 1, true, lanes->next);
    g->kernels->combine(g->count, lanes->m + 1, lanes->coefficient, g->work->V, NULL,
                        direction(g, 0));
    g->kernels->dots(g->count, g->lanes, direction(g, 0), direction(g, 0), g->sums);
    g->work->counts.restarts++;
    return take_roots(g, g->sums, lanes->norm);
}

/* Direction 0 from the right-hand sides X, and the lanes that have to work. */
static int begin(struct gmres *g, const double *X)
{
    struct gmres_work *const work = g->work;
    struct gmres_lanes *const lanes = &work->lanes;
    for (size_t k = 0; k < MAX_LANES; k++) lanes->active[k] = k < g->task->columns;
    memcpy(work->y, X, g->count * sizeof(double));
    if (!g->own_scale) {
        int const code = precondition(g, work->y);
        if (code) return code;
    }
    g->kernels->receive(g->count, g->lanes, work->y, g->scale, direction(g, 0), work->unscale,
                        g->sums);
    return take_roots(g, g->sums + MAX_LANES, lanes->norm) ? 0 : 1;
}

/* Before the first cycle x = 0 is good enough for lanes whose right-hand side is within the tolerance.  On the right, the residuals of
   an implicit problem, whose units are not those of y, cannot tell that, nor can P^-1 b on the left where P may be weak: all but zeros
   take one direction at least. */
static void retire_at_first(struct gmres *g)
{
    struct gmres_lanes *const lanes = &g->work->lanes;
    bool const tells = !g->l->M;
    for (size_t k = 0; k < g->lanes && !tells; k++)
        if (lanes->norm[k] == 0) lanes->active[k] = false;
    if (tells) retire(g, lanes->norm);
}

/* Cycle after cycle. */
static int solve_all(struct gmres *g, double *X)
{
    struct gmres_lanes *const lanes = &g->work->lanes;
    int code = begin(g, X);
    for (size_t cycle = 0; code == 0; cycle++) {
        if (cycle == 0)
            retire_at_first(g);
        else
            retire(g, lanes->norm);
        if (cycle == 0 && count_active(g) == 0) memset(X, 0, g->count * sizeof(double));
        if (count_active(g) == 0) return 0;
        code = run_cycle(g);
        if (code == 0) code = add_solution(g, cycle == 0, X);
        if (code != 0 || count_active(g) == 0) return code;
        if (cycle == g->krylov->restarts || !restart(g)) return 1;
    }
    return code;
}

/* Numbers in [-1, 1] by chance, the same at all times. */
static void fill_by_chance(size_t n, double *v)
{
    uint32_t state = 1;
    for (size_t i = 0; i < n; i++) {
        state = 1664525 * state + 1013904223; /* Knuth's */
        v[i] = (double)state / 0x1p31 - 1;
    }
}

/* One b shows so much of the largest error there may be; weights of columns differ, and those of y change until the next look. */
static const double shows = 0.1;
static const double rough = 0.01; /* the share of b that may be left, */
static const double much = 3;     /* and |x| that is no sign of a weak direction */

/* What a residual says of the error: |x| of W x = b for a b by chance, |b| = 1, in the units of solves, after one cycle.  Where M couples
   components and is singular, W has directions in which it is of size 1, not re; a P that leaves out the coupling, and s on the right,
   divide by re there too, and solves would end with errors that are re times what they are tested for: the error test cuts h, and
   that makes it worse.  DASPK and IDAS do not look, and are lost there.  On the left any P may be far from W in a direction: that of an
   algebraic variable when W has become nearly singular there since P was made (diodes that no longer conduct), or where fill was
   dropped.  So it is looked for whenever P is new or a step has failed, and, where P was found to be weak and columns follow, which have
   no look of their own, again in every eighth solve for the state. */
static int probe(struct gmres *g)
{
    struct gmres_work *const work = g->work;
    struct gmres_lanes *const lanes = &work->lanes;
    struct krylov *const k = g->l->krylov;
    double const tolerance = g->tolerance;
    double size[MAX_LANES];
    for (size_t m = 0; m < MAX_LANES; m++) lanes->active[m] = m == 0;
    memset(direction(g, 0), 0, g->count * sizeof(double));
    memset(work->y, 0, g->count * sizeof(double)); /* behind row n, too */
    fill_by_chance(g->l->A->n, direction(g, 0));
    g->kernels->dots(g->count, g->lanes, direction(g, 0), direction(g, 0), g->sums);
    (void)take_roots(g, g->sums, lanes->norm);
    g->tolerance = rough * lanes->norm[0];
    for (size_t m = 0; m < MAX_LANES; m++) g->smallest[m] = 1;
    int code = run_cycle(g);
    if (code == 0) code = add_solution(g, true, work->y);
    g->tolerance = tolerance;
    k->is_probed = true;
    k->since = 0;
    if (code != 0) return code;
    lanes->active[0] = true;
    g->kernels->receive(g->count, g->lanes, work->y, g->task->winv, work->z, work->y, g->sums);
    if (take_roots(g, g->sums + MAX_LANES, size))
        k->weak = !k->is_coupled && size[0] < much * lanes->norm[0]
                      ? 1
                      : fmin(1, shows * lanes->norm[0] / size[0]);
    return 0;
}

/* Whether this solve begins with a look. */
static bool is_due(struct krylov *k)
{
    enum { OFTEN = 8 };
    k->since++;
    return !k->is_probed || (k->has_columns && k->weak < 1 && k->since >= OFTEN);
}

static int iterate(const struct linear *l, size_t slot, const struct linear_task *task, double *X)
{
    const struct krylov *const k = l->krylov;
    struct gmres g = {.l = l, .krylov = k, .task = task, .slot = slot, .lanes = task->lanes};
    g.kernels = gmres_kernels_for(l->kernels);
    g.work = &k->work[task->worker];
    g.count = lane_round(l->A->n * task->lanes);
    g.right = k->right && k->preconditioner->solve && !k->is_coupled;
    g.own_scale = g.right || !k->preconditioner->solve;
    g.tolerance = (k->right && k->is_coupled ? from_left : 1) * task->tolerance / sqrt(k->share);
    g.work->counts.solves += task->columns;
    gmres_find_scales(&g);
    bool const looks = k->is_coupled || (l->M && !g.own_scale);
    if (task->is_state && looks && k->columns_jump) g.tolerance *= for_columns;
    if (task->is_state && looks && is_due(l->krylov) && probe(&g) < 0) return -1;
    double const weak = looks ? k->weak : 1;
    for (size_t m = 0; m < MAX_LANES; m++)
        g.smallest[m] = g.own_scale ? weak : fmin(weak, k->weakest);
    int const code = solve_all(&g, X);
    if (code == 0) remember(&g);
    if (code > 0) g.work->counts.failures++;
    return code;
}

static double factor_cost(const struct linear *l)
{
    return l->krylov->preconditioner->prepare_cost(l);
}

/* Two directions are typical of a time step (Maly and Petzold 1996: 1.4 to 2.1); without the products by W. */
static double solve_cost(const struct linear *l)
{
    enum { DIRECTIONS = 2, PASSES = 8 };
    double const preconditioned = l->krylov->preconditioner->solve_cost(l);
    return (DIRECTIONS + 1) * (preconditioned + PASSES * (double)l->A->n);
}

const struct linear_table linear_gmres = {
    .name = "gmres",
    .matrix = MATRIX_NONE,
    .layout = layout,
    .factor = factor,
    .iterate = iterate,
    .factor_cost = factor_cost,
    .solve_cost = solve_cost,
};
