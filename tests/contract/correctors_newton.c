/* SPDX-License-Identifier: Apache-2.0 */
/* The simultaneous iteration converges two-step quadratically when its block-diagonal matrix is that of the last
   iterate (Maly and Petzold 1996, Theorem 1).  For y' = g' - p u^2, u = y - g complex, both errors are known exactly:
     |y_(k+1) - y*| = p |y_k - y*|^2/|W_k|,   W_k = c + 2 p u_k,
     |s_(k+1) - s*| = |y_k - y*| |u_k + u* + 2 p s*|/|W_k|   for s = dy/dp,
   so that the columns lag one iteration behind and |s_(k+2) - s*| is a multiple of |y_k - y*|^2. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "support/order_march.h"
#include "test.h"

enum { ITERATIONS = 7 };
static const double P = 1, STEP = 1;

/* State and column p of one iterate. */
struct iterate {
    double complex y, s;
};

/* A large step of order 1 of a strongly nonlinear problem, predicted. */
static tansy_solver *predicted(const struct order_problem *it)
{
    struct order_setting const setting = {it->problem.residual ? &method_dassl : &method_bdf,
                                          &corrector_simultaneous, TANSY_DENSE_LU, 1e-10};
    tansy_solver *const s = order_solver(it, &setting);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    order_place(s, it, 1, STEP, 1);
    (void)order_attempt(s, true); /* whether it converges does not matter */
    return s;
}

/* Starts the iteration with corrections of the state and of all columns. */
static void begin(tansy_solver *s, double state, double columns)
{
    struct stepper *const st = &s->stepper;
    for (size_t m = 0; m < 2; m++) {
        struct part *const part = order_part(s, m);
        struct work *const w = m == 0 ? &st->state_work : &st->panel_work[0];
        for (size_t x = 0; x < part->shape.count; x++) {
            part->e[part->now][x] = x < s->n * part->shape.lanes ? (m == 0 ? state : columns) : 0;
            w->y[x] = w->y0[x] + part->e[part->now][x];
        }
    }
}

/* One iteration with J and W at the last iterate: the columns first, around the state before its own change. */
static void iterate(tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    struct equations *const q = &s->equations;
    double size = 0;
    corrector_slope(st, &st->state, &st->state_work, false);
    struct point const at = corrector_point(st, false);
    CHECK_EQUAL(equations_factor(q, &at, st->c), 0);
    CHECK_EQUAL(equations_linearise(q, &at, true), 0);
    CHECK_EQUAL(corrector_improve(st, &st->panel[0], &st->panel_work[0], 0, false, &size),
                VERDICT_OK);
    CHECK_EQUAL(corrector_improve(st, &st->state, &st->state_work, 0, false, &size), VERDICT_OK);
}

static struct iterate read(const tansy_solver *s)
{
    static const double complex i = (double complex)I;
    const struct stepper *const st = &s->stepper;
    const double *const y = st->state_work.y, *const v = st->panel_work[0].y;
    return (struct iterate){.y = y[0] + i * y[1], .s = v[0] + i * v[st->panel[0].shape.lanes]};
}

static double complex forcing(double t)
{
    return cos(t) + (double complex)I * sin(t);
}

/* The errors of the iterates from a start far away.  Where the problem is implicit, (1 + i/2 + y/1000) (y' - f) = 0, its factor adds a
   thousandth to the constants of the laws above, which are bounds then. */
static void check_iterates(bool implicit)
{
    struct order_problem it;
    order_problem_set(&it, 1, ORDER_COLUMNS, P);
    if (implicit) order_problem_hide(&it);
    double const slack = implicit ? 0.01 : 0;
    tansy_solver *const s = predicted(&it);
    begin(s, 0, 0);
    for (int k = 0; k < 10; k++) iterate(s);
    struct iterate const end = read(s);
    double complex const g = forcing(s->stepper.t + STEP);
    double y_error[ITERATIONS + 1], s_error[ITERATIONS + 1];
    struct iterate now = {0};
    begin(s, 0.4, 0.4);
    for (int k = 0; k <= ITERATIONS; k++) {
        struct iterate const before = now;
        now = read(s);
        y_error[k] = cabs(now.y - end.y);
        s_error[k] = cabs(now.s - end.s);
        if (k > 0) {
            double const W = cabs(s->stepper.c + 2 * P * (before.y - g));
            double const lag = cabs(before.y - g + end.y - g + 2 * P * end.s) / W;
            double const square = y_error[k - 1] * y_error[k - 1];
            /* ten operations with numbers of size below 4 round; so does the error that enters, once more */
            double const round = 40 * DBL_EPSILON;
            CHECK_CLOSE(y_error[k], P * square / W,
                        round * (1 + y_error[k - 1]) + slack * P * square / W);
            CHECK_CLOSE(s_error[k], lag * y_error[k - 1],
                        round * (1 + lag) + slack * lag * y_error[k - 1]);
        }
        if (k > 1)
            CHECK_AT_MOST(s_error[k], 2 * y_error[k - 2] * y_error[k - 2] + 80 * DBL_EPSILON);
        iterate(s);
    }
    CHECK(s_error[1] > 0.1); /* the columns do not see the first iteration of the state */
    CHECK(y_error[3] > 1e3 * DBL_EPSILON);     /* three iterations were seen before roundoff */
    CHECK_AT_MOST(s_error[ITERATIONS], 1e-13); /* and they converge */
    tansy_free(s);
}

TEST(the_simultaneous_iteration_converges_two_step_quadratically)
{
    check_iterates(false);
}

TEST(the_simultaneous_iteration_of_an_implicit_problem_converges_two_step_quadratically)
{
    check_iterates(true);
}
