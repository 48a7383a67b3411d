/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of the program, its words being the lines of the input: understood, or refused with one message.  Also the
   readers of lists, grids, assignments and CSV fields. */
#include "../../cli/command_line.h"
#include "replay.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 32 };
static int messages;

/* Stands in for the program's: formats the message and keeps it to itself. */
int complain(int status, const char *format, ...)
{
    char text[512] = "";
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (text[0] == '\0') abort();
    messages++;
    return status;
}

static void read_values(const char *word)
{
    struct numbers numbers = {0};
    struct words items = {0};
    char *copy = copy_of(word), *name = NULL, *value = NULL;
    /* a grid of millions is right, and takes its time */
    if (strlen(word) < 12 && !strpbrk(word, "eE")) (void)read_grid(word, &numbers);
    split_list(copy, &items);
    if (items.count == 0) abort();
    free(items.word);
    free(copy);
    copy = copy_of(word);
    if (split_assignment(copy, &name, &value) && (!*name || !*value)) abort();
    free(copy);
    copy = copy_of(word);
    for (char *at = copy; at;)
        if (!next_field(&at, field_separator(word))) abort();
    free(copy);
    free(numbers.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = take(size + 1, 1);
    char program[] = "tansy", *argv[MOST_WORDS + 1] = {program};
    int argc = 1;
    if (size > 0) memcpy(text, data, size);
    for (char *at = text; at && argc < MOST_WORDS;) {
        char *const end = strchr(at, '\n');
        argv[argc++] = at;
        if (end) *end = '\0';
        at = end ? end + 1 : NULL;
    }
    struct option_table table;
    struct request request;
    messages = 0;
    options_make(&table);
    int const status = command_line_read(&table, argc, argv, &request);
    if (messages != (status != DONE) || (status != DONE && status != BAD_USAGE)) abort();
    for (int k = 1; k < argc; k++) read_values(argv[k]);
    command_line_free(&request);
    options_free(&table);
    free(text);
    return 0;
}
