/* SPDX-License-Identifier: Apache-2.0 */
/* Cases and runs of the problem of fault_problem.h. */
#include "fault_cases.h"

#include "accuracy.h"
#include "promise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct source {
    const char *name;
    int gives;
    tansy_residual residual;
} sources[FAULT_SOURCES] = {
    {"matrices", WITH_MATRICES | WITH_INITIAL, TANSY_MATRIX},
    {"tangent", WITH_MATRICES | WITH_TANGENT | WITH_INITIAL, TANSY_SEED},
    {"differences", WITH_NOTHING, TANSY_DIFFERENCES},
    {"difference matrices", WITH_NOTHING, TANSY_MATRIX},
};

struct fault_case fault_case(size_t number)
{
    const struct source *const source = &sources[number % FAULT_SOURCES];
    tansy_sensitivities const corrector = all_correctors[number / FAULT_SOURCES % FAULT_CORRECTORS];
    tansy_method const method =
        number / FAULT_SOURCES / FAULT_CORRECTORS % FAULT_METHODS ? TANSY_ADAMS : TANSY_BDF;
    struct fault_case it = {.options = {.method = method,
                                        .sensitivities = corrector,
                                        .residual = source->residual,
                                        .rtol = 1e-4,
                                        .atol = 1e-7},
                            .gives = source->gives,
                            .differences = source->gives == WITH_NOTHING};
    snprintf(it.name, sizeof it.name, "%s, %s, %s", method_name(method),
             sensitivities_name(corrector), source->name);
    return it;
}

static bool all_finite(const struct fault_result *r)
{
    bool finite = true;
    for (size_t i = 0; i < FAULT_N; i++) finite = finite && isfinite(r->y[i]);
    for (size_t x = 0; x < FAULT_SENS; x++) finite = finite && isfinite(r->sens[x]);
    return finite;
}

struct fault_result fault_integrate(tansy_solver *s, double t)
{
    struct fault_result r = {.finite = true};
    double const direction = t < tansy_time(s) ? -1 : 1;
    r.status = tansy_error(s);
    while (r.status == TANSY_OK && direction * (t - tansy_time(s)) > 0) {
        r.status = tansy_step(s, t, r.y, r.sens);
        r.finite = r.finite && all_finite(&r);
    }
    if (r.status == TANSY_OK) r.status = tansy_solve(s, t, r.y, r.sens);
    r.finite = r.finite && all_finite(&r);
    r.t = tansy_time(s);
    snprintf(r.message, sizeof r.message, "%s", tansy_message(s));
    tansy_get_stats(s, &r.stats);
    return r;
}

struct fault_result fault_run(const struct fault_case *it, struct fault_user *user, double t)
{
    tansy_problem const problem = fault_problem(user, it->gives, fault_p);
    tansy_solver *const s = tansy_create(&problem, &it->options);
    struct fault_result const r = fault_integrate(s, t);
    tansy_free(s);
    return r;
}

bool fault_same(const struct fault_result *a, const struct fault_result *b)
{
    return memcmp(a->y, b->y, sizeof a->y) == 0 && memcmp(a->sens, b->sens, sizeof a->sens) == 0 &&
           a->t == b->t && a->stats.steps == b->stats.steps &&
           a->stats.rejected_error == b->stats.rejected_error &&
           a->stats.rejected_newton == b->stats.rejected_newton &&
           a->stats.rhs_evals == b->stats.rhs_evals &&
           a->stats.tangent_evals == b->stats.tangent_evals &&
           a->stats.factorizations == b->stats.factorizations && a->stats.solves == b->stats.solves;
}

size_t fault_told(bool holds, const char *what, const struct fault_case *it,
                  const struct fault_user *user, const struct fault_result *r)
{
    static const char *const kinds[] = {"NaN", "Inf", "positive", "negative"};
    char call[64] = "";
    if (holds) return 0;
    if (user->plan.first > 0)
        snprintf(call, sizeof call, "call %zu of %s fails (%s): ", user->plan.first,
                 fault_function_name[user->plan.function], kinds[user->plan.kind]);
    fprintf(stderr, "%s: %s%s does not hold: status %d, \"%s\"\n", it->name, call, what, r->status,
            r->message);
    return 1;
}
