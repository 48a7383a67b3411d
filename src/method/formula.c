/* SPDX-License-Identifier: Apache-2.0 */
/* The Adams and BDF formulas from their defining polynomials (docs/multistep.md):
     BDF    L(x)  = prod_(i=1..q) (1 + x/xi_i)                         past values stay,
     Adams  L'(x) = (1/l0) prod_(i=1..q-1) (1 + x/xi_i), L(-1) = 0     past derivatives stay,
   both with L(0) = 1.  Found at every step whose past steps differ: r[i] = 1/xi_i is computed once, and the loops
   have constant length after inlining, so that the coefficients stay in registers. */
#include "method/formula.h"

#include <math.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL /* clang does it by itself */
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* c of degree k times (1 + x r). */
ALWAYS_INLINE void extend(int k, double r, double *c)
{
    c[k + 1] = c[k] * r;
    UNROLL
    for (int j = k; j >= 1; j--) c[j] += c[j - 1] * r;
}

/* c[0 .. k] of prod_(i=1..k) (1 + x r_i). */
ALWAYS_INLINE void product(int k, const double *r, double *c)
{
    c[0] = 1;
    UNROLL
    for (int i = 1; i <= k; i++) {
        c[i] = c[i - 1] * r[i];
        UNROLL
        for (int j = MOST_ORDERS; j >= 1; j--)
            if (j < i) c[j] += c[j - 1] * r[i];
    }
}

/* |integral_(-1)^0 x^p c(x) dx| of a polynomial of degree k, p = 0 or 1. */
ALWAYS_INLINE double integral(int k, const double *c, int p)
{
    double even = 0, odd = 0;
    UNROLL
    for (int j = 0; j <= k; j += 2) even += c[j] * (1.0 / (j + p + 1));
    UNROLL
    for (int j = 1; j <= k; j += 2) odd += c[j] * (1.0 / (j + p + 1));
    return even - odd;
}

static const double reciprocal_of[] = {0,      1,      1. / 2, 1. / 3,  1. / 4,  1. / 5,  1. / 6,
                                       1. / 7, 1. / 8, 1. / 9, 1. / 10, 1. / 11, 1. / 12, 1. / 13};

static void reciprocals(int k, const double *xi, double *r)
{
    for (int i = 1; i <= k; i++) r[i] = 1 / xi[i];
}

/* The polynomial y' - p' behind e is K prod_(i<=q) (x + xi_i); the corrector's is K x prod_(i<q) (x + xi_i). */
ALWAYS_INLINE void fill_adams_order(int q, const double *xi, struct formula *f)
{
    double c[PAST_POINTS], r[PAST_POINTS];
    reciprocals(q + 1, xi, r);
    product(q - 1, r, c);
    f->l0 = integral(q - 1, c, 0);
    double const scale = 1 / f->l0;
    f->l[0] = 1;
    UNROLL
    for (int j = 1; j <= q; j++) f->l[j] = scale * c[j - 1] * (1.0 / j);
    f->same = scale * integral(q - 1, c, 1) * r[q];
    extend(q - 1, r[q], c);
    f->up = scale * integral(q, c, 1) * r[q + 1];
    f->unit = scale * c[q]; /* c[q] = prod_(i<=q) r_i */
}

static void fill_adams(int q, const double *xi, struct formula *f)
{
    switch (q) {
    case 1:
        fill_adams_order(1, xi, f);
        break;
    case 2:
        fill_adams_order(2, xi, f);
        break;
    case 3:
        fill_adams_order(3, xi, f);
        break;
    case 4:
        fill_adams_order(4, xi, f);
        break;
    case 5:
        fill_adams_order(5, xi, f);
        break;
    case 6:
        fill_adams_order(6, xi, f);
        break;
    case 7:
        fill_adams_order(7, xi, f);
        break;
    case 8:
        fill_adams_order(8, xi, f);
        break;
    case 9:
        fill_adams_order(9, xi, f);
        break;
    case 10:
        fill_adams_order(10, xi, f);
        break;
    case 11:
        fill_adams_order(11, xi, f);
        break;
    default:
        fill_adams_order(12, xi, f);
    }
}

/* K = q z_q for order q - 1. */
static double down_adams(int q, const double *xi)
{
    double c[PAST_POINTS], r[PAST_POINTS], scale = q;
    if (q == 1) return 0;
    reciprocals(q - 2, xi, r);
    c[0] = 1;
    for (int i = 1; i <= q - 2; i++) {
        extend(i - 1, r[i], c);
        scale *= xi[i];
    }
    return scale * integral(q - 2, c, 1);
}

/* e is K prod_(i<=q+1) xi_i with K = h^(q+1) y^(q+1)/(q+1)!, and the local error K prod_(i<=q) xi_i. */
ALWAYS_INLINE void fill_bdf_order(int q, const double *xi, struct formula *f)
{
    double r[PAST_POINTS];
    reciprocals(q + 2, xi, r);
    product(q, r, f->l);
    f->l0 = 1 / f->l[1];
    f->same = r[q + 1];
    f->up = r[q + 2];
    f->unit = f->l[q] * r[q + 1];
}

static void fill_bdf(int q, const double *xi, struct formula *f)
{
    switch (q) {
    case 1:
        fill_bdf_order(1, xi, f);
        break;
    case 2:
        fill_bdf_order(2, xi, f);
        break;
    case 3:
        fill_bdf_order(3, xi, f);
        break;
    case 4:
        fill_bdf_order(4, xi, f);
        break;
    default:
        fill_bdf_order(5, xi, f);
    }
}

/* c = 1/(h l0) with l0 = 1/(1 + 1/2 + ... + 1/q), whatever the past steps (Brenan, Campbell and Petzold 5.2.3), so that factors
   stay good when h has changed.  Its error constant, max(1/xi_(q+1), |1/xi_(q+1) + sum_i 1/xi_i - sum_i 1/i|), grows
   tenfold where h has been cut, and then one cut leads to the next (a transistor amplifier: 58,000 steps instead of 7,000): where
   it is larger than that of the variable coefficient, that one is taken. */
static void fill_fixed(int q, const double *xi, struct formula *f)
{
    fill_bdf(q, xi, f);
    double sum = 0;
    for (int i = 1; i <= q; i++) sum += reciprocal_of[i];
    if (fabs(f->same + f->l[1] - sum) <= f->same) f->l0 = 1 / sum;
}

static double down_bdf(int q, const double *xi)
{
    double down = 1;
    for (int i = 1; i < q; i++) down *= xi[i];
    return q > 1 ? down : 0;
}

static void raise_adams(int q, const double *xi, double l0, double *l)
{
    double c[PAST_POINTS], r[PAST_POINTS];
    double const scale = 1 / l0;
    reciprocals(q, xi, r);
    c[0] = 1;
    for (int i = 1; i <= q; i++) extend(i - 1, r[i], c);
    l[0] = 1;
    for (int j = 1; j <= q + 1; j++) l[j] = scale * c[j - 1] * reciprocal_of[j];
}

static void raise_bdf(int q, const double *xi, double l0, double *l)
{
    (void)l0;
    l[0] = 1;
    for (int i = 1; i <= q + 1; i++) extend(i - 1, 1 / xi[i], l);
}

/* m(x) = x prod_(i=1..k) (x + xi_i), coefficients of x^1 .. x^(k+1) in m[1 .. k+1]. */
static void vanishing(int k, const double *xi, double *m)
{
    m[1] = 1;
    for (int i = 1; i <= k; i++) {
        m[i + 1] = m[i];
        for (int j = i; j >= 2; j--) m[j] = m[j - 1] + xi[i] * m[j];
        m[1] *= xi[i];
    }
}

/* m'(x)/q vanishes at 0 and at the past points but one: the derivatives there stay. */
static void lower_adams(int q, const double *xi, double *m)
{
    double slope[PAST_POINTS];
    vanishing(q - 2, xi, slope);
    m[1] = 0;
    for (int j = 2; j <= q - 1; j++) m[j] = slope[j - 1] * q / j;
}

/* m(x) vanishes at 0 and at the past points but one: the values there stay. */
static void lower_bdf(int q, const double *xi, double *m)
{
    double all[PAST_POINTS];
    vanishing(q - 1, xi, all);
    for (int j = 1; j <= q - 1; j++) m[j] = all[j];
}

double formula_before(const struct formula *now, const struct formula *before, int order,
                      double h_over_before)
{
    double factor = before->unit / now->unit;
    for (int j = 0; j <= order; j++) factor *= h_over_before;
    return factor;
}

const struct family family_adams = {fill_adams, down_adams, raise_adams, lower_adams};
const struct family family_bdf = {fill_bdf, down_bdf, raise_bdf, lower_bdf};
const struct family family_fixed = {fill_fixed, down_bdf, raise_bdf, lower_bdf};
