/* SPDX-License-Identifier: Apache-2.0 */
/* Random models whose conditions are on variables that jump, at break times and when other conditions turn: as differential-algebraic
   equations, and the same solved by hand for the algebraic variables. */
#ifndef SUPPORT_JUMP_MODEL_H
#define SUPPORT_JUMP_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { JUMP_STATES = 3, JUMP_PARAMETERS = 8 }; /* the first components; parameters and levels */

/* Writes the model of this seed into text[size], implicit or explicit. */
void jump_model(uint64_t seed, int is_implicit, char *text, size_t size);

#endif
