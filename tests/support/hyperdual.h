/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers a + b e1 + c e2 + d e1 e2, e1^2 = e2^2 = 0: a value, its derivatives along two directions, and the mixed one. */
#ifndef TEST_HYPERDUAL_H
#define TEST_HYPERDUAL_H

#include <math.h>

struct hyperdual {
    double a, b, c, d;
};

static inline struct hyperdual hyper_plus(struct hyperdual x, struct hyperdual y)
{
    return (struct hyperdual){x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d};
}

static inline struct hyperdual hyper_times(struct hyperdual x, struct hyperdual y)
{
    return (struct hyperdual){x.a * y.a, x.a * y.b + x.b * y.a, x.a * y.c + x.c * y.a,
                              x.a * y.d + x.b * y.c + x.c * y.b + x.d * y.a};
}

static inline struct hyperdual hyper_scale(double factor, struct hyperdual x)
{
    return (struct hyperdual){factor * x.a, factor * x.b, factor * x.c, factor * x.d};
}

/* g(x) from g, g', g'' at x.a. */
static inline struct hyperdual hyper_apply(struct hyperdual x, double g, double g1, double g2)
{
    return (struct hyperdual){g, g1 * x.b, g1 * x.c, g1 * x.d + g2 * x.b * x.c};
}

static inline struct hyperdual hyper_sin(struct hyperdual x)
{
    return hyper_apply(x, sin(x.a), cos(x.a), -sin(x.a));
}

static inline struct hyperdual hyper_cos(struct hyperdual x)
{
    return hyper_apply(x, cos(x.a), -sin(x.a), -cos(x.a));
}

static inline struct hyperdual hyper_exp(struct hyperdual x)
{
    return hyper_apply(x, exp(x.a), exp(x.a), exp(x.a));
}

static inline struct hyperdual hyper_inverse(struct hyperdual x)
{
    return hyper_apply(x, 1 / x.a, -1 / (x.a * x.a), 2 / (x.a * x.a * x.a));
}

#endif
