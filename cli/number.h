/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with 17 significant digits, from which every double can be read back, as printf("%.17g") writes them but fifteen
   times faster: a table of results is mostly digits. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stddef.h>

/* Room for any number and its NUL, and for what is written beyond it. */
enum { NUMBER_LENGTH = 48 };

/* Powers of ten with 128 bits, made once: 10^k = (high 2^64 + low) 2^exponent, k = -350 .. 350. */
struct number_powers;
struct number_powers *number_powers_make(void); /* NULL: no memory */
void number_powers_free(struct number_powers *powers);

/* Writes x as "%.17g" does, but "nan" and "inf" without a sign for NaN; returns the length.  powers may be NULL. */
size_t number_write(const struct number_powers *powers, double x, char *out);

#endif
