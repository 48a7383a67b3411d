/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of limex that several threads make at once are those of one thread: results, counts and messages are the same, bit for bit, also
   when f fails in some of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drive/solver.h"
#include "support/sparse_solver.h"
#include "test.h"

enum { N = 100, NP = 2, SENS = NP * N };
static const int thread_numbers[] = {2, 3, 8};
enum { NUMBERS = sizeof thread_numbers / sizeof *thread_numbers };

/* A ring, y_i' = -k_i y_i + p_0 y_(i+1) y_(i+2) + p_1 sin t; f is not defined after `last`, where a smaller step is asked for. */
struct ring {
    double y0[N], p[NP], last;
    tansy_problem problem;
};

static double rate(size_t i)
{
    return 1 + 10 * (double)(i % 7);
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    const struct ring *const it = context;
    for (size_t i = 0; i < N; i++)
        f[i] = -rate(i) * y[i] + p[0] * y[(i + 1) % N] * y[(i + 2) % N] + p[1] * sin(t);
    return t > it->last;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    (void)context;
    memset(J, 0, (size_t)N * N * sizeof *J);
    for (size_t i = 0; i < N; i++) {
        J[i * N + i] = -rate(i);
        J[i * N + (i + 1) % N] = p[0] * y[(i + 2) % N];
        J[i * N + (i + 2) % N] = p[0] * y[(i + 1) % N];
    }
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t ns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)context;
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < ns; k++) {
            size_t const a = (i + 1) % N, b = (i + 2) % N;
            R[i * ld + k] = -rate(i) * V[i * ld + k] +
                            p[0] * (y[a] * V[b * ld + k] + y[b] * V[a * ld + k]) +
                            U[k] * y[a] * y[b] + U[ld + k] * sin(t);
        }
    return 0;
}

static void ring_set(struct ring *it, double last)
{
    *it = (struct ring){.p = {0.5, 1}, .last = last};
    for (size_t i = 0; i < N; i++) it->y0[i] = 1 + 0.1 * (double)(i % 5);
    it->problem = (tansy_problem){.n = N,
                                  .np = NP,
                                  .y0 = it->y0,
                                  .p = it->p,
                                  .rhs = rhs,
                                  .jacobian = jacobian,
                                  .tangent = tangent,
                                  .concurrent = 1,
                                  .context = it};
}

struct run {
    tansy_status status;
    double t, y[N], sens[SENS];
    tansy_stats stats;
    char message[512];
    bool ahead; /* rows were made ahead */
};

static void solve(const tansy_problem *problem, const tansy_options *options, struct run *r)
{
    memset(r, 0, sizeof *r);
    tansy_solver *const s = tansy_create(problem, options);
    r->status = tansy_solve(s, 3, r->y, r->sens);
    r->t = tansy_time(s);
    tansy_get_stats(s, &r->stats);
    r->stats.bytes = 0; /* every thread needs some */
    r->ahead = s->stepper.stages.ahead != NULL;
    snprintf(r->message, sizeof r->message, "%s", tansy_message(s));
    tansy_free(s);
}

/* Tells what differs between one thread and several. */
static void check_threads(const tansy_problem *problem, tansy_options options, tansy_status status)
{
    static struct run one, other;
    options.method = TANSY_LIMEX;
    options.rtol = 1e-7;
    solve(problem, &options, &one);
    CHECK_EQUAL(one.status, status);
    CHECK(!one.ahead);
    for (size_t x = TEST_STRIDE > 1 ? NUMBERS - 1 : 0; x < NUMBERS; x++) {
        options.threads = thread_numbers[x];
        solve(problem, &options, &other);
        CHECK(other.ahead);
        CHECK_EQUAL(other.status, status);
        CHECK(strcmp(other.message, one.message) == 0);
        CHECK(other.t == one.t);
        CHECK(memcmp(other.y, one.y, sizeof one.y) == 0);
        CHECK(memcmp(other.sens, one.sens, sizeof one.sens) == 0);
        CHECK(memcmp(&other.stats, &one.stats, sizeof one.stats) == 0);
    }
}

TEST(rows_of_several_threads_are_those_of_one)
{
    static const tansy_sensitivities ways[] = {TANSY_NONE, TANSY_STAGGERED, TANSY_DIFFERENCE};
    struct ring it;
    for (int k = 0; k < 3; k++) {
        ring_set(&it, HUGE_VAL);
        if (TEST_STRIDE == 1 || k != 1)
            check_threads(&it.problem, (tansy_options){.sensitivities = ways[k]}, TANSY_OK);
        if (TEST_STRIDE > 1 && k != 1) continue;
        it.problem.autonomous = 0;
        it.problem.structure = TANSY_BANDED;
        it.problem.lower = it.problem.upper = N - 1;
        it.problem.jacobian = NULL;
        check_threads(&it.problem, (tansy_options){.sensitivities = ways[k]}, TANSY_OK);
    }
}

/* Steps that reach over the end of f fail in some of their rows; at last none is small enough. */
TEST(failures_in_rows_are_those_of_one_thread)
{
    struct ring it;
    ring_set(&it, 2);
    check_threads(&it.problem, (tansy_options){.sensitivities = TANSY_NONE}, TANSY_USER_FAILED);
    check_threads(&it.problem, (tansy_options){.sensitivities = TANSY_STAGGERED},
                  TANSY_USER_FAILED);
}

/* The sparse solver factors row after row; only the steps are shared. */
TEST(sparse_factors_are_made_by_one_thread)
{
    sparse_solver_needed();
    enum { ENTRIES = 3 * N };
    static size_t row[ENTRIES], column[ENTRIES];
    struct ring it;
    ring_set(&it, HUGE_VAL);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < 3; k++) {
            row[3 * i + k] = i;
            column[3 * i + k] = (i + k) % N;
        }
    it.problem.jacobian = NULL;
    it.problem.structure = TANSY_SPARSE;
    it.problem.jacobian_pattern = (tansy_pattern){.entries = ENTRIES, .row = row, .column = column};
    it.problem.operations[0] = 1e4; /* f is said to be worth it */
    it.problem.from_model = 0;
    check_threads(&it.problem, (tansy_options){.sensitivities = TANSY_STAGGERED}, TANSY_OK);
    check_threads(&it.problem, (tansy_options){.sensitivities = TANSY_STAGGERED, .sparsing = 0.01},
                  TANSY_OK);
}

/* Steps that take a few microseconds are not shared, nor are those of functions that may not be. */
TEST(short_steps_are_not_shared)
{
    static struct run r;
    struct ring it;
    ring_set(&it, HUGE_VAL);
    tansy_options options = {.method = TANSY_LIMEX, .threads = 2};
    it.problem.concurrent = 0;
    solve(&it.problem, &options, &r);
    CHECK(!r.ahead);
    ring_set(&it, HUGE_VAL);
    options.sensitivities = TANSY_SIMULTANEOUS;
    solve(&it.problem, &options, &r);
    CHECK(!r.ahead);
    options.sensitivities = TANSY_STAGGERED;
    options.memory_limit = 1000;
    solve(&it.problem, &options, &r);
    CHECK(!r.ahead);
}
