/* SPDX-License-Identifier: Apache-2.0 */
/* Which known word a misspelt one was meant to be. */
#ifndef MODEL_SPELLING_H
#define MODEL_SPELLING_H

#include <stddef.h>

/* The index of the nearest of names[count], SIZE_MAX when none is near: at most a third of the word's letters (at least
   one) inserted, removed, changed or swapped with their neighbour, and one change of case on top (two more count as
   a letter; where nothing but case differs it is one letter at most); or else the word is its beginning.  Of words of one letter only case may differ, a digit or the same letter
   be behind it: k, K, k1, kk. */
size_t spelling_nearest(const char *word, const char *const *names, size_t count);

#endif
