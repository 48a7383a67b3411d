/* SPDX-License-Identifier: Apache-2.0 */
/* The plain evaluator: one node after the other, by libm.  The complex one takes conditions by the real part. */
#include "model/oracle.h"

#include <math.h>

#include "model/simplify.h"

/* The row i of the table that holds on this piece, t[i] <= the piece's beginning, or -1 before the first.  Without break
   times t itself decides. */
static ptrdiff_t find_row(const struct table *table, double t, double piece)
{
    double from = t;
    if (table->breaks) from = piece < 1 ? -HUGE_VAL : table->break_time[(size_t)piece - 1];
    ptrdiff_t i = -1;
    while (i + 1 < (ptrdiff_t)table->count && table->t[i + 1] <= from) i++;
    return i;
}

/* d(table)/dt on this piece: 0 beyond the ends and for steps. */
static double slope_of(const struct table *table, double t, double piece)
{
    ptrdiff_t const i = find_row(table, t, piece);
    if (!table->is_linear || i < 0 || i + 1 >= (ptrdiff_t)table->count) return 0;
    return (table->value[i + 1] - table->value[i]) / (table->t[i + 1] - table->t[i]);
}

/* The table at t = time, as a straight line from its row. */
static double complex value_of(const struct table *table, double complex t, double piece)
{
    ptrdiff_t i = find_row(table, creal(t), piece);
    if (i < 0) i = 0;
    double const slope = slope_of(table, creal(t), piece);
    return table->value[i] + (slope != 0 ? slope * (t - table->t[i]) : 0);
}

/* What is not given is not a number: a graph may hold leaves that the roots at hand do not need. */
static double entry(const double *value, size_t i)
{
    return value ? value[i] : (double)NAN;
}

static double leaf_value(const struct leaves *at, const struct node *n)
{
    size_t const piece = at->np + at->switches;
    switch (n->operation) {
    case OP_TIME:
        return at->t;
    case OP_STATE:
        return entry(at->y, n->index);
    case OP_RATE:
        return entry(at->rate, n->index);
    case OP_VECTOR:
        return entry(at->vector, n->index);
    case OP_PARAMETER:
        return at->p[n->index];
    case OP_SWITCH:
        return entry(n->index < at->switches ? at->p : NULL, at->np + n->index);
    case OP_PIECE:
        return at->p[piece];
    case OP_INPUT:
        return creal(value_of(&at->table[n->index], at->t, at->p[piece]));
    case OP_INPUT_SLOPE:
        return slope_of(&at->table[n->index], at->t, at->p[piece]);
    default:
        return node_value(n);
    }
}

void oracle_run(const struct graph *g, const struct leaves *at, double *value)
{
    for (size_t i = 0; i < g->node.count; i++) {
        const struct node *const n = &g->node.item[i];
        const uint32_t *const a = n->argument;
        if (n->operation < OP_NEGATE)
            value[i] = leaf_value(at, n);
        else if (n->operation == OP_SELECT)
            value[i] = value[a[0]] != 0 ? value[a[1]] : value[a[2]];
        else
            value[i] = operation_value(n->operation, value[a[0]], value[a[1]]);
    }
}

static double complex complex_entry(const double complex *value, size_t i)
{
    return value ? value[i] : (double)NAN;
}

static double complex complex_leaf(const struct complex_leaves *at, const struct node *n)
{
    size_t const piece = at->np + at->switches;
    switch (n->operation) {
    case OP_TIME:
        return at->t;
    case OP_STATE:
        return complex_entry(at->y, n->index);
    case OP_RATE:
        return complex_entry(at->rate, n->index);
    case OP_VECTOR:
        return complex_entry(at->vector, n->index);
    case OP_PARAMETER:
        return at->p[n->index];
    case OP_SWITCH:
        return complex_entry(n->index < at->switches ? at->p : NULL, at->np + n->index);
    case OP_PIECE:
        return at->p[piece];
    case OP_INPUT:
        return value_of(&at->table[n->index], at->t, creal(at->p[piece]));
    case OP_INPUT_SLOPE:
        return slope_of(&at->table[n->index], creal(at->t), creal(at->p[piece]));
    default:
        return node_value(n);
    }
}

/* x^b, where 0^b = 0 for b > 0 as for real numbers. */
static double complex power_of(double complex a, double complex b)
{
    if (b == 0) return 1;
    return a == 0 && creal(b) > 0 ? 0 : cpow(a, b);
}

static double complex complex_value(enum operation operation, double complex a, double complex b)
{
    switch (operation) {
    case OP_NEGATE:
        return -a;
    case OP_EXP:
        return cexp(a);
    case OP_LOG:
        return clog(a);
    case OP_SQRT:
        return csqrt(a);
    case OP_SIN:
        return csin(a);
    case OP_COS:
        return ccos(a);
    case OP_TAN:
        return ctan(a);
    case OP_ASIN:
        return casin(a);
    case OP_ACOS:
        return cacos(a);
    case OP_ATAN:
        return catan(a);
    case OP_SINH:
        return csinh(a);
    case OP_COSH:
        return ccosh(a);
    case OP_TANH:
        return ctanh(a);
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return a / b;
    case OP_POWER:
        return power_of(a, b);
    default:
        return creal(a) >= creal(b) ? 1 : 0;
    }
}

void oracle_run_complex(const struct graph *g, const struct complex_leaves *at,
                        double complex *value)
{
    for (size_t i = 0; i < g->node.count; i++) {
        const struct node *const n = &g->node.item[i];
        const uint32_t *const a = n->argument;
        if (n->operation < OP_NEGATE)
            value[i] = complex_leaf(at, n);
        else if (n->operation == OP_SELECT)
            value[i] = creal(value[a[0]]) != 0 ? value[a[1]] : value[a[2]];
        else
            value[i] = complex_value(n->operation, value[a[0]], value[a[1]]);
    }
}
