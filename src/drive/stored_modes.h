/* SPDX-License-Identifier: Apache-2.0 */
/* The modes of the conditions and the piece between break times at a point of a stored solution. */
#ifndef DRIVE_STORED_MODES_H
#define DRIVE_STORED_MODES_H

#include <tansy/solver.h>

#include "base/message.h"

/* Fills p[np .. np + switches] behind the parameters, with context as what .switch_function gets and local->version raised whenever p
   changes.  On the side the run came from t0 (at t0 itself: forward from there).  TANSY_BAD_CALL where the point does not tell
   a mode. */
tansy_status stored_modes(const tansy_problem *q, const tansy_stored *at, tansy_local *local,
                          void *context, double *p, struct message *message);

#endif
