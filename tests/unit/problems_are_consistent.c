/* SPDX-License-Identifier: Apache-2.0 */
/* Every test problem: df/dy, df/dp and tangents against fourth-order central differences of f,
     f'(x) ~ (8 (f(x+h) - f(x-h)) - (f(x+2h) - f(x-2h))) / 12h,
   the pattern of df/dp against where f really depends on p, and the references against the problem. */
#include "support/error_norm.h"
#include "support/problems.h"
#include "support/reference.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point where no y_i vanishes, and all derivatives there. */
struct point {
    const tansy_problem *problem;
    size_t n, np;
    double *y, *p;
    double *J, *F; /* as given: J[i*n + j], F[i*np + k] spread from its pattern */
    double *size;  /* size[i]: sum of |J_ij y_j| + |F_ik p_k|, which bounds the terms of f_i */
    double *work;  /* 4 n */
};

static double *take(size_t count)
{
    double *block = calloc(count ? count : 1, sizeof *block);
    if (!block) abort();
    return block;
}

static void spread_parameter_jacobian(struct point *x)
{
    const tansy_problem *P = x->problem;
    if (!P->parameter_jacobian) return;
    if (!P->parameter_pattern.row) {
        CHECK_EQUAL(P->parameter_jacobian(P->t0, x->y, x->p, x->F, P->context), 0);
        return;
    }
    double *packed = take(P->parameter_pattern.entries);
    CHECK_EQUAL(P->parameter_jacobian(P->t0, x->y, x->p, packed, P->context), 0);
    for (size_t e = 0; e < P->parameter_pattern.entries; e++)
        x->F[P->parameter_pattern.row[e] * x->np + P->parameter_pattern.column[e]] += packed[e];
    free(packed);
}

/* A multiple of atol that is different for every component; `large` of the order of the solution. */
static struct point make_point(const struct test_problem *it)
{
    const tansy_problem *P = &it->problem;
    size_t const n = P->n, np = P->np;
    struct point x = {.problem = P, .n = n, .np = np};
    x.y = take(n), x.p = take(np), x.J = take(n * n), x.F = take(n * np);
    x.size = take(n), x.work = take(4 * n);
    for (size_t i = 0; i < n; i++)
        x.y[i] = P->y0[i] + it->atol[i] * (400 + 37 * (double)(i * i % 11));
    if (np) memcpy(x.p, P->p, np * sizeof *x.p);
    CHECK_EQUAL(P->jacobian(P->t0, x.y, x.p, x.J, P->context), 0);
    spread_parameter_jacobian(&x);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) x.size[i] += fabs(x.J[i * n + j] * x.y[j]);
        for (size_t k = 0; k < np; k++) x.size[i] += fabs(x.F[i * np + k] * x.p[k]);
    }
    return x;
}

static void free_point(struct point *x)
{
    free(x->y), free(x->p), free(x->J), free(x->F), free(x->size), free(x->work);
}

/* df[n] = df/d*v by differences of width h; v is y_j or p_k. */
static void difference(struct point *x, double *v, double h, double *df)
{
    const tansy_problem *P = x->problem;
    static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    double const middle = *v;
    for (size_t i = 0; i < x->n; i++) df[i] = 0;
    for (size_t m = 0; m < 4; m++) {
        *v = middle + at[m] * h;
        CHECK_EQUAL(P->rhs(P->t0, x->y, x->p, x->work, P->context), 0);
        for (size_t i = 0; i < x->n; i++) df[i] += weight[m] * x->work[i] / (12 * h);
    }
    *v = middle;
}

/* Roundoff of f, a sum of at most 20 terms below size, over h; the truncation h^4/30 |f^(5)|, at most
   30 (h/v)^4 of f' for the inverse squares of c5, is 3e-11 f' for h = 1e-3 v. */
enum { TERMS = 20 };
static const double step = 1e-3, truncation = 3e-11;

static double tolerance(const struct point *x, size_t i, double given, double h)
{
    return TERMS * DBL_EPSILON * x->size[i] / h + truncation * fabs(given);
}

TEST(jacobians_agree_with_differences)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_number(number)); number++) {
        struct point x = make_point(it);
        double *df = take(x.n);
        for (size_t j = 0; j < x.n; j++) {
            double const h = step * fabs(x.y[j]);
            difference(&x, &x.y[j], h, df);
            for (size_t i = 0; i < x.n; i++)
                CHECK_CLOSE(x.J[i * x.n + j], df[i], tolerance(&x, i, df[i], h));
        }
        free(df);
        free_point(&x);
    }
}

TEST(parameter_jacobians_agree_with_differences)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_number(number)); number++) {
        struct point x = make_point(it);
        double *df = take(x.n);
        CHECK((it->problem.parameter_jacobian != NULL) == (x.np > 0));
        for (size_t k = 0; k < x.np; k++) {
            double const h = step * fabs(x.p[k]);
            difference(&x, &x.p[k], h, df);
            for (size_t i = 0; i < x.n; i++)
                CHECK_CLOSE(x.F[i * x.np + k], df[i], tolerance(&x, i, df[i], h));
        }
        free(df);
        free_point(&x);
    }
}

/* In a point without zeros every entry of the pattern is needed, and once only; that none is missing follows
   from the test above. */
TEST(parameter_patterns_are_exact)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_number(number)); number++) {
        const tansy_pattern *pattern = &it->problem.parameter_pattern;
        struct point x = make_point(it);
        size_t nonzeros = 0;
        for (size_t e = 0; e < x.n * x.np; e++) nonzeros += x.F[e] != 0;
        if (pattern->row) CHECK_EQUAL(pattern->entries, nonzeros);
        if (!pattern->row) CHECK_EQUAL(x.n * x.np, nonzeros);
        free_point(&x);
    }
}

/* Numbers of either sign and of different size, the same in every run. */
static double arbitrary(size_t i, size_t k)
{
    return sin(1.0 + 12.9898 * (double)i + 78.233 * (double)k);
}

/* One call with `columns` columns in rows of ld against J V + F U, all terms of which are summed in another
   order; the columns behind are not touched. */
static void check_tangent(struct point *x, size_t columns, size_t ld)
{
    const tansy_problem *P = x->problem;
    double *V = take(x->n * ld), *U = take(x->np * ld), *R = take(x->n * ld);
    for (size_t i = 0; i < x->n * ld; i++) R[i] = -7;
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < x->n; i++) V[i * ld + k] = x->y[i] * arbitrary(i, k);
        for (size_t j = 0; j < x->np; j++) U[j * ld + k] = x->p[j] * arbitrary(x->n + j, k);
    }
    CHECK_EQUAL(P->tangent(P->t0, x->y, x->p, columns, ld, V, U, R, P->context), 0);
    for (size_t i = 0; i < x->n; i++) {
        for (size_t k = 0; k < columns; k++) {
            double sum = 0;
            for (size_t j = 0; j < x->n; j++) sum += x->J[i * x->n + j] * V[j * ld + k];
            for (size_t j = 0; j < x->np; j++) sum += x->F[i * x->np + j] * U[j * ld + k];
            CHECK_CLOSE(R[i * ld + k], sum, 4 * TERMS * DBL_EPSILON * x->size[i]);
        }
        for (size_t k = columns; k < ld; k++) CHECK_CLOSE(R[i * ld + k], -7, 0);
    }
    free(V), free(U), free(R);
}

TEST(tangents_agree_with_the_matrices)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_number(number)); number++) {
        struct point x = make_point(it);
        check_tangent(&x, 1, 1);
        check_tangent(&x, 5, 8);
        check_tangent(&x, 16, 16);
        check_tangent(&x, 27, 32);
        free_point(&x);
    }
}

TEST(references_belong_to_their_problems)
{
    const struct test_problem *it = NULL;
    for (size_t number = 0; (it = problem_number(number)); number++) {
        CHECK(problem_find(it->name) == it);
        if (!it->reference) continue;
        struct reference r;
        struct error_norm norm;
        reference_read(it, &r);
        error_norm_make(it, &r, &norm);
        CHECK_CLOSE(r.t[r.times - 1], it->t_end, 0);
        for (size_t m = 1; m < r.times; m++) CHECK(r.t[m] > r.t[m - 1]);
        for (size_t x = 0; x < r.times * r.n; x++) CHECK(isfinite(r.y[x]));
        for (size_t x = 0; x < r.times * r.ns * r.n; x++) CHECK(isfinite(r.sens[x]));
        for (size_t i = 0; i < norm.n; i++) CHECK(norm.floor[i] > 0);
        for (size_t k = 0; k < norm.ns; k++) CHECK(norm.scale[k] > 0);
        error_norm_free(&norm);
        reference_free(&r);
    }
    CHECK(problem_find("no such problem") == NULL);
}
