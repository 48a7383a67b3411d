/* SPDX-License-Identifier: Apache-2.0 */
/* C text compiled by the machine's compiler and loaded into this process. */
#ifndef SUPPORT_SHARED_OBJECT_H
#define SUPPORT_SHARED_OBJECT_H

/* Compiles with all warnings as errors; the handle for dlsym, or NULL with the compiler's words on stderr. */
void *shared_object_make(const char *text, const char *compiler);

#endif
