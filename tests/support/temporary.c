/* SPDX-License-Identifier: Apache-2.0 */
#include "support/temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The pattern that mkstemp and mkdtemp complete; false where TMPDIR is too long. */
static bool pattern(char path[TEMPORARY_PATH], const char *name)
{
    const char *const place = getenv("TMPDIR");
    int const length = snprintf(path, TEMPORARY_PATH, "%s/tansy_%s_XXXXXX",
                                place && *place ? place : "/tmp", name);
    return length > 0 && length < TEMPORARY_PATH;
}

bool temporary_file(char path[TEMPORARY_PATH], const char *name, const char *text, size_t length)
{
    int const file = pattern(path, name) ? mkstemp(path) : -1;
    if (file < 0) return false;
    bool const written = write(file, text, length) == (ssize_t)length;
    return close(file) == 0 && written;
}

bool temporary_folder(char path[TEMPORARY_PATH], const char *name)
{
    return pattern(path, name) && mkdtemp(path) != NULL;
}
