/* SPDX-License-Identifier: Apache-2.0 */
/* Which engine runs on this machine; leaves that are looked up. */
#include "model/engine.h"

#include <math.h>

#include "matrix/kernels.h"

extern const struct engine engine_plain, engine_avx2, engine_avx512;

size_t engine_list(const struct engine *list[3])
{
    static const struct engine *const known[] = {
        &engine_plain,
#ifdef TANSY_HAVE_AVX2
        &engine_avx2,
#endif
#ifdef TANSY_HAVE_AVX512
        &engine_avx512,
#endif
    };
    const struct kernels *kernels[3];
    size_t const all = sizeof known / sizeof *known, here = kernels_list(kernels);
    size_t const number = here < all ? here : all; /* in the same order */
    for (size_t k = 0; k < number; k++) list[k] = known[k];
    return number;
}

const struct engine *engine_choose(void)
{
    const struct engine *list[3] = {NULL};
    return list[engine_list(list) - 1];
}

/* How many rows of the table begin at or before the piece (without break times: before t). */
static size_t rows_passed(const struct table *table, double t, double piece)
{
    double from = t;
    if (table->breaks) from = piece < 1 ? -HUGE_VAL : table->break_time[(size_t)piece - 1];
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t const middle = (low + high) / 2;
        if (table->t[middle] <= from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double table_slope(const struct table *table, size_t passed)
{
    if (!table->is_linear || passed == 0 || passed == table->count) return 0;
    return (table->value[passed] - table->value[passed - 1]) /
           (table->t[passed] - table->t[passed - 1]);
}

static double table_value(const struct table *table, double t, size_t passed)
{
    double const slope = table_slope(table, passed);
    size_t const row = passed ? passed - 1 : 0;
    return table->value[row] + (slope != 0 ? slope * (t - table->t[row]) : 0);
}

double leaf_value(const struct leaves *at, enum operation operation, size_t index)
{
    switch (operation) {
    case OP_TIME:
        return at->t;
    case OP_SWITCH:
        return at->p[at->np + index];
    case OP_PIECE:
        return at->p[at->np + at->switches];
    default:
        break;
    }
    const struct table *const table = &at->table[index];
    double const piece = table->breaks ? at->p[at->np + at->switches] : 0;
    size_t const passed = rows_passed(table, at->t, piece);
    return operation == OP_INPUT ? table_value(table, at->t, passed) : table_slope(table, passed);
}
