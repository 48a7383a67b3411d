/* SPDX-License-Identifier: Apache-2.0 */
#include "support/engine_cases.h"

#include <float.h>
#include <math.h>

#include "base/heap.h"
#include "model/simplify.h"

static const double table_time[] = {0, 1, 2, 4}, table_value[] = {1, 3, -2, 0.5};
static const double break_time[] = {0, 1, 2, 4};

void engine_leaves_fill(struct engine_leaves *leaves, struct random_source *source)
{
    for (int i = 0; i < CASE_STATES; i++) {
        leaves->y[i] = 1.5 + random_next(source);
        leaves->rate[i] = random_next(source);
        leaves->vector[i] = 2 * random_next(source);
    }
    for (int k = 0; k < CASE_PARAMETERS; k++) leaves->p[k] = 1.2 + random_next(source);
    leaves->p[CASE_PARAMETERS] = 1;
    leaves->p[CASE_PARAMETERS + 1] = 0;
    double const t = 2.5 * (1 + random_next(source));
    double passed = 0;
    while (passed < 4 && break_time[(int)passed] <= t) passed++;
    leaves->p[CASE_PARAMETERS + CASE_SWITCHES] = passed;
    for (int j = 0; j < CASE_TABLES; j++)
        leaves->table[j] = (struct table){.t = table_time,
                                          .value = table_value,
                                          .count = 4,
                                          .is_linear = j,
                                          .break_time = break_time,
                                          .breaks = random_next(source) > 0 ? 4 : 0};
    leaves->at = (struct leaves){.t = t,
                                 .y = leaves->y,
                                 .rate = leaves->rate,
                                 .vector = leaves->vector,
                                 .p = leaves->p,
                                 .table = leaves->table,
                                 .np = CASE_PARAMETERS,
                                 .switches = CASE_SWITCHES};
}

uint32_t random_below(struct random_source *source, uint32_t below)
{
    return (uint32_t)((random_next(source) + 1) / 2 * below);
}

static uint32_t random_leaf(struct graph *g, struct random_source *source)
{
    switch (random_below(source, 12)) {
    case 0:
        return graph_leaf(g, OP_TIME, 0);
    case 1:
        return graph_leaf(g, OP_RATE, random_below(source, CASE_STATES));
    case 2:
        return graph_leaf(g, OP_VECTOR, random_below(source, CASE_STATES));
    case 3:
        return graph_leaf(g, OP_SWITCH, random_below(source, CASE_SWITCHES));
    case 4:
        return graph_leaf(g, OP_INPUT, random_below(source, CASE_TABLES));
    case 5:
        return graph_leaf(g, OP_INPUT_SLOPE, random_below(source, CASE_TABLES));
    case 6:
        return graph_constant(g, (double)random_below(source, 9) / 2 - 2);
    case 7:
    case 8:
        return graph_leaf(g, OP_PARAMETER, random_below(source, CASE_PARAMETERS));
    default:
        return graph_leaf(g, OP_STATE, random_below(source, CASE_STATES));
    }
}

static uint32_t operand(struct graph *g, struct random_source *source, const uint32_t *node,
                        uint32_t count)
{
    if (count == 0 || random_below(source, 3) == 0) return random_leaf(g, source);
    uint32_t const back = random_below(source, count < 30 ? count : 30);
    return node[count - 1 - back];
}

uint32_t engine_random_node(struct graph *g, struct random_source *source, const uint32_t *node,
                            uint32_t count)
{
    uint32_t const a = operand(g, source, node, count), b = operand(g, source, node, count);
    uint32_t const kind = random_below(source, 20);
    if (kind < 4) return graph_binary(g, OP_ADD, a, b);
    if (kind < 7) return graph_binary(g, OP_SUBTRACT, a, b);
    if (kind < 11) return graph_binary(g, OP_MULTIPLY, a, b);
    if (kind == 11) return graph_binary(g, OP_DIVIDE, a, b);
    if (kind == 12) return graph_unary(g, OP_NEGATE, a);
    if (kind == 13) {
        double const power = (double)random_below(source, 25) / 2 - 6;
        return graph_binary(g, OP_POWER, a, graph_constant(g, power));
    }
    if (kind == 14)
        return graph_binary(g, OP_POWER, a, random_below(source, 2) ? b : graph_constant(g, 1.3));
    if (kind == 15) {
        uint32_t const piece = graph_leaf(g, OP_PIECE, 0);
        uint32_t const passed = graph_binary(g, OP_AT_LEAST, piece, graph_constant(g, 2));
        uint32_t const condition =
            random_below(source, 2) ? passed : graph_leaf(g, OP_SWITCH, random_below(source, 2));
        return graph_select(g, condition, a, b);
    }
    if (kind == 16) return graph_binary(g, OP_MULTIPLY, a, graph_constant(g, -2.5));
    return graph_unary(g, OP_EXP + random_below(source, OP_ADD - OP_EXP), a);
}

/* The largest change of the operation when its operands move by da and db. */
static double corners(enum operation operation, double a, double da, double b, double db)
{
    double const v = operation_value(operation, a, b);
    double top = 0;
    for (int k = 0; k < 4; k++) {
        double const moved =
            operation_value(operation, k & 1 ? a + da : a - da, k & 2 ? b + db : b - db);
        double const by = fabs(moved - v);
        if (!(by <= top)) top = by;
    }
    return isnan(top) ? (double)INFINITY : top;
}

/* A sum of n terms errs by n eps sum |terms| at most, in any order; others by the change of their operands and by 8 units,
   what x^8 by multiplication may cost. */
void engine_bounds(const struct graph *g, const double *value, double *bound)
{
    size_t const count = graph_count(g);
    double *const size = heap_take(count * sizeof *size); /* sum of |terms| */
    const struct node *const node = graph_nodes(g);
    for (size_t v = 0; v < count; v++) {
        enum operation const operation = node[v].operation;
        size[v] = fabs(value[v]);
        bound[v] = 0;
        if (operation < OP_NEGATE) continue;
        uint32_t const a = node[v].argument[0], b = operation < OP_ADD ? a : node[v].argument[1];
        double const unit = 8 * DBL_EPSILON;
        if (operation == OP_ADD || operation == OP_SUBTRACT) {
            size[v] = size[a] + size[b];
            bound[v] = bound[a] + bound[b] + unit * size[v];
        } else if (operation == OP_SELECT) {
            bound[v] = bound[value[a] != 0 ? b : node[v].argument[2]];
        } else if (operation == OP_NEGATE) {
            size[v] = size[a];
            bound[v] = bound[a];
        } else {
            if (operation == OP_MULTIPLY && node[b].operation == OP_CONSTANT)
                size[v] = size[a] * fabs(value[b]);
            double const by = corners(operation, value[a], bound[a], value[b], bound[b]);
            bound[v] = 2 * by + unit * size[v];
            if (operation == OP_SIN || operation == OP_COS) bound[v] += bound[a];
        }
    }
    heap_return(size);
}

bool engine_agrees(double found, double expected, double bound)
{
    if (isnan(expected)) return isnan(found) || !isfinite(bound);
    if (isinf(expected)) return found == expected || !isfinite(bound);
    return !(fabs(found - expected) > bound) && !isnan(found);
}
