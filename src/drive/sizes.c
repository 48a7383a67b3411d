/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of components, see sizes.h.  The first moment H of an explicit problem is looked for by Euler
   steps x = y0 + H y': in it no rate changes by more than itself, or than moves a component by its size,
     H |f_i(x) - f_i(y0)| <= H |f_i(y0)| + |y0_i|,
   and further steps reach components that are fed by such as begin at 0 themselves.  An H that is too
   short asks for more accuracy than is needed while t < H, a few steps; one that is too long for too
   little. */
#include "drive/sizes.h"

#include <math.h>
#include <string.h>

#include "drive/algebraic_zero.h"
#include "drive/solver.h"

enum {
    MOST_TRIES = 40,       /* of H, each at least twice as short as the one before */
    MOST_GENERATIONS = 100 /* a component fed through more steps than that begins without a size */
};

const double sizes_nothing_known = 1;

void sizes_begin(struct tansy_solver *s)
{
    struct tolerances *const t = &s->tolerances;
    s->consistent.is_judged = false;
    for (size_t i = 0; i < s->n; i++) {
        t->assumed[i] = t->follows[i] && s->y0[i] == 0;
        t->left[i] = t->assumed[i] ? s->t0 : -HUGE_VAL;
        t->rough[i] = 0;
        t->rounding[i] = 0;
        tolerances_size(t, i, t->assumed[i] ? sizes_nothing_known : fabs(s->y0[i]));
    }
}

void sizes_take(struct tansy_solver *s, const struct tansy_solver *run)
{
    for (size_t i = 0; i < s->n; i++) {
        s->tolerances.assumed[i] = run->tolerances.assumed[i];
        tolerances_size(&s->tolerances, i, run->tolerances.size[i]);
    }
}

/* Component i is known to have been so large. */
static void see(struct tansy_solver *s, size_t i, double size)
{
    struct tolerances *const t = &s->tolerances;
    if (!(t->assumed[i] ? size > 0 : size > t->size[i])) return;
    if (t->assumed[i]) t->rough[i] = -1;
    tolerances_size(t, i, size);
    t->assumed[i] = false;
}

/* A run begins at y0, which is consistent by now.  A first guess of an algebraic component says nothing
   about its size, what rounding leaves of one that is 0 neither, nor a multiplier, which may be known by
   differences.  One that was found without a size, or is below its tolerance, is found again with the size
   that it has now; what is below that tolerance too is left of 0. */
static void see_start(struct tansy_solver *s)
{
    struct tolerances *const t = &s->tolerances;
    struct consistent *const c = &s->consistent;
    bool const implicit = derive_is_implicit(&s->derive), again = c->is_judged;
    c->is_judged = true;
    c->is_coarse = false;
    algebraic_zero_roundings(s, s->y0, t->room);
    for (size_t i = 0; i < s->n; i++) {
        double const size = fabs(s->y0[i]);
        bool const multiplier = implicit && c->kind[i] == TANSY_INDEX_2;
        bool const found = implicit && c->kind[i] != TANSY_DIFFERENTIAL;
        bool const none = size <= t->room[i];
        bool const unsure = found && !none && size <= t->atol[i];
        bool const assumed = t->follows[i] && (multiplier || none || (unsure && again));
        bool const coarse = t->assumed[i] || (unsure && t->follows[i]);
        if (coarse && !assumed && !again) c->is_coarse = true;
        t->assumed[i] = assumed;
        if (!assumed) tolerances_size(t, i, size); /* else, for the time being, as before */
    }
}

/* What a row of A with entries times `per` has of components whose size is known, at most. */
static double largest_known(const struct tansy_solver *s, const struct matrix *A, size_t i,
                            double per, const double *size)
{
    double largest = 0;
    for (size_t e = A->rows.start[i]; e < A->rows.start[i + 1]; e++) {
        size_t const j = A->rows.column[e];
        if (!s->tolerances.assumed[j] || size[j] > 0)
            largest = fmax(largest, fabs(A->rows.value[e]) * per * fabs(size[j]));
    }
    return largest;
}

/* Components without a size get what balances that, the least of what rows give; negative until the sweep
   is over. */
static void balance_row(const struct tansy_solver *s, const struct matrix *A, size_t i, double per,
                        double largest, double *size)
{
    for (size_t e = A->rows.start[i]; e < A->rows.start[i + 1] && largest > 0; e++) {
        size_t const j = A->rows.column[e];
        double const other = largest / (fabs(A->rows.value[e]) * per);
        if (!s->tolerances.assumed[j] || size[j] > 0 || !isfinite(other)) continue;
        size[j] = size[j] < 0 ? fmax(-other, size[j]) : -other;
    }
}

/* The shortest time in which the largest term of M y' balances that of J y in a row; 0: in none. */
static double find_pace(const struct tansy_solver *s, const double *size)
{
    double pace = 0;
    for (size_t i = 0; i < s->n; i++) {
        double const y = largest_known(s, &s->J, i, 1, size),
                     yp = largest_known(s, &s->M, i, 1, size), time = yp / y;
        if (y > 0 && time > 0 && isfinite(time)) pace = pace > 0 ? fmin(pace, time) : time;
    }
    return pace;
}

void sizes_balance(struct tansy_solver *s, double t0)
{
    enum { SWEEPS = 3 }; /* a size passed on through more equations than that is not needed */
    struct tolerances *const t = &s->tolerances;
    double *const size = s->consistent.moved;
    size_t unknown = 0;
    for (size_t i = 0; i < s->n; i++) unknown += t->assumed[i];
    for (size_t i = 0; i < s->n; i++) size[i] = t->assumed[i] ? 0 : t->size[i];
    s->consistent.pace = find_pace(s, size);
    double const rate = 1 / consistent_time_scale(s, t0);
    for (int sweep = 0; sweep < SWEEPS && unknown > 0; sweep++) {
        for (size_t i = 0; i < s->n; i++) {
            double const y = largest_known(s, &s->J, i, 1, size),
                         yp = largest_known(s, &s->M, i, rate, size);
            balance_row(s, &s->J, i, 1, fmax(y, yp), size);
            balance_row(s, &s->M, i, rate, fmax(y, yp), size);
        }
        for (size_t i = 0; i < s->n; i++) size[i] = fabs(size[i]);
    }
    for (size_t i = 0; i < s->n; i++)
        if (t->assumed[i] && size[i] > 0) tolerances_size(t, i, size[i]);
}

void sizes_follow(struct tansy_solver *s, const double *y)
{
    for (size_t i = 0; i < s->n; i++) {
        see(s, i, fabs(y[i]));
        if (y[i] == 0) s->tolerances.left[i] = s->stepper.t;
    }
    sizes_follow_rounding(s, y, fabs(s->stepper.h));
    algebraic_zero_follow(s, y);
}

bool sizes_allow_rounding(struct tansy_solver *s)
{
    const struct stepper *const st = &s->stepper;
    struct tolerances *const t = &s->tolerances;
    double const rounding = tolerances_rounding(fabs(st->t));
    double const nothing = tolerances_negligible * fabs(s->consistent.run);
    bool any = false;
    for (size_t i = 0; i < s->n; i++) {
        double const moved = fabs(st->state_work.y[i] - st->state.history[i]);
        bool const is_near = t->rtol[i] * fabs(st->t - t->left[i]) <= rounding;
        bool const is_little = rounding <= t->rtol[i] * nothing;
        if (!t->follows[i] || !is_near || !is_little) continue;
        if (!isfinite(moved) || moved <= t->atol[i]) continue;
        tolerances_size(t, i, t->size[i] * (moved / t->atol[i]));
        any = true;
    }
    return any;
}

static double way(const struct tansy_solver *s)
{
    return s->direction != 0 ? s->direction : s->consistent.run < 0 ? -1 : 1;
}

/* As far as the run may go, and f may be looked at; not to the end, which rounding might pass. */
static double within_reach(const struct tansy_solver *s, double t)
{
    static const double inside = 0x1.fp-1;
    double limit = 0, length = fabs(s->consistent.run);
    if (events_break_towards(s, way(s), &limit)) length = fmin(length, fabs(limit - t));
    if (s->options.use_stop_time) length = fmin(length, fabs(s->options.stop_time - t));
    return inside * fmin(length, s->control.max_step);
}

/* That f has no value so far ahead is no failure; what stops the run is. */
static int pass_over(struct tansy_solver *s, int code)
{
    if (code > 0) s->derive.worker[0].failure.kind = FAILURE_NONE;
    return code < 0 ? code : 0;
}

/* The most by which a rate has changed, in units of what the first moment allows: of a component that
   starts from x, and of those alone that leave 0 now, as from[] is 0 there, where `leaving`. */
static double change_of_rates(const struct tansy_solver *s, const double *from, const double *rate,
                              const double *f, double H, bool leaving)
{
    double largest = 0;
    for (size_t i = 0; i < s->n; i++) {
        double const allowed = H * fabs(rate[i]) + fabs(from[i]);
        double const change = H * fabs(f[i] - rate[i]) / allowed;
        if (leaving && from[i] != 0) continue;
        if (allowed > 0 && !(change <= largest)) largest = change;
    }
    return largest;
}

/* The factor of an H that was too long: change falls with its square, or as an exponential. */
static double shorter(double change)
{
    static const double least = 0x1p-4;
    return isfinite(change) ? fmax(least, fmin(0.5, 1 / sqrt(change))) : least;
}

/* x = y0 + H y' and f there; *H is made shorter until it is the first moment.  A code of f. */
static int find_moment(struct tansy_solver *s, double t, const double *rate, double *H)
{
    double *const x = s->stepper.state_work.y0, *const f = s->stepper.state_work.d0;
    int code = 0;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        for (size_t i = 0; i < s->n; i++) x[i] = s->y0[i] + way(s) * *H * rate[i];
        code = derive_rhs(&s->derive, 0, t + way(s) * *H, x, f);
        if (code < 0) return code;
        double const change = code == 0 ? change_of_rates(s, s->y0, rate, f, *H, false) : HUGE_VAL;
        if (change <= 1) return 0;
        *H *= shorter(change);
    }
    return code;
}

/* Component i comes to this size in the first moment: of one without a size, and where a run begins. */
static void see_moved(struct tansy_solver *s, size_t i, double size)
{
    struct tolerances *const t = &s->tolerances;
    if (t->follows[i] && (t->assumed[i] || !s->started)) see(s, i, size);
}

/* Some component without a size is 0 at x and about to leave it. */
static bool is_leaving(const struct tansy_solver *s, const double *x, const double *f)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->tolerances.assumed[i] && x[i] == 0 && f[i] != 0) return true;
    return false;
}

/* Components leave 0 by further Euler steps of this length, from x at t with f there, each in one.  *change is the most
   by which that changes their rates: above 1 H was too long, as it is for x' = L (u - x), L H >> 1, u driven by time. */
static int pass_on(struct tansy_solver *s, double t, double H, double *x, double *f, double *change)
{
    double *const from = s->tolerances.room, *const rate = from + s->n;
    int code = 0;
    *change = 0;
    for (int round = 0; round < MOST_GENERATIONS && code == 0 && is_leaving(s, x, f); round++) {
        memcpy(from, x, s->n * sizeof *x);
        memcpy(rate, f, s->n * sizeof *f);
        for (size_t i = 0; i < s->n; i++)
            if (x[i] == 0) x[i] = way(s) * H * f[i];
        code = derive_rhs(&s->derive, 0, t, x, f);
        if (code == 0) *change = fmax(*change, change_of_rates(s, from, rate, f, H, true));
        if (code > 0) memcpy(x, from, s->n * sizeof *x);
    }
    return pass_over(s, code);
}

/* Components without a size take that of x. */
static void take_sizes(struct tansy_solver *s, const double *x)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->tolerances.assumed[i]) see(s, i, fabs(x[i]));
}

static int expect_by_steps(struct tansy_solver *s, double t, const double *rate)
{
    double *const x = s->stepper.state_work.y0, *const f = s->stepper.state_work.d0;
    double H = within_reach(s, t), change = HUGE_VAL;
    if (!(H > 0)) return 0;
    for (int tries = 0; tries < MOST_TRIES && change > 1; tries++) {
        if (tries > 0) H *= shorter(change);
        int code = find_moment(s, t, rate, &H);
        if (code == 0) code = pass_on(s, t + way(s) * H, H, x, f, &change);
        if (code != 0) return pass_over(s, code);
    }
    for (size_t i = 0; i < s->n; i++) see_moved(s, i, fabs(s->y0[i] + way(s) * H * rate[i]));
    take_sizes(s, x);
    return sizes_find_rounding(s, t, s->y0, rate, H);
}

/* Of an implicit problem: no more than the step tells. */
static int leave_implicitly(struct tansy_solver *s, const double *y)
{
    const struct stepper *const st = &s->stepper;
    double *const rate = s->tolerances.room + s->n;
    for (size_t i = 0; i < s->n; i++) rate[i] = (y[i] - st->state.history[i]) / st->h;
    return sizes_find_rounding(s, st->end, y, rate, fabs(st->h));
}

int sizes_leave_zero(struct tansy_solver *s, bool *any)
{
    struct stepper *const st = &s->stepper;
    struct tolerances *const t = &s->tolerances;
    const double *const y = st->state_work.y;
    *any = false;
    for (size_t i = 0; i < s->n; i++) {
        if (!t->assumed[i] || !(fabs(y[i]) > 0 && isfinite(y[i]))) continue;
        see(s, i, fabs(y[i]));
        *any = true;
    }
    if (!*any) return 0;
    if (derive_is_implicit(&s->derive)) return leave_implicitly(s, y);
    double *const x = st->state_work.y0, *const f = st->state_work.d0;
    memcpy(x, y, s->n * sizeof *x);
    double change = 0;
    int code = derive_rhs(&s->derive, 0, st->end, x, f);
    if (code == 0) code = pass_on(s, st->end, fabs(st->h), x, f, &change);
    if (code == 0 && change <= 1) take_sizes(s, x); /* else they leave 0 by further steps */
    code = pass_over(s, code);
    return code == 0 ? sizes_find_rounding(s, st->end, y, NULL, fabs(st->h)) : code;
}

/* M y' + r(t + H, y0, y'), in x: what drives the step, r(t, y0, y') being 0.  A code of r. */
static int drive_step(struct tansy_solver *s, double t, const double *rate, double H, double *x)
{
    struct point const at = {.t = t + way(s) * H, .y = s->y0, .yp = rate};
    int const code = derive_value(&s->derive, 0, &at, x);
    for (size_t i = 0; i < s->n; i++) {
        struct matrix_row const row = matrix_row(&s->M, i);
        if (code != 0) x[i] = 0; /* M y' has to do */
        for (size_t e = 0; e < row.count; e++)
            x[i] += row.value[e] * rate[matrix_row_column(&row, e)];
    }
    return pass_over(s, code);
}

/* The time in which a differential component that is not 0 changes by itself. */
static double own_moment(const struct tansy_solver *s, double t, const double *rate)
{
    double H = within_reach(s, t);
    for (size_t i = 0; i < s->n; i++)
        if (s->consistent.kind[i] == TANSY_DIFFERENTIAL && !s->tolerances.assumed[i] &&
            rate[i] != 0)
            H = fmin(H, fabs(s->y0[i] / rate[i]));
    return H;
}

/* The sum of |A_ij x_j| of a row. */
static double terms_of(const struct matrix *A, size_t i, const double *x)
{
    struct matrix_row const row = matrix_row(A, i);
    double sum = 0;
    for (size_t e = 0; e < row.count; e++)
        sum += fabs(row.value[e] * x[matrix_row_column(&row, e)]);
    return sum;
}

/* What the step x leaves of r, which it would take to 0 if r were linear, in units of half its terms. */
static int left_of_step(struct tansy_solver *s, double t, double H, const double *x, double *left)
{
    double *const y = s->tolerances.room, *const yp = y + s->n, *const r = s->consistent.other;
    for (size_t i = 0; i < s->n; i++) {
        y[i] = s->y0[i] + x[i];
        yp[i] = x[i] / (way(s) * H);
    }
    struct point const at = {.t = t + way(s) * H, .y = y, .yp = yp};
    int const code = derive_value(&s->derive, 0, &at, r);
    *left = 0;
    for (size_t i = 0; i < s->n; i++) {
        double const terms = terms_of(&s->M, i, yp) + terms_of(&s->J, i, x);
        double const now = 2 * fabs(r[i]) / terms;
        if (code == 0 && terms > 0 && !(now <= *left)) *left = now;
    }
    if (code > 0) *left = HUGE_VAL;
    return pass_over(s, code);
}

/* An Euler step (M/H - J) x = M y' + r(t + H) reaches all components at once.  *change is above 1 where r bends so much
   on the way, in t or in x, that H is too long. */
static int step_implicitly(struct tansy_solver *s, const struct point *at, double H, double *x,
                           double *change)
{
    struct equations *const q = &s->equations;
    int code = equations_factor(q, at, way(s) / H);
    struct solve_task const task = {.at = *at, .c = q->c};
    if (code == 0) code = drive_step(s, at->t, at->yp, H, x);
    if (code == 0) (void)equations_solve(q, &s->stepper.state, &task, x);
    return code == 0 ? left_of_step(s, at->t, H, x, change) : code;
}

/* An implicit problem; without factors H y' has to do.  A component that has a size keeps it: of one that bends within H, as
   p/(p + u) does where u falls, x is many times too large.  What K was factored for is lost and found again. */
static tansy_status expect_by_matrix(struct tansy_solver *s, double t, const double *rate)
{
    struct tolerances *const tol = &s->tolerances;
    double *const x = s->stepper.state_work.y0, longest = own_moment(s, t, rate);
    double H = longest, change = HUGE_VAL;
    struct point const at = {.t = t, .y = s->y0, .yp = rate};
    if (!(H > 0)) return TANSY_OK;
    bool const factors = !s->linear.table->iterate;
    int code = factors ? 0 : 1;
    for (int tries = 0; tries < MOST_TRIES && code == 0 && change > 1; tries++) {
        if (tries > 0) H *= shorter(change);
        code = step_implicitly(s, &at, H, x, &change);
    }
    if (code >= 0 && factors && change > 1) { /* no H is better: r is rounding here */
        H = longest;
        code = step_implicitly(s, &at, H, x, &change);
    }
    for (size_t i = 0; i < s->n; i++)
        if (tol->assumed[i]) see(s, i, fabs(code == 0 ? x[i] : H * rate[i]));
    (void)sizes_find_rounding(s, t, s->y0, rate, H);
    algebraic_zero_follow(s, s->y0);
    if (!factors) return TANSY_OK;
    s->equations.c = 0;
    return code < 0 ? solver_fail_here(s, code) : consistent_factor(s, t);
}

/* The run stands at t, maybe behind the end of a step that was looked at and not made. */
static void note_zeros(struct tansy_solver *s, double t)
{
    double *const left = s->tolerances.left;
    for (size_t i = 0; i < s->n; i++)
        if (s->y0[i] == 0 || (isfinite(left[i]) && way(s) * (left[i] - t) > 0)) left[i] = t;
}

tansy_status sizes_expect(struct tansy_solver *s, double t, const double *rate)
{
    bool const begins = !s->started && !s->consistent.is_of_run;
    bool const implicit = derive_is_implicit(&s->derive);
    bool const all = begins && !implicit;
    bool wanted = false;
    if (begins) see_start(s);
    note_zeros(s, t);
    for (size_t i = 0; i < s->n; i++)
        wanted = wanted || s->tolerances.assumed[i] || (all && s->tolerances.follows[i]);
    s->consistent.is_unsized = false;
    if (!wanted) return TANSY_OK;
    s->consistent.is_unsized = s->consistent.run == 0;
    if (s->consistent.is_unsized) return TANSY_OK;
    if (implicit) return expect_by_matrix(s, t, rate);
    int const code = expect_by_steps(s, t, rate);
    return code < 0 ? solver_fail_here(s, code) : TANSY_OK;
}
