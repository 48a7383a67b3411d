/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong brackets, signs and numbers: position and words of every message. */
#include "model_parse_show.h"

struct wrong {
    const char *text, *says;
};

static void check(const struct wrong *wrong, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_error(wrong[i].text, strlen(wrong[i].text), wrong[i].says);
}

#define CHECK_ALL(list) check(list, sizeof(list) / sizeof *(list))
/* clang-format off */

static const struct wrong brackets[] = {
    {"x' = (a + b\n\ny' = 3\n",
     "m:3:1: an operator is missing before `y`; a product is written with `*`\n"
     "    y' = 3\n"
     "    ^\n"
     "m:1:6: `(` was opened here\n"
     "    x' = (a + b\n"
     "         ^\n"},
    {"x' = (a + b",
     "m:1:6: `(` is not closed\n"
     "    x' = (a + b\n"
     "         ^\n"},
    {"x' = (a + b]",
     "m:1:12: `]` cannot close `(`\n"
     "    x' = (a + b]\n"
     "               ^\n"
     "m:1:6: `(` was opened here\n"
     "    x' = (a + b]\n"
     "         ^\n"},
    {"x' = a + b)",
     "m:1:11: `)` without `(` before it\n"
     "    x' = a + b)\n"
     "              ^\n"},
    {"state x = (1\nparameter k = 2",
     "m:1:11: `(` is not closed\n"
     "    state x = (1\n"
     "              ^\n"
     "m:2:1: here a new statement begins\n"
     "    parameter k = 2\n"
     "    ^~~~~~~~~\n"},
    {"x' = ((a + b)\n",
     "m:1:6: `(` is not closed\n"
     "    x' = ((a + b)\n"
     "         ^\n"},
    {"x' = f(a,\n  b\n  c)",
     "m:3:3: an operator is missing before `c`; a product is written with `*`\n"
     "      c)\n"
     "      ^\n"
     "m:1:7: `(` was opened here\n"
     "    x' = f(a,\n"
     "          ^\n"},
};

static const struct wrong signs[] = {
    {"time 0...1",
     "m:1:7: `...` is not a sign of the language: write `..` with spaces, as in `0 .. 1`\n"
     "    time 0...1\n"
     "          ^~~\n"},
    {"x' = a && b",
     "m:1:8: `&&` is not a sign of the language: write `and`\n"
     "    x' = a && b\n"
     "           ^~\n"},
    {"x' = a || b",
     "m:1:8: `||` is not a sign of the language: write `or`\n"
     "    x' = a || b\n"
     "           ^~\n"},
    {"x' = a & b",
     "m:1:8: `&` is not a sign of the language: write `and`\n"
     "    x' = a & b\n"
     "           ^\n"},
    {"x' = |a|",
     "m:1:6: `|` is not a sign of the language: write `or`; `abs(x)` is the absolute value\n"
     "    x' = |a|\n"
     "         ^\n"},
    {"x := 3",
     "m:1:3: `:=` is not a sign of the language: write `=`\n"
     "    x := 3\n"
     "      ^~\n"},
    {"x' = !a",
     "m:1:6: `!` is not a sign of the language: write `not`\n"
     "    x' = !a\n"
     "         ^\n"},
    {"x' = a <> b",
     "m:1:8: `<>` is not a sign of the language: write `<` or `>`, of constants and indices `!=`\n"
     "    x' = a <> b\n"
     "           ^~\n"},
    {"x' = a ~= b",
     "m:1:8: `~=` is not a sign of the language: write `<` or `>`, of constants and indices `!=`\n"
     "    x' = a ~= b\n"
     "           ^~\n"},
    {"x' = a =< b",
     "m:1:8: `=<` is not a sign of the language: write `<=`\n"
     "    x' = a =< b\n"
     "           ^~\n"},
    {"r: A <=> B, 1, 2",
     "m:1:6: `<=>` is not a sign of the language: write `<->`\n"
     "    r: A <=> B, 1, 2\n"
     "         ^~~\n"},
    {"x += 1",
     "m:1:3: `+=` is not a sign of the language: write an equation `x' = ...`\n"
     "    x += 1\n"
     "      ^~\n"},
    {"x -= 1",
     "m:1:3: `-=` is not a sign of the language: write an equation `x' = ...`\n"
     "    x -= 1\n"
     "      ^~\n"},
    {"x' = 1 // c",
     "m:1:8: `//` is not a sign of the language: a comment begins with `#`\n"
     "    x' = 1 // c\n"
     "           ^~\n"},
    {"x' = 1 /* c",
     "m:1:8: `/*` is not a sign of the language: a comment begins with `#`\n"
     "    x' = 1 /* c\n"
     "           ^~\n"},
    {"% c",
     "m:1:1: `%` is not a sign of the language: a comment begins with `#`\n"
     "    % c\n"
     "    ^\n"},
    {"x' = 1 \\ + 2",
     "m:1:8: `\\` is not a sign of the language: a `\\` that continues a line is its last character\n"
     "    x' = 1 \\ + 2\n"
     "           ^\n"},
    {"x' = a ? b : c",
     "m:1:8: `?` is not a sign of the language: write `if c then a else b`\n"
     "    x' = a ? b : c\n"
     "           ^\n"},
    {"x' = a \xe2\x88\x92 b",
     "m:1:8: `\xe2\x88\x92` is not a sign of the language: write `-`\n"
     "    x' = a \xe2\x88\x92 b\n"
     "           ^\n"},
    {"x' = a \xe2\x80\x93 b",
     "m:1:8: `\xe2\x80\x93` is not a sign of the language: write `-`\n"
     "    x' = a \xe2\x80\x93 b\n"
     "           ^\n"},
    {"x' = a\xc3\x97" "b",
     "m:1:7: `\xc3\x97` is not a sign of the language: write `*`\n"
     "    x' = a\xc3\x97" "b\n"
     "          ^\n"},
    {"x' = a\xc2\xb7" "b",
     "m:1:7: `\xc2\xb7` is not a sign of the language: write `*`\n"
     "    x' = a\xc2\xb7" "b\n"
     "          ^\n"},
    {"x' = a\xe2\x8b\x85" "b",
     "m:1:7: `\xe2\x8b\x85` is not a sign of the language: write `*`\n"
     "    x' = a\xe2\x8b\x85" "b\n"
     "          ^\n"},
    {"x' = a\xc3\xb7" "b",
     "m:1:7: `\xc3\xb7` is not a sign of the language: write `/`\n"
     "    x' = a\xc3\xb7" "b\n"
     "          ^\n"},
    {"x' = a \xe2\x89\xa4 b",
     "m:1:8: `\xe2\x89\xa4` is not a sign of the language: write `<=`\n"
     "    x' = a \xe2\x89\xa4 b\n"
     "           ^\n"},
    {"x' = a \xe2\x89\xa5 b",
     "m:1:8: `\xe2\x89\xa5` is not a sign of the language: write `>=`\n"
     "    x' = a \xe2\x89\xa5 b\n"
     "           ^\n"},
    {"x' = a \xe2\x89\xa0 b",
     "m:1:8: `\xe2\x89\xa0` is not a sign of the language: write `<` or `>`, of constants and indices `!=`\n"
     "    x' = a \xe2\x89\xa0 b\n"
     "           ^\n"},
    {"r: A \xe2\x86\x92 B, 1",
     "m:1:6: `\xe2\x86\x92` is not a sign of the language: write `->`\n"
     "    r: A \xe2\x86\x92 B, 1\n"
     "         ^\n"},
    {"r: A \xe2\x87\x8c B, 1, 2",
     "m:1:6: `\xe2\x87\x8c` is not a sign of the language: write `<->`\n"
     "    r: A \xe2\x87\x8c B, 1, 2\n"
     "         ^\n"},
    {"x' = a\xc2\xb2",
     "m:1:7: `\xc2\xb2` is not a sign of the language: write `^2`\n"
     "    x' = a\xc2\xb2\n"
     "          ^\n"},
    {"x' = a\xc2\xb3",
     "m:1:7: `\xc2\xb3` is not a sign of the language: write `^3`\n"
     "    x' = a\xc2\xb3\n"
     "          ^\n"},
    {"model m \xe2\x80\x9ct\xe2\x80\x9d",
     "m:1:9: `\xe2\x80\x9c` is not a sign of the language: write a straight `\"`\n"
     "    model m \xe2\x80\x9ct\xe2\x80\x9d\n"
     "            ^\n"},
    {"model m \xe2\x80\x9dt\xe2\x80\x9d",
     "m:1:9: `\xe2\x80\x9d` is not a sign of the language: write a straight `\"`\n"
     "    model m \xe2\x80\x9dt\xe2\x80\x9d\n"
     "            ^\n"},
    {"x\xe2\x80\x99 = 1",
     "m:1:2: `\xe2\x80\x99` is not a sign of the language: write a straight `'`\n"
     "    x\xe2\x80\x99 = 1\n"
     "     ^\n"},
    {"x\xe2\x80\xb2 = 1",
     "m:1:2: `\xe2\x80\xb2` is not a sign of the language: write a straight `'`\n"
     "    x\xe2\x80\xb2 = 1\n"
     "     ^\n"},
    {"x' =\xc2\xa0" "1",
     "m:1:5: `\xc2\xa0` is not a sign of the language: this is a no-break space: write a plain one\n"
     "    x' =\xc2\xa0" "1\n"
     "        ^\n"},
    {"x' = x\xe2\x81\xbb\xc2\xb9",
     "m:1:7: `\xe2\x81\xbb\xc2\xb9` is not a sign of the language: write `^-1`\n"
     "    x' = x\xe2\x81\xbb\xc2\xb9\n"
     "          ^~\n"},
    {"x' =\xe2\x80\x8b" " 1",
     "m:1:5: an invisible character, a zero-width space (U+200B): delete it\n"
     "    x' =? 1\n"
     "        ^\n"},
    {"x' = a\xe2\x80\x8c" "b",
     "m:1:7: an invisible character, a zero-width non-joiner (U+200C): delete it\n"
     "    x' = a?b\n"
     "          ^\n"},
    {"x' = \xe2\x80\x8d" "1",
     "m:1:6: an invisible character, a zero-width joiner (U+200D): delete it\n"
     "    x' = ?1\n"
     "         ^\n"},
    {"x' = \xe2\x81\xa0" "1",
     "m:1:6: an invisible character, a word joiner (U+2060): delete it\n"
     "    x' = ?1\n"
     "         ^\n"},
    {"x' = \xef\xbb\xbf" "1",
     "m:1:6: an invisible character, a byte order mark (U+FEFF): delete it\n"
     "    x' = ?1\n"
     "         ^\n"},
    {"x' = \xc2\xad" "1",
     "m:1:6: an invisible character, a soft hyphen (U+00AD): delete it\n"
     "    x' = ?1\n"
     "         ^\n"},
    {"x' = $a",
     "m:1:6: `$` has no meaning here\n"
     "    x' = $a\n"
     "         ^\n"},
    {"x' = a @ b",
     "m:1:8: `@` has no meaning here\n"
     "    x' = a @ b\n"
     "           ^\n"},
    {"x' = \xe2\x98\x83",
     "m:1:6: `\xe2\x98\x83` has no meaning here\n"
     "    x' = \xe2\x98\x83\n"
     "         ^\n"},
};

static const struct wrong numbers[] = {
    {"x' = 1.2.3",
     "m:1:6: a number has only one point\n"
     "    x' = 1.2.3\n"
     "         ^~~~~\n"},
    {"x' = 1.2.",
     "m:1:6: a number has only one point\n"
     "    x' = 1.2.\n"
     "         ^~~~\n"},
    {"x' = 1..",
     "m:1:7: expected an operator or the end of the statement, found `..`\n"
     "    x' = 1..\n"
     "          ^~\n"},
    {"x' = 1e400",
     "m:1:6: this number is too large: numbers go up to 1.797e308\n"
     "    x' = 1e400\n"
     "         ^~~~~\n"},
    {"x' = 2*9e999999999999999999",
     "m:1:8: this number is too large: numbers go up to 1.797e308\n"
     "    x' = 2*9e999999999999999999\n"
     "           ^~~~~~~~~~~~~~~~~~~~\n"},
    {"x' = .",
     "m:1:6: `.` has no meaning here\n"
     "    x' = .\n"
     "         ^\n"},
    {"x' = 1e+",
     "m:1:6: the exponent of `1e` has no digits\n"
     "    x' = 1e+\n"
     "         ^~\n"},
    {"x' = 12abc",
     "m:1:6: write `12*abc` for a product\n"
     "    x' = 12abc\n"
     "         ^~~~~\n"},
    {"x' = 0x10",
     "m:1:6: `0x10` is no number: numbers are written in decimals\n"
     "    x' = 0x10\n"
     "         ^~~~\n"},
    {"x' = 0XfF",
     "m:1:6: `0XfF` is no number: numbers are written in decimals\n"
     "    x' = 0XfF\n"
     "         ^~~~\n"},
    {"x' = 1_000",
     "m:1:6: `1_000` is no number: digits are written without underscores\n"
     "    x' = 1_000\n"
     "         ^~~~~\n"},
    {"x' = 0xy",
     "m:1:6: write `0*xy` for a product\n"
     "    x' = 0xy\n"
     "         ^~~\n"},
    {"x' = 10x1",
     "m:1:6: write `10*x1` for a product\n"
     "    x' = 10x1\n"
     "         ^~~~\n"},
    {"x' = 1_0a",
     "m:1:6: write `1*_0a` for a product\n"
     "    x' = 1_0a\n"
     "         ^~~~\n"},
};
/* clang-format on */

TEST(brackets_that_do_not_match_are_refused)
{
    CHECK_ALL(brackets);
}

TEST(signs_of_other_languages)
{
    CHECK_ALL(signs);
}

TEST(numbers_that_are_none_are_pointed_at)
{
    CHECK_ALL(numbers);
}
