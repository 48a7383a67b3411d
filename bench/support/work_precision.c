/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the ladder of tolerances and compares at equal error, see work_precision.h. */
#include "work_precision.h"

#include "stopwatch.h"
#include "work_precision_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 60 };
static const double batch_seconds =
    3e-4; /* of a contender in a round: its code is warm after the first run */

/* One round of a contender at a point: the least time of its runs. */
static void time_batch(const struct task *task, struct opponent *peer, struct run *run,
                       struct point *point)
{
    double sum = 0;
    while (sum < batch_seconds) {
        struct stopwatch watch;
        stopwatch_start(&watch);
        contender_solve(point->who, task, peer, run);
        double const seconds = stopwatch_stop(&watch);
        point->seconds = fmin(point->seconds, seconds);
        sum += seconds;
    }
}

/* All contenders in turn at tolerance m, again and again. */
static void run_tolerance(struct comparison *c, size_t m, const struct ladder *ladder,
                          struct opponent *peer, struct run *run)
{
    double const limit = ladder->seconds > 0 ? ladder->seconds : 0.4;
    int const least = ladder->least_rounds > 0 ? ladder->least_rounds : 3;
    double const begin = stopwatch_seconds();
    for (int r = 0; r < MOST_ROUNDS; r++) {
        if (r >= least && stopwatch_seconds() - begin > limit) break;
        for (size_t k = 0; k < c->contenders; k++) {
            struct point *point = &c->point[k][m];
            if (isinf(point->error)) continue;
            time_batch(c->task, peer, run, point);
            point->error = task_error(c->task, run);
            point->absolute = task_absolute_error(c->task, run);
            point->steps = run->steps;
        }
    }
}

static int by_error(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    return (p->error > q->error) - (p->error < q->error);
}

static int by_absolute_error(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    return (p->absolute > q->absolute) - (p->absolute < q->absolute);
}

/* The points of contender k that none of its own beats in both error and time, errors rising and times falling;
   returns how many they are. */
static size_t find_curve(const struct comparison *c, size_t k, int absolute,
                         struct point curve[MAX_TOLERANCES])
{
    size_t count = 0, kept = 0;
    for (size_t m = 0; m < c->tolerances; m++)
        if (isfinite(c->point[k][m].error)) curve[count++] = c->point[k][m];
    qsort(curve, count, sizeof *curve, absolute ? by_absolute_error : by_error);
    for (size_t x = 0; x < count; x++)
        if (kept == 0 || curve[x].seconds < curve[kept - 1].seconds) curve[kept++] = curve[x];
    return kept;
}

double seconds_at(const struct comparison *c, size_t k, int absolute, double e)
{
    struct point curve[MAX_TOLERANCES];
    size_t const count = find_curve(c, k, absolute, curve);
    double seconds = HUGE_VAL;
    for (size_t x = 0; x < count; x++) {
        const struct point *a = &curve[x], *b = x + 1 < count ? a + 1 : NULL;
        double const ea = absolute ? a->absolute : a->error;
        double const eb = !b ? HUGE_VAL : absolute ? b->absolute : b->error;
        if (ea > e) break;
        seconds = a->seconds;
        if (!b || e >= eb) continue;
        double const share = log(e / ea) / log(eb / ea);
        seconds = exp((1 - share) * log(a->seconds) + share * log(b->seconds));
    }
    return seconds;
}

struct verdict best_at(const struct comparison *c, enum code code, int absolute, double e)
{
    struct verdict verdict = {.seconds = HUGE_VAL};
    for (size_t k = 0; k < c->contenders; k++) {
        enum code const own = c->contender[k].code;
        if (own != code && !(own == DEFAULT_TANSY && code == BEST_TANSY)) continue;
        double const seconds = seconds_at(c, k, absolute, e);
        if (seconds < verdict.seconds) verdict = (struct verdict){seconds, &c->contender[k]};
    }
    return verdict;
}

double speedup(const struct comparison *c, enum code slow, enum code fast)
{
    double sum = 0;
    int reached = 0;
    for (int l = 0; l < c->levels; l++) {
        double const ratio = c->verdict[slow][l].seconds / c->verdict[fast][l].seconds;
        if (!isfinite(ratio) || ratio == 0) continue;
        sum += log(ratio);
        reached++;
    }
    return reached > 0 ? exp(sum / reached) : (double)NAN;
}

static void run_ladder(struct comparison *c, const struct ladder *ladder, struct opponent *peer)
{
    double const first = ladder->first > 0 ? ladder->first : 2;
    double const last = ladder->last > 0 ? ladder->last : 11;
    double const step = ladder->step > 0 ? ladder->step : 0.5;
    struct run run;
    run_open(c->task, &run);
    while (c->tolerances < MAX_TOLERANCES) {
        size_t const m = c->tolerances;
        double const digits = first + step * (double)m;
        if (digits > last + 0.01) break;
        run.rtol = pow(10, -digits);
        for (size_t k = 0; k < c->contenders; k++)
            c->point[k][m] =
                (struct point){.rtol = run.rtol, .seconds = HUGE_VAL, .who = &c->contender[k]};
        run_tolerance(c, m, ladder, peer, &run);
        c->tolerances++;
    }
    run_close(&run);
}

void work_precision(const struct task *task, const struct ladder *ladder, struct comparison *c)
{
    static const double usual[LEVELS] = {1e-4, 1e-6, 1e-8};
    struct opponent peer;
    *c = (struct comparison){.task = task, .levels = ladder->levels > 0 ? ladder->levels : LEVELS};
    c->contenders = ladder->entrants ? contenders_chosen(task, ladder->entrants, c->contender)
                                     : contenders_list(task, c->contender);
    opponent_open(&peer, task);
    run_ladder(c, ladder, &peer);
    for (int l = 0; l < c->levels; l++) {
        c->level[l] = ladder->level ? ladder->level[l] : usual[l];
        for (int code = 0; code < CODES; code++)
            c->verdict[code][l] = best_at(c, (enum code)code, 0, c->level[l]);
    }
    print_heading(c, &peer);
    if (!ladder->brief) print_runs(c);
    print_verdicts(c);
    write_comparison(c);
    opponent_close(&peer);
}

void print_speedup(const char *name, const char *peer, double factor)
{
    printf("%s: speedup %.2f over %s at equal error\n", name, factor, peer);
}
