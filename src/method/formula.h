/* SPDX-License-Identifier: Apache-2.0 */
/* Multistep formulas of variable step on a Nordsieck array z[j] = h^j y^(j)/j! (Byrne and Hindmarsh 1975),
   normalised so that y = y0 + e:
     z <- P z + l e,   h y' = h y0' + e/l0   (ODESSA 4.2 to 4.5 with e = l0 a).
   Past points are given by xi[i] = (t_n - t_(n-i))/h, i >= 1, counted from the end of the step; with steps of
   equal size xi[i] = i and the formulas are LSODE's. */
#ifndef METHOD_FORMULA_H
#define METHOD_FORMULA_H

enum { ADAMS_ORDERS = 12, BDF_ORDERS = 5, MOST_ORDERS = 12, PAST_POINTS = MOST_ORDERS + 3 };

struct formula {
    double l0;
    double same,
        up; /* local errors of order q: same |e|; q + 1: up |e - before e of the step before| */
    double unit; /* e times unit is a divided difference times h^(q+1): see formula_before */
    double l[MOST_ORDERS + 2];
};

/* What a family of formulas must tell; xi[0] is not used. */
struct family {
    /* Coefficients and error constants of order q; xi[i] for i <= q + 2. */
    void (*fill)(int order, const double *xi, struct formula *out);
    /* The local error of order q - 1 is down |z_q|; xi[i] for i < q. */
    double (*down)(int order, const double *xi);
    /* l[0 .. q+1] that corrects a history of order q and makes it one of order q + 1 that keeps one more
       past point; l0 is that of the step. */
    void (*raise)(int order, const double *xi, double l0, double *l);
    /* m[1 .. q-1]: z_j - m_j z_q is the history of order q - 1 through one past point less. */
    void (*lower)(int order, const double *xi, double *m);
};

/* fixed: BDF with fixed leading coefficient (DASSL); its corrector's polynomial goes through the predictor at equidistant
   points, so that c depends on order and h alone. */
extern const struct family family_adams, family_bdf, family_fixed;

/* The factor of the last correction in `up`, when that step had size h_before: divided differences of equal
   order subtract as unit e h^-(q+1). */
double formula_before(const struct formula *now, const struct formula *before, int order,
                      double h_over_before);

#endif
