/* SPDX-License-Identifier: Apache-2.0 */
/* Signs that components must keep, of y inside a step or at its end before it is accepted. */
#include <float.h>
#include <math.h>

#include "method/method.h"

void stepper_clip_signs(const struct stepper *s, double *y)
{
    size_t const n = s->equations->derive->n;
    for (size_t i = 0; s->sign && i < n; i++) {
        double const side = s->sign[i] > 0 ? 1 : -1, end = fabs(s->state.history[i]);
        bool const is_strict = s->sign[i] == 2 || s->sign[i] == -2;
        if (s->sign[i] == 0 || (is_strict ? side * y[i] > 0 : side * y[i] >= 0)) continue;
        y[i] = is_strict ? side * fmax(0.1 * end, DBL_MIN) : 0;
    }
}
