/* SPDX-License-Identifier: Apache-2.0 */
#include "method/method.h"

const struct method *const one_step_tables[] = {&method_dop853, &method_dopri8, NULL};
const struct method method_rodas5p = {.name = "rosenbrock"}, method_rodas4, method_grk4a, method_grk4t;
