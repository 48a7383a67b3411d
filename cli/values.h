/* SPDX-License-Identifier: Apache-2.0 */
/* Values on the command line and in small files: numbers, grids, lists, name=value. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "text.h"

/* A list of texts that are not owned. */
struct words {
    size_t count;
    const char **word;
};
void words_add(struct words *words, const char *word);

/* Numbers that grow. */
struct numbers {
    size_t count, room;
    double *at;
};
void numbers_add(struct numbers *numbers, double value);

enum { MOST_POINTS = 100000000 };

/* A finite decimal number, and nothing behind it. */
bool read_number(const char *text, double *value);
/* A whole number from least to most. */
bool read_count(const char *text, size_t least, size_t most, size_t *value);
/* A number, or a grid a:b:n or a:b:n:log, added to numbers; false when it is neither. */
bool read_grid(const char *text, struct numbers *numbers);

/* Point j of so many equal parts from a to b, as exact as a double is: 40 of 200 parts of 3.5 is 0.7, 6 of 7 of 0.7 is 0.6. */
double grid_point(double a, double b, size_t j, size_t parts);

/* Cuts text at commas outside brackets, so that u[1,2] stays whole; spaces around an item go.  Changes text. */
void split_list(char *text, struct words *items);
/* Cuts "name = value" at its last = and trims both; false when a part is missing.  Changes text. */
bool split_assignment(char *text, char **name, char **value);
/* The text without white space at its ends; changes text. */
char *trim(char *text);

/* What separates the fields of a table whose first line this is: the first of ; tab and comma that it has outside quotes, or a comma. */
char field_separator(const char *line);
/* The next field of a CSV line (RFC 4180, quotes taken off in place); *at moves behind it, NULL at the end of the line. */
char *next_field(char **at, char separator);

#endif
