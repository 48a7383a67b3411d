/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target of the command line: the words are the lines of the input.  Also the readers of lists, grids and CSV fields. */
#include "../../cli/command_line.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_WORDS = 32 };

static void read_values(const char *word)
{
    struct numbers numbers = {0};
    struct words items = {0};
    char *copy = copy_of(word), *name = NULL, *value = NULL;
    size_t const colon = strcspn(word, ":");
    if (strlen(word) - colon < 8) (void)read_grid(word, &numbers); /* no grids of millions */
    split_list(copy, &items);
    free(items.word);
    free(copy);
    copy = copy_of(word);
    (void)split_assignment(copy, &name, &value);
    free(copy);
    copy = copy_of(word);
    for (char *at = copy; at;) (void)next_field(&at);
    free(copy);
    free(numbers.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = take(size + 1, 1);
    char *argv[MOST_WORDS + 1] = {(char[]){"tansy"}};
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
    if (!freopen("/dev/null", "w", stderr)) return 0;
    options_make(&table);
    (void)command_line_read(&table, argc, argv, &request);
    for (int k = 1; k < argc; k++) read_values(argv[k]);
    command_line_free(&request);
    options_free(&table);
    free(text);
    return 0;
}
