/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the state that several threads make at once: those planned for a step, the longest first, as row j takes j times the work of
   row 1.  They are looked at in their order afterwards, and what is not needed in the end does not count: results and
   counts are those of one thread. */
#include "method/limex_ahead.h"

void limex_ahead_layout(struct stepper *s, struct arena *arena)
{
    ARENA_TAKE(arena, s->stages.ahead, 1);
}

enum { LEAST_ROWS = 3 }; /* two would leave little to share: the second is twice the first */

struct batch {
    struct stepper *s;
    int rows;
};

static ptrdiff_t factor(struct stepper *s, int j)
{
    struct linear *const l = s->equations->linear;
    return l->table->factor(l, limex_slot(s, j), j / s->h, 0);
}

static void make_row(void *context, size_t item, size_t worker)
{
    const struct batch *const b = context;
    struct stepper *const s = b->s;
    int const j = b->rows - (int)item;
    struct row_made *const row = &s->stages.ahead->row[j];
    struct derive_worker *const w = &s->equations->derive->worker[worker];
    struct derive_counts const before = w->counts;
    w->counts = (struct derive_counts){0};
    if (s->equations->linear->table->factors_apart) row->factoring = factor(s, j);
    row->code = row->factoring == 0 ? limex_row_steps(s, worker, j) : 0;
    row->failure = w->failure;
    row->counts = w->counts;
    w->counts = before;
}

int limex_make_rows(struct stepper *s, int planned)
{
    struct ahead *const ahead = s->stages.ahead;
    struct linear *const l = s->equations->linear;
    struct batch b = {.s = s, .rows = planned};
    if (!ahead) return 0;
    ahead->made = 0;
    if (planned < LEAST_ROWS) return 0;
    int const code = limex_prepare(s);
    if (code != 0) return code;
    if (s->stages.thin.sigma > 0) l->A = &s->stages.thin.A;
    for (int j = 1; j <= planned && !l->table->factors_apart; j++)
        ahead->row[j].factoring = factor(s, j);
    pool_run(s->pool, (size_t)planned, make_row, &b);
    l->A = s->equations->derive->J;
    ahead->made = planned;
    return 0;
}

int limex_take_row(struct stepper *s, int j)
{
    struct equations *const q = s->equations;
    const struct row_made *const row = &s->stages.ahead->row[j];
    struct derive_worker *const w = &q->derive->worker[0];
    w->failure.kind = FAILURE_NONE;
    int const code = equations_note_factors(q, j / s->h, row->factoring);
    if (code != 0) return code;
    w->counts.rhs += row->counts.rhs;
    if (row->code != 0) w->failure = row->failure;
    return row->code;
}
