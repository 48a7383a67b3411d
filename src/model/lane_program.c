/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents in lanes: a scalar program for the coefficients, each once, then row_r = sum_e coefficient_e source_e over all
   lanes, a row with all its terms at a time. */
#include "model/program.h"

#include <assert.h>

#include "base/heap.h"
#include "model/engine.h"
#include "model/lane_program.h"
#include "model/schedule.h"

enum { ALIGNED = 8 }; /* doubles of a cache line */

static size_t round_up(size_t count)
{
    return (count + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* Of p, not of y or an earlier row. */
static bool is_of_p(const struct tangent *t, uint32_t source)
{
    return source >= t->n && source < t->n + t->np;
}

static bool is_of_row(const struct tangent *t, uint32_t source)
{
    return source >= t->n + t->np;
}

/* The different coefficients: those that V needs first, so that the others can be left out.  number[node] is one more than
   its place in node[]. */
static void number_coefficients(struct lane_program *p, const struct tangent *t, uint32_t *number,
                                uint32_t *node)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t e = 0; e < t->terms; e++) {
            if (is_of_p(t, t->source[e]) != (pass == 1) || number[t->coefficient[e]]) continue;
            node[p->coefficients++] = t->coefficient[e];
            number[t->coefficient[e]] = (uint32_t)p->coefficients;
        }
        if (pass == 0) p->without_p = p->coefficients;
    }
}

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
            of_p += is_of_p(t, t->source[e]);
            if (!is_of_row(t, t->source[e])) continue;
            of_rows++;
            uint32_t const below = level[t->source[e] - t->n - t->np];
            if (level[r] <= below) level[r] = below + 1;
        }
        uint64_t const all = t->start[r + 1] - t->start[r], is_root = r >= t->rows - t->roots;
        uint64_t const shape = least(all, 255) << 16 | least(of_p, 255) << 8 | least(of_rows, 255);
        order[r] = (struct keyed){is_root << 60 | (uint64_t)level[r] << 24 | shape, (uint32_t)r};
    }
}

/* What a row of a program is made from. */
struct origin {
    const struct tangent *t;
    const uint32_t *number; /* of a coefficient's node, and one more */
    uint32_t *place;        /* of a row in the program */
};

/* The terms of row r whose sources are first .. end; the source of the program is lower by `first`, or a row's place. */
static struct lane_term *add_terms(const struct origin *o, size_t r, size_t first, size_t end,
                                   struct lane_term *next)
{
    const struct tangent *const t = o->t;
    for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
        if (t->source[e] < first || t->source[e] >= end) continue;
        uint32_t const source = t->source[e] - (uint32_t)first;
        assert(!is_of_row(t, t->source[e]) ||
               source < t->rows - t->roots); /* no root is a source */
        *next++ = (struct lane_term){is_of_row(t, t->source[e]) ? o->place[source] : source,
                                     o->number[t->coefficient[e]] - 1};
    }
    return next;
}

static void sort_terms(struct lane_program *p, const struct origin *o, const struct keyed *order)
{
    const struct tangent *const t = o->t;
    size_t const last = t->n + t->np;
    struct lane_term *next = p->term;
    for (size_t k = 0; k < t->rows; k++) {
        size_t const r = order[k].value;
        o->place[r] = (uint32_t)k;
        if (k >= p->inner) p->root[k - p->inner] = (uint32_t)(r - p->inner);
        struct lane_term *const rows = add_terms(o, r, 0, t->n, next);
        struct lane_term *const of_p = add_terms(o, r, last, last + t->rows, rows);
        struct lane_term *const end = add_terms(o, r, t->n, last, of_p);
        p->count[k] = (struct lane_count){(uint32_t)(rows - next), (uint32_t)(of_p - rows),
                                          (uint32_t)(end - of_p)};
        next = end;
    }
}

static bool order_rows(struct lane_program *p, const struct tangent *t, const uint32_t *number)
{
    struct keyed *const order = heap_take((t->rows + 1) * sizeof *order);
    uint32_t *const level = heap_take((t->rows + 1) * sizeof *level);
    bool done = order && level;
    if (done) {
        make_keys(t, order, level);
        done = schedule_sort(order, t->rows);
        if (done) /* level is not needed any more */
            sort_terms(p, &(struct origin){t, number, level}, order);
    }
    heap_return(order);
    heap_return(level);
    return done;
}

static tansy_status build(struct lane_program *p, const struct graph *g, const struct hoist *plan,
                          const struct tangent *t, uint32_t *node)
{
    uint32_t *const number = heap_take(graph_count(g) * sizeof *number);
    if (!number) return TANSY_OUT_OF_MEMORY;
    number_coefficients(p, t, number, node);
    bool const ordered = order_rows(p, t, number);
    heap_return(number);
    if (!ordered) return TANSY_OUT_OF_MEMORY;
    tansy_status const status = program_create(g, plan, node, p->coefficients, &p->all);
    if (status != TANSY_OK) return status;
    return program_create(g, plan, node, p->without_p, &p->states);
}

tansy_status lane_program_create(const struct graph *g, const struct hoist *plan,
                                 const struct tangent *tangent, struct lane_program **program)
{
    struct lane_program *p = heap_take(sizeof *p);
    uint32_t *const node = heap_take((tangent->terms + 1) * sizeof *node);
    tansy_status status = TANSY_OUT_OF_MEMORY;
    if (p) {
        p->rows = tangent->rows;
        p->inner = tangent->rows - tangent->roots;
        p->engine = engine_choose();
        p->count = heap_take((p->rows + 1) * sizeof *p->count);
        p->root = heap_take((tangent->roots + 1) * sizeof *p->root);
        p->term = heap_take((tangent->terms + 1) * sizeof *p->term);
        if (node && p->count && p->root && p->term) status = build(p, g, plan, tangent, node);
    }
    heap_return(node);
    if (status != TANSY_OK) {
        lane_program_free(p);
        p = NULL;
    }
    *program = p;
    return status;
}

/* The entries of row i of a matrix, as terms whose sources begin with `first`. */
static size_t add_entries(struct tangent *t, size_t next, const struct derivative *d, size_t i,
                          size_t first)
{
    for (size_t e = d->start[i]; e < d->start[i + 1]; e++, next++) {
        t->source[next] = (uint32_t)(first + d->column[e]);
        t->coefficient[next] = d->node[e];
    }
    return next;
}

tansy_status lane_program_create_direct(const struct graph *g, const struct hoist *plan,
                                        const struct derivative *J, const struct derivative *P,
                                        struct lane_program **program)
{
    size_t const terms = J->entries + (P ? P->entries : 0);
    struct tangent t = {.n = J->columns,
                        .np = P ? P->columns : 0,
                        .rows = J->rows,
                        .roots = J->rows,
                        .terms = terms,
                        .start = heap_take((J->rows + 1) * sizeof *t.start),
                        .source = heap_take((terms + 1) * sizeof *t.source),
                        .coefficient = heap_take((terms + 1) * sizeof *t.coefficient)};
    tansy_status status = TANSY_OUT_OF_MEMORY;
    *program = NULL;
    if (t.start && t.source && t.coefficient) {
        for (size_t i = 0; i < J->rows; i++) {
            t.start[i + 1] = add_entries(&t, t.start[i], J, i, 0);
            if (P) t.start[i + 1] = add_entries(&t, t.start[i + 1], P, i, J->columns);
        }
        status = lane_program_create(g, plan, &t, program);
    }
    heap_return(t.start);
    heap_return(t.source);
    heap_return(t.coefficient);
    return status;
}

void lane_program_free(struct lane_program *p)
{
    if (!p) return;
    program_free(p->all);
    program_free(p->states);
    heap_return(p->count);
    heap_return(p->root);
    heap_return(p->term);
    heap_return(p);
}

/* Coefficients, then a strip of the inner rows, then what the scalar program needs. */
static size_t strip_at(const struct lane_program *p)
{
    return round_up(p->coefficients);
}

static size_t scalars_at(const struct lane_program *p)
{
    return strip_at(p) + p->inner * LANE_STRIP;
}

size_t lane_program_work(const struct lane_program *p, size_t columns)
{
    (void)columns; /* strip after strip */
    size_t const all = program_work(p->all), states = program_work(p->states);
    return scalars_at(p) + (all > states ? all : states);
}

struct lane_rows lane_program_rows(const struct lane_program *p, const double *work)
{
    return (struct lane_rows){p->rows, p->inner, p->root, p->count, p->term, work};
}

void lane_program_run(const struct lane_program *p, const struct leaves *at,
                      const struct lane_panels *panels, double *work)
{
    program_run(panels->U ? p->all : p->states, at, work + scalars_at(p), work);
    struct lane_rows const rows = lane_program_rows(p, work);
    p->engine->lanes(&rows, panels, work + strip_at(p));
}
