/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns found by probing: what vanishes at t0, or at y = 0, is found elsewhere; what is zero at all points that are probed is noticed
   in the run.  The oracle is the same run with a dense matrix. */
#include "linear/linear.h"
#include "support/sparse_solver.h"
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

enum { N = 12, NP = 3 };

/* A chain y_i' = -p y_i + w(t) y_{i-1}, where w is nothing at t0 and at other times. */
enum weight { SINE, PULSE };

struct chain {
    enum weight weight;
    bool of_rates;         /* F = y_i' + w y_{i-1}'/2 + ... */
    double fails_from;     /* f cannot be evaluated from this t on; 0: everywhere it can */
    double noise;          /* of f, which is not smooth then */
    size_t calls, code_at; /* call number code_at returns code */
    int code;
};

/* The pulse is 0 wherever a solver may look before the run: at t0 + 0.04, 0.6, 7.4. */
static double weight_at(const struct chain *c, double t)
{
    double const inside = fmax((t - 1) * (3 - t), 0);
    return c->weight == SINE ? sin(t) : inside * inside;
}

static int chain_rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct chain *const c = context;
    c->calls++;
    if (c->calls == c->code_at) return c->code;
    if (c->fails_from > 0 && t >= c->fails_from) return 1;
    for (size_t i = 0; i < N; i++) {
        f[i] = -p[i % NP] * y[i] + (i > 0 && !c->of_rates ? weight_at(c, t) * y[i - 1] : 1);
        f[i] += c->noise * sin(1e12 * y[i]);
    }
    return 0;
}

static int chain_residual(double t, const double *y, const double *yp, const double *p, double *F,
                          void *context)
{
    const struct chain *const c = context;
    int const code = chain_rhs(t, y, p, F, context);
    for (size_t i = 0; i < N; i++) {
        F[i] = yp[i] - F[i];
        if (i > 0 && c->of_rates) F[i] += 0.5 * weight_at(c, t) * yp[i - 1];
    }
    return code;
}

static const double p0[NP] = {1, 1.5, 0.7}, y0[N];

static tansy_problem chain_problem(struct chain *c, bool implicit, tansy_structure structure)
{
    tansy_problem q = {.n = N, .np = NP, .p = p0, .y0 = y0, .context = c, .structure = structure};
    if (implicit)
        q.residual = chain_residual;
    else
        q.rhs = chain_rhs;
    return q;
}

/* The largest difference between S with a probed pattern and with a dense matrix.  Both are right to some rtol = 1e-6 of S < 3; a
   missing entry is noticed from 1e-5 of its row on; dense factors, in place of sparse ones, miss none. */
static void compare(struct chain chain, bool implicit, const tansy_options *options, bool adds)
{
    double y[2][N], S[2][NP * N], worst = 0;
    char text[4000];
    for (int k = 0; k < 2; k++) {
        tansy_problem const q = chain_problem(&chain, implicit, k ? TANSY_SPARSE : TANSY_DENSE);
        tansy_solver *const s = tansy_create(&q, options);
        tansy_status const status = tansy_solve(s, 2.5, y[k], S[k]);
        if (status < 0) CHECK_TEXT_CONTAINS(tansy_message(s), "no error");
        (void)tansy_report(s, text, sizeof text);
        tansy_free(s);
    }
    for (size_t x = 0; x < NP * N; x++) worst = fmax(worst, fabs(S[1][x] - S[0][x]));
    CHECK_AT_MOST(worst, 3e-5);
    if (!adds || linear_sparse) CHECK_EQUAL(strstr(text, "added in the run") != NULL, adds);
}

static const tansy_sensitivities ways[] = {TANSY_SENSITIVITIES_AUTO, TANSY_SIMULTANEOUS,
                                           TANSY_STAGGERED, TANSY_DIRECT, TANSY_MEASURED};
enum { WAYS = sizeof ways / sizeof *ways };

TEST(what_vanishes_at_t0_is_in_a_probed_pattern)
{
    sparse_solver_or_dense();
    for (int k = 0; k < WAYS; k++) {
        tansy_options const dassl = {.method = TANSY_DASSL, .sensitivities = ways[k]};
        tansy_options const bdf = {.method = TANSY_BDF, .sensitivities = ways[k]};
        compare((struct chain){.weight = SINE}, false, &dassl, false);
        compare((struct chain){.weight = SINE}, true, &dassl, false);
        compare((struct chain){.weight = SINE}, false, &bdf, false);
    }
}

TEST(what_begins_in_the_run_is_added_to_a_probed_pattern)
{
    (void)sparse_solver_is_there("entries are added (dense factors have them all)");
    for (int k = 0; k < WAYS; k++) {
        tansy_options const dassl = {
            .method = TANSY_DASSL, .sensitivities = ways[k], .max_step = 0.1};
        tansy_options const bdf = {.method = TANSY_BDF, .sensitivities = ways[k], .max_step = 0.1};
        tansy_options const matrix = {.method = TANSY_DASSL,
                                      .sensitivities = ways[k],
                                      .residual = TANSY_MATRIX,
                                      .max_step = 0.1};
        compare((struct chain){.weight = PULSE}, false, &dassl, true);
        compare((struct chain){.weight = PULSE}, true, &dassl, true);
        compare((struct chain){.weight = PULSE}, false, &bdf, true);
        compare((struct chain){.weight = PULSE}, false, &matrix, true);
        compare((struct chain){.weight = PULSE}, true, &matrix, true);
        compare((struct chain){.weight = PULSE, .of_rates = true}, true, &dassl, true);
    }
}

/* Rosenbrock, extrapolation and products of gmres keep matrices that cannot grow. */
TEST(what_cannot_be_added_stops_the_run_and_is_named)
{
    static const tansy_options options[] = {{.method = TANSY_DASSL,
                                             .linear_solver = TANSY_GMRES,
                                             .residual = TANSY_MATRIX,
                                             .max_step = 0.1},
                                            {.method = TANSY_ROSENBROCK, .max_step = 0.1},
                                            {.method = TANSY_LIMEX, .max_step = 0.1}};
    int const all = sparse_solver_is_there("entries that rosenbrock and limex cannot add") ? 3 : 1;
    for (int k = 0; k < all; k++) {
        struct chain chain = {.weight = PULSE};
        tansy_problem q = chain_problem(&chain, false, TANSY_SPARSE);
        tansy_solver *const s = tansy_create(&q, &options[k]);
        CHECK_EQUAL(tansy_solve(s, 2.5, NULL, NULL), TANSY_BAD_PROBLEM);
        CHECK_TEXT_CONTAINS(tansy_message(s), ".jacobian_pattern with the entry (1, 0)");
        CHECK(tansy_time(s) > 0.9);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 0.5, NULL, NULL), TANSY_OK);
        tansy_free(s);
    }
}

/* In a new start the same is said. */
TEST(what_cannot_be_added_at_the_initial_point_is_named)
{
    struct chain chain = {.weight = PULSE};
    tansy_problem q = chain_problem(&chain, true, TANSY_SPARSE);
    tansy_options const options = {
        .method = TANSY_DASSL, .linear_solver = TANSY_GMRES, .residual = TANSY_MATRIX};
    tansy_solver *const s = tansy_create(&q, &options);
    CHECK_EQUAL(tansy_restart(s, 2, NULL, NULL, NULL), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), "(1, 0)");
    tansy_free(s);
}

/* A preconditioner may lack entries. */
TEST(a_preconditioner_goes_on_without_what_is_missing)
{
    compare((struct chain){.weight = PULSE}, false,
            &(tansy_options){.method = TANSY_DASSL,
                             .linear_solver = TANSY_GMRES,
                             .sensitivities = TANSY_STAGGERED,
                             .residual = TANSY_DIFFERENCES,
                             .max_step = 0.1},
            false);
}

TEST(a_function_that_fails_away_from_the_start_is_probed_near_it)
{
    struct chain chain = {.weight = SINE, .fails_from = 0.3};
    tansy_problem q = chain_problem(&chain, false, TANSY_SPARSE);
    tansy_solver *s = tansy_create(&q, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0.2, NULL, NULL), TANSY_OK);
    tansy_free(s);
    q.t0 = 1;
    s = tansy_create(&q, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), "give .jacobian_pattern");
    tansy_free(s);
}

/* Not smooth, so that differences disagree, though nothing is missing. */
TEST(noise_adds_nothing_to_a_probed_pattern)
{
    sparse_solver_or_dense();
    struct chain chain = {.weight = SINE, .noise = 1e-10};
    tansy_problem q = chain_problem(&chain, false, TANSY_SPARSE);
    char text[4000];
    tansy_solver *const s =
        tansy_create(&q, &(tansy_options){.method = TANSY_DASSL, .rtol = 1e-3, .atol = 1e-6});
    CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_OK);
    (void)tansy_report(s, text, sizeof text);
    CHECK(strstr(text, "added in the run") == NULL);
    tansy_free(s);
}

/* Every call of f, those of probing and of looking for entries among them. */
TEST(stopping_in_any_call_stops_a_run_with_a_probed_pattern)
{
    sparse_solver_or_dense();
    for (int code = -1; code <= 1; code += 2)
        for (size_t k = 1;; k += TEST_STRIDE) {
            struct chain chain = {.weight = PULSE, .code_at = k, .code = code};
            tansy_problem const q = chain_problem(&chain, false, TANSY_SPARSE);
            tansy_options const options = {
                .method = TANSY_BDF, .sensitivities = TANSY_DIRECT, .max_step = 0.1, .rtol = 1e-3};
            tansy_solver *const s = tansy_create(&q, &options);
            size_t const probing = 4 * (N + 1);
            tansy_status const status = tansy_solve(s, 1.3, NULL, NULL);
            tansy_free(s);
            if (chain.calls < k) break;
            if (code < 0 && k > probing) CHECK_EQUAL(status, TANSY_USER_STOPPED);
            if (code > 0 || k <= probing) CHECK(status == TANSY_OK || status == TANSY_USER_FAILED);
        }
}

static int hot(double t, const double *y, const double *p, double *f, void *context)
{
    double const k = p[0] * exp(-p[1] / y[2]);
    (void)t;
    (void)context;
    f[0] = -k * y[0];
    f[1] = k * y[0] - 0.1 * y[1];
    f[2] = 50 * k * y[0] - 0.1 * (y[2] - 300);
    return 0;
}

static int hot_initial(double t, const double *p, double *y, void *context)
{
    (void)t;
    (void)p;
    y[0] = 1;
    y[1] = 0;
    y[2] = 300;
    return *(const int *)context;
}

static int hot_initial_jacobian(double t, const double *p, double *D, void *context)
{
    (void)t;
    (void)p;
    (void)D;
    (void)context;
    return 0;
}

/* Near y = 0, where exp(-E/T) is nothing, none of it would be seen: d(T)/d(E) would be 60 times too large.  .y0 does not count beside .initial. */
TEST(probing_begins_at_the_values_that_initial_gives)
{
    sparse_solver_or_dense();
    static const double p[] = {1e7, 5000}, start[] = {1, 0, 300}, zero[3];
    int code = 0;
    double y[3][3], S[3][6];
    for (int k = 0; k < 3; k++) {
        tansy_problem q = {.n = 3, .np = 2, .p = p, .rhs = hot, .context = &code};
        if (k == 0) {
            q.y0 = start;
        } else {
            q.structure = TANSY_SPARSE;
            q.y0 = k == 2 ? zero : NULL;
            q.initial = hot_initial;
            q.initial_jacobian = hot_initial_jacobian;
        }
        tansy_options const options = {.method = TANSY_DASSL, .sensitivities = TANSY_DIRECT};
        tansy_solver *s = tansy_create(&q, &options);
        CHECK_EQUAL(tansy_solve(s, 5, y[k], S[k]), TANSY_OK);
        tansy_free(s);
        code = -1;
        if (k > 0) {
            s = tansy_create(&q, &options);
            CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
            tansy_free(s);
        }
        code = 0;
    }
    for (int k = 1; k < 3; k++)
        CHECK_CLOSE(S[k][5], S[0][5], 1e-3 * fabs(S[0][5])); /* rtol is 1e-6 */
    CHECK(memcmp(S[1], S[2], sizeof S[1]) == 0);
}

/* With breaks the piece stands behind the parameters; w is on in the second piece only. */
static int pieces(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = 1 - p[0] * y[0];
    f[1] = -y[1] + (p[1] > 0 ? y[0] : 0);
    return 0;
}

TEST(probing_tells_the_piece_between_breaks)
{
    sparse_solver_or_dense();
    static const double p = 1, start[2] = {1, 1}, times[] = {0.5};
    double y[2], S[2];
    tansy_problem const q = {.n = 2,
                             .np = 1,
                             .p = &p,
                             .y0 = start,
                             .rhs = pieces,
                             .breaks = 1,
                             .break_times = times,
                             .structure = TANSY_SPARSE};
    tansy_solver *const s = tansy_create(&q, &(tansy_options){.method = TANSY_DASSL,
                                                              .sensitivities = TANSY_DIRECT,
                                                              .use_stop_time = 1,
                                                              .stop_time = 2});
    CHECK_EQUAL(tansy_solve(s, 1.5, y, S), TANSY_OK);
    /* s0 = e^-t - 1;  s1' = -s1 + s0 from t = 1/2 on:  s1 = e^(1/2 - t) + (t - 1/2) e^-t - 1 */
    CHECK_CLOSE(S[1], exp(-1) + exp(-1.5) - 1, 1e-5);
    tansy_free(s);
}

/* f_i = -y_i + sqrt(1e-24 - y_(i-1)^2), y = 1e-13: without a value where y is moved by far more. */
static int narrow(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    for (size_t i = 0; i < N; i++)
        f[i] = -p[0] * y[i] + (i > 0 ? sqrt(1e-24 - y[i - 1] * y[i - 1]) : 0);
    return 0;
}

TEST(probing_keeps_near_values_far_below_one)
{
    sparse_solver_or_dense();
    double start[N], y[2][N], S[2][N];
    for (size_t i = 0; i < N; i++) start[i] = 1e-13;
    for (int k = 0; k < 2; k++) {
        tansy_problem const q = {.n = N,
                                 .np = 1,
                                 .p = p0,
                                 .y0 = start,
                                 .rhs = narrow,
                                 .structure = k ? TANSY_SPARSE : TANSY_DENSE};
        tansy_options const options = {.method = TANSY_BDF, .atol = 1e-19};
        tansy_solver *const s = tansy_create(&q, &options);
        CHECK_EQUAL(tansy_solve(s, 0.1, y[k], S[k]), TANSY_OK);
        tansy_free(s);
    }
    for (size_t i = 0; i < N; i++) {
        CHECK_CLOSE(y[1][i], y[0][i], 1e-5 * fabs(y[0][i]));
        CHECK_CLOSE(S[1][i], S[0][i], 1e-4 * fabs(S[0][i]));
    }
}
