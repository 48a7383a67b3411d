/* SPDX-License-Identifier: Apache-2.0 */
/* Random models with nested conditions: S against differences of whole runs to the left and to the right of p.  Where they do not
   agree the differences themselves must say why: a corner (left and right have limits of their own: then the solver must have
   said so), a corner or singular point nearby (the error shrinks with the increment).  All else is a failure, printed with the
   model.  TANSY_MODELS=first:count runs others. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/nested_model.h"
#include "test.h"

enum { N = NESTED_STATES, NP = NESTED_PARAMETERS, MODELS = 150 };
static const double end =
    1.9371; /* no switch of round numbers is there, where S has its left limit */
/* S has 100 rtol = 1e-6; differences over h = 1e-5 of runs with errors of 1e-11, four times: 1e-5, and ten times that over
   1e-6; amplified by conditions that are crossed slowly. */
static const double tolerance = 1e-4;

enum verdict {
    AGREES, /* with both sides */
    CORNER, /* the sides have different limits, the solver has said so and gives one of them or what lies between */
    NEAR_CORNER,  /* agrees with one side; on the other a corner stands within h */
    SINGULAR,     /* the differences come nearer as h gets smaller */
    NO_NEIGHBOUR, /* a run with p +- h was refused */
    SILENT,       /* a corner that the solver did not report */
    WRONG,
    VERDICTS
};

static const char *const verdict_names[] = {"agrees",   "corner, reported", "corner nearby",
                                            "singular", "no neighbour",     "SILENT CORNER",
                                            "WRONG"};

struct model {
    tansy_problem problem;
    double sens[NP][N], size[N]; /* size: 1 + |y_i| */
    bool warned;
    tansy_solver *reference; /* without columns, tight */
};

/* One-sided differences of second order at p_k, towards way = +1 or -1: (-3 y0 + 4 y1 - y2)/(2 h). */
static bool differences(struct model *m, size_t k, double h, double way, double *d)
{
    static const double weight[] = {-1.5, 2, -0.5};
    double p[NP];
    for (size_t i = 0; i < N; i++) d[i] = 0;
    for (int x = 0; x < 3; x++) {
        double y[N];
        memcpy(p, m->problem.p, sizeof p);
        p[k] += way * h * x;
        if (tansy_restart(m->reference, 0, NULL, p, NULL) < 0) return false;
        if (tansy_solve(m->reference, end, y, NULL) < 0) return false;
        for (size_t i = 0; i < N; i++) d[i] += weight[x] * y[i] / (way * h);
    }
    return true;
}

static double distance(const struct model *m, const double *a, const double *b)
{
    double largest = 0;
    for (size_t i = 0; i < N; i++)
        largest = fmax(largest, fabs(a[i] - b[i]) / (m->size[i] + fabs(a[i])));
    return largest;
}

static enum verdict judge(struct model *m, size_t k)
{
    double left[N], right[N], left_near[N], right_near[N];
    const double *const s = m->sens[k];
    if (!differences(m, k, 1e-5, -1, left) || !differences(m, k, 1e-5, 1, right))
        return NO_NEIGHBOUR;
    double const far = fmax(distance(m, s, left), distance(m, s, right));
    if (far <= tolerance) return AGREES;
    if (!differences(m, k, 1e-6, -1, left_near) || !differences(m, k, 1e-6, 1, right_near))
        return NO_NEIGHBOUR;
    bool const stable = distance(m, left, left_near) <= 2 * tolerance &&
                        distance(m, right, right_near) <= 2 * tolerance;
    bool const on_left = distance(m, s, left_near) <= 2 * tolerance;
    bool const on_right = distance(m, s, right_near) <= 2 * tolerance;
    if (on_left && on_right) return SINGULAR;
    bool const differ = distance(m, left_near, right_near) > 2 * tolerance;
    if (stable && differ) return m->warned ? CORNER : on_left || on_right ? SILENT : WRONG;
    double const near = fmax(distance(m, s, left_near), distance(m, s, right_near));
    if (near <= 0.3 * far) return SINGULAR;
    if (m->warned) return CORNER;
    return on_left || on_right ? NEAR_CORNER : WRONG;
}

/* Solves with columns; false: refused. */
static bool solve(struct model *m, tansy_method method, tansy_status *status)
{
    tansy_options const o = {.method = method, .rtol = 1e-8, .atol = 1e-10};
    tansy_solver *const s = tansy_create(&m->problem, &o);
    double y[N];
    char *const report = malloc(1 << 16);
    *status = tansy_solve(s, end, y, *m->sens);
    (void)tansy_report(s, report, 1 << 16);
    m->warned = strstr(report, "one-sided") != NULL;
    for (size_t i = 0; i < N; i++) m->size[i] = 1 + fabs(y[i]);
    free(report);
    tansy_free(s);
    return *status == TANSY_OK;
}

static bool is_refusal(tansy_status status)
{
    return status == TANSY_SLIDING || status == TANSY_GRAZING;
}

static size_t judge_model(uint64_t seed, size_t *count)
{
    char text[8000];
    struct model m = {.warned = false};
    tansy_status status = TANSY_OK;
    size_t bad = 0;
    nested_model(seed, text, sizeof text);
    tansy_model *const model = tansy_model_parse(text, strlen(text), "random");
    if (tansy_model_error(model) < 0) puts(tansy_model_message(model));
    CHECK_EQUAL(tansy_model_problem(model, &m.problem), TANSY_OK);
    bool const solved = solve(&m, seed % 2 ? TANSY_ADAMS : TANSY_BDF, &status);
    tansy_options const tight = {
        .method = TANSY_ADAMS, .sensitivities = TANSY_NONE, .rtol = 1e-12, .atol = 1e-13};
    m.reference = tansy_create(&m.problem, &tight);
    if (!solved && !is_refusal(status)) {
        printf("seed %llu: status %d\n%s\n", (unsigned long long)seed, (int)status, text);
        bad++;
    }
    for (size_t k = 0; k < NP && solved; k++) {
        enum verdict const v = judge(&m, k);
        count[v]++;
        if (v < SILENT) continue;
        printf("seed %llu, column %zu: %s\n%s\n", (unsigned long long)seed, k, verdict_names[v],
               text);
        bad++;
    }
    tansy_free(m.reference);
    tansy_model_free(model);
    count[VERDICTS] += !solved;
    return bad;
}

TEST(nested_conditions_agree_with_differences_or_say_why_not)
{
    unsigned long long first = 1, models = MODELS;
    const char *const other = getenv("TANSY_MODELS");
    size_t count[VERDICTS + 1] = {0}, bad = 0;
    if (other) (void)sscanf(other, "%llu:%llu", &first, &models);
    for (uint64_t seed = first; seed < first + models; seed++) bad += judge_model(seed, count);
    printf("%llu models: %zu refused; columns:", models, count[VERDICTS]);
    for (int v = 0; v < VERDICTS; v++) printf(" %s %zu;", verdict_names[v], count[v]);
    puts("");
    CHECK_EQUAL(bad, 0);
    CHECK(count[AGREES] > models * NP / 2);
}
