/* SPDX-License-Identifier: Apache-2.0 */
/* Who calls the user's functions: one thread, unless the problem says .concurrent; and several solvers on several
   threads do not know of each other. */
#include "support/fault_cases.h"
#include "support/fault_ring.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

/* Options of method and corrector number c with many threads. */
static tansy_options options_of(size_t c, enum ring_source source)
{
    static const tansy_residual residuals[] = {[RING_TANGENT] = TANSY_SEED,
                                               [RING_MATRICES] = TANSY_MATRIX,
                                               [RING_NOTHING] = TANSY_DIFFERENCES};
    tansy_options options = fault_case(c * FAULT_SOURCES).options;
    options.rtol = 1e-3;
    options.atol = 1e-6;
    options.residual = residuals[source];
    options.threads = 8;
    return options;
}
enum { WAYS = FAULT_CASES / FAULT_SOURCES };

TEST(callbacks_run_on_the_callers_thread_alone_unless_they_are_concurrent)
{
    for (enum ring_source source = RING_TANGENT; source <= RING_NOTHING; source++)
        for (size_t c = 0; c < WAYS; c++) {
            struct ring_user user = {.owner = pthread_self(), .from = 1, .to = 0};
            tansy_problem problem = ring_problem(source, &user);
            tansy_options const options = options_of(c, source);
            problem.concurrent = 0;
            user.slow = source != RING_NOTHING;
            tansy_solver *const s = tansy_create(&problem, &options);
            CHECK_EQUAL(tansy_solve(s, 0.05, NULL, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_check(s), TANSY_OK);
            tansy_free(s);
            CHECK_EQUAL(user.most, 1);
            CHECK_EQUAL(user.foreign, 0);
        }
}

TEST(concurrent_callbacks_are_called_by_several_threads)
{
    struct ring_user user = {.owner = pthread_self(), .from = 1, .to = 0, .awaits = true};
    tansy_problem const problem = ring_problem(RING_TANGENT, &user);
    tansy_options const options = options_of(0, RING_TANGENT);
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    tansy_free(s);
    CHECK(user.foreign > 0);
}

/* What one thread does: solves by its own way, several times over. */
struct task {
    const tansy_problem *problem;
    tansy_options options;
    tansy_status status;
    bool same; /* all repetitions gave the same bits */
    double y[RING_N], sens[RING_SENS];
};

static void *work(void *argument)
{
    enum { TIMES = 3 };
    struct task *const task = argument;
    task->same = true;
    for (int k = 0; k < TIMES; k++) {
        double y[RING_N], sens[RING_SENS];
        tansy_solver *const s = tansy_create(task->problem, &task->options);
        task->status = tansy_solve(s, 0.1, k ? y : task->y, k ? sens : task->sens);
        tansy_free(s);
        task->same = task->same && (k == 0 || (memcmp(y, task->y, sizeof y) == 0 &&
                                               memcmp(sens, task->sens, sizeof sens) == 0));
    }
    return NULL;
}

/* Compares solvers that run side by side, each with `threads` of its own, with the same ones in turn. */
static void check_side_by_side(const tansy_problem *problem, int threads)
{
    enum { SOLVERS = 4 };
    static struct task task[SOLVERS], alone;
    pthread_t id[SOLVERS];
    for (size_t k = 0; k < SOLVERS; k++) {
        task[k] = (struct task){.problem = problem, .options = options_of(k, RING_TANGENT)};
        task[k].options.threads = threads;
        CHECK_EQUAL(pthread_create(&id[k], NULL, work, &task[k]), 0);
    }
    for (size_t k = 0; k < SOLVERS; k++) CHECK_EQUAL(pthread_join(id[k], NULL), 0);
    for (size_t k = 0; k < SOLVERS; k++) {
        alone = (struct task){.problem = problem, .options = task[k].options};
        (void)work(&alone);
        CHECK_EQUAL(task[k].status, TANSY_OK);
        CHECK(task[k].same && alone.same);
        CHECK_EQUAL(memcmp(alone.y, task[k].y, sizeof alone.y), 0);
        CHECK_EQUAL(memcmp(alone.sens, task[k].sens, sizeof alone.sens), 0);
    }
}

TEST(solvers_on_several_threads_share_a_problem)
{
    tansy_problem const problem = ring_problem(RING_TANGENT, NULL);
    check_side_by_side(&problem, 1);
}

TEST(solvers_on_several_threads_may_have_threads_of_their_own)
{
    tansy_problem const problem = ring_problem(RING_TANGENT, NULL);
    check_side_by_side(&problem, 2);
}
