/* SPDX-License-Identifier: Apache-2.0 */
/* The list of one-step methods, for contract tests. */
#include "method/method.h"

const struct method *const one_step_tables[] = {
    &method_dop853, &method_dopri8, &method_rodas5p, &method_rodas4,
    &method_grk4a,  &method_grk4t,  &method_limex,   NULL};
