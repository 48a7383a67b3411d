/* SPDX-License-Identifier: Apache-2.0 */
/* rosenbrock on HIRES at moderate errors, against CVODES with BDF. */
#include "support/duel.h"

static const struct entrant ours[] = {{.method = "rosenbrock"}};

int main(void)
{
    duel_run(
        &(struct duel){.name = "rosenbrock_hires",
                       .problem = "hires",
                       .entrants = {.count = sizeof ours / sizeof *ours, .ours = ours, .bdf = 1},
                       .levels = 4,
                       .level = {1e-3, 1e-4, 1e-5, 1e-6},
                       .target = 2,
                       .seconds = 0.4});
    return 0;
}
