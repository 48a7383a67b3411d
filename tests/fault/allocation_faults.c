/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation (and every start of a thread) fails once, and all from one on: no crash, no leak, and the
   handle (or NULL) says "out of memory".  The linker sends malloc, free and pthread_create of this program and of
   the static library through the functions below (tests/CMakeLists.txt); shared libraries it leaves alone. */
#include "support/fault_cases.h"
#include "support/fault_ring.h"
#include "support/one_step_cases.h"
#include "support/step_problem.h"
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): names that --wrap asks for */
void *__real_malloc(size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *block);
typedef void *thread_task(void *argument);
int __real_pthread_create(pthread_t *id, const pthread_attr_t *how, thread_task *task,
                          void *argument);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *how, thread_task *task,
                          void *argument);

static struct {
    size_t calls, first, last; /* requests first .. last fail, counted from 1 */
    size_t live;               /* blocks taken and not yet returned */
} heap;

static const size_t machine = (size_t)1 << 46; /* bytes: the sanitizers would end the program */

static void heap_begin(size_t first, size_t last)
{
    heap.calls = heap.live = 0;
    heap.first = first;
    heap.last = last;
}

/* The next request is one of those that fail. */
static bool is_refused(size_t size)
{
    heap.calls++;
    return (heap.calls >= heap.first && heap.calls <= heap.last) || size > machine;
}

static void *note(void *block)
{
    heap.live += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return is_refused(size) ? NULL : note(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    bool const large = size > 0 && count > machine / size;
    return is_refused(large ? SIZE_MAX : count * size) ? NULL : note(__real_calloc(count, size));
}

void __wrap_free(void *block)
{
    heap.live -= block != NULL;
    __real_free(block);
}

int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *how, thread_task *task,
                          void *argument)
{
    heap.calls++;
    if (heap.calls >= heap.first && heap.calls <= heap.last) return EAGAIN;
    return __real_pthread_create(id, how, task, argument);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/* Creates a solver, uses it, frees it; the status of the whole. */
static tansy_status use(const tansy_problem *problem, const tansy_options *options, double t)
{
    tansy_solver *const s = tansy_create(problem, options);
    tansy_status const status = tansy_solve(s, t, NULL, NULL);
    if (status < 0) {
        CHECK_EQUAL(tansy_error(s), status);
        CHECK(tansy_message(s)[0] != '\0');
        CHECK(tansy_report(s, NULL, 0) > 0);
        CHECK(tansy_repeated_steps(s, -1) == 0);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), status);
    }
    tansy_free(s);
    return status;
}

/* The k-th allocation fails, or all from the k-th on, until the run is untouched. */
static void fail_allocations(const tansy_problem *problem, const tansy_options *options, double t)
{
    for (int once = 0; once < 2; once++)
        for (size_t k = 1;; k++) {
            heap_begin(k, once ? k : SIZE_MAX);
            tansy_status const status = use(problem, options, t);
            bool const touched = heap.calls >= k;
            CHECK(touched || k > 1);
            CHECK_EQUAL(heap.live, 0);
            CHECK_EQUAL(status, touched ? TANSY_OUT_OF_MEMORY : TANSY_OK);
            if (!touched) break;
        }
    heap_begin(0, 0);
}

TEST(failing_the_kth_allocation_leaks_nothing)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        tansy_problem const problem = fault_problem(&user, it.gives, fault_p);
        fail_allocations(&problem, &it.options, 0.1);
    }
}

/* Ten panels need a list of their own, and threads a pool. */
TEST(failing_the_kth_allocation_leaks_no_panels_and_no_threads)
{
    tansy_problem const problem = ring_problem(RING_TANGENT, NULL);
    for (int threads = 1; threads <= 4; threads += 3) {
        tansy_options const options = {.rtol = 1e-4, .atol = 1e-6, .threads = threads};
        fail_allocations(&problem, &options, 0.01);
        for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
            tansy_options one_step = one_step_options(&one_step_cases[x], 1e-4, 1e-6);
            one_step.threads = threads;
            fail_allocations(&problem, &one_step, 0.01);
        }
    }
}

TEST(a_failed_creation_without_memory_for_its_message_is_null)
{
    struct fault_user user = fault_user();
    tansy_problem const problem = fault_problem(&user, WITH_NOTHING, fault_p);
    heap_begin(1, SIZE_MAX);
    tansy_solver *const s = tansy_create(&problem, NULL);
    heap_begin(0, 0);
    CHECK(s == NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_OUT_OF_MEMORY);
    CHECK_TEXT_CONTAINS(tansy_message(s), "out of memory");
}

TEST(a_problem_too_large_for_the_machine_is_out_of_memory)
{
    struct fault_user user = fault_user();
    tansy_problem problem = fault_problem(&user, WITH_NOTHING, fault_p);
    problem.n = (size_t)1 << 24; /* df/dy would have 2^48 entries */
    heap_begin(0, 0);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_OUT_OF_MEMORY);
    CHECK_TEXT_CONTAINS(tansy_message(s), "16777216 equations");
    tansy_free(s);
    CHECK_EQUAL(heap.live, 0);
}

static size_t allocations_from_creation_to_end(const tansy_problem *problem,
                                               const tansy_options *options, double t)
{
    double y[RING_N], sens[RING_SENS];
    char text[4096];
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    heap_begin(0, 0);
    CHECK_EQUAL(tansy_solve(s, t, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_step(s, 2 * t, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_at(s, tansy_time(s), y, NULL, sens, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_check(s), TANSY_OK);
    CHECK(tansy_report(s, text, sizeof text) > 0);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, t, y, sens), TANSY_OK);
    size_t const calls = heap.calls;
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
