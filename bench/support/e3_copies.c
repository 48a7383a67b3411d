/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of y1' = -(55 + y3) y1 + 65 y2, y2' = 0.0785 (y1 - y2), y3' = 0.1 y1, see e3_copies.h. */
#include "e3_copies.h"

enum { BAND = 2 }; /* below and above the diagonal */

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    const struct e3_copies *it = context;
    (void)t, (void)p;
    for (size_t c = 0; c < it->copies; c++, y += E3_STATES, f += E3_STATES) {
        f[0] = -(55 + y[2]) * y[0] + 65 * y[1];
        f[1] = 0.0785 * (y[0] - y[1]);
        f[2] = 0.1 * y[0];
    }
    return 0;
}

/* Row i begins at J + i*width with the entry of column i - lower, or as a dense matrix with that of column 0. */
static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    const struct e3_copies *it = context;
    size_t const n = E3_STATES * it->copies;
    (void)t, (void)p;
    for (size_t c = 0; c < it->copies; c++, y += E3_STATES) {
        double const block[E3_STATES][E3_STATES] = {
            {-(55 + y[2]), 65, -y[0]}, {0.0785, -0.0785, 0}, {0.1, 0, 0}};
        for (size_t a = 0; a < E3_STATES; a++)
            for (size_t b = 0; b < E3_STATES; b++) {
                size_t const i = E3_STATES * c + a, j = E3_STATES * c + b;
                J[it->dense ? i * n + j : i * (2 * BAND + 1) + BAND + j - i] = block[a][b];
            }
    }
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    const struct e3_copies *it = context;
    (void)t, (void)p, (void)U;
    for (size_t c = 0; c < it->copies; c++) {
        for (size_t k = 0; k < columns; k++) {
            double const v0 = V[k], v1 = V[ld + k], v2 = V[2 * ld + k];
            R[k] = -(55 + y[2]) * v0 + 65 * v1 - y[0] * v2;
            R[ld + k] = 0.0785 * (v0 - v1);
            R[2 * ld + k] = 0.1 * v0;
        }
        y += E3_STATES, V += E3_STATES * ld, R += E3_STATES * ld;
    }
    return 0;
}

tansy_problem e3_copies_make(size_t copies, int dense, struct e3_copies *it)
{
    size_t const n = E3_STATES * copies;
    *it = (struct e3_copies){.copies = copies, .dense = dense};
    for (size_t i = 0; i < n; i++) {
        it->y0[i] = i % E3_STATES < 2 ? 1 : 0;
        it->columns[i] = TANSY_INITIAL(i);
    }
    return (tansy_problem){.n = n,
                           .y0 = it->y0,
                           .context = it,
                           .rhs = rhs,
                           .jacobian = jacobian,
                           .tangent = tangent,
                           .structure = dense ? TANSY_DENSE : TANSY_BANDED,
                           .lower = dense ? 0 : BAND,
                           .upper = dense ? 0 : BAND,
                           .ns = n,
                           .columns = it->columns,
                           .autonomous = 1,
                           .concurrent = 1};
}
