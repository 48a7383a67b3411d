/* SPDX-License-Identifier: Apache-2.0 */
/* Every call of every function of an implicit problem fails once, and for ever, in every way: the solver goes on with a smaller step or says which
   function failed; it accepts no NaN, calls nothing after "stop", and a restart of the same solver repeats the clean run. */
#include "support/implicit_fade.h"
#include "support/promise.h"
#include "test.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const double t_end = 0.5, rtol = 1e-4, floor_of = 1e-3;

struct fault_case {
    char name[80];
    int gives;
    tansy_options options;
};

static const struct source {
    const char *name;
    int gives;
    tansy_residual residual;
    tansy_linear_solver linear;
} sources[] = {
    {"matrices", FADE_MATRICES | FADE_INITIALS, TANSY_MATRIX, TANSY_LINEAR_AUTO},
    {"tangent", FADE_MATRICES | FADE_TANGENTS | FADE_INITIALS, TANSY_SEED, TANSY_LINEAR_AUTO},
    {"differences", 0, TANSY_DIFFERENCES, TANSY_LINEAR_AUTO},
    {"difference matrices", 0, TANSY_MATRIX, TANSY_LINEAR_AUTO},
    {"mass, tangent", FADE_MASS_FORM | FADE_MATRICES | FADE_TANGENTS | FADE_INITIALS, TANSY_SEED,
     TANSY_LINEAR_AUTO},
    {"mass, differences", FADE_MASS_FORM, TANSY_DIFFERENCES, TANSY_LINEAR_AUTO},
    {"gmres, tangent", FADE_TANGENTS | FADE_INITIALS | FADE_PRECONDITIONER, TANSY_SEED,
     TANSY_GMRES},
    {"gmres, mass, matrices", FADE_MASS_FORM | FADE_MATRICES | FADE_PRECONDITIONER, TANSY_MATRIX,
     TANSY_GMRES},
};
enum { SOURCES = sizeof sources / sizeof *sources, CASES = SOURCES * CORRECTORS };

static struct fault_case fault_case(size_t number)
{
    const struct source *const source = &sources[number % SOURCES];
    tansy_sensitivities const corrector = all_correctors[number / SOURCES];
    struct fault_case it = {.gives = source->gives,
                            .options = {.method = TANSY_DASSL,
                                        .sensitivities = corrector,
                                        .residual = source->residual,
                                        .linear_solver = source->linear,
                                        .rtol = rtol,
                                        .atol = rtol * floor_of}};
    snprintf(it.name, sizeof it.name, "%s, %s", source->name, sensitivities_name(corrector));
    return it;
}

struct result {
    tansy_status status;
    char message[512];
    double t, y[FADE_N], sens[FADE_SENS];
    bool finite;
    size_t steps;
};

static bool all_finite(const struct result *r)
{
    bool finite = true;
    for (size_t i = 0; i < FADE_N; i++) finite = finite && isfinite(r->y[i]);
    for (size_t x = 0; x < FADE_SENS; x++) finite = finite && isfinite(r->sens[x]);
    return finite;
}

static struct result integrate(tansy_solver *s)
{
    struct result r = {.finite = true, .status = tansy_error(s)};
    tansy_stats stats;
    while (r.status == TANSY_OK && tansy_time(s) < t_end) {
        r.status = tansy_step(s, t_end, r.y, r.sens);
        r.finite = r.finite && all_finite(&r);
    }
    if (r.status == TANSY_OK) r.status = tansy_solve(s, t_end, r.y, r.sens);
    r.finite = r.finite && all_finite(&r);
    r.t = tansy_time(s);
    snprintf(r.message, sizeof r.message, "%s", tansy_message(s));
    tansy_get_stats(s, &stats);
    r.steps = stats.steps;
    return r;
}

static size_t told(bool holds, const char *what, const struct fault_case *it,
                   const struct fade_user *user, const struct result *r)
{
    static const char *const kinds[] = {"NaN", "positive", "negative"};
    if (holds) return 0;
    fprintf(stderr, "%s: call %zu of %s fails (%s, %s): %s does not hold: status %d, \"%s\"\n",
            it->name, user->first, fade_function_name[user->function], kinds[user->kind],
            user->last == user->first ? "once" : "for ever", what, r->status, r->message);
    return 1;
}

static bool status_fits(const struct fade_user *user, const struct result *r)
{
    if (user->kind == FADE_NEGATIVE) return r->status == TANSY_USER_STOPPED;
    return r->status == (user->kind == FADE_POSITIVE ? TANSY_USER_FAILED : TANSY_NOT_FINITE);
}

static bool names(const struct fade_user *user, const struct result *r)
{
    return strstr(r->message, fade_function_name[user->function]) && strstr(r->message, "t = ");
}

static bool right(double t, const struct result *r)
{
    return fade_error(t, floor_of, r->y, r->sens) <= 100 * rtol;
}

static size_t replay_differs(tansy_solver *s, const struct fault_case *it, struct fade_user *user,
                             const struct result *clean)
{
    struct fade_user const plan = *user;
    user->first = 0;
    user->last = 0;
    struct result r = {.status = tansy_restart(s, 0, NULL, NULL, NULL)};
    if (r.status == TANSY_OK) r = integrate(s);
    bool const same = r.status == TANSY_OK && memcmp(r.y, clean->y, sizeof r.y) == 0 &&
                      memcmp(r.sens, clean->sens, sizeof r.sens) == 0;
    return told(same, "the replay", it, &plan, &r);
}

static size_t run_breaks(const struct fault_case *it, struct fade_user *user,
                         const struct result *clean)
{
    bool const once = user->first == user->last;
    tansy_problem const problem = fade_problem(user, it->gives);
    tansy_solver *const s = tansy_create(&problem, &it->options);
    bool const ran = tansy_error(s) == TANSY_OK;
    struct result const r = integrate(s);
    bool const may_pass = once && user->kind != FADE_NEGATIVE;
    size_t broken = 0;
    if (r.status == TANSY_OK)
        broken += told(may_pass && right(t_end, &r), "success and accuracy", it, user, &r);
    else {
        bool const at_start = r.steps == 0 && r.t == 0;
        broken += told(!may_pass || at_start, "survival", it, user, &r);
        broken += told(status_fits(user, &r), "the status", it, user, &r);
        broken += told(names(user, &r), "the message", it, user, &r);
        if (ran) broken += told(right(r.t, &r), "accuracy where it stopped", it, user, &r);
        broken +=
            told(tansy_solve(s, t_end, NULL, NULL) == r.status, "the error sticks", it, user, &r);
    }
    broken += told(r.finite, "finite", it, user, &r);
    broken += told(user->calls_after_stop == 0, "no call after stop", it, user, &r);
    user->stopped = false;
    broken += replay_differs(s, it, user, clean);
    tansy_free(s);
    return broken;
}

/* A function that fails in its first call, before the solver is made, cannot be replayed. */
static bool is_early(enum fade_function function, size_t k)
{
    return function == FADE_INITIAL && k == 1;
}

static size_t all_breaks(enum fade_kind kind, bool once)
{
    size_t broken = 0;
    for (size_t number = 0; number < CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fade_user user = {.first = 0};
        tansy_problem const problem = fade_problem(&user, it.gives);
        tansy_solver *const s = tansy_create(&problem, &it.options);
        struct result const clean = integrate(s);
        tansy_free(s);
        user.kind = kind;
        broken += told(clean.status == TANSY_OK && right(t_end, &clean), "a clean run", &it, &user,
                       &clean);
        for (enum fade_function f = 0; f < FADE_DERIVED; f++)
            for (size_t k = 1 + number % TEST_STRIDE; k <= user.calls[f];
                 k += TEST_STRIDE * (k < 20 ? 1 : 1 + k / 10)) {
                struct fade_user failing = {
                    .function = f, .kind = kind, .first = k, .last = once ? k : SIZE_MAX};
                if (f == FADE_PREPARE && kind == FADE_NAN) continue; /* it gives no numbers */
                if (!is_early(f, k)) broken += run_breaks(&it, &failing, &clean);
            }
    }
    return broken;
}

TEST(a_function_of_an_implicit_problem_that_gives_nan_once_is_survived)
{
    CHECK_EQUAL(all_breaks(FADE_NAN, true), 0);
}

TEST(a_function_of_an_implicit_problem_that_says_not_here_once_is_survived)
{
    CHECK_EQUAL(all_breaks(FADE_POSITIVE, true), 0);
}

TEST(a_function_of_an_implicit_problem_that_gives_nan_for_ever_is_named)
{
    CHECK_EQUAL(all_breaks(FADE_NAN, false), 0);
}

TEST(a_function_of_an_implicit_problem_that_says_not_here_for_ever_is_named)
{
    CHECK_EQUAL(all_breaks(FADE_POSITIVE, false), 0);
}

TEST(a_function_of_an_implicit_problem_that_says_stop_is_obeyed_at_once)
{
    CHECK_EQUAL(all_breaks(FADE_NEGATIVE, false), 0);
}
