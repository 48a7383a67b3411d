/* SPDX-License-Identifier: Apache-2.0 */
/* Errors point at the character, whatever stands in the line. */
#include "model/source.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static struct source source_of(const char *text)
{
    return (struct source){"dir/m.tansy", text, strlen(text)};
}

/* The error at a place of the text reads so. */
static void check(const char *text, struct place at, const char *expected)
{
    struct source const source = source_of(text);
    struct diagnosis d = {0};
    CHECK_EQUAL(source_error(&source, &d, at, "what %d", 3), TANSY_BAD_MODEL);
    CHECK_EQUAL(d.status, TANSY_BAD_MODEL);
    if (strcmp(d.text, expected) != 0) fprintf(stderr, "%s%s", d.text, expected);
    CHECK(strcmp(d.text, expected) == 0);
}

TEST(the_caret_is_under_the_text)
{
    check("abc\ndef ghi\njkl", (struct place){8, 3},
          "dir/m.tansy:2:5: what 3\n    def ghi\n        ^~~\n");
    check("abc", (struct place){0, 1}, "dir/m.tansy:1:1: what 3\n    abc\n    ^\n");
    check("abc", (struct place){0, 0}, "dir/m.tansy:1:1: what 3\n    abc\n    ^\n");
    check("abc", (struct place){3, 0}, "dir/m.tansy:1:4: what 3\n    abc\n       ^\n");
    check("abc\n", (struct place){4, 0}, "dir/m.tansy:2:1: what 3\n    \n    ^\n");
    check("", (struct place){0, 0}, "dir/m.tansy:1:1: what 3\n    \n    ^\n");
    check("abc", (struct place){900, 9}, "dir/m.tansy:1:4: what 3\n    abc\n       ^\n");
}

TEST(a_place_of_several_lines_is_marked_to_the_end_of_the_first)
{
    check("ab cd\nef", (struct place){3, 5}, "dir/m.tansy:1:4: what 3\n    ab cd\n       ^~\n");
}

TEST(tabs_stay_and_windows_line_ends_go)
{
    check("\ta\tbc\r\nd", (struct place){3, 2},
          "dir/m.tansy:1:4: what 3\n    \ta\tbc\n    \t \t^~\n");
}

TEST(columns_count_characters)
{
    check("äöü€𝛼 x", (struct place){14, 1}, "dir/m.tansy:1:7: what 3\n    äöü€𝛼 x\n          ^\n");
    check("ä öü", (struct place){3, 4}, "dir/m.tansy:1:3: what 3\n    ä öü\n      ^~\n");
    check("\xef\xbb\xbf"
          "abc",
          (struct place){4, 1}, "dir/m.tansy:1:2: what 3\n    abc\n     ^\n");
}

TEST(wide_characters_take_two_columns_and_accents_none)
{
    check("温度 x", (struct place){7, 1}, "dir/m.tansy:1:4: what 3\n    温度 x\n         ^\n");
    check("a 温度", (struct place){2, 6}, "dir/m.tansy:1:3: what 3\n    a 温度\n      ^~~~\n");
    check("e\xcc\x81 x", (struct place){4, 1},
          "dir/m.tansy:1:4: what 3\n    e\xcc\x81 x\n      ^\n");
    check("🙂😀 x", (struct place){9, 1},
          "dir/m.tansy:1:4: what 3\n    🙂😀 x\n         ^\n");
}

TEST(bytes_that_cannot_be_printed_are_question_marks)
{
    check("a\x01\xff\xc3 b", (struct place){5, 1},
          "dir/m.tansy:1:6: what 3\n    a??? b\n         ^\n");
}

/* A line of `before` characters, an x, and `after` characters, of which so many are shown. */
static void check_cut(size_t before, size_t after, const char *letter, size_t shown_before,
                      size_t shown_after)
{
    char text[2000] = "", expected[1000] = "";
    size_t const bytes = strlen(letter);
    for (size_t i = 0; i < before; i++) strcat(text, letter);
    strcat(text, "x");
    for (size_t i = 0; i < after; i++) strcat(text, letter);
    (void)snprintf(expected, sizeof expected, "dir/m.tansy:1:%zu: what 3\n    ", before + 1);
    if (before > shown_before) strcat(expected, "...");
    for (size_t i = 0; i < shown_before; i++) strcat(expected, letter);
    strcat(expected, "x");
    for (size_t i = 0; i < shown_after; i++) strcat(expected, letter);
    if (after > shown_after) strcat(expected, "...");
    strcat(expected, "\n    ");
    for (size_t i = 0; i < shown_before + (before > shown_before ? 3 : 0); i++)
        strcat(expected, " ");
    strcat(expected, "^\n");
    check(text, (struct place){(uint32_t)(before * bytes), 1}, expected);
}

TEST(long_lines_are_cut_around_the_caret)
{
    check_cut(60, 39, "a", 60, 39);
    check_cut(64, 43, "a", 60, 39);
    check_cut(300, 300, "a", 60, 39);
    check_cut(100, 0, "a", 60, 0);
    check_cut(0, 100, "a", 0, 39);
    check_cut(100, 100, "ä", 60, 39);
    check_cut(60, 60, "€", 60, 39);
}

TEST(lines_are_not_cut_where_that_saves_nothing)
{
    check_cut(99, 0, "a", 99, 0); /* a hundred characters in all */
    check_cut(0, 99, "a", 0, 99);
    check_cut(9, 90, "€", 9, 90);
    check_cut(90, 9, "\xf0\x9d\x9b\xbc", 90, 9);
    check_cut(63, 42, "a", 63, 42); /* `...` is as long as what it stands for */
    check_cut(63, 43, "ä", 63, 39);
    check_cut(64, 42, "\xf0\x9d\x9b\xbc", 60, 42);
}

TEST(only_the_first_error_counts)
{
    struct source const source = source_of("abc");
    struct diagnosis d = {0};
    (void)source_error(&source, &d, (struct place){0, 1}, "first");
    CHECK_EQUAL(source_error(&source, &d, (struct place){1, 1}, "second"), TANSY_BAD_MODEL);
    CHECK(strstr(d.text, "second") == NULL);
    CHECK_EQUAL(source_no_memory(&d), TANSY_BAD_MODEL);
    source_note(&source, &d, (struct place){2, 1}, "also %s", "here");
    CHECK(strcmp(d.text, "dir/m.tansy:1:1: first\n    abc\n    ^\n"
                         "dir/m.tansy:1:3: also here\n    abc\n      ^\n") == 0);
    d = (struct diagnosis){0};
    CHECK_EQUAL(source_no_memory(&d), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(source_error(&source, &d, (struct place){1, 1}, "late"), TANSY_OUT_OF_MEMORY);
    CHECK_TEXT_CONTAINS(d.text, "out of memory");
}

TEST(warnings_are_counted_when_there_is_no_more_room)
{
    struct source const source = source_of("abc");
    struct diagnosis d = {0};
    source_warn(&source, &d, (struct place){1, 1}, "small");
    CHECK(strcmp(d.warning, "dir/m.tansy:1:2: warning: small\n    abc\n     ^\n") == 0);
    for (int i = 0; i < 999; i++) source_warn(&source, &d, (struct place){1, 1}, "small");
    CHECK_EQUAL(d.warnings, 1000);
    CHECK_EQUAL(d.status, TANSY_OK);
    size_t const length = strlen(d.warning);
    CHECK(length < DIAGNOSIS_SIZE && length > DIAGNOSIS_SIZE - 600);
    CHECK(strcmp(d.warning + length - 7, "     ^\n") == 0);
}

TEST(long_names_and_messages_are_cut)
{
    char name[3000], word[3000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memset(word, 'w', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    struct source const source = {name, "abc", 3};
    struct diagnosis d = {0};
    (void)source_error(&source, &d, (struct place){0, 3}, "%s", word);
    for (int i = 0; i < 9; i++) source_note(&source, &d, (struct place){0, 3}, "%s", word);
    CHECK(strlen(d.text) < DIAGNOSIS_SIZE);
    CHECK_TEXT_CONTAINS(d.text, "w\n    abc\n    ^~~\n");
    struct source const nameless = {NULL, "abc", 3};
    d = (struct diagnosis){0};
    (void)source_error(&nameless, &d, (struct place){0, 3}, "what");
    CHECK(strcmp(d.text, "model:1:1: what\n    abc\n    ^~~\n") == 0);
}

TEST(characters_are_decoded_strictly)
{
    static const struct {
        const char *bytes;
        int32_t code;
        size_t length;
    } list[] = {
        {"a", 'a', 1},
        {"\xc3\xa4", 0xe4, 2},
        {"\xe2\x82\xac", 0x20ac, 3},
        {"\xf0\x9d\x9b\xbc", 0x1d6fc, 4},
        {"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
        {"\x80", -1, 1},             /* goes on without a beginning */
        {"\xc0\x80", -1, 1},         /* longer than need be */
        {"\xe0\x80\x80", -1, 1},     /* the same */
        {"\xf0\x80\x80\x80", -1, 1}, /* the same */
        {"\xc3", -1, 1},             /* cut */
        {"\xe2\x82", -1, 1},         /* cut */
        {"\xc3(", -1, 1},            /* does not go on */
        {"\xed\xa0\x80", -1, 1},     /* half a UTF-16 pair */
        {"\xf4\x90\x80\x80", -1, 1}, /* beyond Unicode */
        {"\xf5\x80\x80\x80", -1, 1}, /* the same */
        {"\xff", -1, 1},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        size_t bytes = 0;
        CHECK_EQUAL(source_character(list[i].bytes, strlen(list[i].bytes), &bytes), list[i].code);
        CHECK_EQUAL(bytes, list[i].length);
    }
}

/* A text that is refused before it is read. */
static void refuse(const char *text, size_t length, const char *expected)
{
    struct source const source = {"m", text, length};
    struct diagnosis d = {0};
    CHECK_EQUAL(source_check(&source, &d), TANSY_BAD_MODEL);
    if (strcmp(d.text, expected) != 0) fprintf(stderr, "%s%s", d.text, expected);
    CHECK(strcmp(d.text, expected) == 0);
}

TEST(what_is_not_text_is_refused)
{
    refuse("a\nb\0c", 5, "m:2:2: a NUL byte: a model is text, this file is not\n    b?c\n     ^\n");
    refuse("ab\xffg", 4,
           "m:1:3: the byte 0xff is not UTF-8: save the file as UTF-8\n    ab?g\n      ^\n");
    refuse("\xc3", 1, "m:1:1: the byte 0xc3 is not UTF-8: save the file as UTF-8\n    ?\n    ^\n");
    refuse("\xff\xfe"
           "a\0",
           4, "m:1:1: this looks like UTF-16: save the file as UTF-8\n    ??a?\n    ^\n");
    refuse(
        "a\rb", 3,
        "m:1:2: a carriage return without line feed: save the file with the line ends of Unix or "
        "Windows\n    a?b\n     ^\n");
    refuse("a\x1b[0m", 5, "m:1:2: a control character (U+001B)\n    a?[0m\n     ^\n");
    refuse("a\x7f", 2, "m:1:2: a control character (U+007F)\n    a?\n     ^\n");
    refuse("a\xc2\x85", 3, "m:1:2: a control character (U+0085)\n    a?\n     ^\n");
    struct source const large = {"m", "abc\n", (size_t)MAX_SOURCE + 1};
    struct diagnosis d = {0};
    CHECK_EQUAL(source_check(&large, &d), TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(d.text, "the model has 2000000001 bytes, at most 2000000000 can be read");
}
