/* SPDX-License-Identifier: Apache-2.0 */
/* x' = f(x, p) = -p - F(x) with F a root or a power of what a condition decides the sign of, across the kink, by all methods.
   In closed form, x(0) = a:   T = int_a^x dx/f,   dx/da = f(x)/f(a),   dx/dp = f(x) int_a^x f_p/f^2 dx. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/shared_object.h"
#include "test.h"

static const double T = 2;

struct kink {
    const char *text; /* F */
    double (*F)(double x);
    double at; /* the kink */
};

static double above(double x, double q)
{
    return x > 0 ? pow(x, q) : 0;
}

static double odd(double x, double q)
{
    return copysign(pow(fabs(x), q), x);
}

static double abs_25(double x)
{
    return 0.3 * pow(fabs(x), 2.5);
}

static double abs_15(double x)
{
    return 0.3 * pow(fabs(x), 1.5);
}

static double odd_15(double x)
{
    return 0.3 * odd(x, 1.5);
}

static double shifted_15(double x)
{
    return 0.3 * pow(fabs(x - 0.5), 1.5);
}

static double above_15(double x)
{
    return 0.3 * above(x, 1.5);
}

static double two_powers(double x)
{
    return x > 0.2 ? 0.3 * pow(x - 0.2, 1.5) : 0.6 * pow(0.2 - x, 1.25);
}

static double entropy(double x)
{
    return x > 0 ? 0.3 * x * log(x) : 0;
}

static double orifice(double x)
{
    return 0.3 * odd(x, 0.5);
}

static double shifted_05(double x)
{
    return 0.3 * sqrt(fabs(x - 0.2));
}

static const struct kink finite[] = {
    {"0.3*abs(x)^2.5", abs_25, 0},
    {"0.3*abs(x)*sqrt(abs(x))", abs_15, 0},
    {"0.3*abs(x)^q", abs_15, 0},
    {"0.3*sign(x)*abs(x)^1.5", odd_15, 0},
    {"0.3*x*abs(x)^0.5", odd_15, 0},
    {"-0.3*abs(x)^0.5*(-x)", odd_15, 0},
    {"0.3*abs(x-0.5)^1.5", shifted_15, 0.5},
    {"0.3*max(x, 0)^1.5", above_15, 0},
    {"0.3*(-min(0, -x))^1.5", above_15, 0},
    {"if x - c > 0 then 0.3*(x - c)^1.5 else 0.6*(c - x)^1.25", two_powers, 0.2},
    {"if x <= c or c > 1 then 0.6*(c - x)^1.25 else 0.3*(x - c)^1.5", two_powers, 0.2},
    {"if not (x > c and c < 1) then 0.6*(c - x)^1.25 else 0.3*(x - c)^1.5", two_powers, 0.2},
    {"if x > 0 then 0.3*x*log(x) else 0", entropy, 0},
};
static const struct kink infinite[] = {
    {"0.3*sign(x)*sqrt(abs(x))", orifice, 0},
    {"if x > 0 then 0.3*sqrt(x) else -0.3*sqrt(-x)", orifice, 0},
    {"0.3*abs(x-c)^0.5", shifted_05, 0.2},
    {"sqrt(2*0.045*abs(x-c))", shifted_05, 0.2},
};

static void write_model(const struct kink *k, char *text, size_t size)
{
    (void)snprintf(text, size,
                   "parameter p = 1, a = 1\nconstant c = 0.2\nparameter q = 1.5\nstate x = a\n"
                   "output unused = q\nx' = -p - (%s)\ntime 0 .. 2\n",
                   k->text);
}

/* int g(f(x)) dx from `at` to x by Simpson's rule in s, x = at + (x - at) s^4: |x - at|^1/2 is smooth in s. */
static double integral(const struct kink *k, double x, double (*g)(double f))
{
    enum { PARTS = 2000 };
    double sum = 0;
    for (int m = 0; m <= PARTS; m++) {
        double const s = (double)m / PARTS, weight = m % PARTS == 0 ? 1 : m % 2 ? 4 : 2;
        sum += weight * 4 * s * s * s * g(-1 - k->F(k->at + (x - k->at) * s * s * s * s));
    }
    return sum * (x - k->at) / (3 * PARTS);
}

static double inverse(double f)
{
    return 1 / f;
}

static double inverse_square(double f)
{
    return 1 / (f * f);
}

static tansy_model *read_text(const char *text)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    return m;
}

/* The model at T against its closed form. */
static void check_run(const tansy_model *m, const struct kink *k, tansy_options o)
{
    enum { P, A, NP = 3 };
    tansy_problem problem;
    double x = 0, s[NP] = {0};
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    CHECK_EQUAL(problem.np, NP);
    tansy_solver *const solver = tansy_create(&problem, &o);
    bool const columns = o.sensitivities != TANSY_NONE;
    tansy_status const status = tansy_solve(solver, T, &x, columns ? s : NULL);
    if (status != TANSY_OK)
        printf("method %d, %s: %s\n", (int)o.method, k->text, tansy_message(solver));
    CHECK_EQUAL(status, TANSY_OK);
    tansy_free(solver);
    double const f = -1 - k->F(x), start = -1 - k->F(1);
    double const bound = 100 * o.rtol; /* global errors, of a run of some hundred steps */
    CHECK_CLOSE(integral(k, x, inverse) - integral(k, 1, inverse), T, bound);
    if (!columns) return;
    CHECK_CLOSE(s[A], f / start, bound * 2);
    CHECK_CLOSE(s[P], -f * (integral(k, x, inverse_square) - integral(k, 1, inverse_square)),
                bound * 4);
}

static void check_methods(const struct kink *k, double rtol, tansy_sensitivities way)
{
    char text[1000];
    write_model(k, text, sizeof text);
    tansy_model *const m = read_text(text);
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        check_run(m, k,
                  (tansy_options){.method = (tansy_method)method,
                                  .rtol = rtol,
                                  .atol = 1e-3 * rtol,
                                  .sensitivities = way});
    tansy_model_free(m);
}

TEST(powers_above_one_of_what_a_condition_decides_are_crossed)
{
    for (size_t i = 0; i < sizeof finite / sizeof *finite; i++) {
        check_methods(&finite[i], 1e-6, TANSY_SENSITIVITIES_AUTO);
        check_methods(&finite[i], 1e-9, TANSY_SENSITIVITIES_AUTO);
        check_methods(&finite[i], 1e-6, TANSY_NONE);
    }
}

TEST(roots_with_infinite_slopes_are_crossed_with_finite_columns)
{
    for (size_t i = 0; i < sizeof infinite / sizeof *infinite; i++) {
        check_methods(&infinite[i], 1e-6, TANSY_SENSITIVITIES_AUTO);
        check_methods(&infinite[i], 1e-9, TANSY_SENSITIVITIES_AUTO);
        check_methods(&infinite[i], 1e-6, TANSY_NONE);
    }
}

TEST(exported_models_cross_them_too)
{
    static const struct kink *const some[] = {&finite[0], &finite[9], &finite[12], &infinite[0]};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char text[1000];
        write_model(some[i], text, sizeof text);
        tansy_model *const m = read_text(text), *const c = shared_object_of(m);
        CHECK(c != NULL);
        check_run(c, some[i], (tansy_options){.method = TANSY_BDF, .rtol = 1e-6, .atol = 1e-9});
        check_run(c, some[i], (tansy_options){.method = TANSY_RK8, .rtol = 1e-6, .atol = 1e-9});
        tansy_model_free(c);
        tansy_model_free(m);
    }
}
