/* SPDX-License-Identifier: Apache-2.0 */
/* Units: what is read, what it is in base units, what is refused and where. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/units.h"

/* The unit in base units is `written`. */
static void reads(const char *text, const char *written)
{
    struct unit unit;
    struct unit_fault fault = {0};
    char base[UNIT_TEXT];
    if (!unit_parse(text, strlen(text), &unit, &fault))
        fprintf(stderr, "%s: %s\n", text, fault.what);
    CHECK(unit_parse(text, strlen(text), &unit, &fault));
    unit_write(&unit, base);
    if (strcmp(base, written) != 0) fprintf(stderr, "%s is %s, not %s\n", text, base, written);
    CHECK(strcmp(base, written) == 0);
}

static void refuses(const char *text, size_t offset, size_t length, const char *what)
{
    struct unit unit;
    struct unit_fault fault = {0};
    CHECK(!unit_parse(text, strlen(text), &unit, &fault));
    CHECK_TEXT_CONTAINS(fault.what, what);
    CHECK_EQUAL(fault.offset, offset);
    CHECK_EQUAL(fault.length, length);
}

TEST(names_and_prefixes_are_read_the_longest_first)
{
    reads("m", "m");
    reads("min", "60 s"); /* not milli-inch */
    reads("mm", "0.001 m");
    reads("cd", "cd");           /* not centi-day */
    reads("Pa", "m^-1 kg s^-2"); /* not peta-ampere or pico-year */
    reads("kPa", "1000 m^-1 kg s^-2");
    reads("kg", "kg");
    reads("mol", "mol");
    reads("mmol", "0.001 mol");
    reads("M", "1000 m^-3 mol");
    reads("mM", "m^-3 mol");
    reads("MHz", "1000000 s^-1");
    reads("dam", "10 m");
    reads("h", "3600 s");
    reads("t", "1000 kg");
    reads("\xc2\xb5s", "1e-06 s"); /* micro sign */
    reads("\xce\xbcs", "1e-06 s"); /* Greek mu */
    reads("us", "1e-06 s");
    reads("kcal", "4184 m^2 kg s^-2");
    reads("%", "0.01");
    reads("ppm", "1e-06");
    reads("Ohm", "m^2 kg s^-3 A^-2");
    reads("F", "m^-2 kg^-1 s^4 A^2");
    reads("rad", "1");
}

TEST(products_quotients_and_powers_are_read)
{
    reads("", "1");
    reads("1", "1");
    reads("-", "1");
    reads("J/mol/K", "m^2 kg s^-2 K^-1 mol^-1");
    reads("J/(mol K)", "m^2 kg s^-2 K^-1 mol^-1");
    reads("kg m^2 s-1", "m^2 kg s^-1");
    reads("kg*m.s", "m kg s");
    reads("kg\xc2\xb7m", "m kg");
    reads("m2/s", "m^2 s^-1");
    reads("1/s", "s^-1");
    reads("m^(1/2)", "m^0.5");
    reads("m^(-1/2)", "m^-0.5");
    reads("m^+2", "m^2");
    reads("m^0.5", "m^0.5");
    reads("(m/s)^2", "m^2 s^-2");
    reads("10^3 m", "1000 m");
    reads("1.5 m", "1.5 m");
    reads("cm^3/mol/s", "1e-06 m^3 s^-1 mol^-1");
    reads("m kg s A K mol cd", "m kg s A K mol cd");
}

TEST(what_is_no_unit_is_refused_at_its_place)
{
    refuses("furlong", 0, 7, "no unit has this name");
    refuses("kg furlong", 3, 7, "no unit has this name");
    refuses("kmin", 0, 4, "no unit has this name"); /* min takes no prefix */
    refuses("degC", 0, 4, "in K");
    refuses("\xc2\xb0"
            "C",
            0, 3, "in K");
    refuses("kg/", 2, 1, "missing behind /");
    refuses("kg/(m", 4, 1, "a ) is missing");
    refuses("kg)", 2, 1, "closes nothing");
    refuses("kg^", 3, 1, "a number is expected");
    refuses("kg^(1/0)", 6, 1, "divides by zero");
    refuses("kg^(1/", 6, 1, "a number is expected");
    refuses("kg^(1", 5, 1, "a ) is missing");
    refuses("(kg)^x", 5, 1, "a number is expected");
    refuses("kg^101", 5, 1, "too large");
    refuses("kg?", 2, 1, "no meaning");
    refuses("0 m", 0, 1, "zero");
    refuses("1.2.3 m", 0, 5, "a number is expected");
    refuses("1111111111111111111111111111111111111111 m", 0, 31, "too long");
    refuses("10^x", 3, 1, "a number is expected");
    refuses("((((((((((((((((m))))))))))))))))", 15, 1, "too many");
    refuses("(km^99)^99", 0, 10, "out of range");
    CHECK(!unit_parse("m\0s", 3, &(struct unit){0}, &(struct unit_fault){0}));
}

/* By what they are called in words, and by case. */
TEST(names_that_no_unit_has_are_suggested)
{
    refuses("Kg", 0, 2, "no unit has this name; did you mean kg?");
    refuses("KG", 0, 2, "did you mean kg?");
    refuses("sec", 0, 3, "did you mean s?");
    refuses("SEC", 0, 3, "did you mean s?"); /* not degrees Celsius */
    refuses("1/hours", 2, 5, "did you mean h?");
    refuses("mole/L", 0, 4, "did you mean mol?");
    refuses("MOL", 0, 3, "did you mean mol?");
    refuses("Min", 0, 3, "did you mean min?");
    refuses("Litres", 0, 6, "did you mean L?");
    refuses("kilograms", 0, 9, "did you mean kg?");
    refuses("kmoles", 0, 6, "did you mean kmol?");
    refuses("millisec", 0, 8, "no unit has this name");
    refuses("kpa", 0, 3, "did you mean kPa?");
    refuses("MHZ", 0, 3, "did you mean MHz?");
    refuses("mhz", 0, 3, "did you mean mHz?");
    refuses("hz", 0, 2, "did you mean Hz?");
    refuses("celsius", 0, 7, "in K");
    CHECK(!unit_parse("furlong", 7, &(struct unit){0}, &(struct unit_fault){0}));
}

TEST(superscripts_are_written_as_powers)
{
    refuses("m\xc2\xb2", 1, 2, "write ^2");
    refuses("mol\xc2\xb7L\xe2\x81\xbb\xc2\xb9", 6, 5, "write ^-1");
    refuses("s\xe2\x81\xbb\xc2\xb9\xe2\x81\xb0 m", 1, 8, "write ^-10");
    refuses("(m/s)\xe2\x81\xb4", 5, 3, "write ^4");
    refuses("\xc2\xb2", 0, 2, "write ^2");
}

TEST(signs_of_units_are_read)
{
    reads("\xce\xa9", "m^2 kg s^-3 A^-2");           /* Greek omega */
    reads("k\xe2\x84\xa6", "1000 m^2 kg s^-3 A^-2"); /* ohm sign */
    reads("kg\xe2\x8b\x85m", "m kg");                /* dot operator */
}

TEST(long_units_are_cut_not_overrun)
{
    struct unit unit = {.factor = 1.23456789e-123};
    char text[UNIT_TEXT];
    for (int i = 0; i < UNIT_BASES; i++) unit.exponent[i] = -12345.678e10;
    unit_write(&unit, text);
    CHECK_EQUAL(strlen(text), UNIT_TEXT - 1);
}

TEST(numbers_of_units_are_the_same_for_the_same_unit)
{
    struct unit_table table = {0};
    struct unit newton, product, one;
    struct unit_fault fault;
    CHECK(unit_parse("N", 1, &newton, &fault) && unit_parse("kg m/s^2", 8, &product, &fault));
    CHECK(unit_parse("1", 1, &one, &fault));
    uint32_t const a = unit_number(&table, &newton);
    CHECK(a > UNIT_NONE);
    CHECK_EQUAL(unit_number(&table, &product), a);
    CHECK_EQUAL(unit_number(&table, &one), UNIT_NONE);
    CHECK_EQUAL(unit_multiply(&table, a, a, -1), UNIT_NONE);
    CHECK_EQUAL(unit_multiply(&table, a, UNIT_NONE, 1), a);
    CHECK_EQUAL(unit_multiply(&table, a, UNIT_UNKNOWN, 1), UNIT_UNKNOWN);
    CHECK_EQUAL(unit_multiply(&table, UNIT_UNKNOWN, a, 1), UNIT_UNKNOWN);
    uint32_t const square = unit_multiply(&table, a, a, 1);
    CHECK_EQUAL(unit_multiply(&table, UNIT_NONE, square, 0.5), a);
    CHECK_EQUAL(unit_multiply(&table, a, a, 1), square); /* remembered */
    CHECK(unit_same_dimension(unit_of(&table, a), &newton));
    CHECK_CLOSE(unit_of(&table, UNIT_NONE)->factor, 1, 0);
    unit_table_free(&table);
}

/* product(i in 1..N: x^i) has a new unit at every step: looking them up must not take for ever. */
TEST(more_units_than_anybody_has_are_unknown)
{
    struct unit_table table = {0};
    struct unit metre = {.factor = 1, .exponent = {1}};
    uint32_t const m = unit_number(&table, &metre);
    uint32_t unit = m;
    for (int k = 0; k < 100000; k++) unit = unit_multiply(&table, m, unit, 1);
    CHECK_EQUAL(unit, UNIT_UNKNOWN);
    CHECK_EQUAL(table.unit.count, MAX_UNITS);
    unit_table_free(&table);
}
