/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of method/formula.h against what defines a formula: which polynomials it keeps, what its correction
   leaves alone and its principal error.  Everything on steps of size 1 in long double, so that the only rounding
   that counts is that of the tables. */
#include "method/formula.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "support/order_history.h"
#include "test.h"

enum { MOST_ROWS = ADAMS_ORDERS + 1 };

typedef void property(bool adams, int q, const struct formula *f);

static void for_all(property *holds)
{
    for (int q = 1; q <= ADAMS_ORDERS; q++) holds(true, q, &formula_adams[q]);
    for (int q = 1; q <= BDF_ORDERS; q++) holds(false, q, &formula_bdf[q]);
}

static long double factorial(int n)
{
    return roundl(expl(lgammal(n + 1.0L)));
}

static long double binomial(int n, int k)
{
    return roundl(factorial(n) / (factorial(k) * factorial(n - k)));
}

/* The correction L(x) = sum_j l_j x^j, or its derivative, and the sum of the sizes of its terms. */
static long double correction(const struct formula *f, int q, int derivative, long double x,
                              long double *size)
{
    long double sum = 0;
    *size = 0;
    for (int j = derivative; j <= q; j++) {
        long double const term = f->l[j] * (derivative ? j * powl(x, j - 1) : powl(x, j));
        sum += term;
        *size += fabsl(term);
    }
    return sum;
}

static void check_normalised(bool adams, int q, const struct formula *f)
{
    (void)adams, (void)q;
    CHECK(f->l[0] == 1);
    CHECK(f->l0 > 0);
    CHECK_CLOSE(f->l[1] * f->l0, 1, 2 * DBL_EPSILON); /* two table entries and a product round */
}

TEST(corrections_move_the_value_by_e_and_the_slope_by_e_over_l0)
{
    for_all(check_normalised);
}

/* A table entry is wrong by half an eps at most, and so is a term of L. */
static void check_zero(const struct formula *f, int q, int derivative, int x)
{
    long double size = 0;
    long double const value = correction(f, q, derivative, x, &size);
    CHECK_CLOSE((double)value, 0, (double)size * DBL_EPSILON);
}

static void check_past(bool adams, int q, const struct formula *f)
{
    check_zero(f, q, 0, -1);
    for (int i = 1; i <= (adams ? q - 1 : q); i++) check_zero(f, q, adams ? 1 : 0, -i);
}

TEST(corrections_keep_the_last_value_and_past_values_of_bdf_or_slopes_of_adams)
{
    for_all(check_past);
}

/* One step to x = 1 with the slope known there; returns e. */
static long double step(const struct formula *f, int q, long double slope, long double *z)
{
    for (int k = 0; k < q; k++)
        for (int j = q - 1; j >= k; j--) z[j] += z[j + 1];
    long double const e = f->l0 * (slope - z[1]);
    for (int j = 0; j <= q; j++) z[j] += f->l[j] * e;
    return e;
}

/* y = (x/q)^d from a history whose oldest entry is wrong by 1: the formula does not use it, the predictor does, so
   that e is not zero.  At x = 1 the array is binomial(d, j) q^-d.  Rounding: e and l round once in double; the
   differences of the history and Pascal's triangle each double an error q times in long double. */
static void check_exact(bool adams, int q, const struct formula *f)
{
    for (int d = 0; d <= q; d++) {
        long double value[MOST_ROWS], slope[MOST_ROWS], z[MOST_ROWS + 1];
        for (int i = 0; i <= q; i++) {
            value[i] = powl(-(long double)i / q, d);
            slope[i] = d ? d * powl(-(long double)i / q, d - 1) / q : 0;
        }
        *(adams ? &slope[q - 1] : &value[q]) += 1;
        order_history(adams, q, value, slope, z);
        long double const e = step(f, q, d ? d * powl(1.0L / q, d - 1) / q : 0, z);
        for (int j = 0; j <= q; j++) {
            long double const exact = j <= d ? binomial(d, j) * powl(q, -d) : 0;
            long double const once = 4 * DBL_EPSILON * fabsl(f->l[j] * e);
            CHECK_CLOSE((double)z[j], (double)exact,
                        (double)(once + powl(4, q) * LDBL_EPSILON + DBL_EPSILON * exact));
        }
        CHECK(fabsl(e) > 1e-3L); /* the test is not empty */
    }
}

TEST(every_formula_is_exact_up_to_its_order)
{
    for_all(check_exact);
}

/* The principal error C in C h^(k+1) y^(k+1), by which the global error of y' = f(t) grows at each step, from the
   difference form of the formula of order k:
     BDF     sum_{m=1..k} nabla^m y/m = h f, so C = 1/(k + 1);
     Adams   nabla y = h sum_{m<k} gamma_m nabla^m f, so C = |gamma_k|, where gamma_0 = 1 and
             sum_{i<=m} gamma_i/(m + 1 - i) = 0 (Henrici 1962, 5.1-2). */
static long double principal_error(bool adams, int k)
{
    if (!adams) return 1.0L / (k + 1);
    long double gamma[MOST_ROWS + 1] = {1};
    for (int m = 1; m <= k; m++)
        for (int i = 0; i < m; i++) gamma[m] -= gamma[i] / (m + 1 - i);
    return fabsl(gamma[k]);
}

/* y = x^d/d! */
static long double monomial(int d, long double x)
{
    return powl(x, d) / factorial(d);
}

/* The error E(x) that the values of BDF carry on y = x^d/d! when transients have died out: its formula applied to E
   gives nabla^(q+1) y/(q+1) + nabla^(q+2) y/(q+2) + ..., which is 1/(q+1) for d = q + 1 and A x + B for d = q + 2.
   (nabla^(q+1) y = x - (q+1)/2 there.)  Slopes of y' = f(t) carry none, nor do the histories of Adams. */
static long double carried(int q, int d, long double x)
{
    if (d == q + 1) return x / (q + 1);
    long double const A = 1.0L / (q + 1), B = 1.0L / (q + 2) - 0.5L;
    return A * x * x / 2 + (q == 1 ? B + A / 2 : B) * x; /* nabla, not d/dx, for q = 1 */
}

/* Integrates y = x^d/d! from x = 0 to `steps`; e[] of the steps and by how much the error grew in the last. */
static long double integrate(bool adams, int q, const struct formula *f, int d, int steps,
                             long double *e)
{
    long double value[MOST_ROWS], slope[MOST_ROWS], z[MOST_ROWS + 1], before = 0;
    for (int i = 0; i <= q; i++) {
        value[i] = monomial(d, -i) + (adams ? 0 : carried(q, d, -i));
        slope[i] = monomial(d - 1, -i);
    }
    order_history(adams, q, value, slope, z);
    for (int m = 1; m <= steps; m++) {
        before = z[0];
        e[m - 1] = step(f, q, monomial(d - 1, m), z);
    }
    return z[0] - before - (monomial(d, steps) - monomial(d, steps - 1));
}

/* Relative rounding of these sums: of the tables in double, and of the history in long double, whose entries
   x^d/d! reach q^(q+2)/(q+2)! and are differenced q times (see check_exact). */
static double relative(int q)
{
    return 8 * DBL_EPSILON +
           (double)(powl(4, q) * LDBL_EPSILON * (1 + powl(q, q + 2) / factorial(q + 2)));
}

static void check_same(bool adams, int q, const struct formula *f)
{
    long double e = 0;
    long double const C = principal_error(adams, q);
    long double const growth = integrate(adams, q, f, q + 1, 1, &e);
    CHECK_CLOSE((double)(fabsl(growth) / C), 1, relative(q) / (double)C);
    CHECK_CLOSE((double)(f->same * fabsl(e) / C), 1, relative(q) / (double)C);
}

TEST(same_times_e_is_the_principal_error)
{
    for_all(check_same);
}

/* z_q = y^(q)/q!. */
static void check_down(bool adams, int q, const struct formula *f)
{
    if (q == 1) return;
    long double const C = principal_error(adams, q - 1);
    CHECK_CLOSE((double)(f->down / factorial(q) / C), 1, relative(q));
}

TEST(down_times_the_last_row_is_the_principal_error_of_the_order_below)
{
    for_all(check_down);
}

static void check_up(bool adams, int q, const struct formula *f)
{
    long double e[2];
    long double const C = principal_error(adams, q + 1);
    (void)integrate(adams, q, f, q + 2, 2, e);
    CHECK_CLOSE((double)(f->up * fabsl(e[1] - e[0]) / C), 1, relative(q) / (double)C);
}

TEST(up_times_the_change_of_e_is_the_principal_error_of_the_order_above)
{
    for_all(check_up);
}
