/* SPDX-License-Identifier: Apache-2.0 */
/* Staggered corrector (Feehery, Tolsma and Barton; Li, Petzold and Zhu (11)): the columns by Newton iteration
   with the factors that the state was solved with, and the derivatives at the corrected state. */
#include "method/corrector.h"

static enum verdict prepare(struct stepper *s)
{
    struct equations *const q = s->equations;
    corrector_slope(s, &s->state, &s->state_work, false);
    struct point const at = corrector_point(s, false);
    int const code = equations_linearise(q, &at, false);
    return corrector_verdict(s, &s->state, 0, code);
}

const struct corrector corrector_staggered = {
    .name = "staggered",
    .option = TANSY_STAGGERED,
    .title = "staggered corrector",
    .prepare = prepare,
    .panel = corrector_iterate,
};
