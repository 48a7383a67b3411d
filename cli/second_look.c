/* SPDX-License-Identifier: Apache-2.0 */
/* A second look at runs whose errors no error test sees, see second_look.h. */
#include "second_look.h"

#include "verify_parts.h"

#include <stdint.h>
#include <stdlib.h>

/* Of a scan the first runs are looked at, then one in so many. */
enum { FIRST_RUNS = 100, EVERY = 10 };
/* It takes so many times as long as the run, and so long, at most: evaluations of f do not tell what factors take. */
static const double times_longer = 3, seconds = 1;
/* rtol: at ten times less all is rounding. */
static const double finest = 5e-13;

void second_look_make(struct second_look *l, const struct study *s)
{
    const struct request *const r = s->request;
    bool const told = !r->quiet || r->report;
    bool const promised = 100 * study_rtol(s) < 1 && study_rtol(s) > finest;
    l->wanted = (s->ns > 0 || s->no > 0) && told && promised && !r->once && !r->verify;
    if (l->wanted) series_make(&l->rows, s);
}

void second_look_row(struct second_look *l, const struct row *row)
{
    if (l->wanted) series_add(&l->rows, row);
}

/* Numbers that are advanced: a few seconds, and as much again, or some times that, for the second look. */
static bool is_long(const struct study *s, const struct outcome *outcome)
{
    static const double most = 1e9;
    return (double)outcome->stats.steps * (double)s->n * (double)(1 + s->ns) > most;
}

static size_t count_worse(size_t count, const double *error, double promise)
{
    size_t worse = 0;
    for (size_t a = 0; a < count; a++) worse += !(error[a] <= promise);
    return worse;
}

static void keep_worst(struct second_look *l, struct verification *v, size_t run)
{
    l->missed++;
    if (l->missed > 1 && !(v->most.error > l->most.error)) return;
    l->most = v->most;
    l->run = run;
    l->columns = count_worse(v->ns, v->most_column, v->promise);
    l->quantities = count_worse(v->nx, v->most_state, v->promise);
    free(l->how);
    l->how = v->how;
    v->how = NULL;
}

static void keep_failure(struct second_look *l, struct verification *v, size_t run)
{
    if (l->failed++ > 0) return;
    l->failed_run = run;
    l->failure = v->how;
    v->how = NULL;
}

/* Once more; false where it did not come to the end. */
static bool repeat(const struct second_look *l, const struct study *s,
                   const struct outcome *outcome, const struct repetition *how,
                   struct verification *v)
{
    bool independent;
    verify_free(v);
    verify_begin(s, &l->rows, outcome, v);
    return verify_repeat(s, &l->rows, outcome, how, v, &independent);
}

static void exchange(struct verification *a, struct verification *b)
{
    struct verification const kept = *a;
    *a = *b;
    *b = kept;
}

/* What is compared with may be off itself, multistep methods by more than one-step methods: a
   difference counts that is left when its tolerance is yet smaller, and with all other methods that
   come to the end.  And it may hide an error: of one above the promise no more than half is left if
   the other run, of a tenth of the tolerance, is off by five times its own promise. */
static void look(struct second_look *l, const struct study *s, size_t run,
                 const struct outcome *outcome)
{
    struct repetition how = {.tighter = 10,
                             .explicit_calls = 10,
                             .calls = 30,
                             .spare = 5000,
                             .all_limited = true,
                             .cheapest_first = true};
    struct verification v = {0}, other = {0};
    how.deadline = run_clock() + times_longer * outcome->seconds + seconds;
    l->looks++;
    bool const whole = repeat(l, s, outcome, &how, &v);
    bool open = whole && 2 * v.most.error > v.promise, told = whole && v.most.error > v.promise;
    how.tighter = 100;
    how.from = v.partner;
    while (open && repeat(l, s, outcome, &how, &other)) {
        open = told = other.most.error > other.promise;
        how.from = other.partner + 1;
        bool const better_known = other.partner == v.partner || !(v.most.error > v.promise);
        if (better_known) exchange(&v, &other);
    }
    if (!whole)
        keep_failure(l, &v, run);
    else if (told)
        keep_worst(l, &v, run);
    verify_free(&v);
    verify_free(&other);
}

void second_look_judge(struct second_look *l, const struct study *s, size_t run,
                       const struct outcome *outcome)
{
    if (!l->wanted) return;
    bool const doubtful = s->ns > 0 || s->summary.output_rates || verify_amplifies(s, &l->rows);
    bool const is_due = run <= FIRST_RUNS || run % EVERY == 0;
    if (doubtful && is_due && outcome->exit_status == DONE && l->rows.count > 0 &&
        !run_interrupted()) {
        if (is_long(s, outcome))
            l->long_ones++;
        else
            look(l, s, run, outcome);
    }
    series_clear(&l->rows);
}

static void add_run(struct text *text, size_t run)
{
    if (run > 0) text_add(text, "run %zu: ", run);
}

static void tell_missed(struct text *text, const struct study *s, const struct second_look *l)
{
    const char *const name = study_name(s, l->most.quantity);
    add_run(text, l->run);
    if (l->most.column == SIZE_MAX)
        text_add(text, "%s", name);
    else
        text_add(text, "d(%s)/d(%s)", name, s->column_name[l->most.column]);
    text_add(text,
             " is less exact than promised at t = %.10g: computed once more, %s, it differs by "
             "%.2g, relative, and %g is promised",
             l->most.t, l->how, l->most.error, 100 * study_rtol(s));
    if (l->columns > 0) text_add(text, "; so do %zu of %zu columns", l->columns, s->ns);
    if (l->quantities > 0)
        text_add(text, "%s %zu of %zu states and outputs", l->columns > 0 ? " and" : "; so do",
                 l->quantities, s->nx);
    if (l->run > 0) text_add(text, ", and %zu of %zu runs", l->missed, l->looks);
    text_put(text, "; a smaller --rtol gives more digits, and --verify tells how many are right\n");
}

void second_look_tell(struct text *text, const struct study *s, const struct second_look *l)
{
    bool const behind = s->summary.conditions > 0 && s->ns > 0;
    const char *const what = behind      ? "the sensitivities are behind the conditions"
                             : s->ns > 0 ? "the results are"
                                         : "the outputs are";
    if (l->missed > 0) tell_missed(text, s, l);
    if (l->failed > 0) {
        add_run(text, l->failed_run);
        text_add(text, "how exact %s is not known: a second run, %s; --verify takes more time\n",
                 what, l->failure);
    }
    if (l->long_ones > 0)
        text_add(text,
                 "the run was long and was not computed once more: --verify tells how exact %s\n",
                 what);
}

void second_look_free(struct second_look *l)
{
    series_free(&l->rows);
    free(l->how);
    free(l->failure);
}
