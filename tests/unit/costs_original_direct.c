/* SPDX-License-Identifier: Apache-2.0 */
/* Li, Petzold and Zhu's claim: where W is ill-conditioned, the direct method must be solved for the correction (10), not for
   s itself (9).  Their mechanism is not public; the like of it is an equilibrium A <-> B, K times as fast as B -> C:
     A' = -r, B' = r - p2 B, C' = p2 B,   r = K (A - p1 B)
   whose W has a condition number of K h.  Rates are computed once and added to both sides, so that what is conserved is so
   to the last bit. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <tansy/tansy.h>

#include "support/corrector_original.h"

enum { N = 3, NP = 2 };

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    double const fast = *(const double *)context * (y[0] - p[0] * y[1]), slow = p[1] * y[1];
    (void)t;
    f[0] = -fast;
    f[1] = fast - slow;
    f[2] = slow;
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    double const K = *(const double *)context;
    (void)t;
    (void)y;
    J[0] = -K;
    J[1] = K * p[0];
    J[N] = K;
    J[N + 1] = -K * p[0] - p[1];
    J[2 * N + 1] = p[1];
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    double const K = *(const double *)context;
    (void)t;
    for (size_t k = 0; k < columns; k++) {
        double const fast = K * (V[k] - p[0] * V[ld + k] - U[k] * y[1]);
        double const slow = p[1] * V[ld + k] + U[ld + k] * y[1];
        R[k] = -fast;
        R[ld + k] = fast - slow;
        R[2 * ld + k] = slow;
    }
    return 0;
}

struct outcome {
    tansy_status status;
    double error; /* of dC/dp2, relative */
    size_t steps, rejected;
};

/* For K to infinity A = p1 B and (A + B)' = -p2 B: C = 2 (1 - exp(-p2 t/(1 + p1))), and dC/dp2 follows; what is left is of
   order 1/K. */
static struct outcome solve(double K, int original)
{
    double const y0[N] = {1, 1, 0}, p[NP] = {1, 0.3}, t = 5;
    double y[N], sens[NP * N];
    tansy_problem const problem = {.n = N,
                                   .np = NP,
                                   .y0 = y0,
                                   .p = p,
                                   .context = &K,
                                   .rhs = rhs,
                                   .jacobian = jacobian,
                                   .tangent = tangent};
    tansy_options const options = {.sensitivities = TANSY_DIRECT,
                                   .residual = TANSY_SEED,
                                   .rtol = 1e-7,
                                   .atol = 1e-10,
                                   .max_steps = 20000};
    tansy_solver *const s = tansy_create(&problem, &options);
    if (original) corrector_original_use(s);
    struct outcome r = {.status = tansy_solve(s, t, y, sens)};
    double const rate = p[1] / (1 + p[0]), exact = 2 * t / (1 + p[0]) * exp(-rate * t);
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    r.error = fabs(sens[N + 2] / exact - 1);
    r.steps = stats.steps;
    r.rejected = stats.rejected_error;
    printf("K = %g, form %s: status %d, error %.1e, %zu steps, %zu rejected\n", K,
           original ? "(9)" : "(10)", (int)r.status, r.error, r.steps, r.rejected);
    tansy_free(s);
    return r;
}

/* 100 rtol, as everywhere; what the limit K to infinity leaves out is 1/K. */
static const double allowed = 1e-5;

TEST(both_forms_are_right_where_the_matrix_is_well_conditioned)
{
    for (int original = 0; original < 2; original++) {
        struct outcome const r = solve(1e6, original);
        CHECK_EQUAL(r.status, TANSY_OK);
        CHECK_AT_MOST(r.error, allowed);
    }
}

/* W is stored with errors of eps K: relative to c, some 1, that is 1e-3 of s in form (9), of its correction in (10). */
TEST(only_the_correction_can_be_solved_for_with_an_ill_conditioned_matrix)
{
    struct outcome const good = solve(1e13, 0), bad = solve(1e13, 1);
    CHECK_EQUAL(good.status, TANSY_OK);
    CHECK_AT_MOST(good.error, allowed);
    int const lost =
        bad.status != TANSY_OK || bad.error > 10 * allowed || bad.steps > 4 * good.steps;
    CHECK(lost);
}
