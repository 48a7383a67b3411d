/* SPDX-License-Identifier: Apache-2.0 */
/* The batch reactor of Caracotsios and Stewart (1985), with the signs of Schlegel et al. (2002): six balances,
   the charge balance and three equilibria, an index-1 DAE with rate constants over 28 orders of magnitude.
   The start y7 = y8 = (-p7 + sqrt(p7^2 + 4 p7 y1))/2 depends on p7. */
#include "mass_form.h"
#include "problem_list.h"

#include <math.h>

enum { N = 10, NP = 8, BALANCES = 6 };
static const double catalyst = 0.0131, first_reactant = 1.5776;

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    double const a = p[0] * y[1] * y[5] - p[1] * y[9], b = p[2] * y[1] * y[7];
    double const c = p[3] * y[3] * y[5] - p[4] * y[8];
    f[0] = -b;
    f[1] = -a - b;
    f[2] = b + c;
    f[3] = -c;
    f[4] = a;
    f[5] = -a - c;
    f[6] = y[5] + y[7] + y[8] + y[9] - y[6] - catalyst;
    f[7] = p[6] * y[0] - y[7] * (p[6] + y[6]);
    f[8] = p[7] * y[2] - y[8] * (p[7] + y[6]);
    f[9] = p[5] * y[4] - y[9] * (p[5] + y[6]);
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    double const a1 = p[0] * y[5], a5 = p[0] * y[1], b1 = p[2] * y[7], b7 = p[2] * y[1];
    double const c3 = p[3] * y[5], c5 = p[3] * y[3];
    J[1] = -b1, J[7] = -b7;
    J[11] = -a1 - b1, J[15] = -a5, J[17] = -b7, J[19] = p[1];
    J[21] = b1, J[23] = c3, J[25] = c5, J[27] = b7, J[28] = -p[4];
    J[33] = -c3, J[35] = -c5, J[38] = p[4];
    J[41] = a1, J[45] = a5, J[49] = -p[1];
    J[51] = -a1, J[53] = -c3, J[55] = -a5 - c5, J[58] = p[4], J[59] = p[1];
    J[65] = 1, J[66] = -1, J[67] = 1, J[68] = 1, J[69] = 1;
    J[70] = p[6], J[76] = -y[7], J[77] = -p[6] - y[6];
    J[82] = p[7], J[86] = -y[8], J[88] = -p[7] - y[6];
    J[94] = p[5], J[96] = -y[9], J[99] = -p[5] - y[6];
    return 0;
}

static const size_t fp_row[] = {0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5, 7, 8, 9};
static const size_t fp_column[] = {2, 0, 1, 2, 2, 3, 4, 3, 4, 0, 1, 0, 1, 3, 4, 6, 7, 5};

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    double const a0 = y[1] * y[5], b2 = y[1] * y[7], c3 = y[3] * y[5];
    F[0] = -b2;
    F[1] = -a0, F[2] = y[9], F[3] = -b2;
    F[4] = b2, F[5] = c3, F[6] = -y[8];
    F[7] = -c3, F[8] = y[8];
    F[9] = a0, F[10] = -y[9];
    F[11] = -a0, F[12] = y[9], F[13] = -c3, F[14] = y[8];
    F[15] = y[0] - y[7];
    F[16] = y[2] - y[8];
    F[17] = y[4] - y[9];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)context;
    double const a1 = p[0] * y[5], a5 = p[0] * y[1], b1 = p[2] * y[7], b7 = p[2] * y[1];
    double const c3 = p[3] * y[5], c5 = p[3] * y[3];
    double const a0 = y[1] * y[5], b2 = y[1] * y[7], cp = y[3] * y[5];
    for (size_t k = 0; k < columns; k++) {
        const double *v = V + k, *u = U + k;
        double *r = R + k;
        double const v1 = v[ld], v5 = v[5 * ld], v6 = v[6 * ld], v7 = v[7 * ld];
        double const v8 = v[8 * ld], v9 = v[9 * ld];
        double const a = a1 * v1 + a5 * v5 - p[1] * v9 + a0 * u[0] - y[9] * u[ld];
        double const b = b1 * v1 + b7 * v7 + b2 * u[2 * ld];
        double const c = c3 * v[3 * ld] + c5 * v5 - p[4] * v8 + cp * u[3 * ld] - y[8] * u[4 * ld];
        r[0] = -b;
        r[ld] = -a - b;
        r[2 * ld] = b + c;
        r[3 * ld] = -c;
        r[4 * ld] = a;
        r[5 * ld] = -a - c;
        r[6 * ld] = v5 + v7 + v8 + v9 - v6;
        r[7 * ld] = p[6] * v[0] - y[7] * v6 - (p[6] + y[6]) * v7 + (y[0] - y[7]) * u[6 * ld];
        r[8 * ld] = p[7] * v[2 * ld] - y[8] * v6 - (p[7] + y[6]) * v8 + (y[2] - y[8]) * u[7 * ld];
        r[9 * ld] = p[5] * v[4 * ld] - y[9] * v6 - (p[5] + y[6]) * v9 + (y[4] - y[9]) * u[5 * ld];
    }
    return 0;
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0, (void)context;
    static const double start[BALANCES] = {first_reactant, 8.32, 0, 0, 0, catalyst};
    for (size_t i = 0; i < N; i++) y0[i] = i < BALANCES ? start[i] : 0;
    y0[6] = y0[7] = 0.5 * (sqrt(p[6] * p[6] + 4 * p[6] * first_reactant) - p[6]);
    return 0;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)t0, (void)context;
    double const root = sqrt(p[6] * p[6] + 4 * p[6] * first_reactant);
    D[6 * NP + 6] = D[7 * NP + 6] = 0.5 * ((p[6] + 2 * first_reactant) / root - 1);
    return 0;
}

static struct mass_form *make(void)
{
    static const size_t diagonal[BALANCES] = {0, 1, 2, 3, 4, 5};
    static const double one[BALANCES] = {1, 1, 1, 1, 1, 1};
    static const double p[NP] = {21.893, 2.14e9,   32.318,   21.893,
                                 1.07e9, 7.65e-18, 4.03e-11, 5.32e-18};
    static const tansy_kind kind[N] = {
        [6] = TANSY_ALGEBRAIC, TANSY_ALGEBRAIC, TANSY_ALGEBRAIC, TANSY_ALGEBRAIC};
    static double y0[N];
    static struct mass_form form = {.entries = BALANCES,
                                    .row = diagonal,
                                    .column = diagonal,
                                    .value = one,
                                    .inner = {.n = N,
                                              .np = NP,
                                              .y0 = y0,
                                              .p = p,
                                              .rhs = rhs,
                                              .jacobian = jacobian,
                                              .parameter_jacobian = parameter_jacobian,
                                              .parameter_pattern = {18, fp_row, fp_column},
                                              .tangent = tangent,
                                              .initial = initial,
                                              .initial_jacobian = initial_jacobian,
                                              .kind = kind,
                                              .concurrent = 1}};
    if (form.storage == 0) {
        initial(0, p, y0, NULL);
        mass_form_make(&form);
    }
    return &form;
}

static const double atol[N] = {2e-3, 8e-3, 7e-4, 1e-3, 1e-3, 1e-5, 8e-9, 1e-5, 7e-13, 8e-13};

const struct test_problem *problem_batch_reactor(void)
{
    static struct test_problem it = {.name = "batch_reactor",
                                     .atol = atol,
                                     .reference = "batch_reactor.csv",
                                     .t_end = 10,
                                     .stiff = 1};
    it.problem = make()->implicit;
    return &it;
}

const struct test_problem *problem_batch_reactor_mass(void)
{
    static struct test_problem it = {.name = "batch_reactor_mass",
                                     .atol = atol,
                                     .reference = "batch_reactor.csv",
                                     .t_end = 10,
                                     .stiff = 1};
    it.problem = make()->mass;
    return &it;
}
