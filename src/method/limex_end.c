/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: what the differences in a tableau do not see.

   f at the end of the step.  Row j takes f at y_0 .. y_(j-1), the last at H/j before the end: what happens there is in no row.  And where stiff
   components drive slow ones, z' = b(y) y' with y' = -L (y - ..) put in as the right-hand side says it, short steps have b(y_k) - b(y_0) times
   h L (..) in them, of size L H^4 (docs/limex.md): a polynomial in h that four rows take out, of which three leave T_33 and T_32 the same error, 30
   times their difference.  The next step needs f(t1, y1) anyway.  With the slope y1' that the increments of the rows say, of the order of T_jj,
     e = (B/h - A)^-1 (f(t1, y1) - B y1'),   h = H/j,
   is what a short step from the end would move y by, less what it should: the factors of the row leave of stiff components what is an error of them.
   Where e is `far_off` times the tolerance the step fails.

   Perturbed rows.  Where e is larger than the estimate of row 3 a row more is made, whatever that estimate is, and whenever there is a fourth row
   T_44 - T_33 says what the error of the third was, of y and S.  If that was `twisted` times its estimate, again and again, rows below the
   fourth are not believed as long as it lasts.  Nor is what these say about rows to come: now and then more are made to see what they do. */
#include "method/limex.h"

#include <math.h>
#include <string.h>

static const double far_off = 4, /* e, in units of the tolerance: one step in a hundred has more */
    far_off_algebraic = 10, /* B is singular: T_jj has the order of its estimate, e that of both */
    first_doubt = 2,        /* e over the estimate of row 3, for a row more; */
    less_doubt = 4,         /* times that, each time it was for nothing */
    twisted = 3,            /* the error of row 3 over its estimate: 30 in theory */
    seen = 1e-3,            /* of the tolerance: errors that do not add up to it */
    hopeless = 10;

enum {
    LOW_ROW = LIMEX_LOW_ROW,
    OFTEN = 2,  /* times that row 3 was wrong, */
    CALM = 20,  /* and steps without, after which that is forgotten */
    TRIAL = 20, /* steps after which more rows are tried: */
    MORE = 2    /* so many */
};

void limex_end_layout(struct stepper *s, struct arena *arena, const struct derive *derive)
{
    struct end_of_step *const end = &s->stages.at_end;
    size_t const stride = lane_round(derive->n);
    double *const f = arena_doubles(arena, stride), *const y = arena_doubles(arena, stride),
                  *const rate = arena_doubles(arena, stride);
    if (!arena->block) return;
    end->f = f;
    end->y = y;
    end->rate = rate;
}

/* The value at the end, as the next step will need it: f, where B varies f - B y'. */
static int evaluate(struct stepper *s)
{
    struct derive *const d = s->equations->derive;
    struct end_of_step *const end = &s->stages.at_end;
    size_t const bytes = d->n * sizeof(double);
    memcpy(end->y, one_step_row(&s->state, ROW_END), bytes);
    stepper_clip_signs(s, end->y); /* as they will be once the step is accepted */
    if (s->stages.mass_varies)
        limex_end_slope(s, &s->state, end->rate);
    else
        memset(end->rate, 0, bytes);
    struct point const at = {.t = s->end, .y = end->y, .yp = end->rate};
    end->t = s->end;
    int const code = derive_value(d, 0, &at, end->f);
    end->is_known = code == 0;
    return code;
}

/* f - B y' at the end, into r. */
static void residual(struct stepper *s, double *r)
{
    const struct equations *const q = s->equations;
    struct end_of_step *const end = &s->stages.at_end;
    size_t const n = q->derive->n;
    memcpy(r, end->f, n * sizeof *r);
    if (s->stages.mass_varies) return;
    limex_end_slope(s, &s->state, end->rate);
    if (!derive_is_implicit(q->derive)) {
        q->kernels->combine(n, 1, r, -1, end->rate, r);
        return;
    }
    for (size_t i = 0; i < n; i++) end->rate[i] = -end->rate[i];
    matrix_multiply(q->derive->M, q->kernels, 1, end->rate, r);
}

/* Algebraic components have estimates of their own that stand still (docs/limex.md): what they say is no perturbation. */
static void leave_algebraic_out(const struct stepper *s, const struct part *part, double *v)
{
    const tansy_kind *const kind = s->stages.kind;
    size_t const lanes = part->shape.lanes;
    for (size_t i = 0; kind && i < s->equations->derive->n; i++)
        if (kind[i] == TANSY_ALGEBRAIC) memset(v + i * lanes, 0, lanes * sizeof *v);
}

/* e of row j, in units of the tolerance; `slow`: without algebraic components. */
static int look(struct stepper *s, int j, double *error, double *slow)
{
    struct equations *const q = s->equations;
    struct part *const part = &s->state;
    struct work *const w = &s->state_work;
    double *const e = w->d0, square[MAX_LANES];
    struct solve_task const task = {.c = j / s->h, .slot = limex_slot(s, j)};
    residual(s, e);
    part->counts.solves++;
    int const code = equations_solve(q, part, &task, e);
    if (code != 0) return code;
    one_step_weigh(s, part, w);
    norms_squares(q->norms, part, e, norms_weigh_tests(q->norms, part, w), square);
    *error = *slow = sqrt(square[0] * q->norms->share);
    if (!s->stages.has_algebraic || j != LOW_ROW) return 0;
    leave_algebraic_out(s, part, e);
    norms_squares(q->norms, part, e, norms_weigh_tests(q->norms, part, w), square);
    *slow = sqrt(square[0] * q->norms->share);
    return 0;
}

int limex_confirm(struct stepper *s, int j, int planned, bool *ends)
{
    struct end_of_step *const end = &s->stages.at_end;
    struct part *const part = &s->state;
    double const estimate = part->row_error[j];
    double error = 0, slow = 0;
    if (!*ends || !(estimate <= 1)) return 0;
    int code = evaluate(s);
    if (code > 0 && s->may_end_there) {
        s->equations->derive->worker[0].failure.kind = FAILURE_NONE;
        return 0; /* the rows alone say what is there */
    }
    if (code == 0) code = look(s, j, &error, &slow);
    if (code != 0) return code;
    double const raised =
        fmax(estimate, error / (s->stages.has_algebraic ? far_off_algebraic : far_off));
    bool const asks = j == LOW_ROW && slow > fmax(first_doubt * end->doubt * estimate, seen);
    part->row_error[j] = raised;
    part->row_sum[j] = raised * raised;
    if (j > planned || j > s->max_order || raised > hopeless) return 0;
    *ends = !asks && raised <= 1;
    if (!asks) return 0;
    end->asked = true;
    end->trial = j + 1;
    return 0;
}

void limex_compare_rows(struct stepper *s, struct part *part, struct work *w)
{
    const struct norms *const norms = s->equations->norms;
    size_t const columns = part->shape.columns;
    double square[MAX_LANES], sum = 0;
    leave_algebraic_out(s, part, one_step_row(part, ROW_SPARE));
    norms_squares(norms, part, one_step_row(part, ROW_SPARE), norms_weigh_tests(norms, part, w),
                  square);
    double const error = sqrt(square[norms_worst(square, columns)] * norms->share);
    part->is_twisted = error > fmax(twisted * part->row_error[LOW_ROW], seen);
    if (!part->is_twisted) return;
    for (size_t k = 0; k < columns; k++) sum += square[k];
    part->row_error[LOW_ROW] = error;
    part->row_sum[LOW_ROW] = sum * norms->share;
}

/* What the last attempt has shown. */
static void learn(struct stepper *s)
{
    struct end_of_step *const end = &s->stages.at_end;
    bool any = s->state.is_twisted;
    if (end->asked && !any) end->doubt *= less_doubt;
    for (size_t m = 0; m < s->panels; m++) {
        any = any || s->panel[m].is_twisted;
        s->panel[m].is_twisted = false;
    }
    s->state.is_twisted = end->asked = false;
    if (!any) return;
    end->calm = 0;
    if (++end->twists >= OFTEN) end->least = LOW_ROW + 1;
}

int limex_plan(struct stepper *s)
{
    struct end_of_step *const end = &s->stages.at_end;
    int const most = s->max_order + 1;
    learn(s);
    int const least = end->least < most ? end->least : most;
    int planned = s->order + 1 > least ? s->order + 1 : least;
    end->trial = 0;
    if (end->steps < TRIAL) return planned;
    end->steps = 0;
    planned = planned + MORE < most ? planned + MORE : most;
    return end->trial = planned;
}

void limex_note_accepted(struct stepper *s)
{
    struct end_of_step *const end = &s->stages.at_end;
    learn(s);
    end->steps = end->least > 0 ? end->steps + 1 : 0;
    if (++end->calm >= CALM) end->least = end->twists = 0;
}
