/* SPDX-License-Identifier: Apache-2.0 */
/* Points where S has one-sided limits only are told, with condition and time, and no others are; a condition that is but rounding
   noise is held or refused. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

enum { MOST = 4, PAGE = 8000 };

struct result {
    tansy_status status;
    tansy_stats stats;
    double y[MOST], sens[MOST * MOST];
    char report[PAGE], message[400];
};

static struct result solve(const char *text, int bounded, int columns, double t)
{
    struct result r = {.status = TANSY_OK};
    tansy_problem problem;
    tansy_options const o = {.method = TANSY_ADAMS,
                             .rtol = 1e-7,
                             .atol = 1e-9,
                             .sensitivities = columns ? TANSY_SENSITIVITIES_AUTO : TANSY_NONE};
    tansy_model *const m = model_of_text(text, &problem);
    if (!bounded) problem.switch_range = NULL;
    tansy_solver *const s = tansy_create(&problem, &o);
    r.status = tansy_solve(s, t, r.y, columns ? r.sens : NULL);
    tansy_get_stats(s, &r.stats);
    snprintf(r.message, sizeof r.message, "%s", tansy_message(s));
    CHECK(tansy_report(s, r.report, sizeof r.report) < sizeof r.report);
    tansy_free(s);
    tansy_model_free(m);
    return r;
}

struct corner {
    const char *model, *says; /* NULL: no corner */
    double column; /* what d(last state)/d(first parameter) at t = 1.9 is, or one of its limits */
};

static const char start[] = "starts on its surface", at_break[] = "a break time falls on it",
                  flat[] = "stays at its surface";

static const struct corner corners[] = {
    {"parameter a = 1, b = 1\nstate z = 0\nz' = max(a, b)\n", start, 1.9},
    {"parameter a = 0.3, b = 0.1\nstate z = 0\nz' = max(a, b + 0.2)\n", start, 1.9},
    {"parameter b = 1\nstate x = 1, z = 0\nx' = 1\nz' = if x > b then 2 else 1\n", start, 0},
    {"parameter b = 1\nstate x = 1, z = 0\nx' = 0\nz' = if x >= b then x else 0\n", start, 0},
    {"parameter b = 1\nstate x = b, z = 0\nx' = 1\nz' = if x > b then 2 else 1\n", NULL, 0},
    {"parameter b = 1\nstate x = 1, z = 0\nx' = 1\nz' = max(x - b, 0)\n", NULL, -1.9},
    {"parameter b = 1\nstate x = 1, z = 0\nx' = 1\n"
     "z' = if (if x >= b then 1 else 0) >= 0.5 then 2 else 0\n",
     start, 0},
    {"parameter b = 1\nstate x = 0, z = 0\nx' = 1\n"
     "z' = if x > b then (if time >= 1 then 2 else 3) else 0\n",
     at_break, -2},
    {"parameter b = 1\nstate x = 0, w = 0, z = 0\nx' = 1\nw' = if time >= 1 then 2 else 3\n"
     "z' = if x > b then 2 else 0\n",
     NULL, -2},
    {"parameter b = 1\nstate x = 0, z = 0\nx' = if time > 1 then 2 else 1\n"
     "z' = if x > b then 2 else 0\n",
     at_break, -2},
    {"parameter b = 1\nstate x = 0, z = 0\nx' = 1\nz' = max(min(x, 1), b)\n", flat, 1.9},
    {"parameter a = 1, b = 1\nstate x = 0, z = 0\nx' = 1\nz' = if x > a and x > b then 2 else 0\n",
     "at the same time as", -2},
    {"parameter a = 1, b = 1\nstate x = 0, z = 0\nx' = 1\n"
     "z' = (if x > a then 2 else 0) + (if x > b then 3 else 0)\n",
     NULL, -2},
    {"parameter a = 1\nstate x = 0, y = 0, z = 0\nx' = 1\ny' = a\n"
     "z' = (if x > 1 and y > 1 then 3 else 1)\n",
     "at the same time as", 3},
    {"parameter a = 1\nstate x = 0, y = 0, z = 0\nx' = a\ny' = a\n"
     "z' = (if x > 1 and y > 1 then 3 else 1)\n",
     NULL, 2},
    {"parameter a = 1, b = 1\nstate x = 0, y = 0, z = 0\nx' = a\ny' = if x >= 1 then -b else b\n"
     "z' = if y >= 1 then 10 else 0\n",
     "at the same time as", 0},
    /* the column moves dg/dt, not g */
    {"parameter c = 1\nstate y = 0, z = 0\ny' = c - 1 - time\nz' = if y > 0 then 1 else 0\n", start,
     0},
    /* one that stands at its surface depends on another that does */
    {"parameter b = 0.5\nstate x = 0.5, z = 0\nx' = 1\n"
     "z' = if 0.5*time >= max(b - x, 0) then 1 else 0\n",
     start, 0},
    {"parameter a = 0.5, c = 0.5\nstate z = 0\n"
     "z' = if (if 0.5*time > a - 0.5 then 0 else a) > c then 1 else 0\n",
     start, 0},
    {"parameter a = 1\nstate z = 0\nz' = min(min(a, 1), 1)\n", start, 0},
    {"parameter a = 1, b = 1, c = 1, d = 1\nstate z = 0\n"
     "z' = min(a, b) + 0*min(min(a, c), min(b, d)) + 0*max(max(b, c), max(c, d))\n",
     start, 0},
    /* one that follows has a surface of its own in between; which is first decides what follows */
    {"parameter b = 0.5\nstate y = 0, z = 0\ny' = 1\n"
     "z' = if max(y - b, 0) > max(1 - y - b, 0) then 1 else 0\n",
     "at the same time as", 0},
    {"parameter a = 0.5\nstate x = 0, z = 0\nx' = 1\n"
     "z' = if (if 1 - a > x then (if x >= 0.5 then 0.9 else 0) else 1) > 0.5 then 1 else 0\n",
     "at the same time as", 0},
    {"parameter a = 0.5\nstate y = 0, z = 0\ny' = 1\n"
     "z' = if a < (if y >= 0.5 then 0.1 else 1 - y) then 1 else 0\n",
     "at the same time as", 0},
    /* what stays at its surface matters later, or for something that crosses, or not at all */
    {"parameter a = 0.5\nstate x = a, z = 0\nx' = 1\nz' = if a >= 0.5 then x - a else 0\n", flat,
     0},
    {"parameter a = 1\nstate x = 0, z = 0\nx' = 1\nz' = if min(min(a, 1), 1) > x then 1 else 0\n",
     flat, 0},
    {"parameter a = 1, b = 1\nstate x = 0, z = 0\nx' = 1\nz' = if x > 5 + max(a, b) then 1 else "
     "a\n",
     NULL, 1.9},
    {"parameter a = 1, b = 1\nstate x = 0, z = 0\nx' = 1\n"
     "z' = max(x - (if x > max(a, b) then 1 else x), -1) + a\n",
     NULL, 1.9},
    /* g jumps to zero at a break: then it turns there, or 2 c - 1 later */
    {"parameter c = 0.5\nstate z = 0\n"
     "z' = if 0.5*time > (if time >= 1 then time - c else 0) then 3 else 1\n",
     at_break, 0},
    {"parameter c = 0.5\nstate w = 0, z = 0\nw' = 1\n"
     "z' = c + (if 0.5*time > (if time >= 1 then time - c else 0) then 0*w else 0)\n",
     NULL, 1.9},
    /* a depends on the third with both others turned only */
    {"parameter a = 1\nstate x = 0, z = 0\nx' = 1\n"
     "z' = min(min(min(if x < 1 then 1 else a, 1), 1), 1)\n",
     flat, 0},
    /* one whose g would reach zero when another that is turned there moves it away; at the same surface for all p, or not */
    {"parameter b = 1\nstate x = 0, z = 0\nx' = 1\n"
     "z' = if (if x < b then x else 0) >= 1 then 2 else 0\n",
     "at the same time as", 0},
    {"parameter b = 1\nstate x = 0, z = 0\nx' = 1\n"
     "z' = if (if x < b then x else 0) >= b then 2 else 0\n",
     NULL, 0},
    {"parameter b = 1\nstate x = 0, w = 0, z = 0\nx' = 1\n"
     "w' = if x < b then x else 0\nz' = if (if x < b then x else 0) >= 1 then 0*x else 0\n",
     NULL, 0},
    /* so too where it is turned with the other at first, and back by what follows from that */
    {"parameter a = 0.5\nstate x = 0, z = 0\nx' = 1\n"
     "z' = if (if (if x >= a then 1 else 0) >= 0.5 then 1 else 0) < x - 0.5 then 2 else 1\n",
     "at the same time as", 0}};

TEST(one_sided_columns_are_told_and_no_others)
{
    for (size_t k = 0; k < sizeof corners / sizeof *corners; k++)
        for (int bounded = 0; bounded <= 1; bounded++) {
            const struct corner *const c = &corners[k];
            if (!bounded && k == 1) continue; /* 0.3 - (0.1 + 0.2) is not 0: values cannot tell */
            struct result const r = solve(c->model, bounded, 1, 1.9);
            CHECK_EQUAL(r.status, TANSY_OK);
            bool const said = strstr(r.report, "S is one-sided") != NULL;
            if (said != (c->says != NULL)) puts(c->model), puts(r.report);
            CHECK_EQUAL(said, c->says != NULL);
            if (c->says) CHECK_TEXT_CONTAINS(r.report, c->says);
            size_t const n = r.stats.n;
            if (!c->says) CHECK_CLOSE(r.sens[n - 1], c->column, 1e-5 * fmax(1, fabs(c->column)));
            struct result const without = solve(c->model, bounded, 0, 1.9);
            CHECK(strstr(without.report, "one-sided") == NULL);
        }
}

/* At a corner with two limits the column is one of them: z = 2 (t - T), dT/db = 1 or 1/2. */
TEST(a_column_at_a_corner_is_one_of_its_limits)
{
    struct result const r = solve(corners[9].model, 1, 1, 1.9);
    double const z = r.sens[r.stats.n - 1];
    CHECK(fabs(z + 2) < 1e-5 || fabs(z + 1) < 1e-5);
}

/* sin^2 + cos^2 against 1: g is zero but for rounding and turned at every one of them.  z = t. */
TEST(a_condition_of_rounding_noise_is_held)
{
    static const char model[] = "parameter a = 0.3\nstate x = 1, z = 0\nx' = -a*x\n"
                                "z' = max(sin(x)^2 + cos(x)^2, 1)\n";
    for (int bounded = 0; bounded <= 1; bounded++) {
        struct result const r = solve(model, bounded, 1, 20);
        CHECK_EQUAL(r.status, TANSY_OK);
        CHECK_AT_MOST((double)r.stats.switches, 20);
        CHECK_CLOSE(r.y[1], 20, 1e-5);
        CHECK_CLOSE(r.sens[1], 0, 1e-5);
        CHECK_TEXT_CONTAINS(r.report, "zero but for rounding");
    }
}

/* From ton on net is feed but for rounding, turned at each of them in next to no time.  q = integral of feed from there. */
TEST(noise_that_begins_at_a_switch_is_no_contradiction)
{
    static const char model[] = "parameter ton = 1.5\nstate feed = 0.4, rec = 0.2, q = 0\n"
                                "let net = (feed + rec) - (if time > ton then rec else -9)\n"
                                "rec' = sin(time) - 0.5*rec\nfeed' = 0.5 - 0.45*feed\n"
                                "q' = if net <= rec + 3 then min(feed, net) else 0\n";
    double const rest = 0.5 / 0.45, T = 1.5, end = 5, rise = rest - 0.4;
    double const area = rest * (end - T) + rise * (exp(-0.45 * end) - exp(-0.45 * T)) / 0.45;
    for (int bounded = 0; bounded <= 1; bounded++) {
        struct result const r = solve(model, bounded, 1, end);
        if (r.status < 0) puts(r.message);
        CHECK_EQUAL(r.status, TANSY_OK);
        if (bounded) CHECK_AT_MOST((double)r.stats.switches, 20); /* values alone see most turns */
        CHECK_CLOSE(r.y[2], area, 1e-5);
        CHECK_CLOSE(r.sens[2], -(rest - rise * exp(-0.45 * T)), 1e-5);
    }
}

/* The same where the branches differ: y is either, S is not known, and that is said at once. */
TEST(noise_that_decides_between_branches_has_no_columns)
{
    static const char model[] = "parameter a = 0.3\nstate x = 1, z = 0\nx' = -a*x\n"
                                "z' = if sin(x)^2 + cos(x)^2 > 1 then 1 else 2\n";
    for (int bounded = 0; bounded <= 1; bounded++) {
        struct result const r = solve(model, bounded, 1, 20);
        CHECK_EQUAL(r.status, TANSY_GRAZING);
        CHECK_TEXT_CONTAINS(r.message, "rounding errors");
        struct result const plain = solve(model, bounded, 0, 20);
        CHECK_EQUAL(plain.status, TANSY_OK);
        CHECK_AT_MOST((double)plain.stats.switches, 20);
    }
}

/* A band of noise does not keep a switch from a true crossing later: g = noise + (t - 10) from 10 on.  z = 10 + 3 (t - 10). */
TEST(a_condition_that_was_noise_crosses_when_it_is_none)
{
    static const char model[] =
        "parameter a = 0.3\nstate x = 1, z = 0\nx' = -a*x\n"
        "z' = if max(time - 10, 0)*a + sin(x)^2 + cos(x)^2 > 1 + 1e-9 then 3 else 1\n";
    struct result const r = solve(model, 1, 1, 20);
    CHECK_EQUAL(r.status, TANSY_OK);
    CHECK_CLOSE(r.y[1], 40, 1e-4);
}

/* More corners than are named. */
TEST(only_the_first_corners_are_named)
{
    char model[1000] = "parameter a = 1, b = 1\nstate z = 0\nz' = 0";
    for (int k = 1; k <= 11; k++) {
        size_t const used = strlen(model);
        snprintf(model + used, sizeof model - used, " + max(a^%d, b^%d)", k, k);
    }
    strcat(model, "\n");
    struct result const r = solve(model, 1, 1, 1);
    CHECK_EQUAL(r.status, TANSY_OK);
    CHECK_TEXT_CONTAINS(r.report, "S is one-sided at 3 more points");
}

/* min(min(a, 1) .., 1): of few all are turned in all combinations, of more one by one and one after the other, of many all. */
TEST(conditions_nested_at_their_surfaces_are_told)
{
    for (int depth = 1; depth <= 20; depth++) {
        char model[1000] = "parameter a = 1\nstate x = 0, z = 0\nx' = 1\nz' = ";
        for (int k = 0; k < depth; k++) strcat(model, "min(");
        strcat(model, "if x < 1 then 1 else a");
        for (int k = 0; k < depth; k++) strcat(model, ", 1)");
        strcat(model, "\n");
        struct result const r = solve(model, 1, 1, 1.9);
        CHECK_EQUAL(r.status, TANSY_OK);
        CHECK_TEXT_CONTAINS(r.report, flat);
    }
}

/* g is zero but for rounding, or its bounds are much too wide: that alone is no cause for doubt.  z = 2 t and 3 t. */
TEST(bounds_that_are_too_wide_are_no_cause_for_doubt)
{
    static const char *const model[] = {
        "parameter a = 0.3, b = 0.7\nstate x = 1, y = 0.5, z = 0\nx' = -a*x\ny' = b*(1 - y)\n"
        "z' = if (x - a) + (b - y) > (b + x) - (y + a) then 1 else 2\n",
        "parameter a = 0.3, b = 0.7\nstate x = 1, y = 0.5, z = 0\nx' = -a*x\ny' = b*(1 - y)\n"
        "z' = if (x - a) + (b - y) > (b + x) - (y + a) - 1e-9*x then 3 else 2\n"};
    for (int k = 0; k < 2; k++) {
        struct result const r = solve(model[k], 1, 1, 20);
        CHECK_EQUAL(r.status, TANSY_OK);
        CHECK_CLOSE(r.y[2], (2 + k) * 20, 1e-6);
        CHECK(strstr(r.report, "passed over") == NULL);
    }
}
