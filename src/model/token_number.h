/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers to the nearest double, whatever the locale. */
#ifndef MODEL_TOKEN_NUMBER_H
#define MODEL_TOKEN_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the number at text[0 .. left): digits with a point (not the first of two, as in 1..N) and an exponent with
   digits; 0 when there is none. */
size_t token_number_length(const char *text, size_t left);

/* Its value, rounded to nearest; HUGE_VAL when it is too large. */
double token_number_value(const char *text, size_t length);

/* A number with or without a sign that is all of text[0 .. length); false: it is none, or not finite. */
bool token_number_read(const char *text, size_t length, double *number);

#endif
