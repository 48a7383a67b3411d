/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of whole runs, see external_differences.h. */
#include "external_differences.h"

#include "stopwatch.h"
#include "task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One run from the initial values of `alone`. */
static void solve(const struct experiment *alone, double *y, struct measurement *m)
{
    tansy_solver *solver = tansy_create(&alone->problem, &alone->options);
    size_t const before = m->stats.rhs_evals;
    if (tansy_solve(solver, alone->t[0], y, NULL) != TANSY_OK) m->failed = 1;
    tansy_get_stats(solver, &m->stats);
    m->stats.rhs_evals += before;
    tansy_free(solver);
}

/* start[n] is work space. */
static void run_once(const struct experiment *e, const struct external *x, double *start,
                     struct measurement *m)
{
    size_t const n = e->problem.n, ns = e->problem.ns;
    struct experiment alone = *e;
    alone.problem.y0 = start;
    alone.problem.columns = NULL;
    alone.problem.ns = 0;
    alone.options.sensitivities = TANSY_NONE;
    alone.options.first_step = x->first_step;
    memcpy(start, e->problem.y0, n * sizeof *start);
    m->stats.rhs_evals = 0;
    solve(&alone, e->y, m);
    for (size_t k = 0; k < ns && !m->failed; k++) {
        double *const s = e->sens + k * n;
        size_t const j = (size_t)TANSY_INITIAL(e->problem.columns[k]); /* its own inverse */
        start[j] = e->problem.y0[j] + x->increment;
        double const really = start[j] - e->problem.y0[j];
        alone.options.first_step *= x->growth;
        solve(&alone, s, m);
        for (size_t i = 0; i < n; i++) s[i] = (s[i] - e->y[i]) / really;
        start[j] = e->problem.y0[j];
    }
}

struct measurement external_differences_run(const struct experiment *e, const struct external *x,
                                            double patience)
{
    struct measurement m = {.seconds = HUGE_VAL};
    double *start = bench_take(e->problem.n, sizeof *start);
    double const begin = stopwatch_seconds();
    do {
        struct stopwatch watch;
        stopwatch_start(&watch);
        run_once(e, x, start, &m);
        m.seconds = fmin(m.seconds, stopwatch_stop(&watch));
    } while (!m.failed && stopwatch_seconds() - begin < patience);
    free(start);
    return m;
}
