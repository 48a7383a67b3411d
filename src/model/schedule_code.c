/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of instructions; roots that are copied to out; leaves that are fetched into slots. */
#include "model/schedule_code.h"

#include <string.h>

#include "base/heap.h"

enum {
    ALIGNED = 8,     /* doubles of a cache line */
    LARGEST_GAP = 8, /* entries that are copied though nobody wants them, rather than by two
                        instructions */
    LEAST_NEGATED = 16
}; /* neighbours whose signs are turned as an array */

uint32_t emit_slot(struct emitter *e, uint32_t node)
{
    if (e->s->row_of[node] != NOTHING) return e->s->row.item[e->s->row_of[node]].slot;
    if (!e->leaf_of[node]) {
        if (!LIST_ADD(&e->leaf, node)) {
            e->failed = true;
            return 0;
        }
        e->leaf_of[node] = (uint32_t)e->leaf.count;
    }
    return (e->leaf_of[node] - 1) | LEAF_FLAG;
}

struct stream emit_address(struct emitter *e, uint32_t node)
{
    if (e->s->row_of[node] == NOTHING) {
        struct stream const at = leaf_place(e->s, node);
        if (at.space != SPACE_WORK && at.space != SPACE_CONSTANT) return at;
    }
    return (struct stream){SPACE_WORK, 0, emit_slot(e, node)};
}

uint32_t emit_room(struct emitter *e, uint32_t count)
{
    uint32_t const first = (uint32_t)(e->slots + ALIGNED - 1) / ALIGNED * ALIGNED;
    e->slots = first + count;
    return first;
}

struct instruction emit_begin(const struct emitter *e, enum code code)
{
    return (struct instruction){.code = (uint8_t)code,
                                .index = e->p->index.count,
                                .weight = e->p->weight.count,
                                .stream = e->p->stream.count,
                                .place = e->p->place.count};
}

void emit_instruction(struct emitter *e, const struct instruction *i)
{
    if (!LIST_ADD(&e->p->instruction, *i)) e->failed = true;
}

void emit_index(struct emitter *e, uint32_t slot)
{
    if (!LIST_ADD(&e->p->index, slot)) e->failed = true;
}

void emit_place(struct emitter *e, uint32_t place)
{
    if (!LIST_ADD(&e->p->place, place)) e->failed = true;
}

void emit_weight(struct emitter *e, double weight)
{
    if (!LIST_ADD(&e->p->weight, weight)) e->failed = true;
}

void emit_stream(struct emitter *e, struct stream stream)
{
    if (!LIST_ADD(&e->p->stream, stream)) e->failed = true;
}

void emit_note(struct emitter *e, uint32_t row)
{
    if (!LIST_ADD(&e->list, row)) e->failed = true;
}

/* Those that are x, -x or c*x: sums of one term. */
static void emit_copies(struct emitter *e, enum term_kind kind)
{
    const struct schedule *const s = e->s;
    struct instruction i = emit_begin(e, CODE_SUM);
    i.to_out = i.placed = true;
    i.shape[kind] = 1;
    for (size_t k = 0; k < s->roots; k++) {
        const struct term *const copy = &s->copy[k];
        uint32_t const r = s->row_of[s->root[k]];
        if ((r != NOTHING && s->row.item[r].is_direct) || term_kind(copy) != kind) continue;
        emit_index(e, emit_slot(e, copy->a));
        emit_place(e, (uint32_t)(s->place ? s->place[k] : k));
        if (kind == WEIGHTED) emit_weight(e, copy->weight);
        i.count++;
    }
    if (i.count) emit_instruction(e, &i);
}

/* Roots -x or c*x of the slots keyed[count], one by one. */
static void keep_one_by_one(struct emitter *e, const struct keyed *keyed, size_t count,
                            enum term_kind kind)
{
    struct instruction i = emit_begin(e, CODE_SUM);
    i.shape[kind] = 1;
    i.count = (uint32_t)count;
    i.to = emit_room(e, i.count);
    for (size_t k = 0; k < count; k++) {
        emit_index(e, (uint32_t)keyed[k].key);
        if (kind == WEIGHTED) emit_weight(e, e->s->copy[keyed[k].value].weight);
        e->s->kept[keyed[k].value] = i.to + (uint32_t)k;
    }
    if (count) emit_instruction(e, &i);
}

/* -x of all slots from that of keyed[0] to that of keyed[count - 1], as an array. */
static void keep_negated(struct emitter *e, const struct keyed *keyed, size_t count)
{
    uint32_t const start = (uint32_t)keyed[0].key;
    struct instruction i = emit_begin(e, CODE_SUM_STREAM);
    i.shape[MINUS] = 1;
    i.count = (uint32_t)keyed[count - 1].key - start + 1;
    i.to = emit_room(e, i.count);
    emit_stream(e, (struct stream){SPACE_WORK, 1, start});
    emit_instruction(e, &i);
    for (size_t k = 0; k < count; k++)
        e->s->kept[keyed[k].value] = i.to + (uint32_t)keyed[k].key - start;
}

/* The roots of one kind.  Their slots rise, so that neighbours are found; those of leaves, which are none yet, come last. */
static void keep_kind(struct emitter *e, struct keyed *keyed, enum term_kind kind)
{
    size_t count = 0;
    for (size_t k = 0; k < e->s->roots; k++)
        if (term_kind(&e->s->copy[k]) == kind)
            keyed[count++] = (struct keyed){emit_slot(e, e->s->copy[k].a), (uint32_t)k};
    if (!schedule_sort(keyed, count)) e->failed = true;
    size_t from = 0; /* those before are done */
    for (size_t k = 0, end; k < count && kind == MINUS; k = end) {
        for (end = k + 1; end < count && keyed[end].key - keyed[end - 1].key <= LARGEST_GAP;) end++;
        if (end - k < LEAST_NEGATED || keyed[end - 1].key & LEAF_FLAG) continue;
        keep_one_by_one(e, keyed + from, k - from, kind);
        keep_negated(e, keyed + k, end - k);
        from = end;
    }
    keep_one_by_one(e, keyed + from, count - from, kind);
}

/* Those that are rows or leaves stay where they are. */
static void keep_roots(struct emitter *e)
{
    const struct schedule *const s = e->s;
    struct keyed *const keyed = heap_take((s->roots + 1) * sizeof *keyed);
    if (!keyed) {
        e->failed = true;
        return;
    }
    for (size_t k = 0; k < s->roots; k++)
        if (term_kind(&s->copy[k]) == PLUS) s->kept[k] = emit_slot(e, s->copy[k].a);
    keep_kind(e, keyed, MINUS);
    keep_kind(e, keyed, WEIGHTED);
    heap_return(keyed);
}

void emit_roots(struct emitter *e)
{
    if (e->s->kept)
        keep_roots(e);
    else
        for (int kind = PLUS; kind <= WEIGHTED; kind++) emit_copies(e, (enum term_kind)kind);
}

/* Leaves in the order of where they stand; constants become entries of the program's list. */
static struct keyed *sort_leaves(struct emitter *e)
{
    struct keyed *const keyed = heap_take((e->leaf.count + 1) * sizeof *keyed);
    for (size_t k = 0; k < e->leaf.count && keyed; k++) {
        struct stream at = leaf_place(e->s, e->leaf.item[k]);
        if (at.space == SPACE_CONSTANT) {
            at.index = (uint32_t)e->p->constant.count;
            if (!LIST_ADD(&e->p->constant, node_value(&e->s->node[e->leaf.item[k]])))
                e->failed = true;
        }
        keyed[k] = (struct keyed){(uint64_t)at.space << 32 | at.index, (uint32_t)k};
    }
    if (!keyed || !schedule_sort(keyed, e->leaf.count)) e->failed = true;
    return keyed;
}

/* One instruction that fetches leaf k and, if they are entries of an array, those after it; how many.  slot[] gets where
   they are. */
static size_t fetch_leaves(struct emitter *e, const struct keyed *keyed, size_t left,
                           uint32_t *slot)
{
    uint64_t const start = keyed[0].key;
    struct instruction i = emit_begin(e, CODE_COPY);
    if (start >> 32 == SPACE_WORK) {
        const struct node *const n = &e->s->node[e->leaf.item[keyed[0].value]];
        i.code = CODE_LEAF;
        i.operation = (uint8_t)n->operation;
        i.shape[0] = (int32_t)n->index;
        i.count = 1;
        i.to = slot[keyed[0].value] = emit_room(e, 1);
        emit_instruction(e, &i);
        return 1;
    }
    size_t k = 1;
    while (k < left && keyed[k].key >> 32 == start >> 32 &&
           keyed[k].key - keyed[k - 1].key <= LARGEST_GAP)
        k++;
    i.count = (uint32_t)(keyed[k - 1].key - start + 1);
    i.to = emit_room(e, i.count);
    for (size_t j = 0; j < k; j++) slot[keyed[j].value] = i.to + (uint32_t)(keyed[j].key - start);
    emit_stream(e, (struct stream){(uint8_t)(start >> 32), 1, (uint32_t)start});
    emit_instruction(e, &i);
    return k;
}

static void place_leaf(uint32_t *number, const uint32_t *slot)
{
    if (*number & LEAF_FLAG) *number = slot[*number & ~LEAF_FLAG];
}

/* Numbers of leaves become slots.  Shapes in index[] have no flag. */
static void place_leaves(struct emitter *e, const uint32_t *slot)
{
    struct program *const p = e->p;
    for (size_t k = 0; k < p->index.count; k++) place_leaf(&p->index.item[k], slot);
    for (size_t k = 0; k < p->stream.count; k++) place_leaf(&p->stream.item[k].index, slot);
    for (size_t k = 0; k < e->s->roots && e->s->kept; k++) place_leaf(&e->s->kept[k], slot);
}

void emit_leaves(struct emitter *e)
{
    struct program *const p = e->p;
    size_t const before = p->instruction.count;
    struct keyed *const keyed = sort_leaves(e);
    uint32_t *const slot = heap_take((e->leaf.count + 1) * sizeof *slot);
    if (!slot) e->failed = true;
    for (size_t k = 0; k < e->leaf.count && !e->failed;)
        k += fetch_leaves(e, keyed + k, e->leaf.count - k, slot);
    size_t const fetches = p->instruction.count - before;
    if (!e->failed) place_leaves(e, slot);
    struct instruction *const first = heap_take((fetches + 1) * sizeof *first);
    if (!first) e->failed = true;
    if (!e->failed && fetches) { /* they run first */
        memcpy(first, p->instruction.item + before, fetches * sizeof *first);
        memmove(p->instruction.item + fetches, p->instruction.item, before * sizeof *first);
        memcpy(p->instruction.item, first, fetches * sizeof *first);
    }
    heap_return(first);
    heap_return(slot);
    heap_return(keyed);
}
