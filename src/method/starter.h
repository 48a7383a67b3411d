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

/* The method can start with order 2. */
bool starter_can_bend(const struct stepper *s);

/* |h y'| and |h^2 y''/2| in units of the tolerance, the largest of all parts that are tested; the latter is the error of a step of order 1. */
struct bend {
    double first, second;
};

/* y'' and S'' where all parts have been started with s->h = 1, from the slopes at t + h: z_2 = (f(t + h, y + h y') - y')/(2 h), which is
   left in the histories.  Codes as in derive.h. */
int starter_bend(struct stepper *s, double h, struct bend *out);

/* The same of an implicit problem from ypp[n] = y'' of its differential components: those of the others, and S'', are taken as 0. */
void starter_bend_by(struct stepper *s, const double *ypp, double h, struct bend *out);

/* The histories are of order 2 from now on. */
void starter_raise(struct stepper *s);

#endif
