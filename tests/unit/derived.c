/* SPDX-License-Identifier: Apache-2.0 */
/* Derived quantities (SENSD): the L2 norm of the solution and y' z of the decay in closed form, with their derivatives, by the problem's tangent
   and by differences, along a run and from a stored solution. */
#include "support/implicit_fade.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { NQ = 2 };
static const double rtol = 1e-7;

/* Q and dQ/dp from the closed form. */
static void exact_derived(double t, double *Q, double *Q_p)
{
    double y[FADE_N], yp[FADE_N], S[FADE_SENS], Sp[FADE_SENS];
    fade_exact(t, y, yp, S, Sp);
    Q[0] = hypot(y[0], y[1]);
    Q[1] = yp[0] * y[1];
    for (int k = 0; k < FADE_NP; k++) {
        Q_p[k * NQ] = (y[0] * S[2 * k] + y[1] * S[2 * k + 1]) / Q[0];
        Q_p[k * NQ + 1] = Sp[2 * k] * y[1] + yp[0] * S[2 * k + 1];
    }
}

/* y, S to 100 rtol; y', S' to 5/h times that with h >= 0.01 here: 5e-3.  Those only enter Q_1. */
static void is_right(double t, const double *Q, const double *Q_p, double slopes)
{
    double exact[NQ], exact_p[NQ * FADE_NP];
    exact_derived(t, exact, exact_p);
    for (int q = 0; q < NQ; q++) {
        double const tolerance = q == 0 ? 100 * rtol : slopes;
        CHECK_CLOSE(Q[q], exact[q], 4 * tolerance);
        for (int k = 0; k < FADE_NP; k++)
            CHECK_CLOSE(Q_p[k * NQ + q], exact_p[k * NQ + q], 8 * tolerance);
    }
}

static const int sources[] = {FADE_MATRICES, FADE_MATRICES | FADE_TANGENTS,
                              FADE_MASS_FORM | FADE_TANGENTS};
enum { SOURCES = sizeof sources / sizeof *sources };

TEST(derived_quantities_along_a_run_are_right)
{
    for (int it = 0; it < SOURCES; it++) {
        struct fade_user user = {.first = 0};
        tansy_problem const problem = fade_problem(&user, sources[it]);
        double Q[NQ], Q_p[NQ * FADE_NP];
        tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = rtol});
        for (double t = 0.5; t <= 3; t += 0.5) {
            CHECK_EQUAL(tansy_solve(s, t, NULL, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_derived_at(s, t, Q, Q_p), TANSY_OK);
            is_right(t, Q, Q_p, 1e-4);
            double alone[NQ];
            CHECK_EQUAL(tansy_derived_at(s, t, alone, NULL), TANSY_OK);
            CHECK(memcmp(alone, Q, sizeof Q) == 0);
        }
        CHECK_EQUAL(tansy_derived_at(s, 0, Q, Q_p), TANSY_BAD_CALL);
        tansy_free(s);
    }
}

/* To the rounding of tangents, and to what central differences reach: 6e-11 relative, of numbers below 5. */
TEST(derived_quantities_of_a_stored_solution_are_right)
{
    for (int it = 0; it < SOURCES; it++) {
        struct fade_user user = {.first = 0};
        tansy_problem const problem = fade_problem(&user, sources[it]);
        double y[FADE_N], yp[FADE_N], S[FADE_SENS], Sp[FADE_SENS], Q[NQ], Q_p[NQ * FADE_NP];
        double exact[NQ], exact_p[NQ * FADE_NP];
        char message[100] = "untouched";
        fade_exact(1.25, y, yp, S, Sp);
        exact_derived(1.25, exact, exact_p);
        tansy_stored const at = {1.25, y, yp, S, Sp};
        CHECK_EQUAL(tansy_derived_from(&problem, &at, Q, Q_p, message, sizeof message), TANSY_OK);
        CHECK_EQUAL(message[0], '\0');
        double const tolerance = sources[it] & FADE_TANGENTS ? 1e-14 : 1e-9;
        for (int q = 0; q < NQ; q++) CHECK_CLOSE(Q[q], exact[q], 1e-15);
        for (int x = 0; x < NQ * FADE_NP; x++) CHECK_CLOSE(Q_p[x], exact_p[x], tolerance);
        /* without S' its part is missing, and Q_0 does not mind */
        CHECK_EQUAL(
            tansy_derived_from(&problem, &(tansy_stored){1.25, y, yp, S, NULL}, Q, Q_p, NULL, 0),
            TANSY_OK);
        for (int k = 0; k < FADE_NP; k++) {
            CHECK_CLOSE(Q_p[k * NQ], exact_p[k * NQ], tolerance);
            CHECK_CLOSE(Q_p[k * NQ + 1], yp[0] * S[2 * k + 1], tolerance);
        }
        size_t const calls = user.calls[FADE_RESIDUAL] + user.calls[FADE_RHS];
        CHECK_EQUAL(calls, 0); /* the equations are not looked at */
    }
}

/* At t0 by the values that tansy_initialise() gives. */
TEST(derived_quantities_at_the_start_are_right)
{
    struct fade_user user = {.first = 0};
    tansy_problem const problem = fade_problem(&user, FADE_MATRICES | FADE_TANGENTS);
    double y[FADE_N], yp[FADE_N], S[FADE_SENS], Sp[FADE_SENS], Q[NQ], Q_p[NQ * FADE_NP];
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = rtol});
    CHECK_EQUAL(tansy_initialise(s, y, yp, S, Sp), TANSY_OK);
    CHECK_EQUAL(tansy_derived_from(&problem, &(tansy_stored){0, y, yp, S, Sp}, Q, Q_p, NULL, 0),
                TANSY_OK);
    is_right(0, Q, Q_p, 1e-7);
    tansy_free(s);
}

/* Q sees the parameters of the run, those of a restart too. */
static int tell_p(double t, const double *y, const double *yp, const double *p, double *Q,
                  void *context)
{
    (void)t, (void)y, (void)yp, (void)context;
    Q[0] = p[1];
    Q[1] = p[0] * p[2];
    return 0;
}

TEST(derived_quantities_see_the_parameters_of_the_run)
{
    static const double p[] = {0.5, 7, 2};
    struct fade_user user = {.first = 0};
    tansy_problem problem = fade_problem(&user, FADE_MATRICES);
    double Q[NQ], Q_p[NQ * FADE_NP];
    problem.derived = tell_p;
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-4});
    CHECK_EQUAL(tansy_restart(s, 0, NULL, p, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_derived_at(s, 1, Q, Q_p), TANSY_OK);
    CHECK(Q[0] == 7 && Q[1] == 1);
    double const exact[] = {0, 2, 1, 0, 0, 0.5};
    for (int x = 0; x < NQ * FADE_NP; x++) CHECK_CLOSE(Q_p[x], exact[x], 1e-9);
    tansy_free(s);
}

/* With a switch the functions see its mode behind the parameters. */
static int mode_residual(double t, const double *y, const double *yp, const double *p, double *F,
                         void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] - (p[1] > 0 ? 1 : -1) * p[0];
    F[1] = y[1] - y[0];
    return 0;
}

static int mode_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)p, (void)context;
    g[0] = t - 0.5;
    return 0;
}

static int tell_mode(double t, const double *y, const double *yp, const double *p, double *Q,
                     void *context)
{
    (void)t, (void)yp, (void)context;
    Q[0] = p[1];
    Q[1] = p[1] > 0 ? 10 * y[0] : y[0];
    return 0;
}

TEST(derived_quantities_see_the_modes_of_switches)
{
    static const double y0[] = {1, 1}, p[] = {2};
    tansy_problem const problem = {.n = 2,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = p,
                                   .residual = mode_residual,
                                   .switches = 1,
                                   .switch_function = mode_switch,
                                   .nq = NQ,
                                   .derived = tell_mode};
    double Q[NQ], Q_p[NQ];
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-6});
    CHECK_EQUAL(tansy_solve(s, 0.25, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_derived_at(s, 0.25, Q, Q_p), TANSY_OK);
    CHECK(Q[0] == 0);
    CHECK_CLOSE(Q[1], 0.5, 1e-4);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_derived_at(s, 1, Q, Q_p), TANSY_OK);
    CHECK(Q[0] == 1);
    CHECK_CLOSE(Q[1], 10, 1e-3);  /* y = 1 - 2*0.5 + 2*0.5 */
    CHECK_CLOSE(Q_p[1], 0, 1e-3); /* dy/dp = -0.5 + 0.5 */
    tansy_free(s);
}

/* Without columns there is no Q_p, and who asks for it is told. */
TEST(derived_quantities_without_sensitivities_have_no_derivatives)
{
    struct fade_user user = {.first = 0};
    tansy_problem const problem = fade_problem(&user, FADE_MATRICES);
    double Q[NQ], Q_p[NQ * FADE_NP] = {7, 7, 7, 7, 7, 7};
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.rtol = 1e-4, .sensitivities = TANSY_NONE});
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_derived_at(s, 1, Q, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_derived_at(s, 1, Q, Q_p), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "sensitivities = none");
    for (int x = 0; x < NQ * FADE_NP; x++) CHECK(Q_p[x] == 7);
    char message[100];
    tansy_stored const bare = {1, Q, Q, NULL, NULL};
    CHECK_EQUAL(tansy_derived_from(&problem, &bare, Q, Q_p, message, sizeof message),
                TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(message, "sens is NULL");
    tansy_free(s);
}

static void fails_at_once(enum fade_function function, enum fade_kind kind, int gives,
                          tansy_status status, const char *words)
{
    struct fade_user user = {.function = function, .kind = kind, .first = 1, .last = 9};
    tansy_problem const problem = fade_problem(&user, gives);
    double y[FADE_N], yp[FADE_N], S[FADE_SENS], Sp[FADE_SENS], Q[NQ], Q_p[NQ * FADE_NP];
    char message[100];
    fade_exact(1, y, yp, S, Sp);
    CHECK_EQUAL(tansy_derived_from(&problem, &(tansy_stored){1, y, yp, S, Sp}, Q, Q_p, message,
                                   sizeof message),
                status);
    CHECK_TEXT_CONTAINS(message, words);
    char little[8];
    CHECK_EQUAL(tansy_derived_from(&problem, &(tansy_stored){1, y, yp, S, Sp}, Q, Q_p, little,
                                   sizeof little),
                status);
    CHECK(strlen(little) == sizeof little - 1);
}

TEST(a_derived_quantity_that_fails_is_named)
{
    int const all = FADE_TANGENTS;
    fails_at_once(FADE_DERIVED, FADE_NAN, all, TANSY_NOT_FINITE, "derived gave a value");
    fails_at_once(FADE_DERIVED, FADE_POSITIVE, all, TANSY_USER_FAILED, "returned 3");
    fails_at_once(FADE_DERIVED, FADE_NEGATIVE, all, TANSY_USER_STOPPED, "returned -7");
    fails_at_once(FADE_DERIVED_TANGENT, FADE_NAN, all, TANSY_NOT_FINITE, "derived_tangent");
    fails_at_once(FADE_DERIVED_TANGENT, FADE_POSITIVE, all, TANSY_USER_FAILED, "derived_tangent");
    fails_at_once(FADE_DERIVED_TANGENT, FADE_NEGATIVE, all, TANSY_USER_STOPPED, "derived_tangent");
}

TEST(calls_for_derived_quantities_that_make_no_sense_are_refused)
{
    struct fade_user user = {.first = 0};
    tansy_problem problem = fade_problem(&user, 0);
    double y[FADE_N] = {1, 1}, Q[NQ];
    char message[100];
    CHECK_EQUAL(tansy_derived_from(&problem, &(tansy_stored){0, y, NULL, NULL, NULL}, Q, NULL,
                                   message, sizeof message),
                TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(message, "yp");
    CHECK_EQUAL(tansy_derived_at(NULL, 0, Q, NULL), TANSY_OUT_OF_MEMORY);
    problem.derived = NULL;
    tansy_solver *s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), ".derived is NULL");
    CHECK_EQUAL(tansy_derived_at(s, 0, Q, NULL), TANSY_BAD_PROBLEM);
    tansy_free(s);
    problem.nq = 0;
    CHECK_EQUAL(tansy_derived_from(&problem, &(tansy_stored){0, y, y, NULL, NULL}, Q, NULL, message,
                                   sizeof message),
                TANSY_BAD_PROBLEM);
    s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_derived_at(s, 0, Q, NULL), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "no derived quantities");
    tansy_free(s);
}

/* Columns by name, c = y(0) and p_0, and the direction 2 e_0 + (y(0)): the same numbers as those of all parameters.  y(0) = c here,
   so that its column is that of c, whatever Q has of c itself: nothing. */
TEST(derived_quantities_follow_the_columns)
{
    static const int columns[] = {TANSY_INITIAL(0), 0};
    static const double direction[] = {1, 0, 2, 0, 0};
    double y[FADE_N], yp[FADE_N], S[FADE_SENS], Sp[FADE_SENS], Q[NQ], all[NQ * FADE_NP];
    for (int it = 0; it < SOURCES; it++) {
        struct fade_user user = {.first = 0};
        tansy_problem problem = fade_problem(&user, sources[it]);
        double chosen[NQ * 2], along[NQ], of[2 * FADE_N], rate[2 * FADE_N], sum[2][FADE_N];
        fade_exact(1, y, yp, S, Sp);
        CHECK_EQUAL(tansy_derived_from(&problem, &(tansy_stored){1, y, yp, S, Sp}, Q, all, NULL, 0),
                    TANSY_OK);
        for (int i = 0; i < FADE_N; i++) {
            of[i] = S[2 * FADE_N + i];
            rate[i] = Sp[2 * FADE_N + i];
            of[FADE_N + i] = S[i];
            rate[FADE_N + i] = Sp[i];
            sum[0][i] = S[2 * FADE_N + i] + 2 * S[i];
            sum[1][i] = Sp[2 * FADE_N + i] + 2 * Sp[i];
        }
        problem.columns = columns;
        problem.ns = 2;
        CHECK_EQUAL(
            tansy_derived_from(&problem, &(tansy_stored){1, y, yp, of, rate}, Q, chosen, NULL, 0),
            TANSY_OK);
        problem.columns = NULL;
        problem.directions = direction;
        problem.ns = 1;
        CHECK_EQUAL(tansy_derived_from(&problem, &(tansy_stored){1, y, yp, sum[0], sum[1]}, Q,
                                       along, NULL, 0),
                    TANSY_OK);
        for (int q = 0; q < NQ; q++) { /* differences: the cube root of eps, squared */
            CHECK_CLOSE(chosen[q], all[2 * NQ + q], 1e-9);
            CHECK_CLOSE(chosen[NQ + q], all[q], 1e-9);
            CHECK_CLOSE(along[q], all[2 * NQ + q] + 2 * all[q], 1e-8);
        }
    }
}
