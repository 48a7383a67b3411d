/* SPDX-License-Identifier: Apache-2.0 */
/* The fast run first; only if its result is not finite once more, term by term, without those terms whose source is 0 and is
   of p alone: an entry of U, or a row that is made of such entries only. */
#include "model/lane_asked.h"

#include "base/heap.h"
#include "model/lane_program.h"
#include "model/simplify.h"

bool lane_asked_all_finite(size_t rows, size_t columns, size_t ld, const double *v)
{
    enum { PARTS = 8 }; /* sums, so that additions need not wait for each other */
    double sum[PARTS] = {0};
    for (size_t i = 0; i < rows; i++) {
        const double *const row = v + i * ld;
        size_t k = 0;
        for (; k + PARTS <= columns; k += PARTS)
            for (size_t x = 0; x < PARTS; x++) sum[x] += 0 * row[k + x]; /* 0, else NaN */
        for (; k < columns; k++) sum[0] += 0 * row[k];
    }
    for (size_t x = 1; x < PARTS; x++) sum[0] += sum[x];
    return sum[0] == 0;
}

/* A careful run over the lanes first .. first + lanes. */
struct careful {
    struct lane_rows rows;
    const struct lane_panels *panels;
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

/* Row r from its terms, which begin with `term`: of V, of inner rows, of V_rate, of U. */
static const lane_term *add_row(const struct careful *c, size_t r, const lane_term *term,
                                double *sum)
{
    const double *const coefficient = c->rows.coefficient;
    struct lane_count const count = c->rows.count[r];
    size_t const ld = c->panels->ld;
    const lane_term *const rows = term + count.of_y, *const of_rates = rows + count.of_rows;
    const lane_term *const of_p = of_rates + count.of_rates;
    const lane_term *const end = of_p + count.of_p;
    bool alone = count.of_y == 0 && count.of_rates == 0;
    for (size_t k = 0; k < c->lanes; k++) sum[k] = 0;
    for (; term < rows; term++)
        add_term(c, c->panels->V + lane_term_source(*term) * ld + c->first,
                 coefficient[lane_term_slot(*term)], false, sum);
    for (; term < of_rates; term++) {
        bool const is_of_p = c->of_p[lane_term_source(*term)] != 0;
        alone = alone && is_of_p;
        add_term(c, c->strip + (size_t)lane_term_source(*term) * LANE_STRIP,
                 coefficient[lane_term_slot(*term)], is_of_p, sum);
    }
    for (; term < of_p; term++)
        if (c->panels->V_rate)
            add_term(c, c->panels->V_rate + lane_term_source(*term) * ld + c->first,
                     coefficient[lane_term_slot(*term)], false, sum);
    for (; term < end; term++)
        add_term(c, c->panels->U + lane_term_source(*term) * ld + c->first,
                 coefficient[lane_term_slot(*term)], true, sum);
    if (r < c->rows.inner) c->of_p[r] = alone;
    return end;
}

static void run_strip(const struct careful *c)
{
    size_t const inner = c->rows.inner;
    const lane_term *term = c->rows.term;
    for (size_t r = 0; r < c->rows.rows; r++) {
        double *const row = r < inner
                                ? c->strip + r * LANE_STRIP
                                : c->panels->R + c->rows.root[r - inner] * c->panels->ld + c->first;
        term = add_row(c, r, term, row);
    }
}

/* The work space of a run, which keeps the coefficients; then ours. */
size_t lane_asked_work(const struct lane_program *p)
{
    size_t const inner = lane_program_rows(p, NULL).inner;
    return lane_program_work(p, LANE_STRIP) + inner * (LANE_STRIP + 1);
}

void lane_asked_run(const struct lane_program *p, const struct leaves *at,
                    const struct lane_panels *panels, double *work)
{
    struct careful c = {.rows = lane_program_rows(p, work), .panels = panels};
    lane_program_run(p, at, panels, work);
    if (!panels->U ||
        lane_asked_all_finite(c.rows.rows - c.rows.inner, panels->columns, panels->ld, panels->R))
        return;
    lane_program_coefficients(p, at, work);
    c.strip = work + lane_program_work(p, LANE_STRIP);
    c.of_p = c.strip + c.rows.inner * LANE_STRIP;
    for (; c.first < panels->columns; c.first += LANE_STRIP) {
        size_t const rest = panels->columns - c.first;
        c.lanes = rest < LANE_STRIP ? rest : LANE_STRIP;
        run_strip(&c);
    }
}

/* Its value may be infinite or NaN though its arguments are finite. */
static bool may_fail(enum operation operation)
{
    return operation == OP_LOG || operation == OP_SQRT || operation == OP_DIVIDE ||
           operation == OP_POWER;
}

enum { IN_F = 1, IN_TANGENT = 2 };

tansy_status lane_asked_may_differ(const struct graph *g, const uint32_t *f, size_t n,
                                   const struct tangent *tangent, bool *may)
{
    const struct node *const node = graph_nodes(g);
    unsigned char *const mark = heap_take(graph_count(g));
    if (!mark) return TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) mark[f[i]] |= IN_F;
    for (size_t e = 0; e < tangent->terms; e++) mark[tangent->coefficient[e]] |= IN_TANGENT;
    for (size_t x = graph_count(g); x-- > 0;) {
        for (unsigned k = 0; mark[x] && k < operation_arguments(node[x].operation); k++)
            mark[node[x].argument[k]] |= mark[x];
        if (mark[x] == IN_TANGENT && may_fail(node[x].operation) && !node_is_fixed(g, (uint32_t)x))
            *may = true;
    }
    heap_return(mark);
    return TANSY_OK;
}
