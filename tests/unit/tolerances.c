/* SPDX-License-Identifier: Apache-2.0 */
/* Tolerances: wrong ones are refused by component and column, equal ones give equal steps whichever way they are
   given. */
#include "support/fault_cases.h"
#include "test.h"

#include <float.h>
#include <math.h>

static const double t_end = 1;

static void check_refused(const tansy_options *options, tansy_status status, const char *part)
{
    struct fault_user user = fault_user();
    tansy_problem const problem = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, fault_p);
    tansy_solver *const s = tansy_create(&problem, options);
    CHECK_EQUAL(tansy_error(s), status);
    CHECK_TEXT_CONTAINS(tansy_message(s), part);
    CHECK_EQUAL(tansy_solve(s, t_end, NULL, NULL), status);
    CHECK_EQUAL(user.calls[IN_RHS], 0);
    tansy_free(s);
}

static void check_option(const tansy_options *options, const char *part)
{
    check_refused(options, TANSY_BAD_OPTION, part);
}

TEST(a_wrong_tolerance_of_a_component_is_named)
{
    double const wrong[] = {-1e-6, (double)NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t x = 0; x < sizeof wrong / sizeof *wrong; x++) {
        double const bad[FAULT_N] = {1e-6, wrong[x]};
        check_option(&(tansy_options){.rtol_state = bad}, "component 1");
        check_option(&(tansy_options){.atol_state = bad}, "component 1");
    }
    static const double zero[FAULT_N] = {0, 0}, half[FAULT_N] = {1e-6, 0};
    check_option(&(tansy_options){.rtol_state = zero, .atol_state = zero}, "component 0");
    check_option(&(tansy_options){.rtol_state = half, .atol_state = half}, "component 1");
    check_option(&(tansy_options){.atol = TANSY_NO_ATOL, .rtol_state = half}, "component 1");
}

TEST(the_message_of_a_wrong_tolerance_says_what_to_write)
{
    double const wrong[] = {-1e-6, (double)NAN, HUGE_VAL};
    for (size_t x = 0; x < sizeof wrong / sizeof *wrong; x++) {
        double const bad[FAULT_N] = {1e-6, wrong[x]};
        check_option(&(tansy_options){.atol_state = bad},
                     "a number of at least 0 in units of y, or TANSY_AUTO_ATOL");
        check_option(&(tansy_options){.rtol_state = bad}, "such as 1e-6");
    }
    double const given[FAULT_N] = {1e-6, -1e-6};
    check_option(&(tansy_options){.atol_state = given}, "atol of component 1 is -1e-06");
    static const double zero[FAULT_N] = {0, 0}, automatic[FAULT_N] = {1, TANSY_AUTO_ATOL};
    check_option(&(tansy_options){.rtol_state = zero, .atol_state = zero}, "an atol above 0");
    check_option(&(tansy_options){.rtol_state = zero, .atol_state = automatic}, "write an rtol");
}

/* An entry of atol_state that is 0, where the others are automatic. */
TEST(no_tolerance_of_a_value_that_is_zero_says_what_to_write)
{
    static const double p[FAULT_NP] = {0.75, 0.3, 1.25, 0}, none[FAULT_N] = {TANSY_AUTO_ATOL, 0};
    struct fault_user user = fault_user();
    tansy_problem const problem = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, p);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.atol_state = none});
    CHECK_EQUAL(tansy_error(s), TANSY_ZERO_WEIGHT);
    CHECK_TEXT_CONTAINS(tansy_message(s), "component 1 is zero at t0 = 0");
    CHECK_TEXT_CONTAINS(tansy_message(s), "give it an atol, `auto` or a number");
    tansy_free(s);
}

TEST(a_wrong_tolerance_of_a_column_is_named)
{
    double const wrong[] = {-1e-6, (double)NAN, HUGE_VAL};
    for (size_t x = 0; x < sizeof wrong / sizeof *wrong; x++) {
        double const column[FAULT_NP] = {1e-6, 0, wrong[x], 1e-6};
        double bad[FAULT_SENS];
        for (size_t e = 0; e < FAULT_SENS; e++) bad[e] = e == 5 ? wrong[x] : 1e-6;
        check_option(&(tansy_options){.rtol_column = column}, "rtol_column[2]");
        check_option(&(tansy_options){.rtol_sens = bad}, "component 1 of column 2");
        check_option(&(tansy_options){.atol_sens = bad}, "component 1 of column 2");
    }
    static const double zero[FAULT_SENS] = {1, 1, 1, 0, 1, 1, 1, 1};
    check_option(&(tansy_options){.rtol_sens = zero, .atol_sens = zero}, "component 1 of column 1");
}

TEST(tolerances_below_roundoff_are_refused_with_a_better_one)
{
    tansy_options o = {.rtol = 1e-17, .atol = 1e-30};
    check_refused(&o, TANSY_TOO_MUCH_ACCURACY, "multiply them by");
    o.sensitivities = TANSY_NONE;
    check_refused(&o, TANSY_TOO_MUCH_ACCURACY, "multiply them by");
}

TEST(a_purely_relative_tolerance_of_a_value_that_is_zero_is_named)
{
    static const double p[FAULT_NP] = {0.75, 0.3, 1.25, 0};
    struct fault_user user = fault_user();
    tansy_problem const problem = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, p);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.atol = TANSY_NO_ATOL});
    CHECK_EQUAL(tansy_error(s), TANSY_ZERO_WEIGHT);
    CHECK_TEXT_CONTAINS(tansy_message(s), "component 1");
    tansy_free(s);
}

/* Without atol, columns that begin at 0 are measured against 1e-3 of y over p; the state has no zero. */
TEST(a_purely_relative_tolerance_works_where_nothing_vanishes)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case it = fault_case(number);
        struct fault_user user = fault_user();
        it.options.atol = TANSY_NO_ATOL;
        struct fault_result const r = fault_run(&it, &user, t_end);
        CHECK_EQUAL(fault_told(r.status == TANSY_OK, "success", &it, &user, &r), 0);
        CHECK_AT_MOST(fault_error(t_end, 1e-3, r.y, r.sens), 100 * it.options.rtol);
    }
}

/* y' = -p passes through 0, where no relative tolerance can be met: the solver gets by, or names y_0. */
static int fall(double t, const double *y, const double *p, double *f, void *context)
{
    f[0] = -p[0];
    return 0;
}

TEST(a_value_that_vanishes_on_the_way_is_passed_or_named)
{
    static const double one[] = {1};
    tansy_problem const problem = {.n = 1, .np = 1, .y0 = one, .p = one, .rhs = fall};
    for (int m = 0; m < 2; m++) {
        tansy_options const options = {.method = m ? TANSY_ADAMS : TANSY_BDF,
                                       .rtol = 1e-4,
                                       .atol = TANSY_NO_ATOL,
                                       .max_steps = 10000};
        tansy_solver *const s = tansy_create(&problem, &options);
        double y[1], sens[1];
        tansy_status const status = tansy_solve(s, 2, y, sens);
        CHECK_CLOSE(y[0], 1 - (status < 0 ? tansy_time(s) : 2), 1e-2); /* 100 rtol of |y| <= 1 */
        if (status < 0) CHECK_TEXT_CONTAINS(tansy_message(s), "component 0");
        tansy_free(s);
    }
}

/* Runs a case with scales that are powers of two, so that atol/scale is exact. */
static struct fault_result run(const struct fault_case *it)
{
    static const double scale[FAULT_NP] = {1, 0.25, 2, 0.5};
    struct fault_user user = fault_user();
    tansy_problem problem = fault_problem(&user, it->gives, fault_p);
    problem.scale = scale;
    tansy_solver *const s = tansy_create(&problem, &it->options);
    struct fault_result const r = fault_integrate(s, t_end);
    tansy_free(s);
    CHECK_EQUAL(r.status, TANSY_OK);
    return r;
}

static void check_same(const struct fault_case *a, const struct fault_case *b)
{
    struct fault_user const user = fault_user();
    struct fault_result const one = run(a), other = run(b);
    CHECK_EQUAL(fault_told(fault_same(&one, &other), "the same bits", b, &user, &other), 0);
}

TEST(scalar_tolerances_written_out_for_the_state_give_the_same_bits)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const plain = fault_case(number);
        struct fault_case it = plain;
        double const rtol[] = {it.options.rtol, it.options.rtol};
        double const atol[] = {it.options.atol, it.options.atol};
        it.options.rtol_state = rtol;
        it.options.atol_state = atol;
        it.options.rtol = 0.5; /* of no meaning now */
        it.options.atol = 1e3;
        check_same(&plain, &it);
    }
}

TEST(an_entry_zero_of_a_columns_tolerance_means_as_the_state)
{
    static const double zero[FAULT_NP] = {0, 0, 0, 0};
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const plain = fault_case(number);
        struct fault_case it = plain;
        double const same[FAULT_NP] = {plain.options.rtol, 0, plain.options.rtol, 0};
        it.options.rtol_column = zero;
        check_same(&plain, &it);
        it.options.rtol_column = same;
        check_same(&plain, &it);
    }
}

/* The same weights, but for one rounding: products and sums are fused in the kernels of panels and not elsewhere.
   That moves h by as much as a unit of 10^12 does, and S too: see tests/fault/units_invariance.c. */
static void check_rounding(const struct fault_case *a, const struct fault_case *b)
{
    struct fault_result const one = run(a), other = run(b);
    double const error = 100 * 6.5 * DBL_EPSILON / 7e-10;
    CHECK_EQUAL(one.stats.steps, other.stats.steps);
    for (size_t i = 0; i < FAULT_N; i++) CHECK_CLOSE(one.y[i], other.y[i], error);
    for (size_t x = 0; x < FAULT_SENS; x++)
        CHECK_CLOSE(one.sens[x], other.sens[x],
                    error * (fabs(one.sens[x]) + 1 / fault_p[x / FAULT_N]));
}

TEST(default_tolerances_of_the_columns_written_out_change_rounding_only)
{
    static const double scale[FAULT_NP] = {1, 0.25, 2, 0.5};
    for (size_t number = 0; number < FAULT_CASES; number++)
        for (int norm = TANSY_RMS; norm <= TANSY_MAX; norm++) {
            struct fault_case plain = fault_case(number);
            plain.options.norm = (tansy_norm)norm;
            plain.options.difference = TANSY_FOURTH_ORDER;
            struct fault_case it = plain;
            double rtol[FAULT_SENS], atol[FAULT_SENS];
            for (size_t x = 0; x < FAULT_SENS; x++) {
                rtol[x] = plain.options.rtol;
                atol[x] = plain.options.atol / scale[x / FAULT_N];
            }
            it.options.rtol_sens = rtol;
            check_rounding(&plain, &it);
            it.options.atol_sens = atol;
            check_rounding(&plain, &it);
            it.options.rtol_sens = NULL;
            check_rounding(&plain, &it);
        }
}
