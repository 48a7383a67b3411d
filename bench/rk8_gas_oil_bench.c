/* SPDX-License-Identifier: Apache-2.0 */
/* rk8 on the cracking of gas oil at an error of 1e-8 of S, against CVODES with Adams formulas and its better iteration. */
#include "support/duel.h"

static const struct entrant ours[] = {{.method = "rk8"}};

int main(void)
{
    duel_run(
        &(struct duel){.name = "rk8_gas_oil",
                       .problem = "gas_oil",
                       .entrants = {.count = sizeof ours / sizeof *ours, .ours = ours, .adams = 1},
                       .levels = 1,
                       .level = {1e-8},
                       .target = 8,
                       .seconds = 0.4});
    return 0;
}
