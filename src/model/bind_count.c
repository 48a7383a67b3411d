/* SPDX-License-Identifier: Apache-2.0 */
/* How large a sum will be, before it is expanded: entries times entries of the sums and the loop around it, as long as their
   ranges do not change with an index. */
#include "model/bind_frames.h"

/* The bound of a range has the name of an index around it, or might. */
static bool moves(const struct binder *b, const struct frame *f, struct expression e)
{
    for (uint32_t x = e.first; x < e.first + e.count; x++) {
        const struct term *const t = &b->syntax->term.item[x];
        if (t->kind == TERM_SUM || t->kind == TERM_PRODUCT) return true;
        for (size_t k = f->scope; t->kind == TERM_NAME && k < f->bindings; k++)
            if (b->binding.item[k].name == t->name) return true;
    }
    return false;
}

static bool ranges_move(const struct binder *b, const struct frame *f)
{
    const struct body *const body = &b->syntax->body.item[b->syntax->term.item[f->sum].body];
    bool any = false;
    for (uint32_t k = 0; k < body->ranges.count && !any; k++) {
        const struct range *const range = &b->syntax->range.item[body->ranges.first + k];
        any = moves(b, f, range->from) || moves(b, f, range->to);
    }
    return any;
}

double bind_terms_ahead(const struct binder *b)
{
    const struct frame *f = &b->evaluator->frame.item[b->evaluator->frame.count - 1];
    double ahead = f->end - f->at;
    for (; f->kind == FRAME_BODY; f--) {
        ahead *= (double)(f->indices.entries - f->done);
        if (ranges_move(b, f)) return ahead;
    }
    return f->kind == FRAME_TOP && b->loop_left > 0 ? ahead * (double)b->loop_left : ahead;
}
