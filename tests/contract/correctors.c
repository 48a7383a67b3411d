/* SPDX-License-Identifier: Apache-2.0 */
/* What every corrector promises (method/corrector.h): all solve the same equations, to the share of the tolerance that is
   theirs; each with the factors, derivatives and iterations it says. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "support/order_measure.h"
#include "test.h"

/* The corrections of one step of order q from exact history. */
static tansy_solver *one_step(const struct order_setting *setting, const struct order_problem *it,
                              int q, double h)
{
    tansy_solver *const s = order_solver(it, setting);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    order_place(s, it, 0, h, q);
    CHECK_EQUAL(order_attempt(s, true), VERDICT_OK);
    return s;
}

/* The norm of the difference of two corrections of a column, in units of the error test of the first solver. */
static double difference(tansy_solver *s, tansy_solver *other, size_t m, size_t k)
{
    const struct part *const a = order_part(s, m), *const b = order_part(other, m);
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t const x = i * a->shape.lanes + k;
        double const atol = m == 0
                                ? s->tolerances.atol[i]
                                : s->tolerances.atol[i] / s->tolerances.scale[a->shape.first + k];
        double const w = s->tolerances.rtol[i] * fabs(a->history[x]) + atol;
        double const d = (a->e[a->now][x] - b->e[b->now][x]) / w;
        sum += d * d;
    }
    return s->stepper.formula.same * sqrt(sum / (double)s->n);
}

/* Against a staggered step that is iterated to roundoff.  Every corrector leaves its share; columns have, besides, what
   the state's share does to them, h l0 |f_yp + f_yy s| < 1 times as much; and the reference rounds. */
static void check_agreement(const struct order_setting *setting, const struct order_problem *it)
{
    struct order_setting tight = *setting;
    tight.corrector = &corrector_staggered;
    tight.linear = TANSY_DENSE_LU;
    tight.tolerance = 1e-14;
    for (int q = 1; q <= setting->method->max_order; q++) {
        tansy_solver *const s = one_step(setting, it, q, 0.1), *const t =
                                                                   one_step(&tight, it, q, 0.1);
        double const share = corrector_share(&s->stepper, &s->stepper.state);
        for (size_t m = 0; m <= s->stepper.panels; m++)
            for (size_t k = 0; k < order_part(s, m)->shape.columns; k++)
                CHECK_AT_MOST(difference(s, t, m, k), 2 * share);
        tansy_free(s);
        tansy_free(t);
    }
}

TEST(all_correctors_solve_the_same_equations_to_their_share_of_the_tolerance)
{
    order_for_all(1e-4, 2, ORDER_COLUMNS, check_agreement);
    order_for_all(1e-7, 2, ORDER_COLUMNS, check_agreement);
    order_for_all(1e-10, 2, ORDER_COLUMNS, check_agreement);
}

/* The error of a run at t = 10 in units of what is promised, 100 rtol (DESIGN 12): the closed form is the judge. */
static double promise(const struct order_problem *it, const tansy_options *options)
{
    double y[4], sens[ORDER_COLUMNS][4], worst = 0;
    long double exact[1 + ORDER_COLUMNS][4];
    size_t const n = it->problem.n;
    tansy_solver *const s = tansy_create(&it->problem, options);
    CHECK_EQUAL(tansy_solve(s, ORDER_TIME, y, *sens), TANSY_OK);
    order_exact(it, (long double)ORDER_TIME, 0, exact[0], exact[1]);
    for (size_t i = 0; i < n; i++) {
        double const floor = options->atol / options->rtol;
        double const error = fabs(y[i] - (double)exact[0][i]);
        worst = fmax(worst, error / (fabs(y[i]) + floor));
        for (size_t k = 0; k < ORDER_COLUMNS; k++) {
            double const d = fabs(sens[k][i] - (double)exact[1 + k][i]);
            worst = fmax(worst, d / (fabs(sens[k][i]) + floor / s->tolerances.scale[k]));
        }
    }
    tansy_free(s);
    return worst / (100 * options->rtol);
}

static void check_promise(const struct order_setting *setting, const struct order_problem *it)
{
    static const double rtols[] = {1e-3, 1e-5, 1e-7, 1e-9};
    for (size_t k = 0; k < sizeof rtols / sizeof *rtols; k++)
        CHECK_AT_MOST(
            promise(it, &(tansy_options){.method = setting->method == &method_adams ? TANSY_ADAMS
                                                                                    : TANSY_BDF,
                                         .sensitivities = setting->corrector->option,
                                         .linear_solver = setting->linear,
                                         .rtol = rtols[k],
                                         .atol = rtols[k]}),
            1);
}

TEST(runs_by_all_correctors_keep_the_promise)
{
    order_for_all(1e-6, 2, ORDER_COLUMNS, check_promise);
}

/* What a step of order 3 costs each corrector: iterations of the state and of column 0, factorisations. */
struct cost {
    size_t state, columns, factorizations;
};

static struct cost cost_of(tansy_solver *s, bool new_factors)
{
    struct stepper *const st = &s->stepper;
    size_t const before = s->equations.factorizations;
    for (size_t m = 0; m <= st->panels; m++) order_part(s, m)->counts = (struct part_counts){0};
    CHECK_EQUAL(order_attempt(s, new_factors), VERDICT_OK);
    return (struct cost){.state = st->state.counts.iterations,
                         .columns = st->panel[0].counts.iterations / st->panel[0].shape.columns,
                         .factorizations = s->equations.factorizations - before};
}

static void check_cost(const struct order_setting *setting, const struct order_problem *it)
{
    tansy_solver *const s = order_solver(it, setting);
    bool const functional = setting->linear == TANSY_DIAGONAL;
    order_place(s, it, 0, 0.1, 3);
    (void)cost_of(s, true);
    order_accept(s, 0.1);
    struct cost const cost = cost_of(s, false); /* with factors of the step before */
    if (setting->corrector == &corrector_direct) {
        CHECK_EQUAL(cost.columns, 1);
        CHECK_EQUAL(cost.factorizations, 1);
    } else
        CHECK_EQUAL(cost.factorizations, 0);
    if (setting->corrector == &corrector_simultaneous) {
        CHECK(cost.state >= 2); /* the first iteration is never accepted */
        CHECK_EQUAL(cost.columns, cost.state);
    }
    CHECK_EQUAL(s->equations.fresh, false);
    CHECK(functional == equations_functional(&s->equations));
    tansy_free(s);
}

TEST(direct_factors_once_a_step_and_the_others_keep_their_factors)
{
    order_for_all(1e-6, 1, ORDER_COLUMNS, check_cost);
}

/* Where W was factored at the predictor and factoring again costs more than solving again, a column is refined, unless its
   tolerance is so loose that the first correction is far below it. */
static void check_refined(const struct method *method, double tolerance, int q)
{
    struct order_problem it;
    struct order_setting const setting = {method, &corrector_direct, TANSY_DENSE_LU, tolerance};
    order_problem_set(&it, ORDER_PAIRS, 1, 0.02);
    tansy_solver *const s = order_solver(&it, &setting);
    const struct linear *const l = &s->linear;
    CHECK(l->table->factor_cost(l) > l->table->solve_cost(l)); /* n = 64 */
    order_place(s, &it, 0, 0.1, q);
    struct cost const fresh = cost_of(s, true);
    CHECK(tolerance > 1e-3 ? fresh.columns == 1 : fresh.columns >= 2);
    CHECK_EQUAL(fresh.factorizations, 1);
    order_accept(s, 0.1);
    struct cost const old = cost_of(s, false);
    CHECK_EQUAL(old.columns, 1);
    CHECK_EQUAL(old.factorizations, 1);
    tansy_free(s);
}

TEST(direct_refines_a_column_when_factors_at_the_predictor_are_dear)
{
    for (size_t m = 0; method_tables[m]; m++)
        for (int q = 1; q <= 5; q += 2) {
            check_refined(method_tables[m], 1e-1, q);
            check_refined(method_tables[m], 1e-12, q);
        }
}

/* A second solve is one for each of the columns. */
TEST(direct_factors_again_when_that_is_cheaper_than_a_second_solve_for_all_columns)
{
    static const size_t numbers[] = {1, 2, 5, 12, 32, 33, 72};
    struct order_problem it;
    struct order_setting const setting = {&method_bdf, &corrector_direct, TANSY_DENSE_LU, 1e-6};
    for (size_t pairs = 1; pairs <= ORDER_PAIRS; pairs *= 2)
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            order_problem_set(&it, pairs, numbers[k], 0.02);
            tansy_solver *const s = order_solver(&it, &setting);
            const struct linear *const l = &s->linear;
            double const again = (double)numbers[k] * l->table->solve_cost(l);
            bool const cheap = l->table->factor_cost(l) <= again;
            order_place(s, &it, 0, 0.1, 2);
            struct cost const cost = cost_of(s, true);
            CHECK_EQUAL(cost.factorizations, cheap ? 2 : 1);
            CHECK(cheap ? cost.columns == 1 : cost.columns >= 2);
            tansy_free(s);
        }
}

/* The refined column is as good as the others'. */
TEST(direct_with_dear_factors_solves_to_its_share_of_the_tolerance)
{
    struct order_problem it;
    order_problem_set(&it, ORDER_PAIRS, 1, 0.02);
    for (size_t m = 0; method_tables[m]; m++)
        for (double tolerance = 1e-3; tolerance > 1e-10; tolerance /= 100)
            check_agreement(&(struct order_setting){method_tables[m], &corrector_direct,
                                                    TANSY_DENSE_LU, tolerance},
                            &it);
}

/* Runs with error control of the state only: the steps do not depend on the columns. */
static void run(const struct order_problem *it, tansy_options options, double *y, double *sens)
{
    options.error_control = TANSY_STATE_ONLY;
    options.rtol = options.atol = 1e-6;
    tansy_solver *const s = tansy_create(&it->problem, &options);
    CHECK_EQUAL(tansy_solve(s, 5, y, sens), TANSY_OK);
    tansy_free(s);
}

/* Five kinds of columns, over and over: further ones change neither the panels before them, nor what decides on the
   iterations, nor whether factoring again is cheap for two equations.  From 8 lanes to 16, to 32, to three panels. */
static void check_more_columns(const struct order_setting *setting, const struct order_problem *it)
{
    static const size_t wider[] = {10, 16, 17, 32, 33, 40, 64, 72};
    static double few[2 * 8], many[2 * ORDER_MOST_COLUMNS];
    double y_few[2], y_many[2];
    struct order_problem more;
    tansy_options const options = {.method = order_option(setting->method),
                                   .sensitivities = setting->corrector->option,
                                   .linear_solver = setting->linear};
    run(it, options, y_few, few);
    for (size_t k = 0; k < sizeof wider / sizeof *wider; k++) {
        order_problem_set(&more, 1, wider[k], it->p[0]);
        if (it->problem.residual) order_problem_hide(&more);
        run(&more, options, y_many, many);
        CHECK(memcmp(y_few, y_many, sizeof y_few) == 0);
        CHECK(memcmp(few, many, sizeof few) == 0);
    }
}

TEST(further_columns_change_no_bit_of_the_first)
{
    order_for_all(1e-6, 1, 8, check_more_columns);
}

/* A direct solve knows nothing of its neighbours in the panel, be they one or many. */
TEST(a_column_of_direct_is_the_same_in_any_company)
{
    static double two[2 * 2], all[2 * ORDER_MOST_COLUMNS];
    struct order_problem it;
    double y[2];
    for (size_t m = 0; method_tables[m]; m++)
        for (size_t ns = 3; ns <= 72; ns += ns < 10 ? 1 : 31) {
            tansy_options const options = {.method = order_option(method_tables[m]),
                                           .sensitivities = TANSY_DIRECT};
            order_problem_set(&it, 1, 2, 0.02);
            run(&it, options, y, two);
            order_problem_set(&it, 1, ns, 0.02);
            run(&it, options, y, all);
            CHECK(memcmp(two, all, sizeof two) == 0);
        }
}
