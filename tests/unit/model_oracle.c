/* SPDX-License-Identifier: Apache-2.0 */
/* The plain evaluator: every operation against libm, tables on their pieces, complex numbers on the real line. */
#include "model/oracle.h"

#include <float.h>
#include <math.h>

#include "support/random_expression.h"
#include "test.h"

static const double row_time[] = {1, 2, 4}, row_value[] = {10, 20, 0};

static struct table make_table(int is_linear, size_t breaks)
{
    return (struct table){row_time, row_value, 3, is_linear, row_time, breaks};
}

/* The table (operation OP_INPUT) or its slope at t on a piece. */
static double look_up(struct table table, enum operation operation, double t, double piece)
{
    struct graph *const g = graph_create();
    uint32_t const node = graph_leaf(g, operation, 0);
    double const p[] = {piece};
    double complex const pc[] = {piece};
    double value[3];
    double complex complex_value[3];
    oracle_run(g, &(struct leaves){.t = t, .p = p, .table = &table}, value);
    oracle_run_complex(g, &(struct complex_leaves){.t = t, .p = pc, .table = &table},
                       complex_value);
    CHECK_CLOSE(creal(complex_value[node]), value[node], 0);
    graph_free(g);
    return value[node];
}

TEST(tables_hold_their_ends_and_follow_the_piece)
{
    struct table const steps = make_table(0, 3), lines = make_table(1, 3);
    CHECK_CLOSE(look_up(steps, OP_INPUT, 0, 0), 10, 0);
    CHECK_CLOSE(look_up(steps, OP_INPUT, 1.5, 1), 10, 0);
    CHECK_CLOSE(look_up(steps, OP_INPUT, 3, 2), 20, 0);
    CHECK_CLOSE(look_up(steps, OP_INPUT, 9, 3), 0, 0);
    CHECK_CLOSE(look_up(lines, OP_INPUT, 0, 0), 10, 0);
    CHECK_CLOSE(look_up(lines, OP_INPUT, 1.5, 1), 15, 0);
    CHECK_CLOSE(look_up(lines, OP_INPUT, 3, 2), 10, 0);
    CHECK_CLOSE(look_up(lines, OP_INPUT, 9, 3), 0, 0);
    CHECK_CLOSE(look_up(lines, OP_INPUT, 2.5, 1), 25, 0); /* a step that looks beyond its piece */
    CHECK_CLOSE(look_up(lines, OP_INPUT_SLOPE, 0, 0), 0, 0);
    CHECK_CLOSE(look_up(lines, OP_INPUT_SLOPE, 1.5, 1), 10, 0);
    CHECK_CLOSE(look_up(lines, OP_INPUT_SLOPE, 3, 2), -10, 0);
    CHECK_CLOSE(look_up(lines, OP_INPUT_SLOPE, 9, 3), 0, 0);
    CHECK_CLOSE(look_up(steps, OP_INPUT_SLOPE, 1.5, 1), 0, 0);
    CHECK_CLOSE(look_up(make_table(1, 0), OP_INPUT, 1.5, 0), 15, 0); /* without break times */
}

/* The real evaluator and the real part of the complex one; 60 operations. */
TEST(real_and_complex_values_agree)
{
    struct random_source random = {7};
    for (int k = 0; k < 300; k++) {
        struct graph *const g = graph_create();
        struct tape tape;
        tape_make(&tape, g, &random);
        double y[TAPE_LEAVES], rate[TAPE_LEAVES], vector[TAPE_LEAVES],
            p[TAPE_LEAVES + TAPE_SWITCHES + 1];
        for (size_t i = 0; i < TAPE_LEAVES; i++) {
            y[i] = creal(tape.at.y[i]);
            rate[i] = creal(tape.at.rate[i]);
            vector[i] = creal(tape.at.vector[i]);
        }
        for (size_t i = 0; i < sizeof p / sizeof *p; i++) p[i] = creal(tape.at.p[i]);
        (void)graph_leaf(g, OP_VECTOR, 1);
        double value[4 * TAPE_LENGTH];
        double complex complex_value[4 * TAPE_LENGTH], plain[TAPE_LENGTH];
        CHECK(graph_count(g) <= 4 * TAPE_LENGTH);
        oracle_run(g,
                   &(struct leaves){creal(tape.at.t), y, rate, vector, p, NULL, tape.at.table,
                                    TAPE_LEAVES, TAPE_SWITCHES},
                   value);
        tape_run_graph(g, &tape.at, complex_value);
        tape_run(&tape, &tape.at, plain);
        for (size_t i = 0; i < tape.count; i++) {
            uint32_t const node = tape.step[i].node;
            CHECK_CLOSE(value[node], creal(plain[i]), 1e-12 * 20);
            CHECK_CLOSE(creal(complex_value[node]), value[node], 1e-12 * 20);
        }
        graph_free(g);
    }
}

TEST(complex_powers_of_zero_are_those_of_the_real_line)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), b = graph_leaf(g, OP_PARAMETER, 0);
    uint32_t const power = graph_binary(g, OP_POWER, x, b);
    double complex const y[] = {0}, up[] = {1.5, 0}, none[] = {0, 0};
    double complex value[8];
    oracle_run_complex(g, &(struct complex_leaves){.y = y, .p = up, .np = 1}, value);
    CHECK_CLOSE(creal(value[power]), 0, 0);
    oracle_run_complex(g, &(struct complex_leaves){.y = y, .p = none, .np = 1}, value);
    CHECK_CLOSE(creal(value[power]), 1, 0);
    graph_free(g);
}
