/* SPDX-License-Identifier: Apache-2.0 */
/* Which known word a misspelt one was meant to be. */
#ifndef MODEL_SPELLING_H
#define MODEL_SPELLING_H

#include <stddef.h>

/* The index of the nearest of names[count], SIZE_MAX when none is near: at most a third of the word's letters (at least
   one) inserted, removed, changed or swapped with their neighbour, where a change of case is half a change; or else
   the word is its beginning. */
size_t spelling_nearest(const char *word, const char *const *names, size_t count);

#endif
