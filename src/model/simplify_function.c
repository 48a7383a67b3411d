/* SPDX-License-Identifier: Apache-2.0 */
/* Powers in general, and functions of one argument. */
#include <math.h>

#include "model/simplify.h"

uint32_t simplify_power(struct graph *g, uint32_t a, uint32_t b)
{
    if (a == ONE) return ONE;
    struct node const x = *node_at(g, a), y = *node_at(g, b);
    if (x.operation == OP_EXP) /* exp(u)^b = exp(b u) for all u and b */
        return node_make(g, OP_EXP, simplify_multiply(g, x.argument[0], b), 0, 0);
    if (y.operation == OP_CONSTANT && x.operation != OP_CONSTANT)
        return simplify_constant_power(g, a, node_value(&y));
    return node_make(g, OP_POWER, a, b, 0);
}

/* f(-x) = -f(x). */
static bool is_odd(enum operation operation)
{
    return operation == OP_SIN || operation == OP_TAN || operation == OP_ASIN ||
           operation == OP_ATAN || operation == OP_SINH || operation == OP_TANH;
}

uint32_t simplify_function(struct graph *g, enum operation operation, uint32_t a)
{
    struct node const x = *node_at(g, a);
    if (operation == OP_EXP && x.operation == OP_LOG) return x.argument[0];
    if (operation == OP_LOG && x.operation == OP_EXP) return x.argument[0];
    if (x.operation == OP_NEGATE && (operation == OP_COS || operation == OP_COSH))
        return node_make(g, operation, x.argument[0], 0, 0);
    if (x.operation == OP_NEGATE && is_odd(operation))
        return simplify_scale(g, -1, node_make(g, operation, x.argument[0], 0, 0));
    return node_make(g, operation, a, 0, 0);
}
