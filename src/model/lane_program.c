/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents in lanes: a scalar program for the coefficients, each once, which stay where it computes them, then
   row_r = sum_e coefficient_e source_e over all lanes, a row with all its terms at a time. */
#include "model/program.h"

#include <assert.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/engine.h"
#include "model/lane_program.h"
#include "model/lane_program_order.h"
#include "model/schedule.h"

enum {
    FEW_SOURCES = 120, /* strips of 32 lanes that the first cache holds */
    NEAR = 16          /* rows among which each looks for a partner, where any order will do */
};

/* Of p, not of y, y' or an earlier row. */
static bool is_of_p(const struct tangent *t, uint32_t source)
{
    return source >= t->n + t->rates && source < t->n + t->rates + t->np;
}

static bool is_of_row(const struct tangent *t, uint32_t source)
{
    return source >= t->n + t->rates + t->np;
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
            if ((is_of_p(t, t->source[e]) && !with_p) || number[t->coefficient[e]]) continue;
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
        assert(!is_of_row(t, t->source[e]) ||
               source < t->rows - t->roots); /* no root is a source */
        *next++ = lane_term_of(is_of_row(t, t->source[e]) ? o->place[source] : source,
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

static tansy_status build(struct lane_map *m, const struct graph *g, const struct hoist *plan,
                          struct origin o, struct scratch *x)
{
    make_keys(o.t, x->order, x->place);
    m->of_y_alone = is_of_y_alone(o.t, o.with_p);
    if (!schedule_sort(x->order, o.t->rows) ||
        !order_levels(o.t, m->of_y_alone, x->order, x->shared))
        return TANSY_OUT_OF_MEMORY;
    size_t const count = number_coefficients(o.t, o.with_p, x->order, x->number, x->node);
    TRY(program_create_kept(g, plan, x->node, count, x->slot, &m->program));
    o.number = x->number;
    o.slot = x->slot;
    o.place = x->place;
    o.shared = x->shared;
    sort_terms(m, &o, x->order);
    return TANSY_OK;
}

static tansy_status map_create(struct lane_map *m, const struct graph *g, const struct hoist *plan,
                               const struct tangent *t, bool with_p)
{
    struct scratch x = {.order = heap_take((t->rows + 1) * sizeof *x.order),
                        .place = heap_take((t->rows + 1) * sizeof *x.place),
                        .shared = heap_take((t->rows + 1) * sizeof *x.shared),
                        .number = heap_take(graph_count(g) * sizeof *x.number),
                        .node = heap_take((t->terms + 1) * sizeof *x.node),
                        .slot = heap_take((t->terms + 1) * sizeof *x.slot)};
    tansy_status status = TANSY_OUT_OF_MEMORY;
    m->rows = t->rows;
    m->inner = t->rows - t->roots;
    m->has_rates = t->rates > 0;
    m->count = heap_take((m->rows + 1) * sizeof *m->count);
    m->root = heap_take((t->roots + 1) * sizeof *m->root);
    m->term = heap_take((t->terms + 1) * sizeof *m->term);
    if (x.order && x.place && x.shared && x.number && x.node && x.slot && m->count && m->root &&
        m->term)
        status = build(m, g, plan, (struct origin){.t = t, .with_p = with_p}, &x);
    heap_return(x.order);
    heap_return(x.place);
    heap_return(x.shared);
    heap_return(x.number);
    heap_return(x.node);
    heap_return(x.slot);
    return status;
}

static void map_free(struct lane_map *m)
{
    program_free(m->program);
    heap_return(m->count);
    heap_return(m->root);
    heap_return(m->term);
}

/* The map without U: by J, if there is one and it has fewer terms. */
static tansy_status create_states(struct lane_map *m, const struct graph *g,
                                  const struct hoist *plan, const struct tangent *t,
                                  const struct derivative *J)
{
    size_t of_p = 0;
    for (size_t e = 0; e < t->terms; e++) of_p += is_of_p(t, t->source[e]);
    bool const by_matrix = J && t->rates == 0 && J->entries < t->terms - of_p;
    if (!by_matrix) return of_p > 0 ? map_create(m, g, plan, t, false) : TANSY_OK;
    struct tangent direct;
    tansy_status const status = tangent_of_matrices(J, NULL, &direct)
                                    ? map_create(m, g, plan, &direct, false)
                                    : TANSY_OUT_OF_MEMORY;
    tangent_free(&direct);
    return status;
}

tansy_status lane_program_create_either(const struct graph *g, const struct hoist *plan,
                                        const struct tangent *tangent, const struct derivative *J,
                                        struct lane_program **program)
{
    struct lane_program *p = heap_take(sizeof *p);
    tansy_status status = TANSY_OUT_OF_MEMORY;
    if (p) {
        p->engine = engine_choose();
        status = map_create(&p->all, g, plan, tangent, true);
        if (status == TANSY_OK) status = create_states(&p->states, g, plan, tangent, J);
    }
    if (status != TANSY_OK) {
        lane_program_free(p);
        p = NULL;
    }
    *program = p;
    return status;
}

tansy_status lane_program_create(const struct graph *g, const struct hoist *plan,
                                 const struct tangent *tangent, struct lane_program **program)
{
    return lane_program_create_either(g, plan, tangent, NULL, program);
}

tansy_status lane_program_create_direct(const struct graph *g, const struct hoist *plan,
                                        const struct derivative *J, const struct derivative *P,
                                        struct lane_program **program)
{
    struct tangent t;
    *program = NULL;
    tansy_status const status = tangent_of_matrices(J, P, &t)
                                    ? lane_program_create(g, plan, &t, program)
                                    : TANSY_OUT_OF_MEMORY;
    tangent_free(&t);
    return status;
}

void lane_program_free(struct lane_program *p)
{
    if (!p) return;
    map_free(&p->all);
    map_free(&p->states);
    heap_return(p);
}

/* A strip of the inner rows, then what the scalar program needs. */
static size_t map_work(const struct lane_map *m)
{
    return m->program ? m->inner * LANE_STRIP + program_work(m->program) : 0;
}

size_t lane_program_work(const struct lane_program *p, size_t columns)
{
    (void)columns; /* strip after strip */
    size_t const all = map_work(&p->all), states = map_work(&p->states);
    return all > states ? all : states;
}

/* The rows of a map whose coefficients stand behind the strip. */
static struct lane_rows rows_of(const struct lane_map *m, const double *work)
{
    const double *const scalars = work ? work + m->inner * LANE_STRIP : NULL;
    return (struct lane_rows){m->rows, m->inner, m->root,      m->count,
                              m->term, scalars,  m->has_rates, m->of_y_alone};
}

struct lane_rows lane_program_rows(const struct lane_program *p, const double *work)
{
    return rows_of(&p->all, work);
}

void lane_program_run(const struct lane_program *p, const struct leaves *at,
                      const struct lane_panels *panels, double *work)
{
    const struct lane_map *const m = panels->U || !p->states.program ? &p->all : &p->states;
    struct lane_rows const rows = rows_of(m, work);
    program_run(m->program, at, work + m->inner * LANE_STRIP, NULL);
    p->engine->lanes(&rows, panels, work);
}
