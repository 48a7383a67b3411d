/* SPDX-License-Identifier: Apache-2.0 */
/* Generated networks, see made_network.h. */
#include "made_network.h"

#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t below(struct random_source *source, size_t limit)
{
    return (size_t)(0.5 * (random_next(source) + 1) * (double)limit) % limit;
}

void network_make(struct mass_action *m, size_t n, size_t reactions, size_t parameters, double low,
                  double high)
{
    static double left[MASS_ACTION_SPECIES], right[MASS_ACTION_SPECIES];
    struct random_source source = {.state = 7 * n + reactions};
    m->n = n;
    m->parameters = parameters;
    for (size_t i = 0; i < n; i++) m->y0[i] = 0.5 * (1 + random_next(&source));
    for (size_t r = 0; r < reactions; r++) {
        size_t const a = r < n ? r : below(&source, n); /* every species reacts */
        size_t const b = below(&source, n);
        double const k = pow(10, low + 0.5 * (random_next(&source) + 1) * (high - low));
        int const two = random_next(&source) < 0;
        left[a] += 1;
        right[(a + 1 + below(&source, n - 1)) % n] += 1;
        if (two) {
            left[b] += 1;
            right[below(&source, n)] += 1;
        }
        if (mass_action_add(m, k, left, right) == 0) continue;
        fprintf(stderr, "the network is too large\n");
        exit(EXIT_FAILURE);
    }
    mass_action_finish(m);
}
