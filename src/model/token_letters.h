/* SPDX-License-Identifier: Apache-2.0 */
/* What a name is made of. */
#ifndef MODEL_TOKEN_LETTERS_H
#define MODEL_TOKEN_LETTERS_H

#include <stddef.h>

/* Bytes of the name at text[0 .. left): a letter or _, then letters, digits, _; 0 when there is none.  Letters are those
   of all scripts. */
size_t token_letters_length(const char *text, size_t left);

#endif
