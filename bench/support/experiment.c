/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of Tansy, see experiment.h. */
#include "experiment.h"

#include "stopwatch.h"

#include <math.h>
#include <stdio.h>

static void run_once(const struct experiment *e, struct measurement *m)
{
    struct stopwatch watch;
    stopwatch_start(&watch);
    tansy_solver *solver = tansy_create(&e->problem, &e->options);
    m->failed = tansy_solve_grid(solver, e->times, e->t, e->y, e->sens, NULL) != TANSY_OK;
    double const seconds = stopwatch_stop(&watch);
    m->seconds = fmin(m->seconds, seconds);
    tansy_get_stats(solver, &m->stats);
    for (size_t k = 0; k <= m->stats.ns && k <= MAX_REPEATED; k++)
        m->repeated[k] = tansy_repeated_steps(solver, (ptrdiff_t)k - 1);
    if (m->failed) fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_free(solver);
}

struct measurement experiment_run(const struct experiment *e, double patience)
{
    struct measurement m = {.seconds = HUGE_VAL};
    double const begin = stopwatch_seconds();
    do run_once(e, &m);
    while (!m.failed && stopwatch_seconds() - begin < patience);
    return m;
}
