/* SPDX-License-Identifier: Apache-2.0 */
/* Columns against differences.  With x(m) the run at p + m d:
     near = (x(1) - x(-1))/2d,  far = (x(2) - x(-2))/4d,  right = near + (near - far)/3, of order 4,
     before = (3 x(0) - 4 x(-1) + x(-2))/2d,  after = (-3 x(0) + 4 x(1) - x(2))/2d.
   The scatter max(|near - far|, |after - before|/4) holds what the formula leaves, the noise of the runs, and any jump of s
   within 2d: of x = max(p - theta d, 0) the error of `right` is at most twice the scatter, for every theta. */
#include "verify_look.h"

#include <math.h>

/* Further than so many doubts from a difference a column is wrong, whatever the doubt. */
enum { FAR_AWAY = 10 };

/* Is row j one of all runs?  Where the end moves only the last one is, behind the first of the ends, if all have reached it. */
static bool is_seen(const struct look *of, size_t j)
{
    return j < of->before_end || (j + 1 == of->count && of->count == of->all);
}

struct point {
    double right, before, after, scatter;
};

static struct point point_at(const struct look *of, size_t j, size_t i)
{
    double x[MOVED];
    for (size_t m = 0; m < MOVED; m++) x[m] = series_x(of->moved[m], j, i);
    double const near = (x[3] - x[1]) / (2 * of->d), far = (x[4] - x[0]) / (4 * of->d);
    double const before = (3 * x[2] - 4 * x[1] + x[0]) / (2 * of->d);
    double const after = (-3 * x[2] + 4 * x[3] - x[4]) / (2 * of->d);
    return (struct point){.right = near + (near - far) / 3,
                          .before = before,
                          .after = after,
                          .scatter = fmax(fabs(near - far), fabs(after - before) / 4)};
}

/* The noise of the runs in a difference, relative to x: their errors, about their tolerance, over d. */
static double noise_of(const struct look *of)
{
    return of->rtol * of->scale / of->d;
}

/* The largest scatter around time j, relative to the column, for it also vanishes where it changes sign; and the noise. */
static double doubt_near(const struct look *of, size_t j, size_t i, double floor, double *noise)
{
    double worst = 0;
    *noise = 0;
    for (size_t m = j > 0 ? j - 1 : 0; m <= j + 1 && m < of->count; m++) {
        if (!is_seen(of, m)) continue;
        struct point const at = point_at(of, m, i);
        double const size = fabs(at.right) * of->scale + floor;
        double const e = verify_relative(at.scatter * of->scale, size);
        if (!(e <= worst)) worst = e;
        double const about = noise_of(of) * (fabs(series_x(of->moved[MOVED / 2], m, i)) + floor);
        if (m == j) *noise = verify_relative(about, size);
    }
    return worst + *noise;
}

/* Is the time between those at which the same condition turns in two of the runs?  Then some have passed a switching point and
   some have not. */
static bool turns_between(const struct look *of, double t)
{
    const struct numbers *const first = of->turned[0];
    for (size_t m = 0; m < MOVED; m++)
        if (!of->turned[m] || of->turned[m]->count != first->count) return false;
    for (size_t a = 0; a < first->count; a++) {
        double low = first->at[a], high = low;
        for (size_t m = 1; m < MOVED; m++) {
            low = fmin(low, of->turned[m]->at[a]);
            high = fmax(high, of->turned[m]->at[a]);
        }
        if (low <= t && t <= high) return true;
    }
    return false;
}

/* At a switching point the column is the limit from one side: of the runs some have passed it at that time and some have not, and
   `before` and `after` are the two limits.  The error of the better one; infinite where nothing jumps. */
static double error_of_limit(const struct look *of, double s, const struct point *at, double floor,
                             double promise)
{
    double const size = fmin(fabs(at->before), fabs(at->after)) * of->scale + floor;
    double const jump = fabs(at->after - at->before) * of->scale;
    double const error = fmin(fabs(s - at->before), fabs(s - at->after)) * of->scale;
    return jump > FAR_AWAY * promise * size ? error / size : (double)INFINITY;
}

/* Elsewhere a column that is one of two limits is not decided: x has no derivative there. */
static struct decided decide(const struct look *of, double s, size_t j, size_t i,
                             const struct verification *v, double floor, double t)
{
    bool const at_switch =
        verify_at_switch(v, t); /* the others may be on either side, as the run */
    double noise;
    double const doubt = doubt_near(of, j, i, floor, &noise);
    struct point const at = point_at(of, j, i);
    double const size = fabs(at.right) * of->scale + floor;
    double const e = verify_relative(fabs(s - at.right) * of->scale, size);
    double const limit = error_of_limit(of, s, &at, floor, v->promise);
    struct decided one = {.error = (float)e,
                          .doubt = (float)doubt,
                          .jump = (float)(fabs(at.after - at.before) * of->scale),
                          .d = (float)of->d,
                          .how = UNDECIDED};
    if (doubt <= v->promise + 2 * FAR_AWAY * noise_of(of) && e <= v->promise + doubt) {
        one.how = AGREES;
    } else if (e > v->promise + FAR_AWAY * doubt && !at_switch) {
        one.how = DIFFERS;
    } else if (FAR_AWAY * noise <= v->promise && limit <= v->promise) {
        bool const may_jump = at_switch || turns_between(of, t);
        one.error = (float)limit;
        one.doubt = (float)(FAR_AWAY * noise);
        one.how = may_jump ? AGREES : UNDECIDED;
        one.one_sided = !may_jump;
    } else {
        one.noisy = doubt <= FAR_AWAY * noise;
    }
    return one;
}

/* What seemed wrong and is not with a smaller d, or by more than noise not sure, was a bend of f.  So was what had two limits
   and has them no more: the one that the column is, is right. */
static void combine(struct decided *d, const struct decided *one)
{
    bool const open = one->how == UNDECIDED;
    if (open && d->one_sided && (one->d > d->d || one->jump > d->jump / 2)) return;
    if (open && d->one_sided) {
        d->one_sided = false;
        d->how = AGREES;
        return;
    }
    bool const stays = d->how == DIFFERS && open && one->noisy && one->error > d->error / 2;
    if (!stays) *d = *one;
}

/* What is 0 in the run itself has the size that moved runs give it. */
static double floor_of(const struct look *of, size_t i, const struct verification *v)
{
    static const double rest = 1e-3; /* of the largest, as in verify_floors.c */
    double floor = v->floor[i];
    for (size_t m = 0; m < MOVED && !(v->floor[i] > 0); m++)
        floor = fmax(floor, rest * series_largest(of->moved[m], i));
    return floor;
}

void look_decide(const struct look *of, const struct series *series, size_t k,
                 const struct verification *v, struct decided *decided)
{
    for (size_t i = 0; i < v->nx; i++) {
        if (verify_untested(v->control[i])) continue;
        double const floor = floor_of(of, i, v);
        for (size_t j = 0; j < of->count; j++) {
            struct decided *const d = &decided[j * v->nx + i];
            if (d->how == AGREES || !is_seen(of, j)) continue;
            struct decided const one =
                decide(of, series_sens(series, j, k, i), j, i, v, floor, series->t[j]);
            combine(d, &one);
        }
    }
}

bool look_is_wanted(size_t count, const struct verification *v, const struct decided *decided,
                    bool larger)
{
    for (size_t i = 0; i < v->nx; i++) {
        size_t open = 0;
        if (verify_untested(v->control[i])) continue;
        for (size_t j = 0; j < count; j++) {
            const struct decided *const d = &decided[j * v->nx + i];
            if (larger ? d->how == UNDECIDED && d->noisy : d->how == DIFFERS || d->one_sided)
                return true;
            open += d->how == UNDECIDED;
        }
        if (2 * open > count) return true;
    }
    return false;
}

void look_sum_up(size_t count, size_t k, struct verification *v, const struct decided *decided)
{
    double error = 0, doubt = 0;
    size_t sure = 0, tested = 0;
    v->open[k] = v->one_sided[k] = 0;
    v->differs[k] = false;
    for (size_t i = 0; i < v->nx; i++) {
        size_t before = sure;
        if (verify_untested(v->control[i])) continue;
        tested += count;
        for (size_t j = 0; j < count; j++) {
            const struct decided *const d = &decided[j * v->nx + i];
            if (d->one_sided && v->one_sided[k]++ == 0) v->one_sided_first[k] = j * v->nx + i;
            if (d->how == UNDECIDED) continue;
            sure++;
            error = fmax(error, (double)d->error);
            doubt = fmax(doubt, (double)d->doubt);
            v->differs[k] = v->differs[k] || d->how == DIFFERS;
        }
        if (sure == before && v->open[k]++ == 0) v->open_first[k] = i;
    }
    v->by_difference[k] = sure > 0 ? error : (double)NAN;
    v->doubt[k] = doubt;
    v->decided[k] = tested > 0 ? (double)sure / (double)tested : 0;
}
