/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents along the directions that are asked for, where a derivative that is not asked for does not exist. */
#ifndef MODEL_LANE_ASKED_H
#define MODEL_LANE_ASKED_H

#include <stdbool.h>

#include "model/program.h"

/* As lane_program_run, except that a parameter which a lane leaves alone (its entry of U is 0) leaves the lane alone, even
   where the derivative with respect to it is not finite: d(x^n)/dn = x^n log x for x < 0.  A derivative with respect to y
   that is not finite is never passed over.  work: lane_asked_work() doubles, whatever the number of columns. */
size_t lane_asked_work(const struct lane_program *p);
void lane_asked_run(const struct lane_program *p, const struct leaves *at,
                    const struct lane_panels *panels, double *work);

/* Whether the two may differ where the roots f[n] are finite and so is all that is computed once per p: the tangent has a
   logarithm, a root, a power or a quotient that moves and that f does not have.  If not, the second look can be spared. */
tansy_status lane_asked_may_differ(const struct graph *g, const uint32_t *f, size_t n,
                                   const struct tangent *tangent, bool *may);

/* v[i*ld + k] is finite for all i < rows, k < columns. */
bool lane_asked_all_finite(size_t rows, size_t columns, size_t ld, const double *v);

#endif
