/* SPDX-License-Identifier: Apache-2.0 */
/* --verify: the verdict.  What is worse than promised fails; what is as good only since its atol is larger than the promise of its own size
   is open, as is what there was nothing to compare of; the rest passes. */
#include "verify_parts.h"

#include <math.h>
#include <stdio.h>

/* What is in no error test has no promise to keep; but fewer than two digits are no result. */
static const double no_result = 1e-2;

/* Two runs may agree by chance in what neither of them controls: then only differences count, of all quantities and up to the end. */
static bool is_lost(const struct verification *v, size_t k)
{
    bool const told = !isnan(v->by_difference[k]) && v->until[k] == v->t_end && v->open[k] == 0;
    return v->lost && !told;
}

bool verify_promises(const struct verification *v)
{
    return v->promise < 1;
}

bool verify_column_passed(const struct verification *v, size_t k)
{
    if (!verify_promises(v)) return true;
    return v->column[k] <= v->promise && !v->differs[k] && !is_lost(v, k);
}

bool verify_aside_passed(const struct verification *v, size_t k)
{
    return v->untested == 0 || v->aside[k] <= no_result;
}

bool verify_state_passed(const struct verification *v, size_t i)
{
    if (verify_untested(v->control[i])) return v->of_largest[i] <= no_result;
    return !verify_promises(v) || v->state[i] <= v->promise;
}

bool verify_column_conditioned(const struct verification *v, size_t k)
{
    return !(v->column[k] <= v->promise) && v->column[k] <= v->moved_column[k] && !v->differs[k];
}

bool verify_state_conditioned(const struct verification *v, size_t i)
{
    return !(v->state[i] <= v->promise) && v->state[i] <= v->moved_state[i];
}

bool verify_column_hidden(const struct verification *v, size_t k)
{
    return v->hidden[k] > v->promise;
}

enum control verify_column_control(const struct verification *v, size_t k)
{
    if (is_lost(v, k)) return LOST;
    return verify_column_hidden(v, k) ? BELOW_ATOL : CONTROLLED;
}

double verify_shown(const struct verification *v, size_t i)
{
    return v->control[i] ? v->of_largest[i] : v->state[i];
}

bool verify_state_hidden(const struct verification *v, size_t i)
{
    return v->control[i] == BELOW_ATOL && !(v->of_largest[i] <= v->promise);
}

size_t verify_count_lost(const struct verification *v)
{
    size_t lost = 0;
    for (size_t k = 0; k < v->ns; k++)
        lost += verify_column_control(v, k) == LOST && !verify_column_passed(v, k);
    return lost;
}

static void judge_states(struct verification *v)
{
    for (size_t i = 0; i < v->nx; i++) {
        bool const passed = verify_state_passed(v, i);
        if (v->control[i] == BELOW_ATOL && v->seen[i] == ZEROS) v->control[i] = CONTROLLED;
        v->conditioned += !verify_untested(v->control[i]) && verify_state_conditioned(v, i);
        v->marked += v->control[i] == BELOW_ATOL;
        v->untested += verify_untested(v->control[i]);
        v->unseen += v->seen[i] == NOTHING;
        v->zeros += v->seen[i] == ZEROS;
        v->hidden_ones += passed && verify_state_hidden(v, i);
        v->missed += !passed;
    }
}

static void judge_columns(struct verification *v)
{
    for (size_t k = 0; k < v->ns; k++) {
        bool const passed = verify_column_passed(v, k) && verify_aside_passed(v, k);
        v->conditioned += verify_column_conditioned(v, k);
        v->marked += verify_column_hidden(v, k);
        v->unseen += v->seen_column[k] == NOTHING;
        v->zeros += v->seen_column[k] == ZEROS;
        v->hidden_ones += passed && verify_column_hidden(v, k);
        v->missed += !passed;
    }
}

void verify_judge(struct verification *v)
{
    v->missed = v->marked = v->untested = v->conditioned = 0;
    v->hidden_ones = v->unseen = v->zeros = 0;
    judge_states(v);
    judge_columns(v);
}

enum verdict verify_verdict(const struct verification *v)
{
    if (!v->done) return VERDICT_UNDECIDED;
    if (v->missed > 0) return VERDICT_FAIL;
    bool const any = v->unseen + v->zeros < v->nx + v->ns;
    return verify_promises(v) && any && v->hidden_ones + v->unseen == 0 ? VERDICT_PASS
                                                                        : VERDICT_UNDECIDED;
}

const char *verify_verdict_word(const struct verification *v)
{
    static const char *const words[] = {
        [VERDICT_PASS] = "pass", [VERDICT_FAIL] = "fail", [VERDICT_UNDECIDED] = "undecided"};
    return words[verify_verdict(v)];
}

const char *verify_digits(enum seen seen, double error, char *answer, size_t size)
{
    if (seen == VALUES)
        (void)snprintf(answer, size, "%.1f", digits_of(error));
    else
        (void)snprintf(answer, size, "-");
    return answer;
}

const char *verify_seen_text(enum seen seen)
{
    static const char *const text[] = {
        [NOTHING] = "nothing to compare", [ZEROS] = "0 in both runs", [VALUES] = ""};
    return text[seen];
}

const char *verify_control_text(enum control control)
{
    static const char *const text[] = {[CONTROLLED] = "",
                                       [BELOW_ATOL] = "not controlled: atol",
                                       [SUPPRESSED] = "not controlled: suppress_algebraic",
                                       [MULTIPLIER] = "not controlled: index 2",
                                       [LOST] = "not controlled: 0/0"};
    return text[control];
}

/* Is something left open by the differences? */
static bool is_open(const struct verification *v)
{
    for (size_t k = 0; v->differences && k < v->ns; k++)
        if (v->open[k] > 0 || v->one_sided[k] > 0) return true;
    return false;
}

static void tell_open(struct text *text, const struct verification *v)
{
    if (v->hidden_ones > 0)
        text_add(text,
                 "%zu below an atol that is too large for them, so that they are as good as "
                 "promised beside it alone",
                 v->hidden_ones);
    if (v->unseen > 0)
        text_add(text, "%s%zu with nothing to compare", v->hidden_ones > 0 ? ", " : "", v->unseen);
}

/* Why nothing at all is verified. */
static const char *reason(const struct verification *v)
{
    if (v->stopped || !v->how) return v->how;
    if (v->interrupted) return "interrupted: nothing is verified";
    if (v->nothing_left)
        return "every time of output is at a switching point, where columns jump: nothing is "
               "verified; take other times";
    if (!v->done) return "the second run could not be made: nothing is verified";
    if (!verify_promises(v)) return "nothing is verified: give an --rtol below 0.01 for a verdict";
    return "there is nothing to compare: all is 0 in both runs; does anything happen in the model, "
           "or did both pass over it (--max-step)?";
}

void verify_tell(struct text *text, const struct verification *v)
{
    const char *const kinds = v->nx > v->n ? "states, outputs and columns" : "states and columns";
    enum verdict const verdict = verify_verdict(v);
    bool const some = v->done && verify_promises(v) && v->hidden_ones + v->unseen > 0;
    if (verdict == VERDICT_PASS) {
        text_add(text, "PASS: every state%s and column is as good as promised%s%s",
                 v->nx > v->n ? ", output" : "",
                 v->untested > 0 ? ", but for those in no error test" : "",
                 is_open(v) ? ", as far as the differences tell" : "");
    } else if (verdict == VERDICT_FAIL) {
        text_add(text, "FAIL: %zu of %zu %s are worse than promised%s", v->missed, v->nx + v->ns,
                 kinds,
                 v->missed > verify_count_lost(v)
                     ? "; try a smaller --rtol, --norm max, a smaller atol, or a shorter time"
                     : "");
        if (some) text_put(text, "; not decided: ");
        if (some) tell_open(text, v);
    } else if (some) {
        text_add(text, "UNDECIDED: %zu of %zu %s: ", v->hidden_ones + v->unseen, v->nx + v->ns,
                 kinds);
        tell_open(text, v);
    } else {
        text_add(text, "UNDECIDED: %s%s", v->stopped ? "nothing is verified, since " : "",
                 reason(v));
    }
}
