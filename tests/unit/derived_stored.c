/* SPDX-License-Identifier: Apache-2.0 */
/* Derived quantities from a stored solution of a problem with conditions and break times: they are those of the run, on the
   side it comes from.  What differences of Q move is seen by functions that remember what follows from p, and is of the scale of p. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

enum { N = 2, SWITCHES = 2, MODE = 2, PIECE = MODE + SWITCHES, NQ = 4 };

/* Calls of the switch functions; the one that fails, and how. */
struct user {
    int calls, bad, code;
};

/* A swing with a drive that depends on two conditions, the second on the first, and on the piece. */
static int swing(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = y[1];
    f[1] = -p[0] * y[0] + (p[MODE] != 0 ? 0.3 : -0.1) * p[1] + 0.2 * p[MODE + 1] + 0.1 * p[PIECE];
    return 0;
}

static int conditions(double t, const double *y, const double *p, double *g, void *context)
{
    struct user *const user = context;
    g[0] = y[0] - 0.4;
    g[1] = y[1] - (p[MODE] != 0 ? 0.1 * t : -0.2);
    return ++user->calls == user->bad ? user->code : 0;
}

static int tell(double t, const double *y, const double *yp, const double *p, double *Q,
                void *context)
{
    (void)t, (void)context;
    Q[0] = p[MODE] != 0 ? p[0] * y[0] : y[1];
    Q[1] = p[MODE + 1] != 0 ? 3 * y[1] : p[1];
    Q[2] = p[PIECE] * yp[1];
    Q[3] = 4 * p[PIECE] + 2 * p[MODE] + p[MODE + 1];
    return 0;
}

static const double y0[N] = {1, 0.1}, p[] = {2, 0.7}, breaks[] = {-1, 0, 0.9, 2, 7};

static tansy_problem swinging(struct user *user)
{
    return (tansy_problem){.n = N,
                           .np = 2,
                           .y0 = y0,
                           .p = p,
                           .context = user,
                           .rhs = swing,
                           .switches = SWITCHES,
                           .switch_function = conditions,
                           .breaks = 5,
                           .break_times = breaks,
                           .nq = NQ,
                           .derived = tell};
}

/* What is stored where the solver stands gives what the run gives there. */
static void compare(tansy_solver *s, const tansy_problem *problem)
{
    double const t = tansy_time(s);
    double y[N], yp[N], S[2 * N], Sp[2 * N], Q[NQ], Q_p[2 * NQ], stored[NQ], stored_p[2 * NQ];
    char message[200] = "";
    CHECK_EQUAL(tansy_at(s, t, y, yp, S, Sp), TANSY_OK);
    CHECK_EQUAL(tansy_derived_at(s, t, Q, Q_p), TANSY_OK);
    tansy_stored const at = {t, y, yp, S, Sp};
    CHECK_EQUAL(tansy_derived_from(problem, &at, stored, stored_p, message, sizeof message),
                TANSY_OK);
    for (int q = 0; q < NQ; q++) CHECK_CLOSE(stored[q], Q[q], 0);
    /* without tolerances increments are 6e-6 of 1e-3 of y at least: eps/6e-9 of numbers below 10 */
    for (int x = 0; x < 2 * NQ; x++) CHECK_CLOSE(stored_p[x], Q_p[x], 1e-6);
}

TEST(stored_solutions_know_modes_and_pieces)
{
    static const tansy_method methods[] = {TANSY_BDF, TANSY_ADAMS, TANSY_RK8};
    for (int m = 0; m < 3; m++)
        for (int way = -1; way <= 1; way += 2) {
            struct user user = {.calls = 0};
            tansy_problem const problem = swinging(&user);
            tansy_stats stats;
            tansy_solver *const s =
                tansy_create(&problem, &(tansy_options){.method = methods[m], .rtol = 1e-7});
            while (way * tansy_time(s) < 10) {
                CHECK_EQUAL(tansy_step(s, way * 10, NULL, NULL), TANSY_OK);
                compare(s, &problem); /* at switching points and break times, too */
            }
            tansy_get_stats(s, &stats);
            CHECK(stats.switches > 4);
            tansy_free(s);
        }
}

/* At t0 = 0, itself a break time, the piece ahead. */
TEST(a_stored_start_has_the_piece_ahead)
{
    struct user user = {.calls = 0};
    tansy_problem const problem = swinging(&user);
    double Q[NQ];
    CHECK_EQUAL(
        tansy_derived_from(&problem, &(tansy_stored){0, y0, y0, NULL, NULL}, Q, NULL, NULL, 0),
        TANSY_OK);
    CHECK(Q[3] == 4 * 2 + 2 + 1);
    static const double edge[N] = {0.4, 0}, up[N] = {1, 0}, down[N] = {-1, 0};
    CHECK_EQUAL(
        tansy_derived_from(&problem, &(tansy_stored){0, edge, up, NULL, NULL}, Q, NULL, NULL, 0),
        TANSY_OK);
    CHECK(Q[3] == 4 * 2 + 2); /* it will hold, and y[1] < 0.1 t */
    CHECK_EQUAL(
        tansy_derived_from(&problem, &(tansy_stored){0, edge, down, NULL, NULL}, Q, NULL, NULL, 0),
        TANSY_OK);
    CHECK(Q[3] == 4 * 2 + 1); /* it will not, and y[1] > -0.2 */
}

/* A thermostat: between 1 and 2 it is on or off; beyond there is no doubt.  Upside down it contradicts itself there. */
static int thermostat(double t, const double *y, const double *q, double *g, void *context)
{
    const double *const sign = context;
    (void)t;
    g[0] = ((q[0] != 0) == (*sign > 0) ? 2 : 1) - y[0];
    return 0;
}

static int tell_mode(double t, const double *y, const double *yp, const double *q, double *Q,
                     void *context)
{
    (void)t, (void)y, (void)yp, (void)context;
    Q[0] = q[0];
    return 0;
}

static tansy_status ask_thermostat(double y, double sign, double *Q, char *message, size_t size)
{
    static const double rate = 0;
    tansy_problem const problem = {.n = 1,
                                   .switches = 1,
                                   .switch_function = thermostat,
                                   .context = &sign,
                                   .nq = 1,
                                   .derived = tell_mode};
    tansy_stored const at = {0, &y, &rate, NULL, NULL};
    return tansy_derived_from(&problem, &at, Q, NULL, message, size);
}

TEST(a_stored_solution_does_not_tell_hysteresis)
{
    double Q;
    char message[200];
    CHECK_EQUAL(ask_thermostat(0.5, 1, &Q, NULL, 0), TANSY_OK);
    CHECK(Q == 1);
    CHECK_EQUAL(ask_thermostat(2.5, 1, &Q, NULL, 0), TANSY_OK);
    CHECK(Q == 0);
    CHECK_EQUAL(ask_thermostat(1.5, 1, &Q, message, sizeof message), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(message, "tansy_derived_at");
    CHECK_EQUAL(ask_thermostat(1.5, -1, &Q, message, sizeof message), TANSY_BAD_CALL);
}

/* Every call of the switch functions fails once: those that only look nearby do without, and all may stop. */
TEST(a_switch_function_that_fails_is_named)
{
    for (int code = -7; code <= 3; code += 10)
        for (int bad = 1, all = 1; bad <= all; bad++) {
            struct user user = {.bad = bad, .code = code};
            tansy_problem const problem = swinging(&user);
            double Q[NQ];
            char message[200] = "";
            tansy_stored const at = {1, y0, y0, NULL, NULL};
            tansy_status const status =
                tansy_derived_from(&problem, &at, Q, NULL, message, sizeof message);
            if (status == TANSY_OK) {
                CHECK(Q[3] == 4 * 3 + 2 + 1 - (y0[1] < 0.1));
                CHECK(code > 0);
            } else {
                CHECK_EQUAL(status, code < 0 ? TANSY_USER_STOPPED : TANSY_USER_FAILED);
                CHECK_TEXT_CONTAINS(message, "switch_function");
            }
            user = (struct user){.calls = 0};
            CHECK_EQUAL(tansy_derived_from(&problem, &at, Q, NULL, NULL, 0), TANSY_OK);
            all = user.calls;
        }
    struct user user = {.calls = 0};
    tansy_problem const problem = swinging(&user);
    double const lost[N] = {nan(""), 0};
    double Q[NQ];
    CHECK_EQUAL(
        tansy_derived_from(&problem, &(tansy_stored){1, lost, y0, NULL, NULL}, Q, NULL, NULL, 0),
        TANSY_NOT_FINITE);
}

/* y' = 1; conditions y > 0 and sqrt(y) > 1, the second of which has no value where the first does not hold. */
struct guarded {
    int wanted;           /* Q: 0: both hold, 1: the second alone, 2: it fails */
    int calls, bad, code; /* as above */
};

static int rise(double t, const double *y, const double *q, double *f, void *context)
{
    (void)t, (void)y, (void)q, (void)context;
    f[0] = 1;
    return 0;
}

static int guard(double t, const double *y, const double *q, double *g, void *context)
{
    struct guarded *const user = context;
    (void)t;
    g[0] = y[0];
    g[1] = sqrt(y[0]) - 1;
    g[2] = user->wanted == 3 ? q[2] - 0.5 : 1;
    return ++user->calls == user->bad ? user->code : 0;
}

static int both(double t, const double *y, const double *yp, const double *q, double *Q,
                void *context)
{
    const struct guarded *const user = context;
    (void)t, (void)yp;
    Q[0] = user->wanted != 1 && q[1] == 0 ? y[0] : q[2] != 0 ? 3 * y[0] : 2 * y[0];
    return user->wanted == 2 ? 7 : 0;
}

static tansy_status from_guarded(struct guarded *user, double y, double *Q)
{
    static const double one[] = {1}, start[] = {-1};
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .p = one,
                                   .y0 = start,
                                   .t0 = -1,
                                   .context = user,
                                   .rhs = rise,
                                   .switches = 3,
                                   .switch_function = guard,
                                   .nq = 1,
                                   .derived = both};
    user->calls = 0;
    return tansy_derived_from(&problem, &(tansy_stored){y, &y, one, NULL, NULL}, Q, NULL, NULL, 0);
}

TEST(a_condition_without_a_value_counts_where_it_is_needed_only)
{
    double const at[] = {-0.5, 0.5, 2}, times[] = {1, 2, 3};
    double Q = 0;
    struct guarded user = {.wanted = 0};
    for (int k = 0; k < 3; k++) {
        CHECK_EQUAL(from_guarded(&user, at[k], &Q), TANSY_OK);
        CHECK_CLOSE(Q, times[k] * at[k], 1e-15);
    }
    user.wanted = 1; /* Q depends on it */
    CHECK_EQUAL(from_guarded(&user, at[0], &Q), TANSY_NOT_FINITE);
    CHECK_EQUAL(from_guarded(&user, at[1], &Q), TANSY_OK);
    user.wanted = 2;
    CHECK_EQUAL(from_guarded(&user, at[0], &Q), TANSY_USER_FAILED);
    user.wanted = 3; /* g_2 depends on it */
    CHECK_EQUAL(from_guarded(&user, at[0], &Q), TANSY_NOT_FINITE);
}

TEST(a_condition_without_a_value_may_stop_all)
{
    struct guarded user = {.wanted = 0};
    double Q = 0;
    CHECK_EQUAL(from_guarded(&user, -0.5, &Q), TANSY_OK);
    int const all = user.calls;
    user.code = -1;
    for (user.bad = 1; user.bad <= all; user.bad++)
        CHECK_EQUAL(from_guarded(&user, -0.5, &Q), TANSY_USER_STOPPED);
}

/* k = exp(p), computed again when the version of p changes. */
struct memory {
    size_t version;
    double k;
};

static double remembered(const double *q, const tansy_local *local)
{
    struct memory *const m = local->scratch;
    if (m->version != local->version) *m = (struct memory){local->version, exp(q[0])};
    return m->k;
}

static int decay(double t, const double *y, const double *q, double *f, void *context)
{
    (void)t;
    f[0] = -remembered(q, context) * y[0];
    return 0;
}

static int flux(double t, const double *y, const double *yp, const double *q, double *Q,
                void *context)
{
    (void)t, (void)yp;
    Q[0] = remembered(q, context) * y[0];
    return 0;
}

/* Q = k y, dQ/dp = k y + k s. */
TEST(differences_of_derived_quantities_change_the_version_of_p)
{
    static const double one = 1, q = -0.5;
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .y0 = &one,
                                   .p = &q,
                                   .rhs = decay,
                                   .scratch = sizeof(struct memory),
                                   .nq = 1,
                                   .derived = flux};
    double y, yp, S, Sp, Q, Q_p;
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-8});
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_at(s, 1, &y, &yp, &S, &Sp), TANSY_OK);
    double const k = exp(q), exact = k * y + k * S;
    CHECK_EQUAL(tansy_derived_at(s, 1, &Q, &Q_p), TANSY_OK);
    CHECK_CLOSE(Q_p, exact, 1e-9);
    CHECK_EQUAL(
        tansy_derived_from(&problem, &(tansy_stored){1, &y, &yp, &S, &Sp}, &Q, &Q_p, NULL, 0),
        TANSY_OK);
    CHECK_CLOSE(Q_p, exact, 1e-9);
    CHECK_CLOSE(Q, k * y, 1e-15);
    tansy_free(s);
}

/* Q = sin(p/scale) at p = 0: dQ/dp = 1/scale, by increments of the scale, or of the range of its bounds. */
static int wave(double t, const double *y, const double *yp, const double *q, double *Q,
                void *context)
{
    (void)t, (void)yp;
    Q[0] = sin(q[0] / *(const double *)context) * y[0];
    return 0;
}

TEST(differences_of_derived_quantities_are_of_the_scale_of_p)
{
    static const double sizes[] = {1e-7, 1e6}, one = 1, none = 0;
    for (int c = 0; c < 6; c++) {
        double const size = sizes[c % 2], bound[] = {-size, size};
        double const q = c < 4 ? 0 : 1e-20 * size, infinite = HUGE_VAL;
        tansy_problem problem = {
            .n = 1, .np = 1, .p = &q, .context = (void *)&size, .nq = 1, .derived = wave};
        tansy_stored const at = {0, &one, &none, &none, &none};
        double Q, Q_p;
        if (c < 2)
            problem.bound = bound;
        else
            problem.scale = &size;
        CHECK_EQUAL(tansy_derived_from(&problem, &at, &Q, &Q_p, NULL, 0), TANSY_OK);
        CHECK_CLOSE(size * Q_p, 1, 1e-9); /* (1.2e-5)^2/6 */
        problem.scale = &infinite;
        CHECK_EQUAL(tansy_derived_from(&problem, &at, &Q, &Q_p, NULL, 0), TANSY_OK);
    }
}
