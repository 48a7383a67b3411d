/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a mechanism from a file of tests/reference:
     species A B ...
     reaction NUMBER A + B -> 2 C NAME k        one way, rate constant k
     reaction NUMBER A + B = 2 C kf k kr k      both ways: two reactions, forward first
     initial A value
   Other lines are for people. */
#ifndef TEST_MECHANISM_H
#define TEST_MECHANISM_H

#include "mass_action.h"

/* Fills the zeroed m from the file; ends the program with a message when that fails. */
void mechanism_read(const char *name, struct mass_action *m);

#endif
