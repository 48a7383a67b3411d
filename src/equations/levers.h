/* SPDX-License-Identifier: Apache-2.0 */
/* How much the multipliers of index 2 count in the corrector's norm.  They are in no error test; yet where constraints alone fix the
   other components, these converge in one iteration whatever the multipliers do, and what an iteration with old factors leaves of
   them is amplified by every prediction: they have to converge, too.  Their own weights would ask for too much: rounding of x moves
   x' by c times as much, and so a multiplier.  What counts is what a change d of z_j moves: the rate of x_k by J_ij d/M_ik in
   equation i, so x_k itself by J_ij d/(c M_ik), which is held against the weight of x_k. */
#ifndef EQUATIONS_LEVERS_H
#define EQUATIONS_LEVERS_H

#include <stddef.h>

struct equations;

/* A change d of the multiplier moves the component by size*d; size = 0: not known. */
struct lever {
    size_t component;
    double size;
};

/* Fills q->norms->lever, where there is one, from the J and M evaluated last, for the leading coefficient c; of all equations the one counts that
   moves most in units of winv[n], the weights of the state. */
void levers_find(const struct equations *q, const double *winv, double c);

#endif
