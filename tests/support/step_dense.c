/* SPDX-License-Identifier: Apache-2.0 */
#include "step_dense.h"

#include <math.h>
#include <stddef.h>

enum { PLACES = 5 }; /* of a step */

double step_largest(const double *errors)
{
    double worst = 0;
    for (int k = 1; k <= STEP_NP; k++) worst = fmax(worst, errors[k]);
    return worst;
}

void step_look_inside(tansy_solver *s, const struct step_problem *it, double h, double *dense)
{
    double y[STEP_N], yp[STEP_N], sens[STEP_NP * STEP_N], sensp[STEP_NP * STEP_N];
    double rate[STEP_N], rates[STEP_NP * STEP_N], errors[1 + STEP_NP];
    for (int x = 1; x <= PLACES; x++) {
        double const t = tansy_time(s) - h * x / (PLACES + 1);
        if (tansy_at(s, t, y, yp, sens, sensp) != TANSY_OK) {
            dense[0] = HUGE_VAL; /* no order comes of that */
            return;
        }
        step_errors(it, t, y, sens, errors);
        step_exact_slope(it, t, rate, rates);
        dense[0] = fmax(dense[0], errors[0]);
        dense[1] = fmax(dense[1], step_largest(errors));
        for (size_t i = 0; i < 2; i++) dense[2] = fmax(dense[2], fabs(yp[i] - rate[i]));
        for (size_t i = 0; i < (size_t)2 * STEP_NP; i++)
            dense[3] = fmax(dense[3], fabs(sensp[i] - rates[i]));
    }
}
