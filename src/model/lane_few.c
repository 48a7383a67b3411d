/* SPDX-License-Identifier: Apache-2.0 */
/* Forward through the rows of a tangent from those entries of p that move: every row adds itself to those that have it as a
   source.  A panel of 32 parameters of thousands takes next to nothing so, where all rows of U would be read. */
#include "model/lane_few.h"

#include <string.h>

#include "base/heap.h"
#include "base/message.h"

static const double dearer = 3; /* a term here than one of the rows in registers: measured */

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

/* The rows of every source with the places of their coefficients in node[terms], by counting. */
static void list_users(struct lane_few *f, const struct tangent *t, const bool *depends,
                       uint32_t *node, size_t *next)
{
    size_t const sources = f->np + f->rows;
    for (size_t e = 0; e < t->terms; e++) {
        size_t const source = source_of(t, depends, t->source[e]);
        if (source != SIZE_MAX) f->start[source + 1]++;
    }
    for (size_t x = 0; x < sources; x++) f->start[x + 1] += f->start[x];
    memcpy(next, f->start, sources * sizeof *next);
    for (size_t r = 0; r < t->rows; r++)
        for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
            size_t const source = source_of(t, depends, t->source[e]);
            if (source == SIZE_MAX) continue;
            node[next[source]] = t->coefficient[e];
            f->user[next[source]++] = lane_term_of((uint32_t)r, 0);
        }
}

/* reach_x = sum (1 + reach_r) over the rows r that have source x; rows come after their sources. */
static double reach_of(const struct lane_few *f, size_t x, const double *of_row)
{
    double reach = 0;
    for (size_t k = f->start[x]; k < f->start[x + 1]; k++)
        reach += 1 + of_row[lane_term_source(f->user[k])];
    return reach;
}

static void find_reach(struct lane_few *f, double *of_row)
{
    for (size_t r = f->rows; r-- > 0;) of_row[r] = reach_of(f, f->np + r, of_row);
    for (size_t j = 0; j < f->np; j++) f->reach[j] = reach_of(f, j, of_row);
}

/* The map of V with the coefficients of the users beside its own. */
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
    for (size_t k = 0; status == TANSY_OK && k < extra.count; k++)
        f->user[k] = lane_term_of(lane_term_source(f->user[k]), extra.slot[k]);
    return status;
}

/* Terms of V in the map without U. */
static size_t count_along(const struct tangent *t, const struct derivative *J)
{
    size_t of_p = 0;
    for (size_t e = 0; e < t->terms; e++) of_p += lane_is_of_p(t, t->source[e]);
    return J ? J->entries : t->terms - of_p;
}

static tansy_status create(struct lane_few *f, const struct lane_frame *from,
                           const struct tangent *t, const struct derivative *J, const bool *depends,
                           size_t terms)
{
    size_t const sources = t->np + t->rows;
    uint32_t *const node = heap_take((terms + 1) * sizeof *node);
    uint32_t *const slot = heap_take((terms + 1) * sizeof *slot);
    size_t *const next = heap_take((sources + 1) * sizeof *next);
    double *const of_row = heap_take((t->rows + 1) * sizeof *of_row);
    f->start = heap_take((sources + 1) * sizeof *f->start);
    f->user = heap_take((terms + 1) * sizeof *f->user);
    f->reach = heap_take((t->np + 1) * sizeof *f->reach);
    f->most = (double)(t->terms - count_along(t, J)) / dearer;
    tansy_status status = TANSY_OUT_OF_MEMORY;
    if (node && slot && next && of_row && f->start && f->user && f->reach) {
        list_users(f, t, depends, node, next);
        find_reach(f, of_row);
        status = make_map(f, from, t, J, (struct lane_extra){terms, node, slot});
    }
    heap_return(node);
    heap_return(slot);
    heap_return(next);
    heap_return(of_row);
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
    heap_return(f->user);
    heap_return(f->reach);
}

bool lane_few_applies(const struct lane_few *f, size_t moving, const size_t *moving_row)
{
    if (!f->along.program) return false;
    double reach = 0;
    for (size_t k = 0; k < moving; k++) reach += f->reach[moving_row[k]];
    return reach <= f->most;
}

/* A strip of the inner rows, then a byte for each: whether it moves. */
size_t lane_few_work(const struct lane_few *f)
{
    return f->along.program ? f->inner * LANE_STRIP + f->inner / sizeof(double) + 1 : 0;
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

/* Where row r is summed up: an inner row from 0, a root on top of what is there. */
static double *sum_of(const struct run_few *run, size_t r)
{
    const struct lane_few *const f = run->few;
    if (r >= f->inner) return run->panels->R + (r - f->inner) * run->panels->ld + run->first;
    double *const row = run->strip + r * LANE_STRIP;
    if (!run->moves[r]) memset(row, 0, LANE_STRIP * sizeof *row);
    run->moves[r] = 1;
    return row;
}

/* Adds a source to the rows that have it. */
static void pass_on(const struct run_few *run, size_t source, const double *restrict from)
{
    const struct lane_few *const f = run->few;
    for (size_t e = f->start[source]; e < f->start[source + 1]; e++) {
        double const a = run->coefficient[lane_term_slot(f->user[e])];
        double *restrict const to = sum_of(run, lane_term_source(f->user[e])); /* not the source */
        for (size_t k = 0; k < run->lanes; k++) to[k] += a * from[k];
    }
}

/* Rows come after their sources, so that a row is complete when its turn comes. */
static void run_strip(const struct run_few *run)
{
    const struct lane_few *const f = run->few;
    const struct lane_panels *const panels = run->panels;
    memset(run->moves, 0, f->inner);
    for (size_t k = 0; k < panels->moving; k++) {
        size_t const row = panels->moving_row[k];
        pass_on(run, row, panels->U + row * panels->ld + run->first);
    }
    for (size_t r = 0; r < f->inner; r++)
        if (run->moves[r]) pass_on(run, f->np + r, run->strip + r * LANE_STRIP);
}

void lane_few_add(const struct lane_few *f, const double *coefficient,
                  const struct lane_panels *panels, double *work)
{
    struct run_few run = {.few = f, .coefficient = coefficient, .panels = panels};
    run.strip = work;
    run.moves = (unsigned char *)(run.strip + f->inner * LANE_STRIP);
    for (; run.first < panels->columns; run.first += LANE_STRIP) {
        size_t const rest = panels->columns - run.first;
        run.lanes = rest < LANE_STRIP ? rest : LANE_STRIP;
        run_strip(&run);
    }
}
