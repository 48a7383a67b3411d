/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a model: which are switches, which are break times, how they are numbered. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "support/bound_model.h"

static void accepts(struct bound_model *m, const char *text)
{
    bound_parse(m, text);
    if (m->status != TANSY_OK) fprintf(stderr, "%s\n", m->syntax.diagnosis.text);
    CHECK_EQUAL(m->status, TANSY_OK);
}

/* The text of condition k. */
static void is_written(const struct bound_model *m, size_t k, const char *text)
{
    struct place const place = m->system.condition.item[k].place;
    CHECK_EQUAL(place.length, strlen(text));
    CHECK(memcmp(m->syntax.source.text + place.offset, text, place.length) == 0);
}

/* g of condition k at y, p, t = 0. */
static double g_of(const struct bound_model *m, size_t k, const double *y, const double *p)
{
    double g;
    bound_values(m, 0, y, p, &m->system.condition.item[k].node, 1, &g);
    return g;
}

TEST(comparisons_of_states_are_switches)
{
    struct bound_model m;
    accepts(&m, "parameter p = 2\nstate x = 1, y = 1\nx' = if x >= p then 1 else 2\ny' = if (y + "
                "1) < 3 then 1 else 2");
    CHECK_EQUAL(m.system.condition.count, 2);
    CHECK_EQUAL(m.system.watched, 2);
    CHECK_EQUAL(m.system.break_time.count, 0);
    is_written(&m, 0, "x >= p");
    is_written(&m, 1, "(y + 1) < 3");
    CHECK_CLOSE(g_of(&m, 0, (double[]){5, 0}, (double[]){2}), 3, 0);
    CHECK_CLOSE(g_of(&m, 1, (double[]){5, 0}, (double[]){2}), -2, 0);
    bound_free(&m);
}

TEST(equal_comparisons_are_one_switch)
{
    struct bound_model m;
    accepts(&m, "state u[1..3] = 1, x = 1\nu[i]' = if x > 1 then i else 2*i for i in 1..3\nx' = "
                "max(x, 1) + min(1, x) + abs(x)");
    CHECK_EQUAL(m.system.condition.count,
                3); /* 1 - x >= 0 of x > 1 and of min; x - 1 >= 0; x >= 0 */
    bound_free(&m);
}

TEST(a_tie_is_decided_as_it_is_written)
{
    struct bound_model m;
    double f[4];
    accepts(&m, "state a = 1, b = 1, c = 1, d = 1\na' = if a > 1 then 5 else 6\nb' = if b >= 1 "
                "then 5 else 6\n"
                "c' = if c < 1 then 5 else 6\nd' = if d <= 1 then 5 else 6");
    bound_values(&m, 0, (double[]){1, 1, 1, 1}, NULL, m.system.rhs, 4, f);
    CHECK_CLOSE(f[0], 6, 0);
    CHECK_CLOSE(f[1], 5, 0);
    CHECK_CLOSE(f[2], 6, 0);
    CHECK_CLOSE(f[3], 5, 0);
    bound_free(&m);
}

TEST(comparisons_of_time_with_numbers_are_break_times)
{
    struct bound_model m;
    accepts(&m, "constant c = 2\nstate x = 1\nx' = (if time >= 4 then 1 else 2) + (if 2*t < c then "
                "10 else 20) + "
                "(if 3 > time then 100 else 200) + (if t > 0.1*30 then 1000 else 2000)");
    CHECK_EQUAL(m.system.condition.count, 0);
    CHECK_EQUAL(m.system.break_time.count,
                3); /* 0.1*30 differs from 3 by rounding at most: one break */
    CHECK_CLOSE(m.system.break_time.item[0], 1, 0);
    CHECK_CLOSE(m.system.break_time.item[1], 3, 1e-15);
    CHECK_CLOSE(m.system.break_time.item[2], 4, 0);
    static const double at[] = {0, 1, 2, 3.5, 4}, expected[] = {2112, 2122, 2122, 1222, 1221};
    for (size_t k = 0; k < 5; k++) {
        double f;
        bound_values(&m, at[k], (double[]){1}, NULL, m.system.rhs, 1, &f);
        CHECK_CLOSE(f, expected[k], 0);
    }
    bound_free(&m);
}

TEST(comparisons_of_time_with_parameters_are_switches)
{
    struct bound_model m;
    accepts(&m, "parameter p = 2\nstate x = 1\nx' = (if time > p then 1 else 2) + (if sin(t) > 0.5 "
                "then 1 else 2)");
    CHECK_EQUAL(m.system.condition.count, 2);
    CHECK_EQUAL(m.system.break_time.count, 0);
    bound_free(&m);
}

TEST(inner_conditions_come_before_the_outer)
{
    struct bound_model m;
    accepts(&m, "state x = 1\nlet inner = if x > 1 then x else 2*x\nlet outer = if inner > 3 then "
                "1 else 2\nx' = if outer*x > 2 then 5 else 6");
    CHECK_EQUAL(m.system.condition.count, 3);
    is_written(&m, 0, "x > 1");
    is_written(&m, 1, "inner > 3");
    is_written(&m, 2, "outer*x > 2");
    for (uint32_t k = 1; k < 3; k++)
        CHECK(graph_leaves(m.system.graph, m.system.condition.item[k].node) & 1u << OP_SWITCH);
    bound_free(&m);
}

TEST(conditions_of_outputs_come_last_and_are_not_watched)
{
    struct bound_model m;
    accepts(&m, "state x = 1\noutput o = if x > 5 then 1 else if x > 1 then 2 else 3\nx' = if x > "
                "1 then 1 else 2\n"
                "integral I = if x > 7 then 1 else 2\nlet unused = if x > 9 then 1 else 2");
    CHECK_EQUAL(m.system.condition.count, 3);
    CHECK_EQUAL(m.system.watched, 2);
    is_written(&m, 0, "x > 1");
    is_written(&m, 1, "x > 7");
    is_written(&m, 2, "x > 5");
    CHECK(m.system.condition.item[1].in_equations && !m.system.condition.item[2].in_equations);
    double o;
    bound_values(&m, 0, (double[]){6, 0}, NULL, &m.system.output.item[0].node, 1, &o);
    CHECK_CLOSE(o, 1, 0);
    bound_values(&m, 0, (double[]){3, 0}, NULL, &m.system.output.item[0].node, 1, &o);
    CHECK_CLOSE(o, 2, 0);
    bound_free(&m);
}

TEST(a_comparison_that_cancels_is_decided)
{
    struct bound_model m;
    accepts(&m, "state x = 1\nx' = if x - x >= 0 then 5 else 6");
    CHECK_EQUAL(m.system.condition.count, 0);
    CHECK(graph_is(m.system.graph, m.system.rhs[0], 5));
    bound_free(&m);
}

/* The right-hand sides at y, without any condition or break left. */
static void decides(const char *text, const double *y, size_t n, const double *expected)
{
    struct bound_model m;
    double f[4];
    accepts(&m, text);
    CHECK_EQUAL(m.system.condition.count, 0);
    CHECK_EQUAL(m.system.break_time.count, 0);
    bound_values(&m, 0, y, (double[]){3}, m.system.rhs, n, f);
    for (size_t i = 0; i < n; i++) CHECK_CLOSE(f[i], expected[i], 0);
    bound_free(&m);
}

TEST(all_comparisons_that_cancel_are_decided)
{
    double const y[] = {1, 1, 1, 1};
    decides("state a = 1, b = 1, c = 1, d = 1\na' = if a + 1 > a then 5 else 6\n"
            "b' = if b + 1 >= b then 5 else 6\nc' = if c + 1 < c then 5 else 6\n"
            "d' = if d + 1 <= d then 5 else 6",
            y, 4, (double[]){5, 5, 6, 6});
    decides("state a = 1, b = 1, c = 1, d = 1\na' = if a - 1 > a then 5 else 6\n"
            "b' = if b - 1 >= b then 5 else 6\nc' = if c - 1 < c then 5 else 6\n"
            "d' = if d - 1 <= d then 5 else 6",
            y, 4, (double[]){6, 6, 5, 5});
    decides("state a = 1, b = 1, c = 1, d = 1\na' = if a > a then 5 else 6\n"
            "b' = if b >= b then 5 else 6\nc' = if c < c then 5 else 6\n"
            "d' = if not (d <= d) then 5 else 6",
            y, 4, (double[]){6, 5, 6, 6});
    decides("state x = 1\nx' = if t + 1 > t and time <= t then 5 else 6", y, 1, (double[]){5});
}

TEST(functions_of_what_cancels_are_decided)
{
    double const y[] = {2, 2, 2, 2};
    decides("state a = 1, b = 1, c = 1, d = 1\na' = max(a, a + 1)\nb' = min(b, b + 1)\n"
            "c' = abs(c - (c + 3))\nd' = sign(d - (d + 3)) + max(d + 1, d)",
            y, 4, (double[]){3, 2, 3, 2});
}

TEST(conditions_that_cancel_in_one_entry_are_decided_there)
{
    struct bound_model m;
    double f[3];
    accepts(&m, "state x[1..3] = 1\nx[i]' = if x[i] + 1 > x[1] then 5 else 6 for i in 1..3");
    CHECK_EQUAL(m.system.condition.count, 2);
    CHECK_EQUAL(m.system.break_time.count, 0);
    CHECK(graph_is(m.system.graph, m.system.rhs[0], 5));
    bound_values(&m, 0, (double[]){3, 1, 4}, NULL, m.system.rhs, 3, f);
    CHECK_CLOSE(f[0], 5, 0);
    CHECK_CLOSE(f[1], 6, 0);
    CHECK_CLOSE(f[2], 5, 0);
    bound_free(&m);
}

TEST(conditions_of_initial_values_that_cancel_are_decided)
{
    struct bound_model m;
    double x[2];
    accepts(&m, "parameter p = 3\nstate x = if p + 1 >= p then 5*p else 6\nx' = -x\n"
                "state y = if p + 1 < p then 5 else 6*p\ny' = -y");
    CHECK_EQUAL(m.system.condition.count, 0);
    CHECK_EQUAL(m.system.break_time.count, 0);
    uint32_t const initial[] = {m.system.state.item[0].initial, m.system.state.item[1].initial};
    bound_values(&m, 0, (double[]){0, 0}, (double[]){3}, initial, 2, x);
    CHECK_CLOSE(x[0], 15, 0);
    CHECK_CLOSE(x[1], 18, 0);
    bound_free(&m);
}

/* By the indices that the comparison sees: those of a let are its own, not those of who uses it. */
TEST(conditions_on_vectors_have_their_indices)
{
    struct bound_model m;
    accepts(&m,
            "parameter p = 2\nstate x = 1, u[1..2,1..2] = 1, w[1..2] = 1\n"
            "let v[k in 1..2] = if w[k] > p then 1 else 2\n"
            "x' = if x > p then 1 else 2\n"
            "u[i,j]' = if u[i,j] > p then v[j] else 2 for i in 1..2, j in 1..2\n"
            "w[an_index_with_a_name_that_is_very_long_indeed]' = "
            "if sum(i in 1..2: max(u[1,i],p)*w[an_index_with_a_name_that_is_very_long_indeed]) > 3 "
            "then 1 else 2 for an_index_with_a_name_that_is_very_long_indeed in 1..2");
    static const char *const entries[] = {"",      "i = 1, j = 1", "k = 1",       "i = 1, j = 2",
                                          "k = 2", "i = 2, j = 1", "i = 2, j = 2"};
    CHECK_AT_MOST(7, (double)m.system.condition.count);
    for (size_t a = 0; a < sizeof entries / sizeof *entries; a++) {
        bool found = false;
        for (size_t k = 0; k < m.system.condition.count; k++)
            found = found || strcmp(m.system.condition.item[k].entry.text, entries[a]) == 0;
        CHECK(found);
    }
    bound_free(&m);
}

/* A vector that is declared by a range alone has no name for its index. */
TEST(conditions_on_vectors_without_an_index_are_taken)
{
    struct bound_model m;
    accepts(&m,
            "parameter p = 2\nstate x[1..3] = max(p, 1)\nlet a[1..2] = if x[1] > p then 1 else 2\n"
            "x[i]' = -a[1]*x[i] for i in 1..3\n");
    CHECK_EQUAL(m.system.condition.count, 1);
    CHECK_EQUAL(strcmp(m.system.condition.item[0].entry.text, ""), 0);
    bound_free(&m);
}
