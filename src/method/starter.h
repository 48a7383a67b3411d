/* SPDX-License-Identifier: Apache-2.0 */
/* A multistep method that starts anew with order 4 (Gear 1980: Runge-Kutta starters): one step of Dormand and Prince's formulas of
   order 5, whose polynomial, right to h^4, gives the history at the beginning of the step.  It is not taken: what follows is an
   ordinary step of order 4 with its own error test. */
#ifndef METHOD_STARTER_H
#define METHOD_STARTER_H

#include "method/method.h"

enum { STARTER_ORDER = 4 };

/* The method and its rows of history allow it, the problem is y' = f. */
bool starter_is_possible(const struct stepper *s);

/* All parts have been started at s->t with s->h = 1: histories of order 4 in units of h.  The result is the error of the step of
   order 5 in units of the tolerance: above 1, or where it is not finite, everything stays as it was.  Codes as in derive.h in *code:
   a function that could not be evaluated leaves everything as it was, too. */
double starter_run(struct stepper *s, double h, int *code);

#endif
