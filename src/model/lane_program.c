/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents in lanes: a scalar program for the coefficients, each once, then row_r = sum_e coefficient_e source_e over all
   lanes, a row with all its terms at a time. */
#include "model/program.h"

#include "base/heap.h"
#include "model/engine.h"
#include "model/lane_program.h"

enum { ALIGNED = 8 }; /* doubles of a cache line */

static size_t round_up(size_t count)
{
    return (count + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static enum lane_source source_of(const struct tangent *t, uint32_t source, uint32_t *row)
{
    size_t const inner = t->rows - t->roots, leaves = t->n + t->np;
    *row = source;
    if (source < t->n) return LANE_V;
    *row = source - (uint32_t)t->n;
    if (source < leaves) return LANE_U;
    *row = source - (uint32_t)leaves;
    if (*row < inner) return LANE_ROW;
    *row -= (uint32_t)inner;
    return LANE_ROOT;
}

/* The different coefficients: those that V needs first, so that the others can be left out.  number[node] is one more than
   its place in node[]. */
static void number_coefficients(struct lane_program *p, const struct tangent *t, uint32_t *number,
                                uint32_t *node)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t e = 0; e < t->terms; e++) {
            uint32_t row;
            bool const of_U = source_of(t, t->source[e], &row) == LANE_U;
            if (of_U != (pass == 1) || number[t->coefficient[e]]) continue;
            node[p->coefficients++] = t->coefficient[e];
            number[t->coefficient[e]] = (uint32_t)p->coefficients;
        }
        if (pass == 0) p->without_U = p->coefficients;
    }
}

/* The terms of every row, kind after kind. */
static void sort_terms(struct lane_program *p, const struct tangent *t, const uint32_t *number)
{
    size_t next = 0;
    for (size_t r = 0; r < t->rows; r++)
        for (int kind = 0; kind < LANE_SOURCES; kind++)
            for (size_t e = t->start[r]; e < t->start[r + 1]; e++) {
                uint32_t row;
                if ((int)source_of(t, t->source[e], &row) != kind) continue;
                p->term[next++] = (struct lane_term){row, number[t->coefficient[e]] - 1};
                p->count[LANE_SOURCES * r + kind]++;
            }
}

static tansy_status build(struct lane_program *p, const struct graph *g, const struct hoist *plan,
                          const struct tangent *t, uint32_t *node)
{
    uint32_t *const number = heap_take(graph_count(g) * sizeof *number);
    if (!number) return TANSY_OUT_OF_MEMORY;
    number_coefficients(p, t, number, node);
    sort_terms(p, t, number);
    heap_return(number);
    tansy_status const status = program_create(g, plan, node, p->coefficients, &p->all);
    if (status != TANSY_OK) return status;
    return program_create(g, plan, node, p->without_U, &p->states);
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
        p->count = heap_take((LANE_SOURCES * p->rows + 1) * sizeof *p->count);
        p->term = heap_take((tangent->terms + 1) * sizeof *p->term);
        if (node && p->count && p->term) status = build(p, g, plan, tangent, node);
    }
    heap_return(node);
    if (status != TANSY_OK) {
        lane_program_free(p);
        p = NULL;
    }
    *program = p;
    return status;
}

void lane_program_free(struct lane_program *p)
{
    if (!p) return;
    program_free(p->all);
    program_free(p->states);
    heap_return(p->count);
    heap_return(p->term);
    heap_return(p);
}

/* Coefficients, then the rows of a strip, then what the scalar program needs. */
static size_t rows_at(const struct lane_program *p)
{
    return round_up(p->coefficients);
}

static size_t scalars_at(const struct lane_program *p)
{
    return rows_at(p) + p->inner * LANE_STRIP;
}

size_t lane_program_work(const struct lane_program *p, size_t columns)
{
    (void)columns; /* strip after strip */
    size_t const all = program_work(p->all), states = program_work(p->states);
    return scalars_at(p) + (all > states ? all : states);
}

void lane_program_run(const struct lane_program *p, const struct leaves *at, size_t columns,
                      size_t ld, const double *V, const double *U, double *R, double *work)
{
    program_run(U ? p->all : p->states, at, work + scalars_at(p), work);
    struct lane_rows const rows = {p->rows, p->inner, p->count, p->term, work};
    struct lane_panels const panels = {columns, ld, V, U, R, work + rows_at(p)};
    p->engine->lanes(&rows, &panels);
}
