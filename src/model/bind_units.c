/* SPDX-License-Identifier: Apache-2.0 */
/* The units of names: as they are declared, else as their values have them, with the text that shows them. */
#include <stdio.h>
#include <string.h>

#include "model/bind.h"

static const char *keep(struct binder *b, struct place place)
{
    return text_keep(b->system, b->syntax->source.text + place.offset, place.length);
}

/* Keeps how a unit is written first. */
static tansy_status note_unit(struct binder *b, uint32_t unit, const char *text, size_t length)
{
    while (b->unit_text.count < unit)
        if (!LIST_ADD(&b->unit_text, NULL)) return BIND_NO_MEMORY(b);
    if (unit == UNIT_UNKNOWN || b->unit_text.item[unit - 1]) return TANSY_OK;
    b->unit_text.item[unit - 1] = text_keep(b->system, text, length);
    return b->unit_text.item[unit - 1] ? TANSY_OK : BIND_NO_MEMORY(b);
}

void bind_unit_text(const struct binder *b, uint32_t unit, char text[UNIT_TEXT])
{
    const char *const written = unit <= b->unit_text.count ? b->unit_text.item[unit - 1] : NULL;
    if (written && unit != UNIT_NONE && strlen(written) < UNIT_TEXT)
        memcpy(text, written, strlen(written) + 1);
    else
        unit_write(unit_of(&b->units, unit), text);
}

tansy_status bind_unit(struct binder *b, struct place place, uint32_t *number, const char **text)
{
    struct unit unit;
    struct unit_fault fault;
    *number = UNIT_UNKNOWN;
    if (place.offset == 0) return TANSY_OK;
    if (!unit_parse(b->syntax->source.text + place.offset, place.length, &unit, &fault)) {
        struct place const at = {place.offset + (uint32_t)fault.offset, (uint32_t)fault.length};
        return BIND_ERROR(b, at, "%s", fault.what);
    }
    *number = unit_number(&b->units, &unit);
    TRY(note_unit(b, *number, b->syntax->source.text + place.offset, place.length));
    if (text) *text = keep(b, place);
    return b->units.failed || (text && !*text) ? BIND_NO_MEMORY(b) : TANSY_OK;
}

/* The text of a unit that no declaration has. */
static const char *shown(struct binder *b, uint32_t unit)
{
    char text[UNIT_TEXT];
    bind_unit_text(b, unit, text);
    return text_keep(b->system, text, strlen(text));
}

tansy_status bind_take_unit(struct binder *b, struct symbol *s, struct place place, uint32_t unit,
                            const char *what)
{
    if (s->unit != UNIT_UNKNOWN || unit == UNIT_UNKNOWN)
        return value_same_unit(b, place, s->unit, unit, what);
    s->unit = unit;
    s->unit_text = shown(b, unit);
    return s->unit_text ? TANSY_OK : BIND_NO_MEMORY(b);
}

/* Seconds times a factor, or without dimension. */
tansy_status bind_is_time(struct binder *b, struct place place, uint32_t unit)
{
    static const struct unit none = {.factor = 1}, second = {.factor = 1, .exponent = {[2] = 1}};
    const struct unit *const u = unit == UNIT_UNKNOWN ? &none : unit_of(&b->units, unit);
    if (unit_same_dimension(u, &second) || unit_same_dimension(u, &none)) return TANSY_OK;
    return BIND_ERROR(b, place, "a unit of time is wanted here, such as s, min, h or 1");
}

tansy_status bind_take_time_unit(struct binder *b, const struct value *v, const char *what)
{
    if (b->time_unit != UNIT_UNKNOWN || v->unit == UNIT_UNKNOWN)
        return value_same_unit(b, v->place, b->time_unit, v->unit, what);
    TRY(bind_is_time(b, v->place, v->unit));
    b->time_unit = v->unit;
    b->system->time_unit = shown(b, v->unit);
    return b->system->time_unit ? TANSY_OK : BIND_NO_MEMORY(b);
}

/* "a/b" or "a b" of units as they are written. */
static tansy_status note_with_time(struct binder *b, uint32_t unit, const char *of, char sign,
                                   double power)
{
    char text[UNIT_TEXT];
    if (unit == UNIT_UNKNOWN || b->time_unit == UNIT_UNKNOWN) return TANSY_OK;
    if (sign == '/' && strpbrk(b->system->time_unit, " /*.")) return TANSY_OK;
    int const length = snprintf(text, sizeof text, "%s%c%s", unit == UNIT_NONE ? "1" : of, sign,
                                b->system->time_unit);
    uint32_t const product = unit_multiply(&b->units, unit, b->time_unit, power);
    return length < UNIT_TEXT ? note_unit(b, product, text, (size_t)length) : TANSY_OK;
}

/* mg/min of mg and min. */
tansy_status bind_rate_unit(struct binder *b, const struct symbol *s)
{
    return note_with_time(b, s->unit, s->unit_text, '/', -1);
}

/* mg min of mg and min. */
tansy_status bind_take_integral_unit(struct binder *b, struct symbol *s, const struct value *v)
{
    char text[UNIT_TEXT] = "";
    if (s->unit != UNIT_UNKNOWN || v->unit == UNIT_UNKNOWN) return TANSY_OK; /* compared already */
    bind_unit_text(b, v->unit, text);
    TRY(note_with_time(b, v->unit, text, ' ', 1));
    return bind_take_unit(b, s, v->place, unit_multiply(&b->units, v->unit, b->time_unit, 1), "");
}
