/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of --verify as a table for people. */
#include "verify_parts.h"

#include <math.h>

/* The quantities that are shown: all, or when there are many those with the largest error. */
enum { MOST_SHOWN = 200, SHOWN = 40, NAME = 24 };

static double shown_from(const struct verification *v)
{
    if (v->nx <= MOST_SHOWN) return -1;
    double limit = (double)INFINITY;
    for (size_t shown = 0; shown < SHOWN; shown++) {
        double next = 0;
        for (size_t i = 0; i < v->nx; i++)
            if (verify_shown(v, i) < limit) next = fmax(next, verify_shown(v, i));
        limit = next;
    }
    return limit;
}

struct remarks {
    enum seen seen;
    bool good, hidden, conditioned;
    enum control control;
};

static void end_line(struct text *text, const struct remarks *of)
{
    text_add(text, "%s%s%s%s%s%s%s\n", of->seen == VALUES ? "" : "  ", verify_seen_text(of->seen),
             of->good ? "" : "  worse than promised", of->good && of->hidden ? "  not decided" : "",
             of->conditioned ? "  ill-conditioned" : "", of->control ? "  " : "",
             verify_control_text(of->control));
}

static void add_quantities(struct text *text, const struct study *s, const struct verification *v)
{
    double const from = shown_from(v);
    text_add(text, "%-24s %6s\n", v->nx > v->n ? "state or output" : "state", "digits");
    size_t ties = from >= 0 ? SHOWN : v->nx;
    for (size_t i = 0; i < v->nx; i++) {
        double const error = verify_shown(v, i);
        struct remarks const remarks = {.seen = v->seen[i],
                                        .good = verify_state_passed(v, i),
                                        .hidden = verify_state_hidden(v, i),
                                        .conditioned = verify_state_conditioned(v, i),
                                        .control = v->control[i]};
        char digits[16];
        if (error < from || (error == from && ties == 0)) continue;
        ties -= error == from;
        text_padded(text, study_name(s, i), NAME);
        text_add(text, " %6s", verify_digits(v->seen[i], error, digits, sizeof digits));
        end_line(text, &remarks);
    }
    if (from >= 0) text_add(text, "(the worst of %zu; no other has fewer digits)\n", v->nx);
}

void verify_difference(struct text *text, const struct study *s, const struct verification *v,
                       size_t k)
{
    if (v->seen_column[k] == ZEROS && v->by_difference[k] == 0) {
        text_put(text, "0, too");
        return;
    }
    if (isnan(v->by_difference[k])) {
        text_add(text, "not decided (%s)",
                 v->one_sided[k] > 0 ? "one-sided" : "differences too noisy");
        return;
    }
    text_add(text, "%.1f (they hold %.1f", digits_of(v->by_difference[k]), digits_of(v->doubt[k]));
    if (v->until[k] != v->t_end) text_add(text, ", to t = %.3g", v->until[k]);
    if (v->open[k] > 0)
        text_add(text, "; not decided for %s%s%s", study_name(s, v->open_first[k]),
                 v->open[k] > 1 ? " and others" : "", v->one_sided[k] > 0 ? "" : ": too noisy");
    else if (v->decided[k] < 1)
        text_add(text, "; %.2g %% of the values not decided", 100 * (1 - v->decided[k]));
    text_put(text, ")");
}

static void add_columns(struct text *text, const struct study *s, const struct verification *v)
{
    if (v->ns > 0)
        text_add(text, "%-24s %6s  %s\n", "column", "digits",
                 v->differences ? "worst for         digits by differences" : "worst for");
    for (size_t k = 0; k < v->ns; k++) {
        bool const hidden = verify_column_hidden(v, k), any = v->seen_column[k] == VALUES;
        struct remarks const remarks = {.seen = v->seen_column[k],
                                        .good = verify_column_passed(v, k),
                                        .hidden = hidden,
                                        .conditioned = verify_column_conditioned(v, k),
                                        .control = verify_column_control(v, k)};
        double const error = hidden ? v->hidden[k] : v->column[k];
        char digits[16];
        text_padded(text, s->column_name[k], NAME);
        text_add(text, " %6s%s", verify_digits(v->seen_column[k], error, digits, sizeof digits),
                 any || v->differences ? "  " : "");
        text_padded(text, any ? study_name(s, v->worst[k]) : "", v->differences ? 16 : 0);
        if (v->differences) {
            text_put(text, "  ");
            verify_difference(text, s, v, k);
        }
        end_line(text, &remarks);
        if (v->untested == 0) continue;
        text_padded(text, "  in what is not tested", NAME);
        text_add(text, " %6.1f  %s", digits_of(v->aside[k]), study_name(s, v->aside_worst[k]));
        end_line(text, &(struct remarks){.seen = VALUES,
                                         .good = verify_aside_passed(v, k),
                                         .control = v->control[v->aside_worst[k]]});
    }
}

/* Columns that are one-sided where the run has no switching point. */
static void add_one_sided(struct text *text, const struct study *s, const struct verification *v)
{
    for (size_t k = 0; v->differences && k < v->ns; k++) {
        size_t const first = v->one_sided_first[k];
        if (v->one_sided[k] == 0) continue;
        text_add(text, "d(%s)/d(%s) is one-sided at t = %.10g", study_name(s, first % v->nx),
                 s->column_name[k], v->base.t[first / v->nx]);
        if (v->one_sided[k] > 1)
            text_add(text, ", as are %zu more values of the column", v->one_sided[k] - 1);
        text_put(text, ", or nearly so: a little to the other side of the parameter's value it is "
                       "another number, or "
                       "none; not decided\n");
    }
}

/* What `not controlled: 0/0` means, and what to do; so where differences tell that such a column is wrong. */
static void add_lost(struct text *text, const struct verification *v)
{
    size_t const lost = verify_count_lost(v);
    if (lost == 0) return;
    text_add(text,
             "%zu of %zu columns cannot be relied on: they are behind a condition at which a "
             "branch of the model is 0/0 (the warning names it, and the time). Beside it its "
             "derivatives are rounding errors, and the two runs may agree by chance. Write the "
             "limit within a wider distance: `if x > 1e-4 then (1 - exp(-x))/x else 1 - x/2`, not "
             "`if x > 0 then (1 - exp(-x))/x else 1`; a smaller --rtol does not help\n",
             lost, v->ns);
}

void verify_table(struct text *text, const struct study *s, const struct verification *v)
{
    const char *const kinds = v->nx > v->n ? "states, outputs and columns" : "states and columns";
    text_add(text, "verification: %s\n", v->how);
    if (!v->done) {
        verify_tell(text, v);
        text_put(text, "\n");
        return;
    }
    if (verify_promises(v))
        text_add(text, "promised are %.1f digits, a relative error of %g\n", digits_of(v->promise),
                 v->promise);
    else
        text_add(text, "nothing is promised at rtol = %g, where 100 rtol is 1 or more\n",
                 study_rtol(s));
    if (v->times < v->times_all)
        text_add(text, "compared at %zu of %zu times of output\n", v->times, v->times_all);
    add_quantities(text, s, v);
    add_columns(text, s, v);
    if (v->marked > 0)
        text_add(
            text,
            "%zu of %zu %s are not controlled: atol is larger than rtol times their size, and "
            "their digits count from their largest value; give a smaller `atol` in the model or "
            "--atol\n",
            v->marked, v->nx + v->ns, kinds);
    if (v->zeros > 0)
        text_add(text, "%zu of %zu %s are 0 in both runs, and count neither way\n", v->zeros,
                 v->nx + v->ns, kinds);
    if (v->untested > 0)
        text_add(text,
                 "%zu of %zu %s take no part in the error tests (multipliers of index 2 and what "
                 "--suppress-algebraic leaves out): their digits count from their largest value, "
                 "and two of them are enough\n",
                 v->untested, v->nx, v->nx > v->n ? "states and outputs" : "states");
    if (v->left_out > 0)
        text_add(text,
                 "%zu time%s of output at a switching point, where one run is before it and the "
                 "other behind: left out\n",
                 v->left_out, v->left_out > 1 ? "s" : "");
    add_one_sided(text, s, v);
    add_lost(text, v);
    if (v->conditioned > 0)
        text_add(text,
                 "%zu of %zu %s are ill-conditioned: a change of the parameters by rtol moves them "
                 "by more than they are off; a smaller --rtol gives more digits\n",
                 v->conditioned, v->nx + v->ns, kinds);
    verify_tell(text, v);
    text_put(text, "\n");
}
