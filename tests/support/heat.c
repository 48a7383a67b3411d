/* SPDX-License-Identifier: Apache-2.0 */
/* The heat equation on a square, see heat.h.  Point (j, k), 0 <= j, k < across, is component k*across + j. */
#include "heat.h"

#include "mass_form.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heat {
    size_t M;
    enum heat_form form;
    size_t across;        /* points in a row that are components: M + 2, or M */
    size_t rim;           /* 1: the outermost of them are the boundary */
    size_t *row, *column; /* of df/dy */
    size_t *fp_row, *fp_column;
    size_t *inner; /* inner[M*M]: the components off the boundary */
    double *one, *y0, *atol;
    tansy_kind *kind;
    char name[32];
    struct mass_form mass;
    struct test_problem problem;
    struct heat *next;
};

static void *take(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block) abort();
    return block;
}

/* What stands beside component i, or 0 where that is on the boundary of an ODE's grid. */
struct stencil {
    double west, east, south, north;
};

static struct stencil look(const struct heat *h, const double *y, size_t i, size_t stride)
{
    size_t const across = h->across, j = i % across, k = i / across;
    const double *here = y + i * stride;
    return (struct stencil){j > 0 ? here[-(ptrdiff_t)stride] : 0, j + 1 < across ? here[stride] : 0,
                            k > 0 ? here[-(ptrdiff_t)(across * stride)] : 0,
                            k + 1 < across ? here[across * stride] : 0};
}

static int on_rim(const struct heat *h, size_t i)
{
    size_t const j = i % h->across, k = i / h->across, last = h->across - 1;
    return h->rim && (j == 0 || k == 0 || j == last || k == last);
}

static double inverse_square(const struct heat *h)
{
    return (double)((h->M + 1) * (h->M + 1)); /* of the distance of two points */
}

/* f = p1 u_xx + p2 u_yy inside a grid with a rim, u on it; with yp: B y' - f instead. */
static void apply(const struct heat *h, const double *p, const double *y, const double *yp,
                  double *f)
{
    size_t const across = h->across, n = across * across;
    double const a = p[0] * inverse_square(h), b = p[1] * inverse_square(h), c = -2 * (a + b);
    for (size_t i = 0; i < n; i++) f[i] = yp ? -y[i] : y[i];
    for (size_t k = 1; k <= h->M; k++) {
        const double *south = y + (k - 1) * across, *here = south + across, *north = here + across;
        double *to = f + k * across;
        const double *rate = yp ? yp + k * across : NULL;
        for (size_t j = 1; j <= h->M; j++)
            to[j] = a * (here[j - 1] + here[j + 1]) + b * (south[j] + north[j]) + c * here[j];
        for (size_t j = 1; j <= h->M && rate; j++) to[j] = rate[j] - to[j];
    }
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    const struct heat *h = context;
    double const a = p[0] * inverse_square(h), b = p[1] * inverse_square(h);
    if (h->rim) apply(h, p, y, NULL, f);
    for (size_t i = 0; !h->rim && i < h->M * h->M; i++) {
        struct stencil const s = look(h, y, i, 1);
        f[i] = a * (s.west + s.east - 2 * y[i]) + b * (s.south + s.north - 2 * y[i]);
    }
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t;
    apply(((struct mass_form *)context)->inner.context, p, y, yp, F);
    return 0;
}

/* The entry (i, i + d) of the matrix in the problem's structure. */
static void fill_band(const struct heat *h, double a, double b, double *J)
{
    size_t const across = h->across, n = across * across, width = 2 * across + 1;
    for (size_t i = 0; i < n; i++) {
        size_t const j = i % across, k = i / across;
        double *middle = J + i * width + across;
        if (on_rim(h, i)) {
            *middle = 1;
            continue;
        }
        *middle = -2 * (a + b);
        if (j > 0) middle[-1] = a;
        if (j + 1 < across) middle[1] = a;
        if (k > 0) middle[-(ptrdiff_t)across] = b;
        if (k + 1 < across) middle[across] = b;
    }
}

/* Rows have the entries south, west, middle, east, north, or the middle alone. */
static void fill_sparse(const struct heat *h, double a, double b, double *J)
{
    size_t const n = h->across * h->across;
    size_t e = 0;
    for (size_t i = 0; i < n; i++) {
        if (on_rim(h, i)) {
            J[e++] = 1;
            continue;
        }
        J[e++] = b, J[e++] = a, J[e++] = -2 * (a + b), J[e++] = a, J[e++] = b;
    }
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y;
    const struct heat *h = context;
    double const a = p[0] * inverse_square(h), b = p[1] * inverse_square(h);
    if (h->form == HEAT_SPARSE)
        fill_sparse(h, a, b, J);
    else
        fill_band(h, a, b, J);
    return 0;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p;
    const struct heat *h = context;
    double const factor = inverse_square(h);
    for (size_t x = 0; x < h->M * h->M; x++) {
        size_t const i = h->inner[x];
        struct stencil const s = look(h, y, i, 1);
        F[2 * x] = factor * (s.west + s.east - 2 * y[i]);
        F[2 * x + 1] = factor * (s.south + s.north - 2 * y[i]);
    }
    return 0;
}

/* The directions of a tangent. */
struct seed {
    size_t columns, ld;
    const double *V, *V_rate, *U; /* V_rate may be NULL */
};

/* The tangent r of f at the inner points of row `row` of a grid with a rim, or V_rate - r. */
static void apply_row(const struct heat *h, const double *p, const double *y, const struct seed *s,
                      size_t row, double *R)
{
    ptrdiff_t const across = (ptrdiff_t)h->across, ld = (ptrdiff_t)s->ld;
    double const factor = inverse_square(h), a = p[0] * factor, b = p[1] * factor, c = -2 * (a + b);
    for (ptrdiff_t i = (ptrdiff_t)row * across + 1; i <= (ptrdiff_t)(row * h->across + h->M); i++) {
        const double *u = y + i, *v = s->V + i * ld, *south = v - across * ld;
        const double *north = v + across * ld, *west = v - ld, *east = v + ld;
        double const fx = factor * (u[-1] + u[1] - 2 * u[0]);
        double const fy = factor * (u[-across] + u[across] - 2 * u[0]);
        double *r = R + i * ld;
        for (size_t k = 0; k < s->columns; k++)
            r[k] = a * (west[k] + east[k]) + b * (south[k] + north[k]) + c * v[k] + fx * s->U[k] +
                   fy * s->U[s->ld + k];
        for (size_t k = 0; s->V_rate && k < s->columns; k++)
            r[k] = s->V_rate[(size_t)(i * ld) + k] - r[k];
    }
}

/* The tangent V of u on the rim, or -V. */
static void apply_point(const struct seed *s, size_t i, double *R)
{
    for (size_t k = 0; k < s->columns; k++)
        R[i * s->ld + k] = s->V_rate ? -s->V[i * s->ld + k] : s->V[i * s->ld + k];
}

static void apply_tangent(const struct heat *h, const double *p, const double *y,
                          const struct seed *s, double *R)
{
    size_t const across = h->across;
    for (size_t j = 0; j < across; j++) {
        apply_point(s, j, R);
        apply_point(s, (across - 1) * across + j, R);
        apply_point(s, j * across, R);
        apply_point(s, j * across + across - 1, R);
    }
    for (size_t k = 1; k <= h->M; k++) apply_row(h, p, y, s, k, R);
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    const struct heat *h = context;
    double const factor = inverse_square(h), a = p[0] * factor, b = p[1] * factor;
    if (h->rim)
        apply_tangent(h, p, y, &(struct seed){.columns = columns, .ld = ld, .V = V, .U = U}, R);
    for (size_t i = 0; !h->rim && i < h->M * h->M; i++) {
        struct stencil const u = look(h, y, i, 1);
        double const fx = factor * (u.west + u.east - 2 * y[i]);
        double const fy = factor * (u.south + u.north - 2 * y[i]);
        for (size_t k = 0; k < columns; k++) {
            struct stencil const s = look(h, V + k, i, ld);
            double const twice = 2 * V[i * ld + k];
            R[i * ld + k] = a * (s.west + s.east - twice) + b * (s.south + s.north - twice) +
                            fx * U[k] + fy * U[ld + k];
        }
    }
    return 0;
}

/* B V_rate less the tangent of f; F is linear, so that it is its own tangent along a y alone. */
static int residual_tangent(double t, const double *y, const double *yp, const double *p,
                            size_t columns, size_t ld, const double *V, const double *V_rate,
                            const double *U, double *R, void *context)
{
    (void)t, (void)yp;
    const struct heat *h = ((struct mass_form *)context)->inner.context;
    if (columns == 1 && ld == 1 && U[0] == 0 && U[1] == 0)
        apply(h, p, V, V_rate, R);
    else
        apply_tangent(h, p, y, &(struct seed){columns, ld, V, V_rate, U}, R);
    return 0;
}

static double start(size_t M, size_t j)
{
    double const x = (double)j / (double)(M + 1);
    return 4 * x * (1 - x);
}

/* The sparse pattern in the order of fill_sparse(). */
static size_t make_pattern(struct heat *h)
{
    size_t const n = h->across * h->across;
    size_t e = 0;
    for (size_t i = 0; i < n; i++) {
        size_t const around[5] = {i - h->across, i - 1, i, i + 1, i + h->across};
        int const rim = on_rim(h, i);
        for (size_t x = rim ? 2 : 0; x < (rim ? 3 : 5); x++) {
            h->row[e] = i;
            h->column[e++] = around[x];
        }
    }
    return e;
}

static void make_points(struct heat *h)
{
    size_t const n = h->across * h->across, shift = h->rim ? 0 : 1;
    size_t x = 0;
    for (size_t i = 0; i < n; i++) {
        h->y0[i] = start(h->M, i % h->across + shift) * start(h->M, i / h->across + shift);
        h->atol[i] = 1;
        h->kind[i] = on_rim(h, i) ? TANSY_ALGEBRAIC : TANSY_DIFFERENTIAL;
        if (on_rim(h, i)) continue;
        h->one[x] = 1;
        h->fp_row[2 * x] = h->fp_row[2 * x + 1] = i;
        h->fp_column[2 * x + 1] = 1;
        h->inner[x++] = i;
    }
}

static void make_problem(struct heat *h)
{
    static const double p[2] = {1, 1};
    size_t const n = h->across * h->across, inner = h->M * h->M;
    struct mass_form *m = &h->mass;
    m->entries = inner;
    m->row = m->column = h->inner;
    m->value = h->one;
    m->inner = (tansy_problem){.n = n,
                               .np = 2,
                               .y0 = h->y0,
                               .p = p,
                               .context = h,
                               .rhs = rhs,
                               .jacobian = jacobian,
                               .parameter_jacobian = parameter_jacobian,
                               .parameter_pattern = {2 * inner, h->fp_row, h->fp_column},
                               .tangent = tangent,
                               .structure = TANSY_BANDED,
                               .lower = h->across,
                               .upper = h->across,
                               .concurrent = 1};
    if (h->form == HEAT_SPARSE) {
        m->inner.structure = TANSY_SPARSE;
        m->inner.lower = m->inner.upper = 0;
        m->inner.jacobian_pattern = (tansy_pattern){make_pattern(h), h->row, h->column};
    }
    if (h->form != HEAT_ODE) {
        m->inner.kind = h->kind;
        mass_form_make(m);
        m->implicit.residual = residual;
        m->implicit.residual_tangent = residual_tangent;
    }
    h->problem.problem = h->form == HEAT_ODE    ? m->inner
                         : h->form == HEAT_MASS ? m->mass
                                                : m->implicit;
}

static struct heat *make(size_t M, enum heat_form form)
{
    static const char *const suffix[HEAT_FORMS] = {"", "_sparse", "_mass", "_ode"};
    struct heat *h = take(1, sizeof *h);
    h->M = M;
    h->form = form;
    h->rim = form == HEAT_ODE ? 0 : 1;
    h->across = M + 2 * h->rim;
    size_t const n = h->across * h->across, inner = M * M;
    h->row = take(5 * n, sizeof *h->row);
    h->column = take(5 * n, sizeof *h->column);
    h->fp_row = take(2 * inner, sizeof *h->fp_row);
    h->fp_column = take(2 * inner, sizeof *h->fp_column);
    h->inner = take(inner, sizeof *h->inner);
    h->one = take(inner, sizeof *h->one);
    h->y0 = take(n, sizeof *h->y0);
    h->atol = take(n, sizeof *h->atol);
    h->kind = take(n, sizeof *h->kind);
    snprintf(h->name, sizeof h->name, "heat_%zu%s", M, suffix[form]);
    h->problem =
        (struct test_problem){.name = h->name, .atol = h->atol, .t_end = 10.24, .stiff = 1};
    if (M == 10) h->problem.reference = h->rim ? "heat2d_grid.csv" : "heat2d_inner.csv";
    make_points(h);
    make_problem(h);
    return h;
}

const struct test_problem *heat_problem(size_t M, enum heat_form form)
{
    static struct heat *first; /* of those made so far */
    struct heat *h = first;
    while (h && (h->M != M || h->form != form)) h = h->next;
    if (!h) {
        h = make(M, form);
        h->next = first;
        first = h;
    }
    return &h->problem;
}

const struct test_problem *heat_find(const char *name)
{
    static const char *const suffix[HEAT_FORMS] = {"", "_sparse", "_mass", "_ode"};
    if (strncmp(name, "heat_", 5) != 0) return NULL;
    char *end = NULL;
    unsigned long const M = strtoul(name + 5, &end, 10);
    for (int form = 0; form < HEAT_FORMS && M > 0; form++)
        if (strcmp(end, suffix[form]) == 0) return heat_problem(M, (enum heat_form)form);
    return NULL;
}

/* a_j(s) and its derivative at the M + 2 points of one direction. */
static void expand(size_t M, double s, double *a, double *da)
{
    double const angle = 3.14159265358979323846 / (double)(M + 1);
    for (size_t m = 1; m <= M; m++) {
        double const half = sin(0.5 * angle * (double)m);
        double const lambda = 4 * (double)((M + 1) * (M + 1)) * half * half;
        double c = 0;
        for (size_t j = 1; j <= M; j++)
            c += start(M, j) * sin(angle * (double)(m * j % (2 * (M + 1))));
        c *= 2 / (double)(M + 1) * exp(-lambda * s);
        for (size_t j = 1; j <= M; j++) {
            double const wave = sin(angle * (double)(m * j % (2 * (M + 1))));
            a[j] += c * wave;
            da[j] -= lambda * c * wave;
        }
    }
}

void heat_exact(size_t M, enum heat_form form, double t, double *y, double *sens)
{
    size_t const shift = form == HEAT_ODE ? 1 : 0, across = M + 2 - 2 * shift, n = across * across;
    double *a = take(2 * (M + 2), sizeof *a), *da = a + M + 2;
    expand(M, t, a, da); /* p1 = p2 = 1 */
    for (size_t i = 0; i < n; i++) {
        size_t const j = i % across + shift, k = i / across + shift;
        y[i] = a[j] * a[k];
        sens[i] = t * da[j] * a[k];
        sens[n + i] = t * a[j] * da[k];
    }
    free(a);
}
