/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is allocated after creation, through switches, breaks and restarts; and a creation that finds no memory says
   so.  The linker sends malloc through the function below (tests/CMakeLists.txt). */
#include "support/switch_decay.h"
#include "support/switch_runs.h"
#include "test.h"

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): names that --wrap asks for */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static const size_t machine = (size_t)1 << 46; /* bytes: the sanitizers would end the program */
static size_t calls, failing; /* all calls from the one numbered `failing` on fail; 0: none */

void *__wrap_malloc(size_t size)
{
    calls++;
    if (size > machine || (failing > 0 && calls >= failing)) return NULL;
    return __real_malloc(size);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

static const double times[] = {0.1, 0.9, 1.7};

static tansy_solver *create(struct decay_user *user, int x)
{
    tansy_problem problem = decay_problem(user, true, x % 2 ? DECAY_GIVES_SWITCH : DECAY_GIVES_F);
    tansy_options const o = switch_options(x, 1e-6);
    problem.breaks = 3;
    problem.break_times = times;
    return tansy_create(&problem, &o);
}

TEST(a_run_through_switches_allocates_nothing)
{
    for (int x = 0; x < SWITCH_RUNS; x++) {
        struct decay_user user = decay_user();
        tansy_solver *const s = create(&user, x);
        double y = 0, sens[DECAY_COLUMNS];
        calls = 0;
        CHECK_EQUAL(tansy_solve(s, 2, &y, sens), TANSY_OK);
        CHECK_AT_MOST(decay_error(true, 2, &y, sens), 1e-4);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 2, &y, sens), TANSY_OK);
        CHECK_EQUAL(calls, 0);
        tansy_free(s);
    }
}

TEST(no_memory_for_switches_is_said)
{
    struct decay_user user = decay_user();
    calls = 0;
    failing = 1;
    CHECK(create(&user, 0) == NULL);
    failing = 0;
    tansy_problem problem = decay_problem(&user, true, DECAY_GIVES_F);
    problem.scratch = (size_t)-1 / 8;
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_OUT_OF_MEMORY);
    tansy_free(s);
}
