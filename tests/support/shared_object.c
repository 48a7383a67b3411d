/* SPDX-License-Identifier: Apache-2.0 */
/* Runs `cc` in the top folder of the tree, as tests do. */
#include "support/shared_object.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool shared_object_write(const char *text, const char *compiler, char path[SHARED_OBJECT_PATH])
{
    char folder[TEMPORARY_PATH], source[SHARED_OBJECT_PATH], command[3 * SHARED_OBJECT_PATH];
    if (!temporary_folder(folder, "export")) return false;
    (void)snprintf(source, sizeof source, "%s/model.c", folder);
    (void)snprintf(path, SHARED_OBJECT_PATH, "%s/model.so", folder);
    (void)snprintf(command, sizeof command,
                   "%s -std=c17 -O2 -Wall -Wextra -Werror -Iinclude -shared -fPIC -o '%s' '%s' -lm",
                   compiler, path, source);
    FILE *const file = fopen(source, "w");
    int good = file && fputs(text, file) >= 0;
    if (file) good = fclose(file) == 0 && good;
    good = good && system(command) == 0;
    (void)unlink(source);
    if (!good) shared_object_remove(path);
    return good;
}

void shared_object_remove(const char path[SHARED_OBJECT_PATH])
{
    char folder[SHARED_OBJECT_PATH];
    (void)unlink(path);
    (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    (void)rmdir(folder);
}

void *shared_object_make(const char *text, const char *compiler)
{
    char path[SHARED_OBJECT_PATH];
    if (!shared_object_write(text, compiler, path)) return NULL;
    void *const handle = dlopen(path, RTLD_NOW);
    shared_object_remove(path);
    return handle;
}

tansy_model *shared_object_load(const char *text)
{
    char path[SHARED_OBJECT_PATH];
    if (!shared_object_write(text, "cc", path)) return NULL;
    tansy_model *const m = tansy_model_load(path);
    shared_object_remove(path);
    return m;
}

tansy_model *shared_object_of(const tansy_model *m)
{
    size_t const length = tansy_model_export_c(m, NULL, 0);
    char *const code = length > 0 ? malloc(length + 1) : NULL;
    if (!code || tansy_model_export_c(m, code, length + 1) != length) return NULL;
    tansy_model *const loaded = shared_object_load(code);
    free(code);
    return loaded;
}
