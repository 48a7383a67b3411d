/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of derived quantities by differences where a component, or its slope, passes zero: of the oscillation
     y0' = p0 y1, y1' = -p0 y0    y0 = sin p0 t, y1 = cos p0 t
   beside a small component y2 = c exp(-p1 t), in closed form. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

enum { N = 3, NP = 2, NQ = 4 };
static const double p[] = {1, 0.3}, small = 1e-9;

static int rhs(double t, const double *y, const double *q, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = q[0] * y[1];
    f[1] = -q[0] * y[0];
    f[2] = -q[1] * y[2];
    return 0;
}

static int derived(double t, const double *y, const double *yp, const double *q, double *Q,
                   void *context)
{
    (void)t;
    (void)q;
    (void)context;
    Q[0] = y[1] + y[2];
    Q[1] = y[0] * y[0];
    Q[2] = log(y[2]);
    Q[3] = yp[0] + y[0];
    return 0;
}

static void exact(double t, double *Q_p)
{
    double const s = sin(p[0] * t), c = cos(p[0] * t);
    Q_p[0] = -t * s;
    Q_p[1] = 2 * s * t * c;
    Q_p[2] = 0;
    Q_p[3] = c - p[0] * t * s + t * c;
    Q_p[NQ] = -t * small * exp(-p[1] * t);
    Q_p[NQ + 1] = Q_p[NQ + 3] = 0;
    Q_p[NQ + 2] = -t;
}

/* All zeros of y0, y1 and their slopes up to 7, a little beside them, and other times. */
static const double times[] = {0.5,       1.5707963267948966, 1.5707964, 3.141592653589793,
                               3.1415928, 4.71238898038469,   5,         6.283185307179586};
enum { TIMES = sizeof times / sizeof *times };

/* Increments are at least 6e-6 of 1e-3 of the amplitude 1, where y moves by up to t <= 2 pi with p: rounding is
   2e-16 2 pi/6e-9 = 2e-7; log y2 is bent by (6e-6 (1 + 2 pi))^2. */
static const double differences = 1e-6;

TEST(derivatives_of_a_run_do_not_lose_digits_where_a_component_passes_zero)
{
    static const double y0[] = {0, 1, 1e-9}, rtol = 1e-9;
    double const atol_i[] = {1e-12, 1e-12, 1e-21};
    for (int tiny = 0; tiny < 2; tiny++) {
        tansy_problem const problem = {
            .n = N, .np = NP, .y0 = y0, .p = p, .rhs = rhs, .nq = NQ, .derived = derived};
        tansy_options const options = {
            .rtol = rtol, .atol = 1e-100, .atol_state = tiny ? NULL : atol_i};
        tansy_solver *const s = tansy_create(&problem, &options);
        for (int m = 0; m < TIMES; m++) {
            double Q[NQ], Q_p[NP * NQ], right[NP * NQ];
            exact(times[m], right);
            CHECK_EQUAL(tansy_solve(s, times[m], NULL, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_derived_at(s, times[m], Q, Q_p), TANSY_OK);
            for (int x = 0; x < NP * NQ; x++)
                CHECK_CLOSE(Q_p[x], right[x], differences + 1000 * rtol * (x == 3 ? 100 : 1));
        }
        CHECK_EQUAL(tansy_derived_at(s, times[TIMES - 1], NULL, NULL), TANSY_BAD_CALL);
        tansy_free(s);
    }
}

/* Of a stored solution, also along a direction of the initial values: there y2 moves alone. */
TEST(derivatives_of_a_stored_solution_do_not_lose_digits_where_a_component_passes_zero)
{
    static const int columns[] = {0, 1, TANSY_INITIAL(2)};
    tansy_problem const problem = {
        .n = N, .np = NP, .p = p, .nq = NQ, .derived = derived, .ns = 3, .columns = columns};
    for (int m = 0; m < TIMES; m++) {
        double const t = times[m], s = sin(t), c = cos(t), decay = exp(-p[1] * t);
        double const y[] = {s, c, small * decay}, yp[] = {c, -s, -p[1] * small * decay};
        double const S[] = {t * c, -t * s, 0, 0, 0, -t * small * decay, 0, 0, decay};
        double const S_rate[] = {
            c - t * s, -s - t * c, 0, 0, 0, (p[1] * t - 1) * small * decay, 0, 0, -p[1] * decay};
        double Q[NQ], Q_p[3 * NQ], right[3 * NQ];
        exact(t, right);
        right[2 * NQ] = decay;
        right[2 * NQ + 1] = right[2 * NQ + 3] = 0;
        right[2 * NQ + 2] = 1 / small;
        CHECK_EQUAL(
            tansy_derived_from(&problem, &(tansy_stored){t, y, yp, S, S_rate}, Q, Q_p, NULL, 0),
            TANSY_OK);
        for (int x = 0; x < 2 * NQ; x++) CHECK_CLOSE(Q_p[x], right[x], differences);
        CHECK_CLOSE(Q_p[2 * NQ + 2] * small, 1, differences);
    }
}
