/* SPDX-License-Identifier: Apache-2.0 */
/* A tangent as a map of lanes: its rows in the order they run, and a scalar program for their coefficients, each once. */
#include "model/lane_map.h"

#include <assert.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/lane_program_order.h"
#include "model/schedule.h"

enum {
    FEW_SOURCES = 120, /* strips of 32 lanes that the first cache holds */
    NEAR = 16          /* rows among which each looks for a partner, where any order will do */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Rows in the order they run: by level, then by how many terms they have, so that loops over terms seldom end with a
   surprise; roots last.  order[] gets the rows by their keys. */
static void make_keys(const struct tangent *t, struct keyed *order, uint32_t *level)
{
    for (size_t r = 0; r < t->rows; r++) {
        uint64_t of_p = 0, of_rows = 0;
        for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
            of_p += lane_is_of_p(t, t->source[e]);
            if (!lane_is_of_row(t, t->source[e])) continue;
            of_rows++;
            uint32_t const below = level[t->source[e] - t->n - t->rates - t->np];
            if (level[r] <= below) level[r] = below + 1;
        }
        uint64_t const all = t->start[r + 1] - t->start[r], is_root = r >= t->rows - t->roots;
        uint64_t const shape = least(all, 255) << 16 | least(of_p, 255) << 8 | least(of_rows, 255);
        order[r] = (struct keyed){is_root << 60 | (uint64_t)level[r] << 24 | shape, (uint32_t)r};
    }
}

/* Are y and its panel V the only sources? */
static bool is_of_y_alone(const struct tangent *t, bool with_p)
{
    return t->rows == t->roots && t->rates == 0 && (t->np == 0 || !with_p);
}

/* Where the sources do not fit into the first cache, rows of a level that share sources follow each other; then those that
   run together are next to each other, which leaves that order as it is. */
static bool order_levels(const struct tangent *t, bool of_y_alone, struct keyed *order,
                         uint32_t *shared)
{
    bool done = true;
    bool const fits = t->n <= FEW_SOURCES && t->rows - t->roots <= FEW_SOURCES;
    for (size_t k = 0, end; k < t->rows && done; k = end) {
        for (end = k + 1; end < t->rows && order[end].key >> 24 == order[k].key >> 24;) end++;
        done = fits || lane_order_for_cache(t, order + k, end - k);
        if (done && of_y_alone) lane_order_pairs(t, order + k, end - k, fits ? NEAR : 1, shared);
    }
    return done;
}

/* The different coefficients in the order of their terms, which run row after row of order[].  number[node] is one more than
   its place in node[]; how many. */
static size_t number_coefficients(const struct tangent *t, bool with_p, const struct keyed *order,
                                  uint32_t *number, uint32_t *node)
{
    size_t count = 0;
    for (size_t k = 0; k < t->rows; k++) {
        size_t const r = order[k].value;
        for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
            if ((lane_is_of_p(t, t->source[e]) && !with_p) || number[t->coefficient[e]]) continue;
            node[count++] = t->coefficient[e];
            number[t->coefficient[e]] = (uint32_t)count;
        }
    }
    return count;
}

/* What a row of a program is made from. */
struct origin {
    const struct tangent *t;
    const uint32_t *number; /* of a coefficient's node, and one more; */
    const uint32_t *slot;   /* where the coefficient of that number is */
    uint32_t *place;        /* of a row in the program */
    const uint32_t *shared; /* of a row: see lane_order_pairs() */
    bool with_p;
};

/* The terms of y of row r: first those whose sources its partner has, too; without partner (it is r itself) as they are. */
static lane_term *add_y_terms(const struct origin *o, size_t r, size_t partner, lane_term *next)
{
    const struct tangent *const t = o->t;
    for (int own = partner == r; own < 2; own++)
        for (size_t e = t->start[r]; e < t->start[r + 1]; e++)
            if (t->source[e] < t->n &&
                (partner == r || lane_has_source(t, partner, t->source[e]) != own))
                *next++ = lane_term_of(t->source[e], o->slot[o->number[t->coefficient[e]] - 1]);
    return next;
}

/* The terms of row r whose sources are first .. end; the source of the program is lower by `first`, or a row's place. */
static lane_term *add_terms(const struct origin *o, size_t r, size_t first, size_t end,
                            lane_term *next)
{
    const struct tangent *const t = o->t;
    for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
        if (t->source[e] < first || t->source[e] >= end) continue;
        uint32_t const source = t->source[e] - (uint32_t)first;
        assert(!lane_is_of_row(t, t->source[e]) ||
               source < t->rows - t->roots); /* no root is a source */
        *next++ = lane_term_of(lane_is_of_row(t, t->source[e]) ? o->place[source] : source,
                               o->slot[o->number[t->coefficient[e]] - 1]);
    }
    return next;
}

static void sort_terms(struct lane_map *m, const struct origin *o, const struct keyed *order)
{
    const struct tangent *const t = o->t;
    size_t const first_p = t->n + t->rates, last = first_p + t->np;
    lane_term *next = m->term;
    for (size_t k = 0; k < t->rows; k++) {
        size_t const r = order[k].value;
        o->place[r] = (uint32_t)k;
        if (k >= m->inner) m->root[k - m->inner] = (uint32_t)(r - m->inner);
        size_t partner = r;
        if (o->shared[r]) partner = order[k + 1].value;
        if (k > 0 && o->shared[order[k - 1].value]) partner = order[k - 1].value;
        lane_term *const rows = add_y_terms(o, r, partner, next);
        lane_term *const of_rates = add_terms(o, r, last, last + t->rows, rows);
        lane_term *const of_p = add_terms(o, r, t->n, first_p, of_rates);
        lane_term *const end = o->with_p ? add_terms(o, r, first_p, last, of_p) : of_p;
        m->count[k] =
            (struct lane_count){(uint32_t)(rows - next), (uint32_t)(of_rates - rows),
                                (uint32_t)(end - of_p), (uint32_t)(of_p - of_rates), o->shared[r]};
        next = end;
    }
}

/* Scratch of a map under construction. */
struct scratch {
    struct keyed *order;   /* of rows */
    uint32_t *place;       /* by row; its level before */
    uint32_t *shared;      /* by row */
    uint32_t *number;      /* by node */
    uint32_t *node, *slot; /* of coefficients */
};

/* The nodes of extra[] behind the `count` others; how many then. */
static size_t number_extra(const struct lane_extra *extra, size_t count, uint32_t *number,
                           uint32_t *node)
{
    for (size_t k = 0; k < extra->count; k++) {
        if (number[extra->node[k]]) continue;
        node[count++] = extra->node[k];
        number[extra->node[k]] = (uint32_t)count;
    }
    return count;
}

static tansy_status build(struct lane_map *m, const struct lane_frame *from, struct origin o,
                          const struct lane_extra *extra, struct scratch *x)
{
    make_keys(o.t, x->order, x->place);
    m->of_y_alone = is_of_y_alone(o.t, o.with_p);
    if (!schedule_sort(x->order, o.t->rows) ||
        !order_levels(o.t, m->of_y_alone, x->order, x->shared))
        return TANSY_OUT_OF_MEMORY;
    size_t const own = number_coefficients(o.t, o.with_p, x->order, x->number, x->node);
    size_t const count = number_extra(extra, own, x->number, x->node);
    TRY(program_create_kept(from->graph, from->plan, x->node, count, x->slot, &m->program));
    for (size_t k = 0; k < extra->count; k++)
        extra->slot[k] = x->slot[x->number[extra->node[k]] - 1];
    o.number = x->number;
    o.slot = x->slot;
    o.place = x->place;
    o.shared = x->shared;
    sort_terms(m, &o, x->order);
    return TANSY_OK;
}

tansy_status lane_map_create(struct lane_map *m, const struct lane_frame *from,
                             const struct tangent *t, bool with_p, const struct lane_extra *extra)
{
    const struct graph *const g = from->graph;
    struct scratch x = {.order = heap_take((t->rows + 1) * sizeof *x.order),
                        .place = heap_take((t->rows + 1) * sizeof *x.place),
                        .shared = heap_take((t->rows + 1) * sizeof *x.shared),
                        .number = heap_take(graph_count(g) * sizeof *x.number),
                        .node = heap_take((t->terms + extra->count + 1) * sizeof *x.node),
                        .slot = heap_take((t->terms + extra->count + 1) * sizeof *x.slot)};
    tansy_status status = TANSY_OUT_OF_MEMORY;
    m->rows = t->rows;
    m->inner = t->rows - t->roots;
    m->has_rates = t->rates > 0;
    m->count = heap_take((m->rows + 1) * sizeof *m->count);
    m->root = heap_take((t->roots + 1) * sizeof *m->root);
    m->term = heap_take((t->terms + 1) * sizeof *m->term);
    if (x.order && x.place && x.shared && x.number && x.node && x.slot && m->count && m->root &&
        m->term)
        status = build(m, from, (struct origin){.t = t, .with_p = with_p}, extra, &x);
    heap_return(x.order);
    heap_return(x.place);
    heap_return(x.shared);
    heap_return(x.number);
    heap_return(x.node);
    heap_return(x.slot);
    return status;
}

void lane_map_free(struct lane_map *m)
{
    program_free(m->program);
    heap_return(m->count);
    heap_return(m->root);
    heap_return(m->term);
}
