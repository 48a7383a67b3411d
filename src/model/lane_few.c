/* SPDX-License-Identifier: Apache-2.0 */
/* Forward through the rows of a tangent from those entries of p that move: a row is looked at only if one of its sources is
   marked.  A panel of 32 parameters of thousands takes next to nothing so, where all rows of U would be read. */
#include "model/lane_few.h"

#include <string.h>

#include "base/heap.h"
#include "base/message.h"

enum { SHARE = 4 }; /* of the parameters: more than one in so many are not few */

/* The number of a term's source among p and rows that depend on p; SIZE_MAX: neither. */
static size_t source_of(const struct tangent *t, const bool *depends, uint32_t source)
{
    size_t const first = t->n + t->rates;
    if (source < first) return SIZE_MAX;
    return lane_is_of_p(t, source) || depends[source - first - t->np] ? source - first : SIZE_MAX;
}

/* Which rows depend on p, rows after their sources; how many terms they have of it. */
static size_t find_rows(const struct tangent *t, bool *depends)
{
    size_t terms = 0;
    for (size_t r = 0; r < t->rows; r++)
        for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
            if (source_of(t, depends, t->source[e]) == SIZE_MAX) continue;
            depends[r] = true;
            terms++;
        }
    return terms;
}

/* The terms with the numbers of their coefficients for slots, and how many users each source has. */
static void list_terms(struct lane_few *f, const struct tangent *t, const bool *depends,
                       uint32_t *node)
{
    size_t next = 0;
    for (size_t r = 0; r < t->rows; r++) {
        for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
            size_t const source = source_of(t, depends, t->source[e]);
            if (source == SIZE_MAX) continue;
            node[next] = t->coefficient[e];
            f->term[next++] = lane_term_of((uint32_t)source, 0);
            f->user_start[source + 1]++;
        }
        f->start[r + 1] = next;
    }
}

static void list_users(struct lane_few *f, size_t *next)
{
    size_t const sources = f->np + f->rows;
    for (size_t x = 0; x < sources; x++) f->user_start[x + 1] += f->user_start[x];
    memcpy(next, f->user_start, sources * sizeof *next);
    for (size_t r = 0; r < f->rows; r++)
        for (size_t e = f->start[r]; e < f->start[r + 1]; e++)
            f->user[next[lane_term_source(f->term[e])]++] = r;
}

/* The map of V with the coefficients node[terms] beside its own, whose slots go into the terms. */
static tansy_status make_map(struct lane_few *f, const struct lane_frame *from,
                             const struct tangent *t, const struct derivative *J,
                             struct lane_extra extra)
{
    struct tangent direct = {0};
    if (J && !tangent_of_matrices(J, NULL, &direct)) {
        tangent_free(&direct);
        return TANSY_OUT_OF_MEMORY;
    }
    tansy_status const status = lane_map_create(&f->along, from, J ? &direct : t, false, &extra);
    tangent_free(&direct);
    for (size_t e = 0; status == TANSY_OK && e < extra.count; e++)
        f->term[e] = lane_term_of(lane_term_source(f->term[e]), extra.slot[e]);
    return status;
}

static tansy_status create(struct lane_few *f, const struct lane_frame *from,
                           const struct tangent *t, const struct derivative *J, const bool *depends,
                           size_t terms)
{
    uint32_t *const node = heap_take((terms + 1) * sizeof *node);
    uint32_t *const slot = heap_take((terms + 1) * sizeof *slot);
    size_t *const next = heap_take((t->np + t->rows + 1) * sizeof *next);
    f->start = heap_take((t->rows + 1) * sizeof *f->start);
    f->term = heap_take((terms + 1) * sizeof *f->term);
    f->user_start = heap_take((t->np + t->rows + 1) * sizeof *f->user_start);
    f->user = heap_take((terms + 1) * sizeof *f->user);
    tansy_status status = TANSY_OUT_OF_MEMORY;
    if (node && slot && next && f->start && f->term && f->user_start && f->user) {
        list_terms(f, t, depends, node);
        list_users(f, next);
        status = make_map(f, from, t, J, (struct lane_extra){terms, node, slot});
    }
    heap_return(node);
    heap_return(slot);
    heap_return(next);
    return status;
}

tansy_status lane_few_create(struct lane_few *f, const struct lane_frame *from,
                             const struct tangent *t, const struct derivative *J)
{
    bool *const depends = heap_take((t->rows + 1) * sizeof *depends);
    if (!depends) return TANSY_OUT_OF_MEMORY;
    f->np = t->np;
    f->rows = t->rows;
    f->inner = t->rows - t->roots;
    tansy_status const status = create(f, from, t, J, depends, find_rows(t, depends));
    heap_return(depends);
    return status;
}

void lane_few_free(struct lane_few *f)
{
    lane_map_free(&f->along);
    heap_return(f->start);
    heap_return(f->term);
    heap_return(f->user_start);
    heap_return(f->user);
}

bool lane_few_applies(const struct lane_few *f, size_t moving)
{
    return f->along.program && SHARE * moving <= f->np;
}

/* A strip of the inner rows, then a byte for every source: whether it moves. */
size_t lane_few_work(const struct lane_few *f)
{
    return f->along.program ? f->inner * LANE_STRIP + (f->np + f->rows) / sizeof(double) + 1 : 0;
}

/* A run over the lanes first .. first + lanes. */
struct run_few {
    const struct lane_few *few;
    const double *coefficient;
    const struct lane_panels *panels;
    size_t first, lanes;
    double *strip;
    unsigned char *moves;
};

static void mark_users(const struct run_few *run, size_t source)
{
    const struct lane_few *const f = run->few;
    for (size_t k = f->user_start[source]; k < f->user_start[source + 1]; k++)
        run->moves[f->np + f->user[k]] = 1;
}

/* to += the terms of row r whose sources move. */
static void add_row(const struct run_few *run, size_t r, double *to)
{
    const struct lane_few *const f = run->few;
    for (size_t e = f->start[r]; e < f->start[r + 1]; e++) {
        size_t const source = lane_term_source(f->term[e]);
        if (!run->moves[source]) continue;
        const double *const from = source < f->np
                                       ? run->panels->U + source * run->panels->ld + run->first
                                       : run->strip + (source - f->np) * LANE_STRIP;
        double const a = run->coefficient[lane_term_slot(f->term[e])];
        for (size_t k = 0; k < run->lanes; k++) to[k] += a * from[k];
    }
}

static void run_strip(const struct run_few *run)
{
    const struct lane_few *const f = run->few;
    const struct lane_panels *const panels = run->panels;
    memset(run->moves, 0, f->np + f->rows);
    for (size_t k = 0; k < panels->moving; k++) {
        run->moves[panels->moving_row[k]] = 1;
        mark_users(run, panels->moving_row[k]);
    }
    for (size_t r = 0; r < f->inner; r++) {
        if (!run->moves[f->np + r]) continue;
        double *const row = run->strip + r * LANE_STRIP;
        memset(row, 0, LANE_STRIP * sizeof *row);
        add_row(run, r, row);
        mark_users(run, f->np + r);
    }
    for (size_t r = f->inner; r < f->rows; r++)
        if (run->moves[f->np + r])
            add_row(run, r, panels->R + (r - f->inner) * panels->ld + run->first);
}

void lane_few_add(const struct lane_few *f, const double *coefficient,
                  const struct lane_panels *panels, double *work)
{
    struct run_few run = {.few = f,
                          .coefficient = coefficient,
                          .panels = panels,
                          .strip = work,
                          .moves = (unsigned char *)(work + f->inner * LANE_STRIP)};
    for (; run.first < panels->columns; run.first += LANE_STRIP) {
        size_t const rest = panels->columns - run.first;
        run.lanes = rest < LANE_STRIP ? rest : LANE_STRIP;
        run_strip(&run);
    }
}
