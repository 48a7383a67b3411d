/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders for a while, in the folder that the environment's TMPDIR names, /tmp when it names none. */
#ifndef SUPPORT_TEMPORARY_H
#define SUPPORT_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

enum { TEMPORARY_PATH = 512 }; /* room for a path */

/* Makes a file with the given bytes, or a folder; the path has `name` in it.  False: it could not be made. */
bool temporary_file(char path[TEMPORARY_PATH], const char *name, const char *text, size_t length);
bool temporary_folder(char path[TEMPORARY_PATH], const char *name);

#endif
