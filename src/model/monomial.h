/* SPDX-License-Identifier: Apache-2.0 */
/* An expression as a product of powers, number * product of base_j^exponent_j, as far as its products, quotients, roots and powers
   with numbers as exponents show it. */
#ifndef MODEL_MONOMIAL_H
#define MODEL_MONOMIAL_H

#include "model/simplify.h"

enum { MAX_BASES = 6 }; /* longer products are not looked at */

struct factor {
    uint32_t base;
    double exponent;
};
struct monomial {
    double number; /* NaN: a root of a negative one */
    size_t count;
    struct factor factor[MAX_BASES];
};

/* False: too long. */
bool monomial_of(const struct graph *g, uint32_t a, struct monomial *m);

/* x, where all branches of `a` are x, -x or 0; else a. */
uint32_t core_of(const struct graph *g, uint32_t a);

/* Is product[k] = x^m, m >= 1, and the other the root or power (.. w^k)^r, k > 0, of a product with w = x, or -x or 0 where conditions
   say so, as |x| and max(x, 0) are?  The derivatives of both may have a factor that is infinite at x = 0, and that of the product
   has none. */
struct rooted {
    uint32_t x, root; /* the base; the node (.. w^k)^r */
    double m;
    size_t which; /* w among the factors inside the root */
    struct monomial inside;
};
bool is_rooted(const struct graph *g, const uint32_t product[2], unsigned k, struct rooted *r);

#endif
