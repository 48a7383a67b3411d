/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a table in time, see table_file.h. */
#include "model/table_file.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"

enum { MAX_NUMBER = 64, MAX_SHOWN = 40 };

struct field {
    const char *text;
    size_t length;
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

/* The whole file, ended by a newline and NUL. */
static tansy_status read_all(struct table_file *table, const char *path, char **text)
{
    LIST(char) all = {0};
    FILE *const file = fopen(path, "rb");
    tansy_status status = TANSY_OK;
    if (!file) {
        fail(table, 0, "this file cannot be opened");
        return TANSY_NO_FILE;
    }
    for (size_t got = 1; got > 0 && status == TANSY_OK;) {
        if (!LIST_ROOM(&all, 65536)) {
            status = TANSY_OUT_OF_MEMORY;
        } else {
            got = fread(all.item + all.count, 1, all.capacity - all.count - 2, file);
            all.count += got;
        }
    }
    if (status == TANSY_OK && ferror(file)) {
        fail(table, 0, "this file cannot be read");
        status = TANSY_NO_FILE;
    }
    (void)fclose(file);
    if (status == TANSY_OK && memchr(all.item, 0, all.count))
        status = fail(table, 0, "this is no text: it contains a NUL byte");
    if (status == TANSY_OK) memcpy(all.item + all.count, "\n", 2);
    if (status != TANSY_OK) LIST_FREE(&all);
    *text = all.item;
    return status;
}

/* The next field of a line that ends at `end`; *at moves behind its separator, to NULL behind the last one. */
static struct field next_field(const char **at, const char *end)
{
    const char *from = *at, *to;
    while (from < end && *from == ' ') from++;
    bool const quoted = from < end && *from == '"';
    if (quoted) from++;
    for (to = from; to < end && (quoted ? *to != '"' : !strchr(",;\t", *to));) to++;
    struct field field = {from, (size_t)(to - from)};
    if (quoted)
        while (to < end && !strchr(",;\t", *to)) to++;
    *at = to < end ? to + 1 : NULL;
    while (!quoted && field.length > 0 && field.text[field.length - 1] == ' ') field.length--;
    return field;
}

/* False: no finite decimal number. */
static bool number_of(struct field field, double *number)
{
    char digits[MAX_NUMBER], *end;
    if (field.length == 0 || field.length >= sizeof digits) return false;
    memcpy(digits, field.text, field.length);
    digits[field.length] = 0;
    if (strspn(digits, "0123456789+-.eE") != field.length) return false;
    *number = strtod(digits, &end);
    return *end == 0 && isfinite(*number);
}

/* The wanted column, from 0, by the names in the line from..end (or NULL: there are none). */
static tansy_status find_column(struct table_file *table, size_t line, struct field names,
                                const char *column, size_t *wanted)
{
    *wanted = 1;
    if (!column) return TANSY_OK;
    const char *at = names.text;
    for (size_t k = 0; at; k++) {
        struct field const name = next_field(&at, names.text + names.length);
        *wanted = k;
        if (name.length == strlen(column) && memcmp(name.text, column, name.length) == 0)
            return TANSY_OK;
    }
    char *end;
    unsigned long const number = strtoul(column, &end, 10);
    if (column[0] < '0' || column[0] > '9' || *end)
        return fail(table, line,
                    names.text ? "no column is called %.*s"
                               : "there is no line of names to find the column %.*s in",
                    MAX_SHOWN, column);
    if (number < 1 || number > 100000) return fail(table, line, "columns have numbers from 1");
    *wanted = number - 1;
    return TANSY_OK;
}

static tansy_status add_row(struct table_file *table, size_t line, struct field row, size_t wanted)
{
    const char *at = row.text;
    double number[2] = {0, 0};
    for (size_t k = 0; k <= wanted; k++) {
        if (!at) return fail(table, line, "this line has %zu columns, not %zu", k, wanted + 1);
        struct field const field = next_field(&at, row.text + row.length);
        if (k > 0 && k < wanted) continue;
        if (!number_of(field, &number[k > 0]))
            return fail(table, line, "'%.*s' is not a finite number",
                        field.length < MAX_SHOWN ? (int)field.length : MAX_SHOWN, field.text);
    }
    if (wanted == 0) number[1] = number[0];
    if (table->t.count > 0 && !(number[0] > table->t.item[table->t.count - 1]))
        return fail(table, line, "the time %.17g does not rise: the line before has %.17g",
                    number[0], table->t.item[table->t.count - 1]);
    if (!LIST_ADD(&table->t, number[0]) || !LIST_ADD(&table->value, number[1]))
        return TANSY_OUT_OF_MEMORY;
    return TANSY_OK;
}

static tansy_status read_lines(struct table_file *table, const char *text, const char *column)
{
    size_t line = 0, wanted = 1;
    bool is_first = true;
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        line++;
        struct field row = {text, (size_t)(end - text)};
        while (row.length > 0 && strchr("\r ", row.text[row.length - 1])) row.length--;
        if (row.length == 0 || row.text[0] == '#') continue;
        const char *at = row.text;
        double number;
        bool const is_header =
            is_first && !number_of(next_field(&at, row.text + row.length), &number);
        if (is_first)
            TRY(find_column(table, line, is_header ? row : (struct field){0}, column, &wanted));
        is_first = false;
        if (!is_header) TRY(add_row(table, line, row, wanted));
    }
    return table->t.count > 0 ? TANSY_OK : fail(table, 0, "there is no row of numbers");
}

tansy_status table_file_read(struct table_file *table, const char *path, const char *column)
{
    char *text = NULL;
    TRY(read_all(table, path, &text));
    assert(text);
    tansy_status const status = read_lines(table, text, column);
    heap_return(text);
    return status;
}

void table_file_free(struct table_file *table)
{
    LIST_FREE(&table->t);
    LIST_FREE(&table->value);
}
