/* SPDX-License-Identifier: Apache-2.0 */
/* Units of measurement: a factor times a product of powers of the seven SI base units, and a table in which a model's
   distinct units have numbers, so that the check of an expression is a comparison of numbers.  Values are never converted. */
#ifndef MODEL_UNITS_H
#define MODEL_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/grow.h"

enum { UNIT_BASES = 7, UNIT_TEXT = 96 };

/* One of it is factor m^e0 kg^e1 s^e2 A^e3 K^e4 mol^e5 cd^e6. */
struct unit {
    double factor, exponent[UNIT_BASES];
};

/* What is wrong with the text of a unit, and where in it. */
struct unit_fault {
    size_t offset, length;
    char what[128];
};

/* "J/mol/K", "kg m^2 s-1", "", "1" or "-"; false: see the fault. */
bool unit_parse(const char *text, size_t length, struct unit *unit, struct unit_fault *fault);

/* The unit in base units, "60 s" or "kg m s^-2"; "1" when there is no dimension. */
void unit_write(const struct unit *unit, char text[UNIT_TEXT]);

bool unit_same_dimension(const struct unit *a, const struct unit *b);
bool unit_same(const struct unit *a, const struct unit *b);

/* The numbers of units. */
enum { UNIT_UNKNOWN = 0, UNIT_NONE = 1 }; /* not said; dimensionless */
enum { MAX_UNITS = 4096 }; /* different ones in a model; any further one counts as unknown */

/* Zeroed: empty.  Products are remembered in `memo`, place by place of a hash. */
enum { UNIT_MEMO = 256 };
struct unit_table {
    LIST(struct unit) unit; /* of number 1 + place */
    struct {
        uint32_t a, b, result;
        double power;
    } memo[UNIT_MEMO];
    bool failed; /* no memory: numbers are then UNIT_UNKNOWN */
};

void unit_table_free(struct unit_table *t);
uint32_t unit_number(struct unit_table *t, const struct unit *unit);
const struct unit *unit_of(const struct unit_table *t, uint32_t number); /* not of UNIT_UNKNOWN */

/* a b^power; unknown when one of them is. */
uint32_t unit_multiply(struct unit_table *t, uint32_t a, uint32_t b, double power);

#endif
