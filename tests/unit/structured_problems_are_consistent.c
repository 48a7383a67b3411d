/* SPDX-License-Identifier: Apache-2.0 */
/* Every implicit, banded or sparse test problem, seen as F(t, y, y', p) = 0 (B y' - f or y' - f where it is given by
   these): dF/dy, dF/dy', dF/dp and tangents against fourth-order central differences of F,
     F'(x) ~ (8 (F(x+h) - F(x-h)) - (F(x+2h) - F(x-2h))) / 12h,
   the patterns against where F depends on y, y' and p, and the starts against their derivatives and F. */
#include "support/error_norm.h"
#include "support/heat.h"
#include "support/problems.h"
#include "support/reference.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point where no y_i vanishes, not too far from the start for exponentials, and all derivatives there. */
struct point {
    const tansy_problem *problem;
    size_t n, np;
    double t, *y, *yp, *p;
    double *A, *B, *F; /* A[i*n + j] = dF_i/dy_j, B = dF/dy', F[i*np + k] = dF_i/dp_k, spread */
    double *size;      /* size[i]: sum of |A_ij y_j| + |B_ij y'_j| + |F_ik p_k| */
    double *work;      /* 2 n + n*n */
};

/* A sum of at most so many terms below size has a roundoff of TERMS eps size. */
enum { TERMS = 20 };
static const double step = 2e-5, truncation = 3e-11; /* h = step |v|: h^4/30 F''''' is far below */

static double *take(size_t count)
{
    double *block = calloc(count ? count : 1, sizeof *block);
    if (!block) abort();
    return block;
}

/* Numbers of either sign and of different size, the same in every run. */
static double arbitrary(size_t i, size_t k)
{
    return sin(1.0 + 12.9898 * (double)i + 78.233 * (double)k);
}

static size_t storage(const tansy_problem *P)
{
    if (P->structure == TANSY_DENSE) return P->n * P->n;
    if (P->structure == TANSY_BANDED) return P->n * (P->lower + P->upper + 1);
    return P->jacobian_pattern.entries;
}

/* M += factor * (packed in the problem's structure) */
static void spread(const tansy_problem *P, double factor, const double *packed, double *M)
{
    size_t const n = P->n, width = P->lower + P->upper + 1;
    for (size_t x = 0; x < storage(P); x++) {
        size_t i = x / n, j = x % n;
        if (P->structure == TANSY_BANDED) {
            i = x / width, j = i + x % width - P->lower;
            if (packed[x] == 0) continue;
            CHECK(i + x % width >= P->lower && j < n);
        } else if (P->structure == TANSY_SPARSE) {
            i = P->jacobian_pattern.row[x], j = P->jacobian_pattern.column[x];
        }
        M[i * n + j] += factor * packed[x];
    }
}

/* B of a problem that is not given by F. */
static void find_mass(struct point *x, double *B)
{
    const tansy_problem *P = x->problem;
    double *packed = take(storage(P));
    memset(B, 0, x->n * x->n * sizeof *B);
    if (P->mass) CHECK_EQUAL(P->mass(x->t, x->y, x->p, packed, P->context), 0);
    if (P->mass) spread(P, 1, packed, B);
    for (size_t i = 0; i < x->n && !P->mass; i++) B[i * x->n + i] = 1;
    free(packed);
}

/* F[n] at the point. */
static void evaluate(struct point *x, double *F)
{
    const tansy_problem *P = x->problem;
    if (P->residual) {
        CHECK_EQUAL(P->residual(x->t, x->y, x->yp, x->p, F, P->context), 0);
        return;
    }
    double *B = x->work + 2 * x->n;
    CHECK_EQUAL(P->rhs(x->t, x->y, x->p, F, P->context), 0);
    find_mass(x, B);
    for (size_t i = 0; i < x->n; i++) {
        double sum = -F[i];
        for (size_t j = 0; j < x->n; j++) sum += B[i * x->n + j] * x->yp[j];
        F[i] = sum;
    }
}

/* R = A V + B V_rate + F U as the problem has it. */
static void evaluate_tangent(struct point *x, size_t columns, size_t ld, const double *V,
                             const double *V_rate, const double *U, double *R)
{
    const tansy_problem *P = x->problem;
    if (P->residual) {
        CHECK_EQUAL(
            P->residual_tangent(x->t, x->y, x->yp, x->p, columns, ld, V, V_rate, U, R, P->context),
            0);
        return;
    }
    double *B = x->work + 2 * x->n, *more = take(x->n * ld);
    CHECK_EQUAL(P->tangent(x->t, x->y, x->p, columns, ld, V, U, R, P->context), 0);
    if (P->mass_tangent)
        CHECK_EQUAL(P->mass_tangent(x->t, x->y, x->p, x->yp, columns, ld, V, U, more, P->context),
                    0);
    find_mass(x, B);
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = 0; k < columns; k++) {
            double sum = more[i * ld + k] - R[i * ld + k];
            for (size_t j = 0; j < x->n; j++) sum += B[i * x->n + j] * V_rate[j * ld + k];
            R[i * ld + k] = sum;
        }
    free(more);
}

static void find_matrices(struct point *x)
{
    const tansy_problem *P = x->problem;
    double *packed = take(storage(P));
    if (P->residual) {
        CHECK_EQUAL(P->residual_jacobian(x->t, x->y, x->yp, x->p, packed, P->context), 0);
        spread(P, 1, packed, x->A);
        memset(packed, 0, storage(P) * sizeof *packed);
        CHECK_EQUAL(P->rate_jacobian(x->t, x->y, x->yp, x->p, packed, P->context), 0);
        spread(P, 1, packed, x->B);
    } else {
        CHECK_EQUAL(P->jacobian(x->t, x->y, x->p, packed, P->context), 0);
        spread(P, -1, packed, x->A);
        find_mass(x, x->B);
    }
    free(packed);
}

static void find_parameter_matrix(struct point *x)
{
    const tansy_problem *P = x->problem;
    const tansy_pattern *pattern = &P->parameter_pattern;
    double *packed = take(pattern->entries);
    CHECK(pattern->row != NULL);
    if (P->residual)
        CHECK_EQUAL(P->residual_parameter(x->t, x->y, x->yp, x->p, packed, P->context), 0);
    else
        CHECK_EQUAL(P->parameter_jacobian(x->t, x->y, x->p, packed, P->context), 0);
    for (size_t e = 0; e < pattern->entries; e++)
        x->F[pattern->row[e] * x->np + pattern->column[e]] += P->residual ? packed[e] : -packed[e];
    free(packed);
    if (!P->mass_tangent) return;
    double *R = take(x->n), *V = take(x->n), *U = take(x->np);
    for (size_t k = 0; k < x->np; k++) {
        U[k] = 1;
        CHECK_EQUAL(P->mass_tangent(x->t, x->y, x->p, x->yp, 1, 1, V, U, R, P->context), 0);
        for (size_t i = 0; i < x->n; i++) x->F[i * x->np + k] += R[i];
        U[k] = 0;
    }
    free(R), free(V), free(U);
}

static struct point make_point(const struct test_problem *it)
{
    const tansy_problem *P = &it->problem;
    size_t const n = P->n, np = P->np;
    struct point x = {.problem = P, .n = n, .np = np, .t = P->t0 + 1e-5};
    x.y = take(n), x.yp = take(n), x.p = take(np), x.size = take(n), x.work = take(2 * n + n * n);
    x.A = take(n * n), x.B = take(n * n), x.F = take(n * np);
    for (size_t i = 0; i < n; i++) {
        x.y[i] = P->y0[i] + it->atol[i] * (20 + (double)(i * i % 11));
        x.yp[i] = it->atol[i] * 100 * arbitrary(i, 0);
    }
    memcpy(x.p, P->p, np * sizeof *x.p);
    find_matrices(&x);
    find_parameter_matrix(&x);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            x.size[i] += fabs(x.A[i * n + j] * x.y[j]) + fabs(x.B[i * n + j] * x.yp[j]);
        for (size_t k = 0; k < np; k++) x.size[i] += fabs(x.F[i * np + k] * x.p[k]);
    }
    return x;
}

static void free_point(struct point *x)
{
    free(x->y), free(x->yp), free(x->p), free(x->A), free(x->B), free(x->F);
    free(x->size), free(x->work);
}

/* Column j of M[n*columns] against differences along *v, which is y_j, y'_j or p_j. */
static void check_column(struct point *x, double *v, size_t columns, size_t j, const double *M)
{
    static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    double const middle = *v, h = step * fabs(middle);
    double *F = x->work, *dF = x->work + x->n;
    for (size_t i = 0; i < x->n; i++) dF[i] = 0;
    for (size_t m = 0; m < 4; m++) {
        *v = middle + at[m] * h;
        evaluate(x, F);
        for (size_t i = 0; i < x->n; i++) dF[i] += weight[m] * F[i] / (12 * h);
    }
    *v = middle;
    for (size_t i = 0; i < x->n; i++)
        CHECK_CLOSE(M[i * columns + j], dF[i],
                    TERMS * DBL_EPSILON * x->size[i] / h + truncation * fabs(dF[i]));
}

TEST(matrices_of_implicit_problems_agree_with_differences)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_structured_number(number)); number++) {
        struct point x = make_point(it);
        for (size_t j = 0; j < x.n; j++) check_column(&x, &x.y[j], x.n, j, x.A);
        for (size_t j = 0; j < x.n; j++) check_column(&x, &x.yp[j], x.n, j, x.B);
        for (size_t k = 0; k < x.np; k++) check_column(&x, &x.p[k], x.np, k, x.F);
        free_point(&x);
    }
}

/* One call with `columns` columns in rows of ld; the columns behind are not touched. */
static void check_tangent(struct point *x, size_t columns, size_t ld)
{
    size_t const n = x->n, np = x->np;
    double *V = take(n * ld), *V_rate = take(n * ld), *U = take(np * ld), *R = take(n * ld);
    for (size_t i = 0; i < n * ld; i++) R[i] = -7;
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < n; i++) V[i * ld + k] = x->y[i] * arbitrary(i, k);
        for (size_t i = 0; i < n; i++) V_rate[i * ld + k] = x->yp[i] * arbitrary(i, k + 50);
        for (size_t j = 0; j < np; j++) U[j * ld + k] = x->p[j] * arbitrary(n + j, k);
    }
    evaluate_tangent(x, columns, ld, V, V_rate, U, R);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < columns; k++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += x->A[i * n + j] * V[j * ld + k] + x->B[i * n + j] * V_rate[j * ld + k];
            for (size_t j = 0; j < np; j++) sum += x->F[i * np + j] * U[j * ld + k];
            CHECK_CLOSE(R[i * ld + k], sum, 4 * TERMS * DBL_EPSILON * x->size[i]);
        }
        for (size_t k = columns; k < ld; k++) CHECK_CLOSE(R[i * ld + k], -7, 0);
    }
    free(V), free(V_rate), free(U), free(R);
}

TEST(tangents_of_implicit_problems_agree_with_the_matrices)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_structured_number(number)); number++) {
        struct point x = make_point(it);
        check_tangent(&x, 1, 1);
        check_tangent(&x, 5, 8);
        check_tangent(&x, 16, 16);
        free_point(&x);
    }
}

/* Rises by rows, no entry twice. */
static void check_order(const tansy_pattern *pattern)
{
    for (size_t e = 1; e < pattern->entries; e++)
        CHECK(pattern->row[e] > pattern->row[e - 1] ||
              (pattern->row[e] == pattern->row[e - 1] &&
               pattern->column[e] > pattern->column[e - 1]));
}

TEST(patterns_of_implicit_problems_are_exact)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_structured_number(number)); number++) {
        const tansy_problem *P = &it->problem;
        struct point x = make_point(it);
        size_t in_W = 0, in_F = 0;
        for (size_t e = 0; e < x.n * x.n; e++)
            in_W += x.A[e] != 0 || x.B[e] != 0 || e / x.n == e % x.n;
        for (size_t e = 0; e < x.n * x.np; e++) in_F += x.F[e] != 0;
        if (P->structure == TANSY_SPARSE) {
            CHECK_EQUAL(P->jacobian_pattern.entries, in_W);
            check_order(&P->jacobian_pattern);
        }
        if (!P->mass_tangent) CHECK_EQUAL(P->parameter_pattern.entries, in_F);
        free_point(&x);
    }
}

/* The derivative of the start by differences with error h^4, and h = 1e-3 p. */
static void check_start(const tansy_problem *P)
{
    static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    double *y = take(P->n), *dy = take(P->n), *D = take(P->n * P->np), *p = take(P->np);
    memcpy(p, P->p, P->np * sizeof *p);
    CHECK_EQUAL(P->initial(P->t0, p, y, P->context), 0);
    for (size_t i = 0; i < P->n; i++) CHECK_CLOSE(y[i], P->y0[i], 0);
    CHECK_EQUAL(P->initial_jacobian(P->t0, p, D, P->context), 0);
    for (size_t k = 0; k < P->np; k++) {
        double const h = 1e-3 * P->p[k];
        for (size_t i = 0; i < P->n; i++) dy[i] = 0;
        for (size_t m = 0; m < 4; m++) {
            p[k] = P->p[k] + at[m] * h;
            CHECK_EQUAL(P->initial(P->t0, p, y, P->context), 0);
            for (size_t i = 0; i < P->n; i++) dy[i] += weight[m] * y[i] / (12 * h);
        }
        p[k] = P->p[k];
        for (size_t i = 0; i < P->n; i++)
            CHECK_CLOSE(D[i * P->np + k], dy[i], 1e-10 * (fabs(dy[i]) + fabs(y[i] / p[k])));
    }
    free(y), free(dy), free(D), free(p);
}

/* At t0 the equations without derivatives hold, but for the network, whose radicals start at zero on purpose. */
TEST(starts_of_implicit_problems_are_consistent)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_structured_number(number)); number++) {
        struct point x = make_point(it);
        if (it->problem.initial) check_start(&it->problem);
        memcpy(x.y, it->problem.y0, x.n * sizeof *x.y);
        x.t = it->problem.t0;
        evaluate(&x, x.work);
        for (size_t i = 0; i < x.n && strcmp(it->name, "dae_network_600x400") != 0; i++) {
            int has_rate = 0;
            for (size_t j = 0; j < x.n; j++) has_rate |= x.B[i * x.n + j] != 0;
            if (!has_rate) CHECK_AT_MOST(fabs(x.work[i]), TERMS * DBL_EPSILON * x.size[i]);
        }
        free_point(&x);
    }
}

TEST(references_belong_to_implicit_problems)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_structured_number(number)); number++) {
        CHECK(problem_find(it->name) == it);
        if (!it->reference) continue;
        struct reference r;
        struct error_norm norm;
        reference_read(it, &r);
        error_norm_make(it, &r, &norm);
        CHECK_CLOSE(r.t[r.times - 1], it->t_end, 0);
        for (size_t x = 0; x < r.times * r.n; x++) CHECK(isfinite(r.y[x]));
        for (size_t x = 0; x < r.times * r.ns * r.n; x++) CHECK(isfinite(r.sens[x]));
        for (size_t i = 0; i < norm.n; i++) CHECK(norm.floor[i] > 0);
        error_norm_free(&norm);
        reference_free(&r);
    }
}

/* The expansion in eigenvectors against the reference of 40 digits; its 10 terms are of the size of y0 at most, and
   lambda t exp(-lambda t) < 1 in those of S. */
TEST(the_exact_heat_agrees_with_its_reference)
{
    for (int form = 0; form < HEAT_FORMS; form++) {
        const struct test_problem *it = heat_problem(10, (enum heat_form)form);
        size_t const n = it->problem.n;
        double *y = take(3 * n), *sens = y + n;
        struct reference r;
        reference_read(it, &r);
        for (size_t m = 0; m < r.times; m++) {
            heat_exact(10, (enum heat_form)form, r.t[m], y, sens);
            for (size_t i = 0; i < n; i++) CHECK_CLOSE(y[i], r.y[m * n + i], 100 * DBL_EPSILON);
            for (size_t x = 0; x < 2 * n; x++)
                CHECK_CLOSE(sens[x], r.sens[m * 2 * n + x], 100 * DBL_EPSILON);
        }
        reference_free(&r);
        free(y);
    }
    CHECK(problem_find("heat_7_sparse") == heat_problem(7, HEAT_SPARSE));
    CHECK(problem_find("heat_7_no") == NULL);
    CHECK(problem_find("heat_") == NULL);
}
