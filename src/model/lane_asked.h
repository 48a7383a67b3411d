/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents along the directions that are asked for, where a derivative that is not asked for does not exist. */
#ifndef MODEL_LANE_ASKED_H
#define MODEL_LANE_ASKED_H

#include "model/program.h"

/* As lane_program_run, except that a parameter which a lane leaves alone (its entry of U is 0) leaves the lane alone, even
   where the derivative with respect to it is not finite: d(x^n)/dn = x^n log x for x < 0.  A derivative with respect to y
   that is not finite is never passed over.  work: lane_asked_work() doubles, whatever the number of columns. */
size_t lane_asked_work(const struct lane_program *p);
void lane_asked_run(const struct lane_program *p, const struct leaves *at,
                    const struct lane_panels *panels, double *work);

#endif
