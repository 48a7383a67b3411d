/* SPDX-License-Identifier: Apache-2.0 */
/* What the program says about itself: help, the manual page, completions of shells, all from the table of options. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "options.h"

/* A page on one subject. */
struct topic {
    const char *name, *title, *text;
};
extern const struct topic topics[];
extern const size_t topic_count;

/* The page on a command or topic; NULL: the overview.  BAD_USAGE when there is none. */
int help_command(const struct option_table *table, const char *name);
int help_version(void);
/* For `tansy` alone: the overview on stderr, BAD_USAGE. */
int help_usage(void);
int help_manual(const struct option_table *table);
int help_completion(const struct option_table *table, const char *shell);
/* Writes to the standard output; DONE or IO_FAILED. */
/* What 0 means to the options of the solver. */
extern const char help_of_zero[];

int help_print(const struct text *text);

#endif
