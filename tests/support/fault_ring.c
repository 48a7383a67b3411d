/* SPDX-License-Identifier: Apache-2.0 */
/* The ring: f_a -= p_k y_a^2, f_b += p_k y_a^2 for channel k from a to b. */
#include "fault_ring.h"

#include <math.h>
#include <sched.h>
#include <time.h>

static size_t source(size_t k)
{
    return k % RING_N;
}

static size_t target(size_t k)
{
    return (k + 1 + k / RING_N % (RING_N - 1)) % RING_N;
}

/* Channel k is open.  Where p_k = 0 the state does not feel it, but column k does. */
static bool open_at(const struct ring_user *user, size_t k, double t)
{
    if (!user || user->jumps == 0 || (k != user->column[0] && k != user->column[1])) return true;
    return fmod(t * user->jumps, 1) < 0.5;
}

/* Stays until another thread has come in, but only for some looks: a thread that gives its turn away at every call
   gets it back after a time slice of every other process, which makes minutes of a second's work.  One call in 1024 does,
   so that threads meet on a single core too. */
static void linger(struct ring_user *user)
{
    enum { LOOKS = 200, CALLS = 1024 };
    for (int look = 0; look < LOOKS && atomic_load(&user->inside) < 2; look++) {
    }
    if (atomic_fetch_add(&user->lingered, 1) % CALLS == 0) (void)sched_yield();
}

/* Gives another thread up to 20 ms to make its first call. */
static void await_another(struct ring_user *user)
{
    struct timespec const pause = {.tv_nsec = 200000};
    for (int look = 0; look < 100 && atomic_load(&user->foreign) == 0; look++)
        (void)nanosleep(&pause, NULL);
}

static void enter(struct ring_user *user)
{
    if (!user) return;
    size_t const inside = atomic_fetch_add(&user->inside, 1) + 1;
    size_t most = atomic_load(&user->most);
    while (inside > most && !atomic_compare_exchange_weak(&user->most, &most, inside)) {
    }
    if (!pthread_equal(pthread_self(), user->owner)) atomic_fetch_add(&user->foreign, 1);
    if (user->slow) linger(user);
}

static int leave(struct ring_user *user)
{
    if (user) atomic_fetch_sub(&user->inside, 1);
    return 0;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    enter(context);
    for (size_t i = 0; i < RING_N; i++) f[i] = 0;
    for (size_t k = 0; k < RING_NP; k++) {
        double const rate = open_at(context, k, t) * p[k] * y[source(k)] * y[source(k)];
        f[source(k)] -= rate;
        f[target(k)] += rate;
    }
    return leave(context);
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    enter(context);
    for (size_t k = 0; k < RING_NP; k++) {
        double const rate = open_at(context, k, t) * 2 * p[k] * y[source(k)];
        J[source(k) * RING_N + source(k)] -= rate;
        J[target(k) * RING_N + source(k)] += rate;
    }
    return leave(context);
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)p;
    enter(context);
    for (size_t k = 0; k < RING_NP; k++) {
        double const square = open_at(context, k, t) * y[source(k)] * y[source(k)];
        F[source(k) * RING_NP + k] = -square;
        F[target(k) * RING_NP + k] = square;
    }
    return leave(context);
}

static bool fails_at(const struct ring_user *user, double t)
{
    double const here = user->period > 0 ? fmod(t, user->period) : t;
    return user->from <= here && here < user->to;
}

/* One of the columns moves one of the parameters. */
static bool moves(const struct ring_user *user, size_t columns, size_t ld, const double *U)
{
    for (size_t k = 0; k < columns; k++)
        if (U[user->column[0] * ld + k] != 0 || U[user->column[1] * ld + k] != 0) return true;
    return false;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    struct ring_user *const user = context;
    enter(user);
    if (user && user->awaits) await_another(user);
    for (size_t i = 0; i < RING_N; i++)
        for (size_t c = 0; c < columns; c++) R[i * ld + c] = 0;
    for (size_t k = 0; k < RING_NP; k++) {
        size_t const a = source(k), b = target(k);
        double const now = open_at(user, k, t), slope = now * 2 * p[k] * y[a],
                     square = now * y[a] * y[a];
        for (size_t c = 0; c < columns; c++) {
            double const rate = slope * V[a * ld + c] + square * U[k * ld + c];
            R[a * ld + c] -= rate;
            R[b * ld + c] += rate;
        }
    }
    (void)leave(user);
    if (!user || !fails_at(user, t) || !moves(user, columns, ld, U)) return 0;
    if (user->how == RING_NAN) R[0] = (double)NAN;
    return user->how == RING_NAN ? 0 : user->how == RING_STOP ? -1 : 1;
}

tansy_problem ring_problem(enum ring_source gives, struct ring_user *user)
{
    static double p[RING_NP], y0[RING_N];
    for (size_t k = 0; k < RING_NP; k++) p[k] = 0.01 * (1 + (double)(k * 7 % 13) / 8);
    for (size_t i = 0; i < RING_N; i++) y0[i] = 1 + (double)i / 4;
    return (tansy_problem){
        .n = RING_N,
        .np = RING_NP,
        .y0 = y0,
        .p = p,
        .context = user,
        .rhs = rhs,
        .jacobian = gives == RING_NOTHING ? NULL : jacobian,
        .parameter_jacobian = gives == RING_NOTHING ? NULL : parameter_jacobian,
        .tangent = gives == RING_TANGENT ? tangent : NULL,
        .concurrent = 1,
    };
}
