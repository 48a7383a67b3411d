/* SPDX-License-Identifier: Apache-2.0 */
/* Where dF/dy' vanishes at y' = 0, from which y' is sought without a better guess, as of h'^2 = a h or x'^3 = k x, though y' is in F: y' is sought
   from both sides of 0.  Where that leads to one solution it is taken; of several the user chooses. */
#include <math.h>
#include <string.h>

#include "derive/names.h"
#include "drive/consistent.h"
#include "drive/solver.h"

/* The first component from j on whose derivative is in F, but not in dF/dy' as it is; n: none. */
static size_t find_flat(const struct tansy_solver *s, size_t j)
{
    const struct sparse_rows *const M = &s->M.rows;
    bool *const shows = s->consistent.shows;
    memset(shows, 0, s->n * sizeof *shows);
    for (size_t e = 0; e < M->start[s->n]; e++)
        if (M->value[e] != 0) shows[M->column[e]] = true;
    while (j < s->n && (s->consistent.kind[j] != TANSY_DIFFERENTIAL || shows[j])) j++;
    return j;
}

bool consistent_may_guess(const struct tansy_solver *s, double t)
{
    const struct consistent *const c = &s->consistent;
    bool const given = s->problem.yp0 && t == s->problem.t0;
    return !s->started && !c->has_guess && !given && s->J.kind != MATRIX_NONE &&
           find_flat(s, 0) < s->n;
}

/* A size of y'_j that makes its term as large as the others of F, if it is a square: r(d) - r(0) = c d^2. */
static int find_size(struct tansy_solver *s, double t, size_t j, double *size)
{
    struct consistent *const c = &s->consistent;
    const double *const r = s->equations.f;
    struct point const at = {.t = t, .y = s->y0, .yp = c->yp};
    double const worth = s->derive.rates.worth[j]; /* as differences found it, in units of time */
    double const d = worth > 0 ? worth : fmax(fabs(s->y0[j]), consistent_weight(s, j));
    double share = 0;
    c->yp[j] = d;
    int const code = derive_value(&s->derive, 0, &at, c->other);
    c->yp[j] = 0;
    for (size_t i = 0; i < s->n && code == 0; i++) {
        double const by = fabs(c->other[i] - r[i]);
        if (by > 0) share = fmax(share, fabs(r[i]) / by);
    }
    *size = share > 0 && isfinite(share) ? d * sqrt(share) : d;
    return code < 0 ? code : 0;
}

/* Guesses of y' for all that dF/dy' does not show at 0, into tried[n]. */
static int find_sizes(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    int code = 0;
    memset(c->tried, 0, s->n * sizeof *c->tried);
    for (size_t j = find_flat(s, 0); j < s->n && code == 0; j = find_flat(s, j + 1))
        code = find_size(s, t, j, &c->tried[j]);
    s->derive.worker[0].failure.kind = code < 0 ? s->derive.worker[0].failure.kind : FAILURE_NONE;
    return code;
}

/* The component in which the two solutions of y' are apart; n: they are one. */
static size_t find_difference(const struct tansy_solver *s, const double *a, const double *b)
{
    static const double agree = 1e-6;
    double largest = 0;
    size_t where = 0;
    for (size_t i = 0; i < s->n; i++) {
        largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
        if (fabs(a[i] - b[i]) > fabs(a[where] - b[where])) where = i;
    }
    return fabs(a[where] - b[where]) > agree * largest ? where : s->n;
}

static const char *advice(const struct tansy_solver *s)
{
    return s->problem.from_model ? "solve the equation for it" : "give .yp0";
}

static tansy_status fail_flat(struct tansy_solver *s, double t, size_t flat)
{
    struct name name;
    const char *const of = name_state(&s->problem, flat, &name);
    return s->error = message_set(
               &s->message, TANSY_HIGH_INDEX,
               "no consistent initial values found at t = %.10g: F is not linear in the derivative "
               "of %s, and dF/dy' is singular at y' = 0, where it is sought from; %s",
               t, of, advice(s));
}

/* y' of components that are said to be differential, but enter F neither at y' = 0 nor at the guesses: .kind is wrong. */
static tansy_status check_shown(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    struct point const at = {.t = t, .y = s->y0, .yp = c->tried, .f = c->other};
    struct name name;
    if (!s->problem.kind) return TANSY_OK;
    int code = derive_value(&s->derive, 0, &at, c->other);
    if (code == 0) code = derive_rate(&s->derive, &at);
    if (code < 0) return solver_fail_here(s, code);
    s->derive.worker[0].failure.kind = FAILURE_NONE; /* what cannot be looked at tells nothing */
    if (code > 0) return TANSY_OK;
    matrix_compress(&s->M);
    size_t const nowhere = find_flat(s, 0);
    if (nowhere == s->n) return TANSY_OK;
    if (s->problem.from_model)
        return s->error = message_set(
                   &s->message, TANSY_BAD_PROBLEM,
                   "the derivative of %s is in no equation at t = %.10g: its coefficients are 0 "
                   "there, which only those may be that do not depend on y'; leave it out",
                   name_state(&s->problem, nowhere, &name), t);
    return s->error = message_set(
               &s->message, TANSY_BAD_PROBLEM,
               ".kind says that %s is differential, but its derivative is in no equation at t = "
               "%.10g (column %zu of dF/dy' is zero): it is of kind TANSY_ALGEBRAIC",
               name_state(&s->problem, nowhere, &name), t, nowhere);
}

static tansy_status fail_branches(struct tansy_solver *s, double t, size_t i, double first,
                                  double second)
{
    struct name name;
    return s->error = message_set(
               &s->message, TANSY_HIGH_INDEX,
               "the derivative of %s is not determined at t = %.10g: F is not linear in it, and "
               "both %.6g and %.6g solve the equations; %s",
               name_state(&s->problem, i, &name), t, first, second, advice(s));
}

/* Newton's method from y' of the other side. */
static tansy_status seek(struct tansy_solver *s, double t, int side, consistent_iteration *iterate)
{
    struct consistent *const c = &s->consistent;
    s->error = TANSY_OK;
    memcpy(s->y0, c->given, s->n * sizeof *s->y0);
    for (size_t i = 0; i < s->n; i++) c->yp[i] = side * c->tried[i];
    return iterate(s, t);
}

tansy_status consistent_guess(struct tansy_solver *s, double t, consistent_iteration *iterate)
{
    struct consistent *const c = &s->consistent;
    double *const y = c->tried + s->n, *const yp = y + s->n;
    size_t const flat = find_flat(s, 0);
    int const code = find_sizes(s, t);
    if (code != 0) return solver_fail_here(s, code);
    TRY(check_shown(s, t));
    tansy_status const above = seek(s, t, 1, iterate);
    memcpy(y, s->y0, s->n * sizeof *y);
    memcpy(yp, c->yp, s->n * sizeof *yp);
    tansy_status const below = above == TANSY_USER_STOPPED ? above : seek(s, t, -1, iterate);
    if (below == TANSY_USER_STOPPED) return s->error = below;
    if (above != TANSY_OK && below != TANSY_OK) return fail_flat(s, t, flat);
    s->error = message_clear(&s->message);
    if (above != TANSY_OK) return TANSY_OK;
    size_t const apart = below == TANSY_OK ? find_difference(s, yp, c->yp) : s->n;
    if (apart < s->n) return fail_branches(s, t, apart, yp[apart], c->yp[apart]);
    memcpy(s->y0, y, s->n * sizeof *y);
    memcpy(c->yp, yp, s->n * sizeof *yp);
    return TANSY_OK;
}
