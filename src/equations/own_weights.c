/* SPDX-License-Identifier: Apache-2.0 */
/* Error weights by a function of the user's. */
#include "equations/own_weights.h"

#include <math.h>
#include <stdint.h>

void own_weights_layout(struct own_weights *o, struct arena *arena, size_t panels)
{
    if (!o->function) return;
    o->parts = panels + 1;
    ARENA_TAKE(arena, o->fault, o->parts);
}

static struct failure *fault_of(const struct own_weights *o, const struct part *part)
{
    return &o->fault[part->kind == PART_STATE ? 0 : 1 + part->shape.number];
}

static double unit_of(const struct own_weights *o, const struct part *part, size_t k)
{
    if (part->kind == PART_STATE || k >= part->shape.columns) return 1;
    return o->scale[part->shape.first + k];
}

/* The weight that entry (i, k) was given, as what its error is multiplied with. */
static double reciprocal(const struct own_weights *o, const struct part *part, size_t i, size_t k,
                         double weight)
{
    double const share = part->rho[k];
    if (weight > 0 && isfinite(weight)) return unit_of(o, part, k) / (share * weight);
    struct failure *const fault = fault_of(o, part);
    if (fault->kind == FAILURE_NONE)
        *fault =
            (struct failure){.kind = FAILURE_WEIGHT,
                             .row = i,
                             .value = weight,
                             .own = part->kind == PART_STATE ? SIZE_MAX : part->shape.first + k};
    return (double)NAN;
}

void own_weights_find(const struct own_weights *o, const struct part *part, size_t n,
                      const double *v, double *winv)
{
    size_t const lanes = part->shape.lanes, columns = part->shape.columns;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lanes; k++)
            winv[i * lanes + k] = unit_of(o, part, k) * v[i * lanes + k];
    int const code = o->function(columns, lanes, winv, o->context);
    if (code != 0)
        *fault_of(o, part) =
            (struct failure){.kind = code > 0 ? FAILURE_POSITIVE : FAILURE_NEGATIVE,
                             .function = "error_weights",
                             .code = code};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lanes; k++) {
            double *const w = &winv[i * lanes + k];
            *w = code != 0 ? (double)NAN : k >= columns ? 1 : reciprocal(o, part, i, k, *w);
        }
}

void own_weights_clear(const struct own_weights *o)
{
    for (size_t x = 0; x < o->parts; x++) o->fault[x].kind = FAILURE_NONE;
}

const struct failure *own_weights_fault(const struct own_weights *o, size_t panels)
{
    for (size_t x = 0; x < o->parts && x <= panels; x++)
        if (o->fault[x].kind != FAILURE_NONE) return &o->fault[x];
    return NULL;
}
