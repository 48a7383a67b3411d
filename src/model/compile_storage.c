/* SPDX-License-Identifier: Apache-2.0 */
/* How df/dy is stored, dense, banded or by a pattern, and the programs that write it there.  Of an implicit model dF/dy and
   dF/dy' share one storage: that of both together. */
#include <stdint.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/compile.h"

enum { MOST_PLACES = INT32_MAX };

/* Row i of a and b merged, columns rising, into column[]; how many. */
static size_t merge_row(const struct derivative *a, const struct derivative *b, size_t i,
                        size_t *column)
{
    size_t x = a->start[i], y = b->rows ? b->start[i] : 0, count = 0;
    size_t const x_end = a->start[i + 1], y_end = b->rows ? b->start[i + 1] : 0;
    while (x < x_end || y < y_end) {
        size_t const in_a = x < x_end ? a->column[x] : SIZE_MAX;
        size_t const in_b = y < y_end ? b->column[y] : SIZE_MAX;
        x += in_a <= in_b;
        y += in_b <= in_a;
        column[count++] = in_a < in_b ? in_a : in_b;
    }
    return count;
}

/* The pattern of both derivatives together. */
static tansy_status find_pattern(struct tansy_model *m)
{
    struct compiled *const c = &m->code;
    size_t const n = m->jacobian.rows, most = m->jacobian.entries + m->rates.entries;
    c->jacobian_row = heap_take((most + 1) * sizeof *c->jacobian_row);
    c->jacobian_column = heap_take((most + 1) * sizeof *c->jacobian_column);
    if (!c->jacobian_row || !c->jacobian_column) return TANSY_OUT_OF_MEMORY;
    m->pattern_entries = 0;
    for (size_t i = 0; i < n; i++) {
        size_t const first = m->pattern_entries;
        m->pattern_entries += merge_row(&m->jacobian, &m->rates, i, c->jacobian_column + first);
        for (size_t e = first; e < m->pattern_entries; e++) c->jacobian_row[e] = i;
    }
    return TANSY_OK;
}

static void find_band(struct tansy_model *m)
{
    m->lower = m->upper = 0;
    for (size_t e = 0; e < m->pattern_entries; e++) {
        size_t const i = m->code.jacobian_row[e], j = m->code.jacobian_column[e];
        if (j < i && i - j > m->lower) m->lower = i - j;
        if (j > i && j - i > m->upper) m->upper = j - i;
    }
}

tansy_structure storage_choose(size_t n, size_t entries, size_t lower, size_t upper)
{
    enum { SMALL = 64, EMPTY_BAND = 32, SPARSE_SHARE = 5 };
    size_t const band = lower + upper + 1;
    if (2 * (lower + band) <= n && (n <= SMALL || entries >= n / EMPTY_BAND * band))
        return TANSY_BANDED;
    return n > SMALL && entries < n * (n / SPARSE_SHARE) ? TANSY_SPARSE : TANSY_DENSE;
}

/* Entry e of the pattern, at (i, j), in the storage. */
static size_t place_of(const struct tansy_model *m, size_t e, size_t i, size_t j)
{
    if (m->storage == TANSY_SPARSE) return e;
    if (m->storage == TANSY_DENSE) return i * m->jacobian.rows + j;
    return i * (m->lower + m->upper + 1) + j + m->lower - i;
}

/* d straight into the storage of the solver: the entries that are not zero, of a sparse matrix all of the pattern. */
static tansy_status make_matrix(const struct tansy_model *m, const struct derivative *d,
                                struct program **program)
{
    const struct compiled *const c = &m->code;
    uint32_t *const node = heap_take((m->pattern_entries + 1) * sizeof *node);
    size_t *const place = heap_take((m->pattern_entries + 1) * sizeof *place);
    tansy_status status = TANSY_OUT_OF_MEMORY;
    if (node && place) {
        size_t count = 0, in_d = 0;
        for (size_t e = 0; e < m->pattern_entries; e++) {
            size_t const i = c->jacobian_row[e], j = c->jacobian_column[e];
            bool const is_there = in_d < d->start[i + 1] && d->column[in_d] == j;
            if (!is_there && m->storage != TANSY_SPARSE) continue;
            node[count] = is_there ? d->node[in_d] : 0;
            place[count++] = place_of(m, e, i, j);
            in_d += is_there;
        }
        status = program_create_scattered(m->system.graph, &c->plan, node, place, count, program);
    }
    heap_return(node);
    heap_return(place);
    return status;
}

tansy_status storage_find(struct tansy_model *m)
{
    TRY(find_pattern(m));
    find_band(m);
    m->storage = storage_choose(m->jacobian.rows, m->pattern_entries, m->lower, m->upper);
    return TANSY_OK;
}

/* Where the storage has more entries than a program can address (and than any memory would like) there is no Jacobian: the
   solver says what it misses. */
tansy_status storage_make(struct tansy_model *m)
{
    size_t const n = m->jacobian.rows;
    size_t const width = m->storage == TANSY_DENSE ? n : m->lower + m->upper + 1;
    if (m->storage != TANSY_SPARSE && n > MOST_PLACES / width) return TANSY_OK;
    TRY(make_matrix(m, &m->jacobian, &m->code.jacobian));
    return model_is_explicit(m) ? TANSY_OK : make_matrix(m, &m->rates, &m->code.rate_jacobian);
}
