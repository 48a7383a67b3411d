/* SPDX-License-Identifier: Apache-2.0 */
/* Names for messages. */
#ifndef DERIVE_NAMES_H
#define DERIVE_NAMES_H

#include "derive/derive.h"

struct name {
    char text[128];
};

/* "m.tansy:5:1: 0 = x - y" or "equation 3". */
const char *name_equation(const tansy_problem *problem, size_t i, struct name *name);

/* "y1" or "component 3"; "k" or "p_3"; "the condition x > c" or "switch 0"; "d/d(k)" or "dy/dp_3", "dy/dy_2(t0)", "direction 5",
   "the state" for k = -1.  The result is in *name or belongs to the problem. */
const char *name_state(const tansy_problem *problem, size_t i, struct name *name);
const char *name_parameter(const tansy_problem *problem, size_t k, struct name *name);
const char *name_switch(const tansy_problem *problem, size_t j, struct name *name);
const char *name_column(const tansy_problem *problem, ptrdiff_t k, struct name *name);

#endif
