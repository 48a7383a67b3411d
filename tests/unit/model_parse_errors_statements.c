/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong statements and reactions: position and words of every message. */
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

static const struct wrong declarations[] = {
    {"let 3 = x",
     "m:1:5: expected a name, found `3`\n"
     "    let 3 = x\n"
     "        ^\n"},
    {"state in = 3",
     "m:1:7: expected a name; `in` is a word of the language and cannot be a name\n"
     "    state in = 3\n"
     "          ^~\n"},
    {"state",
     "m:1:6: expected a name, found the end of the file\n"
     "    state\n"
     "         ^\n"},
    {"state x' = 1",
     "m:1:8: `state` declares the name alone; the equation for its derivative is a statement of its own\n"
     "    state x' = 1\n"
     "           ^\n"},
    {"state x[3] = 1",
     "m:1:9: a vector is declared by its range: [1..3]\n"
     "    state x[3] = 1\n"
     "            ^\n"},
    {"state x[100] = 1",
     "m:1:9: a vector is declared by its range: [1..100]\n"
     "    state x[100] = 1\n"
     "            ^~~\n"},
    {"state x = 1,\nparameter k = 2",
     "m:2:1: expected a name; `parameter` is a word of the language and cannot be a name\n"
     "    parameter k = 2\n"
     "    ^~~~~~~~~\n"},
    {"parameter k",
     "m:1:11: a value is missing: parameter k = ...\n"
     "    parameter k\n"
     "              ^\n"},
    {"parameter k, j = 1",
     "m:1:11: a value is missing: parameter k = ...\n"
     "    parameter k, j = 1\n"
     "              ^\n"},
    {"parameter k 3",
     "m:1:13: expected `=`, found `3`\n"
     "    parameter k 3\n"
     "                ^\n"},
    {"parameter k = 3 atol 4",
     "m:1:17: `atol` does not belong to `parameter`\n"
     "    parameter k = 3 atol 4\n"
     "                    ^~~~\n"},
    {"parameter k = 3 in 1",
     "m:1:21: expected `..` and the upper bound, found the end of the file\n"
     "    parameter k = 3 in 1\n"
     "                        ^\n"},
    {"parameter k = 3 in 1, 2",
     "m:1:21: expected `..` between the bounds, found `,`\n"
     "    parameter k = 3 in 1, 2\n"
     "                        ^\n"},
    {"parameter k = 3 in 1 .. 2 in 3 .. 4",
     "m:1:27: `in`: this has been said before\n"
     "    parameter k = 3 in 1 .. 2 in 3 .. 4\n"
     "                              ^~\n"},
    {"parameter k = {1, 2}",
     "m:1:15: a list is the value of a vector: parameter k[1..2] = {...}\n"
     "    parameter k = {1, 2}\n"
     "                  ^\n"},
    {"parameter k[1..2] = {1, 2",
     "m:1:21: `{` is not closed\n"
     "    parameter k[1..2] = {1, 2\n"
     "                        ^\n"},
    {"parameter k[1..2] = {1 2}",
     "m:1:24: expected `,` or `}`, found `2`\n"
     "    parameter k[1..2] = {1 2}\n"
     "                           ^\n"},
    {"parameter k[1..2] = {}",
     "m:1:22: expected a value, found `}`\n"
     "    parameter k[1..2] = {}\n"
     "                         ^\n"},
    {"state x [K = 3",
     "m:1:9: the closing `]` of the unit is missing\n"
     "    state x [K = 3\n"
     "            ^\n"},
    {"state x [K",
     "m:1:9: the closing `]` of the unit is missing\n"
     "    state x [K\n"
     "            ^\n"},
    {"state x[1..2, 1..2, 1..2, 1..2] = 0",
     "m:1:27: at most 3 ranges\n"
     "    state x[1..2, 1..2, 1..2, 1..2] = 0\n"
     "                              ^\n"},
    {"state x[i in 1 = 2..3] = 0",
     "m:1:16: expected `..` and the upper bound, found `=`\n"
     "    state x[i in 1 = 2..3] = 0\n"
     "                   ^\n"},
    {"state x[1..2 = 0",
     "m:1:14: expected `,` or `]`, found `=`\n"
     "    state x[1..2 = 0\n"
     "                 ^\n"},
    {"integral J[1..2] = 3",
     "m:1:11: `integral` cannot declare a vector\n"
     "    integral J[1..2] = 3\n"
     "              ^\n"},
    {"integral J = 3 atol 1",
     "m:1:16: `atol` does not belong to `integral`\n"
     "    integral J = 3 atol 1\n"
     "                   ^~~~\n"},
    {"paramter k = 1",
     "m:1:1: `paramter` begins no statement; did you mean `parameter`?\n"
     "    paramter k = 1\n"
     "    ^~~~~~~~\n"},
    {"Stat x",
     "m:1:1: `Stat` begins no statement; did you mean `state`?\n"
     "    Stat x\n"
     "    ^~~~\n"},
    {"PARAMETER k = 1",
     "m:1:1: `PARAMETER` begins no statement; did you mean `parameter`?\n"
     "    PARAMETER k = 1\n"
     "    ^~~~~~~~~\n"},
    {"PARAMTER k = 1",
     "m:1:1: `PARAMTER` begins no statement; did you mean `parameter`?\n"
     "    PARAMTER k = 1\n"
     "    ^~~~~~~~\n"},
    {"param k = 1",
     "m:1:1: `param` begins no statement; did you mean `parameter`?\n"
     "    param k = 1\n"
     "    ^~~~~\n"},
    {"foo x = 1",
     "m:1:1: neither an equation `x' = ...` nor a statement that begins with a word of the language (parameter, state, let, ...)\n"
     "    foo x = 1\n"
     "    ^~~\n"},
    {"foo",
     "m:1:1: neither an equation `x' = ...` nor a statement that begins with a word of the language (parameter, state, let, ...)\n"
     "    foo\n"
     "    ^~~\n"},
    {"model",
     "m:1:6: expected the name of the model, found the end of the file\n"
     "    model\n"
     "         ^\n"},
    {"model 3",
     "m:1:7: expected the name of the model, found `3`\n"
     "    model 3\n"
     "          ^\n"},
    {"model m 3",
     "m:1:9: expected the title in quotes or the end of the statement, found `3`\n"
     "    model m 3\n"
     "            ^\n"},
    {"model m \"abc\nstate x = 1",
     "m:1:9: the closing `\"` is missing on this line\n"
     "    model m \"abc\n"
     "            ^\n"},
    {"time 0, 4",
     "m:1:7: expected `..` and the end of the time span, found `,`\n"
     "    time 0, 4\n"
     "          ^\n"},
    {"time 0",
     "m:1:7: expected `..` and the end of the time span, found the end of the file\n"
     "    time 0\n"
     "          ^\n"},
    {"time 0 .. 4 s",
     "m:1:13: expected the unit of time in brackets, as in `[s]`, found `s`\n"
     "    time 0 .. 4 s\n"
     "                ^\n"},
    {"time 0 .. 4 [s",
     "m:1:13: the closing `]` of the unit is missing\n"
     "    time 0 .. 4 [s\n"
     "                ^\n"},
};

static const struct wrong controls_and_inputs[] = {
    {"control u = 3",
     "m:1:9: a control needs `piecewise constant` or `piecewise linear`\n"
     "    control u = 3\n"
     "            ^\n"},
    {"control u = 3 piecewise constant",
     "m:1:9: a control needs its grid: `at {t0, t1, ...}` or `on a .. b by N`\n"
     "    control u = 3 piecewise constant\n"
     "            ^\n"},
    {"control u = 3 at {0, 1}",
     "m:1:9: a control needs `piecewise constant` or `piecewise linear`\n"
     "    control u = 3 at {0, 1}\n"
     "            ^\n"},
    {"parameter a = 1 b = 2",
     "m:1:17: a comma is missing before `b`\n"
     "    parameter a = 1 b = 2\n"
     "                    ^\n"},
    {"control u = 3, v = 2 piecewise constant at {0, 1}",
     "m:1:9: a control needs `piecewise constant` or `piecewise linear`\n"
     "    control u = 3, v = 2 piecewise constant at {0, 1}\n"
     "            ^\n"},
    {"control u = 3 piecewise constant, v = 2 piecewise constant at {0, 1}",
     "m:1:9: a control needs its grid: `at {t0, t1, ...}` or `on a .. b by N`\n"
     "    control u = 3 piecewise constant, v = 2 piecewise constant at {0, 1}\n"
     "            ^\n"},
    {"control u = 3 at {0, 1}, v = 2 piecewise constant at {0, 1}",
     "m:1:9: a control needs `piecewise constant` or `piecewise linear`\n"
     "    control u = 3 at {0, 1}, v = 2 piecewise constant at {0, 1}\n"
     "            ^\n"},
    {"control u = 3 piecewise",
     "m:1:24: expected `constant` or `linear`, found the end of the file\n"
     "    control u = 3 piecewise\n"
     "                           ^\n"},
    {"control u = 3 piecewise quadratic",
     "m:1:25: expected `constant` or `linear`, found `quadratic`\n"
     "    control u = 3 piecewise quadratic\n"
     "                            ^~~~~~~~~\n"},
    {"control u = 3 piecewise linear at 3",
     "m:1:35: expected `{`: at {t0, t1, ...}, found `3`\n"
     "    control u = 3 piecewise linear at 3\n"
     "                                      ^\n"},
    {"control u = 3 piecewise linear on 0 .. 1",
     "m:1:41: expected `by` and the number of intervals, found the end of the file\n"
     "    control u = 3 piecewise linear on 0 .. 1\n"
     "                                            ^\n"},
    {"control u = 3 piecewise linear on 0 by 2",
     "m:1:37: expected `..` and the upper bound, found the word `by`\n"
     "    control u = 3 piecewise linear on 0 by 2\n"
     "                                        ^~\n"},
    {"control u = 3 (",
     "m:1:15: an operator is missing before `(`; a product is written with `*`\n"
     "    control u = 3 (\n"
     "                  ^\n"},
    {"control u[1..2] = 3",
     "m:1:10: `control` cannot declare a vector\n"
     "    control u[1..2] = 3\n"
     "             ^\n"},
    {"input u",
     "m:1:8: expected `from \"FILE.csv\"`, found the end of the file\n"
     "    input u\n"
     "           ^\n"},
    {"input u = 3",
     "m:1:9: expected `from \"FILE.csv\"`, found `=`\n"
     "    input u = 3\n"
     "            ^\n"},
    {"input u from file.csv",
     "m:1:14: expected the name of a file in quotes, found `file`\n"
     "    input u from file.csv\n"
     "                 ^~~~\n"},
    {"input u from \"a.csv\" column",
     "m:1:28: expected the number of a column or its name in quotes, found the end of the file\n"
     "    input u from \"a.csv\" column\n"
     "                               ^\n"},
    {"input u from \"a.csv\" column 0",
     "m:1:29: columns are counted 1, 2, 3, ...\n"
     "    input u from \"a.csv\" column 0\n"
     "                                ^\n"},
    {"input u from \"a.csv\" column 1.5",
     "m:1:29: columns are counted 1, 2, 3, ...\n"
     "    input u from \"a.csv\" column 1.5\n"
     "                                ^~~\n"},
    {"input u from \"a.csv\" column -1",
     "m:1:29: expected the number of a column or its name in quotes, found `-`\n"
     "    input u from \"a.csv\" column -1\n"
     "                                ^\n"},
    {"input u from \"a.csv\" scale 2",
     "m:1:22: `scale` does not belong to `input`\n"
     "    input u from \"a.csv\" scale 2\n"
     "                         ^~~~~\n"},
};

static const struct wrong reactions[] = {
    {"r1: A + B => C, k",
     "m:1:11: `=>` is not a sign of the language: write `>=` to compare or `->` in a reaction\n"
     "    r1: A + B => C, k\n"
     "              ^~\n"},
    {"r1: A + B",
     "m:1:10: expected `+`, `->` or `<->`, found the end of the file\n"
     "    r1: A + B\n"
     "             ^\n"},
    {"r1: A + B -> C",
     "m:1:15: expected `,` and the rate of the reaction, found the end of the file\n"
     "    r1: A + B -> C\n"
     "                  ^\n"},
    {"r1: A -> 0",
     "m:1:11: expected `,` and the rate of the reaction, found the end of the file\n"
     "    r1: A -> 0\n"
     "              ^\n"},
    {"r1: A -> 0 # to nothing\nx' = 1",
     "m:1:24: expected `,` and the rate of the reaction, found the end of the line\n"
     "    r1: A -> 0 # to nothing\n"
     "                           ^\n"},
    {"r1: A -> 0; x' = 1",
     "m:1:11: expected `,` and the rate of the reaction, found `;`\n"
     "    r1: A -> 0; x' = 1\n"
     "              ^\n"},
    {"r1: A <-> C, k",
     "m:1:15: expected `,` and the rate backward, found the end of the file\n"
     "    r1: A <-> C, k\n"
     "                  ^\n"},
    {"r1: A -> C k",
     "m:1:12: expected `,` and the rate of the reaction, found `k`\n"
     "    r1: A -> C k\n"
     "               ^\n"},
    {"r1: A + -> C, k",
     "m:1:9: expected a species, found `->`\n"
     "    r1: A + -> C, k\n"
     "            ^~\n"},
    {"r1: -> C, k",
     "m:1:5: expected a species, found `->`\n"
     "    r1: -> C, k\n"
     "        ^~\n"},
    {"r1: A -> C, k, l",
     "m:1:7: a reaction with `->` has one rate; two rates need `<->`\n"
     "    r1: A -> C, k, l\n"
     "          ^~\n"},
    {"exp: A -> C, k",
     "m:1:1: `exp` is a function and cannot be a name\n"
     "    exp: A -> C, k\n"
     "    ^~~\n"},
    {"parameter sin = 2",
     "m:1:11: `sin` is a function and cannot be a name\n"
     "    parameter sin = 2\n"
     "              ^~~\n"},
    {"x[i]' = 1 for log in 1..2",
     "m:1:15: `log` is a function and cannot be a name\n"
     "    x[i]' = 1 for log in 1..2\n"
     "                  ^~~\n"},
    {"r1: 2 -> A, k",
     "m:1:7: expected a species, found `->`\n"
     "    r1: 2 -> A, k\n"
     "          ^~\n"},
    {"r1: A[1,2,3,4] -> B, k",
     "m:1:12: at most 3 indices\n"
     "    r1: A[1,2,3,4] -> B, k\n"
     "               ^\n"},
    {"r1: A[1 -> B, k",
     "m:1:9: expected `,` or `]`, found `->`\n"
     "    r1: A[1 -> B, k\n"
     "            ^~\n"},
    {"r1: (2 A -> B, k",
     "m:1:8: an operator is missing before `A`; a product is written with `*`\n"
     "    r1: (2 A -> B, k\n"
     "           ^\n"},
    {"2 A -> B, k",
     "m:1:1: a reaction begins with a label or `reaction`: r1: A -> B, rate\n"
     "    2 A -> B, k\n"
     "    ^\n"},
    {"reaction 3: A -> B, k",
     "m:1:10: expected the name of the reaction, found `3`\n"
     "    reaction 3: A -> B, k\n"
     "             ^\n"},
    {"reaction in: A -> B, k",
     "m:1:10: expected the name of the reaction; `in` is a word of the language and cannot be a name\n"
     "    reaction in: A -> B, k\n"
     "             ^~\n"},
};
/* clang-format on */

TEST(declarations_that_are_none_are_pointed_at)
{
    CHECK_ALL(declarations);
}

TEST(controls_and_inputs_that_are_none_are_pointed_at)
{
    CHECK_ALL(controls_and_inputs);
}

TEST(reactions_that_are_none_are_pointed_at)
{
    CHECK_ALL(reactions);
}
