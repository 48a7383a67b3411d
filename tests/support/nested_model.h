/* SPDX-License-Identifier: Apache-2.0 */
/* Random models with conditions within conditions, three parameters and three states, of numbers so round that surfaces often
   coincide. */
#ifndef SUPPORT_NESTED_MODEL_H
#define SUPPORT_NESTED_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { NESTED_STATES = 3, NESTED_PARAMETERS = 3 };

/* Writes the model of this seed into text[size]. */
void nested_model(uint64_t seed, char *text, size_t size);

#endif
