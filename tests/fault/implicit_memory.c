/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of a solver of an implicit problem fails once, and all from one on: in patterns that are given or probed, their colours, sparse
   factors, coupled matrices, Krylov iteration, derived quantities, stages of one-step methods.  No crash, no leak, and the handle (or NULL) says "out of memory". */
#include "support/accuracy.h"
#include "support/allocations.h"
#include "support/implicit_fade.h"
#include "support/one_step_cases.h"
#include "support/problems.h"
#include "support/sparse_solver.h"
#include "support/step_problem.h"
#include "test.h"

static void fail_problem(const char *name, enum derivatives derivatives,
                         const tansy_options *options, double share)
{
    const struct test_problem *const it = problem_find(name);
    tansy_problem const problem = problem_with(it->problem, derivatives);
    allocations_fail_solver(&problem, options, problem.t0 + share * it->t_end, false);
}

TEST(failing_the_kth_allocation_leaks_no_pattern_and_no_factors)
{
    sparse_solver_or_dense();
    tansy_options const options = {.rtol = 1e-3};
    fail_problem("heat_10_sparse", GIVEN, &options, 0.01);
    fail_problem("heat_10_sparse", BY_DIFFERENCES, &options, 0.001);
    fail_problem("heat_10_sparse", BY_DIFFERENCES_ALONE, &options, 0.001);
}

/* y1 depends on y0 for 1 < t < 3 only, where no probing looks. */
static int late(double t, const double *y, const double *p, double *f, void *context)
{
    double const inside = t > 1 && t < 3 ? (t - 1) * (3 - t) : 0;
    (void)context;
    f[0] = 1 - p[0] * y[0];
    f[1] = inside * y[0] - y[1];
    return 0;
}

TEST(failing_the_kth_allocation_leaks_no_larger_pattern)
{
    sparse_solver_needed();
    static const double p = 1, y0[2];
    tansy_problem const problem = {
        .n = 2, .np = 1, .p = &p, .y0 = y0, .rhs = late, .structure = TANSY_SPARSE};
    tansy_options const options = {.method = TANSY_DASSL, .rtol = 1e-3, .max_step = 0.2};
    allocations_fail_solver(&problem, &options, 1.5, false);
}

TEST(failing_the_kth_allocation_leaks_no_coupled_matrices)
{
    tansy_options const options = {.rtol = 1e-3};
    fail_problem("transistor", GIVEN, &options, 0.01);
    fail_problem("transistor_mass", GIVEN, &options, 0.01);
    fail_problem("pendulum", GIVEN, &options, 0.01);
}

/* Where M is singular in its own way at every start, its null space has the room of the first one. */
TEST(restarts_of_coupled_problems_allocate_nothing)
{
    static const char *const names[] = {"transistor", "transistor_mass"};
    for (int x = 0; x < 4; x++) {
        const struct test_problem *const it = problem_find(names[x % 2]);
        tansy_problem const problem = problem_with(it->problem, GIVEN);
        tansy_solver *const s =
            tansy_create(&problem, &(tansy_options){.rtol = x < 2 ? 1e-2 : 1e-4});
        CHECK_EQUAL(tansy_error(s), TANSY_OK);
        allocations_begin(0, 0);
        for (int run = 0; run < 3; run++) {
            CHECK_EQUAL(tansy_restart(s, problem.t0, NULL, NULL, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, problem.t0 + 0.01 * it->t_end, NULL, NULL), TANSY_OK);
        }
        CHECK_EQUAL(allocations.calls, 0);
        tansy_free(s);
    }
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
        allocations_begin(k, k);
        tansy_status const status = tansy_derived_at(s, 1, Q, Q_p);
        CHECK_EQUAL(allocations.live, 0);
        if (allocations.calls < k) {
            CHECK_EQUAL(status, TANSY_OK);
            break;
        }
        CHECK_EQUAL(status, TANSY_OUT_OF_MEMORY);
        CHECK_TEXT_CONTAINS(tansy_message(s), "no memory for derived quantities");
        CHECK_EQUAL(tansy_error(s), TANSY_OK);
    }
    allocations_begin(0, 0);
    CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_OK);
    tansy_free(s);
}

/* Stages and their matrices in all kinds of storage, room for second derivatives from all sources. */
TEST(failing_the_kth_allocation_leaks_no_stages)
{
    sparse_solver_or_dense();
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int storage = TANSY_DENSE; storage <= TANSY_SPARSE; storage++)
            for (int gives = 0; gives <= STEP_ALL; gives += 5) {
                const struct one_step_case *const formula = &one_step_cases[x];
                struct step_problem it;
                tansy_options const options = one_step_options(formula, 1e-4, 1e-6);
                enum step_form const form = formula->stiffly_accurate ? STEP_DAE_OF_P : STEP_ODE;
                step_problem_set(&it, form, gives, 33);
                step_problem_store(&it, (tansy_structure)storage);
                allocations_fail_solver(&it.problem, &options, 0.1, false);
            }
}

/* The analysis that tells what rows would take, sparse factors whose pattern changes, threads that make rows ahead. */
TEST(failing_the_kth_allocation_leaks_no_rows_of_limex)
{
    bool const thin = sparse_solver_is_there("rows of limex with sparsing; they are dense");
    for (int limit = 0; limit < 2; limit++) {
        tansy_options const options = {.method = TANSY_LIMEX,
                                       .rtol = 1e-4,
                                       .sparsing = thin ? 0.1 : 0,
                                       .memory_limit = limit ? 10 : 1000000};
        struct step_problem it;
        step_problem_set(&it, STEP_SEMI, STEP_ALL, 33);
        step_problem_store(&it, TANSY_SPARSE);
        allocations_fail_solver(&it.problem, &options, 0.1, false);
    }
}
