/* SPDX-License-Identifier: Apache-2.0 */
/* A message that does not fit ends behind a word, and says that more was to come; so does the name of a long condition. */
#include "base/message.h"

#include <stdio.h>
#include <string.h>

#include "derive/names.h"
#include "test.h"

TEST(a_message_that_fits_is_left_as_it_is)
{
    struct message m;
    char text[MESSAGE_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    CHECK_EQUAL(message_set(&m, TANSY_GRAZING, "%s", text), TANSY_GRAZING);
    CHECK(strcmp(m.text, text) == 0);
}

TEST(a_message_is_cut_behind_a_word)
{
    struct message m;
    char text[2 * MESSAGE_SIZE] = "";
    for (int word = 1; word <= 40; word++) { /* words of so many characters */
        size_t at = 0;
        while (at + (size_t)word + 2 < sizeof text) {
            memset(text + at, 'w', (size_t)word);
            text[at + (size_t)word] = ' ';
            at += (size_t)word + 1;
        }
        text[at] = '\0';
        (void)message_set(&m, TANSY_SLIDING, "%s", text);
        size_t const length = strlen(m.text);
        CHECK(length < MESSAGE_SIZE && length > MESSAGE_SIZE - 50);
        CHECK(strcmp(m.text + length - 4, " ...") == 0);
        CHECK_EQUAL((length - 4 + 1) % ((size_t)word + 1), 0);
    }
}

TEST(a_word_without_end_is_cut_between_characters)
{
    struct message m;
    char text[2 * MESSAGE_SIZE];
    for (size_t i = 0; i + 1 < sizeof text; i++) text[i] = i % 2 ? '\xa9' : '\xc3'; /* e acute */
    text[sizeof text - 1] = '\0';
    (void)message_set(&m, TANSY_SLIDING, "%s%s", "x", text);
    size_t const length = strlen(m.text);
    CHECK(length > MESSAGE_SIZE - 10);
    CHECK(strcmp(m.text + length - 6, "\xc3\xa9 ...") == 0);
}

TEST(a_long_condition_is_cut_behind_a_word)
{
    static const char *const names[] = {
        "x > 1", "first_level + second_level*third_level - fourth_level/fifth_level > "
                 "threshold_of_the_first + threshold_of_the_second + threshold_of_the_third"};
    tansy_problem const problem = {.switches = 2, .switch_names = names};
    struct name name;
    CHECK(strcmp(name_switch(&problem, 0, &name), "the condition x > 1") == 0);
    CHECK_TEXT_CONTAINS(name_switch(&problem, 1, &name), "> threshold_of_the_first + ...");
}
