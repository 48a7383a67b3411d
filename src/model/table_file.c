/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a table in time, see table_file.h. */
#include "model/table_file.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/spelling.h"
#include "model/token_number.h"

enum { MAX_NUMBER = 64, MAX_SHOWN = 40 };

struct field {
    const char *text;
    size_t length;
    bool is_open; /* its quote is not closed */
    const char *behind,
        *end; /* of what stands between its closing quote and the separator, or NULL */
};

/* The look of a file, as far as it is known. */
struct look {
    char separator; /* 0: no line had one yet */
    char decimal;   /* 0: no number had one yet */
    size_t columns; /* 0: no line of numbers or of several names yet */
};

static tansy_status fail(struct table_file *table, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static tansy_status fail(struct table_file *table, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(table->fault, sizeof table->fault, format, arguments);
    va_end(arguments);
    table->fault_line = line;
    return TANSY_BAD_MODEL;
}

/* What was read last, `total` bytes in all: a device may have no end. */
static tansy_status check_bytes(struct table_file *table, const char *bytes, size_t count,
                                size_t total)
{
    size_t const limit = table->limit > 0 ? table->limit : TABLE_FILE_LIMIT;
    if (memchr(bytes, 0, count)) return fail(table, 0, "this is no text: it contains a NUL byte");
    if (total > limit) return fail(table, 0, "this file is larger than %zu bytes", limit);
    return TANSY_OK;
}

/* The whole file, ended by a newline and NUL. */
static tansy_status read_all(struct table_file *table, const char *path, char **text)
{
    LIST(char) all = {0};
    FILE *const file = fopen(path, "rb");
    tansy_status status = TANSY_OK;
    if (!file) {
        fail(table, 0, "this file cannot be opened: %s", strerror(errno));
        return TANSY_NO_FILE;
    }
    for (size_t got = 1; got > 0 && status == TANSY_OK;) {
        if (!LIST_ROOM(&all, 65536)) {
            status = TANSY_OUT_OF_MEMORY;
        } else {
            got = fread(all.item + all.count, 1, all.capacity - all.count - 2, file);
            status = check_bytes(table, all.item + all.count, got, all.count + got);
            all.count += got;
        }
    }
    if (status == TANSY_OK && ferror(file)) {
        fail(table, 0, "this file cannot be read: %s", strerror(errno));
        status = TANSY_NO_FILE;
    }
    (void)fclose(file);
    if (status == TANSY_OK) memcpy(all.item + all.count, "\n", 2);
    if (status != TANSY_OK) LIST_FREE(&all);
    *text = all.item;
    return status;
}

/* The end of a quoted text: its closing quote, or `end`.  Two quotes are one that belongs to the text. */
static const char *quote_end(const char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at != '"') continue;
        if (at + 1 == end || at[1] != '"') return at;
        at++;
    }
    return end;
}

/* The next field of a line that ends at `end`; *at moves behind its separator, to NULL behind the last one. */
static struct field next_field(const char **at, const char *end, char separator)
{
    const char *from = *at;
    while (from < end && *from == ' ') from++;
    bool const quoted = from < end && *from == '"';
    if (quoted) from++;
    const char *const closed = quoted ? quote_end(from, end) : from;
    const char *to = closed;
    while (to < end && *to != separator) to++;
    *at = to < end ? to + 1 : NULL;
    while (to > closed + quoted && to[-1] == ' ') to--;
    if (!quoted) return (struct field){.text = from, .length = (size_t)(to - from)};
    struct field field = {.text = from, .length = (size_t)(closed - from)};
    field.is_open = closed == end;
    if (to > closed + 1) field.behind = closed + 1;
    field.end = to;
    return field;
}

/* The separator of a line: the first of ; tab and comma that it has outside quotes, or 0. */
static char separator_of(struct field row)
{
    static const char known[] = ";\t,";
    for (const char *s = known; *s; s++) {
        bool quoted = false;
        for (size_t k = 0; k < row.length; k++) {
            if (row.text[k] == '"') quoted = !quoted;
            if (row.text[k] == *s && !quoted) return *s;
        }
    }
    return 0;
}

static int shown(size_t length)
{
    return length < MAX_SHOWN ? (int)length : MAX_SHOWN;
}

/* How many fields a line has; their quotes end where they do. */
static tansy_status count_columns(struct table_file *table, size_t line, struct field row,
                                  char separator, size_t *columns)
{
    *columns = 0;
    for (const char *at = row.text; at; ++*columns) {
        struct field const field = next_field(&at, row.text + row.length, separator);
        if (field.is_open)
            return fail(table, line, "the closing quote of '%.*s' is missing", shown(field.length),
                        field.text);
        if (field.behind)
            return fail(table, line, "'%.*s' stands behind a closing quote",
                        shown((size_t)(field.end - field.behind)), field.behind);
    }
    return TANSY_OK;
}

/* False: no finite decimal number.  *decimal is its point or comma, 0 where it has none; a comma has digits behind it. */
static bool number_of(struct field field, char separator, double *number, char *decimal)
{
    char digits[MAX_NUMBER];
    if (field.length == 0 || field.length >= sizeof digits) return false;
    memcpy(digits, field.text, field.length);
    digits[field.length] = 0;
    char *const comma = separator == ',' ? NULL : strchr(digits, ',');
    *decimal = comma ? ',' : strchr(digits, '.') ? '.' : 0;
    if (comma && (strchr(digits, '.') || comma[1] < '0' || comma[1] > '9')) return false;
    if (comma) *comma = '.';
    return token_number_read(digits, field.length, number);
}

/* Which of the names was meant by one that none has; empty: none is near. */
static tansy_status suggest(struct field names, char separator, const char *column,
                            struct field *nearest)
{
    LIST(const char *) known = {0};
    LIST(struct field) field = {0};
    char *const copy = heap_take(names.length + 1);
    bool room = copy != NULL;
    if (room) memcpy(copy, names.text, names.length);
    for (const char *at = names.text; at && room;) {
        struct field const name = next_field(&at, names.text + names.length, separator);
        char *const text = copy + (name.text - names.text);
        text[name.length] = 0;
        room = LIST_ADD(&known, text) && LIST_ADD(&field, name);
    }
    size_t const near = room ? spelling_nearest(column, known.item, known.count) : SIZE_MAX;
    *nearest = near == SIZE_MAX ? (struct field){0} : field.item[near];
    LIST_FREE(&known);
    LIST_FREE(&field);
    heap_return(copy);
    return room ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

static tansy_status refuse_column(struct table_file *table, size_t line, struct field names,
                                  char separator, const char *column)
{
    struct field nearest;
    TRY(suggest(names, separator, column, &nearest));
    if (nearest.length == 0)
        return fail(table, line, "no column is called %.*s", MAX_SHOWN, column);
    return fail(table, line, "no column is called %.*s; did you mean %.*s?", MAX_SHOWN, column,
                shown(nearest.length), nearest.text);
}

/* The wanted column, from 0, by the names in the line from..end (or NULL: there are none). */
static tansy_status find_column(struct table_file *table, size_t line, struct field names,
                                char separator, const char *column, size_t *wanted)
{
    const char *at = names.text;
    size_t found = 0;
    for (size_t k = 0; at; k++) {
        struct field const name = next_field(&at, names.text + names.length, separator);
        if (name.length != strlen(column) || memcmp(name.text, column, name.length) != 0) continue;
        if (found++ == 0) *wanted = k;
    }
    if (found == 1) return TANSY_OK;
    table->fault_is_column = true;
    if (found > 1) return fail(table, line, "%.*s names two columns", MAX_SHOWN, column);
    if (names.text) return refuse_column(table, line, names, separator, column);
    return fail(table, line, "there is no line of names to find the column %.*s in", MAX_SHOWN,
                column);
}

/* One file has decimal points or decimal commas. */
static tansy_status check_decimal(struct table_file *table, size_t line, struct field field,
                                  char decimal, struct look *look)
{
    if (decimal && look->decimal && decimal != look->decimal)
        return fail(table, line,
                    "'%.*s' has a decimal %s, but a number above has a decimal %s: write all "
                    "numbers with points",
                    shown(field.length), field.text, decimal == ',' ? "comma" : "point",
                    decimal == ',' ? "point" : "comma");
    if (decimal) look->decimal = decimal;
    return TANSY_OK;
}

/* The number in a field. */
static tansy_status read_number(struct table_file *table, size_t line, struct field field,
                                struct look *look, double *number)
{
    char decimal = 0;
    if (!number_of(field, look->separator, number, &decimal))
        return fail(table, line, "'%.*s' is not a finite number", shown(field.length), field.text);
    return check_decimal(table, line, field, decimal, look);
}

/* A field that is not read may be anything, but a number in it has the decimal sign of the others: a comma that is taken
   for a decimal one here may be meant for thousands there.  Between commas there are points alone. */
static tansy_status pass_over(struct table_file *table, size_t line, struct field field,
                              struct look *look)
{
    double number;
    char decimal = 0;
    if (look->separator == ',' || !number_of(field, look->separator, &number, &decimal))
        return TANSY_OK;
    return check_decimal(table, line, field, decimal, look);
}

/* Lines have as many columns as the ones above. */
static tansy_status check_columns(struct table_file *table, size_t line, struct field row,
                                  struct look *look)
{
    size_t columns;
    TRY(count_columns(table, line, row, look->separator, &columns));
    if (look->columns == 0) look->columns = columns;
    if (columns == look->columns) return TANSY_OK;
    return fail(table, line, "this line has %zu column%s, not %zu as the lines above", columns,
                columns == 1 ? "" : "s", look->columns);
}

/* Values between rows are value + slope (t - t_i): both differences and their quotient have to be finite. */
static tansy_status check_slope(struct table_file *table, size_t line, double t, double value)
{
    size_t const rows = table->t.count;
    if (!table->is_linear || rows == 0) return TANSY_OK;
    double const dt = t - table->t.item[rows - 1], dv = value - table->value.item[rows - 1];
    if (dv == 0 || (isfinite(dt) && isfinite(dv / dt))) return TANSY_OK;
    return fail(table, line,
                "the slope from the row before is out of range: the value changes by %g, the time "
                "by %g; write `piecewise constant` for a jump",
                dv, dt);
}

/* Too few columns for the one that is wanted. */
static tansy_status fail_columns(struct table_file *table, size_t line, struct field row,
                                 const struct look *look, size_t wanted)
{
    bool const spaces = look->columns == 1 && memchr(row.text, ' ', row.length);
    return fail(table, line, "this line has %zu column%s, not %zu%s", look->columns,
                look->columns == 1 ? "" : "s", wanted + 1,
                spaces ? "; columns are separated by commas, semicolons or tabs, not by spaces"
                       : "");
}

static tansy_status add_row(struct table_file *table, size_t line, struct field row,
                            struct look *look, size_t wanted)
{
    const char *at = row.text;
    double number[2] = {0, 0};
    TRY(check_columns(table, line, row, look));
    if (look->columns <= wanted) return fail_columns(table, line, row, look, wanted);
    for (size_t k = 0; at; k++) {
        struct field const field = next_field(&at, row.text + row.length, look->separator);
        if (k == 0 || k == wanted)
            TRY(read_number(table, line, field, look, &number[k > 0]));
        else
            TRY(pass_over(table, line, field, look));
    }
    if (wanted == 0) number[1] = number[0];
    if (table->t.count > 0 && !(number[0] > table->t.item[table->t.count - 1]))
        return fail(table, line, "the time %.17g does not rise: the line before has %.17g",
                    number[0], table->t.item[table->t.count - 1]);
    TRY(check_slope(table, line, number[0], number[1]));
    if (!LIST_ADD(&table->t, number[0]) || !LIST_ADD(&table->value, number[1]))
        return TANSY_OUT_OF_MEMORY;
    return TANSY_OK;
}

/* `0 s` in front of a number is no name of a column. */
static bool is_broken_number(struct field first, const char *behind, const char *end,
                             char separator)
{
    double number;
    char decimal;
    const char *digit = first.text;
    const char *const last = first.text + first.length;
    while (digit < last && strchr("+-.", *digit)) digit++;
    bool const begins = digit < last && *digit >= '0' && *digit <= '9';
    return begins && behind &&
           number_of(next_field(&behind, end, separator), separator, &number, &decimal);
}

/* The first line that is neither empty nor a comment: names if it does not begin with a number. */
static tansy_status read_first(struct table_file *table, size_t line, struct field row,
                               struct look *look, const char *column, size_t *wanted)
{
    const char *at = row.text;
    double number;
    char decimal;
    struct field const first = next_field(&at, row.text + row.length, look->separator);
    bool const is_header = !number_of(first, look->separator, &number, &decimal);
    struct field const names = is_header ? row : (struct field){0};
    size_t columns;
    TRY(count_columns(table, line, row, look->separator, &columns));
    if (is_header && is_broken_number(first, at, row.text + row.length, look->separator))
        return fail(table, line, "'%.*s' is not a finite number", shown(first.length), first.text);
    if (column) TRY(find_column(table, line, names, look->separator, column, wanted));
    if (!is_header) return add_row(table, line, row, look, *wanted);
    if (columns > 1) look->columns = columns; /* one name alone is a title */
    return TANSY_OK;
}

static tansy_status read_lines(struct table_file *table, const char *text, const char *column,
                               size_t number)
{
    size_t line = 0, wanted = number > 0 ? number - 1 : 1;
    bool is_first = true;
    struct look look = {0};
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        line++;
        struct field row = {.text = text, .length = (size_t)(end - text)};
        while (row.length > 0 && strchr("\r ", row.text[row.length - 1])) row.length--;
        if (memchr(row.text, '\r', row.length))
            return fail(table, line,
                        "a carriage return without line feed: save the file with the line ends of "
                        "Unix or Windows");
        if (row.length == 0 || row.text[0] == '#') continue;
        if (!look.separator) look.separator = separator_of(row);
        if (is_first)
            TRY(read_first(table, line, row, &look, column, &wanted));
        else
            TRY(add_row(table, line, row, &look, wanted));
        is_first = false;
    }
    return table->t.count > 0 ? TANSY_OK : fail(table, 0, "there is no row of numbers");
}

tansy_status table_file_read(struct table_file *table, const char *path, const char *column,
                             size_t number)
{
    char *text = NULL;
    TRY(read_all(table, path, &text));
    assert(text);
    tansy_status const status = read_lines(table, text, column, number);
    heap_return(text);
    return status;
}

void table_file_free(struct table_file *table)
{
    LIST_FREE(&table->t);
    LIST_FREE(&table->value);
}
