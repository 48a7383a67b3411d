/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands and options that drives parsing, help, the manual page and the completions of shells.  Options of
   the solver are those of tansy_options_help(). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "text.h"

enum command { SOLVE, RANK, CHECK, EXPORT, METHODS, HELP, VERSION, COMMANDS };

struct command_line {
    const char *name, *usage, *meaning;
    bool needs_model;
};
extern const struct command_line commands[COMMANDS];

enum option_id {
    OPTION_AT,
    OPTION_TO,
    OPTION_POINTS,
    OPTION_SENS,
    OPTION_SET,
    OPTION_SCAN,
    OPTION_ATOL,
    OPTION_SCALE,
    OPTION_OF,
    OPTION_EACH,
    OPTION_OUT,
    OPTION_STATS,
    OPTION_PLOT,
    OPTION_PANELS,
    OPTION_REPORT,
    OPTION_VERIFY,
    OPTION_ONCE,
    OPTION_C,
    OPTION_QUIET,
    OPTION_MAN,
    OPTION_COMPLETION,
    OPTION_HELP,
    OPTION_OF_LIBRARY
};

struct option {
    const char *name;  /* without the dashes in front; words are joined by - */
    const char *value; /* what follows, for people; NULL: nothing does */
    unsigned commands; /* bits 1 << enum command */
    enum option_id id;
    const char *words;    /* what may follow, with spaces between; "FILE": a file's name; or NULL */
    const char *standard; /* the default, or NULL */
    const char *meaning;
};

struct option_table {
    size_t count;
    struct option *option;
    char *library_text; /* what the library's entries point into */
};
void options_make(struct option_table *table);
void options_free(struct option_table *table);
/* The option with this name, _ and - being the same, or NULL. */
const struct option *options_find(const struct option_table *table, const char *name);

/* A message of the library with its options as they are here: --max-order 9 for max_order = 9.  Words that is_taken(by, word) are left as they are; NULL:
   none is.  The caller frees it. */
char *options_spell(const struct option_table *table, const char *message,
                    bool (*is_taken)(const void *by, const char *word), const void *by);

/* Whether its value must be one of its words; in a list they are some of many. */
bool options_is_choice(const struct option *option);

#endif
