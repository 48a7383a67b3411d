/* SPDX-License-Identifier: Apache-2.0 */
/* Random differential-algebraic models whose conditions are on variables that jump: S against that of the same model solved by
   hand for the algebraic variables, where nothing has to be made consistent.  Where the two do not agree, differences of whole
   runs to the left and to the right of p decide.  What is wrong and not told is a failure, printed with the model, and so is a
   run that ends where the other does not.  TANSY_MODELS=first:count runs others. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/jump_model.h"
#include "support/model_seeds.h"
#include "support/model_solution.h"
#include "test.h"

enum { N = JUMP_STATES, NP = JUMP_PARAMETERS, ROWS = 8, MODELS = 30, PAGE = 1 << 16, TEXT = 16000 };
static const double end = 1.9371;
/* Both have 100 rtol = 1e-6, amplified by conditions that are crossed slowly. */
static const double tolerance = 1e-4;

enum verdict {
    AGREES,
    SINGULAR, /* the differences come nearer as h gets smaller: a slow crossing, or a corner nearby */
    TOLD,     /* a warning tells that S is one-sided */
    NO_NEIGHBOUR, /* a run with p +- h was refused */
    WRONG,
    VERDICTS
};

static const char *const verdict_names[] = {"agrees", "singular", "told", "no neighbour", "WRONG"};

struct run {
    tansy_model *model;
    tansy_problem problem;
    tansy_solver *solver;
    tansy_status status;
    bool told; /* that S is one-sided, or not certain */
    double y[N], sens[NP][N];
};

static void start(struct run *r, const char *text, const tansy_options *o)
{
    r->model = model_of_text(text, &r->problem);
    CHECK_EQUAL(r->problem.np, NP);
    r->solver = tansy_create(&r->problem, o);
}

static void finish(struct run *r)
{
    tansy_free(r->solver);
    tansy_model_free(r->model);
}

static void solve(struct run *r)
{
    double y[ROWS], sens[NP * ROWS];
    char *const report = malloc(PAGE);
    size_t const n = r->problem.n;
    r->status = tansy_solve(r->solver, end, y, sens);
    (void)tansy_report(r->solver, report, PAGE);
    r->told = strstr(report, "one-sided") != NULL;
    free(report);
    memcpy(r->y, y, sizeof r->y);
    for (size_t k = 0; k < NP; k++) memcpy(r->sens[k], sens + k * n, sizeof r->sens[k]);
}

/* Largest difference of two columns, against the larger of 1 + |y_i| and |a_i|. */
static double distance(const struct run *r, const double *a, const double *b)
{
    double largest = 0;
    for (size_t i = 0; i < N; i++) {
        double const apart = fabs(a[i] - b[i]) / (1 + fabs(r->y[i]) + fabs(a[i]));
        if (!(apart <= largest)) largest = apart;
    }
    return largest;
}

/* (-3 y0 + 4 y1 - y2)/(2 h) of explicit runs at p_k, p_k + h, p_k + 2 h. */
static bool differences(struct run *explicit, size_t k, double h, double *d)
{
    static const double weight[] = {-1.5, 2, -0.5};
    for (size_t i = 0; i < N; i++) d[i] = 0;
    for (int x = 0; x < 3; x++) {
        double p[NP], y[ROWS];
        memcpy(p, explicit->problem.p, sizeof p);
        p[k] += h * x;
        if (tansy_restart(explicit->solver, 0, NULL, p, NULL) < 0) return false;
        if (tansy_solve(explicit->solver, end, y, NULL) < 0) return false;
        for (size_t i = 0; i < N; i++) d[i] += weight[x] * y[i] / h;
    }
    return true;
}

static enum verdict judge(const struct run *found, struct run *tight, size_t k)
{
    double left[N], right[N], y[ROWS], far[2];
    if (tansy_restart(tight->solver, 0, NULL, tight->problem.p, NULL) < 0 ||
        tansy_solve(tight->solver, end, y, NULL) < 0)
        return NO_NEIGHBOUR;
    if (!(distance(found, found->y, y) <= 0.1 * tolerance)) return WRONG;
    for (int near = 0; near < 2; near++) {
        double const h = near ? 1e-6 : 1e-5;
        if (!differences(tight, k, -h, left) || !differences(tight, k, h, right))
            return NO_NEIGHBOUR;
        far[near] =
            fmax(distance(found, found->sens[k], left), distance(found, found->sens[k], right));
        if (far[near] <= 2 * tolerance) return near ? SINGULAR : AGREES;
    }
    if (found->told) return TOLD;
    return far[1] <= 0.3 * far[0] ? SINGULAR : WRONG;
}

struct counts {
    size_t verdict[VERDICTS], refused, bad;
};

static void judge_columns(uint64_t seed, const struct run *found, const struct run *want,
                          const char *explicit_text, struct counts *count)
{
    tansy_options const o = {
        .method = TANSY_ADAMS, .sensitivities = TANSY_NONE, .rtol = 1e-12, .atol = 1e-13};
    struct run tight;
    start(&tight, explicit_text, &o);
    for (size_t k = 0; k < NP; k++) {
        bool const same = want->status == TANSY_OK &&
                          distance(found, found->y, want->y) <= 0.1 * tolerance &&
                          distance(found, found->sens[k], want->sens[k]) <= tolerance;
        enum verdict const v = same ? AGREES : judge(found, &tight, k);
        count->verdict[v]++;
        if (v != WRONG) continue;
        printf("seed %llu, column %zu is wrong:\n", (unsigned long long)seed, k);
        for (size_t i = 0; i < N; i++)
            printf("  %.10g, explicit %.10g\n", found->sens[k][i], want->sens[k][i]);
        count->bad++;
    }
    finish(&tight);
}

static void judge_model(uint64_t seed, struct counts *count)
{
    char text[2][TEXT];
    tansy_options const o = {
        .method = seed % 2 ? TANSY_DASSL : TANSY_ROSENBROCK, .rtol = 1e-8, .atol = 1e-10};
    tansy_options const other = {.method = TANSY_BDF, .rtol = 1e-8, .atol = 1e-10};
    struct run found, want;
    for (int form = 0; form < 2; form++) jump_model(seed, form, text[form], TEXT);
    start(&found, text[1], &o);
    start(&want, text[0], &other);
    solve(&found);
    solve(&want);
    size_t const bad = count->bad;
    if (found.status == TANSY_OK)
        judge_columns(seed, &found, &want, text[0], count);
    else
        count->refused++;
    if (found.status != TANSY_OK && (want.status == TANSY_OK || found.status > TANSY_OK)) {
        printf("seed %llu: %s\n", (unsigned long long)seed, tansy_message(found.solver));
        count->bad++;
    }
    if (count->bad > bad) puts(text[1]);
    finish(&found);
    finish(&want);
}

TEST(conditions_on_variables_that_jump_agree_with_the_explicit_form)
{
    struct model_seeds const seeds = model_seeds(MODELS);
    struct counts count = {.bad = 0};
    for (uint64_t k = 0; k < seeds.count; k++) judge_model(seeds.first + k, &count);
    model_seeds_print(seeds, count.refused, VERDICTS, verdict_names, count.verdict);
    puts("");
    CHECK_EQUAL(count.bad, 0);
    CHECK(count.verdict[AGREES] > seeds.count * NP / 2);
}
