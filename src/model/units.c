/* SPDX-License-Identifier: Apache-2.0 */
/* Units with numbers, see units.h.  Exponents are sums of small fractions: they are equal when they agree to 1e-9, factors
   when they agree to 1e-9 relatively, which is far above rounding and far below any two units that differ. */
#include "model/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"

#define TOLERANCE 1e-9

bool unit_same_dimension(const struct unit *a, const struct unit *b)
{
    for (size_t i = 0; i < UNIT_BASES; i++)
        if (!(fabs(a->exponent[i] - b->exponent[i]) <= TOLERANCE)) return false;
    return true;
}

bool unit_same(const struct unit *a, const struct unit *b)
{
    return unit_same_dimension(a, b) && fabs(a->factor - b->factor) <= TOLERANCE * fabs(a->factor);
}

void unit_write(const struct unit *unit, char text[UNIT_TEXT])
{
    static const char *const base[UNIT_BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    int used = 0;
    text[0] = 0;
    if (fabs(unit->factor - 1) > TOLERANCE) used = snprintf(text, UNIT_TEXT, "%.10g", unit->factor);
    for (size_t i = 0; i < UNIT_BASES && used < UNIT_TEXT; i++) {
        double const e = unit->exponent[i];
        const char *const space = used ? " " : "";
        if (fabs(e) <= TOLERANCE) continue;
        if (fabs(e - 1) <= TOLERANCE)
            used += snprintf(text + used, (size_t)(UNIT_TEXT - used), "%s%s", space, base[i]);
        else
            used +=
                snprintf(text + used, (size_t)(UNIT_TEXT - used), "%s%s^%.4g", space, base[i], e);
    }
    if (used == 0) (void)snprintf(text, UNIT_TEXT, "1");
}

void unit_table_free(struct unit_table *t)
{
    LIST_FREE(&t->unit);
}

/* Adds the unit even where it is there already. */
static uint32_t append(struct unit_table *t, const struct unit *unit)
{
    if (LIST_ADD(&t->unit, *unit)) return (uint32_t)t->unit.count;
    t->failed = true;
    return UNIT_UNKNOWN;
}

uint32_t unit_number(struct unit_table *t, const struct unit *unit)
{
    static const struct unit none = {.factor = 1};
    if (t->unit.count == 0 && append(t, &none) == UNIT_UNKNOWN) return UNIT_UNKNOWN;
    for (size_t i = 0; i < t->unit.count; i++)
        if (unit_same(&t->unit.item[i], unit)) return (uint32_t)i + 1;
    return t->unit.count < MAX_UNITS ? append(t, unit) : UNIT_UNKNOWN;
}

const struct unit *unit_of(const struct unit_table *t, uint32_t number)
{
    static const struct unit none = {.factor = 1};
    return number == UNIT_NONE ? &none : &t->unit.item[number - 1];
}

static uint32_t multiply(struct unit_table *t, uint32_t a, uint32_t b, double power)
{
    struct unit product = *unit_of(t, a);
    const struct unit *const other = unit_of(t, b);
    product.factor *= pow(other->factor, power);
    for (size_t i = 0; i < UNIT_BASES; i++) product.exponent[i] += power * other->exponent[i];
    return unit_number(t, &product);
}

uint32_t unit_multiply(struct unit_table *t, uint32_t a, uint32_t b, double power)
{
    if (a == UNIT_UNKNOWN || b == UNIT_UNKNOWN) return UNIT_UNKNOWN;
    if (b == UNIT_NONE) return a;
    uint64_t bits;
    memcpy(&bits, &power, sizeof bits);
    size_t const place = (a * 37 + b * 11 + (size_t)(bits >> 52)) % UNIT_MEMO;
    if (t->memo[place].a != a || t->memo[place].b != b || t->memo[place].power != power) {
        t->memo[place].result = multiply(t, a, b, power);
        t->memo[place].a = a;
        t->memo[place].b = b;
        t->memo[place].power = power;
    }
    return t->memo[place].result;
}
