/* SPDX-License-Identifier: Apache-2.0 */
/* Units of y'.  Tolerances tell how large y_j is, but nothing tells how large y'_j is: time may be in picoseconds or years.  A difference by a step h of
   y'_j is wrong by the rounding of the other terms of F over h, so that M_ij h must be a share of them:
     worth_j = max_i (|r_i| + sum_k |J_ik| (|y_k| + atol_k) + sum_k |M_ik y'_k|)/|M_ij|
   is known as soon as M is, roughly, and is renewed with every J and M.  Where F is linear in y'_j steps as long as that cost nothing.  Where it is
   not, y'_j itself, here or a little before, tells over what distance F bends, and the best step lies between: with truncation
   (h/own)^q and rounding u worth/h it is (u worth own^q)^(1/(q+1)). */
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

/* What is left of old sizes after another evaluation: y' and terms of F pass zero within a few of them. */
static const double remains = 0.7;

/* Steps so many times too short are taken again, and so are first ones as much too long where F may bend. */
static const double far_off = 64;

enum { RUNG = 40, HIGHEST = 200 }; /* powers of 2 by which y' is moved where nothing shows it */
enum { RUNG_OF_ROWS = 20, LOWEST_OF_ROWS = -100, HIGHEST_OF_ROWS = 100 };

void rates_layout(struct derive *d, struct arena *arena)
{
    struct rates *const r = &d->rates;
    r->worth = arena_doubles(arena, d->n);
    r->seen = arena_doubles(arena, d->n);
    r->terms = arena_doubles(arena, d->n);
    r->step = arena_doubles(arena, d->n);
    ARENA_TAKE(arena, r->bends, d->n);
    ARENA_TAKE(arena, r->shows, d->n);
    ARENA_TAKE(arena, r->was_long, d->n);
}

/* The form of the problem says that F is linear in y'. */
static bool is_linear_by_form(const struct derive *d)
{
    const tansy_problem *const q = d->problem;
    return d->form != FORM_RESIDUAL || q->mass_constant || q->rate_linear;
}

bool rates_matter(const struct derive *d)
{
    return d->rates.worth && (d->rate_source == SOURCE_DIFFERENCES ||
                              d->tangent_source == SOURCE_DIFFERENCES || d->apply_needs_value);
}

bool derive_asks_for_bends(const struct derive *d)
{
    return !d->rates.knows_bends && !is_linear_by_form(d) && rates_matter(d);
}

void derive_forget_rates(struct derive *d)
{
    struct rates *const r = &d->rates;
    if (!r->worth) return;
    for (size_t j = 0; j < d->n; j++) {
        r->worth[j] = r->seen[j] = 0;
        r->bends[j] = r->was_long[j] = false;
    }
    r->knows_bends = r->is_bounded = d->rate_is_curved = false;
}

bool rate_may_bend(const struct derive *d, size_t j)
{
    return d->rates.knows_bends ? d->rates.bends[j] : !is_linear_by_form(d);
}

static double order_of(tansy_difference difference)
{
    return difference == TANSY_FORWARD ? 1 : difference == TANSY_CENTRAL ? 2 : 4;
}

double size_within_rate(const struct derive *d, size_t j, double yp)
{
    double const own = fmax(fabs(yp), d->rates.seen[j]), worth = d->rates.worth[j];
    if (own > 0) return own;
    double const level = size_of_state(d, j, 0);
    return worth > 0 ? fmin(worth, level) : level;
}

double size_of_rate(const struct derive *d, size_t j, double yp)
{
    const struct rates *const r = &d->rates;
    double const own = size_within_rate(d, j, yp), worth = r->worth[j];
    bool const known = r->knows_bends || yp != 0 || r->seen[j] > 0;
    if (own >= worth) return own;
    if (!known || !rate_may_bend(d, j)) return worth;
    return own * pow(worth / own, 1 / (order_of(d->difference) + 1));
}

/* The terms of r, without r itself where it is not known. */
static void note_terms(struct derive *d, const struct point *at, bool knows_value)
{
    double *const terms = d->rates.terms;
    for (size_t i = 0; i < d->n; i++) {
        struct matrix_row const J = matrix_row(d->J, i), M = matrix_row(d->M, i);
        double sum = knows_value ? fabs(at->f[i]) : 0;
        for (size_t e = 0; e < J.count; e++) {
            size_t const j = matrix_row_column(&J, e);
            sum += fabs(J.value[e]) * (fabs(at->y[j]) + d->atol[j]);
        }
        for (size_t e = 0; e < M.count && at->yp; e++)
            sum += fabs(M.value[e] * at->yp[matrix_row_column(&M, e)]);
        terms[i] = sum;
    }
}

/* worth_j by M as it is, into step[n]; 0: nothing shows y'_j. */
static void note_worth(struct derive *d)
{
    struct rates *const r = &d->rates;
    memset(r->step, 0, d->n * sizeof *r->step);
    for (size_t j = 0; j < d->n; j++) r->shows[j] = false;
    for (size_t i = 0; i < d->n; i++) {
        struct matrix_row const M = matrix_row(d->M, i);
        for (size_t e = 0; e < M.count; e++) {
            if (M.value[e] == 0) continue;
            size_t const j = matrix_row_column(&M, e);
            double const worth = r->terms[i] / fabs(M.value[e]);
            r->shows[j] = true;
            if (worth > r->step[j] && isfinite(worth)) r->step[j] = worth;
        }
    }
}

bool rates_learn(struct derive *d, const struct point *at, bool knows_value, bool again)
{
    struct rates *const r = &d->rates;
    bool off = false;
    note_terms(d, at, knows_value);
    note_worth(d);
    for (size_t j = 0; j < d->n; j++) {
        double const yp = at->yp ? at->yp[j] : 0, before = size_of_rate(d, j, yp);
        double const kept = again && r->step[j] > 0 ? 0 : again ? 1 : remains;
        r->worth[j] = fmax(r->step[j], kept * r->worth[j]);
        double const size = size_of_rate(d, j, yp);
        bool const may = r->begins && rate_may_bend(d, j) && r->shows[j];
        bool const too_long = may && before > far_off * size;
        bool const too_short = r->shows[j] && size > far_off * before;
        off = off || too_long || too_short;
        r->was_long[j] = r->was_long[j] || too_long;
        if (too_long || (too_short && may && r->was_long[j])) /* M is that of other sizes of y' */
            r->worth[j] = sqrt(r->worth[j]) * sqrt(before);
    }
    return off;
}

/* y' as it was a little before; that of an iteration for the first y' tells nothing. */
static void note_seen(struct derive *d, const struct point *at)
{
    double *const seen = d->rates.seen, kept = d->rates.begins ? 0 : remains;
    for (size_t j = 0; j < d->n && at->yp; j++) seen[j] = fmax(fabs(at->yp[j]), kept * seen[j]);
}

/* M by differences, again as long as they show that the steps were far off.  Where F fails at longer ones there are none from then on. */
static int difference_again(struct derive *d, const struct point *at)
{
    enum { MOST = 12 };
    struct rates *const r = &d->rates;
    int code = differences_rate(d, at);
    for (int pass = 0; pass < MOST && code == 0 && !r->is_bounded; pass++) {
        if (!rates_learn(d, at, true, r->begins || pass > 0)) return 0;
        code = differences_rate(d, at);
    }
    if (code <= 0 || r->is_bounded) return code;
    r->is_bounded = true;
    memset(r->worth, 0, d->n * sizeof *r->worth);
    return differences_rate(d, at);
}

int rates_evaluate(struct derive *d, const struct point *at)
{
    bool const given = d->rate_source == SOURCE_GIVEN;
    int const code = given ? given_rate(d, at) : difference_again(d, at);
    if (code != 0 || !rates_matter(d)) return code;
    if (given) (void)rates_learn(d, at, derive_matrices_need_value(d), d->rates.begins);
    note_seen(d, at);
    return 0;
}

int derive_rate(struct derive *d, const struct point *at)
{
    if (d->has_mass || d->M->kind == MATRIX_NONE) return 0;
    return d->rate_source == SOURCE_GIVEN ? given_rate(d, at) : differences_rate(d, at);
}

/* r at y' moved by 2^k units, less r, into worker's f: all those of which nothing shows, in unlike shares, so that they do not cancel. */
static int move_hidden(struct derive *d, const struct point *at, int k)
{
    const struct rates *const r = &d->rates;
    struct derive_worker *const w = &d->worker[0];
    struct line line = line_of_values(d, at);
    line.difference = TANSY_FORWARD;
    line.rate_step = w->rate_step;
    for (size_t j = 0; j < d->n; j++) {
        double const unit = size_of_state(d, j, at->y[j]) * (1 + 0.5 * cos((double)j));
        w->rate_step[j] = r->shows[j] ? 0 : ldexp(unit, k);
    }
    return line_difference(d, 0, &line, w->f);
}

/* By how much of the other terms r has changed, at most; 0: not at all. */
static double largest_change(const struct derive *d)
{
    const double *const by = d->worker[0].f;
    double largest = 0;
    for (size_t i = 0; i < d->n; i++)
        if (by[i] != 0) largest = fmax(largest, fabs(by[i]) / d->rates.terms[i]);
    return largest;
}

/* Whether such a step is too long: r changes by more than its other terms are, or fails.  *shown: it changes. */
static int is_too_long(struct derive *d, const struct point *at, int k, bool *too_long, bool *shown)
{
    int const code = move_hidden(d, at, k);
    double const change = code == 0 ? largest_change(d) : 0;
    *too_long = code > 0 || change >= 1;
    *shown = *shown || change > 0;
    return code < 0 ? code : 0;
}

/* The longest of such steps that is not, in *k; *shown is false where none shows anything. */
static int climb(struct derive *d, const struct point *at, int *k, bool *shown)
{
    int below = 0, above = 0;
    bool too_long = false;
    int code = is_too_long(d, at, 0, &too_long, shown);
    if (too_long) {
        while (code == 0 && too_long && below > -HIGHEST)
            code = is_too_long(d, at, below -= RUNG, &too_long, shown);
        above = below + RUNG;
    } else {
        while (code == 0 && !too_long && above < HIGHEST)
            code = is_too_long(d, at, above += RUNG, &too_long, shown);
        below = above - RUNG;
        if (!too_long) below = above; /* no step is */
    }
    while (code == 0 && above - below > 1) {
        int const middle = below + (above - below) / 2;
        code = is_too_long(d, at, middle, &too_long, shown);
        *(too_long ? &above : &below) = middle;
    }
    d->worker[0].failure.kind = code < 0 ? d->worker[0].failure.kind : FAILURE_NONE;
    *k = below;
    return code;
}

/* Whether y'_j is in r at all, where steps of the size of tolerances do not show it: longer ones do, up to any that a number can be. */
static int find_hidden(struct derive *d, const struct point *at)
{
    struct rates *const r = &d->rates;
    size_t hidden = d->n + 1;
    for (;;) {
        size_t left = 0;
        int k = 0;
        bool shown = false;
        note_terms(d, at, true);
        note_worth(d);
        for (size_t j = 0; j < d->n; j++) left += !r->shows[j];
        if (left == 0 || left >= hidden) return 0;
        hidden = left;
        int code = climb(d, at, &k, &shown);
        if (code != 0 || !shown) return code;
        for (size_t j = 0; j < d->n; j++)
            if (!r->shows[j]) r->worth[j] = ldexp(size_of_state(d, j, at->y[j]), k);
        code = rates_evaluate(d, at);
        if (code != 0) return code;
    }
}

/* Without matrices: equation i tells of y'_i, when all of y' is moved at once. */
static int learn_by_rows(struct derive *d, const struct point *at)
{
    static const double share = 0x1p-10, least = 0x1p-20;
    struct rates *const r = &d->rates;
    struct derive_worker *const w = &d->worker[0];
    struct line line = line_of_values(d, at);
    line.difference = TANSY_FORWARD;
    line.step = w->step;
    for (size_t j = 0; j < d->n; j++) w->step[j] = share * size_of_state(d, j, at->y[j]);
    int code = line_difference(d, 0, &line, w->f);
    for (size_t i = 0; i < d->n && code == 0; i++) {
        r->terms[i] = fabs(at->f[i]) + fabs(w->f[i]) / share;
        r->shows[i] = false;
    }
    for (int k = LOWEST_OF_ROWS; k <= HIGHEST_OF_ROWS && code == 0; k += RUNG_OF_ROWS) {
        code = move_hidden(d, at, k);
        for (size_t i = 0; i < d->n && code == 0; i++) {
            double const by = fabs(w->f[i]);
            if (r->shows[i] || by == 0 || by < least * r->terms[i]) continue;
            r->worth[i] = fabs(w->rate_step[i]) * (r->terms[i] / by);
            r->shows[i] = true;
        }
    }
    d->worker[0].failure.kind = code > 0 ? FAILURE_NONE : d->worker[0].failure.kind;
    return code < 0 ? code : 0;
}

int derive_find_rates(struct derive *d, const struct point *at)
{
    if (!rates_matter(d)) return 0;
    if (d->J->kind == MATRIX_NONE) return learn_by_rows(d, at);
    d->has_mass = false;
    int const code = d->jacobian(d, at);
    return code == 0 && d->rate_source == SOURCE_DIFFERENCES ? find_hidden(d, at) : code;
}
