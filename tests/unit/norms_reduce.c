/* SPDX-License-Identifier: Apache-2.0 */
/* Distributed vectors: every norm goes through norms.reduce (matrix/reduce.h), so that a process that holds some of
   the rows sees the norm of all. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "drive/solver.h"
#include "support/order_problem.h"
#include "support/random.h"
#include "test.h"

enum { ROWS = 32, COLUMNS = 5 }; /* half of the rows are whole groups for any number of lanes */

/* What the other process has, or by how much the values of this one count. */
struct other {
    size_t calls;
    enum reduce_kind kind;
    size_t count;
    double value[MAX_LANES];
    double factor[2]; /* of sums and of maxima; 0: value[] joins in */
};

static void join(void *context, enum reduce_kind kind, double *value, size_t count)
{
    struct other *const other = context;
    other->calls++;
    other->kind = kind;
    other->count = count;
    for (size_t k = 0; k < count; k++) {
        if (other->factor[kind] != 0)
            value[k] *= other->factor[kind];
        else if (kind == REDUCE_SUM)
            value[k] += other->value[k];
        else if (other->value[k] > value[k])
            value[k] = other->value[k];
    }
}

static struct part part_of(size_t n, size_t lanes)
{
    return (struct part){
        .shape = {.columns = lanes, .lanes = lanes, .count = lane_round(n * lanes)}};
}

static struct norms norms_of(tansy_norm kind, size_t n, size_t all, struct other *other)
{
    return (struct norms){.kernels = kernels_choose(),
                          .kind = kind,
                          .n = n,
                          .share = kind == TANSY_MAX ? 1 : 1 / (double)all,
                          .reduce = {other ? join : NULL, other}};
}

/* Rows 0 .. half-1 here, the others there; the norm here is that of all rows. */
static void check_halves(tansy_norm kind, size_t lanes, const double *v, const double *winv)
{
    size_t const half = ROWS / 2, start = half * lanes;
    struct other there = {0};
    struct part const some = part_of(half, lanes), all = part_of(ROWS, lanes);
    struct norms const whole = norms_of(kind, ROWS, ROWS, NULL);
    struct norms const alone = norms_of(kind, half, ROWS, NULL);
    struct norms const joint = norms_of(kind, half, ROWS, &there);
    norms_squares(&alone, &some, v + start, winv + start, there.value);
    for (size_t k = 0; k < lanes && kind == TANSY_MAX; k++) there.value[k] = sqrt(there.value[k]);
    double const found = norms_largest(&joint, &some, v, winv);
    double const wanted = norms_largest(&whole, &all, v, winv);
    CHECK_CLOSE(found, wanted, (ROWS + 5) * DBL_EPSILON * wanted); /* another order of the sum */
    CHECK_EQUAL(there.calls, 1);
    CHECK_EQUAL(there.kind, kind == TANSY_MAX ? REDUCE_MAX : REDUCE_SUM);
    CHECK_EQUAL(there.count, lanes);
}

TEST(the_norm_over_two_processes_is_that_of_all_rows)
{
    size_t const count = lane_round(ROWS * MAX_LANES);
    double *const v = heap_take(count * sizeof *v), *const winv = heap_take(count * sizeof *v);
    struct random_source source = {1};
    for (size_t x = 0; x < count; x++) {
        v[x] = random_next(&source);
        winv[x] = 1 + random_next(&source);
    }
    for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2) {
        check_halves(TANSY_RMS, lanes, v, winv);
        check_halves(TANSY_MAX, lanes, v, winv);
    }
    heap_return(v);
    heap_return(winv);
}

TEST(any_is_true_on_all_processes_if_true_on_one)
{
    struct other there = {.value = {1}};
    struct reduce const alone = {0}, joint = {join, &there};
    CHECK(!reduce_any(&alone, false));
    CHECK(reduce_any(&alone, true));
    CHECK(reduce_any(&joint, false));
    there.value[0] = 0;
    CHECK(!reduce_any(&joint, false));
    CHECK(reduce_any(&joint, true));
}

/* The end of a run, its counts and every step on the way. */
struct run {
    double y[2], sens[COLUMNS * 2];
    size_t steps, rejected, iterations;
    double sum_of_times; /* differs if any step differs */
};

static struct run solve(const tansy_options *options, struct other *other, double share)
{
    struct run run = {0};
    struct order_problem it;
    order_problem_set(&it, 1, COLUMNS, 0.3);
    tansy_solver *const s = tansy_create(&it.problem, options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    if (other) s->norms.reduce = (struct reduce){join, other};
    s->norms.share *= share;
    while (tansy_time(s) < 5 && tansy_step(s, 5, run.y, run.sens) == TANSY_OK)
        run.sum_of_times += tansy_time(s);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    run.steps = s->stats.steps;
    run.rejected = s->stats.rejected_error + s->stats.rejected_newton;
    run.iterations = s->stats.newton_state + s->stats.newton_sens;
    tansy_free(s);
    return run;
}

typedef void property(tansy_options options);

static void for_all_options(property *holds)
{
    for (int method = TANSY_ADAMS; method <= TANSY_BDF; method++)
        for (int way = TANSY_SIMULTANEOUS; way <= TANSY_DIRECT; way++)
            for (int test = TANSY_EACH_COLUMN; test <= TANSY_ALL_AS_ONE; test++)
                for (int norm = TANSY_RMS; norm <= TANSY_MAX; norm++)
                    holds((tansy_options){.method = (tansy_method)method,
                                          .sensitivities = (tansy_sensitivities)way,
                                          .error_control = (tansy_error_control)test,
                                          .norm = (tansy_norm)norm,
                                          .first_step = 1e-3,
                                          .rtol = 0x1p-20,
                                          .atol = 0x1p-25});
}

/* Two processes with the same rows: sums double, shares halve, so that nothing changes. */
static void check_twins(tansy_options options)
{
    struct other twin = {.factor = {2, 1}};
    struct run const alone = solve(&options, NULL, 1);
    struct run const joint = solve(&options, &twin, options.norm == TANSY_MAX ? 1 : 0.5);
    CHECK(memcmp(&alone, &joint, sizeof alone) == 0);
    CHECK(twin.calls > alone.steps);
}

TEST(a_run_on_two_equal_processes_is_that_on_one)
{
    for_all_options(check_twins);
}

/* Norms that are doubled on their way through reduce are those of halved tolerances, bit for bit: any norm that took
   another way would make a difference. */
static void check_every_norm(tansy_options options)
{
    struct other twice = {.factor = {4, 2}};
    struct run const doubled = solve(&options, &twice, 1);
    struct run const loose = solve(&options, NULL, 1);
    options.rtol /= 2;
    options.atol /= 2;
    struct run const halved = solve(&options, NULL, 1);
    CHECK_EQUAL(doubled.steps, halved.steps);
    CHECK(memcmp(&doubled, &halved, sizeof doubled) == 0);
    CHECK(memcmp(&loose, &halved, sizeof loose) != 0); /* the factor matters */
}

TEST(every_norm_of_a_run_goes_through_reduce)
{
    for_all_options(check_every_norm);
}
