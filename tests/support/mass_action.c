/* SPDX-License-Identifier: Apache-2.0 */
/* Mass-action networks.  With y_n = 1 as the second reactant of A -> ... every rate is k y_a y_b, with slopes
   k y_b along a and k y_a along b (their sum when a = b), and nothing branches.  Tangents run eight columns
   at a time, in pairs, so that the tangents of all rates stay in the first-level cache. */
#include "mass_action.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 4, LANES = 2 * PAIRS };
/* What every machine has; wider vectors are torn into pieces where it has no wider registers. */
typedef double pair __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

/* y with y_n = 1 behind it. */
struct extended {
    double y[MASS_ACTION_SPECIES + 1];
};

static void extend(const struct mass_action *m, const double *y, struct extended *x)
{
    memcpy(x->y, y, m->n * sizeof *y);
    x->y[m->n] = 1;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    const struct mass_action *m = context;
    struct extended x;
    double rate[MASS_ACTION_REACTIONS];
    extend(m, y, &x);
    for (size_t r = 0; r < m->parameters; r++) rate[r] = p[r] * x.y[m->a[r]] * x.y[m->b[r]];
    for (size_t r = m->parameters; r < m->reactions; r++)
        rate[r] = m->k[r] * x.y[m->a[r]] * x.y[m->b[r]];
    for (size_t i = 0; i < m->n; i++) {
        double sum = 0;
        for (size_t e = m->first[i]; e < m->first[i + 1]; e++)
            sum += m->nu[e] * rate[m->reaction[e]];
        f[i] = sum;
    }
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    const struct mass_action *m = context;
    struct extended x;
    double slope[2 * MASS_ACTION_REACTIONS];
    extend(m, y, &x);
    for (size_t r = 0; r < m->reactions; r++) {
        double const k = r < m->parameters ? p[r] : m->k[r];
        slope[2 * r] = k * x.y[m->b[r]];
        slope[2 * r + 1] = k * x.y[m->a[r]];
    }
    for (size_t e = 0; e < m->terms; e++) J[m->place[e]] += m->weight[e] * slope[m->slope[e]];
    return 0;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p;
    const struct mass_action *m = context;
    struct extended x;
    double product[MASS_ACTION_REACTIONS];
    extend(m, y, &x);
    for (size_t r = 0; r < m->parameters; r++) product[r] = x.y[m->a[r]] * x.y[m->b[r]];
    for (size_t e = 0; e < m->fp_entries; e++) F[e] = m->fp_nu[e] * product[m->fp_column[e]];
    return 0;
}

/* What the tangents of the rates need: d rate = along_a V_a + along_b V_b + product U. */
struct slopes {
    double along_a[MASS_ACTION_REACTIONS], along_b[MASS_ACTION_REACTIONS];
    double product[MASS_ACTION_REACTIONS];
};

/* R = N d rate for LANES columns. */
static void tangent_of_lanes(const struct mass_action *m, const struct slopes *s, size_t ld,
                             const double *V, const double *U, double *R)
{
    static const pair zero[PAIRS] = {{0}};
    pair rate[MASS_ACTION_REACTIONS][PAIRS];
    for (size_t r = 0; r < m->reactions; r++) {
        const pair *va = (const pair *)(V + m->a[r] * ld);
        const pair *u = r < m->parameters ? (const pair *)(U + r * ld) : zero;
        const pair *vb = m->b[r] < m->n ? (const pair *)(V + m->b[r] * ld) : zero;
        double const a = s->along_a[r], b = s->along_b[r], c = s->product[r];
        for (size_t k = 0; k < PAIRS; k++) rate[r][k] = a * va[k] + b * vb[k] + c * u[k];
    }
    for (size_t i = 0; i < m->n; i++) {
        pair sum[PAIRS] = {{0}};
        for (size_t e = m->first[i]; e < m->first[i + 1]; e++)
            for (size_t k = 0; k < PAIRS; k++) sum[k] += m->nu[e] * rate[m->reaction[e]][k];
        for (size_t k = 0; k < PAIRS; k++) ((pair *)(R + i * ld))[k] = sum[k];
    }
}

/* The same for one column. */
static void tangent_of_one(const struct mass_action *m, const struct slopes *s, size_t ld,
                           const double *V, const double *U, double *R)
{
    double rate[MASS_ACTION_REACTIONS];
    for (size_t r = 0; r < m->reactions; r++) {
        double const vb = m->b[r] < m->n ? V[m->b[r] * ld] : 0;
        double const u = r < m->parameters ? U[r * ld] : 0;
        rate[r] = s->along_a[r] * V[m->a[r] * ld] + s->along_b[r] * vb + s->product[r] * u;
    }
    for (size_t i = 0; i < m->n; i++) {
        double sum = 0;
        for (size_t e = m->first[i]; e < m->first[i + 1]; e++)
            sum += m->nu[e] * rate[m->reaction[e]];
        R[i * ld] = sum;
    }
}

static void tangent_of_all(const struct mass_action *m, const struct slopes *s, size_t columns,
                           size_t ld, const double *V, const double *U, double *R)
{
    size_t k = 0;
    for (; k + LANES <= columns; k += LANES) tangent_of_lanes(m, s, ld, V + k, U + k, R + k);
    for (; k < columns; k++) tangent_of_one(m, s, ld, V + k, U + k, R + k);
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    const struct mass_action *m = context;
    struct extended x;
    struct slopes s;
    extend(m, y, &x);
    for (size_t r = 0; r < m->reactions; r++) {
        double const ya = x.y[m->a[r]], yb = x.y[m->b[r]];
        double const k = r < m->parameters ? p[r] : m->k[r];
        s.along_a[r] = k * yb;
        s.along_b[r] = k * ya;
        s.product[r] = ya * yb;
    }
    tangent_of_all(m, &s, columns, ld, V, U, R);
    return 0;
}

/* The rates' own tangents k (v_a y_b + y_a v_b), differentiated: those of v in place of y. */
static int second(double t, const double *y, const double *p, const double *v, double tau,
                  size_t columns, size_t ld, const double *V, const double *U, double *R,
                  void *context)
{
    (void)t, (void)tau;
    const struct mass_action *m = context;
    struct extended x, w;
    struct slopes s;
    extend(m, y, &x);
    extend(m, v, &w);
    w.y[m->n] = 0;
    for (size_t r = 0; r < m->reactions; r++) {
        double const va = w.y[m->a[r]], vb = w.y[m->b[r]];
        double const k = r < m->parameters ? p[r] : m->k[r];
        s.along_a[r] = k * vb;
        s.along_b[r] = k * va;
        s.product[r] = va * x.y[m->b[r]] + x.y[m->a[r]] * vb;
    }
    tangent_of_all(m, &s, columns, ld, V, U, R);
    return 0;
}

/* Reads the one or two molecules of left[n] into a, b; 0 if that is what it holds. */
static int find_reactants(const struct mass_action *m, const double *left, uint16_t *a, uint16_t *b)
{
    double molecules = 0;
    *a = *b = (uint16_t)m->n;
    for (size_t i = 0; i < m->n; i++) {
        molecules += left[i];
        if (left[i] == 0) continue;
        if (*a == m->n) {
            *a = (uint16_t)i;
            if (left[i] == 2) *b = (uint16_t)i;
        } else {
            *b = (uint16_t)i;
        }
    }
    return molecules == 1 || molecules == 2 ? 0 : -1;
}

/* The terms of df/dy that come from the entry nu of N in row i. */
static void add_terms(struct mass_action *m, size_t i, size_t r, double nu)
{
    size_t const along[2] = {m->a[r], m->b[r]};
    for (size_t side = 0; side < 2; side++) {
        if (along[side] == m->n) continue;
        m->place[m->terms] = (uint32_t)(i * m->n + along[side]);
        m->slope[m->terms] = (uint16_t)(2 * r + side);
        m->weight[m->terms++] = nu;
    }
}

int mass_action_add(struct mass_action *m, double k, double *left, double *right)
{
    size_t const r = m->reactions;
    if (m->n > MASS_ACTION_SPECIES || r == MASS_ACTION_REACTIONS) return -1;
    if (find_reactants(m, left, &m->a[r], &m->b[r]) != 0) return -1;
    for (size_t i = 0; i < m->n; i++) {
        double const nu = right[i] - left[i];
        left[i] = right[i] = 0;
        if (nu == 0) continue;
        if (m->entries == MASS_ACTION_ENTRIES) return -1;
        m->row[m->entries] = i;
        m->column[m->entries] = r;
        m->nu[m->entries++] = nu;
        add_terms(m, i, r, nu);
    }
    m->k[r] = k;
    m->reactions++;
    return 0;
}

/* Insertion sort by rows keeps the reactions of a row in their order. */
void mass_action_finish(struct mass_action *m)
{
    for (size_t e = 1; e < m->entries; e++) {
        size_t const row = m->row[e], column = m->column[e];
        double const nu = m->nu[e];
        size_t to = e;
        for (; to > 0 && m->row[to - 1] > row; to--) {
            m->row[to] = m->row[to - 1];
            m->column[to] = m->column[to - 1];
            m->nu[to] = m->nu[to - 1];
        }
        m->row[to] = row;
        m->column[to] = column;
        m->nu[to] = nu;
    }
    for (size_t e = 0; e < m->entries; e++) {
        m->reaction[e] = (uint16_t)m->column[e];
        m->first[m->row[e] + 1] = e + 1;
    }
    for (size_t i = 0; i < m->n; i++) /* a species that no reaction changes */
        if (m->first[i + 1] < m->first[i]) m->first[i + 1] = m->first[i];
    if (m->parameters == 0) m->parameters = m->reactions;
    for (size_t e = 0; e < m->entries; e++) {
        if (m->column[e] >= m->parameters) continue;
        m->fp_row[m->fp_entries] = m->row[e];
        m->fp_column[m->fp_entries] = m->column[e];
        m->fp_nu[m->fp_entries++] = m->nu[e];
    }
}

/* Marks what is there, numbers it by rows, and lets the terms name these numbers. */
void mass_action_make_sparse(struct mass_action *m)
{
    uint32_t *number = calloc(m->n * m->n, sizeof *number);
    if (!number) abort();
    for (size_t i = 0; i < m->n; i++) number[i * m->n + i] = 1;
    for (size_t e = 0; e < m->terms; e++) number[m->place[e]] = 1;
    for (size_t x = 0; x < m->n * m->n; x++) {
        if (number[x] == 0) continue;
        m->pattern_row[m->pattern_entries] = x / m->n;
        m->pattern_column[m->pattern_entries] = x % m->n;
        number[x] = (uint32_t)m->pattern_entries++;
    }
    for (size_t e = 0; e < m->terms; e++) m->place[e] = number[m->place[e]];
    free(number);
}

tansy_problem mass_action_problem(struct mass_action *m)
{
    return (tansy_problem){
        .n = m->n,
        .np = m->parameters,
        .y0 = m->y0,
        .p = m->k,
        .context = m,
        .rhs = rhs,
        .jacobian = jacobian,
        .parameter_jacobian = parameter_jacobian,
        .parameter_pattern = {m->fp_entries, m->fp_row, m->fp_column},
        .tangent = tangent,
        .second = second,
        .autonomous = 1,
        .concurrent = 1,
        .structure = m->pattern_entries > 0 ? TANSY_SPARSE : TANSY_DENSE,
        .jacobian_pattern = {m->pattern_entries, m->pattern_entries > 0 ? m->pattern_row : NULL,
                             m->pattern_entries > 0 ? m->pattern_column : NULL},
    };
}
