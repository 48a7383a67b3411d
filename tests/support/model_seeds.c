/* SPDX-License-Identifier: Apache-2.0 */
#include "model_seeds.h"

#include <stdio.h>
#include <stdlib.h>

struct model_seeds model_seeds(uint64_t count)
{
    struct model_seeds seeds = {1, count};
    const char *const other = getenv("TANSY_MODELS");
    if (other) {
        char *rest = NULL;
        seeds.first = strtoull(other, &rest, 10);
        if (*rest == ':') seeds.count = strtoull(rest + 1, NULL, 10);
    }
    return seeds;
}

void model_seeds_print(struct model_seeds seeds, size_t refused, size_t verdicts,
                       const char *const *names, const size_t *columns)
{
    printf("%llu models: %zu refused; columns:", (unsigned long long)seeds.count, refused);
    for (size_t v = 0; v < verdicts; v++) printf(" %s %zu;", names[v], columns[v]);
}
