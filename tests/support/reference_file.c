/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the files of tests/reference and cuts their lines into words. */
#include "reference_file.h"

#include <stdlib.h>
#include <string.h>

#ifndef TANSY_REFERENCE_DIR
#define TANSY_REFERENCE_DIR "tests/reference"
#endif

FILE *reference_open(const char *name, const char *mode)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TANSY_REFERENCE_DIR, name);
    FILE *file = fopen(path, mode);
    if (!file) {
        fprintf(stderr, "cannot open %s: set TANSY_REFERENCE_DIR when compiling\n", path);
        exit(EXIT_FAILURE);
    }
    return file;
}

_Noreturn void line_fail(const char *name, const struct line *line, const char *what)
{
    fprintf(stderr, "%s:%zu: %s\n", name, line->number, what);
    exit(EXIT_FAILURE);
}

static void cut(struct line *line, const char *separators)
{
    int const empty_words = strlen(separators) == 1;
    char *at = line->text;
    line->count = 0;
    while (line->count < LINE_WORDS) {
        if (!empty_words) at += strspn(at, separators);
        if (!empty_words && !*at) break;
        line->word[line->count++] = at;
        at += strcspn(at, separators);
        if (!*at) break;
        *at++ = 0;
    }
}

int line_read(FILE *file, const char *separators, struct line *line)
{
    while (fgets(line->text, sizeof line->text, file)) {
        line->number++;
        line->text[strcspn(line->text, "\r\n")] = 0;
        if (line->text[0] == '#' || line->text[0] == 0) continue;
        cut(line, separators);
        return 1;
    }
    return 0;
}

double line_number(const char *name, const struct line *line, size_t w)
{
    char *end = NULL;
    if (w >= line->count) line_fail(name, line, "a number is missing");
    double const value = strtod(line->word[w], &end);
    if (end == line->word[w] || *end) line_fail(name, line, "not a number");
    return value;
}
