/* SPDX-License-Identifier: Apache-2.0 */
/* What every one-step method promises, whatever the formula: attempts that fail leave the solution alone, output changes nothing, the
   block can be put back, storage and source of the derivatives and the number of columns and threads do not matter. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/solver.h"
#include "support/one_step_cases.h"
#include "support/step_problem.h"
#include "test.h"

static const double RTOL = 1e-5, ATOL = 1e-6, TIME = 1.5;
enum { ENTRIES = STEP_N * (1 + STEP_MOST_COLUMNS) };

/* All forms that a formula is for. */
static int last_form(const struct one_step_case *it)
{
    if (it->explicit) return STEP_ODE;
    return it->stiffly_accurate ? STEP_DAE_OF_P : STEP_MASS_OF_P;
}

typedef void property(const struct one_step_case *it, const struct step_problem *problem,
                      const tansy_options *options);

/* Runs over formulas x forms, with 40 columns in two panels. */
static void for_all(property *holds)
{
    enum { COLUMNS = 40 };
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int form = STEP_ODE; form <= last_form(&one_step_cases[x]); form++) {
            struct step_problem problem;
            tansy_options const options = one_step_options(&one_step_cases[x], RTOL, ATOL);
            step_problem_set(&problem, (enum step_form)form, STEP_ALL, COLUMNS);
            holds(&one_step_cases[x], &problem, &options);
        }
}

static tansy_solver *on_the_way(const struct step_problem *problem, const tansy_options *options)
{
    tansy_solver *const s = tansy_create(&problem->problem, options);
    for (int k = 0; k < 3; k++) CHECK_EQUAL(tansy_step(s, TIME, NULL, NULL), TANSY_OK);
    CHECK(tansy_time(s) < TIME);
    return s;
}

TEST(every_one_step_table_can_be_chosen)
{
    int count = 0;
    while (one_step_tables[count]) count++;
    CHECK_EQUAL(count, ONE_STEP_FORMULAS);
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        struct step_problem problem;
        tansy_options const options = one_step_options(&one_step_cases[x], RTOL, ATOL);
        step_problem_set(&problem, STEP_ODE, STEP_ALL, 1);
        tansy_solver *const s = tansy_create(&problem.problem, &options);
        CHECK_EQUAL(tansy_error(s), TANSY_OK);
        CHECK(s->stepper.method == one_step_tables[x]);
        CHECK(method_is_one_step(s->stepper.method));
        tansy_free(s);
    }
}

/* y, y', S, S' at the end of the last step. */
static void take(tansy_solver *s, double *out)
{
    CHECK_EQUAL(tansy_at(s, tansy_time(s), out, out + ENTRIES, out + s->n, out + ENTRIES + s->n),
                TANSY_OK);
}

static void attempt_all(tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    if (st->corrector->together) {
        CHECK_EQUAL(st->method->advance_together(st), VERDICT_OK);
        return;
    }
    CHECK_EQUAL(st->method->advance(st, &st->state, 0), VERDICT_OK);
    CHECK_EQUAL(st->corrector->prepare(st), VERDICT_OK);
    for (size_t m = 0; m < st->panels; m++)
        CHECK_EQUAL(st->method->advance(st, &st->panel[m], 0), VERDICT_OK);
}

/* The value at t stays; the slope too, but for what Rosenbrock formulas know of it only from the last step. */
static void check_abandoned(const struct one_step_case *it, const struct step_problem *problem,
                            const tansy_options *options)
{
    static double before[2 * ENTRIES], after[2 * ENTRIES];
    tansy_solver *const s = on_the_way(problem, options);
    double const h = s->stepper.h;
    (void)it;
    take(s, before);
    s->stepper.h = 0.7 * h;
    attempt_all(s);
    s->stepper.method->settle(&s->stepper);
    take(s, after);
    CHECK(memcmp(before, after, s->n * (1 + s->ns) * sizeof(double)) == 0);
    for (size_t x = 0; x < s->n * (1 + s->ns); x++)
        CHECK_CLOSE(after[ENTRIES + x], before[ENTRIES + x],
                    64 * DBL_EPSILON * (1 + fabs(before[ENTRIES + x]) + fabs(before[x]) / h));
    tansy_free(s);
}

TEST(an_abandoned_attempt_leaves_value_and_slope_at_t)
{
    for_all(check_abandoned);
}

/* Again at the same h, after one with another. */
static void check_repeated(const struct one_step_case *it, const struct step_problem *problem,
                           const tansy_options *options)
{
    static double first[2 * ENTRIES], again[2 * ENTRIES];
    tansy_solver *const s = on_the_way(problem, options);
    double const h = s->stepper.h;
    void *const block = malloc(s->bytes);
    (void)it;
    memcpy(block, s, s->bytes);
    CHECK_EQUAL(tansy_step(s, TIME, first, first + s->n), TANSY_OK);
    double const reached = tansy_time(s);
    memcpy(s, block, s->bytes);
    s->stepper.h = 0.5 * h;
    attempt_all(s);
    s->stepper.method->settle(&s->stepper);
    s->stepper.h = h;
    CHECK_EQUAL(tansy_step(s, TIME, again, again + s->n), TANSY_OK);
    CHECK(tansy_time(s) == reached);
    CHECK(memcmp(first, again, s->n * (1 + s->ns) * sizeof(double)) == 0);
    free(block);
    tansy_free(s);
}

TEST(an_abandoned_attempt_changes_nothing_in_the_next)
{
    for_all(check_repeated);
}

static void check_block(const struct one_step_case *it, const struct step_problem *problem,
                        const tansy_options *options)
{
    static double once[ENTRIES], twice[ENTRIES];
    tansy_solver *const s = on_the_way(problem, options);
    void *const block = malloc(s->bytes);
    (void)it;
    memcpy(block, s, s->bytes);
    CHECK_EQUAL(tansy_solve(s, TIME, once, once + s->n), TANSY_OK);
    memcpy(s, block, s->bytes);
    CHECK_EQUAL(tansy_solve(s, TIME, twice, twice + s->n), TANSY_OK);
    CHECK(memcmp(once, twice, s->n * (1 + s->ns) * sizeof(double)) == 0);
    free(block);
    tansy_free(s);
}

TEST(a_block_put_back_goes_on_bit_for_bit)
{
    for_all(check_block);
}

/* Dense output is y0 and y1 at the ends of the step, bit for bit at the second and but for a rounding at the first. */
static void check_ends(const struct one_step_case *it, const struct step_problem *problem,
                       const tansy_options *options)
{
    static double begin[2 * ENTRIES], end[2 * ENTRIES], at[2 * ENTRIES];
    tansy_solver *const s = on_the_way(problem, options);
    size_t const count = s->n * (1 + s->ns);
    double const from = tansy_time(s);
    take(s, begin);
    CHECK_EQUAL(tansy_step(s, TIME, end, end + s->n), TANSY_OK);
    double const h = tansy_time(s) - from;
    take(s, at);
    CHECK(memcmp(at, end, count * sizeof(double)) == 0);
    CHECK_EQUAL(tansy_at(s, from, at, at + ENTRIES, at + s->n, at + ENTRIES + s->n), TANSY_OK);
    for (size_t x = 0; x < count; x++) {
        double const size = 1 + fabs(begin[x]) + fabs(end[x]) + h * fabs(begin[ENTRIES + x]);
        CHECK_CLOSE(at[x], begin[x], 64 * DBL_EPSILON * size);
        if (it->explicit) /* k_1 divided and multiplied by h, beside differences of y over h */
            CHECK_CLOSE(at[ENTRIES + x], begin[ENTRIES + x], 64 * DBL_EPSILON * size / h);
    }
    tansy_free(s);
}

TEST(dense_output_meets_both_ends_of_a_step)
{
    for_all(check_ends);
}

/* The slopes of explicit formulas at the ends are f and J S + f_p there. */
TEST(slopes_of_runge_kutta_formulas_are_those_of_the_equations)
{
    for (int x = 0; x < ONE_STEP_FORMULAS && one_step_cases[x].explicit; x++) {
        struct step_problem it;
        tansy_options const options = one_step_options(&one_step_cases[x], RTOL, ATOL);
        step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
        tansy_solver *const s = on_the_way(&it, &options);
        double y[STEP_N], yp[STEP_N], S[STEP_NP][2], Sp[STEP_NP][2], f[STEP_N];
        double const t = tansy_time(s);
        CHECK_EQUAL(tansy_at(s, t, y, yp, *S, *Sp), TANSY_OK);
        (void)it.problem.rhs(t, y, it.p, f, &it);
        for (size_t i = 0; i < 2; i++) CHECK_CLOSE(yp[i], f[i], 8 * DBL_EPSILON * (1 + fabs(f[i])));
        for (size_t k = 0; k < STEP_NP; k++) {
            double U[STEP_NP] = {0};
            U[k] = 1;
            (void)it.problem.tangent(t, y, it.p, 1, 1, S[k], U, f, &it);
            for (size_t i = 0; i < 2; i++)
                CHECK_CLOSE(Sp[k][i], f[i], 16 * DBL_EPSILON * (1 + fabs(f[i])));
        }
        tansy_free(s);
    }
}

/* Looks at the solution here and there, or not. */
static size_t march(tansy_solver *s, bool looks, double *out)
{
    static double between[2 * ENTRIES];
    size_t steps = 0;
    double before = 0;
    while (tansy_time(s) < TIME && steps++ < 1000) {
        CHECK_EQUAL(tansy_step(s, TIME, NULL, NULL), TANSY_OK);
        double const t = tansy_time(s);
        if (looks && steps % 3 != 0) { /* at the end, inside, or y alone */
            double const place = steps % 3 == 1 ? t : before + 0.3 * (t - before);
            bool const all = steps % 2;
            CHECK_EQUAL(tansy_at(s, place, between, between + ENTRIES, all ? between + s->n : NULL,
                                 all ? between + ENTRIES + s->n : NULL),
                        TANSY_OK);
        }
        before = t;
    }
    CHECK_EQUAL(tansy_at(s, tansy_time(s), out, NULL, out + s->n, NULL), TANSY_OK);
    return steps;
}

static void check_output(const struct one_step_case *it, const struct step_problem *problem,
                         const tansy_options *options)
{
    static double blind[ENTRIES], seen[ENTRIES];
    tansy_solver *const a = tansy_create(&problem->problem, options);
    tansy_solver *const b = tansy_create(&problem->problem, options);
    (void)it;
    size_t const steps = march(a, false, blind);
    CHECK_EQUAL(march(b, true, seen), steps);
    CHECK(tansy_time(a) == tansy_time(b));
    CHECK(memcmp(blind, seen, a->n * (1 + a->ns) * sizeof(double)) == 0);
    tansy_free(a);
    tansy_free(b);
}

TEST(output_between_steps_changes_nothing_in_a_run)
{
    for_all(check_output);
}
