/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs from files: what a table may look like, and what is wrong with one, by its line. */
#include "test.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/table_file.h"
#include "model/units.h"
#include "support/bound_model.h"
#include "support/temporary.h"

/* A table in a file of its own, and the model `input q from it` with the given end of the line. */
struct setup {
    char path[TEMPORARY_PATH], text[TEMPORARY_PATH + 400];
    struct bound_model m;
};

static void set_up(struct setup *s, const char *table, size_t length, const char *end)
{
    CHECK(temporary_file(s->path, "input", table, length));
    snprintf(s->text, sizeof s->text, "state x = 1\ninput q from \"%s\" %s\nx' = q\n", s->path,
             end);
    bound_parse(&s->m, s->text);
    unlink(s->path);
}

static void accepts(const char *table, const char *end, size_t rows, double first, double last)
{
    struct setup s;
    set_up(&s, table, strlen(table), end);
    if (s.m.status != TANSY_OK) fprintf(stderr, "%s\n", s.m.syntax.diagnosis.text);
    CHECK_EQUAL(s.m.status, TANSY_OK);
    CHECK_EQUAL(s.m.system.table.count, 1);
    const struct table *const t = &s.m.system.table.item[0];
    CHECK_EQUAL(t->count, rows);
    CHECK_CLOSE(t->value[0], first, 0);
    CHECK_CLOSE(t->value[rows - 1], last, 0);
    CHECK_EQUAL(s.m.system.break_time.count, rows);
    CHECK_EQUAL(t->breaks, rows);
    for (size_t i = 0; i < rows; i++) CHECK_CLOSE(t->break_time[i], t->t[i], 0);
    bound_free(&s.m);
}

/* The caret is `behind` bytes behind the name of the file. */
static void refuses_at(const char *table, size_t length, const char *end, size_t behind,
                       const char *words)
{
    struct setup s;
    char place[TEMPORARY_PATH + 100];
    set_up(&s, table, length, end);
    CHECK_EQUAL(s.m.status, TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(s.m.syntax.diagnosis.text, words);
    size_t const column = behind > 0 ? 15 + strlen(s.path) + behind : 15;
    snprintf(place, sizeof place, "test.tansy:2:%zu: %s", column, s.path);
    CHECK_TEXT_CONTAINS(s.m.syntax.diagnosis.text, place);
    bound_free(&s.m);
}

static void refuses(const char *table, size_t length, const char *end, const char *words)
{
    refuses_at(table, length, end, 0, words);
}

/* Where the fault is the name of the column, the caret is under it: behind `" column "`. */
static void refuses_column(const char *table, const char *end, const char *words)
{
    refuses_at(table, strlen(table), end, strlen("\" column \""), words);
}

TEST(tables_of_several_looks_are_read)
{
    accepts("0,1\n1,2\n3,5\n", "", 3, 1, 5);
    accepts("0;1\n1;2", "", 2, 1, 2);
    accepts("0\t1\r\n1\t2\r\n", "", 2, 1, 2);
    accepts("\xef\xbb\xbf# comment\n\ntime, flow\n 0 , 1 \n1, 2e0\n", "", 2, 1, 2);
    accepts("t,a,b\n0,1,10\n1,2,20\n", "column 3", 2, 10, 20);
    accepts("t,a,b\n0,1,10\n1,2,20\n", "column \"b\"", 2, 10, 20);
    accepts("t,\"a,b\" ,c\n0,1,10\n1,2,20\n", "column \"a,b\"", 2, 1, 2);
    accepts("0,1,10\n1,2,20\n", "column 1", 2, 0, 1);
    accepts("t,3,2,1\n0,1,10,7\n1,2,20,8\n", "column 3", 2, 10, 20); /* names that are numbers */
    accepts("t,3,2,1\n0,1,10,7\n1,2,20,8\n", "column \"3\"", 2, 1, 2);
    accepts("5,7\n", "piecewise constant", 1, 7, 7);
    accepts("A title\n0;1\n1;-2", "", 2, 1, -2);
}

TEST(between_semicolons_and_tabs_a_comma_is_decimal)
{
    accepts("0;1,5\n1;2,5\n", "", 2, 1.5, 2.5);
    accepts("t;\"a;b\"\n0,25;1\n1,5;+2,5e-1\n", "", 2, 1, 0.25);
    accepts("0\t1,5\n1\t2,5\n", "", 2, 1.5, 2.5);
    accepts("0.5;1.5\n1;2.5\n", "", 2, 1.5, 2.5);
    refuses("0;1,5\n1;2.5\n", 12, "", ":2: '2.5' has a decimal point, but a number above has");
    refuses("0.5;1,5\n", 8, "", ":1: '1,5' has a decimal comma, but a number above has a decimal");
    for (size_t k = 0; k < 2; k++) /* whichever column is read */
        refuses("0;1,5;2.5\n1;2,5;3.5\n", 20, k ? "column 3" : "column 2",
                ":1: '2.5' has a decimal point, but a number above has a decimal comma");
    accepts("t;a;note\n0;1,5;v2.5\n1;2,5;1.2.3\n", "", 2, 1.5, 2.5); /* no numbers */
    refuses("0;1,234.5\n", 10, "", ":1: '1,234.5' is not a finite number");
    refuses("0;1,234,5\n", 10, "", ":1: '1,234,5' is not a finite number");
    refuses("0;1,\n", 5, "", ":1: '1,' is not a finite number");
    refuses("0,1\n1;2\n", 8, "", ":2: this line has 1 column, not 2 as the lines above");
    refuses("0,\"1,5\"\n", 8, "", ":1: '1,5' is not a finite number");
}

TEST(rows_have_the_same_number_of_columns)
{
    refuses("0,1\n1,2,5\n", 10, "", ":2: this line has 3 columns, not 2 as the lines above");
    refuses("0,1,3\n1,2\n", 10, "", ":2: this line has 2 columns, not 3 as the lines above");
    refuses("t,a,b\n0,1\n", 10, "", ":2: this line has 2 columns, not 3 as the lines above");
    refuses("0\n1\n", 4, "", ":1: this line has 1 column, not 2");
    refuses("0 1\n1 2\n", 8, "", ":2: this line has 1 column, not 2; columns are separated by");
}

TEST(quotes_are_closed_at_the_end_of_a_field)
{
    accepts("0,\"1\"\n1,\"2\" \n", "", 2, 1, 2);
    accepts("0,1,\"say \"\"one\"\", then\"\n1,2,\"\"\n", "", 2, 1, 2); /* doubled quotes inside */
    accepts("0,1,5\" pipe\n1,2,\n", "", 2, 1, 2);
    refuses("0,1\n1,\"2\n", 9, "", ":2: the closing quote of '2' is missing");
    refuses("0,1\n1,\"2\"x\n", 11, "", ":2: 'x' stands behind a closing quote");
    refuses("0,1,a\n1,2,\"b\n", 13, "", ":2: the closing quote of 'b' is missing");
    refuses("0,1,a\n1,2,\"b\"c\"\n", 16, "", ":2: 'c\"' stands behind a closing quote");
    refuses("t,\"a\n0,1\n", 9, "column \"a\"", ":1: the closing quote of 'a' is missing");
    refuses("0,1\n1,2\"3\n", 10, "", ":2: '2\"3' is not a finite number");
    refuses("0,1\n1,\"2\"\"3\"\n", 13, "", ":2: '2\"\"3' is not a finite number");
}

TEST(a_column_that_is_misspelt_is_suggested)
{
    refuses_column("t,aa,cc\n0,1,2\n", "column \"ab\"",
                   ":1: no column is called ab; did you mean aa?");
    refuses_column("t, \"T_out\" ,x\n0,1,2\n", "column \"t_out\"", "did you mean T_out?");
    refuses_column("t,aa\n0,1\n", "column \"flow\"", ":1: no column is called flow\n");
}

/* Values between the rows are value + slope (t - t_i). */
TEST(slopes_of_a_linear_table_are_finite)
{
    refuses("0,1\n1e-320,2\n", 13, "", ":2: the slope from the row before is out of range");
    refuses("0,-1e308\n1,1e308\n", 17, "", ":2: the slope from the row before is out of range");
    refuses("-1e308,0\n1e308,1\n", 17, "", ":2: the slope from the row before is out of range");
    accepts("0,1\n1e-320,2\n", "piecewise constant", 2, 1, 2);
    accepts("0,1\n1e-320,1\n", "", 2, 1, 1);
}

TEST(line_ends_are_those_of_unix_or_windows)
{
    static const char says[] =
        ":1: a carriage return without line feed: save the file with the line "
        "ends of Unix or Windows";
    refuses("0,1\r1,2\r", 8, "", says);
    refuses("# t, q\r0,1\r1,2\r", 15, "", says);
}

/* /dev/zero has no end: its first bytes are refused. */
TEST(a_file_has_an_end)
{
    struct table_file file = {.limit = 7};
    struct bound_model m;
    bound_parse(&m, "state x = 1\ninput q from \"/dev/zero\"\nx' = q");
    CHECK_EQUAL(m.status, TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, "/dev/zero: this is no text");
    bound_free(&m);
    char path[TEMPORARY_PATH];
    CHECK(temporary_file(path, "table", "0,1\n1,2\n", 8));
    CHECK_EQUAL(table_file_read(&file, path, NULL, 0), TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(file.fault, "this file is larger than 7 bytes");
    table_file_free(&file);
    file = (struct table_file){.limit = 8};
    CHECK_EQUAL(table_file_read(&file, path, NULL, 0), TANSY_OK);
    CHECK_EQUAL(file.t.count, 2);
    table_file_free(&file);
    unlink(path);
}

/* Where the system has a locale with decimal commas. */
TEST(the_locale_does_not_matter)
{
    static const char *const places[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "C"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (!setlocale(LC_ALL, places[i])) continue;
        accepts("0.5,1.5\n1.5,2.5\n", "", 2, 1.5, 2.5);
        struct unit unit;
        struct unit_fault fault;
        CHECK(unit_parse("0.5 m^0.5", 9, &unit, &fault));
        CHECK_CLOSE(unit.factor, 0.5, 0);
        CHECK_CLOSE(unit.exponent[0], 0.5, 0);
    }
    (void)setlocale(LC_ALL, "C");
}

TEST(a_table_is_linear_unless_it_is_constant)
{
    struct setup s;
    double f;
    set_up(&s, "0,1\n2,5\n", 8, "");
    CHECK(s.m.system.table.item[0].is_linear);
    bound_values(&s.m, 1, (double[]){0}, NULL, s.m.system.rhs, 1, &f);
    CHECK_CLOSE(f, 3, 0);
    bound_free(&s.m);
    set_up(&s, "0,1\n2,5\n", 8, "piecewise constant");
    CHECK(!s.m.system.table.item[0].is_linear);
    bound_values(&s.m, 1, (double[]){0}, NULL, s.m.system.rhs, 1, &f);
    CHECK_CLOSE(f, 1, 0);
    bound_free(&s.m);
}

TEST(what_is_wrong_with_a_table_is_said_with_its_line)
{
    refuses("0,1\n1,2\n1,3\n", 12, "", ":3: the time 1 does not rise");
    refuses("0 s,1\n1,2\n", 10, "", ":1: '0 s' is not a finite number");
    refuses("-.5e,1\n1,2\n", 11, "", ":1: '-.5e' is not a finite number");
    accepts("1st,x\n0,1\n1,2\n", "", 2, 1, 2);
    accepts("t,300\n0,1\n1,2\n", "", 2, 1, 2);
    refuses("0,1\n1,x\n", 8, "", ":2: 'x' is not a finite number");
    refuses("0,1\n1,1e999\n", 12, "", ":2: '1e999' is not a finite number");
    refuses("0,1\n1,nan\n", 10, "", ":2: 'nan' is not a finite number");
    refuses("0,1\n1,\n", 7, "", ":2: '' is not a finite number");
    refuses("0,1\nzero,1\n", 11, "", ":2: 'zero' is not");
    refuses("0,1\n1\n", 6, "", ":2: this line has 1 column, not 2 as the lines above");
    refuses_column("t,a\n0,1\n", "column \"b\"", ":1: no column is called b");
    refuses_column("t,b,b\n0,1,2\n", "column \"b\"", ":1: b names two columns");
    refuses_column("0,1\n", "column \"b\"", ":1: there is no line of names");
    refuses_column("0,1\n", "column \"0\"", ":1: there is no line of names");
    refuses("t,a\n", 4, "", ": there is no row of numbers");
    refuses("", 0, "", "there is no row of numbers");
    refuses("0,\0001\n", 5, "", "NUL byte");
    refuses("0,11111111111111111111111111111111111111111111111111111111111111111111\n", 71, "",
            "is not a finite number");
}

TEST(a_file_that_is_not_there_is_said_so)
{
    struct bound_model m;
    bound_parse(&m, "state x = 1\ninput q from \"no/such.csv\"\nx' = q");
    CHECK_EQUAL(m.status, TANSY_NO_FILE);
    CHECK_EQUAL(m.syntax.diagnosis.status, TANSY_NO_FILE);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text,
                        "test.tansy:2:15: no/such.csv: this file cannot be opened: No such file");
    bound_free(&m);
    bound_parse(&m, "state x = 1\ninput q from \"/\"\nx' = q");
    CHECK_EQUAL(m.status, TANSY_NO_FILE);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, "/: this file cannot be read: Is a directory");
    bound_free(&m);
}

TEST(files_are_beside_the_model)
{
    static const char text[] = "state x = 1\ninput q from \"table.csv\"\nx' = q";
    struct bound_model m = {0};
    CHECK_EQUAL(
        syntax_parse(&m.syntax, (struct source){"no/folder/model.tansy", text, sizeof text - 1}),
        TANSY_OK);
    CHECK_EQUAL(system_bind(&m.system, &m.syntax), TANSY_NO_FILE);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, "no/folder/table.csv: this file");
    bound_free(&m);
}

TEST(an_input_is_a_function_of_time)
{
    struct setup s;
    set_up(&s, "0,1\n2,5\n", 8, "\noutput o = q");
    CHECK_EQUAL(s.m.system.output.count, 1);
    bound_free(&s.m);
    set_up(&s, "0,1\n2,5\n", 8, "\nstate y = q\ny' = 1");
    CHECK_TEXT_CONTAINS(s.m.syntax.diagnosis.text,
                        "an initial value cannot depend on time, but q does");
    bound_free(&s.m);
    set_up(&s, "0,1\n2,5\n", 8, "\noutput q");
    CHECK_EQUAL(s.m.system.output.count, 1);
    bound_free(&s.m);
    set_up(&s, "0,1\n2,5\n", 8, "\ninput unused from \"/dev/null\"");
    CHECK_EQUAL(s.m.status, TANSY_BAD_MODEL);
    bound_free(&s.m);
}
