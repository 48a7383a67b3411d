/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the one-step methods satisfy all conditions of their order, those of their embedded formulas and of their dense
   output.  The coefficients are numbers of 16 digits: with q factors in a condition of order q its sum is wrong by at most
   q eps of the sum of the moduli. */
#include <float.h>
#include <math.h>

#include "method/method.h"
#include "method/one_step.h"
#include "method/rosenbrock.h"
#include "method/runge_kutta.h"
#include "support/rooted_trees.h"
#include "test.h"

static const double EPS = DBL_EPSILON;

/* The next order is not reached: a relative defect that no rounding explains. */
static const double CLEAR = 1e-9;

static void spread(const struct stage_sum *sum, long double *out)
{
    for (int i = 0; i < TREE_STAGES; i++) out[i] = 0;
    for (int j = 0; j < sum->terms; j++) out[sum->stage[j]] += (long double)sum->weight[j];
}

/* All points, those of dense output with them; the row of the end of the step is b. */
static struct tree_formula expand(const struct runge_kutta *r)
{
    struct tree_formula f = {.stages = r->points};
    for (int i = 0; i < r->points; i++) {
        spread(i == r->stages ? &r->b : &r->a[i], f.a[i]);
        for (int j = 0; j < r->points; j++) f.single[i][j] = f.a[i][j];
    }
    return f;
}

static const struct runge_kutta *const explicit[] = {&runge_kutta_dop853, &runge_kutta_dopri8};
enum { EXPLICIT = sizeof explicit / sizeof *explicit };

/* The conditions hold up to `order`, and one of the next does not. */
static void check_order(const struct tree_formula *f, const long double *b, int order, double slack)
{
    for (int q = 1; q <= order; q++) CHECK_AT_MOST(tree_defect(f, b, q, 1), slack * q * EPS);
    if (order < TREE_ORDER) CHECK(tree_defect(f, b, order + 1, 1) > CLEAR);
}

TEST(there_are_as_many_trees_as_butcher_counted)
{
    static const int known[] = {1, 1, 2, 4, 9, 20, 48, 115};
    for (int q = 1; q <= TREE_ORDER; q++) {
        struct tree tree = tree_first(q);
        int count = 1;
        while (tree_next(&tree)) count++;
        CHECK_EQUAL(count, known[q - 1]);
        CHECK(tree_density(&tree) == q); /* the bush */
        tree = tree_first(q);
        CHECK_CLOSE(tree_density(&tree), tgamma(q + 1), 0.5); /* the tall tree */
    }
}

TEST(rows_of_runge_kutta_tables_add_up_to_their_nodes)
{
    for (int x = 0; x < EXPLICIT; x++) {
        const struct runge_kutta *const r = explicit[x];
        struct tree_formula const f = expand(r);
        CHECK(r->points <= MOST_STAGES);
        for (int i = 0; i < r->points; i++) {
            long double sum = 0, size = (long double)r->c[i];
            for (int j = 0; j < r->points; j++) {
                sum += f.a[i][j];
                size += fabsl(f.a[i][j]);
                CHECK(j < i || f.a[i][j] == 0);
            }
            CHECK_AT_MOST((double)fabsl(sum - (long double)r->c[i]), EPS * (double)size);
        }
        CHECK(r->c[r->stages] == 1); /* the end of the step, and the stage before it too */
        CHECK(r->c[r->stages - 1] == 1);
    }
}

/* 200 conditions each. */
TEST(runge_kutta_tables_have_order_8)
{
    for (int x = 0; x < EXPLICIT; x++) {
        long double b[TREE_STAGES];
        struct tree_formula const f = expand(explicit[x]);
        spread(&explicit[x] -> b, b);
        check_order(&f, b, 8, 1);
    }
}

static void check_embedded(const struct runge_kutta *r, const struct stage_sum *error, int order)
{
    long double b[TREE_STAGES], e[TREE_STAGES];
    struct tree_formula const f = expand(r);
    spread(&r->b, b);
    spread(error, e);
    for (int i = 0; i < TREE_STAGES; i++) b[i] -= e[i];
    check_order(&f, b, order, 2); /* a difference of two tables */
}

TEST(embedded_formulas_of_runge_kutta_tables_have_their_order)
{
    check_embedded(&runge_kutta_dopri8, &runge_kutta_dopri8.error, 7);
    check_embedded(&runge_kutta_dop853, &runge_kutta_dop853.error, 5);
    check_embedded(&runge_kutta_dop853, &runge_kutta_dop853.error_low, 3);
}

/* The weights of the stages at the place s, as runge_kutta.h says. */
static void dense_weights(const struct runge_kutta *r, double s, int derivative, long double *b)
{
    struct cubic const c = one_step_cubic(s, derivative);
    long double const x = (long double)s, u = 1 - x, bump = x * x * u * u;
    long double const v[] = {1, x, x * u, x * x * u};
    long double const rate[] = {0, 1, 1 - 2 * x, 2 * x - 3 * x * x};
    spread(&r->b, b);
    for (int i = 0; i < TREE_STAGES; i++) b[i] *= (long double)c.end;
    b[0] += (long double)c.first;
    b[r->stages] += (long double)c.last;
    for (int j = 0; j < r->dense_terms; j++)
        for (int q = 0; q < 4; q++) {
            long double const d = (long double)r->dense[q][j];
            b[r->dense_stage[j]] +=
                d * (derivative ? 2 * x * u * (1 - 2 * x) * v[q] + bump * rate[q] : bump * v[q]);
        }
}

/* The cubic is rounded a few times; the table of dense output has sums of moduli that cancel a thousandfold. */
static void check_dense(const struct runge_kutta *r, int order)
{
    struct tree_formula const f = expand(r);
    long double b[TREE_STAGES];
    for (double s = 0.125; s < 1.5; s += 0.125) {
        dense_weights(r, s, 0, b);
        for (int q = 1; q <= order; q++)
            CHECK_AT_MOST(tree_defect(&f, b, q, (long double)s), 8 * q * EPS);
    }
    dense_weights(r, 0.5, 0, b);
    CHECK(tree_defect(&f, b, order + 1, 0.5L) > CLEAR);
}

TEST(dense_output_of_runge_kutta_tables_has_its_order)
{
    check_dense(&runge_kutta_dop853, 7);
    check_dense(&runge_kutta_dopri8, 3);
}

TEST(dense_output_of_runge_kutta_tables_meets_values_and_slopes_at_both_ends)
{
    for (int x = 0; x < EXPLICIT; x++) {
        const struct runge_kutta *const r = explicit[x];
        long double b[TREE_STAGES], w[TREE_STAGES];
        spread(&r->b, b);
        for (int end = 0; end < 2; end++) {
            dense_weights(r, end, 0, w);
            for (int i = 0; i < TREE_STAGES; i++) CHECK(w[i] == (end ? b[i] : 0));
            dense_weights(r, end, 1, w);
            for (int i = 0; i < TREE_STAGES; i++) CHECK(w[i] == (i == (end ? r->stages : 0)));
        }
    }
}

/* A Rosenbrock formula in its classical form, k_i = h f(y + sum alpha_ij k_j) + h J sum gamma_ij k_j: with the lower triangular
   Gamma, u = Gamma k, so that Gamma^-1 = 1/gamma - C, alpha = A Gamma, b = Gamma^T m. */
struct classical {
    struct tree_formula f; /* a: alpha, single: beta = alpha + gamma */
    long double G[TREE_STAGES][TREE_STAGES];
};

static void find_gamma(const struct rosenbrock *r, long double (*G)[TREE_STAGES])
{
    long double const diagonal = (long double)r->gamma;
    for (int j = 0; j < r->stages; j++) {
        G[j][j] = diagonal;
        for (int i = j + 1; i < r->stages; i++) {
            long double sum = 0;
            for (int k = j; k < i; k++) sum += (long double)r->c[i][k] * G[k][j];
            G[i][j] = diagonal * sum;
        }
    }
}

/* weights in terms of u as weights in terms of k. */
static void turn(const struct rosenbrock *r, const struct classical *c, const long double *m,
                 long double *b)
{
    for (int j = 0; j < TREE_STAGES; j++) {
        b[j] = 0;
        for (int i = 0; i < r->stages; i++) b[j] += m[i] * c->G[i][j];
    }
}

static void turn_table(const struct rosenbrock *r, const struct classical *c, const double *m,
                       double sign, long double *b)
{
    long double wide[TREE_STAGES] = {0}, more[TREE_STAGES];
    for (int i = 0; i < r->stages; i++) wide[i] = (long double)m[i];
    turn(r, c, wide, more);
    for (int i = 0; i < TREE_STAGES; i++) b[i] += (long double)sign * more[i];
}

static struct classical classical(const struct rosenbrock *r)
{
    struct classical c = {.f = {.stages = r->stages}};
    find_gamma(r, c.G);
    for (int i = 0; i < r->stages; i++) {
        turn_table(r, &c, r->a[i], 1, c.f.a[i]);
        for (int j = 0; j < r->stages; j++) c.f.single[i][j] = c.f.a[i][j] + c.G[i][j];
    }
    return c;
}

static const struct formula_case {
    const struct rosenbrock *table;
    int order, embedded, dense;
    bool stiffly_accurate;
} linearly_implicit[] = {{&rosenbrock_rodas5p, 5, 4, 4, true},
                         {&rosenbrock_rodas4, 4, 3, 3, true},
                         {&rosenbrock_grk4a, 4, 3, 2, false},
                         {&rosenbrock_grk4t, 4, 3, 2, false}};
enum { LINEARLY_IMPLICIT = sizeof linearly_implicit / sizeof *linearly_implicit };

/* The recovered matrices carry the roundings of C and A through sums of up to 8 terms whose moduli are up to 100 times the result:
   C of RODAS5P has entries of 165, Gamma of 1. */
static const double RECOVERED = 1000;

TEST(rosenbrock_nodes_are_the_sums_of_their_rows)
{
    for (int x = 0; x < LINEARLY_IMPLICIT; x++) {
        const struct rosenbrock *const r = linearly_implicit[x].table;
        struct classical const c = classical(r);
        CHECK(r->stages <= ROSENBROCK_STAGES);
        for (int i = 0; i < r->stages; i++) {
            long double alpha = 0, gamma = 0;
            for (int j = 0; j < r->stages; j++) {
                alpha += c.f.a[i][j];
                gamma += c.G[i][j];
                CHECK(j < i || r->a[i][j] == 0);
                CHECK(j < i || r->c[i][j] == 0);
            }
            CHECK_CLOSE((double)alpha, r->alpha[i], RECOVERED * EPS);
            CHECK_CLOSE((double)gamma, r->d[i], RECOVERED * EPS);
        }
    }
}

TEST(rosenbrock_tables_have_their_order)
{
    for (int x = 0; x < LINEARLY_IMPLICIT; x++) {
        const struct rosenbrock *const r = linearly_implicit[x].table;
        struct classical const c = classical(r);
        long double b[TREE_STAGES] = {0};
        turn_table(r, &c, r->m, 1, b);
        check_order(&c.f, b, linearly_implicit[x].order, RECOVERED);
    }
}

TEST(embedded_formulas_of_rosenbrock_tables_have_their_order)
{
    for (int x = 0; x < LINEARLY_IMPLICIT; x++) {
        const struct rosenbrock *const r = linearly_implicit[x].table;
        struct classical const c = classical(r);
        long double b[TREE_STAGES] = {0};
        turn_table(r, &c, r->m, 1, b);
        turn_table(r, &c, r->e, -1, b);
        check_order(&c.f, b, linearly_implicit[x].embedded, RECOVERED);
    }
}

/* b^T beta^-1 = e_s^T, so that the last stage solves the algebraic equations at t + h: b is the last row of beta, and the
   embedded formula is that of the stage before. */
TEST(rodas_formulas_are_stiffly_accurate)
{
    for (int x = 0; x < LINEARLY_IMPLICIT; x++) {
        const struct rosenbrock *const r = linearly_implicit[x].table;
        struct classical const c = classical(r);
        int const last = r->stages - 1;
        long double b[TREE_STAGES] = {0}, lower[TREE_STAGES] = {0}, far = 0;
        turn_table(r, &c, r->m, 1, b);
        turn_table(r, &c, r->m, 1, lower);
        turn_table(r, &c, r->e, -1, lower);
        for (int j = 0; j < r->stages; j++) {
            far = fmaxl(far, fabsl(b[j] - c.f.single[last][j]));
            if (linearly_implicit[x].stiffly_accurate)
                CHECK_CLOSE((double)lower[j], (double)c.f.single[last - 1][j], RECOVERED * EPS);
        }
        if (linearly_implicit[x].stiffly_accurate)
            CHECK_AT_MOST((double)far, RECOVERED * EPS);
        else
            CHECK(far > 0.01L);
        CHECK(!linearly_implicit[x].stiffly_accurate || r->alpha[last] == 1);
        CHECK(!linearly_implicit[x].stiffly_accurate || r->alpha[last - 1] == 1);
    }
}

/* y(s) = (1-s) y0 + s (y1 + (1-s)(K_1 + s K_2 + s^2 K_3)); at both ends it is y0 and y1 by its form. */
TEST(dense_output_of_rosenbrock_tables_has_its_order)
{
    for (int x = 0; x < LINEARLY_IMPLICIT; x++) {
        const struct formula_case *const it = &linearly_implicit[x];
        const struct rosenbrock *const r = it->table;
        struct classical const c = classical(r);
        for (double s = 0.125; s < 1; s += 0.125) {
            long double m[TREE_STAGES] = {0}, b[TREE_STAGES];
            for (int i = 0; i < r->stages; i++) {
                long double bend = 0;
                for (int q = r->dense_rows - 1; q >= 0; q--)
                    bend = bend * (long double)s + (long double)r->dense[q][i];
                m[i] = (long double)s * ((long double)r->m[i] + (1 - (long double)s) * bend);
            }
            turn(r, &c, m, b);
            for (int q = 1; q <= it->dense; q++)
                CHECK_AT_MOST(tree_defect(&c.f, b, q, (long double)s), RECOVERED * q * EPS);
            if (s == 0.5) CHECK(tree_defect(&c.f, b, it->dense + 1, (long double)s) > CLEAR);
        }
    }
}

/* A stage that takes f of the one before has the same point. */
TEST(a_stage_that_reuses_f_has_the_point_of_the_one_before)
{
    for (int x = 0; x < LINEARLY_IMPLICIT; x++) {
        const struct rosenbrock *const r = linearly_implicit[x].table;
        CHECK_EQUAL(r->reuses, x < 2 ? 0 : 3);
        if (r->reuses == 0) continue;
        CHECK(r->alpha[r->reuses] == r->alpha[r->reuses - 1]);
        for (int j = 0; j < r->reuses; j++) CHECK(r->a[r->reuses][j] == r->a[r->reuses - 1][j]);
    }
}
