/* SPDX-License-Identifier: Apache-2.0 */
/* How well-conditioned what missed its promise is: by how much it moves, in the norm of the verdict, when all parameters move by
   about rtol, relative.  No method that is exact for data so near can be told from one that is exact: an error that is not
   larger is the problem's, not the run's. */
#include "verify_parts.h"

#include <math.h>
#include <stdlib.h>

struct change {
    const struct study *study;
    const struct verification *v;
    struct series *base; /* rows of the first run */
    size_t row;
    double *state, *column; /* state[nx], column[ns] */
};

static int keep_row(void *to, const struct row *row)
{
    struct change *const c = to;
    series_add(c->base, row);
    return DONE;
}

static int compare_row(void *to, const struct row *row)
{
    struct change *const c = to;
    const struct study *const s = c->study;
    size_t const j = c->row++;
    if (j >= c->base->count || verify_at_switch(c->v, row->t)) return DONE;
    for (size_t i = 0; i < s->nx; i++) {
        double const floor = c->v->floor[i], x = series_x(c->base, j, i);
        c->state[i] = fmax(c->state[i], verify_relative(fabs(row->x[i] - x), fabs(x) + floor));
        for (size_t k = 0; k < s->ns && !verify_untested(c->v->control[i]); k++) {
            double const slope = series_sens(c->base, j, k, i), scale = s->scale[k];
            double const by = fabs(row->sens[k * s->nx + i] - slope) * scale;
            c->column[k] = fmax(c->column[k], verify_relative(by, fabs(slope) * scale + floor));
        }
    }
    return DONE;
}

/* One run with all parameters moved by about `by`, relative. */
static bool run_moved(const struct study *s, const struct series *series, double by, row_sink *sink,
                      struct change *c)
{
    struct study w = verify_shadow(s, series, 100);
    struct outcome outcome;
    for (size_t k = 0; k < s->np; k++) w.p[k] *= 1 + by * verify_mixed(k, 1);
    run_study(&w, sink, c, &outcome);
    bool const whole = outcome.exit_status == DONE;
    outcome_free(&outcome);
    verify_shadow_free(&w);
    return whole;
}

void verify_condition(const struct study *s, const struct series *series, struct verification *v)
{
    struct series base;
    struct change c = {.study = s,
                       .v = v,
                       .base = &base,
                       .state = take(s->nx, sizeof *c.state),
                       .column = take(s->ns, sizeof *c.column)};
    struct study like = *s;
    like.times = series->t;
    like.count = series->count;
    series_make(&base, &like);
    if (run_moved(s, series, 0, keep_row, &c) &&
        run_moved(s, series, study_rtol(s), compare_row, &c)) {
        for (size_t i = 0; i < s->nx; i++) /* what is no number is not ill-conditioned */
            v->moved_state[i] = isfinite(c.state[i]) ? c.state[i] : 0;
        for (size_t k = 0; k < s->ns; k++)
            v->moved_column[k] = isfinite(c.column[k]) ? c.column[k] : 0;
    }
    series_free(&base);
    free(c.state);
    free(c.column);
}
