/* SPDX-License-Identifier: Apache-2.0 */
/* Random expressions: an operation is taken only where its arguments lie well inside its domain and its value is moderate. */
#include "support/random_expression.h"

#include <math.h>

/* A ramp from 1 to 2 over [0, 1] and steps; the break times are the rows. */
static const double row_time[] = {0, 1, 2}, ramp[] = {1, 2, 1.5}, steps[] = {0.7, 1.2, 0.9};
static const struct table tables[] = {
    {row_time, ramp, 3, true, row_time, 3},
    {row_time, steps, 3, false, row_time, 3},
};

double complex *tape_leaf(struct tape_point *at, enum operation kind, size_t index)
{
    switch (kind) {
    case OP_TIME:
        return &at->t;
    case OP_STATE:
        return &at->y[index];
    case OP_RATE:
        return &at->rate[index];
    case OP_VECTOR:
        return &at->vector[index];
    case OP_PARAMETER:
        return &at->p[index];
    case OP_SWITCH:
        return &at->p[TAPE_LEAVES + index];
    case OP_PIECE:
        return &at->p[TAPE_LEAVES + TAPE_SWITCHES];
    default:
        return NULL;
    }
}

static void make_point(struct tape_point *at, struct random_source *random)
{
    for (size_t i = 0; i < TAPE_LEAVES; i++) {
        at->y[i] = 1.2 + random_next(random);
        at->rate[i] = random_next(random);
        at->vector[i] = random_next(random);
        at->p[i] = 1.1 + random_next(random);
    }
    at->t = 1.5;
    at->p[TAPE_LEAVES] = 1;
    at->p[TAPE_LEAVES + 1] = 0;
    at->p[TAPE_LEAVES + TAPE_SWITCHES] = TAPE_PIECE;
    at->table = tables;
}

/* The values of one step, through a graph of its own that nothing simplifies but constants. */
static double complex step_value(const struct tape_step *s, const struct tape_point *at,
                                 const double complex *value)
{
    double complex const a = value[s->argument[0]], b = value[s->argument[1]];
    switch (s->operation) {
    case OP_CONSTANT:
        return s->value;
    case OP_INPUT:
        return s->argument[0] == 0 ? 2 - 0.5 * (at->t - 1) : 1.2;
    case OP_INPUT_SLOPE:
        return s->argument[0] == 0 ? -0.5 : 0;
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
        return csin(a) / ccos(a);
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
        return csinh(a) / ccosh(a);
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return a / b;
    case OP_POWER:
        return cexp(b * clog(a));
    case OP_AT_LEAST:
        return creal(a) >= creal(b) ? 1 : 0;
    case OP_SELECT:
        return creal(a) != 0 ? b : value[s->argument[2]];
    default:
        return *tape_leaf((struct tape_point *)at, s->operation, s->argument[0]);
    }
}

void tape_run(const struct tape *tape, const struct tape_point *at, double complex *value)
{
    for (size_t i = 0; i < tape->count; i++) value[i] = step_value(&tape->step[i], at, value);
}

void tape_run_graph(const struct graph *g, const struct tape_point *at, double complex *value)
{
    struct complex_leaves const leaves = {.t = at->t,
                                          .y = at->y,
                                          .rate = at->rate,
                                          .vector = at->vector,
                                          .p = at->p,
                                          .table = at->table,
                                          .np = TAPE_LEAVES,
                                          .switches = TAPE_SWITCHES};
    oracle_run_complex(g, &leaves, value);
}

/* May the operation be used with these values? */
static int is_allowed(enum operation operation, double a, double b, double result)
{
    if (!(fabs(result) < 20) || (operation != OP_SELECT && fabs(result) < 0.02)) return 0;
    switch (operation) {
    case OP_LOG:
    case OP_SQRT:
        return a > 0.2;
    case OP_ASIN:
    case OP_ACOS:
        return fabs(a) < 0.9;
    case OP_TAN:
        return fabs(a) < 1.2;
    case OP_DIVIDE:
        return fabs(b) > 0.2;
    case OP_POWER:
        return a > 0.2 && fabs(b) <= 4;
    default:
        return 1;
    }
}

static size_t pick(struct random_source *random, size_t count)
{
    return (size_t)((random_next(random) + 1) / 2 * (double)count);
}

static uint32_t node_of(struct graph *g, const struct tape *tape, const struct tape_step *s)
{
    uint32_t a[3] = {0};
    if (s->operation == OP_CONSTANT) return graph_constant(g, s->value);
    if (s->operation < OP_NEGATE) return graph_leaf(g, s->operation, (uint32_t)s->argument[0]);
    for (size_t k = 0; k < 3; k++) a[k] = tape->step[s->argument[k]].node;
    if (s->operation == OP_SELECT) return graph_select(g, a[0], a[1], a[2]);
    if (s->operation < OP_ADD) return graph_unary(g, s->operation, a[0]);
    return graph_binary(g, s->operation, a[0], a[1]);
}

static void add_step(struct tape *tape, struct graph *g, struct tape_step s)
{
    s.node = node_of(g, tape, &s);
    tape->step[tape->count++] = s;
}

static void add_leaves(struct tape *tape, struct graph *g)
{
    static const double constant[] = {1, 2, -1, 0.5, 3, -2, 1.5, 2.3, 0.25};
    for (size_t k = 0; k < sizeof constant / sizeof *constant; k++)
        add_step(tape, g, (struct tape_step){.operation = OP_CONSTANT, .value = constant[k]});
    add_step(tape, g, (struct tape_step){.operation = OP_TIME});
    for (size_t i = 0; i < TAPE_LEAVES; i++) {
        add_step(tape, g, (struct tape_step){.operation = OP_STATE, .argument = {i}});
        add_step(tape, g, (struct tape_step){.operation = OP_PARAMETER, .argument = {i}});
    }
    for (size_t i = 0; i < 2; i++) {
        add_step(tape, g, (struct tape_step){.operation = OP_RATE, .argument = {i}});
        add_step(tape, g, (struct tape_step){.operation = OP_SWITCH, .argument = {i}});
        add_step(tape, g, (struct tape_step){.operation = OP_INPUT, .argument = {i}});
    }
    add_step(tape, g, (struct tape_step){.operation = OP_INPUT_SLOPE, .argument = {0}});
    add_step(tape, g, (struct tape_step){.operation = OP_PIECE});
}

void tape_make(struct tape *tape, struct graph *g, struct random_source *random)
{
    double complex value[TAPE_LENGTH];
    tape->count = 0;
    make_point(&tape->at, random);
    add_leaves(tape, g);
    tape_run(tape, &tape->at, value);
    size_t const fixed[] = {pick(random, 9), tape->count - 1}; /* for OP_AT_LEAST */
    while (tape->count < TAPE_LENGTH) {
        size_t const first = OP_NEGATE, kinds = OPERATIONS - OP_NEGATE;
        enum operation operation = (enum operation)(first + pick(random, kinds));
        if (pick(random, 2)) operation = (enum operation)(OP_ADD + pick(random, 5));
        struct tape_step s = {.operation = operation};
        for (size_t k = 0; k < 3; k++) s.argument[k] = pick(random, tape->count);
        if (operation == OP_AT_LEAST) s.argument[0] = fixed[1], s.argument[1] = fixed[0];
        if (operation == OP_SELECT) {
            s.argument[0] = 9;
            while (tape->step[s.argument[0]].operation != OP_SWITCH) s.argument[0]++;
            s.argument[0] += 3 * pick(random, 2);
        }
        double complex const result = step_value(&s, &tape->at, value);
        if (!is_allowed(operation, creal(value[s.argument[0]]), creal(value[s.argument[1]]),
                        creal(result)))
            continue;
        value[tape->count] = result;
        add_step(tape, g, s);
    }
}
