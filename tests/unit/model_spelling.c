/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest word is the one that was meant, and far words are not offered. */
#include "model/spelling.h"
#include "test.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    "parameter",   "state",
    "output",      "k1",
    "k2",          "T",
    "Temp",        "temp",
    "température", "a_name_that_is_longer_than_forty_bytes_altogether"};
enum { NAMES = sizeof names / sizeof *names };

static void check(const char *word, const char *expected)
{
    size_t const near = spelling_nearest(word, names, NAMES);
    const char *const found = near < NAMES ? names[near] : "nothing";
    if (strcmp(found, expected) != 0) fprintf(stderr, "%s: %s, not %s\n", word, found, expected);
    CHECK(strcmp(found, expected) == 0);
    CHECK(near < NAMES || near == SIZE_MAX);
}

TEST(one_letter_more_less_other_or_swapped_is_near)
{
    check("paramter", "parameter");
    check("paraameter", "parameter");
    check("parameteR", "parameter");
    check("patameter", "parameter");
    check("praameter", "parameter");
    check("stat", "state");
    check("sttae", "state");
    check("outputs", "output");
    check("k3", "k1");
    check("1k", "k1");
}

TEST(case_alone_is_nearest)
{
    check("PARAMETER", "parameter");
    check("PARAMETRE", "nothing"); /* not case alone */
    check("Parameter", "parameter");
    check("State", "state");
    check("t", "T");
    check("TEmp", "Temp");
    check("temP", "temp");
    check("K2", "k2");
}

TEST(longer_words_may_have_more_slips)
{
    check("prametter", "parameter");
    check("paramemetre", "parameter");
    check("temperature", "température");
}

TEST(the_beginning_of_a_word_is_near_when_nothing_else_is)
{
    check("par", "parameter");
    check("param", "parameter");
    check("tempo", "temp");
    check("tempér", "température");
    check("out", "output");
    check("a_name", "a_name_that_is_longer_than_forty_bytes_altogether");
}

/* The nearest of three names. */
static void check_among(const char *word, const char *a, const char *b, const char *c,
                        const char *expected)
{
    const char *const some[] = {a, b, c};
    size_t const near = spelling_nearest(word, some, 3);
    const char *const found = near < 3 ? some[near] : "nothing";
    if (strcmp(found, expected) != 0) fprintf(stderr, "%s: %s, not %s\n", word, found, expected);
    CHECK(strcmp(found, expected) == 0);
}

TEST(short_names_are_near_with_care)
{
    check_among("kk", "x", "k", "y", "k");
    check_among("Kk", "x", "k", "y", "k");
    check_among("k", "x", "k1", "k2", "k1");
    check_among("k1", "x", "k", "y", "k");
    check_among("k", "x", "kk", "y", "kk");
    check_among("k", "K", "k1", "y", "K"); /* case is nearer */
    check_among("K1", "k2", "k1", "k", "k1");
    check_among("KK", "x", "kk", "y", "kk");
    check_among("ka", "kb", "x", "y", "kb");
    check_among("kx", "k", "x", "y", "nothing"); /* a product without its sign, perhaps */
    check_among("k", "x", "kx", "ki", "nothing");
    check_among("k", "x", "y", "z", "nothing");
    check_among("kk", "xx", "x", "yy", "nothing");
    check_among("k", "k12", "x", "y", "nothing");
}

TEST(far_words_are_not_offered)
{
    check("velocity", "nothing");
    check("x", "nothing");
    check("q9", "nothing");
    check("pa", "nothing");
    check("", "nothing");
    check("a_name_that_is_longer_than_forty_bytes_altogether", "nothing");
    CHECK(spelling_nearest("state", names, 0) == SIZE_MAX);
}
