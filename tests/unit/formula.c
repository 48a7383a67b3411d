/* SPDX-License-Identifier: Apache-2.0 */
/* The formulas of method/formula.h against what defines them: which polynomials they keep, what their corrections leave
   alone, how they change their order, what their errors are; on equal, growing, shrinking and irregular steps.  Oracles
   are interpolating polynomials in long double. */
#include "method/formula.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "support/order_history.h"
#include "support/random.h"
#include "test.h"

enum { POINTS = PAST_POINTS + 1, PATTERNS = 6 };

/* A family at one order on one pattern of steps.  Points are counted from the end of the step in units of its size:
   the end x[0] = 0, the start x[1] = -1, then further back. */
struct setting {
    bool adams;
    int q;
    const struct family *family;
    double xi[POINTS];     /* -x[i] */
    long double x[POINTS]; /* x[i] = -xi[i] */
    double xi_before[POINTS],
        ratio; /* seen from the start in units of the step before; h over its size */
    struct formula f, before;
    long double
        middle; /* of the points: polynomials are powers of x/middle + 1, at most 1 in size */
};

/* Sizes of steps, the youngest first: within [1/2, 2] or a factor of 1.2 apart. */
static double step_size(int pattern, int i, struct random_source *source)
{
    switch (pattern) {
    case 0:
        return 1;
    case 1:
        return pow(1.2, i);
    case 2:
        return pow(1.2, -i);
    default:
        return exp2(random_next(source));
    }
}

static struct setting set_up(bool adams, int q, int pattern)
{
    struct setting s = {.adams = adams, .q = q, .family = adams ? &family_adams : &family_bdf};
    struct random_source source = {(uint64_t)(17 * pattern + q)};
    double const h = step_size(pattern, 0, &source), last = step_size(pattern, 1, &source);
    s.xi[1] = s.xi_before[1] = 1;
    s.ratio = h / last;
    for (int i = 2; i < POINTS - 1; i++) {
        double const older = i == 2 ? last : step_size(pattern, i - 1, &source);
        s.xi[i] = s.xi[i - 1] + older / h;
        if (i > 2) s.xi_before[i - 1] = s.xi_before[i - 2] + older / last;
    }
    for (int i = 0; i < POINTS - 1; i++) s.x[i] = -(long double)s.xi[i];
    s.family->fill(q, s.xi, &s.f);
    s.family->fill(q, s.xi_before, &s.before);
    s.middle = -s.x[q + 2] / 2;
    return s;
}

typedef void property(struct setting *s);

static void for_all(property *holds)
{
    for (int adams = 0; adams < 2; adams++)
        for (int q = 1; q <= (adams ? ADAMS_ORDERS : BDF_ORDERS); q++)
            for (int pattern = 0; pattern < PATTERNS; pattern++) {
                struct setting s = set_up(adams, q, pattern);
                holds(&s);
            }
}

/* Rounding of a coefficient: 3 q operations; the integrals of Adams alternate in sign, and their terms add up to
   prod_(i<=q+1) (1 + 1/xi_i) <= (q + 3)(q + 4)/6 for the steps above, before they are divided by l0. */
static double table_error(const struct setting *s)
{
    return 3 * s->q * DBL_EPSILON * (s->q + 3) * (s->q + 4) / 6 / s->f.l0;
}

/* Rounding of interpolation in long double: extrapolation over a step multiplies errors by at most 4^q. */
static double oracle_error(const struct setting *s)
{
    return (double)(powl(4, s->q + 1) * LDBL_EPSILON);
}

static long double binomial(int n, int k)
{
    long double c = 1;
    for (int i = 1; i <= k; i++) c = c * (n - k + i) / i;
    return c;
}

/* y^(j)/j! of y = (x/middle + 1)^d. */
static long double power(const struct setting *s, int d, int j, long double x)
{
    if (j > d) return 0;
    return binomial(d, j) * powl(x / s->middle + 1, d - j) * powl(s->middle, -j);
}

/* The history of order q of that power, around point `at`, in units of the step. */
static void history(const struct setting *s, int q, int d, int at, long double *z)
{
    long double x[POINTS], value[POINTS], slope[POINTS];
    for (int i = 0; i <= q; i++) {
        x[i] = s->x[at + i] - s->x[at];
        value[i] = power(s, d, 0, s->x[at + i]);
        slope[i] = power(s, d, 1, s->x[at + i]);
    }
    order_history(s->adams, q, x, value, slope, z);
}

static void predict(int q, long double *z)
{
    for (int k = 0; k < q; k++)
        for (int j = q - 1; j >= k; j--) z[j] += z[j + 1];
}

/* The correction L(x) = sum_j l_j x^j, or its derivative, and the sum of the sizes of its terms. */
static long double correction(const struct formula *f, int q, int derivative, long double x,
                              long double *size)
{
    long double sum = 0;
    *size = 0;
    for (int j = derivative; j <= q; j++) {
        long double const term =
            (long double)f->l[j] * (derivative ? j * powl(x, j - 1) : powl(x, j));
        sum += term;
        *size += fabsl(term);
    }
    return sum;
}

static void check_normalised(struct setting *s)
{
    CHECK(s->f.l[0] == 1);
    CHECK(s->f.l0 > 0);
    CHECK_CLOSE(s->f.l[1] * s->f.l0, 1, 4 * DBL_EPSILON);
}

TEST(corrections_move_the_value_by_e_and_the_slope_by_e_over_l0)
{
    for_all(check_normalised);
}

static void check_past(struct setting *s)
{
    long double size = 0;
    long double const start = correction(&s->f, s->q, 0, s->x[1], &size);
    CHECK_CLOSE((double)start, 0, table_error(s));
    for (int i = 1; i <= (s->adams ? s->q - 1 : s->q); i++) {
        long double const past = correction(&s->f, s->q, s->adams, s->x[i], &size);
        CHECK_CLOSE((double)past, 0, (double)size * 3 * s->q * DBL_EPSILON);
    }
}

TEST(corrections_keep_the_last_value_and_past_values_of_bdf_or_slopes_of_adams)
{
    for_all(check_past);
}

TEST(with_equal_steps_the_formulas_are_the_textbook_ones)
{
    struct setting const adams = set_up(true, 4, 0), bdf = set_up(false, 3, 0);
    CHECK_CLOSE(adams.f.l0, 9.0 / 24, 10 * DBL_EPSILON); /* Adams-Moulton, error 19/720 */
    CHECK_CLOSE(adams.f.same, 19.0 / 720 * 24 * adams.f.l[4], 100 * DBL_EPSILON);
    CHECK_CLOSE(bdf.f.l0, 6.0 / 11, 10 * DBL_EPSILON); /* 11 y - 18 y + 9 y - 2 y = 6 h f */
    CHECK_CLOSE(bdf.f.same, 1.0 / 4, 10 * DBL_EPSILON);
}

/* From a history of a polynomial of degree d <= q whose oldest entry is wrong by 1: the formula does not use it, the
   predictor does, so that e is not zero; the corrected history is that of the polynomial. */
static void check_exact(struct setting *s)
{
    int const q = s->q;
    for (int d = 0; d <= q; d++) {
        long double x[POINTS], value[POINTS], slope[POINTS], z[POINTS];
        for (int i = 0; i <= q; i++) {
            x[i] = s->x[1 + i] - s->x[1];
            value[i] = power(s, d, 0, s->x[1 + i]);
            slope[i] = power(s, d, 1, s->x[1 + i]);
        }
        *(s->adams ? &slope[q - 1] : &value[q]) += 1;
        order_history(s->adams, q, x, value, slope, z);
        predict(q, z);
        long double const e = (long double)s->f.l0 * (power(s, d, 1, 0) - z[1]);
        CHECK(fabsl(e) > 1e-7L); /* the test is not empty */
        for (int j = 0; j <= q; j++) {
            long double const exact = power(s, d, j, 0);
            double const tolerance =
                table_error(s) * fabs((double)e) * (1 + s->f.l[j]) + oracle_error(s);
            CHECK_CLOSE((double)(z[j] + (long double)s->f.l[j] * e), (double)exact, tolerance);
        }
    }
}

TEST(every_formula_is_exact_up_to_its_order)
{
    for_all(check_exact);
}

/* The correction e that a step makes on exact data: the error of the predictor for BDF, l0 times that of its slope for
   Adams.  `at` is the end of the step: 0, or 1 for the step before, whose formula is given. */
static long double exact_e(const struct setting *s, const struct formula *f, int d, int at)
{
    long double z[POINTS];
    history(s, s->q, d, at + 1, z);
    long double const h = s->x[at] - s->x[at + 1];
    long double scale = 1;
    for (int j = 0; j <= s->q; j++, scale *= h) z[j] *= scale;
    predict(s->q, z);
    if (!s->adams) return power(s, d, 0, s->x[at]) - z[0];
    return (long double)f->l0 * (h * power(s, d, 1, s->x[at]) - z[1]);
}

/* By how much exact data violate the formula of order k: h y' against the slope of the polynomial through the values
   for BDF, the increment against the integral of the polynomial through the slopes for Adams. */
static long double local_error(const struct setting *s, int k, int d)
{
    long double z[POINTS], at_start = 0;
    history(s, k, d, 0, z);
    if (!s->adams) return fabsl(power(s, d, 1, 0) - z[1]);
    for (int j = k; j >= 0; j--) at_start = z[j] - at_start; /* at x = -1 */
    return fabsl(power(s, d, 0, 0) - power(s, d, 0, -1) - (z[0] - at_start));
}

static void check_same(struct setting *s)
{
    double const e = fabs((double)exact_e(s, &s->f, s->q + 1, 0));
    double const local = (double)local_error(s, s->q, s->q + 1);
    double const tolerance = table_error(s) / s->f.l0 * e + oracle_error(s);
    CHECK_CLOSE(s->f.same * e, local, tolerance);
    CHECK(local > 50 * tolerance); /* the test is not empty */
}

TEST(same_times_e_is_the_local_error)
{
    for_all(check_same);
}

static void check_down(struct setting *s)
{
    if (s->q == 1) return;
    double const row = (double)power(s, s->q, s->q, 0), down = s->family->down(s->q, s->xi);
    CHECK_CLOSE(down * row, (double)local_error(s, s->q - 1, s->q),
                table_error(s) * down * row + oracle_error(s));
}

TEST(down_times_the_last_row_is_the_local_error_of_the_order_below)
{
    for_all(check_down);
}

static void check_up(struct setting *s)
{
    int const d = s->q + 2;
    long double const factor = (long double)formula_before(&s->f, &s->before, s->q, s->ratio);
    long double const now = exact_e(s, &s->f, d, 0), then = factor * exact_e(s, &s->before, d, 1);
    double const size = (double)(fabsl(now) + fabsl(then));
    CHECK_CLOSE(s->f.up * fabs((double)(now - then)), (double)local_error(s, s->q + 1, d),
                table_error(s) / s->f.l0 * size + oracle_error(s));
}

TEST(up_times_the_change_of_e_is_the_local_error_of_the_order_above)
{
    for_all(check_up);
}

/* A step on exact data of degree q + 1 whose correction raises the order: the history is then exact, but for the value
   of Adams, which is that of the step. */
static void check_raise(struct setting *s)
{
    int const q = s->q;
    long double z[POINTS];
    double l[POINTS];
    if (q == (s->adams ? ADAMS_ORDERS : BDF_ORDERS)) return;
    long double const e = exact_e(s, &s->f, q + 1, 0);
    s->family->raise(q, s->xi, s->f.l0, l);
    history(s, q, q + 1, 1, z);
    predict(q, z);
    z[q + 1] = 0;
    for (int j = s->adams; j <= q + 1; j++) {
        double const tolerance =
            table_error(s) * fabs((double)e) * (1 + fabs(l[j])) + oracle_error(s);
        CHECK_CLOSE((double)(z[j] + (long double)l[j] * e), (double)power(s, q + 1, j, 0),
                    tolerance);
    }
    CHECK(l[0] == 1);
}

TEST(raising_the_order_keeps_one_more_past_point)
{
    for_all(check_raise);
}

/* A history of order q lowered is that of order q - 1 on the same data, here of a higher degree. */
static void check_lower(struct setting *s)
{
    int const q = s->q;
    long double all[POINTS], less[POINTS];
    double m[POINTS] = {0};
    if (q == 1) return;
    history(s, q, q + 2, 0, all);
    history(s, q - 1, q + 2, 0, less);
    s->family->lower(q, s->xi, m);
    for (int j = 1; j < q; j++) {
        long double const change = (long double)m[j] * all[q];
        double const tolerance = table_error(s) * fabs((double)change) + oracle_error(s);
        CHECK_CLOSE((double)(all[j] - change), (double)less[j], tolerance);
    }
}

TEST(lowering_the_order_keeps_all_past_points_but_the_oldest)
{
    for_all(check_lower);
}
