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
    check("PARAMETER", "nothing");
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
