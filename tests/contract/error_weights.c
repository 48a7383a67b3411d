/* SPDX-License-Identifier: Apache-2.0 */
/* Error weights by a function of the user's: A -> B -> C with rates p = (2, 0.5), a = exp(-p1 t),
   b = p1 (exp(-p2 t) - exp(-p1 t))/(p1 - p2), as ODE and, with a second b that an equation ties to the first, as DAE. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <tansy/tansy.h>

enum { N = 3, NP = 2, SENS = N * NP };

enum weigh { AS_TOLERANCES, BY_LARGEST, ZERO, NEGATIVE, NOT_A_NUMBER, INFINITE, REFUSE, STOP };

struct user {
    enum weigh weigh;
    double after; /* faults begin when a has fallen below this */
    double rtol, atol;
    bool columns; /* faults are in columns of S, not in the state */
    size_t calls;
};

static int chain(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = -p[0] * y[0];
    f[1] = p[0] * y[0] - p[1] * y[1];
    f[2] = p[1] * y[1];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    (void)y;
    (void)context;
    J[0] = -p[0];
    J[N] = p[0];
    J[N + 1] = -p[1];
    J[2 * N + 1] = p[1];
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    (void)context;
    for (size_t k = 0; k < columns; k++) {
        double const first = p[0] * V[k] + y[0] * U[k],
                     second = p[1] * V[ld + k] + y[1] * U[ld + k];
        R[k] = -first;
        R[ld + k] = first - second;
        R[2 * ld + k] = second;
    }
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t;
    (void)context;
    F[0] = yp[0] + p[0] * y[0];
    F[1] = yp[1] - p[0] * y[0] + p[1] * y[2];
    F[2] = y[2] - y[1];
    return 0;
}

static double faulty(const struct user *u, double right)
{
    switch (u->weigh) {
    case ZERO:
        return 0;
    case NEGATIVE:
        return -right;
    case NOT_A_NUMBER:
        return (double)NAN;
    case INFINITE:
        return HUGE_VAL;
    default:
        return right;
    }
}

/* One column of values into weights. */
static void weigh_column(const struct user *u, size_t ld, double *v, bool fails)
{
    double largest = 0;
    for (size_t i = 0; i < N; i++) largest = fmax(largest, fabs(v[i * ld]));
    for (size_t i = 0; i < N; i++) {
        double const size = u->weigh == BY_LARGEST ? largest : fabs(v[i * ld]);
        double const right = u->rtol * size + u->atol;
        v[i * ld] = fails && i == 1 ? faulty(u, right) : right;
    }
}

static int weights(size_t columns, size_t ld, double *v, void *context)
{
    struct user *const u = context;
    u->calls++;
    bool const is_state = columns == 1; /* S comes with two */
    /* c is a known function of time; of columns it is not, but they are 0 in the beginning. */
    bool const due = is_state ? fabs(v[0]) <= u->after : fabs(v[0]) > 1 - u->after;
    bool const fails = u->weigh >= ZERO && is_state != u->columns && due;
    if (fails && u->weigh == REFUSE) return 3;
    if (fails && u->weigh == STOP) return -3;
    for (size_t k = 0; k < columns; k++) weigh_column(u, ld, v + k, fails);
    return 0;
}

static const double y0[N] = {1, 0, 0}, rate[NP] = {2, 0.5};

static tansy_problem problem_of(struct user *u, bool dae)
{
    static const tansy_kind kind[N] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL, TANSY_ALGEBRAIC};
    tansy_problem q = {.n = N, .np = NP, .y0 = y0, .p = rate, .context = u};
    if (dae) {
        q.residual = residual;
        q.kind = kind;
    } else {
        q.rhs = chain;
        q.jacobian = jacobian;
        q.tangent = tangent;
    }
    q.error_weights = weights;
    return q;
}

/* a, b and their sensitivities at t. */
static void exact(double t, double *y, double *sens)
{
    double const p = rate[0], q = rate[1], a = exp(-p * t), c = exp(-q * t), d = p - q;
    y[0] = a;
    y[1] = p * (c - a) / d;
    sens[0] = -t * a;
    sens[1] = (c - a) / d + p * t * a / d - p * (c - a) / (d * d);
    sens[N] = 0;
    sens[N + 1] = -p * t * c / d + p * (c - a) / (d * d);
}

struct way {
    tansy_method method;
    tansy_sensitivities sensitivities;
    bool dae;
};
static const struct way ways[] = {
    {TANSY_ADAMS, TANSY_STAGGERED, false},    {TANSY_BDF, TANSY_STAGGERED, false},
    {TANSY_BDF, TANSY_SIMULTANEOUS, false},   {TANSY_BDF, TANSY_DIRECT, false},
    {TANSY_RK8, TANSY_TANGENT, false},        {TANSY_RK8, TANSY_DIFFERENCE, false},
    {TANSY_ROSENBROCK, TANSY_TANGENT, false}, {TANSY_ROSENBROCK, TANSY_DIFFERENCE, false},
    {TANSY_LIMEX, TANSY_STAGGERED, false},    {TANSY_LIMEX, TANSY_SIMULTANEOUS, false},
    {TANSY_LIMEX, TANSY_DIFFERENCE, false},   {TANSY_METHOD_AUTO, TANSY_SENSITIVITIES_AUTO, false},
    {TANSY_DASSL, TANSY_STAGGERED, true},     {TANSY_DASSL, TANSY_SIMULTANEOUS, true},
    {TANSY_DASSL, TANSY_DIRECT, true}};
enum { WAYS = sizeof ways / sizeof *ways };

static tansy_options options_of(const struct way *way, const struct user *u)
{
    return (tansy_options){.method = way->method,
                           .sensitivities = way->sensitivities,
                           .rtol = u->rtol,
                           .atol = u->atol};
}

/* The scales of the rates are powers of 2: only roundoff tells the two formulas apart.  Once in two pieces, with a start anew. */
static void check_same_steps(size_t breaks)
{
    static const double halfway = 1;
    for (size_t c = 0; c < WAYS; c++) {
        struct user u = {.rtol = 1e-6, .atol = 1e-9};
        tansy_options const options = options_of(&ways[c], &u);
        tansy_problem problem = problem_of(&u, ways[c].dae);
        problem.breaks = breaks;
        problem.break_times = &halfway;
        double y[2][N], sens[2][SENS];
        tansy_stats stats[2];
        for (int own = 1; own >= 0; own--) {
            if (!own) problem.error_weights = NULL;
            tansy_solver *const s = tansy_create(&problem, &options);
            CHECK_EQUAL(tansy_solve(s, 3, y[own], sens[own]), TANSY_OK);
            tansy_get_stats(s, &stats[own]);
            tansy_free(s);
        }
        CHECK(u.calls > stats[1].steps);
        CHECK_EQUAL(stats[1].steps, stats[0].steps);
        CHECK_EQUAL(stats[1].rejected_error, stats[0].rejected_error);
        for (size_t x = 0; x < N; x++) CHECK_CLOSE(y[1][x], y[0][x], 1e-10);
        for (size_t x = 0; x < SENS; x++) CHECK_CLOSE(sens[1][x], sens[0][x], 1e-10);
    }
}

TEST(weights_like_the_tolerances_make_the_same_steps)
{
    check_same_steps(0);
    check_same_steps(1);
}

/* In units of the largest component; columns in those of y, as the scale of p makes them. */
TEST(errors_follow_the_weights_given)
{
    for (size_t c = 0; c < WAYS; c++) {
        struct user u = {.weigh = BY_LARGEST, .rtol = 1e-6, .atol = 1e-12};
        tansy_options const options = options_of(&ways[c], &u);
        tansy_problem const problem = problem_of(&u, ways[c].dae);
        double y[N], sens[SENS], right[N], right_sens[SENS];
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 3, y, sens), TANSY_OK);
        tansy_free(s);
        exact(3, right, right_sens);
        for (size_t i = 0; i < 2; i++) {
            CHECK_CLOSE(y[i], right[i], 100 * u.rtol * right[1]);
            for (size_t k = 0; k < NP; k++)
                CHECK_CLOSE(rate[k] * sens[k * N + i], rate[k] * right_sens[k * N + i],
                            100 * u.rtol * rate[k] * fabs(right_sens[k * N + 1]));
        }
    }
}

TEST(looser_weights_make_fewer_steps_at_the_same_tolerances)
{
    for (size_t c = 0; c < WAYS; c++) {
        size_t steps[2];
        for (int loose = 0; loose < 2; loose++) {
            struct user u = {.rtol = 1e-8, .atol = 1e-11};
            tansy_options const options = options_of(&ways[c], &u);
            tansy_problem const problem = problem_of(&u, ways[c].dae);
            if (loose) /* the weights alone */
                u.rtol = u.atol = 1e-4;
            tansy_solver *const s = tansy_create(&problem, &options);
            CHECK_EQUAL(tansy_solve(s, 3, NULL, NULL), TANSY_OK);
            tansy_stats stats;
            tansy_get_stats(s, &stats);
            steps[loose] = stats.steps;
            tansy_free(s);
        }
        CHECK(steps[1] < steps[0]);
    }
}

/* What is said of a fault, and when: in the beginning, or on the way, where the output so far stands. */
static void check_fault(const struct way *way, enum weigh weigh, bool columns, double after)
{
    struct user u = {
        .weigh = weigh, .after = after, .rtol = 1e-5, .atol = 1e-8, .columns = columns};
    tansy_options const options = options_of(way, &u);
    tansy_problem const problem = problem_of(&u, way->dae);
    tansy_solver *const s = tansy_create(&problem, &options);
    double y[N];
    tansy_status const status = tansy_solve(s, 3, y, NULL);
    CHECK_EQUAL(status, weigh == REFUSE ? TANSY_USER_FAILED
                        : weigh == STOP ? TANSY_USER_STOPPED
                                        : TANSY_ZERO_WEIGHT);
    const char *const text = tansy_message(s);
    CHECK_TEXT_CONTAINS(text, "error_weights");
    if (status == TANSY_ZERO_WEIGHT) {
        CHECK_TEXT_CONTAINS(text, columns ? "dy/dp_0" : "the state");
        CHECK_TEXT_CONTAINS(text, "above 0");
        CHECK_TEXT_CONTAINS(text, "component 1");
    }
    if (after < 1 && !columns) {
        double const t = tansy_time(s), a = exp(-rate[0] * t);
        CHECK(t > 0 && t < 3);
        CHECK_CLOSE(y[0], a, 100 * u.rtol * a);
    }
    tansy_free(s);
}

TEST(weights_that_are_none_and_functions_that_fail_are_told)
{
    for (size_t c = 0; c < WAYS; c++)
        for (enum weigh weigh = ZERO; weigh <= STOP; weigh++)
            for (int columns = 0; columns < 2; columns++) {
                check_fault(&ways[c], weigh, columns != 0, 1);
                if (!columns) check_fault(&ways[c], weigh, false, 0.5);
            }
}

/* y' = 1.2 - 0.1 y up to y = 1, where it turns to y' = -y: beyond, where steps look for the root, the function has no weights. */
static int turn(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = p[1] != 0 ? -p[0] * y[0] : p[0] * (1.2 - 0.1 * y[0]);
    return 0;
}

static int surface(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t;
    (void)context;
    g[0] = y[0] - (p[1] != 0 ? 0.2 : 1);
    return 0;
}

static int up_to_one(size_t columns, size_t ld, double *v, void *context)
{
    (void)ld;
    bool const *const refuses = context;
    if (*refuses && columns == 1 && fabs(v[0]) > 1.00001) return 1;
    for (size_t k = 0; k < columns; k++) v[k] = 1e-5 * fabs(v[k]) + 1e-8;
    return 0;
}

TEST(what_weights_are_beyond_a_root_does_not_matter)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF, TANSY_DASSL};
    for (size_t x = 0; x < sizeof methods / sizeof *methods; x++) {
        double y[2], S[2];
        for (int refuses = 0; refuses < 2; refuses++) {
            double const start = 0, p = 1;
            bool context = refuses != 0;
            tansy_problem const problem = {.n = 1,
                                           .np = 1,
                                           .y0 = &start,
                                           .p = &p,
                                           .rhs = turn,
                                           .switches = 1,
                                           .switch_function = surface,
                                           .error_weights = up_to_one,
                                           .context = &context};
            tansy_options const options = {.method = methods[x], .rtol = 1e-5, .atol = 1e-8};
            tansy_solver *const s = tansy_create(&problem, &options);
            CHECK_EQUAL(tansy_solve(s, 2, &y[refuses], &S[refuses]), TANSY_OK);
            tansy_free(s);
        }
        CHECK_CLOSE(y[1], y[0], 100 * (1e-5 * fabs(y[0]) + 1e-8));
        CHECK_CLOSE(S[1], S[0], 100 * (1e-5 * fabs(S[0]) + 1e-8));
    }
}
