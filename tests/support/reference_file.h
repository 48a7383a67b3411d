/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the files of tests/reference and cuts their lines into words. */
#ifndef TEST_REFERENCE_FILE_H
#define TEST_REFERENCE_FILE_H

#include <stddef.h>
#include <stdio.h>

enum { LINE_LENGTH = 2048, LINE_WORDS = 64 };

/* A line in its words; a word points into text. */
struct line {
    char text[LINE_LENGTH];
    size_t count;
    char *word[LINE_WORDS];
    size_t number; /* in the file, from 1 */
};

/* Opens TANSY_REFERENCE_DIR/name for reading or, with mode "w", writing; ends the program with a message
   when it cannot. */
FILE *reference_open(const char *name, const char *mode);

/* The next line that is not empty and not a comment (#), cut at the characters of `separators`; with a
   single separator empty words count (CSV).  Start with *line = {0}.  0 at the end of the file. */
int line_read(FILE *file, const char *separators, struct line *line);

/* Ends the program with "name:line: what". */
_Noreturn void line_fail(const char *name, const struct line *line, const char *what);

/* Word w as a number, the whole of it; else line_fail(). */
double line_number(const char *name, const struct line *line, size_t w);

#endif
