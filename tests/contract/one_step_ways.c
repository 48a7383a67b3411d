/* SPDX-License-Identifier: Apache-2.0 */
/* One-step methods give the same y and S whatever the number of threads (bit for bit), the storage of the matrices, the source of the
   derivatives, the number of columns and the direction of time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/fault_ring.h"
#include "support/one_step_cases.h"
#include "support/sparse_solver.h"
#include "support/step_problem.h"
#include "test.h"

static const double TIME = 1.5;
static int last_form(const struct one_step_case *it)
{
    if (it->explicit) return STEP_ODE;
    return it->stiffly_accurate ? STEP_DAE_OF_P : STEP_MASS_OF_P;
}

/* Everything that a user can see of a run. */
struct run {
    tansy_status status;
    double y[RING_N], sens[RING_SENS];
    tansy_stats stats;
};

static void solve(const tansy_problem *problem, const tansy_options *options, double t,
                  struct run *r)
{
    memset(r, 0, sizeof *r);
    tansy_solver *const s = tansy_create(problem, options);
    r->status = tansy_solve(s, t, r->y, r->sens);
    if (r->status != TANSY_OK) printf("%s\n", tansy_message(s));
    tansy_get_stats(s, &r->stats);
    r->stats.bytes = 0;
    tansy_free(s);
}

static struct run one, other;

/* 300 columns in ten panels; the results and all counts. */
TEST(threads_change_nothing)
{
    static const int threads[] = {2, 4};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (enum ring_source source = RING_TANGENT; source <= RING_NOTHING; source++) {
            tansy_problem const problem = ring_problem(source, NULL);
            tansy_options options = one_step_options(&one_step_cases[x], 1e-3, 1e-6);
            solve(&problem, &options, 0.02, &one);
            CHECK_EQUAL(one.status, TANSY_OK);
            for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
                options.threads = threads[k];
                solve(&problem, &options, 0.02, &other);
                CHECK(memcmp(&one, &other, sizeof one) == 0);
            }
        }
}

/* The largest difference, in units of 1 + |value|. */
static double distance(size_t count, const double *a, const double *b)
{
    double worst = 0;
    for (size_t x = 0; x < count; x++) worst = fmax(worst, fabs(a[x] - b[x]) / (1 + fabs(a[x])));
    return worst;
}

static double runs_differ(const struct step_problem *it)
{
    size_t const n = it->problem.n, ns = it->problem.ns;
    return fmax(distance(n, one.y, other.y), distance(n * ns, one.sens, other.sens));
}

/* The same numbers in another order of operations: rounding, amplified by the condition of W and the length of the run, and the same
   steps; without derivatives the first one is given, which y' of algebraic components by differences would decide.  Errors of differences are amplified by the
   weights of extrapolation too. */
TEST(dense_banded_and_sparse_storage_agree)
{
    sparse_solver_or_dense();
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int form = STEP_ODE; form <= last_form(&one_step_cases[x]); form++)
            for (int gives = 0; gives <= STEP_ALL; gives += STEP_ALL) {
                struct step_problem it;
                tansy_options options = one_step_options(&one_step_cases[x], 1e-5, 1e-6);
                if (!gives) options.first_step = 0.01;
                step_problem_set(&it, (enum step_form)form, gives, 33);
                solve(&it.problem, &options, TIME, &one);
                CHECK_EQUAL(one.status, TANSY_OK);
                for (int storage = TANSY_BANDED; storage <= TANSY_SPARSE; storage++) {
                    step_problem_store(&it, (tansy_structure)storage);
                    solve(&it.problem, &options, TIME, &other);
                    CHECK_EQUAL(other.status, TANSY_OK);
                    bool const rows = one_step_cases[x].method == TANSY_LIMEX;
                    CHECK_EQUAL(one.stats.steps, other.stats.steps);
                    CHECK_AT_MOST(runs_differ(&it), gives ? 1e-12 : rows ? 1e-6 : 1e-7);
                    step_problem_set(&it, (enum step_form)form, gives, 33);
                }
            }
}

/* Exact derivatives in three ways agree to rounding; second derivatives by differences to 1e-9; all by differences to what central
   differences of f and of its differences reach (src/derive/second.c): 1e-6. */
TEST(derivatives_from_all_sources_agree)
{
    static const struct {
        int gives;
        tansy_residual residual;
        double tolerance;
    } ways[] = {{STEP_ALL, TANSY_SEED, 0},
                {STEP_ALL, TANSY_MATRIX, 1e-12},
                {STEP_ALL - STEP_TANGENT, TANSY_RESIDUAL_AUTO, 1e-12},
                {STEP_ALL - STEP_TIME, TANSY_RESIDUAL_AUTO, 1e-9},
                {STEP_ALL - STEP_SECOND, TANSY_RESIDUAL_AUTO, 1e-8},
                {STEP_MATRICES, TANSY_RESIDUAL_AUTO, 1e-8},
                {STEP_TANGENT, TANSY_RESIDUAL_AUTO, 1e-6},
                {0, TANSY_MATRIX, 1e-6},
                {0, TANSY_DIFFERENCES, 1e-6}};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int form = STEP_ODE; form <= last_form(&one_step_cases[x]); form++)
            for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
                struct step_problem it;
                bool const of_p = form == STEP_MASS_OF_P || form == STEP_DAE_OF_P;
                tansy_options options = one_step_options(&one_step_cases[x], 1e-6, 1e-7);
                options.max_step = options.first_step = 0.0625; /* the same steps */
                options.error_control = TANSY_STATE_ONLY;
                options.residual = ways[w].residual;
                step_problem_set(&it, (enum step_form)form, ways[w].gives, STEP_NP);
                solve(&it.problem, &options, TIME, w == 0 ? &one : &other);
                CHECK_EQUAL((w == 0 ? &one : &other)->status, TANSY_OK);
                if (w == 0) continue;
                CHECK_EQUAL(one.stats.steps, other.stats.steps);
                double const apart = runs_differ(&it);
                bool const exact = ways[w].tolerance < 1e-6 && !of_p;
                if (!(apart <= (exact ? ways[w].tolerance : 1e-6)))
                    printf("%s, %s, gives %d\n", one_step_cases[x].name,
                           step_form_name((enum step_form)form), ways[w].gives);
                CHECK_AT_MOST(apart, exact ? ways[w].tolerance : 1e-6);
            }
}

/* 0, 1, 8, 32, 33 and 64 columns: the state is the same, bit for bit, when only the state is tested, and so is every column. */
TEST(the_number_of_columns_changes_nothing)
{
    static const size_t numbers[] = {1, 8, 32, 33, 64};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int form = STEP_ODE; form <= last_form(&one_step_cases[x]); form++) {
            struct step_problem it;
            tansy_options options = one_step_options(&one_step_cases[x], 1e-5, 1e-6);
            options.error_control = TANSY_STATE_ONLY;
            options.first_step = 0.03; /* that chosen looks at S too */
            step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
            solve(&it.problem, &options, TIME, &one);
            size_t const n = it.problem.n;
            options.sensitivities = TANSY_NONE;
            solve(&it.problem, &options, TIME, &other);
            CHECK_EQUAL(other.status, TANSY_OK);
            CHECK(memcmp(one.y, other.y, n * sizeof(double)) == 0);
            options.sensitivities = TANSY_TANGENT;
            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
                step_problem_set(&it, (enum step_form)form, STEP_ALL, numbers[k]);
                solve(&it.problem, &options, TIME, &other);
                CHECK_EQUAL(other.status, TANSY_OK);
                CHECK(memcmp(one.y, other.y, n * sizeof(double)) == 0);
                for (size_t j = 0; j < numbers[k]; j++)
                    CHECK_AT_MOST(distance(n, one.sens + j % STEP_NP * n, other.sens + j * n),
                                  1e-12);
            }
        }
}

/* Directions are sums of columns: linear but for rounding. */
TEST(directions_are_sums_of_columns)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        struct step_problem it;
        double direction[2 + STEP_NP] = {0, 0, 1, 2, 0, 0, -1, 0.5};
        tansy_options options = one_step_options(&one_step_cases[x], 1e-5, 1e-6);
        options.error_control = TANSY_STATE_ONLY;
        step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
        solve(&it.problem, &options, TIME, &one);
        it.problem.columns = NULL;
        it.problem.directions = direction;
        it.problem.ns = 1;
        solve(&it.problem, &options, TIME, &other);
        CHECK_EQUAL(other.status, TANSY_OK);
        for (size_t i = 0; i < 2; i++) {
            double sum = 0;
            for (size_t k = 0; k < STEP_NP; k++) sum += direction[2 + k] * one.sens[2 * k + i];
            CHECK_CLOSE(other.sens[i], sum, 1e-12);
        }
    }
}

/* There and back again: the closed form is met at both ends. */
TEST(runs_go_backwards)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int form = STEP_ODE; form <= last_form(&one_step_cases[x]); form++) {
            struct step_problem it;
            double errors[1 + STEP_NP];
            double const rtol = 1e-6;
            tansy_options const options = one_step_options(&one_step_cases[x], rtol, rtol);
            step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
            it.problem.t0 = TIME;
            solve(&it.problem, &options, 0, &one);
            CHECK_EQUAL(one.status, TANSY_OK);
            step_errors(&it, 0, one.y, one.sens, errors);
            for (size_t k = 0; k <= STEP_NP; k++) CHECK_AT_MOST(errors[k], 100 * rtol);
        }
}
