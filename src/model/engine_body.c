/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter for one instruction set, KERNELS_NAME: instruction after instruction, and the elementary functions. */
#include "matrix/vector_types.h"
#include "model/engine.h"

#include <string.h>

extern const struct engine PASTE(engine, KERNELS_NAME);
void PASTE(engine_sums, KERNELS_NAME)(const struct run *run, const struct instruction *i);
void PASTE(engine_products, KERNELS_NAME)(const struct run *run, const struct instruction *i);
void PASTE(engine_lanes, KERNELS_NAME)(const struct lane_rows *rows,
                                       const struct lane_panels *panels, double *strip);

#define MATH PASTE(vector_math, KERNELS_NAME)

/* to[k] = value of VECTOR operands at k; the rest of the row one by one. */
#define EACH(value)                                                                                \
    {                                                                                              \
        size_t k = 0;                                                                              \
        for (; k + VECTOR <= n; k += VECTOR) VECTOR_AT(to + k) = value(VECTOR_OF, vector, k);      \
        for (; k < n; k++) to[k] = value(SCALAR_OF, double, k);                                    \
    }
#define SCALAR_OF(p) (*(p))

static void divide(size_t n, const double *a, const double *b, double *to)
{
#define VALUE(at, type, k) (at(a + (k)) / at(b + (k)))
    EACH(VALUE)
#undef VALUE
}

static void compare(size_t n, const double *a, const double *b, double *to)
{
    for (size_t k = 0; k < n; k++) to[k] = a[k] >= b[k] ? 1 : 0;
}

/* What is not chosen may be NaN. */
static void choose(size_t n, const double *a, const double *b, const double *c, double *to)
{
    for (size_t k = 0; k < n; k++) to[k] = a[k] != 0 ? b[k] : c[k];
}

static void call(size_t n, double (*function)(double), const double *a, double *to)
{
    for (size_t k = 0; k < n; k++) to[k] = function(a[k]);
}

/* By repeated squaring; half an odd number takes the square root along.  C's pow has x^(1/2) = 0 at -0 and inf at -inf. */
ALWAYS_INLINE double power_of(double x, int twice)
{
    unsigned const size = (unsigned)(twice < 0 ? -twice : twice);
    double r = 1;
    if (size & 1) {
        x = x == -(double)INFINITY ? (double)INFINITY : x + 0.0;
        r = sqrt(x);
    }
    for (unsigned n = size >> 1; n; n >>= 1) {
        if (n & 1) r *= x;
        x *= x;
    }
    return twice < 0 ? 1 / r : r;
}

static void powers(size_t n, int twice, const double *a, double *to)
{
#define POWERS(p)                                                                                  \
    case p:                                                                                        \
        for (size_t k = 0; k < n; k++) to[k] = power_of(a[k], p);                                  \
        return;
    switch (twice) {
        POWERS(-4)
        POWERS(-2)
        POWERS(-1)
        POWERS(1)
        POWERS(3)
        POWERS(4)
        POWERS(6)
    default:
        for (size_t k = 0; k < n; k++) to[k] = power_of(a[k], twice);
    }
}

/* One argument. */
static void unary(enum operation operation, size_t n, const double *a, double *to)
{
    switch (operation) {
    case OP_EXP:
        MATH.exp(n, a, to);
        break;
    case OP_LOG:
        MATH.log(n, a, to);
        break;
    case OP_SQRT:
        for (size_t k = 0; k < n; k++) to[k] = sqrt(a[k]);
        break;
    case OP_SIN:
        MATH.sin(n, a, to);
        break;
    case OP_COS:
        MATH.cos(n, a, to);
        break;
    case OP_TAN:
        call(n, tan, a, to);
        break;
    case OP_ASIN:
        call(n, asin, a, to);
        break;
    case OP_ACOS:
        call(n, acos, a, to);
        break;
    case OP_ATAN:
        call(n, atan, a, to);
        break;
    case OP_SINH:
        call(n, sinh, a, to);
        break;
    case OP_COSH:
        call(n, cosh, a, to);
        break;
    default:
        call(n, tanh, a, to);
    }
}

static void function(const struct run *run, const struct instruction *i)
{
    const struct stream *const s = run->program->stream.item + i->stream;
    const double *const a = run->space[s[0].space] + s[0].index;
    double *const to = run->work + i->to;
    if (i->code == CODE_POWER) {
        powers(i->count, i->shape[0], a, to);
        return;
    }
    if (i->operation < OP_ADD) {
        unary(i->operation, i->count, a, to);
        return;
    }
    const double *const b = run->space[s[1].space] + s[1].index;
    if (i->operation == OP_DIVIDE)
        divide(i->count, a, b, to);
    else if (i->operation == OP_POWER)
        MATH.pow(i->count, a, b, to);
    else if (i->operation == OP_AT_LEAST)
        compare(i->count, a, b, to);
    else
        choose(i->count, a, b, run->space[s[2].space] + s[2].index, to);
}

/* Leaves and values to where instructions want them. */
static void fetch(const struct run *run, const struct instruction *i)
{
    double *const to = run->work + i->to;
    if (i->code == CODE_COPY) {
        const struct stream *const s = run->program->stream.item + i->stream;
        const double *const from = run->space[s->space] + s->index;
        for (size_t k = 0; k < i->count; k++) to[k] = from[k];
    } else if (i->code == CODE_GATHER) {
        const uint32_t *const ix = run->program->index.item + i->index;
        for (size_t k = 0; k < i->count; k++) to[k] = run->work[ix[k]];
    } else {
        *to = leaf_value(run->at, i->operation, (size_t)i->shape[0]);
    }
}

static void run_all(const struct run *run)
{
    const struct instruction *i = run->program->instruction.item;
    const struct instruction *const end = i + run->program->instruction.count;
    for (; i < end; i++) switch ((enum code)i->code) {
        case CODE_COPY:
        case CODE_GATHER:
        case CODE_LEAF:
            fetch(run, i);
            break;
        case CODE_SUM:
        case CODE_CHUNKS:
        case CODE_LONG:
        case CODE_SUM_STREAM:
            PASTE(engine_sums, KERNELS_NAME)(run, i);
            break;
        case CODE_PRODUCT:
        case CODE_PRODUCT_STREAM:
            PASTE(engine_products, KERNELS_NAME)(run, i);
            break;
        case CODE_FUNCTION:
        case CODE_POWER:
            function(run, i);
        }
}

#define TEXT_EXPANDED(name) #name
#define TEXT(name)          TEXT_EXPANDED(name)

const struct engine PASTE(engine, KERNELS_NAME) = {
    .name = TEXT(KERNELS_NAME),
    .run = run_all,
    .lanes = PASTE(engine_lanes, KERNELS_NAME),
};
