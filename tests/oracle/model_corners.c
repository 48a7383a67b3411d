/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that nobody watches, in initial values and outputs alone: the report, or tansy_model_output_corners, tells of a corner
   at p if and only if differences to the left and to the right of p have two limits. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

enum { LONGEST = 4000, WORDS = 100, MOST = 4 };

static tansy_model *read_text(const char *text)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    return m;
}

/* The report of a solver at its start, with these columns. */
static const char *report_of(const tansy_problem *problem, char *text)
{
    tansy_solver *const solver = tansy_create(problem, &(tansy_options){0});
    CHECK_EQUAL(tansy_error(solver), TANSY_OK);
    (void)tansy_report(solver, text, LONGEST);
    tansy_free(solver);
    return text;
}

struct start {
    const char *a, *value;            /* of the parameter, and of the state */
    enum { SMOOTH, CORNER, JUMP } is; /* in a */
};

/* Values at p - h, p, p + h: two limits of the difference quotient, or one; a jump is of the size of y. */
static int by_differences(const tansy_problem *problem, void *context)
{
    double const a = problem->p[0], h = 1e-6;
    double p[MOST], y[3];
    memcpy(p, problem->p, problem->np * sizeof *p);
    for (int k = 0; k < 3; k++) {
        tansy_local *const local = context;
        p[0] = a + h * (k - 1);
        local->version++;
        CHECK_EQUAL(problem->initial(0, p, &y[k], context), 0);
    }
    double const left = (y[1] - y[0]) / h, right = (y[2] - y[1]) / h;
    if (fmax(fabs(left), fabs(right)) > 1e3) return JUMP;
    return fabs(left - right) > 1e-3 ? CORNER : SMOOTH; /* second derivatives are below 100 */
}

TEST(corners_of_initial_values_are_told_and_nothing_else)
{
    static const struct start starts[] = {
        {"1", "max(a, b)", CORNER},
        {"1.5", "max(a, b)", SMOOTH},
        {"1", "min(a, b) + 2*a", CORNER},
        {"1", "max(a, b) + min(a, b)", SMOOTH}, /* = a + b */
        {"1", "max(b, c)", SMOOTH},             /* a does not move it */
        {"0", "abs(a)", CORNER},
        {"0", "abs(abs(a)) + 1", CORNER},
        {"0", "abs(a)^2", SMOOTH},
        {"0", "abs(a^3)", SMOOTH},
        {"0", "max(a^2, 0)", SMOOTH},
        {"0.1", "max(a + 0.2, d)", CORNER}, /* 0.1 + 0.2 > 0.3 by rounding */
        {"0.1", "max(a + 0.2, d) - d", CORNER},
        {"1", "if a >= b then 1 else 3", JUMP},
        {"1", "if a > b then a else b", CORNER},
        {"1", "if a > b then a^2 else 2*a - 1", SMOOTH}, /* the same value and slope */
        {"1", "if max(a, b) > c then 5 else max(a, b)", CORNER},
        {"2", "if max(a, b) > c then 5 else 1", JUMP},
        {"1", "if abs(a - b) >= 0 then 2 else a", SMOOTH},
        {"1", "if a > b and a < 3 then a else 1", CORNER},
    };
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        char text[300], report[LONGEST];
        _Alignas(64) char scratch[1 << 14] = "";
        tansy_problem problem;
        (void)snprintf(text, sizeof text,
                       "parameter a = %s, b = 1, c = 2, d = 0.3\nstate z = %s\nz' = -a*b*c*d*z\n",
                       starts[k].a, starts[k].value);
        tansy_model *const m = read_text(text);
        CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
        CHECK(problem.scratch < sizeof scratch);
        tansy_local local = {.context = problem.context, .scratch = scratch, .version = 1};
        if (by_differences(&problem, &local) != (int)starts[k].is) puts(starts[k].value);
        CHECK_EQUAL(by_differences(&problem, &local), starts[k].is);
        problem.columns = (const int[]){0};
        problem.ns = 1;
        report_of(&problem, report);
        const char *const told = strstr(report, "warning: the initial value of z");
        if ((told != NULL) != (starts[k].is != SMOOTH)) puts(starts[k].value);
        CHECK((told != NULL) == (starts[k].is != SMOOTH));
        if (starts[k].is == CORNER) CHECK_TEXT_CONTAINS(told, "S is one-sided in d/d(a)\n");
        if (starts[k].is == JUMP) CHECK_TEXT_CONTAINS(told, "S is not defined in d/d(a)\n");
        tansy_model_free(m);
    }
}

/* The report of a model, with all columns. */
static void check_report(const char *text, const char *says)
{
    char report[LONGEST];
    tansy_problem problem;
    tansy_model *const m = read_text(text);
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    report_of(&problem, report);
    if (says)
        CHECK_TEXT_CONTAINS(report, says);
    else
        CHECK(!strstr(report, "initial value of"));
    tansy_model_free(m);
}

TEST(a_corner_near_the_parameters_is_none)
{
    check_report("parameter a = 1.0000001, b = 1\nstate z = max(a, b)\nz' = -z\n", NULL);
}

/* Two corners, each with its columns; a fifth is left out. */
TEST(the_report_has_a_line_for_every_corner)
{
    static const char two[] =
        "parameter a = 1, b = 1, c = 1, d = 4\nstate y = max(a, b, c), z = if d > 4 then 1 else 0\n"
        "y' = -y\nz' = -z\n";
    check_report("parameter p = 1, q = 1\nstate x = max(p, q), y = abs(p - q), z = 1\nx' = -x\ny' "
                 "= 1\nz' = 0\n",
                 "the initial value of x (and of 1 more) has a corner at these parameters, where "
                 "max(p, q) is on "
                 "its edge; S is one-sided in d/d(p) and 1 more column\n");
    check_report(two, "the initial value of y has a corner at these parameters, where max(a, b, c) "
                      "is on its edge; S is one-sided in d/d(a) and 2 more columns\n");
    check_report(two, "the initial value of z jumps at these parameters, where d > 4 is on its "
                      "edge; S is not defined in d/d(d)\n");
    check_report("parameter a = 0, b = 0\nstate x = max(a, b)\nx' = -x\n",
                 "in d/d(a) and 1 more column\n");
    check_report(
        "parameter p[1..5] = 0\nstate x[i in 1..5] = abs(p[i])\nx[i]' = -x[i] for i in 1..5\n",
        "initial value of x[4] has a corner");
    check_report("parameter a = 1, b = 1\nstate x = 1\nalgebraic z = max(a, b)\n"
                 "x' = -a*x\n0 = z - b*x\n",
                 NULL); /* a guess */
}

TEST(a_restart_looks_again)
{
    double const corner[] = {1, 1}, apart[] = {1, 2}, y0 = 1, sens0[] = {1, 0};
    char report[LONGEST];
    tansy_problem problem;
    tansy_model *const m = read_text("parameter a = 1, b = 2\nstate z = max(a, b)\nz' = -z\n");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const solver = tansy_create(&problem, &(tansy_options){0});
    for (int k = 0; k < 4; k++) {
        const double *const p = k % 2 == 1 ? corner : apart;
        bool const own = k == 3; /* S(t0) is given: the formula of y0(p) does not count */
        CHECK_EQUAL(tansy_restart(solver, 0, own ? &y0 : NULL, p, own ? sens0 : NULL), TANSY_OK);
        (void)tansy_report(solver, report, sizeof report);
        CHECK((strstr(report, "initial value of") != NULL) == (k == 1));
    }
    tansy_free(solver);
    tansy_model_free(m);
}

static int refuses(double t0, const double *p, size_t entries, const size_t *index,
                   const double *value, tansy_corner *corner, double *column, void *context)
{
    (void)t0, (void)p, (void)entries, (void)index, (void)value, (void)column, (void)context;
    corner->condition = "never";
    return 1;
}

TEST(a_function_that_fails_tells_nothing)
{
    char report[LONGEST];
    tansy_problem problem;
    tansy_model *const m = read_text("parameter a = 1\nstate z = a\nz' = -z\n");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    CHECK(!problem.initial_corner);
    problem.initial_corner = refuses;
    CHECK(!strstr(report_of(&problem, report), "never"));
    tansy_model_free(m);
}

/* Two states, two parameters a and b, and columns x(0), a.  The condition's text is copied, as the model goes. */
static tansy_corner corner_at(const char *output, double t, const double y[2], char *condition)
{
    char text[300];
    double const p[] = {1, 2}, yp[] = {0, 0}, sens[] = {1, 0, 0, 0.5}, sensp[] = {0, 0, 1, 0},
                 u[] = {0, 0, 1, 0};
    tansy_corner corner;
    (void)snprintf(text, sizeof text,
                   "parameter a = 1, b = 2\nstate x = 1, y = 1\nx' + x'^3 = -a*x\ny' = -b*y\n"
                   "output q = %s\n",
                   output);
    tansy_model *const m = read_text(text);
    tansy_columns const columns = {2, sens, u, sensp, NULL};
    tansy_point const at = {.t = t, .side = -1, .y = y, .p = p, .yp = yp};
    CHECK_EQUAL(tansy_model_output_corners(m, &at, &columns, &corner), TANSY_OK);
    if (corner.condition) (void)snprintf(condition, WORDS, "%s", corner.condition);
    if (corner.condition) corner.condition = condition;
    tansy_model_free(m);
    return corner;
}

TEST(corners_of_outputs_are_told_with_condition_and_column)
{
    double const one[] = {1, 1}, other[] = {1, 3};
    struct {
        const char *output;
        double t;
        const double *y;
        const char *condition; /* NULL: no corner */
        size_t column;
        int jumps;
    } const cases[] = {
        {"max(x, y)", 0, one, "max(x, y)", 0, 0},
        {"max(x, y)", 0, other, NULL, 0, 0},
        {"abs(x - a)", 0, one, "abs(x - a)", 0, 0},
        {"max(y, a)", 0, one, "max(y, a)", 1, 0}, /* y moves by 0.5, a by 1 */
        {"max(2*y, a + 1)", 0, one, NULL, 0, 0},  /* both by 1 */
        {"max(y, b)", 0, other, NULL, 0, 0},
        {"if time < a then x else 2*x", 1, one, "time < a", 1, 1},
        {"if time < a then x else 2*x", 0.5, one, NULL, 0, 0},
        {"if time < 1 then x else 2*x", 1, one, NULL, 0, 0},
        {"if x >= 1 then log(x - 1) else 0", 0, one, "x >= 1", 0, 1}, /* -inf */
        {"x + x'*abs(y - 1)", 0, one, NULL, 0, 0},                    /* x' = 0 */
        {"x + (x' + 1)*abs(y - 1)", 0, one, "abs(y - 1)", 1, 0},
        {"sqrt(abs(x - 2*y))", 0, one, NULL, 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char words[WORDS];
        tansy_corner const c = corner_at(cases[k].output, cases[k].t, cases[k].y, words);
        if (!c.condition != !cases[k].condition) puts(cases[k].output);
        CHECK_EQUAL(c.condition != NULL, cases[k].condition != NULL);
        if (!c.condition) continue;
        CHECK_TEXT_CONTAINS(c.condition, cases[k].condition);
        CHECK_EQUAL(c.column, cases[k].column);
        CHECK_EQUAL(c.jumps, cases[k].jumps);
    }
}

/* Of two conditions that turn the one that matters is named, for each output. */
TEST(the_condition_is_the_one_that_the_output_depends_on)
{
    double const y[] = {1}, p[] = {1}, sens[] = {1};
    tansy_corner corner[3];
    tansy_model *const m = read_text("parameter a = 1\nstate x = 1\nx' = -a*max(x, 1)\n"
                                     "output u = abs(x*x - 1), v = max(x, 1), w = x*a\n");
    tansy_columns const columns = {.ns = 1, .sens = sens};
    tansy_point const at = {.t = 0, .side = 1, .y = y, .p = p};
    CHECK_EQUAL(tansy_model_output_corners(m, &at, &columns, corner), TANSY_OK);
    CHECK_TEXT_CONTAINS(corner[0].condition, "abs(x*x - 1)");
    CHECK_TEXT_CONTAINS(corner[1].condition, "max(x, 1)");
    CHECK(!corner[2].condition);
    for (size_t o = 0; o < 3; o++) CHECK_EQUAL(corner[o].row, o);
    tansy_model_free(m);
}

TEST(bad_calls_about_corners_are_refused)
{
    double const y[] = {1}, p[] = {1};
    tansy_corner corner = {.row = 7};
    tansy_point const at = {.y = y, .p = p};
    tansy_columns const columns = {.ns = 0};
    CHECK_EQUAL(tansy_model_output_corners(NULL, &at, &columns, &corner), TANSY_BAD_CALL);
    tansy_model *const bad = tansy_model_parse("nonsense", 8, "bad");
    CHECK_EQUAL(tansy_model_output_corners(bad, &at, &columns, &corner), TANSY_BAD_CALL);
    tansy_model_free(bad);
    tansy_model *const rates =
        read_text("parameter a = 1\nstate x = 1\nx' + a*x'^3 = -x\noutput q = max(x, 0)*x'\n");
    CHECK_EQUAL(tansy_model_output_corners(rates, &at, &columns, &corner), TANSY_BAD_CALL);
    tansy_model_free(rates);
}
