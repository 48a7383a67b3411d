/* SPDX-License-Identifier: Apache-2.0 */
/* Every statement of the language, with all its parts. */
#include "model_parse_show.h"

static struct syntax syntax;

/* Parses the text and returns the statement of that number. */
static const struct statement *parse(const char *text, size_t count)
{
    syntax_free(&syntax);
    parse_good(&syntax, text);
    CHECK_EQUAL(syntax.statement.count, count);
    return syntax.statement.item;
}

/* Kind, declared name and value of a statement. */
static void check(const struct statement *s, enum statement_kind kind, const char *name,
                  const char *value)
{
    CHECK_EQUAL(s->kind, kind);
    if (name)
        CHECK(s->name != NO_NAME && strcmp(syntax.name.item[s->name], name) == 0);
    else
        CHECK_EQUAL(s->name, NO_NAME);
    check_terms(&syntax, s->value, value);
}

static void check_item(struct items list, uint32_t number, const char *value)
{
    CHECK(list.given && number < list.count);
    check_terms(&syntax, syntax.item.item[list.first + number], value);
}

TEST(model_has_a_name_and_a_title)
{
    const struct statement *s = parse("model gas_oil \"Catalytic cracking\"\n", 1);
    check(s, STATEMENT_MODEL, "gas_oil", "");
    check_place(&syntax, s->text, "Catalytic cracking");
    check_place(&syntax, s->place, "gas_oil");
    CHECK_EQUAL(parse("model m", 1)->text.offset, 0);
    syntax_free(&syntax);
}

TEST(parameters_have_units_bounds_and_scales)
{
    const struct statement *s =
        parse("parameter k1 [1/s] = 0.5 in 0 .. 2*c scale 0.1, k2 = 3, K[1..3] [mol/L] = 1\n", 3);
    check(&s[0], STATEMENT_PARAMETER, "k1", "0.5");
    check_place(&syntax, s[0].unit, "1/s");
    check_place(&syntax, s[0].place, "k1");
    check_terms(&syntax, s[0].lower, "0");
    check_terms(&syntax, s[0].upper, "2 c *");
    check_terms(&syntax, s[0].scale, "0.10000000000000001");
    check(&s[1], STATEMENT_PARAMETER, "k2", "3");
    CHECK_EQUAL(s[1].unit.offset, 0);
    CHECK_EQUAL(s[1].lower.count + s[1].upper.count + s[1].scale.count, 0);
    check(&s[2], STATEMENT_PARAMETER, "K", "1");
    check_ranges(&syntax, s[2].ranges, ": 1 .. 3");
    check_place(&syntax, s[2].unit, "mol/L");
    s = parse("parameter k = 1 scale 2 in 0 .. 4", 1);
    check_terms(&syntax, s->upper, "4");
    syntax_free(&syntax);
}

TEST(constants_may_be_vectors_given_as_lists)
{
    const struct statement *s =
        parse("constant N = 10, c[1..3] [m] = {1, N + 1,\n 3}, d[i in 1..N, "
              "j in 2..N-1] = i*j, e[] = 2, f[1] = 3",
              5);
    check(&s[0], STATEMENT_CONSTANT, "N", "10");
    check(&s[1], STATEMENT_CONSTANT, "c", "");
    CHECK_EQUAL(s[1].list.count, 3);
    check_item(s[1].list, 0, "1");
    check_item(s[1].list, 1, "N 1 +");
    check_item(s[1].list, 2, "3");
    check_ranges(&syntax, s[2].ranges, "i: 1 .. N; j: 2 .. N 1 -");
    check(&s[2], STATEMENT_CONSTANT, "d", "i j *");
    CHECK(s[3].unit.offset > 0 && s[3].unit.length == 0);
    check_place(&syntax, s[4].unit, "1");
    syntax_free(&syntax);
}

TEST(states_have_initial_values_and_tolerances)
{
    const struct statement *s =
        parse("state x = 1 atol 1e-8, u[i in 1..N] [K] = sin(pi*i/(N+1)), v[k[1]..2] = x(0)\n"
              "algebraic z [m] = x(0) + 1 atol 0.5",
              4);
    check(&s[0], STATEMENT_STATE, "x", "1");
    check_terms(&syntax, s[0].atol, "1e-08");
    check(&s[1], STATEMENT_STATE, "u", "pi i * N 1 + / sin(1)");
    check_ranges(&syntax, s[1].ranges, "i: 1 .. N");
    check_place(&syntax, s[1].unit, "K");
    check_ranges(&syntax, s[2].ranges, ": 1 k[1] .. 2");
    check(&s[3], STATEMENT_ALGEBRAIC, "z", "x(0) 1 +");
    check_terms(&syntax, s[3].atol, "0.5");
    syntax_free(&syntax);
}

TEST(lets_outputs_and_integrals_have_definitions)
{
    const struct statement *s = parse("let r = k*x, w[i in 1..2, j in 1..2, k in 1..2] = i\n"
                                      "output y [%] = 100*x, r, p[i in 1..N] = u[i], q\n"
                                      "output last\n"
                                      "integral J [mol] = r^2",
                                      8);
    check(&s[0], STATEMENT_LET, "r", "k x *");
    check_ranges(&syntax, s[1].ranges, "i: 1 .. 2; j: 1 .. 2; k: 1 .. 2");
    check(&s[2], STATEMENT_OUTPUT, "y", "100 x *");
    check_place(&syntax, s[2].unit, "%");
    check(&s[3], STATEMENT_OUTPUT, "r", "");
    check(&s[4], STATEMENT_OUTPUT, "p", "i u[1]");
    check(&s[5], STATEMENT_OUTPUT, "q", "");
    check(&s[6], STATEMENT_OUTPUT, "last", "");
    check(&s[7], STATEMENT_INTEGRAL, "J", "r 2 ^");
    check_place(&syntax, s[7].unit, "mol");
    syntax_free(&syntax);
}

TEST(controls_have_levels_and_a_grid)
{
    const struct statement *s =
        parse("control u [K] = 300 in 280 .. 320 scale 10 piecewise constant on 0 .. T by N + 1\n"
              "control w = {1, 2, 3} piecewise linear at {0, 0.5, T}",
              2);
    check(&s[0], STATEMENT_CONTROL, "u", "300");
    CHECK(!s[0].is_linear && !s[0].grid.given && !s[0].list.given);
    check_terms(&syntax, s[0].lower, "280");
    check_terms(&syntax, s[0].scale, "10");
    check_terms(&syntax, s[0].from, "0");
    check_terms(&syntax, s[0].to, "T");
    check_terms(&syntax, s[0].by, "N 1 +");
    check(&s[1], STATEMENT_CONTROL, "w", "");
    CHECK(s[1].is_linear);
    check_item(s[1].list, 2, "3");
    CHECK_EQUAL(s[1].grid.count, 3);
    check_item(s[1].grid, 1, "0.5");
    check_item(s[1].grid, 2, "T");
    CHECK_EQUAL(s[1].by.count, 0);
    syntax_free(&syntax);
}

TEST(inputs_come_from_files)
{
    const struct statement *s = parse(
        "input T [K] from \"data.csv\"\ninput a from \"a b.csv\" column 3 piecewise constant\n"
        "input b from \"x\" piecewise linear column \"b, [K]\"",
        3);
    check(&s[0], STATEMENT_INPUT, "T", "");
    check_place(&syntax, s[0].text, "data.csv");
    check_place(&syntax, s[0].unit, "K");
    CHECK(s[0].is_linear && s[0].column_number == 0 && s[0].column.offset == 0);
    check_place(&syntax, s[1].text, "a b.csv");
    CHECK(!s[1].is_linear);
    CHECK_EQUAL(s[1].column_number, 3);
    CHECK(s[2].is_linear);
    check_place(&syntax, s[2].column, "b, [K]");
    syntax_free(&syntax);
}

TEST(equations_have_two_sides_and_indices)
{
    const struct statement *s =
        parse("x' = -k*x\nu[i,j]' = u[i-1,j] for i in 2..N-1, j in 1..N\nm*v' + x' = 3\n"
              "0 = x + y\ntime*x' = 1\ntime = y\n2 = z",
              7);
    check(&s[0], STATEMENT_EQUATION, NULL, "k neg x *");
    check_terms(&syntax, s[0].left, "x'");
    check_place(&syntax, s[0].place, "x'");
    CHECK_EQUAL(s[0].ranges.count, 0);
    check_terms(&syntax, s[1].left, "i j u[2]'");
    check_ranges(&syntax, s[1].ranges, "i: 2 .. N 1 -; j: 1 .. N");
    check_terms(&syntax, s[2].left, "m v' * x' +");
    check_place(&syntax, s[2].place, "m*v' + x'");
    check_terms(&syntax, s[3].left, "0");
    check_terms(&syntax, s[4].left, "time x' *");
    check_terms(&syntax, s[5].left, "time");
    check_terms(&syntax, s[6].left, "2");
    syntax_free(&syntax);
}

/* The species of that number. */
static void check_species(uint32_t number, const char *stoichiometry, const char *name,
                          const char *place)
{
    CHECK(number < syntax.species.count);
    const struct species *const s = &syntax.species.item[number];
    check_terms(&syntax, s->stoichiometry, stoichiometry);
    CHECK(strcmp(syntax.name.item[s->name], name) == 0);
    check_place(&syntax, s->place, place);
}

TEST(reactions_have_two_sides_and_rates)
{
    const struct statement *s = parse("r1: 2 A + B -> C + 3D, k1*A*B\n"
                                      "reaction A <-> 2E, kf*A, kb*B\n"
                                      "reaction r3: 0 -> (n + 1) A[i, 2] + 2*B, k for i in 1..N\n"
                                      "r4: A -> 0, k*A; r5: 0 <-> 0.5 A, 1, 2",
                                      5);
    check(&s[0], STATEMENT_REACTION, "r1", "k1 A * B *");
    CHECK(!s[0].reversible);
    CHECK_EQUAL(s[0].left_first, 0);
    CHECK_EQUAL(s[0].left_count, 2);
    CHECK_EQUAL(s[0].right_first, 2);
    CHECK_EQUAL(s[0].right_count, 2);
    check_species(0, "2", "A", "2 A");
    check_species(1, "", "B", "B");
    check_species(3, "3", "D", "3D");
    check(&s[1], STATEMENT_REACTION, NULL, "kf A *");
    CHECK(s[1].reversible);
    check_terms(&syntax, s[1].backward, "kb B *");
    check_species(5, "2", "E", "2E");
    check(&s[2], STATEMENT_REACTION, "r3", "k");
    CHECK_EQUAL(s[2].left_count, 0);
    check_species(6, "n 1 +", "A", "(n + 1) A[i, 2]");
    check_terms(&syntax, syntax.species.item[6].index[0], "i");
    check_terms(&syntax, syntax.species.item[6].index[1], "2");
    CHECK_EQUAL(syntax.species.item[6].index[2].count, 0);
    check_species(7, "2", "B", "2*B");
    check_ranges(&syntax, s[2].ranges, "i: 1 .. N");
    CHECK_EQUAL(s[3].right_count, 0);
    CHECK_EQUAL(s[4].left_count, 0);
    check_species(9, "0.5", "A", "0.5 A");
    syntax_free(&syntax);
}

TEST(the_time_span_may_have_a_unit)
{
    const struct statement *s = parse(
        "time 0 .. 4\ntime -1 .. 2*T [s]; time a[1] .. b[2] [min]; time 0 [s] .. (1 + 2) [h]\n"
        "time 0 .. 10[d]",
        5);
    check(&s[0], STATEMENT_TIME, NULL, "");
    check_terms(&syntax, s[0].lower, "0");
    check_terms(&syntax, s[0].upper, "4");
    CHECK_EQUAL(s[0].unit.offset, 0);
    check_place(&syntax, s[0].place, "time");
    check_terms(&syntax, s[1].lower, "1 neg");
    check_terms(&syntax, s[1].upper, "2 T *");
    check_place(&syntax, s[1].unit, "s");
    check_terms(&syntax, s[2].upper, "2 b[1]");
    check_place(&syntax, s[2].unit, "min");
    check_terms(&syntax, s[3].lower, "0[s]");
    check_terms(&syntax, s[3].upper, "1 2 +");
    check_place(&syntax, s[3].unit, "h");
    check_terms(&syntax, s[4].upper, "10");
    check_place(&syntax, s[4].unit, "d");
    syntax_free(&syntax);
}
