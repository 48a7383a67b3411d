/* SPDX-License-Identifier: Apache-2.0 */
/* The list of correctors, for names and contract tests. */
#include "method/corrector.h"

const struct corrector *const corrector_tables[] = {&corrector_direct, &corrector_staggered,
                                                    &corrector_simultaneous, NULL};
