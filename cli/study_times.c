/* SPDX-License-Identifier: Apache-2.0 */
/* The times of a study: where it ends, where output is wanted, how long a step may be; all may depend on the parameters. */
#include "study.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_POINTS = 201 };

/* A break time that t misses by its rounding, or t: what is given at a grid point of a control is the limit from before, on whichever side of it the
   rounding of t lies. */
static double snap(const struct study *s, double t)
{
    static const double digits = 4;
    const double *const at = s->problem.break_times;
    double const rounding = digits * DBL_EPSILON * fmax(fabs(t), fabs(s->t0));
    size_t below = 0, above = s->problem.breaks; /* at[below - 1] < t <= at[above] */
    while (below < above) {
        size_t const middle = below + (above - below) / 2;
        if (at[middle] < t)
            below = middle + 1;
        else
            above = middle;
    }
    if (below < s->problem.breaks && at[below] - t <= rounding) return at[below];
    return below > 0 && t - at[below - 1] <= rounding ? at[below - 1] : t;
}

double study_time(const struct study *s, size_t j)
{
    if (j + 1 == s->count && s->end_parameter > 0) return s->p[s->end_parameter - 1];
    if (s->times) return s->times[j];
    return j + 1 == s->count ? s->t1 : snap(s, grid_point(s->t0, s->t1, j, s->count - 1));
}

/* Time j is not further away from t0 than the one before. */
static int refuse_time(const struct study *s, size_t j)
{
    size_t below = s->count, above = s->count, again = s->count;
    for (size_t k = s->count; k-- > 0;) {
        if (s->times[k] < s->t0) below = k;
        if (s->times[k] > s->t0) above = k;
        if (k > 0 && s->times[k] == s->t0) again = k;
    }
    if (below < s->count && above < s->count)
        return complain(BAD_USAGE,
                        "--at: %.17g is before the initial time, %.17g, and %.17g behind it: times "
                        "must rise from it on, or all fall below it; make two runs",
                        s->times[below], s->t0, s->times[above]);
    if (again < s->count)
        return complain(BAD_USAGE,
                        "--at: the initial time, %.17g, can only come first: times must rise from "
                        "it on, or all fall below it",
                        s->t0);
    return complain(BAD_USAGE,
                    "--at: %.17g must not come after %.17g: times must rise from t = %.17g on, or "
                    "all fall below it",
                    s->times[j], s->times[j - 1], s->t0);
}

/* Times must lead away from t0, all to one side. */
static int check_times(const struct study *s)
{
    double before = s->t0;
    for (size_t j = 0; j < s->count; j++) {
        double const t = s->times[j];
        bool const rising = t > before && s->times[s->count - 1] > s->t0;
        bool const falling = t < before && s->times[s->count - 1] < s->t0;
        if (!rising && !falling && !(j == 0 && t == s->t0)) return refuse_time(s, j);
        before = t;
    }
    return DONE;
}

static int read_times(struct study *s)
{
    struct numbers times = {0};
    struct words items = {0};
    char *const copy = copy_of(s->request->at);
    int status = DONE;
    split_list(copy, &items);
    for (size_t k = 0; k < items.count && status == DONE; k++)
        if (!*items.word[k])
            status = complain(BAD_USAGE,
                              "--at %s: a time is missing before, between or behind the "
                              "commas",
                              s->request->at);
        else if (!read_grid(items.word[k], &times))
            status = complain(BAD_USAGE,
                              "--at %s: it must be a number, or a grid a:b:n, or a:b:n:log "
                              "with a and b of one sign, of n points from a to b, n from 1 to %d",
                              items.word[k], MOST_POINTS);
    free(items.word);
    free(copy);
    s->times = times.at;
    s->count = times.count;
    for (size_t j = 0; j < s->count; j++) s->times[j] = snap(s, s->times[j]);
    if (s->count > 0) s->t1 = s->times[s->count - 1];
    return status == DONE ? check_times(s) : status;
}

/* The end, and what follows from it, for the present p. */
static int choose_end(struct study *s, const char *where)
{
    s->end_parameter = s->request->has_to ? 0 : s->summary.end_parameter;
    s->t1 = s->request->has_to     ? s->request->to
            : s->end_parameter > 0 ? s->p[s->end_parameter - 1]
                                   : s->summary.t1;
    s->count = s->request->points ? s->request->points : DEFAULT_POINTS;
    if (isnan(s->t1))
        return complain(BAD_USAGE, "the model does not say how long: add `time 0 .. T` to it, or "
                                   "give --to T or --at LIST");
    if (s->t1 == s->t0)
        return complain(BAD_USAGE, "%s%s %g: it must differ from the initial time %g", where,
                        s->request->has_to ? "--to" : "the end of the time span,", s->t1, s->t0);
    return DONE;
}

static int check_first_step(const struct study *s, const char *where)
{
    double const span = s->count > 0 ? fabs(study_time(s, s->count - 1) - s->t0) : 0;
    if (span > 0 && s->options.first_step > span)
        return complain(BAD_USAGE, "%s--first-step %g is longer than the whole time, %g", where,
                        s->options.first_step, span);
    return DONE;
}

/* A step is at most 1/LIMIT_PARTS of the time while conditions are watched. */
static void limit_steps(struct study *s)
{
    enum { LIMIT_PARTS = 200 };
    if (s->steps_limited) s->options.max_step = 0; /* for another end */
    s->steps_limited = false;
    if (s->problem.switches == 0 || s->options.max_step > 0 || s->count == 0) return;
    double const span = fabs(study_time(s, s->count - 1) - s->t0);
    s->options.max_step =
        fmax(fmax(span / LIMIT_PARTS, s->options.min_step), s->options.first_step);
    s->steps_limited = s->options.max_step > 0;
}

static int fit_end(struct study *s, const char *where)
{
    int status = s->request->at ? DONE : choose_end(s, where);
    if (status == DONE) status = check_first_step(s, where);
    if (status == DONE) limit_steps(s);
    return status;
}

int study_fit_times(struct study *s, const char *where)
{
    char words[256];
    int const status = fit_end(s, where);
    if (status != DONE) return status;
    tansy_status const rising = tansy_model_check_times(s->model, s->p, words, sizeof words);
    if (rising == TANSY_BAD_PROBLEM) return complain(BAD_USAGE, "%s%s", where, words);
    return rising == TANSY_OK ? DONE : complain(IO_FAILED, "no memory for the times of controls");
}

int study_choose_times(struct study *s)
{
    s->t0 = s->problem.t0;
    int const status = s->request->at ? read_times(s) : DONE;
    if (status != DONE) return status;
    /* the sets of a scan are looked at one by one, when they are known */
    return s->request->scan.count > 0 ? fit_end(s, "") : study_fit_times(s, "");
}
