/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions for rows in their order: streams where the operands of neighbouring rows are neighbours, else slots. */
#include "model/schedule.h"

#include <string.h>

#include "base/heap.h"
#include "model/schedule_code.h"
#include "model/simplify.h"

enum {
    SHORT_COLUMNS =
        8, /* operands of rows of one shape that run together; longer rows run each by itself */
    LONG_COLUMNS = 32, /* of rows whose chunks would wait for each other */
    LEAST_COMMON = 3,  /* rows of a shape with code of its own that are worth an instruction */
    LEAST_STREAM = 8,  /* rows that are worth a stream; */
    LEAST_FAST = 32    /* of those with code of their own: 15 ns against 0.5 ns a row */
};

static bool same_shape(const struct row *a, const struct row *b)
{
    return a->kind == b->kind && a->operation == b->operation &&
           memcmp(a->shape, b->shape, sizeof a->shape) == 0;
}

/* Rows alike except for the operation of the node, which sums and products do not show. */
static bool alike(const struct row *a, const struct row *b)
{
    return a->kind >= ROW_FUNCTION
               ? same_shape(a, b)
               : a->kind == b->kind && memcmp(a->shape, b->shape, sizeof a->shape) == 0;
}

static const struct row *row_at(const struct emitter *e, size_t r)
{
    return &e->s->row.item[r];
}

static unsigned columns_of(const struct row *row)
{
    return row->kind == ROW_POWER ? 1 : shape_columns(row->shape);
}

/* Operand nodes of a row one after the other. */
static void list_operands(const struct emitter *e, const struct row *row, uint32_t *node)
{
    const struct term *term = e->s->term.item + row->first;
    unsigned const columns = columns_of(row);
    for (unsigned c = 0; c < columns; term++) {
        node[c++] = term->a;
        if (term->b != NOTHING) node[c++] = term->b;
    }
}

/* How far from row `first` on the operands are streams, and which; at most to end. */
static size_t stream_end(struct emitter *e, size_t first, size_t end, struct stream *stream)
{
    uint32_t node[SHORT_COLUMNS] = {0};
    unsigned const columns = columns_of(row_at(e, first));
    const struct row *const row = row_at(e, first);
    list_operands(e, row, node);
    for (unsigned c = 0; c < columns; c++) stream[c] = emit_address(e, node[c]);
    size_t r = first + 1;
    for (; r < end; r++) {
        const struct row *const next = row_at(e, r);
        if (next->is_direct != row->is_direct) return r;
        if (row->is_direct && next->place != row->place + (r - first)) return r;
        list_operands(e, next, node);
        for (unsigned c = 0; c < columns; c++) {
            struct stream const at = emit_address(e, node[c]);
            bool const is_fixed = at.index & LEAF_FLAG; /* has no neighbours */
            if (r == first + 1 && !is_fixed && at.index == stream[c].index + 1)
                stream[c].stride = 1;
            if (at.space != stream[c].space ||
                at.index != stream[c].index + stream[c].stride * (r - first))
                return r;
        }
    }
    return r;
}

/* The weights of rows first .. end, term after term. */
static void emit_stream_weights(struct emitter *e, size_t first, size_t end)
{
    const int32_t *const shape = row_at(e, first)->shape;
    int32_t const before = shape[PLUS] + shape[MINUS];
    for (int32_t k = 0; k < shape[WEIGHTED]; k++)
        for (size_t r = first; r < end; r++)
            emit_weight(e, e->s->term.item[row_at(e, r)->first + before + k].weight);
}

static void emit_stream_rows(struct emitter *e, size_t first, size_t end,
                             const struct stream *stream)
{
    const struct row *const row = row_at(e, first);
    struct instruction i =
        emit_begin(e, row->kind == ROW_SUM ? CODE_SUM_STREAM : CODE_PRODUCT_STREAM);
    i.count = (uint32_t)(end - first);
    i.to_out = row->is_direct;
    i.to = row->is_direct ? row->place : row->slot;
    memcpy(i.shape, row->shape, sizeof i.shape);
    for (unsigned c = 0; c < columns_of(row); c++) emit_stream(e, stream[c]);
    if (row->kind == ROW_SUM) emit_stream_weights(e, first, end);
    emit_instruction(e, &i);
}

/* Slots and weights of a row. */
static void emit_operands(struct emitter *e, const struct row *row)
{
    const struct term *term = e->s->term.item + row->first;
    unsigned const columns = columns_of(row);
    for (unsigned c = 0; c < columns; c++, term++) {
        emit_index(e, emit_slot(e, term->a));
        if (term->b != NOTHING) emit_index(e, emit_slot(e, term->b)), c++;
    }
    term = e->s->term.item + row->first + row->shape[PLUS] + row->shape[MINUS];
    for (int32_t k = 0; k < row->shape[WEIGHTED] && row->kind == ROW_SUM; k++)
        emit_weight(e, term[k].weight);
}

/* Rows first .. end, alike, by slots; those that go to out apart from the others. */
static void emit_indexed_rows(struct emitter *e, size_t first, size_t end)
{
    for (size_t r = first; r < end;) {
        const struct row *const row = row_at(e, r);
        struct instruction i = emit_begin(e, row->kind == ROW_SUM ? CODE_SUM : CODE_PRODUCT);
        i.to = row->slot;
        i.to_out = i.placed = row->is_direct;
        memcpy(i.shape, row->shape, sizeof i.shape);
        for (; r < end && row_at(e, r)->is_direct == row->is_direct; r++, i.count++) {
            if (row->is_direct) emit_place(e, row_at(e, r)->place);
            emit_operands(e, row_at(e, r));
        }
        emit_instruction(e, &i);
    }
}

/* Without weights and products. */
static bool is_pure(const struct row *row)
{
    return !row->shape[WEIGHTED] && !row->shape[PAIR] && !row->shape[MINUS_PAIR];
}

/* Has code of its own: engine_rows_body.c. */
static bool is_common(const struct row *row)
{
    const int32_t *const n = row->shape;
    return is_pure(row) ? n[PLUS] < 5 && n[MINUS] < 5 : n[WEIGHTED] == 1 && columns_of(row) == 1;
}

/* Rows of one shape. */
static void emit_short_rows(struct emitter *e, size_t first, size_t end)
{
    const struct row *const row = row_at(e, first);
    size_t const least = row->kind == ROW_PRODUCT || is_common(row) ? LEAST_FAST : LEAST_STREAM;
    size_t from = first; /* rows before have been emitted */
    for (size_t r = first; r < end;) {
        struct stream stream[SHORT_COLUMNS];
        size_t const stop = stream_end(e, r, end, stream);
        if (stop - r >= least) {
            emit_indexed_rows(e, from, r);
            emit_stream_rows(e, r, stop, stream);
            from = stop;
        }
        r = stop - r >= least || stop - r == 1 ? stop : stop - 1;
    }
    emit_indexed_rows(e, from, end);
}

/* Of `count` rows alike: do they run each by itself? */
static bool is_long(const struct row *row, size_t count)
{
    if (columns_of(row) > SHORT_COLUMNS) return true;
    return row->kind == ROW_SUM && count < (is_common(row) ? LEAST_COMMON : LEAST_STREAM);
}

/* Where a row goes: out or work. */
static uint32_t place_of(const struct emitter *e, size_t r)
{
    return row_at(e, r)->is_direct ? row_at(e, r)->place : row_at(e, r)->slot;
}

/* The slots of `CHUNK` terms from term[k] on, of `count`; beyond, 0. */
static void emit_chunk(struct emitter *e, const struct term *term, int32_t k, int32_t count,
                       enum term_kind kind)
{
    for (int32_t j = k; j < k + CHUNK; j++) {
        emit_index(e, emit_slot(e, j < count ? term[j].a : ZERO));
        if (kind >= PAIR) emit_index(e, emit_slot(e, j < count ? term[j].b : ZERO));
        if (kind == WEIGHTED) emit_weight(e, j < count ? term[j].weight : 0);
    }
}

/* First chunks of the terms of one kind of all listed rows, then second chunks, ..; how many.  Rows begin with a chunk of
   positive terms if they have any, which is not counted and goes where place[] says. */
static int32_t emit_chunks(struct emitter *e, enum term_kind kind)
{
    int32_t chunks = 0;
    bool any = true;
    for (int32_t k = 0; any; k += CHUNK) {
        any = false;
        for (size_t m = 0; m < e->list.count; m++) {
            const struct row *const row = row_at(e, e->list.item[m]);
            bool const begins = kind == PLUS && k == 0;
            if (k >= row->shape[kind]) continue;
            const struct term *term = e->s->term.item + row->first;
            for (int before = 0; before < (int)kind; before++) term += row->shape[before];
            emit_chunk(e, term, k, row->shape[kind], kind);
            any = true;
            if (begins) continue;
            emit_index(e, place_of(e, e->list.item[m]));
            chunks++;
        }
    }
    return chunks;
}

/* The weighted terms of a very long row, each operand but once. */
static void merge_weighted(struct emitter *e, struct row *row)
{
    struct term *const term = e->s->term.item + row->first + row->shape[PLUS] + row->shape[MINUS];
    size_t const count = (size_t)row->shape[WEIGHTED];
    struct keyed *const keyed = heap_take((count + 1) * sizeof *keyed);
    struct term *const sorted = heap_take((count + 1) * sizeof *sorted);
    if (!keyed || !sorted) e->failed = true;
    for (size_t k = 0; k < count && !e->failed; k++)
        keyed[k] = (struct keyed){emit_slot(e, term[k].a), (uint32_t)k};
    if (!e->failed && !schedule_sort(keyed, count)) e->failed = true;
    size_t different = 0;
    for (size_t k = 0; k < count && !e->failed; k++) {
        struct term const next = term[keyed[k].value];
        if (different && sorted[different - 1].a == next.a)
            sorted[different - 1].weight += next.weight;
        else
            sorted[different++] = next;
    }
    if (!e->failed) {
        memcpy(term, sorted, different * sizeof *term);
        size_t const gone = count - different;
        for (size_t k = count; k < count + (size_t)(row->shape[PAIR] + row->shape[MINUS_PAIR]); k++)
            term[k - gone] = term[k];
        row->shape[WEIGHTED] = (int32_t)different;
    }
    heap_return(keyed);
    heap_return(sorted);
}

/* How a long row runs. */
enum long_kind { WITH_PLUS, WITHOUT_PLUS, VERY_LONG, LONG_KINDS };

static enum long_kind long_kind(const struct row *row)
{
    if (columns_of(row) > LONG_COLUMNS) return VERY_LONG;
    return row->shape[PLUS] ? WITH_PLUS : WITHOUT_PLUS;
}

/* The long sums of one kind among the rows first .. end that go to the same place. */
static void emit_long_sums(struct emitter *e, size_t first, size_t end, bool direct,
                           enum long_kind kind_of_rows)
{
    e->list.count = 0;
    for (size_t r = first; r < end; r++) {
        const struct row *const row = row_at(e, r);
        if (row->is_long && row->is_direct == direct && long_kind(row) == kind_of_rows)
            emit_note(e, (uint32_t)r);
    }
    if (!e->list.count) return;
    bool const very = kind_of_rows == VERY_LONG;
    struct instruction i = emit_begin(e, very ? CODE_LONG : CODE_CHUNKS);
    i.count = (uint32_t)e->list.count;
    i.to_out = direct;
    i.placed = true;
    i.operation = kind_of_rows == WITH_PLUS ? OP_ADD : OP_CONSTANT;
    for (size_t m = 0; m < e->list.count; m++) emit_place(e, place_of(e, e->list.item[m]));
    for (int kind = 0; kind < TERM_KINDS && !very; kind++)
        i.shape[kind] = emit_chunks(e, (enum term_kind)kind);
    for (size_t m = 0; m < e->list.count && very; m++) {
        struct row *const row = &e->s->row.item[e->list.item[m]];
        merge_weighted(e, row);
        for (int kind = 0; kind < TERM_KINDS; kind++) emit_index(e, (uint32_t)row->shape[kind]);
        emit_operands(e, row);
    }
    emit_instruction(e, &i);
}

/* Where column c of the rows first .. end stands: an array, or gathered into one. */
static struct stream emit_column(struct emitter *e, size_t first, size_t end, unsigned c)
{
    const struct term *const terms = e->s->term.item;
    struct stream const start = emit_address(e, terms[row_at(e, first)->first + c].a);
    bool is_array = !(start.index & LEAF_FLAG) || end - first == 1;
    for (size_t r = first; r < end && is_array; r++) {
        struct stream const at = emit_address(e, terms[row_at(e, r)->first + c].a);
        is_array = at.space == start.space && at.index == start.index + (r - first);
    }
    if (is_array) return start;
    struct instruction i = emit_begin(e, CODE_GATHER);
    i.count = (uint32_t)(end - first);
    i.to = emit_room(e, i.count);
    for (size_t r = first; r < end; r++)
        emit_index(e, emit_slot(e, terms[row_at(e, r)->first + c].a));
    emit_instruction(e, &i);
    return (struct stream){SPACE_WORK, 1, i.to};
}

static void emit_functions(struct emitter *e, size_t first, size_t end)
{
    const struct row *const row = row_at(e, first);
    struct stream column[3];
    unsigned const columns = columns_of(row);
    for (unsigned c = 0; c < columns; c++) column[c] = emit_column(e, first, end, c);
    struct instruction i = emit_begin(e, row->kind == ROW_POWER ? CODE_POWER : CODE_FUNCTION);
    i.operation = row->operation;
    i.count = (uint32_t)(end - first);
    i.to = row->slot;
    memcpy(i.shape, row->shape, sizeof i.shape);
    for (unsigned c = 0; c < columns; c++) emit_stream(e, column[c]);
    emit_instruction(e, &i);
}

/* Rows of one level and kind. */
static void emit_group(struct emitter *e, size_t first, size_t end)
{
    for (size_t r = first; r < end;) {
        const struct row *const row = row_at(e, r);
        size_t stop = r + 1;
        while (stop < end && alike(row, row_at(e, stop))) stop++;
        bool const apart = is_long(row, stop - r);
        for (size_t k = r; k < stop; k++) e->s->row.item[k].is_long = apart;
        if (row->kind >= ROW_FUNCTION)
            emit_functions(e, r, stop);
        else if (!apart)
            emit_short_rows(e, r, stop);
        else if (row->kind == ROW_PRODUCT)
            emit_indexed_rows(e, r, stop);
        r = stop;
    }
    if (row_at(e, first)->kind != ROW_SUM) return;
    for (int kind = 0; kind < LONG_KINDS; kind++)
        for (int direct = 0; direct < 2; direct++)
            emit_long_sums(e, first, end, direct, (enum long_kind)kind);
}

/* The weighted terms of one row by rising slots; room for as many. */
static bool sort_weighted(uint32_t *slot, double *weight, size_t count, struct keyed *keyed,
                          double *room)
{
    for (size_t k = 0; k < count; k++) keyed[k] = (struct keyed){slot[k], (uint32_t)k};
    if (!schedule_sort(keyed, count)) return false;
    memcpy(room, weight, count * sizeof *room);
    for (size_t k = 0; k < count; k++) {
        slot[k] = (uint32_t)keyed[k].key;
        weight[k] = room[keyed[k].value];
    }
    return true;
}

/* When leaves have their slots, too: the weighted terms of very long rows by rising slots, so that neighbours, which the engine finds by
   their ends, are read as vectors. */
static bool sort_long_rows(struct program *p)
{
    struct keyed *const keyed = heap_take((p->weight.count + 1) * sizeof *keyed);
    double *const room = heap_take((p->weight.count + 1) * sizeof *room);
    bool done = keyed && room;
    for (size_t k = 0; k < p->instruction.count && done; k++) {
        const struct instruction *const i = &p->instruction.item[k];
        if (i->code != CODE_LONG || !p->weight.item) continue;
        uint32_t *shape = p->index.item + i->index;
        double *weight = p->weight.item + i->weight;
        for (uint32_t r = 0; r < i->count && done; r++) {
            uint32_t *const slot = shape + TERM_KINDS + shape[PLUS] + shape[MINUS];
            size_t const count = shape[WEIGHTED];
            done = sort_weighted(slot, weight, count, keyed, room);
            weight += count;
            shape = slot + count + 2 * ((size_t)shape[PAIR] + shape[MINUS_PAIR]);
        }
    }
    heap_return(keyed);
    heap_return(room);
    return done;
}

bool schedule_emit(struct schedule *s, struct program *p)
{
    struct emitter e = {.s = s, .p = p, .slots = s->slots};
    e.leaf_of = heap_take((s->nodes + 1) * sizeof *e.leaf_of);
    e.failed = !e.leaf_of;
    for (size_t r = 0; r < s->row.count && !e.failed;) {
        size_t end = r + 1;
        while (end < s->row.count && row_at(&e, end)->level == row_at(&e, r)->level &&
               row_at(&e, end)->kind == row_at(&e, r)->kind)
            end++;
        emit_group(&e, r, end);
        r = end;
    }
    if (!e.failed) emit_roots(&e);
    if (!e.failed) emit_leaves(&e);
    if (!e.failed) e.failed = !sort_long_rows(p);
    p->slots = e.slots;
    heap_return(e.leaf_of);
    LIST_FREE(&e.leaf);
    LIST_FREE(&e.list);
    return !e.failed;
}
