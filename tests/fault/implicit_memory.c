/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of a solver of an implicit problem fails once, and all from one on: in patterns that are given or probed, their colours, sparse
   factors, coupled matrices, Krylov iteration, derived quantities, stages of one-step methods.  No crash, no leak, and the handle (or NULL) says "out of memory".  The
   linker sends malloc and free of this program and of the static library here (tests/CMakeLists.txt). */
#include "support/accuracy.h"
#include "support/implicit_fade.h"
#include "support/one_step_cases.h"
#include "support/problems.h"
#include "support/step_problem.h"
#include "test.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): names that --wrap asks for */
void *__real_malloc(size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void __wrap_free(void *block);

static struct {
    size_t calls, first, last; /* requests first .. last fail, counted from 1 */
    size_t live;               /* blocks taken and not yet returned */
} heap;

static void heap_begin(size_t first, size_t last)
{
    heap.calls = heap.live = 0;
    heap.first = first;
    heap.last = last;
}

void *__wrap_malloc(size_t size)
{
    heap.calls++;
    if (heap.calls >= heap.first && heap.calls <= heap.last) return NULL;
    void *const block = __real_malloc(size);
    heap.live += block != NULL;
    return block;
}

void __wrap_free(void *block)
{
    heap.live -= block != NULL;
    __real_free(block);
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
            if (heap.live != 0) printf("%zu leaked when allocation %zu failed\n", heap.live, k);
            CHECK_EQUAL(heap.live, 0);
            CHECK_EQUAL(status, touched ? TANSY_OUT_OF_MEMORY : TANSY_OK);
            if (!touched) break;
        }
    heap_begin(0, 0);
}

static void fail_problem(const char *name, enum derivatives derivatives,
                         const tansy_options *options, double share)
{
    const struct test_problem *const it = problem_find(name);
    tansy_problem const problem = problem_with(it->problem, derivatives);
    fail_allocations(&problem, options, problem.t0 + share * it->t_end);
}

TEST(failing_the_kth_allocation_leaks_no_pattern_and_no_factors)
{
    tansy_options const options = {.rtol = 1e-3};
    fail_problem("heat_10_sparse", GIVEN, &options, 0.01);
    fail_problem("heat_10_sparse", BY_DIFFERENCES, &options, 0.001);
    fail_problem("heat_10_sparse", BY_DIFFERENCES_ALONE, &options, 0.001);
}

TEST(failing_the_kth_allocation_leaks_no_coupled_matrices)
{
    tansy_options const options = {.rtol = 1e-3};
    fail_problem("transistor", GIVEN, &options, 0.01);
    fail_problem("transistor_mass", GIVEN, &options, 0.01);
    fail_problem("pendulum", GIVEN, &options, 0.01);
}

TEST(failing_the_kth_allocation_leaks_no_krylov_spaces)
{
    static const tansy_preconditioner all[] = {TANSY_BAND_PRECONDITIONER, TANSY_ILU_PRECONDITIONER,
                                               TANSY_BLOCK_PRECONDITIONER};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        tansy_options const options = {
            .rtol = 1e-3, .linear_solver = TANSY_GMRES, .preconditioner = all[k]};
        fail_problem("heat_10_sparse", GIVEN, &options, 0.001);
    }
}

/* Derived quantities take work space of their own; the run goes on without it. */
TEST(failing_the_kth_allocation_of_derived_quantities_is_told)
{
    struct fade_user user = {.first = 0};
    tansy_problem const problem = fade_problem(&user, FADE_MATRICES);
    double Q[2], Q_p[2 * FADE_NP];
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-4});
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    for (size_t k = 1;; k++) {
        heap_begin(k, k);
        tansy_status const status = tansy_derived_at(s, 1, Q, Q_p);
        CHECK_EQUAL(heap.live, 0);
        if (heap.calls < k) {
            CHECK_EQUAL(status, TANSY_OK);
            break;
        }
        CHECK_EQUAL(status, TANSY_OUT_OF_MEMORY);
        CHECK_TEXT_CONTAINS(tansy_message(s), "no memory for derived quantities");
        CHECK_EQUAL(tansy_error(s), TANSY_OK);
    }
    heap_begin(0, 0);
    CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_OK);
    tansy_free(s);
}

/* Stages and their matrices in all kinds of storage, room for second derivatives from all sources. */
TEST(failing_the_kth_allocation_leaks_no_stages)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int storage = TANSY_DENSE; storage <= TANSY_SPARSE; storage++)
            for (int gives = 0; gives <= STEP_ALL; gives += 5) {
                const struct one_step_case *const formula = &one_step_cases[x];
                struct step_problem it;
                tansy_options const options = one_step_options(formula, 1e-4, 1e-6);
                enum step_form const form = formula->stiffly_accurate ? STEP_DAE_OF_P : STEP_ODE;
                step_problem_set(&it, form, gives, 33);
                step_problem_store(&it, (tansy_structure)storage);
                fail_allocations(&it.problem, &options, 0.1);
            }
}

/* The analysis that tells what rows would take, sparse factors whose pattern changes, threads that make rows ahead. */
TEST(failing_the_kth_allocation_leaks_no_rows_of_limex)
{
    for (int limit = 0; limit < 2; limit++) {
        tansy_options const options = {.method = TANSY_LIMEX,
                                       .rtol = 1e-4,
                                       .sparsing = 0.1,
                                       .memory_limit = limit ? 10 : 1000000};
        struct step_problem it;
        step_problem_set(&it, STEP_SEMI, STEP_ALL, 33);
        step_problem_store(&it, TANSY_SPARSE);
        fail_allocations(&it.problem, &options, 0.1);
    }
}
