/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this layer share: the implementations derive_complete() chooses from, the lists of
   directions, and the judgement of what a user function returned. */
#ifndef DERIVE_PROVIDERS_H
#define DERIVE_PROVIDERS_H

#include <stdint.h>

#include "derive/derive.h"

/* Did the function succeed?  0 if code is 0 and v[count] is finite; else records the failure, `row` being
   the first entry of v that is not finite, and returns 1 or -1. */
int judge(struct derive_worker *worker, const char *function, double t, int code, size_t count,
          const double *v);

/* The same for a matrix of n rows of `width` entries: `row` and `column` are told apart. */
int judge_matrix(struct derive_worker *worker, const char *function, double t, int code, size_t n,
                 size_t width, const double *v);

/* The same for a derivative with respect to p, n*np entries or those of the pattern (row not NULL): only the columns that
   some direction touches are looked at. */
int judge_asked(const struct derive *d, size_t worker, const char *function, double t, int code,
                const tansy_pattern *pattern, const double *v);

/* The same for a matrix as the user lays it out, dense, banded or by a pattern. */
int judge_given(const struct derive *d, size_t worker, const char *function, double t, int code,
                const double *v);

/* The worker's p is about to change, or has changed: another version, never 0. */
static inline void worker_touch(struct derive_worker *w)
{
    w->local.version = w->local.version == SIZE_MAX ? 1 : w->local.version + 1;
}

/* Writes the directions of the panel into the worker's U. */
void given_move(const struct derive *d, struct derive_worker *w, const struct panel *panel);
static inline void given_place(const struct derive *d, struct derive_worker *w,
                               const struct panel *panel)
{
    if (w->placed != panel) given_move(d, w, panel);
}

/* A column of a panel at work: s and r have their entries lanes apart. */
struct column {
    size_t number, lanes;
    const double *s;
    double *r;
    const double *sp; /* s' of an implicit problem; NULL: y' stays */
};

/* Directions in y, y' and p, laid out as tansy_residual_tangent has them. */
struct directions {
    size_t columns, ld;
    const double *V, *V_rate, *U;
    const struct panel *panel; /* whose columns they are, for messages; NULL: of none */
};

/* r += the derivative of the line's function along s and the direction of the column, with increments of y and p
   apart where they differ much; or along s alone; or along the direction in p alone. */
struct line;
int differences_column(struct derive *d, size_t worker, const struct line *line,
                       const struct column *column);
int differences_along(struct derive *d, size_t worker, const struct line *line,
                      const struct column *column);
int differences_parameters(struct derive *d, size_t worker, const struct line *line,
                           const struct column *column);

/* The same by given increments: along y, y' and p together, or with delta_p > 0 along p by that one. */
int differences_by(struct derive *d, size_t worker, const struct line *line,
                   const struct column *column, double delta, double delta_p);

/* And along y and y' alone. */
int differences_of_y(struct derive *d, size_t worker, const struct line *line,
                     const struct column *column, double delta);

void switches_layout(struct derive *d, struct arena *arena);

/* J and M, given or by differences. */
int given_jacobian(struct derive *d, const struct point *at);
int given_rate(struct derive *d, const struct point *at);
int differences_jacobian(struct derive *d, const struct point *at);
int differences_rate(struct derive *d, const struct point *at);
/* M and units of y' by it; see rates.c.  rates_learn(): by J and M as they are, true if steps were far too short for them, or too long. */
int rates_evaluate(struct derive *d, const struct point *at);
bool rates_learn(struct derive *d, const struct point *at, bool knows_value, bool again);
bool rates_matter(const struct derive *d);
void rates_layout(struct derive *d, struct arena *arena);
int matrices_evaluate(struct derive *d, const struct point *at);

int given_parameter(struct derive *d, const struct point *at);
int differences_parameter(struct derive *d, const struct point *at);

int given_along(struct derive *d, size_t worker, const struct point *at,
                const struct directions *along, double *R);
int product_tangent(struct derive *d, size_t worker, const struct point *at,
                    const struct panel *panel, const double *V, double *V_rate, double *R);
int differences_tangent(struct derive *d, size_t worker, const struct point *at,
                        const struct panel *panel, const double *V, double *V_rate, double *R);
int internal_tangent(struct derive *d, size_t worker, const struct point *at,
                     const struct panel *panel, const double *V, double *V_rate, double *R);
void internal_layout(struct derive *d, struct arena *arena);

/* After the formula has been chosen by the options: narrower increments for it, where these are free. */
void internal_narrow(struct derive *d, const tansy_options *options);

/* The increments of the columns of a panel by which nothing moves further than by Delta of its size. */
void internal_increments(const struct derive *d, const struct panel *panel, const double *y,
                         const double *S, double Delta, double *eps);

/* What the rounding of f adds to S in the step at work, in units of the error test, as last measured. */
void noise_layout(struct derive *d, struct arena *arena);
void noise_keep_layout(struct derive *d, struct arena *arena);
void derive_forget_noise(struct derive *d);
/* The formula has been chosen anew: the noise that was found counts for it, too. */
void derive_renew_noise(struct derive *d);
double noise_of_step(const struct derive *d, size_t k, tansy_difference formula, double eps);

/* Units that f is rounded to, far above its last digit, where noise along the column did not tell of them: into column->r, which holds that
   noise and is not touched otherwise; eps moves y by its size.  A code below 0: f wants to stop. */
void units_layout(struct derive *d, struct arena *arena);
int units_add(struct derive *d, size_t worker, const struct line *line, const struct column *column,
              double eps);

/* B depends on y or p: then J and r_p contain d(B y')/dy and d(B y')/dp, which no matrix of the user's has. */
static inline bool mass_moves(const tansy_problem *q)
{
    return q->mass && (q->mass_varies || q->mass_tangent);
}

/* derive_apply starts from r: it works by differences. */
bool apply_needs_value(const struct derive *d);

/* What B y' adds to f and its tangent: r - B y';  R - B V_rate - d(B y')/dy V - d(B y')/dp U. */
int mass_subtract_product(struct derive *d, size_t worker, const struct point *at, double *r);
int mass_subtract_tangent(struct derive *d, size_t worker, const struct point *at,
                          const struct directions *along, double *R);

/* The verdict of judge_matrix() on a tangent, whose failure then names the column as messages call it: lane k is column panel->first + k;
   NULL: lanes have no other number. */
int judge_columns(const struct derive *d, size_t worker, const struct panel *panel, int verdict);

/* Zeros into the lanes without a column, which the user does not write. */
void given_clear(size_t n, size_t columns, size_t ld, double *R);

/* Doubles in a matrix as the user fills it, and R -= A X for such a matrix. */
size_t given_count(const tansy_problem *q);
void given_subtract(const struct derive *d, const double *A, size_t ld, const double *X, double *R);

/* Chooses where second derivatives come from; their room. */
void second_choose(struct derive *d);
void second_layout(const struct derive *d, struct second_room *room, struct arena *arena,
                   size_t lanes);

void transposed_jacobian(struct derive *d, const double *v, double *r);
void transposed_parameter(struct derive *d, const double *v, double *r);

/* How many columns move parameter j. */
size_t direction_columns(const tansy_problem *problem, size_t ns, size_t j);

/* Places, then fills, the lists of directions and their scatter lists. */
void directions_layout(struct derive *d, struct arena *arena, size_t panels);
void directions_fill(struct derive *d, const struct panel *panel, size_t panels);

/* initial(t, p) with worker's p into y0[n]; the point's y is not read. */
int initial_value(struct derive *d, size_t worker, const struct point *at, double *y0);

/* The problem's initial_jacobian into d->initial_jacobian. */
int initial_evaluate(struct derive *d, double t);

#endif
