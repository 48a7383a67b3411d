/* SPDX-License-Identifier: Apache-2.0 */
/* Levels that become equal in a finite time, and stay so: d' = -2 a sign(d) sqrt(|d|), d = h1 - h2; or those of several tanks at once.  With the condition
   frozen the flow is zero beyond the root, sqrt(max(d, 0)): there y is put, a few roundings beyond all the surfaces, and the conditions are held in their modes.  y and S
   go there along N, the parts of f that lead across, f less f with the condition turned, column by column:
     y + N x,   G_y N x = g* - g,        S + N X,   G_y N X = -(G_y S + G_p). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/solver.h"

enum {
    MOST = 16, /* that come to rest at one time */
    TRIALS = 3 /* to get beyond a surface, or beside it */
};

static const double kept_off = 16;  /* roundings: by so much g at rest is on its side, */
static const double farthest = 256; /* or by so much, where it is driven back less */
static const double creeping =
    1e-5;                           /* of what errors of y are worth in g: so far, if steps crept */
static const double ahead = 16;     /* steps, in which a flow may drive it back to the root, */
static const double allowed = 1e-4; /* if it stands no farther off, in the same units */
static const double beside = 8;     /* roundings, by which y is moved */
static const double at_rest = 0.1;  /* of the rate that drives it back from beyond */
static const double no_part = 1e-3; /* of its rate, by which a condition changes that */
static const double no_rate = 1e-3; /* of the size of g in the last step */
static const double singular = 1e-9; /* a pivot, of its row */

/* Those that may come to rest; A = G_y N by rows, then its factors. */
struct resting {
    size_t count, j[MOST];
    double rounding[MOST], rate[MOST], A[MOST][MOST];
    double *N;          /* N[count*n] */
    double off;         /* roundings beyond the surfaces, */
    double least[MOST]; /* or so far */
    bool rests[MOST];   /* it does so already: it stays where it is, and S loses its part again */
    bool idle[MOST];    /* it moves there as it would with its condition turned */
};

void events_layout_rest(struct tansy_solver *s, struct arena *arena)
{
    struct events *const e = &s->events;
    size_t const most = e->switches < MOST ? e->switches : MOST;
    e->across = s->derive.form == FORM_ODE ? arena_matrix(arena, most, s->n) : NULL;
}

/* x in place of its right-hand side, by elimination with the largest of all entries as pivot.  Where the surfaces are not independent, as those of three
   tanks in a circle, the last ones follow from the others: these x are 0. */
static void solve(const struct resting *r, double *x)
{
    double A[MOST][MOST], z[MOST] = {0};
    size_t row[MOST], column[MOST], rank = 0;
    double largest = 0;
    memcpy(A, r->A, sizeof A);
    for (size_t k = 0; k < r->count; k++) row[k] = column[k] = k;
    for (; rank < r->count; rank++) {
        size_t best_i = rank, best_l = rank;
        for (size_t i = rank; i < r->count; i++)
            for (size_t l = rank; l < r->count; l++)
                if (fabs(A[row[i]][column[l]]) > fabs(A[row[best_i]][column[best_l]])) {
                    best_i = i;
                    best_l = l;
                }
        size_t const i = row[best_i], l = column[best_l];
        row[best_i] = row[rank];
        column[best_l] = column[rank];
        row[rank] = i;
        column[rank] = l;
        if (rank == 0) largest = fabs(A[i][l]);
        if (!(fabs(A[i][l]) > singular * largest)) break;
        for (size_t m = rank + 1; m < r->count; m++) {
            double const factor = A[row[m]][l] / A[i][l];
            for (size_t c = rank; c < r->count; c++)
                A[row[m]][column[c]] -= factor * A[i][column[c]];
            x[row[m]] -= factor * x[i];
        }
    }
    for (size_t k = rank; k-- > 0;) {
        double b = x[row[k]];
        for (size_t c = k + 1; c < rank; c++) b -= A[row[k]][column[c]] * z[column[c]];
        z[column[k]] = b / A[row[k]][column[k]];
    }
    memcpy(x, z, r->count * sizeof *x);
}

/* g_k and g_l are one surface, written twice: "if d > 0 then sqrt(max(d, 0)) else -sqrt(max(-d, 0))". */
static bool are_twins(const struct events *e, const struct resting *r, size_t k, size_t l)
{
    double const near = r->rounding[k] + r->rounding[l];
    bool same = fabs(fabs(e->value[r->j[k]]) - fabs(e->value[r->j[l]])) <= near;
    for (size_t m = 0; m < r->count; m++) {
        double const a = fabs(r->A[k][m]), b = fabs(r->A[l][m]);
        same = same && fabs(a - b) <= singular * (a + b);
    }
    return same;
}

/* N and G_y N of k at y0, where f is in e->f_other, with the modes in e->mode_probe; e->slope_after is g_t. */
static bool find_part(struct tansy_solver *s, double t, struct resting *r, size_t k)
{
    struct events *const e = &s->events;
    double *const n = r->N + k * s->n;
    if (!events_slope_with(s, t, e->mode_probe, e->piece, e->f_probe)) return false;
    for (size_t i = 0; i < s->n; i++) n[i] = e->f_other[i] - e->f_probe[i];
    if (!events_is_known(e, events_rates(s, t, n, e->value, e->rate_after))) return false;
    for (size_t i = 0; i < r->count; i++)
        r->A[i][k] = e->rate_after[r->j[i]] - e->slope_after[r->j[i]];
    return true;
}

/* k has no part on its own: its twins are turned with it. */
static bool find_with_twins(struct tansy_solver *s, double t, struct resting *r, size_t k)
{
    struct events *const e = &s->events;
    memcpy(e->mode_probe, e->mode, e->switches * sizeof *e->mode);
    for (size_t l = 0; l < r->count; l++)
        if (l == k || are_twins(e, r, k, l)) e->mode_probe[r->j[l]] = e->mode[r->j[l]] == 0;
    return find_part(s, t, r, k);
}

/* N and G_y N at y0, which is a few roundings beside what is meant, as N is zero at the root itself; *whole: none of these N is zero. */
static bool find_beside(struct tansy_solver *s, double t, struct resting *r, bool *whole)
{
    struct events *const e = &s->events;
    bool any = false;
    *whole = true;
    memset(e->probe, 0, s->n * sizeof *e->probe);
    if (!events_is_known(e, derive_rhs(&s->derive, 0, t, s->y0, e->f_other))) return false;
    if (!events_is_known(e, events_rates(s, t, e->probe, e->value, e->slope_after))) return false;
    for (size_t k = 0; k < r->count; k++)
        if (!events_flip(s, t, r->j[k], e->mode_probe) || !find_part(s, t, r, k)) return false;
    for (size_t k = 0; k < r->count; k++) {
        if (r->A[k][k] == 0 && !find_with_twins(s, t, r, k)) return false;
        *whole = *whole && r->A[k][k] != 0;
        any = any || r->A[k][k] != 0;
    }
    return any;
}

/* The same at the first of some places where all count, or at the last.  One of two conditions on the same surface may have no part there: max(d, 0) beyond
   d = 0 in "if d > 0 then sqrt(max(d, 0)) else -sqrt(max(-d, 0))". */
static bool find_across(struct tansy_solver *s, double t, struct resting *r)
{
    double *const kept = s->events.y_near;
    bool found = false, whole = false;
    memcpy(kept, s->y0, s->n * sizeof *kept);
    for (int trial = 1; trial <= TRIALS && !whole; trial++) {
        for (size_t i = 0; i < s->n; i++) {
            double const x = 0.61803398874989485 * (double)(i + 1);
            s->y0[i] = kept[i] * (1 + trial * beside * DBL_EPSILON * (x - floor(x)));
        }
        found = find_beside(s, t, r, &whole);
        whole = whole && found;
    }
    memcpy(s->y0, kept, s->n * sizeof *kept);
    return found;
}

/* Those within so many roundings of their roots; or the leader alone. */
static void collect(struct tansy_solver *s, double t, double roundings, struct resting *r)
{
    const struct events *const e = &s->events;
    r->count = 0;
    for (size_t j = 0; j < e->switches && r->count < MOST; j++) {
        bool const leads = j == e->leader;
        if (s->derive.blind[j] || (!leads && !(fabs(e->value[j]) <= 1e-6 * e->seen[j]))) continue;
        double const rounding = events_rounding_of(s, t, j);
        if (!(rounding > 0)) continue;
        bool const rests = e->rests[j] && fabs(e->value[j]) <= e->band[j];
        if (!leads && !rests && !(fabs(e->value[j]) <= roundings * rounding)) continue;
        r->j[r->count] = j;
        r->rests[r->count] = rests && events_side(e, j, e->value[j]) < 0;
        r->rounding[r->count++] = rounding;
    }
}

/* As many roundings beyond all surfaces as are nothing beside the errors of y. */
static double farthest_of(struct tansy_solver *s, double t, const struct resting *r)
{
    double least = HUGE_VAL;
    for (size_t k = 0; k < r->count; k++)
        least = fmin(least, creeping * events_tolerance_of(s, t, r->j[k]) / r->rounding[k]);
    return least;
}

/* y0 along N to a few roundings beyond all surfaces. */
static bool put_beyond(struct tansy_solver *s, double t, const struct resting *r)
{
    struct events *const e = &s->events;
    bool beyond = false;
    for (int trial = 0; trial < TRIALS && !beyond; trial++) {
        double x[MOST];
        for (size_t k = 0; k < r->count; k++) {
            double const far = (r->off + 8 * (double)k) * r->rounding[k];
            double const aim = fmax(far, r->rests[k] ? fabs(e->value[r->j[k]]) : r->least[k]);
            x[k] = (e->mode[r->j[k]] != 0 ? -aim : aim) - e->value[r->j[k]];
        }
        solve(r, x);
        for (size_t k = 0; k < r->count; k++)
            for (size_t i = 0; i < s->n; i++) s->y0[i] += x[k] * r->N[k * s->n + i];
        if (!events_is_known(e, derive_switch(&s->derive, 0, t, s->y0, e->value))) return false;
        beyond = true;
        for (size_t k = 0; k < r->count; k++)
            beyond = beyond && events_side(e, r->j[k], e->value[r->j[k]]) < -2 * r->rounding[k];
    }
    for (size_t k = 0; k < r->count && !beyond; k++) { /* modes at rest are a matter of taste */
        size_t const j = r->j[k];
        if (!(fabs(e->value[j]) > 2 * r->rounding[k])) return false;
        e->mode[j] = e->value[j] < 0;
    }
    if (!beyond) derive_set_modes(&s->derive);
    return true;
}

/* There, f in e->f: g has no rate to speak of, against that which would drive it back with the condition turned. */
static bool is_at_rest(struct tansy_solver *s, double t, struct resting *r)
{
    struct events *const e = &s->events;
    int code = derive_rhs(&s->derive, 0, t, s->y0, e->f);
    if (code == 0) code = events_rates(s, t, e->f, e->value, e->rate);
    if (!events_is_known(e, code) || !find_across(s, t, r)) return false;
    bool any = false, all = true;
    for (size_t k = 0; k < r->count; k++) {
        double const back = events_side(e, r->j[k], -s->direction * r->A[k][k]);
        any = any || back > 0;
        double const rate = fabs(e->rate[r->j[k]]);
        r->idle[k] = fabs(back) <= no_part * rate && !r->rests[k];
        if (!r->rests[k]) all = all && back >= 0 && rate <= at_rest * back;
    }
    return any && all;
}

/* Others than the leader may be near their roots by chance, and have no part in the rest, as abs(d) in d/sqrt(abs(d) + 1e-6): without those.  False: there are none. */
static bool leave_out(const struct events *e, struct resting *r)
{
    size_t left = 0;
    for (size_t k = 0; k < r->count; k++) {
        if (r->idle[k] && r->j[k] != e->leader) continue;
        r->j[left] = r->j[k];
        r->rests[left] = r->rests[k];
        r->rounding[left++] = r->rounding[k];
    }
    bool const any = left < r->count;
    r->count = left;
    memset(r->idle, 0, sizeof r->idle);
    return any;
}

/* A small flow that goes on, e->rate, leads them back to their roots, where f is but rounding: they are put so far beyond that it takes a while. */
static bool keep_off(struct tansy_solver *s, double t, struct resting *r)
{
    struct events *const e = &s->events;
    bool any = false;
    for (size_t k = 0; k < r->count; k++) {
        double const moves = events_side(e, r->j[k], s->direction * e->rate[r->j[k]]);
        double const most = allowed * events_tolerance_of(s, t, r->j[k]);
        r->least[k] = fmin(moves * ahead * e->pace, most);
        any = any || r->least[k] > fabs(e->value[r->j[k]]);
    }
    return !any || put_beyond(s, t, r);
}

/* S along N, which is that of both ends of the way. */
static int project(struct tansy_solver *s, double t, const struct resting *r)
{
    struct events *const e = &s->events;
    for (size_t m = 0; m < s->stepper.panels; m++) {
        const struct panel *const q = &s->shape[m];
        int const code = events_columns_of_g(s, t, q);
        if (code != 0) return code;
        for (size_t c = 0; c < q->columns; c++) {
            double x[MOST];
            for (size_t k = 0; k < r->count; k++) x[k] = -e->G[r->j[k] * q->lanes + c];
            solve(r, x);
            for (size_t k = 0; k < r->count; k++)
                for (size_t i = 0; i < s->n; i++)
                    s->sens0[(q->first + c) * s->n + i] += x[k] * r->N[k * s->n + i];
        }
    }
    return 0;
}

static void hold(struct tansy_solver *s, double t, const struct resting *r)
{
    struct events *const e = &s->events;
    for (size_t k = 0; k < r->count; k++) {
        size_t const j = r->j[k];
        e->rests[j] = true;
        events_hold_still(s, t, j, fabs(e->value[j]));
        events_withdraw_touch(e, t, j, e->stride);
    }
    e->leader = SIZE_MAX;
    memset(e->turned, 0, e->switches * sizeof *e->turned);
}

/* They do not: as it was before. */
static int put_back(struct tansy_solver *s, double t, int code)
{
    struct events *const e = &s->events;
    memcpy(e->mode, e->mode_before, e->switches * sizeof *e->mode);
    derive_set_modes(&s->derive);
    memcpy(s->y0, e->leap_y, s->n * sizeof *s->y0);
    if (code == 0) code = derive_rhs(&s->derive, 0, t, s->y0, e->f);
    return code == 0 ? derive_switch(&s->derive, 0, t, s->y0, e->value) : code;
}

int events_rest_together(struct tansy_solver *s, double t, double roundings, size_t least,
                         bool creeps, bool *rests)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    struct resting r = {.N = e->across};
    memcpy(e->leap_y, s->y0, s->n * sizeof *s->y0);
    memcpy(e->mode_before, e->mode, e->switches * sizeof *e->mode);
    int code = derive_rhs(&s->derive, 0, t, s->y0, e->f);
    if (code == 0) code = derive_switch(&s->derive, 0, t, s->y0, e->value);
    if (code != 0) return code;
    collect(s, t, roundings, &r);
    *rests = false;
    r.off = kept_off;
    double const most = creeps ? fmax(farthest, farthest_of(s, t, &r)) : farthest;
    while (r.off <= most && r.count >= least && code == 0 && !*rests) {
        *rests = find_across(s, t, &r) && put_beyond(s, t, &r) && is_at_rest(s, t, &r) &&
                 keep_off(s, t, &r);
        if (*rests && s->ns > 0) code = project(s, t, &r);
        *rests = *rests && code == 0;
        if (!*rests) code = put_back(s, t, code);
        if (*rests || !leave_out(e, &r)) r.off *= kept_off;
    }
    if (*rests) hold(s, t, &r);
    if (code == 0) s->derive.worker[0].failure = failure;
    return code;
}

int events_stop_at_rest(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    size_t const j = e->leader;
    double const h = s->stats.h_last;
    bool rests = false;
    memset(e->bridged, 0, e->switches * sizeof *e->bridged);
    if (!e->across || s->derive.blind[j]) return 0;
    struct failure const failure = s->derive.worker[0].failure;
    int code = derive_switch(&s->derive, 0, e->at, s->y0, e->value);
    for (size_t i = 0; i < s->n; i++) e->f_near[i] = e->f[i] - (e->drifts ? e->drift[i] : 0);
    if (code == 0) code = events_rates(s, e->at, e->f_near, e->value, e->rate);
    if (code == 0 && fabs(e->rate[j] * h) <= no_rate * events_size(e, j))
        code = events_rest_together(s, e->at, kept_off * kept_off, 1, false, &rests);
    for (size_t i = 0; i < s->n && !rests; i++)
        e->f[i] = e->f_near[i] + (e->drifts ? e->drift[i] : 0);
    s->derive.worker[0].failure = failure;
    return code < 0 || rests ? code : 0;
}
