/* SPDX-License-Identifier: Apache-2.0 */
/* The tansy_local that functions get with .scratch: memory of their thread's own, and a version of p that changes
   whenever p does.  Every function keeps the last p with its version in its scratch and looks whether they agree; with
   many columns on several threads, through a switch and a break. */
#include "test.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tansy/tansy.h>

enum { NP = 70, LENGTH = NP + 3 }; /* two switches and a piece */

enum {
    RHS,
    JACOBIAN,
    PARAMETER,
    TANGENT,
    INITIAL,
    INITIAL_JACOBIAN,
    SWITCH,
    SWITCH_TANGENT,
    KINDS
};

struct user {
    atomic_size_t calls[KINDS], recomputed, shared, wrong;
};

/* What a function keeps from call to call. */
struct memory {
    size_t version;
    double p[LENGTH];
    atomic_int busy;
    bool used;
};

static struct memory *enter(void *context, const double *p, int kind)
{
    const tansy_local *const local = context;
    struct user *const user = local->context;
    struct memory *const m = local->scratch;
    user->calls[kind]++;
    if (atomic_exchange(&m->busy, 1)) user->shared++;
    if ((uintptr_t)m % 64 != 0 || local->version == 0) user->wrong++;
    if (!m->used && m->version != 0) user->wrong++; /* zeroed */
    if (m->used && m->version == local->version) {
        if (memcmp(m->p, p, sizeof m->p) != 0) user->wrong++;
        return m;
    }
    user->recomputed++;
    m->used = true;
    m->version = local->version;
    memcpy(m->p, p, sizeof m->p);
    return m;
}

static int leave(struct memory *m)
{
    atomic_store(&m->busy, 0);
    return 0;
}

/* y_0' = -k y_0, k = p_0 above p_1, else p_2; y_1' = sum of p over 100, more once t >= 1. */
static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    struct memory *const m = enter(context, p, RHS);
    f[0] = -(p[NP] != 0 ? p[0] : p[2]) * y[0];
    f[1] = 0;
    for (size_t k = 0; k < NP; k++) f[1] += p[k] / 100 * (1 + p[NP + 1]);
    f[1] -= y[1];
    return leave(m);
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y;
    struct memory *const m = enter(context, p, JACOBIAN);
    J[0] = -(p[NP] != 0 ? p[0] : p[2]);
    J[3] = -1;
    return leave(m);
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t;
    struct memory *const m = enter(context, p, PARAMETER);
    F[p[NP] != 0 ? 0 : 2] = -y[0];
    for (size_t k = 0; k < NP; k++) F[NP + k] = (1 + p[NP + 1]) / 100;
    return leave(m);
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    struct memory *const m = enter(context, p, TANGENT);
    size_t const row = p[NP] != 0 ? 0 : 2;
    for (size_t k = 0; k < columns; k++) {
        R[k] = -p[row] * V[k] - y[0] * U[row * ld + k];
        R[ld + k] = -V[ld + k];
        for (size_t j = 0; j < NP; j++) R[ld + k] += U[j * ld + k] / 100 * (1 + p[NP + 1]);
    }
    return leave(m);
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0;
    struct memory *const m = enter(context, p, INITIAL);
    y0[0] = 2 * p[3];
    y0[1] = 0;
    return leave(m);
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)t0;
    struct memory *const m = enter(context, p, INITIAL_JACOBIAN);
    D[3] = 2;
    return leave(m);
}

static int switches(double t, const double *y, const double *p, double *g, void *context)
{
    struct memory *const m = enter(context, p, SWITCH);
    g[0] = y[0] - p[1];
    g[1] = t - 1;
    return leave(m);
}

static int switch_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                          const double *V, const double *U, double *gt, double *G, void *context)
{
    (void)t, (void)y;
    struct memory *const m = enter(context, p, SWITCH_TANGENT);
    gt[0] = 0;
    gt[1] = 1;
    for (size_t k = 0; k < columns; k++) {
        G[k] = V[k] - U[ld + k];
        G[ld + k] = 0;
    }
    return leave(m);
}

struct outcome {
    double y[2], sens[NP][2];
    tansy_stats stats;
};

static void run(struct user *user, bool all, int threads, struct outcome *out)
{
    static const double breaks[] = {0.5};
    double p[NP];
    for (size_t k = 0; k < NP; k++) p[k] = 1 + 0.01 * (double)k;
    tansy_problem const problem = {.n = 2,
                                   .np = NP,
                                   .p = p,
                                   .context = user,
                                   .rhs = rhs,
                                   .jacobian = all ? jacobian : NULL,
                                   .parameter_jacobian = all ? parameter : NULL,
                                   .tangent = all ? tangent : NULL,
                                   .initial = initial,
                                   .initial_jacobian = all ? initial_jacobian : NULL,
                                   .concurrent = 1,
                                   .switches = 2,
                                   .switch_function = switches,
                                   .switch_tangent = all ? switch_tangent : NULL,
                                   .breaks = 1,
                                   .break_times = breaks,
                                   .scratch = sizeof(struct memory)};
    tansy_options const o = {.rtol = 1e-6,
                             .threads = threads,
                             .sensitivities = TANSY_STAGGERED,
                             .residual = all ? TANSY_SEED : TANSY_DIFFERENCES};
    memset(out, 0, sizeof *out);
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_check(s), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 2, out->y, *out->sens), TANSY_OK);
    tansy_get_stats(s, &out->stats);
    p[1] = 1.1;
    CHECK_EQUAL(tansy_restart(s, 0, NULL, p, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_OK);
    tansy_free(s);
    CHECK_EQUAL(user->wrong, 0);
    CHECK_EQUAL(user->shared, 0);
}

TEST(scratch_belongs_to_one_thread_and_the_version_follows_p)
{
    for (int threads = 1; threads <= 3; threads++) {
        struct user user = {.wrong = 0};
        struct outcome out;
        run(&user, true, threads, &out);
        for (int kind = 0; kind < KINDS; kind++) CHECK(user.calls[kind] > 0);
        /* p changes at creation, at a switch, a break and a restart, and with tansy_check: never in a step */
        CHECK(user.recomputed < 20 * (size_t)threads + 5 * 4 * NP * 3);
        struct user other = {.wrong = 0};
        run(&other, false, threads, &out);
        CHECK(other.recomputed > out.stats.steps); /* differences move p */
    }
}

TEST(switches_give_the_same_bits_on_any_number_of_threads)
{
    for (int all = 0; all < 2; all++) {
        struct outcome one, more;
        struct user user = {.wrong = 0};
        run(&user, all, 1, &one);
        CHECK_EQUAL(one.stats.switches, 2);
        CHECK_EQUAL(one.stats.restarts, 3);
        for (int threads = 2; threads <= 4; threads++) {
            run(&user, all, threads, &more);
            CHECK_EQUAL(memcmp(one.y, more.y, sizeof one.y), 0);
            CHECK_EQUAL(memcmp(one.sens, more.sens, sizeof one.sens), 0);
            CHECK_EQUAL(one.stats.steps, more.stats.steps);
            CHECK_EQUAL(one.stats.rhs_evals, more.stats.rhs_evals);
            CHECK_EQUAL(one.stats.tangent_evals, more.stats.tangent_evals);
        }
    }
}

/* Steps call functions with the version they had: what a function hoists for p is computed once. */
TEST(a_step_changes_no_version)
{
    struct user user = {.wrong = 0};
    double const breaks[] = {1e9};
    double p[NP];
    for (size_t k = 0; k < NP; k++) p[k] = 1;
    tansy_problem const problem = {.n = 2,
                                   .np = NP,
                                   .p = p,
                                   .context = &user,
                                   .rhs = rhs,
                                   .jacobian = jacobian,
                                   .parameter_jacobian = parameter,
                                   .initial = initial,
                                   .initial_jacobian = initial_jacobian,
                                   .switches = 2,
                                   .switch_function = switches,
                                   .switch_tangent = switch_tangent,
                                   .breaks = 1,
                                   .break_times = breaks,
                                   .scratch = sizeof(struct memory)};
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_step(s, 0.5, NULL, NULL), TANSY_OK);
    size_t const before = user.recomputed;
    CHECK_EQUAL(tansy_solve(s, 0.5, NULL, NULL), TANSY_OK); /* before the first switch, at log 2 */
    CHECK_EQUAL(user.recomputed, before);
    CHECK_EQUAL(user.wrong, 0);
    tansy_free(s);
}
