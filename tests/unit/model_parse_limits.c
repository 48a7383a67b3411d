/* SPDX-License-Identifier: Apache-2.0 */
/* Deep, long and strange texts: each is read, or refused with a clear error, in a time that grows with its length. */
#include "base/heap.h"
#include "model_parse_show.h"

#include <stdlib.h>
#include <time.h>

/* A text that is built piece by piece. */
struct text {
    char *item;
    size_t length;
};

static struct text text_begin(size_t size)
{
    struct text const t = {heap_take(size), 0};
    CHECK(t.item != NULL);
    return t;
}

static void text_add(struct text *t, size_t times, const char *piece)
{
    size_t const length = strlen(piece);
    for (size_t i = 0; i < times; i++, t->length += length)
        memcpy(t->item + t->length, piece, length);
    t->item[t->length] = '\0';
}

static void check_good(struct text *t, size_t terms)
{
    struct syntax syntax = {0};
    CHECK_EQUAL(syntax_parse(&syntax, (struct source){"m", t->item, t->length}), TANSY_OK);
    CHECK_EQUAL(syntax.statement.item[0].value.count, terms);
    syntax_free(&syntax);
    heap_return(t->item);
}

static void check_bad(struct text *t, const char *says)
{
    struct syntax syntax = {0};
    CHECK_EQUAL(syntax_parse(&syntax, (struct source){"m", t->item, t->length}), TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(syntax.diagnosis.text, says);
    syntax_free(&syntax);
    heap_return(t->item);
}

TEST(brackets_nest_a_thousand_deep)
{
    struct text t = text_begin(5000);
    text_add(&t, 1, "x' = ");
    text_add(&t, MAX_DEPTH, "(");
    text_add(&t, 1, "a");
    text_add(&t, MAX_DEPTH, ")");
    check_good(&t, 1);
    t = text_begin(5000000);
    text_add(&t, 1, "x' = ");
    text_add(&t, 1000000, "(");
    check_bad(&t, "m:1:1006: more than 1000 brackets and ifs inside each other: name a part");
    t = text_begin(50000);
    text_add(&t, 1, "x' = ");
    text_add(&t, MAX_DEPTH + 1, "f(1, ");
    check_bad(&t, "more than 1000 brackets");
    t = text_begin(50000);
    text_add(&t, 1, "x' = ");
    text_add(&t, MAX_DEPTH + 2, "a[");
    check_bad(&t, "more than 1000 brackets");
}

TEST(conditions_nest_a_thousand_deep)
{
    struct text t = text_begin(50000);
    text_add(&t, 1, "x' = ");
    text_add(&t, MAX_DEPTH, "if a then b else ");
    text_add(&t, 1, "c");
    check_good(&t, 3 * MAX_DEPTH + 1);
    t = text_begin(50000);
    text_add(&t, 1, "x' = ");
    text_add(&t, MAX_DEPTH + 1, "if a then b else ");
    text_add(&t, 1, "c");
    check_bad(&t, "m:1:17006: more than 1000 brackets and ifs");
}

TEST(sums_nest_eight_deep)
{
    struct text t = text_begin(5000);
    text_add(&t, 1, "x' = ");
    text_add(&t, MAX_SUMS, "sum(i in 1..2: ");
    text_add(&t, 1, "i");
    text_add(&t, MAX_SUMS, ")");
    text_add(&t, 1, "+ sum(i in 1..2: i)");
    check_good(&t, 3);
    t = text_begin(5000);
    text_add(&t, 1, "x' = ");
    text_add(&t, MAX_SUMS + 1, "sum(i in 1..2: ");
    check_bad(&t, "m:1:126: more than 8 sums inside each other");
}

TEST(operators_have_no_limit)
{
    struct text t = text_begin(5000000);
    text_add(&t, 1, "x' = ");
    text_add(&t, 1000000, "-");
    text_add(&t, 1, "a");
    check_good(&t, 1000001);
    t = text_begin(5000000);
    text_add(&t, 1, "x' = ");
    text_add(&t, 1000000, "a^");
    text_add(&t, 1, "a");
    check_good(&t, 2000001);
}

/* Seconds to parse a line of so many terms. */
static double seconds_of(size_t terms)
{
    struct text t = text_begin(20 * terms + 100);
    text_add(&t, 1, "x' = 1");
    text_add(&t, terms, " + abc*2.5e-3");
    clock_t const begin = clock();
    check_good(&t, 4 * terms + 1);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

TEST(a_line_of_a_million_characters_takes_time_in_proportion)
{
    /* 13 characters a term.  Four times the terms: 4 times the time, 16 if it were quadratic; 10 is in between.
       The least of five runs, to be free of what else the machine does. */
    double small = 1e9, large = 1e9;
    for (int i = 0; i < 5; i++) {
        double const a = seconds_of(20000), b = seconds_of(80000);
        small = a < small ? a : small;
        large = b < large ? b : large;
    }
    CHECK_AT_MOST(large, 10 * small + 0.01);
}

TEST(a_message_on_a_long_line_is_short)
{
    struct text t = text_begin(2000000);
    text_add(&t, 1, "x' = 1");
    text_add(&t, 200000, " + a");
    text_add(&t, 1, " ? ");
    text_add(&t, 200000, " + a");
    check_bad(&t,
              "m:1:800008: `?` is not a sign of the language: write `if c then a else b`\n    ..."
              "+ a + a + a + a + a + a + a + a + a + a + a + a + a + a + a ?  + a + a + a + a + "
              "a + a + a + a + a +...\n"
              "                                                                   ^\n");
}

TEST(a_name_of_a_million_letters_is_a_name)
{
    struct text t = text_begin(5000000);
    text_add(&t, 1, "x' = ");
    text_add(&t, 1000000, "abc");
    text_add(&t, 1, " + abc");
    check_good(&t, 3);
    t = text_begin(5000000);
    text_add(&t, 1000000, "é");
    text_add(&t, 1, " x = 3");
    check_bad(&t, "neither an equation");
    t = text_begin(5000000);
    text_add(&t, 1, "state x = 1 ");
    text_add(&t, 1000000, "é");
    check_bad(&t, "an operator is missing before `éééééééééééééééééééé`;");
}

TEST(many_names_are_told_apart)
{
    enum { NAMES = 20000 };
    struct text t = text_begin(NAMES * 20);
    char piece[40];
    for (int i = 0; i < NAMES; i++) {
        (void)snprintf(piece, sizeof piece, "state a%d = 1\n", i);
        text_add(&t, 1, piece);
    }
    struct syntax syntax = {0};
    CHECK_EQUAL(syntax_parse(&syntax, (struct source){"m", t.item, t.length}), TANSY_OK);
    CHECK_EQUAL(syntax.name.count, NAMES);
    for (uint32_t i = 0; i < NAMES; i++) {
        CHECK_EQUAL(syntax.statement.item[i].name, i);
        CHECK_EQUAL(syntax_name(&syntax, syntax.name.item[i]), i);
    }
    syntax_free(&syntax);
    heap_return(t.item);
}

TEST(texts_with_nothing_in_them_are_empty_models)
{
    static const char *const texts[] = {"",      "\n",          "# comment", "  \r\n\r\n\t",
                                        ";;\n;", "\xef\xbb\xbf"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct syntax syntax;
        parse_good(&syntax, texts[i]);
        CHECK_EQUAL(syntax.statement.count, 0);
        CHECK_EQUAL(syntax_name(&syntax, "x"), NO_NAME);
        syntax_free(&syntax);
    }
}

TEST(what_is_not_text_is_refused)
{
    check_error(
        "x' = 1\0 + 2", 11,
        "m:1:7: a NUL byte: a model is text, this file is not\n    x' = 1? + 2\n          ^\n");
    check_error(
        "x' = \"\xc3\"", 8,
        "m:1:7: the byte 0xc3 is not UTF-8: save the file as UTF-8\n    x' = \"?\"\n          ^\n");
    check_error("# \xff", 3,
                "m:1:3: the byte 0xff is not UTF-8: save the file as UTF-8\n    # ?\n      ^\n");
}
