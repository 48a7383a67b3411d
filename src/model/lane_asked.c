/* SPDX-License-Identifier: Apache-2.0 */
/* The fast run first; only if a coefficient is not finite once more, term by term, without those terms whose source is 0
   and is of p alone: an entry of U, or a row that is made of such entries only. */
#include "model/lane_asked.h"

#include <stdbool.h>

#include "model/lane_program.h"

/* 0 times a finite number is 0, else NaN; in PARTS sums, so that the loop need not wait for one. */
static bool all_finite(size_t count, const double *v)
{
    enum { PARTS = 8 };
    double sum[PARTS] = {0};
    size_t i = 0;
    for (; i + PARTS <= count; i += PARTS)
        for (size_t k = 0; k < PARTS; k++) sum[k] += 0 * v[i + k];
    for (; i < count; i++) sum[0] += 0 * v[i];
    for (size_t k = 1; k < PARTS; k++) sum[0] += sum[k];
    return sum[0] == 0;
}

/* A careful run over the lanes first .. first + lanes. */
struct careful {
    const struct lane_program *p;
    const struct lane_panels *panels;
    const double *coefficient;
    double *strip; /* strip[inner*LANE_STRIP] */
    double *of_p;  /* of_p[inner]: not 0 where the inner row is of p alone */
    size_t first, lanes;
};

/* sum += coefficient * source over the lanes; with is_of_p not where the source is 0. */
static void add_term(const struct careful *c, const double *source, double coefficient,
                     bool is_of_p, double *sum)
{
    for (size_t k = 0; k < c->lanes; k++)
        if (!is_of_p || source[k] != 0) sum[k] += coefficient * source[k];
}

/* Row r from its terms, which begin with `term`: of V, of inner rows, of U. */
static const struct lane_term *add_row(const struct careful *c, size_t r,
                                       const struct lane_term *term, double *sum)
{
    struct lane_count const count = c->p->count[r];
    size_t const ld = c->panels->ld;
    const struct lane_term *const rows = term + count.of_y, *const of_p = rows + count.of_rows;
    const struct lane_term *const end = of_p + count.of_p;
    bool alone = count.of_y == 0;
    for (size_t k = 0; k < c->lanes; k++) sum[k] = 0;
    for (; term < rows; term++)
        add_term(c, c->panels->V + term->source * ld + c->first, c->coefficient[term->coefficient],
                 false, sum);
    for (; term < of_p; term++) {
        bool const is_of_p = c->of_p[term->source] != 0;
        alone = alone && is_of_p;
        add_term(c, c->strip + (size_t)term->source * LANE_STRIP, c->coefficient[term->coefficient],
                 is_of_p, sum);
    }
    for (; term < end; term++)
        add_term(c, c->panels->U + term->source * ld + c->first, c->coefficient[term->coefficient],
                 true, sum);
    if (r < c->p->inner) c->of_p[r] = alone;
    return end;
}

static void run_strip(const struct careful *c)
{
    const struct lane_program *const p = c->p;
    const struct lane_term *term = p->term;
    for (size_t r = 0; r < p->rows; r++) {
        double *const row = r < p->inner
                                ? c->strip + r * LANE_STRIP
                                : c->panels->R + p->root[r - p->inner] * c->panels->ld + c->first;
        term = add_row(c, r, term, row);
    }
}

/* The work space of the fast run, which begins with the coefficients; then ours. */
size_t lane_asked_work(const struct lane_program *p)
{
    return lane_program_work(p, LANE_STRIP) + p->inner * (LANE_STRIP + 1);
}

void lane_asked_run(const struct lane_program *p, const struct leaves *at,
                    const struct lane_panels *panels, double *work)
{
    lane_program_run(p, at, panels, work);
    if (!panels->U || all_finite(p->coefficients, work)) return;
    struct careful c = {.p = p, .panels = panels, .coefficient = work};
    c.strip = work + lane_program_work(p, LANE_STRIP);
    c.of_p = c.strip + p->inner * LANE_STRIP;
    for (; c.first < panels->columns; c.first += LANE_STRIP) {
        size_t const rest = panels->columns - c.first;
        c.lanes = rest < LANE_STRIP ? rest : LANE_STRIP;
        run_strip(&c);
    }
}
