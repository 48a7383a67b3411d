/* SPDX-License-Identifier: Apache-2.0 */
/* A solver is one block: its bytes, put back, replay the run bit for bit. */
#include "drive/solver.h"
#include "support/fault_cases.h"
#include "support/fault_ring.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_BEFORE = 9, STEPS_AFTER = 12 };

static void take_steps(tansy_solver *s, size_t count)
{
    for (size_t k = 0; k < count; k++) CHECK_EQUAL(tansy_step(s, 100, NULL, NULL), TANSY_OK);
}

/* Walks on from a copy twice; y[n], sens[ns*n] are room for results. */
static void check_replay(tansy_solver *s, size_t count, double *y, double *sens)
{
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    char *const copy = malloc(stats.bytes);
    double *const first = malloc(2 * count * sizeof *first), *const second = first + count;
    take_steps(s, STEPS_BEFORE);
    memcpy(copy, s, stats.bytes);
    double time[2];
    for (int run = 0; run < 2; run++) {
        take_steps(s, STEPS_AFTER);
        time[run] = tansy_time(s);
        CHECK_EQUAL(tansy_at(s, time[run], y, NULL, sens, NULL), TANSY_OK);
        memcpy(run ? second : first, sens, count * sizeof *sens);
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.steps, STEPS_BEFORE + STEPS_AFTER);
        if (run == 0) memcpy(s, copy, stats.bytes);
    }
    CHECK(time[0] == time[1]);
    CHECK_EQUAL(memcmp(first, second, count * sizeof *first), 0);
    free(first);
    free(copy);
}

TEST(the_bytes_of_a_solver_put_back_replay_the_run)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        tansy_problem const problem = fault_problem(&user, it.gives, fault_p);
        tansy_solver *const s = tansy_create(&problem, &it.options);
        double y[FAULT_N], sens[FAULT_SENS];
        check_replay(s, FAULT_SENS, y, sens);
        tansy_free(s);
    }
}

TEST(the_bytes_of_a_solver_with_many_panels_and_threads_replay_the_run)
{
    static double y[RING_N], sens[RING_SENS];
    tansy_problem const problem = ring_problem(RING_TANGENT, NULL);
    for (size_t number = 0; number < FAULT_CASES; number += FAULT_SOURCES) {
        tansy_options options = fault_case(number).options;
        options.residual = TANSY_RESIDUAL_AUTO;
        options.threads = 3;
        tansy_solver *const s = tansy_create(&problem, &options);
        check_replay(s, RING_SENS, y, sens);
        tansy_free(s);
    }
}

/* No pointer of the block leads into memory that a copy would share, but to code, constants and the pool. */
TEST(the_block_holds_everything_that_changes)
{
    struct fault_case const it = fault_case(0);
    struct fault_user user = fault_user();
    tansy_problem const problem = fault_problem(&user, it.gives, fault_p);
    tansy_solver *const s = tansy_create(&problem, &it.options);
    const char *const begin = (const char *)s, *const end = begin + s->bytes;
    const void *const inside[] = {s->y0,
                                  s->p,
                                  s->sens0,
                                  s->shape,
                                  s->attempt,
                                  s->repeated,
                                  s->J.value,
                                  s->linear.factors,
                                  s->equations.f,
                                  s->derive.worker,
                                  s->derive.fp,
                                  s->stepper.panel,
                                  s->problem.p,
                                  s->stepper.state.history,
                                  s->stepper.size,
                                  s->stepper.panel[0].history,
                                  s->tolerances.scale};
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++)
        CHECK((const char *)inside[k] > begin && (const char *)inside[k] < end);
    tansy_free(s);
}
