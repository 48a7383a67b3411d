/* SPDX-License-Identifier: Apache-2.0 */
/* method = auto: rk8 or bdf by stiffness. */
#ifndef DRIVE_AUTOMATIC_H
#define DRIVE_AUTOMATIC_H

#include "drive/solver.h"

/* True when the method is to be chosen along the way. */
bool automatic_applies(const struct tansy_solver *s);

/* After bdf has been chosen with its corrector and matrices: rk8 beside it, and that first. */
void automatic_choose(struct tansy_solver *s);

/* After the derivatives are completed. */
void automatic_complete(struct tansy_solver *s);

/* Goes on in this way; histories are not touched. */
void automatic_take(struct tansy_solver *s, const struct way *way);

/* A new run begins. */
void automatic_begin(struct tansy_solver *s);

/* rk8, or bdf behind it, could not go on: what is far below a literal atol (radicals) may have become negative, and grown
   without bound, before stiffness was seen, and no method goes on from there.  True: the run stands at
   t0 again, with bdf alone.  Times that were given out are as right as the tolerance asks. */
bool automatic_start_over(struct tansy_solver *s);

/* Between two steps: changes the method if it is time. */
tansy_status automatic_consider(struct tansy_solver *s);

#endif
