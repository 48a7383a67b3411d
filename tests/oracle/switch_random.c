/* SPDX-License-Identifier: Apache-2.0 */
/* Random systems that are linear on pieces, with three switches that depend on t, y, p and on one another: S against
   fourth-order differences of whole runs at a tight tolerance, forward and backward, all methods and correctors. */
#include "support/random.h"
#include "support/switch_runs.h"
#include "test.h"

#include <stdbool.h>
#include <stdint.h>

enum { N = 3, SWITCHES = 3, NP = 4, PIECES = 1 << SWITCHES, SYSTEMS = 240 };
enum { STRIDE = TEST_STRIDE > 1 ? 3 : 1 }; /* odd: for both directions and all methods */

struct piecewise {
    double A[PIECES][N][N], b[PIECES][N], P[PIECES][N][NP]; /* y' = A y + b + P p + sines */
    double c[SWITCHES][N], d[SWITCHES], e[SWITCHES], q[SWITCHES][NP]; /* g = c y + d + e t + q p */
    double y0[N], p[NP];
};

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    const struct piecewise *const s = context;
    size_t piece = 0;
    for (size_t j = 0; j < SWITCHES; j++) piece |= (size_t)(p[NP + j] != 0) << j;
    for (size_t i = 0; i < N; i++) {
        f[i] = s->b[piece][i] + 0.3 * sin(t + (double)i);
        for (size_t j = 0; j < N; j++) f[i] += s->A[piece][i][j] * y[j];
        for (size_t k = 0; k < NP; k++) f[i] += s->P[piece][i][k] * p[k];
    }
    return 0;
}

static int switches(double t, const double *y, const double *p, double *g, void *context)
{
    const struct piecewise *const s = context;
    for (size_t j = 0; j < SWITCHES; j++) {
        g[j] =
            s->d[j] + s->e[j] * t + (j == 2 ? 0.3 * p[NP] : 0); /* the last depends on the first */
        for (size_t i = 0; i < N; i++) g[j] += s->c[j][i] * y[i];
        for (size_t k = 0; k < NP; k++) g[j] += s->q[j][k] * p[k];
    }
    return 0;
}

static void make(uint64_t seed, struct piecewise *s)
{
    struct random_source r = {.state = seed};
    for (size_t m = 0; m < PIECES; m++) /* pieces differ by a tenth: more would mostly slide */
        for (size_t i = 0; i < N; i++) {
            s->b[m][i] = (m ? s->b[0][i] : 0) + random_next(&r) * (m ? 0.2 : 2);
            for (size_t j = 0; j < N; j++)
                s->A[m][i][j] =
                    (m ? s->A[0][i][j] : -0.8 * (i == j)) + random_next(&r) * (m ? 0.2 : 1.5);
            for (size_t k = 0; k < NP; k++)
                s->P[m][i][k] = (m ? s->P[0][i][k] : 0) + random_next(&r) * (m ? 0.2 : 1);
        }
    for (size_t j = 0; j < SWITCHES; j++) {
        s->d[j] = 0.5 * random_next(&r);
        s->e[j] = 0.5 * random_next(&r);
        for (size_t i = 0; i < N; i++) s->c[j][i] = random_next(&r);
        for (size_t k = 0; k < NP; k++) s->q[j][k] = 0.3 * random_next(&r);
    }
    for (size_t i = 0; i < N; i++) s->y0[i] = random_next(&r);
    for (size_t k = 0; k < NP; k++) s->p[k] = 0.5 + 0.4 * random_next(&r);
}

static tansy_status run(struct piecewise *s, const tansy_options *o, double t, double *y,
                        double *sens, size_t *turned)
{
    tansy_problem const problem = {.n = N,
                                   .np = NP,
                                   .y0 = s->y0,
                                   .p = s->p,
                                   .context = s,
                                   .rhs = rhs,
                                   .switches = SWITCHES,
                                   .switch_function = switches};
    tansy_solver *const solver = tansy_create(&problem, o);
    tansy_stats stats;
    tansy_status const status = tansy_solve(solver, t, y, sens);
    tansy_get_stats(solver, &stats);
    *turned = stats.switches;
    tansy_free(solver);
    return status;
}

/* dy/dp_k by differences; false when the points do not have the same switches, where S has none of them. */
static bool differences(struct piecewise *s, double t, size_t k, size_t expected, double *d)
{
    static const double at[] = {1, -1, 2, -2}, weight[] = {2.0 / 3, -2.0 / 3, -1.0 / 12, 1.0 / 12};
    static const double h = 2e-5;
    tansy_options const o = {
        .method = TANSY_ADAMS, .sensitivities = TANSY_NONE, .rtol = 1e-12, .atol = 1e-13};
    double const p = s->p[k];
    bool alike = true;
    for (size_t i = 0; i < N; i++) d[i] = 0;
    for (size_t x = 0; x < 4; x++) {
        double y[N];
        size_t turned = 0;
        s->p[k] = p + at[x] * h;
        alike = alike && run(s, &o, t, y, NULL, &turned) == TANSY_OK && turned == expected;
        for (size_t i = 0; i < N; i++) d[i] += weight[x] * y[i] / h;
    }
    s->p[k] = p;
    return alike;
}

/* Tolerance: 100 rtol = 1e-6 for S; differences of runs at 1e-12, amplified e-fold by growth to at most 10, over h
   = 2e-5: below 1e-6 of a column of size 1 in their sum; and a crossing that is shallow amplifies both. */
TEST(columns_are_those_of_differences_of_whole_runs)
{
    size_t compared = 0, turned_in_all = 0, slid = 0;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed += STRIDE) {
        struct piecewise s;
        double const t = seed % 2 ? 2 : -2;
        double y[N], sens[NP][N], d[N];
        size_t turned = 0;
        make(seed, &s);
        tansy_options const o = switch_options((int)(seed / 2) % SWITCH_RUNS, 1e-8);
        tansy_status const status = run(&s, &o, t, y, *sens, &turned);
        CHECK(status == TANSY_OK || status == TANSY_SLIDING);
        slid += status == TANSY_SLIDING;
        turned_in_all += turned;
        for (size_t k = 0; k < NP && status == TANSY_OK; k++) {
            if (!differences(&s, t, k, turned, d)) continue;
            for (size_t i = 0; i < N; i++)
                CHECK_AT_MOST(switch_error(sens[k][i], d[i], 1 + fabs(y[i])), 1e-5);
            compared++;
        }
    }
    CHECK(compared > SYSTEMS * NP / (2 * STRIDE));
    CHECK(turned_in_all > SYSTEMS / (2 * STRIDE));
    CHECK(slid < SYSTEMS / 2);
}
