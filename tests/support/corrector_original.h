/* SPDX-License-Identifier: Apache-2.0 */
/* The staggered direct method as it was first (Caracotsios and Stewart; Li, Petzold and Zhu (9)): solved for s itself,
     W s = M (c s0 - s0') + r_p u,
   instead of for its correction.  Only to be compared with: a solver never uses it by itself. */
#ifndef SUPPORT_CORRECTOR_ORIGINAL_H
#define SUPPORT_CORRECTOR_ORIGINAL_H

#include <tansy/solver.h>

/* A solver made with the corrector direct goes on with this one. */
void corrector_original_use(tansy_solver *solver);

#endif
