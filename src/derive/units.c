/* SPDX-License-Identifier: Apache-2.0 */
/* f that is rounded to units far above its last digit (a table, (1e12 + f) - 1e12): of these a look at its noise may see none, as all
   its points have the same value, or whole units between them, and differences of f are 0 without a word.  So f is looked at along the
   column at two more distances, that of the step and a hundredth of the size of y.  Rows that do not move with the increment of the
   step, though they move so much far away that in proportion they ought to, are in doubt, and looked at in between: the least move that
   is seen further and further away is taken for their unit.  Those that stand still at both are looked at a quarter away, on both sides.  Rows
   that never move, or only where f cannot be evaluated, have none.  Columns that move p are looked at once more without that, which may hide
   that y does nothing. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

/* Units are looked for at relative distances from `near` on, each twice the one before, so that the first move seen is one unit or two: of f
   whose terms cancel that is their last digit, and no more.  Beyond a hundredth what f does tells nothing of its rounding, unless
   it has done nothing at all before. */
static const double near = 1.07e-7, far = 1.07e-2, very_far = 0.25;

/* Beyond this distance f is called where it would not be for the sake of S.  That it wants to stop there, and there alone, says nothing. */
static const double nearby = 1e-3;

/* Few of its last digits are not seen as a move; the first move that is seen, in steps of two, is below many of them where f is rounded to
   its last digit.  What a look has measured counts, unless units are above that by so much. */
static const double few = 4, many = 1000, unseen = 100;

enum { ROOM = 4 };

void units_layout(struct derive *d, struct arena *arena)
{
    d->internal.unit = arena_doubles(arena, d->workers * ROOM * d->n);
}

/* A search along a column. */
struct search {
    struct derive *d;
    size_t worker;
    const struct line *line;
    const struct column *column;
    bool along_p; /* with p as the column moves it */
    double eps;   /* moves y by its size */
    double own;   /* the increment of the step */
    double *unit; /* what is found: 0: none; infinite: in doubt; less than 0: never moved so far */
    double *move; /* room */
    int refused;  /* the code of f that wants to stop; then nothing more is looked at */
};

static const double *moved(const struct search *s)
{
    return s->d->worker[s->worker].f;
}

/* f at one distance along the column: what it moves by is moved(). */
static int move_by(const struct search *s, double eps)
{
    struct line forward = *s->line;
    forward.difference = TANSY_FORWARD;
    return s->along_p ? differences_by(s->d, s->worker, &forward, s->column, eps, 0)
                      : differences_of_y(s->d, s->worker, &forward, s->column, eps);
}

/* f wanted to stop at this distance because it is there: it does so again, and does not with the increment of the step. */
static bool is_out_of_place(const struct search *s, double eps)
{
    return fabs(eps) > nearby * s->eps && move_by(s, eps) < 0 && move_by(s, s->own) >= 0;
}

/* The same; false: f cannot be evaluated there, or wants to stop. */
static bool looks_at(struct search *s, double eps)
{
    if (s->refused != 0) return false;
    int const code = move_by(s, eps);
    if (code < 0 && !is_out_of_place(s, eps)) s->refused = code;
    return code == 0;
}

/* Row i of f moved by more than so many of its last digits. */
static bool moves(const struct search *s, size_t i, double digits)
{
    return fabs(moved(s)[i]) > digits * DBL_EPSILON * fabs(s->line->f[i]);
}

/* A row that moves by a power of this factor when the distance does is smooth: one unit or two become the same, or half as many more. */
static const double further = 1.2, alike = 0.04;

static bool is_smooth(double move, double there)
{
    double power = 1;
    bool smooth = false;
    for (int k = 0; k < 3; k++) {
        power *= further;
        smooth = smooth || fabs(there - power * move) <= alike * fabs(move);
    }
    return smooth;
}

/* The unit of the rows in doubt that move by move[] at a distance, if that is far above their last digit and they do not go on
   smoothly, as moved() says; the number of those left. */
static size_t settle(const struct search *s)
{
    size_t left = 0;
    for (size_t i = 0; i < s->d->n; i++) {
        double const last = DBL_EPSILON * fabs(s->line->f[i]), size = fabs(s->move[i]);
        if (isinf(s->unit[i]) && size > few * last)
            s->unit[i] = size > many * last && !is_smooth(s->move[i], moved(s)[i]) ? size : 0;
        left += isinf(s->unit[i]) ? 1 : 0;
    }
    return left;
}

/* Rows that do not move with the increment of the step, are in doubt if they do enough far away; their number. */
static size_t find_doubts(struct search *s)
{
    double const proportion = s->eps * far / s->own, enough = fmax(many, 10 * few * proportion);
    size_t left = 0;
    bool seen = looks_at(s, s->own);
    for (size_t i = 0; i < s->d->n; i++) {
        s->unit[i] = seen && !moves(s, i, few) ? HUGE_VAL : 0;
        left += isinf(s->unit[i]) ? 1 : 0;
    }
    seen = left > 0 && looks_at(s, s->eps * far);
    for (size_t i = 0; i < s->d->n; i++)
        if (isinf(s->unit[i]) && !(seen && moves(s, i, enough))) {
            s->unit[i] = seen && moved(s)[i] == 0 ? -1 : 0;
            left--;
        }
    return left;
}

/* Rows that did not move so far, and do very far away on both sides, to and fro: what a threshold does that f may cross there is seen on
   one. */
static void look_very_far(struct search *s)
{
    bool any = false;
    for (size_t i = 0; i < s->d->n; i++) any = any || s->unit[i] < 0;
    if (!any) return;
    any = looks_at(s, s->eps * very_far);
    for (size_t i = 0; i < s->d->n; i++) s->move[i] = s->unit[i] < 0 && any ? moved(s)[i] : 0;
    bool there = false;
    for (size_t i = 0; i < s->d->n; i++) there = there || s->move[i] != 0;
    bool const back = there && looks_at(s, -s->eps * very_far);
    for (size_t i = 0; i < s->d->n; i++) {
        bool const both = back && s->move[i] * moved(s)[i] < 0;
        if (s->unit[i] < 0) s->unit[i] = both ? fmax(fabs(s->move[i]), fabs(moved(s)[i])) : 0;
    }
}

static void find_units(struct search *s)
{
    size_t left = find_doubts(s);
    look_very_far(s);
    for (int k = 0; left > 0 && ldexp(near, k) <= far; k++) {
        double const x = ldexp(near, k);
        if (s->eps * x <= s->own) continue;
        if (!looks_at(s, s->eps * x)) return;
        memcpy(s->move, moved(s), s->d->n * sizeof *s->move);
        if (!looks_at(s, s->eps * further * x)) return;
        left = settle(s);
    }
}

/* Noise that a look did not see, as it fell on whole units of f, or on none; else it has measured it better. */
int units_add(struct derive *d, size_t worker, const struct line *line, const struct column *column,
              double eps)
{
    double *const room = d->internal.unit + worker * ROOM * d->n, *const noise = room + d->n,
                  *const largest = noise + d->n;
    struct search s = {.d = d,
                       .worker = worker,
                       .line = line,
                       .column = column,
                       .eps = eps,
                       .own = d->internal.eps[column->number],
                       .unit = room,
                       .move = largest + d->n};
    size_t const k = column->number, lanes = column->lanes;
    bool const has_p = d->direction_start[k] < d->direction_start[k + 1];
    for (size_t i = 0; i < d->n; i++) noise[i] = column->r[i * lanes], largest[i] = 0;
    for (int pass = has_p ? 0 : 1; pass < 2; pass++) {
        s.along_p = pass == 0;
        find_units(&s);
        for (size_t i = 0; i < d->n; i++)
            if (s.unit[i] > largest[i] && isfinite(s.unit[i])) largest[i] = s.unit[i];
    }
    if (s.refused == 0) d->worker[worker].failure.kind = FAILURE_NONE;
    for (size_t i = 0; i < d->n; i++)
        column->r[i * lanes] = largest[i] > unseen * fabs(noise[i]) ? largest[i] : noise[i];
    return s.refused;
}
