/* SPDX-License-Identifier: Apache-2.0 */
/* --verify: below which size a quantity counts as zero, floor_i = max(atol_i/rtol, 1e-3 max over t of |y_i|), and how the error tests treat it. */
#include "verify_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Where Q is a small rest of large terms, so much of them counts as no error of the run. */
static const double small_rest = 1e-9;
/* Below so much of its largest value a quantity counts as zero. */
static const double rest = 1e-3;

/* The floor of output i, whose states' atol move it by `moved` and whose terms are as large as `terms`.  A sum that cancels, as of what
   is conserved, is 0 but for the roundings of its terms, one in each step. */
static void set_floor(struct verification *v, size_t i, double moved, double terms, double largest)
{
    if (v->control[i] == CONTROLLED && largest < moved) v->control[i] = BELOW_ATOL;
    v->floor[i] = fmax(fmax(small_rest * terms, moved), rest * largest);
    v->noise[i] = (double)v->steps * DBL_EPSILON * terms;
}

enum { DIRECTIONS = 4 };

/* dq[count*outputs] = dQ/dy r at the kept row j, of directions r[count*n]; y' and S' count as 0. */
static bool move_outputs(const struct study *s, const struct series *series, size_t j, size_t count,
                         const double *r, double *dq)
{
    double *const still = take(count * s->n, sizeof *still);
    tansy_point const at = {.t = series->t[j],
                            .side = run_side(s, series->t[j]),
                            .y = series_row(series, j),
                            .yp = still,
                            .p = s->p};
    tansy_columns const columns = {.ns = count, .sens = r, .sensp = still};
    bool const known = tansy_model_output_columns_at(s->model, &at, &columns, dq) == TANSY_OK;
    free(still);
    return known;
}

/* r[DIRECTIONS*n]: y of row j with mixed signs and sizes. */
static void mix_row(const struct study *s, const struct series *series, size_t j, double *r)
{
    const double *const y = series_row(series, j);
    for (size_t m = 0; m < DIRECTIONS; m++)
        for (size_t i = 0; i < s->n; i++) r[m * s->n + i] = verify_mixed(i, m) * y[i];
}

bool verify_amplifies(const struct study *s, const struct series *series)
{
    static const double promised = 100; /* times rtol */
    if (s->no == 0) return false;
    double *const r = take(DIRECTIONS * s->n, sizeof *r);
    double *const dq = take(DIRECTIONS * s->outputs, sizeof *dq);
    bool any = false;
    for (size_t j = 0; j < series->count && !any; j++) {
        mix_row(s, series, j, r);
        if (!move_outputs(s, series, j, DIRECTIONS, r, dq)) break;
        for (size_t a = 0; a < DIRECTIONS * s->no; a++) {
            size_t const m = a / s->no, o = a % s->no, i = s->n + o;
            double const terms = fabs(dq[m * s->outputs + s->output[o]]);
            double const size = fabs(series_x(series, j, i)) + rest * series_largest(series, i);
            any = any || (isfinite(terms) && terms > promised * size);
        }
    }
    free(r);
    free(dq);
    return any;
}

/* Outputs have no atol of their own.  Theirs, through dQ/dy in a few mixed directions r: max over t of |dQ/dy r atol/rtol|;
   and the size of its terms, |dQ/dy r y|. */
static void output_floors(const struct study *s, const struct series *series,
                          struct verification *v)
{
    enum { ALL = 2 * DIRECTIONS };
    if (s->no == 0) return;
    double *const r = take(ALL * s->n, sizeof *r), *const dq = take(ALL * s->outputs, sizeof *dq);
    double *const moved = take(s->no, sizeof *moved), *const terms = take(s->no, sizeof *terms);
    for (size_t m = 0; m < DIRECTIONS; m++)
        for (size_t i = 0; i < s->n; i++)
            r[(DIRECTIONS + m) * s->n + i] = verify_mixed(i, m) * study_level(s, i);
    for (size_t j = 0; j < series->count; j++) {
        mix_row(s, series, j, r);
        if (!move_outputs(s, series, j, ALL, r, dq)) break;
        for (size_t m = 0; m < ALL; m++)
            for (size_t o = 0; o < s->no; o++) {
                double const size = fabs(dq[m * s->outputs + s->output[o]]);
                double *const to = m < DIRECTIONS ? &terms[o] : &moved[o];
                if (isfinite(size)) *to = fmax(*to, size);
            }
    }
    for (size_t o = 0; o < s->no; o++)
        set_floor(v, s->n + o, moved[o], terms[o], series_largest(series, s->n + o));
    free(r);
    free(dq);
    free(moved);
    free(terms);
}

/* How the error tests treat state i; one that is 0 may be so for want of control. */
static enum control control_of(const struct study *s, size_t i, double largest)
{
    tansy_kind const kind = s->summary.kind ? s->summary.kind[i] : TANSY_DIFFERENTIAL;
    if (kind == TANSY_INDEX_2) return MULTIPLIER;
    if (kind == TANSY_ALGEBRAIC && s->options.suppress_algebraic) return SUPPRESSED;
    return largest < study_level(s, i) ? BELOW_ATOL : CONTROLLED;
}

/* An output that moves with states which are not tested is not tested either. */
static void follow_untested(const struct study *s, const struct series *series, enum control which,
                            struct verification *v)
{
    double *const r = take(s->n, sizeof *r), *const dq = take(s->outputs, sizeof *dq);
    bool any = false;
    for (size_t i = 0; i < s->n; i++)
        if (v->control[i] == which) {
            r[i] = verify_mixed(i, 0);
            any = true;
        }
    for (size_t j = 0; j < series->count && any && s->no > 0; j++) {
        if (!move_outputs(s, series, j, 1, r, dq)) break;
        for (size_t o = 0; o < s->no; o++)
            if (fabs(dq[s->output[o]]) > 0) v->control[s->n + o] = which;
    }
    free(r);
    free(dq);
}

void verify_floors(const struct study *s, const struct series *series, struct verification *v)
{
    for (size_t i = 0; i < s->n; i++) {
        double const largest = series_largest(series, i);
        v->floor[i] = fmax(study_level(s, i), rest * largest);
        v->control[i] = control_of(s, i, largest);
    }
    follow_untested(s, series, SUPPRESSED, v);
    follow_untested(s, series, MULTIPLIER, v);
    output_floors(s, series, v);
}
