/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation (and every start of a thread) fails once, and all from one on: no crash, no leak, and the
   handle (or NULL) says "out of memory".  The linker sends pthread_create through the function below (tests/CMakeLists.txt). */
#include "support/allocations.h"
#include "support/fault_cases.h"
#include "support/fault_ring.h"
#include "support/one_step_cases.h"
#include "support/step_problem.h"
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): names that --wrap asks for */
typedef void *thread_task(void *argument);
int __real_pthread_create(pthread_t *id, const pthread_attr_t *how, thread_task *task,
                          void *argument);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *how, thread_task *task,
                          void *argument);

int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *how, thread_task *task,
                          void *argument)
{
    if (allocations_refuse(0)) return EAGAIN;
    return __real_pthread_create(id, how, task, argument);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */

TEST(failing_the_kth_allocation_leaks_nothing)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        tansy_problem const problem = fault_problem(&user, it.gives, fault_p);
        allocations_fail_solver(&problem, &it.options, 0.1, true);
    }
}

/* Ten panels need a list of their own, and threads a pool. */
TEST(failing_the_kth_allocation_leaks_no_panels_and_no_threads)
{
    tansy_problem const problem = ring_problem(RING_TANGENT, NULL);
    for (int threads = 1; threads <= 4; threads += 3) {
        tansy_options const options = {.rtol = 1e-4, .atol = 1e-6, .threads = threads};
        allocations_fail_solver(&problem, &options, 0.01, true);
        for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
            tansy_options one_step = one_step_options(&one_step_cases[x], 1e-4, 1e-6);
            one_step.threads = threads;
            allocations_fail_solver(&problem, &one_step, 0.01, true);
        }
    }
}

TEST(a_failed_creation_without_memory_for_its_message_is_null)
{
    struct fault_user user = fault_user();
    tansy_problem const problem = fault_problem(&user, WITH_NOTHING, fault_p);
    allocations_begin(1, SIZE_MAX);
    tansy_solver *const s = tansy_create(&problem, NULL);
    allocations_begin(0, 0);
    CHECK(s == NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_OUT_OF_MEMORY);
    CHECK_TEXT_CONTAINS(tansy_message(s), "out of memory");
}

TEST(a_problem_too_large_for_the_machine_is_out_of_memory)
{
    struct fault_user user = fault_user();
    tansy_problem problem = fault_problem(&user, WITH_NOTHING, fault_p);
    problem.n = (size_t)1 << 24; /* df/dy would have 2^48 entries */
    allocations_begin(0, 0);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_OUT_OF_MEMORY);
    CHECK_TEXT_CONTAINS(tansy_message(s), "16777216 equations");
    tansy_free(s);
    CHECK_EQUAL(allocations.live, 0);
}

static size_t allocations_from_creation_to_end(const tansy_problem *problem,
                                               const tansy_options *options, double t)
{
    double y[RING_N], sens[RING_SENS];
    char text[4096];
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    allocations_begin(0, 0);
    CHECK_EQUAL(tansy_solve(s, t, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_step(s, 2 * t, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_at(s, tansy_time(s), y, NULL, sens, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_check(s), TANSY_OK);
    CHECK(tansy_report(s, text, sizeof text) > 0);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, t, y, sens), TANSY_OK);
    size_t const calls = allocations.calls;
    tansy_free(s);
    return calls;
}

TEST(nothing_is_allocated_after_creation)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        tansy_problem const problem = fault_problem(&user, it.gives, fault_p);
        CHECK_EQUAL(allocations_from_creation_to_end(&problem, &it.options, 0.5), 0);
    }
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        struct step_problem it;
        tansy_options const options = one_step_options(&one_step_cases[x], 1e-4, 1e-6);
        step_problem_set(&it, STEP_ODE, STEP_ALL, 33);
        CHECK_EQUAL(allocations_from_creation_to_end(&it.problem, &options, 0.5), 0);
    }
    tansy_problem const problem = ring_problem(RING_TANGENT, NULL);
    tansy_options const options = {.rtol = 1e-4, .atol = 1e-6, .threads = 3};
    CHECK_EQUAL(allocations_from_creation_to_end(&problem, &options, 0.1), 0);
}
