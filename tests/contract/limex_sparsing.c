/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic sparsing of limex (Nowak 1993): entries of A with small part in a step are left out of the factors, which are then cheaper,
   while y and S keep order and tolerance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/solver.h"
#include "linear/sparse_lu.h"
#include "support/sparse_solver.h"
#include "support/step_dense.h"
#include "support/step_problem.h"
#include "test.h"

enum { CELLS = 60, N = 2 * CELLS, LINKS = 3, ENTRIES = N * (2 + LINKS), NP = 2 };

/* Cells of a fast and a slow substance, u_i' = -k (u_i - v_i^2) and v_i' = -v_i + c exp(r t) sum of u of LINKS others, coupled far
   and near: a matrix that fills up. */
struct cells {
    double r;
    size_t row[ENTRIES], column[ENTRIES];
    double y0[N], p[NP];
    tansy_problem problem;
};

static size_t other(size_t i, size_t link)
{
    static const size_t away[LINKS] = {7, 23, 41};
    return (i + away[link]) % CELLS;
}

static double coupling(double t, void *context)
{
    return exp(((const struct cells *)context)->r * t);
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    double const a = coupling(t, context);
    for (size_t i = 0; i < CELLS; i++) {
        double sum = 0;
        for (size_t l = 0; l < LINKS; l++) sum += y[2 * other(i, l)];
        f[2 * i] = -p[0] * (y[2 * i] - y[2 * i + 1] * y[2 * i + 1]);
        f[2 * i + 1] = -y[2 * i + 1] + a * p[1] * sum;
    }
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t ns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    double const a = coupling(t, context);
    for (size_t i = 0; i < CELLS; i++)
        for (size_t k = 0; k < ns; k++) {
            double const u = y[2 * i], v = y[2 * i + 1];
            double const du = V[2 * i * ld + k], dv = V[(2 * i + 1) * ld + k];
            double sum = 0, change = 0;
            for (size_t l = 0; l < LINKS; l++) {
                sum += y[2 * other(i, l)];
                change += V[2 * other(i, l) * ld + k];
            }
            R[2 * i * ld + k] = -p[0] * (du - 2 * v * dv) - U[k] * (u - v * v);
            R[(2 * i + 1) * ld + k] = -dv + a * (p[1] * change + U[ld + k] * sum);
        }
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    double const a = coupling(t, context);
    for (size_t i = 0; i < CELLS; i++) {
        double *const at = J + i * (4 + LINKS);
        at[0] = -p[0];
        at[1] = 2 * p[0] * y[2 * i + 1];
        at[2] = 0;
        at[3] = -1;
        for (size_t l = 0; l < LINKS; l++) at[4 + l] = a * p[1];
    }
    return 0;
}

static void cells_set(struct cells *c, double coupled, double r)
{
    size_t e = 0;
    *c = (struct cells){.p = {1e4, coupled}, .r = r};
    for (size_t i = 0; i < CELLS; i++) {
        c->y0[2 * i] = c->y0[2 * i + 1] = 1 + 0.5 * sin((double)i);
        for (size_t k = 0; k < 4; k++) {
            c->row[e] = 2 * i + k / 2;
            c->column[e++] = 2 * i + k % 2;
        }
        for (size_t l = 0; l < LINKS; l++) {
            c->row[e] = 2 * i + 1;
            c->column[e++] = 2 * other(i, l);
        }
    }
    c->problem =
        (tansy_problem){.n = N,
                        .np = NP,
                        .y0 = c->y0,
                        .p = c->p,
                        .rhs = rhs,
                        .tangent = tangent,
                        .jacobian = jacobian,
                        .structure = TANSY_SPARSE,
                        .context = c,
                        .jacobian_pattern = {.entries = e, .row = c->row, .column = c->column}};
}

struct run {
    double y[N], sens[NP * N];
    size_t entries; /* of the factors */
    double work;    /* of a factorisation */
    tansy_stats stats;
    struct thin thin;
    char report[4096];
};

static void solve(double coupled, double rate, double sparsing, double rtol, struct run *r)
{
    static struct cells c;
    cells_set(&c, coupled, rate);
    tansy_options const options = {
        .method = TANSY_LIMEX, .sparsing = sparsing, .rtol = rtol, .atol = rtol};
    tansy_solver *const s = tansy_create(&c.problem, &options);
    CHECK_EQUAL(tansy_solve(s, 3, r->y, r->sens), TANSY_OK);
    const struct sparse_lu *const lu = s->linear.factors;
    r->entries = lu->slot[0].F.entries;
    r->work = s->linear.table->factor_cost(&s->linear);
    r->thin = s->stepper.stages.thin;
    tansy_get_stats(s, &r->stats);
    (void)tansy_report(s, r->report, sizeof r->report);
    tansy_free(s);
}

/* The norm of docs/design.md section 12 with y of size 1: of y (scale 1), or of a column times its parameter. */
static double distance(const double *a, const double *b, double scale)
{
    double most = 0;
    for (size_t i = 0; i < N; i++)
        most = fmax(most, fabs(a[i] - b[i]) * scale / (fabs(b[i]) * scale + 1));
    return most;
}

static double largest_distance(const struct run *r, const struct run *exact, double coupled)
{
    double const scale[NP] = {1e4, coupled};
    double most = distance(r->y, exact->y, 1);
    for (size_t k = 0; k < NP; k++)
        most = fmax(most, distance(r->sens + k * N, exact->sens + k * N, scale[k]));
    return most;
}

static const double weak = 1e-3, strong = 0.3;

TEST(factors_without_small_entries_are_cheaper_and_results_as_good)
{
    sparse_solver_needed();
    static struct run exact, whole, thin;
    solve(weak, 0, 0, 1e-9, &exact);
    for (int digits = 3; digits <= 7; digits += 2) {
        double const rtol = pow(10, -digits);
        solve(weak, 0, 0, rtol, &whole);
        solve(weak, 0, 0.05, rtol, &thin);
        double const errors[] = {largest_distance(&whole, &exact, weak),
                                 largest_distance(&thin, &exact, weak)};
        printf(
            "rtol %.0e: entries of the factors %zu -> %zu, operations %.0f -> %.0f, steps %zu -> "
            "%zu, f %zu -> %zu, error %.1e -> %.1e, patterns %zu\n",
            rtol, whole.entries, thin.entries, whole.work, thin.work, whole.stats.steps,
            thin.stats.steps, whole.stats.rhs_evals, thin.stats.rhs_evals, errors[0], errors[1],
            thin.thin.patterns);
        CHECK_AT_MOST(errors[0], 100 * rtol);
        CHECK_AT_MOST(errors[1], 100 * rtol);
        CHECK(2 * thin.entries < whole.entries);
        CHECK(3 * thin.work < whole.work);
        CHECK(thin.stats.rhs_evals <= whole.stats.rhs_evals + whole.stats.rhs_evals / 5);
        CHECK(thin.thin.patterns < 1 + thin.stats.steps / 2);
        CHECK_TEXT_CONTAINS(thin.report, "entries kept, chosen");
    }
}

/* The coupling grows: entries come back when they are needed.  It fades: they leave when enough of them are not.  Neither needs a new
   pattern in every step. */
TEST(the_pattern_follows_the_entries)
{
    sparse_solver_needed();
    static struct run exact, thin;
    for (int fades = 0; fades < 2; fades++) {
        double const from = fades ? strong : weak, rate = (fades ? -2 : 1) * log(strong / weak) / 3;
        solve(from, rate, 0, 1e-8, &exact);
        solve(from, rate, 0.05, 1e-5, &thin);
        CHECK_AT_MOST(largest_distance(&thin, &exact, from), 100 * 1e-5);
        CHECK(thin.thin.patterns >= 2);
        CHECK(3 * thin.thin.patterns < thin.stats.steps);
        CHECK(fades ? 2 * thin.entries < exact.entries : 2 * thin.entries > exact.entries);
        printf("%zu patterns in %zu steps, %zu entries kept at the end\n", thin.thin.patterns,
               thin.stats.steps, thin.thin.entries);
    }
}

/* Restarts make values consistent with the whole matrix; then a pattern is chosen again. */
TEST(a_restart_chooses_anew)
{
    sparse_solver_needed();
    static struct run first, second;
    static struct cells c;
    cells_set(&c, weak, 0);
    tansy_options const options = {.method = TANSY_LIMEX, .sparsing = 0.05};
    tansy_solver *const s = tansy_create(&c.problem, &options);
    CHECK_EQUAL(tansy_solve(s, 1, first.y, first.sens), TANSY_OK);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, second.y, second.sens), TANSY_OK);
    CHECK_EQUAL(s->stepper.stages.thin.patterns, 2);
    CHECK(memcmp(first.y, second.y, sizeof first.y) == 0);
    CHECK(memcmp(first.sens, second.sens, sizeof first.sens) == 0);
    tansy_free(s);
}

/* Where B has several entries in a row or column nothing is known of its rank, and nothing is left out. */
TEST(all_entries_stay_with_a_full_mass_matrix)
{
    sparse_solver_needed();
    static const enum step_form forms[] = {STEP_MASS, STEP_DAE};
    for (int k = 0; k < 2; k++) {
        struct step_problem it;
        double y[2][STEP_N], sens[2][STEP_N * STEP_NP] = {{0}};
        step_problem_set(&it, forms[k], STEP_ALL, STEP_NP);
        step_problem_store(&it, TANSY_SPARSE);
        for (int on = 0; on < 2; on++) {
            tansy_options const options = {.method = TANSY_LIMEX, .sparsing = on};
            tansy_solver *const s = tansy_create(&it.problem, &options);
            CHECK_EQUAL(tansy_solve(s, 1, y[on], sens[on]), TANSY_OK);
            if (on) CHECK_EQUAL(s->stepper.stages.thin.entries, s->J.entries);
            tansy_free(s);
        }
        CHECK(memcmp(sens[0], sens[1], sizeof sens[0]) == 0);
    }
}

static void refuse(const tansy_problem *problem, tansy_options options, const char *says)
{
    options.sparsing = 0.01;
    tansy_solver *const s = tansy_create(problem, &options);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), says);
    tansy_free(s);
}

TEST(sparsing_is_refused_where_there_is_nothing_to_leave_out)
{
    static struct cells c;
    struct step_problem it;
    cells_set(&c, weak, 0);
    step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
    refuse(&it.problem, (tansy_options){.method = TANSY_LIMEX}, "linear solver sparse");
    refuse(&c.problem, (tansy_options){.method = TANSY_LIMEX, .linear_solver = TANSY_DENSE_LU},
           "linear solver sparse");
    refuse(&c.problem, (tansy_options){.method = TANSY_BDF}, "for the method limex");
    if (!linear_sparse) /* the user need not look for what else to choose */
        refuse(&c.problem, (tansy_options){.method = TANSY_LIMEX}, "without SuiteSparse's KLU");
}
