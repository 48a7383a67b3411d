/* SPDX-License-Identifier: Apache-2.0 */
/* rk8 on DETEST C5, the five outer planets: 30 states, 30 initial values, against CVODES with Adams formulas. */
#include "support/duel.h"

static const struct entrant ours[] = {{.method = "rk8"}, {.method = "rk8", .residual = "matrix"}};

int main(void)
{
    duel_run(
        &(struct duel){.name = "rk8_c5",
                       .problem = "c5",
                       .entrants = {.count = sizeof ours / sizeof *ours, .ours = ours, .adams = 1},
                       .levels = 3,
                       .level = {1e-4, 1e-6, 1e-8},
                       .target = 4,
                       .seconds = 0.6});
    return 0;
}
