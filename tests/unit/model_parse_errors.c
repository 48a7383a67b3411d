/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong equations and expressions: position and words of every message. */
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

static const struct wrong equations[] = {
    {"x' 3",
     "m:1:1: `=` is missing: an equation is `left = right`\n"
     "    x' 3\n"
     "    ^~\n"},
    {"x' == 3",
     "m:1:4: an equation is written with one `=`\n"
     "    x' == 3\n"
     "       ^~\n"},
    {"x' = 1, y' = 2",
     "m:1:7: statements are separated by `;` or a new line, not by `,`\n"
     "    x' = 1, y' = 2\n"
     "          ^\n"},
    {"x' = a = b",
     "m:1:8: a second `=`: an equation has one; compare inside `if`, by `<=` or `>=`, constants and indices by `==`\n"
     "    x' = a = b\n"
     "           ^\n"},
    {"x + 1",
     "m:1:1: `=` is missing: an equation is `left = right`\n"
     "    x + 1\n"
     "    ^~~~~\n"},
    {"x' = a\n  + b",
     "m:2:3: `=` is missing; for the line before to go on, the operator stands at its end\n"
     "      + b\n"
     "      ^~~\n"},
    {"x' = a\n - b\n",
     "m:2:2: `=` is missing; for the line before to go on, the operator stands at its end\n"
     "     - b\n"
     "     ^~~\n"},
    {"-x",
     "m:1:1: `=` is missing; for the line before to go on, the operator stands at its end\n"
     "    -x\n"
     "    ^~\n"},
    {"x + 1 > 2; y' = 1",
     "m:1:1: `=` is missing: an equation is `left = right`\n"
     "    x + 1 > 2; y' = 1\n"
     "    ^~~~~~~~~\n"},
    {"A + B -> C, k",
     "m:1:7: a reaction begins with a label or `reaction`: r1: A -> B, rate\n"
     "    A + B -> C, k\n"
     "          ^~\n"},
    {"0 <-> B, k, k",
     "m:1:3: a reaction begins with a label or `reaction`: r1: A -> B, rate\n"
     "    0 <-> B, k, k\n"
     "      ^~~\n"},
    {"x' = ",
     "m:1:4: a value is missing after `=`\n"
     "    x' = \n"
     "       ^\n"},
    {"x' = 3 +\n\n# end\n",
     "m:1:8: a value is missing after `+`\n"
     "    x' = 3 +\n"
     "           ^\n"},
    {"x' 3 = 2",
     "m:1:1: `=` is missing: an equation is `left = right`\n"
     "    x' 3 = 2\n"
     "    ^~\n"},
    {"x'' = 3",
     "m:1:1: no second derivatives: declare a state v with `x' = v` and write its equation `v' = ...`\n"
     "    x'' = 3\n"
     "    ^~~\n"},
    {"x' = a -> b",
     "m:1:8: expected an operator or the end of the statement, found `->`\n"
     "    x' = a -> b\n"
     "           ^~\n"},
    {"(a + b)' = 3",
     "m:1:8: only a state has a derivative: `x'` or `x[i]'`\n"
     "    (a + b)' = 3\n"
     "           ^\n"},
    {"x(0)' = 1",
     "m:1:5: only a state has a derivative: `x'` or `x[i]'`\n"
     "    x(0)' = 1\n"
     "        ^\n"},
    {"x' = 1 y' = 2",
     "m:1:8: an operator is missing before `y`; a product is written with `*`\n"
     "    x' = 1 y' = 2\n"
     "           ^\n"},
    {"3",
     "m:1:1: `=` is missing: an equation is `left = right`\n"
     "    3\n"
     "    ^\n"},
    {"= 3",
     "m:1:1: expected a value, found `=`\n"
     "    = 3\n"
     "    ^\n"},
    {"x' : 3",
     "m:1:4: expected `=`, found `:`\n"
     "    x' : 3\n"
     "       ^\n"},
    {"x' = 3 {4}",
     "m:1:8: expected an operator or the end of the statement, found `{`\n"
     "    x' = 3 {4}\n"
     "           ^\n"},
    {"x' = 1 .. 2",
     "m:1:8: expected an operator or the end of the statement, found `..`\n"
     "    x' = 1 .. 2\n"
     "           ^~\n"},
    {"x' = 1 for i in 1..2, j in 1..2, k in 1..2, l in 1..2",
     "m:1:45: at most 3 ranges\n"
     "    x' = 1 for i in 1..2, j in 1..2, k in 1..2, l in 1..2\n"
     "                                                ^\n"},
    {"x' = 1 for 1..2",
     "m:1:12: expected an index, found `1`\n"
     "    x' = 1 for 1..2\n"
     "               ^\n"},
    {"x' = 1 for i = 1..2",
     "m:1:14: expected `in`, as in `i in 1..N`, found `=`\n"
     "    x' = 1 for i = 1..2\n"
     "                 ^\n"},
    {"x' = 1 for i in 1",
     "m:1:18: expected `..` and the upper bound, found the end of the file\n"
     "    x' = 1 for i in 1\n"
     "                     ^\n"},
    {"x[i]' = 1 for i in 1:2",
     "m:1:21: expected `..` between the bounds, found `:`\n"
     "    x[i]' = 1 for i in 1:2\n"
     "                        ^\n"},
};

static const struct wrong values[] = {
    {"x' = * 3",
     "m:1:6: expected a value, found `*`\n"
     "    x' = * 3\n"
     "         ^\n"},
    {"x' = a\n * 3",
     "m:2:2: a line cannot begin with `*`: for the line before to go on, the operator stands at its end\n"
     "     * 3\n"
     "     ^\n"},
    {"x' = a\n/b",
     "m:2:1: a line cannot begin with `/`: for the line before to go on, the operator stands at its end\n"
     "    /b\n"
     "    ^\n"},
    {"x' = scale*2",
     "m:1:6: expected a value; `scale` is a word of the language and cannot be a name\n"
     "    x' = scale*2\n"
     "         ^~~~~\n"},
    {"x' = state",
     "m:1:6: expected a value; `state` is a word of the language and cannot be a name\n"
     "    x' = state\n"
     "         ^~~~~\n"},
    {"x' = 3 +\nstate y = 1",
     "m:1:8: a value is missing after `+`\n"
     "    x' = 3 +\n"
     "           ^\n"},
    {"x' = 3 + and",
     "m:1:10: expected a value, found the word `and`\n"
     "    x' = 3 + and\n"
     "             ^~~\n"},
    {"x' = (3 *\nlet y = 1",
     "m:1:6: `(` is not closed\n"
     "    x' = (3 *\n"
     "         ^\n"
     "m:2:1: here a new statement begins\n"
     "    let y = 1\n"
     "    ^~~\n"},
    {"x' = a b",
     "m:1:8: an operator is missing before `b`; a product is written with `*`\n"
     "    x' = a b\n"
     "           ^\n"},
    {"x' = 2 k = 3",
     "m:1:8: an operator is missing before `k`; a product is written with `*`\n"
     "    x' = 2 k = 3\n"
     "           ^\n"},
    {"x' = 2 (a)",
     "m:1:8: an operator is missing before `(`; a product is written with `*`\n"
     "    x' = 2 (a)\n"
     "           ^\n"},
    {"x' = 2x",
     "m:1:6: write `2*x` for a product\n"
     "    x' = 2x\n"
     "         ^~\n"},
    {"x' = 2e + 1",
     "m:1:6: the exponent of `2e` has no digits\n"
     "    x' = 2e + 1\n"
     "         ^~\n"},
    {"x' = 3.5E",
     "m:1:6: the exponent of `3.5E` has no digits\n"
     "    x' = 3.5E\n"
     "         ^~~~\n"},
    {"x' = {1, 2}",
     "m:1:6: a list {...} can only be the whole value of a vector or a control\n"
     "    x' = {1, 2}\n"
     "         ^\n"},
    {"x' = a + \"b\"",
     "m:1:11: expected a value, found the text \"b\"\n"
     "    x' = a + \"b\"\n"
     "              ^\n"},
    {"x' = f()",
     "m:1:8: expected a value, found `)`\n"
     "    x' = f()\n"
     "           ^\n"},
    {"x' = else",
     "m:1:6: expected a value, found the word `else`\n"
     "    x' = else\n"
     "         ^~~~\n"},
    {"x' = a else b",
     "m:1:8: `else` without `if` before it\n"
     "    x' = a else b\n"
     "           ^~~~\n"},
    {"x' = (a then b)",
     "m:1:9: `then` without `if` before it\n"
     "    x' = (a then b)\n"
     "            ^~~~\n"},
    {"x' = (a, b)",
     "m:1:8: expected `)`, found `,`\n"
     "    x' = (a, b)\n"
     "           ^\n"},
    {"x' = (a = b)",
     "m:1:9: `=` inside an expression: compare by `<=` or `>=`, constants and indices by `==`\n"
     "    x' = (a = b)\n"
     "            ^\n"},
    {"x' = a[1](1)",
     "m:1:11: after an indexed name only `(0)` can follow, its initial value\n"
     "    x' = a[1](1)\n"
     "              ^\n"},
    {"x' = a[1, 2, 3, 4]",
     "m:1:15: at most 3 indices\n"
     "    x' = a[1, 2, 3, 4]\n"
     "                  ^\n"},
    {"x' = a[1",
     "m:1:7: `[` is not closed\n"
     "    x' = a[1\n"
     "          ^\n"},
    {"x' = (1 + 2) [K]",
     "m:1:14: `[` follows a name (indices) or a number (unit)\n"
     "    x' = (1 + 2) [K]\n"
     "                 ^\n"},
    {"x' = a[1; 2]",
     "m:1:9: expected `]`, found `;`\n"
     "    x' = a[1; 2]\n"
     "            ^\n"},
    {"x' = a[if b then c]",
     "m:1:19: expected `else`, as in `if c then a else b`, found `]`\n"
     "    x' = a[if b then c]\n"
     "                      ^\n"},
    {"x' = (a[1)]",
     "m:1:10: `)` cannot close `[`\n"
     "    x' = (a[1)]\n"
     "             ^\n"
     "m:1:8: `[` was opened here\n"
     "    x' = (a[1)]\n"
     "           ^\n"},
    {"x' = a + not b",
     "m:1:10: `not` needs parentheses here: (not ...)\n"
     "    x' = a + not b\n"
     "             ^~~\n"},
    {"x' = a < not b < c",
     "m:1:10: `not` needs parentheses here: (not ...)\n"
     "    x' = a < not b < c\n"
     "             ^~~\n"},
    {"x' = [3]",
     "m:1:6: expected a value, found `[`\n"
     "    x' = [3]\n"
     "         ^\n"},
    {"x' = )",
     "m:1:6: `)` without `(` before it\n"
     "    x' = )\n"
     "         ^\n"},
    {"x' = a]",
     "m:1:7: `]` without `[` before it\n"
     "    x' = a]\n"
     "          ^\n"},
    {"x' = a }",
     "m:1:8: `}` without `{` before it\n"
     "    x' = a }\n"
     "           ^\n"},
    {"x' = a[1)",
     "m:1:9: `)` cannot close `[`\n"
     "    x' = a[1)\n"
     "            ^\n"
     "m:1:7: `[` was opened here\n"
     "    x' = a[1)\n"
     "          ^\n"},
    {"x' = (a .. b)",
     "m:1:9: expected `)`, found `..`\n"
     "    x' = (a .. b)\n"
     "            ^~\n"},
    {"x' = f(a: b)",
     "m:1:9: expected `)`, found `:`\n"
     "    x' = f(a: b)\n"
     "            ^\n"},
};

static const struct wrong conditions[] = {
    {"let y = if a < b < c then 1 else 2",
     "m:1:18: comparisons do not chain: write `a < b and b < c`\n"
     "    let y = if a < b < c then 1 else 2\n"
     "                     ^\n"},
    {"let y = a <= b == c",
     "m:1:16: comparisons do not chain: write `a <= b and b == c`\n"
     "    let y = a <= b == c\n"
     "                   ^~\n"},
    {"let y = if a then 2",
     "m:1:20: expected `else`, as in `if c then a else b`, found the end of the file\n"
     "    let y = if a then 2\n"
     "                       ^\n"},
    {"let y = if a 2 else 4",
     "m:1:14: expected `then`, as in `if c then a else b`, found `2`\n"
     "    let y = if a 2 else 4\n"
     "                 ^\n"},
    {"let y = (if a then 2)",
     "m:1:21: expected `else`, as in `if c then a else b`, found `)`\n"
     "    let y = (if a then 2)\n"
     "                        ^\n"},
    {"let y = if a < b else 2",
     "m:1:18: expected `then`, as in `if c then a else b`, found the word `else`\n"
     "    let y = if a < b else 2\n"
     "                     ^~~~\n"},
    {"let y = if then 2 else 3",
     "m:1:12: expected a value, found the word `then`\n"
     "    let y = if then 2 else 3\n"
     "               ^~~~\n"},
    {"let y = if a = b then 2 else 3",
     "m:1:14: `=` inside an expression: compare by `<=` or `>=`, constants and indices by `==`\n"
     "    let y = if a = b then 2 else 3\n"
     "                 ^\n"},
    {"let y = if a then b then c",
     "m:1:21: expected `else`, as in `if c then a else b`, found the word `then`\n"
     "    let y = if a then b then c\n"
     "                        ^~~~\n"},
};

static const struct wrong sums[] = {
    {"let y = sum 3",
     "m:1:13: expected `(`, as in sum(i in 1..N: x[i]), found `3`\n"
     "    let y = sum 3\n"
     "                ^\n"},
    {"let y = sum(i: 3)",
     "m:1:14: expected `in`, as in sum(i in 1..N: x[i]), found `:`\n"
     "    let y = sum(i: 3)\n"
     "                 ^\n"},
    {"let y = sum(3)",
     "m:1:13: expected an index, as in sum(i in 1..N: x[i]), found `3`\n"
     "    let y = sum(3)\n"
     "                ^\n"},
    {"let y = sum(in in 1..2: 3)",
     "m:1:13: expected an index, as in sum(i in 1..N: x[i]); `in` is a word of the language and cannot be a name\n"
     "    let y = sum(in in 1..2: 3)\n"
     "                ^~\n"},
    {"let y = sum(i in 1:N: 3)",
     "m:1:19: expected `..` and the upper bound, as in sum(i in 1..N: x[i]), found `:`\n"
     "    let y = sum(i in 1:N: 3)\n"
     "                      ^\n"},
    {"let y = sum(i in 1..N, 3)",
     "m:1:24: expected an index, as in sum(i in 1..N: x[i]), found `3`\n"
     "    let y = sum(i in 1..N, 3)\n"
     "                           ^\n"},
    {"let y = sum(i in 1..N)",
     "m:1:22: expected `:` and what is added up, as in sum(i in 1..N: x[i]), found `)`\n"
     "    let y = sum(i in 1..N)\n"
     "                         ^\n"},
    {"let y = sum(i in 1, 2)",
     "m:1:19: expected `..` and the upper bound, as in sum(i in 1..N: x[i]), found `,`\n"
     "    let y = sum(i in 1, 2)\n"
     "                      ^\n"},
    {"let y = sum()",
     "m:1:13: expected an index, as in sum(i in 1..N: x[i]), found `)`\n"
     "    let y = sum()\n"
     "                ^\n"},
};
/* clang-format on */

TEST(equations_that_are_none_are_pointed_at)
{
    CHECK_ALL(equations);
}

TEST(values_that_are_none_are_pointed_at)
{
    CHECK_ALL(values);
}

TEST(conditions_that_are_none_are_pointed_at)
{
    CHECK_ALL(conditions);
}

TEST(sums_that_are_none_are_pointed_at)
{
    CHECK_ALL(sums);
}
