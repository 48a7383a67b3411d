/* SPDX-License-Identifier: Apache-2.0 */
/* Runs `cc` in the top folder of the tree, as tests do. */
#include "support/shared_object.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/temporary.h"

void *shared_object_make(const char *text, const char *compiler)
{
    enum { PATH = TEMPORARY_PATH + 16 };
    char folder[TEMPORARY_PATH], source[PATH], object[PATH], command[3 * PATH];
    if (!temporary_folder(folder, "export")) return NULL;
    (void)snprintf(source, sizeof source, "%s/model.c", folder);
    (void)snprintf(object, sizeof object, "%s/model.so", folder);
    (void)snprintf(command, sizeof command,
                   "%s -std=c17 -O2 -Wall -Wextra -Werror -Iinclude -shared -fPIC -o '%s' '%s' -lm",
                   compiler, object, source);
    FILE *const file = fopen(source, "w");
    int good = file && fputs(text, file) >= 0;
    if (file) good = fclose(file) == 0 && good;
    good = good && system(command) == 0;
    void *const handle = good ? dlopen(object, RTLD_NOW) : NULL;
    (void)unlink(source);
    (void)unlink(object);
    (void)rmdir(folder);
    return handle;
}
