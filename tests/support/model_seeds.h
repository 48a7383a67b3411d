/* SPDX-License-Identifier: Apache-2.0 */
/* The random models that a test judges column by column. */
#ifndef SUPPORT_MODEL_SEEDS_H
#define SUPPORT_MODEL_SEEDS_H

#include <stddef.h>
#include <stdint.h>

struct model_seeds {
    uint64_t first, count;
};

/* `count` from 1 on, or as the environment's TANSY_MODELS=first:count says. */
struct model_seeds model_seeds(uint64_t count);

/* How many models were refused, and how many columns have each verdict; the line is not ended. */
void model_seeds_print(struct model_seeds seeds, size_t refused, size_t verdicts,
                       const char *const *names, const size_t *columns);

#endif
