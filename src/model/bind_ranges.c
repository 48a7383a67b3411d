/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of indices: their bounds are whole numbers, their entries are counted with the last index fastest. */
#include <math.h>

#include "model/bind.h"

static tansy_status whole(struct binder *b, struct place place, double number)
{
    if (fabs(number) > 1e15 && isfinite(number))
        return BIND_ERROR(b, place, "the bound %g of this range is beyond 1e15", number);
    if (number != floor(number) || !isfinite(number))
        return BIND_ERROR(b, place, "the bound %g of this range is not a whole number", number);
    return TANSY_OK;
}

tansy_status bind_range_set(struct binder *b, struct indices *indices, uint32_t which,
                            const struct range *range, double lower, double upper)
{
    TRY(whole(b, range->place, lower));
    TRY(whole(b, range->place, upper));
    double const size = upper - lower + 1;
    if (size < 0)
        return BIND_ERROR(b, range->place, "the range %.0f .. %.0f is empty", lower, upper);
    if (size > MAX_ENTRIES)
        return BIND_ERROR(b, range->place, "the range %.0f .. %.0f has more than %d entries", lower,
                          upper, MAX_ENTRIES);
    indices->name[which] = range->name;
    indices->lower[which] = (int64_t)lower;
    indices->size[which] = (uint32_t)size;
    return TANSY_OK;
}

tansy_status bind_range_finish(struct binder *b, struct indices *indices, struct place place)
{
    indices->entries = 1;
    for (uint32_t i = 0; i < indices->count; i++) {
        indices->entries *= indices->size[i];
        if (indices->entries > MAX_ENTRIES)
            return BIND_ERROR(b, place, "these ranges together have more than %d entries",
                              MAX_ENTRIES);
    }
    return TANSY_OK;
}

tansy_status bind_index_free(struct binder *b, const struct range *range, size_t scope)
{
    if (range->name == NO_NAME) return TANSY_OK;
    if (range->name == b->name_pi || range->name == b->name_reactions ||
        b->symbol_of[range->name] != NO_NAME)
        return BIND_ERROR(b, range->place, "the index %s has the name of something else",
                          bind_name(b, range->name));
    for (size_t k = scope; k < b->binding.count; k++)
        if (b->binding.item[k].name == range->name)
            return BIND_ERROR(b, range->place, "the index %s is in use by a loop around this",
                              bind_name(b, range->name));
    return TANSY_OK;
}

/* Does an expression name it? */
static bool has_name(const struct binder *b, struct expression e, uint32_t name)
{
    for (uint32_t x = e.first; x < e.first + e.count; x++)
        if (b->syntax->term.item[x].kind == TERM_NAME && b->syntax->term.item[x].name == name)
            return true;
    return false;
}

uint32_t bind_range_follows(const struct binder *b, struct ranges ranges)
{
    if (ranges.count < 2) return NO_NAME;
    const struct range *const range = b->syntax->range.item + ranges.first;
    for (uint32_t i = 1; i < ranges.count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (range[k].name != NO_NAME && (has_name(b, range[i].from, range[k].name) ||
                                             has_name(b, range[i].to, range[k].name)))
                return range[k].name;
    return NO_NAME;
}

tansy_status bind_range_number(struct binder *b, struct indices *indices, uint32_t which,
                               const struct range *range)
{
    struct value lower, upper;
    TRY(bind_number(b, range->from, &lower));
    TRY(bind_number(b, range->to, &upper));
    TRY(value_is_plain(b, &lower, "the bound of a range has no dimension, but there are"));
    TRY(value_is_plain(b, &upper, "the bound of a range has no dimension, but there are"));
    return bind_range_set(b, indices, which, range, lower.number, upper.number);
}

tansy_status bind_ranges(struct binder *b, struct ranges ranges, struct indices *indices)
{
    *indices = (struct indices){.count = ranges.count};
    struct place place = {0, 0};
    uint32_t const followed = bind_range_follows(b, ranges);
    if (followed != NO_NAME)
        return BIND_ERROR(b, b->syntax->range.item[ranges.first + ranges.count - 1].place,
                          "vectors and reactions have the same range for every %s: only the bounds "
                          "of sums, products and equations may use an earlier index",
                          bind_name(b, followed));
    for (uint32_t i = 0; i < ranges.count; i++) {
        const struct range *const range = &b->syntax->range.item[ranges.first + i];
        place = range->place;
        TRY(bind_index_free(b, range, 0));
        for (uint32_t k = 0; k < i; k++)
            if (range->name != NO_NAME && indices->name[k] == range->name)
                return BIND_ERROR(b, range->place, "two indices are called %s",
                                  bind_name(b, range->name));
        TRY(bind_range_number(b, indices, i, range));
        if (indices->size[i] == 0)
            return BIND_ERROR(b, range->place, "the range %.0f .. %.0f is empty",
                              (double)indices->lower[i], (double)indices->lower[i] - 1);
    }
    return bind_range_finish(b, indices, place);
}

void bind_binding(struct binder *b, const struct indices *indices, size_t k, size_t from)
{
    size_t below = indices->entries;
    for (uint32_t i = 0; i < indices->count; i++) {
        below /= indices->size[i];
        b->binding.item[from + i] =
            (struct binding){indices->name[i],
                             (double)(indices->lower[i] + (int64_t)(k / below % indices->size[i]))};
    }
}

tansy_status bind_loop_begin(struct binder *b, const struct indices *indices)
{
    if (!LIST_ROOM(&b->binding, indices->count)) return BIND_NO_MEMORY(b);
    b->binding.count = indices->count;
    return TANSY_OK;
}

void bind_loop_set(struct binder *b, const struct indices *indices, size_t k)
{
    bind_binding(b, indices, k, 0);
    b->loop_left = indices->entries - k;
}

void bind_loop_end(struct binder *b)
{
    b->binding.count = 0;
    b->loop_left = 0;
}
