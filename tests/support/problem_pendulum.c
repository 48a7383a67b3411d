/* SPDX-License-Identifier: Apache-2.0 */
/* The pendulum of Maly and Petzold (1996), with the right sign, as a DAE of index 2 in Hessenberg form:
     x1' = x3,  x2' = x4,  x3' = -x1 x5,  x4' = -x2 x5 - g,  0 = x1 x3 + x2 x4,
   released at rest from x1 = 1/2.  The parameter is its length p, which only the start knows:
   x2(0) = -sqrt(p^2 - 1/4), x5(0) = -g x2(0)/p^2. */
#include "mass_form.h"
#include "problem_list.h"

#include <math.h>

enum { N = 5 };
static const double aside = 0.5; /* x1(0) */

static int rhs(double t, const double *x, const double *p, double *f, void *context)
{
    (void)t, (void)p;
    const double *g = context;
    f[0] = x[2];
    f[1] = x[3];
    f[2] = -x[0] * x[4];
    f[3] = -x[1] * x[4] - *g;
    f[4] = x[0] * x[2] + x[1] * x[3];
    return 0;
}

static int jacobian(double t, const double *x, const double *p, double *J, void *context)
{
    (void)t, (void)p, (void)context;
    J[2] = J[8] = 1;
    J[10] = J[16] = -x[4];
    J[14] = -x[0], J[19] = -x[1];
    J[20] = x[2], J[21] = x[3], J[22] = x[0], J[23] = x[1];
    return 0;
}

/* There is nothing in the pattern. */
static int parameter_jacobian(double t, const double *x, const double *p, double *F, void *context)
{
    (void)t, (void)x, (void)p, (void)F, (void)context;
    return 0;
}

static int tangent(double t, const double *x, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)p, (void)U, (void)context;
    for (size_t k = 0; k < columns; k++) {
        const double *v = V + k;
        double *r = R + k;
        double const v0 = v[0], v1 = v[ld], v2 = v[2 * ld], v3 = v[3 * ld], v4 = v[4 * ld];
        r[0] = v2;
        r[ld] = v3;
        r[2 * ld] = -x[4] * v0 - x[0] * v4;
        r[3 * ld] = -x[4] * v1 - x[1] * v4;
        r[4 * ld] = x[2] * v0 + x[3] * v1 + x[0] * v2 + x[1] * v3;
    }
    return 0;
}

static int initial(double t0, const double *p, double *x, void *context)
{
    (void)t0;
    const double *g = context;
    x[0] = aside;
    x[1] = -sqrt(p[0] * p[0] - aside * aside);
    x[2] = x[3] = 0;
    x[4] = -*g * x[1] / (p[0] * p[0]);
    return 0;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)t0;
    const double *g = context;
    double const x2 = -sqrt(p[0] * p[0] - aside * aside), slope = p[0] / x2;
    D[1] = slope;
    D[4] = -*g * (slope - 2 * x2 / p[0]) / (p[0] * p[0]);
    return 0;
}

static const double length[1] = {1};
static const size_t diagonal[N - 1] = {0, 1, 2, 3}, nowhere[1];
static const double one[N - 1] = {1, 1, 1, 1};
static const tansy_kind kind[N] = {[4] = TANSY_INDEX_2};

/* The forms for gravity *g; y0[N] is filled. */
static void make(struct mass_form *form, double *g, double *y0)
{
    if (form->storage > 0) return;
    *form = (struct mass_form){.entries = N - 1, .row = diagonal, .column = diagonal, .value = one};
    form->inner = (tansy_problem){.n = N,
                                  .np = 1,
                                  .y0 = y0,
                                  .p = length,
                                  .context = g,
                                  .rhs = rhs,
                                  .jacobian = jacobian,
                                  .parameter_jacobian = parameter_jacobian,
                                  .parameter_pattern = {0, nowhere, nowhere},
                                  .tangent = tangent,
                                  .initial = initial,
                                  .initial_jacobian = initial_jacobian,
                                  .kind = kind,
                                  .concurrent = 1};
    initial(0, length, y0, g);
    mass_form_make(form);
}

static struct mass_form *make_heavy(void)
{
    static double g = 9.81, y0[N];
    static struct mass_form form;
    make(&form, &g, y0);
    return &form;
}

static const double atol_heavy[N] = {5e-4, 1e-3, 2e-3, 1e-4, 1e-2};

const struct test_problem *problem_pendulum(void)
{
    static struct test_problem it = {
        .name = "pendulum", .atol = atol_heavy, .reference = "pendulum.csv", .t_end = 2};
    it.problem = make_heavy()->implicit;
    return &it;
}

const struct test_problem *problem_pendulum_mass(void)
{
    static struct test_problem it = {
        .name = "pendulum_mass", .atol = atol_heavy, .reference = "pendulum.csv", .t_end = 2};
    it.problem = make_heavy()->mass;
    return &it;
}

const struct test_problem *problem_pendulum_slow(void)
{
    static double g = 1, y0[N];
    static const double atol[N] = {5e-4, 1e-3, 5e-4, 2e-4, 1e-3};
    static struct mass_form form;
    static struct test_problem it = {
        .name = "pendulum_slow", .atol = atol, .reference = "pendulum_slow.csv", .t_end = 10};
    make(&form, &g, y0);
    it.problem = form.implicit;
    return &it;
}
