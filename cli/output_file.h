/* SPDX-License-Identifier: Apache-2.0 */
/* Files that appear whole or not at all: written beside their place under another name, forced to disk, renamed. */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include "text.h"

#include <stdio.h>
#include <sys/types.h>

struct output {
    FILE *file;  /* NULL: not open */
    char *path;  /* where it belongs */
    char *temp;  /* where it is written; NULL: straight to path or to stdout */
    int slot;    /* in the list of unfinished files */
    bool failed; /* a message has been given */
};

/* A folder of files that another program works with: folder and file[] may be names of nothing yet. */
enum { SCRATCH_FILES = 3 };
struct scratch {
    char *folder, *file[SCRATCH_FILES];
    volatile pid_t child; /* the program, as long as it runs; 0: none */
};
/* All of it belongs to the unfinished files from now on; NULL: no more. */
void output_scratch(struct scratch *of);

/* Where a file of this name would be: a link stays a link, also one that points to nothing yet; a device or a pipe
   is known by the name it is given.  The caller frees it. */
char *output_place(const char *path);
/* Is it "-", or a name of the file or pipe that the standard output goes to? */
bool output_is_stdout(const char *path);
/* path NULL or output_is_stdout(path): stdout.  A device or a pipe is written to directly, as is the file that the standard error goes to.  DONE or
   IO_FAILED with a message. */
int output_open(struct output *o, const char *path);
int output_write(struct output *o, const struct text *text);
/* Flushes, forces to disk, renames.  DONE, or IO_FAILED with a message and nothing left behind.  Nothing open: DONE. */
int output_close(struct output *o);
/* Removes what has been written. */
void output_drop(struct output *o);
/* Removes all unfinished files; safe in a signal handler. */
void output_remove_unfinished(void);

#endif
