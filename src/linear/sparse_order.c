/* SPDX-License-Identifier: Apache-2.0 */
/* Writes down the steps of factorisation and solve for given pivots. */
#include "linear/sparse_order.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "linear/sparse_groups.h"
#include "matrix/kernels.h"

/* A tail is dense from this share of entries on, and has at least so many rows (bench/sparse_bench.c). */
static const double dense_share = 0.75;
enum { SHORTEST_TAIL = 6 };

/* What is known of row k while the steps are written: the first row of the tail of its block (the block's end: none), and
   the numbers of its entries in later blocks, in L outside the tail, in U; then their places. */
struct writing {
    const struct sparse_order *order;
    struct sparse_groups groups;
    uint32_t *tail, *later, *lower, *upper; /* [n] each */
    size_t tails, tail_rows, tail_values;
};

/* The tail of a block: the most rows from its end whose square has the share of entries.  inside[k] is the number of
   entries (i, j) with min(i, j) = k. */
static int find_tail(const struct sparse_order *o, int block, const uint32_t *inside)
{
    int const end = o->R[block + 1];
    int const top = end - o->R[block] > TAIL_ROWS ? end - TAIL_ROWS : o->R[block];
    double entries = 0;
    int tail = end;
    for (int k = end - 1; k >= top; k--) {
        double const rows = (double)(end - k);
        entries += inside[k];
        if (rows >= SHORTEST_TAIL && entries >= dense_share * rows * rows) tail = k;
    }
    return tail;
}

static void find_tails(struct writing *w)
{
    const struct sparse_order *const o = w->order;
    uint32_t *const inside = w->upper;
    for (int j = 0; j < o->n; j++) {
        inside[j] += (uint32_t)(o->lower_start[j + 1] - o->lower_start[j]);
        for (int m = o->upper_start[j]; m + 1 < o->upper_start[j + 1]; m++)
            inside[o->upper_row[m]]++;
    }
    for (int b = 0; b < o->blocks; b++) {
        int const tail = find_tail(o, b, inside);
        size_t const rows = (size_t)(o->R[b + 1] - tail);
        for (int k = o->R[b]; k < o->R[b + 1]; k++) w->tail[k] = (uint32_t)tail;
        w->tails += rows > 0;
        w->tail_rows += rows;
        w->tail_values += rows * lane_round(rows);
    }
    memset(inside, 0, (size_t)o->n * sizeof *inside);
}

/* Calls for every entry in later blocks, and of L outside the tails, columns ascending: its list and its column. */
static void visit(struct writing *w, void (*use)(uint32_t *at, int j, void *context), void *context)
{
    const struct sparse_order *const o = w->order;
    for (int j = 0; j < o->n; j++) {
        for (int m = o->later_start[j]; m < o->later_start[j + 1]; m++)
            use(&w->later[o->later_row[m]], j, context);
        for (int m = o->lower_start[j] + 1; m < o->lower_start[j + 1] && (uint32_t)j < w->tail[j];
             m++)
            use(&w->lower[o->lower_row[m]], j, context);
    }
}

static void count(uint32_t *at, int j, void *context)
{
    (void)j;
    (void)context;
    ++*at;
}

struct columns {
    uint32_t *column;
    const int *Q;
};

static void put(uint32_t *at, int j, void *context)
{
    const struct columns *const c = context;
    c->column[(*at)++] = (uint32_t)c->Q[j];
}

static void layout(struct sparse_factors *F, struct arena *arena, const struct writing *w)
{
    double *value;
    size_t *pivot;
    uint32_t *variable;
    ARENA_TAKE(arena, F->value, F->entries);
    ARENA_TAKE(arena, F->column, F->entries);
    ARENA_TAKE(arena, F->run, F->entries);
    ARENA_TAKE(arena, F->step, F->steps);
    ARENA_TAKE(arena, F->row, F->n);
    ARENA_TAKE(arena, F->pivot, F->n);
    ARENA_TAKE(arena, F->stage, F->stages);
    ARENA_TAKE(arena, F->w, F->n);
    ARENA_TAKE(arena, F->cycle, F->n);
    ARENA_TAKE(arena, F->cycle_end, F->n);
    ARENA_TAKE(arena, value, w->tail_values);
    ARENA_TAKE(arena, pivot, w->tail_rows);
    double *const size = arena_doubles(arena, w->tail_rows + w->tails * LANE_GROUP);
    ARENA_TAKE(arena, variable, w->tail_rows);
    if (arena->block) {
        F->stage[0].tail = (struct dense_factors){.value = value, .pivot = pivot, .size = size};
        F->stage[0].variable = variable;
    }
}

/* The sizes of everything. */
static void measure(struct sparse_factors *F, struct writing *w)
{
    const struct sparse_order *const o = w->order;
    *F = (struct sparse_factors){.n = (size_t)o->n, .stages = w->tails + 1};
    visit(w, count, NULL);
    for (int k = 0; k < o->n; k++) {
        const struct sparse_groups *const g = &w->groups;
        if ((uint32_t)k < w->tail[k])
            w->upper[k] = g->end[k] - (uint32_t)k - 1 + g->shared_end[k] - g->shared[k];
        F->entries += w->later[k] + w->lower[k] + w->upper[k];
    }
    for (int b = 0; b < o->blocks; b++) {
        size_t const tail = w->tail[o->R[b]], first = (size_t)o->R[b], end = (size_t)o->R[b + 1];
        F->steps += end - first + (tail < end ? tail : end - 1) - first;
    }
}

/* While steps are written: how many rows, steps, entries and stages there are. */
struct written {
    size_t rows, steps, entries, stages;
};

/* Counts become places: entries of row k's list begin where `n` says. */
static uint32_t reserve(uint32_t *list, struct written *n)
{
    uint32_t const first = (uint32_t)n->entries;
    n->entries += *list;
    *list = first;
    return first;
}

static void write_forward(struct sparse_factors *F, struct writing *w, int k, struct written *n)
{
    struct sparse_row *const row = &F->row[n->rows++];
    row->equation = (uint32_t)w->order->P[k];
    row->variable = (uint32_t)w->order->Q[k];
    row->first = reserve(&w->later[k], n);
    row->lower = reserve(&w->lower[k], n);
    row->end = (uint32_t)n->entries;
    row->divide = (uint32_t)n->steps;
    F->step[n->steps++] =
        (struct sparse_step){.scale = 1, .at = row->variable, .end = (uint32_t)n->entries};
}

/* Row k of U: the rows of its group behind it, then what they share. */
static void write_upper(struct sparse_factors *F, const struct writing *w, int k, struct written *n)
{
    const struct sparse_groups *const g = &w->groups;
    const int *const Q = w->order->Q;
    struct sparse_pivot *const pivot = &F->pivot[Q[k]];
    pivot->first = (uint32_t)n->entries;
    for (uint32_t j = (uint32_t)k + 1; j < g->end[k]; j++) F->column[n->entries++] = (uint32_t)Q[j];
    for (uint32_t m = g->shared[k]; m < g->shared_end[k]; m++)
        F->column[n->entries++] = (uint32_t)Q[g->column[m]];
    pivot->end = (uint32_t)n->entries;
}

/* The step back for row k of U, whose row is number `row` in the order of factorisation. */
static void write_backward(struct sparse_factors *F, const struct writing *w, int k, size_t row,
                           struct written *n)
{
    write_upper(F, w, k, n);
    F->row[row].divide = (uint32_t)n->steps;
    F->step[n->steps++] =
        (struct sparse_step){.at = (uint32_t)w->order->Q[k], .end = (uint32_t)n->entries};
}

/* Ends a stage with the tail of `rows` rows that begins at row k. */
static void write_stage(struct sparse_factors *F, const struct writing *w, int k, size_t rows,
                        struct written *n)
{
    struct sparse_stage *const stage = &F->stage[n->stages++];
    stage->rows_end = n->rows;
    stage->steps_end = n->steps;
    stage->tail.n = rows;
    stage->tail.ld = lane_round(rows);
    for (size_t r = 0; r < rows; r++) stage->variable[r] = (uint32_t)w->order->Q[(size_t)k + r];
    if (n->stages == F->stages) return;
    stage[1].tail.value = stage->tail.value + rows * stage->tail.ld;
    stage[1].tail.pivot = stage->tail.pivot + rows;
    stage[1].tail.size = stage->tail.size + stage->tail.ld;
    stage[1].variable = stage->variable + rows;
}

static void write_block(struct sparse_factors *F, struct writing *w, int block, struct written *n)
{
    int const first = w->order->R[block], end = w->order->R[block + 1];
    int const tail = (int)w->tail[first];
    size_t const row = n->rows;
    for (int k = first; k < end; k++) write_forward(F, w, k, n);
    if (tail < end) write_stage(F, w, tail, (size_t)(end - tail), n);
    for (int k = (tail < end ? tail : end - 1) - 1; k >= first; k--)
        write_backward(F, w, k, row + (size_t)(k - first), n);
}

/* The runs in L, ; number[n] is scratch: the pivot's number by variable. */
static void write_runs(struct sparse_factors *F, const struct writing *w, uint32_t *number)
{
    const struct sparse_order *const o = w->order;
    for (int k = 0; k < o->n; k++) number[o->Q[k]] = (uint32_t)k;
    for (size_t k = 0; k < F->n; k++)
        for (size_t m = F->row[k].end; m-- > F->row[k].lower;) {
            uint32_t const pivot = number[F->column[m]];
            bool const more = m + 1 < F->row[k].end && number[F->column[m + 1]] == pivot + 1 &&
                              pivot + 1 < w->groups.end[pivot];
            F->run[m] = (uint8_t)(more ? F->run[m + 1] + 1 : 1);
        }
}

/* x_P(k) goes to x_Q(k): the places in the order in which they hand on; from[v] is scratch. */
static void write_cycles(struct sparse_factors *F, const struct sparse_order *o, uint32_t *from)
{
    uint32_t const done = UINT32_MAX;
    size_t places = 0;
    for (int k = 0; k < o->n; k++) from[o->Q[k]] = (uint32_t)o->P[k];
    for (uint32_t v = 0; v < F->n; v++) {
        if (from[v] == v || from[v] == done) continue;
        for (uint32_t x = v; from[x] != done;) {
            uint32_t const next = from[x];
            F->cycle[places++] = x;
            from[x] = done;
            x = next;
        }
        F->cycle_end[F->cycles++] = (uint32_t)places;
    }
}

static void add_costs(const struct sparse_factors *F, struct sparse_costs *costs)
{
    *costs = (struct sparse_costs){.factor = (double)F->n,
                                   .solve = 2 * (double)F->entries + (double)F->n};
    for (size_t k = 0; k < F->n; k++)
        for (size_t m = F->row[k].lower; m < F->row[k].end; m++) {
            const struct sparse_pivot *const pivot = &F->pivot[F->column[m]];
            costs->factor += 1 + 2 * (double)(pivot->end - pivot->first);
        }
    for (size_t s = 0; s < F->stages; s++) {
        double const n = (double)F->stage[s].tail.n;
        costs->factor += 2.0 / 3.0 * n * n * n;
        costs->solve += 2 * n * n - n;
    }
}

/* Measures, and writes everything. */
static bool write_all(struct sparse_factors *F, struct writing *w, struct kept *memory,
                      struct sparse_costs *costs)
{
    const struct sparse_order *const o = w->order;
    struct arena arena = {0};
    struct written n = {0};
    measure(F, w);
    layout(F, &arena, w);
    if (F->entries > UINT32_MAX || F->steps > UINT32_MAX) return false;
    arena = (struct arena){.block = heap_reuse(memory, arena.used)};
    if (!arena.block) return false;
    layout(F, &arena, w);
    for (int b = o->blocks; b-- > 0;) write_block(F, w, b, &n);
    write_stage(F, w, o->n, 0, &n);
    visit(w, put, &(struct columns){F->column, o->Q});
    write_runs(F, w, w->upper);
    write_cycles(F, o, w->tail);
    add_costs(F, costs);
    return true;
}

bool sparse_factors_write(struct sparse_factors *F, const struct sparse_order *order,
                          struct sparse_scratch *scratch, struct kept *memory,
                          struct sparse_costs *costs)
{
    size_t const n = (size_t)order->n;
    uint32_t *const rows = heap_reuse(&scratch->rows, 4 * n * sizeof *rows);
    if (!rows) return false;
    struct writing w = {.order = order,
                        .tail = rows,
                        .later = rows + n,
                        .lower = rows + 2 * n,
                        .upper = rows + 3 * n};
    find_tails(&w);
    return sparse_groups_create(&w.groups, order, w.tail, &scratch->groups) &&
           write_all(F, &w, memory, costs);
}

void sparse_scratch_release(struct sparse_scratch *scratch)
{
    heap_drop(&scratch->rows);
    heap_drop(&scratch->groups);
}
