/* SPDX-License-Identifier: Apache-2.0 */
/* What all parts of --verify measure by. */
#include "verify_parts.h"

#include <math.h>
#include <stdint.h>

double digits_of(double e)
{
    if (!(e < 1)) return 0; /* NaN too */
    return e > 1e-16 ? -log10(e) : 16;
}

double verify_relative(double error, double size)
{
    if (error == 0) return 0;
    return isfinite(error) ? error / size : (double)INFINITY;
}

bool verify_untested(enum control control)
{
    return control == SUPPRESSED || control == MULTIPLIER;
}

double verify_mixed(size_t i, size_t m)
{
    uint32_t x = (uint32_t)(i * 4 + m + 1) * 2654435761U;
    x = (x ^ x >> 15) * 2246822519U;
    x ^= x >> 13;
    double const size = 0.5 + (double)(x >> 8) / (double)(1U << 24);
    return x & 1 ? size : -size;
}

/* The runs turn a condition at times that differ by their errors, about promise times the time: in between one of them is still on
   the other side, and what jumps there cannot be compared. */
bool verify_at_switch(const struct verification *v, double t)
{
    double const within = fmin(v->promise, 1e-3) * v->span;
    for (size_t a = 0; a < v->turned.count; a++)
        if (fabs(t - v->turned.at[a]) <= within) return true;
    return false;
}
