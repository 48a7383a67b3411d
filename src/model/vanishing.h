/* SPDX-License-Identifier: Apache-2.0 */
/* How fast an expression vanishes where another one does. */
#ifndef MODEL_VANISHING_H
#define MODEL_VANISHING_H

#include "model/simplify.h"

/* |a| <= C |x|^order near x = 0, as far as the form of the expression shows it: order = number + times * exponent, where the exponent is
   a node that is no constant and times is 0 where there is none.  -INFINITY: not known. */
struct order {
    double number, times;
    uint32_t exponent;
};

/* The order of a where x, or what x is but for its sign and conditions, is 0; not known where a is too large to look at. */
struct order order_of(const struct graph *g, uint32_t a, uint32_t x);

/* Of a product, sign = 1, or a quotient, -1. */
struct order order_add(struct order a, struct order b, double sign);

#endif
