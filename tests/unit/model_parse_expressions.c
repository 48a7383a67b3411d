/* SPDX-License-Identifier: Apache-2.0 */
/* Every construct of an expression gives the postfix terms it should. */
#include "model_parse_show.h"

/* The value of `let v = TEXT` in postfix order. */
static void check(const char *text, const char *expected)
{
    char statement[SHOW_SIZE];
    (void)snprintf(statement, sizeof statement, "let v = %s", text);
    struct syntax syntax;
    parse_good(&syntax, statement);
    CHECK_EQUAL(syntax.statement.count, 1);
    check_terms(&syntax, syntax.statement.item[0].value, expected);
    syntax_free(&syntax);
}

TEST(operators_bind_as_in_mathematics)
{
    check("a + b*c", "a b c * +");
    check("(a + b)*c", "a b + c *");
    check("a - b - c", "a b - c -");
    check("a - (b - c)", "a b c - -");
    check("a/b/c", "a b / c /");
    check("a/b*c", "a b / c *");
    check("a*b + c*d", "a b * c d * +");
    check("+a", "a");
}

TEST(powers_bind_to_the_right_and_above_the_sign)
{
    check("a^b^c", "a b c ^ ^");
    check("a**b", "a b ^");
    check("-x^2", "x 2 ^ neg");
    check("2^-3", "2 3 neg ^");
    check("2^-3^2", "2 3 2 ^ neg ^");
    check("2^-3*4", "2 3 neg ^ 4 *");
    check("-a*b", "a neg b *");
    check("a*-b", "a b neg *");
    check("a - -b", "a b neg -");
    check("--a", "a neg neg");
    check("(-a)^2", "a neg 2 ^");
}

TEST(comparisons_bind_below_sums_and_above_logic)
{
    check("a + 1 < b*2", "a 1 + b 2 * <");
    check("a <= b", "a b <=");
    check("a > b", "a b >");
    check("a >= b", "a b >=");
    check("a == b", "a b ==");
    check("a != b", "a b !=");
    check("x<-1", "x 1 neg <");
    check("a < b and c > d", "a b < c d > and");
    check("a < 1 or b < 2 and c < 3", "a 1 < b 2 < c 3 < and or");
    check("not a < b", "a b < not");
    check("not a < b and c < d", "a b < not c d < and");
    check("not not a < b", "a b < not not");
    check("a < b and not c < d", "a b < c d < not and");
    check("(a < b) == (c < d)", "a b < c d < ==");
}

TEST(conditions_reach_as_far_as_they_can)
{
    check("if a < b then c else d", "a b < c d select");
    check("if a < b then c else d + 1", "a b < c d 1 + select");
    check("1 + if a < b then c else d + 1", "1 a b < c d 1 + select +");
    check("(if a < b then c else d) + 1", "a b < c d select 1 +");
    check("if a < 1 then b else if c < 2 then d else e", "a 1 < b c 2 < d e select select");
    check("if a < 1 then if b < 2 then c else d else e", "a 1 < b 2 < c d select e select");
    check("if (if a < 1 then b else c) < 2 then d else e", "a 1 < b c select 2 < d e select");
    check("max(if a < 1 then b else c, d)", "a 1 < b c select d max(2)");
    check("-if a < 1 then b else c", "a 1 < b c select neg");
}

TEST(names_have_indices_derivatives_and_initial_values)
{
    check("x' + y", "x' y +");
    check("x[i]", "i x[1]");
    check("x[i - 1, j]", "i 1 - j x[2]");
    check("x[i, j, k]'", "i j k x[3]'");
    check("x(0)", "x(0)");
    check("x( 0 )*2", "x(0) 2 *");
    check("u[2](0)", "2 u[1](0)");
    check("x[k[1]]", "1 k[1] x[1]");
    check("x[i]^2", "i x[1] 2 ^");
    check("time*pi", "time pi *");
    check("time", "time");
    check("-x'", "x' neg");
}

TEST(functions_have_one_or_more_arguments)
{
    check("exp(a)", "a exp(1)");
    check("exp(0)", "0 exp(1)");
    check("pow(a, b + 1)", "a b 1 + pow(2)");
    check("max(a, b, -c)", "a b c neg max(3)");
    check("exp(-E/(R*T))", "E neg R T * / exp(1)");
    check("f(0, 1)", "0 1 f(2)");
    check("f(1)", "1 f(1)");
    check("min(max(a, b), c)*d", "a b max(2) c min(2) d *");
}

TEST(numbers_carry_units)
{
    check("8.314 [J/mol/K]*T", "8.3140000000000001[J/mol/K] T *");
    check("1[]", "1[]");
    check("(2 [m/s])", "2[m/s]");
    check("5 [%] + 1 [µm]", "5[%] 1[µm] +");
}

TEST(sums_and_products_have_ranges_and_a_body)
{
    check("sum(i in 1..N: x[i])", "sum{i: 1 .. N | i x[1]}");
    check("2*product(i in 1..3: i + 1) + 1", "2 product{i: 1 .. 3 | i 1 +} * 1 +");
    check("sum(i in 1..N, j in i..N - 1: a[i, j])", "sum{i: 1 .. N; j: i .. N 1 - | i j a[2]}");
    check("sum(i in 1..N: sum(j in 1..i: j)*i)", "sum{i: 1 .. N | sum{j: 1 .. i | j} i *}");
    check("sum(i in sum(j in 1..2: j)..sum(k in 1..3: k): i)",
          "sum{i: sum{j: 1 .. 2 | j} .. sum{k: 1 .. 3 | k} | i}");
    check("sum(i in 1..2: if i == 1 then a else b)", "sum{i: 1 .. 2 | i 1 == a b select}");
    check("a*sum(i in 1..2: i)^2", "a sum{i: 1 .. 2 | i} 2 ^ *");
}

TEST(terms_know_their_places)
{
    struct syntax syntax;
    parse_good(&syntax, "let v = -x[1, 2]' + exp(2.5 [s])*if a < b then u[3](0) else "
                        "sum(ij in 1..2: y(0))");
    static const char *const places[] = {"1", "2", "x[1, 2]'", "-",   "2.5", "exp", "a", "b",
                                         "<", "3", "u[3](0)",  "sum", "if",  "*",   "+"};
    struct expression const e = syntax.statement.item[0].value;
    CHECK_EQUAL(e.count, sizeof places / sizeof *places);
    for (uint32_t i = 0; i < e.count; i++)
        check_place(&syntax, syntax.term.item[e.first + i].place, places[i]);
    check_place(&syntax, syntax.term.item[syntax.body.item[0].value.first].place, "y(0)");
    check_place(&syntax, syntax.range.item[0].place, "ij in 1..2");
    check_place(&syntax, syntax.term.item[e.first + 4].unit, "s");
    syntax_free(&syntax);
}

TEST(a_name_is_kept_once)
{
    struct syntax syntax;
    parse_good(&syntax, "let abc = abc + ab + abcd\nlet ab = abcd");
    CHECK_EQUAL(syntax.name.count, 3);
    CHECK_EQUAL(syntax_name(&syntax, "abc"), 0);
    CHECK_EQUAL(syntax_name(&syntax, "ab"), 1);
    CHECK_EQUAL(syntax_name(&syntax, "abcd"), 2);
    CHECK_EQUAL(syntax_name(&syntax, "a"), NO_NAME);
    syntax_free(&syntax);
    CHECK_EQUAL(syntax_name(&syntax, "abc"), NO_NAME);
}
