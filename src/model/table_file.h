/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in time from text: one row a line, separated by semicolons, else tabs, else commas, whichever the first
   line with one of them has; the first column is the time.  Between semicolons or tabs a comma is a decimal comma.  A first
   line of names is allowed, `#` starts a comment line, empty lines are skipped, fields may stand in double quotes
   (two of them are one that belongs to the text). */
#ifndef MODEL_TABLE_FILE_H
#define MODEL_TABLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <tansy/status.h>

#include "base/grow.h"

enum { TABLE_FILE_LIMIT = 256 << 20 }; /* bytes */

struct table_file {
    size_t limit;   /* bytes of the file at most; 0: TABLE_FILE_LIMIT */
    bool is_linear; /* slopes between rows must be finite */
    LIST(double) t;
    LIST(double) value;
    size_t fault_line;    /* of the first thing that is wrong, from 1; 0: the file as a whole */
    bool fault_is_column; /* what is wrong is the name of the column */
    char fault[240];
};

/* Reads the column with that name or, where that is NULL, of that number (from 1); 0: the second one.  TANSY_OK;
   TANSY_NO_FILE, TANSY_BAD_MODEL with the fault set; TANSY_OUT_OF_MEMORY.  table must be zeroed (but the limit and is_linear); table_file_free in any case. */
tansy_status table_file_read(struct table_file *table, const char *path, const char *column,
                             size_t number);
void table_file_free(struct table_file *table);

#endif
