/* SPDX-License-Identifier: Apache-2.0 */
/* A generated mechanism of 500 species, 100 radicals in a quasi-steady state and 1,200 reactions with the columns of 400
   rate constants, to t = 10: a sparse DAE, IDAS with KLU.  Tansy at rtol = 1e-10 makes the reference, and IDAS has to agree. */
#include "support/made_reference.h"
#include "support/work_precision.h"

int main(void)
{
    static struct comparison c;
    static const double end[] = {10};
    static const struct judgement how = {
        .maker = {.code = BEST_TANSY,
                  .options = {.method = TANSY_DASSL,
                              .sensitivities = TANSY_DIRECT,
                              .linear_solver = TANSY_SPARSE_LU}},
        .judge = {.code = BEST_PEER, .idas = {.corrector = IDA_STAGGERED, .linear = IDAS_KLU}},
        .tight = 1e-10,
        .tight_peer = 1e-7,
        .allowed = 1e-5};
    struct task task;
    task_open_bare("dae_network_600x400", 1, end, &task);
    reference_make(&task, &how);
    work_precision(
        &task, &(struct ladder){.first = 4, .last = 8, .step = 1, .seconds = 1, .least_rounds = 1},
        &c);
    print_speedup("dae_network_600x400", "IDAS", speedup(&c, BEST_PEER, BEST_TANSY));
    task_close(&task);
    return 0;
}
