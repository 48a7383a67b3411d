/* SPDX-License-Identifier: Apache-2.0 */
/* Interval arithmetic with derivatives: (v, v') -> (F(v), F'(v) v'), every product and quotient over all corners. */
#include "model/interval.h"

#include <float.h>
#include <math.h>

static const double half_turn = 3.14159265358979323846; /* pi */
static const double slack = 16 * DBL_EPSILON; /* the programs' functions are within 4 eps */

struct interval interval_whole(void)
{
    return (struct interval){-HUGE_VAL, HUGE_VAL};
}

struct interval interval_of(double value)
{
    return isnan(value) ? interval_whole() : (struct interval){value, value};
}

struct interval interval_hull(struct interval a, struct interval b)
{
    return (struct interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static bool is_zero(struct interval a)
{
    return a.low == 0 && a.high == 0;
}

static bool holds(struct interval a, double x)
{
    return a.low <= x && x <= a.high;
}

/* Moved outward; NaN at an end: anything. */
static struct interval outward(double low, double high)
{
    if (isnan(low) || isnan(high)) return interval_whole();
    low = fmin(low, DBL_MAX); /* what overflowed is at least that */
    high = fmax(high, -DBL_MAX);
    return (struct interval){low - slack * fabs(low) - DBL_MIN,
                             high + slack * fabs(high) + DBL_MIN};
}

static struct interval negate(struct interval a)
{
    return (struct interval){-a.high, -a.low};
}

/* A whole number, such as the truth of a condition, which sums leave whole: `and` and `or` are products and sums. */
static bool is_whole(struct interval a)
{
    return a.low == a.high && fabs(a.low) <= 1 / DBL_EPSILON && a.low == floor(a.low);
}

static struct interval add(struct interval a, struct interval b)
{
    if (is_zero(a)) return b;
    if (is_zero(b)) return a;
    if (is_whole(a) && is_whole(b)) return interval_of(a.low + b.low);
    return outward(a.low + b.low, a.high + b.high);
}

/* 0 times an infinite bound is 0: the bound is no value. */
static double corner(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static struct interval hull_of_four(const double *x)
{
    return outward(fmin(fmin(x[0], x[1]), fmin(x[2], x[3])),
                   fmax(fmax(x[0], x[1]), fmax(x[2], x[3])));
}

static struct interval multiply(struct interval a, struct interval b)
{
    if (is_zero(a) || is_zero(b)) return interval_of(0);
    if (a.low == 1 && a.high == 1) return b;
    if (b.low == 1 && b.high == 1) return a;
    double const x[] = {corner(a.low, b.low), corner(a.low, b.high), corner(a.high, b.low),
                        corner(a.high, b.high)};
    return hull_of_four(x);
}

static struct interval divide(struct interval a, struct interval b)
{
    if (holds(b, 0)) return interval_whole();
    if (is_zero(a)) return a;
    return multiply(a, outward(1 / b.high, 1 / b.low));
}

/* x^2 without the corner that does not exist. */
static struct interval square(struct interval a)
{
    if (is_zero(a) || (a.low == 1 && a.high == 1)) return a;
    double const low = holds(a, 0) ? 0 : fmin(fabs(a.low), fabs(a.high));
    double const high = fmax(fabs(a.low), fabs(a.high));
    return outward(low * low, high * high);
}

/* A function that rises, on its domain [from, to]. */
static struct interval rising(double (*f)(double), struct interval a, double from, double to)
{
    if (a.low < from || a.high > to) return interval_whole();
    return outward(f(a.low), f(a.high));
}

static struct interval limit(struct interval a, double low, double high)
{
    return (struct interval){fmax(a.low, low), fmin(a.high, high)};
}

/* cos reaches 1 at all even multiples of pi, -1 at the odd ones; the argument is widened by its own rounding. */
static struct interval cosine(struct interval a)
{
    struct interval const w = outward(a.low, a.high);
    if (!(w.high - w.low < 2 * half_turn) || fabs(w.low) > 1e12) return (struct interval){-1, 1};
    double const from = w.low / half_turn, to = w.high / half_turn;
    bool const top = floor(to / 2) >= ceil(from / 2);
    bool const bottom = floor((to - 1) / 2) >= ceil((from - 1) / 2);
    struct interval const ends = interval_hull(interval_of(cos(a.low)), interval_of(cos(a.high)));
    double const error = slack + 2 * DBL_EPSILON * fmax(fabs(a.low), fabs(a.high));
    return limit((struct interval){bottom ? -1 : ends.low - error, top ? 1 : ends.high + error}, -1,
                 1);
}

static struct interval sine(struct interval a)
{
    return cosine(outward(a.low - half_turn / 2, a.high - half_turn / 2));
}

static struct interval tangent(struct interval a)
{
    struct interval const w = outward(a.low, a.high);
    double const from = floor(w.low / half_turn - 0.5), to = floor(w.high / half_turn - 0.5);
    if (from != to || !(fabs(w.low) < 1e12))
        return interval_whole(); /* a pole, or too far to tell */
    return outward(tan(w.low), tan(w.high));
}

static struct interval hyperbolic_cosine(struct interval a)
{
    double const low = holds(a, 0) ? 0 : fmin(fabs(a.low), fabs(a.high));
    return outward(cosh(low), cosh(fmax(fabs(a.low), fabs(a.high))));
}

/* a^b for a number b that is whole, any a. */
static struct interval whole_power(struct interval a, double b)
{
    bool const even = fmod(b, 2) == 0;
    if (b == 0) return interval_of(1);
    if (b < 0 && holds(a, 0)) return interval_whole();
    double const x = pow(a.low, b), y = pow(a.high, b);
    if (even && holds(a, 0)) return outward(0, fmax(x, y));
    return outward(fmin(x, y), fmax(x, y));
}

/* For a >= 0 the power is monotone in each argument: the extremes stand in corners. */
static struct interval power(struct interval a, struct interval b)
{
    if (b.low == b.high && b.low == floor(b.low) && isfinite(b.low)) return whole_power(a, b.low);
    if (a.low < 0) return interval_whole();
    a.low += 0.0; /* of -0 odd powers are negative */
    double const x[] = {pow(a.low, b.low), pow(a.low, b.high), pow(a.high, b.low),
                        pow(a.high, b.high)};
    return hull_of_four(x);
}

/* d(a^b) = b a^(b-1) a' + a^b log(a) b'. */
static struct interval power_slope(const struct enclosed *a, const struct enclosed *b,
                                   struct interval value)
{
    struct interval sum = interval_of(0);
    if (!is_zero(a->slope)) {
        struct interval const less = b->value.low == b->value.high ? interval_of(b->value.low - 1)
                                                                   : add(b->value, interval_of(-1));
        sum = multiply(multiply(b->value, power(a->value, less)), a->slope);
    }
    if (is_zero(b->slope)) return sum;
    struct interval const ln =
        a->value.low > 0 ? rising(log, a->value, 0, HUGE_VAL) : interval_whole();
    return add(sum, multiply(multiply(value, ln), b->slope));
}

static struct interval one_less(struct interval a)
{
    return add(interval_of(1), negate(a));
}

static struct interval value_of(uint32_t operation, struct interval a)
{
    switch (operation) {
    case OP_NEGATE:
        return negate(a);
    case OP_EXP:
        return limit(rising(exp, a, -HUGE_VAL, HUGE_VAL), 0, HUGE_VAL);
    case OP_LOG:
        return rising(log, a, 0, HUGE_VAL);
    case OP_SQRT:
        return limit(rising(sqrt, a, 0, HUGE_VAL), a.low >= 0 ? 0 : -HUGE_VAL, HUGE_VAL);
    case OP_SIN:
        return sine(a);
    case OP_COS:
        return cosine(a);
    case OP_TAN:
        return tangent(a);
    case OP_ASIN:
        return rising(asin, a, -1, 1);
    case OP_ACOS:
        return a.low < -1 || a.high > 1 ? interval_whole() : outward(acos(a.high), acos(a.low));
    case OP_ATAN:
        return rising(atan, a, -HUGE_VAL, HUGE_VAL);
    case OP_SINH:
        return rising(sinh, a, -HUGE_VAL, HUGE_VAL);
    case OP_COSH:
        return hyperbolic_cosine(a);
    default: /* OP_TANH */
        return limit(rising(tanh, a, -HUGE_VAL, HUGE_VAL), -1, 1);
    }
}

/* F'(a), with value = F(a). */
static struct interval derivative_of(uint32_t operation, struct interval a, struct interval value)
{
    struct interval const one = interval_of(1);
    switch (operation) {
    case OP_NEGATE:
        return interval_of(-1);
    case OP_EXP:
        return value;
    case OP_LOG:
        return divide(one, a);
    case OP_SQRT:
        return divide(interval_of(0.5), value);
    case OP_SIN:
        return cosine(a);
    case OP_COS:
        return negate(sine(a));
    case OP_TAN:
        return add(one, square(value));
    case OP_ASIN:
        return divide(one, rising(sqrt, one_less(square(a)), 0, HUGE_VAL));
    case OP_ACOS:
        return divide(interval_of(-1), rising(sqrt, one_less(square(a)), 0, HUGE_VAL));
    case OP_ATAN:
        return divide(one, add(one, square(a)));
    case OP_SINH:
        return hyperbolic_cosine(a);
    case OP_COSH:
        return rising(sinh, a, -HUGE_VAL, HUGE_VAL);
    default: /* OP_TANH */
        return limit(one_less(square(value)), 0, 1);
    }
}

static struct enclosed product(const struct enclosed *a, const struct enclosed *b)
{
    struct interval const value = a == b ? square(a->value) : multiply(a->value, b->value);
    return (struct enclosed){value,
                             add(multiply(a->slope, b->value), multiply(a->value, b->slope))};
}

/* (a/b)' = (a' - (a/b) b')/b. */
static struct enclosed quotient(const struct enclosed *a, const struct enclosed *b)
{
    struct interval const value = divide(a->value, b->value);
    struct interval const top = add(a->slope, negate(multiply(value, b->slope)));
    return (struct enclosed){value, divide(top, b->value)};
}

/* 1 or 0; both where it is not certain, with a jump in between. */
static struct enclosed at_least(const struct enclosed *a, const struct enclosed *b)
{
    if (a->value.low >= b->value.high) return (struct enclosed){interval_of(1), interval_of(0)};
    if (a->value.high < b->value.low) return (struct enclosed){interval_of(0), interval_of(0)};
    return (struct enclosed){{0, 1}, interval_whole()};
}

struct enclosed enclosed_operation(uint32_t operation, const struct enclosed *a,
                                   const struct enclosed *b)
{
    struct interval value;
    switch (operation) {
    case OP_ADD:
        return (struct enclosed){add(a->value, b->value), add(a->slope, b->slope)};
    case OP_SUBTRACT:
        return (struct enclosed){add(a->value, negate(b->value)), add(a->slope, negate(b->slope))};
    case OP_MULTIPLY:
        return product(a, b);
    case OP_DIVIDE:
        return quotient(a, b);
    case OP_POWER:
        value = power(a->value, b->value);
        return (struct enclosed){value, power_slope(a, b, value)};
    case OP_AT_LEAST:
        return at_least(a, b);
    default:
        value = value_of(operation, a->value);
        if (is_zero(a->slope)) return (struct enclosed){value, a->slope};
        return (struct enclosed){value,
                                 multiply(derivative_of(operation, a->value, value), a->slope)};
    }
}

struct enclosed enclosed_select(const struct enclosed *condition, const struct enclosed *then,
                                const struct enclosed *otherwise)
{
    if (!holds(condition->value, 0)) return *then;
    if (is_zero(condition->value)) return *otherwise;
    return (struct enclosed){interval_hull(then->value, otherwise->value), interval_whole()};
}
