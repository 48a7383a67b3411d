/* SPDX-License-Identifier: Apache-2.0 */
/* A sum over the stages of a one-step method: sum of weight[j] times stage[j], j < terms. */
#ifndef METHOD_STAGE_SUM_H
#define METHOD_STAGE_SUM_H

struct stage_sum {
    int terms;
    const unsigned char *stage;
    const double *weight;
};

#endif
