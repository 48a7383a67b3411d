/* SPDX-License-Identifier: Apache-2.0 */
/* A mass-action network of 100 species and 400 rate constants to t = 10; both with sparse factors,
   CVODES with dense ones too. There is no reference file: Tansy at rtol = 1e-11 makes one, and CVODES has to
   agree; its own error is some 30 rtol here. */
#include "support/made_reference.h"
#include "support/work_precision.h"

int main(void)
{
    static struct comparison c;
    static const double end[] = {10};
    static const struct judgement how = {
        .maker = {.code = BEST_TANSY,
                  .options = {.method = TANSY_BDF,
                              .sensitivities = TANSY_DIRECT,
                              .linear_solver = TANSY_SPARSE_LU}},
        .judge = {.code = BEST_PEER,
                  .variant = {.lmm = CV_BDF, .corrector = CV_STAGGERED, .linear = PEER_KLU}},
        .tight = 1e-11,
        .tight_peer = 1e-10,
        .allowed = 1e-8};
    struct task task;
    task_open_bare("network_100x400_sparse", 1, end, &task);
    reference_make(&task, &how);
    work_precision(
        &task, &(struct ladder){.first = 3, .last = 10, .step = 1, .seconds = 1, .least_rounds = 1},
        &c);
    print_speedup("network_100x400_sparse", "CVODES", speedup(&c, BEST_PEER, BEST_TANSY));
    task_close(&task);
    return 0;
}
