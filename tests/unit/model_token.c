/* SPDX-License-Identifier: Apache-2.0 */
/* Words, numbers and the ends of statements. */
#include "base/heap.h"
#include "model/token.h"
#include "model/token_letters.h"
#include "model/token_number.h"
#include "test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tokens of a text as words: # number, a name, "" text, | end of a statement. */
static void check(const char *text, const char *expected)
{
    struct source const source = {"m", text, strlen(text)};
    struct diagnosis d = {0};
    struct lexer lexer;
    struct token token;
    char found[1000] = "";
    token_begin(&lexer, &source, &d);
    do {
        CHECK_EQUAL(token_next(&lexer, &token), TANSY_OK);
        size_t const used = strlen(found);
        const char *const word = token.kind == TOKEN_NUMBER ? "#"
                                 : token.kind == TOKEN_NAME ? "a"
                                 : token.kind == TOKEN_TEXT ? "\"\""
                                 : token.kind == TOKEN_LINE ? "|"
                                                            : token_text(token.kind);
        (void)snprintf(found + used, sizeof found - used, "%s%s", used > 0 ? " " : "", word);
    } while (token.kind != TOKEN_END);
    LIST_FREE(&lexer.open);
    size_t const length = strlen(found);
    if (length > 0 && found[length - 1] == ' ') found[length - 1] = '\0';
    if (strcmp(found, expected) != 0) fprintf(stderr, "\"%s\" and \"%s\"\n", found, expected);
    CHECK(strcmp(found, expected) == 0);
}

TEST(all_words_and_signs_are_known)
{
    static const char words[] =
        "model parameter constant state algebraic let output integral control input reaction time "
        "for in if then else and or not sum product from at on by scale atol piecewise linear "
        "column";
    check(words, words);
    static const char signs[] = "( ) [ ] { } + - * / ^ < <= > >= == != = , : .. ' -> <->";
    check(signs, signs);
    check("**", "^");
    check("modelx State _in in_ in2", "a a a a a");
}

TEST(signs_need_no_blanks)
{
    check("a<-1", "a < - #");
    check("a<->b->c", "a <-> a -> a");
    check("1..2", "# .. #");
    check("1. ..2.", "# .. #");
    check("1.5.. .5", "# .. #");
    check("a..b", "a .. a");
    check("x'=a'*b", "a ' = a ' * a");
    check("a<=b>=c==d!=e<f>g=h", "a <= a >= a == a != a < a > a = a");
    check("\"a b\"\"\"c", "\"\" \"\" a");
}

TEST(statements_end_at_a_line_or_semicolon)
{
    check("a\nb;c", "a | a | a");
    check("\n\n a \n\n\n b \n", "a | a |");
    check("a # b ; c\n# d\nb", "a | a");
    check(";;a;", "| | a |");
    check("", "");
    check("# only a comment", "");
    check("  \t \n \n", "");
}

TEST(lines_go_on_in_brackets_after_operators_and_after_a_backslash)
{
    check("(a\nb)\nc", "( a a ) | a");
    check("[a\n\n{b # x\n}]\nc", "[ a { a } ] | a");
    check("a +\nb", "a + a");
    check("a,\n\n # c\n b", "a , a");
    check("a =\n b and\n c or\n not\n d", "a = a and a or not a");
    check("if\na then\nb else\nc", "if a then a else a");
    check("a ->\nb <->\nc:\nd ..\ne", "a -> a <-> a : a .. a");
    check("a - \n b * \n c / \n d ^ \n e < \n f == \n g", "a - a * a / a ^ a < a == a");
    check("a \\\n + b", "a + a");
    check("a \\ # c\n + b", "a + a");
    check("a \\  \r\n + b", "a + a");
    check("a \\", "a");
    check("a'\nb", "a ' | a");
    check("if a\n then b\n\n # c\n else c", "if a then a else a");
    check("a\nand b\nor c\nfor i\nin j", "a and a or a for a in a");
    check("a\nfrom b\nat c\non d\nby e", "a from a at a on a by a");
    check("a\nscale b\natol c\npiecewise linear\ncolumn b",
          "a scale a atol a piecewise linear column a");
    check("a\nforb\nstate\nnot\nif\nsum\nlinear", "a | a | state | not if sum | linear");
    check("a\n\nthe", "a | a");
}

TEST(files_of_any_editor_are_read)
{
    check("\xef\xbb\xbf"
          "state x = 1\r\nb\r\n",
          "state a = # | a |");
    check("a\tb", "a a");
}

TEST(names_may_have_letters_of_all_scripts)
{
    static const char *const names[] = {"x",  "_",    "x_1", "äöü", "µ", "α₁",
                                        "Δx", "速度", "ª",   "𝛼",   "é́"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_EQUAL(token_letters_length(names[i], strlen(names[i])), strlen(names[i]));
    static const char *const others[] = {"1x", "",  "+", "²", "×",  "€",
                                         "→",  "∑", "…", "☃", "。", "\xff"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK_EQUAL(token_letters_length(others[i], strlen(others[i])), 0);
    CHECK_EQUAL(token_letters_length("ab+c", 4), 2);
    CHECK_EQUAL(token_letters_length("abcd", 2), 2);
}

static double value(const char *text)
{
    CHECK_EQUAL(token_number_length(text, strlen(text)), strlen(text));
    return token_number_value(text, strlen(text));
}

TEST(numbers_are_rounded_to_the_nearest_double)
{
    static const char *const texts[] = {"0",
                                        "1",
                                        "1.5",
                                        ".5",
                                        "5.",
                                        "1e-3",
                                        "1.5E+3",
                                        "0.1",
                                        "1e22",
                                        "1e23",
                                        "123456789012345678901234567890",
                                        "4.9e-324",
                                        "2.2250738585072011e-308",
                                        "1.7976931348623157e308",
                                        "9007199254740993",
                                        "9007199254740992.99999999999",
                                        "000123.4560e00001",
                                        "0.000000000000000000001e21"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK_EQUAL(
            memcmp(&(double){value(texts[i])}, &(double){strtod(texts[i], NULL)}, sizeof(double)),
            0);
    CHECK(value("1e400") == HUGE_VAL);
    CHECK(value("1e99999999999999999999") == HUGE_VAL);
    CHECK(value("1e-99999999999999999999") == 0);
    CHECK(value("0e99999999999999999999") == 0);
}

TEST(digits_beyond_the_eight_hundredth_decide_a_tie)
{
    /* 2^53 + 1 is a tie and goes to the even 2^53; a digit far behind makes it go up. */
    static char text[2000];
    (void)snprintf(text, sizeof text, "9007199254740993.%01000d", 0);
    CHECK(value(text) == 9007199254740992.0);
    strcat(text, "1");
    CHECK(value(text) == 9007199254740994.0);
    (void)snprintf(text, sizeof text, "1%01000de-1000", 0);
    CHECK(value(text) == 1);
    (void)snprintf(text, sizeof text, "0.%01000d1e1001", 0);
    CHECK(value(text) == 1);
}

TEST(numbers_end_where_they_should)
{
    CHECK_EQUAL(token_number_length("1..2", 4), 1);
    CHECK_EQUAL(token_number_length("1.5..2", 6), 3);
    CHECK_EQUAL(token_number_length("1.e5x", 5), 4);
    CHECK_EQUAL(token_number_length("1ex", 3), 1);
    CHECK_EQUAL(token_number_length("1e+x", 4), 1);
    CHECK_EQUAL(token_number_length("1e", 2), 1);
    CHECK_EQUAL(token_number_length("1e-", 3), 1);
    CHECK_EQUAL(token_number_length(".", 1), 0);
    CHECK_EQUAL(token_number_length("..5", 3), 0);
    CHECK_EQUAL(token_number_length(".e5", 3), 0);
    CHECK_EQUAL(token_number_length("", 0), 0);
    CHECK_EQUAL(token_number_length("12345", 3), 3);
}

TEST(numbers_do_not_depend_on_the_locale)
{
    static const char *const places[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        (void)setlocale(LC_ALL, places[i]);
        CHECK(value("1.5") == 1.5);
        CHECK(value("0.1") == 0.1);
    }
    (void)setlocale(LC_ALL, "C");
}

TEST(a_number_too_small_is_warned_of)
{
    static const char *const texts[] = {"1e-400", "0.0", "0..5", "0e5", "00", "0.0e-400"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct source const source = {"m", texts[i], strlen(texts[i])};
        struct diagnosis d = {0};
        struct lexer lexer;
        struct token token;
        token_begin(&lexer, &source, &d);
        CHECK_EQUAL(token_next(&lexer, &token), TANSY_OK);
        CHECK(token.kind == TOKEN_NUMBER && token.number == 0);
        CHECK_EQUAL(d.warnings, i == 0);
    }
}
