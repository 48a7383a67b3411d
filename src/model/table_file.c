/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a table in time, see table_file.h. */
#include "model/table_file.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/token_number.h"

enum { MAX_NUMBER = 64, MAX_SHOWN = 40 };

struct field {
    const char *text;
    size_t length;
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

/* The next field of a line that ends at `end`; *at moves behind its separator, to NULL behind the last one. */
static struct field next_field(const char **at, const char *end, char separator)
{
    const char *from = *at, *to;
    while (from < end && *from == ' ') from++;
    bool const quoted = from < end && *from == '"';
    if (quoted) from++;
    for (to = from; to < end && *to != (quoted ? '"' : separator);) to++;
    struct field field = {from, (size_t)(to - from)};
    if (quoted)
        while (to < end && *to != separator) to++;
    *at = to < end ? to + 1 : NULL;
    while (!quoted && field.length > 0 && field.text[field.length - 1] == ' ') field.length--;
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

static size_t columns_of(struct field row, char separator)
{
    const char *at = row.text;
    size_t count = 0;
    for (; at; count++) (void)next_field(&at, row.text + row.length, separator);
    return count;
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
    if (found > 1) return fail(table, line, "%.*s names two columns", MAX_SHOWN, column);
    if (found == 1) return TANSY_OK;
    return fail(table, line,
                names.text ? "no column is called %.*s"
                           : "there is no line of names to find the column %.*s in",
                MAX_SHOWN, column);
}

/* The number in a field; one file has decimal points or decimal commas. */
static tansy_status read_number(struct table_file *table, size_t line, struct field field,
                                struct look *look, double *number)
{
    char decimal = 0;
    int const shown = field.length < MAX_SHOWN ? (int)field.length : MAX_SHOWN;
    if (!number_of(field, look->separator, number, &decimal))
        return fail(table, line, "'%.*s' is not a finite number", shown, field.text);
    if (decimal && look->decimal && decimal != look->decimal)
        return fail(table, line,
                    "'%.*s' has a decimal %s, but a number above has a decimal %s: write all "
                    "numbers with points",
                    shown, field.text, decimal == ',' ? "comma" : "point",
                    decimal == ',' ? "point" : "comma");
    if (decimal) look->decimal = decimal;
    return TANSY_OK;
}

/* Lines have as many columns as the ones above. */
static tansy_status check_columns(struct table_file *table, size_t line, struct field row,
                                  struct look *look)
{
    size_t const columns = columns_of(row, look->separator);
    if (look->columns == 0) look->columns = columns;
    if (columns == look->columns) return TANSY_OK;
    return fail(table, line, "this line has %zu columns, not %zu as the lines above", columns,
                look->columns);
}

static tansy_status add_row(struct table_file *table, size_t line, struct field row,
                            struct look *look, size_t wanted)
{
    const char *at = row.text;
    double number[2] = {0, 0};
    TRY(check_columns(table, line, row, look));
    for (size_t k = 0; k <= wanted; k++) {
        if (!at) return fail(table, line, "this line has %zu columns, not %zu", k, wanted + 1);
        struct field const field = next_field(&at, row.text + row.length, look->separator);
        if (k > 0 && k < wanted) continue;
        TRY(read_number(table, line, field, look, &number[k > 0]));
    }
    if (wanted == 0) number[1] = number[0];
    if (table->t.count > 0 && !(number[0] > table->t.item[table->t.count - 1]))
        return fail(table, line, "the time %.17g does not rise: the line before has %.17g",
                    number[0], table->t.item[table->t.count - 1]);
    if (!LIST_ADD(&table->t, number[0]) || !LIST_ADD(&table->value, number[1]))
        return TANSY_OUT_OF_MEMORY;
    return TANSY_OK;
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
    if (column) TRY(find_column(table, line, names, look->separator, column, wanted));
    if (!is_header) return add_row(table, line, row, look, *wanted);
    size_t const columns = columns_of(row, look->separator);
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
        struct field row = {text, (size_t)(end - text)};
        while (row.length > 0 && strchr("\r ", row.text[row.length - 1])) row.length--;
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
