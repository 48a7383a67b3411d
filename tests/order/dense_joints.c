/* SPDX-License-Identifier: Apache-2.0 */
/* Dense output in runs of the solver's own choice: it is continuous where steps meet, across changes of h and order and in
   both directions of time, its slope satisfies the equations there, and asking for it changes nothing. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/order_march.h"
#include "support/problems.h"
#include "test.h"

/* A run and what it holds at the end of the last step: y followed by S, their slopes and bounds on their rounding. */
struct run {
    tansy_solver *s;
    const tansy_problem *problem;
    double end, direction;
    size_t entries;
    double *value, *slope, *left, *left_slope, *bound, *slope_bound;
    double worst, worst_slope; /* jumps in units of the bounds */
    int order_changes, size_changes;
};

static struct run start(const tansy_problem *problem, const tansy_options *options, double end)
{
    struct run r = {.s = tansy_create(problem, options), .problem = problem, .end = end};
    CHECK_EQUAL(tansy_error(r.s), TANSY_OK);
    r.direction = end > problem->t0 ? 1 : -1;
    r.entries = r.s->n * (1 + r.s->ns);
    r.value = calloc(6 * r.entries, sizeof *r.value);
    r.slope = r.value + r.entries;
    r.left = r.slope + r.entries;
    r.left_slope = r.left + r.entries;
    r.bound = r.left_slope + r.entries;
    r.slope_bound = r.bound + r.entries;
    return r;
}

static void finish(struct run *r)
{
    tansy_free(r->s);
    free(r->value);
}

static bool arrived(const struct run *r)
{
    return r->direction * (r->end - tansy_time(r->s)) <= 0;
}

/* Rounding of the polynomial of the last step at its left end, from the history before its correction is added:
   Pascal's triangle and Horner's rule add q numbers each, whose sizes sum up to sum_j 2^j |z_j| + |l_j e|, in slopes
   each with a factor of at most q. */
static void bound_part(struct run *r, const struct part *part)
{
    const struct stepper *const st = &r->s->stepper;
    const struct panel *const shape = &part->shape;
    size_t const first = part->kind == PART_STATE ? 0 : (1 + shape->first) * r->s->n;
    CHECK(part->pending);
    for (size_t i = 0; i < r->s->n; i++)
        for (size_t k = 0; k < shape->columns; k++) {
            size_t const x = i * shape->lanes + k, entry = first + k * r->s->n + i;
            double sum = 0;
            for (int j = 0; j <= part->order; j++)
                sum += ldexp(fabs(part->history[(size_t)j * shape->count + x]), j) +
                       fabs(st->last.l[j] * part->e[!part->now][x]);
            r->bound[entry] = (2 * part->order + 4) * DBL_EPSILON * sum;
            r->slope_bound[entry] = part->order * r->bound[entry] / fabs(part->h);
        }
}

/* The ends of a step are rounded times, which moves its polynomial by y' eps |t|, and its slope by the change of the
   slope over the step, taken to be at most its size, eps |t|/h. */
static void measure_jump(struct run *r, double before, bool has_slope)
{
    double const now = tansy_time(r->s), shift = 2 * DBL_EPSILON * (fabs(before) + fabs(now));
    for (size_t x = 0; x < r->entries; x++) {
        double const value = fabs(r->left[x] - r->value[x]);
        double const bound = r->bound[x] + shift * fabs(r->left_slope[x]);
        if (!(value <= r->worst * bound)) r->worst = value / bound;
        double const slope = fabs(r->left_slope[x] - r->slope[x]);
        double const steep = 2 * (fabs(r->slope[x]) + fabs(r->left_slope[x])) / fabs(now - before);
        double const slope_bound = r->slope_bound[x] + shift * steep;
        if (has_slope && !(slope <= r->worst_slope * slope_bound))
            r->worst_slope = slope / slope_bound;
    }
}

/* Steps to the end; compares what the last step says at its left end with what the one before said at its right. */
static void follow(struct run *r)
{
    tansy_solver *const s = r->s;
    size_t const n = s->n;
    int order = 0;
    double h = 0;
    while (!arrived(r)) {
        double const before = tansy_time(s);
        bool const first = !s->started;
        if (first) CHECK_EQUAL(tansy_at(s, before, r->value, NULL, r->value + n, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_step(s, r->end, NULL, NULL), TANSY_OK);
        for (size_t m = 0; m <= s->stepper.panels; m++) bound_part(r, order_part(s, m));
        CHECK_EQUAL(tansy_at(s, before, r->left, r->left_slope, r->left + n, r->left_slope + n),
                    TANSY_OK);
        bool const smooth = s->stepper.method == &method_adams && s->stepper.last_order > 1;
        measure_jump(r, before, smooth && !first);
        CHECK_EQUAL(tansy_at(s, tansy_time(s), r->value, r->slope, r->value + n, r->slope + n),
                    TANSY_OK);
        r->order_changes += s->stepper.last_order != order;
        r->size_changes += s->stepper.last_h != h;
        order = s->stepper.last_order;
        h = s->stepper.last_h;
    }
}

static void check_joints(const tansy_problem *problem, const tansy_options *options, double end)
{
    struct run r = start(problem, options, end);
    follow(&r);
    CHECK_AT_MOST(r.worst, 1);
    CHECK_AT_MOST(r.worst_slope, 1);
    CHECK(r.order_changes > 3 && r.size_changes > 5); /* the test is not empty */
    finish(&r);
}

typedef void check(const tansy_problem *problem, const tansy_options *options, double end);

/* All correctors of a method. */
static void by_all_correctors(check *holds, tansy_method method, const tansy_problem *problem,
                              double end)
{
    for (int way = TANSY_SIMULTANEOUS; way <= TANSY_DIRECT; way++)
        holds(problem,
              &(tansy_options){.method = method,
                               .sensitivities = (tansy_sensitivities)way,
                               .rtol = 1e-6,
                               .atol = 1e-8},
              end);
}

TEST(output_is_continuous_where_steps_meet_and_the_slope_of_adams_too)
{
    static const char *const names[] = {"c1",    "gas_oil",     "decay",    "robertson",
                                        "hires", "van_der_pol", "pollution"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const struct test_problem *const it = problem_find(names[k]);
        if (!it->stiff) by_all_correctors(check_joints, TANSY_ADAMS, &it->problem, it->t_end);
        by_all_correctors(check_joints, TANSY_BDF, &it->problem, it->t_end);
    }
}

TEST(output_is_continuous_backwards_in_time)
{
    struct order_problem it;
    order_problem_set(&it, 2, ORDER_COLUMNS, 0.02);
    by_all_correctors(check_joints, TANSY_ADAMS, &it.problem, -20);
    by_all_correctors(check_joints, TANSY_BDF, &it.problem, -20);
}

/* With atol well above rtol |y| all weights are alike.  The iteration leaves at most share/same of them when its rate,
   measured in the same step, is below 1/3: 1.5 rate >= rate/(1 - rate).  f - y' is W times that, |W| <= c + |J|, and
   |J| <= 2 p |u| = 0.6 sqrt(1.25).  One pair of equations is one complex number, and so is the rate. */
static void check_slope(const tansy_problem *problem, const tansy_options *options, double end)
{
    struct run r = start(problem, options, end);
    const struct stepper *const st = &r.s->stepper;
    while (!arrived(&r)) {
        double y[2], yp[2], f[2];
        CHECK_EQUAL(tansy_step(r.s, end, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_at(r.s, tansy_time(r.s), y, yp, NULL, NULL), TANSY_OK);
        (void)problem->rhs(tansy_time(r.s), y, problem->p, f, problem->context);
        double const norm = 1 / (fabs(st->last_h) * st->last.l0) + 0.6 * sqrt(1.25);
        double const weight = options->atol + options->rtol * fmax(fabs(y[0]), fabs(y[1]));
        double const left =
            corrector_share(st, &st->state) * (st->order + 2) / (st->last_order + 2);
        double const rms = hypot(f[0] - yp[0], f[1] - yp[1]) / sqrt(2);
        CHECK_AT_MOST(rms,
                      norm * (left / st->last.same * weight + 8 * DBL_EPSILON * hypot(y[0], y[1])));
    }
    finish(&r);
}

/* Not for direct, whose state may stop after one iteration by the rate of an earlier step. */
TEST(slopes_at_the_ends_of_steps_satisfy_the_equations_up_to_what_the_iteration_leaves)
{
    struct order_problem it;
    order_problem_set(&it, 1, ORDER_COLUMNS, 0.3);
    for (int method = TANSY_ADAMS; method <= TANSY_BDF; method++)
        for (int way = TANSY_SIMULTANEOUS; way <= TANSY_STAGGERED; way++) {
            tansy_options const options = {.method = (tansy_method)method,
                                           .sensitivities = (tansy_sensitivities)way,
                                           .rtol = 1e-8,
                                           .atol = 1e-6};
            check_slope(&it.problem, &options, 20);
            check_slope(&it.problem, &options, -2);
        }
}

/* Two runs, one with output inside every step. */
static void check_undisturbed(const tansy_problem *problem, const tansy_options *options,
                              double end)
{
    struct run quiet = start(problem, options, end), asked = start(problem, options, end);
    size_t const n = quiet.s->n;
    while (!arrived(&quiet)) {
        CHECK_EQUAL(tansy_step(quiet.s, end, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_step(asked.s, end, NULL, NULL), TANSY_OK);
        double const t = (asked.s->before + tansy_time(asked.s)) / 2;
        CHECK_EQUAL(tansy_at(asked.s, t, asked.left, asked.left_slope, asked.left + n,
                             asked.left_slope + n),
                    TANSY_OK);
        CHECK(tansy_time(quiet.s) == tansy_time(asked.s));
    }
    CHECK_EQUAL(tansy_solve(quiet.s, end, quiet.value, quiet.value + n), TANSY_OK);
    CHECK_EQUAL(tansy_solve(asked.s, end, asked.value, asked.value + n), TANSY_OK);
    CHECK(memcmp(quiet.value, asked.value, quiet.entries * sizeof *quiet.value) == 0);
    finish(&quiet);
    finish(&asked);
}

TEST(asking_for_output_changes_no_bit_of_the_run)
{
    const struct test_problem *const it = problem_find("c1");
    by_all_correctors(check_undisturbed, TANSY_ADAMS, &it->problem, it->t_end);
    by_all_correctors(check_undisturbed, TANSY_BDF, &it->problem, it->t_end);
}
