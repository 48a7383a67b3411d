/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs: tables in files beside the model.  Every row of a table that is used is a break time. */
#include <stdio.h>
#include <string.h>

#include "model/bind.h"
#include "model/table_file.h"

/* The path of a file that the model names: beside the model unless it starts with a slash. */
static const char *path_of(struct binder *b, struct place place)
{
    const struct source *const source = &b->syntax->source;
    const char *const slash = source->name ? strrchr(source->name, '/') : NULL;
    size_t const folder =
        slash && source->text[place.offset] != '/' ? (size_t)(slash - source->name) + 1 : 0;
    char *const path = text_take(b->system, folder + place.length + 1);
    if (!path) return NULL;
    if (folder > 0) memcpy(path, source->name, folder);
    memcpy(path + folder, source->text + place.offset, place.length);
    return path;
}

static tansy_status report(struct binder *b, const struct statement *st,
                           const struct table_file *file, const char *path, tansy_status status)
{
    struct place const at = file->fault_is_column ? st->column : st->text;
    if (file->fault_line > 0)
        BIND_ERROR(b, at, "%s:%zu: %s", path, file->fault_line, file->fault);
    else
        BIND_ERROR(b, st->text, "%s: %s", path, file->fault);
    b->syntax->diagnosis.status = status;
    return status;
}

static tansy_status keep(struct binder *b, const struct table_file *file, bool is_linear)
{
    size_t const count = file->t.count;
    double *const both = text_take(b->system, 2 * count * sizeof *both);
    if (!both) return BIND_NO_MEMORY(b);
    memcpy(both, file->t.item, count * sizeof *both);
    memcpy(both + count, file->value.item, count * sizeof *both);
    struct table const table = {
        .t = both, .value = both + count, .count = count, .is_linear = is_linear};
    return LIST_ADD(&b->system->table, table) ? TANSY_OK : BIND_NO_MEMORY(b);
}

static tansy_status read_table(struct binder *b, const struct statement *st)
{
    struct table_file file = {.is_linear = st->is_linear};
    const char *column = NULL;
    const char *const path = path_of(b, st->text);
    if (!path) return BIND_NO_MEMORY(b);
    if (st->column.offset > 0) {
        column =
            text_keep(b->system, b->syntax->source.text + st->column.offset, st->column.length);
        if (!column) return BIND_NO_MEMORY(b);
    }
    tansy_status status = table_file_read(&file, path, column, st->column_number);
    if (status == TANSY_OK)
        status = keep(b, &file, st->is_linear);
    else if (status == TANSY_OUT_OF_MEMORY)
        BIND_NO_MEMORY(b);
    else
        status = report(b, st, &file, path, status);
    table_file_free(&file);
    return status;
}

tansy_status bind_inputs(struct binder *b)
{
    for (size_t k = 0; k < b->symbol.count; k++)
        if (b->symbol.item[k].kind == SYMBOL_INPUT)
            TRY(read_table(b, bind_statement(b, &b->symbol.item[k])));
    return TANSY_OK;
}
