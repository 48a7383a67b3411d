/* SPDX-License-Identifier: Apache-2.0 */
/* C text compiled by the machine's compiler and loaded into this process. */
#ifndef SUPPORT_SHARED_OBJECT_H
#define SUPPORT_SHARED_OBJECT_H

#include <tansy/model.h>

#include "support/temporary.h"

/* Compiles with all warnings as errors; the handle for dlsym, or NULL with the compiler's words on stderr. */
void *shared_object_make(const char *text, const char *compiler);

/* The same as a file model.so in a new folder; false: it could not be made, and nothing is left. */
enum { SHARED_OBJECT_PATH = TEMPORARY_PATH + 16 };
bool shared_object_write(const char *text, const char *compiler, char path[SHARED_OBJECT_PATH]);
/* Deletes both. */
void shared_object_remove(const char path[SHARED_OBJECT_PATH]);

/* The text, loaded by tansy_model_load(); NULL when it cannot be compiled. */
tansy_model *shared_object_load(const char *text);
/* The model as C, loaded. */
tansy_model *shared_object_of(const tansy_model *m);

#endif
