/* SPDX-License-Identifier: Apache-2.0 */
/* Both forms of a problem, see mass_form.h. */
#include "mass_form.h"

#include <stdlib.h>

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    const tansy_problem *in = &((struct mass_form *)context)->inner;
    return in->rhs(t, y, p, f, in->context);
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    const tansy_problem *in = &((struct mass_form *)context)->inner;
    return in->jacobian(t, y, p, J, in->context);
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    const tansy_problem *in = &((struct mass_form *)context)->inner;
    return in->parameter_jacobian(t, y, p, F, in->context);
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    const tansy_problem *in = &((struct mass_form *)context)->inner;
    return in->tangent(t, y, p, columns, ld, V, U, R, in->context);
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    const tansy_problem *in = &((struct mass_form *)context)->inner;
    return in->initial(t0, p, y0, in->context);
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    const tansy_problem *in = &((struct mass_form *)context)->inner;
    return in->initial_jacobian(t0, p, D, in->context);
}

static double entry(const struct mass_form *m, size_t e, const double *p)
{
    int const k = m->parameter ? m->parameter[e] : MASS_FORM_CONSTANT;
    return k == MASS_FORM_CONSTANT ? m->value[e] : m->value[e] * p[k];
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y;
    const struct mass_form *m = context;
    for (size_t e = 0; e < m->entries; e++) B[m->place[e]] += entry(m, e, p);
    return 0;
}

/* R += (d(B u)/dp) U */
static void add_mass_tangent(const struct mass_form *m, const double *u, size_t columns, size_t ld,
                             const double *U, double *R)
{
    for (size_t e = 0; m->parameter && e < m->entries; e++) {
        if (m->parameter[e] == MASS_FORM_CONSTANT) continue;
        double const factor = m->value[e] * u[m->column[e]];
        const double *from = U + (size_t)m->parameter[e] * ld;
        double *to = R + m->row[e] * ld;
        for (size_t k = 0; k < columns; k++) to[k] += factor * from[k];
    }
}

static int mass_tangent(double t, const double *y, const double *p, const double *u, size_t columns,
                        size_t ld, const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)y, (void)p, (void)V;
    const struct mass_form *m = context;
    for (size_t i = 0; i < m->inner.n; i++)
        for (size_t k = 0; k < columns; k++) R[i * ld + k] = 0;
    add_mass_tangent(m, u, columns, ld, U, R);
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct mass_form *m = context;
    int const failed = m->inner.rhs(t, y, p, F, m->inner.context);
    for (size_t i = 0; i < m->inner.n; i++) F[i] = -F[i];
    for (size_t e = 0; e < m->entries; e++) F[m->row[e]] += entry(m, e, p) * yp[m->column[e]];
    return failed;
}

static int residual_jacobian(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    (void)yp;
    const struct mass_form *m = context;
    int const failed = m->inner.jacobian(t, y, p, J, m->inner.context);
    for (size_t x = 0; x < m->storage; x++) J[x] = -J[x];
    return failed;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                         void *context)
{
    (void)yp;
    return mass(t, y, p, J, context);
}

static int residual_parameter(double t, const double *y, const double *yp, const double *p,
                              double *F, void *context)
{
    const struct mass_form *m = context;
    size_t const own = m->inner.parameter_pattern.entries;
    int const failed = m->inner.parameter_jacobian(t, y, p, F, m->inner.context);
    for (size_t x = 0; x < own; x++) F[x] = -F[x];
    for (size_t x = own; x < m->fp_entries; x++) F[x] = 0;
    for (size_t e = 0; m->parameter && e < m->entries; e++)
        if (m->parameter[e] != MASS_FORM_CONSTANT) F[m->slot[e]] += m->value[e] * yp[m->column[e]];
    return failed;
}

static int residual_tangent(double t, const double *y, const double *yp, const double *p,
                            size_t columns, size_t ld, const double *V, const double *V_rate,
                            const double *U, double *R, void *context)
{
    const struct mass_form *m = context;
    int const failed = m->inner.tangent(t, y, p, columns, ld, V, U, R, m->inner.context);
    for (size_t i = 0; i < m->inner.n; i++)
        for (size_t k = 0; k < columns; k++) R[i * ld + k] = -R[i * ld + k];
    for (size_t e = 0; e < m->entries; e++) {
        double const value = entry(m, e, p);
        const double *from = V_rate + m->column[e] * ld;
        double *to = R + m->row[e] * ld;
        for (size_t k = 0; k < columns; k++) to[k] += value * from[k];
    }
    add_mass_tangent(m, yp, columns, ld, U, R);
    return failed;
}

static void *take(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    if (!block) abort();
    return block;
}

/* Where (i, j) stands in a matrix of the problem's structure; a sparse pattern is sorted by rows and has every
   entry of B. */
static size_t find_place(const tansy_problem *p, size_t i, size_t j)
{
    if (p->structure == TANSY_DENSE) return i * p->n + j;
    if (p->structure == TANSY_BANDED) return i * (p->lower + p->upper + 1) + j + p->lower - i;
    size_t low = 0, high = p->jacobian_pattern.entries;
    while (low < high) {
        size_t const middle = low + (high - low) / 2;
        if (p->jacobian_pattern.row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    while (p->jacobian_pattern.column[low] != j) low++;
    return low;
}

/* The slot of dF/dp for row i and parameter k; a new one behind the others if there is none yet. */
static size_t find_slot(struct mass_form *m, size_t i, size_t k)
{
    for (size_t x = 0; x < m->fp_entries; x++)
        if (m->fp_row[x] == i && m->fp_column[x] == k) return x;
    m->fp_row[m->fp_entries] = i;
    m->fp_column[m->fp_entries] = k;
    return m->fp_entries++;
}

static void make_tables(struct mass_form *m)
{
    const tansy_problem *in = &m->inner;
    size_t const own = in->parameter_pattern.entries;
    m->storage = in->structure == TANSY_DENSE    ? in->n * in->n
                 : in->structure == TANSY_BANDED ? in->n * (in->lower + in->upper + 1)
                                                 : in->jacobian_pattern.entries;
    m->place = take(m->entries, sizeof *m->place);
    m->slot = take(m->entries, sizeof *m->slot);
    m->fp_row = take(own + m->entries, sizeof *m->fp_row);
    m->fp_column = take(own + m->entries, sizeof *m->fp_column);
    for (size_t x = 0; x < own; x++) {
        m->fp_row[x] = in->parameter_pattern.row[x];
        m->fp_column[x] = in->parameter_pattern.column[x];
    }
    m->fp_entries = own;
    for (size_t e = 0; e < m->entries; e++) {
        m->place[e] = find_place(in, m->row[e], m->column[e]);
        if (m->parameter && m->parameter[e] != MASS_FORM_CONSTANT)
            m->slot[e] = find_slot(m, m->row[e], (size_t)m->parameter[e]);
    }
}

void mass_form_make(struct mass_form *m)
{
    make_tables(m);
    m->mass = m->inner;
    m->mass.context = m;
    m->mass.rhs = rhs;
    m->mass.jacobian = jacobian;
    m->mass.parameter_jacobian = parameter_jacobian;
    m->mass.tangent = tangent;
    if (m->inner.initial) m->mass.initial = initial;
    if (m->inner.initial_jacobian) m->mass.initial_jacobian = initial_jacobian;
    m->mass.mass_constant = 1; /* B depends on p at most */
    m->implicit = m->mass;
    m->mass.mass = mass;
    if (m->parameter) m->mass.mass_tangent = mass_tangent;
    if (m->parameter) m->mass.mass_varies = 1;
    m->implicit.rhs = NULL;
    m->implicit.jacobian = NULL;
    m->implicit.parameter_jacobian = NULL;
    m->implicit.tangent = NULL;
    m->implicit.residual = residual;
    m->implicit.residual_jacobian = residual_jacobian;
    m->implicit.rate_jacobian = rate_jacobian;
    m->implicit.residual_parameter = residual_parameter;
    m->implicit.residual_tangent = residual_tangent;
    m->implicit.parameter_pattern = (tansy_pattern){m->fp_entries, m->fp_row, m->fp_column};
}
