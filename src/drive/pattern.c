/* SPDX-License-Identifier: Apache-2.0 */
/* Takes or finds the pattern of df/dy (or of dF/dy and dF/dy' together). */
#include "drive/pattern.h"

#include <assert.h>

#include "drive/probe.h"
#include "matrix/sparse_coloring.h"

static tansy_status make(struct tansy_solver *s, size_t listed, const size_t *row,
                         const size_t *column)
{
    size_t which[2] = {0, 0};
    switch (sparse_pattern_create(&s->pattern, s->n, listed, row, column, which)) {
    case PATTERN_FINE:
        return TANSY_OK;
    case PATTERN_OUTSIDE:
        assert(row && column);
        return message_set(&s->message, TANSY_BAD_PROBLEM,
                           "entry %zu of .jacobian_pattern is (%zu, %zu), outside %zu x %zu",
                           which[0], row[which[0]], column[which[0]], s->n, s->n);
    case PATTERN_TWICE:
        assert(row && column);
        return message_set(&s->message, TANSY_BAD_PROBLEM,
                           "entries %zu and %zu of .jacobian_pattern are both (%zu, %zu)", which[0],
                           which[1], row[which[0]], column[which[0]]);
    case PATTERN_NO_MEMORY:
        break;
    }
    return message_set(&s->message, TANSY_OUT_OF_MEMORY, "no memory for a pattern of %zu entries",
                       listed);
}

static tansy_status probe(struct tansy_solver *s)
{
    struct probed found = {.row.count = 0};
    tansy_status status = probe_pattern(s, &found);
    if (status == TANSY_OK) status = make(s, found.row.count, found.row.item, found.column.item);
    s->watch.is_probed = true;
    probe_free(&found);
    return status;
}

tansy_status pattern_find(struct tansy_solver *s)
{
    const tansy_pattern *const given = &s->problem.jacobian_pattern;
    if (s->problem.structure != TANSY_SPARSE) return TANSY_OK;
    if (given->row && given->column) return make(s, given->entries, given->row, given->column);
    if (s->problem.jacobian || s->problem.residual_jacobian || s->problem.mass)
        return message_set(&s->message, TANSY_BAD_PROBLEM,
                           ".structure = TANSY_SPARSE with given matrices needs .jacobian_pattern");
    return probe(s);
}

tansy_status pattern_place(struct tansy_solver *s)
{
    struct derive *const d = &s->derive;
    const tansy_pattern *const given = &s->problem.jacobian_pattern;
    if (s->problem.structure != TANSY_SPARSE || s->J.kind == MATRIX_NONE) return TANSY_OK;
    for (size_t e = 0; e < given->entries; e++)
        d->place[e] = s->J.kind == MATRIX_SPARSE ? s->pattern.place[e]
                                                 : given->row[e] * s->n + given->column[e];
    if (s->J.kind != MATRIX_SPARSE) return TANSY_OK;
    d->colors = sparse_coloring(s->n, s->pattern.start, s->pattern.column, d->color);
    return d->colors > 0
               ? TANSY_OK
               : message_set(&s->message, TANSY_OUT_OF_MEMORY, "no memory to colour the pattern");
}

void pattern_free(struct tansy_solver *s)
{
    sparse_pattern_free(&s->pattern);
}
