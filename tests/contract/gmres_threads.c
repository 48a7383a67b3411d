/* SPDX-License-Identifier: Apache-2.0 */
/* Krylov iteration of panels on several threads: who calls the user's functions, and that the result does not depend on which
   panel is done first. */
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>
#include <time.h>

enum { N = 31, NP = 33 }; /* panels of 32 columns and of one */

struct user {
    pthread_t owner;
    atomic_size_t foreign; /* calls from another thread than the owner's */
    bool slow;             /* the wide panel takes its time */
    double weak;           /* how far the preconditioner is from W in the last row */
};

static void enter(struct user *user, size_t columns)
{
    struct timespec const pause = {.tv_nsec = 200000};
    if (!pthread_equal(user->owner, pthread_self())) user->foreign++;
    if (user->slow && columns > 1) (void)nanosleep(&pause, NULL);
}

/* y_i' = -5 p_i y_i^2 + 2 y_{i+1} in a ring of 30, y_30' = -y_30 + p_32 - 1, which stays 0 and whose column stands alone. */
enum { RING = N - 1 };

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    enter(context, 1);
    for (int i = 0; i < RING; i++) f[i] = -5 * p[i] * y[i] * y[i] + 2 * y[(i + 1) % RING];
    f[RING] = -y[RING] + p[NP - 1] - 1;
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    enter(context, 1);
    for (int i = 0; i < RING; i++) {
        J[i * N + i] = -10 * p[i] * y[i];
        J[i * N + (i + 1) % RING] = 2;
    }
    J[RING * N + RING] = -1;
    return 0;
}

static int parameters(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t;
    (void)p;
    enter(context, 1);
    for (int i = 0; i < RING; i++) F[i * NP + i] = -5 * y[i] * y[i];
    F[RING * NP + NP - 1] = 1;
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    enter(context, columns);
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < RING; i++)
            R[i * ld + k] = -10 * p[i] * y[i] * V[i * ld + k] + 2 * V[(i + 1) % RING * ld + k] -
                            5 * y[i] * y[i] * U[i * ld + k];
        R[RING * ld + k] = -V[RING * ld + k] + U[(NP - 1) * ld + k];
    }
    return 0;
}

static int precondition(double t, const double *y, const double *yp, const double *p, double c,
                        size_t columns, size_t ld, double *X, void *context)
{
    const struct user *const user = context;
    (void)t;
    (void)y;
    (void)yp;
    enter(context, columns);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < columns; k++)
            X[i * ld + k] /= i < RING ? c + 8 * p[i] : user->weak * c;
    return 0;
}

static tansy_problem problem_of(struct user *user)
{
    static double p[NP], y0[N];
    for (int k = 0; k < NP; k++) p[k] = 1 + 0.05 * k;
    for (int i = 0; i < RING; i++) y0[i] = 1 + 0.01 * i;
    p[NP - 1] = 1;
    return (tansy_problem){.n = N, .np = NP, .y0 = y0, .p = p, .rhs = rhs, .context = user};
}

static tansy_options options_of(int threads)
{
    return (tansy_options){.method = TANSY_BDF,
                           .sensitivities = TANSY_STAGGERED,
                           .linear_solver = TANSY_GMRES,
                           .precondition_side = TANSY_LEFT,
                           .threads = threads,
                           .rtol = 1e-6};
}

/* Calls from threads other than that of the caller in a run with two of them. */
static size_t count_foreign(bool matrices, bool own_preconditioner)
{
    struct user user = {.owner = pthread_self(), .slow = true, .weak = 1};
    tansy_problem problem = problem_of(&user);
    tansy_options options = options_of(2);
    if (matrices) {
        problem.jacobian = jacobian;
        problem.parameter_jacobian = parameters;
    }
    problem.precondition_solve = own_preconditioner ? precondition : NULL;
    options.preconditioner =
        own_preconditioner ? TANSY_USER_PRECONDITIONER : TANSY_ILU_PRECONDITIONER;
    options.residual = TANSY_MATRIX;
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 0.01, NULL, NULL), TANSY_OK);
    tansy_free(s);
    return user.foreign;
}

TEST(gmres_calls_functions_that_are_not_concurrent_from_one_thread)
{
    CHECK_EQUAL(count_foreign(true, true), 0);   /* the preconditioner */
    CHECK_EQUAL(count_foreign(false, false), 0); /* W by differences of f */
    CHECK_EQUAL(count_foreign(false, true), 0);
    CHECK_EQUAL(count_foreign(true, false), 0); /* panels call nothing */
}

/* Steps and S, of which the bits are to be the same. */
struct result {
    tansy_stats stats;
    double sens[NP * N];
};

static void run(int threads, bool slow, struct result *result)
{
    struct user user = {.owner = pthread_self(), .slow = slow, .weak = 1000};
    tansy_problem problem = problem_of(&user);
    tansy_options options = options_of(threads);
    problem.tangent = tangent;
    problem.precondition_solve = precondition;
    problem.concurrent = 1;
    options.preconditioner = TANSY_USER_PRECONDITIONER;
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 0.1, NULL, result->sens), TANSY_OK);
    tansy_get_stats(s, &result->stats);
    tansy_free(s);
}

TEST(a_panel_of_one_column_does_not_change_how_others_are_solved)
{
    static struct result alone, shared;
    run(1, false, &alone);
    for (int slow = 0; slow < 2; slow++) {
        run(2, slow, &shared);
        CHECK_EQUAL(shared.stats.steps, alone.stats.steps);
        CHECK_EQUAL(shared.stats.linear_iterations, alone.stats.linear_iterations);
        CHECK(memcmp(shared.sens, alone.sens, sizeof alone.sens) == 0);
    }
}
