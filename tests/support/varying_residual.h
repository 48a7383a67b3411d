/* SPDX-License-Identifier: Apache-2.0 */
/* The problem of varying_mass.h, with r = 1, as F(t, y, y', p) = B y' - f: as text of a model and as functions. */
#ifndef TEST_VARYING_RESIDUAL_H
#define TEST_VARYING_RESIDUAL_H

#include "varying_mass.h"

const char *varying_text(bool singular);

/* What is given besides F. */
enum residual_gives { RESIDUAL_NOTHING, RESIDUAL_MATRICES, RESIDUAL_TANGENT };

tansy_problem varying_residual(bool singular, enum residual_gives gives);

#endif
