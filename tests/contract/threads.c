/* SPDX-License-Identifier: Apache-2.0 */
/* The number of threads changes nothing but the time: results, counts and messages are the same, bit for bit,
   also when panels fail. */
#include "support/fault_cases.h"
#include "support/fault_ring.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static const int thread_numbers[] = {2, 3, 8};
enum { NUMBERS = sizeof thread_numbers / sizeof *thread_numbers };

/* Everything that a user can see of a run. */
struct run {
    tansy_status status;
    char message[512];
    double t, y[RING_N], sens[RING_SENS];
    size_t repeated[RING_NP + 1];
    tansy_stats stats;
};

static void solve(const tansy_problem *problem, const tansy_options *options, double t,
                  struct run *r)
{
    memset(r, 0, sizeof *r);
    tansy_solver *const s = tansy_create(problem, options);
    r->status = tansy_solve(s, t, r->y, r->sens);
    r->t = tansy_time(s);
    snprintf(r->message, sizeof r->message, "%s", tansy_message(s));
    for (size_t k = 0; k <= RING_NP; k++)
        r->repeated[k] = tansy_repeated_steps(s, (ptrdiff_t)k - 1);
    tansy_get_stats(s, &r->stats);
    r->stats.bytes = 0; /* every thread needs some */
    tansy_free(s);
}

/* 0 if both runs are the same; else tells what differs. */
static size_t differ(const struct run *a, const struct run *b, const tansy_options *options)
{
    const char *what = NULL;
    if (memcmp(&a->stats, &b->stats, sizeof a->stats) != 0) what = "counts";
    if (memcmp(a->repeated, b->repeated, sizeof a->repeated) != 0) what = "repeated steps";
    if (memcmp(a->sens, b->sens, sizeof a->sens) != 0) what = "columns";
    if (memcmp(a->y, b->y, sizeof a->y) != 0 || a->t != b->t) what = "the state";
    if (a->status != b->status || strcmp(a->message, b->message) != 0) what = "the message";
    if (!what) return 0;
    fprintf(stderr, "method %d, sensitivities %d, control %d, %d threads: %s: \"%s\", \"%s\"\n",
            options->method, options->sensitivities, options->error_control, options->threads, what,
            a->message, b->message);
    return 1;
}

/* Runs with 1 thread and with more; the run with 1 is left in *one. */
static size_t threads_matter(const tansy_problem *problem, tansy_options options, double t,
                             struct run *one)
{
    static struct run other;
    size_t broken = 0;
    options.threads = 1;
    solve(problem, &options, t, one);
    for (size_t x = TEST_STRIDE > 1 ? NUMBERS - 1 : 0; x < NUMBERS; x++) {
        options.threads = thread_numbers[x];
        solve(problem, &options, t, &other);
        broken += differ(one, &other, &options);
    }
    return broken;
}

/* Options of method and corrector number c, for the ring. */
static tansy_options options_of(size_t c)
{
    tansy_options options = fault_case(c * FAULT_SOURCES).options;
    options.rtol = 1e-3;
    options.atol = 1e-6;
    options.residual = TANSY_RESIDUAL_AUTO;
    return options;
}
enum { WAYS = FAULT_CASES / FAULT_SOURCES };

static struct run one;

TEST(threads_change_nothing_in_clean_runs)
{
    for (enum ring_source source = RING_TANGENT; source <= RING_NOTHING;
         source += TEST_STRIDE > 1 ? 2 : 1)
        for (size_t c = 0; c < WAYS; c++)
            for (int control = TANSY_EACH_COLUMN; control <= TANSY_ALL_AS_ONE;
                 control += TEST_STRIDE > 1 ? 2 : 1) {
                if (TEST_STRIDE > 1 && (c + (size_t)(control + (int)source) / 2) % 2 != 0) continue;
                tansy_problem const problem = ring_problem(source, NULL);
                tansy_options options = options_of(c);
                options.error_control = (tansy_error_control)control;
                if (source == RING_TANGENT) options.residual = TANSY_SEED;
                if (source == RING_NOTHING) options.residual = TANSY_DIFFERENCES;
                if (source == RING_NOTHING && control != TANSY_EACH_COLUMN) continue;
                CHECK_EQUAL(threads_matter(&problem, options, 0.1, &one), 0);
                CHECK_EQUAL(one.status, TANSY_OK);
            }
}

/* The ring with two parameters that are 0 and whose channels open and close a hundred times: only their columns
   feel it, and fail their tests. */
static tansy_problem jumping_ring(struct ring_user *user)
{
    static double p[RING_NP], scale[RING_NP];
    tansy_problem problem = ring_problem(RING_TANGENT, user);
    for (size_t k = 0; k < RING_NP; k++) p[k] = scale[k] = problem.p[k];
    p[user->column[0]] = p[user->column[1]] = 0;
    problem.p = p;
    problem.scale = scale;
    user->jumps = 100;
    user->slow = true; /* so that the threads come in any order */
    return problem;
}

/* In the first and the third panel, or in the sixth and the last, while other threads work on those behind. */
TEST(threads_change_nothing_when_panels_fail_their_error_test)
{
    static const size_t places[][2] = {{5, 70}, {170, 290}};
    size_t repeated = 0;
    for (size_t x = 0; x<2 * WAYS; x += TEST_STRIDE> 1 ? 3 : 1)
        for (int control = TANSY_EACH_COLUMN; control <= TANSY_ALL_AS_ONE;
             control += TEST_STRIDE > 1 ? 2 : 1) {
            if (TEST_STRIDE > 1 && (x + (size_t)control / 2) % 2 != 0) continue;
            const size_t *const place = places[x % 2];
            struct ring_user user = {.column = {place[0], place[1]}, .from = 1, .to = 0};
            tansy_problem const problem = jumping_ring(&user);
            tansy_options options = options_of(x / 2);
            double const t = control == TANSY_EACH_COLUMN ? 0.1 : 0.05;
            options.error_control = (tansy_error_control)control;
            options.residual = TANSY_SEED;
            CHECK_EQUAL(threads_matter(&problem, options, t, &one), 0);
            CHECK_EQUAL(one.status, TANSY_OK);
            repeated += one.repeated[place[0] + 1] + one.repeated[place[1] + 1];
        }
    CHECK(repeated > 100 / TEST_STRIDE); /* or too little was tested */
}

/* The tangent of two panels, moreover, fails at a tenth of all times, here and there: a smaller step helps. */
TEST(threads_change_nothing_when_panels_cannot_be_evaluated)
{
    size_t failed = 0;
    for (size_t c = 0; c<WAYS; c += TEST_STRIDE> 1 ? 2 : 1)
        for (int control = TANSY_EACH_COLUMN; control <= TANSY_ALL_AS_ONE;
             control += TEST_STRIDE > 1 ? 2 : 1)
            for (int how = RING_NOT_HERE; how <= RING_NAN; how += 2) {
                if (TEST_STRIDE > 1 && (c + (size_t)(control + how) / 2) % 2 != 0) continue;
                struct ring_user user = {.column = {250, 60}, .how = how};
                tansy_problem const problem = jumping_ring(&user);
                tansy_options options = options_of(c);
                options.error_control = (tansy_error_control)control;
                options.residual = TANSY_SEED;
                user.period = 1e-6;
                user.from = 1e-7;
                user.to = 2e-7;
                CHECK_EQUAL(threads_matter(&problem, options, 0.05, &one), 0);
                CHECK_EQUAL(one.status, TANSY_OK);
                failed += one.stats.rejected_newton;
            }
    CHECK(failed > 100 / TEST_STRIDE); /* or too little was tested */
}

/* The same from some time on: no smaller step helps.  Of two failing panels the first is told of, that of the
   columns 32 to 63. */
TEST(threads_change_nothing_in_what_is_said_of_a_failure)
{
    static const char *const said[] = {"tangent could not be evaluated", "tangent asked to stop",
                                       "tangent gave NaN in row 0, column 32 at"};
    static const tansy_status statuses[] = {TANSY_USER_FAILED, TANSY_USER_STOPPED,
                                            TANSY_NOT_FINITE};
    size_t broken = 0;
    for (size_t c = 0; c < WAYS; c++)
        for (int how = RING_NOT_HERE; how <= RING_NAN; how++) {
            struct ring_user user = {
                .owner = pthread_self(), .column = {250, 60}, .from = 0.03, .to = 1e9, .how = how};
            tansy_problem const problem = ring_problem(RING_TANGENT, &user);
            tansy_options options = options_of(c);
            options.residual = TANSY_SEED;
            broken += threads_matter(&problem, options, 0.1, &one);
            CHECK_EQUAL(one.status, statuses[how]);
            CHECK_TEXT_CONTAINS(one.message, said[how]);
        }
    CHECK_EQUAL(broken, 0);
}
