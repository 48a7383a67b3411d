/* SPDX-License-Identifier: Apache-2.0 */
/* What counts as zero in the columns of an algebraic variable.  Its equation 0 = g(x, z, p) makes s_z = -(g_x s_x + g_p)/g_z, whose terms are as large as |g_x x|/(g_z p)
   and have that many roundings.  Where they cancel, as the volume has no say any more in a pressure of 1e6 Pa, no step meets an atol of 1e-9. */
#ifndef DRIVE_ALGEBRAIC_ZERO_H
#define DRIVE_ALGEBRAIC_ZERO_H

#include "drive/solver.h"

/* What roundings of the terms of its equation leave of each component, rounding[n], which may be 0; 0 of y' = f. */
void algebraic_zero_roundings(const struct tansy_solver *s, const double *y, double *rounding);

/* A step has been accepted: tolerances.zero of algebraic components, not below what roundings leave. */
void algebraic_zero_follow(struct tansy_solver *s, const double *y);

/* Columns of an algebraic variable are known by differences that do not keep the promise: the worst, and how far off they may be, in promises. */
bool algebraic_zero_counts(const struct tansy_solver *s, size_t *worst, double *share);

#endif
