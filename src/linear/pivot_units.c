/* SPDX-License-Identifier: Apache-2.0 */
/* Units of the unknowns of a linear system, by which pivots are chosen. */
#include <math.h>

#include "linear/linear.h"

void linear_layout_units(struct linear *l, struct arena *arena)
{
    l->unit = arena_doubles(arena, l->A->n);
    for (size_t j = 0; l->unit && j < l->A->n; j++) l->unit[j] = 1;
}

/* Products of entries with units neither overflow nor vanish for entries from 1e-158 to 1e158. */
enum { LARGEST_EXPONENT = 500 };

void linear_set_unit(struct linear *l, size_t j, double size)
{
    int exponent = 0;
    if (size > 0 && isfinite(size)) (void)frexp(size, &exponent);
    if (exponent > LARGEST_EXPONENT) exponent = LARGEST_EXPONENT;
    if (exponent < -LARGEST_EXPONENT) exponent = -LARGEST_EXPONENT;
    l->unit[j] = ldexp(1, exponent);
}
