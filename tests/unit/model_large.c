/* SPDX-License-Identifier: Apache-2.0 */
/* Large models: what is made of them, and the time that takes, grow in proportion to their length, in whatever order the
   equations stand. */
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/heap.h"
#include "model/source.h"
#include "support/bound_model.h"
#include "tansy/model.h"

/* A text that is built piece by piece. */
struct text {
    char *item;
    size_t length, room;
};

static struct text begin(size_t room)
{
    struct text const t = {heap_take(room), 0, room};
    CHECK(t.item != NULL);
    return t;
}

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->length += (size_t)vsnprintf(t->item + t->length, t->room - t->length, format, arguments);
    va_end(arguments);
    CHECK(t->length < t->room);
}

/* A number from 1 to n - 1 for each k in 1 .. n - 1, none twice, n being a power of two: k -> 5 k mod n. */
static size_t shuffled(size_t k, size_t n)
{
    return 5 * k % n;
}

/* Rates in a chain, a_i' = 0.5 a_(i+1)' + x, as nodes of the graph. */
static size_t nodes_of_chain(size_t n)
{
    struct bound_model m;
    struct text t = begin(100 * n + 100);
    add(&t, "state x = 1\nx' = -x\n");
    for (size_t i = 1; i <= n; i++) add(&t, "state a%zu = 0\n", i);
    add(&t, "a%zu' = x\n", n);
    for (size_t k = 1; k < n; k++) {
        size_t const i = shuffled(k, n);
        add(&t, "a%zu' = 0.5*a%zu' + x\n", i, i + 1);
    }
    bound_parse(&m, t.item);
    CHECK_EQUAL(m.status, TANSY_OK);
    CHECK_EQUAL(m.system.form, FORM_EXPLICIT);
    double a = 0;
    static const double y[4000] = {3};
    bound_values(&m, 0, y, NULL, &m.system.rhs[1], 1, &a);
    CHECK_CLOSE(a, 6, 1e-15); /* x (1 + 1/2 + ..): 2 x */
    size_t const count = graph_count(m.system.graph);
    bound_free(&m);
    heap_return(t.item);
    return count;
}

TEST(a_chain_of_rates_is_resolved_node_by_node)
{
    /* at most 4 nodes a link: rate, product, sum, and what stands in their place */
    CHECK_AT_MOST((double)nodes_of_chain(256), 6 * 256);
    CHECK_AT_MOST((double)nodes_of_chain(2048), 6 * 2048);
}

TEST(rates_in_a_circle_are_not_resolved)
{
    struct bound_model m;
    bound_parse(&m, "state x = 1, y = 1, z = 1, w = 1\nw' = x' + 1\nx' = y' + x\ny' = z'*x\n"
                    "z' = 2 - x'/3");
    CHECK_EQUAL(m.status, TANSY_OK);
    CHECK_EQUAL(m.system.form, FORM_LINEARLY_IMPLICIT);
    bound_free(&m);
}

TEST(a_cursor_reads_the_text_once)
{
    static const char text[] = "\xef\xbb\xbf"
                               "a\n\nbc\u00e9d; e\n\nf";
    struct source const source = {"m", text, sizeof text - 1};
    struct cursor at = {0};
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 3; i <= source.length; i++) {
            size_t line, column;
            source_locate(&source, i, &line, &column);
            source_go_to(&source, &at, i);
            CHECK_EQUAL(at.line, line);
            if (((unsigned char)text[i] & 0xc0) != 0x80) CHECK_EQUAL(at.column, column);
        }
    CHECK_AT_MOST((double)at.read, 2 * (double)source.length);
}

/* The least of three runs, to be free of what else the machine does. */
static double seconds_of(const struct text *t, size_t states)
{
    double least = 1e9;
    for (int i = 0; i < 3; i++) {
        clock_t const start = clock();
        tansy_model *const m = tansy_model_parse(t->item, t->length, "m");
        double const seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        least = seconds < least ? seconds : least;
        CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
        CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_STATES), states);
        tansy_model_free(m);
    }
    return least;
}

/* Algebraic equations in any order, with a long remark at each. */
static double seconds_of_equations(size_t n)
{
    struct text t = begin(11000 * n + 100);
    char remark[10000];
    memset(remark, '-', sizeof remark - 1);
    remark[sizeof remark - 1] = '\0';
    add(&t, "state x = 1\nalgebraic a[1..%zu] = 0\nx' = -x\na[%zu] = x\n", n, n);
    for (size_t k = 1; k < n; k++) {
        size_t const i = shuffled(k, n);
        add(&t, "# %s\na[%zu] = 0.5*a[%zu] + x\n", remark, i, i + 1);
    }
    double const seconds = seconds_of(&t, n + 1);
    heap_return(t.item);
    return seconds;
}

static double seconds_of_product(size_t n)
{
    struct text t = begin(40 * n + 100);
    add(&t, "state x = 1\nx' = -x");
    for (size_t i = 1; i <= n; i++) add(&t, "*(1 + %zue-9*x)", i);
    double const seconds = seconds_of(&t, 1);
    heap_return(t.item);
    return seconds;
}

/* Eight times the size: 8 times the time, 64 if it were quadratic; 24 is in between. */
TEST(equations_in_any_order_take_time_in_proportion)
{
    CHECK_AT_MOST(seconds_of_equations(2048), 24 * seconds_of_equations(256) + 0.01);
}

TEST(a_long_product_takes_time_in_proportion)
{
    CHECK_AT_MOST(seconds_of_product(8000), 24 * seconds_of_product(1000) + 0.01);
}

TEST(the_names_of_conditions_are_cut)
{
    enum { ARGUMENTS = 500 };
    struct text t = begin(100 * ARGUMENTS);
    add(&t, "state x = 1\nx' = -max(x");
    for (int i = 1; i < ARGUMENTS; i++) add(&t, ", %d*x - %d", i, i);
    add(&t, ")");
    tansy_model *const m = tansy_model_parse(t.item, t.length, "m");
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    size_t const count = tansy_model_count(m, TANSY_MODEL_CONDITIONS);
    CHECK(count >= ARGUMENTS - 2); /* the first two differ by a number */
    for (size_t j = 0; j < count; j++) {
        const char *const name = tansy_model_name(m, TANSY_MODEL_CONDITIONS, j);
        CHECK_AT_MOST((double)strlen(name), 400);
        CHECK(strncmp(name, "max(x, 1*x - 1", 14) == 0);
        CHECK(strcmp(name + strlen(name) - 4, " ...") == 0);
    }
    tansy_model_free(m);
    heap_return(t.item);
}
